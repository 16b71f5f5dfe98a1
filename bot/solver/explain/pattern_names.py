"""The names that players give to patterns, such as 1-1 and 1-2-1.

A name is defined by examples: fields in which players use it. The solver finds out which cells these fields
settle, and by which numbers; a proof from numbers in the same relation has the same name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import permutations

from bot.board import Board, Cell
from bot.solver.constraints import System
from bot.solver.counting import Known
from bot.solver.decision import Constraint
from bot.solver.exact import prove_parts
from bot.solver.explain.proofs import nearest
from bot.solver.explain.reasoning import counted, remaining

# "+" means that the second number has more than one cell that no other number touches; "C" means that the
# first number has such cells, too, which are then also settled. Short names come first: what the first
# numbers of a longer pattern settle alone gets the shorter name.
EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "1-1": (".../11W",),
    "1-1+": (".../11./WWW",),
    "1-2": (".../12W",),
    "1-2C": ("..../W12W", "..../.12W"),
    "1-2+": (".../13./WWW", ".../14./WW."),
    "1-2C+": ("..../W13.", "..../.13.", "..../W14./WWW.", "..../.14./WWW."),
    "1-2-1": (".../121", "..../W121", "..../.121", "...../W121W", "...../.121W", "...../.121."),
    "1-2-2-1": ("..../1221", "...../W1221", "...../.1221", "....../W1221W", "....../.1221W", "....../.1221."),
}
_MOST = 4  # numbers in the longest of them
# What numbers need; and for each set of them whether one cell or more (2) are around exactly these.
Signature = tuple[tuple[int, ...], tuple[tuple[tuple[int, ...], int], ...]]


def name_of(proof: Iterable[Constraint]) -> str:
    """Return the players' name for the pattern by which ``proof`` settles a cell, "" if it has no name."""
    proof = list(proof)
    if any(one.source is None for one in proof):
        return ""
    return _names().get(_signature(proof), "")


@cache
def _names() -> Mapping[Signature | None, str]:
    """Return the name for each signature of a proof in one of the `EXAMPLES`."""
    names: dict[Signature | None, str] = {}
    for name, examples in EXAMPLES.items():
        for rows in examples:
            board, safe, mines = settled_in(rows)
            for mine, cells in ((False, safe), (True, mines)):
                for cell in cells:
                    for proof in nearest(board, [cell], mine=mine):
                        names.setdefault(_signature(proof.constraints), name)
    return names


def settled_in(rows: str) -> tuple[Board, list[Cell], list[Cell]]:
    """Return the field of an example, and the cells of it that are proven safe and proven mines."""
    board = Board.from_rows(rows.split("/"))
    system = System.of(board)
    known = prove_parts(system, Known())
    return board, system.cells(known.safe), system.cells(known.mines)


def _signature(proof: Sequence[Constraint]) -> Signature | None:
    """Return a key that stays the same if the field is rotated or mirrored, or if cells are exchanged in it.

    Numbers whose cells are all settled by counting are left out, after they have reduced the needs of the
    others. Of the cells around the same numbers, it only matters whether there is one or more. Return None
    if more numbers are left than any pattern with a name has.
    """
    known = counted(proof).known
    numbers = [(rest, need) for rest, need in (remaining(one, known) for one in proof) if rest]
    if len(numbers) > _MOST:
        return None
    return min(
        (tuple(need for _, need in order), _groups([cells for cells, _ in order]))
        for order in permutations(numbers)
    )


def _groups(numbers: Sequence[frozenset[Cell]]) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return the sets of ``numbers`` around the cells, each once, with 1 for one cell, 2 for several."""
    around = (
        tuple(place for place, cells in enumerate(numbers) if cell in cells)
        for cell in frozenset[Cell]().union(*numbers)
    )
    return tuple(sorted((chosen, min(2, count)) for chosen, count in Counter(around).items()))
