"""The window of the control panel: what to do, the buttons, the status of the run, the board, and choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import (
    QCloseEvent,
    QFontDatabase,
    QGuiApplication,
    QKeySequence,
    QPalette,
    QPixmap,
    QResizeEvent,
    QShortcut,
    QShowEvent,
    QTransform,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QGridLayout,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QLayout,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QSizePolicy,
    QSpinBox,
    QTabWidget,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from bot.errors import BotError
from bot.installation import start_minebot
from bot.levels import LEVELS
from bot.ui.game.drawing import mine_icon
from bot.ui.panel_run import (
    ABOUT_SPEED,
    FLAGS,
    LAYERS,
    MOST_GAMES,
    PREFIX,
    SPEEDS,
    STOP_KEYS,
    STOPPED,
    STRATEGIES,
    Process,
    RunChoices,
    RunStatus,
    SavedPanel,
    SeenBoard,
    Status,
    sentence,
    targets,
)

Field = QComboBox | QSpinBox | QAbstractButton

TITLE = "minebot"
TALLEST = 600  # pixels of the panel; what does not fit gets a scroll bar
_LINES = 6  # of text about the status, at a time
_MARGIN = 20  # pixels to the corner of the screen
_PICTURE = 6  # least height and width of the picture of the board, in lines of text
_TILT = 7  # degrees: from 5 on, no picture was read as a board
_NARROW = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon  # even if a text is long
_LEAST = 14  # letters of a list that are visible at least
_MAIN = {"speed": "Spee&d", "strategy": "St&rategy"}  # fields beside the picture, and their labels
_MORE = {
    "target": "Kin&d of game",
    "level": "Le&vel",
    "games": "N&umber of games",
    "flags": "Clic&ks",
    "guess": "",
    "stop_key": "Stop k&ey",
    "record": "",
    "on_top": "",
}
_AT_ONCE = {"speed", "on_top"}  # what can be changed during a run
_OF_PLAY = {"speed", "flags", "games"}  # what has no meaning where only marks are shown
_UNTIL_STOPPED = "until stopped"
_LOOKING = "Looking for a Minesweeper on the screen..."
_COMPLAINT = ("#b3261e", "#ff8a80")  # on a light and on a dark ground


class Panel(QDialog):
    """The control panel: it starts, controls and ends runs of minebot; ``kept`` saves the choices.

    Each of the processes, made by ``new_process``, runs minebot: one plays, one looks which boards are on the
    screen, one does all else. Enter presses the button in focus or *Start*, Esc stops the run.
    """

    def __init__(self, kept: SavedPanel, new_process: Callable[[], Process]) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self._kept = kept
        self.process, self.looker, self.tool = new_process(), new_process(), new_process()
        self.run, self._tool_lines = RunStatus(), list[str]()
        choices = self._loaded()
        self.fields = Fields(choices, self._change)
        self._chosen = choices
        self.heading = QLabel(textFormat=Qt.TextFormat.PlainText)  # a title of another program has any text
        self.details = QPlainTextEdit(readOnly=True, tabChangesFocus=True)
        self.start = _button("&Start", "Begin with the board in the picture (Enter)", self.begin)
        self.pause = _button("P&ause", "Leave the mouse to you, until you press Go on", self.toggle)
        self.step = _button("&One step", "Play one round, then pause", self.go_one_step)
        self.stop = _button("S&top", "End the run (Esc)", self.end)
        self.ask = QWidget()
        self.yes = _button("&Yes", "Minebot may click there", lambda: self.process.order("buttons yes"))
        self.no = _button("&No", "It may not", lambda: self.process.order("buttons no"))
        self.board = BoardChoice(self.look, self._open_our_game)
        self.report = _button(
            "&Last report",
            "Show the last recorded run in the browser",
            lambda: self._use_tool("replay", str(self._kept.last_record)),
        )
        self.doctor = _button(
            "C&heck this computer",
            "Say what works here, and how to repair the rest",
            lambda: self._use_tool("doctor"),
        )
        self.help = _button("Help (F1)", "How to begin, how to stop, and what the keys do", self._show_help)
        self.tabs = QTabWidget()
        self._lay_out()
        self._connect()
        self._place_as_chosen(choices)
        self._show()

    def _loaded(self) -> RunChoices:
        try:
            return self._kept.read() or RunChoices()
        except BotError as error:
            self.run.fail(str(error))
            return RunChoices()

    def _lay_out(self) -> None:
        self.setWindowTitle(TITLE)
        self.setWindowIcon(mine_icon())
        font = self.heading.font()
        font.setBold(True)
        font.setPointSizeF(1.2 * font.pointSizeF())
        self.heading.setFont(font)
        self.heading.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)  # it may be long
        self.details.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.details.setFrameShape(QFrame.Shape.NoFrame)
        self.details.viewport().setAutoFillBackground(False)
        self.details.setFixedHeight(_LINES * self.fontMetrics().lineSpacing())
        self.details.setAccessibleName("Status")
        _explain(self.details, ABOUT_SPEED)
        self.start.setDefault(True)
        answers = QVBoxLayout(self.ask)
        answers.addWidget(self.yes)
        answers.addWidget(self.no)
        self.tabs.addTab(Page(self.board, self.fields.main), "&Board")
        self.tabs.addTab(Page(self.fields.more, _row(self.report, self.help), self.doctor), "&More")
        whole = QVBoxLayout(self)
        whole.addLayout(self.fields.what)
        whole.addLayout(_row(self.start, self.pause, self.step, self.stop))
        whole.addWidget(self.heading)
        whole.addLayout(_row(self.details, self.ask))
        whole.addWidget(self.tabs, 1)
        self.ask.hide()
        room = QGuiApplication.primaryScreen().availableGeometry().height() - 2 * _MARGIN
        self.resize(self.sizeHint().width(), min(TALLEST, room, self.sizeHint().height()))

    def _connect(self) -> None:
        QShortcut(QKeySequence.StandardKey.HelpContents, self, self._show_help)  # also on the other page
        self.process.said.connect(lambda line: self._take(self.run.hear, line))
        self.process.noted.connect(lambda line: self._take(self.run.note, line))
        self.process.ended.connect(self._end_run)
        self.looker.said.connect(self.board.hear)
        self.looker.noted.connect(self.board.note)
        self.looker.ended.connect(self.board.end)
        self.tool.said.connect(self._tool_lines.append)
        self.tool.noted.connect(self._tool_lines.append)
        self.tool.ended.connect(self._end_tool)

    # Buttons

    def begin(self, *_: object, order: str = "") -> None:
        """Start a run, and send it ``order`` at once if there is one."""
        choices = self.fields.choices
        self.looker.kill()
        self.run = RunStatus(Status.STARTING, show=choices.show)
        self._keep()
        self.process.start(choices.command(self._kept.picture, self._kept.new_record(), self.board.at))
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

    def reject(self) -> None:
        """Stop the run, as Esc does: it does not close the panel."""
        if self.stop.isEnabled():
            self.end()

    def look(self, pick: bool = False) -> None:
        """Look which boards are on the screen, or let the user point at one; not during a run."""
        if pick:
            self.looker.kill()
        if not self.run.busy and not self.looker.running:
            self.board.begin(pick)
            self.looker.start(["play", "--boards", *self.fields.choices.search, *["--pick"] * pick])

    def _look_on(self) -> None:
        """Look again, unless the user has pointed at a board: that one stays."""
        if not self.board.picked:
            self.look()

    def _open_our_game(self) -> None:
        try:
            self._game = start_minebot("game")
        except OSError as error:
            self.run.fail(f"the game cannot be opened: {error.strerror}")
        self._show()

    def _use_tool(self, *arguments: str) -> None:
        self._tool_lines.clear()
        self._is_report = arguments[0] == "replay"
        self.tool.start(arguments)
        self._show()

    def _end_tool(self, code: object) -> None:
        if not (self._is_report and code == 0):  # the browser shows a report
            _show_text(self, "Report" if self._is_report else "This computer", "\n".join(self._tool_lines))
        self._show()

    def _show_help(self) -> None:
        _show_text(self, "Help", self.fields.choices.help)

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
        if choices.on_top != before.on_top:
            self._place_as_chosen(choices)
        if choices.target != before.target:
            self.look()
        self._show()

    def _place_as_chosen(self, choices: RunChoices) -> None:
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

    def _end_run(self, code: int | None) -> None:
        self._take(self.run.end, code)
        self.start.setFocus()
        self._look_on()

    def _show(self) -> None:
        run, status = self.run, self.run.status
        failed = run.failed and not run.busy
        self.heading.setText(run.heading)
        dark = self.palette().color(QPalette.ColorRole.Window).lightness() < 128
        self.heading.setStyleSheet(f"color: {_COMPLAINT[dark]}" if failed else "")
        lines = "\n".join(filter(None, (run.details, "" if failed else self.fields.choices.how_to_stop)))
        if lines != self.details.toPlainText():  # else a selection in it is lost
            self.details.setPlainText(lines)
        self.ask.setVisible(bool(run.question))
        self.start.setEnabled(not run.busy)
        self.pause.setEnabled(status in (Status.STARTING, Status.RUNNING, Status.PAUSED))
        self.pause.setText("&Go on" if status is Status.PAUSED else "P&ause")
        self.step.setEnabled(status in (Status.IDLE, Status.RUNNING, Status.PAUSED))
        self.stop.setEnabled(run.busy and status is not Status.STOPPING)
        self.report.setEnabled(self._kept.last_record is not None and not self.tool.running)
        self.doctor.setEnabled(not self.tool.running)
        self.board.choose.setEnabled(not run.busy)
        self.fields.allow(busy=run.busy)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Look for a board as the panel appears."""
        super().showEvent(event)
        self.look()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Look again when the user comes back to the panel, perhaps with another game."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.ActivationChange and self.isActiveWindow() and self.isVisible():
            self._look_on()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 (Qt's name)
        """Hide the panel at once, then stop the run: it may need time to end the programs it has started."""
        self._keep()
        self.hide()
        QGuiApplication.sync()  # hide now: Qt does nothing while waiting for the run
        self.looker.kill()
        self.tool.kill()
        self.process.close()
        event.accept()


class Page(QScrollArea):
    """A page with ``parts`` below each other; what has the focus is scrolled to where it can be seen."""

    def __init__(self, *parts: QWidget | QLayout) -> None:
        super().__init__(widgetResizable=True)
        page, column = QWidget(), QVBoxLayout()
        page.setLayout(column)
        for part in parts:
            if isinstance(part, QWidget):
                column.addWidget(part)
            else:
                column.addLayout(part)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumWidth(page.sizeHint().width() + self.verticalScrollBar().sizeHint().width())
        self.setWidget(page)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow)

    def _follow(self, _before: QWidget | None, now: QWidget | None) -> None:
        if now is not None and self.isAncestorOf(now):
            self.ensureWidgetVisible(now)


