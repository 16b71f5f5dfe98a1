"""The panel: what is chosen, what is going on, and the buttons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCloseEvent, QGuiApplication, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from bot.errors import BotError
from bot.ui.panel.choices import Choices, KeptPanel
from bot.ui.panel.colours import colour, complaint
from bot.ui.panel.fields import Fields
from bot.ui.panel.process import Process
from bot.ui.panel.standing import Standing, Status
from bot.ui.panel.words import heading, score, speeds, stopping

TITLE = "minebot"
_WIDTH = 30  # of the panel at least, in letters M
_MARGIN = 20  # pixels to the corner of the screen
_NOTES = 3  # so many of the last notes are shown


class Panel(QWidget):
    """Starts, leads and ends runs of ``process``; what is chosen is ``kept``."""

    def __init__(self, kept: KeptPanel, process: Process) -> None:
        super().__init__()
        self._kept, self.process = kept, process
        self.standing = Standing()
        choices = self._loaded()
        self.fields = Fields(choices, self._change)
        self._chosen = choices
        self.heading, self.reason, self.score = QLabel(), QLabel(), QLabel()
        self.words, self.hint = QLabel(), QLabel()
        self.start = QPushButton("&Start", default=True)
        self.pause, self.step = QPushButton("&Pause"), QPushButton("&One step")
        self.stop = QPushButton("S&top")
        self._lay_out()
        self._connect()
        self._look_as_chosen(choices)
        self._show()

    def _loaded(self) -> Choices:
        try:
            return self._kept.load()
        except BotError as error:
            self.standing.error = str(error)
            return Choices()

    def _lay_out(self) -> None:
        self.setWindowTitle(TITLE)
        larger = self.heading.font()
        larger.setBold(True)
        larger.setPointSizeF(1.15 * larger.pointSizeF())
        self.heading.setFont(larger)
        for label in (self.heading, self.reason, self.words, self.hint):
            label.setWordWrap(True)
        for label in (self.reason, self.words):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.reason.setMinimumHeight(2 * self.fontMetrics().lineSpacing())
        self.reason.setAlignment(Qt.AlignmentFlag.AlignTop)
        buttons = QHBoxLayout()
        for button in (self.start, self.pause, self.step, self.stop):
            buttons.addWidget(button)
        whole = QVBoxLayout(self)
        whole.addWidget(self.heading)
        whole.addWidget(self.reason)
        whole.addWidget(self.score)
        whole.addLayout(buttons)
        whole.addWidget(self.hint)
        whole.addWidget(self.words)
        whole.addWidget(self.fields)
        whole.addStretch(1)
        wide = _WIDTH * self.fontMetrics().horizontalAdvance("M")
        self.setFixedWidth(max(wide, whole.minimumSize().width()))

    def _connect(self) -> None:
        self.start.clicked.connect(self.begin)
        self.pause.clicked.connect(self.toggle)
        self.step.clicked.connect(self.go_one_step)
        self.stop.clicked.connect(self.end)
        self.process.said.connect(lambda line: self._take(self.standing.hear, line))
        self.process.noted.connect(lambda line: self._take(self.standing.note, line))
        self.process.ended.connect(lambda code: self._take(self.standing.end, code))

    # What the buttons do

    def begin(self, *_: object, order: str = "") -> None:
        """Begin a run, with an ``order`` to it right away."""
        choices = self.fields.choices
        self.standing = Standing(Status.STARTING, show=choices.show, words="")
        self._keep()
        self.process.start(choices.command(self._kept.picture))
        if choices.show and not choices.layers:
            self.process.order("layers")
        if order:
            self.process.order(order)
        self._show()

    def toggle(self) -> None:
        """Pause, or go on."""
        if self.standing.status is Status.PAUSED:
            self._resume("go")
        else:
            self.process.order("pause")

    def go_one_step(self) -> None:
        """Let one round be played: of a run that is paused or not, or the first one of another."""
        if not self.standing.busy:
            self.begin(order="step")
        elif self.standing.status is Status.PAUSED:
            self._resume("step")
        else:
            self.process.order("step")

    def end(self) -> None:
        """Stop the run."""
        self.standing.status = Status.STOPPING
        self.process.stop()
        self._show()

    def _resume(self, order: str) -> None:
        self.standing.status = Status.RESUMING
        self.process.order(order)
        self._show()

    # What is chosen

    def _change(self, choices: Choices) -> None:
        before, self._chosen = self._chosen, choices
        if self.standing.busy and choices.speed != before.speed:
            self.process.order(f"speed {choices.speed}")
        if self.standing.busy and choices.layers != before.layers:
            self.process.order(f"layers {','.join(choices.layers)}")
        if (choices.on_top, choices.colours) != (before.on_top, before.colours):
            self._look_as_chosen(choices)
        self._show()

    def _look_as_chosen(self, choices: Choices) -> None:
        colour(choices.colours)
        shown, place = self.isVisible(), self.pos()
        self.setWindowFlag(Qt.WindowType.WindowStaysOnTopHint, choices.on_top)
        if shown:  # Qt makes another window of it
            self.move(place)
            self.show()
        else:
            self._go_to(choices.place)

    def _go_to(self, place: tuple[int, ...]) -> None:
        """Stand where the panel stood last, else in a corner, where it covers no board."""
        screen = QGuiApplication.primaryScreen().availableGeometry()
        if place and QGuiApplication.screenAt(QPoint(*place)) is not None:
            self.move(*place)
        else:
            self.move(screen.right() - self.width() - _MARGIN, screen.top() + _MARGIN)

    def _keep(self) -> None:
        try:
            self._kept.keep(replace(self.fields.choices, place=(max(0, self.x()), max(0, self.y()))))
        except BotError as error:
            self.standing.note(str(error))

    # What is shown

    def _take(self, how: Callable[[Any], None], what: object) -> None:
        how(what)
        self._show()

    def _show(self) -> None:
        standing, status = self.standing, self.standing.status
        self.heading.setText(heading(standing))
        self.reason.setText(standing.reason)
        self.score.setText("\n".join(filter(None, (score(standing), speeds(standing)))))
        self.hint.setText(stopping(self.fields.choices))
        self.words.setText(standing.error or "\n".join(standing.notes[-_NOTES:]))
        self.words.setStyleSheet(f"color: {complaint(self.palette())}" if standing.error else "")
        self.words.setVisible(bool(self.words.text()))
        self.start.setEnabled(not standing.busy)
        self.pause.setEnabled(status in (Status.STARTING, Status.RUNNING, Status.PAUSED))
        self.pause.setText("&Go on" if status is Status.PAUSED else "&Pause")
        self.step.setEnabled(status in (Status.IDLE, Status.RUNNING, Status.PAUSED))
        self.stop.setEnabled(standing.busy and status is not Status.STOPPING)
        self.fields.allow(busy=standing.busy)
        self._fit()

    def _fit(self) -> None:
        """Be as high as what is shown; while it runs no less than before, so that nothing jumps."""
        layout = self.layout()
        assert layout is not None
        layout.activate()
        height = layout.totalHeightForWidth(self.width())
        self.resize(self.width(), max(height, self.height()) if self.standing.busy else height)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Fit once it is known how high words are."""
        super().showEvent(event)
        self._fit()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 (Qt's name)
        """Be gone at once, and stop the run then: it may take a while to end what it has started."""
        self._keep()
        self.hide()
        QGuiApplication.sync()  # while it waits for the run, nothing is taken off the screen
        self.process.close()
        event.accept()
