"""Boards that need no guess: from the first click on, some cell can always be proven safe.

A random board is played by proofs alone. When no proof is left, mines are moved: mines next to a number at
the frontier are moved elsewhere, or other mines are moved there. A change is kept if it leaves no more cells
covered than before. So a board changes only where it needs a guess, and stays random elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.board import Cell, FirstClick
from bot.errors import NoGuessError, UsageError
from bot.game.simulation import Mines, kept_free
from bot.levels import Level
from bot.solver.kernel.layout import MINE, UNKNOWN, Workspace
from bot.solver.kernel.play import left_unproven
from bot.words import cell_words, counted

Indices = npt.NDArray[np.int64]

TRIES = 20_000
_PATIENCE = 300  # changes in a row that open nothing new; then another board is drawn
_FAR = 0.1  # share of the exchanges that use all cells of the board, not only covered ones


def no_guess_mines(
    level: Level, seed: int, first: Cell, tries: int = TRIES, check: Callable[[], None] = lambda: None
) -> frozenset[Cell]:
    """Return the mines of a board that is won from ``first`` without a guess; ``seed`` determines them.

    No neighbour of ``first`` is a mine, if there is room for that. A proof may need the mine counter.
    ``check`` is called before each try; an error that it raises ends the search. Raises UsageError for an
    impossible board, NoGuessError if no board is found in ``tries`` tries.
    """
    rows, cols, mines = level.rows, level.cols, level.mines
    if not (0 < mines < rows * cols and 0 <= first.row < rows and 0 <= first.col < cols):
        raise UsageError(
            f"a board of {rows} x {cols} takes 1 to {rows * cols - 1} mines and a first click inside it, "
            f"not {mines} mines and {cell_words(first)}"
        )
    allowed = ~kept_free(rows, cols, mines, first, FirstClick.OPENING)
    place = first.row * cols + first.col
    search = _Search(mines, place, allowed, np.random.default_rng(seed), Workspace(rows, cols))
    board = search.find(tries, check)
    if board is None:
        raise NoGuessError(
            f"no board of {rows} x {cols} with {counted(mines, 'mine')} was found that needs "
            f"no guess from {cell_words(first)} in {tries} tries; "
            "take fewer mines or more cells"
        )
    return frozenset(Cell(*divmod(int(index), cols)) for index in np.flatnonzero(board))


@dataclass(frozen=True, slots=True)
class _Played:
    """A board opened as far as proofs lead: the number of safe cells ``left``, and the knowledge so far."""

    board: Mines
    left: int
    shown: npt.NDArray[np.int8]  # copies of `Position.shown` and `Position.left`
    unknown_around: npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class _Search:
    """A search for one board. ``allowed``, bool (cells,), says where mines may be; ``first`` is a cell."""

    mines: int
    first: int
    allowed: npt.NDArray[np.bool_]
    random: np.random.Generator
    workspace: Workspace

    def find(self, tries: int, check: Callable[[], None]) -> Mines | None:
        """Return a board that needs no guess, int8 (cells,), or None if all tries fail."""
        found, vain = self._played(self._drawn()), 0
        for _ in range(tries):
            check()
            if not found.left:
                return found.board
            if vain == _PATIENCE:
                found, vain = self._played(self._drawn()), 0
                continue
            changed = self._played(self._exchanged_mines(found))
            vain = 0 if changed.left < found.left else vain + 1
            found = changed if changed.left <= found.left else found
        return None

    def _drawn(self) -> Mines:
        board = np.zeros(len(self.allowed), np.int8)
        board[self.random.permutation(np.flatnonzero(self.allowed))[: self.mines]] = 1
        return board

    def _played(self, board: Mines) -> _Played:
        here, spare = self.workspace.position, np.empty_like(board)
        left = left_unproven(self.workspace, board, spare, self.mines, self.first)
        return _Played(board, left, here.shown.copy(), here.left.copy())

    def _exchanged_mines(self, played: _Played) -> Mines:
        """Return the board after an exchange of mines around one place where proofs end."""
        board, place = played.board.copy(), self._place_to_change(played)
        others = self.allowed & ((played.shown == UNKNOWN) | (self.random.random() < _FAR))
        others[place] = False
        full, here = int(self.random.integers(2)), np.zeros_like(others)
        here[place] = self.allowed[place]
        self._exchange(board, here & (board == full), others & (board != full))
        return board

    def _place_to_change(self, played: _Played) -> Indices:
        """Return the unknown cells around a random number; if there is none, one known mine next to some."""
        edge = np.flatnonzero((played.shown >= 0) & (played.unknown_around > 0))
        if not len(edge):
            walls = np.flatnonzero((played.shown == MINE) & (played.unknown_around > 0))
            return np.asarray(self.random.choice(walls, 1))
        number = int(self.random.choice(edge))
        position = self.workspace.position
        around = position.near[8 * number :][: position.degree[number]]
        return np.asarray(around[played.shown[around] == UNKNOWN])

    def _exchange(self, board: Mines, here: npt.NDArray[np.bool_], there: npt.NDArray[np.bool_]) -> None:
        """Swap some cells of ``here`` with as many of ``there``; one array has only mines, the other none."""
        ours, theirs = np.flatnonzero(here), np.flatnonzero(there)
        most = min(len(ours), len(theirs))
        if most:
            count = int(self.random.integers(1, most + 1))
            ours = self.random.permutation(ours)[:count]
            theirs = self.random.permutation(theirs)[:count]
            board[ours], board[theirs] = board[theirs[0]], board[ours[0]]
