"""Known art: read the cells of a board by comparing them with the pictures of a skin.

The screen moves, stretches and recolours all cells of a board in the same way. This change is fitted by least
squares, starting from a guess of what each cell shows. Then each cell is compared with the changed pictures;
a cell that matches none of them is left unread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from bot.board import State, States
from bot.geometry import Grid, Pixels
from bot.vision.distortion import (
    PLAIN,
    SIDE,
    Bools,
    Floats,
    Indices,
    Tone,
    cells_of,
    distances,
    inside,
    scale_of,
    slopes_of,
    softened,
    templates_of,
    unstretched,
)
from bot.vision.skin import Skin

_ROUNDS = 8  # of fitting
_SAMPLE = 8  # cells of each state that take part in fitting
_PIXELS = 2  # around a place that are tried if the screen does not scale
_SETTLED = 0.002  # of a cell: fitting ends when the board moves by less
_MOST_CELLS = 6.0  # cells at most count for one picture, so that covered cells do not outweigh the rest
_STIFF = 200.0  # weight of the assumption that colours are unchanged, against the cells
_USUAL = 2.5  # times the median error: cells with a larger error take no part in fitting
_OWN = 0.6  # of a picture's own contrast: largest error of a cell; blank cells and pale digits have little
_CLEARER = 0.65  # largest ratio of the distance of the nearest state to that of the second
_EXACT = 0.75  # confidence: the second state is four times as far away
_THE_SAME = 0.98  # confidence in all cells of a board that only its own skin reaches
_CONTRADICTED = 3.0  # nats at most of the cell reader against the state of an inexact match
_FEW_CONTRASTS = 0.2  # of the skin's contrast that every screen leaves
_FITS = 0.5  # of the cells in the picture must match the skin
_MOST = 6.0  # nats at most that the cell reader counts against one cell
_LONGEST = 100  # rows or columns of a board
_WHOLE = 2.0  # pixels over the whole board: cells are rounded to whole pixels if they differ by less
_STEP = 1.0  # pixel of a skin's picture by which one round of fitting may move an edge of the board
_PART = 0.1  # of a row or column must match the skin: a window may hide the rest
_FAR = 0.15  # of a cell: largest movement of the board by fitting in all


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """States (int8, rows x cols) with `State.UNREADABLE`, and the confidence in each (float32, 0 to 1)."""

    states: States
    confidence: Floats

    @property
    def readable(self) -> Bools:
        """Which cells were read, bool (rows, cols)."""
        readable: Bools = self.states != State.UNREADABLE
        return readable


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """A board that matches a skin: its exact grid, the tone of the screen, and the identified cells."""

    grid: Grid
    skin: Skin
    tone: Tone
    cells: Cells

    @property
    def plain(self) -> bool:
        """Whether all cells match the skin's pictures without any change of colours."""
        return self.tone == PLAIN and bool(self.cells.readable.all())

    @property
    def recognised(self) -> int:
        """The number of identified cells."""
        return int(self.cells.readable.sum())


def identified(pixels: Pixels, grid: Grid, labels: Floats, skins: Sequence[Skin]) -> Known | None:
    """Return the board on ``grid`` as identified by the skin that matches best; None if no skin matches.

    ``pixels`` is BGR (height, width, 3). ``labels`` are the cell reader's log probabilities of the cells,
    float32 (rows, cols, LABELS): a skin that contradicts them belongs to another game.
    """
    states, gains = labels.argmax(2).astype(np.int8), dict[Known, float]()
    for skin in sorted(skins, key=lambda skin: abs(skin.cell - grid.pitch_x)):  # equal size first
        known = fitted(pixels, grid, skin, states)
        if known is None or (gain := _gain(known.cells, labels)) <= 0:
            continue
        gains[known] = gain
        if known.plain and known.cells.confidence.min() >= _THE_SAME:
            break
    return _whole(pixels, max(gains, key=lambda known: (known.plain, gains[known]))) if gains else None


