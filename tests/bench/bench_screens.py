"""Print how screenshots of real programs are read that others made; they are no part of the project.

Run from the repository root, the folder with the pictures and their index.json beside the project:
``python tests/bench screens --no-skins``. A line follows for each board that is
not perfect. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from rich.console import Console

from bench.measured import Case, TrueBoard, TruePicture, confused, measure, parser, started, summary
from bot.board import CHARACTERS, State
from screens import FOLDER, Screen, screens

_HIDDEN = "-"


def drawn(screen: Screen) -> TruePicture:
    """Return the picture of a screenshot with its board; nobody can read the cells that are "-" there."""
    hidden = np.array([[character == _HIDDEN for character in row] for row in screen.rows])
    states = [[_state(character) for character in row] for row in screen.rows]
    board = TrueBoard(screen.grid, np.array(states, np.int8), hidden)
    return TruePicture(screen.pixels, [board])


def _state(character: str) -> int:
    return CHARACTERS.index(character) if character in CHARACTERS else int(State.UNREADABLE)


def cases(chosen: Sequence[Screen]) -> list[Case]:
    return [Case(screen.name, {}, partial(drawn, screen)) for screen in chosen]


def main() -> None:
    every = screens()
    asked = parser(__doc__, len(every), "screenshots").parse_args()
    if not every:
        raise SystemExit(f"there is no index.json in {FOLDER}: put the pictures there")
    skins, journal = started(asked, "screens")
    records = measure("screenshots", cases(every[asked.first : asked.first + asked.count]), skins, journal)
    console = Console(width=190)
    console.print(summary("screenshots", records, ()))
    for each in records:
        if not each.perfect:
            found = "located exactly" if each.exact else "other grid" if each.found else "not found"
            console.print(f"{each.picture}: {found}, {each.wrong} wrong, {each.unread} not read")
    console.print(f"cells that are taken for others: {confused(records)}")


if __name__ == "__main__":
    main()
