"""Measure whether the reader can tell at each side of a board whether it ends there or goes on out of sight.

Run from the repository root: ``python tests/bench sides --count 200``. Picture i is
``heldout.sides_scene(i)``. A side at which the board ends is right if the reading ends there, too, and does
not name it in ``cut``. A side behind which more of the board lies is right if the reading names it or has the
true size. Where nobody could tell, the end of what is in view is right as well. All sides of a board that is
not found are wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.measured import compared, matched, parser, read, share, started
from bot.geometry import Grid
from bot.vision import Reading
from bot.vision.reading import Side
from heldout import SIDE_TAGS, sides_scene
from true_pictures import TrueBoard, TruePicture

Line = Mapping[str, Any]
TRUTHS = ("ends", "cut", "open")
_HEADINGS = (
    "boards", "not found", "sides right %", "all four %", "wrong where it ends", "where it is cut",
    "where nobody could tell", "wrong cells", "cells read %",
)  # fmt: skip


def edge(grid: Grid, side: Side) -> float:
    """Return where a side of a grid is, in pixels along x or y."""
    return {
        Side.LEFT: grid.x,
        Side.RIGHT: grid.x + grid.width,
        Side.TOP: grid.y,
        Side.BOTTOM: grid.y + grid.height,
    }[side]


def in_view(board: TrueBoard) -> Grid:
    """Return the grid of the rows and columns of which some cell can be seen."""
    rows, cols = (np.flatnonzero(board.visible.any(axis)) for axis in (1, 0))
    return board.grid.part(int(rows[0]), int(cols[0]), int(rows[-1]) + 1, int(cols[-1]) + 1)


def right_sides(reading: Reading | None, board: TrueBoard) -> dict[Side, bool]:
    """Return for each side of a board whether the reading is right about it."""
    if reading is None or board.sides is None:
        return dict.fromkeys(Side, False)
    right = {}
    for side, truth in board.sides.items():
        near = (board.grid.pitch_x if side in (Side.LEFT, Side.RIGHT) else board.grid.pitch_y) / 2
        whole = abs(edge(reading.grid, side) - edge(board.grid, side)) < near and side not in reading.cut
        end = abs(edge(reading.grid, side) - edge(in_view(board), side)) < near
        right[side] = whole or (truth != "ends" and (side in reading.cut or (truth == "open" and end)))
    return right


def lines_of(name: str, truth: TruePicture, readings: Sequence[Reading]) -> dict[str, Any]:
    """Return the record of a picture: its cells, and of each side the truth and whether it was read right."""
    (board,) = truth.boards
    right = right_sides(matched(readings, truth.boards).get(0), board)
    sides = {side.value: [true, right[side]] for side, true in (board.sides or {}).items()}
    (record,) = compared(name, truth, readings)
    return {**asdict(record), "sides": sides}


def wrong_sides(record: Line, *truths: str) -> list[str]:
    """Return the sides that are wrong, of those that are one of ``truths``."""
    return [side for side, (true, right) in record["sides"].items() if true in truths and not right]


def figures(records: Sequence[Line]) -> list[str]:
    """Return a row of the table."""
    true = Counter(side for record in records for side, _ in record["sides"].values())
    wrong = {name: sum(len(wrong_sides(record, name)) for record in records) for name in TRUTHS}
    cells, right = (sum(record[name] for record in records) for name in ("cells", "right"))
    perfect = sum(not wrong_sides(record, *TRUTHS) for record in records)
    lost = sum(not record["found"] for record in records)
    sides = true.total()
    shares = (share(sides - sum(wrong.values()), sides), share(perfect, len(records)), share(right, cells))
    sides_right, all_right, cells_right = (f"{part or 0:.2f}" for part in shares)
    parts = [f"{wrong[name]} of {true[name]}" for name in TRUTHS]
    wrong_cells = str(sum(record["wrong"] for record in records))
    return [str(len(records)), str(lost), sides_right, all_right, *parts, wrong_cells, cells_right]


def main() -> None:
    asked = parser(__doc__, 2000, "pictures").parse_args()
    skins, journal = started(asked, "sides")
    names = [f"sides {number}" for number in range(asked.first, asked.first + asked.count)]
    done = {line["picture"] for line in journal.lines}
    left = [name for name in names if name not in done]
    for name in track(left, "sides of boards", console=Console(stderr=True)):
        truth = sides_scene(int(name.split()[1]))
        journal.add([lines_of(name, truth, read(truth.pixels, skins))])
    records = [line for line in journal.lines if line["picture"] in names]
    table = Table(title="sides of boards")
    for heading in ("", "", *_HEADINGS):
        table.add_column(heading, justify="right" if heading else "left")
    for tag in SIDE_TAGS:
        for value in sorted({record["tags"][tag] for record in records}):
            group = [record for record in records if record["tags"][tag] == value]
            table.add_row(tag, value, *figures(group))
        table.add_section()
    table.add_row("all", "", *figures(records))
    console = Console(width=190)
    console.print(table)
    for title, truths in (("cut boards called whole", ("cut",)), ("not all sides right", TRUTHS)):
        chosen = [(record, wrong_sides(record, *truths)) for record in records if record["found"]]
        texts = [f"{record['picture'].split()[1]} ({' '.join(sides)})" for record, sides in chosen if sides]
        console.print(f"{title}: {', '.join(texts) or 'none'}")
    console.print(
        f"wrong cells in: {', '.join(r['picture'].split()[1] for r in records if r['wrong']) or 'none'}"
    )


if __name__ == "__main__":
    main()
