"""Proofs order by order, from the base rules alone.

First order is counting: a number whose mines are all known makes its other cells safe, one that needs all
of its open cells makes them mines. Order n supposes a mine in each of the places that a number leaves, one
after the other, and applies order n - 1 to each case: what refutes itself is safe, what all other cases share
holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.solver.constraints import bits

Number = tuple[int, int]  # the mask of the covered cells that it counts, and how many of them are mines
HIGHEST = 4  # order that is looked for; what needs more takes too long to be worth a place in a library


class Settled(NamedTuple):
    """Masks of the cells that are proven to be safe, and to be mines."""

    safe: int = 0
    mines: int = 0


NOTHING = Settled()


def prove(numbers: Sequence[Number], order: int, known: Settled = NOTHING) -> Settled | None:
    """Return what ``numbers`` settle by a proof of this order, ``known`` included; None if they clash."""
    while True:
        counted = _count(numbers, known)
        if counted is None or order == 1:
            return counted
        found = _suppose(numbers, order - 1, counted)
        if found is None or found == counted:
            return found
        known = found


def order_of(numbers: Sequence[Number], wanted: Settled) -> int | None:
    """Return the lowest order that proves what is ``wanted``, None if it is above `HIGHEST`."""
    for order in range(1, HIGHEST + 1):
        found = prove(numbers, order)
        if found and not (wanted.safe & ~found.safe or wanted.mines & ~found.mines):
            return order
    return None


def _count(numbers: Sequence[Number], known: Settled) -> Settled | None:
    safe, mines = known
    changed = True
    while changed:
        changed = False
        for mask, number in numbers:
            need, rest = number - (mask & mines).bit_count(), mask & ~(safe | mines)
            if need < 0 or need > rest.bit_count():
                return None
            if rest and need == 0:
                safe, changed = safe | rest, True
            elif rest and need == rest.bit_count():
                mines, changed = mines | rest, True
    return Settled(safe, mines)


def _suppose(numbers: Sequence[Number], order: int, known: Settled) -> Settled | None:
    """Return ``known`` with what a mine in each of the places of some number adds to it."""
    safe, mines = known
    for mask, number in numbers:
        if number == (mask & mines).bit_count():
            continue  # all its mines are known by now: counting will say so
        refuted, shared = 0, Settled(-1, -1)
        for cell in bits(mask & ~(safe | mines)):
            case = prove(numbers, order, Settled(safe, mines | 1 << cell))
            if case is None:
                refuted |= 1 << cell
            else:
                shared = Settled(shared.safe & case.safe, shared.mines & case.mines)
        if refuted and shared == (-1, -1):
            return None
        if shared != (-1, -1):
            safe, mines = safe | shared.safe, mines | shared.mines
        safe |= refuted
    return Settled(safe, mines)
