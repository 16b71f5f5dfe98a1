"""Learn art that no skin describes, and read it, while a game is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from bot.board import Board, Cell, State, States, cells_where
from bot.geometry import Grid, Pixels
from bot.vision.learning.confirm import Seen, checked
from bot.vision.learning.looks import NOTHING, Bools, Cut, Floats, Ints, LearnedLooks, add_look
from bot.vision.learning.past import NO_CHANGES, NOTHING_DONE, Actions, Past, changes
from bot.vision.learning.skins import skin_of
from bot.vision.reading import Doubt, Panel, Reading, game_state, total_mines
from bot.vision.skin import Skin
from bot.vision.unknown.clusters import find_clusters
from bot.vision.unknown.read import UNKNOWN, FirstSight, read_unknown

FirstReader = Callable[[Pixels, Grid, int | None], FirstSight | None]

_OFTEN = 3  # looks that read a variant as the same: one more would hardly read it as something else
_REFUSALS = 2  # clicks that opened nothing: one may have been lost
_KNOWN = 0.6  # of all cells must look like something trusted where a first sight understands nothing
_LEAST_REACH = 0.1  # grey levels, where two states look nearly alike
_ENOUGH = frozenset({0, 1, 2, 3, int(State.COVERED)})  # what most of a game is made of


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """One look: the cells, their variants and what they were read as, int32 and int8 (rows, cols)."""

    grid: Grid
    cut: Cut
    index: Ints
    states: States
    sight: FirstSight | None
    clusters: Ints | None = None

    @property
    def features(self) -> Floats:
        return self.cut.features.reshape(*self.index.shape, -1)


class SkinLearner:
    """Reads one board, again and again, and learns how its cells look.

    Cells that look like something trusted, or like what was read the same way in several looks, are read by
    that alone, which is quick; if there are others, the board is read as at first sight, and what is trusted
    is kept. ``knowledge`` is what is known so far, None at first; ``mines`` is the total, None if only the
    counter tells it. ``provisional`` are the cells of the last reading whose state no rule has confirmed yet:
    a careful player proves nothing from them.
    """

    def __init__(
        self,
        knowledge: LearnedLooks | None = None,
        mines: int | None = None,
        first_sight: FirstReader = read_unknown,
    ) -> None:
        self.knowledge, self.mines = knowledge, mines
        self.provisional: frozenset[Cell] = frozenset()
        self._first_sight = first_sight
        self._past: Past | None = None
        self._refusals: Counter[int] = Counter()

    def read(
        self, pixels: Pixels, grid: Grid, done: Actions = NOTHING_DONE, mines_left: int | None = None
    ) -> Reading | None:
        """Return what a BGR picture shows on ``grid``; None if that cannot be understood.

        ``done`` is what was done since the last look, ``mines_left`` is what the mine counter shows, if that
        was read.
        """
        knowledge = self.knowledge or LearnedLooks.for_grid(grid)
        look = self._look(pixels, grid, knowledge, mines_left)
        if look is None:
            return None
        if self._past is not None and self._past.restarted(knowledge, look.states):
            self.knowledge = knowledge
            self.new_game()
            knowledge = knowledge.settled()
        past = None if self._past is None else self._past.after(knowledge, look.features, done)
        knowledge, index = _with_look(knowledge, look, past)
        knowledge = self._judged(knowledge, index, look, past, done, mines_left)
        self.knowledge = knowledge
        first = Past.first(index, look.features)
        self._past = first if past is None else replace(past, index=index, features=look.features)
        return self._reading(knowledge, index, look, mines_left)

    def doubt(self) -> None:
        """Take note that the last reading cannot be right: what is not trusted is to be read again."""
        if self.knowledge is not None:
            self.knowledge = self.knowledge.unread()

    def new_game(self) -> None:
        """Take note that the game is over: the next look shows another one."""
        self._past = None
        self._refusals.clear()
        if self.knowledge is not None:
            self.knowledge = self.knowledge.settled()

    def skin(self, name: str) -> Skin | None:
        """Return what is trusted as a skin; None as long as that is too little to be one."""
        return None if self.knowledge is None else skin_of(self.knowledge, name)

    def careful(self, reading: Reading) -> Board:
        """Return the last reading's board without its provisional numbers: they prove nothing."""
        unsure = [cell for cell in self.provisional if reading.board[cell] <= 8]
        return reading.board.replace(dict.fromkeys(unsure, State.UNREADABLE))

    def knows(self, pixels: Pixels, grid: Grid) -> bool:
        """Return whether most cells on ``grid`` of a BGR picture look like something trusted."""
        if self.knowledge is None:
            return False
        index = _alike(Cut.of(pixels, grid, self.knowledge.cell), self.knowledge, _trusts(self.knowledge))
        return bool((index != NOTHING).mean() >= _KNOWN)

    @property
    def trusted(self) -> frozenset[int]:
        """The states that are trusted so far."""
        return frozenset() if self.knowledge is None else self.knowledge.trusted

    @property
    def enough(self) -> bool:
        """Whether what is trusted reads most of a game: covered, blank, 1, 2 and 3."""
        return self.trusted >= _ENOUGH

    def _look(
        self, pixels: Pixels, grid: Grid, knowledge: LearnedLooks, mines_left: int | None
    ) -> _Look | None:
        """Return what is seen on ``grid``; None if that cannot be understood."""
        cut, past = Cut.of(pixels, grid, knowledge.cell), self._past
        index = _alike(cut, knowledge, _familiar(knowledge)).reshape(grid.rows, grid.cols)
        if past is not None and past.index.shape == index.shape:
            index[past.suspect(knowledge, index, cut.features.reshape(*index.shape, -1))] = NOTHING
        if (index != NOTHING).all():
            return _Look(grid, cut, index, knowledge.states[index], None)
        index[~_trusts(knowledge)[index]] = NOTHING
        sight = self._first_sight(pixels, grid, mines_left)
        if sight is not None and sight.reading.grid != grid:  # a row or a column more or less
            if self.knowledge is not None:
                sight = None  # but no board that was read before grows or shrinks: something lies over it
            else:
                grid = sight.reading.grid
                cut = Cut.of(pixels, grid, knowledge.cell)
                index = _alike(cut, knowledge, _trusts(knowledge)).reshape(grid.rows, grid.cols)
        if sight is None:
            known = (index != NOTHING).mean() >= _KNOWN
            clusters = find_clusters(pixels, grid)  # the rules may tell cells that cannot be read
            return _Look(grid, cut, index, knowledge.states[index], None, clusters) if known else None
        states = np.where(index != NOTHING, knowledge.states[index], sight.reading.board.states)
        return _Look(grid, cut, index, states.astype(np.int8), sight, sight.clusters)

    def _judged(
        self,
        knowledge: LearnedLooks,
        index: Ints,
        look: _Look,
        past: Past | None,
        done: Actions,
        mines_left: int | None,
    ) -> LearnedLooks:
        """Return what is known after the rules, and what has changed since the last look, had their say."""
        found = NO_CHANGES if past is None else changes(knowledge, past, index, look.features, done)
        if wrong := found.wrong | self._refused(knowledge, found.deaf, found.opened):
            knowledge = knowledge.withdrawn(wrong)
        total = total_mines(knowledge.states[index], mines_left)
        counted = self.mines is not None and total == self.mines
        return checked(knowledge, Seen(index, self.mines or total, counted, found))

    def _refused(self, knowledge: LearnedLooks, deaf: frozenset[int], opened: frozenset[int]) -> set[int]:
        """Return the variants that were thought covered and never open; some clicks may be lost."""
        for index in opened:
            self._refusals[index] = 0
        self._refusals.update(deaf - opened)
        return {
            index
            for index in deaf - opened
            if self._refusals[index] >= _REFUSALS and not knowledge.variants[index].trusted
        }

    def _reading(self, knowledge: LearnedLooks, index: Ints, look: _Look, mines_left: int | None) -> Reading:
        states = knowledge.states[index]
        board = Board(states, self.mines or total_mines(states, mines_left))
        unread = board.cells(State.UNREADABLE)
        self.provisional = frozenset(cells_where(~_trusts(knowledge)[index] & (states != State.UNREADABLE)))
        confidence = _confidence(knowledge, index, look)
        doubts = {cell: _doubt(cell, index, look.sight) for cell in unread}
        state = game_state(board)
        return Reading(look.grid, board, Panel(mines_left), state, UNKNOWN, 1.0, confidence, doubts)


