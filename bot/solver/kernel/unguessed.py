"""How far a game goes by proofs alone."""

from __future__ import annotations

from bot.solver.kernel.compiled import compiled
from bot.solver.kernel.layout import MINES_LEFT, UNKNOWNS, Bytes, Mind, Position
from bot.solver.kernel.play import numbers_of, proceed
from bot.solver.kernel.rules import reset, settle, show


@compiled
def left_unproven(
    mind: Mind, position: Position, board: Bytes, numbers: Bytes, mines: int, first: int
) -> int:
    """Open ``first`` and all that is proven safe; return how many cells without a mine stay covered.

    ``board``, (cells,), has 1 for each of the ``mines`` mines, and none at ``first``; ``numbers``, (cells,),
    is used meanwhile. ``position`` is left where the proofs end.
    """
    numbers_of(mind.topology, board, numbers)
    reset(mind.topology, position, mines)
    waiting = show(mind.topology, position, mind.work, first, numbers[first], 0)
    settle(mind.topology, position, mind.work, waiting)
    proceed(mind, position, numbers)
    return position.tally[UNKNOWNS] - position.tally[MINES_LEFT]
