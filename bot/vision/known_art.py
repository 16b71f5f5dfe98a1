"""Known art: read the cells of a board by the pictures of a skin, as the screen shows them.

The screen moves, stretches and recolours all cells of a board in the same way. Least squares fit this change,
first to a rough guess of what each cell shows, then to the picture of the skin that is nearest to it. A cell
that is like none of the pictures even then is left unread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from bot.board import State, States
from bot.geometry import Grid, Pixels
from bot.vision.distortion import (
    PLAIN,
    SIDE,
    Floats,
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

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.intp]

_ROUNDS = 8  # of fitting
_SAMPLE = 8  # cells in one state that take part
_PIXELS = 2  # around a place are tried where the screen does not scale
_SETTLED = 0.002  # of a cell: a board that moves no further is in its place
_MOST_CELLS = 6.0  # of one picture count, else covered cells outweigh the rest
_STIFF = 200.0  # equations for the colours that are not changed, beside those of the cells
_USUAL = 2.5  # times as far off as cells usually are: further ones take no part in fitting
_OWN = 0.6  # of its own contrast a cell may be off: blank cells and pale digits have little
_CLEARER = 0.65  # the nearest state must be this much nearer than the second
_EXACT = 0.75  # confidence: the second state is four times as far away
_THE_SAME = 0.98  # confidence in all cells of a board: no skin but its own is that much nearer
_CONTRADICTED = 3.0  # nats that the cell reader may say against what a skin tells otherwise
_FEW_CONTRASTS = 0.2  # of the skin's contrast: a screen never takes away more
_FITS = 0.5  # of the cells in the picture must show the skin
_MOST = 6.0  # nats that the cell reader says against one cell
_LONGEST = 100  # rows or columns
_WHOLE = 2.0  # pixels over the board by which cells may seem to differ from whole pixels
_STEP = 1.0  # pixel of a skin's picture that one round of fitting may move an edge of the board
_PART = 0.1  # of a row or column must show the skin: a window may hide the rest
_FAR = 0.15  # of a cell that the board may be moved in all


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """States (int8, rows x cols) with `State.UNREADABLE`, and the confidence in each (float32, 0 to 1)."""

    states: States
    confidence: Floats

    @property
    def readable(self) -> Bools:
        """Which cells were read."""
        readable: Bools = self.states != State.UNREADABLE
        return readable


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """A board that shows a skin: where exactly, in which tone, and the cells that it tells."""

    grid: Grid
    skin: Skin
    tone: Tone
    cells: Cells

    @property
    def plain(self) -> bool:
        """Whether it tells all cells as the skin's pictures are: no colours have to be supposed."""
        return self.tone == PLAIN and bool(self.cells.readable.all())

    @property
    def recognised(self) -> int:
        """How many cells it recognises."""
        return int(self.cells.readable.sum())


def identified(pixels: Pixels, grid: Grid, labels: Floats, skins: Sequence[Skin]) -> Known | None:
    """Return the board on ``grid`` by the skin that tells most of its cells; None if none tells enough.

    ``pixels`` is BGR (height, width, 3). ``labels`` is what the cell reader says of the cells, in nats,
    float32 (rows, cols, LABELS): a skin that says otherwise is of another game.
    """
    states, gains = labels.argmax(2).astype(np.int8), dict[Known, float]()
    for skin in sorted(skins, key=lambda skin: abs(skin.cell - grid.pitch_x)):  # what may be there exactly
        known = fitted(pixels, grid, skin, states)
        if known is None or (gain := _gain(known.cells, labels)) <= 0:
            continue
        gains[known] = gain
        if known.plain and known.cells.confidence.min() >= _THE_SAME:
            break
    return _whole(pixels, max(gains, key=lambda known: (known.plain, gains[known]))) if gains else None


