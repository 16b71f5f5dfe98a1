"""How long to wait for the game: until a picture is at rest, and until clicks are answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from bot.board import Board
from bot.desktop.protocols import Clock
from bot.stop import Stop
from bot.verdict import Ledger

# Seconds between two grabs that must be equal: painting a window takes less. A compositor shows nothing in
# between its own pictures: there it is the time from one to the next, if that is longer.
GRAB_GAP = 0.002
NAP = 0.02  # seconds between two checks for what is waited for
RESTLESS = 10  # times its patience: a look waits no longer for a picture that goes on changing
_AWAKE = 0.01  # seconds without sleep: a sleeping processor wakes up slowly, which delays the game too
_SHARE = 0.08  # of the time waited so far lies between two later grabs: the game needs the screen
_LONGEST = 0.02  # seconds between two grabs at most
_PIECE = 0.1  # of the slowest answer time may pass between painting two pieces of the window
_LEAST = 0.1  # seconds that a picture has at least to settle
_SLOW, _FADE = 3.0, 0.97  # wait so many times the slowest answer time, which fades at each answer

T = TypeVar("T")


def wait_until(done: Callable[[], T], clock: Clock, stop: Stop, patience: float, nap: float = NAP) -> T:
    """Call ``done`` until its result is true, and return that, or its last result after ``patience`` seconds.

    The last call begins when that time is over, however long the calls take. ``stop`` is asked before each.
    """
    deadline = clock.now() + patience
    while True:
        stop.raise_if_stopped()
        late = clock.now() >= deadline
        if (found := done()) or late:
            return found
        clock.sleep(nap)


class Wait:
    """The time limit of one look, from ``start`` on, at a game that showed ``board`` (None: unknown).

    It ends when the board has not changed for ``patience`` seconds; a ticking timer does not extend it.
    """

    def __init__(self, start: float, patience: float, board: Board | None) -> None:
        self.start, self._patience, self._board = start, patience, board
        self._deadline = start + patience

    def saw(self, board: Board, now: float) -> None:
        """Extend this wait from ``now``, within limits, if ``board`` has changed: the game is still busy."""
        if board != self._board:
            latest = self.start + RESTLESS * self._patience
            self._board, self._deadline = board, min(now, latest) + self._patience

    def over(self, now: float) -> bool:
        """Return whether the time limit is over."""
        return now > self._deadline

    def hopeless(self, now: float) -> bool:
        """Return whether to stop waiting even if the picture has never settled."""
        return now > self.start + max((RESTLESS + 1) * self._patience, _LEAST)


def nap(waited: float) -> float:
    """Return the seconds to sleep before the next grab, after having ``waited`` so many seconds."""
    return 0.0 if waited < _AWAKE else min(_SHARE * waited, _LONGEST)


class AnswerTimes:
    """How long one game takes to answer clicks, learned from its answers; all times in seconds.

    Between two grabs that must be equal lies at least ``gap``.
    """

    def __init__(self, gap: float = GRAB_GAP) -> None:
        self._gap, self._slowest = gap, 0.0
        self.painting = 0.0  # the longest time from the first change of an answer to the last

    def answered(self, waited: float, *, again: bool = False) -> None:
        """Record an answer that came after ``waited`` seconds.

        If clicks were sent ``again`` meanwhile, the first may have been lost and the game may be quick: such
        a time counts only while no other is known.
        """
        if not (again and self._slowest):
            self._slowest = max(waited, _FADE * self._slowest)

    def painted(self, seconds: float) -> None:
        """Record for how long the picture changed during an answer."""
        self.painting = max(self.painting, seconds)

    @property
    def rest(self) -> float:
        """Seconds for which a picture must not change: a game that answers slowly may paint in pieces."""
        return max(self._gap, min(_PIECE * self._slowest, _LONGEST))

    def wait(self, start: float, patience: float, ledger: Ledger | None) -> Wait:
        """Return the time limit of a look after clicks on ``ledger``, longer for a game known to be slow.

        Without clicks (``ledger`` is None), it is ``patience``.
        """
        if ledger is None:
            return Wait(start, patience, None)
        return Wait(start, max(patience, _SLOW * self._slowest), ledger.board)
