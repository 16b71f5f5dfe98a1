"""Detect the end of a game by signs beside the board: a face, a word, a colour.

They are needed for boards whose cells do not show the end. How signs look is learned in this very window,
from games whose end is certain for another reason, and from what stays the same while games go on. A sign
never overrules the cells: it decides only if they leave the end open. Apart from the usual faces
(`read_face`), a sign not seen at an earlier end decides nothing: a status line may change at any time.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from bot.board import Board
from bot.geometry import Frame, Point
from bot.verdict import NOTHING, Circumstances, GameState, Ledger, Verdict, verdict_on
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
from bot.vision.reading import Reading, hidden_by_pointer

_INTERVAL = 0.1  # seconds between two checks of what changes while a game goes on: its timer, a pressed face


@dataclass(frozen=True, slots=True, eq=False)
class _Scene:
    """A look at a game that may not be over: the surroundings of the board, and the board."""

    beside: Surroundings
    board: Board


@dataclass(frozen=True, slots=True, eq=False)
class _Running:
    """The surroundings of the board while a game goes on, and their pixels that change meanwhile."""

    beside: Surroundings
    busy: Busy


class EndDetector:
    """Detects the end of games by the surroundings of one board, where its cells do not show the end.

    ``in_view`` returns whether nothing lies over any part of the board's window. ``pointer`` returns where
    the tip of the mouse pointer is on the screen: the game may highlight what is below it.
    """

    def __init__(self, in_view: Callable[[], bool], pointer: Callable[[], Point] | None = None) -> None:
        self._in_view, self._pointer = in_view, pointer
        self._running: _Running | None = None
        self._last: _Scene | None = None  # the last look at a game that may be over
        self._known: dict[GameState, list[Sign]] = {GameState.WON: [], GameState.LOST: []}
        self._new: list[Sign] = []  # new at the last look; their meaning is unknown
        self.due = -math.inf  # when to look at the surroundings of a running game again

    def learn_end(self, state: GameState) -> None:
        """Learn that the game of the last look ended in ``state``, which the new signs beside it mean."""
        if self._new:
            self._learn(state, self._new)
        self._new = []

    def read(self, frame: Frame, reading: Reading, ledger: Ledger | None, verdict: Verdict) -> Circumstances:
        """Return what signs beside the board show of the end of the game, if ``verdict`` leaves it open."""
        beside = Surroundings.of(frame.pixels, reading.grid)
        if self._running is not None and not beside.alike(self._running.beside):
            self._running, self._last = None, None
        running, possible = self._running, verdict.possible - {GameState.RUNNING}
        self._new = []
        if verdict.state.over:
            self._last = None
        else:
            self.due = frame.time + _INTERVAL
            self._go_on(beside, reading.board)
        if running is None or not possible or not self._in_view():
            return NOTHING
        signs = self._changed(frame, reading, beside, running)
        if verdict.state.over:
            self._learn(verdict.state, signs)
            return Circumstances(sign=bool(signs))
        if not signs:
            return NOTHING
        if recoloured(running.beside, beside):
            self._running, self._last = None, None
            return NOTHING
        mood, told = read_face(frame.pixels, reading.grid), self._told(signs, possible)
        seen = Circumstances(face=mood, told=told, sign=True)
        if verdict_on(reading.board, seen, ledger).state.over:
            self._last = None
        else:
            self._new = signs
        return seen

    def _changed(self, frame: Frame, reading: Reading, now: Surroundings, then: _Running) -> list[Sign]:
        """Return what looks different from the running game, except numbers and things below the pointer."""
        signs = changed_signs(then.beside, now, then.busy)
        if not signs:
            return []
        numbers = [number.box for number in read_numbers(frame.pixels, reading.grid)]
        signs = changed_signs(then.beside, now, then.busy, numbers)
        if self._pointer is None:
            return signs
        below = hidden_by_pointer(frame, self._pointer())
        return [sign for sign in signs if sign.on_picture(now).intersection(below).empty]

    def _go_on(self, beside: Surroundings, board: Board) -> None:
        """Record a look at a game that may be over; learn from the last one if the game went on after it."""
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
        """Keep the known signs of the end ``state`` that were ``seen`` again; if none, all ``seen``."""
        known = [sign for sign in self._known[state] if any(_alike(sign, other) for other in seen)]
        self._known[state] = known or seen

    def _told(self, signs: list[Sign], possible: frozenset[GameState]) -> GameState | None:
        """Return the end that known signs show; None unless they show exactly one of the possible ends."""
        known = self._known.items()
        seen = {state for state, each in known if any(_shown(sign, signs) for sign in each)} & possible
        if len(seen) != 1:
            return None
        (state,) = seen
        self._learn(state, signs)
        return state


def _shown(known: Sign, signs: list[Sign]) -> bool:
    """Return whether one of ``signs`` is where the known one was, and looks the same."""
    return any(_alike(known, sign) and known.same(sign) for sign in signs)


def _alike(one: Sign, other: Sign) -> bool:
    return one.part == other.part and not one.box.intersection(other.box).empty


def _went_on(before: Board, now: Board) -> bool:
    """Return whether ``now`` is a later position of the same game: more is open, and nothing was closed."""
    if before.shape != now.shape:
        return False
    opened, opened_now = before.states <= 8, now.states <= 8
    return bool(opened_now[opened].all()) and int(opened_now.sum()) > int(opened.sum())
