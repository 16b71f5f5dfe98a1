"""One run of the program: what it was told, its threads, and the signals that end it.

They end it as its own errors would: what was started is ended, what was pressed is released, sums are
printed.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import NoReturn

from bot.errors import StoppedError
from bot.signals import Postponed, ending, heard, leave

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OPENCV_FOR_THREADS_NUM")


@dataclass(slots=True)
class Run:
    """What the options before the commands ask for; typer's contexts hand it on."""

    debug: bool = False


class Stopped(SystemExit):
    """Ctrl+C was pressed. It is no Exception, so nothing that goes on after an error swallows it."""

    exit_code = StoppedError.exit_code

    def __init__(self) -> None:
        super().__init__(self.exit_code)


def use_one_thread(environment: MutableMapping[str, str] = os.environ) -> None:
    """Let numpy and OpenCV work on one thread, unless ``environment`` says how many.

    They look there when they are imported, which must come later. The products of a small network are shared
    out in less time than they take, but where all processors have work one waits for the slowest of its
    threads: boards are then read up to a hundred times slower.
    """
    for name in _THREADS:
        environment.setdefault(name, "1")


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Inside the block Ctrl+C raises `Stopped`; SIGTERM and SIGHUP raise SystemExit with 128 + their number.

    One of those two that was ignored before, as by nohup, still is. A shell's script ignores Ctrl+C for what
    it runs in the background; a program that holds the mouse must be stoppable nevertheless.
    """

    def stop(_number: int, _frame: FrameType | None) -> NoReturn:
        raise Stopped

    with heard({signal.SIGINT: stop, **dict.fromkeys(ending(), leave)}):
        yield


@contextmanager
def kept_for_safe_places() -> Iterator[Postponed]:
    """Inside the block those signals wait until the program asks for them, where nothing is half done."""
    signals = Postponed()
    with signals.delayed([signal.SIGINT, *ending()]):
        yield signals
