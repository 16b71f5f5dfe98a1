"""The mine counter of a known skin, whose place the skin tells."""

from __future__ import annotations

from bot.geometry import Grid, Pixels, Rect
from bot.vision.panel.numbers import read_display
from bot.vision.skin import Skin

_OFFSETS = (0, 2, -2, 4, -4)  # pixels at 100 % scaling: programs with one look place the counter differently
_RIM = 2  # pixels likewise that are looked at above and below it, and twice as many beside it


def read_counter(pixels: Pixels, grid: Grid, skin: Skin) -> int | None:
    """Return what the mine counter beside ``grid`` shows; None if it is not there or cannot be read."""
    place, scale = counter_place(grid, skin), grid.pitch_y / skin.cell
    if skin.counter is None or place is None or not _in_picture(place, pixels):
        return None
    rim = round(_RIM * scale)
    place = Rect(place.x - 2 * rim, place.y - rim, place.width + 4 * rim, place.height + 2 * rim)
    for off in _OFFSETS:
        there = place.moved(0, round(off * scale))
        number = read_display(pixels, there, skin.counter.height * scale, skin.counter.digits)
        if number is not None:
            return number
    return None


def counter_visible(pixels: Pixels, grid: Grid, skin: Skin) -> bool:
    """Return whether the place of the mine counter lies in the picture."""
    place = counter_place(grid, skin)
    return place is not None and _in_picture(place, pixels)


def counter_place(grid: Grid, skin: Skin) -> Rect | None:
    """Return where the counter of a skin is beside ``grid``, in frame pixels; None if the skin has none."""
    layout = skin.counter
    if layout is None:
        return None
    wide, tall = grid.pitch_x / skin.cell, grid.pitch_y / skin.cell
    x = (grid.x + grid.width if layout.right else grid.x) + layout.x * wide
    width = layout.step * (layout.digits - 1) + layout.width
    return Rect(round(x), round(grid.y + layout.y * tall), round(width * wide), round(layout.height * tall))


def _in_picture(place: Rect, pixels: Pixels) -> bool:
    return Rect(0, 0, pixels.shape[1], pixels.shape[0]).covers(place)
