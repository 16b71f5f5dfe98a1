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
from bot.vision.grid.comb import SCALES, Comb, Seed, find_seeds, fit_comb
from bot.vision.grid.grow import grow, nearest, reference
from bot.vision.grid.lattice import support
from bot.vision.grid.lines import Lines, find_lines, grey

_WEAKEST_SEED = 0.25
_TRIES = 24
_WEAKEST = 0.3
_SHORTEST = 7  # pixels of a line at scale 1: what bevels and round corners leave of a 12 pixel cell
_SQUARE = 0.12  # by how much cells may differ from squares, as a logarithm
_NEAR = 2  # pixels a board may move and still count as the same
_EDGE = 0.4  # support that the outermost cells need to be confirmed


@dataclass(frozen=True, slots=True)
class Candidate:
    """A grid that may be a board. ``score`` is 0 to 1: how well lines support all sides of its cells."""

    grid: Grid
    score: float


def find_grids(pixels: Pixels, limit: int = 8) -> list[Candidate]:
    """Return up to ``limit`` grids in a BGR picture (height, width, 3), best first."""
    brightness = grey(pixels)
    layers = {scale: find_lines(brightness, _SHORTEST * scale) for scale in SCALES}
    seeds = [seed for scale in SCALES for seed in find_seeds(layers[scale], scale, _WEAKEST_SEED)]
    seeds.sort(key=lambda seed: seed.score / seed.scale**0.25, reverse=True)
    found: list[Candidate] = []
    tries = 0
    for seed in seeds:
        if tries >= _TRIES:
            break
        if any(_inside(seed.window, candidate.grid) for candidate in found):
            continue
        tries += 1
        candidate = _candidate(layers[seed.scale], seed)
        if candidate is not None and not any(_overlap(candidate.grid, other.grid) > 0.8 for other in found):
            found.append(candidate)
    return sorted(found, key=lambda candidate: -candidate.score)[:limit]


def confirm_grid(pixels: Pixels, grid: Grid) -> Grid | None:
    """Return where ``grid`` is in this picture if it is still there, up to two pixels away; None if not.

    Far cheaper than a search: only the lines of this grid are looked at, and its pitch and size are not
    measured again.
    """
    height, width = pixels.shape[:2]
    area = grid.rect.grown(_NEAR + 2).intersection(Rect(0, 0, width, height))
    if area.empty:
        return None
    brightness = grey(pixels[area.y : area.bottom, area.x : area.right])
    scale = max(scale for scale in SCALES if scale == 1 or 11 * scale <= grid.pitch_x)
    lines = find_lines(brightness, _SHORTEST * scale)
    moved = nearest(lines, grid.moved(-area.x, -area.y), _NEAR)
    if _score(lines, moved) < _WEAKEST or not _enclosed(lines, moved):
        return None
    return moved.moved(area.x, area.y)


def _enclosed(lines: Lines, grid: Grid) -> bool:
    """Return whether the outermost rows and columns are there too, so that it is not the board next to it."""
    cells = support(lines, grid, reference(lines, grid)).cells
    edges = (cells[0], cells[-1], cells[:, 0], cells[:, -1])
    return all(float(edge.mean()) >= _EDGE for edge in edges)


def _inside(window: Rect, grid: Grid) -> bool:
    part = window.intersection(grid.rect)
    return part.width * part.height > 0.5 * window.width * window.height


def _overlap(first: Grid, second: Grid) -> float:
    part = first.rect.intersection(second.rect)
    areas = (rect.width * rect.height for rect in (first.rect, second.rect))
    return part.width * part.height / max(areas)


def _candidate(lines: Lines, seed: Seed) -> Candidate | None:
    across, down = _combs(lines, seed)
    if not _square(across.pitch, down.pitch):
        return None
    grid = grow(lines, across, down, seed.window)
    if grid is None or not _square(grid.pitch_x, grid.pitch_y):
        return None
    score = _score(lines, grid)
    return Candidate(grid, score) if score >= _WEAKEST else None


def _combs(lines: Lines, seed: Seed) -> tuple[Comb, Comb]:
    window = seed.window
    rows, cols = slice(window.y, window.bottom), slice(window.x, window.right)
    across = lines.vertical[rows, cols].mean(0, dtype=np.float32)
    down = lines.horizontal[rows, cols].mean(1, dtype=np.float32)
    tolerance = 1.25 * seed.scale
    return (
        _moved(fit_comb(across, seed.pitch, tolerance), window.x),
        _moved(fit_comb(down, seed.pitch, tolerance), window.y),
    )


def _moved(comb: Comb, distance: int) -> Comb:
    return Comb(comb.offset + distance, comb.pitch, comb.contrast)


def _square(pitch_x: float, pitch_y: float) -> bool:
    return abs(math.log(pitch_x / pitch_y)) < _SQUARE


def _score(lines: Lines, grid: Grid) -> float:
    needed = reference(lines, grid)
    cells = support(lines, grid, needed).cells
    between = Grid(
        grid.x + grid.pitch_x / 2,
        grid.y + grid.pitch_y / 2,
        grid.pitch_x,
        grid.pitch_y,
        grid.rows - 1,
        grid.cols - 1,
    )
    empty = support(lines, between, needed).cells
    size = min(1.0, grid.rows / 8) * min(1.0, grid.cols / 8)
    return float(max(0.0, cells.mean() - empty.mean()) * size)
