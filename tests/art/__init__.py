"""Random Minesweeper art: styles nobody drew by hand, boards in them, and what screens do to pictures.

``random_style(rng)`` invents the look of a program, ``draw_board`` draws in it,
``random_states`` plays a game to a random point, ``damaged`` does to a picture what screens and files do.
With ``held_out=True`` a style is made of families, fonts and marks that the digit reader never sees.
"""

from art.boards import damaged, draw_board, random_states
from art.styles import Style, random_style

__all__ = ["Style", "damaged", "draw_board", "random_states", "random_style"]
