"""Detect the end of a game by signs beside the board.

They serve boards that do not show an end themselves: a face, a word, a colour beside them. What these look
like is learned in this very window: from games whose end is certain by something else, and from what stays
the same while games go on. What the cells say is never overruled: a sign decides only where they leave it
open. One that was never seen before decides nothing: a status line may change at any time.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.board import Board, Cell, State
from bot.geometry import Frame, Point
from bot.play.evidence import Past, rest_may_be_mines
from bot.vision.panel.buttons import read_face
from bot.vision.panel.panel_numbers import read_numbers
from bot.vision.panel.surroundings import (
    Busy,
    Sign,
    Surroundings,
    also_changed,
    changed_signs,
    never_changed,
    recoloured,
)
from bot.vision.reading import GameState, Reading, hidden_by_pointer

_INTERVAL = 0.1  # seconds between two looks at what changes while a game goes on: its timer, a pressed face
_COVERED, _UNREADABLE = int(State.COVERED), int(State.UNREADABLE)  # as numpy compares fastest


@dataclass(frozen=True, slots=True, eq=False)
class _Scene:
    """A look at a game that may go on: what stood around the board, and what that showed."""

    beside: Surroundings
    board: Board


@dataclass(frozen=True, slots=True, eq=False)
class _Running:
    """What stands around the board while a game goes on, and what of it changes meanwhile."""

    beside: Surroundings
    busy: Busy


class EndDetector:
    """Watches what stands beside one board, and tells by it how a game ended where the board does not.

    ``in_view`` says whether the board's whole window can be seen, and nothing but that; ``pointer`` tells
    where the tip of the mouse pointer is on the screen, below which things may light up.
    """

    def __init__(self, in_view: Callable[[], bool], pointer: Callable[[], Point] | None = None) -> None:
        self._in_view, self._pointer = in_view, pointer
        self._running: _Running | None = None
        self._last: _Scene | None = None  # of a game that may be over
        self._known: dict[GameState, list[Sign]] = {GameState.WON: [], GameState.LOST: []}
        self._new: list[Sign] = []  # what looks different at the last look, though nobody knows what it means
        self._next = -math.inf  # when to look again at what stands around a game that goes on

    @property
    def changed(self) -> bool:
        """Whether something stood beside the board, at the last look, that did not while the game went on."""
        return bool(self._new)

    def learn_end(self, state: GameState) -> None:
        """Take note that the game of the last look has ended so: what stands beside it is a sign of that."""
        if self._new:
            self._learn(state, self._new)
        self._new = []

    def read(self, frame: Frame, reading: Reading, past: Past | None) -> Reading:
        """Return the reading, with the state that signs tell if its cells leave that open."""
        beside = Surroundings.of(frame.pixels, reading.grid)
        if self._running is not None and not beside.alike(self._running.beside):
            self._running, self._last = None, None
        running = self._running
        if reading.state.over:
            if running is not None and self._in_view():
                self._learn(reading.state, self._changed(frame, reading, beside, running))
            return self._ended(reading)
        possible = _possible_ends(reading, past)
        if possible or frame.time >= self._next:
            self._next = frame.time + _INTERVAL
            self._go_on(beside, reading.board)
        if running is None or not possible or not self._in_view():
            self._new = []
            return reading
        signs = self._changed(frame, reading, beside, running)
        mood = read_face(frame.pixels, reading.grid) if signs else None
        if signs and recoloured(running.beside, beside):
            self._running = None
            return self._ended(reading)
        self._new = signs
        state = mood if mood in possible else self._told(signs, possible)
        return reading if state is None else self._ended(replace(reading, state=state))

    def _changed(self, frame: Frame, reading: Reading, now: Surroundings, then: _Running) -> list[Sign]:
        """Return what looks different than while the game goes on, but for numbers and below the pointer."""
        signs = changed_signs(then.beside, now, then.busy)
        if not signs:
            return []
        numbers = [number.box for number in read_numbers(frame.pixels, reading.grid)]
        signs = changed_signs(then.beside, now, then.busy, numbers)
        if self._pointer is None:
            return signs
        below = hidden_by_pointer(frame, self._pointer())
        return [sign for sign in signs if sign.on_picture(now).intersection(below).empty]

    def _ended(self, reading: Reading) -> Reading:
        self._last, self._new = None, []
        return reading

    def _go_on(self, beside: Surroundings, board: Board) -> None:
        """Take note of a game that is not known to be over; it went on after a look that has more covered."""
        if self._last is not None and _went_on(self._last.board, board):
            seen = self._last.beside
            if self._running is not None and seen.alike(self._running.beside):
                busy = also_changed(self._running.busy, self._running.beside, seen)
                self._running = _Running(seen, busy)
            else:
                self._running = _Running(seen, never_changed(seen))
        if self._last is None or self._last.board != board or not self._last.beside.alike(beside):
            self._last = _Scene(beside, board)

    def _learn(self, state: GameState, seen: list[Sign]) -> None:
        """Take note of what stands there at the end of a game; what another such end lacks is no sign."""
        known = [sign for sign in self._known[state] if any(_alike(sign, other) for other in seen)]
        self._known[state] = known or seen

    def _told(self, signs: list[Sign], possible: frozenset[GameState]) -> GameState | None:
        """Return how the game ended if signs that are known leave one way of those that are possible."""
        known = self._known.items()
        seen = {state for state, each in known if any(_shown(sign, signs) for sign in each)} & possible
        if len(seen) != 1:
            return None
        (state,) = seen
        self._learn(state, signs)
        return state


def _shown(known: Sign, signs: list[Sign]) -> bool:
    """Return whether one of ``signs`` is just what is known."""
    return any(_alike(known, sign) and known.same(sign) for sign in signs)


def _alike(one: Sign, other: Sign) -> bool:
    return one.part == other.part and not one.box.intersection(other.box).empty


def _went_on(before: Board, now: Board) -> bool:
    """Return whether ``now`` is a later position of the same game: nothing was closed, something opened."""
    if before.shape != now.shape:
        return False
    opened, opened_now = before.states <= 8, now.states <= 8
    return bool(opened_now[opened].all()) and int(opened_now.sum()) > int(opened.sum())


def _possible_ends(reading: Reading, past: Past | None) -> frozenset[GameState]:
    """Return how the game may have ended as far as the cells leave that open; nothing if they do not.

    It may be lost if a cell that was clicked did not open, and won if all others that are not open can be
    mines. Where something hides what was clicked, it may be either.
    """
    unanswered = _unanswered(reading, past)
    hidden = [cell for cell in unanswered if reading.board[cell] == State.UNREADABLE]
    won = len(hidden) == len(unanswered) and rest_may_be_mines(reading.board, hidden)
    ends = ((GameState.LOST, bool(unanswered)), (GameState.WON, won))
    return frozenset(state for state, may_be in ends if may_be)


def _unanswered(reading: Reading, past: Past | None) -> list[Cell]:
    """Return the cells that were clicked while they were covered and are not open."""
    if past is None or past.board.shape != reading.board.shape:
        return []
    was, now, cols = past.board.states, reading.board.states, past.board.cols
    closed = ((now == _COVERED) | (now == _UNREADABLE)) & (was == _COVERED)
    still = closed.tobytes()  # bytes are looked up many times faster than arrays
    return [cell for cell in past.clicked or () if still[cell.row * cols + cell.col]]
