"""The panel, with a process that only notes what it is told; a run that it leads: its command and process."""

from __future__ import annotations

import errno
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip(
    "PySide6.QtWidgets", reason="install PySide6-Essentials and its libraries", exc_type=ImportError
)

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QMessageBox

from bot.cli.commands import command_named
from bot.clicker.pace import parse_speed
from bot.errors import SettingsError
from bot.targets.catalogue import find_target, parse_stop_key
from bot.ui import panel_run
from bot.ui.panel import Panel
from bot.ui.panel_run import (
    FILE,
    LAUNCHED,
    SPEEDS,
    STOP_KEYS,
    Process,
    RunChoices,
    RunStatus,
    SavedPanel,
    Status,
    targets,
)
from conftest import PATIENCE
from drawn_game import application, settle, wait_until


class FakeProcess(QObject):
    """Notes what it is told."""

    said, noted, ended = Signal(str), Signal(str), Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.started: list[list[str]] = []
        self.orders: list[str] = []
        self.closed = 0

    def start(self, arguments: Sequence[str]) -> None:
        self.started.append(list(arguments))

    def order(self, line: str) -> None:
        self.orders.append(line)

    def stop(self) -> None:
        self.order("stop")

    def close(self) -> None:
        self.closed += 1

    def tell(self, event: str, **facts: Any) -> None:
        self.said.emit(json.dumps({"event": event, **facts}))


