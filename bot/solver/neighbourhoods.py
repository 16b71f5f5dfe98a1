"""What lies around a cell, in 5x5 cells, as one number: the same for all that look alike to a solver.

Arrays hold many positions at once, (boards, rows, cols). Each cell says one thing: nothing (off the board,
known, or a number whose mines are all found), that it is free (covered and not settled), or how many mines
it misses. Of a neighbourhood only that counts which bears on its middle: the numbers around the middle, the
numbers that share a free cell with those, and the free cells around any of these. The key is the smallest
of the eight that its turns and mirrors have, with a digit to base 6 for each cell but the middle; 0 if no
number is around it.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from bot.rules import near

Flags = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int8]
Keys = npt.NDArray[np.int64]
Places = npt.NDArray[np.int64]

FREE = 1  # the digit of a free cell; that of a number is larger by the mines that it misses
_MOST = 4  # more missing mines than this say no more
_SIZE = 5
_MIDDLE = 12  # its place, row by row
_AT_A_TIME = 20_000  # neighbourhoods, which keeps their arrays in the processor's cache


def keys(free: Flags, missing: Counts, cells: Places) -> Keys:
    """Return the key of the neighbourhood of each of ``cells``, indices into the flat arrays.

    ``free`` tells which cells are free, ``missing`` how many mines each number misses, 0 where none stands.
    """
    says = np.where(free, FREE, np.where(missing > 0, FREE + np.minimum(missing, _MOST), 0)).astype(np.int8)
    edge = _SIZE // 2
    padded = np.pad(says, [(0, 0), (edge, edge), (edge, edge)])
    windows = np.lib.stride_tricks.sliding_window_view(padded, (_SIZE, _SIZE), axis=(1, 2))
    boards, rows, cols = np.unravel_index(cells, free.shape)
    pieces = (slice(start, start + _AT_A_TIME) for start in range(0, len(cells), _AT_A_TIME))
    found = [_keys(windows[boards[piece], rows[piece], cols[piece]]) for piece in pieces]
    return np.concatenate([*found, np.zeros(0, np.int64)])


def simpler(found: Keys) -> Keys:
    """Return the keys of the same neighbourhoods, of which the numbers around the middle alone are seen."""
    different, which = np.unique(found, return_inverse=True)
    pieces = (different[start : start + _AT_A_TIME] for start in range(0, len(different), _AT_A_TIME))
    made = [_simpler(piece) for piece in pieces]
    return np.concatenate([*made, np.zeros(0, np.int64)])[which.ravel()]


def _simpler(found: Keys) -> Keys:
    digits = found[:, None] // 6 ** np.arange(_SIZE * _SIZE - 1, dtype=np.int64) % 6
    windows = np.insert(digits.astype(np.int8), _MIDDLE, FREE, axis=1).reshape(-1, _SIZE, _SIZE)
    inner = _inner(windows > FREE)
    seen = np.where(inner | ((windows == FREE) & near(inner)), windows, np.int8(0))
    return np.asarray((seen.reshape(len(seen), -1).astype(np.int64) @ _weights()).min(axis=1), np.int64)


def _keys(windows: Counts) -> Keys:
    digits = _bearing(windows).reshape(len(windows), -1).astype(np.int64)
    return np.asarray((digits @ _weights()).min(axis=1), np.int64)


def _bearing(windows: Counts) -> Counts:
    """Return the neighbourhoods, (n, 5, 5), without what does not bear on their middle."""
    free, numbers = windows == FREE, windows > FREE
    inner = _inner(numbers)
    bearing = inner | (numbers & near(free & near(inner)))
    return np.where(bearing | (free & near(bearing)), windows, np.int8(0))


def _inner(numbers: Flags) -> Flags:
    """Return those of the numbers that touch the middle, (n, 5, 5)."""
    inner = np.zeros_like(numbers)
    inner[:, 1:-1, 1:-1] = numbers[:, 1:-1, 1:-1]
    return inner


@cache
def _weights() -> npt.NDArray[np.int64]:
    """Return what a digit at each of 25 places counts in each of the eight keys, int64 (25, 8)."""
    places = np.zeros(_SIZE * _SIZE, np.int64)
    places[np.arange(_SIZE * _SIZE) != _MIDDLE] = 6 ** np.arange(_SIZE * _SIZE - 1, dtype=np.int64)
    square = places.reshape(_SIZE, _SIZE)
    turned = [np.rot90(side, turns) for side in (square, square.T) for turns in range(4)]
    return np.stack([one.ravel() for one in turned], axis=1)
