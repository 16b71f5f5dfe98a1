"""Following a grid that was found before: it is still there, it was moved, or it is gone."""

from bot.vision.grid.confirm import confirm_grid, find_moved
from bot.vision.grid.cut import Side

__all__ = ["Side", "confirm_grid", "find_moved"]
