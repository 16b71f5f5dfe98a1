"""What a cell shows, by its shape alone: two small networks, trained on drawn art, run in numpy.

They are trained by ``tests/art/train_shapes.py``. A network sees a cell as 24 x 24 pixels in four channels,
and beside it what the other cells given with it have in common: whether a plain cell is covered or opened
can only be told beside the others, and so can a 7 of a font that looks like another font's 1.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Pixels

Floats = npt.NDArray[np.float32]
Network = dict[str, Floats]

WEIGHTS = Path(__file__).parent  # the folder of the weights
SIDE = 24  # pixels of a cell as the networks see it
NO_CELL = 15  # class of `score_shapes`: hidden, under a pointer, cut at a wrong place, no cell at all
MINUS, NO_DIGIT = 10, 11  # classes of `score_digits`
_MIDDLE, _SPAN = 128.0, 64.0  # grey levels: how colours are scaled
_NOISE = 8.0  # grey levels: contrast below this is not made larger
_CHUNK = 16  # cells at a time, so that they stay in the processor's cache


def score_shapes(cells: Pixels) -> Floats:
    """Return how likely each cell shows each state, float32 (n, 16), as logarithms of probabilities.

    ``cells`` are pictures of cells of one board, uint8 BGR (n, height, width, 3), cut at the grid; each kind
    of cell counts once, however often it is given. Columns 0 to 14 are states in the order of
    `bot.board.State`, column 15 is "no cell": hidden, under a pointer, or cut at a wrong place. All states
    are taken to be equally common. A plain cell that might be covered or blank gets both.
    """
    return _scored(_network("shapes"), _sized(cells))


def score_digits(glyphs: Pixels) -> Floats:
    """Return how likely each glyph is each digit, float32 (n, 12), as logarithms of probabilities.

    ``glyphs`` are characters of one counter, uint8 BGR (n, height, width, 3), cut at their edges with a
    little margin, upright. Columns 0 to 9 are the digits, 10 is a minus sign, 11 is none of them.
    """
    return _scored(_network("digits"), _sized(_squared(glyphs)))


def prepared(cells: Pixels) -> Floats:
    """Return what the networks see, float32 (n, 24, 24, 4), of uint8 BGR (n, 24, 24, 3).

    Three channels are the colours, the fourth is the lightness over the cell's own contrast.
    """
    colours = cells.astype(np.float32)
    light = colours @ np.array([0.114, 0.587, 0.299], np.float32)
    middle = light.mean(axis=(1, 2), keepdims=True)
    contrast = light.std(axis=(1, 2), keepdims=True) + _NOISE
    own = ((light - middle) / contrast)[..., None]
    return np.concatenate([(colours - _MIDDLE) / _SPAN, own], axis=3)


@cache
def _network(name: str) -> Network:
    with np.load(WEIGHTS / f"{name}.npz") as weights:
        return {key: weights[key].astype(np.float32) for key in weights.files}


def _sized(cells: Pixels) -> Pixels:
    if cells.shape[1:3] == (SIDE, SIDE):
        return cells
    method = cv2.INTER_AREA if min(cells.shape[1:3]) > SIDE else cv2.INTER_LINEAR
    small = [cv2.resize(cell, (SIDE, SIDE), interpolation=method) for cell in cells]
    return np.asarray(small, dtype=np.uint8).reshape(-1, SIDE, SIDE, 3)


def _squared(glyphs: Pixels) -> Pixels:
    """Return the glyphs on a square, with the colour of each one's edge around it."""
    count, height, width = glyphs.shape[:3]
    side = max(height, width)
    edges = np.concatenate(
        [glyphs[:, [0, -1]].reshape(count, -1, 3), glyphs[:, :, [0, -1]].reshape(count, -1, 3)], 1
    )
    square = np.empty((count, side, side, 3), np.uint8)
    square[:] = np.median(edges, axis=1)[:, None, None]
    top, left = (side - height) // 2, (side - width) // 2
    square[:, top : top + height, left : left + width] = glyphs
    return square


def _scored(network: Network, cells: Pixels) -> Floats:
    if not len(cells):
        return np.empty((0, len(network["out_bias"])), np.float32)
    kind_of, first = _kinds(cells)
    kinds = cells[first]
    own = np.concatenate([_seen(network, kinds[at : at + _CHUNK]) for at in range(0, len(kinds), _CHUNK)])
    together = np.concatenate([own.mean(axis=0), own.max(axis=0)])
    others = np.broadcast_to(_dense(network, "others", together), (len(own), len(network["others_bias"])))
    joined = _dense(network, "joined", np.concatenate([own, others], axis=1))
    scores = joined @ network["out"] + network["out_bias"]
    scores -= scores.max(axis=1, keepdims=True)
    scores -= np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return np.asarray(scores[kind_of], dtype=np.float32)


def _kinds(cells: Pixels) -> tuple[list[int], list[int]]:
    """Return the number of each cell's kind, and the first cell of each kind; equal cells are of one kind."""
    numbers: dict[bytes, int] = {}
    kind_of = [numbers.setdefault(cell.tobytes(), len(numbers)) for cell in cells]
    first = [kind_of.index(number) for number in range(len(numbers))]
    return kind_of, first


def _seen(network: Network, cells: Pixels) -> Floats:
    """Return what the network sees in each cell by itself, (n, 96)."""
    x = _convolved(network, "conv1", prepared(cells), step=2)
    x = _pooled(_convolved(network, "conv2", x))
    x = _pooled(_convolved(network, "conv3", x))
    return _dense(network, "own", x.reshape(len(x), -1))


def _convolved(network: Network, name: str, x: Floats, step: int = 1) -> Floats:
    kernel = network[name]
    size, edge = kernel.shape[0], kernel.shape[0] // 2
    count, rows, cols, depth = x.shape[0], x.shape[1] // step, x.shape[2] // step, x.shape[3]
    padded = np.pad(x, ((0, 0), (edge, edge), (edge, edge), (0, 0)))
    patches = np.empty((count, rows, cols, size, size, depth), np.float32)
    for down, across in np.ndindex(size, size):
        ends = down + rows * step, across + cols * step
        patches[:, :, :, down, across] = padded[:, down : ends[0] : step, across : ends[1] : step]
    result = patches.reshape(count * rows * cols, -1) @ kernel.reshape(-1, kernel.shape[3])
    result += network[f"{name}_bias"]
    return np.maximum(result, 0, out=result).reshape(count, rows, cols, -1)


def _pooled(x: Floats) -> Floats:
    """Return the largest of each 2 x 2 pixels."""
    return np.maximum(
        np.maximum(x[:, ::2, ::2], x[:, 1::2, ::2]), np.maximum(x[:, ::2, 1::2], x[:, 1::2, 1::2])
    )


def _dense(network: Network, name: str, x: Floats) -> Floats:
    return np.asarray(np.maximum(x @ network[name] + network[f"{name}_bias"], 0), dtype=np.float32)
