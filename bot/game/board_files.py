"""Read and write boards as text: in our own notation (see `bot.board`), or in the one of Urbas 2006.

The notation of Urbas has one line per row and one number per cell, separated by spaces or commas: ``0`` to
``8`` for opened cells, ``9`` for covered ones, ``-1`` for mines. The first line has the rows, the columns and
the number of mines (``0``: unknown). Variants are read as well: columns before rows; these three numbers on
lines of their own; only the mines, as first or last line; only the cells, with unknown mines. In our own
notation the first line may be missing.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, NoReturn

import numpy as np

from bot.board import CHARACTERS, SHOWN_MINES, Board, Cell, State
from bot.errors import BoardFormatError

LARGEST_FILE = 1 << 22  # bytes
LARGEST_BOARD = 250_000  # cells
_MOST_HEADER = 30  # characters or numbers that may come before the cells

_HEADER = re.compile(r"\s*(\d{1,9})\s*[xX]\s*(\d{1,9})\s*/\s*(\d{1,9}|\?)\s*")
_LIKE_A_HEADER = re.compile(r"\s*\d+\s*[xX/]")
_TOKEN = re.compile(r"[^\s,;]+")
_CHARACTER = re.compile(r"\S")
_WHOLE = re.compile(r"[+-]?\d{1,9}")
_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)  # byte order marks that the shell of Windows writes


class Notation(Enum):
    """A notation for boards."""

    MINEBOT = "minebot"
    URBAS = "urbas"


class Place(NamedTuple):
    """A place in a text: line and column, both counted from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


@dataclass(frozen=True, slots=True)
class BoardFile:
    """A board read from text, its notation, and where the text has its cells and its number of mines.

    ``rows`` holds for each row its line and the columns of its cells; ``total`` is the place of the mines.
    """

    board: Board
    notation: Notation
    rows: tuple[tuple[int, Sequence[int]], ...]
    total: Place | None

    def place(self, cell: Cell) -> Place:
        """Return the place of a cell in the text."""
        line, columns = self.rows[cell.row]
        return Place(line, columns[cell.col])


class _Token(NamedTuple):
    text: str
    place: Place


_Line = list[_Token]


def text_of(data: bytes) -> str:
    """Return the text of a file in UTF-8, or in UTF-16 with a byte order mark.

    Raises BoardFormatError if the file is too large, or is not text.
    """
    if len(data) > LARGEST_FILE:
        raise BoardFormatError(f"more than {LARGEST_FILE >> 20} MiB: this is not a board")
    encoding = "utf-16" if data.startswith(_MARKS) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        _no_text(data, error.start)
    if "\0" in text:
        _no_text(data, data.index(b"\0"))
    return text


def _no_text(data: bytes, at: int) -> NoReturn:
    before = data[:at]
    place = Place(before.count(b"\n") + 1, at - before.rfind(b"\n"))
    raise BoardFormatError(f"{place}: the byte 0x{data[at]:02x} is not text, so this is not a board")


def read_board(text: str, notation: Notation | None = None) -> BoardFile:
    """Return the board written in ``text``; without a ``notation``, find out which one it is.

    Raises BoardFormatError, usually with line and column, if the text is not a board.
    """
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not any(_TOKEN.search(line) for _, line in lines):
        raise BoardFormatError("it is empty: it needs a board")
    found = notation or _notation(lines)
    cell = _TOKEN if found is Notation.URBAS else _CHARACTER
    if sum(len(cell.findall(line)) for _, line in lines) > LARGEST_BOARD + _MOST_HEADER:
        raise BoardFormatError(f"more than {LARGEST_BOARD:,} cells: give a smaller board")
    return _minebot(lines) if found is Notation.MINEBOT else _urbas(lines)


def written(board: Board, notation: Notation) -> str:
    """Return ``board`` as text. In the notation of Urbas, all cells but numbers and mines become covered."""
    if notation is Notation.MINEBOT:
        return str(board)
    values = np.where(board.states <= 8, board.states, np.int8(State.COVERED))
    values[np.isin(board.states, tuple(SHOWN_MINES))] = -1
    header = f"{board.rows} {board.cols} {board.mines or 0}"
    return "\n".join([header, *(" ".join(f"{value:2d}" for value in row) for row in values.tolist())])


