"""How the window begins, and what it takes from outside; nothing of Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.game.best_times import BestTimes
from bot.game.round import Clock
from bot.game.window.hooks import MakeAutoplay, MakeHints
from bot.game.window.theme import CLASSIC, DARK, Theme
from bot.levels import Level


@dataclass(frozen=True, slots=True)
class Options:
    """How the window begins; the menus change it. ``rule`` is one of the names in `round.RULES`."""

    level: Level
    rule: str = "safe"
    scale: float = 1.0
    dark: bool = False
    question_marks: bool = True

    @property
    def theme(self) -> Theme:
        """The colours."""
        return DARK if self.dark else CLASSIC


@dataclass(frozen=True, slots=True)
class World:
    """What the window takes from outside: time, chance, the disk, and who helps the player."""

    clock: Clock
    next_seed: Callable[[], int]
    times: BestTimes
    make_hints: MakeHints | None = None
    make_autoplay: MakeAutoplay | None = None
