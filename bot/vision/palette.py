"""Pictures of few colours, as GIF files have them: every colour is shown as the nearest that is there.

No tone describes that, since all inks may become one. But the colours that a picture has can be counted, and
what they make of a skin's pictures follows.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from bot.geometry import Grid, Pixels
from bot.vision.skin import Colour, Skin
from bot.vision.tone import Tone, toned

_FEW = 16  # colours

Palette = tuple[Colour, ...]


def palette_of(pixels: Pixels, grid: Grid) -> Palette | None:
    """Return the colours on a board, rising, if they are few; ``pixels`` is uint8 BGR (height, width, 3)."""
    rect = grid.rect
    area = pixels[max(0, rect.y) : max(0, rect.bottom), max(0, rect.x) : max(0, rect.right)]
    codes = area.astype(np.int32) @ np.array([1 << 16, 1 << 8, 1], np.int32)
    if len(np.unique(codes[::5, ::3])) > _FEW:
        return None
    colours = np.unique(codes)
    if not 1 < len(colours) <= _FEW:
        return None
    return tuple((int(code) >> 16, int(code) >> 8 & 255, int(code) & 255) for code in colours)


@lru_cache(maxsize=16)
def shown_in(skin: Skin, tone: Tone, palette: Palette) -> Skin:
    """Return ``skin`` as a screen of that tone shows it in the colours of ``palette``."""
    seen, colours = toned(skin, tone).templates.astype(np.float32), np.array(palette, np.float32)
    nearest = ((seen[..., None, :] - colours) ** 2).sum(-1).argmin(-1)
    return replace(skin, templates=colours[nearest].astype(np.uint8))