def _notation(lines: Sequence[tuple[int, str]]) -> Notation:
    if _LIKE_A_HEADER.match(lines[0][1]):
        return Notation.MINEBOT
    tokens = [_TOKEN.findall(line) for _, line in lines]
    if any(len(row) > 1 for row in tokens):
        return Notation.URBAS
    single = all(_WHOLE.fullmatch(row[0]) and -1 <= int(row[0]) <= 9 for row in tokens if row)
    return Notation.URBAS if single else Notation.MINEBOT


def _minebot(lines: Sequence[tuple[int, str]]) -> BoardFile:
    first, text = lines[0]
    header = _HEADER.fullmatch(text)
    if header is None and _LIKE_A_HEADER.match(text):
        raise BoardFormatError(
            f"line {first}, column 1: it must read 'rows x cols / mines', for example '9 x 9 / 10'"
        )
    rows = [_characters(number, line) for number, line in lines[header is not None :]]
    if header is None:
        return _file(rows, _state_of_character, Notation.MINEBOT, None, None)
    _check_shape(rows, int(header[1]), int(header[2]), first, lines[-1][0])
    total = None if header[3] == "?" else int(header[3])
    place = Place(first, header.start(3) + 1)
    return _file(rows, _state_of_character, Notation.MINEBOT, total, place)


def _characters(number: int, line: str) -> _Line:
    stripped = line.strip()
    start = line.index(stripped) + 1
    return [_Token(character, Place(number, start + at)) for at, character in enumerate(stripped)]


def _state_of_character(token: _Token) -> int:
    state = CHARACTERS.find(token.text)
    if state < 0:
        raise BoardFormatError(f"{token.place}: {token.text!r} is not a cell; use {' '.join(CHARACTERS)}")
    return state


def _urbas(lines: Sequence[tuple[int, str]]) -> BoardFile:
    tokens = [row for number, line in lines if (row := list(_tokens(number, line)))]
    for layout in _layouts(tokens):
        if layout.fits:
            return layout.file()
    return _likeliest_layout(tokens).file()  # file() raises an error that says what is wrong


def _tokens(number: int, line: str) -> Iterator[_Token]:
    return (_Token(found[0], Place(number, found.start() + 1)) for found in _TOKEN.finditer(line))


@dataclass(frozen=True, slots=True)
class _FileLayout:
    """One way to read the lines: the tokens of the size and of the mines, and the rows."""

    size: tuple[_Token, ...]
    total: _Token | None
    rows: list[_Line]

    @property
    def fits(self) -> bool:
        """Whether all rows have one length, and their number and length match the size, in either order."""
        widths = {len(row) for row in self.rows}
        if len(widths) != 1:
            return False
        shape = [len(self.rows), widths.pop()]
        said = [_plain(token) for token in self.size]
        return not said or said in (shape, shape[::-1])

    def file(self) -> BoardFile:
        """Return the board in this layout. Raises BoardFormatError if the lines do not fit it."""
        if self.size and not self.fits:
            rows, cols = map(_whole, self.size)
            _check_shape(self.rows, rows, cols, self.size[0].place.line, self.rows[-1][0].place.line)
        total = None if self.total is None else _whole(self.total)
        if total is not None and total < 0:
            assert self.total is not None
            raise BoardFormatError(
                f"{self.total.place}: the number of mines cannot be negative; give 0 if it is unknown"
            )
        place = None if self.total is None else self.total.place
        return _file(self.rows, _state_of_number, Notation.URBAS, total or None, place)


