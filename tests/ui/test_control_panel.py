"""The panel, with processes that only note what they are told; its runs: their commands and processes."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip(
    "PySide6.QtWidgets", reason="install PySide6-Essentials and its libraries", exc_type=ImportError
)

from PySide6.QtCore import QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QPlainTextEdit,
    QScrollArea,
    QTabBar,
    QTextBrowser,
    QWidget,
)

from bot.cli.commands import command_named
from bot.clicker.pace import parse_speed
from bot.errors import SettingsError
from bot.picture_files import load_picture, png_of
from bot.targets.catalogue import find_target, parse_stop_key
from bot.ui import panel_run
from bot.ui.panel import TALLEST, Panel
from bot.ui.panel_run import (
    FILE,
    LAUNCHED,
    RECORDS,
    SPEEDS,
    STOP_KEYS,
    STRATEGIES,
    Process,
    RunChoices,
    RunStatus,
    SavedPanel,
    SeenBoard,
    Status,
    targets,
)
from bot.vision import load_skins, read_picture
from conftest import PATIENCE
from drawn_game import application, settle, wait_until
from qt_pictures import pixels

ROOT = Path(__file__).parents[2]
PICTURE_FILE = ROOT / "fixtures" / "winemine-beginner-running.png"


class FakeProcess(QObject):
    """Notes what it is told."""

    said, noted, ended = Signal(str), Signal(str), Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.started: list[list[str]] = []
        self.orders: list[str] = []
        self.closed = 0
        self.running = False

    def start(self, arguments: Sequence[str]) -> None:
        self.started.append(list(arguments))
        self.running = True

    def order(self, line: str) -> None:
        self.orders.append(line)

    def stop(self) -> None:
        self.order("stop")

    def close(self) -> None:
        self.closed += 1

    def kill(self) -> None:
        self.closed += 1
        if self.running:
            self.end(None)

    def tell(self, event: str, **facts: Any) -> None:
        self.said.emit(json.dumps({"event": event, **facts}))

    def end(self, code: int | None, *words: str) -> None:
        for line in words:
            self.noted.emit(line)
        self.running = False
        self.ended.emit(code)


def board(words: str, x: int = 0, picture: bytes | None = None) -> str:
    """Return the line that tells of a board."""
    seen = b64encode(picture or PICTURE_FILE.read_bytes()).decode()
    return json.dumps(
        {"label": "WineMine", "words": words, "x": x, "y": 0, "width": 20, "height": 10, "picture": seen}
    )


class Driven:
    """A panel and the fake processes that it has in hand."""

    def __init__(self, folder: Path) -> None:
        application()
        processes = [FakeProcess() for _ in range(3)]
        self.process, self.looker, self.tool = processes
        self.panel = Panel(SavedPanel(folder), lambda: processes.pop(0))  # type: ignore[arg-type,return-value]
        self.panel.show()
        self.panel.activateWindow()
        settle()

    def press(self, button: QAbstractButton) -> None:
        assert button.isEnabled()
        button.setFocus()  # a page scrolls to it
        QTest.mouseClick(button, Qt.MouseButton.LeftButton, pos=QPoint(9, button.height() // 2))

    def type(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Type a key into what has the focus."""
        settle()
        if QApplication.activeModalWidget() is None:
            self.panel.activateWindow()  # as a window manager does once a menu or dialog is closed
            settle()
        QTest.keyClick(QApplication.focusWidget() or self.panel, key, modifier)
        settle()

    def see(self, *lines: str) -> None:
        """Let the panel look, and find the boards in ``lines``."""
        if not self.looker.running:
            self.panel.look()
        for line in lines:
            self.looker.said.emit(line)
        self.looker.end(0 if lines else 3)

    def choose(self, name: str, value: object) -> None:
        field = self.panel.fields.fields[name]
        assert isinstance(field, QComboBox)
        field.setCurrentIndex(field.findData(value))

    def enabled(self) -> str:
        """Return the first letters of the buttons that can be pressed."""
        buttons = (self.panel.start, self.panel.pause, self.panel.step, self.panel.stop)
        return "".join(button.text().replace("&", "")[0] for button in buttons if button.isEnabled())

    @property
    def told(self) -> str:
        return self.panel.details.toPlainText()


