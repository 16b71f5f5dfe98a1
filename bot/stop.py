"""May we go on? One object holds all reasons to end work: the stop key, a hand, a pause, a signal."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bot.errors import CaptureError, TakenOverError

# Raises an error if work must end. A pause is raised again at every call until it is over.
Check = Callable[[], object]
STOP_INTERVAL = 0.05  # seconds between two questions of `Stop.seldom`


class Paused(Exception):  # noqa: N818 - it is no error: play goes on
    """Raised when play must pause; the screen may have changed when play goes on."""


PAUSES = (Paused, TakenOverError)  # work may go on after these


class Stop:
    """The reasons to end work early; each is a check that raises an error when work must end.

    The same object is handed to everything that works for one run, so a reason that is added reaches all. An
    error ends the run, and is raised again at every later call, unless it is one of `PAUSES` or a
    CaptureError: the screen and the mouse may be back later.
    """

    def __init__(self, *checks: Check) -> None:
        self._checks = [*checks]
        self._reason: Exception | SystemExit | None = None  # an end for good, another until it is raised
        self._postponing = False

    def add(self, check: Check) -> None:
        """Ask ``check`` from now on, after the others."""
        self._checks.append(check)

    def raise_if_stopped(self) -> None:
        """Raise the error of the first check that has one, or the one that `stopped` has found before."""
        reason = self._reason or self._found()
        ends = not isinstance(reason, (*PAUSES, CaptureError))
        self._reason = reason if ends else None
        if reason is not None:
            raise reason.with_traceback(None) if ends else reason  # else it would grow at every call

    def stopped(self) -> bool:
        """Return whether work must end; `raise_if_stopped` then says why, even if the reason has gone."""
        self._reason = self._reason or self._found()
        return self._reason is not None

    def raise_if_ended(self) -> None:
        """Raise an error as `raise_if_stopped` does, but none of `PAUSES`."""
        with self.pauses_postponed():
            self.raise_if_stopped()

    @contextmanager
    def pauses_postponed(self) -> Iterator[None]:
        """Raise none of `PAUSES` inside the block: they wait until it is over."""
        before, self._postponing = self._postponing, True
        if isinstance(self._reason, PAUSES):
            self._reason = None  # it is found again afterwards
        try:
            yield
        finally:
            self._postponing = before

    def seldom(self, now: Callable[[], float]) -> Stop:
        """Return a Stop for work that asks often: it asks this one every `STOP_INTERVAL` seconds.

        ``now`` returns the time in seconds.
        """
        due = -math.inf

        def ask() -> None:
            nonlocal due
            if (time := now()) >= due:
                self.raise_if_stopped()
                due = time + STOP_INTERVAL

        return Stop(ask)

    def _found(self) -> Exception | SystemExit | None:
        """Return the error of the first check that has one; pauses count only if they are not postponed."""
        for check in self._checks:
            try:
                check()
            except (Exception, SystemExit) as reason:
                if not (self._postponing and isinstance(reason, PAUSES)):
                    return reason
        return None


NEVER = Stop()  # for work that nobody wants to end early; add no check to it