def _gain(cells: Cells, labels: Floats) -> float:
    """Return how much more a skin's pictures say for its states than the reader says against them, in nats.

    Pictures count by how many times nearer they are than the next.
    """
    nearer = -np.log(np.maximum(1 - cells.confidence[cells.readable], 1e-3))
    return float(nearer.sum() - _against(cells, labels)[cells.readable].clip(0, _MOST).sum())


def _against(cells: Cells, labels: Floats) -> Floats:
    """Return what the cell reader says against the state of each cell, in nats, float32 (rows, cols)."""
    said: Floats = -np.take_along_axis(labels, cells.states[..., None].astype(int), 2)[..., 0]
    return said


def agreed(cells: Cells, labels: Floats) -> Cells:
    """Return the cells that a skin tells exactly, or the cell reader does not contradict."""
    kept = (cells.confidence >= _EXACT) | (_against(cells, labels) <= _CONTRADICTED)
    states = np.where(kept, cells.states, State.UNREADABLE).astype(np.int8)
    return Cells(states, np.where(kept, cells.confidence, 0).astype(np.float32))


def fitted(pixels: Pixels, start: Grid, skin: Skin, states: States | None = None) -> Known | None:
    """Return the board near ``start`` as ``skin`` tells it; None if its cells do not show that skin.

    ``states`` (int8, rows x cols) is what the cells are taken for while the screen's change is fitted;
    without it they are taken for the pictures that they look most like.
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
            if start.apart(place) <= _FAR and (most is None or known.recognised > most.recognised):
                most = known
        if most is not None and most.recognised == visible.sum():
            break
    return most if most is not None and most.recognised >= _FITS * visible.sum() else None


def _fitted(
    pixels: Pixels, start: Grid, skin: Skin, cells: Ints, allowed: Bools, recoloured: bool
) -> tuple[Grid, Tone]:
    """Return place and tone in which some cells, counted row by row, are nearest to their templates.

    ``allowed`` (templates x cells) says which these may be; the tone is fitted only if the board is
    ``recoloured``.
    """
    places = [start]
    if start.pitch_x == start.pitch_y == skin.cell:  # as large as the pictures: pixels lie on pixels
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
        if before.apart(grid) <= _SETTLED or (number >= _ROUNDS // 2 and fit.off > skin.reach):
            break
        fit = _recoloured(pixels, grid, skin, cells, allowed, recoloured)
    return grid, fit.tone


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """Cells as they are seen (float32, n x 192), the template each is nearest to, and which take part.

    ``off`` is how far they are from these in ``tone``, in grey levels, by the median.
    """

    seen: Floats
    nearest: Ints
    near: Bools
    tone: Tone
    off: float


def _recoloured(
    pixels: Pixels, grid: Grid, skin: Skin, cells: Ints, allowed: Bools, recoloured: bool
) -> _Fit:
    """Return how some cells of a grid are like templates, in the tone in which they are most like them."""
    seen, scale, tone = _seen(pixels, grid, skin, cells), scale_of(grid, skin.cell), PLAIN
    near = np.ones(len(cells), np.bool_)
    for _ in range(3 if recoloured else 1):  # without what turns out to be something else
        nearest = np.where(allowed, _apart(seen, skin, scale, tone), np.inf).argmin(0)
        if recoloured:
            tone = _toned(seen[near], nearest[near], templates_of(skin, scale))
        off = _apart(seen, skin, scale, tone)[nearest, np.arange(len(nearest))]
        near = off <= _USUAL * max(1.0, float(np.median(off)))
    return _Fit(seen, nearest, near, tone, float(np.median(off)))


def _whole(pixels: Pixels, known: Known) -> Known:
    """Return the board with the rows and columns beside it that show the skin, too."""
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
    """Return whether a line of cells is a board's; without a frame, plain ground looks like blank cells."""
    told = line != State.UNREADABLE
    return bool((told & (line != 0)).any() or (skin.ground is not None and told.mean() >= _PART))


