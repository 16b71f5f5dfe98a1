"""Start a virtual screen, Wine, WineMine or our own game for the length of a with block."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO

import platformdirs

from bot.desktop import open_desktop
from bot.desktop.protocols import Window
from bot.errors import CaptureError, LaunchError
from bot.files import PRIVATE, private_folder, replace_file
from bot.installation import apart, in_environment, minebot_command
from bot.levels import BEGINNER, LEVELS, Level
from bot.targets.catalogue import Target, find_target

Say = Callable[[str], None]

_END_PATIENCE = 15.0  # seconds that a program, or all programs in a Wine prefix, have to end
_START_PATIENCE = 90.0  # seconds in which the game's window must appear
_GONE_PATIENCE = 5.0  # seconds in which it should disappear after its program has ended
_RUN_PATIENCE = 300.0  # seconds for a Wine command; the first, the longest, takes 13 on slow cores
_MOST_PREFIXES = 20
_OVERRIDES = "mscoree,mshtml,winedbg.exe,winemenubuilder.exe=d"
_READY = ".minebot-ready"  # this file marks a prefix that is complete
_DIFFICULTIES = {level: number for number, level in enumerate(LEVELS.values())}
_CUSTOM = len(_DIFFICULTIES)
_KEY = r"HKEY_CURRENT_USER\Software\Microsoft\WinMine"
_COOKIE = 16  # bytes: the length that the X server asks for
_LOCAL_ADDRESS, _ANY_ADDRESS = 256, 0xFFFF  # families in .Xauthority: a name of this computer, or any address
_PLACE = (60, 60)  # of the game's window on the screen: leaves room for its dialogs below and to the right


@dataclass(frozen=True, slots=True)
class Program:
    """A program that was started, and the file that receives its output."""

    process: subprocess.Popen[bytes]
    log: IO[bytes]

    def last_words(self) -> str:
        """Return the last line of its output."""
        self.log.seek(0)
        lines = self.log.read().decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "it does not say why")

    def end(self) -> None:
        """Ask the program to end; kill it if it does not."""
        self.process.terminate()
        try:
            self.process.wait(_END_PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@contextmanager
def running(
    command: list[str], environment: Mapping[str, str] | None = None, keep: int | None = None
) -> Iterator[Program]:
    """Run a program for the length of the block, in a session of its own: Ctrl+C does not reach it.

    ``keep`` is a file descriptor that the program inherits.
    """
    with TemporaryFile() as log:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=environment,
            pass_fds=() if keep is None else (keep,),
            **apart(),
        )
        program = Program(process, log)
        try:
            yield program
        finally:
            program.end()


def find_program(name: str, packages: str) -> str:
    """Return the path of a program. Raises LaunchError, which names its Debian packages, if it is missing."""
    path = shutil.which(name)
    if path is None:
        raise LaunchError(f"{name} is missing: install it with `apt-get install {packages}`")
    return path


def _write_cookie(path: Path) -> None:
    """Write a new secret that admits to any local display into a file for the user alone.

    Programs look for it by the name of this computer, or take the one for any name. The format is that of
    ``.Xauthority``: a family of addresses, then address, display ("" for any), kind and secret.
    """
    kind, secret = b"MIT-MAGIC-COOKIE-1", secrets.token_bytes(_COOKIE)
    lines = bytearray()
    for family, address in ((_ANY_ADDRESS, b""), (_LOCAL_ADDRESS, socket.gethostname().encode())):
        lines += family.to_bytes(2, "big")
        for part in (address, b"", kind, secret):
            lines += len(part).to_bytes(2, "big") + part
    replace_file(path, bytes(lines))


@contextmanager
def virtual_display(width: int = 1280, height: int = 900, depth: int = 24) -> Iterator[str]:
    """Start Xvfb on a free display; inside the block DISPLAY names it. Yield that name.

    By any socket, it admits only programs that know its cookie: XAUTHORITY names the file inside the block.
    Raises LaunchError if Xvfb is missing or does not start.
    """
    screen = ["-screen", "0", f"{width}x{height}x{depth}", "-nolisten", "tcp", "-noreset"]
    command = [find_program("Xvfb", "xvfb"), *screen]
    readable, writable = os.pipe()
    with (
        os.fdopen(readable) as answer,
        TemporaryDirectory(prefix="minebot-display-") as folder,
        ExitStack() as stack,
    ):
        cookie = Path(folder) / "cookie"
        _write_cookie(cookie)
        command += ["-auth", str(cookie), "-displayfd", str(writable)]
        server = stack.enter_context(running(command, keep=writable))
        os.close(writable)
        number = answer.readline().strip()  # empty if the server has ended
        if not number:
            raise LaunchError(f"Xvfb does not start: {server.last_words()}")
        name = f":{number}"
        with in_environment("XAUTHORITY", str(cookie)), in_environment("DISPLAY", name):
            yield name


def windows_that(belong: Callable[[Window], bool]) -> list[Window]:
    """Return the windows on the screen for which ``belong`` is true, the topmost first."""
    with closing(open_desktop()) as desktop:
        return [window for window in desktop.windows() if belong(window)]


@contextmanager
def opened_window(
    run: AbstractContextManager[Program], label: str, look: Callable[[], list[Window]]
) -> Iterator[Window]:
    """Run a program for the length of the block, and yield the first new one of ``look``'s windows.

    Afterwards, wait a while until it is gone: it stays for a moment, and the next start would find it. Raises
    LaunchError if the program ends or opens no window for a long time.
    """
    known = {window.handle for window in look()}
    try:
        with run as program:
            yield wait_for_window(program, label, known, look)
    finally:
        deadline = time.monotonic() + _GONE_PATIENCE
        with suppress(CaptureError):  # the whole display may be gone
            while any(window.handle not in known for window in look()) and time.monotonic() < deadline:
                time.sleep(0.02)


def wait_for_window(
    program: Program, label: str, known: Collection[int], look: Callable[[], list[Window]]
) -> Window:
    """Return the first window from ``look`` whose handle is not in ``known``.

    Raises LaunchError if ``program``, which should open it, ends or opens no window for a long time.
    """
    deadline = time.monotonic() + _START_PATIENCE
    while time.monotonic() < deadline:
        new = [window for window in look() if window.handle not in known]
        if new:
            return new[0]
        if program.process.poll() is not None:
            raise LaunchError(f"{label} ended at once: {program.last_words()}")
        time.sleep(0.1)
    raise LaunchError(f"{label} opened no window: check that the display named by DISPLAY works")


@dataclass(frozen=True, slots=True)
class Wine:
    """A Wine prefix that no other process uses: its folder and the environment for its programs."""

    prefix: Path
    environment: Mapping[str, str]

    def run(self, *arguments: str) -> None:
        """Run ``wine`` with ``arguments`` and wait until it ends. Raises LaunchError if it fails."""
        with self.running(*arguments) as program:
            try:
                code = program.process.wait(_RUN_PATIENCE)
            except subprocess.TimeoutExpired as slow:
                raise LaunchError(f"wine {arguments[0]} did not finish within {_RUN_PATIENCE:g} s") from slow
            if code:
                raise LaunchError(f"wine {arguments[0]} failed: {program.last_words()}")

    def running(self, *arguments: str) -> AbstractContextManager[Program]:
        """Return a context manager that runs ``wine`` with ``arguments`` for the length of its block."""
        return running(["wine", *arguments], self.environment)

    def stop(self) -> None:
        """End every program in the prefix and the Wine server; wait for this, but not for ever."""
        for option in ("-k", "-w"):
            with suppress(subprocess.TimeoutExpired):
                subprocess.run(
                    ["wineserver", option],
                    env=self.environment,
                    check=False,  # the command fails if nothing is running
                    stderr=subprocess.DEVNULL,
                    timeout=_END_PATIENCE,
                )


@contextmanager
def wine_prefix(report: Say = lambda _message: None, folder: Path | None = None) -> Iterator[Wine]:
    """Yield a Wine prefix in ``folder`` (None: the user's cache), created if necessary; needs a display.

    Prefixes are kept for the next time. Only one process may use a prefix: if the first is in use, the second
    is taken, and so on. Raises LaunchError if Wine is missing or a prefix cannot be created.
    """
    for program in ("wine", "wineserver"):
        find_program(program, "wine wine64")
    folder = folder or platformdirs.user_cache_path("minebot")
    with _claimed(folder) as prefix:
        environment = {name: value for name, value in os.environ.items() if name != "WINEARCH"}
        # No dialogs, messages, menu entries or hanging debugger.
        environment |= {"WINEPREFIX": str(prefix), "WINEDEBUG": "-all", "WINEDLLOVERRIDES": _OVERRIDES}
        wine = Wine(prefix, environment)
        wine.stop()  # programs that a killed run may have left
        try:
            with _writing(prefix):
                ready = (prefix / _READY).exists()
            if not ready:
                report(f"making a Wine prefix in {prefix} (once; about 15 seconds)")
                _make(wine)
            yield wine
        finally:
            wine.stop()


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Turn a failure to write ``path`` into a LaunchError that says what to do."""
    try:
        yield
    except OSError as error:
        raise LaunchError(
            f"cannot store a Wine prefix: {path} is not writable ({error.strerror}): delete it, change its "
            "owner, or set XDG_CACHE_HOME to another folder"
        ) from error


def _make(wine: Wine) -> None:
    with _writing(wine.prefix):
        shutil.rmtree(wine.prefix, ignore_errors=True)  # an incomplete one
        private_folder(wine.prefix)
    wine.run("wineboot", "-i")
    wine.stop()  # writes the registry to the disk
    with _writing(wine.prefix):
        (wine.prefix / _READY).touch()


@contextmanager
def _claimed(folder: Path) -> Iterator[Path]:
    """Yield the path of the first free prefix in ``folder``, locked against other processes."""
    from filelock import FileLock, Timeout  # needed only here

    if sys.platform == "win32":
        raise LaunchError("Wine is for Linux: Windows runs the game itself")
    with _writing(folder):
        private_folder(folder)
    with ExitStack() as held:
        for number in range(1, _MOST_PREFIXES + 1):
            prefix = folder / ("wine" if number == 1 else f"wine-{number}")
            path = prefix.with_suffix(".lock")
            with _writing(path), suppress(Timeout):
                held.enter_context(FileLock(path, timeout=0, mode=PRIVATE))
                break
        else:
            raise LaunchError(
                f"all {_MOST_PREFIXES} Wine prefixes in {folder} are in use: end some of the games"
            )
        yield prefix


@contextmanager
def winemine(wine: Wine, level: Level = BEGINNER, best_time: int = 0) -> Iterator[Window]:
    """Start WineMine at ``level``, and yield its window.

    ``best_time`` is the best time of every level in seconds: nobody can beat 0, so no dialog opens after a
    win; with 999 every win is a new best time. Raises LaunchError if no window appears.
    """
    _write_settings(wine, level, best_time)
    look = partial(windows_that, lambda window: window.process in find_target("winemine").processes)
    with opened_window(wine.running("winemine"), "WineMine", look) as window:
        yield window


def _write_settings(wine: Wine, level: Level, best_time: int) -> None:
    """Write the settings of WineMine into the registry of the prefix."""
    settings = {
        "Difficulty": _DIFFICULTIES.get(level, _CUSTOM),
        "Height": level.rows,
        "Width": level.cols,
        "Mines": level.mines,
        "Xpos": _PLACE[0],
        "Ypos": _PLACE[1],
        **{f"Time{number}": best_time for number in (1, 2, 3)},
    }
    values = [f'"{name}"=dword:{value:08x}' for name, value in settings.items()]
    text = "\r\n".join(["REGEDIT4", "", f"[{_KEY}]", *values, ""])
    file = wine.prefix / "drive_c" / "winemine.reg"
    with _writing(file):
        replace_file(file, text.encode("ascii"))
    wine.run("regedit", "/S", r"C:\winemine.reg")


@contextmanager
def launched(
    target: Target, level: Level = BEGINNER, report: Say = lambda _message: None
) -> Iterator[Window]:
    """Start our own game, or WineMine, at ``level``, on a virtual screen if Linux has none; yield its window.

    ``report`` is called with a line about each slow step. Raises LaunchError if a program is missing or does
    not start, and for WineMine on systems other than Linux.
    """
    ours, linux = target.name == "builtin", sys.platform.startswith("linux")
    if not (ours or linux):
        raise LaunchError("a game can be launched on Linux only: start Minesweeper yourself, then try again")
    with ExitStack() as stack:
        if linux and not os.environ.get("DISPLAY"):
            report("starting a virtual screen")
            stack.enter_context(virtual_display())
        wine = None if ours else stack.enter_context(wine_prefix(report))
        report(f"starting {target.label} at {level}")
        yield stack.enter_context(builtin(level) if wine is None else winemine(wine, level))


@contextmanager
def builtin(level: Level = BEGINNER, *options: str) -> Iterator[Window]:
    """Start ``minebot game`` at ``level`` with more ``options``, and yield its window.

    It does not touch the user's best times and settings: it keeps its own in a temporary folder. Raises
    LaunchError if no window appears.
    """
    target, environment = find_target("builtin"), {**os.environ}
    environment.pop("QT_QPA_PLATFORM", None)  # the window must be visible
    with TemporaryDirectory(prefix="minebot-times-", ignore_cleanup_errors=True) as times:
        command = minebot_command("game", "--level", level, "--times", times, *options)
        look, label = partial(windows_that, lambda window: window.title in target.titles), target.label
        with opened_window(running(command, environment), label, look) as window:
            yield window
