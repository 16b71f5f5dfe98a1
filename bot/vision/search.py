"""Searching a picture for boards: the cell reader finds them, a skin tells what shows its pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from bot.geometry import Grid, Pixels
from bot.vision.extent import with_extent
from bot.vision.known import identified
from bot.vision.panel import with_counter, with_face
from bot.vision.reading import Reading
from bot.vision.skin import Skin
from bot.vision.unknown.locate import Located, averaged, boards_in, confirm, locate, look
from bot.vision.unknown.read import read_board

Heed = Callable[[], None]
_NEARLY = 0.3  # of a cell: so far off may a place be that was measured on covered cells
_SAME_PLACE = 0.05  # of a cell: a board that is no further off has not moved


def _go_on() -> None:
    """Let a search go on."""


def read_picture(
    pixels: Pixels, skins: Sequence[Skin], first_sight: bool = False, heed: Heed = _go_on
) -> list[Reading]:
    """Return every board found in a BGR picture (height, width, 3), best first.

    Cells that show a picture of one of ``skins`` are told by it, the others by the cell reader and the rules
    of the game; without ``first_sight`` boards that show none of the skins are left out. Mine counters are
    looked for wherever the skin does not say where they are. ``heed`` is called before each step and may
    end the search by raising.
    """
    boards = (_read(pixels, board, skins, first_sight) for board in boards_in(pixels, (), heed))
    return sorted((board for board in boards if board is not None), key=_quality, reverse=True)


def read_at(pixels: Pixels, grid: Grid, skins: Sequence[Skin]) -> Reading | None:
    """Return the board near ``grid`` if it shows one of ``skins``, None if not."""
    board = confirm(pixels, grid) or locate(pixels, grid)
    return None if board is None else _read(pixels, board, skins, first_sight=False)


def _read(pixels: Pixels, board: Located, skins: Sequence[Skin], first_sight: bool) -> Reading | None:
    known = identified(pixels, board.grid, board.scores.labels, skins)
    if known is None:
        sight = read_board(pixels, averaged(pixels, board)) if first_sight else None
    else:
        same = (known.grid.rows, known.grid.cols) == (board.grid.rows, board.grid.cols)
        here = replace(board, grid=known.grid) if same else look(pixels, known.grid)
        sight = read_board(pixels, here, known)
    if sight is None:
        return None
    reading = sight.reading
    if known is None or known.skin.counter is None:
        reading = with_counter(pixels, reading, None if known is None else known.skin.counter_right)
    return with_face(pixels, with_extent(pixels, reading, known))


def _quality(reading: Reading) -> float:
    """Return how much of how large a board was read."""
    return float(reading.confidence.sum()) - len(reading.unreadable)


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
    return alike(one, other) and one.apart(other) <= _SAME_PLACE


def measured_again(pixels: Pixels, reading: Reading, heed: Callable[[], None]) -> Grid | None:
    """Return the grid of a board of unknown art as its opened cells show it; None if that reads no better.

    ``pixels`` is the BGR picture of which ``reading`` was read; ``heed`` may end the search by raising.
    """
    for found in read_picture(pixels, (), first_sight=True, heed=heed):
        near = alike(found.grid, reading.grid) and reading.grid.apart(found.grid) <= _NEARLY
        if near and found.grid != reading.grid and len(found.unreadable) < len(reading.unreadable):
            return found.grid
    return None
