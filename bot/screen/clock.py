"""The time, as something that tests can have of their own."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """The time in seconds, and a way to let it pass; tests have their own."""

    def now(self) -> float:
        """Return the time in seconds from any fixed moment."""

    def sleep(self, seconds: float) -> None:
        """Let ``seconds`` pass."""


class RealClock:
    """The clock on the wall."""

    def now(self) -> float:
        """Return `time.perf_counter`."""
        return time.perf_counter()

    def sleep(self, seconds: float) -> None:
        """Let ``seconds`` pass."""
        time.sleep(seconds)
