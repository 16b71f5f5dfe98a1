"""Where a board is: whether it is whole, which window it is in, where exactly its cells begin."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from bot.clicker import Click, Clicker
from bot.errors import BotError, GameNotFoundError, WindowError
from bot.geometry import Frame, Grid, Pixels, Point, Rect
from bot.player.look import Look
from bot.screen.protocols import Desktop, Visibility, Window
from bot.vision import Skin, read_picture
from bot.vision.reading import Doubt, Reading, cut_words
from bot.vision.search import read_at

POINTER_SIZE = Rect(-4, -4, 20, 28)  # pixels that a pointer hides around its tip at 100 % scaling
POINTER_REACH = 32  # pixels to its right and below that a pointer hides at most
_NEAR = 0.3  # of a cell: so far off may a place be that was measured on covered cells
_SAME = 0.05  # of a cell: a board that is no further off has not moved


def alike(one: Grid, other: Grid) -> bool:
    """Return whether two grids may be of one board: a zoomed page has other cells, but as many."""
    return (one.rows, one.cols) == (other.rows, other.cols)


def found_again(
    pixels: Pixels, grid: Grid, skin: Skin, skins: Sequence[Skin], heed: Callable[[], None]
) -> Iterator[Reading]:
    """Yield what may be the board that was on ``grid`` before, likeliest first.

    That place is searched first, and the whole picture only if the board is not there. ``heed`` is called
    before each step of the search and may end it by raising.
    """
    near = read_at(pixels, grid, (skin,))
    if near is not None and alike(near.grid, grid) and not near.cut:
        yield near
    else:
        found = read_picture(pixels, skins, heed=heed)
        yield from (one for one in found if alike(one.grid, grid) and not one.cut)


def same_place(one: Grid, other: Grid) -> bool:
    """Return whether two grids are of one board that has not moved."""
    return alike(one, other) and one.apart(other) <= _SAME


def cut_off(frame: Frame, grid: Grid, window: Window | None) -> bool:
    """Return whether a part of the board may be off the screen.

    Where the screen ends inside its window, or in one that is not known, everything within a cell of the
    edge may be: half a column looks like a frame.
    """
    width, height = frame.rect.size
    whole = frame.rect if window is None else window.client
    sides = (
        (grid.x, grid.pitch_x, frame.rect.x > whole.x),
        (grid.y, grid.pitch_y, frame.rect.y > whole.y),
        (width - grid.x - grid.width, grid.pitch_x, frame.rect.right < whole.right),
        (height - grid.y - grid.height, grid.pitch_y, frame.rect.bottom < whole.bottom),
    )
    return any(room < pitch and (ends or window is None) for room, pitch, ends in sides)


def window_of(desktop: Desktop, board: Rect) -> Window | None:
    """Return the window that a board found by its picture is in, so that it can be followed too."""
    centre = Point(board.x + board.width // 2, board.y + board.height // 2)
    holding = (window for window in desktop.windows() if window.client.covers(board))
    return next((window for window in holding if desktop.receives(window, centre)), None)


def uncovered(desktop: Desktop, window: Window | None) -> bool:
    """Return whether nothing lies over a whole window; where it is not known, something may."""
    return window is not None and desktop.visibility(window, window.client) is Visibility.VISIBLE


def nothing_whole(found: Sequence[Reading], window: Window | None) -> BotError:
    """Return what to tell a user in whose window, or on whose screen, only parts of boards are, or none."""
    if words := next((words for part in found if (words := cut_words(part))), None):
        return WindowError(f"{words}; move its window wholly onto a screen, and away what covers it")
    if window is None:
        return GameNotFoundError(
            "no Minesweeper board is on the screen: open the game, uncover its window, and try again"
        )
    return GameNotFoundError(
        f"the window {window.title!r} shows no board that can be read: bring it wholly onto the screen, "
        "close what covers it, and try again"
    )


def measured_again(pixels: Pixels, reading: Reading, heed: Callable[[], None]) -> Grid | None:
    """Return the grid of a board of unknown art as its opened cells show it; None if that reads no better.

    ``pixels`` is the BGR picture of which ``reading`` was read; ``heed`` may end the search by raising.
    """
    for found in read_picture(pixels, (), first_sight=True, heed=heed):
        near = alike(found.grid, reading.grid) and reading.grid.apart(found.grid) <= _NEAR
        if near and found.grid != reading.grid and len(found.unreadable) < len(reading.unreadable):
            return found.grid
    return None


def blamed_on_pointer(reading: Reading, frame: Frame, pointer: Callable[[], Point] | None) -> Reading:
    """Return the reading with the pointer as the reason for the cells that it may hide.

    ``pointer`` tells where its tip is, None if nobody knows.
    """
    if pointer is None or not reading.unreadable:
        return reading
    tip = pointer()
    hidden = POINTER_SIZE.moved(tip.x - frame.origin.x, tip.y - frame.origin.y)
    rects = ((cell, reading.grid.cell_rect(cell)) for cell in reading.unreadable)
    cells = [cell for cell, rect in rects if not rect.intersection(hidden).empty]
    return replace(reading, doubts={**reading.doubts, **dict.fromkeys(cells, Doubt.POINTER)})


def beside(look: Look) -> Point | None:
    """Return a place beside the board where the pointer hides nothing of it; None if there is no room.

    It is near a corner: words across the middle of a board may stay for as long as the pointer is on them.
    """
    grid, frame = look.reading.grid, look.frame
    width, height = frame.rect.size
    across, down = grid.x + grid.pitch_x / 2, grid.y + grid.height - grid.pitch_y / 2
    right, left = grid.x + grid.width + grid.pitch_x / 2, grid.x - POINTER_REACH
    below, above = grid.y + grid.height + grid.pitch_y / 2, grid.y - POINTER_REACH
    places = ((right, down), (across, below), (left, down), (across, above))
    room = (place for place in places if 0 <= place[0] < width and 0 <= place[1] < height)
    return next((frame.to_screen(*place) for place in room), None)


def step_aside(look: Look, clicker: Clicker) -> bool:
    """Put the pointer beside the board if it is on it; return whether it was.

    Many games light up the cell under the pointer, and some pictures of the screen show the pointer.
    """
    place, here = beside(look), clicker.mouse.position()
    board = look.reading.grid.rect.moved(look.frame.origin.x, look.frame.origin.y)
    if place is None or not board.grown(POINTER_REACH).contains(here):
        return False
    clicker.move_away(place)
    return True


def stir(look: Look, clicker: Clicker) -> None:
    """Move the pointer beside the board: a game below a dialog has not seen it leave its words."""
    if place := beside(look):
        clicker.move_away(Point(place.x, place.y - 1))
        clicker.move_away(place)


def is_elsewhere(look: Look, click: Click) -> bool:
    """Return whether the cell that a click was for is at another point of the screen now."""
    return look.frame.to_screen(*look.reading.grid.centre(click.move.cell)) != click.point
