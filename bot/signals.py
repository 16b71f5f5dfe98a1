"""Handlers for the signals that end a program."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn, Self

from bot.errors import StoppedError

Handler = Callable[[int, FrameType | None], object]

GRACE = 1.0  # seconds until a delayed signal is handled in any case


def ending() -> list[int]:
    """Return SIGTERM and SIGHUP, without those that are ignored (nohup) or do not exist (Windows)."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    return [number for number in numbers if signal.getsignal(number) != signal.SIG_IGN]


@contextmanager
def handlers_set(handlers: Mapping[int, Handler]) -> Iterator[None]:
    """Use ``handlers`` (signal number to function) inside the block, and restore the old ones afterwards.

    Raises ValueError in any thread but the main thread.
    """
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def signals_delayed(*numbers: int) -> Iterator[Collection[int]]:
    """Delay the signals ``numbers`` until the block is over, also if an error ends it; yield those that came.

    A signal mask would not work: it holds for one thread only, and another thread would receive the signals.
    Outside the main thread nothing is done, because only the main thread runs signal handlers.
    """
    waiting = dict[int, None]()
    if threading.current_thread() is not threading.main_thread():
        yield waiting
        return
    try:
        with handlers_set(dict.fromkeys(numbers, lambda number, _: waiting.setdefault(number))):
            yield waiting
    finally:
        for number in waiting:
            signal.raise_signal(number)


class Postponed:
    """Signals that would end the program, delayed until the program handles them at a safe place.

    A signal handler that raises an exception at any place could cut off a line of a record, and its exception
    would be lost inside a destructor. A signal is handled anyway if `handle_pending` is not called within
    ``GRACE`` seconds, or if a second signal comes before.
    """

    def __init__(self) -> None:
        self._handlers: dict[int, Any] = {}  # the original handlers of the delayed signals
        self._came: int | None = None
        self._timer: threading.Timer | None = None

    @contextmanager
    def delayed(self, numbers: Iterable[int] | None = None) -> Iterator[Self]:
        """Delay the signals ``numbers`` inside the block (None: Ctrl+C, SIGTERM and SIGHUP), and yield this.

        A waiting signal is handled at the end of the block, or dropped if an exception ends it. Raises
        ValueError outside the main thread.
        """
        numbers = [signal.SIGINT, *ending()] if numbers is None else numbers
        self._handlers = {number: signal.getsignal(number) for number in numbers}
        try:
            with handlers_set(dict.fromkeys(self._handlers, self._take)):
                yield self
        finally:
            self._stop_timer()
        self.handle_pending()

    def handle_pending(self) -> None:
        """Handle the signal that has come, if any, now and again at every later call."""
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
    """Send a signal to the main thread, which also interrupts a blocking system call there."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, number)
    else:  # Windows
        signal.raise_signal(number)


def leave(number: int, _frame: FrameType | None) -> NoReturn:
    """End the program by SystemExit with the exit code that shells use for this signal: 128 + ``number``."""
    raise SystemExit(128 + number)


class Stopped(SystemExit):
    """Ctrl+C was pressed. This is not an Exception, so code that catches Exception does not swallow it."""

    exit_code = StoppedError.exit_code

    def __init__(self) -> None:
        super().__init__(self.exit_code)


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Raise `Stopped` at Ctrl+C inside the block, and SystemExit(128 + number) at SIGTERM and SIGHUP.

    Cleanup code then runs as after an error: started programs are ended, mouse buttons are released, sums are
    printed. SIGTERM and SIGHUP stay ignored if they were ignored before (nohup). Ctrl+C is handled even if it
    was ignored, as shell scripts do for background programs: a program that uses the mouse must always be
    stoppable.
    """

    def stop(_number: int, _frame: FrameType | None) -> NoReturn:
        raise Stopped

    with handlers_set({signal.SIGINT: stop, **dict.fromkeys(ending(), leave)}):
        yield
