"""Finding Minesweeper grids in a picture, whatever the game looks like.

Evidence (`lines`: straight edges) gives seeds (`comb`: windows in which the lines repeat both ways), seeds
grow to grids (`grow`, `lattice`), and grids become candidates with a score. Which of several candidates is a
board is decided by reading them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from bot.geometry import Grid, Pixels, Rect
from bot.vision.grid.comb import Comb, Seed, find_seeds, fit_comb
from bot.vision.grid.grow import grow, measured, nearest
from bot.vision.grid.lattice import sample
from bot.vision.grid.lines import Lines, find_lines, grey, shrunk

_SCALES = (1, 2, 4)  # cells of 12 to 23, 24 to 47 and 48 to 95 pixels
_SMALLEST = 4 * 12  # pixels of a picture worth searching
_SHORTEST = 7  # pixels of a line at scale 1: what bevels and round corners leave of a 12 pixel cell
_WEAKEST_SEED = 0.15
_WEAKEST = 0.3
_CERTAIN = 0.6  # a candidate this good explains its place; no others are looked for there
_TRIES = 12  # seeds a scale
_SQUARE = 0.12  # by how much cells may differ from squares, as a logarithm
_NEAR = 2  # pixels a board may move and still count as the same
_EDGE = 0.4  # support that the outermost cells need to be confirmed


@dataclass(frozen=True, slots=True)
class Candidate:
    """A grid that may be a board. ``score`` is 0 to 1: how well lines support all sides of its cells."""

    grid: Grid
    score: float


def find_grids(pixels: Pixels, limit: int = 8) -> list[Candidate]:
    """Return up to ``limit`` grids in a BGR picture (height, width, 3), best first; [] if there are none.

    Cells may be 12 to 80 pixels, nearly square, at any fraction of a pixel; at least four rows and columns.
    Several boards in a picture are several candidates, and so are rival grids in the same place.
    """
    if min(pixels.shape[:2]) < _SMALLEST:
        return []
    brightness = grey(pixels)
    found: list[Candidate] = []
    for shortest in (_SHORTEST, 2 * _SHORTEST):  # only long lines stand out of dither
        for scale in _SCALES:
            _search(brightness, scale, shortest, found)
        if any(candidate.score >= _CERTAIN for candidate in found):
            break
    return sorted(found, key=lambda candidate: -candidate.score)[:limit]


def _search(brightness: Pixels, scale: int, shortest: int, found: list[Candidate]) -> None:
    """Add to ``found`` the candidates with cells of this scale, where no certain one is yet."""
    lines = find_lines(shrunk(brightness, scale), shortest)
    here: list[Candidate] = []
    tries = 0
    for seed in find_seeds(lines, _WEAKEST_SEED):
        if _explained(seed.window, scale, found) or _repeated(seed, here):
            continue
        tries += 1
        if tries > _TRIES:
            return
        candidate = _candidate(lines, seed)
        if candidate is not None and not _known(candidate.grid, here):
            here.append(candidate)
            found.append(Candidate(_refined(brightness, candidate.grid, scale), candidate.score))


def _explained(window: Rect, scale: int, found: list[Candidate]) -> bool:
    whole = Rect(window.x * scale, window.y * scale, window.width * scale, window.height * scale)
    return any(candidate.score >= _CERTAIN and _inside(whole, candidate.grid) for candidate in found)


def _repeated(seed: Seed, here: list[Candidate]) -> bool:
    """Return whether a grid was already grown from about the same lines."""
    return any(
        abs(candidate.grid.pitch_x - seed.pitch) <= 1.25 and _inside(seed.window, candidate.grid)
        for candidate in here
    )


def _known(grid: Grid, here: list[Candidate]) -> bool:
    return any(_overlap(grid, other.grid) > 0.95 for other in here)


def _inside(window: Rect, grid: Grid) -> bool:
    part = window.intersection(grid.rect)
    return part.width * part.height > 0.5 * window.width * window.height


def _overlap(first: Grid, second: Grid) -> float:
    part = first.rect.intersection(second.rect)
    areas = (rect.width * rect.height for rect in (first.rect, second.rect))
    return part.width * part.height / max(areas)


def _candidate(lines: Lines, seed: Seed) -> Candidate | None:
    window = seed.window
    rows, cols = slice(window.y, window.bottom), slice(window.x, window.right)
    across = fit_comb(lines.vertical[rows, cols].mean(0, dtype=np.float32), seed.pitch)
    down = fit_comb(lines.horizontal[rows, cols].mean(1, dtype=np.float32), seed.pitch)
    if across is None or down is None or not _square(across.pitch, down.pitch):
        return None
    grid = grow(lines, _moved(across, window.x), _moved(down, window.y), window)
    if grid is None or not _square(grid.pitch_x, grid.pitch_y):
        return None
    score = _score(lines, grid)
    return Candidate(grid, score) if score >= _WEAKEST else None


def _moved(comb: Comb, distance: int) -> Comb:
    return Comb(comb.offset + distance, comb.pitch, comb.contrast)


def _square(pitch_x: float, pitch_y: float) -> bool:
    return abs(math.log(pitch_x / pitch_y)) < _SQUARE


def _score(lines: Lines, grid: Grid) -> float:
    """Return how much better ``lines`` support the cells' sides than their middles, 0 to 1."""
    samples = sample(lines, grid)
    found = samples.support(samples.reference())
    size = min(1.0, grid.rows / 8) * min(1.0, grid.cols / 8)
    return max(0.0, float(found.cells.mean() - found.middle.mean())) * size


