"""The panel: its buttons, fields and words, with a process that only notes what it is told."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip(
    "PySide6.QtWidgets", reason="install PySide6-Essentials and its libraries", exc_type=ImportError
)

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel

from bot.ui.panel import Panel
from bot.ui.panel_run import FILE, Choices, SavedPanel, Status
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


def test_a_run_from_start_to_stop(driven: Driven) -> None:
    panel, process = driven.panel, driven.process
    assert driven.enabled() == "SO"
    driven.press(panel.start)
    assert process.started == [Choices().command(panel._kept.picture)]
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
    process.noted.emit("minebot: stopped: it was told to")
    process.ended.emit(4)
    assert panel.heading.text() == "Stopped: it was told to"
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
    assert "it is kept as panel.damaged.json" in damaged.panel.words.text()
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
