"""The choice of a guess by thinking about it: good cells are played out until one is clearly better."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

import numpy as np

from bot.solver.analysis import Analysis, guess_policy
from bot.solver.guess import Policy
from bot.solver.kernel.contest import begin_contest, play_round
from bot.solver.kernel.layout import Playouts
from bot.stop import NEVER, Stop

# The policy that plays the games out: a look-ahead of two moves, over fewer cells than "best" considers.
PLAYER = Policy(endgame=256, near=0.9, outside=1, best_share=0.8, third=0)
_LARGEST = 10_000  # the most cells of a board on which many games can be played out
_SEED = 1  # the seed for drawing solutions; it is fixed so that results can be repeated


@dataclass(frozen=True, slots=True)
class Thought:
    """The result of thinking: the cell to guess (row by row), and the chance to win with each cell tried."""

    cell: int
    chances: dict[int, float]


def think(
    analysis: Analysis, policy: Policy, among: Container[int] | None = None, stop: Stop = NEVER
) -> Thought | None:
    """Return the cell to guess after a contest of good cells; the best one so far when ``stop`` says so.

    No cell may be proven safe, and the policy's own endgame must not be exact. The cells are those that
    ``policy`` finds good enough and that are in ``among`` (row by row, None: all). They are played out as
    long as that is expected to gain more than the policy's price. The same position has the same result.

    None if the policy should choose: there is one good cell only, a position too large to be played out, or
    an unknown mine total.
    """
    board, workspace = analysis.board, analysis.workspace
    if board.mines is None or board.states.size > _LARGEST or not analysis.exact or stop.stopped():
        return None
    _ = analysis.risks  # the kernel reads those of all cells
    games, how, player = Playouts(*board.shape), guess_policy(policy), guess_policy(PLAYER)
    games.seed[0] = _SEED
    games.allowed[:] = [among is None or cell in among for cell in range(board.states.size)]
    goes_on, chances = begin_contest(workspace, games, how) > 1, dict[int, float]()
    while goes_on and not stop.stopped():
        goes_on = play_round(workspace, games, how, player)
        if not games.played:
            return None
        cells, values = games.cells[: games.compared].tolist(), games.values[: games.compared].tolist()
        chances |= zip(cells, values, strict=True)
    if not chances:
        return None
    return Thought(cells[int(np.argmax(values))], chances)
