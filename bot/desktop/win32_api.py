"""The Win32 calls that the bot needs, with Python types in and out; mouse clicks and the stop key.

The libraries are loaded when an `Api` is created, so that the module can be imported, and its callers tested,
on every system. They are separate instances, so that the argument types that other libraries set on
``ctypes.windll`` do not change those set here. Handles are ints, 0 for NULL.
"""

from __future__ import annotations

import ctypes
import signal
import string
import sys
import time
from collections.abc import Callable, Sequence
from ctypes import wintypes
from pathlib import PureWindowsPath
from typing import Any

from bot.desktop import load_library
from bot.desktop.protocols import (
    ESC,
    FRAME_TIME,
    FUNCTION_KEYS,
    Button,
    PointerCheck,
    Shortcut,
    Stroke,
    Window,
    taken,
)
from bot.errors import IN_THE_WAY, NO_KEYBOARD, BotError, CaptureError, ViewChangedError
from bot.geometry import Point, Rect
from bot.signals import signals_delayed

EX_TOPMOST = 8
EX_TRANSPARENT = 0x20  # clicks go through the window
EX_LAYERED = 0x80000
EX_NOACTIVATE = 0x8000000  # the window never gets the keyboard

_EX_STYLE = -20
_ROOT, _ROOT_OWNER = 2, 3
_LAYERED_ALPHA = 2
_RESTORE = 9
_CLOSE = 0x0010  # WM_CLOSE
_DWM_FRAME_BOUNDS, _DWM_CLOAKED = 9, 14
_HOT_KEY, _TAKEN = 1, 1409  # any id for the hot key, ERROR_HOTKEY_ALREADY_REGISTERED
_QUERY_LIMITED = 0x1000
_MOUSE_MOVED = 1
_VIRTUAL_SCREEN = (76, 77, 78, 79)  # system metrics: left, top, width, height of all monitors together
_LONGEST_CLASS, _LONGEST_PATH = 257, 32768

Event = tuple[int, int, int]  # x and y as returned by `absolute`, and flags
Key = tuple[int, int]  # a virtual key, and flags

_MOUSE, _KEYBOARD = 0, 1  # INPUT_MOUSE, INPUT_KEYBOARD
_EXTENDED, _RELEASED = 1, 2  # flags of a key: it is not on the number pad; it goes up
_SCAN_CODE = 0  # MAPVK_VK_TO_VSC
_AT_PLACE = 0x1 | 0x4000 | 0x8000  # a move to absolute coordinates on all monitors together
_LEFT, _RIGHT, _MIDDLE = (0x2, 0x4), (0x8, 0x10), (0x20, 0x40)  # pressed, released
_SWAPPED = 23  # system metric: the user is left-handed
_NO_INPUT = "Windows does not accept {}: is the screen locked, or does another program block input?"
_WHOLE = 1 << 16  # the width, and the height, of all monitors together

