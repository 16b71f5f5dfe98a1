"""Measure whether the reader can tell at each side of a board whether it ends there or goes on out of sight.

Run from the repository root: ``python tests/bench sides --count 200``. Picture i is ``heldout.sides_scene(i)``.
A side at which the board ends is right if the reading ends there, too, and does not name it in ``cut``. A side
behind which more of the board lies is right if the reading names it or has the true size. Where nobody could
tell, the end of what is in view is right as well. All sides of a board that is not found are wrong.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.measured import Case, compared, matched, parser, read, share, started
from bot.geometry import Grid
from bot.vision import Reading
from bot.vision.reading import Side
from heldout import SIDE_TAGS, sides_scene
from true_pictures import TrueBoard, TruePicture

_HEADINGS = ("boards", "not found", "sides", "sides right %", "all four %", "ends wrong", "cut wrong", "open wrong")


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
    rows, cols = (board.visible.any(axis).nonzero()[0] for axis in (1, 0))
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


def record_of(name: str, truth: TruePicture, readings: Sequence[Reading], seconds: float) -> dict[str, Any]:
    """Return the record of a picture as JSON holds it: of each side the truth, and whether the reading is right."""
    (board,) = truth.boards
    reading = matched(readings, truth.boards).get(0)
    right = right_sides(reading, board)
    sides = {side.value: [true, right[side]] for side, true in (board.sides or {}).items()}
    (facts,) = compared(name, truth, readings)
    called = sorted(side.value for side in reading.cut) if reading is not None else []
    tags = dict(truth.tags)
    return {"picture": name, "found": reading is not None, "sides": sides, "called cut": called, "tags": tags, "wrong": facts.wrong, "cells": facts.cells, "right": facts.right, "seconds": seconds}  # fmt: skip


def called_whole(record: Mapping[str, Any]) -> list[str]:
    """Return the sides at which a board is cut and the reading says that it ends."""
    sides = record["sides"].items()
    return [side for side, (true, right) in sides if true == "cut" and record["found"] and not right]


def figures(records: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a row of the table."""
    sides = [tuple(side) for record in records for side in record["sides"].values()]
    right = sum(good for _, good in sides)
    every = sum(all(good for _, good in record["sides"].values()) for record in records)
    wrong = [
        f"{sum(true == name and not good for true, good in sides)} of {sum(true == name for true, _ in sides)}"
        for name in ("ends", "cut", "open")
    ]
    cells, read_right = (sum(record[name] for record in records) for name in ("cells", "right"))
    lost = sum(not record["found"] for record in records)
    counts = [str(len(records)), str(lost), str(len(sides)), f"{share(right, len(sides)) or 0:.2f}"]
    ends = [str(sum(record["wrong"] for record in records)), f"{share(read_right, cells) or 0:.2f}"]
    return [*counts, f"{share(every, len(records)) or 0:.2f}", *wrong, *ends]


def main() -> None:
    asked = parser(__doc__, 2000, "pictures").parse_args()
    skins, journal = started(asked, "sides")
    done = {line["picture"] for line in journal.lines}
    numbers = range(asked.first, asked.first + asked.count)
    cases = [Case(f"sides {number}", {}, partial(sides_scene, number)) for number in numbers]
    for case in track([case for case in cases if case.name not in done], "sides", console=Console(stderr=True)):
        truth = case.draw()
        start = time.process_time()
        readings = read(truth.pixels, skins)
        journal.add([record_of(case.name, truth, readings, time.process_time() - start)])
    names = {case.name for case in cases}
    records = [line for line in journal.lines if line["picture"] in names]
    table = Table(title="sides of boards")
    for heading in ("", "", *_HEADINGS, "wrong cells", "cells read %"):
        table.add_column(heading, justify="right" if heading else "left", no_wrap=not heading)
    for tag in SIDE_TAGS:
        for value in sorted({record["tags"][tag] for record in records}):
            table.add_row(tag, value, *figures([record for record in records if record["tags"][tag] == value]))
        table.add_section()
    table.add_row("all", "", *figures(records))
    console = Console(width=190)
    console.print(table)
    for title, chosen in (
        ("cut boards called whole", [f"{r['picture'].split()[1]} ({' '.join(called_whole(r))})" for r in records if called_whole(r)]),
        ("not all sides right", [r["picture"].split()[1] for r in records if not all(good for _, good in r["sides"].values())]),
    ):  # fmt: skip
        console.print(f"{title}: {', '.join(chosen) or 'none'}")


if __name__ == "__main__":
    main()
