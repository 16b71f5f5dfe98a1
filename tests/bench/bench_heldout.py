"""How well a reader reads drawn screenshots that it was not made for.

Run from the repository root: ``python tests/bench heldout``. Picture i is
``heldout.scene(i)``. It judges nothing: figures that miss their goal, in brackets, are red.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rich.console import Console

from bench.measured import (
    Case,
    Goal,
    TrueBoard,
    TruePicture,
    breakdown,
    confused,
    measure,
    parser,
    started,
    summary,
)
from bot.vision import GameState
from heldout import scene

GOAL = Goal(exact=97.0, perfect=95.0)
TAGS = ("style", "layout", "size", "game")


def drawn(seed: int) -> TruePicture:
    """Return the picture of a seed; what else is in it, or was done to it, is tagged "yes"."""
    screen = scene(seed)
    boards = [
        TrueBoard(board.grid, board.states, board.hidden, GameState(board.state)) for board in screen.boards
    ]
    tags = {"style": screen.style, "layout": screen.layout, "size": screen.size, "game": screen.state}
    return TruePicture(screen.pixels, boards, dict.fromkeys(screen.tags, "yes") | tags)


def cases(seeds: Sequence[int]) -> list[Case]:
    return [Case(f"heldout {seed}", {}, partial(drawn, seed)) for seed in seeds]


def main() -> None:
    asked = parser(__doc__, 1000, "pictures").parse_args()
    skins, journal = started(asked, "heldout")
    records = measure(
        "held-out screens", cases(range(asked.first, asked.first + asked.count)), skins, journal
    )
    console = Console(width=190)
    console.print(breakdown("by properties of the boards", records, TAGS))
    others = sorted({tag for record in records for tag in record.tags} - set(TAGS))
    console.print(breakdown("by what else is in the picture", records, others))
    console.print(summary("held-out screens (goals in brackets)", records, (), lambda _: GOAL))
    console.print(f"cells that are taken for others: {confused(records)}")
    missed = [record.picture.split()[1] for record in records if not record.perfect]
    console.print(f"not perfect: {', '.join(missed) or 'none'}")


if __name__ == "__main__":
    main()
