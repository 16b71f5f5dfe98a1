"""Cut the pictures of the skin ``winemine`` out of our own screenshots in ``fixtures/``.

Every state is byte-exact in WineMine, so the first cell of each state will do. Run
``PYTHONPATH=.:tests python -m art.make_winemine_templates`` to write them.
"""

from __future__ import annotations

from pathlib import Path

import cv2

from bot.board import Board, State
from bot.geometry import Pixels
from bot.vision import load_picture
from fixture_boards import FIXTURES, fixture_boards

FOLDER = Path(__file__).parents[2] / "templates" / "winemine"
SOURCES = ("winemine-beginner-running", "winemine-custom-lost")


def name(state: int) -> str:
    """Return the file name of a state without the ending."""
    return str(state) if state < 9 else State(state).name.lower()


def cut(pixels: Pixels, x: int, y: int, board: Board) -> dict[str, Pixels]:
    """Return the first cell of every state on a board whose top left is at (x, y)."""
    found: dict[str, Pixels] = {}
    for cell in board:
        top, left = y + 16 * cell.row, x + 16 * cell.col
        found.setdefault(name(board[cell]), pixels[top : top + 16, left : left + 16])
    return found


def pictures() -> dict[str, Pixels]:
    """Return the picture of every state by its file name without the ending."""
    found: dict[str, Pixels] = {}
    for source in SOURCES:
        pixels = load_picture(FIXTURES / f"{source}.png")
        for truth in fixture_boards(source):
            found = cut(pixels, int(truth.x), int(truth.y), truth.board) | found
    return found


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for state, picture in pictures().items():
        cv2.imwrite(str(FOLDER / f"{state}.png"), picture)