_HANDLE, _BOOL, _DWORD, _INT = wintypes.HWND, wintypes.BOOL, wintypes.DWORD, ctypes.c_int
_POINTER = ctypes.c_void_p
_PROTOTYPES: dict[str, dict[str, tuple[Any, tuple[Any, ...]]]] = {
    "user32": {
        "AttachThreadInput": (_BOOL, (_DWORD, _DWORD, _BOOL)),
        "BringWindowToTop": (_BOOL, (_HANDLE,)),
        "EnumWindows": (_BOOL, (_POINTER, wintypes.LPARAM)),
        "GetAncestor": (_HANDLE, (_HANDLE, wintypes.UINT)),
        "GetAsyncKeyState": (wintypes.SHORT, (_INT,)),
        "GetClassNameW": (_INT, (_HANDLE, wintypes.LPWSTR, _INT)),
        "GetCursorPos": (_BOOL, (_POINTER,)),
        "GetClientRect": (_BOOL, (_HANDLE, _POINTER)),
        "GetForegroundWindow": (_HANDLE, ()),
        "GetLastActivePopup": (_HANDLE, (_HANDLE,)),
        "GetLayeredWindowAttributes": (_BOOL, (_HANDLE, _POINTER, _POINTER, _POINTER)),
        "GetSystemMetrics": (_INT, (_INT,)),
        "GetWindowLongW": (wintypes.LONG, (_HANDLE, _INT)),
        "GetWindowRect": (_BOOL, (_HANDLE, _POINTER)),
        "GetWindowTextLengthW": (_INT, (_HANDLE,)),
        "GetWindowTextW": (_INT, (_HANDLE, wintypes.LPWSTR, _INT)),
        "GetWindowThreadProcessId": (_DWORD, (_HANDLE, _POINTER)),
        "IsIconic": (_BOOL, (_HANDLE,)),
        "IsWindowEnabled": (_BOOL, (_HANDLE,)),
        "IsWindow": (_BOOL, (_HANDLE,)),
        "IsWindowVisible": (_BOOL, (_HANDLE,)),
        "MapVirtualKeyW": (wintypes.UINT, (wintypes.UINT, wintypes.UINT)),
        "MapWindowPoints": (_INT, (_HANDLE, _HANDLE, _POINTER, wintypes.UINT)),
        "mouse_event": (None, (_DWORD, _DWORD, _DWORD, _DWORD, ctypes.c_size_t)),
        "PostMessageW": (_BOOL, (_HANDLE, wintypes.UINT, wintypes.WPARAM, wintypes.LPARAM)),
        "RegisterHotKey": (_BOOL, (_HANDLE, _INT, wintypes.UINT, wintypes.UINT)),
        "SendInput": (wintypes.UINT, (wintypes.UINT, _POINTER, _INT)),
        "SetForegroundWindow": (_BOOL, (_HANDLE,)),
        "ShowWindow": (_BOOL, (_HANDLE, _INT)),
        "UnregisterHotKey": (_BOOL, (_HANDLE, _INT)),
        "WindowFromPoint": (_HANDLE, (wintypes.POINT,)),
    },
    "kernel32": {
        "CloseHandle": (_BOOL, (_HANDLE,)),
        "GetCurrentThreadId": (_DWORD, ()),
        "OpenProcess": (_HANDLE, (_DWORD, _BOOL, _DWORD)),
        "QueryFullProcessImageNameW": (_BOOL, (_HANDLE, _DWORD, wintypes.LPWSTR, _POINTER)),
    },
    "dwmapi": {
        "DwmGetWindowAttribute": (wintypes.LONG, (_HANDLE, _DWORD, _POINTER, _DWORD)),
        "DwmIsCompositionEnabled": (wintypes.LONG, (_POINTER,)),
    },
}


def _typed_library(name: str) -> ctypes.CDLL:
    library = load_library(name)
    for function, (result, arguments) in _PROTOTYPES[name].items():
        call = getattr(library, function)
        call.restype, call.argtypes = result, arguments
    return library


def _window_callback(function: Callable[[int | None, int], bool]) -> Any:
    if sys.platform != "win32":
        raise BotError(f"window callbacks exist only on Windows, not on {sys.platform}")
    return ctypes.WINFUNCTYPE(wintypes.BOOL, wintypes.HWND, wintypes.LPARAM)(function)


def _last_error() -> int:
    if sys.platform == "win32":
        return ctypes.get_last_error()
    return 0


def _as_rect(rect: wintypes.RECT) -> Rect:
    return Rect(rect.left, rect.top, rect.right - rect.left, rect.bottom - rect.top)


