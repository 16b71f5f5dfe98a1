"""Known art: read the cells of a board by comparing them with the pictures of a skin.

The screen stretches and recolours all cells of a board in the same way. The change of colours is fitted by
least squares, starting from a guess of what each cell shows. Then each cell is compared with the changed
pictures. How much nearer one picture is than the next is evidence for its state, which adds to that of the
cell reader: it is beyond doubt only where the pixels are exactly those of the picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from bot.board import State, States
from bot.geometry import Grid, Pixels
from bot.vision.distortion import (
    PLAIN,
    Bools,
    Floats,
    Indices,
    Tone,
    distances,
    inside,
    scale_of,
    softened,
    templates_of,
    unstretched,
    unstretched_cells,
)
from bot.vision.judgement import SURE, UNLIKELIEST
from bot.vision.networks import LABELS, NO_CELL
from bot.vision.skin import Skin

_SAMPLE = 8  # cells of each state that are compared with the pictures of skins
_MOST_CELLS = 6.0  # cells at most count for one picture, so that covered cells do not outweigh the rest
_STIFF = 200.0  # weight of the assumption that colours are unchanged, against the cells
_USUAL = 2.5  # times the median error: cells with a larger error take no part in fitting
_NATS = 6.0  # against a state whose picture is twice as far away as the nearest one, 12 if three times
_NOISE = 1.0  # grey levels by which a cell differs from its own picture on any screen
_OWN = 0.6  # of a picture's own contrast: largest error of a cell; blank cells and pale digits have little
_TRIED = 2  # skins at most that are fitted, as they are and again recoloured
_FEW_CONTRASTS = 0.2  # of the skin's contrast that every screen leaves
_FAR = 0.15  # of a cell: the edges of a board move by less if its cells are nearly whole pixels
_FITS = 0.5  # of the cells in the picture must match the skin


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """States (int8, rows x cols) with `State.UNREADABLE`, and the evidence for each, float32 (rows, cols).

    The evidence is by how many nats a state is likelier than the next.
    """

    states: States
    nats: Floats

    @property
    def readable(self) -> Bools:
        """Which cells were read, bool (rows, cols)."""
        readable: Bools = self.states != State.UNREADABLE
        return readable


@dataclass(frozen=True, slots=True, eq=False)
class KnownBoard:
    """A board that matches a skin: its grid, the tone of the screen, and the evidence for its cells.

    ``evidence`` is in nats, float32 (rows, cols, LABELS): 0 for the likeliest state of each cell, less for
    the others.
    """

    grid: Grid
    skin: Skin
    tone: Tone
    evidence: Floats

    @property
    def cells(self) -> Cells:
        """The cells that the skin tells by itself."""
        return _certain_cells(self.evidence)

    @property
    def recognised(self) -> int:
        """The number of identified cells."""
        return int(self.cells.readable.sum())


def identified(pixels: Pixels, grid: Grid, labels: Floats, skins: Sequence[Skin]) -> KnownBoard | None:
    """Return the board on ``grid`` as identified by the skin that matches best; None if no skin matches.

    ``pixels`` is BGR (height, width, 3). ``labels`` are the cell reader's log probabilities of the cells,
    float32 (rows, cols, LABELS): a skin that contradicts them, or that knows plain cells alone, belongs to
    another game. The board is moved by a pixel if cells match better there.
    """
    states, visible = labels.argmax(2).astype(np.int8), inside(pixels, grid)
    marked = visible & ~np.isin(states, (0, State.COVERED, NO_CELL))
    for skin, place, tone in _likely_skins(pixels, grid, states, skins, recolour=bool(marked.any())):
        there = dict.fromkeys((grid, place))
        each = [KnownBoard(at, skin, tone, evidence_of(pixels, at, skin, tone)) for at in there]
        gains = {known: _evidence_gain(known.cells, labels) for known in each}
        known = max(gains, key=gains.__getitem__)
        told = known.cells.readable
        fits = all(told[cells].mean() >= _FITS for cells in (visible, marked) if cells.any())
        if fits and gains[known] > 0:
            return known
    return None


def _likely_skins(
    pixels: Pixels, grid: Grid, states: States, skins: Sequence[Skin], *, recolour: bool
) -> Iterator[tuple[Skin, Grid, Tone]]:
    """Yield the skins whose pictures look most like a few cells in assumed ``states``, with place and tone.

    They are compared as they are first, then recoloured if ``recolour`` is true: plain squares alone, such as
    those of a chart, look like the plain cells of some skin in other colours.
    """
    states = np.where(inside(pixels, grid), states, State.UNREADABLE)
    samples = {skin: sample for skin in skins if len((sample := _sample_cells(states, skin))[0])}
    if not samples:
        return
    steps = [(right, down) for right in (-1, 0, 1) for down in (-1, 0, 1)]
    near = dict.fromkeys(one for one in (grid, _at_pixels(grid)) if one is not None)
    places = [one.moved(*step) for one in near for step in steps]
    chosen = np.unique(np.concatenate([cells for cells, _ in samples.values()]))
    sizes = {skin.cell for skin in samples}
    seen = {cell: [_softened_cells(pixels, place, cell, chosen) for place in places] for cell in sizes}
    for recoloured in (False, True) if recolour else (False,):
        found = list[tuple[float, Tone, Skin, Grid]]()
        for skin, (cells, allowed) in samples.items():
            those, scale = np.searchsorted(chosen, cells), scale_of(grid, skin.cell)
            fits = [_fit_tone(one[those], skin, scale, allowed, recoloured) for one in seen[skin.cell]]
            best = min(range(len(places)), key=lambda index: fits[index][0])
            if fits[best][0] <= (1 - _FITS / 2) * skin.reach:  # so many cells may match
                found.append((*fits[best], skin, places[best]))
        for _, tone, skin, place in sorted(found, key=lambda each: each[0])[:_TRIED]:
            yield skin, place, tone


def _at_pixels(grid: Grid) -> Grid | None:
    """Return the grid with cells of whole pixels; None if their size is not nearly whole."""
    wide, tall = round(grid.pitch_x), round(grid.pitch_y)
    x, y = (grid.x + (grid.pitch_x - wide) * grid.cols / 2), grid.y + (grid.pitch_y - tall) * grid.rows / 2
    at = Grid(round(x), round(y), wide, tall, grid.rows, grid.cols)
    return at if at.largest_edge_distance(grid) <= _FAR else None


def _sample_cells(states: States, skin: Skin) -> tuple[Indices, Bools]:
    """Return a few cells of each state (indices, row by row), and which templates each may show."""
    flat = states.ravel()
    cells = np.concatenate([np.flatnonzero(flat == state)[:_SAMPLE] for state in skin.shown])
    return cells, flat[cells] == skin.states[:, None]


def _evidence_gain(cells: Cells, labels: Floats) -> float:
    """Return the evidence of a skin's pictures for its states minus the reader's against them, in nats."""
    read = cells.readable
    said = labels[read, cells.states[read]]
    return float((cells.nats[read].clip(0, -UNLIKELIEST) + said.clip(UNLIKELIEST, 0)).sum())


def read_cells(pixels: Pixels, grid: Grid, skin: Skin, last: Tone | None = None) -> tuple[Cells, Tone]:
    """Return the cells on ``grid`` that match pictures of ``skin``, and the tone of the screen.

    The tone is measured if few cells match in ``last``, that of the picture before, None if there is none.
    """
    if last is not None and (cells := _cells_in_tone(pixels, grid, skin, last)).readable.mean() >= _FITS:
        return cells, last
    plain, visible = _cells_in_tone(pixels, grid, skin, PLAIN), np.flatnonzero(inside(pixels, grid))
    if plain.readable.sum() >= len(visible):
        return plain, PLAIN
    seen = _softened_cells(pixels, grid, skin.cell, visible)
    allowed = np.ones((len(skin.states), len(visible)), np.bool_)
    tone = _fit_tone(seen, skin, scale_of(grid, skin.cell), allowed, recoloured=True)[1]
    cells = _cells_in_tone(pixels, grid, skin, tone)
    return max((plain, PLAIN), (cells, tone), key=lambda each: each[0].readable.sum())


def _fit_tone(seen: Floats, skin: Skin, scale: float, allowed: Bools, recoloured: bool) -> tuple[float, Tone]:
    """Return the mean distance of cells (n x f) from their nearest templates, and the tone.

    ``allowed`` (templates x cells) says which templates each cell may show. The tone is the best one if
    ``recoloured`` is true; otherwise colours are unchanged.
    """
    tone, near = PLAIN, np.ones(len(seen), np.bool_)
    for _ in range(3 if recoloured else 1):  # again without the cells that differ
        apart = _template_distances(seen, skin, scale, tone)
        nearest = np.where(allowed, apart, np.inf).argmin(0)
        if recoloured:
            tone = _matching_tone(seen[near], nearest[near], templates_of(skin, scale))
            apart = _template_distances(seen, skin, scale, tone)
        off = apart[nearest, np.arange(len(nearest))]
        near = off <= _USUAL * max(_NOISE, float(np.median(off)))
    return float(np.minimum(off, skin.reach).mean()), tone


def _cells_in_tone(pixels: Pixels, grid: Grid, skin: Skin, tone: Tone) -> Cells:
    """Return the cells on ``grid`` that match pictures of ``skin`` in ``tone``; others are unreadable."""
    return _certain_cells(evidence_of(pixels, grid, skin, tone))


def evidence_of(pixels: Pixels, grid: Grid, skin: Skin, tone: Tone) -> Floats:
    """Return what the pictures of ``skin`` in ``tone`` tell about the cells on ``grid``; see `KnownBoard`.

    A state is the less likely, the further away its picture is in comparison with the nearest one. A
    cell that is like none may show anything, as may one outside the picture.
    """
    scale = scale_of(grid, skin.cell)
    apart = _template_distances(_softened_cells(pixels, grid, skin.cell), skin, scale, tone)
    least, reach = apart.min(0), _template_reaches(skin, scale)[apart.argmin(0)]
    strange = reach * (1 + SURE / _NATS)  # as far as this is what has no picture
    off = np.tile(strange, (LABELS, 1))
    off[list(skin.shown)] = np.minimum.reduceat(apart, np.searchsorted(skin.states, skin.shown), axis=0)
    evidence = _NATS * (least - off) / (least + _NOISE) * (least < strange)
    seen = evidence.T.reshape(grid.rows, grid.cols, LABELS)
    return np.where(inside(pixels, grid)[..., None], seen, 0).astype(np.float32)


def _certain_cells(evidence: Floats) -> Cells:
    """Return the states of the cells that ``evidence`` makes certain; see `KnownBoard`."""
    nats = -np.partition(evidence, LABELS - 2, axis=2)[..., LABELS - 2]
    states = np.where(nats >= SURE, evidence.argmax(2), State.UNREADABLE).astype(np.int8)
    return Cells(states, nats)


def _softened_cells(pixels: Pixels, grid: Grid, cell: int, some: Indices | None = None) -> Floats:
    """Return all cells, or ``some``, at ``cell`` pixels, softened for comparison, float32 (n, f)."""
    if some is None:
        return softened(unstretched(pixels, grid, cell), cell)
    return softened(unstretched_cells(pixels, grid, cell, some).reshape(-1, cell, 3), cell)


def _template_distances(seen: Floats, skin: Skin, scale: float, tone: Tone) -> Floats:
    """Return the distance of each of n cells from each of m templates: m x n.

    It is the root mean square in grey levels, divided by the factor by which the tone changes the contrast.
    """
    wanted = _toned_templates(skin, scale, tone)
    contrast = 1.0
    if tone is not PLAIN:
        plain = _toned_templates(skin, scale, PLAIN)
        contrast = float(np.sqrt(wanted.var(0).mean() / max(float(plain.var(0).mean()), 1e-6)))
    return distances(wanted, seen) / np.float32(max(contrast, _FEW_CONTRASTS))


@lru_cache(maxsize=64)
def _toned_templates(skin: Skin, scale: float, tone: Tone) -> Floats:
    """Return the templates as a screen with ``tone`` shows them, float32 (m, f)."""
    return tone.shown(templates_of(skin, scale)).reshape(len(skin.states), -1)


@lru_cache(maxsize=64)
def _template_reaches(skin: Skin, scale: float) -> Floats:
    """Return the largest distance from each template at which a cell still matches it."""
    pictures = templates_of(skin, scale)
    own = np.sqrt(((pictures - pictures.mean(1, keepdims=True)) ** 2).mean((1, 2)))
    limits: Floats = np.minimum(skin.reach, _OWN * own).astype(np.float32)
    return limits


def _matching_tone(seen: Floats, nearest: Indices, templates: Floats) -> Tone:
    """Return the tone that best turns the ``nearest`` template of each cell into that cell (n x f).

    One or two pictures, such as those of a covered cell and a flag, determine only the gain of each channel:
    more freedom could turn those of one game into those of another.
    """
    members = (nearest == np.arange(len(templates))[:, None]).astype(np.float32)
    counts, sums = members.sum(1), members @ seen
    shown = counts > 0
    means = (sums[shown] / counts[shown, None]).reshape(-1, 3)
    weights = np.sqrt(np.repeat(np.minimum(counts[shown], _MOST_CELLS), templates.shape[1]))[:, None]
    pictures = templates[shown].reshape(-1, 3)
    if shown.sum() <= 2:
        gain = (pictures * means).sum(0) / np.maximum((pictures**2).sum(0), 1)
        return Tone.of(np.vstack([np.diag(gain), np.zeros(3)]))
    wanted = np.hstack([pictures, np.full((len(pictures), 1), 255, np.float32)])
    left = np.vstack([wanted * weights, _STIFF * np.eye(4)])
    right = np.vstack([means * weights, _STIFF * np.eye(4, 3)])
    return Tone.of(np.linalg.lstsq(left, right, rcond=None)[0])
