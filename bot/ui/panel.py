"""The window of the control panel: choices, the status of the run, and buttons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCloseEvent, QColor, QGuiApplication, QPalette, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QFormLayout,
    QGridLayout,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QRadioButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from bot.errors import BotError
from bot.installation import start_minebot
from bot.levels import LEVELS
from bot.ui.game.dialogs import message_box
from bot.ui.game.drawing import mine_icon
from bot.ui.panel_run import (
    COLOURS,
    FLAGS,
    LAYERS,
    MOST_GAMES,
    SPEEDS,
    STOP_KEYS,
    STRATEGIES,
    Process,
    RunChoices,
    RunStatus,
    SavedPanel,
    Status,
    targets,
)

TITLE = "minebot"
_WIDTH = 30  # least width of the panel, in letters M
_MARGIN = 20  # pixels to the corner of the screen
_NOTES = 3  # how many of the last notes are shown
_NARROW = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon  # even if a text is long
_LEAST = 14  # letters of a list that are visible at least
_AS_IT_IS = "as it is"
_UNTIL_STOPPED = "until stopped"
_ROLES = QPalette.ColorRole
_GROUNDS = ("#efefef", "#2b2d31")  # light and dark
_GREYED = ("#9a9a9a", "#7b8088")
_COMPLAINT = ("#b3261e", "#ff8a80")


class Panel(QWidget):
    """The control panel: it starts, controls and ends runs of ``process``; ``kept`` saves the choices."""

    def __init__(self, kept: SavedPanel, process: Process) -> None:
        super().__init__()
        self._kept, self.process = kept, process
        self.run = RunStatus()
        choices = self._loaded()
        self.fields = Fields(choices, self._change)
        self._chosen = choices
        plain = Qt.TextFormat.PlainText  # the title of another program's window may be in any text
        labels = (QLabel(wordWrap=True, textFormat=plain) for _ in range(5))
        self.heading, self.hint, self.reason, self.words, self.question = labels
        self.score = QLabel(textFormat=plain)
        self.start = QPushButton("&Start", default=True)
        self.pause, self.step = QPushButton("&Pause"), QPushButton("&One step")
        self.stop = QPushButton("S&top")
        self.ask = QGroupBox("May minebot click there?")
        self.yes, self.no = QPushButton("&Yes"), QPushButton("No")
        self.offers = QGroupBox("What would you like to do?")
        self.play_button = QPushButton("Play what is on the screen")
        self.game_button = QPushButton("Open our own Minesweeper")
        self.help_button = QPushButton("&Help")
        self._lay_out()
        self._connect()
        self._look_as_chosen(choices)
        self._show()

    def _loaded(self) -> RunChoices:
        try:
            return self._kept.read() or RunChoices()
        except BotError as error:
            self.run.error = str(error)
            return RunChoices()

    def _lay_out(self) -> None:
        self.setWindowTitle(TITLE)
        self.setWindowIcon(mine_icon())
        larger = self.heading.font()
        larger.setBold(True)
        larger.setPointSizeF(1.15 * larger.pointSizeF())
        self.heading.setFont(larger)
        for label in (self.reason, self.words):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.reason.setAlignment(Qt.AlignmentFlag.AlignTop)
        buttons = QHBoxLayout()
        for button in (self.start, self.pause, self.step, self.stop):
            buttons.addWidget(button)
        offers = QVBoxLayout(self.offers)
        for button in (self.play_button, self.game_button, self.help_button):
            offers.addWidget(button)
        asked = QGridLayout(self.ask)
        asked.addWidget(self.question, 0, 0, 1, 2)
        for column, button in enumerate((self.yes, self.no)):
            asked.addWidget(button, 1, column)
        whole = QVBoxLayout(self)
        for above in (self.heading, self.reason, self.score, self.ask, self.offers):
            whole.addWidget(above)
        whole.addLayout(buttons)
        for below in (self.hint, self.words, self.fields):
            whole.addWidget(below)
        whole.addStretch(1)
        wide = _WIDTH * self.fontMetrics().horizontalAdvance("M")
        self.setFixedWidth(max(wide, whole.minimumSize().width()))

    def _connect(self) -> None:
        self.start.clicked.connect(self.begin)
        self.pause.clicked.connect(self.toggle)
        self.step.clicked.connect(self.go_one_step)
        self.stop.clicked.connect(self.end)
        self.yes.clicked.connect(lambda: self.process.order("buttons yes"))
        self.no.clicked.connect(lambda: self.process.order("buttons no"))
        self.play_button.clicked.connect(self._play_what_is_there)
        self.game_button.clicked.connect(self._open_our_game)
        self.help_button.clicked.connect(self._show_help)
        self.process.said.connect(lambda line: self._take(self.run.hear, line))
        self.process.noted.connect(lambda line: self._take(self.run.note, line))
        self.process.ended.connect(lambda code: self._take(self.run.end, code))

    # Buttons

    def begin(self, *_: object, order: str = "") -> None:
        """Start a run, and send it ``order`` at once if there is one."""
        choices = self.fields.choices
        self.run = RunStatus(Status.STARTING, show=choices.show, words="")
        self._keep()
        self.process.start(choices.command(self._kept.picture))
        if choices.show and not choices.layers:
            self.process.order("layers")
        if order:
            self.process.order(order)
        self._show()

    def toggle(self) -> None:
        """Pause the run, or let it go on."""
        if self.run.status is Status.PAUSED:
            self._resume("go")
        else:
            self.process.order("pause")

    def go_one_step(self) -> None:
        """Play one round and then pause; start a new run if none is going on."""
        if not self.run.busy:
            self.begin(order="step")
        elif self.run.status is Status.PAUSED:
            self._resume("step")
        else:
            self.process.order("step")

    def end(self) -> None:
        """Stop the run."""
        self.run.status = Status.STOPPING
        self.process.stop()
        self._show()

    def _play_what_is_there(self) -> None:
        self.fields.choose_play_of("auto")
        self.begin()

    def _open_our_game(self) -> None:
        self.run.words = "the game opens: play it, or let minebot play it"
        try:
            self._game = start_minebot("game")
        except OSError as error:
            self.run.error = f"The game cannot be opened: {error.strerror}."
        self._show()

    def _show_help(self) -> None:
        message_box(self, TITLE, self.fields.choices.help).open()

    def _resume(self, order: str) -> None:
        self.run.status = Status.RESUMING
        self.process.order(order)
        self._show()

    # Choices

    def _change(self, choices: RunChoices) -> None:
        before, self._chosen = self._chosen, choices
        if self.run.busy and choices.speed != before.speed:
            self.process.order(f"speed {choices.speed}")
        if self.run.busy and choices.layers != before.layers:
            self.process.order(f"layers {','.join(choices.layers)}")
        if (choices.on_top, choices.colours) != (before.on_top, before.colours):
            self._look_as_chosen(choices)
        self._show()

    def _look_as_chosen(self, choices: RunChoices) -> None:
        known = choices.colours in ("light", "dark")  # otherwise the colours of the desktop are used
        QApplication.setPalette(_palette(choices.colours == "dark") if known else QPalette())
        shown, place = self.isVisible(), self.pos()
        self.setWindowFlag(Qt.WindowType.WindowStaysOnTopHint, choices.on_top)
        if shown:  # Qt has replaced the window
            self.move(place)
            self.show()
        elif choices.place and QGuiApplication.screenAt(QPoint(*choices.place)) is not None:
            self.move(*choices.place)
        else:  # in a corner, where it hardly covers a board
            screen = QGuiApplication.primaryScreen().availableGeometry()
            self.move(screen.right() - self.width() - _MARGIN, screen.top() + _MARGIN)

    def _keep(self) -> None:
        try:
            self._kept.write(replace(self.fields.choices, place=(max(0, self.x()), max(0, self.y()))))
        except BotError as error:
            self.run.note(str(error))

    # Display

    def _take(self, how: Callable[[Any], None], what: object) -> None:
        how(what)
        self._show()

    def _show(self) -> None:
        run, status = self.run, self.run.status
        self.heading.setText(run.heading)
        self.reason.setText(run.reason)
        lines = 2 if run.busy else 0  # keep room during a run, so that nothing jumps
        self.reason.setMinimumHeight(lines * self.fontMetrics().lineSpacing())
        self.reason.setVisible(bool(lines or run.reason))
        self.score.setText(run.score)
        self.score.setVisible(bool(run.busy or run.games))
        self.question.setText(run.question)
        self.ask.setVisible(bool(run.question))
        self.offers.setVisible(not run.busy)
        self.hint.setText(self.fields.choices.how_to_stop)
        self.words.setText(run.error or "\n".join(run.notes[-_NOTES:]))
        dark = self.palette().color(_ROLES.Window).lightness() < 128
        self.words.setStyleSheet(f"color: {_COMPLAINT[dark]}" if run.error else "")
        self.words.setVisible(bool(self.words.text()))
        self.start.setEnabled(not run.busy)
        self.pause.setEnabled(status in (Status.STARTING, Status.RUNNING, Status.PAUSED))
        self.pause.setText("&Go on" if status is Status.PAUSED else "&Pause")
        self.step.setEnabled(status in (Status.IDLE, Status.RUNNING, Status.PAUSED))
        self.stop.setEnabled(run.busy and status is not Status.STOPPING)
        self.fields.allow(busy=run.busy)
        self._fit()

    def _fit(self) -> None:
        """Adapt the height to the content; once a run has begun never shrink, so that nothing jumps."""
        layout = self.layout()
        assert layout is not None
        layout.activate()
        height = layout.totalHeightForWidth(self.width())
        begun = self.run.status not in (Status.IDLE, Status.STARTING)
        self.resize(self.width(), max(height, self.height()) if begun else height)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Adapt the height once the height of the texts is known."""
        super().showEvent(event)
        self._fit()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 (Qt's name)
        """Hide the panel at once, then stop the run: it may need time to end the programs it has started."""
        self._keep()
        self.hide()
        QGuiApplication.sync()  # hide now: Qt does nothing while waiting for the run
        self.process.close()
        event.accept()


class Fields(QWidget):
    """The input fields for the choices; ``changed`` is called with the new choices after each change."""

    def __init__(self, choices: RunChoices, changed: Callable[[RunChoices], None]) -> None:
        super().__init__()
        self._place = choices.place
        self.play, self.show_ = QRadioButton("P&lay for me"), QRadioButton("Only show &me what is safe")
        (self.show_ if choices.show else self.play).setChecked(True)
        self.target, self.speed = _combo(targets(), choices.target), _combo(SPEEDS, choices.speed)
        self.level = _editable((_AS_IT_IS, *LEVELS), choices.level or _AS_IT_IS)
        self.strategy, self.flags = _combo(STRATEGIES, choices.strategy), _combo(FLAGS, choices.flags)
        self.guess = _box("g&uess where nothing is proven", choices.guess)
        self.games = QSpinBox(maximum=MOST_GAMES, value=choices.games)
        self.games.setSpecialValueText(_UNTIL_STOPPED)
        self.stop_key = _editable(STOP_KEYS, choices.stop_key)
        self.layers = {name: _box(text, name in choices.layers) for name, text in LAYERS.items()}
        self.on_top = _box("keep o&n top", choices.on_top)
        self.colours = _combo(COLOURS, choices.colours)
        self._lay_out()

        def tell(*_: object) -> None:
            changed(self.choices)

        for combo in (self.target, self.speed, self.strategy, self.flags, self.colours):
            combo.activated.connect(tell)
        for text in (self.level, self.stop_key):
            text.editTextChanged.connect(tell)
        for box in (self.guess, self.on_top, self.show_, *self.layers.values()):
            box.toggled.connect(tell)
        self.games.valueChanged.connect(tell)

    @property
    def choices(self) -> RunChoices:
        """The choices that the fields show now."""
        level = self.level.currentText().strip()
        return RunChoices(
            target=self.target.currentData(),
            level="" if level == _AS_IT_IS else level,
            speed=self.speed.currentData(),
            strategy=self.strategy.currentData(),
            flags=self.flags.currentData(),
            guess=self.guess.isChecked(),
            games=self.games.value(),
            show=self.show_.isChecked(),
            layers=tuple(name for name, box in self.layers.items() if box.isChecked()),
            stop_key=self.stop_key.currentText().strip(),
            colours=self.colours.currentData(),
            on_top=self.on_top.isChecked(),
            place=self._place,
        )

    def choose_play_of(self, target: str) -> None:
        """Choose that minebot plays the game ``target``, at the level that it has."""
        self.play.setChecked(True)
        self.level.setCurrentText(_AS_IT_IS)
        self.target.setCurrentIndex(self.target.findData(target))

    def allow(self, *, busy: bool) -> None:
        """Enable the fields that can be changed now: during a run, only those that take effect at once."""
        show = self.show_.isChecked()
        fixed = (self.play, self.show_, self.target, self.level, self.strategy, self.guess, self.stop_key)
        for field in fixed:
            field.setEnabled(not busy)
        for of_play in (self.flags, self.games):
            of_play.setEnabled(not busy and not show)
        self.speed.setEnabled(not show)
        self._marks.setVisible(show)

    def _lay_out(self) -> None:
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        form = QFormLayout()
        form.addRow("G&ame", self.target)
        form.addRow("Le&vel", self.level)
        form.addRow("Spee&d", self.speed)
        form.addRow("St&rategy", self.strategy)
        form.addRow("&Clicks", self.flags)
        form.addRow("", self.guess)
        form.addRow("Gam&es", self.games)
        form.addRow("Stop &key", self.stop_key)
        self._marks = QGroupBox("Marks over the game; clicks go through them")
        grid = QGridLayout(self._marks)
        for number, box in enumerate(self.layers.values()):
            grid.addWidget(box, number // 2, number % 2)
        whole.addWidget(_row(self.play, self.show_))  # the same parent, so they exclude each other
        whole.addLayout(form)
        whole.addWidget(self._marks)
        whole.addWidget(_row(self.on_top, self.colours))


def _box(text: str, ticked: bool) -> QCheckBox:
    box = QCheckBox(text)
    box.setChecked(ticked)
    return box


def _combo(texts: Mapping[str, str], chosen: str) -> QComboBox:
    combo = QComboBox(sizeAdjustPolicy=_NARROW, minimumContentsLength=_LEAST)
    for name, text in texts.items():
        combo.addItem(text, name)
    combo.setCurrentIndex(max(0, combo.findData(chosen)))
    return combo


def _editable(texts: Iterable[str], text: str) -> QComboBox:
    combo = QComboBox(editable=True, sizeAdjustPolicy=_NARROW, minimumContentsLength=_LEAST)
    combo.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    combo.addItems(list(texts))
    combo.setCurrentText(text)
    return combo


def _row(*widgets: QWidget) -> QWidget:
    row = QWidget()
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    for widget in widgets:
        layout.addWidget(widget)
    layout.setAlignment(Qt.AlignmentFlag.AlignLeft)
    return row


def _palette(dark: bool) -> QPalette:
    """Return a light or dark palette, which Qt derives from the colour of buttons."""
    palette = QPalette(QColor(_GROUNDS[dark]))
    for role in (_ROLES.WindowText, _ROLES.Text, _ROLES.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(_GREYED[dark]))
    return palette
