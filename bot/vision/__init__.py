"""From pixels to a position: find the grid, read the state of each cell, read the panel beside the board."""

from bot.picture_files import load_picture, save_picture, shrunk
from bot.vision.board_reader import read_picture
from bot.vision.reading import Reading
from bot.vision.skin import Skin, load_skin, load_skins, save_skin
from bot.vision.track import Tracker, read_grid

__all__ = [
    "Reading",
    "Skin",
    "Tracker",
    "load_picture",
    "load_skin",
    "load_skins",
    "read_grid",
    "read_picture",
    "save_picture",
    "save_skin",
    "shrunk",
]
