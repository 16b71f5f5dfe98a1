"""The process that shows marks, as the bot has it in hand: stand-ins for it end, hang, and talk nonsense."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from bot.board import Cell
from bot.errors import LaunchError, OverlayError
from bot.geometry import Grid, Rect
from bot.ui import overlay
from bot.ui.marks import Kind, Mark, Sheet
from bot.ui.overlay import Link
from conftest import wait_for

READY = "import json, sys, time; print('{\"ready\": true}', flush=True)\n"
ANSWER = "print(json.dumps({'done': json.loads(sys.stdin.readline())['number']}), flush=True)\n"
HANG = "time.sleep(100_000)\n"  # it reads nothing, not even the end of its orders
BRIEF = 0.1  # seconds of patience with what never answers
ENDLESS = 100_000.0

Begin = Callable[[str], Link]


@pytest.fixture
def begin() -> Iterator[Begin]:
    """Starts programs in the place of the overlay; they end with the test."""
    with ExitStack() as stack:

        def start(program: str) -> Link:
            started = Link([sys.executable, "-c", program])
            stack.callback(started.close)
            stack.callback(started.kill)
            return started

        yield start


def hung(begin: Begin) -> Link:
    """Return a link to a program that carries out one order and then hangs."""
    started = begin(READY + ANSWER + HANG)
    started.show(None)
    return started


def huge() -> Sheet:
    """Return a sheet that no pipe takes whole."""
    marks = tuple(Mark(Cell(row, col), Kind.PLAIN, "33") for row in range(300) for col in range(300))
    return Sheet(Grid(0, 0, 10, 10, 300, 300), marks, "", Rect(0, 0, 3000, 3000))


def test_orders_are_carried_out_until_the_end(begin: Begin) -> None:
    link = begin(
        READY + "for line in sys.stdin: print('{\"done\": %d}' % json.loads(line)['number'], flush=True)"
    )
    link.show(None)
    link.show(huge())
    assert link.alive
    link.close()
    assert not link.alive


def test_a_process_that_hangs_is_told(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    link = hung(begin)
    monkeypatch.setattr(overlay, "ANSWER_PATIENCE", BRIEF)
    with pytest.raises(OverlayError, match="does not answer any more"):
        link.show(None)
    link.kill()
    assert not link.alive
    with pytest.raises(OverlayError, match="has ended"):
        link.show(None)


def test_an_order_that_nobody_reads_blocks_nobody(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    link = hung(begin)
    monkeypatch.setattr(overlay, "ANSWER_PATIENCE", BRIEF)
    monkeypatch.setattr(overlay, "MARK_PATIENCE", 0.0)
    with pytest.raises(OverlayError, match="does not answer any more"):
        link.show(huge())
    monkeypatch.setattr(overlay, "ANSWER_PATIENCE", ENDLESS)  # nobody waits that long for its end
    link.close()
    assert not link.alive


@pytest.mark.parametrize(
    "last", ["", "print('{\"done\": 1', end='')", "sys.stdout.buffer.write(b'\\xff\\n')"]
)
def test_a_process_that_ends_is_told(begin: Begin, monkeypatch: pytest.MonkeyPatch, last: str) -> None:
    monkeypatch.setattr(overlay, "ANSWER_PATIENCE", ENDLESS)
    link = begin(READY + "sys.stdin.readline()\n" + last)
    with pytest.raises(OverlayError, match="has ended"):
        link.show(None)
    assert wait_for(lambda: not link.alive)


@pytest.mark.parametrize(
    ("program", "patience", "words"),
    [
        ("", ENDLESS, "the overlay has ended"),
        ("import time\n" + HANG, BRIEF, "the overlay does not answer any more"),
        ('print(\'{"error": "there is no display"}\')', ENDLESS, "there is no display"),
    ],
    ids=["ends", "hangs", "refuses"],
)
def test_a_process_that_does_not_start_says_why(
    begin: Begin, monkeypatch: pytest.MonkeyPatch, program: str, patience: float, words: str
) -> None:
    monkeypatch.setattr(overlay, "START_PATIENCE", patience)
    with pytest.raises(LaunchError, match=words):
        begin(program)


def test_a_qt_that_is_missing_is_named_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "PySide6").mkdir()
    (tmp_path / "PySide6" / "__init__.py").write_text("raise ImportError('no Qt here')")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *filter(None, sys.path)]))
    with pytest.raises(LaunchError, match="no Qt here; run pip install"):
        Link()
