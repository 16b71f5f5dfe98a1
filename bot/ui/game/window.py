"""The game window: menus, the game, and a message below it; it connects them and contains no game rules."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from queue import SimpleQueue
from typing import Any

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QActionGroup, QCloseEvent, QColor, QKeySequence, QPalette, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFrame,
    QLabel,
    QLayout,
    QMainWindow,
    QMenu,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from bot.errors import BotError
from bot.game.round import RULES, Aid, GameClick, GameSummary, PlayedGame
from bot.levels import LEVELS, parse_level
from bot.marks import Mark
from bot.ui.game.assistant import Done, HintMaker, Task, lay_without_guesses
from bot.ui.game.dialogs import NO_GUESS, BestTimesDialog, CustomDialog, how_to_play
from bot.ui.game.drawing import CLASSIC, DARK, Theme, mine_icon
from bot.ui.game.saved import LARGEST, SMALLEST, Options, World
from bot.ui.game.view import GameView
from bot.words import counted

TITLE = "Mines (minebot)"  # fits above a beginner board, beside three buttons; no other program has it
SCALES = (1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0)
_FIRST_SCALE = 1.5  # times that of texts: at 1, cells are small on today's screens, and the title is cut off
_RULES = {  # texts of `round.RULES`
    "safe": "&Safe",
    "winmine": "Safe as in &Windows XP: a mine there moves",
    "opening": "Safe with all its &neighbours",
    "any": "May be a &mine",
    "no-guess": "Safe with all its neighbours, and no &guess needed later",
}
_TICK = 100  # milliseconds between two updates of the timer
_CHROME = QSize(32, 160)  # most pixels that menus, message and window frame need beside the game
_MARGIN = 6
_KEYS = "F1: how to play, F2: new game, F3: hint."
# Space for this is always reserved: the window must not change its size at the end of a game.
_LONGEST_RESULT = "Won in 999.999 s, the best time. 3BV 1000, 1000 clicks, 3BV/s 10.00."


def first_scale(text_scale: float) -> float:
    """Return the scale of a window that was never opened before, on a screen with this scale of texts."""
    return next((scale for scale in SCALES if scale >= _FIRST_SCALE * text_scale), SCALES[-1])


class MinesweeperWindow(QMainWindow):
    """A Minesweeper window, with hints: the game, with scroll bars on a small screen, and words below.

    It is always exactly as large as these need.
    """

    def __init__(self, options: Options, world: World) -> None:
        super().__init__()
        self.options, self._world = options, world
        self._dialog: QDialog | None = None
        self._worker = Worker(self)
        self.game = self._new_round()
        self._view = GameView(self.game, self._theme, options.scale)
        self._area = QScrollArea()
        self._words = QLabel(wordWrap=True, margin=_MARGIN, textFormat=Qt.TextFormat.PlainText)
        self._hints = HintMaker(self)
        self._timer = QTimer(self, interval=_TICK)
        self.setWindowTitle(TITLE)
        self.setWindowIcon(mine_icon())
        self._lay_out()
        self._add_menus()
        self._view.clicked.connect(self._clicked)
        self._view.new_wanted.connect(self.new)
        self._timer.timeout.connect(self._view.refresh_timer)
        self._timer.start()
        self._show_options()
        self.say(" ".join(filter(None, (world.words, self._tried(world.times.load)))))

    def _lay_out(self) -> None:
        self._area.setWidget(self._view)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._view.cursor_moved.connect(self._area.ensureVisible)
        self._words.setAlignment(Qt.AlignmentFlag.AlignTop)
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._area)
        column.addWidget(self._words)
        self.setCentralWidget(whole)
        frame = self.layout()
        if frame is not None:
            frame.setSizeConstraint(QLayout.SizeConstraint.SetFixedSize)

    def _add_menus(self) -> None:
        bar = self.menuBar()
        bar.setNativeMenuBar(False)
        game = bar.addMenu("&Game")
        game.addAction("&New", self.new).setShortcut("F2")
        game.addSeparator()
        levels = {name: f"&{name.capitalize()}" for name in LEVELS}
        self._levels = _choices(game, {**levels, "custom": "&Custom..."}, self._choose_level)
        game.addSeparator()
        self._question_marks = _switch(game, "&Marks (?)", self._choose_question_marks)
        rules = game.addMenu("&First Click")
        self._rules = _choices(rules, _RULES, lambda name: self.change(rule=name))
        game.addSeparator()
        game.addAction("Best &Times...", self._show_best_times)
        game.addSeparator()
        game.addAction("E&xit", self.close)
        hint = bar.addMenu("&Hint")
        hint.addAction("&Hint", self._hint).setShortcut("F3")
        warn = "&Warn Before a Click That Is Not Safe"
        self._warn = _switch(hint, warn, lambda wanted: self._restyle(warn=wanted))
        view = bar.addMenu("&View")
        scales = {f"{scale:g}": f"{100 * scale:g} %" for scale in SCALES}
        self._scales = _choices(view, scales, lambda name: self._restyle(scale=float(name)))
        view.addSeparator()
        self._dark = _switch(view, "&Dark", lambda dark: self._restyle(dark=dark))
        bar.addMenu("&?").addAction("&How to Play", lambda: self._open(how_to_play(self))).setShortcut("F1")
        opener = QShortcut(QKeySequence("F10"), self)
        opener.activated.connect(lambda: bar.setActiveAction(bar.actions()[0]))

    # Games

    def new(self) -> None:
        """Start another game."""
        self.game = self._new_round()
        self._show_options()
        self._forget()

    def change(self, **choices: Any) -> None:
        """Apply ``choices``, start another game, and save them."""
        self.options = self.options.changed(**choices)
        self.new()
        self._keep(**choices)

    def _new_round(self) -> PlayedGame:
        level, rule = parse_level(self.options.level, SMALLEST, LARGEST), RULES[self.options.rule]
        return PlayedGame(level, rule, self._world.next_seed(), self._world.clock)

    def _clicked(self, click: GameClick) -> None:
        if self.options.warn:
            self._hints.check(click, self._play)
        else:
            self._play(click)

    def _play(self, click: GameClick) -> None:
        game, board, waiting = self.game, self.game.board, self.game.waiting
        if game.aid is Aid.NONE and self._world.bot_plays():
            game.aid = Aid.BOT
        game.play(click, question_marks=self.options.question_marks)
        if game.waiting is not None and waiting is None:
            lay_without_guesses(self, game, click.cell, lambda: self._played(game))
        elif game.board != board:
            self._played(game)

    def _played(self, game: PlayedGame) -> None:
        """Show the result of a click, unless another game was started since."""
        if game is not self.game:
            return
        self._forget()
        self._view.update()
        if game.over:
            self._over(game)

    def _over(self, game: PlayedGame) -> None:
        summary, times = game.summary(), self._world.times
        category, seconds = self._category, round(summary.seconds, 3)
        counts = summary.won and game.level in LEVELS.values() and summary.aid is Aid.NONE
        best = counts and times.is_record(category, seconds)
        self.say(_result(summary, best))
        if best:
            self._trying(lambda: times.enter(category, seconds, date.today().isoformat()))

    def _forget(self) -> None:
        """Remove the message and the marks that belong to the previous board."""
        self.say("")
        self.mark(())

    def _show_best_times(self) -> None:
        times = self._world.times
        self._open(BestTimesDialog(self, times, lambda: self.say(self._tried(times.reset))))

    def _idle_words(self) -> str:
        """Return what is shown below the board if there is nothing else to say."""
        name, best = self.game.level.name, self._world.times.times.get(self._category)
        record = "" if best is None else f", best time {best.seconds:.3f} s"
        return f"{name.capitalize()}{record}. {_KEYS}"

    @property
    def _category(self) -> str:
        """The category of this game's best time."""
        return self.game.level.name + NO_GUESS * self.game.rule.no_guess

    def _trying(self, what: Callable[[], None]) -> None:
        if words := self._tried(what):
            self.say(words)

    def _tried(self, what: Callable[[], None]) -> str:
        """Call ``what``; return the message of its BotError, or "" if there is none."""
        try:
            what()
        except BotError as error:
            return str(error)
        return ""

    # Hints

    def mark(self, marks: Sequence[Mark]) -> None:
        """Show ``marks`` until the board changes or others are shown."""
        self._view.mark(marks)

    def say(self, words: str) -> None:
        """Show ``words`` below the board until the board changes or other words are shown.

        Without words, show the level, its best time and the keys.
        """
        self._words.setText(words or self._idle_words())
        self._fit_words()

    def work(self, task: Task, done: Done) -> None:
        """Run ``task`` in the background, then call ``done`` with its result or its BotError."""
        self._worker.do(task, done)

    def _hint(self) -> None:
        if not self.game.over:
            self.game.aid = Aid.SOLVER
            self._hints.show()

    # Choices

    @property
    def _theme(self) -> Theme:
        return DARK if self.options.dark else CLASSIC

    def _choose_level(self, name: str) -> None:
        self._show_options()  # undo the tick that Qt has set: a dialog may be cancelled
        if name == "custom":
            chosen = lambda level: self.change(level=str(level))  # noqa: E731
            self._open(CustomDialog(self, self.game.level, chosen))
        else:
            self.change(level=name)

    def _choose_question_marks(self, wanted: bool) -> None:
        if not wanted:
            self.game.without_question_marks()
        self._restyle(question_marks=wanted)

    def _restyle(self, **choices: Any) -> None:
        self.options = self.options.changed(**choices)
        self._show_options()
        self._keep(**choices)

    def _keep(self, **choices: Any) -> None:
        self._trying(lambda: self._world.keep(**choices))

    def _show_options(self) -> None:
        """Update the view and the ticks in the menus to match the options."""
        options = self.options
        _tick(self._levels, self.game.level.name)
        _tick(self._rules, options.rule)
        _tick(self._scales, f"{options.scale:g}")
        self._question_marks.setChecked(options.question_marks)
        self._dark.setChecked(options.dark)
        self._warn.setChecked(options.warn)
        self._view.show_game(self.game, self._theme, options.scale)
        self._fit()

    # Size

    def _fit(self) -> None:
        """Adapt to the size of the game, and set the colours of the theme."""
        wanted, room = self._view.size(), self.screen().availableSize() - _CHROME
        bar = self._area.verticalScrollBar().sizeHint().width()
        too_high, too_wide = wanted.height() > room.height(), wanted.width() > room.width()
        size = wanted + QSize(bar * too_high, bar * too_wide)
        self._area.setFixedSize(size.boundedTo(room))
        QApplication.setPalette(QPalette(QColor(self._theme.ground)))  # menus and dialogs too
        self._fit_words()

    def _fit_words(self) -> None:
        width = self._area.width()
        self._words.setFixedWidth(width)
        self._words.setMinimumHeight(0)  # otherwise the label would keep its previous height
        inside = QRect(0, 0, width - 2 * _MARGIN, 0)
        result = self._words.fontMetrics().boundingRect(inside, Qt.TextFlag.TextWordWrap, _LONGEST_RESULT)
        least = result.height() + 2 * _MARGIN
        self._words.setFixedHeight(max(least, self._words.heightForWidth(width)))

    # Qt

    def _open(self, dialog: QDialog) -> None:
        self._view.release_all()
        self._dialog = dialog  # otherwise Python would delete it
        dialog.open()
        dialog.activateWindow()  # needed without a window manager, to receive keys

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Forget pressed mouse buttons when another window becomes active."""
        if event.type() == QEvent.Type.ActivationChange and not self.isActiveWindow():
            self._view.release_all()
        super().changeEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Stop the timer and the background work."""
        self._timer.stop()
        self._worker.close()
        event.accept()


