"""Draw the skins ``builtin`` and ``builtin-dark``: what the cells of our own window look like.

The window draws them; nothing else goes into it. Run
``PYTHONPATH=.:tests python -m art.make_builtin_templates`` after its drawing has changed.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from bot.geometry import Pixels
from bot.ui.game.drawing import CLASSIC, DARK, Layout, Theme, cell_picture
from bot.vision.skin import STATES, Colour, CounterLayout, Skin, save_skin
from qt_pictures import pixels

FOLDER = Path(__file__).parents[2] / "templates"
NAMES = {CLASSIC: "builtin", DARK: "builtin-dark"}
CELL = 16  # pixels at 100 %
DRAWN = (16, 32)  # the sizes at which cells are drawn: larger ones are sharper, not only larger


def colour(text: str) -> Colour:
    """Return the colour that ``#rrggbb`` names."""
    red, green, blue = bytes.fromhex(text[1:])
    return blue, green, red


def counter(theme: Theme) -> CounterLayout:
    """Return where the mine counter stands."""
    layout = Layout(9, 9)
    box, board = layout.mine_counter, layout.board
    each = box.width / layout.digits
    place = (box.x - board.x, box.y - board.y, each, box.height, each)
    return CounterLayout("left", *place, layout.digits, theme.lit)


def skin(theme: Theme) -> Skin:
    """Return what the window looks like in a theme."""
    states = [state for state in STATES for _ in DRAWN]
    templates = np.stack([_template(state, size, theme) for state in STATES for size in DRAWN])
    templates.flags.writeable = False
    looks = (counter(theme), colour(theme.ground))
    return Skin(NAMES[theme], CELL, 26, templates, *looks, np.array(states, np.int8))


def _template(state: int, size: int, theme: Theme) -> Pixels:
    """Return a cell that was drawn at a size, at the size of the skin."""
    drawn = pixels(cell_picture(state, size, theme))
    return np.asarray(cv2.resize(drawn, (CELL, CELL), interpolation=cv2.INTER_AREA), np.uint8)


if __name__ == "__main__":
    for wanted in NAMES:
        save_skin(skin(wanted), FOLDER / NAMES[wanted], overwrite=True)
