"""Boards in text files, as the commands are given them: a path, or - for standard input."""

from __future__ import annotations

import sys
from pathlib import Path

from bot.cli.output import side_console
from bot.errors import BoardFormatError
from bot.game.board_files import LARGEST_FILE, BoardFile, Notation, read_board, text_of

INPUT = "-"  # standard input


def board_file(file: str, notation: Notation | None = None) -> BoardFile:
    """Return the board of a file or of standard input. Raises BoardFormatError that names it."""
    if file == INPUT and sys.stdin.isatty():
        end = "Ctrl+Z and Enter" if sys.platform == "win32" else "Ctrl+D"
        side_console().print(f"type a board; {end} on a line of its own ends it", markup=False)
    try:
        return read_board(text_of(file_bytes(file)), notation)
    except BoardFormatError as error:
        raise BoardFormatError(f"{'standard input' if file == INPUT else file}: {error}") from error


def is_board(file: str) -> bool:
    """Return whether a file is a text with a board."""
    try:
        board_file(file)
    except (BoardFormatError, OSError):
        return False
    return True


def file_bytes(file: str, most: int = LARGEST_FILE + 1) -> bytes:
    """Return what is in a file or comes from standard input, at most so many bytes of it."""
    if file == INPUT:
        return sys.stdin.buffer.read(most)
    with Path(file).open("rb") as opened:
        return opened.read(most)
