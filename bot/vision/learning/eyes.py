"""Eyes for a game whose art no skin describes: they read it, and learn it while it is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np

from bot.board import Board, Cell, State
from bot.geometry import Grid, Pixels
from bot.vision.learning.changes import changes, restarted
from bot.vision.learning.confirm import Seen, checked
from bot.vision.learning.knowledge import NOTHING, Bools, Cut, Floats, Ints, Knowledge, add_look, distances
from bot.vision.learning.skins import skin_of
from bot.vision.panel import game_state, total_mines
from bot.vision.reading import Doubt, Panel, Reading
from bot.vision.skin import Skin
from bot.vision.unknown.read import UNKNOWN, FirstSight, read_unknown

FirstReader = Callable[[Pixels, Grid, int | None], FirstSight | None]

_STILL = 0.5  # grey levels by which a cell may change from look to look and still be the same
_NOISE = 3.0  # times what cells usually change: pictures that come over a network do
_REFUSALS = 2  # clicks that opened nothing: one may have been lost
_KNOWN = 0.6  # of all cells must look like something trusted where a first sight understands nothing
_ENOUGH = frozenset({0, 1, 2, 3, int(State.COVERED)})  # what most of a game is made of


@dataclass(frozen=True, slots=True)
class Actions:
    """What was done between two looks: the cells clicked with the left and with the right button.

    None stands for anywhere: somebody else plays.
    """

    clicked: Collection[Cell] | None = ()
    flagged: Collection[Cell] | None = ()


class Eyes:
    """Reads one board, again and again, and learns how its cells look.

    Cells that look like something trusted are read by that alone, which is quick; if there are others, the
    board is read as at first sight, and what is trusted is kept. ``knowledge`` is what is known so far, None
    at first; ``mines`` is the total, None if only the counter tells it. ``provisional`` are the cells of the
    last reading whose state no rule has confirmed yet: a careful player proves nothing from them.
    """

    def __init__(
        self,
        knowledge: Knowledge | None = None,
        mines: int | None = None,
        first_sight: FirstReader = read_unknown,
    ) -> None:
        self.knowledge, self.mines = knowledge, mines
        self.provisional: frozenset[Cell] = frozenset()
        self._first_sight = first_sight
        self._last: Ints | None = None
        self._seen: Floats | None = None
        self._refusals: Counter[int] = Counter()

    def read(
        self, pixels: Pixels, grid: Grid, done: Actions = Actions(), mines_left: int | None = None
    ) -> Reading | None:
        """Return what a BGR picture shows on ``grid``; None if that cannot be understood.

        ``done`` is what was done since the last look, ``mines_left`` is what the mine counter shows, if that
        was read.
        """
        knowledge = self.knowledge or Knowledge.for_grid(grid)
        cut = Cut.of(pixels, grid, knowledge.cell)
        index = _trusted(knowledge, cut)
        index[self._suspect(knowledge, cut, index)] = NOTHING
        sight = None if (index != NOTHING).all() else self._first_sight(pixels, grid, mines_left)
        if sight is None and (index != NOTHING).mean() < _KNOWN:
            return None
        if sight is not None:
            if sight.reading.grid != grid:  # a row or a column more or less
                grid = sight.reading.grid
                cut = Cut.of(pixels, grid, knowledge.cell)
                index = _trusted(knowledge, cut)
            knowledge, index = _with_sight(knowledge, cut, index, sight)
        index = index.reshape(grid.rows, grid.cols)
        self.knowledge = self._learned(knowledge, index, self._moved(cut), done, mines_left)
        self._last, self._seen = index, cut.features
        return self._reading(cut, index, sight, grid, mines_left)

    def new_game(self) -> None:
        """Take note that the game is over: the next look shows another one."""
        self._last = self._seen = None
        self._refusals.clear()
        if self.knowledge is not None:
            self.knowledge = self.knowledge.settled()

    def skin(self, name: str) -> Skin | None:
        """Return what is trusted as a skin; None as long as that is too little to be one."""
        return None if self.knowledge is None else skin_of(self.knowledge, name)

    def knows(self, pixels: Pixels, grid: Grid) -> bool:
        """Return whether most cells on ``grid`` of a BGR picture look like something trusted."""
        if self.knowledge is None:
            return False
        index = _trusted(self.knowledge, Cut.of(pixels, grid, self.knowledge.cell))
        return bool((index != NOTHING).mean() >= _KNOWN)

    @property
    def trusted(self) -> frozenset[int]:
        """The states that are trusted so far."""
        return frozenset() if self.knowledge is None else self.knowledge.trusted

    @property
    def enough(self) -> bool:
        """Whether what is trusted reads most of a game: covered, blank, 1, 2 and 3."""
        return self.trusted >= _ENOUGH

    def _moved(self, cut: Cut) -> Bools:
        """Return which cells look different than at the last look; none if there was none, bool (n,)."""
        if self._seen is None or self._seen.shape != cut.features.shape:
            return np.zeros(len(cut.features), np.bool_)
        moved = np.sqrt(((cut.features - self._seen) ** 2).mean(1))
        return np.asarray(moved > max(_STILL, _NOISE * float(np.median(moved))), dtype=np.bool_)

    def _suspect(self, knowledge: Knowledge, cut: Cut, index: Ints) -> Bools:
        """Return which cells may only look like something trusted, bool (n,).

        They have changed and seem to show the same, or could not be read before.
        """
        if self._last is None or self._last.size != len(index):
            return np.zeros(len(index), np.bool_)
        before, after = knowledge.states[self._last.reshape(-1)], knowledge.states[index]
        return np.asarray((self._moved(cut) & (before == after)) | (before == State.UNREADABLE))

    def _learned(
        self, knowledge: Knowledge, index: Ints, moved: Bools, done: Actions, mines_left: int | None
    ) -> Knowledge:
        """Return what is known after the last look, ``index``, was compared with the one before it."""
        before, opened, flagged = self._last, frozenset[int](), frozenset[int]()
        if before is not None and restarted(knowledge, before, index):
            self.knowledge = knowledge
            self.new_game()
            knowledge, before = knowledge.settled(), None
        if before is not None:
            found = changes(knowledge, before, index, moved.reshape(index.shape), done.clicked, done.flagged)
            wrong = found.wrong | self._refused(knowledge, found.deaf, found.opened)
            knowledge = knowledge.withdrawn(wrong) if wrong else knowledge
            opened, flagged = found.opened, found.flagged
        states = knowledge.states[index]
        total = self.mines or total_mines(states, mines_left)
        counted = self.mines is not None and total_mines(states, mines_left) == self.mines
        return checked(knowledge, Seen(index, total, counted, opened, flagged))

    def _refused(self, knowledge: Knowledge, deaf: frozenset[int], opened: frozenset[int]) -> set[int]:
        """Return the variants that were thought covered and never open; some clicks may be lost."""
        for index in opened:
            self._refusals[index] = 0
        self._refusals.update(deaf - opened)
        return {
            index
            for index in deaf - opened
            if self._refusals[index] >= _REFUSALS and not knowledge.variants[index].trusted
        }

    def _reading(
        self, cut: Cut, index: Ints, sight: FirstSight | None, grid: Grid, mines_left: int | None
    ) -> Reading:
        assert self.knowledge is not None
        states = self.knowledge.states[index]
        board = Board(states, self.mines or total_mines(states, mines_left))
        trusted = _cells(self._trusts(index))
        unread = board.cells(State.UNREADABLE)
        self.provisional = frozenset(board) - trusted - frozenset(unread)
        confidence = _confidence(self.knowledge, cut, index, sight)
        doubts = {cell: _doubt(cell, index, sight) for cell in unread}
        return Reading(grid, board, Panel(mines_left), game_state(board), UNKNOWN, 1.0, confidence, doubts)

    def _trusts(self, index: Ints) -> Bools:
        assert self.knowledge is not None
        trusts = np.array([*(variant.trusted for variant in self.knowledge.variants), False])
        return np.asarray(trusts[index], dtype=np.bool_)


def _trusted(knowledge: Knowledge, cut: Cut) -> Ints:
    """Return the variant of each cell that looks like a trusted one, int32 (n,)."""
    index = np.where(cut.visible, knowledge.matched(cut.features), NOTHING)
    trusts = np.array([*(variant.trusted for variant in knowledge.variants), False])
    return np.where(trusts[index], index, NOTHING).astype(np.int32)


def _with_sight(knowledge: Knowledge, cut: Cut, index: Ints, sight: FirstSight) -> tuple[Knowledge, Ints]:
    """Return what is known after a first sight, and the variant of each cell: trusted ones stay."""
    seen = sight.reading.board.states.reshape(-1)
    states = np.where(index != NOTHING, knowledge.states[index], seen).astype(np.int8)
    knowledge, found = add_look(knowledge, cut, sight.clusters.reshape(-1), states)
    return knowledge, np.where(index != NOTHING, index, found).astype(np.int32)


def _cells(chosen: Bools) -> frozenset[Cell]:
    return frozenset(Cell(int(row), int(col)) for row, col in np.argwhere(chosen))


def _confidence(knowledge: Knowledge, cut: Cut, index: Ints, sight: FirstSight | None) -> Floats:
    """Return how sure each cell is, 0 to 1: by how near it is to its variant, or at first sight."""
    flat = index.reshape(-1)
    sure = np.zeros(len(flat), np.float32)
    known = flat != NOTHING
    if known.any():
        apart = distances(cut.features[known], knowledge.features)[np.arange(known.sum()), flat[known]]
        reach = knowledge.reaches[flat[known]]
        sure[known] = (1 - 0.5 * apart / np.maximum(reach, 1e-3)).clip(0, 1)
    confidence: Floats = sure.reshape(index.shape)
    if sight is not None:
        confidence = np.minimum(confidence, sight.reading.confidence)
    return np.where(knowledge.states[index] == State.UNREADABLE, 0, confidence).astype(np.float32)


def _doubt(cell: Cell, index: Ints, sight: FirstSight | None) -> Doubt:
    if index[cell] != NOTHING:  # what it was thought to be was withdrawn
        return Doubt.AMBIGUOUS
    seen = None if sight is None else sight.reading.doubts.get(cell)
    return seen or Doubt.STRANGE
