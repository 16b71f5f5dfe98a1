"""What the buttons of a mouse do to the cells, as in the classic game of Windows; nothing of a screen.

The left button opens the cell over which it is released. The right one marks the cell under it at once.
Both together, the middle one, or left with Shift make a chord, which is played when the first of them is
released; the buttons that are still down then do nothing more. While a button is down, the cells that it
would open look pressed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from bot.board import Board, Cell, State


class Button(Enum):
    """A button of the mouse."""

    LEFT = auto()
    RIGHT = auto()
    MIDDLE = auto()


class Deed(Enum):
    """What is done to a cell."""

    OPEN = auto()
    MARK = auto()
    CHORD = auto()


@dataclass(frozen=True, slots=True)
class Click:
    """A deed and the cell that it is done to."""

    deed: Deed
    cell: Cell


class Presses:
    """The buttons that are down and the cell under the pointer, None where there is no cell."""

    def __init__(self) -> None:
        self._down: set[Button] = set()
        self._ahead: Deed | None = None  # what a release will do
        self._cell: Cell | None = None

    @property
    def active(self) -> bool:
        """Whether a release over a cell would open something: the face holds its breath."""
        return self._ahead is not None

    def press(self, button: Button, cell: Cell | None, *, shift: bool = False) -> Click | None:
        """Take note of a button that goes down over ``cell``; return what that does at once."""
        alone = not self._down
        self._down.add(button)
        self._cell = cell
        both = {Button.LEFT, Button.RIGHT} <= self._down
        if both or (alone and (button is Button.MIDDLE or (shift and button is Button.LEFT))):
            self._ahead = Deed.CHORD
        elif alone and button is Button.LEFT:
            self._ahead = Deed.OPEN
        elif alone and button is Button.RIGHT and cell is not None:
            return Click(Deed.MARK, cell)
        return None

    def move(self, cell: Cell | None) -> None:
        """Take note of the cell that the pointer is over now."""
        self._cell = cell

    def release(self, button: Button, cell: Cell | None) -> Click | None:
        """Take note of a button that goes up over ``cell``; return what that does."""
        if button not in self._down:
            return None
        self._down.remove(button)
        deed, self._ahead = self._ahead, None
        self._cell = cell if self._down else None
        return Click(deed, cell) if deed and cell is not None else None

    def forget(self) -> None:
        """Let all buttons go without effect, as when a dialog opens or the window loses the pointer."""
        self._down.clear()
        self._ahead = self._cell = None

    def pressed(self, board: Board) -> frozenset[Cell]:
        """Return the cells of ``board`` that look pressed."""
        if self._ahead is None or self._cell is None:
            return frozenset()
        around = board.neighbours(self._cell) if self._ahead is Deed.CHORD else ()
        cells = (self._cell, *around)
        return frozenset(cell for cell in cells if board[cell] in (State.COVERED, State.QUESTION))
