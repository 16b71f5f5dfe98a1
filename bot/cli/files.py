"""Files of a run: the user's data, the lock of a display, skins, pictures of boards, and the record."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from tempfile import TemporaryFile, mkdtemp
from time import time
from zlib import crc32

from filelock import BaseFileLock, FileLock, Timeout
from platformdirs import user_data_path

from bot.cli.terminal import complain, note
from bot.errors import BusyError, PictureError, SkinError
from bot.files import PRIVATE, private_folder, refused_as_usage, replace_file
from bot.play.dryrun import Suggestion
from bot.play.game_reader import GameReader
from bot.play.look import Look
from bot.play.results import Round
from bot.record.lines import is_record
from bot.record.recorder import Recorder, around_board
from bot.targets.catalogue import UNKNOWN, Target
from bot.verdict import GameState
from bot.vision import Skin, load_skin, load_skins, save_picture
from bot.vision.skin import save_skin

_LONGEST_KEPT = 30 * 86_400.0  # seconds for which pictures and pages that nobody asked for are kept
_MOST_KEPT = 500_000_000  # bytes of them, some 20,000 final boards
_DESKTOP = "desktop"  # on systems where displays have no names
_X_DISPLAY = re.compile(r"(?:unix)?(.*:\d+)(?:\.\d+)?")


def data_folder(wanted: Path | str | None = None) -> Path:
    """Return the folder ``wanted``, or the user's data folder if it is None. It may not exist yet."""
    return user_data_path("minebot", appauthor=False) if wanted is None else Path(wanted)


def this_display() -> str | None:
    """Return the name of the display, the same for all its screens; None if there is no display."""
    if not sys.platform.startswith("linux"):
        return _DESKTOP
    name = os.environ.get("DISPLAY", "")
    known = _X_DISPLAY.fullmatch(name)
    return known[1] if known else name or None


@contextmanager
def only_bot(display: str | None) -> Iterator[None]:
    """Lock ``display`` against other bots of this user during the block; do nothing if it is None.

    Two bots would take the mouse from each other. Raises BusyError with the other bot's process number if one
    has the lock. The operating system releases the lock when the process ends, however it ends. If no lock
    can be created, print an error and go on.
    """
    if display is None:
        yield
        return
    path, holder = _lock_files(display)
    lock = _display_lock(path)
    if lock is not None and not lock.is_locked:
        where = "this desktop" if display == _DESKTOP else f"the display {display}"
        raise BusyError(f"{_holder_words(holder)} plays on {where} already: stop it first")
    with suppress(OSError):  # for example, the disk is full
        replace_file(holder, str(os.getpid()).encode())
    try:
        yield
    finally:
        with suppress(OSError):
            holder.unlink()
        if lock is not None:
            lock.release()


def bot_plays(display: str | None) -> bool:
    """Return whether a bot of this user plays on ``display`` now."""
    if display is None:
        return False
    path, holder = _lock_files(display)
    if not holder.exists():  # so that a bot that begins is not refused because of the look at its lock
        return False
    lock = _display_lock(path)
    if lock is None or not lock.is_locked:
        return lock is not None
    with suppress(OSError):
        holder.unlink()  # that of a bot that was killed
    lock.release()
    return False


def _lock_files(display: str) -> tuple[Path, Path]:
    """Return the paths of the lock for ``display`` and of the file with the process number of who has it.

    They are separate, because Windows cannot read a locked file.
    """
    path = data_folder() / "playing" / re.sub(r"[^\w.-]", "_", f"{platform.node()}{display}")
    return path.with_name(f"{path.name}.lock"), path.with_name(f"{path.name}.pid")


def _display_lock(path: Path) -> BaseFileLock | None:
    """Return the lock at ``path``, not acquired if another process has it; None if it cannot be created."""
    lock = FileLock(path, mode=PRIVATE)
    try:
        private_folder(path.parent)
        with suppress(Timeout):
            lock.acquire(timeout=0)
    except OSError as error:
        if error.errno == 0:  # Wine: another process has the lock (Windows reports EACCES then)
            return lock
        why = f"cannot create a lock in {path.parent} ({error.strerror})"
        complain(f"{why}: make sure that no other minebot plays on this display")
        return None
    return lock