def _gain(cells: Cells, labels: Floats) -> float:
    """Return the evidence of a skin's pictures for its states minus the reader's against them, in nats.

    A picture counts more, the nearer it is in comparison with the picture of the next state.
    """
    nearer = -np.log(np.maximum(1 - cells.confidence[cells.readable], 1e-3))
    return float(nearer.sum() - _against(cells, labels)[cells.readable].clip(0, _MOST).sum())


def _against(cells: Cells, labels: Floats) -> Floats:
    """Return the cell reader's evidence against the state of each cell, in nats, float32 (rows, cols)."""
    said: Floats = -np.take_along_axis(labels, cells.states[..., None].astype(int), 2)[..., 0]
    return said


def agreed(cells: Cells, labels: Floats) -> Cells:
    """Return ``cells`` without those that match inexactly and that the cell reader contradicts."""
    kept = (cells.confidence >= _EXACT) | (_against(cells, labels) <= _CONTRADICTED)
    states = np.where(kept, cells.states, State.UNREADABLE).astype(np.int8)
    return Cells(states, np.where(kept, cells.confidence, 0).astype(np.float32))


def fitted(pixels: Pixels, start: Grid, skin: Skin, states: States | None = None) -> Known | None:
    """Return the board near ``start`` as ``skin`` identifies it; None if too few cells match the skin.

    ``states`` (int8, rows x cols) are the assumed states of the cells while the screen's change is fitted;
    without them each cell is assumed to show the picture that it looks most like.
    """
    visible = inside(pixels, start).ravel()
    if states is None:
        possible = np.flatnonzero(visible)
        allowed = np.ones((len(skin.states), len(possible)), np.bool_)
    else:  # a few cells in each state are enough
        labels = np.where(visible, states.ravel(), State.UNREADABLE)
        some = [np.flatnonzero(labels == state)[:_SAMPLE] for state in skin.shown]
        possible = np.concatenate(some)
        allowed = labels[possible] == skin.states[:, None]
    if not len(possible):
        return None
    most = None
    for recoloured in (False, True):
        grid, tone = _fitted(pixels, start, skin, possible, allowed, recoloured)
        for place in dict.fromkeys((_at_pixels(grid), grid)):
            known = Known(place, skin, tone, read_known(pixels, place, skin, tone))
            if start.largest_edge_distance(place) <= _FAR and (
                most is None or known.recognised > most.recognised
            ):
                most = known
        if most is not None and most.recognised == visible.sum():
            break
    return most if most is not None and most.recognised >= _FITS * visible.sum() else None


def _fitted(
    pixels: Pixels, start: Grid, skin: Skin, cells: Indices, allowed: Bools, recoloured: bool
) -> tuple[Grid, Tone]:
    """Return the grid and the tone in which ``cells`` (indices, row by row) are nearest to their templates.

    ``allowed`` (templates x cells) says which templates each cell may show. The tone is fitted only if
    ``recoloured`` is true.
    """
    places = [start]
    if start.pitch_x == start.pitch_y == skin.cell:  # as large as the pictures: pixels coincide
        steps = range(-_PIXELS, _PIXELS + 1)
        places = [
            start.moved(round(start.x) - start.x + dx, round(start.y) - start.y + dy)
            for dx in steps
            for dy in steps
        ]
    fits = [_recoloured(pixels, place, skin, cells, allowed, recoloured) for place in places]
    best = min(range(len(places)), key=lambda index: fits[index].off)
    grid, fit = places[best], fits[best]
    for number in range(_ROUNDS):
        before, grid = grid, _moved(grid, fit, cells, skin)
        if before.largest_edge_distance(grid) <= _SETTLED or (
            number >= _ROUNDS // 2 and fit.off > skin.reach
        ):
            break
        fit = _recoloured(pixels, grid, skin, cells, allowed, recoloured)
    return grid, fit.tone


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """Seen cells (float32, n x 192), the nearest template of each, and which cells are near enough to use.

    ``off`` is the median distance of the cells from these templates in ``tone``, in grey levels.
    """

    seen: Floats
    nearest: Indices
    near: Bools
    tone: Tone
    off: float