class Driven:
    """A panel and the fake process that it has in hand."""

    def __init__(self, folder: Path) -> None:
        application()
        self.process = FakeProcess()
        self.panel = Panel(SavedPanel(folder), self.process)  # type: ignore[arg-type]
        self.panel.show()
        settle()

    def press(self, button: QAbstractButton) -> None:
        assert button.isEnabled()
        QTest.mouseClick(button, Qt.MouseButton.LeftButton, pos=QPoint(9, button.height() // 2))

    def enabled(self) -> str:
        """Return the first letters of the buttons that can be pressed."""
        buttons = (self.panel.start, self.panel.pause, self.panel.step, self.panel.stop)
        return "".join(button.text().replace("&", "")[0] for button in buttons if button.isEnabled())


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
    panel, process = driven.panel, driven.process
    driven.press(panel.start)
    process.tell("paused", words="paused: another window has the keyboard, '<h1><img src=/tmp/x.png>'")
    assert panel.heading.text().endswith("'<h1><img src=/tmp/x.png>'")
    for label in (panel.heading, panel.question, panel.reason, panel.words, panel.score, panel.hint):
        assert label.textFormat() is Qt.TextFormat.PlainText


def test_a_run_from_start_to_stop(driven: Driven) -> None:
    panel, process = driven.panel, driven.process
    assert driven.enabled() == "SO"
    driven.press(panel.start)
    assert process.started == [RunChoices().command(panel._kept.picture)]
    assert panel.heading.text() == "Starting"
    process.tell("started", target="winemine")
    process.tell("round", game=1, round=2, reason="counting, safe")
    assert panel.heading.text() == "Playing game 1"
    assert panel.reason.text() == "game 1, round 2: counting, safe"
    assert driven.enabled() == "POS"
    driven.press(panel.pause)
    assert process.orders == ["pause"]
    process.tell("paused", words="")
    assert driven.enabled() == "GOS"
    driven.press(panel.pause)
    assert panel.run.status is Status.RESUMING
    process.tell("playing", words="")
    driven.press(panel.step)
    process.tell("paused", words="")
    driven.press(panel.step)
    process.tell("game", outcome="won", bbbv_per_second=3.25)
    assert "Won 1 (100%), lost 0\n3BV/s 3.2, mean 3.2" in panel.score.text()
    driven.press(panel.stop)
    assert process.orders == ["pause", "go", "step", "step", "stop"]
    assert driven.enabled() == ""
    process.noted.emit("minebot: stopped: by an order")
    process.ended.emit(4)
    assert panel.heading.text() == "Stopped: by an order"
    assert driven.enabled() == "SO"
    assert panel.score.text().startswith("Won 1")  # it stays until the next start


def test_what_was_wrong_is_shown_in_full(driven: Driven) -> None:
    driven.press(driven.panel.start)
    line = "another minebot (process 7) plays on the display :5 already: stop it first"
    driven.process.noted.emit(f"minebot: {line}")
    driven.process.ended.emit(1)
    words = driven.panel.words
    assert words.text() == f"A{line[1:]}."
    assert words.isVisible()
    assert words.height() >= words.heightForWidth(words.width())
    driven.press(driven.panel.start)
    assert not words.isVisible()


def test_it_offers_what_can_be_done_while_nothing_is_played(
    driven: Driven, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, opened = driven.panel, list[str]()
    monkeypatch.setattr("bot.ui.panel.start_minebot", opened.append)
    assert panel.offers.isVisible()
    assert not panel.windowIcon().isNull()
    driven.press(panel.game_button)
    assert opened == ["game"]
    assert panel.heading.text() == "The game opens: play it, or let minebot play it"
    panel.fields.stop_key.setCurrentText("f12")
    driven.press(panel.help_button)
    settle()
    [box] = panel.findChildren(QMessageBox)
    assert "<li>Move the mouse to pause it; F12 stops it.</li>" in box.text()
    assert "<code>minebot doctor</code> in a terminal;" in box.text()
    box.close()
    panel.fields.show_.setChecked(True)
    panel.fields.target.setCurrentIndex(2)
    panel.fields.level.setCurrentText("expert")
    driven.press(panel.play_button)
    [command] = driven.process.started
    assert command[command.index("--target") + 1] == "auto"
    assert not {"--dry-run", "--level"} & set(command)
    assert not panel.offers.isVisible()
    driven.process.noted.emit("minebot: no Minesweeper is on the screen")
    driven.process.ended.emit(3)
    assert panel.offers.isVisible()
    assert panel.words.text() == "No Minesweeper is on the screen."


def test_that_our_game_cannot_be_opened_is_said(driven: Driven, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_command: str) -> None:
        raise OSError(errno.ENOMEM, "no memory is left")

    monkeypatch.setattr("bot.ui.panel.start_minebot", fail)
    driven.press(driven.panel.game_button)
    assert driven.panel.words.text() == "The game cannot be opened: no memory is left."


def test_the_speed_and_the_layers_are_changed_while_it_runs(driven: Driven) -> None:
    panel, fields = driven.panel, driven.panel.fields
    driven.press(panel.start)
    fields.speed.setCurrentIndex(fields.speed.findData("20"))
    fields.speed.activated.emit(0)
    assert driven.process.orders == ["speed 20"]
    assert not fields.strategy.isEnabled()
    assert not fields.games.isEnabled()
    driven.process.ended.emit(0)
    assert fields.strategy.isEnabled()
    fields.show_.setChecked(True)
    assert not fields.speed.isEnabled()
    driven.press(panel.start)
    driven.press(fields.layers["mines"])
    driven.press(fields.layers["mines"])
    assert driven.process.orders[1:] == [
        "layers safe,next,order,risk,words",
        "layers safe,mines,next,order,risk,words",
    ]


def test_a_dry_run_without_any_layer(driven: Driven) -> None:
    fields = driven.panel.fields
    driven.press(fields.show_)
    for box in fields.layers.values():
        driven.press(box)
    driven.press(driven.panel.start)
    assert "--layers" not in driven.process.started[0]
    assert driven.process.orders == ["layers"]


def test_it_can_be_used_without_a_mouse(driven: Driven) -> None:
    panel = driven.panel
    panel.activateWindow()
    alt = Qt.KeyboardModifier.AltModifier
    named: list[QAbstractButton | QLabel] = [
        *panel.findChildren(QAbstractButton),
        *panel.findChildren(QLabel),
    ]
    texts = [widget.text() for widget in named if "&" in widget.text()]
    letters = [text[text.index("&") + 1].lower() for text in texts]
    assert len(letters) == len(set(letters)) >= 15
    QTest.keyClick(panel, Qt.Key.Key_S, alt)
    wait_until(lambda: bool(driven.process.started))
    QTest.keyClick(panel, Qt.Key.Key_P, alt)
    wait_until(lambda: driven.process.orders == ["pause"])
    driven.process.tell("paused", words="")
    QTest.keyClick(panel, Qt.Key.Key_G, alt)
    wait_until(lambda: driven.process.orders == ["pause", "go"])


def test_what_was_chosen_is_there_again(open_panel: Callable[[], Driven], tmp_path: Path) -> None:
    first = open_panel()
    fields = first.panel.fields
    fields.target.setCurrentIndex(fields.target.findData("builtin"))
    fields.level.setCurrentText("16x30/99")
    fields.stop_key.setCurrentText("f12")
    fields.games.setValue(3)
    first.press(fields.guess)
    chosen = fields.choices
    first.panel.close()
    assert first.process.closed == 1
    again = open_panel().panel.fields.choices
    assert (again.target, again.level, again.stop_key, again.games, again.guess) == (
        "builtin",
        "16x30/99",
        "f12",
        3,
        False,
    )
    assert again.layers == chosen.layers
    (tmp_path / FILE).write_text("{")
    damaged = open_panel()
    assert "it was renamed to panel.damaged.json" in damaged.panel.words.text()
    assert damaged.panel.fields.choices.target == "auto"


def test_light_and_dark_and_on_top(driven: Driven) -> None:
    panel, combo = driven.panel, driven.panel.fields.colours
    lightness = {}
    for name in ("dark", "light", "desktop"):
        combo.setCurrentIndex(combo.findData(name))
        combo.activated.emit(0)
        settle()
        lightness[name] = panel.grab().toImage().pixelColor(3, 3).lightness()
    assert lightness["dark"] < 80 < 200 < lightness["light"]
    driven.press(panel.fields.on_top)
    assert panel.isVisible()
    assert panel.windowFlags() & Qt.WindowType.WindowStaysOnTopHint
    driven.press(panel.fields.on_top)
    assert not panel.windowFlags() & Qt.WindowType.WindowStaysOnTopHint


# A run that the panel leads: its command, its process, how it stands by what that says, and what is kept

PICTURE = Path("shown.png")
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
    colours="dark",
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
        replace(ALL, target="winmine"),
    ],
)
def test_the_command_is_one_that_minebot_knows(choices: RunChoices) -> None:
    name, *arguments = choices.command(PICTURE)
    options = command_named(name).make_context("play", list(arguments)).params
    assert options["control"]
    assert options["target"] == choices.target
    assert options["dry_run"] is choices.show
    assert options["launch"] is (choices.target in LAUNCHED)
    assert options["level"] == (choices.level or None)
    assert options["stop_key"] == choices.stop_key
    assert options["guess"] is choices.guess
    if choices.show:
        assert Path(options["picture"]) == PICTURE
    else:
        assert (options["games"], options["speed"]) == (choices.games, choices.speed)
        assert options["flags"] == choices.flags


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("target", "chess"),
        ("strategy", ["best"]),
        ("games", True),
        ("guess", 1),
        ("layers", ["safe", "clouds"]),
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
ROUND = {"event": "round", "game": 2, "round": 5, "reason": "counting, safe"}
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
    assert (run.heading, run.score) == ("Looking at the game", "Won 0, lost 0\n3BV/s -")
    games = game("won", 2.0), game("lost"), game("won", 5.0), game("stuck"), game("unknown"), game("won")
    run = heard(STARTED, *games, ROUND)
    assert (run.heading, run.reason) == ("Playing game 2", "game 2, round 5: counting, safe")
    # The last game was paused.
    assert run.score == "Won 3 (60%), lost 1, 1 stuck, 1 unknown\n3BV/s -, mean 3.5, best 5.0"
    run.end(0)
    assert (run.heading, run.busy, run.error) == ("Done", False, "")


def test_a_pause_says_why() -> None:
    run = heard(STARTED, ROUND, PAUSED)
    assert (run.status, run.heading) == (Status.PAUSED, "Paused: the mouse was moved by hand")
    run.status = Status.RESUMING
    assert run.heading == "Continuing as soon as the mouse is still"
    run.hear('{"event": "playing", "words": ""}')
    assert run.status is Status.RUNNING
    assert heard(STARTED, {"event": "paused", "words": ""}).heading == "Paused"
    assert heard(PAUSED, status=Status.STOPPING).heading == "Stopping"


def test_a_dry_run_gives_hints() -> None:
    run = heard(STARTED, {"event": "position", "hint": {"words": "This cell is safe."}}, show=True)
    assert (run.heading, run.reason) == ("Watching: the mouse is yours", "This cell is safe.")
    assert run.score == ""
    run.hear('{"event": "position", "hint": null}')
    assert run.reason == ""


@pytest.mark.parametrize(
    ("code", "line", "heading", "error"),
    [
        (4, "minebot: stopped: Esc was pressed", "Stopped: Esc was pressed", ""),
        (4, "", "Stopped", ""),
        (2, "minebot: --level 9: no level", "The run failed", "--level 9: no level."),
        (3, "minebot: no board: open it", "The run failed", "No board: open it."),
        (None, "", "The run failed", "It crashed without a message."),
        (-9, "", "The run failed", "It ended with exit code -9 without a message."),
    ],
)
def test_how_a_run_ended(code: int | None, line: str, heading: str, error: str) -> None:
    run = heard(STARTED)
    run.note("starting WineMine")
    run.note(line)
    run.end(code)
    assert run.heading == heading
    assert run.error.startswith(error)
    assert bool(run.error) == bool(error)
    assert run.notes == ["starting WineMine"]


@pytest.mark.parametrize(("code", "heading"), [(None, "Ended by force, because"), (0, "Stopped")])
def test_how_a_run_ended_that_was_to_stop(code: int | None, heading: str) -> None:
    run = heard(STARTED, status=Status.STOPPING)
    run.end(code)
    assert (run.heading.startswith(heading), run.error) == (True, "")


def test_a_question_is_answered_in_the_panel(driven: Driven) -> None:
    panel, process = driven.panel, driven.process
    driven.press(panel.start)
    process.tell("started", target="unknown")
    for button, answer in ((panel.yes, "yes"), (panel.no, "no")):
        assert not panel.ask.isVisible()
        process.tell("question", words="may it <b>click</b> there?")
        assert panel.ask.isVisible()
        assert panel.question.text() == "may it <b>click</b> there?"
        driven.press(button)
        assert process.orders[-1] == f"buttons {answer}"
        process.tell("buttons", words=answer)
    process.tell("question", words="may it?")
    process.ended.emit(4)
    assert not panel.ask.isVisible()


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
