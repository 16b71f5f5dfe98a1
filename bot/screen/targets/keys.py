"""What is done to a game by its keys: its level, a new game, its dialogs."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from functools import partial

from bot.errors import StuckError, UsageError
from bot.screen.protocols import Desktop, Mouse, Window
from bot.screen.targets.catalogue import Level, Target

_DIALOG_PATIENCE = 3.0  # seconds; after a flood of clicks a game is behind by that much
_TIRED = 3  # a dialog that came back so often, because its default button opens another, is closed by force


def set_level(level: Level, target: Target, window: Window, desktop: Desktop, mouse: Mouse) -> None:
    """Set the game to ``level`` by its menu; the window must have the keyboard.

    Returns when the keys are sent: the board changes a moment later. Raises UsageError if the menu of the
    target is not known, StuckError if the dialog for a custom level does not open.
    """
    name = next((name for name, known in target.levels.items() if known == level), "custom")
    if name not in target.menu:
        raise UsageError(f"the level of {target.label} cannot be set from here: set it to {level} by hand")
    mouse.press("f10")  # the menu bar; "alt" and a letter would depend on the language
    for _ in range(1 + target.menu[name]):
        mouse.press("down")
    mouse.press("enter")
    if name == "custom":
        _fill_in(level, window, desktop, mouse)


def _fill_in(level: Level, window: Window, desktop: Desktop, mouse: Mouse) -> None:
    """Answer the dialog for a custom level: rows, columns, mines, each selected when Tab enters it."""
    if not _wait(lambda: any(popup.title for popup in desktop.popups(window))):
        raise StuckError("the game does not open its dialog for a custom level: set the level by hand")
    for number, leave in ((level.rows, "tab"), (level.cols, "tab"), (level.mines, "enter")):
        mouse.type(str(number))
        mouse.press(leave)


def new_game(target: Target, mouse: Mouse) -> None:
    """Start a new game; the window must have the keyboard."""
    mouse.press(*target.new_game)


def dismiss_popups(window: Window, desktop: Desktop, mouse: Mouse) -> int:
    """Close the dialogs and menus of the game, best times and About among them; return how many went.

    Each dialog is answered with its default button, which loses nothing: a name is entered, the times are
    closed, and the question whether to delete them is denied. The window has the keyboard afterwards. Raises
    StuckError if one does not close.
    """
    seen: Counter[int] = Counter()
    while popups := desktop.popups(window):
        top = popups[0]
        seen[top.handle] += 1
        if seen[top.handle] > 2 * _TIRED:
            raise StuckError(f"the dialog {top.title!r} does not close: close it by hand")
        _answer(top, desktop, mouse, tired=seen[top.handle] >= _TIRED)
        _wait(partial(_is_gone, top, window, desktop))
    if seen:
        desktop.raise_window(window)
    return len(seen)


def _answer(popup: Window, desktop: Desktop, mouse: Mouse, tired: bool) -> None:
    if not popup.title:
        mouse.press("alt")  # a menu; Esc would close it too, but it is the key that stops the bot
        return
    desktop.raise_window(popup)
    mouse.press(*("alt", "f4") if tired else ("enter",))


def _is_gone(popup: Window, window: Window, desktop: Desktop) -> bool:
    return popup.handle not in [other.handle for other in desktop.popups(window)[:1]]


def _wait(done: Callable[[], bool]) -> bool:
    """Wait until ``done`` says yes; return False if it does not for a while."""
    deadline = time.monotonic() + _DIALOG_PATIENCE
    while not done():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True