def _holder_words(holder: Path) -> str:
    """Return words for the bot that has the lock, with its process number if known."""
    try:
        return f"another minebot (process {int(holder.read_text(encoding='ascii'))})"
    except (OSError, ValueError):  # that bot has just started or just ended
        return "another minebot"


def picture_path(folder: Path, game: int) -> Path:
    """Return the path in ``folder`` for the picture of the final board of game number ``game`` (from 1)."""
    return folder / f"game-{game:04d}.png"


def picture_folder(wanted: Path | None) -> Path:
    """Return the folder for pictures of this run: ``wanted``, or a new one in the user's data if it is None.

    The folder is created if needed. Raises UsageError if ``wanted`` cannot be created or written; if the
    user's data cannot be written, the folder is a temporary one.
    """
    if wanted is not None:
        with refused_as_usage(f"cannot save pictures in {wanted}", "--pictures"):
            private_folder(wanted)
            with TemporaryFile(dir=wanted):
                return wanted
    runs = data_folder() / "runs"
    try:
        prune(private_folder(runs))
        return Path(mkdtemp(prefix=f"{datetime.now():%Y-%m-%d-%H%M%S}-", dir=runs))
    except OSError as error:
        folder = Path(mkdtemp(prefix="minebot-"))
        complain(f"cannot save pictures in {runs} ({error.strerror}): they are saved in {folder}")
        return folder


def page_path(record: Path) -> Path:
    """Return the path in the user's data for the page of a record; its folder is created if possible."""
    place = record.absolute()
    pages = data_folder() / "pages"
    with suppress(OSError):
        prune(private_folder(pages))
    name = re.sub(r"[^\w-]", "_", place.name)[:50]
    return pages / f"{name}-{crc32(os.fsencode(place)):08x}.html"  # a record has the same page each time


def stored_files(folder: Path) -> list[tuple[float, int, Path]]:
    """Return time of the last change, size in bytes, and path of each file below ``folder``, oldest first."""
    found = list[tuple[float, int, Path]]()
    for place, _, names in os.walk(folder):  # which follows no link
        for path in (Path(place, name) for name in names):
            with suppress(OSError):
                facts = path.lstat()
                found.append((facts.st_mtime, facts.st_size, path))
    return sorted(found)


def prune(folder: Path) -> None:
    """Delete old pictures and pages below ``folder``, and what is too much; a record is never deleted."""
    kept = [file for file in stored_files(folder) if not is_record(file[2].parent)]
    total, oldest = sum(size for _, size, _ in kept), time() - _LONGEST_KEPT
    for changed, size, path in kept:
        if changed >= oldest and total <= _MOST_KEPT:
            break
        with suppress(OSError):
            path.unlink()
            total -= size
            path.parent.rmdir()  # unless something is left in it


class PictureKeeper:
    """Saves pictures of boards in ``folder``; if one cannot be written, play goes on."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._games, self.lost = count(1), False  # whether the picture of a final board was lost

    def keep_end(self, look: Look) -> None:
        """Save the final board of the game that has just ended, numbered; print an error only once."""
        try:
            path = picture_path(self._folder, next(self._games))
            save_picture(path, around_board(look).frame.pixels, PRIVATE)
        except PictureError as error:
            if not self.lost:
                complain(f"{error}; play goes on without this picture")
            self.lost = True

    def keep_doubt(self, look: Look) -> str:
        """Save a doubtful board, and return its path, or "nowhere" with the reason if that fails."""
        path = self._folder / f"doubt-{datetime.now():%H%M%S}.png"
        try:
            save_picture(path, around_board(look).frame.pixels, PRIVATE)
        except PictureError as error:
            return f"nowhere ({error})"
        return str(path)


class DryRunRecorder:
    """Records the suggestions of a dry run as rounds without clicks; a new game begins with a new board."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._game, self._number, self._over = 1, 0, False

    def record(self, suggestion: Suggestion) -> None:
        """Record a suggestion, the end of a game, or a board without a decision."""
        look, decision = suggestion.look, suggestion.decision
        if look is None:
            return
        if look.verdict.over:
            self._over = True
            self._recorder.end(None, look)
        elif decision is None:
            self._recorder.unclear(look)
        elif decision.moves:
            if self._over or (self._number and look.verdict.state is GameState.NEW):
                self._game, self._number, self._over = self._game + 1, 0, False
            self._number += 1
            self._recorder.round(Round(self._game, self._number, look, decision, ()))


