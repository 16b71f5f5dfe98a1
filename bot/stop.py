"""May we go on? One object knows all reasons to end work early: the stop key, a pause, a signal."""

from __future__ import annotations

from collections.abc import Callable

Check = Callable[[], object]  # raises an error if work must end


class Stop:
    """The reasons to end work early; each is a check that raises an error when work must end.

    The same object is handed to everything that works for one run, so a reason that is added reaches all.
    """

    def __init__(self, *checks: Check) -> None:
        self._checks = list(checks)

    def add(self, check: Check) -> None:
        """Ask ``check`` from now on, too."""
        self._checks.append(check)

    def raise_if_stopped(self) -> None:
        """Raise the error of the first check that ends work."""
        for check in self._checks:
            check()

    def stopped(self) -> bool:
        """Return whether work must end; `raise_if_stopped` then says why, now and at its next call."""
        try:
            self.raise_if_stopped()
        except (Exception, SystemExit):
            return True
        return False


NEVER = Stop()  # for work that nobody wants to end early; add no check to it