def read_known(pixels: Pixels, grid: Grid, skin: Skin, tone: Tone) -> Cells:
    """Return the cells on ``grid`` that show a picture of ``skin`` in that tone."""
    scale = scale_of(grid, skin.cell)
    off = _apart(_seen(pixels, grid, skin), skin, scale, tone)
    two = np.partition(np.minimum.reduceat(off, np.searchsorted(skin.states, skin.shown), axis=0), 1, axis=0)
    nearest, best, ratio = off.argmin(0), two[0], two[0] / np.maximum(two[1], 1e-3)
    near = (best <= _reaches(skin, scale)[nearest]) & inside(pixels, grid).ravel()
    states = np.where(near & (ratio <= _CLEARER), skin.states[nearest], State.UNREADABLE).astype(np.int8)
    confidence = np.where(near, 1 - ratio, 0).astype(np.float32)
    return Cells(states.reshape(grid.rows, grid.cols), confidence.reshape(grid.rows, grid.cols))


def _seen(pixels: Pixels, grid: Grid, skin: Skin, some: Ints | None = None) -> Floats:
    """Return all cells, or some, as they are compared with a skin's pictures, float32 (n, 192)."""
    canvas = unstretched(pixels, grid, skin.cell)
    if some is not None:
        canvas = cells_of(canvas, skin.cell)[some // grid.cols, some % grid.cols].reshape(-1, skin.cell, 3)
    return softened(canvas, skin.cell)


def _apart(seen: Floats, skin: Skin, scale: float, tone: Tone) -> Floats:
    """Return how far each of n cells is from each of m templates: m x n.

    That is the root mean square in grey levels, over how much more or less contrast the tone gives the skin.
    """
    wanted = _shown(skin, scale, tone)
    plain = _shown(skin, scale, PLAIN)
    contrast = float(np.sqrt(wanted.var(0).mean() / max(float(plain.var(0).mean()), 1e-6)))
    return distances(wanted, seen) / np.float32(max(contrast, _FEW_CONTRASTS))


@lru_cache(maxsize=64)
def _shown(skin: Skin, scale: float, tone: Tone) -> Floats:
    """Return the templates as a screen of that tone shows them, float32 (m, 192)."""
    return tone.shown(templates_of(skin, scale)).reshape(len(skin.states), -1)


@lru_cache(maxsize=64)
def _reaches(skin: Skin, scale: float) -> Floats:
    """Return for each template how far a cell may be from it."""
    pictures = templates_of(skin, scale)
    own = np.sqrt(((pictures - pictures.mean(1, keepdims=True)) ** 2).mean((1, 2)))
    limits: Floats = np.minimum(skin.reach, _OWN * own).astype(np.float32)
    return limits


def _toned(seen: Floats, nearest: Ints, templates: Floats) -> Tone:
    """Return the tone that turns templates best into the cells (n x 192) that they are ``nearest`` to.

    A single picture tells the gain of each channel only: more freedom would turn any bevel into any other.
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


def _moved(grid: Grid, fit: _Fit, cells: Ints, skin: Skin) -> Grid:
    """Return the grid moved and stretched to where some of its cells are nearest to their templates.

    To first order a cell that is a little beside its place differs from its picture by so much times the
    picture's slope (Lucas and Kanade 1981). ``cells`` are counted row by row.
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
    """Return the grid with cells of whole pixels if they are nearly so."""

    def snapped(start: float, pitch: float, count: int) -> tuple[float, float]:
        whole = float(round(pitch))
        off = (pitch - whole) * count
        return (float(round(start + off / 2)), whole) if abs(off) <= _WHOLE else (start, pitch)

    x, pitch_x = snapped(grid.x, grid.pitch_x, grid.cols)
    y, pitch_y = snapped(grid.y, grid.pitch_y, grid.rows)
    return Grid(x, y, pitch_x, pitch_y, grid.rows, grid.cols)
