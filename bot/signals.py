"""The signals that end a program, and their handlers."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

from bot.errors import StoppedError

Handler = Callable[[int, FrameType | None], object]

GRACE = 1.0  # seconds


def ending() -> list[int]:
    """Return SIGTERM and SIGHUP, less one that is ignored, as by nohup, or missing, as on Windows."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    return [number for number in numbers if signal.getsignal(number) != signal.SIG_IGN]


@contextmanager
def heard(handlers: Mapping[int, Handler]) -> Iterator[None]:
    """Handle signals by these functions inside the block, and afterwards as before.

    Only the main thread may do that; another one gets ValueError.
    """
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def held_back(*numbers: int) -> Iterator[None]:
    """Delay signals until the block is over, even if an error ends it.

    Not by a mask: that would be of one thread, and another one would take them. Other threads than the main
    one hear no signals anyway.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting = dict[int, None]()
    try:
        with heard(dict.fromkeys(numbers, lambda number, _: waiting.setdefault(number))):
            yield
    finally:
        for number in waiting:
            signal.raise_signal(number)


class Postponed:
    """Signals that would end the program, delayed until the program asks for them at a safe place.

    An exception that a signal raises wherever the program is may cut a line of a record off, and is lost in a
    destructor. One that was not asked for within ``GRACE`` seconds, or that comes again before,
    is handled nevertheless.
    """

    def __init__(self) -> None:
        self._handlers: dict[int, Any] = {}  # of those that are held back now
        self._came: int | None = None
        self._timer: threading.Timer | None = None

    @contextmanager
    def delayed(self, numbers: Iterable[int]) -> Iterator[None]:
        """Delay these signals inside the block; one that still waits at its end is handled then.

        Only the main thread may do that; another one gets ValueError.
        """
        self._handlers = {number: signal.getsignal(number) for number in numbers}
        try:
            with heard(dict.fromkeys(self._handlers, self._take)):
                yield
        finally:
            self._stop_timer()
        self.let_through()

    def let_through(self) -> None:
        """Handle a signal that has come, now and at every later call."""
        if self._came is not None:
            self._stop_timer()
            self._handle(self._came, None)

    def _take(self, number: int, frame: FrameType | None) -> None:
        if self._came is not None:
            self._handle(number, frame)
            return
        self._came = number
        self._timer = threading.Timer(GRACE, _signal_main_thread, (number,))
        self._timer.daemon = True
        self._timer.start()

    def _handle(self, number: int, frame: FrameType | None) -> None:
        handler = self._handlers[number]
        if callable(handler):
            handler(number, frame)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


def _signal_main_thread(number: int) -> None:
    """Send a signal to the main thread, also when that waits for the system."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, number)
    else:  # Windows
        signal.raise_signal(number)


def leave(number: int, _frame: FrameType | None) -> NoReturn:
    """End the program as its own errors would, with the exit code that shells give to a signal."""
    raise SystemExit(128 + number)


class Stopped(SystemExit):
    """Ctrl+C was pressed. It is no Exception, so nothing that goes on after an error swallows it."""

    exit_code = StoppedError.exit_code

    def __init__(self) -> None:
        super().__init__(self.exit_code)


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Raise `Stopped` at Ctrl+C inside the block, SystemExit with 128 + the number at SIGTERM and SIGHUP.

    So they end the program as its own errors would: what was started is ended, what was pressed is released,
    sums are printed. One of the last two that was ignored before, as by nohup, still is. A shell's script
    ignores Ctrl+C for what it runs in the background; a program that holds the mouse must be stoppable
    nevertheless.
    """

    def stop(_number: int, _frame: FrameType | None) -> NoReturn:
        raise Stopped

    with heard({signal.SIGINT: stop, **dict.fromkeys(ending(), leave)}):
        yield


@contextmanager
def postponed_signals() -> Iterator[Postponed]:
    """Postpone Ctrl+C, SIGTERM and SIGHUP inside the block, until the program asks for them."""
    signals = Postponed()
    with signals.delayed([signal.SIGINT, *ending()]):
        yield signals
