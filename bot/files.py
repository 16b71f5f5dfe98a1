"""Read ordinary files of a limited size, write files completely or not at all, and rename damaged files."""

from __future__ import annotations

import errno
import json
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryFile
from typing import BinaryIO, Generic, Literal, TypeVar, cast

from msgspec import Struct, to_builtins
from msgspec.json import decode

from bot.errors import SettingsError, UsageError

PRIVATE, PUBLIC = 0o600, 0o666  # permissions of new files; the umask takes its part of the second
_VERSION = 1
_LARGEST = 1 << 20  # bytes of a file with settings
T = TypeVar("T")


@contextmanager
def refused_as_usage(problem: str, option: str) -> Iterator[None]:
    """Turn an OSError in the block into a UsageError: ``problem``, the reason, "give another ``option``"."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"{problem} ({error.strerror or error}): give another {option}") from error


def check_output(path: Path, option: str, *endings: str, inputs: Iterable[str | Path] = ()) -> None:
    """Check ``path``, given for ``option``: its name has one of ``endings``, its folder can be written.

    It must be none of the files ``inputs``, which are read, also by a link. Raises UsageError if anything is
    wrong; nothing is written.
    """
    if path.suffix.lower() not in endings:
        known = endings[0] if len(endings) == 1 else f"one of {', '.join(endings)}"
        raise UsageError(f"{option} {path}: the name must end in {known}")
    for one in inputs:
        with suppress(OSError):  # one of them is not there
            if path.samefile(one):
                raise UsageError(
                    f"{option} {path} would overwrite {one}, which is read: give another {option}"
                )
    folder = path.absolute().parent
    if not folder.is_dir():
        raise UsageError(f"{option} {path}: there is no folder {folder}")
    with refused_as_usage(f"{option} {path}: cannot write there", "folder"), TemporaryFile(dir=folder):
        pass


@contextmanager
def opened(path: Path, most: int) -> Iterator[BinaryIO]:
    """Open an ordinary file of at most ``most`` bytes for reading.

    Raises OSError, whose ``strerror`` says what is wrong, also for a folder, a larger file, and for a device
    or a pipe: those may have no end, or never answer.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
    with open(path, "rb", opener=_open_at_once) as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "it is not an ordinary file", str(path))
        if found.st_size > most:
            raise OSError(errno.EFBIG, f"it has more than {most:,} bytes", str(path))
        yield file


def _open_at_once(name: str, flags: int) -> int:
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))  # else a pipe waits for a writer


def whole_lines(file: BinaryIO, longest: int) -> Iterator[bytes]:
    """Yield the lines of a file, without the last one if it is cut off; b"" for each of more bytes."""
    while line := file.readline(longest):
        whole = line
        while whole and not whole.endswith(b"\n") and len(whole) == longest:
            line, whole = b"", file.readline(longest)
        if not whole.endswith(b"\n"):
            return
        yield line


def read_file(path: Path, most: int) -> bytes:
    """Return the content of an ordinary file of at most ``most`` bytes. Raises OSError as `opened` does."""
    with opened(path, most) as file:
        return file.read(most)


@contextmanager
def replacing(path: Path, mode: int = PRIVATE) -> Iterator[BinaryIO]:
    """Open a new file beside ``path``, which takes its place when the block ends without an error.

    A reader sees the whole old or the whole new file, even after Ctrl+C. A link at ``path`` is replaced, and
    its target left alone. ``mode`` are the permissions: `PRIVATE`, or `PUBLIC` for a file that the user has
    named. Raises OSError.
    """
    new = path.with_name(f".minebot-{token_hex(8)}.part")
    try:
        with open(new, "xb", opener=partial(private, mode=mode)) as file:
            yield file
        new.replace(path)  # Windows cannot rename an open file
    except BaseException:  # also after Ctrl+C
        with suppress(OSError):
            new.unlink()
        raise


def replace_file(path: Path, content: bytes, mode: int = PRIVATE) -> None:
    """Write a file, and create its folder if needed; a crash leaves the complete old file or the new one.

    Raises OSError if it cannot be written; the old file is then unchanged. See `replacing`.
    """
    private_folder(path.parent)
    with replacing(path, mode) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def append_to(path: Path, kind: str = "ab") -> BinaryIO:
    """Open or create a private file for writing at its end, or in the mode ``kind``.

    Raises OSError, also for a link.
    """
    return cast(BinaryIO, open(path, kind, opener=private))


