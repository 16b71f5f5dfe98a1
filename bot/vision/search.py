"""Searching a picture for boards: known art by its skin, other art at first sight.

Where a grid is and what is on it is judged together: the grid that reads best is the board's. A skin that
fits is believed before the reader of unknown art is, unless it sees only a part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.geometry import Grid, Pixels, Rect
from bot.vision.complete import completed
from bot.vision.extent import with_extent
from bot.vision.panel import with_counter, with_face
from bot.vision.read import quality, read_candidate
from bot.vision.reading import Reading
from bot.vision.skin import STATES, Skin
from bot.vision.track import seen_below_pointer
from bot.vision.unknown.locate import extended, lattices, overlaps
from bot.vision.unknown.read import UNKNOWN, FirstSight, read_board

Heed = Callable[[], None]

_PART = 0.5  # of what first sight reads in a place: a skin that reads less sees only a part of the board


def _go_on() -> None:
    """Let a search go on."""


def read_picture(
    pixels: Pixels, skins: Sequence[Skin], first_sight: bool = False, heed: Heed = _go_on
) -> list[Reading]:
    """Return every board found in a BGR picture (height, width, 3) that one of ``skins`` fits, best first.

    A grid on which no skin can be read, or on which sample points and whole pictures disagree, is no board;
    with ``first_sight`` it is also read without any skin, by the cell reader and the rules of the game. Mine
    counters are looked for wherever the skin does not say where they are. ``heed`` is called again and again
    on the way, since a picture that almost shows a board takes seconds: it may end the search by raising.
    """
    places: list[Rect] = []
    found: list[Reading] = []
    for grid in lattices(pixels, places, heed):
        board = extended(pixels, grid)
        known = _known(pixels, grid if board is None else board.grid, skins, heed)
        if known is None and board is not None:  # a window may lie over a part of it
            known = _known(pixels, grid, skins, heed)
        here = [place.grid.rect for place in (known, board) if place is not None]
        if not here or any(overlaps(one, place) for one in here for place in places):
            continue
        places += here
        sight = None
        if first_sight and board is not None and (known is None or known.unreadable):
            sight = read_board(pixels, board)
        reading = _better(known, sight, _partial(skins))
        found += [] if reading is None else [reading]
    sides = {skin.name: skin.counter_right for skin in skins if skin.counter is None} | {UNKNOWN: None}
    counted = (with_counter(pixels, each, sides[each.skin]) if each.skin in sides else each for each in found)
    whole = (with_extent(pixels, each) for each in counted)
    return sorted((with_face(pixels, each) for each in whole), key=quality, reverse=True)


def _known(pixels: Pixels, grid: Grid, skins: Sequence[Skin], heed: Heed) -> Reading | None:
    """Return what the skin that fits best reads on the board around ``grid``; None if none fits."""
    fitting = [reading for skin in skins if (reading := read_candidate(pixels, grid, skin, heed))]
    return seen_below_pointer(pixels, max(fitting, key=_rank)) if fitting else None


def _partial(skins: Sequence[Skin]) -> frozenset[str]:
    """Return the names of the skins that lack states."""
    return frozenset(skin.name for skin in skins if set(STATES) - set(skin.shown))


def _rank(reading: Reading) -> tuple[bool, float]:
    """Return what tells the better one of two readings of one place: a whole board comes before a part."""
    return not reading.cut, quality(reading)


def _better(known: Reading | None, sight: FirstSight | None, partial: frozenset[str]) -> Reading | None:
    """Return the reading of a place by a skin, completed by first sight, or that of first sight alone."""
    if known is None or sight is None:
        return known if sight is None else sight.reading
    if quality(known) < _PART * sight.score:
        return sight.reading
    return completed(known, sight.reading, known.skin in partial) or known
