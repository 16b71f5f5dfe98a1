"""Reading a board of a known skin at a place where it may be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from bot.geometry import Grid, Pixels
from bot.vision.cells import PLAIN, Cells, agreed, first_tone, read_pictures, read_points
from bot.vision.colours import refined, supposed_tones
from bot.vision.fit import extent, fit
from bot.vision.groups import with_groups
from bot.vision.palette import palette_of, shown_in
from bot.vision.reading import Reading
from bot.vision.skin import Skin
from bot.vision.stretch import inside, scale_of, unstretched
from bot.vision.tone import Tone, softened
from bot.vision.track import as_reading
from bot.vision.trust import consistent, plausible, whole

_AGREE = 0.9  # of the cells that both can read, points and pictures must read the same
_PROMISING = 0.35  # of the cells of a grid of about the right size must be readable to look on
_READ = 0.5  # of all cells must be readable: the rest may be under a dialog
_BOTH = 0.25  # of the read cells must be read by the points too
_FEWEST = 9  # cells that must be read
_FEW_UNREADABLE = 0.01  # of all cells: with more of them other tones are tried
_TONES = 2
_SURE = 0.7  # confidence: the second state is more than three times as far away
_SEVERAL = 4  # states


def read_candidate(
    pixels: Pixels, grid: Grid, skin: Skin, heed: Callable[[], None] = lambda: None
) -> Reading | None:
    """Return what ``skin`` reads near ``grid``, fitted exactly; None if it is no board of that skin.

    Where it cannot be read as the screen is supposed to show it, it is tried in the picture's own colours if
    these are few, and in the tones under which the cells look most like the skin. ``heed`` is called before
    each try.
    """
    reading = None
    for shown, tone in _suppositions(pixels, grid, skin):
        heed()
        other = _read_toned(pixels, grid, shown, tone)
        if other is not None and (reading is None or quality(other) > quality(reading)):
            reading = other
        if reading is not None and len(reading.unreadable) <= _FEW_UNREADABLE * reading.board.states.size:
            break
    return reading


def _suppositions(pixels: Pixels, grid: Grid, skin: Skin) -> Iterator[tuple[Skin, Tone]]:
    """Yield what the skin and the screen's tone may be, the likeliest first."""
    canvas, scale = unstretched(pixels, grid, skin.cell), scale_of(grid, skin.cell)
    first = first_tone(canvas, skin)
    yield skin, first
    if palette := palette_of(pixels, grid):
        yield shown_in(skin, first, palette), PLAIN
    seen = softened(canvas, skin.cell)[inside(pixels, grid).reshape(-1)]
    for tone in supposed_tones(seen, skin, scale)[:_TONES]:
        yield skin, tone


def _read_toned(pixels: Pixels, grid: Grid, skin: Skin, tone: Tone) -> Reading | None:
    """Return what ``skin`` reads near ``grid`` on a screen of about that tone."""
    fitted = fit(pixels, grid, skin, tone)
    if fitted is None:
        return None
    tone, readable = _measured(pixels, fitted, skin, tone)
    if readable < _PROMISING:
        return None
    if readable < 1 - _FEW_UNREADABLE:
        fitted, tone = _refitted(pixels, fitted, skin, tone)
    grid = extent(pixels, fitted, skin, tone)
    if grid != fitted:  # more cells tell the pitch more exactly
        grid = fit(pixels, grid, skin, tone) or grid
    found = whole(pixels, grid, skin, tone)
    if found is None:
        return None
    whole_grid, hidden = found
    reading = _read_twice(pixels, whole_grid, skin, tone)
    return replace(reading, cut=hidden) if reading is not None and plausible(reading, skin) else None


def _measured(pixels: Pixels, grid: Grid, skin: Skin, tone: Tone) -> tuple[Tone, float]:
    """Return the tone that the cells show, and which part of them their pictures tell then."""
    canvas, scale = unstretched(pixels, grid, skin.cell), scale_of(grid, skin.cell)
    seen = softened(canvas, skin.cell)[inside(pixels, grid).reshape(-1)]
    tone = refined(seen, skin, scale, tone)
    return tone, float(read_pictures(canvas, tone, skin, scale).readable.mean())


def _refitted(pixels: Pixels, grid: Grid, skin: Skin, tone: Tone) -> tuple[Grid, Tone]:
    """Return the grid near this one, with its best tone, at which most cells can be read.

    What was fitted with a tone that is not quite right may be a pixel off, which makes the tone worse.
    """
    steps = product((-1, 0, 1), repeat=2)
    places = [grid.moved(dx * grid.pitch_x / skin.cell, dy * grid.pitch_y / skin.cell) for dx, dy in steps]
    found = {place: _measured(pixels, place, skin, tone) for place in places}
    best = max(found, key=lambda place: found[place][1])
    if exact := fit(pixels, best, skin, found[best][0]):
        found[exact] = _measured(pixels, exact, skin, found[best][0])
        best = exact if found[exact][1] >= found[best][1] else best
    return best, found[best][0]


def _read_twice(pixels: Pixels, grid: Grid, skin: Skin, tone: Tone) -> Reading | None:
    """Return what points and whole pictures read together; None if they say that it is no board."""
    canvas, scale = unstretched(pixels, grid, skin.cell), scale_of(grid, skin.cell)
    pictures = read_pictures(canvas, tone, skin, scale)
    if pictures.readable.sum() < max(_FEWEST, _READ * pictures.states.size):
        return None
    points = read_points(canvas, tone, skin, scale)
    cells = with_groups(agreed(points, pictures), canvas, skin, scale, tone, inside(pixels, grid))
    return as_reading(pixels, grid, skin, tone, cells) if _accepted(points, pictures, cells) else None


def _accepted(points: Cells, pictures: Cells, cells: Cells) -> bool:
    """Return whether points and whole pictures say together that this is a board of the skin.

    Where a screen shows few colours the points may see too little: then the pictures must be very sure, or
    the ``cells`` that follow from both must keep to the rules of the game.
    """
    read, both = pictures.readable, pictures.readable & points.readable
    if both.sum() < _BOTH * read.sum() and not (_sure(pictures) or consistent(cells.states)):
        return False
    return not both.any() or bool((points.states == pictures.states)[both].mean() >= _AGREE)


def _sure(pictures: Cells) -> bool:
    """Return whether cells in several states are all read with confidence."""
    states, confidence = pictures.states[pictures.readable], pictures.confidence[pictures.readable]
    least = [float(np.median(confidence[states == state])) for state in np.unique(states)]
    return sum(value >= _SURE for value in least) >= max(_SEVERAL, 0.6 * len(least))


def quality(reading: Reading) -> float:
    """Return how much of how large a board was read: the better of two readings of one place is larger."""
    return float(reading.confidence.sum()) - len(reading.unreadable)
