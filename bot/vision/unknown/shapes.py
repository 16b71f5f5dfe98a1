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
from numpy.lib.stride_tricks import as_strided

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
_TILES = np.array([[1, 0, 0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0, 0, 1]], np.float32)


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
    light = colours.reshape(-1, 3) @ np.array([0.114, 0.587, 0.299], np.float32)
    own = light.reshape(len(cells), -1)
    own -= own.mean(axis=1, keepdims=True)
    own /= np.sqrt((own * own).mean(axis=1, keepdims=True)) + _NOISE
    colours -= _MIDDLE
    colours /= _SPAN
    seen = np.empty((*cells.shape[:3], 4), np.float32)
    seen[..., :3], seen[..., 3] = colours, own.reshape(cells.shape[:3])
    return seen


@cache
def _network(name: str) -> Network:
    with np.load(WEIGHTS / f"{name}.npz") as weights:
        return _made({key: weights[key].astype(np.float32) for key in weights.files})


def _made(network: Network) -> Network:
    """Return the network with the kernels of 3 x 3 as `_Tiled` wants them: (16, depth in, depth out)."""
    for name in ("conv2", "conv3"):
        tiles = np.einsum("ia,jb,abcd->ijcd", _TILES, _TILES, network[name])
        network[name] = np.ascontiguousarray(tiles.reshape(16, *tiles.shape[2:]), dtype=np.float32)
    return network


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
    own = _seen(network, kinds)
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
    first = np.unique(kind_of, return_index=True)[1]
    return kind_of, [int(index) for index in first]


def _seen(network: Network, cells: Pixels) -> Floats:
    """Return what the network sees in each cell by itself, (n, 96)."""
    count = min(_CHUNK, len(cells))
    layers = _Strided(network, count), _Tiled(network, "conv2", 12, count), _Tiled(network, "conv3", 6, count)
    seen = np.empty((len(cells), len(network["own_bias"])), np.float32)
    for at in range(0, len(cells), count):
        x = prepared(cells[at : at + count])
        rest = len(x)
        for layer in layers:
            x = layer(x)
        seen[at : at + count] = _dense(network, "own", x.transpose(2, 0, 1, 3)[:rest].reshape(rest, -1))
    return seen


class _Strided:
    """The first convolution, 5 x 5 at every second pixel, of ``count`` cells at a time.

    It works in memory of its own, taken once: fresh memory for every step costs more than the step.
    """

    def __init__(self, network: Network, count: int) -> None:
        kernel, self._bias = network["conv1"], network["conv1_bias"]
        self._kernel = kernel.reshape(-1, kernel.shape[3])
        self._padded = np.zeros((count, SIDE + 4, SIDE + 4, kernel.shape[2]), np.float32)
        cell, down, across, channel = self._padded.strides
        shape = SIDE // 2, SIDE // 2, count, 5, 5 * kernel.shape[2]
        self._windows = as_strided(self._padded, shape, (2 * down, 2 * across, cell, down, channel))
        self._patches = np.empty(shape, np.float32)
        self._out = np.empty((*shape[:3], kernel.shape[3]), np.float32)

    def __call__(self, x: Floats) -> Floats:
        """Return (12, 12, count, depth) of up to ``count`` cells (n, 24, 24, 4); the rest is old."""
        self._padded[: len(x), 2:-2, 2:-2] = x
        np.copyto(self._patches, self._windows)
        out = self._out.reshape(-1, self._out.shape[-1])
        np.matmul(self._patches.reshape(len(out), -1), self._kernel, out=out)
        out += self._bias
        np.maximum(out, 0, out=out)
        return self._out


class _Tiled:
    """A convolution of 3 x 3 and the largest of each 2 x 2 pixels of it, after S. Winograd.

    The four pixels that are pooled are computed together from the 4 x 4 pixels around them: sums and
    differences of those, 16 products in place of 36, and sums and differences again.
    """

    def __init__(self, network: Network, name: str, side: int, count: int) -> None:
        self._kernel, self._bias = network[name], network[f"{name}_bias"]
        half, depth = side // 2, self._kernel.shape[1]
        self._side = side
        self._padded = np.zeros((side + 2, side + 2, count, depth), np.float32)
        self._rows = np.empty((4, half, side + 2, count, depth), np.float32)
        self._tiles = np.empty((4, 4, half, half, count, depth), np.float32)
        self._products = np.empty((4, 4, half, half, count, self._kernel.shape[2]), np.float32)

    def __call__(self, x: Floats) -> Floats:
        """Return (side / 2, side / 2, count, depth) of ``x``, (side, side, count, depth)."""
        side, tiles, products = self._side, self._tiles, self._products
        self._padded[1:-1, 1:-1] = x
        _spread([self._padded[at : side + at : 2] for at in range(4)], self._rows)
        for row, tile in zip(self._rows, tiles, strict=True):
            _spread([row[:, at : side + at : 2] for at in range(4)], tile)
        np.matmul(
            tiles.reshape(16, -1, tiles.shape[-1]),
            self._kernel,
            out=products.reshape(16, -1, products.shape[-1]),
        )
        _gather(products)
        _gather(products[0])
        _gather(products[3])
        best: Floats = products[0, 0]
        for other in (products[0, 3], products[3, 0], products[3, 3]):
            np.maximum(best, other, out=best)
        best += self._bias
        np.maximum(best, 0, out=best)
        return best


def _spread(pixels: list[Floats], out: Floats) -> None:
    np.subtract(pixels[0], pixels[2], out=out[0])
    np.add(pixels[1], pixels[2], out=out[1])
    np.subtract(pixels[2], pixels[1], out=out[2])
    np.subtract(pixels[1], pixels[3], out=out[3])


def _gather(products: Floats) -> None:
    """Put the two pixels of four products into the places of the first and the last."""
    products[0] += products[1]
    products[0] += products[2]
    products[1] -= products[2]
    np.subtract(products[1], products[3], out=products[3])


def _dense(network: Network, name: str, x: Floats) -> Floats:
    return np.asarray(np.maximum(x @ network[name] + network[f"{name}_bias"], 0), dtype=np.float32)
