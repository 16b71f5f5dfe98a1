"""The keys that stop the bot, on Windows.

They are asked for, never taken as hot keys: those are lost to every other program, Esc in their dialogs above
all. Nor is there a hook, which would have every stroke of every program wait for us.
"""

from __future__ import annotations

import string

from bot.screen.shortcut import ESC, FUNCTION_KEYS, Shortcut, taken
from bot.screen.windows.win32_api import Api

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
