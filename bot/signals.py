"""The signals that end a program, and who is called at them."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

Handler = Callable[[int, FrameType | None], object]


def ending() -> list[int]:
    """Return SIGTERM and SIGHUP, less one that is ignored, as by nohup, or missing, as on Windows."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    return [number for number in numbers if signal.getsignal(number) != signal.SIG_IGN]


@contextmanager
def heard(handlers: Mapping[int, Handler]) -> Iterator[None]:
    """Inside the block these functions are called at signals, after it those that were before.

    Only the main thread may do that; another one gets ValueError.
    """
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def held_back(number: int) -> Iterator[None]:
    """Let a signal wait until the block is over.

    What its handler raises is lost in a function that a C library calls. Other threads than the main one hear
    no signals anyway.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting = list[int]()
    with heard({number: lambda signum, _: waiting.append(signum)}):
        yield
    for _ in waiting[:1]:
        signal.raise_signal(number)


def leave(number: int, _frame: FrameType | None) -> NoReturn:
    """End the program as its own errors would, with the exit code that shells give to a signal."""
    raise SystemExit(128 + number)
