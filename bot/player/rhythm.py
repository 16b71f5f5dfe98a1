"""How often to look at a game, and until when it should have answered."""

from __future__ import annotations

from bot.board import Board
from bot.player.look import Past

GRAB_GAP = 0.002  # seconds between two grabs that must agree: a window is painted in less
RESTLESS = 10  # how many times its patience a look bears with a picture that goes on changing
_AWAKE = 0.01  # seconds in which nothing sleeps: a processor that does is slow to wake up, for the game too
_SHARE = 0.08  # of the time that a game has taken, from then on, lies between two grabs: it needs the screen
_LONGEST = 0.02  # seconds between two grabs
_PIECE = 0.1  # of the slowest answer may lie between two pieces that are painted
_LEAST = 0.1  # seconds that a picture has for coming to rest
_SLOW, _FADE = 3.0, 0.97  # how many times the slowest answer is waited for; it is forgotten step by step


class Wait:
    """The time of one look at a game that stands at ``board`` (None: nobody knows how), from ``start`` on.

    It ends when the board has stood still for ``patience`` seconds; a ticking timer is no work of the game.
    """

    def __init__(self, start: float, patience: float, board: Board | None) -> None:
        self.start, self._patience, self._board = start, patience, board
        self._deadline = start + patience

    def saw(self, board: Board, now: float) -> None:
        """Take note of the board at a time: one that is new shows a game at work, which is waited for."""
        if board != self._board:
            latest = self.start + RESTLESS * self._patience
            self._board, self._deadline = board, min(now, latest) + self._patience

    def over(self, now: float) -> bool:
        """Return whether the game has had its time."""
        return now > self._deadline

    def hopeless(self, now: float) -> bool:
        """Return whether not even a picture that stands still is to be expected any more."""
        return now > self.start + max((RESTLESS + 1) * self._patience, _LEAST)


def nap(waited: float) -> float:
    """Return how long to let a game alone before the next grab, after having waited for so long (seconds)."""
    return 0.0 if waited < _AWAKE else min(_SHARE * waited, _LONGEST)


class Rhythm:
    """How long one game takes to answer, learned from its answers; all times in seconds."""

    def __init__(self) -> None:
        self._slowest = 0.0

    def answered(self, waited: float) -> None:
        """Take note of an answer after so long."""
        self._slowest = max(waited, _FADE * self._slowest)

    @property
    def rest(self) -> float:
        """Seconds for which a picture must stand still: a game that answers slowly may paint in pieces."""
        return max(GRAB_GAP, min(_PIECE * self._slowest, _LONGEST))

    def wait(self, start: float, patience: float, past: Past | None) -> Wait:
        """Return how long to wait after the clicks on ``past``; for a game that is known to be late, longer.

        Without clicks (``past`` is None) it is as long as asked for.
        """
        if past is None:
            return Wait(start, patience, None)
        return Wait(start, max(patience, _SLOW * self._slowest), past.board)