@pytest.fixture
def open_panel(tmp_path: Path) -> Iterator[Callable[[], Driven]]:
    opened = list[Driven]()

    def show() -> Driven:
        opened.append(Driven(tmp_path))
        return opened[-1]

    yield show
    for driven in opened:
        driven.panel.close()
        driven.panel.deleteLater()
    settle()


@pytest.fixture
def driven(open_panel: Callable[[], Driven]) -> Driven:
    return open_panel()


def test_titles_of_other_windows_are_shown_as_they_are(driven: Driven) -> None:
    title = "'<h1><img src=/tmp/x.png>'"
    driven.press(driven.panel.start)
    driven.process.tell("paused", words=f"paused: another window has the keyboard, {title}")
    assert title in driven.told
    driven.process.end(0)
    driven.see(board(title))
    assert title in driven.panel.board.caption.text()
    for label in (driven.panel.heading, driven.panel.board.caption):
        assert label.textFormat() is Qt.TextFormat.PlainText


def test_a_run_from_start_to_stop(driven: Driven) -> None:
    panel, process = driven.panel, driven.process
    assert driven.enabled() == "SO"
    driven.press(panel.start)
    (command,) = process.started
    assert command[:2] == ["play", "--control"]
    assert not {"--dry-run", "--at", "--record"} & set(command)
    assert panel.heading.text() == "Starting"
    process.tell("started", target="winemine")
    process.tell("round", game=1, round=2, words="Row 3, column 5 is safe: it is.")
    assert panel.heading.text() == "Playing game 1"
    assert driven.told.splitlines()[0] == "Row 3, column 5 is safe: it is."
    assert driven.enabled() == "POS"
    driven.press(panel.pause)
    assert process.orders == ["pause"]
    process.tell("paused", words="paused: the mouse was moved by hand")
    assert driven.told.startswith("The mouse was moved by hand.\n")
    assert driven.enabled() == "GOS"
    driven.press(panel.pause)
    assert panel.run.status is Status.RESUMING
    process.tell("playing", words="")
    driven.press(panel.step)
    process.tell("paused", words="")
    driven.press(panel.step)
    process.tell("game", outcome="won", bbbv_per_second=3.25)
    assert "Won 1 (100%), lost 0. 3BV/s 3.2, mean 3.2" in driven.told
    driven.press(panel.stop)
    assert process.orders == ["pause", "go", "step", "step", "stop"]
    assert driven.enabled() == ""
    process.end(4, "minebot: stopped: by an order")
    assert (panel.heading.text(), driven.told.splitlines()[0]) == ("Stopped", "By an order.")
    assert driven.enabled() == "SO"
    assert "Won 1" in driven.told  # it stays until the next start


def test_the_buttons_stay_where_they_are(driven: Driven) -> None:
    """Start and Stop have one place, whatever is said, asked or chosen."""
    panel, process, places = driven.panel, driven.process, list[list[QRect]]()

    def note() -> None:
        settle()
        buttons = (panel.start, panel.pause, panel.step, panel.stop)
        places.append([QRect(button.mapTo(panel, QPoint(0, 0)), button.size()) for button in buttons])
        places[-1].append(panel.geometry())

    note()
    driven.see(board("9 x 9"), board("16 x 30", 40))
    note()
    driven.press(panel.start)
    note()
    process.tell("started", target="winemine")
    process.tell("round", game=1, round=1, words="A sentence of many words. " * 30)
    note()
    process.tell("question", words="May minebot click what may be a button? " * 10)
    note()
    process.tell("paused", words="paused: the mouse was moved by hand")
    note()
    process.end(1, f"minebot: {'all went wrong, ' * 40}")
    note()
    for tab in (1, 0):
        panel.tabs.setCurrentIndex(tab)
        note()
    driven.press(panel.fields.show)
    note()
    assert all(place == places[0] for place in places)
    assert panel.start.mapTo(panel, QPoint(0, 0)).y() < 100


def test_what_was_wrong_is_shown_in_full(driven: Driven) -> None:
    driven.press(driven.panel.start)
    line = "another minebot (process 7) plays on the display :5 already: stop it first"
    driven.process.end(1, f"minebot: {line}")
    assert driven.panel.heading.text() == "That did not work"
    assert driven.told == f"A{line[1:]}."
    driven.press(driven.panel.start)
    assert line[1:] not in driven.told