def user_skins() -> Path:
    """Return the folder for learned skins (by ``minebot learn`` or during play); it may not exist yet."""
    return data_folder() / "skins"


def all_skins(folder: Path | None, target: Target | None = None) -> tuple[Skin, ...]:
    """Return the skins in ``folder``, the learned skins, and the shipped ones (only of ``target`` if given).

    If several skins have the same name, the one in ``folder`` is used. If none is there, the one with more
    states is used, because a newer version may ship more states than were learned with an older one. A
    damaged learned skin is left out, and an error is printed.
    """
    own = () if folder is None else load_skins(folder)
    shipped = (skin for skin in load_skins() if target is None or skin.name in target.skins)
    by_name = {skin.name: skin for skin in own}
    given = frozenset(by_name)
    for skin in (*skins_in(user_skins()), *shipped):
        if skin.name not in given:
            before = by_name.get(skin.name, skin)
            by_name[skin.name] = skin if len(before.shown) < len(skin.shown) else before
    return tuple(by_name.values())


def skins_in(folder: Path) -> list[Skin]:
    """Return the skins in ``folder``, which may not exist; print an error for each damaged one."""
    try:
        inside = sorted(inner for inner in folder.iterdir() if inner.is_dir() and inner.name[0] != ".")
    except OSError:
        return []
    skins = []
    for inner in inside:
        try:
            skins.append(load_skin(inner))
        except SkinError as error:
            complain(f"{error}; this skin is not used")
    return skins


class SkinKeeper:
    """Saves the cell pictures learned during play as a skin in ``folder``, after each game that added some.

    New states of a known skin are saved under its name. A skin for unknown art is named after the target, or
    "learned-1" and so on, never like another skin. A learned skin in ``folder`` that contradicts a board is
    dropped.
    """

    def __init__(self, reader: GameReader, target: Target, folder: Path) -> None:
        self._reader, self._target, self._folder = reader, target, folder
        self._kept: Skin | None = None
        self._failed = False

    def keep(self) -> None:
        """Save the skin and print a note if it has new states; if that fails, print an error once."""
        self._drop()
        learner = self._reader.learner
        if learner is None or self._failed:
            return
        old = self._kept or learner.skin
        skin = learner.learned(old.name if old else self._free_name())
        if skin is None or (old is not None and len(skin.states) <= len(old.states)):
            return
        try:
            save_skin(skin, self._folder / skin.name, overwrite=old is not None)
        except SkinError as error:
            self._failed = True
            complain(f"{error}; play goes on without saving the skin")
            return
        self._kept = skin
        done = "learned the skin" if old is None else "added to the skin"
        note(f"{done} {skin.name}: {len(skin.shown)} of 15 states, kept in {self._folder / skin.name}")

    def _drop(self) -> None:
        """Hide skins that contradicted a board by renaming them; a user may have made them, so keep them."""
        for skin in (self._folder / name for name in self._reader.distrusted):
            aside = skin.with_name(f".{skin.name}-dropped")
            try:
                shutil.rmtree(aside, ignore_errors=True)
                skin.rename(aside)
            except OSError:  # it is a shipped skin (not in this folder), or the folder cannot be written
                continue
            note(f"dropped the learned skin {skin.name}: it contradicted a board; it is now in {aside}")
        self._reader.distrusted.clear()

    def _free_name(self) -> str:
        stem = "learned" if self._target is UNKNOWN else self._target.name
        names = [] if self._target is UNKNOWN else [stem]
        taken = {skin.name for skin in load_skins()}
        return next(
            name
            for name in chain(names, (f"{stem}-{number}" for number in count(1)))
            if name not in taken and not (self._folder / name).exists()
        )