def _recoloured(
    pixels: Pixels, grid: Grid, skin: Skin, cells: Indices, allowed: Bools, recoloured: bool
) -> _Fit:
    """Return the fit of some cells to their nearest templates, in the best tone if ``recoloured`` is true."""
    seen, scale, tone = _seen(pixels, grid, skin, cells), scale_of(grid, skin.cell), PLAIN
    near = np.ones(len(cells), np.bool_)
    for _ in range(3 if recoloured else 1):  # again without the cells that differ
        nearest = np.where(allowed, _apart(seen, skin, scale, tone), np.inf).argmin(0)
        if recoloured:
            tone = _toned(seen[near], nearest[near], templates_of(skin, scale))
        off = _apart(seen, skin, scale, tone)[nearest, np.arange(len(nearest))]
        near = off <= _USUAL * max(1.0, float(np.median(off)))
    return _Fit(seen, nearest, near, tone, float(np.median(off)))


def _whole(pixels: Pixels, known: Known) -> Known:
    """Return the board extended by the rows and columns beside it that also match the skin."""
    grid, skin, tone = known.grid, known.skin, known.tone
    while max(grid.rows, grid.cols) < _LONGEST:
        around = read_known(pixels, grid.part(-1, -1, grid.rows + 1, grid.cols + 1), skin, tone).states
        beside = around[0, 1:-1], around[1:-1, 0], around[-1, 1:-1], around[1:-1, -1]
        top, left, bottom, right = (int(_belongs(line, skin)) for line in beside)
        if not top + left + bottom + right:
            break
        grid = grid.part(-top, -left, grid.rows + bottom, grid.cols + right)
    return known if grid == known.grid else Known(grid, skin, tone, read_known(pixels, grid, skin, tone))


def _belongs(line: States, skin: Skin) -> bool:
    """Return whether ``line`` is part of a board; without a frame, plain ground looks like blank cells."""
    told = line != State.UNREADABLE
    return bool((told & (line != 0)).any() or (skin.ground is not None and told.mean() >= _PART))


def read_known(pixels: Pixels, grid: Grid, skin: Skin, tone: Tone) -> Cells:
    """Return the cells on ``grid`` that match pictures of ``skin`` in ``tone``; others are unreadable."""
    scale = scale_of(grid, skin.cell)
    off = _apart(_seen(pixels, grid, skin), skin, scale, tone)
    two = np.partition(np.minimum.reduceat(off, np.searchsorted(skin.states, skin.shown), axis=0), 1, axis=0)
    nearest, best, ratio = off.argmin(0), two[0], two[0] / np.maximum(two[1], 1e-3)
    near = (best <= _reaches(skin, scale)[nearest]) & inside(pixels, grid).ravel()
    states = np.where(near & (ratio <= _CLEARER), skin.states[nearest], State.UNREADABLE).astype(np.int8)
    confidence = np.where(near, 1 - ratio, 0).astype(np.float32)
    return Cells(states.reshape(grid.rows, grid.cols), confidence.reshape(grid.rows, grid.cols))


