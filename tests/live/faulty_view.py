"""The picture of a game that is painted late and in pieces, and in other colours than it should."""

from __future__ import annotations

import random
import time

from PySide6.QtCore import QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent

from bot.board import Board, Cell
from bot.ui.game.view import GameView


class FaultyView(GameView):
    """Paints changed cells late, one after another, and everything in a tint."""

    pieces: float = 0.0
    random = random.Random(0)
    tint: QColor | None = None
    _shown: dict[Cell, int] | None = None
    _size: tuple[int, int] = (0, 0)
    _due: dict[Cell, float] | None = None

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        if self.pieces:
            self._take_in(self.game.board)
        super().paintEvent(event)
        if self.tint is not None:
            painter = QPainter(self)
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
            painter.fillRect(event.rect(), self.tint)
            painter.end()

    def _take_in(self, board: Board) -> None:
        """Show what is due, and set a time for what is new."""
        now = time.monotonic()
        if self._shown is None or self._due is None or self._size != board.shape:
            self._size, self._due = board.shape, {}
            self._shown = {cell: int(board[cell]) for cell in board}
        for cell in board:
            if board[cell] == self._shown[cell]:
                self._due.pop(cell, None)
            elif cell not in self._due:
                wait = self.random.uniform(0, self.pieces)
                self._due[cell] = now + wait
                QTimer.singleShot(
                    round(1100 * wait) + 2, self, self.update
                )  # Qt may come some per cent early
            elif self._due[cell] <= now:
                self._shown[cell] = int(board[cell])
                del self._due[cell]

    def _draw_cell(self, painter: QPainter, board: Board, cell: Cell, *, pressed: bool) -> None:
        shown = self._shown if self.pieces and self._shown else board
        super()._draw_cell(painter, shown, cell, pressed=pressed)  # type: ignore[arg-type]