def _refined(brightness: Pixels, grid: Grid, scale: int) -> Grid:
    """Return a grid found in a smaller copy in pixels of the picture, measured there."""
    corner = Grid(
        grid.x * scale, grid.y * scale, grid.pitch_x * scale, grid.pitch_y * scale, grid.rows, grid.cols
    )
    area = _around(corner, 3 * scale, brightness)
    return _measured_in(brightness, corner, area, scale)


def _measured_in(brightness: Pixels, grid: Grid, area: Rect, scale: int) -> Grid:
    lines = _lines_in(brightness, area, scale)
    return measured(lines, grid.moved(-area.x, -area.y)).moved(area.x, area.y)


def _around(grid: Grid, margin: int, pixels: Pixels) -> Rect:
    height, width = pixels.shape[:2]
    return grid.rect.grown(margin).intersection(Rect(0, 0, width, height))


def _lines_in(brightness: Pixels, area: Rect, scale: int) -> Lines:
    part = brightness[area.y : area.bottom, area.x : area.right]
    return find_lines(np.ascontiguousarray(part), _SHORTEST * scale)


def confirm_grid(pixels: Pixels, grid: Grid) -> Grid | None:
    """Return where ``grid`` is in this picture if it is still there, up to two pixels away; None if not.

    Far cheaper than a search: only the lines of this grid are looked at, and its pitch and size are not
    measured again.
    """
    area = _around(grid, _NEAR + 2, pixels)
    if area.width < grid.width - 2 * _NEAR or area.height < grid.height - 2 * _NEAR:
        return None
    scale = max(scale for scale in _SCALES if scale == 1 or 11 * scale <= grid.pitch_x)
    brightness = grey(pixels[area.y : area.bottom, area.x : area.right])
    lines = find_lines(brightness, _SHORTEST * scale)
    moved = nearest(lines, grid.moved(-area.x, -area.y), _NEAR)
    if _score(lines, moved) < _WEAKEST or not _enclosed(lines, moved):
        return None
    return moved.moved(area.x, area.y)


def _enclosed(lines: Lines, grid: Grid) -> bool:
    """Return whether the outermost rows and columns are there too, so that it is not the board next to it."""
    samples = sample(lines, grid)
    cells = samples.support(samples.reference()).cells
    edges = (cells[0], cells[-1], cells[:, 0], cells[:, -1])
    return all(float(edge.mean()) >= _EDGE for edge in edges)