def _seen(pixels: Pixels, grid: Grid, skin: Skin, some: Indices | None = None) -> Floats:
    """Return all cells, or ``some``, softened for comparison with a skin's pictures, float32 (n, 192)."""
    canvas = unstretched(pixels, grid, skin.cell)
    if some is not None:
        canvas = cells_of(canvas, skin.cell)[some // grid.cols, some % grid.cols].reshape(-1, skin.cell, 3)
    return softened(canvas, skin.cell)


def _apart(seen: Floats, skin: Skin, scale: float, tone: Tone) -> Floats:
    """Return the distance of each of n cells from each of m templates: m x n.

    It is the root mean square in grey levels, divided by the factor by which the tone changes the contrast.
    """
    wanted = _shown(skin, scale, tone)
    plain = _shown(skin, scale, PLAIN)
    contrast = float(np.sqrt(wanted.var(0).mean() / max(float(plain.var(0).mean()), 1e-6)))
    return distances(wanted, seen) / np.float32(max(contrast, _FEW_CONTRASTS))


@lru_cache(maxsize=64)
def _shown(skin: Skin, scale: float, tone: Tone) -> Floats:
    """Return the templates as a screen with ``tone`` shows them, float32 (m, 192)."""
    return tone.shown(templates_of(skin, scale)).reshape(len(skin.states), -1)


@lru_cache(maxsize=64)
def _reaches(skin: Skin, scale: float) -> Floats:
    """Return the largest distance from each template at which a cell still matches it."""
    pictures = templates_of(skin, scale)
    own = np.sqrt(((pictures - pictures.mean(1, keepdims=True)) ** 2).mean((1, 2)))
    limits: Floats = np.minimum(skin.reach, _OWN * own).astype(np.float32)
    return limits


def _toned(seen: Floats, nearest: Indices, templates: Floats) -> Tone:
    """Return the tone that best turns the ``nearest`` template of each cell into that cell (n x 192).

    A single picture determines only the gain of each channel: more freedom could turn any bevel into another.
    """
    members = (nearest == np.arange(len(templates))[:, None]).astype(np.float32)
    counts, sums = members.sum(1), members @ seen
    shown = counts > 0
    means = (sums[shown] / counts[shown, None]).reshape(-1, 3)
    weights = np.sqrt(np.repeat(np.minimum(counts[shown], _MOST_CELLS), SIDE * SIDE))[:, None]
    pictures = templates[shown].reshape(-1, 3)
    if shown.sum() == 1:
        gain = (pictures * means).sum(0) / np.maximum((pictures**2).sum(0), 1)
        return Tone.of(np.vstack([np.diag(gain), np.zeros(3)]))
    wanted = np.hstack([pictures, np.full((len(pictures), 1), 255, np.float32)])
    left = np.vstack([wanted * weights, _STIFF * np.eye(4)])
    right = np.vstack([means * weights, _STIFF * np.eye(4, 3)])
    return Tone.of(np.linalg.lstsq(left, right, rcond=None)[0])


def _moved(grid: Grid, fit: _Fit, cells: Indices, skin: Skin) -> Grid:
    """Return ``grid`` moved and stretched so that ``cells`` (indices) look most like their templates.

    This is a step of Lucas and Kanade (1981): after a small shift, a cell differs from its template by about
    the shift times the template's gradient. Cells that are not near to theirs in ``fit`` are left out.
    """
    scale, nearest, cells = scale_of(grid, skin.cell), fit.nearest[fit.near], cells[fit.near]
    slopes = (slopes_of(skin, scale) @ fit.tone.matrix[:3]).reshape(2, len(skin.states), -1)
    rest = fit.seen[fit.near] - _shown(skin, scale, fit.tone)[nearest]
    row, col = (cells // grid.cols + 0.5) / grid.rows - 0.5, (cells % grid.cols + 0.5) / grid.cols - 0.5
    across, down = slopes[0][nearest], slopes[1][nearest]
    parts = [across, across * col[:, None], down, down * row[:, None]]
    products = np.array([[np.vdot(one, other) for other in parts] for one in parts])
    against = np.array([np.vdot(one, rest) for one in parts])
    moves = np.linalg.lstsq(products + 1e-3 * np.diag(products).max() * np.eye(4), against, rcond=None)[0]
    x, wider, y, taller = np.clip(moves, -_STEP, _STEP) * scale
    pitch_x, pitch_y = grid.pitch_x + wider / grid.cols, grid.pitch_y + taller / grid.rows
    x, y = grid.x + float(x - wider / 2), grid.y + float(y - taller / 2)
    return Grid(x, y, float(pitch_x), float(pitch_y), grid.rows, grid.cols)


def _at_pixels(grid: Grid) -> Grid:
    """Return the grid rounded to cells of whole pixels, if their size is nearly whole."""

    def snapped(start: float, pitch: float, count: int) -> tuple[float, float]:
        whole = float(round(pitch))
        off = (pitch - whole) * count
        return (float(round(start + off / 2)), whole) if abs(off) <= _WHOLE else (start, pitch)

    x, pitch_x = snapped(grid.x, grid.pitch_x, grid.cols)
    y, pitch_y = snapped(grid.y, grid.pitch_y, grid.rows)
    return Grid(x, y, pitch_x, pitch_y, grid.rows, grid.cols)
