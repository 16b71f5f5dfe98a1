"""A bot that plays the real Windows Minesweeper by looking at the screen.

``bot.read``, ``bot.decide`` and ``bot.explain`` are its Python interface (see `bot.interface`).
"""

from __future__ import annotations

import os

TYPE_CHECKING = False  # as in typing, which takes longer to import than all else that is needed at first
if TYPE_CHECKING:
    from bot.board import Board, Cell
    from bot.interface import decide, explain, read

__all__ = ["Board", "Cell", "decide", "explain", "read"]
__version__ = "0.1.0"

# OpenCV refuses larger pictures by their headers, before it allocates memory; it reads this at its import.
MOST_PIXELS = 1 << 25  # a screen of 8K has a few less
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MOST_PIXELS))


def __getattr__(name: str) -> object:
    """Import the Python interface when it is used: the command line begins sooner without it."""
    if name in __all__:
        from bot import interface

        return getattr(interface, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
