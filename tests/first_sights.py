"""Reading every board of a picture at first sight, as a bot does that has no skin at all."""

from __future__ import annotations

from bot.geometry import Pixels
from bot.vision import Reading
from bot.vision.grid import find_grids
from bot.vision.unknown.read import read_unknown


def first_sights(pixels: Pixels) -> list[Reading]:
    """Return the boards of a BGR picture that are read without any skin; of rivals in one place the best."""
    sights = [read_unknown(pixels, candidate.grid) for candidate in find_grids(pixels)]
    kept: list[Reading] = []
    for sight in sorted((sight for sight in sights if sight is not None), key=lambda sight: -sight.score):
        if all(sight.reading.grid.rect.intersection(other.grid.rect).empty for other in kept):
            kept.append(sight.reading)
    return kept
