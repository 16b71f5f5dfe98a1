"""``minebot play --control``: orders as lines of a pipe, and events as lines of JSON."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from bot.cli.reports import OverlayMarks
from bot.cli.terminal import GONE, Orders, TerminalQuestion, can_be_asked, note, progress
from bot.errors import UsageError
from bot.marks import Layer
from conftest import Run, wait_for
from played_screen import Screen

Give = Callable[..., None]


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reader, writer = os.pipe()
    yield reader, writer
    os.close(reader)


@pytest.fixture
def give(there: Screen, monkeypatch: pytest.MonkeyPatch) -> Give:
    """Return a function that gives orders at these times of the simulated clock, in seconds."""
    waiting = list[tuple[float, str]]()

    def due() -> list[str]:
        now = there.clock.time
        found = [order for time, order in waiting if time <= now]
        waiting[:] = [(time, order) for time, order in waiting if time > now]
        return found

    monkeypatch.setattr("bot.cli.play.Orders", lambda: due)
    return lambda time, *orders: waiting.extend((time, order) for order in orders)


def events(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def come(orders: Orders, count: int) -> list[str]:
    """Return the next ``count`` orders, which another thread reads."""
    found = list[str]()

    def enough() -> bool:
        found.extend(orders())
        return len(found) >= count

    assert wait_for(enough)
    return found


def test_orders_come_line_by_line_and_are_never_waited_for(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    orders = Orders(reader)
    assert orders() == []
    os.write(writer, b"pause\nspeed 2")
    assert come(orders, 1) == ["pause"]
    os.write(writer, b"0\n" + b"step\n" * 2_000)
    assert come(orders, 2_001) == ["speed 20", *["step"] * 2_000]
    os.write(writer, "sträng\r\n\n".encode() + b"\xff\n")
    assert come(orders, 3) == ["sträng", "", "\N{REPLACEMENT CHARACTER}"]
    os.write(writer, b"half a li")
    os.close(writer)
    assert come(orders, 1) == orders() == [GONE]


@pytest.mark.parametrize(("kind", "most"), [(b"x" * 10_000, 0), (b"hop\n" * 2_500, 200)])
def test_orders_without_end_fill_no_memory(pipe: tuple[int, int], kind: bytes, most: int) -> None:
    """Nor do they keep the stop key from being asked."""
    reader, writer = pipe
    orders, ended = Orders(reader), threading.Event()

    def write() -> None:
        for _ in range(50):
            os.write(writer, kind)
        os.close(writer)
        ended.set()

    threading.Thread(target=write, daemon=True).start()
    while GONE not in (found := orders()):
        assert len(found) <= most
        time.sleep(0.001)
    assert ended.wait(10)


def test_before_the_question_nothing_is_taken_from_another(pipe: tuple[int, int]) -> None:
    """As from "Open minebot's own game?"."""
    reader, writer = pipe
    os.write(writer, b"n\n")
    TerminalQuestion(reader)
    assert "orders" not in [thread.name for thread in threading.enumerate()]
    os.close(writer)
    assert os.read(reader, 10) == b"n\n"


def test_nothing_else_reads_the_orders(pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as the question whether to open minebot's own game, where a person types orders."""
    reader, writer = pipe
    with open(reader, closefd=False) as file:
        monkeypatch.setattr(sys, "stdin", file)
        orders = Orders()
        assert sys.stdin.read() == ""
        os.write(writer, b"pause\n")
        assert come(orders, 1) == ["pause"]
        os.close(writer)


@pytest.mark.skipif(sys.platform == "win32", reason="has no terminals that a program can make")
@pytest.mark.parametrize(("typed", "answer"), [("y", True), (" YES ", True), ("", False), ("x", False)])
def test_a_question_in_a_terminal_is_asked_once_and_never_waited_for(
    capsys: pytest.CaptureFixture[str], typed: str, answer: bool
) -> None:
    keyboard, terminal = os.openpty()
    ask = TerminalQuestion(terminal)
    os.write(keyboard, b"y\n" * 5)  # typed before the question, for something else
    assert [ask("may it?"), ask("may it?")] == [None, None]
    assert capsys.readouterr().err == "may it? [y/N]\n"
    os.write(keyboard, f"{typed}\n".encode())
    said: bool | None = None
    while said is None:
        said = ask("may it?")
    assert said is answer
    os.write(keyboard, b"\x04")  # Ctrl+D
    assert wait_for(lambda: ask("may it?") is False)
    os.close(keyboard)
    os.close(terminal)


