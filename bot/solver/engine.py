"""The interface to the compiled kernel: exact risks in a fraction of a millisecond, and guesses."""

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
from bot.solver.kernel.winmine import apply_winmine_rule, choose_under_winmine_rule

Risks = npt.NDArray[np.float64]

# The kernel's value for each state. Flags and question marks are UNKNOWN, because they may be wrong.
_SHOWN = np.full(16, UNKNOWN, np.int8)
_SHOWN[:9] = np.arange(9)
_SHOWN[[State.MINE, State.EXPLODED]] = MINE
_SHOWN[State.WRONG_FLAG] = SAFE


class Engine:
    """The kernel's arrays for boards of one size; they hold the last board. Only one thread may use them."""

    def __init__(self, rows: int, cols: int) -> None:
        self.workspace = Workspace(rows, cols)
        self.position = Position(rows * cols)

    def apply_counting_rules(self, board: Board) -> Bytes | None:
        """Return ``board`` after the counting rules without the mine total, as `Position.shown`.

        The int8 array (rows, cols) is no copy: the next call overwrites it. None if a number cannot be met.
        """
        shown, mines = _SHOWN[board.states.ravel()], -1 if board.mines is None else board.mines
        fits = take(self.workspace.topology, self.position, self.workspace.buffers, shown, mines)
        return self.position.shown.reshape(board.shape) if fits else None

    @property
    def unsettled(self) -> bool:
        """Whether the counting rules left an opened number with unsettled neighbours."""
        return bool(np.any((self.position.shown >= 0) & (self.position.left > 0)))

    def fits(self, board: Board) -> bool:
        """Return whether a placement of mines fits ``board``; True if it is too large to decide."""
        try:
            self.risks(board)
        except ValueError:
            return False
        return True

    def risks(self, board: Board) -> Risks:
        """Return the risk of each unknown cell of ``board``, nan for other cells: float64 (rows, cols).

        Values of exactly 0.0 and 1.0 are proofs. All other values are exact if `exact` is true after this
        call, else estimates. Raises ValueError if no placement of mines fits.
        """
        if self.apply_counting_rules(board) is None:
            raise ValueError("no placement of mines fits this board")
        self.analyse_counted()
        return self.current_risks(board)

    def analyse_counted(self) -> None:
        """Count the solutions of the board of the last call of `apply_counting_rules`.

        Raises ValueError if it has none.
        """
        if analyse(self.workspace.topology, self.position, self.workspace.buffers) == NOTHING_FITS:
            raise ValueError("no placement of mines fits this board")

    def current_risks(self, board: Board) -> Risks:
        """Return the same as `risks`, without a new analysis; ``board`` must be the one analysed last."""
        here, risk = self.position, self.workspace.buffers.risk
        chances = np.where(here.shown == UNKNOWN, risk, (here.shown == MINE).astype(np.float64))
        chances[_SHOWN[board.states.ravel()] != UNKNOWN] = np.nan
        return chances.reshape(board.shape)

    @property
    def log_solutions(self) -> float:
        """The natural logarithm of the number of solutions of the board analysed last."""
        return log_solutions(self.workspace.buffers)

    @property
    def exact(self) -> bool:
        """Whether the risks of the board analysed last are exact; false if its frontier is too wide."""
        return not self.workspace.buffers.components_separate

    def risks_by_winmine(self, board: Board, first: Cell | None) -> Risks:
        """Return the risks of ``board``, the one analysed last, under winmine's rule for the first click.

        By that rule, a mine under ``first``, the first cell opened, moves to the top left, so solutions are
        not equally likely; `bot.solver.kernel.winmine` has their weights. Proofs do not change. If ``first``
        is None, or if the weights cannot be computed, all solutions are taken to be equally likely.
        """
        risk = self.workspace.buffers.risk
        before = risk.copy()
        if (
            first is not None
            and apply_winmine_rule(self.workspace, self.position, self._index(first)) != EXACT
        ):
            risk[:] = before
        return self.current_risks(board)

    def guess(self, policy: Policy, first: Cell | None = None) -> Cell:
        """Return the cell to guess on the board analysed last, on which no cell may be proven safe.

        Any unknown cell may be chosen, flagged ones included. If ``first`` is given, winmine's rule is used;
        `risks_by_winmine` must have been called with the same ``first`` just before.
        """
        self.workspace.endgame.wins = self.workspace.endgame.found = -1  # no endgame was played out
        settings = guess_policy(policy)
        if first is None:
            chosen = choose(self.workspace, self.position, settings)
        else:
            chosen = choose_under_winmine_rule(self.workspace, self.position, settings, self._index(first))
        return Cell(*divmod(chosen, self.workspace.topology.cols))

    def _index(self, cell: Cell) -> int:
        return cell.row * self.workspace.topology.cols + cell.col

    @property
    def endgame(self) -> tuple[int, int] | None:
        """In how many solutions the last guess wins, and of how many; None if no full search chose it."""
        found = self.workspace.endgame
        return (found.wins, found.solutions) if found.wins >= 0 else None

    @property
    def searched(self) -> bool:
        """Whether a search of the tree of moves, limited to the safest cells, chose the last guess."""
        return self.workspace.endgame.found >= 0


@cache
def guess_policy(policy: Policy) -> GuessPolicy:
    """Return ``policy`` as the struct that the kernel reads."""
    return GuessPolicy(**policy._asdict())


@lru_cache(maxsize=4)
def engine_for(rows: int, cols: int) -> Engine:
    """Return the shared engine for boards of ``rows`` x ``cols``."""
    return Engine(rows, cols)
