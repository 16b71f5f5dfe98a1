"""The real games that the bot knows: titles, rules, levels and keys of each, and how to find its window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bot.board import FirstClick
from bot.desktop.protocols import Button, Desktop, Shortcut, Window, parse_shortcut
from bot.errors import UsageError
from bot.levels import (
    LARGEST_CUSTOM,
    LEVELS,
    OLD_LEVELS,
    SMALLEST_CUSTOM,
    XDEMINEUR_LEVELS,
    Level,
    name_of,
    parse_size,
)

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
    """The properties of one game, or of a family of games that look and behave alike.

    ``titles`` and ``classes`` are compared exactly, ``processes`` in lower case. ``strict`` says that each of
    these that is given must match, as other programs share some of them. ``menu`` gives for each
    level, "custom" included, how many lines it is below "New", the first line of the first menu (translations
    keep this order); empty if unknown. ``skins`` are the names of the skins to try, the likeliest first.
    ``records`` says whether a win may open dialogs, ``answers`` whether pressing their default button loses
    nothing. ``end_stays`` says that a finished board stays until a new game is started; closing a dialog
    starts none. For ``same_board`` seconds after the start of a game a new game would get the same mines, so
    that a loss would be repeated. ``chord`` is the button that plays a chord on a number, None if unknown.
    ``asks`` says that the user is asked before what may be a button is clicked: it may do anything.
    """

    name: str
    label: str
    first_click: FirstClick
    skins: tuple[str, ...] = ()
    titles: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    processes: frozenset[str] = frozenset()
    strict: bool = False
    levels: Mapping[str, Level] = field(default_factory=lambda: LEVELS)
    menu: Mapping[str, int] = field(default_factory=dict)
    new_game: tuple[str, ...] = ("f2",)
    records: bool = True
    answers: bool = True
    end_stays: bool = False
    same_board: float = 0.0
    chord: Button | None = None
    asks: bool = False

    def level_name(self, level: Level) -> str:
        """Return the name of ``level`` in this game, or its size if it has no name."""
        return name_of(level, self.levels) or str(level)


def _levels_from(line: int) -> dict[str, int]:
    """Return the menu positions of the levels, then "custom", counted from ``line``."""
    return {name: line + place for place, name in enumerate((*LEVELS, "custom"))}


TARGETS = (
    Target(
        name="winemine",
        label="WineMine",
        titles=_WINEMINE_TITLES,
        classes=_WINEMINE_TITLES,  # the class is the same as the title
        processes=frozenset({"winemine.exe"}),
        first_click=FirstClick.SAFE,
        skins=("winemine",),
        menu=_levels_from(2),
        end_stays=True,
        same_board=1.0,  # its shuffle depends only on the second
        chord=Button.MIDDLE,  # or left and right together
    ),
    Target(
        name="winmine",
        label="Windows Minesweeper",
        titles=_WINMINE_TITLES,
        classes=_WINMINE_TITLES,
        processes=frozenset({"winmine.exe"}),
        first_click=FirstClick.WINMINE,
        skins=("winmine",),
        menu=_levels_from(1),
        end_stays=True,
        chord=Button.MIDDLE,  # or left and right together, or left with Shift
    ),
    Target(
        name="windows7",
        label="Minesweeper of Windows Vista and 7",
        classes=frozenset({"Minesweeper"}),  # as that of winmine.exe
        processes=frozenset({"minesweeper.exe"}),  # many clones are called so, too
        strict=True,
        first_click=FirstClick.OPENING,
        answers=False,  # the default button after a game starts another one
    ),
    Target(
        name="store",
        label="Microsoft Minesweeper",
        titles=frozenset({"Microsoft Minesweeper"}),
        classes=frozenset({"ApplicationFrameWindow"}),  # as that of every app of the Store
        processes=frozenset({"applicationframehost.exe"}),
        strict=True,
        first_click=FirstClick.ANY,
        new_game=(),
        records=False,
        asks=True,
    ),
    Target(
        name="clone",
        label="a clone of Windows Minesweeper (Minesweeper X, Arbiter, Vienna)",
        titles=frozenset({"Minesweeper X", "Minesweeper Arbiter ", "Vienna Minesweeper", "ViennaSweeper"}),
        first_click=FirstClick.WINMINE,
        skins=("winmine",),
        levels=OLD_LEVELS,
        chord=Button.BOTH,  # all of these games support it
    ),
    Target(
        name="gnome-mines",
        label="GNOME Mines",
        classes=frozenset({"Gnome-mines"}),  # its title, "Mines", is too common a word
        processes=frozenset({"gnome-mines"}),
        first_click=FirstClick.OPENING,
        skins=("gnome-mines",),  # of its larger boards; smaller ones are read without a skin
        levels=OLD_LEVELS,
        new_game=("ctrl", "r"),
        answers=False,  # Enter does not close its best times
        chord=Button.LEFT,  # on an open number
    ),
    Target(
        name="kmines",
        label="KMines",
        titles=frozenset({"KMines"}),
        classes=frozenset({"kmines"}),
        processes=frozenset({"kmines"}),
        first_click=FirstClick.OPENING,
        skins=("kmines",),
        new_game=("ctrl", "n"),
        answers=False,  # it asks whether to take the lost game back
        chord=Button.MIDDLE,  # or left and right together
    ),
    Target(
        name="xdemineur",
        label="xdémineur",
        titles=frozenset({"xdémineur"}),
        classes=frozenset({"XDémineur"}),
        processes=frozenset({"xdemineur"}),
        first_click=FirstClick.ANY,  # it opens some cells itself
        skins=("xdemineur",),
        levels=XDEMINEUR_LEVELS,
        new_game=(),  # it has no keys: its face is clicked
        records=False,
        chord=Button.MIDDLE,
    ),
    Target(
        name="builtin",
        label="the Minesweeper of minebot",
        titles=frozenset({"Mines (minebot)"}),
        classes=frozenset({"minebot-game"}),  # its process is only "python", like many other programs
        first_click=FirstClick.SAFE,  # unless another rule is chosen in its menu
        skins=("builtin", "builtin-dark"),
        menu=_levels_from(1),
        records=False,  # it shows a new best time in its window
        end_stays=True,
        chord=Button.MIDDLE,
    ),
)


UNKNOWN = Target(
    name="unknown",
    label="this Minesweeper",
    first_click=FirstClick.ANY,
    new_game=(),  # no key is known
    records=False,
    asks=True,
)


def target_of_skin(skin: str) -> Target:
    """Return the likeliest target with this skin, or `UNKNOWN`, which assumes nothing, if none has it.

    It may be a copy with this skin. So its ``end_stays`` is False, as many copies open a dialog of their own,
    it ``asks`` before what may be a button is clicked, and its ``first_click`` is not promised to be safe.
    """
    return replace(_target_with_skin(skin), end_stays=False, asks=True, first_click=FirstClick.ANY)


def first_click_of_skin(skin: str) -> FirstClick:
    """Return what the first click is promised in the program whose art this skin is."""
    return _target_with_skin(skin).first_click


def _target_with_skin(skin: str) -> Target:
    return next((target for target in TARGETS if skin in target.skins), UNKNOWN)


def find_target(name: str) -> Target:
    """Return the target called ``name``. Raises UsageError, which lists all names, if there is none."""
    for target in TARGETS:
        if target.name == name:
            return target
    names = ", ".join(target.name for target in TARGETS)
    raise UsageError(f"there is no target {name!r}: choose auto or one of {names}")


def parse_level(text: str, target: Target) -> Level:
    """Return the level for ``text``: beginner, intermediate, expert or ROWSxCOLS/MINES.

    Raises UsageError, which lists the levels of ``target``, if it does not have this one.
    """
    if text in target.levels:
        return target.levels[text]
    level = parse_size(text)
    if level is None:
        raise UsageError(f"{text!r} is not a level: {_offer(target)}")
    if level not in target.levels.values() and not _fits(level, target):
        raise UsageError(f"{target.label} has no level {level}: {_offer(target)}")
    return level


def _fits(level: Level, target: Target) -> bool:
    return (
        "custom" in target.menu
        and SMALLEST_CUSTOM.rows <= level.rows <= LARGEST_CUSTOM.rows
        and SMALLEST_CUSTOM.cols <= level.cols <= LARGEST_CUSTOM.cols
        and SMALLEST_CUSTOM.mines <= level.mines <= (level.rows - 1) * (level.cols - 1)
    )


def _offer(target: Target) -> str:
    known = ", ".join(f"{name} ({level})" for name, level in target.levels.items())
    if "custom" not in target.menu:
        return f"choose {known}"
    rows, cols = LARGEST_CUSTOM.size
    return (
        f"choose {known} or ROWSxCOLS/MINES from {SMALLEST_CUSTOM} to {rows}x{cols} "
        "with at most (ROWS-1)*(COLS-1) mines"
    )


# Programs whose titles name what they show: a folder, a command, a text, a page.
_SHOW_ANYTHING = """
    explorer applicationframehost nautilus org.gnome.nautilus dolphin thunar nemo pcmanfm
    cmd powershell pwsh conhost openconsole windowsterminal xterm konsole gnome-terminal-server
    notepad notepad++ code devenv idea64 pycharm64 winword gedit gnome-text-editor kate kwrite emacs gvim
    chrome google-chrome chromium chromium-browser msedge firefox brave opera vivaldi