class BoardChoice(QWidget):
    """The picture of the board that is played next, and the button to choose another one.

    The picture is as large as there is room for, and tilted: it must not be read as a board.

    ``look`` is called to look at the screen again, with true to let the user point at a board; ``open_game``
    to open our own game.
    """

    def __init__(self, look: Callable[[bool], None], open_game: Callable[[], None]) -> None:
        super().__init__()
        self._look = look
        self._coming, self._found, self._words = list[SeenBoard](), list[SeenBoard](), _LOOKING
        self._index, self._picking = 0, False
        self.picked = False  # whether the user has pointed at the board
        self.picture = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self.picture.setAccessibleName("Picture of the board")
        least = _PICTURE * self.fontMetrics().lineSpacing()
        self.picture.setMinimumSize(least, least)
        self.picture.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.picture.setFrameShape(QFrame.Shape.StyledPanel)
        plain, top = Qt.TextFormat.PlainText, Qt.AlignmentFlag.AlignTop
        self.caption = QLabel(_LOOKING, wordWrap=True, alignment=top, textFormat=plain)
        self.choose = _button("&Choose another", "Choose among the boards on the screen, or point at one")
        self.own_game = _button(
            "Op&en minebot's own game", "Open the Minesweeper that comes with minebot, in a window", open_game
        )
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill_menu)
        self.choose.setMenu(self._menu)
        column = QVBoxLayout()
        column.addWidget(self.caption, 1)
        column.addWidget(self.choose)
        column.addWidget(self.own_game)
        whole = QHBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.picture, 1)
        whole.addLayout(column, 1)

    @property
    def at(self) -> str:
        """The place of the board that was chosen, as X,Y; "" if there is but one: minebot follows that."""
        return self._found[self._index].place if self.picked or len(self._found) > 1 else ""

    def begin(self, picking: bool) -> None:
        """Begin a new list of boards, or with ``picking`` wait for the user to point at one."""
        self._coming, self._picking = [], picking

    def hear(self, line: str) -> None:
        """Take a line of ``play --boards``, which tells one board."""
        board = SeenBoard.of(line)
        self._coming += [] if board is None else [board]

    def note(self, line: str) -> None:
        """Take a line of standard error: how to point at a board, or why there is none."""
        self._words = sentence(line.removeprefix(PREFIX))
        if self._picking:
            self.caption.setText(self._words)

    def end(self, code: int | None) -> None:
        """Show what was found, above all the board that was chosen before; keep all if the user ended it."""
        ended = code in (STOPPED, None)  # the latter by this panel
        if self._coming or not (ended or self._picking):
            before, self.picked, self._found = self.at, self._picking, self._coming
            places = [board.place for board in self._found]
            self._index = places.index(before) if before in places else 0
        if self._coming or ended or not self._picking:  # else it is said why nothing was picked
            self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Scale the picture."""
        super().resizeEvent(event)
        self._show()

    def _show(self) -> None:
        board, picture = self._found[self._index] if self._found else None, QPixmap()
        if board is not None and picture.loadFromData(board.png):
            kept, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
            tilted = picture.transformed(QTransform().rotate(_TILT), smooth)
            self.picture.setPixmap(tilted.scaled(self.picture.contentsRect().size(), kept, smooth))
        else:
            self.picture.setText("no board" if board is None else "not visible now")
        words = self._words if board is None else f"{board.label[:1].upper()}{board.label[1:]}\n{board.words}"
        self.caption.setText(words)
        self.picture.setAccessibleDescription(words)

    def _take(self, index: int) -> None:
        self._index = index
        self._show()

    def _fill_menu(self) -> None:
        self._menu.clear()
        for index, board in enumerate(self._found):
            words = board.words.replace("&", "&&")
            action = self._menu.addAction(f"&{index + 1}  {words}", partial(self._take, index))
            action.setCheckable(True)
            action.setChecked(index == self._index)
        self._menu.addSeparator()
        self._menu.addAction("&Point at it on the screen", partial(self._look, True))
        self._menu.addAction("&Look again", partial(self._look, False))


class Fields:
    """The input fields for the choices; ``changed`` is called with the new choices after each change.

    ``what`` is the layout with the two ways to use minebot; ``main`` and ``more`` have the other fields.
    """

    def __init__(self, choices: RunChoices, changed: Callable[[RunChoices], None]) -> None:
        self._choices = choices
        self.play, self.show = QRadioButton("&Play for me"), QRadioButton("Show me &what is safe")
        _explain(self.play, "Minebot moves the mouse and clicks")
        _explain(self.show, "The mouse is yours; safe cells and mines are marked over your game")
        self.games = QSpinBox(maximum=MOST_GAMES)
        self.games.setSpecialValueText(_UNTIL_STOPPED)
        self.fields: dict[str, Field] = {
            "show": self.show,
            "speed": _combo(SPEEDS),
            "strategy": _combo(STRATEGIES),
            "target": _combo(targets()),
            "level": _combo({"": "as it is", **dict(zip(LEVELS, LEVELS, strict=True))}, editable=True),
            "games": self.games,
            "flags": _combo(FLAGS),
            "guess": QCheckBox("guess &if nothing is proven"),
            "stop_key": _combo(dict(zip(STOP_KEYS, STOP_KEYS, strict=True)), editable=True),
            "on_top": QCheckBox("stay in &front"),
            "record": QCheckBox("&record each run, to look at every round later"),
        }
        self.layers = {name: QCheckBox(text) for name, text in LAYERS.items()}
        self.play.setChecked(True)
        for name, field in self.fields.items():
            _put(field, getattr(choices, name))
        for name, box in self.layers.items():
            box.setChecked(name in choices.layers)
        self._lay_out()

        def tell(*_: object) -> None:
            changed(self.choices)

        for field in (*self.fields.values(), *self.layers.values()):
            if isinstance(field, QComboBox):
                field.currentTextChanged.connect(tell)
            elif isinstance(field, QSpinBox):
                field.valueChanged.connect(tell)
            else:
                field.toggled.connect(tell)

    @property
    def choices(self) -> RunChoices:
        """The choices that the fields show now."""
        layers = tuple(name for name, box in self.layers.items() if box.isChecked())
        values = {name: _value(field) for name, field in self.fields.items()}
        return replace(self._choices, layers=layers, **values)

    def allow(self, *, busy: bool) -> None:
        """Enable the fields that can be changed now: during a run, only those that take effect at once."""
        show = self.show.isChecked()
        self.play.setEnabled(not busy)
        for name, field in self.fields.items():
            field.setEnabled((not busy or name in _AT_ONCE) and not (show and name in _OF_PLAY))
        self._marks.setEnabled(show)

    def _lay_out(self) -> None:
        font = self.play.font()
        font.setBold(True)
        for way in (self.play, self.show):
            way.setFont(font)
        self.what = _row(self.play, self.show)
        self._marks = QGroupBox("Marks over your game; clicks go through them")
        grid = QGridLayout(self._marks)
        for number, box in enumerate(self.layers.values()):
            grid.addWidget(box, number // 2, number % 2)
        self.main, self.more = QFormLayout(), QFormLayout()
        for form, names in ((self.main, _MAIN), (self.more, _MORE)):
            for name, label in names.items():
                form.addRow(label, self.fields[name])
        self.more.addRow(self._marks)


def _button(text: str, about: str, press: Callable[[], object] | None = None) -> QPushButton:
    button = QPushButton(text)
    _explain(button, about)
    if press is not None:
        button.clicked.connect(press)
    return button


def _explain(widget: QWidget, about: str) -> None:
    """Say more about ``widget`` to those who point at it, and to those who hear it read."""
    widget.setToolTip(about)
    widget.setAccessibleDescription(about)


def _combo(texts: Mapping[str, str], *, editable: bool = False) -> QComboBox:
    combo = QComboBox(editable=editable, sizeAdjustPolicy=_NARROW, minimumContentsLength=_LEAST)
    combo.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    for name, text in texts.items():
        combo.addItem(text, name)
    return combo


def _put(field: Field, value: Any) -> None:
    """Show ``value`` in a field."""
    if isinstance(field, QSpinBox):
        field.setValue(value)
    elif isinstance(field, QAbstractButton):
        field.setChecked(value)
    elif (known := field.findData(value)) >= 0:
        field.setCurrentIndex(known)
    else:
        field.setEditText(value)


def _value(field: Field) -> Any:
    """Return the value that a field shows."""
    if isinstance(field, QComboBox):
        known = field.findText(text := field.currentText().strip())
        return text if known < 0 else field.itemData(known)
    return field.value() if isinstance(field, QSpinBox) else field.isChecked()


def _row(*widgets: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    for widget in widgets:
        row.addWidget(widget)
    return row


def _show_text(parent: QWidget, title: str, text: str) -> None:
    """Show ``text`` in a dialog: HTML if it begins with a tag, else lines of a terminal."""
    dialog = QDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    browser = QTextBrowser()
    browser.setAccessibleName(title)
    if text.startswith("<"):
        browser.setHtml(text)
    else:
        browser.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        browser.setPlainText(text)
    close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    close.rejected.connect(dialog.reject)
    column = QVBoxLayout(dialog)
    column.addWidget(browser)
    column.addWidget(close)
    dialog.resize(parent.width(), parent.height() * 3 // 4)
    dialog.open()
