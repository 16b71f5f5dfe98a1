"""Reading a board whose art no skin knows wholly, and learning it from what play does to it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from bot.board import Board, Cell, State
from bot.geometry import Grid, Pixels, Rect
from bot.vision.learning.past import Actions
from bot.vision.learning.skin_learner import SkinLearner
from bot.vision.learning.skins import looks_of
from bot.vision.reading import Doubt, GameState, Panel, Reading, game_state
from bot.vision.skin import STATES, Skin
from bot.vision.unknown.read import UNKNOWN, read_again

ANYBODY = Actions(None, None)
_HIDDEN = frozenset({Doubt.COVERED, Doubt.POINTER, Doubt.OUTSIDE})


class LearningReader:
    """Reads one board by `SkinLearner`, and tells them what was done to it between two looks.

    ``skin`` is what is known of its art, None if nothing; ``mines`` is the total, None if the user gives
    none. Until `did` is called, anybody may have clicked anywhere.
    """

    def __init__(self, skin: Skin | None, mines: int | None) -> None:
        self.skin, self._given = skin, mines
        self.skin_learner = SkinLearner(looks_of(skin) if skin else None, mines, read_again)
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
        new.told(self.skin_learner.mines, self._counter_right)
        new._clicked, new._flagged = self._clicked, self._flagged
        return new

    def told(self, mines: int | None, counter_right: bool | None = None) -> None:
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
        shown = _board_only(pixels, grid)
        if self._reading is not None and self._before is not None and np.array_equal(shown, self._before):
            return replace(self._reading, grid=grid)
        reading = self.skin_learner.read(pixels, grid, self._done(shown, grid), mines_left) or nothing_read(
            grid
        )
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
        learned = self.read(pixels, reading.grid, reading.panel.mines_left)
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
        skin, old = self.skin_learner.skin(name), self.skin
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
            return ANYBODY
        if self._before is None or self._before.shape != shown.shape:
            return Actions(self._clicked, self._flagged)
        inside = replace(grid, x=grid.x - max(0, grid.rect.x), y=grid.y - max(0, grid.rect.y))
        clicked = [cell for cell in self._clicked if _differ(self._before, shown, inside.cell_rect(cell))]
        return Actions(clicked, self._flagged)


def partial(skin: Skin) -> bool:
    """Return whether a skin lacks states, or some looks of states that have several."""
    return len(skin.states) > len(skin.shown) or bool(set(STATES) - set(skin.shown))


def nothing_read(grid: Grid) -> Reading:
    """Return a reading of which no cell can be read."""
    board = Board(np.full((grid.rows, grid.cols), State.UNREADABLE, np.int8))
    doubts = dict.fromkeys(board, Doubt.STRANGE)
    none = np.zeros(board.shape, np.float32)
    return Reading(grid, board, Panel(), GameState.RUNNING, UNKNOWN, 1.0, none, doubts)


def _board_only(pixels: Pixels, grid: Grid) -> Pixels:
    rect = grid.rect
    return pixels[max(0, rect.y) : rect.bottom, max(0, rect.x) : rect.right]


def _differ(one: Pixels, other: Pixels, rect: Rect) -> bool:
    rows, cols = slice(max(0, rect.y), rect.bottom), slice(max(0, rect.x), rect.right)
    return not np.array_equal(one[rows, cols], other[rows, cols])
