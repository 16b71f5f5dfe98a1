"""The compiled kernel for a board: exact risks in a fraction of a millisecond, and what to guess."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, State
from bot.solver.kernel.analysis import analyse, is_exact
from bot.solver.kernel.combine import NOTHING_FITS
from bot.solver.kernel.guess import choose
from bot.solver.kernel.layout import MINE, SAFE, UNKNOWN, Bytes, Position, mind, position
from bot.solver.kernel.rules import take
from bot.solver.kernel.tree import FOUND, SOLUTIONS_LISTED, WINS
from bot.solver.policies import Policy

Risks = npt.NDArray[np.float64]

# What the kernel is shown for each state: numbers as they are, flags and question marks as opinions.
_SHOWN = np.full(16, UNKNOWN, np.int8)
_SHOWN[:9] = np.arange(9)
_SHOWN[[State.MINE, State.EXPLODED]] = MINE
_SHOWN[State.WRONG_FLAG] = SAFE


class Engine:
    """The arrays of the kernel for boards of one size; they hold the last board. Not for several threads."""

    def __init__(self, rows: int, cols: int) -> None:
        self.mind = mind(rows, cols)
        self.position: Position = position(rows * cols)

    def counted(self, board: Board) -> Bytes | None:
        """Return what the counting rules make of ``board``, int8 (rows, cols) as `Position.shown`; no copy.

        The mine total is no part of them. None if they run into a number that cannot be met.
        """
        shown, mines = _SHOWN[board.states.ravel()], -1 if board.mines is None else board.mines
        fits = take(self.mind.topology, self.position, self.mind.work, shown, mines)
        return self.position.shown.reshape(board.shape) if fits else None

    @property
    def unsettled(self) -> bool:
        """Whether the counting rules left a number with covered cells around it."""
        return bool(np.any((self.position.shown >= 0) & (self.position.left > 0)))

    def fits(self, board: Board) -> bool:
        """Return whether a placement of mines fits ``board``; True if it is too large to tell."""
        try:
            self.risks(board)
        except ValueError:
            return False
        return True

    def risks(self, board: Board) -> Risks:
        """Return the chance of a mine in each unknown cell of ``board``, float64 (rows, cols), else nan.

        Exactly 0.0 and 1.0 are proofs; all others are estimates unless the engine is `exact` afterwards.
        Raises ValueError if no placement of mines fits.
        """
        if self.counted(board) is None:
            raise ValueError("no placement of mines fits this board")
        self.analyse_counted()
        return self.last_risks(board)

    def analyse_counted(self) -> None:
        """Count the solutions of the board that `counted` was asked about last.

        Raises ValueError if there is none.
        """
        if analyse(self.mind.topology, self.position, self.mind.work) == NOTHING_FITS:
            raise ValueError("no placement of mines fits this board")

    def last_risks(self, board: Board) -> Risks:
        """Return what `risks` does for ``board``, which was analysed last."""
        here, work = self.position, self.mind.work
        chances = np.where(here.shown == UNKNOWN, work.risk, (here.shown == MINE).astype(np.float64))
        chances[_SHOWN[board.states.ravel()] != UNKNOWN] = np.nan
        return chances.reshape(board.shape)

    @property
    def exact(self) -> bool:
        """Whether the risks asked for last are exact, and no estimates for a frontier too wide to count."""
        return bool(is_exact(self.mind.work))

    def guess(self, policy: Policy) -> Cell:
        """Return the cell to guess on the board whose `risks` were asked for last.

        To be called where no cell is proven safe. Every unknown cell may be chosen.
        """
        self.forget_endgame()
        chosen = int(choose(self.mind, self.position, np.array(policy, np.float64)))
        return Cell(*divmod(chosen, self.mind.topology.cols))

    def forget_endgame(self) -> None:
        """Take note that no endgame was played out on the position at hand."""
        self.mind.end.facts[[WINS, FOUND]] = -1

    @property
    def endgame(self) -> tuple[int, int] | None:
        """In how many solutions the last guess can win, and of how many; None if no endgame chose it."""
        wins, solutions = self.mind.end.facts[[WINS, SOLUTIONS_LISTED]].tolist()
        return (wins, solutions) if wins >= 0 else None

    @property
    def searched(self) -> bool:
        """Whether the last guess was chosen by searching the tree of moves over the safest cells only."""
        return bool(self.mind.end.facts[FOUND] >= 0)


@lru_cache(maxsize=4)
def engine_for(rows: int, cols: int) -> Engine:
    """Return the engine for boards of this size."""
    return Engine(rows, cols)