"""
_NO_GAMES = frozenset(_SHOW_ANYTHING.split())


def _match(window: Window, targets: tuple[Target, ...]) -> tuple[int, Target] | None:
    """Return how weak the best evidence in ``window`` is, and its target; None if it is none of ``targets``.

    That a process is known to be one game's counts against all others. A title alone shows neither rules nor
    menu of a game whose program is another one: among several targets it gives `UNKNOWN`.
    """
    programs = {window.process, window.class_name.lower()}  # under Wine the class names the program
    owners = [target for target in TARGETS if target.processes & programs]
    for target in owners:
        right_title = not target.titles or window.title in target.titles
        if not target.strict or (window.class_name in target.classes and right_title):
            return (0, target) if target in targets else None
    if any(program.removesuffix(".exe") in _NO_GAMES for program in programs):
        return None
    for target in targets:
        if window.class_name in target.classes and not target.strict and not owners:
            return 1, target
    for target in targets:
        if window.title in target.titles and not target.strict:
            return 2, UNKNOWN if target.processes and len(targets) > 1 else target
    return None


def find_game(desktop: Desktop, name: str = "auto") -> tuple[Target, Window] | None:
    """Return the first of `find_games`, None if there is none."""
    return next(iter(find_games(desktop, name)), None)


def find_games(desktop: Desktop, name: str = "auto") -> list[tuple[Target, Window]]:
    """Return the windows of the target ``name`` (auto: of any) with their targets, the likeliest first.

    The process is better evidence than the window class, the class is better than the title; among equals the
    topmost window is first. With auto, a window that only has the title of a game is `UNKNOWN`. A window may
    show no board. Dialogs of a game are skipped. Raises UsageError for an unknown name.
    """
    targets = TARGETS if name == "auto" else (find_target(name),)
    matches = [(match, window) for window in desktop.windows() if (match := _match(window, targets))]
    dialogs = {popup.handle for _, window in matches for popup in desktop.popups(window)}
    found = [(*match, window) for match, window in matches if window.handle not in dialogs]
    return [(target, window) for _, target, window in sorted(found, key=lambda one: one[0])]


USUAL_KEYS = (("f2",), ("n",))  # they start a new game in many programs; tried in unknown ones
# Tried last, and only if buttons may be clicked: they press the button that has the keyboard, restart a
# program without buttons, or load a page again.
LAST_KEYS = (("space",), ("r",), ("f5",))
_PRESSED = (("alt", "f4"), ("f10",), *USUAL_KEYS, *LAST_KEYS)  # keys that the bot presses in other games


def parse_stop_key(text: str) -> Shortcut:
    """Return the keys named by ``text``, which the user will press to stop the bot.

    Raises UsageError if a key is unknown, if typing text would press these keys, or if the bot itself does.
    """
    found = parse_shortcut(text)
    pressed = (*_PRESSED, *(target.new_game for target in TARGETS))
    if any({found.key, *found.modifiers}.issubset(keys) for keys in pressed):
        raise UsageError(f"--stop-key {text}: the bot itself presses that in games, choose another key")
    return found
