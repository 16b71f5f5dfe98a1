"""When a run of games is over: after so many games, so many wins, or some time, whichever comes first."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import typer

from bot.errors import UsageError

GamesOption = Annotated[
    int | None,
    typer.Option(
        min=0, help="How many games; 0 means until stopped. Default: 1, or 0 with --wins or --minutes."
    ),
]
WinsOption = Annotated[int | None, typer.Option(min=1, help="Stop after so many games that were won.")]
MinutesOption = Annotated[
    float | None,
    typer.Option(
        help="Begin no game after so many minutes; the one that is running then is played to its end."
    ),
]


@dataclass(frozen=True, slots=True)
class Limits:
    """The most ``games`` (0: no limit), ``wins`` and ``minutes`` of a run (None: no limit)."""

    games: int = 0
    wins: int | None = None
    minutes: float | None = None

    def reached(self, games: int, wins: int, seconds: float) -> str | None:
        """Return which limit a run has come to, "games", "wins" or "minutes"; None if it may go on."""
        if games == self.games:
            return "games"
        if wins == self.wins:
            return "wins"
        if self.minutes is not None and seconds >= 60 * self.minutes:
            return "minutes"
        return None


def limits_of(games: int | None, wins: int | None, minutes: float | None) -> Limits:
    """Return what the options ask for. Raises UsageError if the minutes are no time."""
    if minutes is not None and not (math.isfinite(minutes) and minutes > 0):
        raise UsageError(f"--minutes {minutes:g}: give a number of minutes above 0")
    usual = 1 if wins is None and minutes is None else 0
    return Limits(usual if games is None else games, wins, minutes)
