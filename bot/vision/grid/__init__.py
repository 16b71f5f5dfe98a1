"""Finding Minesweeper grids in a picture, whatever the game looks like.

Evidence (`lines`: straight edges) gives seeds (`comb`: windows in which the lines repeat both ways), seeds
grow to grids (`growth`, `lattice`), and grids become candidates with a score (`search`). Which of several
candidates is a board is decided by reading them. A grid once found is only followed (`confirm`).
"""

from bot.vision.grid.confirm import confirm_grid, find_moved
from bot.vision.grid.cut import Side
from bot.vision.grid.search import Candidate, find_grids

__all__ = ["Candidate", "Side", "confirm_grid", "find_grids", "find_moved"]
