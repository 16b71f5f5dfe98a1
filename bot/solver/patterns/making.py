"""Making a scheme of numbers and the cells around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.solver.constraints import bits
from bot.solver.patterns.drawing import COVERED, MINE, SAFE, Place, drawn, said_by, settled_by
from bot.solver.patterns.placements import bounds
from bot.solver.patterns.rules import order_of
from bot.solver.patterns.scheme import Scheme


def scheme_of(places: Sequence[Place], needs: Sequence[int], cells: Mapping[int, Sequence[Place]]) -> Scheme:
    """Return what numbers that need so many mines say, its order left open (0).

    ``cells`` gives for each set of numbers the cells around exactly these. More cells than make a difference
    are not drawn. Raises PatternError if nothing is settled.
    """
    sets = list(cells)
    rooms = tuple(len(cells[chosen]) for chosen in sets)
    found = bounds(needs, sets, rooms)
    assert found is not None, "no placement of mines fits these numbers"
    marks = {place: str(need) for place, need in zip(places, needs, strict=True)}
    for chosen, room, least, most in zip(sets, rooms, *found, strict=True):
        few = max(1, min(needs[i] for i in bits(chosen)))
        if most == 0:
            mark, shown = SAFE, min(room, few)
        elif least == room:
            mark, shown = MINE, room
        else:
            mark, shown = COVERED, min(room, few + 1)  # one more, or all of them could be mines
        marks.update(dict.fromkeys(cells[chosen][:shown], mark))
    return Scheme.drawn(drawn(marks), 0)


def ordered(scheme: Scheme) -> Scheme:
    """Return a scheme with its order, 0 if that is above the highest that is looked for."""
    return replace(scheme, order=order_of(said_by(scheme.rows), settled_by(scheme.rows)) or 0)
