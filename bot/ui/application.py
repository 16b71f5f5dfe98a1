"""The Qt application that shows a window: its settings, signals, and errors in callbacks."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from bot.errors import CaptureError, LaunchError
from bot.installation import missing_library_words
from bot.signals import ending, signals_delayed

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_LOST = "the connection to the display was lost, and the window with it: is the X server still running?"
_WAKE = 200  # milliseconds until Python handles a signal, at most


def run_application(name: str, make: Callable[[float], QWidget]) -> None:
    """Show the window that ``make`` returns until it is closed; ``name`` is its class on X11.

    ``make`` is called with the scale of the screen: dots per inch / 96, in steps of 0.25, at least 1.0. Only
    it may import Qt: before, errors about its libraries would not be explained.
    Raises LaunchError if windows cannot be shown here, CaptureError if the connection to the display is lost,
    and the first error in a callback of the window. A signal that ended the window is sent again.
    """
    _prepare()
    with _explained():
        import PySide6
        from PySide6.QtCore import QTimer
        from PySide6.QtWidgets import QApplication

    # On Windows, Qt for Python spoils the letters of other languages in the path of its own plugins.
    QApplication.addLibraryPath(str(Path(next(iter(PySide6.__path__))) / "plugins"))
    application = QApplication([name])
    application.setApplicationName(name)
    application.setStyle("Fusion")
    # Qt ignores exceptions of signal handlers in callbacks, and quit() before its loop runs.
    with _ended_by_errors(application.quit), signals_delayed(signal.SIGINT, *ending()) as came:
        dots = application.primaryScreen().logicalDotsPerInch()
        window = make(max(1.0, round(dots / 96 * 4) / 4))
        window.show()
        waker = QTimer(interval=_WAKE)  # runs Python regularly, so that it can handle signals
        waker.timeout.connect(lambda: application.quit() if came else None)
        waker.start()
        code = application.exec()
        window.close()
        if code:  # set by Qt; if Xlib notices the loss first, it ends the process at once, also with 1
            raise CaptureError(_LOST)


def _prepare() -> None:
    """Configure Qt before its import: no scaling, because our windows scale; check that it can be loaded."""
    os.environ["QT_ENABLE_HIGHDPI_SCALING"] = "0"
    if not sys.platform.startswith("linux"):
        return
    if os.environ.get("DISPLAY"):
        os.environ.setdefault("QT_QPA_PLATFORM", "xcb")  # on X11, where the bot can see the window
    if os.environ.get("QT_QPA_PLATFORM") == "xcb":
        with _explained():  # if a library is missing, Qt itself would abort the program
            import PySide6

            folder = Path(next(iter(PySide6.__path__))) / "Qt" / "plugins" / "platforms"
            ctypes.CDLL(str(folder / "libqxcb.so"))


@contextmanager
def _explained() -> Iterator[None]:
    """Turn errors about a missing library into a LaunchError that says what to install."""
    try:
        yield
    except (ImportError, OSError) as error:
        raise LaunchError(f"windows cannot be shown: {error}; {missing_library_words(error)}") from error


@contextmanager
def _ended_by_errors(quit_: Callable[[], None]) -> Iterator[None]:
    """Call ``quit_`` at an error in a Qt callback, and raise the first such error at the end of the block."""
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
