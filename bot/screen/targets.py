"""What is known of each real game: how to find it, its rules, its levels, its keys.

A game is found by its process, by its window class, or by its title, which must match one of a table of
localised ones to the letter: a part of a title ("Minesweeper - Wikipedia", "minesweeper.py") proves nothing.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from bot.board import FirstClick
from bot.errors import StuckError, UsageError
from bot.screen.protocols import Desktop, Mouse, Window

_SIZE = re.compile(r"(\d{1,4})[x×](\d{1,4})/(\d{1,6})", re.ASCII)
_DIALOG_PATIENCE = 3.0  # seconds; after a flood of clicks a game is behind by that much
_TIRED = 3  # a dialog that came back so often, because its default button opens another, is closed by force


@dataclass(frozen=True, slots=True)
class Level:
    """The size of a board and its mines."""

    rows: int
    cols: int
    mines: int

    def __str__(self) -> str:
        return f"{self.rows}x{self.cols}/{self.mines}"


BEGINNER = Level(9, 9, 10)
INTERMEDIATE = Level(16, 16, 40)
EXPERT = Level(16, 30, 99)
SMALLEST, LARGEST = Level(9, 9, 10), Level(24, 30, 667)  # of the custom levels of winmine and WineMine

_LEVELS = {"beginner": BEGINNER, "intermediate": INTERMEDIATE, "expert": EXPERT}
_OLD_LEVELS = {"beginner": Level(8, 8, 10), "intermediate": INTERMEDIATE, "expert": EXPERT}

_WINMINE_TITLES = frozenset(
    {
        "Minesweeper",
        "Aknakereső",
        "Buscaminas",
        "Campo Minado",
        "Campo Minato",
        "Démineur",
        "Hledání min",
        "Miinaharava",
        "Mijnenveger",
        "Minestryger",
        "Minesveiper",
        "MS Röj",
        "Prato Fiorito",
        "Saper",
        "Сапёр",
        "扫雷",
        "지뢰 찾기",
    }
)
_WINEMINE_TITLES = frozenset(
    {
        "WineMine",
        "Minesveiper",
        "Minor",
        "Saper Wine",
        "Wine Mayın Tarlası",
        "Wine 踩地雷",
        "Wine地雷",
        "WineMiny",
        "„Wine“ minos",
        "كانسة ألغام واين",
        "지뢰 찾기",
    }
)


@dataclass(frozen=True, slots=True)
class Target:
    """What is known of one game, or of one family that looks and behaves alike.

    ``titles`` and ``classes`` match exactly, ``processes`` in lower case. ``menu`` says how many lines below
    the first one ("New") of the first menu each level stands, "custom" too: menus are localised, their order
    is not. It is empty where that is not known. ``skins`` are the names of the skins to try, the likeliest
    first. ``records`` tells whether a win may open dialogs. ``same_board`` is for how many seconds after the
    start of a game the next one would get the same mines: a loss would be played again and again.
    """

    name: str
    label: str
    titles: frozenset[str]
    classes: frozenset[str]
    processes: frozenset[str]
    first_click: FirstClick
    skins: tuple[str, ...]
    levels: Mapping[str, Level] = field(default_factory=lambda: _LEVELS)
    menu: Mapping[str, int] = field(default_factory=dict)
    new_game: tuple[str, ...] = ("f2",)
    records: bool = True
    same_board: float = 0.0

    def level_name(self, level: Level) -> str:
        """Return the name of ``level`` in this game, its size if it has none."""
        return next((name for name, known in self.levels.items() if known == level), str(level))


TARGETS = (
    Target(
        name="winemine",
        label="WineMine",
        titles=_WINEMINE_TITLES,
        classes=_WINEMINE_TITLES,  # its class is its title
        processes=frozenset({"winemine.exe"}),
        first_click=FirstClick.SAFE,
        skins=("winemine",),
        menu={"beginner": 2, "intermediate": 3, "expert": 4, "custom": 5},
        same_board=1.0,  # it shuffles by the second
    ),
    Target(
        name="winmine",
        label="Windows Minesweeper",
        titles=_WINMINE_TITLES,
        classes=_WINMINE_TITLES,
        processes=frozenset({"winmine.exe"}),
        first_click=FirstClick.WINMINE,
        skins=("winmine",),
        menu={"beginner": 1, "intermediate": 2, "expert": 3, "custom": 4},
    ),
    Target(
        name="clone",
        label="a clone of Windows Minesweeper (Minesweeper X, Arbiter, Vienna)",
        titles=frozenset({"Minesweeper X", "Minesweeper Arbiter ", "Vienna Minesweeper", "ViennaSweeper"}),
        classes=frozenset(),
        processes=frozenset(),
        first_click=FirstClick.WINMINE,
        skins=("winmine",),
        levels=_OLD_LEVELS,
    ),
)


UNKNOWN = Target(
    name="unknown",
    label="this Minesweeper",
    titles=frozenset(),
    classes=frozenset(),
    processes=frozenset(),
    first_click=FirstClick.ANY,
    skins=(),
)


def target_of_skin(skin: str) -> Target:
    """Return the likeliest target that has this skin; `UNKNOWN`, which promises nothing, if none has."""
    return next((target for target in TARGETS if skin in target.skins), UNKNOWN)


def find_target(name: str) -> Target:
    """Return the target of that name. Raises UsageError that lists the names if there is none."""
    for target in TARGETS:
        if target.name == name:
            return target
    names = ", ".join(target.name for target in TARGETS)
    raise UsageError(f"there is no target {name!r}: choose auto or one of {names}")


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


def parse_level(text: str, target: Target) -> Level:
    """Return the level that ``text`` names: beginner, intermediate, expert or ROWSxCOLS/MINES.

    Raises UsageError that says what the target has, if it does not have this one.
    """
    if text in target.levels:
        return target.levels[text]
    size = _SIZE.fullmatch(text)
    if size is None:
        raise UsageError(f"{text!r} is no level: {_offer(target)}")
    level = Level(int(size[1]), int(size[2]), int(size[3]))
    if level not in target.levels.values() and not _fits(level, target):
        raise UsageError(f"{target.label} has no level {level}: {_offer(target)}")
    return level


def _fits(level: Level, target: Target) -> bool:
    return (
        "custom" in target.menu
        and SMALLEST.rows <= level.rows <= LARGEST.rows
        and SMALLEST.cols <= level.cols <= LARGEST.cols
        and SMALLEST.mines <= level.mines <= (level.rows - 1) * (level.cols - 1)
    )


def _offer(target: Target) -> str:
    known = ", ".join(f"{name} ({level})" for name, level in target.levels.items())
    if "custom" not in target.menu:
        return f"choose {known}"
    return (
        f"choose {known} or ROWSxCOLS/MINES from {SMALLEST} to {LARGEST.rows}x{LARGEST.cols} "
        "with at most (ROWS-1)*(COLS-1) mines"
    )


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
