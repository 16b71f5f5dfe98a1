"""The menus: their entries, keys and ticks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtGui import QAction, QActionGroup, QKeySequence, QShortcut
from PySide6.QtWidgets import QMainWindow, QMenu

from bot.levels import LEVELS

_RULES = {  # texts of `round.RULES`
    "safe": "&Safe",
    "winmine": "Safe as in &Windows XP: a mine there moves",
    "opening": "Safe with all its &neighbours",
    "any": "May be a &mine",
    "no-guess": "Safe with all its neighbours, and no &guess needed later",
}
SCALES = (1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0)
SPEEDS: tuple[tuple[str, float | None], ...] = (
    ("&1 click a second", 1.0),
    ("&3 clicks a second", 3.0),
    ("1&0 clicks a second", 10.0),
    ("As &fast as it goes", None),
)


@dataclass(frozen=True, slots=True)
class Commands:
    """What the entries call."""

    new: Callable[[], None]
    level: Callable[[str], None]  # with the name of a level, "custom" too
    question_marks: Callable[[bool], None]
    rule: Callable[[str], None]
    best_times: Callable[[], None]
    close: Callable[[], object]
    hint: Callable[[], None]
    autoplay: Callable[[float | None], None]
    stop: Callable[[], None]
    scale: Callable[[float], None]
    dark: Callable[[bool], None]
    about: Callable[[], None]


class Menus:
    """The menus of a window, and the entries that are ticked or greyed later."""

    def __init__(self, window: QMainWindow, commands: Commands) -> None:
        self._window = window
        bar = window.menuBar()
        bar.setNativeMenuBar(False)
        self._game(bar.addMenu("&Game"), commands)
        self._solver(bar.addMenu("&Hint"), commands)
        self._view(bar.addMenu("&View"), commands)
        _entry(bar.addMenu("&?"), "&How to Play", commands.about, "F1")
        opener = QShortcut(QKeySequence("F10"), window)
        opener.activated.connect(lambda: bar.setActiveAction(bar.actions()[0]))

    def _game(self, menu: QMenu, commands: Commands) -> None:
        _entry(menu, "&New", commands.new, "F2")
        menu.addSeparator()
        names = [(name, f"&{name.capitalize()}") for name in LEVELS]
        self.levels = _choices(menu, [*names, ("custom", "&Custom...")], commands.level)
        menu.addSeparator()
        self.question_marks = _switch(menu, "&Marks (?)", commands.question_marks)
        self.rules = _choices(menu.addMenu("&First Click"), list(_RULES.items()), commands.rule)
        menu.addSeparator()
        _entry(menu, "Best &Times...", commands.best_times)
        menu.addSeparator()
        _entry(menu, "E&xit", commands.close)

    def _solver(self, menu: QMenu, commands: Commands) -> None:
        self.hint = _entry(menu, "&Hint", commands.hint, "F3")
        self.autoplay = menu.addMenu("&Autoplay")
        self.stop = _entry(self.autoplay, "&Off", commands.stop, "F4")
        for text, speed in SPEEDS:
            _entry(self.autoplay, text, partial(commands.autoplay, speed))

    def _view(self, menu: QMenu, commands: Commands) -> None:
        scales = [(f"{scale:g}", f"{100 * scale:g} %") for scale in SCALES]
        self.scales = _choices(menu, scales, lambda name: commands.scale(float(name)))
        menu.addSeparator()
        self.dark = _switch(menu, "&Dark", commands.dark)


def tick(entries: Iterable[QAction], name: str) -> None:
    """Tick the entry of that name and no other."""
    for entry in entries:
        entry.setChecked(entry.data() == name)


def _entry(menu: QMenu, text: str, command: Callable[[], object], key: str = "") -> QAction:
    entry = QAction(text, menu)
    entry.setShortcut(QKeySequence(key))
    entry.triggered.connect(lambda _checked: command())
    menu.addAction(entry)
    return entry


def _switch(menu: QMenu, text: str, command: Callable[[bool], None]) -> QAction:
    entry = QAction(text, menu)
    entry.setCheckable(True)
    entry.triggered.connect(command)
    menu.addAction(entry)
    return entry


def _choices(
    menu: QMenu, choices: Sequence[tuple[str, str]], command: Callable[[str], None]
) -> list[QAction]:
    """Add entries of which one at most is ticked; ``choices`` are names and texts."""
    group = QActionGroup(menu)
    group.setExclusionPolicy(QActionGroup.ExclusionPolicy.ExclusiveOptional)
    for name, text in choices:
        entry = QAction(text, group)
        entry.setData(name)
        entry.setCheckable(True)
        entry.triggered.connect(lambda _checked, name=name: command(name))
        menu.addAction(entry)
    return group.actions()
