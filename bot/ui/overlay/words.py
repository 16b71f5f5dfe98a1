"""Where words stand: beside the game, never on it."""

from __future__ import annotations

from bot.geometry import Rect

GAP = 6  # pixels between the game and the words: the frame of a window is about as wide
TITLE = 40  # pixels above the game that its title needs


def place_beside(game: Rect, size: tuple[int, int], screen: Rect) -> Rect | None:
    """Return where a box of ``size`` (width, height) fits on ``screen``: below the game, above, or at a side.

    All are screen pixels. None if there is room nowhere.
    """
    width, height = size
    x = min(max(game.x, screen.x), screen.right - width)
    y = min(max(game.y, screen.y), screen.bottom - height)
    places = (
        Rect(x, game.bottom + GAP, width, height),
        Rect(game.right + GAP, y, width, height),
        Rect(game.x - GAP - width, y, width, height),
        Rect(x, game.y - TITLE - height, width, height),
    )
    return next((place for place in places if screen.covers(place)), None)
