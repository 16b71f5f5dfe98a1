"""Searching a picture for grids of every size of cell."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from bot.geometry import Grid, Pixels
from bot.vision.grid.comb import Seed, find_seeds
from bot.vision.grid.cut import Side, cut_sides
from bot.vision.grid.extent import rivals
from bot.vision.grid.grown import CERTAIN, Grown, grown_from
from bot.vision.grid.growth import grow, part, start
from bot.vision.grid.lattice import score
from bot.vision.grid.lines import Lines, find_lines, grey, longer, shrunk
from bot.vision.grid.measure import enlarged
from bot.vision.grid.refine import refined

SCALES = (1, 2, 4)  # cells of 12 to 23, 24 to 47 and 48 to 95 pixels
_SMALLEST = 4 * 12  # pixels of a picture worth searching
# Pixels of a line: what bevels and round corners leave of a 12 pixel cell; and if that shows no board, longer
# ones, since only those stand out of dither.
LENGTHS = (7, 14)
WEAKEST = 0.3  # score of a candidate
_WEAKEST_SEED = 0.15
_WEAKEST_START = 0.2
_LOOKS = 200  # seeds a scale that are looked at, at a third of a millisecond each
_TRIES = 40  # of those that are grown to grids, at 3 ms each
_DEAR = 3  # tries that a pattern costs, since it grows far
_AREA = 256  # pixels: seeds of the same steps that are nearer than this are of one kind
_FAILURES = 2  # seeds of a kind that are no grid before the others are left out
_RIVAL = 0.8  # score of the next grid in the same place
_FEW_MORE = 2  # rows or columns that a rival may have more to be measured together with the first
_ONE_PLACE = 0.5  # part of a grid that lies in another if they are rivals
_RIVALS = 4  # candidates of one place, at most
_HOPELESS = 0.5  # of the score of the best there: no rival, but part of it
_SAME = 0.95  # part that two grids share if they are one
_STRAY = 2.0  # pixels by which a pitch may differ from that in the first window
_SQUARE = 0.32  # by how much cells may differ from squares, as a logarithm


@dataclass(frozen=True, slots=True)
class Candidate:
    """A grid that may be a board. ``score`` is 0 to 1: how well lines support all sides of its cells.

    ``cut`` holds the sides at which the picture ends within the board; how many more rows or columns there
    are cannot be seen.
    """

    grid: Grid
    score: float
    cut: frozenset[Side] = frozenset()


@dataclass(frozen=True, slots=True)
class _Rough:
    """A candidate that was found in a copy of the picture 1 / ``scale`` the size, and not measured yet.

    ``small`` is its grid there; rivals that came of one seed share ``first``, the best grid of them.
    """

    small: Grid
    first: Grid
    scale: int
    shortest: int
    score: float
    cut: frozenset[Side]

    @property
    def grid(self) -> Grid:
        """About where it is in the picture."""
        return enlarged(self.small, self.scale)


def _go_on() -> None:
    """Let a search go on."""


def find_grids(pixels: Pixels, limit: int = 8, heed: Callable[[], None] = _go_on) -> list[Candidate]:
    """Return up to ``limit`` grids in a BGR picture (height, width, 3), best first; [] if there are none.

    Cells may be 12 to 80 pixels, nearly square, at any fraction of a pixel; at least four rows and columns.
    Several boards in a picture are several candidates, and so are rival grids in the same place. ``heed`` is
    called again and again on the way and may end the search by raising.
    """
    if min(pixels.shape[:2]) < _SMALLEST:
        return []
    brightness = grey(pixels)
    found: list[_Rough] = []
    grown: list[Grown] = []
    known: dict[int, Lines] = {}
    for shortest in LENGTHS:
        for scale in SCALES:
            lines = known[scale] = _lines(brightness, scale, shortest, known)
            found += _search(lines, scale, shortest, grown, heed)
            if _filled(brightness, grown):
                break
        if any(one.score >= CERTAIN for one in grown):
            break
    return _measured(brightness, _foremost(found, limit))


def _foremost(found: list[_Rough], limit: int) -> list[_Rough]:
    """Return the best candidates, best first, without the many weak rivals that one place may have."""
    chosen: list[_Rough] = []
    for candidate in sorted(found, key=lambda candidate: -candidate.score):
        rivals = [other for other in chosen if _shared(candidate.grid, other.grid) > _ONE_PLACE]
        if len(rivals) < _RIVALS and not any(candidate.score < _HOPELESS * other.score for other in rivals):
            chosen.append(candidate)
    return chosen[:limit]


def _area(seed: Seed) -> tuple[int, ...]:
    """Return what seeds of about the same cells in about the same place have in common."""
    return (
        seed.window.x // _AREA,
        seed.window.y // _AREA,
        round(seed.across.pitch / 2),
        round(seed.down.pitch / 2),
    )


def _filled(brightness: Pixels, grown: list[Grown]) -> bool:
    """Return whether a certain board leaves no room for another one like it."""
    areas = (one.grid.width * one.grid.height for one in grown if one.score >= CERTAIN)
    return max(areas, default=0.0) > 0.5 * brightness.size


def _lines(brightness: Pixels, scale: int, shortest: int, known: dict[int, Lines]) -> Lines:
    """Return the lines of a copy 1 / ``scale`` the size; shorter ones of it may be ``known``."""
    if scale in known:
        return longer(known[scale], shortest)
    return find_lines(shrunk(brightness, scale), shortest)


def _search(
    lines: Lines, scale: int, shortest: int, grown: list[Grown], heed: Callable[[], None]
) -> list[_Rough]:
    """Return the candidates with cells of this scale that ``grown`` grids do not explain; add to those."""
    found: list[_Rough] = []
    looks = tries = 0
    failed: Counter[tuple[int, ...]] = Counter()
    for seed in find_seeds(lines, _WEAKEST_SEED):
        area = _area(seed)
        if failed[area] >= _FAILURES or any(one.explains(seed, scale) for one in grown):
            continue
        if looks >= _LOOKS or tries >= _TRIES:
            break
        looks += 1
        heed()
        first = _start(lines, seed)
        grids, value = ([], 0.0) if first is None else _candidates(lines, first)
        tries += first is not None
        failed[area] += not grids
        if grids:
            whole = grown_from(lines, grids[0], value, scale)
            grown.append(whole)
            if whole.endless and whole.score < CERTAIN:
                tries += _DEAR
                continue
        here = [one.small for one in found]
        for place, grid in enumerate(grids):
            if not _known(grid, here):
                cut = cut_sides(lines, grid)
                found.append(_Rough(grid, grids[0], scale, shortest, value * _RIVAL**place, cut))
    return found


def _measured(brightness: Pixels, found: list[_Rough]) -> list[Candidate]:
    """Return the candidates in pixels of the picture, measured there."""
    exact: list[Candidate] = []
    firsts: dict[tuple[Grid, int], tuple[Grid, Grid]] = {}  # of each seed: a grid that is measured, and how
    for rough in found:
        key = rough.first, rough.scale
        first, whole = firsts.get(key, (None, None))
        grid = None if first is None or whole is None else _beside(rough.small, first, whole)
        if grid is None:
            grid = refined(brightness, rough.small, rough.scale, rough.shortest)
            firsts.setdefault(key, (rough.small, grid))
        exact.append(Candidate(grid, rough.score, rough.cut))
    return exact


def _beside(grid: Grid, first: Grid, measured: Grid) -> Grid | None:
    """Return ``grid`` as its rival ``first`` was ``measured``; None if they have too few cells in common."""
    top, left = round((grid.y - first.y) / grid.pitch_y), round((grid.x - first.x) / grid.pitch_x)
    more = max(abs(top), abs(left), abs(grid.rows - first.rows), abs(grid.cols - first.cols))
    return None if more > _FEW_MORE else part(measured, top, left, top + grid.rows, left + grid.cols)


def _known(grid: Grid, here: list[Grid]) -> bool:
    return any(
        (grid.rows, grid.cols) == (other.rows, other.cols) and _overlap(grid, other) > _SAME for other in here
    )


def _overlap(first: Grid, second: Grid) -> float:
    """Return the part of the larger grid that both share."""
    both = first.rect.intersection(second.rect)
    areas = (rect.width * rect.height for rect in (first.rect, second.rect))
    return both.width * both.height / max(areas)


def _shared(first: Grid, second: Grid) -> float:
    """Return the part of the smaller grid that both share."""
    both = first.rect.intersection(second.rect)
    areas = (rect.width * rect.height for rect in (first.rect, second.rect))
    return both.width * both.height / min(areas)


def _start(lines: Lines, seed: Seed) -> Grid | None:
    """Return the cells in the window of ``seed``; None if too few lines are there."""
    grid = start(lines, seed.across, seed.down, seed.window)
    return grid if grid is not None and score(lines, grid) >= _WEAKEST_START else None


def _candidates(lines: Lines, first: Grid) -> tuple[list[Grid], float]:
    """Return what grows from ``first`` and its rivals, best first, and the score; [] if it is no grid."""
    grid = grow(lines, first)
    if grid is None or not _square(grid.pitch_x, grid.pitch_y):
        return [], 0.0
    if abs(grid.pitch_x - first.pitch_x) > _STRAY:
        return [], 0.0
    value = score(lines, grid) * (1 - _askew(grid))
    return (rivals(lines, grid), value) if value >= WEAKEST else ([], 0.0)


def _square(pitch_x: float, pitch_y: float) -> bool:
    return abs(math.log(pitch_x / pitch_y)) < _SQUARE


def _askew(grid: Grid) -> float:
    """Return how far the cells are from squares; few games have such cells, but many tables."""
    return abs(math.log(grid.pitch_x / grid.pitch_y))