def private_folder(path: Path) -> Path:
    """Create a folder and its missing parents, for this user alone, and return it. Raises OSError."""
    missing = [parent for parent in path.parents if not parent.exists()]
    for folder in (*reversed(missing), path):
        folder.mkdir(PRIVATE | stat.S_IXUSR, exist_ok=True)
    return path


def private(name: str, flags: int, mode: int = PRIVATE) -> int:
    """Open or create a file with these permissions, and never through a link: an ``opener`` of `open`."""
    return os.open(name, flags | getattr(os, "O_NOFOLLOW", 0), mode)


def is_own(found: os.stat_result) -> bool:
    """Return whether a file or folder belongs to this user, and nobody else may write to it.

    On Windows, only the user and administrators may write to the user's folders.
    """
    if sys.platform == "win32":
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def read_own_file(path: Path) -> bytes:
    """Return the content of an ordinary file that no other user can have written.

    Folder and file are opened before they are checked, and neither may be a link: what was checked is read,
    whoever renames a folder above it meanwhile. Raises OSError, also for the file of another user.
    """
    if sys.platform == "win32":
        return path.read_bytes()
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        safe = os.O_NOFOLLOW | os.O_NONBLOCK  # a pipe of that name must not be waited for
        with os.fdopen(os.open(path.name, os.O_RDONLY | safe, dir_fd=folder), "rb") as file:
            found = os.fstat(file.fileno())
            if not (stat.S_ISREG(found.st_mode) and is_own(found) and is_own(os.fstat(folder))):
                raise PermissionError(errno.EPERM, "another user may have written it")
            return file.read()
    finally:
        os.close(folder)


def put_aside(path: Path) -> Path:
    """Rename a damaged file, such as x.json, to a free name like x.damaged.json; return the new path.

    Raises OSError if it cannot be renamed.
    """
    names = (path.with_name(f"{path.stem}.damaged{number or ''}{path.suffix}") for number in count())
    return path.rename(next(name for name in names if not name.exists()))


class _Versioned(Struct):
    version: Literal[1]


class StateFile(Generic[T]):
    """A file with one JSON object, whose content has the type ``kind``, such as a dataclass.

    ``what`` names the content in error messages, as a plural noun.
    """

    def __init__(self, path: Path, kind: type[T], what: str) -> None:
        self.path = path
        self._kind, self._what = kind, what
        self._writable = True  # false if writing would destroy a damaged file that could not be renamed

    def read(self) -> T | None:
        """Return the content of the file, or None if there is no file.

        If the content does not fit its type, the file is renamed so that nothing is lost, and SettingsError
        is raised, as for a file that cannot be read.
        """
        try:
            content = read_file(self.path, _LARGEST)
            decode(content, type=_Versioned)
            return decode(content, type=self._kind)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise SettingsError(f"{self._what} cannot be read: {self.path}: {error.strerror}") from error
        except (ValueError, RecursionError) as error:  # the latter for absurd JSON
            raise SettingsError(f"{self.path} is damaged ({error}): {self._put_aside()}") from error

    def write(self, content: T) -> None:
        """Write the file as a whole. Raises SettingsError if it cannot be written."""
        if not self._writable:
            raise SettingsError(f"{self._what} cannot be saved: {self.path} is damaged, move it away")
        text = json.dumps({"version": _VERSION, **to_builtins(content)}, ensure_ascii=False, indent=1)
        try:
            replace_file(self.path, f"{text}\n".encode(errors="replace"))
        except OSError as error:
            raise SettingsError(f"{self._what} cannot be saved: {error}") from error

    def _put_aside(self) -> str:
        """Rename the damaged file, and return the second half of the error message: where it is now."""
        try:
            aside = put_aside(self.path)
        except OSError as error:
            self._writable = False
            return f"it cannot be renamed, so {self._what} are not saved from now on: {error}"
        return f"it was renamed to {aside.name}, and {self._what} are reset"
