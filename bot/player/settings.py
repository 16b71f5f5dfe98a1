"""What a run of the player is to do."""

from __future__ import annotations

from dataclasses import dataclass

from bot.levels import Level
from bot.player.style import NF, Style
from bot.solver.learned import NOTHING, Learned


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run is to do: ``games`` 0 means until stopped; ``level`` None means as the game stands.

    The strategy "deep" thinks for ``think`` seconds about a guess, in so many ``threads``; others go by what
    they have ``learned``. Without ``guess`` a game ends where nothing is proven.
    """

    games: int = 1
    level: Level | None = None
    strategy: str = "best"
    think: float | None = None
    threads: int = 1
    learned: Learned = NOTHING
    guess: bool = True
    style: Style = NF
