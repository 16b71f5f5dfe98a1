"""Samples to learn shapes from: cells cut out of drawn boards, a little beside their true place."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from art.boards import METHODS, draw_board, random_states
from art.covers import cover
from art.damage import damaged
from art.ink import Generator
from art.styles import Style, random_style
from bot.board import State, States
from bot.geometry import Grid, Pixels
from bot.vision.stretch import unstretched

SIDE = 24  # pixels of a sample
NO_CELL = 15
UNSURE = -1  # a cell of which nobody could say what it is; not to be learned
ROWS, COLS = 6, 8
_LOOKS = 3  # pictures of one style
_OFF = 0.08  # of a cell: how far beside its place a cell may be cut
_PLAIN = 14.0  # grey levels of deviation from every state: beyond, a cut at a wrong place shows that

Labels = npt.NDArray[np.int8]


def style_samples(rng: Generator, held_out: bool = False) -> Iterator[tuple[Pixels, Labels]]:
    """Yield the cells of a few boards of one style, uint8 (48, 24, 24, 3), and their labels, int8 (48,).

    Labels are states 0 to 14, `NO_CELL` for what is hidden, cut at a wrong place or no cell at all, and
    `UNSURE`.
    """
    style = random_style(rng, held_out)
    shown = float(np.exp(rng.uniform(np.log(12), np.log(56))))
    for method in ("snap", *rng.choice(list(METHODS), _LOOKS - 1)):
        pitch = (
            shown
            if method == "snap"
            else style.native * float(rng.choice([1, 1.25, 1.5, 2, rng.uniform(0.7, 2.3)]))
        )
        yield _board_samples(rng, style, max(12.0, pitch), str(method))


def _board_samples(rng: Generator, style: Style, pitch: float, method: str) -> tuple[Pixels, Labels]:
    states = _states(rng)
    board = draw_board(style, states, pitch, pitch * float(rng.uniform(0.97, 1.03)), method)
    labels = states.astype(np.int8)
    step_y, step_x = board.shape[0] / ROWS, board.shape[1] / COLS
    hidden = cover(rng, board, labels, style)
    edge = int(np.ceil(pitch))
    around = rng.integers(0, 256, 3) if rng.random() < 0.5 else np.array(style.covered.face)
    picture = np.empty((board.shape[0] + 2 * edge, board.shape[1] + 2 * edge, 3), np.uint8)
    picture[:] = around.astype(np.uint8)
    picture[edge:-edge, edge:-edge] = board
    picture = damaged(rng, picture)
    cells = _cut(picture, _beside(rng, Grid(edge, edge, step_x, step_y, ROWS, COLS)))
    labels = np.where(hidden == 0, states, np.where(hidden > 0, NO_CELL, UNSURE)).astype(np.int8).ravel()
    return _misplaced(rng, picture, Grid(edge, edge, step_x, step_y, ROWS, COLS), cells, labels)


def _states(rng: Generator) -> States:
    """Return states to draw: usually all kinds alike, sometimes a part of a real position."""
    if rng.random() < 0.75:
        return rng.integers(0, 15, (ROWS, COLS)).astype(np.int8)
    states = random_states(rng, 12, 14, float(rng.uniform(0.1, 0.35)), float(rng.uniform(0.1, 1)))
    top, left = rng.integers(0, 12 - ROWS + 1), rng.integers(0, 14 - COLS + 1)
    return states[top : top + ROWS, left : left + COLS]


def _beside(rng: Generator, grid: Grid) -> Grid:
    """Return the grid moved and stretched so that no cell is more than `_OFF` beside its place."""
    if rng.random() < 0.25:
        return grid
    off_x, off_y = rng.uniform(-_OFF, _OFF, 2) / 2
    wide, tall = rng.uniform(-_OFF, _OFF, 2) / 2
    return Grid(
        grid.x + off_x * grid.pitch_x - wide * grid.pitch_x / 2,
        grid.y + off_y * grid.pitch_y - tall * grid.pitch_y / 2,
        grid.pitch_x * (1 + wide / COLS),
        grid.pitch_y * (1 + tall / ROWS),
        grid.rows,
        grid.cols,
    )


def _cut(picture: Pixels, grid: Grid) -> Pixels:
    canvas = unstretched(picture, grid, SIDE)
    apart = canvas.reshape(grid.rows, SIDE, grid.cols, SIDE, 3).swapaxes(1, 2)
    return np.ascontiguousarray(apart).reshape(-1, SIDE, SIDE, 3)


def _misplaced(
    rng: Generator, picture: Pixels, grid: Grid, cells: Pixels, labels: Labels
) -> tuple[Pixels, Labels]:
    """Return the samples with a few of them cut at a wrong place, where that can be seen."""
    if rng.random() < 0.6:
        return cells, labels
    off_x, off_y = rng.uniform(0.3, 0.5, 2) * rng.choice([-1, 0, 1], 2)
    if not off_x and not off_y:
        return cells, labels
    wrong = _cut(picture, grid.moved(off_x * grid.pitch_x, off_y * grid.pitch_y))
    chosen = rng.choice(len(cells), 3, replace=False)
    for index in chosen:
        far = np.sqrt(((cells.astype(np.float32) - wrong[index]) ** 2).mean(axis=(1, 2, 3)))
        if far.min() > _PLAIN:
            cells[index], labels[index] = wrong[index], NO_CELL
    return cells, labels


def is_state(labels: Labels) -> npt.NDArray[np.bool_]:
    """Return which labels are states of a cell."""
    return (labels >= 0) & (labels <= State.WRONG_FLAG)
