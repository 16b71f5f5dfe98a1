"""Learning art that no skin knows wholly, and reading it, from what play does to a board."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from bot.board import Board, Cell, State, States, cells_where
from bot.geometry import Grid, Pixels
from bot.vision.board_reader import UNKNOWN, FirstSight, read_unknown
from bot.vision.clusters import find_clusters
from bot.vision.learning.confirmation import (
    ANYWHERE,
    NO_CHANGES,
    NOTHING_DONE,
    Actions,
    Past,
    Seen,
    changes,
    checked,
)
from bot.vision.learning.looks import (
    NOTHING,
    Bools,
    Cut,
    Floats,
    Ints,
    LearnedLooks,
    add_look,
    looks_of,
    skin_of,
)
from bot.vision.reading import Doubt, GameState, Reading, game_state, total_mines
from bot.vision.skin import STATES, Skin

FirstReader = Callable[[Pixels, Grid, int | None], FirstSight | None]

_OFTEN = 3  # looks that read a variant as the same: one more would hardly read it as something else
_REFUSALS = 2  # clicks that opened nothing: one may have been lost
_KNOWN = 0.6  # of all cells must look like something trusted where a first sight understands nothing
_ENOUGH = frozenset({0, 1, 2, 3, int(State.COVERED)})  # what most of a game is made of
_HIDDEN = frozenset({Doubt.COVERED, Doubt.POINTER, Doubt.OUTSIDE})


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """One look: the cells, their variants and what they were read as, int32 and int8 (rows, cols).

    If it was read at first sight, there are the clusters of the cells, and why some could not be read.
    """

    grid: Grid
    cut: Cut
    index: Ints
    states: States
    clusters: Ints | None = None
    doubts: Mapping[Cell, Doubt] = field(default_factory=dict)

    @property
    def features(self) -> Floats:
        return self.cut.features.reshape(*self.index.shape, -1)


class SkinLearner:
    """Reads one board, again and again, and learns how its cells look.

    Cells that look like something trusted, or like what was read the same way in several looks, are read by
    that alone, which is quick; if there are others, the board is read as at first sight, and what is trusted
    is kept. ``knowledge`` is what is known so far; ``mines`` is the total, None if only the
    counter tells it. ``provisional`` are the cells of the last reading whose state no rule has confirmed yet:
    a careful player proves nothing from them.
    """

    def __init__(
        self,
        knowledge: LearnedLooks | None = None,
        mines: int | None = None,
        first_sight: FirstReader = read_unknown,
    ) -> None:
        self.knowledge, self.mines = knowledge or LearnedLooks(), mines
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
        knowledge = self.knowledge if self.knowledge.variants else LearnedLooks.for_grid(grid)
        look = self._look(pixels, grid, knowledge, mines_left)
        if look is None:
            return None
        if self._past is not None and self._past.restarted(knowledge, look.states):
            self.new_game()
            knowledge = knowledge.settled()
        past = None if self._past is None else self._past.after(knowledge, look.features, done)
        knowledge, index = _with_look(knowledge, look, past)
        found = NO_CHANGES if past is None else changes(knowledge, past, index, look.features, done)
        if wrong := found.wrong | self._refused(knowledge, found.deaf, found.opened):
            knowledge = knowledge.withdrawn(wrong)
        total = total_mines(knowledge.states[index], mines_left)
        counted = self.mines is not None and total == self.mines
        self.knowledge = knowledge = checked(knowledge, Seen(index, self.mines or total, counted, found))
        none = np.zeros(index.shape, np.bool_)
        past = past or Past(index, look.features, none, none)
        self._past = replace(past, index=index, features=look.features)
        states = knowledge.states[index]
        self.provisional = frozenset(cells_where(~_trusts(knowledge)[index] & (states != State.UNREADABLE)))
        board = Board(states, self.mines or total_mines(states, mines_left))
        doubts = {  # what some were thought to be was withdrawn
            cell: look.doubts.get(cell, Doubt.STRANGE) if index[cell] == NOTHING else Doubt.AMBIGUOUS
            for cell in board.cells(State.UNREADABLE)
        }
        return Reading(look.grid, board, game_state(board), UNKNOWN, mines_left, doubts)

    def doubt(self) -> None:
        """Take note that the last reading cannot be right: what is not trusted is to be read again."""
        self.knowledge = self.knowledge.unread()

    def new_game(self) -> None:
        """Take note that the game is over: the next look shows another one."""
        self._past = None
        self._refusals.clear()
        self.knowledge = self.knowledge.settled()

    def knows(self, pixels: Pixels, grid: Grid) -> bool:
        """Return whether most cells on ``grid`` of a BGR picture look like something trusted."""
        index = _alike(Cut.of(pixels, grid, self.knowledge.cell), self.knowledge, _trusts(self.knowledge))
        return bool((index != NOTHING).mean() >= _KNOWN)

    @property
    def enough(self) -> bool:
        """Whether what is trusted reads most of a game: covered, blank, 1, 2 and 3."""
        return self.knowledge.trusted >= _ENOUGH

    def _look(
        self, pixels: Pixels, grid: Grid, knowledge: LearnedLooks, mines_left: int | None
    ) -> _Look | None:
        """Return what is seen on ``grid``; None if that cannot be understood."""
        cut, past = Cut.of(pixels, grid, knowledge.cell), self._past
        # Trusted variants need not be read again, nor those that were read as the same often enough.
        often = (
            variant.state != State.UNREADABLE and variant.looks >= _OFTEN for variant in knowledge.variants
        )
        familiar = _trusts(knowledge) | np.array([*often, False], np.bool_)
        index = _alike(cut, knowledge, familiar).reshape(grid.rows, grid.cols)
        if past is not None and past.index.shape == index.shape:
            index[past.suspect(knowledge, index, cut.features.reshape(*index.shape, -1))] = NOTHING
        if (index != NOTHING).all():
            return _Look(grid, cut, index, knowledge.states[index])
        index[~_trusts(knowledge)[index]] = NOTHING
        sight = self._first_sight(pixels, grid, mines_left)
        if sight is not None and sight.reading.grid != grid:  # a row or a column more or less
            if knowledge.variants:
                sight = None  # but no board that was read before grows or shrinks: something lies over it
            else:
                grid = sight.reading.grid
                cut = Cut.of(pixels, grid, knowledge.cell)
                index = _alike(cut, knowledge, _trusts(knowledge)).reshape(grid.rows, grid.cols)
        if sight is None:
            known = (index != NOTHING).mean() >= _KNOWN
            clusters = find_clusters(pixels, grid)  # the rules may tell cells that cannot be read
            return _Look(grid, cut, index, knowledge.states[index], clusters) if known else None
        states = np.where(index != NOTHING, knowledge.states[index], sight.reading.board.states)
        return _Look(grid, cut, index, states.astype(np.int8), sight.clusters, sight.reading.doubts)

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


def _trusts(knowledge: LearnedLooks) -> Bools:
    """Return which variants are trusted; `NOTHING` is not."""
    return np.array([*(variant.trusted for variant in knowledge.variants), False], np.bool_)


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


class LearningReader:
    """Reads one board by `SkinLearner`, and tells them what was done to it between two looks.

    ``skin`` is what is known of its art, None if nothing; ``mines`` is the total, None if the user gives
    none. Until `did` is called, anybody may have clicked anywhere.
    """

    def __init__(self, skin: Skin | None, mines: int | None) -> None:
        self.skin, self._given = skin, mines
        self.skin_learner = SkinLearner(
            looks_of(skin) if skin else None, mines, functools.partial(read_unknown, found=True)
        )
        self._counter_right = None if skin is None else skin.counter_right
        self.unsure: frozenset[Cell] = frozenset()  # of the last reading: no rule has confirmed them yet
        self._clicked: frozenset[Cell] | None = None
        self._flagged: frozenset[Cell] = frozenset()
        self._before: Pixels | None = None
        self._reading: Reading | None = None

    def did(self, clicked: Collection[Cell], flagged: Collection[Cell]) -> None:
        """Take note of the cells that were clicked with the left and the right button for the next looks."""
        self._clicked, self._flagged = frozenset(clicked), frozenset(flagged)

    def forgetful(self) -> LearningReader:
        """Return one that has learned nothing, since its cells were cut wrongly, but knows what was done."""
        new = LearningReader(self.skin, self._given)
        new.learn_counter(self.skin_learner.mines, self._counter_right)
        new._clicked, new._flagged = self._clicked, self._flagged
        return new

    def learn_counter(self, mines: int | None, counter_right: bool | None = None) -> None:
        """Take note of the total of mines of this game and the side of its counter, if they are known."""
        self.skin_learner.mines = mines or self.skin_learner.mines
        self._counter_right = self._counter_right if counter_right is None else counter_right

    def new_game(self) -> None:
        """Take note that the game is over."""
        self.skin_learner.new_game()
        self.skin_learner.mines = self._given
        self._clicked, self._before, self._reading = None, None, None

    def read(self, pixels: Pixels, grid: Grid, mines_left: int | None = None) -> Reading:
        """Return what a BGR picture shows on ``grid``; where it cannot be understood, nothing is readable.

        A picture that was read before is not read again.
        """
        shown = grid.rect.cut(pixels)
        if self._reading is not None and self._before is not None and np.array_equal(shown, self._before):
            return replace(self._reading, grid=grid)
        learned = self.skin_learner.read(pixels, grid, self._done(shown, grid), mines_left)
        reading = learned or nothing_read(grid)
        self.unsure = self.skin_learner.provisional
        self._before, self._reading = (shown.copy(), reading) if reading.grid == grid else (None, None)
        return reading

    def doubt(self) -> None:
        """Take note that the last reading cannot be right, even if the picture stays as it is."""
        self.skin_learner.doubt()
        self._reading = None

    def unanswered(self, pixels: Pixels, grid: Grid, cells: Collection[Cell]) -> None:
        """Take note that cells were clicked with the left button, and that nothing happened."""
        self.skin_learner.read(pixels, grid, Actions(cells))
        self._reading = None

    def filled(self, reading: Reading, pixels: Pixels) -> Reading:
        """Return what the skin has read, with the cells that it does not know as they were learned.

        What the pointer may hide is told only if it looks like something trusted. The first look at a game is
        always read: what looks different later cannot be covered.
        """
        strange = [cell for cell in reading.unreadable if reading.doubts.get(cell) not in _HIDDEN]
        self.unsure = frozenset()
        if not strange and self._before is not None:
            return reading
        learned = self.read(pixels, reading.grid, reading.mines_left)
        self.unsure = self.skin_learner.provisional & frozenset(strange)
        if learned.grid != reading.grid:
            return reading
        near = {cell for cell in reading.unreadable if reading.doubts.get(cell) is Doubt.POINTER}
        told = (*strange, *(near - self.skin_learner.provisional))
        new = {cell: learned.board[cell] for cell in told if learned.board[cell] != State.UNREADABLE}
        doubts = {cell: doubt for cell, doubt in reading.doubts.items() if cell not in new}
        board = reading.board.replace(new)
        return replace(reading, board=board, state=game_state(board), doubts=doubts)

    def learned(self, name: str) -> Skin | None:
        """Return what is certain as a skin called ``name``; None if that is too little, or nothing new.

        A skin that knows every state stays as it is: more looks would only blur what tells states apart.
        """
        skin, old = skin_of(self.skin_learner.knowledge, name), self.skin
        if skin is None:
            return None
        skin = replace(skin, counter_right=self._counter_right)
        if old is None:
            return skin
        if len(skin.states) <= len(old.states) or set(old.shown) >= set(STATES):
            return None
        return replace(skin, counter=old.counter, ground=old.ground, background=old.background)

    def _done(self, shown: Pixels, grid: Grid) -> Actions:
        """Return what was done to the cells that have changed: others may only not have answered yet."""
        if self._clicked is None:
            return ANYWHERE
        if self._before is None or self._before.shape != shown.shape:
            return Actions(self._clicked, self._flagged)
        inside = replace(grid, x=grid.x - max(0, grid.rect.x), y=grid.y - max(0, grid.rect.y))
        rects = {cell: inside.cell_rect(cell) for cell in self._clicked}
        before = self._before
        clicked = [c for c, at in rects.items() if not np.array_equal(at.cut(before), at.cut(shown))]
        return Actions(clicked, self._flagged)


def partial(skin: Skin) -> bool:
    """Return whether a skin lacks states, or some looks of states that have several."""
    return len(skin.states) > len(skin.shown) or bool(set(STATES) - set(skin.shown))


def nothing_read(grid: Grid) -> Reading:
    """Return a reading of which no cell can be read."""
    board = Board(np.full((grid.rows, grid.cols), State.UNREADABLE, np.int8))
    doubts = dict.fromkeys(board, Doubt.STRANGE)
    return Reading(grid, board, GameState.RUNNING, UNKNOWN, doubts=doubts)
