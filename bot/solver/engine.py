"""The compiled kernel for a board: exact risks in a fraction of a millisecond, and what to guess."""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, State
from bot.solver.guess import Policy
from bot.solver.kernel.analysis import EXACT, NOTHING_FITS, analyse, log_solutions
from bot.solver.kernel.guess import choose
from bot.solver.kernel.layout import MINE, SAFE, UNKNOWN, GuessPolicy, Position, Workspace, take
from bot.solver.kernel.structs import Bytes
from bot.solver.kernel.winmine import choose_moved, weigh

Risks = npt.NDArray[np.float64]

# What the kernel is shown for each state: numbers as they are, flags and question marks as opinions.
_SHOWN = np.full(16, UNKNOWN, np.int8)
_SHOWN[:9] = np.arange(9)
_SHOWN[[State.MINE, State.EXPLODED]] = MINE
_SHOWN[State.WRONG_FLAG] = SAFE


class Engine:
    """The arrays of the kernel for boards of one size; they hold the last board. Not for several threads."""

    def __init__(self, rows: int, cols: int) -> None:
        self.workspace = Workspace(rows, cols)
        self.position = Position(rows * cols)

    def counted(self, board: Board) -> Bytes | None:
        """Return what the counting rules make of ``board``, int8 (rows, cols) as `Position.shown`; no copy.

        The mine total is no part of them. None if they run into a number that cannot be met.
        """
        shown, mines = _SHOWN[board.states.ravel()], -1 if board.mines is None else board.mines
        fits = take(self.workspace.topology, self.position, self.workspace.buffers, shown, mines)
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
        """Return the chance of a mine in each unknown cell of ``board``, nan elsewhere: float64 (rows, cols).

        Exactly 0.0 and 1.0 are proven. All other values are exact if `exact` is true after this call, else
        estimates. Raises ValueError if no placement of mines fits.
        """
        if self.counted(board) is None:
            raise ValueError("no placement of mines fits this board")
        self.analyse_counted()
        return self.last_risks(board)

    def analyse_counted(self) -> None:
        """Count the solutions of the board that `counted` was asked about last.

        Raises ValueError if there is none.
        """
        if analyse(self.workspace.topology, self.position, self.workspace.buffers) == NOTHING_FITS:
            raise ValueError("no placement of mines fits this board")

    def last_risks(self, board: Board) -> Risks:
        """Return what `risks` does for ``board``, which was analysed last."""
        here, risk = self.position, self.workspace.buffers.risk
        chances = np.where(here.shown == UNKNOWN, risk, (here.shown == MINE).astype(np.float64))
        chances[_SHOWN[board.states.ravel()] != UNKNOWN] = np.nan
        return chances.reshape(board.shape)

    @property
    def log_solutions(self) -> float:
        """The natural logarithm of the number of solutions of the board that was analysed last."""
        return log_solutions(self.workspace.buffers)

    @property
    def exact(self) -> bool:
        """Whether the risks asked for last are exact, and no estimates for a frontier too wide to count."""
        return not self.workspace.buffers.apart

    def weighed(self, board: Board, first: Cell | None) -> Risks:
        """Return what `risks` does for ``board``, which was analysed last, by winmine's rule if it applies.

        There a mine under the ``first`` cell that is opened moves to the top left, so that not all placements
        count alike: `bot.solver.kernel.winmine` says how much. Nothing that is certain changes by that. Where
        that cannot be counted, or where ``first`` is None, they do count alike.
        """
        risk = self.workspace.buffers.risk
        before = risk.copy()
        if first is not None and weigh(self.workspace, self.position, self._index(first)) != EXACT:
            risk[:] = before
        return self.last_risks(board)

    def guess(self, policy: Policy, first: Cell | None = None) -> Cell:
        """Return the cell to guess on the board whose `risks` were asked for last.

        To be called where no cell is proven safe. Every unknown cell may be chosen. By winmine's rule it is
        chosen if the ``first`` cell is given for which `weighed` was asked just now.
        """
        self.workspace.endgame.wins = self.workspace.endgame.found = -1  # no endgame was played out
        settings = guess_policy(policy)
        if first is None:
            chosen = choose(self.workspace, self.position, settings)
        else:
            chosen = choose_moved(self.workspace, self.position, settings, self._index(first))
        return Cell(*divmod(chosen, self.workspace.topology.cols))

    def _index(self, cell: Cell) -> int:
        return cell.row * self.workspace.topology.cols + cell.col

    @property
    def endgame(self) -> tuple[int, int] | None:
        """In how many solutions the last guess can win, and of how many; None if no endgame chose it."""
        found = self.workspace.endgame
        return (found.wins, found.solutions) if found.wins >= 0 else None

    @property
    def searched(self) -> bool:
        """Whether the last guess was chosen by searching the tree of moves over the safest cells only."""
        return self.workspace.endgame.found >= 0


@cache
def guess_policy(policy: Policy) -> GuessPolicy:
    """Return a policy as the kernel sees it."""
    return GuessPolicy(**policy._asdict())


@lru_cache(maxsize=4)
def engine_for(rows: int, cols: int) -> Engine:
    """Return the engine for boards of this size."""
    return Engine(rows, cols)