class _MouseInput(ctypes.Structure):
    _fields_ = (
        ("x", ctypes.c_int32),
        ("y", ctypes.c_int32),
        ("data", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("time", ctypes.c_uint32),
        ("extra", ctypes.c_size_t),
    )


class _KeyInput(ctypes.Structure):
    _fields_ = (
        ("key", ctypes.c_uint16),
        ("scan", ctypes.c_uint16),
        ("flags", ctypes.c_uint32),
        ("time", ctypes.c_uint32),
        ("extra", ctypes.c_size_t),
    )


class _MouseOrKey(ctypes.Union):
    _fields_ = (("mouse", _MouseInput), ("key", _KeyInput))


class _Input(ctypes.Structure):
    """The INPUT structure without the hardware part, which is not the largest of its union."""

    _fields_ = (("kind", ctypes.c_uint32), ("what", _MouseOrKey))


class Api:
    """The calls, named by what they do, and the `Mouse` of Windows.

    For a window that is gone they return 0, "" or False.
    """

    def __init__(self) -> None:
        self._user32 = _typed_library("user32")
        self._kernel32 = _typed_library("kernel32")
        self._dwmapi = _typed_library("dwmapi")

    def top_level_windows(self) -> list[int]:
        """Return all top-level windows, hidden ones too, topmost first."""
        found: list[int] = []

        def collect(handle: int | None, _: int) -> bool:
            found.append(handle or 0)
            return True

        with signals_delayed(signal.SIGINT):  # an exception raised by Ctrl+C would be lost in the callback
            self._user32.EnumWindows(_window_callback(collect), 0)
        return found

    def exists(self, handle: int) -> bool:
        """Return whether the window still exists."""
        return bool(self._user32.IsWindow(handle))

    def is_shown(self, handle: int) -> bool:
        """Return whether the window is not hidden; it may be minimised or covered."""
        return bool(self._user32.IsWindowVisible(handle))

    def is_minimised(self, handle: int) -> bool:
        """Return whether the window is minimised."""
        return bool(self._user32.IsIconic(handle))

    def is_enabled(self, handle: int) -> bool:
        """Return whether the window takes input from the mouse and the keyboard."""
        return bool(self._user32.IsWindowEnabled(handle))

    def is_cloaked(self, handle: int) -> bool:
        """Return whether the system does not show the window (suspended app, other virtual desktop)."""
        cloaked = wintypes.DWORD(0)
        size = ctypes.sizeof(cloaked)
        failed = self._dwmapi.DwmGetWindowAttribute(handle, _DWM_CLOAKED, ctypes.byref(cloaked), size)
        return not failed and cloaked.value != 0

    def title(self, handle: int) -> str:
        """Return the text in the window's caption."""
        length = self._user32.GetWindowTextLengthW(handle)
        text = ctypes.create_unicode_buffer(length + 1)
        self._user32.GetWindowTextW(handle, text, length + 1)
        return text.value

    def class_name(self, handle: int) -> str:
        """Return the name of the window's class."""
        text = ctypes.create_unicode_buffer(_LONGEST_CLASS)
        self._user32.GetClassNameW(handle, text, _LONGEST_CLASS)
        return text.value

    def ex_style(self, handle: int) -> int:
        """Return the extended style bits."""
        return int(self._user32.GetWindowLongW(handle, _EX_STYLE))

    def alpha(self, handle: int) -> int | None:
        """Return how opaque a layered window is, 0 to 255; None if each of its pixels has its own alpha."""
        alpha, flags = ctypes.c_ubyte(0), wintypes.DWORD(0)
        found = self._user32.GetLayeredWindowAttributes(
            handle, None, ctypes.byref(alpha), ctypes.byref(flags)
        )
        if not found:
            return None
        return alpha.value if flags.value & _LAYERED_ALPHA else 255

    def process(self, handle: int) -> int:
        """Return the id of the process that owns the window."""
        process = wintypes.DWORD(0)
        self._user32.GetWindowThreadProcessId(handle, ctypes.byref(process))
        return process.value

    def process_file(self, process: int) -> str:
        """Return the file name of a process's program in lower case, "" if Windows does not give it."""
        text, length = ctypes.create_unicode_buffer(_LONGEST_PATH), wintypes.DWORD(_LONGEST_PATH)
        opened = self._kernel32.OpenProcess(_QUERY_LIMITED, False, process)
        if opened:
            self._kernel32.QueryFullProcessImageNameW(opened, 0, text, ctypes.byref(length))
            self._kernel32.CloseHandle(opened)
        return PureWindowsPath(text.value).name.lower()

    def client(self, handle: int) -> Rect:
        """Return the client area in screen pixels, empty if the window is gone."""
        rect = wintypes.RECT()
        if self._user32.GetClientRect(handle, ctypes.byref(rect)):
            # With two points, Windows itself swaps left and right in a mirrored (Hebrew, Arabic) window.
            self._user32.MapWindowPoints(handle, None, ctypes.byref(rect), 2)
        return _as_rect(rect)

    def frame(self, handle: int) -> Rect:
        """Return the rectangle of the window with its visible borders, in screen pixels."""
        rect = wintypes.RECT()
        size = ctypes.sizeof(rect)
        # GetWindowRect includes the invisible borders of Windows 10 (7 pixels), which cover nothing.
        if self._dwmapi.DwmGetWindowAttribute(handle, _DWM_FRAME_BOUNDS, ctypes.byref(rect), size):
            self._user32.GetWindowRect(handle, ctypes.byref(rect))
        return _as_rect(rect)

    def frame_time(self) -> float:
        """Return the seconds from one picture to the next that the compositor draws; 0.0 without one."""
        enabled = wintypes.BOOL()
        failed = self._dwmapi.DwmIsCompositionEnabled(ctypes.byref(enabled))
        return FRAME_TIME if enabled and not failed else 0.0

    def screen(self) -> Rect:
        """Return the smallest rectangle around all monitors."""
        return Rect(*(self._user32.GetSystemMetrics(metric) for metric in _VIRTUAL_SCREEN))

    def root_owner(self, handle: int) -> int:
        """Return the last window in the chain of this one's owners, or itself if it has no owner."""
        return int(self._user32.GetAncestor(handle, _ROOT_OWNER) or 0)

    def hit(self, point: Point) -> int:
        """Return the top-level window that a click at ``point`` would reach."""
        child = self._user32.WindowFromPoint(wintypes.POINT(point.x, point.y))
        return int(self._user32.GetAncestor(child, _ROOT) or 0)

    def takes(self, window: Window, point: Point) -> bool:
        """Return whether the window is where ``window`` says, and a click at ``point`` would reach it."""
        return self.hit(point) == window.handle and self.client(window.handle) == window.client

    def last_active_popup(self, handle: int) -> int:
        """Return the window's dialog that was active last, or the window itself if it has none."""
        return int(self._user32.GetLastActivePopup(handle) or 0)

    def foreground(self) -> int:
        """Return the window that has the keyboard, 0 while it is being handed over."""
        return int(self._user32.GetForegroundWindow() or 0)

    def set_foreground(self, handle: int) -> None:
        """Ask for the top place and the keyboard; Windows refuses unless this program had the last input."""
        self._user32.BringWindowToTop(handle)  # a window with the keyboard may still lie under another one
        self._user32.SetForegroundWindow(handle)

    def post_close(self, handle: int) -> None:
        """Ask a window to close, without waiting until it does."""
        self._user32.PostMessageW(handle, _CLOSE, 0, 0)

    def restore(self, handle: int) -> None:
        """Restore a minimised window."""
        self._user32.ShowWindow(handle, _RESTORE)

    def send_no_movement(self) -> None:
        """Send a mouse movement of zero pixels, so that the last input came from this program."""
        self._user32.mouse_event(_MOUSE_MOVED, 0, 0, 0, 0)

    def set_foreground_attached(self, handle: int) -> None:
        """Call `set_foreground` while our input is attached to that of the program with the keyboard."""
        ours = self._kernel32.GetCurrentThreadId()
        theirs = self._user32.GetWindowThreadProcessId(self.foreground(), None)
        joined = theirs not in (0, ours) and self._user32.AttachThreadInput(ours, theirs, True)
        self.set_foreground(handle)
        if joined:
            self._user32.AttachThreadInput(ours, theirs, False)

    def key_pressed(self, key: int) -> bool:
        """Return whether a virtual key is down, or was pressed since the last call."""
        return bool(self._user32.GetAsyncKeyState(key) & 0x8001)

    def key_down(self, key: int) -> bool:
        """Return whether a virtual key is down."""
        return bool(self._user32.GetAsyncKeyState(key) & 0x8000)

    def is_free(self, key: int, modifiers: int) -> bool:
        """Return whether no program has registered the key with these MOD_ flags as a hot key."""
        free = bool(self._user32.RegisterHotKey(None, _HOT_KEY, modifiers, key))
        if free:
            self._user32.UnregisterHotKey(None, _HOT_KEY)
        return free or _last_error() != _TAKEN

    def swapped(self) -> bool:
        """Return whether the user has swapped the left and the right mouse button."""
        return bool(self._user32.GetSystemMetrics(_SWAPPED))

    def send(self, events: Sequence[Event]) -> int:
        """Insert mouse events into the input with nothing between them; return how many were inserted."""
        return self._insert(
            [_Input(_MOUSE, _MouseOrKey(mouse=_MouseInput(x, y, 0, flags, 0, 0))) for x, y, flags in events]
        )

    def send_keys(self, keys: Sequence[Key]) -> int:
        """Insert key events into the input with nothing between them; return how many were inserted."""
        scan = [self._user32.MapVirtualKeyW(key, _SCAN_CODE) for key, _ in keys]
        return self._insert(
            [
                _Input(_KEYBOARD, _MouseOrKey(key=_KeyInput(key, code, flags, 0, 0)))
                for (key, flags), code in zip(keys, scan, strict=True)
            ]
        )

    def _insert(self, inputs: Sequence[_Input]) -> int:
        array = (_Input * len(inputs))(*inputs)
        return int(self._user32.SendInput(len(inputs), array, ctypes.sizeof(_Input)))

    def position(self) -> Point:
        """Return where the pointer is.

        Raises CaptureError while Windows shows its secure desktop (a lock, a question for administrator
        rights) or another session: then nobody may know.
        """
        place = wintypes.POINT()
        if not self._user32.GetCursorPos(ctypes.byref(place)):
            raise CaptureError(
                "the mouse cannot be found: is the screen locked, or does Windows ask for rights?"
            )
        return Point(place.x, place.y)

    def move(self, point: Point) -> None:
        """Put the pointer at ``point`` (screen pixels). Raises CaptureError if Windows accepts no input now.

        At the border of monitors of different size or scaling the pointer may stop the first time.
        """
        x, y = absolute(point, self.screen())
        for _ in range(2):
            if not self.send([(x, y, _AT_PLACE)]):
                raise CaptureError(_NO_INPUT.format("the mouse"))
            if self.position() == point:
                return

    def press(self, *keys: str, windows: Sequence[Window] = ()) -> None:
        """Press the keys in this order and release them, in one piece: a killed program leaves none down.

        They are keys of the keyboard (virtual keys), whatever its layout writes on them. Raises CaptureError
        if Windows accepts no input now; no key is left pressed. Raises ViewChangedError if ``windows`` are
        given and none of them has the keyboard.
        """
        if windows and self.foreground() not in [window.handle for window in windows]:
            raise ViewChangedError(NO_KEYBOARD)
        codes = [(_CODES[key], _EXTENDED if key in _APART else 0) for key in keys]
        up = [(code, flags | _RELEASED) for code, flags in reversed(codes)]
        if self.send_keys([*codes, *up]) != 2 * len(codes):
            self.send_keys(up)
            raise CaptureError(_NO_INPUT.format("keys"))

    def burst(
        self, strokes: Sequence[Stroke], window: Window | None, check: PointerCheck, hold: float = 0.0
    ) -> tuple[int, Point]:
        """Make the first click, and hold it for ``hold`` seconds; return 1, and the pointer's place."""
        check(self.position())
        point, button = strokes[0]
        if window is not None and not self.takes(window, point):
            raise ViewChangedError(IN_THE_WAY)
        self.move(point)  # while a program hooks input, Wine does not move it with the click
        self.click(point, button, hold)
        return 1, self.position()

    def click(self, point: Point, button: Button, hold: float = 0.0) -> None:
        """Press and release ``button`` at ``point`` (screen pixels), and leave the pointer there.

        The click is sent in one piece: if moving the pointer and pressing a button were two calls, a hand
        that moves the mouse between them would take the click elsewhere. ``SendInput`` inserts all its events
        in one piece, and each press and release contains its own place. (Under Wine, echoes of earlier places
        of the pointer may come in between.) A press and its release are one event: Wine accepts events one by
        one, and a program killed between two of them may leave a button pressed. A click of both buttons has
        this risk: it is four events, because both buttons must be down before one is released. So has a
        button that is held for ``hold`` seconds.

        Raises CaptureError if Windows accepts no input now; no button is left pressed.
        """
        x, y = absolute(point, self.screen())
        flags = _flags(button, swapped=self.swapped(), held=hold > 0)
        events, half = [(x, y, _AT_PLACE | flag) for flag in flags], len(flags) // 2
        if hold:
            sent = self.send(events[:half])
            try:
                time.sleep(hold)
            finally:
                sent += self.send(events[half:])
        else:
            sent = self.send(events)
        if sent != len(flags):
            if sent:  # only some events of a click of two buttons
                self.send([(0, 0, flag) for flag in flags[half:]])
            raise CaptureError(_NO_INPUT.format("clicks"))


def absolute(point: Point, screen: Rect) -> tuple[int, int]:
    """Return ``point`` in the coordinates of mouse input: 65536ths of the width and height of all monitors.

    They are the smallest that Windows (and Wine) turns into that pixel by ``floor(place * width / 65536)``.
    """
    x, y = point.x - screen.x, point.y - screen.y
    return -(-x * _WHOLE // screen.width), -(-y * _WHOLE // screen.height)


def _flags(button: Button, *, swapped: bool, held: bool) -> tuple[int, ...]:
    """Return the flags of the events of a click: presses, then releases; one event if a button is not held.

    If the user has ``swapped`` the buttons, Windows swaps them later, so they are swapped here as well.
    """
    left, right = (_RIGHT, _LEFT) if swapped else (_LEFT, _RIGHT)
    if button is Button.BOTH:
        return left[0], right[0], right[1], left[1]
    pressed = {Button.LEFT: left, Button.RIGHT: right, Button.MIDDLE: _MIDDLE}[button]
    return pressed if held else (sum(pressed),)


_BREAK = 0x03  # the key code of Pause while Ctrl is held
_MODIFIERS = {  # either, left, right: only for the last two, Wine reports a press that is over
    "ctrl": (0x11, 0xA2, 0xA3),
    "alt": (0x12, 0xA4, 0xA5),
    "shift": (0x10, 0xA0, 0xA1),
    "win": (0x5B, 0x5C),
}
_CODES = {
    **{name: either for name, (either, *_) in _MODIFIERS.items()},
    "tab": 0x09,
    "enter": 0x0D,
    "pause": 0x13,
    "esc": 0x1B,
    "space": 0x20,
    "pageup": 0x21,
    "pagedown": 0x22,
    "end": 0x23,
    "home": 0x24,
    "left": 0x25,
    "up": 0x26,
    "right": 0x27,
    "down": 0x28,
    "insert": 0x2D,
    "delete": 0x2E,
    "scrolllock": 0x91,
    **{name: 0x70 + number for number, name in enumerate(FUNCTION_KEYS)},
    **{name: ord(name.upper()) for name in string.ascii_lowercase + string.digits},
}
_APART = frozenset(  # these are also on the number pad, where Num Lock changes them
    {"pageup", "pagedown", "end", "home", "left", "up", "right", "down", "insert", "delete"}
)
_FLAGS = {"alt": 1, "ctrl": 2, "shift": 4, "win": 8}  # MOD_ALT and so on


class StopKey:
    """Detects that the keys of a shortcut are pressed, whichever window has the keyboard.

    Raises UsageError if another program has registered them. Esc, which dialogs use, too, and F12, which
    Windows reserves, are not checked.
    """

    def __init__(self, api: Api, shortcut: Shortcut = ESC) -> None:
        self._api, self._held = api, set[int]()
        self._key = _key_code(shortcut)
        self._modifiers = [_MODIFIERS[name] for name in shortcut.modifiers]
        flags = sum(_FLAGS[name] for name in shortcut.modifiers)
        # Windows refuses F12 to everybody, as it is for debuggers; but it says whether the key is down.
        if shortcut != ESC and shortcut.key != "f12" and not api.is_free(self._key, flags):
            raise taken(shortcut)
        self.pressed()  # forget a press before the start

    def pressed(self) -> bool:
        """Return whether the keys are down, or were pressed since the last call.

        All keys may be up again: a modifier counts if it was held at the last call or pressed since.
        """
        codes = {code for either in self._modifiers for code in either}
        pressed, held = self._api.key_pressed(self._key), self._held
        touched = held | {code for code in codes if self._api.key_pressed(code)}
        self._held = {code for code in codes if self._api.key_down(code)}
        return pressed and all(touched.intersection(either) for either in self._modifiers)


def _key_code(shortcut: Shortcut) -> int:
    broken = shortcut.key == "pause" and "ctrl" in shortcut.modifiers
    return _BREAK if broken else _CODES[shortcut.key]
