"""Pictures of the screen, through mss."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from bot.errors import CaptureError
from bot.geometry import Frame, Pixels, Point, Rect
from bot.screen.windows import NO_DISPLAY, require_display, set_dpi_awareness

if TYPE_CHECKING:
    from mss import MSS


MONITOR_INTERVAL = 1.0  # seconds between two looks for other monitors: each opens the screen anew


class ScreenCapture:
    """Takes pictures of the screen with one mss object that is kept open.

    What goes beyond the monitors makes it look whether there are others now, or larger ones.

    Raises CaptureError, on opening too, if there is no display.
    """

    def __init__(self) -> None:
        set_dpi_awareness()
        self._mss = _open()
        self._monitors = _monitors(self._mss)
        self._due = time.monotonic() + MONITOR_INTERVAL
        self._last: tuple[Rect, Any] | None = None  # the last picture as it came, and what was made of it
        self._pixels = np.empty((0, 0, 3), np.uint8)

    def grab(self, rect: Rect | None = None) -> Frame:
        """Return a picture of ``rect`` clipped to the monitors; of the whole desktop if it is None.

        Two that are the same share their pixels. Raises CaptureError if a grab fails twice, or nothing of
        ``rect`` is on a monitor.
        """
        if time.monotonic() >= self._due and not self._holds(rect):
            self._reopen()
        try:
            return self._grab(rect)
        except _failure():  # a monitor was unplugged, the connection was lost: what is there now?
            self._reopen()
        try:
            return self._grab(rect)
        except _failure() as error:
            raise CaptureError(f"the screen cannot be seen ({error}): is it locked or asleep?") from error

    def close(self) -> None:
        """Release the screen."""
        self._mss.close()

    def _grab(self, rect: Rect | None) -> Frame:
        area = clip(rect, self._monitors)
        shot = self._mss.grab({"left": area.x, "top": area.y, "width": area.width, "height": area.height})
        taken = time.perf_counter()
        if (area, shot.raw) != self._last:  # while an answer is waited for, most pictures are the same
            self._last, self._pixels = (area, shot.raw), _bgr(shot.raw, shot.width, shot.height)
        return Frame(self._pixels, Point(area.x, area.y), taken)

    def _holds(self, rect: Rect | None) -> bool:
        """Return whether all of ``rect`` is on the monitors that are known; never of the whole desktop."""
        try:
            return clip(rect, self._monitors) == rect
        except CaptureError:
            return False

    def _reopen(self) -> None:
        opened = _open()  # the old one stays if that fails
        self._mss.close()
        self._mss, self._monitors = opened, _monitors(opened)
        self._due = time.monotonic() + MONITOR_INTERVAL


def clip(rect: Rect | None, monitors: list[Rect]) -> Rect:
    """Return the smallest rectangle that holds every part of ``rect`` (None: everything) on a monitor.

    Raises CaptureError if no part of it is on any.
    """
    parts = monitors if rect is None else [monitor.intersection(rect) for monitor in monitors]
    parts = [part for part in parts if not part.empty]
    if not parts:
        raise CaptureError("nothing of it is on a screen: move the game's window onto a monitor")
    x, y = min(part.x for part in parts), min(part.y for part in parts)
    right, bottom = max(part.right for part in parts), max(part.bottom for part in parts)
    return Rect(x, y, right - x, bottom - y)


def _failure() -> type[Exception]:
    from mss.exception import ScreenShotError

    return ScreenShotError


def _open() -> MSS:
    import mss

    require_display()
    try:
        return mss.MSS()
    except _failure() as error:  # no such display, or a library that mss needs is not installed
        raise CaptureError(f"{NO_DISPLAY} ({error})") from error


def _monitors(screen: MSS) -> list[Rect]:
    try:
        every, *single = screen.monitors
    except _failure() as error:
        raise CaptureError(f"{NO_DISPLAY} ({error})") from error
    return [Rect(m["left"], m["top"], m["width"], m["height"]) for m in single or [every]]


def _bgr(raw: Any, width: int, height: int) -> Pixels:
    """Return the BGR part of BGRA bytes, contiguous."""
    bgra = np.frombuffer(raw, np.uint8).reshape(height, width, 4)
    bgr = np.empty((height, width, 3), np.uint8)
    for channel in range(3):  # five times as fast as one copy of all three
        bgr[:, :, channel] = bgra[:, :, channel]
    return bgr