def test_the_board_that_is_meant_is_shown_and_another_one_can_be_chosen(driven: Driven) -> None:
    panel, choice = driven.panel, driven.panel.board
    assert driven.looker.started == [["play", "--boards", "--target", "auto", "--stop-key", "esc"]]
    driven.looker.noted.emit("minebot: no Minesweeper is on the screen")
    driven.see()
    assert choice.caption.text() == "No Minesweeper is on the screen."
    driven.see(board("9 x 9 at (0, 0)"))
    assert choice.caption.text() == "WineMine\n9 x 9 at (0, 0)"
    assert not choice.picture.pixmap().isNull()
    assert choice.picture.pixmap().height() <= choice.picture.height()
    assert choice.at == ""  # minebot finds the only one by itself, also after it has moved
    driven.see(board("9 x 9"), board("16 & 30", 40))
    assert choice.at == "10,5"
    choice._fill_menu()
    texts = [action.text() for action in choice.choose.menu().actions()]
    assert texts == ["&1  9 x 9", "&2  16 && 30", "", "&Point at it on the screen", "&Look again"]
    choice.choose.menu().actions()[1].trigger()
    assert choice.at == "50,5"
    driven.see(board("4 x 4", 90), board("16 & 30", 40))
    assert choice.caption.text() == "WineMine\n16 & 30"  # as chosen
    driven.press(panel.start)
    command = driven.process.started[0]
    assert command[command.index("--at") + 1] == "50,5"


@pytest.mark.parametrize("name", ["winemine-beginner-fresh", "winemine-beginner-won"])
def test_the_picture_is_not_taken_for_a_board(driven: Driven, name: str) -> None:
    """Neither by the next look nor by play: minebot would click on its own panel."""
    whole = load_picture(ROOT / "fixtures" / f"{name}.png")
    (reading,) = read_picture(whole, load_skins())
    box = reading.grid.rect
    seen = png_of(whole[box.y : box.bottom, box.x : box.right])
    driven.see(board("9 x 9", picture=seen))
    settle()
    shown = pixels(driven.panel.grab().toImage())
    assert driven.panel.board.picture.pixmap().height() > 100
    assert read_picture(shown, load_skins(), True, every=True) == []


def test_a_board_is_pointed_at(driven: Driven) -> None:
    choice = driven.panel.board
    driven.see(board("9 x 9"))
    choice._fill_menu()
    choice.choose.menu().actions()[2].trigger()
    assert driven.looker.started[-1][-1] == "--pick"
    driven.looker.noted.emit("click on the board; Esc ends this")
    assert choice.caption.text() == "Click on the board; Esc ends this."
    driven.looker.end(4, "minebot: stopped: Esc was pressed")
    assert choice.caption.text() == "WineMine\n9 x 9"
    driven.panel.look()
    driven.panel.look(pick=True)  # instead of the look that goes on
    assert driven.looker.started[-1][-1] == "--pick"
    driven.looker.end(4, "minebot: stopped: Esc was pressed")
    assert choice.caption.text() == "WineMine\n9 x 9"
    driven.panel.look()
    driven.looker.end(4, "minebot: stopped: Esc was pressed")  # that was meant for a run
    assert choice.caption.text() == "WineMine\n9 x 9"
    driven.panel.look(pick=True)
    driven.looker.end(3, "minebot: no board that can be seen as a whole is at this place")
    assert choice.caption.text() == "No board that can be seen as a whole is at this place."
    driven.panel.look(pick=True)
    driven.looker.said.emit(board("16 x 30", 40))
    driven.looker.end(0)
    assert (choice.at, choice.caption.text()) == ("50,5", "WineMine\n16 x 30")
    looks = len(driven.looker.started)
    driven.panel.look(pick=True)
    driven.press(driven.panel.start)
    assert not driven.looker.running  # it holds the mouse pointer
    looks += 1
    assert "50,5" in driven.process.started[0]
    driven.panel.look()
    driven.process.end(0)
    assert len(driven.looker.started) == looks  # what was pointed at stays


