"""The dialogs and menus of a game: pressing keys in them, closing them, setting a level."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

from bot.desktop.protocols import Clock, Desktop, Mouse, Window
from bot.errors import StuckError, UsageError, ViewChangedError, WindowError
from bot.levels import Level, name_of
from bot.play.patience import wait_until
from bot.stop import NEVER, Stop
from bot.targets.catalogue import Target

KEYS_PATIENCE = 3.0  # seconds; a game can be this far behind after many clicks
MOST_DIALOGS = 8  # in a row; a game opens three at most: its message, the name, the best times
TIRED = 3  # from this attempt on, a dialog is closed by force: its default button may open another one
MENU_TRIES = 3  # how often opening the menu is tried


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
        clock: Clock,
        stop: Stop = NEVER,
        *,
        answers: bool = True,
    ) -> None:
        self.window, self.desktop, self.mouse = window, desktop, mouse
        self.clock, self.stop, self.answers = clock, stop, answers

    def press(self, *keys: str) -> None:
        """Press keys together. Raises WindowError if another program keeps the keyboard."""
        if not self.wait(partial(self._pressed, *keys)):
            raise WindowError(f"stopped: another window has the keyboard, not {self.window.label}")

    def _pressed(self, *keys: str) -> bool:
        """Press keys if the game has the keyboard; return whether it had."""
        if not self.desktop.has_keyboard(self.window):
            return False
        try:
            self.mouse.press(*keys, windows=(self.window, *self.desktop.popups(self.window)))
        except ViewChangedError:
            return False
        return True

    def wait(self, done: Callable[[], bool], patience: float = KEYS_PATIENCE) -> bool:
        """Wait until ``done()`` is true; return False if it is still false after ``patience`` seconds."""
        return wait_until(done, self.clock, self.stop, patience)

    def menu_opens(self, patience: float = KEYS_PATIENCE) -> bool:
        """Wait for a menu or a list of the game; return whether one has opened."""
        return self.wait(lambda: any(popup.is_menu for popup in self.desktop.popups(self.window)), patience)


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
    for _ in range(MENU_TRIES):
        keys.press("f10")  # the menu bar; Alt and a letter would depend on the language
        keys.press("down")
        if keys.menu_opens():
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
    """Return the dialogs of the game, without its menus, the topmost first."""
    return [popup for popup in keys.desktop.popups(keys.window) if not popup.is_menu]


def dismiss_popups(keys: Keys) -> int:
    """Close the dialogs and menus of the game, such as best times and About; return how many were closed.

    With ``keys.answers`` each dialog is first answered with its default button, which loses nothing in these
    games: it enters a name, closes the best times, and does not delete them. Without it, each dialog is first
    asked to close. Afterwards the game's window has the keyboard. A menu that stays open is left alone.
    Raises StuckError if a dialog does not close, or if one dialog follows the other without an end.
    """
    seen: Counter[int] = Counter()
    while popups := keys.desktop.popups(keys.window):
        top = popups[0]
        seen[top.handle] += 1
        if seen[top.handle] > 1 and top.is_menu:
            del seen[top.handle]  # it ignores keys, and closes with the next click elsewhere
            break
        if seen[top.handle] > 2 * TIRED or len(seen) > MOST_DIALOGS:
            name = f"the dialog {top.title!r}" if top.title else "a dialog without a title"
            raise StuckError(f"{name} does not close, or comes again: close it by hand")
        _try_to_close(top, keys, seen[top.handle])
        keys.wait(partial(_is_gone, top, keys))
    if seen:
        keys.desktop.raise_window(keys.window)
    return len(seen)


def _try_to_close(popup: Window, keys: Keys, times: int) -> None:
    """Try to close a popup that has now been seen ``times`` times."""
    if popup.is_menu:
        keys.press("alt")  # a menu; Esc would close it too, but it is the key that stops the bot
        return
    keys.stop.raise_if_stopped()
    if times > TIRED or (times == 1 and not keys.answers):  # Alt+F4 needs a window manager
        keys.desktop.ask_to_close(popup)
        return
    keys.desktop.raise_window(popup)
    keys.press(*("alt", "f4") if times == TIRED else ("enter",))


def _is_gone(popup: Window, keys: Keys) -> bool:
    return popup.handle not in [other.handle for other in keys.desktop.popups(keys.window)[:1]]
