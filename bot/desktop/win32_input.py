"""Clicks as Windows takes them in: each in one piece, so that nothing of the user comes in between.

To put the pointer somewhere and then to press a button are two things, and a hand that moves the mouse
between them takes the click elsewhere. ``SendInput`` inserts all that it is given in one piece, and here each
press and release says itself where it is. (Under Wine, what comes in between are echoes of where the pointer
was before.) A press and its release are one event: Wine takes in event by event, and of two a program that is
killed may leave the first one alone. A click of both buttons has that risk: it is four events, as both are to
be down before one is up.
"""

from __future__ import annotations

import ctypes
import string
from collections.abc import Sequence

from bot.desktop.protocols import Button
from bot.desktop.shortcut import ESC, FUNCTION_KEYS, Shortcut, taken
from bot.desktop.win32_api import Api, load_library, screen_of
from bot.errors import CaptureError
from bot.geometry import Point, Rect

Event = tuple[int, int, int]  # x and y as Windows counts them, see `absolute`, and flags

_MOUSE = 0  # INPUT_MOUSE
_AT_PLACE = 0x1 | 0x4000 | 0x8000  # moved, on all monitors together, not from where the pointer is
_LEFT, _RIGHT, _MIDDLE = (0x2, 0x4), (0x8, 0x10), (0x20, 0x40)  # pressed, released
_SWAPPED = 23  # system metric: the user is left-handed
_WHOLE = 1 << 16  # the width, and the height, of all monitors together


class _MouseInput(ctypes.Structure):
    _fields_ = (
        ("x", ctypes.c_int32),
        ("y", ctypes.c_int32),
        ("data", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("time", ctypes.c_uint32),
        ("extra", ctypes.c_size_t),
    )


class _Input(ctypes.Structure):
    """INPUT, of whose parts that of the mouse is the largest."""

    _fields_ = (("kind", ctypes.c_uint32), ("mouse", _MouseInput))


class InputApi:
    """The calls that input needs. Raises BotError on other systems."""

    def __init__(self) -> None:
        self._user32 = load_library("user32")
        self._user32.SendInput.argtypes = [ctypes.c_uint, ctypes.c_void_p, ctypes.c_int]

    def screen(self) -> Rect:
        """Return the smallest rectangle around all monitors."""
        return screen_of(self._user32)

    def swapped(self) -> bool:
        """Return whether the left button of the mouse does what the right one does elsewhere."""
        return bool(self._user32.GetSystemMetrics(_SWAPPED))

    def send(self, events: Sequence[Event]) -> int:
        """Insert events of the mouse into the input, nothing between them; return how many went in."""
        inputs = (_Input * len(events))(
            *(_Input(_MOUSE, _MouseInput(x, y, 0, flags, 0, 0)) for x, y, flags in events)
        )
        return int(self._user32.SendInput(len(events), inputs, ctypes.sizeof(_Input)))


class Clicks:
    """Clicks of the mouse; ``api`` answers in place of Windows in tests. Raises BotError on other systems."""

    def __init__(self, api: InputApi | None = None) -> None:
        self._api = InputApi() if api is None else api

    def click(self, point: Point, button: Button) -> None:
        """Press and release ``button`` at ``point`` (screen pixels), where the pointer is afterwards.

        Raises CaptureError if Windows takes no input now; no button is left pressed.
        """
        x, y = absolute(point, self._api.screen())
        flags = _flags(button, swapped=self._api.swapped())
        sent = self._api.send([(x, y, _AT_PLACE | flag) for flag in flags])
        if sent != len(flags):
            if sent:  # of two buttons
                self._api.send([(0, 0, flag) for flag in flags[len(flags) // 2 :]])
            raise CaptureError(
                "Windows takes no clicks: is the screen locked, or does another program keep input off?"
            )


def absolute(point: Point, screen: Rect) -> tuple[int, int]:
    """Return a place as input has it: in parts of all monitors together, the first that fall on the pixel.

    Windows has pixel ``floor(place * width / 65536)`` (and so does Wine).
    """
    x, y = point.x - screen.x, point.y - screen.y
    return -(-x * _WHOLE // screen.width), -(-y * _WHOLE // screen.height)


def _flags(button: Button, *, swapped: bool) -> tuple[int, ...]:
    """Return the events of a click: one presses and releases one button; two are both down before one is up.

    Windows swaps the buttons of a left-handed user after it has taken input in, so it is given the others.
    """
    left, right = (_RIGHT, _LEFT) if swapped else (_LEFT, _RIGHT)
    if button is Button.BOTH:
        return left[0], right[0], right[1], left[1]
    return (sum({Button.LEFT: left, Button.RIGHT: right, Button.MIDDLE: _MIDDLE}[button]),)


_BREAK = 0x03  # what Windows makes of Pause while Ctrl is held
_CODES = {
    "pause": 0x13,
    "esc": 0x1B,
    "space": 0x20,
    "pageup": 0x21,
    "pagedown": 0x22,
    "end": 0x23,
    "home": 0x24,
    "insert": 0x2D,
    "delete": 0x2E,
    "scrolllock": 0x91,
    **{name: 0x70 + number for number, name in enumerate(FUNCTION_KEYS)},
    **{name: ord(name.upper()) for name in string.ascii_lowercase},
}
_MODIFIERS = {  # either, left, right: Wine tells only of these two that they were pressed and are up again
    "ctrl": (0x11, 0xA2, 0xA3),
    "alt": (0x12, 0xA4, 0xA5),
    "shift": (0x10, 0xA0, 0xA1),
    "win": (0x5B, 0x5C),
}
_FLAGS = {"alt": 1, "ctrl": 2, "shift": 4, "win": 8}  # MOD_ALT and so on


class StopKey:
    """The keys of a shortcut, whichever window has the keyboard.

    Raises UsageError if another program has taken them, but for Esc, which dialogs wait for as well.
    """

    def __init__(self, api: Api, shortcut: Shortcut = ESC) -> None:
        self._api, self._held = api, set[int]()
        self._key = _code(shortcut)
        self._modifiers = [_MODIFIERS[name] for name in shortcut.modifiers]
        flags = sum(_FLAGS[name] for name in shortcut.modifiers)
        if shortcut != ESC and not api.is_free(self._key, flags):
            raise taken(shortcut)
        self.pressed()  # forget one of before we started

    def pressed(self) -> bool:
        """Return whether the keys are down, or were pressed since the last call.

        A modifier that was held at the last call, or was pressed since, counts: all may be up again.
        """
        codes = {code for either in self._modifiers for code in either}
        pressed, held = self._api.key_pressed(self._key), self._held
        touched = held | {code for code in codes if self._api.key_pressed(code)}
        self._held = {code for code in codes if self._api.key_down(code)}
        return pressed and all(touched.intersection(either) for either in self._modifiers)


def _code(shortcut: Shortcut) -> int:
    broken = shortcut.key == "pause" and "ctrl" in shortcut.modifiers
    return _BREAK if broken else _CODES[shortcut.key]
