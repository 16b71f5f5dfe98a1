"""Detect the end of a game by signs beside the board: a face, a word, a colour.

They are needed for boards whose cells do not show the end. How signs look is learned in this very window,
from games whose end is certain for another reason, and from what stays the same while games go on. A sign
never overrules the cells: it decides only if they leave the end open. Apart from the usual faces
(`read_face`), a sign not seen at an earlier end decides nothing: a status line may change at any time. While
a timer runs on, something new beside the board is no sign at all.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

from bot.board import Board
from bot.geometry import Frame, Point
from bot.verdict import NOTHING, Circumstances, GameState, Ledger, Verdict, verdict_on
from bot.vision.panel.buttons import read_face
from bot.vision.panel.panel_numbers import Number, read_numbers
from bot.vision.panel.surroundings import Sign, Surroundings
from bot.vision.reading import Reading, hidden_by_pointer

_INTERVAL = 0.1  # seconds between two checks of what changes while a game goes on: its timer, a pressed face


class EndDetector:
    """Detects the end of games by the surroundings of one board, where its cells do not show the end.

    ``in_view`` returns whether nothing lies over any part of the board's window. ``pointer`` returns where
    the tip of the mouse pointer is on the screen: the game may highlight what is below it.
    """

    def __init__(self, in_view: Callable[[], bool], pointer: Callable[[], Point] | None = None) -> None:
        self._in_view, self._pointer = in_view, pointer
        self._usual: Surroundings | None = None  # as they were while games went on
        self._last: tuple[Surroundings, Board] | None = None  # the last look at a game that may be over
        self._known: dict[GameState, list[Sign]] = {GameState.WON: [], GameState.LOST: []}
        self._new: list[Sign] = []  # new at the last look; their meaning is unknown
        self._numbers: tuple[Board, list[Number]] | None = None  # beside this board, when signs were seen
        self._runs = False  # whether they have changed since: a timer runs on
        self.due = -math.inf  # when to look at the surroundings of a running game again

    def learn_end(self, state: GameState) -> None:
        """Learn that the game of the last look ended in ``state``, which the new signs beside it mean."""
        if self._new:
            self._learn(state, self._new)
        self._new = []

    def read(self, frame: Frame, reading: Reading, ledger: Ledger | None, verdict: Verdict) -> Circumstances:
        """Return what signs beside the board show of the end of the game, if ``verdict`` leaves it open."""
        beside, possible = Surroundings.of(frame.pixels, reading.grid), verdict.possible - {GameState.RUNNING}
        if self._usual is not None and self._usual.places != beside.places:
            self._usual = None
        self._new = []
        if verdict.state.over:
            self._last = None
        else:
            self.due = frame.time + _INTERVAL
            self._go_on(beside, reading.board)
        if self._usual is None or not possible or not self._in_view():
            return NOTHING
        signs, numbers = [*self._usual.signs(beside)], list[Number]()
        if signs:
            numbers = read_numbers(frame.pixels, reading.grid)
            signs = self._new_signs(frame, reading, self._usual, beside, numbers)
        if verdict.state.over:
            self._learn(verdict.state, signs)
            return Circumstances(sign=bool(signs))
        if not signs or self._usual.recoloured(beside):
            return NOTHING
        mood, told = read_face(frame.pixels, reading.grid), self._known_end(signs, possible)
        seen = Circumstances(face=mood, told=told, sign=not self._timer_runs(reading.board, numbers))
        if verdict_on(reading.board, seen, ledger).state.over:
            self._last = None
        else:
            self._new = signs
        return seen

    def _new_signs(
        self, frame: Frame, reading: Reading, usual: Surroundings, now: Surroundings, numbers: list[Number]
    ) -> list[Sign]:
        """Return what was not seen while games went on, except ``numbers`` and things below the pointer."""
        x, y = -reading.grid.rect.x, -reading.grid.rect.y
        signs = [*usual.signs(now, [number.box.moved(x, y) for number in numbers])]
        if self._pointer is None:
            return signs
        below = hidden_by_pointer(frame, self._pointer()).moved(x, y)
        return [sign for sign in signs if sign.box.intersection(below).empty]

    def _timer_runs(self, board: Board, numbers: list[Number]) -> bool:
        """Return whether a number beside this same board has changed since signs were first seen there."""
        if self._numbers is None or self._numbers[0] != board:
            self._runs = False
        else:
            pairs = product(numbers, self._numbers[1])
            self._runs |= any(
                now.value != old.value and not now.box.intersection(old.box).empty for now, old in pairs
            )
        self._numbers = board, numbers
        return self._runs

    def _go_on(self, beside: Surroundings, board: Board) -> None:
        """Record a look at a game that may be over; learn from the last one if the game went on after it."""
        if self._last is not None:
            seen, before = self._last
            if seen.places == beside.places and _went_on(before, board):
                self._usual = seen if self._usual is None else self._usual.joined(seen)
        self._last = beside, board

    def _learn(self, state: GameState, seen: list[Sign]) -> None:
        """Keep the known signs of the end ``state`` whose places ``seen`` shares; if none, all ``seen``."""
        known = [sign for sign in self._known[state] if any(sign.overlaps(other) for other in seen)]
        self._known[state] = known or seen

    def _known_end(self, signs: list[Sign], possible: frozenset[GameState]) -> GameState | None:
        """Return the end that known signs show; None unless they show exactly one of the possible ends."""
        pairs = [(state, known) for state in possible for known in self._known.get(state, [])]
        told = {state for state, known in pairs if any(known.same(sign) for sign in signs)}
        if len(told) != 1:
            return None
        (state,) = told
        self._learn(state, signs)
        return state


def _went_on(before: Board, now: Board) -> bool:
    """Return whether ``now`` is a later position of the same game: more is open, and nothing was closed."""
    if before.shape != now.shape:
        return False
    opened, opened_now = before.states <= 8, now.states <= 8
    return bool(opened_now[opened].all()) and int(opened_now.sum()) > int(opened.sum())
