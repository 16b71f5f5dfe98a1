"""Set the level of a game, and close its dialogs, with keys."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from functools import partial

from bot.desktop.protocols import Desktop, Mouse, Shortcut, Window, parse_shortcut
from bot.errors import StuckError, UsageError, WindowError
from bot.levels import Level, name_of
from bot.stop import NEVER, Stop
from bot.targets.catalogue import TARGETS, Target

_PATIENCE = 3.0  # seconds; a game can be this far behind after many clicks
_TRIES = 3  # a game that has just closed a dialog may lose the first keys
_PRESSED = (("alt", "f4"), ("f10",))  # the bot also presses these, so they cannot stop it
_TIRED = 3  # from this attempt on, close a dialog by force: its default button may open another one


def parse_stop_key(text: str) -> Shortcut:
    """Return the keys named by ``text``, which the user will press to stop the bot.

    Raises UsageError if a key is unknown, if typing text would press these keys, or if the bot itself does.
    """
    found = parse_shortcut(text)
    pressed = (*_PRESSED, *(target.new_game for target in TARGETS))
    if any({found.key, *found.modifiers}.issubset(keys) for keys in pressed):
        raise UsageError(f"--stop-key {text}: the bot itself presses that in games, choose another key")
    return found


class Keys:
    """Presses keys in one game, only while the game or one of its dialogs has the keyboard.

    ``stop`` is asked before every key press and during every wait. ``answers`` says whether to answer a
    dialog with its default button before closing it.
    """

    def __init__(
        self,
        window: Window,
        desktop: Desktop,
        mouse: Mouse,
        stop: Stop = NEVER,
        *,
        answers: bool = True,
    ) -> None:
        self.window, self.desktop, self.mouse = window, desktop, mouse
        self.stop, self.answers = stop, answers

    def press(self, *keys: str) -> None:
        """Press keys together. Raises WindowError if another program keeps the keyboard."""
        self.stop.raise_if_stopped()
        if not self.wait(lambda: self.desktop.has_keyboard(self.window)):
            raise WindowError(f"stopped: another window has the keyboard, not {self.window.label}")
        self.mouse.press(*keys)

    def wait(self, done: Callable[[], bool]) -> bool:
        """Wait until ``done()`` is true; return False if it is still false after a few seconds."""
        deadline = time.monotonic() + _PATIENCE
        while not done():
            if time.monotonic() > deadline:
                return False
            self.stop.raise_if_stopped()
            time.sleep(0.01)
        return True


def set_level(level: Level, target: Target, keys: Keys) -> None:
    """Set the game to ``level`` through its menu.

    Returns once the keys are sent; the board changes a moment later. Raises UsageError if the menu of the
    target has no known place for the level, StuckError if the menu or the custom dialog does not open.
    """
    name = name_of(level, target.levels) or "custom"
    if name not in target.menu:
        raise UsageError(f"the level of {target.label} cannot be set from here: set it to {level} by hand")
    _open_menu(keys)
    for _ in range(target.menu[name]):
        keys.press("down")
    keys.press("enter")
    if name == "custom":
        _fill_in(level, keys)


def _open_menu(keys: Keys) -> None:
    """Open the first menu with its first line selected. Raises StuckError if it does not open."""
    for _ in range(_TRIES):
        keys.press("f10")  # the menu bar; Alt and a letter would depend on the language
        keys.press("down")
        if keys.wait(lambda: any(not popup.title for popup in keys.desktop.popups(keys.window))):
            return
    raise StuckError("the menu of the game does not open: set the level by hand")


def _fill_in(level: Level, keys: Keys) -> None:
    """Fill in the dialog for a custom level: rows, columns, mines. Tab selects each field for typing."""
    if not keys.wait(lambda: bool(_dialogs(keys))):
        raise StuckError("the game does not open its dialog for a custom level: set the level by hand")
    for dialog in _dialogs(keys)[:1]:
        keys.desktop.raise_window(dialog)  # it may be visible before it has the keyboard
    for number, leave in ((level.rows, "tab"), (level.cols, "tab"), (level.mines, "enter")):
        for digit in str(number):
            keys.press(digit)
        keys.press(leave)


def _dialogs(keys: Keys) -> list[Window]:
    """Return the dialogs of the game, the topmost first. Menus are left out: they have no title."""
    return [popup for popup in keys.desktop.popups(keys.window) if popup.title]


def dismiss_popups(keys: Keys) -> int:
    """Close the dialogs and menus of the game, such as best times and About; return how many there were.

    With ``keys.answers`` each dialog is first answered with its default button, which loses nothing in these
    games: it enters a name, closes the best times, and does not delete them. Without it, each dialog is first
    asked to close. Afterwards the game's window has the keyboard. A popup without a title that stays open is
    left alone. Raises StuckError if a dialog does not close.
    """
    seen: Counter[int] = Counter()
    while popups := keys.desktop.popups(keys.window):
        top = popups[0]
        seen[top.handle] += 1
        if seen[top.handle] > 1 and not top.title:
            break  # a tooltip, or a menu that ignores keys: it closes with the next click elsewhere
        if seen[top.handle] > 2 * _TIRED:
            raise StuckError(f"the dialog {top.title!r} does not close: close it by hand")
        _answer(top, keys, seen[top.handle])
        keys.wait(partial(_is_gone, top, keys))
    if seen:
        keys.desktop.raise_window(keys.window)
    return len(seen)


def _answer(popup: Window, keys: Keys, times: int) -> None:
    """Try to close a popup that has now been seen ``times`` times."""
    if not popup.title:
        keys.press("alt")  # a menu; Esc would close it too, but it is the key that stops the bot
        return
    keys.stop.raise_if_stopped()
    if times > _TIRED or (times == 1 and not keys.answers):  # Alt+F4 needs a window manager
        keys.desktop.ask_to_close(popup)
        return
    keys.desktop.raise_window(popup)
    keys.press(*("alt", "f4") if times == _TIRED else ("enter",))


def _is_gone(popup: Window, keys: Keys) -> bool:
    return popup.handle not in [other.handle for other in keys.desktop.popups(keys.window)[:1]]
