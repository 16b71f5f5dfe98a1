"""The one Qt application: its settings, signals, errors in its callbacks, and the windows that it shows."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, TracebackType
from typing import TYPE_CHECKING

from bot.errors import CaptureError, LaunchError
from bot.signals import ending, heard

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from bot.ui.game.settings import Options, World

_ADVICE = "run pip install 'PySide6-Essentials<6.12'; on Debian also apt-get install " + " ".join(
    ("libegl1", "libfontconfig1", "libxkbcommon-x11-0", "libxcb-cursor0", "libxcb-icccm4", "libxcb-keysyms1")
)
_LOST = "the connection to the display was lost, and the window with it: is the X server still running?"
_WAKE = 200  # milliseconds until Python hears of a signal, at most


def show_game(options: Callable[[float], Options], world: World) -> None:
    """Show our own Minesweeper until its window is closed; ``options`` is called with the screen's scale.

    This, `show_panel` and `show_overlay` raise what `run_application` raises.
    """

    def make(scale: float) -> QWidget:
        from bot.ui.game.window import MinesweeperWindow

        return MinesweeperWindow(options(scale), world)

    run_application("minebot-game", make)


def show_panel(folder: Path) -> None:
    """Show the control panel, whose settings are kept in ``folder``, until it is closed."""

    def make(_scale: float) -> QWidget:
        from bot.ui.panel import Panel
        from bot.ui.panel_run import Process, SavedPanel

        return Panel(SavedPanel(folder), Process())

    run_application("minebot-panel", make)


def show_overlay() -> None:
    """Show marks as orders on standard input say, with answers on standard output, until the orders end."""

    def make(scale: float) -> QWidget:
        from bot.ui.overlay_windows import OverlayWindows

        return OverlayWindows(sys.stdin, sys.stdout, scale)

    run_application("minebot-overlay", make)


def run_application(name: str, make: Callable[[float], QWidget]) -> None:
    """Show the window that ``make`` returns until it is closed; its class on X11 is ``name``.

    ``make`` is called with the scale that suits the screen: 1.0 where 96 dots are an inch, in quarters.
    Raises LaunchError if windows cannot be shown here, CaptureError if the display has gone, whatever a
    callback of the window has raised, and again the signal that ended it.
    """
    _prepare()
    with _explained():
        from PySide6.QtCore import QTimer
        from PySide6.QtWidgets import QApplication

    application = QApplication([name])
    application.setApplicationName(name)
    application.setStyle("Fusion")
    with _ended_by_errors(application.quit), _ended_by_signals() as came:
        dots = application.primaryScreen().logicalDotsPerInch()
        window = make(max(1.0, round(dots / 96 * 4) / 4))
        window.show()
        waker = QTimer(interval=_WAKE)  # so that Python gets a turn
        waker.timeout.connect(lambda: application.quit() if came else None)
        waker.start()
        code = application.exec()
        window.close()
        if code:  # Qt's own; where Xlib sees the loss first, it ends the process at once, with 1 too
            raise CaptureError(_LOST)


def _prepare() -> None:
    """Set what Qt reads once: pixels are ours to scale; and look whether it can show windows."""
    os.environ["QT_ENABLE_HIGHDPI_SCALING"] = "0"
    if not sys.platform.startswith("linux"):
        return
    if os.environ.get("DISPLAY"):
        os.environ.setdefault("QT_QPA_PLATFORM", "xcb")  # where the bot can see it
    if os.environ.get("QT_QPA_PLATFORM") == "xcb":
        with _explained():  # where a library is missing, Qt itself would end the program
            import PySide6

            folder = Path(next(iter(PySide6.__path__))) / "Qt" / "plugins" / "platforms"
            ctypes.CDLL(str(folder / "libqxcb.so"))


@contextmanager
def _explained() -> Iterator[None]:
    """Say what to do where a library is missing."""
    try:
        yield
    except (ImportError, OSError) as error:
        raise LaunchError(f"windows cannot be shown: {error}; {_ADVICE}") from error


@contextmanager
def _ended_by_errors(quit_: Callable[[], None]) -> Iterator[None]:
    """Let the first error in a callback of Qt end the program and be raised from here."""
    errors: list[BaseException] = []
    before = sys.excepthook

    def note(_kind: type[BaseException], error: BaseException, _traceback: TracebackType | None) -> None:
        errors.append(error)
        quit_()

    sys.excepthook = note
    try:
        yield
    finally:
        sys.excepthook = before
    if errors:
        raise errors[0]


@contextmanager
def _ended_by_signals() -> Iterator[list[int]]:
    """Yield the signals that came, and send the first again at the end, to the handlers from before.

    They are only noted: Qt drops what is raised in its callbacks, and a wish to quit before its loop runs.
    """
    came: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        came.append(number)

    with heard(dict.fromkeys((signal.SIGINT, *ending()), note)):
        yield came
    if came:
        signal.raise_signal(came[0])
