"""The cell reader: a small network that says what each cell of a grid shows, whatever the art.

It sees every cell with a margin around it, and a summary of all others on the grid, and gives the
probability of each state and of "no cell": background, a panel, half a cell, a cell that something hides.
The training is in ``tests/art/train_reader.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from bot.geometry import Grid, Pixels
from bot.vision.networks import Floats, log_softmax, run
from bot.vision.stretch import smoothed

SIDE = 24  # pixels of a cell as the network sees it
NO_CELL = 15  # its label for what is no cell; 0 to 14 are the states of `bot.board.State`
LABELS = 16
OWN, SUMS = 160, 96  # channels: what a cell looks like, and what it adds to the summary of the grid


def cut_cells(pixels: Pixels, grid: Grid) -> Pixels:
    """Return the cells of ``grid`` at `SIDE` pixels a cell, uint8 (rows * SIDE, cols * SIDE, 4).

    The fourth channel is 255 in the picture (BGR) and 0 beyond its edges, where the others are 0, too.
    """
    width, height = grid.cols * SIDE, grid.rows * SIDE
    step_x, step_y = grid.pitch_x / SIDE, grid.pitch_y / SIDE
    across = grid.x + (np.arange(width) + 0.5) * step_x
    down = grid.y + (np.arange(height) + 0.5) * step_y
    visible_x, visible_y = (across >= 0) & (across < pixels.shape[1]), (down >= 0) & (down < pixels.shape[0])
    cut = np.zeros((height, width, 4), np.uint8)
    if not visible_x.any() or not visible_y.any():
        return cut
    pad = int(max(step_x, step_y)) + 3
    left, top = max(0, int(grid.x) - pad), max(0, int(grid.y) - pad)
    area = pixels[top : int(down[-1]) + pad, left : int(across[-1]) + pad]
    area = smoothed(area, grid, SIDE)
    move = np.array([[step_x, 0, across[0] - left - 0.5], [0, step_y, down[0] - top - 0.5]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    cut[..., :3] = cv2.warpAffine(area, move, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    cut[..., 3] = 255
    cut[:, ~visible_x] = 0
    cut[~visible_y] = 0
    return cut


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """What the network says of the cells of a grid.

    ``labels`` are logarithms of probabilities, float32 (rows, cols, LABELS); ``turns`` say how far right and
    down of each the true cell is, as cosine and sine of the angle 2 pi * offset (in cells), of a length up to
    about 1 that says how sure that is, float32 (rows, cols, 2, 2).
    """

    labels: Floats
    turns: Floats

    @property
    def cells(self) -> Floats:
        """How much more likely each is a cell than none, in nats, float32 (rows, cols)."""
        none = self.labels[..., NO_CELL]
        return np.asarray(np.log1p(-np.exp(np.minimum(none, -1e-6))) - none, dtype=np.float32)

    def part(self, rows: slice, cols: slice) -> Scores:
        """Return those of some rows and columns."""
        return Scores(self.labels[rows, cols], self.turns[rows, cols])


def score_cells(pixels: Pixels, grid: Grid) -> Scores:
    """Return what the network says of each cell of ``grid`` on a BGR picture, uint8 (height, width, 3).

    ``grid`` should show two rows and columns of what lies around a board, on all sides: what is at its edge
    is seen without a margin.
    """
    image = cut_cells(pixels, grid).transpose(2, 0, 1)[None].astype(np.float32) / 255
    said = run("reader-judge", summary(run("reader-look", image)))[0].transpose(1, 2, 0)
    labels = log_softmax(said[..., :LABELS])
    turns = said[..., LABELS:].reshape(*said.shape[:2], 2, 2)
    return Scores(labels, turns)


def summary(seen: Floats) -> Floats:
    """Return what the first part saw (1, OWN + SUMS + 1, rows, cols), its sums replaced by their summary.

    That is the mean and the maximum over the cells, weighted by how much each looks like a cell: the result
    is (1, OWN + 2 * SUMS, rows, cols).
    """
    own, sums, gate = np.split(seen, [OWN, OWN + SUMS], axis=1)
    gate = np.asarray(1 / (1 + np.exp(-gate)), dtype=np.float32)
    mean = (gate * sums).mean((2, 3), keepdims=True) / (gate.mean((2, 3), keepdims=True) + 0.01)
    both = np.concatenate([mean, (gate * sums).max((2, 3), keepdims=True)], axis=1)
    return np.concatenate([own, np.broadcast_to(both, (1, 2 * SUMS, *own.shape[2:]))], axis=1)