def _result(summary: GameSummary, best: bool) -> str:
    """Return one line about a finished game: result, time (and that it is the ``best``), 3BV and clicks."""
    clicks = counted(summary.clicks, "click")
    if not summary.won:
        return f"Lost after {summary.seconds:.1f} s. 3BV {summary.bbbv}, {clicks}."
    speed = f"{summary.bbbv_per_second:.2f}"
    aid = summary.aid.value or ("the best time" if best else "")
    return f"Won in {summary.seconds:.3f} s{aid and ', '}{aid}. 3BV {summary.bbbv}, {clicks}, 3BV/s {speed}."


def _switch(menu: QMenu, text: str, command: Callable[[bool], None]) -> QAction:
    entry = QAction(text, menu, checkable=True)
    entry.triggered.connect(command)
    menu.addAction(entry)
    return entry


def _choices(menu: QMenu, texts: Mapping[str, str], command: Callable[[str], None]) -> list[QAction]:
    """Add a group of entries, ``texts`` by name, of which at most one is ticked."""
    group = QActionGroup(menu)
    group.setExclusionPolicy(QActionGroup.ExclusionPolicy.ExclusiveOptional)
    group.triggered.connect(lambda entry: command(entry.data()))
    for name, text in texts.items():
        QAction(text, group, checkable=True).setData(name)
    menu.addActions(group.actions())
    return group.actions()


