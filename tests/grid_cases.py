"""Pictures with a board at a known place, and when a found grid agrees with it."""

from __future__ import annotations

import numpy as np
import pytest

from bot.geometry import Grid, Pixels
from drawn import LOOKS, Look, blob, draw_board, frame, wallpaper
from screens import screens

LOOK = pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)
SCREENS = screens()
NATIVE = [screen for screen in SCREENS if screen.grid.pitch_x == screen.grid.pitch_y == 16]


def agrees(grid: Grid, truth: Grid, reach: float = 2.0) -> bool:
    """Return whether corner (in pixels), pitch (to 0.5 %), rows and columns are those of the true grid."""
    return (
        (grid.rows, grid.cols) == (truth.rows, truth.cols)
        and abs(grid.x - truth.x) <= reach
        and abs(grid.y - truth.y) <= reach
        and abs(grid.pitch_x / truth.pitch_x - 1) <= 0.005
        and abs(grid.pitch_y / truth.pitch_y - 1) <= 0.005
    )


def drawn(
    grid: Grid,
    look: Look,
    share: float,
    kind: str = "plain",
    size: tuple[int, int] = (700, 1000),
    seed: int = 1,
) -> Pixels:
    """Return a picture with a board of a look, a share of it opened, on a wallpaper of a kind."""
    rng = np.random.default_rng(seed)
    pixels = wallpaper(kind, *size, rng)
    frame(pixels, grid, look)
    draw_board(grid, look, pixels, blob(grid.rows, grid.cols, share, rng), rng)
    return pixels
