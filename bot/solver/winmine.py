"""The chances under winmine's rule for the first click, where a mine under it moves to the top left.

A placement of mines then counts 1 + the length of the run of mines with which it begins, row by row from the
top left, the first opened cell passed over: `bot.solver.kernel.winmine` has the proof. Nothing that is
certain changes by that, and where the first cell of that order is known to be safe, all placements count
alike.
"""

from __future__ import annotations

from bot.board import Board, Cell
from bot.solver.engine import Engine, Risks, guess_policy
from bot.solver.kernel.analysis import EXACT
from bot.solver.kernel.winmine import choose_moved, weigh
from bot.solver.policies import Policy


def moved_risks(engine: Engine, board: Board, first: Cell) -> Risks | None:
    """Turn the risks of ``board``, which ``engine`` analysed last, into those under winmine's rule.

    ``first`` was opened first. Return them as `Engine.risks` does; None if the position is too large, and
    then the engine keeps what it had.
    """
    risk = engine.workspace.buffers.risk
    before = risk.copy()
    if weigh(engine.workspace, engine.position, first.row * board.cols + first.col) != EXACT:
        risk[:] = before
        return None
    return engine.last_risks(board)


def weighed(engine: Engine, board: Board, first: Cell | None) -> Risks:
    """Return the risks of ``board``, which ``engine`` analysed last, as `Engine.risks` does.

    They are by winmine's rule if the ``first`` cell is given. Where the kernel cannot weigh them by that, all
    placements count alike.
    """
    moved = None if first is None else moved_risks(engine, board, first)
    return engine.last_risks(board) if moved is None else moved


def moved_guess(engine: Engine, policy: Policy, first: Cell) -> Cell:
    """Return what ``engine.guess(policy)`` does, under winmine's rule where ``first`` was opened first.

    To be called after `moved_risks`.
    """
    engine.forget_endgame()
    cols, settings = engine.workspace.topology.cols, guess_policy(policy)
    chosen = choose_moved(engine.workspace, engine.position, settings, first.row * cols + first.col)
    return Cell(*divmod(chosen, cols))
