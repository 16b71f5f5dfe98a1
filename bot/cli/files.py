"""What a run keeps on disk: the user's folder, pictures of final boards and of boards in doubt, a record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Annotated, Any

import numpy as np
import typer
from platformdirs import user_data_path

import bot
from bot.cli.output import complain
from bot.errors import BotError, PictureError, UsageError
from bot.play import Look, Round
from bot.play.dryrun import Suggestion
from bot.record import About
from bot.record.recorder import Recorder
from bot.solver import Strategy
from bot.targets import Target
from bot.vision import GameState, save_picture

RecordOption = Annotated[
    Path | None,
    typer.Option(
        "--record",
        metavar="DIR",
        file_okay=False,
        help="Keep each round in this new folder: picture, reading, decision, clicks, times. `minebot "
        "replay DIR` shows it.",
    ),
]


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


@contextmanager
def recording(
    folder: Path | None,
    target: Target,
    strategy: Strategy,
    settings: dict[str, Any],
    now: Callable[[], float],
) -> Iterator[Recorder | None]:
    """Keep a record of a run in ``folder`` for as long as the block lasts; None for none.

    Raises UsageError if the folder cannot be used. What ends the block is told in the record.
    """
    if folder is None:
        yield None
        return
    began = datetime.now().astimezone().isoformat(timespec="seconds")
    about = About(bot.__version__, began, target.name, target.first_click.value, strategy.name, settings)
    recorder, why = Recorder(folder, about, now, complain), "done"
    try:
        yield recorder
    except BaseException as error:
        why = str(error) if isinstance(error, BotError) else f"stopped: {type(error).__name__}"
        raise
    finally:
        recorder.close(why)


class Watched:
    """Keeps what a dry run has suggested as rounds without clicks; a fresh board begins another game."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._game, self._number, self._over = 1, 0, False

    def take(self, suggestion: Suggestion) -> None:
        """Take in a suggestion, the end of a game, or a look that was not believed."""
        look, decision = suggestion.look, suggestion.decision
        if look is None:
            return
        if look.reading.state.over:
            self._over = True
            self._recorder.end(None, look)
        elif decision is None:
            self._recorder.unclear(look)
        elif decision.moves:
            if self._over or (self._number and look.reading.state is GameState.NEW):
                self._game, self._number, self._over = self._game + 1, 0, False
            self._number += 1
            self._recorder.round(Round(self._game, self._number, look, decision, ()))