def test_a_question_has_a_line_of_its_own_above_the_progress_display(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with progress() as bar:
        bar.add_task("playing")
        bar.refresh()
        note("may it [bold]click[/bold]? [y/N]")
    line = next(line for line in terminal.getvalue().splitlines() if "may it" in line)
    assert line.endswith("\x1b[2Kmay it [bold]click[/bold]? [y/N]")


@pytest.mark.parametrize("stream", [None, io.StringIO("y\n")])
def test_nobody_is_asked_without_a_terminal(
    monkeypatch: pytest.MonkeyPatch, stream: io.StringIO | None
) -> None:
    for name in ("stdin", "stderr"):
        with monkeypatch.context() as streams:
            for terminal in ("stdin", "stderr"):
                streams.setattr(sys, terminal, SimpleNamespace(isatty=lambda: True))
            assert can_be_asked()
            streams.setattr(sys, name, stream)
            assert not can_be_asked()


def test_orders_that_cannot_be_read(pipe: tuple[int, int]) -> None:
    _, writer = pipe
    orders = Orders(writer)  # the end for writing
    with pytest.raises(UsageError, match="--control: cannot read orders from standard input"):
        come(orders, 1)
    os.close(writer)


def test_each_round_and_each_game_is_told_of(there: Screen, play: Run, give: Give) -> None:
    give(0.0, "speed 30", "hop")
    code, out, err = play("--control", "--games", "2")
    assert (code, err) == (0, "")
    *told, sums = events(out)
    assert told[0] == {"event": "speed", "words": "30"}  # orders are heeded while the game is looked for
    assert told[1]["event"] == "refused"
    begun = told[2]
    assert (begun["event"], begun["target"], begun["stop_key"]) == ("started", "winemine", "Esc")
    rounds = [one for one in told if one["event"] == "round"]
    games = [one for one in told if one["event"] == "game"]
    assert len(games) == sums["games"] == 2
    assert sum(one["clicks"] for one in rounds) == sums["clicks"] == len(there.clicks)
    assert [(one["game"], one["round"]) for one in rounds[:2]] == [(1, 1), (1, 2)]
    assert rounds[0]["reason"].startswith("first click")
    assert rounds[0]["words"].startswith("The first click is at row ")
    assert rounds[0]["opened"] == 0
    assert sums["ended_by"] == "games"


def test_it_is_told_when_it_pauses_and_goes_on_and_is_stopped(there: Screen, play: Run, give: Give) -> None:
    give(0.8, "pause")
    give(4.0, "go")
    give(6.0, GONE)
    code, out, err = play("--control", "--games", "0")
    assert (code, err) == (4, "minebot: stopped: the program that gave the orders has ended\n")
    kinds = [one["event"] for one in events(out) if one["event"] not in ("round", "game")]
    assert kinds == ["started", "paused", "playing", "sums"]
    assert events(out)[-1]["ended_by"] == "user"
    assert there.clicks


def test_the_search_for_a_game_heeds_orders(there: Screen, play: Run, give: Give) -> None:
    there.listed = False  # it is found by its picture alone
    give(0.0, "pause", "stop looking")
    code, out, err = play("--control")
    assert (code, out, err) == (4, "", "minebot: stopped: looking\n")
    give(0.0, "pause")
    give(4.0, "go")
    code, out, err = play("--control")
    assert (code, err) == (0, "")
    assert [one["event"] for one in events(out)][:3] == ["started", "paused", "playing"]


def test_layers_are_changed_where_there_are_any(play: Run, give: Give) -> None:
    give(1.0, "layers safe")
    give(2.0, "stop")
    _, out, _ = play("--control", "--dry-run", "--no-marks")
    assert {"event": "refused", "words": "layers: there are no marks over the game"} in events(out)
    overlay, marks = SimpleNamespace(layers=frozenset()), OverlayMarks(None, frozenset())
    vars(marks)["_overlay"] = overlay
    change = marks.orders["layers"]
    change("safe,mines")
    assert overlay.layers == {Layer.SAFE, Layer.MINES}
    change("")
    assert overlay.layers == set()
    with pytest.raises(UsageError, match="there is no layer clouds: choose from safe, mines"):
        change("clouds")
