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

_ENDING = ("SIGTERM", "SIGHUP")  # the second is missing on Windows


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
    ending = [getattr(signal, name) for name in _ENDING if hasattr(signal, name)]
    heeded = [number for number in ending if signal.getsignal(number) != signal.SIG_IGN]
    handlers = {signal.SIGINT: _stop, **dict.fromkeys(heeded, _end)}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise Stopped


def _end(number: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)