def _trusts(knowledge: LearnedLooks) -> Bools:
    """Return which variants are trusted; `NOTHING` is not."""
    return np.array([*(variant.trusted for variant in knowledge.variants), False], np.bool_)


def _familiar(knowledge: LearnedLooks) -> Bools:
    """Return which variants need not be read again: trusted ones, and those that were read often enough."""
    often = (variant.state != State.UNREADABLE and variant.looks >= _OFTEN for variant in knowledge.variants)
    return _trusts(knowledge) | np.array([*often, False], np.bool_)


def _alike(cut: Cut, knowledge: LearnedLooks, chosen: Bools) -> Ints:
    """Return the variant of each cell that looks like one of the ``chosen``, int32 (n,)."""
    index = np.where(cut.visible, knowledge.matched(cut.features), NOTHING)
    return np.where(chosen[index], index, NOTHING).astype(np.int32)


def _with_look(knowledge: LearnedLooks, look: _Look, past: Past | None) -> tuple[LearnedLooks, Ints]:
    """Return what is known after a look, and the variant of each cell: trusted ones stay."""
    if look.clusters is None:
        return knowledge, look.index
    known = look.index != NOTHING
    states = look.states if past is None else np.where(known, look.states, past.allowed(look.states))
    knowledge, found = add_look(knowledge, look.cut, look.clusters.reshape(-1), states.reshape(-1))
    return knowledge, np.where(known, look.index, found.reshape(known.shape)).astype(np.int32)


def _confidence(knowledge: LearnedLooks, index: Ints, look: _Look) -> Floats:
    """Return how sure each cell is, 0 to 1: by how near it is to its variant, or at first sight."""
    confidence = np.zeros(index.shape, np.float32)
    known = index != NOTHING
    if known.any():
        apart = np.sqrt(((look.features[known] - knowledge.features[index[known]]) ** 2).mean(1))
        reach = np.maximum(knowledge.reaches[index[known]], _LEAST_REACH)
        confidence[known] = (1 - 0.5 * apart / reach).clip(0, 1)
    if look.sight is not None:
        confidence = np.where(look.index == NOTHING, look.sight.reading.confidence, confidence)
    return np.where(knowledge.states[index] == State.UNREADABLE, 0, confidence).astype(np.float32)


def _doubt(cell: Cell, index: Ints, sight: FirstSight | None) -> Doubt:
    if index[cell] != NOTHING:  # what it was thought to be was withdrawn
        return Doubt.AMBIGUOUS
    seen = None if sight is None else sight.reading.doubts.get(cell)
    return seen or Doubt.STRANGE
