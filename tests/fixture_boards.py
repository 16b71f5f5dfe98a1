"""The true boards that stand beside our own screenshots in ``fixtures/``.

Each ``NAME.txt`` holds a block for every board on ``NAME.png``: a line ``skin=... state=... x=... y=...
mines_left=...``, then the position in the notation of `bot.board`; blocks are parted by an empty line. Cells
that are not 16 pixels wide and high have ``pitch_x=... pitch_y=...`` in that line too. ``fixtures/programs``
holds pictures of programs that scale freely.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bot.board import Board
from bot.game.board_files import read_board
from bot.geometry import Grid, Pixels
from bot.picture_files import load_picture

FIXTURES = Path(__file__).parents[1] / "fixtures"


@dataclass(frozen=True, slots=True)
class Truth:
    """One true board: skin, state of the game, top left of cell (0, 0) in pixels, mine counter, position.

    ``pitch_x`` and ``pitch_y`` are the size of a cell in pixels, with half of the gaps around it.
    """

    skin: str
    state: str
    x: float
    y: float
    mines_left: int
    board: Board
    pitch_x: float = 16.0
    pitch_y: float = 16.0

    @property
    def grid(self) -> Grid:
        """Where the board is."""
        return Grid(self.x, self.y, self.pitch_x, self.pitch_y, *self.board.shape)


def fixture_boards(name: str) -> list[Truth]:
    """Return the true boards of ``fixtures/NAME.png``."""
    blocks = (FIXTURES / f"{name}.txt").read_text(encoding="utf-8").strip().split("\n\n")
    return [_truth(block) for block in blocks]


def fixture_picture(name: str) -> tuple[Pixels, Truth]:
    """Return the picture ``fixtures/NAME.png``, and the first of its true boards."""
    return load_picture(FIXTURES / f"{name}.png"), fixture_boards(name)[0]


def _truth(block: str) -> Truth:
    head, position = block.split("\n", 1)
    facts = dict(word.split("=") for word in head.split())
    x, y, pitch_x, pitch_y = (float(facts.get(key, 16)) for key in ("x", "y", "pitch_x", "pitch_y"))
    board, mines_left = read_board(position).board, int(facts["mines_left"])
    return Truth(facts["skin"], facts["state"], x, y, mines_left, board, pitch_x, pitch_y)
