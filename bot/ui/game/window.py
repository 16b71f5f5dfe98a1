"""The window: menus, the game, a line of words below it; it wires them and holds no rule of the game."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtGui import QCloseEvent, QIcon, QPixmap
from PySide6.QtWidgets import QDialog, QMainWindow

from bot.board import Cell, State
from bot.errors import BotError
from bot.game.round import RULES, Click, Deed, Round
from bot.levels import LEVELS
from bot.ui.game import about
from bot.ui.game.body import Body
from bot.ui.game.dialogs import NO_GUESS, BestTimesDialog, CustomDialog, NameDialog
from bot.ui.game.hooks import Autoplay, Done, Hints, Task
from bot.ui.game.marks import Marks
from bot.ui.game.menus import Commands, Menus, tick
from bot.ui.game.options import Choices, Options, World
from bot.ui.game.painting import cell_picture
from bot.ui.game.theme import CLASSIC
from bot.ui.game.unguessed import find_board
from bot.ui.game.view import GameView
from bot.ui.game.worker import Worker

TITLE = "Minesweeper (minebot)"
_TICK = 100  # milliseconds between looks at the clock


class MinesweeperWindow(QMainWindow):
    """A Minesweeper window; it is a `hooks.WindowControls` for hints and autoplay."""

    def __init__(self, options: Options, world: World) -> None:
        super().__init__()
        self.options, self._world = options, world
        self._name = ""  # of whoever made a best time last
        self._dialog: QDialog | None = None
        self._worker = Worker(self)
        self.game = self._new_round()
        self._view = GameView(self.game, options.theme, options.scale)
        self._body = Body(self, self._view)
        self._menus = Menus(self, self._commands())
        self._hints: Hints | None = world.make_hints(self) if world.make_hints else None
        self._autoplay: Autoplay | None = world.make_autoplay(self) if world.make_autoplay else None
        self._timer = QTimer(self, interval=_TICK)
        self._wire()
        self._show_options()
        self.say(" ".join(filter(None, (world.words, self._tried(world.times.load)))))

    def _wire(self) -> None:
        self.setWindowTitle(TITLE)
        self.setWindowIcon(QIcon(QPixmap.fromImage(cell_picture(State.MINE, 64, CLASSIC))))
        self._view.clicked.connect(self._play)
        self._view.touched.connect(self._user_touches)
        self._view.new_wanted.connect(self.new)
        self._timer.timeout.connect(self._view.refresh_timer)
        self._timer.start()

    def _commands(self) -> Commands:
        return Commands(
            new=self.new,
            level=self._choose_level,
            question_marks=self._choose_question_marks,
            rule=lambda name: self.change(Choices(rule=name)),
            best_times=self._show_best_times,
            close=self.close,
            hint=self._hint,
            autoplay=self._start_autoplay,
            stop=self._stop_autoplay,
            scale=lambda scale: self._restyle(Choices(scale=scale)),
            dark=lambda dark: self._restyle(Choices(dark=dark)),
            about=lambda: self._open(about.dialog(self)),
        )

    # Games

    def new(self) -> None:
        """Begin another game."""
        self.game = self._new_round()
        self._show_options()
        self._forget()

    def change(self, choices: Choices) -> None:
        """Begin another game, as it was chosen."""
        self.options = self.options.chosen(choices)
        self.new()
        self._keep(choices)

    def _new_round(self) -> Round:
        rule = RULES[self.options.rule]
        return Round(self.options.level, rule, self._world.next_seed(), self._world.clock)

    def _user_touches(self) -> None:
        if self._autoplay and self._autoplay.running:
            self._stop_autoplay()

    def play(self, deed: Deed, cell: Cell) -> None:
        """Do what a click does; the game is one with help from now on."""
        self.game.aided = True
        self._play(Click(deed, cell))

    def _play(self, click: Click) -> None:
        game, board, waiting = self.game, self.game.board, self.game.waiting
        game.play(click, question_marks=self.options.question_marks)
        if game.waiting is not None and waiting is None:
            find_board(self, game, click.cell, lambda: self._played(game))
        elif game.board != board:
            self._played(game)

    def _played(self, game: Round) -> None:
        """Show what has come of a click, if the game is still the one that is played."""
        if game is not self.game:
            return
        self._forget()
        self._view.update()
        if game.over:
            self._over(game)

    def _over(self, game: Round) -> None:
        summary = game.summary()
        self.say(about.told(summary))
        category = game.level.name + NO_GUESS * game.rule.no_guess
        named = game.level in LEVELS.values()
        if summary.won and named and not summary.aided:
            seconds = round(summary.seconds, 3)
            if self._world.times.is_record(category, seconds):
                self._record(category, seconds)

    def _forget(self) -> None:
        """Take away what was said and marked for another board."""
        self.say("")
        self.mark(Marks())
        for helper in (self._hints, self._autoplay):
            if helper is not None:
                helper.forget()

    # Best times

    def _record(self, category: str, seconds: float) -> None:
        """Keep a best time at once, and ask for the name to it."""
        times, day = self._world.times, date.today().isoformat()
        self._trying(lambda: times.enter(category, seconds, self._name, day))
        words = f"{seconds:.3f} seconds: nobody was faster at {category}. Your name:"
        self._open(NameDialog(self, words, self._name, partial(self._name_record, category)))

    def _name_record(self, category: str, name: str) -> None:
        self._name = name
        self._trying(lambda: self._world.times.rename(category, name))
        self._show_best_times()

    def _show_best_times(self) -> None:
        times = self._world.times
        self._open(BestTimesDialog(self, times, lambda: self._trying(times.reset)))

    def _trying(self, what: Callable[[], None]) -> None:
        if words := self._tried(what):
            self.say(words)

    def _tried(self, what: Callable[[], None]) -> str:
        """Do it; return why that cannot be done, "" if it can."""
        try:
            what()
        except BotError as error:
            return str(error)
        return ""

    # What hints and autoplay do with the window, and it with them

    def mark(self, marks: Marks) -> None:
        """Mark cells until the board changes or other marks come."""
        self._view.mark(marks)

    def say(self, words: str) -> None:
        """Show words below the board until the board changes or other words come."""
        self._body.say(words)

    def work(self, task: Task, done: Done) -> None:
        """Do ``task`` without freezing the window, then call ``done`` with its result, or a BotError."""
        self._worker.do(task, done)

    def later(self, seconds: float, what: Callable[[], None]) -> None:
        """Call ``what`` in so many seconds, unless the window is closed by then."""
        QTimer.singleShot(round(1000 * seconds), self, what)

    def _hint(self) -> None:
        if self._hints is not None and not self.game.over:
            self.game.aided = True
            self._hints.show()

    def _start_autoplay(self, speed: float | None) -> None:
        if self._autoplay is not None:
            self.game.aided = True
            self._autoplay.start(speed)

    def _stop_autoplay(self) -> None:
        if self._autoplay is not None:
            self._autoplay.stop()

    # Choices

    def _choose_level(self, name: str) -> None:
        self._show_options()  # the tick is set when the dialog is answered
        if name == "custom":
            chosen = lambda level: self.change(Choices(level=level))  # noqa: E731
            self._open(CustomDialog(self, self.options.level, chosen))
        else:
            self.change(Choices(level=LEVELS[name]))

    def _choose_question_marks(self, wanted: bool) -> None:
        if not wanted:
            self.game.without_question_marks()
        self._restyle(Choices(question_marks=wanted))

    def _restyle(self, choices: Choices) -> None:
        self.options = self.options.chosen(choices)
        self._show_options()
        self._keep(choices)

    def _keep(self, choices: Choices) -> None:
        self._trying(lambda: self._world.keep(choices))

    def _show_options(self) -> None:
        """Show the game and the ticks of the menus as the options say."""
        options, menus = self.options, self._menus
        tick(menus.levels, options.level.name)
        tick(menus.rules, options.rule)
        tick(menus.scales, f"{options.scale:g}")
        menus.question_marks.setChecked(options.question_marks)
        menus.dark.setChecked(options.dark)
        menus.hint.setEnabled(self._hints is not None)
        menus.autoplay.setEnabled(self._autoplay is not None)
        self._view.show_game(self.game, options.theme, options.scale)
        self._body.fit(options.theme)

    # Qt

    def _open(self, dialog: QDialog) -> None:
        self._view.release_all()
        self._dialog = dialog  # lest it be collected
        dialog.open()
        dialog.activateWindow()  # without a window manager, nobody else gives it the keyboard

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Let go of the buttons when another window takes over."""
        if event.type() == QEvent.Type.ActivationChange and not self.isActiveWindow():
            self._view.release_all()
        super().changeEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """End what is under way."""
        self._timer.stop()
        self._worker.close()
        self._stop_autoplay()
        event.accept()
