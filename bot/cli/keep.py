"""Where the pictures of a run go: final boards, boards in doubt, the suggestions of a dry run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

import numpy as np

from bot.cli.folders import data_folder
from bot.cli.output import complain
from bot.errors import PictureError, UsageError
from bot.play import GameResult, Look
from bot.vision import save_picture


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


def end_keeper(folder: Path) -> Callable[[GameResult, Look], None]:
    """Return what keeps the final board of each game; it complains of the first one that it cannot write."""
    games, lost = count(1), list[PictureError]()

    def keep(_result: GameResult, look: Look) -> None:
        try:
            save_picture(picture_path(folder, next(games)), look.frame.pixels)
        except PictureError as error:
            if not lost:
                complain(f"{error}; play goes on without")
            lost.append(error)

    return keep


def doubt_keeper(folder: Path) -> Callable[[Look], str]:
    """Return what keeps a board in doubt, and answers where in words."""

    def keep(look: Look) -> str:
        path = folder / f"doubt-{datetime.now():%H%M%S}.png"
        try:
            save_picture(path, look.frame.pixels)
        except PictureError as error:
            return f"nowhere ({error})"
        return str(path)

    return keep
