"""The three small networks: they read cells, digits, and the sides of boards. OpenCV runs them.

Their weights are ONNX files in ``weights``; ``tests/art/train_reader.py``, ``train_digits.py`` and
``train_sides.py`` train them.

The *cell reader* says what each cell of a grid shows, whatever the art. It sees every cell with a margin
around it, and a summary of all others on the grid, and gives the probability of each state and of "no
cell": background, a panel, half a cell, a cell that something hides. The *digit reader* reads the digits of
counters in any font; it sees the glyphs of one counter together. The *side reader* says whether a board ends
at each of its sides; it sees all four together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from bot.errors import NotInTimeError
from bot.geometry import Grid, Pixels
from bot.vision.distortion import FAINT, Floats, middles, unstretched

WEIGHTS = Path(__file__).parent / "weights"


SIDE = 24  # pixels of a cell or glyph as its network sees it
NO_CELL = 15  # the cell reader's label for "no cell"; 0 to 14 are the states of `bot.board.State`
LABELS = NO_CELL + 1
_NEVER = -100.0  # nats: the score of what is certainly not there
MOST_CELLS = 50_000  # that a search looks at between two boards: some six seconds of one processor
OWN, SUMS = 160, 96  # channels: what a cell looks like, and what it adds to the summary of the grid
BEYOND = 2  # cells outside a board that are seen in a patch across its side, besides one inside
ACROSS, ALONG = (BEYOND + 1) * SIDE, 2 * SIDE  # pixels of such a patch, across the side and along it
_MIDDLE, _SPAN = 128.0, 64.0  # grey levels: offset and scale of the colours
_ROWS = 16  # glyphs in each call of a network


def run(name: str, values: npt.NDArray[np.floating]) -> Floats:
    """Return the output of the network ``name`` for ``values``, which has the dimensions of its input."""
    network = _network(name)
    network.setInput(np.ascontiguousarray(values, dtype=np.float32))
    return np.asarray(network.forward(), dtype=np.float32)


def log_softmax(scores: Floats) -> Floats:
    """Return the logarithms of the softmax probabilities of ``scores`` (..., labels)."""
    least = scores - scores.max(-1, keepdims=True)
    return np.asarray(least - np.log(np.exp(least).sum(-1, keepdims=True)), dtype=np.float32)


@cache
def _network(name: str) -> cv2.dnn.Net:
    """Load a network; OpenCV gets bytes, because on Windows it cannot open every path."""
    content = (WEIGHTS / f"{name}.onnx").read_bytes()
    return cv2.dnn.readNetFromONNX(np.frombuffer(content, np.uint8))


def damaged_networks() -> list[str]:
    """Return the names of the networks that OpenCV cannot load. Raises OSError if a file cannot be read."""
    damaged = []
    for path in sorted(WEIGHTS.glob("*.onnx")):
        try:
            _network(path.stem)
        except cv2.error:
            damaged.append(path.stem)
    return damaged


def cut_cells(pixels: Pixels, grid: Grid, *, goes_on: bool = False) -> Pixels:
    """Return the cells of ``grid`` at `SIDE` pixels a cell, uint8 (rows * SIDE, cols * SIDE, 4).

    The first three channels are BGR, the fourth is 255. Outside the picture all four are 0; but if the ground
    ``goes_on``, it is continued beyond each edge of the picture that has one colour all along the grid.
    """
    across = grid.x + middles(grid.cols * SIDE) * grid.pitch_x / SIDE
    down = grid.y + middles(grid.rows * SIDE) * grid.pitch_y / SIDE
    visible_x, visible_y = (across >= 0) & (across < pixels.shape[1]), (down >= 0) & (down < pixels.shape[0])
    cut = np.full((len(down), len(across), 4), 255, np.uint8)
    cut[..., :3] = unstretched(pixels, grid, SIDE, cv2.BORDER_REPLICATE)
    if goes_on and visible_x.any() and visible_y.any():
        visible_x |= np.ptp(cut[visible_y], axis=0).max(-1) < FAINT
        visible_y |= np.ptp(cut[:, visible_x], axis=1).max(-1) < FAINT
    cut[:, ~visible_x] = 0
    cut[~visible_y] = 0
    return cut


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """The output of the cell reader for the cells of a grid.

    ``labels`` are logarithms of probabilities, float32 (rows, cols, LABELS). ``turns``, float32 (rows, cols,
    2, 2), give the offset of the true cell to the right and down, each as cosine and sine of the angle
    2 pi * offset (in cells). Their length, up to about 1, is the certainty.
    """

    labels: Floats
    turns: Floats

    @property
    def cells(self) -> Floats:
        """The log odds that each is a cell, in nats, float32 (rows, cols)."""
        none = self.labels[..., NO_CELL]
        return np.asarray(np.log1p(-np.exp(np.minimum(none, -1e-6))) - none, dtype=np.float32)

    def part(self, rows: slice, cols: slice) -> Scores:
        """Return the scores of some rows and columns."""
        return Scores(self.labels[rows, cols], self.turns[rows, cols])

    def grown(self, top: int, left: int, bottom: int, right: int) -> Scores:
        """Return the scores with more rows and columns in which no cells can be seen."""
        around = (top, bottom), (left, right)
        labels = np.pad(self.labels, (*around, (0, 0)), constant_values=-np.inf)
        labels[np.isinf(labels).all(2), NO_CELL] = 0
        return Scores(labels.clip(_NEVER), np.pad(self.turns, (*around, (0, 0), (0, 0))))


_CELLS_LEFT = ContextVar[float]("_CELLS_LEFT", default=math.inf)  # that a search may still look at


@contextmanager
def limited() -> Iterator[Callable[[], object]]:
    """Limit the cells that `score_cells` looks at within this context, in this thread.

    The function that is yielded allows as many cells as at the start, for a search that has found a board.
    Work is counted, not timed, so that a picture always gives the same result.
    """
    renew = partial(_CELLS_LEFT.set, MOST_CELLS)
    token = renew()
    try:
        yield renew
    finally:
        _CELLS_LEFT.reset(token)


def score_cells(pixels: Pixels, grid: Grid) -> Scores:
    """Return the cell reader's scores for ``grid`` in a BGR picture, uint8 (height, width, 3).

    ``grid`` should extend two rows and columns beyond the board on all sides, because the reader sees cells
    at its edge without a margin. Plain ground goes on outside the picture, so that the scores of a board do
    not depend on how much of it the picture holds. Raises NotInTimeError in a search that has looked at too
    many cells.
    """
    _CELLS_LEFT.set(left := _CELLS_LEFT.get() - grid.rows * grid.cols)
    if left < 0:
        raise NotInTimeError(
            "no board was found in time, as the picture is large or has many similar patterns: "
            "give a smaller picture with the board alone"
        )
    image = cut_cells(pixels, grid, goes_on=True).transpose(2, 0, 1)[None].astype(np.float32) / 255
    said = run("reader-judge", summary(run("reader-look", image)))[0].transpose(1, 2, 0)
    labels = log_softmax(said[..., :LABELS])
    turns = said[..., LABELS:].reshape(*said.shape[:2], 2, 2)
    return Scores(labels, turns)


def summary(seen: Floats) -> Floats:
    """Return the first part's output (1, OWN + SUMS + 1, rows, cols) with its sums replaced by a summary.

    The summary is the mean and the maximum over all cells, weighted by how much each looks like a cell. The
    result has the shape (1, OWN + 2 * SUMS, rows, cols).
    """
    own, sums, gate = np.split(seen, [OWN, OWN + SUMS], axis=1)
    gate = np.asarray(1 / (1 + np.exp(-gate)), dtype=np.float32)
    mean = (gate * sums).mean((2, 3), keepdims=True) / (gate.mean((2, 3), keepdims=True) + 0.01)
    both = np.concatenate([mean, (gate * sums).max((2, 3), keepdims=True)], axis=1)
    return np.concatenate([own, np.broadcast_to(both, (1, 2 * SUMS, *own.shape[2:]))], axis=1)


def score_sides(patches: Pixels) -> Floats:
    """Return the log probabilities of the three labels of `bot.vision.sides` for each side, float32 (4, 3).

    ``patches``, uint8 (4, places, ACROSS, ALONG, 4), lie across the sides top, left, bottom and right; their
    last rows are inside the board. The channels are those of `cut_cells`. Each side is judged beside the mean
    of the other three and beside the opposite one.
    """
    image = patches.reshape(-1, *patches.shape[2:]).transpose(0, 3, 1, 2).astype(np.float32) / 255
    seen = run("sides-look", image).reshape(*patches.shape[:2], -1)
    own = np.concatenate([seen.mean(1), seen.max(1)], axis=1)
    others = (own.sum(0) - own) / (len(own) - 1)
    return log_softmax(run("sides-judge", np.hstack([own, others, np.roll(own, 2, axis=0)])))


def score_digits(rows: Sequence[Pixels]) -> list[Floats]:
    """Return for each row the log probabilities of the digits for each glyph, float32 (n, 12).

    Each of ``rows`` holds the glyphs of one counter, uint8 BGR (n, SIDE, SIDE, 3); every glyph is in the
    middle of a square of its background colour, with its aspect ratio kept. Columns 0 to 9 are the digits, 10
    is a minus sign, 11 is anything else.
    """
    if not rows:
        return []
    glyphs = np.concatenate(rows)
    places: dict[bytes, int] = {}  # many glyphs are found several times
    kind_of = np.array([places.setdefault(glyph.tobytes(), len(places)) for glyph in glyphs])
    kinds = np.frombuffer(b"".join(places), np.uint8).reshape(-1, SIDE, SIDE, 3)
    own = _run_in_parts("digits-look", prepared(kinds).transpose(0, 3, 1, 2))
    ends = np.cumsum([len(row) for row in rows])[:-1]
    together = []
    for chosen in np.split(kind_of, ends):
        seen = own[np.unique(chosen)]
        together += [np.concatenate([seen.mean(0), seen.max(0)])] * len(chosen)
    said = _run_in_parts("digits-judge", np.hstack([own[kind_of], np.stack(together)]))
    return np.split(log_softmax(said), ends)


def _run_in_parts(name: str, values: Floats) -> Floats:
    """Return the output of a network for ``values`` (n, ...), computed in parts.

    The values are padded so that all calls have the same shape: a new one costs milliseconds, and under Wine
    it crashes OpenCV 5.
    """
    filled = np.concatenate([values, np.zeros((-len(values) % _ROWS, *values.shape[1:]), np.float32)])
    parts = np.split(filled, range(_ROWS, len(filled), _ROWS))
    return np.concatenate([run(name, part) for part in parts])[: len(values)]


def prepared(glyphs: Pixels) -> Floats:
    """Return the digit reader's input, float32 (n, SIDE, SIDE, 4), for glyphs, uint8 BGR (n, SIDE, SIDE, 3).

    Three channels are the scaled colours; the fourth is the lightness divided by the glyph's contrast.
    """
    colours = glyphs.astype(np.float32)
    light = colours @ np.array([0.114, 0.587, 0.299], np.float32)
    light -= light.mean((1, 2), keepdims=True)
    light /= np.sqrt((light * light).mean((1, 2), keepdims=True)) + FAINT  # noise is not enlarged
    return np.concatenate([(colours - _MIDDLE) / _SPAN, light[..., None]], axis=3)
