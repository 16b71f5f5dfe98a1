"""The mini-fields of schemes, drawn as text, one character a cell.

``0``-``8`` a number, ``.`` a covered cell, ``o`` a covered cell that is safe for certain, ``*`` one that is a
mine for certain, ``#`` anything else: a known mine, an opened cell, the world beyond the edge of the board.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bot.errors import PatternError
from bot.solver.patterns.rules import Number, Settled

COVERED, SAFE, MINE, WALL = ".", "o", "*", "#"
_MARKS = {COVERED, SAFE, MINE, WALL, *"012345678"}
_ORDER = ".o*012345678#"  # of two images that is drawn which has the first of these earlier
Place = tuple[int, int]  # row and column in a drawing
Rows = tuple[str, ...]


def checked(rows: Sequence[str]) -> Rows:
    """Return a drawing if it is one. Raises PatternError if it is none."""
    if set("".join(rows)) - _MARKS or len({len(row) for row in rows}) != 1 or not numbers_of(rows):
        raise PatternError(f"{'/'.join(rows)!r} is no drawing of a scheme")
    return tuple(rows)


def numbers_of(rows: Sequence[str]) -> list[Place]:
    """Return where the numbers of a drawing are, row by row."""
    return [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark.isdigit()]


def cells_of(rows: Sequence[str], marks: str = COVERED + SAFE + MINE) -> list[Place]:
    """Return where the covered cells of a drawing are, or those with some marks alone, row by row."""
    return [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark in marks]


def touched(numbers: Sequence[Place], place: Place) -> int:
    """Return which of the numbers are around a place, as a mask."""
    near = (max(abs(row - place[0]), abs(col - place[1])) == 1 for row, col in numbers)
    return sum(1 << i for i, touches in enumerate(near) if touches)


def said_by(rows: Sequence[str]) -> list[Number]:
    """Return what the numbers of a drawing say: the masks of their cells, row by row, and how many mines."""
    cells = cells_of(rows)
    return [
        (
            sum(1 << i for i, cell in enumerate(cells) if touched([number], cell)),
            int(rows[number[0]][number[1]]),
        )
        for number in numbers_of(rows)
    ]


def settled_by(rows: Sequence[str]) -> Settled:
    """Return the covered cells of a drawing that are marked as safe and as mines, masks as in `said_by`."""
    marks = [rows[row][col] for row, col in cells_of(rows)]
    safe, mines = (sum(1 << i for i, mark in enumerate(marks) if mark == one) for one in (SAFE, MINE))
    return Settled(safe, mines)


def drawn(marks: Mapping[Place, str]) -> Rows:
    """Return the smallest drawing with these marks, turned and mirrored as all that are alike are."""
    return min(_images(marks), key=lambda rows: (len(rows), [_ORDER.index(mark) for mark in "".join(rows)]))


def _images(marks: Mapping[Place, str]) -> Iterator[Rows]:
    for down, right in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        turned = {(down * row, right * col): mark for (row, col), mark in marks.items()}
        yield _rows(turned)
        yield _rows({(col, row): mark for (row, col), mark in turned.items()})


def _rows(marks: Mapping[Place, str]) -> Rows:
    rows, cols = zip(*marks, strict=True)
    return tuple(
        "".join(marks.get((row, col), WALL) for col in range(min(cols), max(cols) + 1))
        for row in range(min(rows), max(rows) + 1)
    )
