"""Which moves of a round may be sent in one go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.board import Cell
from bot.player.proven import Proven
from bot.player.reach import Reach
from bot.solver.decision import Move

Legs = tuple[tuple[Move, ...], ...]  # each is a tour of its own; all are sent in one go


@dataclass(frozen=True, slots=True)
class Opening:
    """A left click or a chord, and the proven cells that it opens, whatever they are."""

    move: Move
    cells: frozenset[Cell]


def burst(marks: tuple[Move, ...], openings: Sequence[Opening], proven: Proven) -> Legs:
    """Return the moves that can be sent without looking in between: flags, and what is opened.

    All of them, but no click may come after the one that wins the game: it would land in the dialog that
    follows. If all together may win, the last one is an opening without which a cell stays closed that
    nothing else opens. By itself only a zero opens what was still to be clicked: where there is no such
    last one, what cannot be a zero is sent, and of all others only one.
    """
    moves = tuple(opening.move for opening in openings)
    if len(marks) + len(moves) < 2:
        return (marks + moves,)
    reach = Reach(proven)
    opened = {cell for opening in openings for cell in opening.cells}
    if not (marks or reach.may_be_zero(opened)) or not reach.may_win(reach.of(opened)):
        return (marks + moves,)
    zeros = [opening for opening in openings if reach.may_be_zero(opening.cells)]
    certain = [opening for opening in openings if not reach.may_be_zero(opening.cells)]
    some = (openings, (*certain, *zeros[:1]), openings[:1])
    last = next(found for chosen in some if (found := _with_last(chosen, reach)))
    return tuple(leg for leg in (marks + last[:-1], last[-1:]) if leg)


def _with_last(openings: Sequence[Opening], reach: Reach) -> tuple[Move, ...]:
    """Return the moves of ``openings``, the last of which opens what no other can; () if none does."""
    once = twice = 0
    opened = [reach.of(opening.cells) for opening in openings]
    for cells in opened:
        once, twice = once | cells, twice | once & cells
    own = (place for place, opening in enumerate(openings) if reach.mask(opening.cells) & ~twice)
    last = next(own, None)
    if last is None:
        return ()
    moves = [opening.move for opening in openings]
    return (*moves[:last], *moves[last + 1 :], moves[last])
