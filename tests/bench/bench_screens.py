"""Measure how screenshots of real programs are read: our own, and those of others, which we do not ship.

Run from the repository root: ``python tests/bench screens --no-skins``. The pictures of others, with their
index.json, are read if their folder is next to the project. Each board that is not perfect gets a line, and
so does each mine counter that is not read right. Nothing passes or fails.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from rich.console import Console

from bench.measured import Case, breakdown, confused, measure, parser, started
from bot.board import CHARACTERS, State
from bot.vision import load_picture
from fixture_boards import FIXTURES, fixture_boards
from screens import Screen, screens
from true_pictures import TrueBoard, TruePicture

_HIDDEN = "-"


def drawn(screen: Screen) -> TruePicture:
    """Return a screenshot with its true board; cells marked "-" in its rows cannot be read by anybody."""
    hidden = np.array([[character == _HIDDEN for character in row] for row in screen.rows])
    states = [[_state(character) for character in row] for row in screen.rows]
    board = TrueBoard(screen.grid, np.array(states, np.int8), hidden, mines_left=screen.mines_left)
    return TruePicture(screen.pixels, [board])


def _state(character: str) -> int:
    return CHARACTERS.index(character) if character in CHARACTERS else int(State.UNREADABLE)


def own(name: str) -> TruePicture:
    """Return one of our own screenshots with its boards."""
    truths = fixture_boards(name)
    boards = [TrueBoard(each.grid, each.board.states, mines_left=each.mines_left) for each in truths]
    return TruePicture(load_picture(FIXTURES / f"{name}.png"), boards)


def cases() -> list[Case]:
    """Return all pictures, our own first."""
    paths = (path.relative_to(FIXTURES).with_suffix("") for path in sorted(FIXTURES.rglob("*.png")))
    ours = [Case(str(path), {"by": "us"}, partial(own, str(path))) for path in paths]
    return ours + [Case(screen.name, {"by": "others"}, partial(drawn, screen)) for screen in screens()]


def main() -> None:
    every = cases()
    asked = parser(__doc__, len(every), "screenshots").parse_args()
    skins, journal = started(asked, "screens")
    records = measure("screenshots", every[asked.first : asked.first + asked.count], skins, journal)
    console = Console(width=190)
    console.print(breakdown("screenshots", records, ("by",)))
    for each in records:
        if not each.perfect:
            found = "located exactly" if each.exact else "other grid" if each.found else "not found"
            console.print(f"{each.picture}: {found}, {each.wrong} wrong, {each.unread} not read")
        if each.counter in ("unread", "wrong"):
            console.print(f"{each.picture}: mine counter {each.counter}")
    console.print(f"cells that are taken for others: {confused(records)}")


if __name__ == "__main__":
    main()
