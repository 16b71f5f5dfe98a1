"""Analyses of positions by the compiled kernel: exact risks in a fraction of a millisecond, and guesses.

An `Analysis` is a value: it owns the memory that it was computed in, and nothing of it is left for the next
one. So any number of threads may analyse positions at the same time. A workspace takes longer to make than
most positions take to analyse, so a pool keeps a few. An analysis takes one out of the pool; when the last
reference to the analysis is gone, the workspace goes back.
"""

from __future__ import annotations

from collections import deque
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, State
from bot.solver.conflict import contradiction
from bot.solver.constraints import System
from bot.solver.guess import Policy
from bot.solver.kernel.analysis import EXACT, NOTHING_FITS, log_solutions
from bot.solver.kernel.analysis import analyse as count_solutions
from bot.solver.kernel.guess import choose
from bot.solver.kernel.layout import MINE, SAFE, UNKNOWN, GuessPolicy, GuessWeights, Playouts, Workspace, take
from bot.solver.kernel.playouts import compare
from bot.solver.kernel.winmine import weigh_exactly

Risks = npt.NDArray[np.float64]

# The kernel's value for each state. Flags and question marks are UNKNOWN, because they may be wrong.
SHOWN = np.full(16, UNKNOWN, np.int8)
SHOWN[:9] = np.arange(9)
SHOWN[[State.MINE, State.EXPLODED]] = MINE
SHOWN[State.WRONG_FLAG] = SAFE

_SIZES, _OF_A_SIZE = 4, 8  # the most board sizes in the pool, and the most free workspaces of a size
_CELLS = 4000  # the most cells that the free workspaces of a size have together; one is always kept
_FREE: dict[tuple[int, int], deque[Workspace]] = {}  # the pool


class PolicyGuess(NamedTuple):
    """The cell that a policy chooses, row by row, and the way it was found.

    If the endgame was searched to its end, the best play wins in ``wins`` of ``solutions``; else ``wins`` is
    None.
    """

    cell: int
    wins: int | None = None
    solutions: int = 0


class Analysis:
    """All that the kernel finds out about one position; see `analyse`.

    ``possible`` is false if no placement of mines fits ``board``; nothing else is known then. If ``first``,
    the first cell opened in the game, is given, the solutions are weighted by winmine's rule. ``exact`` is
    false if the frontier is too wide to be counted: then all risks but 0.0 and 1.0 are estimates.
    ``position`` is the position after the counting rules, which do not use the mine total.

    One thread at a time may use an analysis. It works in ``workspace``, which goes back to the pool when the
    analysis is deleted: whoever keeps a part of the workspace must keep the analysis.
    """

    def __init__(self, board: Board, first: Cell | None = None, workspace: Workspace | None = None) -> None:
        """Analyse ``board``, in ``workspace`` if one is given."""
        self.board, self.first, self._lent = board, first, workspace is None
        try:
            self.workspace = workspace or _FREE[board.shape].pop()
        except LookupError:
            self.workspace = Workspace(*board.shape)
        self.position, buffers = self.workspace.position, self.workspace.buffers
        states, mines = SHOWN[board.states.ravel()], -1 if board.mines is None else board.mines
        self.position.first = -1 if first is None else first.row * board.cols + first.col
        fits = take(self.position, buffers, states, mines)
        found = count_solutions(self.position, buffers) if fits else NOTHING_FITS
        self.possible, self.exact = found != NOTHING_FITS, found == EXACT

    def __del__(self) -> None:
        """Return the workspace to the pool, which drops what it has too much of."""
        if "workspace" not in vars(self) or not self._lent:  # memory may have run out while it was made
            return
        shape, most = self.board.shape, _CELLS // self.board.states.size
        if shape not in _FREE and len(_FREE) >= _SIZES:
            _FREE.clear()
        _FREE.setdefault(shape, deque(maxlen=min(_OF_A_SIZE, max(1, most)))).append(self.workspace)

    def __deepcopy__(self, _memo: object) -> Analysis:
        """Return the analysis itself: a copy would have to share its memory."""
        return self

    def __copy__(self) -> Analysis:
        """Return the analysis itself, too."""
        return self

    @property
    def log_solutions(self) -> float:
        """The natural logarithm of the number of solutions."""
        return log_solutions(self.workspace.buffers)

    @cached_property
    def risks(self) -> Risks:
        """The risk of each unknown cell, nan for other cells: float64 (rows, cols).

        Values of exactly 0.0 and 1.0 are proofs; the others are exact if `exact` is true. By winmine's rule a
        mine under the first click moves to the top left, so solutions are not equally likely;
        `bot.solver.kernel.winmine` has their weights. They are left out if they cannot be computed.
        """
        here, risk = self.position, self.workspace.buffers.risk
        if self.first is not None:
            before = risk.copy()
            if weigh_exactly(self.workspace) != EXACT:
                risk[:] = before
        risk[:] = np.where(here.shown == UNKNOWN, risk, here.shown == MINE)
        unknown = SHOWN[self.board.states] == UNKNOWN
        return np.where(unknown, risk.reshape(self.board.shape), np.nan)

    def guess(self, policy: Policy) -> PolicyGuess:
        """Return the cell to guess by ``policy``; no cell may be proven safe.

        Any unknown cell may be chosen, flagged ones included.
        """
        endgame = self.workspace.endgame
        endgame.wins = -1
        _ = self.risks  # they carry the weights of winmine's rule
        cell = choose(self.workspace, guess_policy(policy))
        if endgame.wins < 0:
            return PolicyGuess(cell)
        return PolicyGuess(cell, endgame.wins, endgame.solutions)

    def play_out(
        self, games: Playouts, policy: Policy, cells: npt.NDArray[np.int32], samples: int
    ) -> Risks | None:
        """Return the chance to win with each of ``cells``, float64 (samples, cells); None if it is too large.

        For each sample, a solution is drawn at random, from the seed of ``games``, and ``policy`` plays it.
        Once `risks` is computed, several threads may do this with one analysis, because it is only read; each
        needs ``games`` of its own.
        """
        _ = self.risks  # the kernel reads those of all cells
        chances, how = np.zeros(samples * len(cells)), guess_policy(policy)
        finished = compare(self.workspace, games, how, cells, len(cells), samples, chances)
        return chances.reshape(samples, len(cells)) if finished else None


def analyse(board: Board, first: Cell | None = None) -> Analysis:
    """Return the analysis of ``board``. Any thread may call this at any time.

    If winmine's rule applies, ``first`` is the first cell opened in the game. Raises ContradictionError if no
    placement of mines fits.
    """
    if first is not None:
        board[first]  # raises IndexError off the board, where the kernel does not look
    analysis = Analysis(board, first)
    if not analysis.possible:
        del analysis  # the error may be kept; the workspace goes back now
        raise contradiction(System.of(board), may_fit)
    return analysis


def may_fit(board: Board) -> bool:
    """Return whether a placement of mines fits ``board``; True if it is too large to decide."""
    return Analysis(board).possible


@cache
def guess_policy(policy: Policy) -> GuessPolicy:
    """Return ``policy`` as the struct that the kernel reads."""
    weights = GuessWeights(**policy.weights._asdict())
    return GuessPolicy(**{**policy._asdict(), "weights": weights})
