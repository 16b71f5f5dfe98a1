"""Boards of an art that no skin describes, anywhere in a picture."""

from __future__ import annotations

from collections.abc import Collection

from bot.geometry import Pixels, Rect
from bot.vision.grid import find_grids
from bot.vision.unknown.read import FirstSight, read_unknown


def find_unknown(pixels: Pixels, known: Collection[Rect] = ()) -> list[FirstSight]:
    """Return the boards that can be read at first sight in a BGR picture (height, width, 3), best first.

    Places in ``known`` are left out. Of rival grids in one place the one that reads best is taken.
    """
    candidates = [candidate.grid for candidate in find_grids(pixels)]
    sights = [
        sight
        for grid in candidates
        if not _over_any(grid.rect, known) and (sight := read_unknown(pixels, grid))
    ]
    best: list[FirstSight] = []
    for sight in sorted(sights, key=lambda sight: -sight.score):
        if not _over_any(sight.reading.grid.rect, [other.reading.grid.rect for other in best]):
            best.append(sight)
    return best


def _over_any(rect: Rect, others: Collection[Rect]) -> bool:
    return any(not rect.intersection(other).empty for other in others)
