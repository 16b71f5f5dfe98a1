"""Learn the art of a game that no skin knows completely: during play, or from pictures in a `Lesson`."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from bot.board import Board, Cell, State, States, cells_where
from bot.errors import GameNotFoundError, SkinError, UsageError
from bot.geometry import Grid, Pixels
from bot.vision.board_reader import UNKNOWN, FirstSight, read_picture, read_unknown
from bot.vision.clusters import find_clusters
from bot.vision.distortion import Bools, Floats, Ints
from bot.vision.learning.confirmation import (
    ANYWHERE,
    NO_CHANGES,
    NOTHING_DONE,
    Actions,
    Past,
    Seen,
    changes_since,
    with_checked_states,
)
from bot.vision.learning.looks import NOTHING, Cut, LearnedLooks, add_look, looks_of, skin_of
from bot.vision.reading import Doubt, Reading, total_mines, with_total
from bot.vision.skin import STATES, Skin, load_skin, save_skin

FirstReader = Callable[[Pixels, Grid, int | None], FirstSight | None]

_READ_FOUND: FirstReader = functools.partial(read_unknown, found=True)
_OFTEN = 3  # looks that read a variant as the same state: one more would hardly give another state
_REFUSALS = 2  # clicks that opened nothing: a single one may have been lost
_KNOWN = 0.6  # of all cells must match trusted variants if reading at first sight fails
_ENOUGH = frozenset({0, 1, 2, 3, int(State.COVERED)})  # the states of most cells in a game
_HIDDEN = frozenset({Doubt.HIDDEN, Doubt.POINTER, Doubt.OUTSIDE})
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_DEVICES = re.compile(r"(?i:con|prn|aux|nul|(com|lpt)[0-9])")  # Windows allows no folder with these names
_TAKEN = "choose another name, or use --force to replace it"


@dataclass(frozen=True, slots=True, eq=False)
class _BoardLook:
    """One look at a board: its cells, their variants (int32) and their states (int8), both (rows, cols).

    If it was read at first sight, ``clusters`` groups like cells, and ``doubts`` has reasons for unread ones.
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
    """A reader of one board that learns the appearance of its cells from every look.

    Cells that match a trusted variant, or one that several looks read as the same state, are read by that
    match alone, which is fast. If there are any others, the board is read at first sight, and only trusted
    states are kept. ``skin`` is the known part of the art, None if there is none. ``mines`` is the total,
    None if the user gives none. Until `record_clicks` is called, any cell may have been clicked.

    ``knowledge`` holds everything learned so far. ``provisional`` are the cells of the last look whose state
    is not confirmed yet. ``unsure`` are those of them in the last reading: they must not support a proof.
    """

    def __init__(
        self,
        skin: Skin | None = None,
        mines: int | None = None,
        first_sight: FirstReader = _READ_FOUND,
    ) -> None:
        self.skin, self.mines = skin, mines
        self.knowledge = LearnedLooks() if skin is None else looks_of(skin)
        self.provisional: frozenset[Cell] = frozenset()
        self.unsure: frozenset[Cell] = frozenset()
        self._counter_right = None if skin is None else skin.counter_right
        self._given, self._first_sight = mines, first_sight
        self._past: Past | None = None
        self._refusals: Counter[int] = Counter()
        self._clicked: frozenset[Cell] | None = None
        self._flagged: frozenset[Cell] = frozenset()
        self._first: Pixels | None = None  # the first picture of this game
        self._before: Pixels | None = None
        self._reading: Reading | None = None

    def record_clicks(self, clicked: Collection[Cell], flagged: Collection[Cell]) -> None:
        """Record which cells were clicked with the left and the right button, for the next looks."""
        self._clicked, self._flagged = frozenset(clicked), frozenset(flagged)

    def restarted(self, grid: Grid) -> SkinLearner:
        """Return a new learner for a corrected ``grid``: it has seen only the first picture of this game.

        Without that, opened cells could be taken for covered ones. The recorded clicks are kept.
        """
        new = SkinLearner(self.skin, self._given, self._first_sight)
        new.learn_counter(self.mines, self._counter_right)
        if self._first is not None:
            new.read(self._first, grid)
        new._clicked, new._flagged = self._clicked, self._flagged
        return new

    def learn_counter(self, mines: int | None, counter_right: bool | None = None) -> None:
        """Record the total of mines of this game and the side of its counter; None leaves the old value."""
        self.mines = mines or self.mines
        self._counter_right = self._counter_right if counter_right is None else counter_right

    def read(self, pixels: Pixels, grid: Grid, mines_left: int | None = None) -> Reading:
        """Return the reading of ``grid`` in a BGR picture, all unreadable if no board is recognised there.

        If the board looks the same as in the last picture, it is not read again. ``mines_left`` is the value
        of the mine counter, None if it was not read.
        """
        shown = grid.rect.cut(pixels)
        if self._reading is not None and self._before is not None and np.array_equal(shown, self._before):
            return replace(self._reading, grid=grid)
        reading = self.learn(pixels, grid, self._done(shown, grid), mines_left) or nothing_read(grid)
        if self._first is None or self._first.shape != pixels.shape:
            self._first = pixels.copy()
        self.unsure = self.provisional
        self._before, self._reading = (shown.copy(), reading) if reading.grid == grid else (None, None)
        return reading

    def learn(
        self, pixels: Pixels, grid: Grid, done: Actions = NOTHING_DONE, mines_left: int | None = None
    ) -> Reading | None:
        """Learn from a picture after the clicks ``done`` and return its reading; None if it has no board."""
        knowledge = self.knowledge if self.knowledge.variants else LearnedLooks.for_grid(grid)
        look = self._look(pixels, grid, knowledge, mines_left)
        if look is None:
            return None
        if self._past is not None and self._past.restarted(knowledge, look.states):
            self._end_game()
            knowledge = knowledge.settled()
        past = None if self._past is None else self._past.after(knowledge, look.features, done)
        knowledge, index = _with_look(knowledge, look, past)
        none = np.zeros(index.shape, np.bool_)
        found = NO_CHANGES if past is None else changes_since(knowledge, past, index, look.features, done)
        if wrong := found.wrong | self._refused(knowledge, found.deaf, found.opened):
            knowledge = knowledge.withdrawn(wrong)
        total = total_mines(knowledge.states[index], mines_left)
        counted = self.mines is not None and total == self.mines
        self.knowledge = knowledge = with_checked_states(
            knowledge, Seen(index, past.marked if past else none, self.mines or total, counted, found)
        )
        past = past or Past(index, look.features, none, none, none)
        self._past = replace(past, index=index, features=look.features)
        states = knowledge.states[index]
        self.provisional = frozenset(cells_where(~_trusts(knowledge)[index] & (states != State.UNREADABLE)))
        board = Board(states, self.mines or total_mines(states, mines_left))
        doubts = {  # an unreadable cell with a variant is ambiguous: its state was withdrawn
            cell: look.doubts.get(cell, Doubt.UNRECOGNISED) if index[cell] == NOTHING else Doubt.AMBIGUOUS
            for cell in board.cells(State.UNREADABLE)
        }
        return Reading(look.grid, board, UNKNOWN, mines_left, doubts)

    def discard_last_reading(self) -> None:
        """Record that the last reading is wrong, so that even the same picture is read again.

        All untrusted variants have to be read again, too.
        """
        self.knowledge, self._reading = self.knowledge.unread(), None

    def unanswered(self, pixels: Pixels, grid: Grid, cells: Collection[Cell]) -> None:
        """Record that ``cells`` were clicked with the left button and that nothing happened."""
        self.learn(pixels, grid, Actions(cells))
        self._reading = None

    def new_game(self) -> None:
        """Record that the game is over and that the next look shows another one."""
        self._end_game()
        self.mines, self._clicked, self._before, self._reading = self._given, None, None, None

    def _end_game(self) -> None:
        self._past = self._first = None
        self._refusals.clear()
        self.knowledge = self.knowledge.settled()

    def knows(self, pixels: Pixels, grid: Grid) -> bool:
        """Return whether most cells on ``grid`` in a BGR picture match trusted variants."""
        index = _alike(Cut.of(pixels, grid, self.knowledge.cell), self.knowledge, _trusts(self.knowledge))
        return bool((index != NOTHING).mean() >= _KNOWN)

    @property
    def enough(self) -> bool:
        """Whether the trusted states are enough for most of a game: covered, blank, 1, 2 and 3."""
        return self.knowledge.trusted >= _ENOUGH

    def _look(
        self, pixels: Pixels, grid: Grid, knowledge: LearnedLooks, mines_left: int | None
    ) -> _BoardLook | None:
        """Return a look at ``grid``; None if no board is recognised there."""
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
            return _BoardLook(grid, cut, index, knowledge.states[index])
        index[~_trusts(knowledge)[index]] = NOTHING
        sight = self._first_sight(pixels, grid, mines_left)
        if sight is not None and sight.reading.grid != grid:  # it has a row or a column more or less
            if knowledge.variants:
                sight = None  # a board that was read before does not change its size: something lies over it
            else:
                grid = sight.reading.grid
                cut = Cut.of(pixels, grid, knowledge.cell)
                index = _alike(cut, knowledge, _trusts(knowledge)).reshape(grid.rows, grid.cols)
        if sight is None:
            known = (index != NOTHING).mean() >= _KNOWN
            clusters = find_clusters(pixels, grid)  # the rules may identify unreadable cells
            return _BoardLook(grid, cut, index, knowledge.states[index], clusters) if known else None
        states = np.where(index != NOTHING, knowledge.states[index], sight.reading.board.states)
        return _BoardLook(grid, cut, index, states.astype(np.int8), sight.clusters, sight.reading.doubts)

    def _refused(self, knowledge: LearnedLooks, deaf: frozenset[int], opened: frozenset[int]) -> set[int]:
        """Return the variants read as unopened that several clicks did not open; one click may be lost."""
        for index in opened:
            self._refusals[index] = 0
        self._refusals.update(deaf - opened)
        return {
            index
            for index in deaf - opened
            if self._refusals[index] >= _REFUSALS and not knowledge.variants[index].trusted
        }

    def filled(self, reading: Reading, pixels: Pixels) -> Reading:
        """Return the reading by a skin, with the cells that it does not know filled in from what was learned.

        Cells that the pointer may hide are filled in only if they match a trusted variant. The first look at
        a game is always learned, because cells that look different later cannot be covered.
        """
        strange = [cell for cell in reading.unreadable if reading.doubts.get(cell) not in _HIDDEN]
        self.unsure = frozenset()
        if not strange and self._before is not None:
            return reading
        learned = self.read(pixels, reading.grid, reading.mines_left)
        self.unsure = self.provisional & frozenset(strange)
        if learned.grid != reading.grid:
            return reading
        near = {cell for cell in reading.unreadable if reading.doubts.get(cell) is Doubt.POINTER}
        told = (*strange, *(near - self.provisional))
        new = {cell: learned.board[cell] for cell in told if learned.board[cell] != State.UNREADABLE}
        doubts = {cell: doubt for cell, doubt in reading.doubts.items() if cell not in new}
        board = reading.board.replace(new)
        reading = replace(reading, board=board, doubts=doubts)
        return with_total(reading, total_mines(board.states, reading.mines_left))

    def learned(self, name: str) -> Skin | None:
        """Return everything certain as a skin called ``name``; None if it is too little, or nothing new.

        A skin that knows every state is never extended: more looks would only blur the differences of states.
        """
        skin, old = skin_of(self.knowledge, name), self.skin
        if skin is None:
            return None
        skin = replace(skin, counter_right=self._counter_right)
        if old is None:
            return skin
        if len(skin.states) <= len(old.states) or set(old.shown) >= set(STATES):
            return None
        return replace(skin, counter=old.counter, ground=old.ground)

    def _done(self, shown: Pixels, grid: Grid) -> Actions:
        """Return the recorded clicks, but left clicks only on changed cells: the others may react later."""
        if self._clicked is None:
            return ANYWHERE
        if self._before is None or self._before.shape != shown.shape:
            return Actions(self._clicked, self._flagged)
        inside = replace(grid, x=grid.x - max(0, grid.rect.x), y=grid.y - max(0, grid.rect.y))
        rects = {cell: inside.cell_rect(cell) for cell in self._clicked}
        before = self._before
        clicked = [c for c, at in rects.items() if not np.array_equal(at.cut(before), at.cut(shown))]
        return Actions(clicked, self._flagged)