def _tick(entries: Iterable[QAction], name: str) -> None:
    """Tick the entry called ``name``, and no other."""
    for entry in entries:
        entry.setChecked(entry.data() == name)


class Worker(QObject):
    """Runs tasks in a thread, so that the window does not freeze, and passes results to the window's thread.

    There is only one thread: several would compute answers that nobody waits for any more. It ends with the
    program, even in the middle of a task, and so it may go on after the ``window`` is deleted.
    """

    _finished = Signal(object)

    def __init__(self, window: QObject) -> None:
        super().__init__()  # as a child, it would be deleted with the window, while the thread uses it
        self._tasks: SimpleQueue[tuple[Task, Done]] = SimpleQueue()
        self._closed = False
        window.destroyed.connect(self.close)
        self._finished.connect(self._hand_on, Qt.ConnectionType.QueuedConnection)
        self._thread = threading.Thread(target=self._work, name="solver", daemon=True)

    def do(self, task: Task, done: Done) -> None:
        """Run ``task`` in the thread, then call ``done`` with its result in the window's thread.

        If the task raises a BotError, that is the result. Any other error is raised in the window's thread.
        """
        if not self._thread.is_alive():
            self._thread.start()
        self._tasks.put((task, done))

    def close(self) -> None:
        """Pass on no more results, because the window is closed."""
        self._closed = True

    def _work(self) -> None:
        while True:
            task, done = self._tasks.get()
            try:
                result = task()
            except Exception as error:
                result = error
            if not self._closed:
                self._finished.emit((done, result))

    def _hand_on(self, finished: tuple[Done, object]) -> None:
        done, result = finished
        if self._closed:
            return
        if isinstance(result, Exception) and not isinstance(result, BotError):
            raise result
        done(result)
