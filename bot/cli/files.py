"""What a run keeps on disk: the user's folder, pictures of final boards and of boards in doubt."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

import numpy as np
from platformdirs import user_data_path

from bot.cli.output import complain
from bot.errors import PictureError, UsageError
from bot.play import Look
from bot.vision import save_picture


def data_folder(wanted: Path | str | None = None) -> Path:
    """Return the folder ``wanted``, or where the user's own data is if that is None. It may not exist yet."""
    return user_data_path("minebot", appauthor=False) if wanted is None else Path(wanted)


def picture_path(folder: Path, game: int) -> Path:
    """Return where the picture of the final board of the ``game``-th game (from 1) is kept."""
    return folder / f"game-{game:04d}.png"


def picture_folder(wanted: Path | None) -> Path:
    """Return the folder for the pictures of this run, made if need be: a new one in the user's data if None.

    Raises UsageError if it cannot be made, or no file in it.
    """
    folder = wanted or data_folder() / "runs"
    with _usable(f"no pictures can be kept in {folder}", "--pictures"):
        folder.mkdir(parents=True, exist_ok=True)
        if wanted is None:
            folder = _new_folder(folder / f"{datetime.now():%Y-%m-%d-%H%M%S}")
        with TemporaryFile(dir=folder):
            return folder


def _new_folder(first: Path) -> Path:
    """Make and return ``first``, or ``first`` with -2, -3 and so on where other runs have taken it."""
    for number in count(1):
        folder = first if number == 1 else first.with_name(f"{first.name}-{number}")
        try:
            folder.mkdir()
        except FileExistsError:
            continue
        break
    return folder


def check_picture(path: Path) -> None:
    """See that a picture can be written to ``path``, without doing so. Raises UsageError if it cannot."""
    with (
        _usable(f"no picture {path} can be drawn", "--picture"),
        TemporaryDirectory(dir=path.parent) as folder,
    ):
        try:
            save_picture(Path(folder) / path.name, np.zeros((1, 1, 3), np.uint8))
        except PictureError as error:
            raise UsageError(f"--picture {path}: the name must end in .png, .jpg or .bmp") from error


@contextmanager
def _usable(problem: str, option: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UsageError(f"{problem} ({error.strerror}): give another {option}") from error


class PictureKeeper:
    """Keeps pictures of boards in ``folder``; play goes on where one cannot be written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._games, self._failed = count(1), False

    def keep_end(self, look: Look) -> None:
        """Keep the final board of the next game; complain of the first one that cannot be written."""
        try:
            save_picture(picture_path(self._folder, next(self._games)), look.frame.pixels)
        except PictureError as error:
            if not self._failed:
                complain(f"{error}; play goes on without")
            self._failed = True

    def keep_doubt(self, look: Look) -> str:
        """Keep a board in doubt, and return where, in words."""
        path = self._folder / f"doubt-{datetime.now():%H%M%S}.png"
        try:
            save_picture(path, look.frame.pixels)
        except PictureError as error:
            return f"nowhere ({error})"
        return str(path)
