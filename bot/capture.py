"""Screen capture through mss, with retries while the screen is unavailable."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from bot.desktop import is_portable, no_display_words, require_display, set_dpi_awareness, stop_by_key
from bot.desktop.protocols import Backend, Capture, Clock, Desktop, Visibility, Window
from bot.errors import CaptureError, WindowClosedError, WindowError
from bot.geometry import Frame, Pixels, Point, Rect
from bot.installation import missing_library_words
from bot.stop import Stop

if TYPE_CHECKING:
    from mss import MSS

    from bot.desktop.x11 import X11Screen


MONITOR_INTERVAL = 1.0  # seconds between two checks for new monitors: each check reopens the screen
SCREEN_PATIENCE = 5.0  # seconds for which a failed grab is retried
BLINK = 0.4  # seconds of waiting without a message
GRAB_NAP = 0.05  # seconds between two attempts to grab


class ScreenCapture:
    """Screen capture with one mss object, or what takes its place, that stays open.

    ``monitors`` are the places of the known monitors on the desktop, in pixels. If a requested rectangle is
    not wholly on them, they are read again. The constructor and `grab` raise CaptureError if there is no
    display.
    """

    def __init__(self) -> None:
        set_dpi_awareness()
        self._mss = _open()
        self.monitors = _monitors(self._mss)
        self._due = time.monotonic() + MONITOR_INTERVAL
        self._last: tuple[Rect, Any] | None = None  # area and raw bytes of the last picture
        self._pixels = np.empty((0, 0, 3), np.uint8)

    def grab(self, rect: Rect | None = None) -> Frame:
        """Return a picture of ``rect`` clipped to the monitors; of the whole desktop if it is None.

        Two equal pictures in a row share their pixels. Raises CaptureError if a grab fails twice, or if no
        part of ``rect`` is on a monitor.
        """
        if time.monotonic() >= self._due and not self._holds(rect):
            self._reopen()
        try:
            return self._grab(rect)
        except _failure():  # a monitor was unplugged or the connection was lost: read the monitors again
            self._reopen()
        try:
            return self._grab(rect)
        except _failure() as error:
            raise CaptureError(f"the screen cannot be seen ({error}): is it locked or asleep?") from error

    def close(self) -> None:
        """Release the screen."""
        self._mss.close()

    def _grab(self, rect: Rect | None) -> Frame:
        area = clip(rect, self.monitors)
        shot = self._mss.grab({"left": area.x, "top": area.y, "width": area.width, "height": area.height})
        taken = time.perf_counter()
        if (area, shot.raw) != self._last:  # most pictures are equal while the bot waits for the game
            self._last, self._pixels = (area, shot.raw), _bgr(shot.raw, shot.width, shot.height)
        return Frame(self._pixels, Point(area.x, area.y), taken)

    def _holds(self, rect: Rect | None) -> bool:
        """Return whether all of ``rect`` is on the known monitors; false if ``rect`` is None."""
        try:
            return clip(rect, self.monitors) == rect
        except CaptureError:
            return False

    def _reopen(self) -> None:
        opened = _open()  # if this fails, the old mss object stays in use
        self._mss.close()
        self._mss, self.monitors = opened, _monitors(opened)
        self._due = time.monotonic() + MONITOR_INTERVAL


class PatientCapture:
    """Screen capture that retries while the screen is unavailable and still honours the stop key.

    ``stop`` is that of the run; None makes one that knows the stop key alone. It is asked as ``search_stop``,
    which is for work that asks often. ``tell`` is called with a message if a wait is long.
    """

    def __init__(
        self,
        capture: Capture,
        clock: Clock,
        desktop: Desktop,
        stop: Stop | None = None,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._capture, self.clock, self.desktop, self._tell = capture, clock, desktop, tell
        self.stop = stop or stop_by_key(desktop)
        self.search_stop = self.stop.seldom(clock.now)

    def grab(self, rect: Rect | None = None, window: Window | None = None) -> Frame:
        """Return a picture of ``rect`` clipped to the desktop; of the whole desktop if it is None.

        If ``window`` is given, ``rect`` is its client area, and each retry grabs where that is then: a window
        that is being minimised or restored may be off the screen. Raises what ``stop`` raises,
        WindowError if ``window`` is closed or stays minimised, CaptureError after `SCREEN_PATIENCE` seconds.
        """
        self.search_stop.raise_if_stopped()
        try:
            return self._capture.grab(rect)
        except CaptureError as error:
            return self._grab_later(rect, window, error)

    def glimpse(self, rect: Rect) -> Frame | None:
        """Return a picture of ``rect`` clipped to the desktop; None if there is none at this moment."""
        try:
            return self._capture.grab(rect)
        except CaptureError:
            return None

    def _grab_later(self, rect: Rect | None, window: Window | None, error: CaptureError) -> Frame:
        began, reported = self.clock.now(), False
        while (waited := self.clock.now() - began) < SCREEN_PATIENCE:
            if waited > BLINK and not reported:
                self._tell(f"waiting for the screen: {error}")
                reported = True
            self.clock.sleep(GRAB_NAP)
            self.search_stop.raise_if_stopped()
            try:
                return self._capture.grab(rect if window is None else self._window_place(window))
            except CaptureError as again:
                error = again
        if window and self.desktop.visibility(window, window.client) is Visibility.MINIMISED:
            raise hidden_error(Visibility.MINIMISED) from error
        raise error

    def _window_place(self, window: Window) -> Rect:
        now = self.desktop.refresh(window)
        if now is None:
            raise closed_error(window)
        return now.client


def hidden_error(visibility: Visibility) -> WindowError:
    """Return the error for a board that cannot be seen; ``visibility`` gives the reason."""
    return WindowError(f"stopped: the board is {visibility.value}; bring its window to the front")


def closed_error(window: Window) -> WindowClosedError:
    """Return the error for a game whose window was closed."""
    return WindowClosedError(f"{window.label} was closed")


def clip(rect: Rect | None, monitors: list[Rect]) -> Rect:
    """Return the smallest rectangle that contains every part of ``rect`` that is on one of ``monitors``.

    If ``rect`` is None, it contains all monitors. Raises CaptureError if no part is on a monitor.
    """
    parts = monitors if rect is None else [monitor.intersection(rect) for monitor in monitors]
    parts = [part for part in parts if not part.empty]
    if not parts:
        raise CaptureError("the game is not on any screen: move its window onto a monitor")
    return Rect.around(parts)


def _failure() -> tuple[type[Exception], ...]:
    from mss.exception import ScreenShotError

    return ScreenShotError, OSError


def _open() -> MSS | X11Screen:
    import mss

    require_display()
    if sys.platform == "win32":
        without_flicker()
    try:
        return mss.MSS()
    except _failure() as error:
        if "Library" in str(error):
            words = f"pictures of the screen cannot be taken: {error}; {missing_library_words()}"
            raise CaptureError(words) from error
        if is_portable(Backend.AUTO) or sys.platform == "win32":
            raise CaptureError(f"{no_display_words()} ({error})") from error
    from bot.desktop.x11 import X11Screen

    return X11Screen()  # mss reads no screens of this depth


def without_flicker() -> None:
    """Let mss leave out CAPTUREBLT, which makes the pointer flicker on Windows at every picture.

    It is for layered windows, which have been part of every picture of the screen since Windows 8.
    """
    gdi = importlib.import_module("mss.windows.gdi")  # exists on Windows only
    gdi.CAPTUREBLT = 0  # type: ignore[attr-defined]


def _monitors(screen: MSS | X11Screen) -> list[Rect]:
    try:
        every, *single = screen.monitors
    except _failure() as error:
        raise CaptureError(f"{no_display_words()} ({error})") from error
    return [Rect(m["left"], m["top"], m["width"], m["height"]) for m in single or [every]]


def _bgr(raw: Any, width: int, height: int) -> Pixels:
    """Return the blue, green and red values of BGRA bytes as a contiguous array."""
    bgra = np.frombuffer(raw, np.uint8).reshape(height, width, 4)
    bgr = np.empty((height, width, 3), np.uint8)
    for channel in range(3):  # five times as fast as copying all three channels at once
        bgr[:, :, channel] = bgra[:, :, channel]
    return bgr
