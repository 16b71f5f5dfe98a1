"""Measuring a grid that was found in a small copy of the picture, in the picture itself."""

from __future__ import annotations

import cv2
import numpy as np

from bot.geometry import Grid, Pixels, Rect
from bot.vision.grid.lines import long_horizontal, long_vertical
from bot.vision.grid.measure import Profiles, centred, enlarged, fitted, nearest, profile, stepped
from bot.vision.grid.uneven import evened


def refined(brightness: Pixels, grid: Grid, scale: int, shortest: int) -> Grid:
    """Return a grid found in a copy 1 / ``scale`` the size in pixels of the picture, measured there."""
    corner = enlarged(grid, scale)
    height, width = brightness.shape
    area = corner.rect.grown(3 * scale).intersection(Rect(0, 0, width, height))
    cut = np.ascontiguousarray(brightness[area.y : area.bottom, area.x : area.right])
    around = _profiles(cut, scale, shortest)
    inside = evened(cut, stepped(cut, fitted(around, corner.moved(-area.x, -area.y))))
    return centred(around, nearest(around, inside, 1)).moved(area.x, area.y)


def _profiles(cut: Pixels, scale: int, shortest: int) -> Profiles:
    """Return how strong the lines at each place are; along themselves they need no detail."""
    height, width = cut.shape
    low = cv2.resize(cut, (width, height // scale), interpolation=cv2.INTER_AREA) if scale > 1 else cut
    narrow = cv2.resize(cut, (width // scale, height), interpolation=cv2.INTER_AREA) if scale > 1 else cut
    across = profile(long_vertical(low.astype(np.uint8, copy=False), shortest), 0)
    down = profile(long_horizontal(narrow.astype(np.uint8, copy=False), shortest), 1)
    return Profiles(across, down)
