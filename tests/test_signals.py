"""Who is called at signals, and that all is as before afterwards."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Event
from types import FrameType
from typing import NoReturn

import pytest

from bot.signals import Postponed, ending, handlers_set, leave, signals_delayed

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="there is no SIGHUP on Windows")


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Nobody ignores a signal at first: the tests themselves may run under nohup."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in (signal.SIGTERM, signal.SIGHUP)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def test_a_signal_is_heard_inside_the_block_alone() -> None:
    came: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        came.append(number)

    with suppress(RuntimeError), handlers_set(dict.fromkeys(ending(), note)):
        signal.raise_signal(signal.SIGHUP)
        signal.raise_signal(signal.SIGTERM)
        raise RuntimeError("it is put back after an error too")
    assert came == [signal.SIGHUP, signal.SIGTERM]
    assert {signal.getsignal(number) for number in ending()} == {signal.SIG_DFL}


def test_the_exit_code_is_that_of_shells() -> None:
    with pytest.raises(SystemExit) as ended, handlers_set({signal.SIGTERM: leave}):
        signal.raise_signal(signal.SIGTERM)
    assert ended.value.code == 143


def test_a_signal_that_is_held_back_is_heard_after_the_block() -> None:
    heard_of = list[str]()

    def hear(*_: object) -> None:
        heard_of.append("signal")

    with handlers_set({signal.SIGINT: hear}):
        with signals_delayed(signal.SIGINT):
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
            heard_of.append("block")
        assert heard_of == ["block", "signal"]
        with signals_delayed(signal.SIGINT):
            heard_of.clear()
        assert heard_of == []


STOPPED = """
import os, signal, threading
from bot.signals import signals_delayed
threading.Thread(target=threading.Event().wait, daemon=True).start()
with signals_delayed(signal.SIGTSTP):
    os.kill(os.getpid(), signal.SIGTSTP)
    print("done", flush=True)
print("gone on", flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_program_with_other_threads_is_not_stopped_in_the_midst() -> None:
    command = [sys.executable, "-c", STOPPED]
    # In a group of its own: one whose parents are all of other sessions is not stopped.
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, process_group=0) as process:
        stat = Path(f"/proc/{process.pid}/stat")
        while stat.read_text().rsplit(") ", 1)[1][0] != "T":
            assert process.poll() is None
        assert process.stdout is not None
        os.set_blocking(process.stdout.fileno(), False)
        assert process.stdout.read() == "done\n"
        process.send_signal(signal.SIGCONT)
        process.wait(300)
        assert process.stdout.read() == "gone on\n"


class EndedError(Exception):
    """What the handler of these tests raises."""


@contextmanager
def postponed(number: int) -> Iterator[Postponed]:
    """Postpone a signal whose handler raises."""

    def end(number: int, _frame: FrameType | None) -> NoReturn:
        raise EndedError(number)

    signals = Postponed()
    with handlers_set({number: end}):
        with signals.delayed([number]):
            yield signals
        assert signal.getsignal(number) == end


def test_a_postponed_signal_is_heard_when_it_is_asked_for_and_ever_after() -> None:
    with suppress(EndedError), postponed(signal.SIGINT) as signals:
        signals.handle_pending()
        signal.raise_signal(signal.SIGINT)
        for _ in range(2):
            with pytest.raises(EndedError):
                signals.handle_pending()


def test_a_postponed_signal_that_nobody_asks_for_is_heard_at_the_end_of_the_block() -> None:
    with ExitStack() as block:
        block.enter_context(postponed(signal.SIGTERM))
        signal.raise_signal(signal.SIGTERM)
        with pytest.raises(EndedError):
            block.close()


def test_a_postponed_signal_that_comes_again_is_heard_at_once() -> None:
    with suppress(EndedError), postponed(signal.SIGINT):
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(EndedError):
            signal.raise_signal(signal.SIGINT)


def test_a_postponed_signal_does_not_wait_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.signals.GRACE", 0.05)
    with suppress(EndedError), postponed(signal.SIGINT):
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(EndedError):
            Event().wait(300)
