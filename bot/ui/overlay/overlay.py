"""Marks over a game on the screen, for whoever looks at it and decides."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np

from bot.board import Board
from bot.desktop import require_shapes
from bot.desktop.protocols import Capture, Window
from bot.geometry import Frame, Grid, Pixels
from bot.ui.overlay.advice import Advice, Layer, marks_of
from bot.ui.overlay.guard import CleanCapture, Guard, ScreenAccess
from bot.ui.overlay.link import Link
from bot.ui.overlay.marks import Mark
from bot.ui.overlay.sheet import Sheet, Standing

PATIENCE = 0.25  # seconds between two looks at a board that is watched for any change


class Overlay:
    """Shows ``layers`` of marks over a game, in a process of its own; others from now on when they are set.

    ``open_screen`` opens the screen for its guard, a thread; ``tell`` is told in words what ends it.
    Raises LaunchError if it cannot be shown here, CaptureError if there is no display.
    """

    def __init__(
        self, layers: Collection[Layer], open_screen: Callable[[], ScreenAccess], tell: Callable[[str], None]
    ) -> None:
        require_shapes()
        self.layers = layers
        self._drawn = _Drawn()
        self._guard = Guard(Link(), open_screen, tell)

    def serve(self, heed: Callable[[], None]) -> None:
        """Call ``heed`` from now on while marks do not come or go; what it raises is raised."""
        self._guard.serve(heed)

    def show(self, frame: Frame, grid: Grid, board: Board, window: Window | None, advice: Advice) -> None:
        """Show what is known of ``board``, read on ``grid`` of ``frame``, a picture of ``window``."""
        place = grid.moved(frame.origin.x, frame.origin.y)
        marks = self._drawn.marks(board, advice, self.layers)
        words = advice.words if Layer.WORDS in self.layers else ""
        sheet = Sheet(place, marks, words, place.rect if window is None else window.client)
        self._guard.put(self._drawn.standing(sheet, frame.crop(sheet.rect).pixels), window)

    def clear(self) -> None:
        """Show nothing."""
        self._guard.put(None, None)

    def rest(self, seconds: float) -> None:
        """Return after so many seconds; while marks stand, when the board changes, or after `PATIENCE`."""
        self._guard.wait(PATIENCE if self._guard.watching else seconds)

    def clean(self, capture: Capture) -> Capture:
        """Return a capture that takes pictures without the marks."""
        return CleanCapture(capture, self._guard)

    def close(self) -> None:
        """Take the marks away."""
        self._guard.close()


class _Drawn:
    """What was drawn last, which is not drawn again: the same is seen many times a second."""

    def __init__(self) -> None:
        self._known: tuple[Board, Advice, Collection[Layer]] | None = None
        self._marks: tuple[Mark, ...] = ()
        self._standing: Standing | None = None

    def marks(self, board: Board, advice: Advice, layers: Collection[Layer]) -> tuple[Mark, ...]:
        known = self._known
        if known is None or known[0] != board or known[1] is not advice or known[2] != layers:
            self._known, self._marks = (board, advice, layers), marks_of(board, advice, layers)
        return self._marks

    def standing(self, sheet: Sheet, clean: Pixels) -> Standing:
        last = self._standing
        if last is None or last.sheet != sheet or not np.array_equal(last.clean, clean):
            self._standing = last = Standing.of(sheet, clean.copy())
        return last
