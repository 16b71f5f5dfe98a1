"""Which moves of a round may be sent in one go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.board import Cell
from bot.player.proven import Proven
from bot.solver.decision import Move

Legs = tuple[tuple[Move, ...], ...]  # each is a tour of its own; all are sent in one go


@dataclass(frozen=True, slots=True)
class Opening:
    """A left click or a chord, and the proven cells that it opens, whatever they are."""

    move: Move
    cells: frozenset[Cell]


def burst(marks: tuple[Move, ...], openings: Sequence[Opening], proven: Proven) -> Legs:
    """Return the moves that can be sent without looking in between: flags, and what is opened.

    All of them, unless one before the last could already win the game: a click after the win lands in the
    dialog that follows it. Then flags go before all else. By itself only a zero can win early, by opening
    cells that were still to be clicked: what cannot open zeros goes first, and after that one at a time.
    """
    moves = tuple(opening.move for opening in openings)
    maybe_zero = {one.move for one in openings if not all(map(proven.touches_mine, one.cells))}
    cells = frozenset[Cell]().union(*(opening.cells for opening in openings))
    if len(marks) + len(moves) < 2 or not (marks or maybe_zero) or not proven.may_win(cells):
        return (marks + moves,)
    certain = tuple(move for move in moves if move not in maybe_zero)
    return tuple(leg for leg in (marks, certain or moves[:1]) if leg)
