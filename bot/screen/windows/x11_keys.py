"""The keys that stop the bot, on X11.

They are looked at, never taken: a grabbed key would be lost to every other program, Esc in their dialogs
above all. So nothing waits for us either, and a key that we look at late is seen all the same.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Iterator
from typing import Any

from Xlib import XK, X
from Xlib.error import BadAccess, CatchError
from Xlib.ext import xinput

from bot.errors import UsageError
from bot.screen.shortcut import ESC, Shortcut, taken
from bot.screen.windows.x11_api import Api

_RAW_EVENT = struct.Struct("=HII")  # device, time, keycode: how the body of an XInput 2 raw event begins
_STROKES = xinput.RawKeyPressMask | xinput.RawKeyReleaseMask
_VERSION = {"major_version": 2, "minor_version": 2}  # before 2.1, no raw event comes while a menu is open
_NAMES = {  # of keysyms; letters and function keys have their own
    "esc": "Escape",
    "pause": "Pause",
    "scrolllock": "Scroll_Lock",
    "insert": "Insert",
    "delete": "Delete",
    "home": "Home",
    "end": "End",
    "pageup": "Prior",
    "pagedown": "Next",
    "ctrl": "Control",
    "alt": "Alt",
    "shift": "Shift",
    "win": "Super",
}
_INTERVAL = 0.05  # seconds between two looks at the keys themselves, where strokes are told of
_MASKS = {"ctrl": X.ControlMask, "alt": X.Mod1Mask, "shift": X.ShiftMask, "win": X.Mod4Mask}


class StopKey:
    """The keys of a shortcut on the keyboards of a display, whichever window has them.

    Presses between two calls are seen by the raw events of XInput 2; a server without it leaves us with
    looking at the keys themselves. Raises UsageError, and closes ``api``, if the keyboard lacks the key, or,
    but for Esc, which dialogs wait for as well, if another program has taken it.
    """

    def __init__(self, api: Api, shortcut: Shortcut = ESC) -> None:
        self._api = api
        self._code = self._code_of(_name(shortcut.key))
        self._modifiers = [
            {self._code_of(f"{_NAMES[name]}_{side}") for side in "LR"} for name in shortcut.modifiers
        ]
        if (why := self._refusal(shortcut)) is not None:
            api.close()
            raise why
        self._told = api.display.has_extension(xinput.extname)
        if self._told:
            api.ask(self._ask_version)
            api.ask(api.root.xinput_select_events, [(xinput.AllMasterDevices, _STROKES)])
            api.ask(api.display.sync)
        self._down, self._next = self._down_now(), 0.0

    def pressed(self) -> bool:
        """Return whether the keys are down, or were pressed since the last call."""
        pressed = False
        for code, down in list(self._strokes()):  # the whole queue: old presses must not stay
            (self._down.add if down else self._down.discard)(code)
            pressed = pressed or (down and code == self._code and self._held)
        now = time.monotonic()
        if not self._told or now >= self._next:
            self._down, self._next = self._down_now(), now + _INTERVAL
        return pressed or (self._code in self._down and self._held)

    @property
    def _held(self) -> bool:
        """Whether one key of each modifier is down."""
        return all(codes & self._down for codes in self._modifiers)

    def _down_now(self) -> set[int]:
        keys = self._api.ask(self._api.display.query_keymap)
        codes = {self._code}.union(*self._modifiers)
        return {code for code in codes if keys and keys[code // 8] >> code % 8 & 1}

    def _strokes(self) -> Iterator[tuple[int, bool]]:
        """Iterate over the key codes that went down (true) or up since the last call."""
        while self._api.ask(self._api.display.pending_events):
            event: Any = self._api.ask(self._api.display.next_event)
            if (kind := getattr(event, "evtype", None)) in (xinput.RawKeyPress, xinput.RawKeyRelease):
                yield _RAW_EVENT.unpack_from(event.data)[2], kind == xinput.RawKeyPress

    def _code_of(self, name: str) -> int:
        return int(self._api.display.keysym_to_keycode(XK.string_to_keysym(name)))

    def _ask_version(self) -> None:
        connection = self._api.display.display
        opcode = connection.get_extension_major(xinput.extname)
        xinput.XIQueryVersion(display=connection, opcode=opcode, **_VERSION)

    def _refusal(self, shortcut: Shortcut) -> UsageError | None:
        if not self._code:
            return UsageError(f"--stop-key {shortcut}: this keyboard has no such key, choose another")
        return taken(shortcut) if shortcut != ESC and self._is_taken(shortcut) else None

    def _is_taken(self, shortcut: Shortcut) -> bool:
        """Return whether another program has taken the keys: then they cannot be taken for a moment."""
        root, denied = self._api.root, CatchError(BadAccess)
        held = sum(_MASKS[name] for name in shortcut.modifiers)
        how = (X.GrabModeAsync, X.GrabModeAsync, denied)
        self._api.ask(root.grab_key, self._code, held, True, *how)
        self._api.ask(self._api.display.sync)
        self._api.ask(root.ungrab_key, self._code, held)
        return denied.get_error() is not None


def _name(key: str) -> str:
    return _NAMES.get(key, key.upper() if len(key) in (2, 3) else key)
