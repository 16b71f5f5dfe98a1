"""Searching a picture for boards: the cell reader finds them, a skin tells what shows its pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
