"""Words for counts, lists and places of cells in messages; people count rows and columns from 1."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby


def counted(count: int, thing: str, things: str = "") -> str:
    """Return "1 click" or "3 clicks"; ``things`` is the plural of ``thing`` unless that just adds an s."""
    return f"{count} {thing if count == 1 else things or f'{thing}s'}"


def listed(words: Iterable[str], link: str = "and") -> str:
    """Return ``words`` as a list in one string: "a, b and c"; ``link`` stands before the last one."""
    *first, last = words
    return f"{', '.join(first)} {link} {last}" if first else last


def cell_words(cell: tuple[int, int]) -> str:
    """Return the place of ``cell``, its row and column from 0, in words: "row 3, column 1" for (2, 0)."""
    row, col = cell
    return f"row {row + 1}, column {col + 1}"


def cells_words(cells: Iterable[tuple[int, int]]) -> str:
    """Return the places of ``cells``, row by row: "row 1, columns 2 and 3, and row 4, column 5"."""
    rows = [
        (row + 1, [col + 1 for _, col in line]) for row, line in groupby(sorted(cells), lambda cell: cell[0])
    ]
    words = [f"row {row}, column{'s' * (len(cols) > 1)} {listed(map(str, cols))}" for row, cols in rows]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])}, and {words[-1]}"
