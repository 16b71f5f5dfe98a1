"""One run of the program: what it was told, and the signals that end it.

They end it as its own errors would: what was started is ended, what was pressed is released, sums are
printed.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import NoReturn

from bot.errors import StoppedError
from bot.signals import Postponed, ending, heard, leave


@dataclass(slots=True)
class Run:
    """What the options before the commands ask for; typer's contexts hand it on."""

    debug: bool = False


class Stopped(SystemExit):
    """Ctrl+C was pressed. It is no Exception, so nothing that goes on after an error swallows it."""

    exit_code = StoppedError.exit_code

    def __init__(self) -> None:
        super().__init__(self.exit_code)


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Inside the block Ctrl+C raises `Stopped`; SIGTERM and SIGHUP raise SystemExit with 128 + their number.

    One of those two that was ignored before, as by nohup, still is. A shell's script ignores Ctrl+C for what
    it runs in the background; a program that holds the mouse must be stoppable nevertheless.
    """
    with heard({signal.SIGINT: _stop, **dict.fromkeys(ending(), leave)}):
        yield


@contextmanager
def kept_for_safe_places() -> Iterator[Postponed]:
    """Inside the block those signals wait until the program asks for them, where nothing is half done."""
    signals = Postponed()
    with signals.kept([signal.SIGINT, *ending()]):
        yield signals


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise Stopped