def test_our_game_is_opened(driven: Driven, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = list[str]()
    monkeypatch.setattr("bot.ui.panel.start_minebot", opened.append)
    driven.press(driven.panel.board.own_game)
    assert opened == ["game"]

    def fail(_command: str) -> None:
        raise OSError(errno.ENOMEM, "no memory is left")

    monkeypatch.setattr("bot.ui.panel.start_minebot", fail)
    driven.press(driven.panel.board.own_game)
    assert driven.told == "The game cannot be opened: no memory is left."


def test_the_speed_and_the_layers_are_changed_while_it_runs(driven: Driven) -> None:
    panel, fields = driven.panel, driven.panel.fields
    driven.press(panel.start)
    driven.choose("speed", "20")
    assert driven.process.orders == ["speed 20"]
    assert not fields.fields["strategy"].isEnabled()
    assert not fields.games.isEnabled()
    driven.process.end(0)
    assert fields.fields["strategy"].isEnabled()
    fields.show.setChecked(True)
    assert not fields.fields["speed"].isEnabled()
    driven.press(panel.start)
    assert "--dry-run" in driven.process.started[-1]
    panel.tabs.setCurrentIndex(1)
    driven.press(fields.layers["mines"])
    driven.press(fields.layers["mines"])
    assert driven.process.orders[1:] == [
        "layers safe,next,order,risk,words",
        "layers safe,mines,next,order,risk,words",
    ]


def test_a_dry_run_without_any_layer(driven: Driven) -> None:
    fields = driven.panel.fields
    driven.press(fields.show)
    for box in fields.layers.values():
        box.setChecked(False)
    driven.press(driven.panel.start)
    assert "--layers" not in driven.process.started[0]
    assert driven.process.orders == ["layers"]


def test_a_run_is_recorded_and_its_report_shown(driven: Driven, tmp_path: Path) -> None:
    panel = driven.panel
    assert not panel.report.isEnabled()
    _put_true(panel.fields.fields["record"])
    driven.press(panel.start)
    command = driven.process.started[0]
    folder = Path(command[command.index("--record") + 1])
    assert folder.parent == tmp_path / RECORDS
    (folder.parent / "2020-01-01-000000").mkdir(parents=True)
    folder.mkdir()
    driven.process.end(0)
    panel.tabs.setCurrentIndex(1)
    driven.press(panel.report)
    assert driven.tool.started == [["replay", str(folder)]]
    assert not panel.report.isEnabled()
    driven.tool.end(0)
    assert not panel.findChildren(QTextBrowser)  # the browser shows it
    driven.press(panel.report)
    driven.tool.end(1, "minebot: the record is damaged")
    assert panel.findChildren(QTextBrowser)[0].toPlainText() == "minebot: the record is damaged"


def _put_true(field: QWidget) -> None:
    assert isinstance(field, QAbstractButton)
    field.setChecked(True)


def test_doctor_and_help_are_shown(driven: Driven) -> None:
    panel = driven.panel
    panel.tabs.setCurrentIndex(1)
    driven.press(panel.doctor)
    assert driven.tool.started == [["doctor"]]
    driven.tool.said.emit("ok  mouse  <b>")
    driven.tool.end(1)
    [shown] = panel.findChildren(QTextBrowser)
    assert shown.toPlainText() == "ok  mouse  <b>"
    driven.type(Qt.Key.Key_Escape)
    assert not panel.findChildren(QTextBrowser)
    panel.tabs.setCurrentIndex(0)
    driven.type(Qt.Key.Key_F1)
    [shown] = panel.findChildren(QTextBrowser)
    assert "Move the mouse to pause it; Esc stops it." in shown.toPlainText()
    assert "3BV/s" in shown.toPlainText()
    assert shown.window().height() <= panel.height()


# By keyboard alone

ALT = Qt.KeyboardModifier.AltModifier


def test_start_pause_and_stop_by_keyboard(driven: Driven) -> None:
    panel, process = driven.panel, driven.process
    driven.type(Qt.Key.Key_Escape)
    assert panel.isVisible()  # there is nothing to stop, and nothing is closed
    driven.type(Qt.Key.Key_Return)
    assert len(process.started) == 1
    process.tell("started", target="winemine")
    driven.type(Qt.Key.Key_Space)
    assert process.orders == ["pause"]  # the focus has gone to the next button
    process.tell("paused", words="")
    driven.type(Qt.Key.Key_G, ALT)  # the button is down for a moment
    wait_until(lambda: process.orders == ["pause", "go"])
    driven.type(Qt.Key.Key_Escape)
    assert process.orders == ["pause", "go", "stop"]
    process.end(4, "minebot: stopped: by an order")
    driven.type(Qt.Key.Key_W, ALT)
    wait_until(panel.fields.show.isChecked)
    driven.type(Qt.Key.Key_S, ALT)
    wait_until(lambda: len(process.started) == 2)
    assert "--dry-run" in process.started[1]
    driven.type(Qt.Key.Key_T, ALT)
    wait_until(lambda: process.orders[-1] == "stop")


def test_a_board_is_chosen_by_keyboard(driven: Driven) -> None:
    driven.see(board("9 x 9"), board("16 x 30", 40))
    menu, waiting = driven.panel.board.choose.menu(), list[Qt.Key]()

    def type_them() -> None:
        while waiting:
            QTest.keyClick(menu, waiting.pop(0))

    menu.aboutToShow.connect(lambda: QTimer.singleShot(0, type_them))

    def choose(*keys: Qt.Key) -> None:
        waiting.extend(keys)

        def opened() -> bool:  # a button takes no key for a moment after another one
            driven.type(Qt.Key.Key_C, ALT)
            return not waiting

        wait_until(opened)
        wait_until(lambda: not menu.isVisible())

    choose(Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return)
    assert driven.panel.board.at == "50,5"
    choose(Qt.Key.Key_1)
    assert driven.panel.board.at == "10,5"
    choose(Qt.Key.Key_P)
    assert driven.looker.started[-1][-1] == "--pick"


def operable(panel: Panel) -> list[QWidget]:
    """Return all widgets that a person operates: those that take the focus."""
    kinds = (QAbstractButton, QComboBox, QAbstractSpinBox, QPlainTextEdit, QTabBar)
    found = [
        widget for kind in kinds for widget in panel.findChildren(kind) if "qt_" not in widget.objectName()
    ]
    return [one for one in found if one.focusPolicy() != Qt.FocusPolicy.NoFocus]


def test_tab_reaches_all_that_can_be_used(driven: Driven) -> None:
    panel = driven.panel
    _put_true(panel.fields.show)
    reached = set[QWidget]()
    for tab in (0, 1):
        panel.tabs.setCurrentIndex(tab)
        for _ in range(60):
            driven.type(Qt.Key.Key_Tab)
            focus = QApplication.focusWidget()
            assert focus is not None
            reached.add(focus)
            page = next((area for area in panel.findChildren(QScrollArea) if area.isAncestorOf(focus)), None)
            if page is not None:  # it has scrolled there
                assert (
                    page.viewport()
                    .rect()
                    .intersects(QRect(focus.mapTo(page.viewport(), QPoint(0, 0)), focus.size()))
                )
    missing = {one for one in operable(panel) if one.isEnabled() and one not in reached}
    ways = {panel.fields.play, panel.fields.show}  # an arrow key goes from one to the other
    assert missing - ways == {panel.yes, panel.no}  # these are not shown now
    assert len(missing & ways) <= 1
    panel.fields.show.setFocus()
    driven.type(Qt.Key.Key_Left)
    assert panel.fields.play.isChecked()


def test_all_that_can_be_used_has_a_name_for_screen_readers(driven: Driven) -> None:
    panel = driven.panel
    widgets = operable(panel)
    assert len(widgets) > 25
    for widget in (*widgets, panel.board.picture):
        interface = QAccessible.queryAccessibleInterface(widget)
        if not isinstance(widget, QTabBar):
            assert interface.text(QAccessible.Text.Name).strip(), widget
    assert "3BV/s" in QAccessible.queryAccessibleInterface(panel.details).text(QAccessible.Text.Description)


def test_no_letter_means_two_things(driven: Driven) -> None:
    panel = driven.panel
    for tab in (0, 1):
        panel.tabs.setCurrentIndex(tab)
        panel.ask.show()
        settle()
        named: list[QAbstractButton | QLabel] = [
            *panel.findChildren(QAbstractButton),
            *panel.findChildren(QLabel),
        ]
        texts = [one.text() for one in named if "&" in one.text() and one.isVisible()]
        texts += [panel.tabs.tabText(0), panel.tabs.tabText(1), "&Go on"]
        letters = [text[text.index("&") + 1].lower() for text in texts]
        assert len(letters) == len(set(letters)) >= 13


SIZES = """
import json, sys
from PySide6.QtWidgets import QApplication
application = QApplication([])
application.setStyle("Fusion")
from bot.ui.panel import Panel
from bot.ui.panel_run import Process, SavedPanel
from pathlib import Path
Panel.look = lambda *_: None
panel = Panel(SavedPanel(Path(sys.argv[1])), Process)
panel.show()
sizes = {"font": panel.fontMetrics().height(), "panel": [panel.width(), panel.height()], "seen": []}
for tab in (0, 1):
    panel.tabs.setCurrentIndex(tab)
    for _ in range(5):
        application.processEvents()
    area = panel.tabs.currentWidget()
    page, bar = area.widget(), area.verticalScrollBar()
    sizes["seen"].append([page.width() <= area.viewport().width(), bar.maximum(), page.height()])
print(json.dumps(sizes))
"""


@pytest.mark.parametrize("percent", [100, 150, 200])
def test_it_fits_a_small_screen_at_any_scale(percent: int, tmp_path: Path) -> None:
    """The screen has 600 pixels or more; what does not fit is reached by a scroll bar."""
    settings = {**os.environ, "QT_FONT_DPI": str(96 * percent // 100), "PYTHONPATH": str(ROOT)}
    settings |= {"QT_ENABLE_HIGHDPI_SCALING": "0", "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", SIZES, str(tmp_path)]
    done = subprocess.run(command, env=settings, capture_output=True, text=True, check=True)
    sizes = json.loads(done.stdout)
    assert sizes["font"] >= 14 * percent // 100
    width, height = sizes["panel"]
    assert height <= TALLEST == 600
    assert width <= 1366
    board_page, more_page = sizes["seen"]
    assert (board_page[0], more_page[0]) == (True, True)  # nothing is cut off at the side
    assert percent > 150 or board_page[1] == 0  # all of it is seen at once


def test_what_was_chosen_is_there_again(open_panel: Callable[[], Driven], tmp_path: Path) -> None:
    first = open_panel()
    fields = first.panel.fields
    first.choose("target", "builtin")
    for name, text in (("level", "16x30/99"), ("stop_key", "f12")):
        field = fields.fields[name]
        assert isinstance(field, QComboBox)
        field.setEditText(text)
    fields.games.setValue(3)
    _put_true(fields.fields["record"])
    fields.layers["risk"].setChecked(False)
    chosen = fields.choices
    first.panel.close()
    assert (first.process.closed, first.looker.closed, first.tool.closed) == (1, 1, 1)
    again = open_panel().panel.fields.choices
    assert (again.target, again.level, again.stop_key, again.games) == ("builtin", "16x30/99", "f12", 3)
    assert (again.layers, again.record) == (chosen.layers, True)
    (tmp_path / FILE).write_text("{")
    damaged = open_panel()
    assert "it was renamed to panel.damaged.json" in damaged.told
    assert damaged.panel.fields.choices.target == "auto"


def test_a_choice_that_is_not_offered_any_more_resets_no_other(
    open_panel: Callable[[], Driven], tmp_path: Path
) -> None:
    kept = {"version": 1, "target": "chess", "strategy": "luck", "layers": ["safe", "clouds"], "games": 7}
    (tmp_path / FILE).write_text(json.dumps(kept))
    choices = open_panel().panel.fields.choices
    assert (choices.target, choices.layers, choices.games) == ("auto", ("safe",), 7)
    assert choices.strategy in STRATEGIES


def test_it_stays_on_top_where_that_is_chosen(driven: Driven) -> None:
    panel = driven.panel
    on_top = panel.fields.fields["on_top"]
    assert isinstance(on_top, QAbstractButton)
    on_top.setChecked(True)
    assert panel.isVisible()
    assert panel.windowFlags() & Qt.WindowType.WindowStaysOnTopHint
    on_top.setChecked(False)
    assert not panel.windowFlags() & Qt.WindowType.WindowStaysOnTopHint


# A run that the panel leads: its command, its process, how it stands by what that says, and what is kept

PICTURE, RECORD = Path("shown.png"), Path("recorded")
ALL = RunChoices(
    target="builtin",
    level="16x30/99",
    speed="20",
    strategy="fast",
    flags="chord",
    guess=False,
    games=7,
    layers=("safe",),
    stop_key="f12",
    on_top=True,
    place=(3, 4),
)
SHORT, LONG = 20, int(1000 * PATIENCE)  # milliseconds


def test_what_is_offered_can_be_chosen() -> None:
    for speed in SPEEDS:
        parse_speed(speed)
    for key in STOP_KEYS:
        parse_stop_key(key)
    for name in targets("linux"):
        assert name == "auto" or find_target(name)
    assert set(LAUNCHED) < set(targets("linux"))
    assert "winemine" not in targets("win32")


@pytest.mark.parametrize(
    "choices",
    [
        RunChoices(),
        ALL,
        RunChoices(show=True),
        replace(ALL, show=True, layers=()),
        replace(ALL, target="winmine", record=True),
    ],
)
@pytest.mark.parametrize("at", ["", "-3,40"])
def test_the_command_is_one_that_minebot_knows(choices: RunChoices, at: str) -> None:
    name, *arguments = choices.command(PICTURE, RECORD, at)
    options = command_named(name).make_context("play", list(arguments)).params
    assert options["control"]
    assert options["target"] == choices.target
    assert options["dry_run"] is choices.show
    assert options["launch"] is (choices.target in LAUNCHED and not at)
    assert (options["at"] or "", options["record"]) == (at, str(RECORD) if choices.record else None)
    assert options["level"] == (choices.level or None)
    assert options["stop_key"] == choices.stop_key
    assert options["guess"] is choices.guess
    if choices.show:
        assert Path(options["overlay"]) == PICTURE
    else:
        assert (options["games"], options["speed"]) == (choices.games, choices.speed)
        assert options["flags"] == choices.flags


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("strategy", ["best"]),
        ("games", True),
        ("guess", 1),
        ("layers", "safe"),
        ("place", [1]),
        ("place", [1, 2.5]),
        ("place", [1, 1 << 40]),
        ("level", None),
    ],
)
def test_a_damaged_file_is_put_aside(tmp_path: Path, name: str, value: Any) -> None:
    kept = SavedPanel(tmp_path)
    (tmp_path / FILE).write_text(json.dumps({"version": 1, name: value}))
    with pytest.raises(SettingsError, match=f"{name}.*: it was renamed to panel.damaged.json"):
        kept.read()
    assert kept.read() is None


# What the process says

STARTED = {"event": "started", "target": "winemine", "stop_key": "Esc"}
ROUND = {"event": "round", "game": 2, "round": 5, "words": "Row 1, column 2 is safe: it is."}
PAUSED = {"event": "paused", "words": "paused: the mouse was moved by hand"}


def heard(*events: dict[str, Any], status: Status = Status.STARTING, show: bool = False) -> RunStatus:
    run = RunStatus(status, show)
    for event in events:
        run.hear(json.dumps(event))
    return run


def game(outcome: str, speed: float | None = None) -> dict[str, Any]:
    return {"event": "game", "outcome": outcome, "bbbv_per_second": speed}


def test_how_a_run_stands() -> None:
    run = heard(STARTED)
    assert (run.heading, run.details) == ("Looking at the game", "")
    games = game("won", 2.0), game("lost"), game("won", 5.0), game("stuck"), game("unknown"), game("won")
    run = heard(STARTED, *games, ROUND)
    assert (run.heading, run.game, run.round) == ("Playing game 2", 2, 5)
    # The last game was paused.
    score = "Won 3 (60%), lost 1, 1 stuck, 1 unknown. 3BV/s -, mean 3.5, best 5.0."
    assert run.details == f"Row 1, column 2 is safe: it is.\n{score}"
    run.end(0)
    assert (run.heading, run.busy, run.details) == ("Done", False, score)


def test_a_pause_says_why() -> None:
    run = heard(STARTED, ROUND, PAUSED)
    assert (run.status, run.heading) == (Status.PAUSED, "Paused")
    assert run.why == "The mouse was moved by hand."
    run.status = Status.RESUMING
    assert run.heading == "Continuing as soon as the mouse is still"
    run.hear('{"event": "playing", "words": ""}')
    assert (run.status, run.why) == (Status.RUNNING, "")
    assert heard(STARTED, {"event": "paused", "words": ""}).why == ""
    assert heard(PAUSED, status=Status.STOPPING).heading == "Stopping"


def test_a_dry_run_gives_hints() -> None:
    run = heard(STARTED, {"event": "position", "hint": {"words": "This cell is safe."}}, show=True)
    assert (run.heading, run.details) == ("Watching: the mouse is yours", "This cell is safe.")
    run.hear('{"event": "position", "hint": null}')
    assert run.details == ""


@pytest.mark.parametrize(
    ("code", "line", "failed", "why"),
    [
        (4, "minebot: stopped: Esc was pressed", False, "Esc was pressed."),
        (4, "", False, ""),
        (2, "minebot: --level 9: no level", True, "--level 9: no level."),
        (3, "minebot: no board: open it", True, "No board: open it."),
        (None, "", True, "It crashed without a message."),
        (-9, "", True, "It ended with exit code -9 without a message."),
    ],
)
def test_how_a_run_ended(code: int | None, line: str, failed: bool, why: str) -> None:
    run = heard(STARTED)
    run.note("starting WineMine")
    run.note(line)
    run.end(code)
    assert (run.heading, run.failed) == ("That did not work" if failed else "Stopped", failed)
    assert run.why.startswith(why)
    assert bool(run.why) == bool(why)
    assert run.notes == ["starting WineMine"]


@pytest.mark.parametrize(("code", "heading"), [(None, "Ended by force"), (0, "Stopped")])
def test_how_a_run_ended_that_was_to_stop(code: int | None, heading: str) -> None:
    run = heard(STARTED, status=Status.STOPPING)
    run.end(code)
    assert (run.heading, run.failed) == (heading, False)


def test_a_question_is_answered_in_the_panel(driven: Driven) -> None:
    panel, process = driven.panel, driven.process
    driven.press(panel.start)
    process.tell("started", target="unknown")
    for button, answer in ((panel.yes, "yes"), (panel.no, "no")):
        assert not panel.ask.isVisible()
        process.tell("question", words="may it <b>click</b> there?")
        assert panel.ask.isVisible()
        assert driven.told.startswith("may it <b>click</b> there?\n")
        driven.press(button)
        assert process.orders[-1] == f"buttons {answer}"
        process.tell("buttons", words=answer)
    process.tell("question", words="may it?")
    process.end(4)
    assert not panel.ask.isVisible()


def test_a_line_that_tells_no_board_is_left_out() -> None:
    for line in ("hello", "3", "[1]", '{"label": 3}', "[" * 100_000):
        assert SeenBoard.of(line) is None
    hidden = {"label": "WineMine", "words": "", **dict.fromkeys(("x", "y", "width", "height", "picture"))}
    seen = SeenBoard.of(json.dumps(hidden))
    assert seen is not None
    assert (seen.place, seen.png) == ("", b"")


def test_what_is_no_event_is_a_note() -> None:
    run = RunStatus(Status.STARTING)
    for line in ("hello", "3", "[1]", '{"event": "later", "x": 1}', '{"other": 2}', " "):
        run.hear(line)
    run.hear('{"event": "refused", "words": "no such order"}')
    assert run.notes == ["hello", "3", "[1]", "no such order"]
    for number in range(100):
        run.note(f"line {number}")
    assert len(run.notes) == 50


# The process


def test_a_real_process_is_heard_and_stopped() -> None:
    application()
    process, heard, ended = Process(), list[str](), list[object]()
    process.said.connect(heard.append)
    process.noted.connect(heard.append)
    process.ended.connect(ended.append)
    process.start(["play", "--flags", "some"])
    wait_until(lambda: bool(ended))
    assert (ended, heard) == ([2], ["minebot: --flags some: choose one of none, all, chord"])
    process.close()  # nothing is left to be ended


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("end", [Process.stop, Process.close])
def test_a_run_that_heeds_no_orders_is_ended_by_force(
    end: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is asked by the system first, at every run anew; another program stands for minebot here."""
    application()
    monkeypatch.setattr("bot.ui.panel_run.PATIENCE", SHORT)
    program = tmp_path / "other.py"
    monkeypatch.setattr(panel_run, "minebot_command", lambda *_: [sys.executable, str(program)])
    process, said, ended = Process(), list[str](), list[object]()
    process.said.connect(said.append)
    process.ended.connect(ended.append)
    for at_end, word in (("signal.SIG_IGN", SHORT), ("lambda *_: sys.exit(7)", LONG)):
        monkeypatch.setattr("bot.ui.panel_run.END_PATIENCE", word)
        program.write_text(
            f"import signal, sys, time\nsignal.signal(signal.SIGTERM, {at_end})\n"
            f"print('there', flush=True)\ntime.sleep({PATIENCE})\n"
        )
        said.clear()
        process.start([])
        wait_until(lambda: said == ["there"])
        end(process)
        wait_until(lambda: not process.running)
    assert ended == [None, 7]