def _layouts(lines: list[_Line]) -> Iterator[_FileLayout]:
    """Yield the possible layouts of the lines, those with the most complete header first."""
    for head in range(1, 4):
        said = [token for line in lines[:head] for token in line]
        if len(said) == 3 and len(lines) > head:
            yield _FileLayout((said[0], said[1]), said[2], lines[head:])
        if len(said) == 2 and len(lines) > head + 1 and len(lines[-1]) == 1:
            yield _FileLayout((said[0], said[1]), lines[-1][0], lines[head:-1])
    for head in range(1, 3):
        said = [token for line in lines[:head] for token in line]
        if len(said) == 2 and len(lines) > head:
            yield _FileLayout((said[0], said[1]), None, lines[head:])
    if len(lines) > 1 and len(lines[1]) > 1 and len(lines[0]) == 1:
        yield _FileLayout((), lines[0][0], lines[1:])
    if len(lines) > 1 and len(lines[0]) > 1 and len(lines[-1]) == 1:
        yield _FileLayout((), lines[-1][0], lines[:-1])
    yield _FileLayout((), None, lines)


def _likeliest_layout(lines: list[_Line]) -> _FileLayout:
    """Return the layout that the lines were probably meant to have; for lines that fit no layout."""
    first = lines[0]
    apart = len(lines) > 1 and len(first) != len(lines[1])
    if len(first) == 3 and (apart or not all(-1 <= (_plain(token) or 0) <= 9 for token in first)):
        return _FileLayout((first[0], first[1]), first[2], lines[1:])
    if len(first) == 2 and apart:
        return _FileLayout((first[0], first[1]), None, lines[1:])
    if len(first) == 1 and apart:
        return _FileLayout((), first[0], lines[1:])
    if len(lines[-1]) == 1 and len(first) > 1:
        return _FileLayout((), lines[-1][0], lines[:-1])
    return _FileLayout((), None, lines)


def _plain(token: _Token) -> int | None:
    return int(token.text) if _WHOLE.fullmatch(token.text) else None


def _whole(token: _Token) -> int:
    number = _plain(token)
    if number is None:
        raise BoardFormatError(f"{token.place}: {token.text[:20]!r} is not a valid number here")
    return number


def _state_of_number(token: _Token) -> int:
    number = _whole(token)
    if not -1 <= number <= 9:
        raise BoardFormatError(
            f"{token.place}: {number} is not a cell; cells are 0 to 8, 9 for a covered one, -1 for a mine"
        )
    return State.MINE if number < 0 else number


def _check_shape(rows: Sequence[_Line], expected: int, cols: int, header: int, last: int) -> None:
    """Raise BoardFormatError unless there are as many rows and columns as the header says."""
    if expected < 1 or cols < 1:
        raise BoardFormatError(f"line {header}, column 1: a board needs at least one row and one column")
    for number, row in enumerate(rows):
        place = row[0].place
        if number == expected:
            raise BoardFormatError(f"{place}: this row is one too many: line {header} says {expected} rows")
        if len(row) != cols:
            _ragged(row, cols, f"line {header} says")
    if len(rows) < expected:
        missing = f"the board ends after {len(rows)} rows, but line {header} says {expected}"
        raise BoardFormatError(f"line {last + 1}, column 1: {missing}")


def _ragged(row: _Line, cols: int, says: str) -> NoReturn:
    if len(row) > cols:
        raise BoardFormatError(f"{row[cols].place}: this cell is one too many: {says} {cols} columns")
    token = row[-1]
    end = Place(token.place.line, token.place.column + len(token.text))
    raise BoardFormatError(f"{end}: the row ends after cell {len(row)}, but {says} {cols} columns")


def _file(
    rows: Sequence[_Line],
    state_of: Callable[[_Token], int],
    notation: Notation,
    mines: int | None,
    total: Place | None,
) -> BoardFile:
    """Return the board of ``rows``. Raises BoardFormatError if their lengths differ or a token is no cell."""
    states = [[state_of(token) for token in row] for row in rows]
    for row in rows:
        if len(row) != len(rows[0]):
            _ragged(row, len(rows[0]), f"the row in line {rows[0][0].place.line} has")
    places = tuple((row[0].place.line, [token.place.column for token in row]) for row in rows)
    return BoardFile(Board(np.array(states, np.int8), mines), notation, places, total)
