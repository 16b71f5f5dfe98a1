"""Searching a picture for boards: known art by its skin, other art at first sight.

Where a grid is and what is on it is judged together: rival grids of one place are all read, and the one that
reads best is the board. A skin that fits is believed before shapes are, unless it sees only a part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from bot.geometry import Grid, Pixels, Rect
from bot.vision.complete import completed
from bot.vision.extent import with_extent
from bot.vision.grid import find_grids
from bot.vision.panel import with_counter, with_face
from bot.vision.read import quality, read_candidate
from bot.vision.reading import Reading
from bot.vision.skin import STATES, Skin
from bot.vision.track import seen_below_pointer
from bot.vision.unknown.read import UNKNOWN, FirstSight, read_unknown

Heed = Callable[[], None]

_MOST = 6  # rival grids of one place that are read at first sight
_LARGER = 2.0  # times the cells of a board that was read without a doubt: a grid on it may be the whole
_PART = 0.5  # of what first sight reads in a place: a skin that reads less sees only a part of the board


def _go_on() -> None:
    """Let a search go on."""


def read_picture(
    pixels: Pixels, skins: Sequence[Skin], first_sight: bool = False, heed: Heed = _go_on
) -> list[Reading]:
    """Return every board found in a BGR picture (height, width, 3) that one of ``skins`` fits, best first.

    A grid on which no skin can be read, or on which sample points and whole pictures disagree, is no board;
    with ``first_sight`` it is also read without any skin, by shapes, colours and the rules of the game. Mine
    counters are looked for wherever the skin does not say where they are. ``heed`` is called again and again
    on the way, since a picture that almost shows a board takes seconds: it may end the search by raising.
    """
    grids = [candidate.grid for candidate in find_grids(pixels, heed=heed)]
    found = _known(pixels, grids, skins, heed)
    sides = {skin.name: skin.counter_right for skin in skins if skin.counter is None}
    if first_sight:
        open_grids = [grid for grid in grids if not _explained(grid, found)]
        found = _with_sights(found, first_sights(pixels, open_grids, heed), _partial(skins))
        sides[UNKNOWN] = None
    counted = (with_counter(pixels, each, sides[each.skin]) if each.skin in sides else each for each in found)
    whole = (with_extent(pixels, each) for each in counted)
    return sorted((with_face(pixels, each) for each in whole), key=quality, reverse=True)


def find_unknown(pixels: Pixels, known: Iterable[Rect] = ()) -> list[FirstSight]:
    """Return the boards of a BGR picture that can be read without any skin, best first.

    Places in ``known`` are left out.
    """
    places = list(known)
    grids = [candidate.grid for candidate in find_grids(pixels)]
    return first_sights(pixels, (grid for grid in grids if not _over_any(grid.rect, places)))


def first_sights(pixels: Pixels, grids: Iterable[Grid], heed: Heed = _go_on) -> list[FirstSight]:
    """Return what can be read without any skin on ``grids``, of rivals in one place the best, best first.

    ``grids`` are the candidates of a BGR picture, the likeliest first.
    """
    tried: list[Grid] = []
    sights: list[FirstSight] = []
    for grid in grids:
        if sum(_overlap(grid, other) for other in tried) >= _MOST or _settled(grid, sights):
            continue
        tried.append(grid)
        heed()
        if sight := read_unknown(pixels, grid):
            sights.append(sight)
    best: list[FirstSight] = []
    for sight in sorted(sights, key=lambda sight: -sight.score):
        if not any(_overlap(sight.reading.grid, other.reading.grid) for other in best):
            best.append(sight)
    return best


def _settled(grid: Grid, sights: Sequence[FirstSight]) -> bool:
    """Return whether a board that is not much smaller was read there without a doubt."""
    return any(
        sight.certain.all()
        and _overlap(grid, sight.reading.grid)
        and grid.rows * grid.cols <= _LARGER * sight.certain.size
        for sight in sights
    )


def _known(pixels: Pixels, grids: Sequence[Grid], skins: Sequence[Skin], heed: Heed) -> list[Reading]:
    """Return the boards that a skin fits, of rivals in one place the one that reads best."""
    found: list[Reading] = []
    for grid in grids:
        if _explained(grid, found):
            continue
        fitting = [reading for skin in skins if (reading := read_candidate(pixels, grid, skin, heed))]
        if fitting:
            found = _with(found, seen_below_pointer(pixels, max(fitting, key=_rank)))
    return found


def _explained(grid: Grid, found: Sequence[Reading]) -> bool:
    """Return whether a board was found there that was read without a doubt."""
    return any(not reading.unreadable and _overlap(grid, reading.grid) for reading in found)


def _with(found: list[Reading], new: Reading) -> list[Reading]:
    """Return the readings with ``new``, keeping the better one where two lie over each other."""
    rivals = [old for old in found if _overlap(old.grid, new.grid)]
    if any(_rank(old) >= _rank(new) for old in rivals):
        return found
    return [*(old for old in found if old not in rivals), new]


def _partial(skins: Sequence[Skin]) -> frozenset[str]:
    """Return the names of the skins that lack states."""
    return frozenset(skin.name for skin in skins if set(STATES) - set(skin.shown))


def _rank(reading: Reading) -> tuple[bool, float]:
    """Return what tells the better one of two readings of one place: a whole board comes before a part."""
    return not reading.cut, quality(reading)


def _with_sights(
    known: list[Reading], sights: Sequence[FirstSight], partial: frozenset[str]
) -> list[Reading]:
    """Return the known boards, completed by first sight, and those that no skin reads as well."""
    for sight in sights:
        rivals = [old for old in known if _overlap(old.grid, sight.reading.grid)]
        others = [old for old in known if old not in rivals]
        if all(quality(old) < _PART * sight.score for old in rivals):
            known = [*others, sight.reading]
        elif len(rivals) == 1:
            (old,) = rivals
            known = [*others, completed(old, sight.reading, old.skin in partial) or old]
    return known


def _over_any(rect: Rect, places: Iterable[Rect]) -> bool:
    return any(not rect.intersection(place).empty for place in places)


def _overlap(one: Grid, other: Grid) -> bool:
    return _over_any(one.rect, [other.rect])
