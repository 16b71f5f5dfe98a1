"""Finding a game among the windows.

A game is found by its process, by its window class, or by its title, which must match one of a table of
localised ones to the letter: a part of a title ("Minesweeper - Wikipedia", "minesweeper.py") proves nothing.
"""

from __future__ import annotations

from bot.screen.protocols import Desktop, Window
from bot.screen.targets.catalogue import TARGETS, Target, find_target


def find_game(desktop: Desktop, name: str = "auto") -> tuple[Target, Window] | None:
    """Return the target called ``name`` (auto: any) that is on the screen, and its window; None if none is.

    A process is better evidence than a window class, and that than a title; among equals the topmost window
    is taken. Dialogs of a game are not taken for the game. Raises UsageError if no target has the name.
    """
    targets = TARGETS if name == "auto" else (find_target(name),)
    windows = desktop.windows()
    for matches in (_by_process, _by_class, _by_title):
        found = [(target, window) for window in windows for target in targets if matches(target, window)]
        dialogs = {popup.handle for _, window in found for popup in desktop.popups(window)}
        found = [(target, window) for target, window in found if window.handle not in dialogs]
        if found:
            return found[0]
    return None


def _by_process(target: Target, window: Window) -> bool:
    return window.process in target.processes


def _by_class(target: Target, window: Window) -> bool:
    return window.class_name in target.classes


def _by_title(target: Target, window: Window) -> bool:
    return window.title in target.titles