def _trusts(knowledge: LearnedLooks) -> Bools:
    """Return which variants are trusted, bool (n + 1,); the last one, for `NOTHING`, is not."""
    return np.array([*(variant.trusted for variant in knowledge.variants), False], np.bool_)


def _alike(cut: Cut, knowledge: LearnedLooks, chosen: Bools) -> Ints:
    """Return the variant that each cell matches, int32 (n,); `NOTHING` if it is none of the ``chosen``."""
    index = np.where(cut.visible, knowledge.matched(cut.features), NOTHING)
    return np.where(chosen[index], index, NOTHING).astype(np.int32)


def _with_look(knowledge: LearnedLooks, look: _BoardLook, past: Past | None) -> tuple[LearnedLooks, Ints]:
    """Return the knowledge after a look, and the variant of each cell; already matched cells keep theirs."""
    if look.clusters is None:
        return knowledge, look.index
    known = look.index != NOTHING
    states = look.states if past is None else np.where(known, look.states, past.allowed(look.states))
    knowledge, found = add_look(knowledge, look.cut, look.clusters.reshape(-1), states.reshape(-1))
    return knowledge, np.where(known, look.index, found.reshape(known.shape)).astype(np.int32)


def partial(skin: Skin) -> bool:
    """Return whether a skin may be incomplete: it lacks states, or some state has several looks."""
    return len(skin.states) > len(skin.shown) or bool(set(STATES) - set(skin.shown))


