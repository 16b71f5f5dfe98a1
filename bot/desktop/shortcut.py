"""The stop key: which keys may be chosen, alone or together, and their names."""

from __future__ import annotations

import string
from dataclasses import dataclass

from bot.errors import UsageError

MODIFIERS = ("ctrl", "alt", "shift", "win")
FUNCTION_KEYS = tuple(f"f{number}" for number in range(1, 13))
ALONE = ("esc", "pause", "scrolllock", *FUNCTION_KEYS)  # nobody presses them while writing
KEYS = (*ALONE, "space", "insert", "delete", "home", "end", "pageup", "pagedown", *string.ascii_lowercase)
_OTHER_NAMES = {
    "escape": "esc",
    "break": "pause",
    "scroll_lock": "scrolllock",
    "control": "ctrl",
    "super": "win",
    "meta": "win",
}
_WORDS = {"scrolllock": "ScrollLock", "pageup": "PageUp", "pagedown": "PageDown"}


@dataclass(frozen=True, slots=True)
class Shortcut:
    """One of the `KEYS`, pressed while these of the `MODIFIERS` are held; others may be held as well."""

    key: str
    modifiers: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "+".join(_WORDS.get(name, name.capitalize()) for name in (*self.modifiers, self.key))


ESC = Shortcut("esc")


def parse_shortcut(text: str) -> Shortcut:
    """Return the keys that ``text`` stands for, as "esc", "f12" or "ctrl+alt+s".

    Raises UsageError if they are not known, or would be pressed while one writes.
    """
    names = [part.strip().lower() for part in text.split("+")]
    *held, key = (_OTHER_NAMES.get(name, name) for name in names)
    if key not in KEYS or not all(held.count(name) == 1 and name in MODIFIERS for name in held):
        raise UsageError(
            f"--stop-key {text}: give one of {', '.join(ALONE)}; or ctrl, alt, shift, win and a key, "
            "as in ctrl+alt+s"
        )
    found = Shortcut(key, tuple(name for name in MODIFIERS if name in held))
    if key not in ALONE and not {"ctrl", "alt", "win"}.intersection(held):
        raise UsageError(f"--stop-key {text}: one presses that while one writes, put ctrl+alt before it")
    return found


def taken(shortcut: Shortcut) -> UsageError:
    """Return the error for keys that another program has registered."""
    name = str(shortcut).lower()
    return UsageError(f"--stop-key {name}: another program answers to these keys, choose others")
