"""The names that players give to patterns.

A name is given by example: fields in which they speak of it. What these settle, and by which numbers, is left
to the solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

import numpy as np

from bot.board import Board, Cell
from bot.solver.constraints import System, bits, mask_with
from bot.solver.counting import Known
from bot.solver.decision import Constraint
from bot.solver.exact import prove_parts
from bot.solver.explain.proofs import nearest
from bot.solver.published.novitsky.pattern import (
    MINE,
    SAFE,
    WALL,
    Pattern,
    Rows,
    Settled,
    moved,
    orders,
    prove,
)

# In the words of the players: + is said where the second number has more than one cell to itself, C where
# the first number has cells to itself as well, which are settled along with the others. Short ones come
# first: what the first numbers of a longer one settle alone is called after these.
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
Signature = tuple[tuple[int, ...], tuple[tuple[int, int], ...]]


def name_of(proof: Iterable[Constraint]) -> str:
    """Return what players call the pattern by which constraints settle a cell, "" if it has no name."""
    proof = list(proof)
    if any(one.source is None for one in proof):
        return ""
    return _names().get(_signature(proof), "")


@cache
def _names() -> Mapping[Signature, str]:
    """Return the names by what is alike in all fields in which they are used."""
    names: dict[Signature, str] = {}
    for name, examples in EXAMPLES.items():
        for rows in examples:
            board, safe, mines = settled_in(rows)
            for mine, cells in ((False, safe), (True, mines)):
                for cell in cells:
                    for proof in nearest(board, [cell], mine=mine):
                        names.setdefault(_signature(proof.constraints), name)
    return names


def settled_in(rows: str) -> tuple[Board, list[Cell], list[Cell]]:
    """Return the field of an example, its safe cells and its mines."""
    board = Board.from_rows(rows.split("/"))
    system = System.of(board)
    known = prove_parts(system, Known())
    return board, system.cells(known.safe), system.cells(known.mines)


def names_in(patterns: Sequence[Pattern]) -> dict[Rows, str]:
    """Return the names that drawings of a library have: those of the fields that they settle alone."""
    named = [
        (name, Pattern.drawn(drawing_of(rows), 0)) for name, examples in EXAMPLES.items() for rows in examples
    ]
    names = {
        pattern.rows: dict.fromkeys(name for name, field in named if pattern.covers(field))
        for pattern in patterns
    }
    return {rows: ", ".join(found) for rows, found in names.items() if found}


def drawn_examples() -> list[tuple[str, Rows]]:
    """Return the names, each with the simplest field that has it, and what is settled in that."""
    return [(name, drawing_of(examples[0])) for name, examples in EXAMPLES.items()]


def drawing_of(rows: str) -> Rows:
    """Return the field of an example as a drawing, with what is settled in it."""
    _, safe, mines = settled_in(rows)
    marks = np.array([list(line.replace("W", WALL)) for line in rows.split("/")])
    for mark, cells in ((SAFE, safe), (MINE, mines)):
        for cell in cells:
            marks[cell] = mark
    return tuple("".join(line) for line in marks)


def _signature(proof: Sequence[Constraint]) -> Signature:
    """Return what does not change when a field is turned or mirrored, or when cells are exchanged in it.

    Numbers that are settled by counting are left out: they are why others are as small as they are. Of cells
    around the same numbers it only counts whether they are more than one.
    """
    cells = sorted(frozenset[Cell]().union(*(one.cells for one in proof)))
    numbers = [(mask_with(map(cells.index, one.cells)), one.mines) for one in proof]
    safe, mines = prove(numbers, 1) or Settled()
    rest = [(mask & ~(safe | mines), need - (mask & mines).bit_count()) for mask, need in numbers]
    rest = [(mask, need) for mask, need in rest if mask]
    groups: dict[int, int] = {}
    for cell in {cell for mask, _ in rest for cell in bits(mask)}:
        chosen = sum(1 << i for i, (mask, _) in enumerate(rest) if mask >> cell & 1)
        groups[chosen] = min(2, groups.get(chosen, 0) + 1)
    needs = tuple(need for _, need in rest)
    return min(
        (
            tuple(needs[i] for i in order),
            tuple(sorted((moved(chosen, order), size) for chosen, size in groups.items())),
        )
        for order in orders(needs)
    )