def nothing_read(grid: Grid) -> Reading:
    """Return a reading of ``grid`` in which every cell is unreadable."""
    board = Board(np.full((grid.rows, grid.cols), State.UNREADABLE, np.int8))
    doubts = dict.fromkeys(board, Doubt.UNRECOGNISED)
    return Reading(grid, board, UNKNOWN, doubts=doubts)


class Lesson:
    """A lesson that learns the skin ``name``, new or extended, and stores it in a subfolder of ``folder``.

    ``known`` are all existing skins. ``mines`` is the total, None if the user does not give it. ``force``
    replaces a skin of that name, and allows boards that another skin knows.
    Raises UsageError for a name that no folder can have, SkinError for one that is taken.
    """

    def __init__(
        self, name: str, folder: Path, known: Sequence[Skin], mines: int | None, force: bool
    ) -> None:
        if not _NAME.fullmatch(name) or _DEVICES.fullmatch(name):
            raise UsageError(f"{name!r} is not a valid skin name: use letters, digits, - and _, like my-game")
        self.name, self.force = name, force
        self.folder = folder / name
        self.old = None if force else self._existing(known)
        self._others = tuple(skin for skin in known if skin.name != name)
        self.learner = SkinLearner(self.old, mines, read_unknown)
        self.grid: Grid | None = None

    def _existing(self, known: Sequence[Skin]) -> Skin | None:
        if self.folder.exists():
            return load_skin(self.folder)
        if self.name in {skin.name for skin in known}:
            raise SkinError(f"the skin {self.name} already exists: {_TAKEN}")
        return None

    @property
    def learned(self) -> bool:
        """Whether any board has been learned from."""
        return self.grid is not None

    def look_at(self, pixels: Pixels, where: str) -> Grid:
        """Find a board in a BGR picture and learn from it; return its grid.

        ``where`` names the picture in error messages. Raises GameNotFoundError if no board can be learned,
        SkinError if another skin already knows the board or if the existing skin ``name`` looks different.
        """
        grid = self._find(pixels, where)
        self.learner.new_game()
        reading = self.learner.learn(pixels, grid)
        if reading is None:
            raise GameNotFoundError(f"{where}: a board was found, but its cells cannot be recognised")
        self.grid = reading.grid
        return reading.grid

    def look_again(self, pixels: Pixels, grid: Grid) -> Reading | None:
        """Learn from another look at a game that a person plays; return None if no board is recognised."""
        return self.learner.learn(pixels, grid, ANYWHERE)

    def _find(self, pixels: Pixels, where: str) -> Grid:
        own = () if self.old is None else (self.old,)
        readings = read_picture(pixels, (*own, *self._others), first_sight=True, every=True)
        if mine := [reading for reading in readings if reading.skin == self.name]:
            return mine[0].grid
        new = [reading for reading in readings if self.force or reading.skin == UNKNOWN]
        if not new and readings:
            raise SkinError(
                f"{where}: the skin {readings[0].skin} already knows this board, there is nothing to learn "
                "(use --force to learn it anyway)"
            )
        if not new:
            raise GameNotFoundError(f"{where}: no Minesweeper board that can be read was found")
        grid = new[0].grid
        if self.old is not None and not self.learner.knows(pixels, grid):
            raise SkinError(f"the skin {self.name} already exists and looks different from {where}: {_TAKEN}")
        return grid

    def save(self) -> bool:
        """Write the trusted states to the skin's folder; return False if they are too few or not new.

        Raises SkinError if the folder cannot be written.
        """
        skin = skin_of(self.learner.knowledge, self.name)
        if skin is None or (self.old is not None and len(skin.states) <= len(self.old.states)):
            return False
        save_skin(skin, self.folder, overwrite=self.force or self.old is not None)
        self.old = skin
        return True

    def finish(self) -> None:
        """Save new states. Raises SkinError if too few are certain for a skin, or if it cannot be written."""
        self.save()
        if self.old is None:
            raise SkinError(
                "too few cell states are certain to save a skin: open more cells and learn again, "
                "or keep playing with --watch"
            )

    @property
    def unsure(self) -> list[int]:
        """The states that were seen, but are not certain yet."""
        return sorted(self.learner.knowledge.provisional)

    @property
    def missing(self) -> list[int]:
        """The states that were never seen."""
        return sorted(set(STATES) - set(() if self.old is None else self.old.shown) - set(self.unsure))

    def cells_seen(self, state: int) -> int:
        """Return how many cells have shown ``state`` in one of its trusted variants."""
        variants = self.learner.knowledge.variants
        return sum(one.cells for one in variants if one.state == state and one.trusted)
