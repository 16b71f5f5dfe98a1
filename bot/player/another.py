"""Whether the game that was played is still on the screen: somebody may begin another at any time."""

from __future__ import annotations

import numpy as np

from bot.board import Board, State
from bot.clicker import Clock
from bot.errors import CaptureError, GameNotFoundError, WindowError
from bot.geometry import Frame, Pixels, Rect
from bot.player.look import Look, Past
from bot.player.sight import Sight
from bot.screen.protocols import Capture
from bot.vision.looks import Places

_MOST = 0.5  # of the opened cells
_SEVERAL = 3
_INTERVAL = 0.05  # seconds after a look, or a glance, in which clicks go by it
_SETTLED = 0.25  # seconds for which the last clicks may take to show
_CLOSED = (State.COVERED, State.FLAG, State.QUESTION)


class AnotherGame(Exception):  # noqa: N818 - it is no error: play goes on
    """Another game than the one that was played is on the screen, as ``look`` shows it.

    One that is over there is what the user has made of the game.
    """

    def __init__(self, look: Look) -> None:
        over = "the game was ended by hand: it does not count"
        begun = "another game was begun: it is played now, and the one before does not count"
        super().__init__(over if look.reading.state.over else begun)
        self.look = look


def as_left(sight: Sight, look: Look, past: Past) -> Look:
    """Return the board as the last clicks have left it; ``look`` if that cannot be seen."""
    try:
        seen = sight.look(past, _SETTLED)
    except (CaptureError, GameNotFoundError, WindowError):
        return look
    return look if seen.doubt else seen


def after_pause(look: Look, before: Board) -> Look:
    """Return the first ``look`` after a pause, in which the user may have played on from ``before``.

    Raises AnotherGame if it is over, or shows another one.
    """
    if look.reading.state.over or is_another_game(look, Past(before)):
        raise AnotherGame(look)
    return look


def is_another_game(look: Look, past: Past) -> bool:
    """Return whether a look, taken without a past, can be of no later position of the past game.

    It shows a board of another size, or one on which several cells that were open are not what they were, and
    one of them is closed, or they are most; and nothing on it is in doubt. Colours that shift may let several
    numbers be misread alike, but close no cell; and one cell that is different may have been misread.
    """
    board = look.reading.board
    if look.doubt is not None or look.reading.unreadable:
        return False
    if board.shape != past.board.shape:
        return True
    opened = past.board.states <= 8
    before, now = past.board.states[opened], board.states[opened]
    closed, changed = bool(np.isin(now, _CLOSED).any()), int((now != before).sum())
    return changed > _MOST * len(now) or (closed and changed >= _SEVERAL)


def found_anew(sight: Sight, look: Look, past: Past) -> Look:
    """Return a look at the board after a new search for it: it may be elsewhere, or a larger one.

    ``look`` is returned if none is found. Raises AnotherGame if the board is that of another game.
    """
    try:
        found = sight.find()
    except (GameNotFoundError, WindowError):
        return look
    if is_another_game(found, past):
        raise AnotherGame(found)
    return sight.look(past)


class Glance:
    """Sees between clicks whether the board is still the one that they go by."""

    def __init__(self, capture: Capture, clock: Clock) -> None:
        self._capture, self._clock = capture, clock
        self._look: Look | None = None
        self._last = 0.0

    def go_by(self, look: Look) -> None:
        """Take the look by which the next clicks are sent."""
        self._look, self._last = look, look.frame.time

    @property
    def as_it_was(self) -> bool:
        """Whether most of the opened cells are as they were, or were so a moment ago.

        Numbers do not change while a game goes on; what is below the pointer or words may look different.
        """
        now, look = self._clock.now(), self._look
        if look is None or now - self._last < _INTERVAL:
            return True
        self._last = now
        before = look.frame.crop(_board(look))
        seen = self._capture.grab(before.rect)
        return seen.rect == before.rect and _changed(look, seen, before) <= _MOST


def _board(look: Look) -> Rect:
    """Return where the cells of a look are on the screen."""
    return look.reading.grid.rect.moved(look.frame.origin.x, look.frame.origin.y)


def _changed(look: Look, seen: Frame, before: Frame) -> float:
    """Return what part of the opened cells of a look is different in two pictures of its board."""
    board = _board(look)
    changed = Places(look.reading.grid).changed(_whole(seen, board), _whole(before, board))
    opened = look.reading.board.states.ravel() <= 8
    return float(opened[changed].sum() / max(1, opened.sum()))


def _whole(frame: Frame, board: Rect) -> Pixels:
    """Return a picture of the whole board, black where the board sticks out of the frame."""
    rect = frame.rect
    if rect == board:
        return frame.pixels
    beside = (rect.y - board.y, board.bottom - rect.bottom), (rect.x - board.x, board.right - rect.right)
    return np.pad(frame.pixels, (*beside, (0, 0)))
