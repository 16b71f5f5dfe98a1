"""The windows of a Windows desktop, through user32 calls that Wine offers, too."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import takewhile

from bot.desktop.protocols import ESC, Shortcut, Visibility, Window
from bot.desktop.win32_api import EX_LAYERED, EX_NOACTIVATE, EX_TOPMOST, EX_TRANSPARENT, Api, StopKey
from bot.errors import WindowClosedError, WindowError
from bot.geometry import Point, Rect

_DIALOG = "#32770"
_MENUS = frozenset({"#32768", "ComboLBox"})
_QT_MENU = "QWindowPopup"  # in the class names of Qt's menus, to which Qt gives the program's title
_SHELL = frozenset(  # the desktop, the window behind it, the taskbars
    {"Progman", "WorkerW", "Shell_TrayWnd", "Shell_SecondaryTrayWnd"}
)
_INPUT_METHODS = frozenset({"IME", "MSCTFIME UI"})
_RAISE_SECONDS = 0.5  # Windows may take so long to hand the keyboard over


class Win32Desktop:
    """The `bot.desktop.protocols.Desktop` of Windows. Coordinates are physical screen pixels.

    ``api`` replaces Windows in tests. Raises BotError on other systems, UsageError if another program has
    registered ``stop_key``.
    """

    def __init__(self, api: Api | None = None, stop_key: Shortcut = ESC) -> None:
        self._api, self.stop_key = Api() if api is None else api, str(stop_key)
        self._stop_key, self.frame_time = StopKey(self._api, stop_key), self._api.frame_time()

    def windows(self) -> list[Window]:
        """Return the visible and the minimised top-level windows, topmost first."""
        return [self._window(handle) for handle in self._shown_windows()]

    def refresh(self, window: Window) -> Window | None:
        """Return the window as it is now, None if it is closed or hidden."""
        if not (self._api.exists(window.handle) and self._api.is_shown(window.handle)):
            return None
        now = self._window(window.handle)
        # Windows may give the handle of a closed window to a new one.
        same = (now.process, now.class_name) == (window.process, window.class_name)
        return now if same else None

    def visibility(self, window: Window, area: Rect) -> Visibility:
        """Return whether all of ``area`` (screen pixels, inside the window) can be seen."""
        if self.refresh(window) is None:
            return Visibility.CLOSED
        if self._api.is_minimised(window.handle):
            return Visibility.MINIMISED
        hidden = self._api.is_cloaked(window.handle) or not self._api.screen().covers(area)
        covered = hidden or any(self._covers(above, area) for above in self._above(window.handle))
        return Visibility.COVERED if covered else Visibility.VISIBLE

    def raise_window(self, window: Window) -> None:
        """Bring the window to the front and give it, or the dialog that blocks it, the keyboard."""
        if self.refresh(window) is None:
            raise WindowClosedError(f"{window.label} is closed: start the game again")
        if self._api.is_minimised(window.handle):
            self._api.restore(window.handle)
        # Windows obeys only the program that had the last input. The ordinary way is tried first.
        ways = self._api.set_foreground, self._set_foreground_by_input, self._api.set_foreground_attached
        if not any(self._is_front_after(ask, window.handle) for ask in ways):
            raise WindowError(f"Windows does not let {window.label} come to the front: click on it once")

    def ask_to_close(self, window: Window) -> None:
        """Ask the window's program to close it."""
        self._api.post_close(window.handle)

    def popups(self, window: Window) -> list[Window]:
        """Return the dialogs and menus that the window's program has open, topmost first."""
        process = self._api.process(window.handle)
        found = [
            handle
            for handle in self._shown_windows()
            if handle != window.handle and self._api.process(handle) == process
        ]
        return [self._window(handle) for handle in found if self._is_popup(handle, window.handle)]

    def has_keyboard(self, window: Window) -> bool:
        """Return whether keys reach the window, or a dialog of it."""
        return self._api.foreground() in (window.handle, self._api.last_active_popup(window.handle))

    def rival(self, window: Window) -> Window | None:
        """Return the window of another program that has the keyboard; None if there is none.

        The desktop and the taskbar, which have it when no program wants it, do not count.
        """
        front = self._api.foreground()
        if self.has_keyboard(window) or front not in self._shown_windows():
            return None
        own = self._api.process(front) == self._api.process(window.handle)
        return None if own or self._api.class_name(front) in _SHELL else self._window(front)

    def takes(self, window: Window, point: Point) -> bool:
        """Return whether the window is still where ``window`` says, and a click at ``point`` reaches it."""
        return self._api.takes(window, point)

    def stop_pressed(self) -> bool:
        """Return whether the stop key is down, or was pressed since the last call."""
        return self._stop_key.pressed()

    def close(self) -> None:
        """Do nothing: there is no connection to release."""

    def _shown_windows(self) -> Iterator[int]:
        return (
            handle
            for handle in self._api.top_level_windows()
            if self._api.is_shown(handle) and not self._api.is_cloaked(handle)
        )

    def _window(self, handle: int) -> Window:
        name, title = self._api.class_name(handle), self._api.title(handle)
        owned = self._api.root_owner(handle) != handle
        menu = _is_menu(name) or (owned and not title and name != _DIALOG)  # the list of some toolkit
        process = self._api.process_file(self._api.process(handle))
        return Window(handle, title, name, process, self._api.client(handle), is_menu=menu)

    def _above(self, handle: int) -> Iterator[int]:
        return takewhile(lambda other: other != handle, self._shown_windows())

    def _covers(self, handle: int, area: Rect) -> bool:
        shared = self._api.frame(handle).intersection(area)
        return (
            not shared.empty and not self._api.is_minimised(handle) and not self._see_through(handle, shared)
        )

    def _see_through(self, handle: int, area: Rect) -> bool:
        style = self._api.ex_style(handle)
        if not style & EX_LAYERED:
            return False
        if style & EX_TRANSPARENT or self._api.alpha(handle) == 0:
            return True
        # Clicks fall through where a pixel's own alpha is 0, and through the overlays of graphics drivers,
        # which look opaque to all other questions.
        return all(self._api.hit(point) != handle for point in _test_points(area))

    def _is_popup(self, handle: int, owner: int) -> bool:
        """Return whether a window of the owner's program is a dialog or a menu.

        What takes no input is neither: a tooltip, a glow around the window, the status line of a browser.
        """
        name = self._api.class_name(handle)
        if name == _DIALOG or _is_menu(name):
            return True
        idle = bool(self._api.ex_style(handle) & (EX_NOACTIVATE | EX_TRANSPARENT))
        quiet = idle or name in _INPUT_METHODS or "tooltip" in name.lower()
        owned = self._api.root_owner(handle) == owner
        return owned and not quiet and self._api.is_enabled(handle)

    def _set_foreground_by_input(self, handle: int) -> None:
        self._api.send_no_movement()
        self._api.set_foreground(handle)

    def _is_front_after(self, ask: Callable[[int], None], handle: int) -> bool:
        ask(self._api.last_active_popup(handle) or handle)
        deadline = time.monotonic() + _RAISE_SECONDS
        while not self._is_front(handle):
            if time.monotonic() > deadline:
                return False
            time.sleep(0.01)
        return True

    def _is_front(self, handle: int) -> bool:
        """Return whether the window or its dialog has the keyboard and, which takes longer, is on top."""
        has_keyboard = self._api.foreground() in (handle, self._api.last_active_popup(handle))
        return has_keyboard and all(self._may_stay_above(other, handle) for other in self._above(handle))

    def _may_stay_above(self, other: int, handle: int) -> bool:
        on_top = self._api.ex_style(other) & EX_TOPMOST
        own = self._api.root_owner(other) == self._api.root_owner(handle)
        return bool(on_top) or own or not self._covers(other, self._api.frame(handle))


def _is_menu(class_name: str) -> bool:
    return class_name in _MENUS or _QT_MENU in class_name


def _test_points(area: Rect) -> list[Point]:
    """Return the centre of ``area`` and its four corners."""
    right, bottom = area.right - 1, area.bottom - 1
    corners = [Point(x, y) for x in (area.x, right) for y in (area.y, bottom)]
    return [Point((area.x + right) // 2, (area.y + bottom) // 2), *corners]
