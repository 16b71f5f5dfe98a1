"""The true boards that stand beside our own screenshots in ``fixtures/``.

Each ``NAME.txt`` holds a block for every board on ``NAME.png``: a line ``skin=... state=... x=... y=...
mines_left=...``, then the position in the notation of `bot.board`; blocks are parted by an empty line.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bot.board import Board

FIXTURES = Path(__file__).parents[1] / "fixtures"


@dataclass(frozen=True, slots=True)
class Truth:
    """One true board: skin, state of the game, top left of cell (0, 0) in pixels, mine counter, position."""

    skin: str
    state: str
    x: int
    y: int
    mines_left: int
    board: Board


def fixture_boards(name: str) -> list[Truth]:
    """Return the true boards of ``fixtures/NAME.png``."""
    blocks = (FIXTURES / f"{name}.txt").read_text(encoding="utf-8").strip().split("\n\n")
    return [_truth(block) for block in blocks]


def _truth(block: str) -> Truth:
    head, position = block.split("\n", 1)
    facts = dict(word.split("=") for word in head.split())
    x, y, mines_left = (int(facts[key]) for key in ("x", "y", "mines_left"))
    return Truth(facts["skin"], facts["state"], x, y, mines_left, Board.parse(position))
