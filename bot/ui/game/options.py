"""How the window begins, and what it takes from outside; nothing of Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

from bot.game.best_times import BestTimes
from bot.game.round import Clock
from bot.levels import Level
from bot.ui.game.hooks import MakeAutoplay, MakeHints
from bot.ui.game.theme import CLASSIC, DARK, Theme


@dataclass(frozen=True, slots=True)
class Choices:
    """What was chosen of the `Options`; None where nothing was."""

    level: Level | None = None
    rule: str | None = None
    scale: float | None = None
    dark: bool | None = None
    question_marks: bool | None = None

    @property
    def given(self) -> dict[str, Any]:
        """What is not None, by its name."""
        values = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: value for name, value in values if value is not None}

    def over(self, others: Choices) -> Choices:
        """Return these, and of the ``others`` what was not chosen here."""
        return replace(others, **self.given)


@dataclass(frozen=True, slots=True)
class Options:
    """How the window begins; the menus change it. ``rule`` is one of the names in `round.RULES`."""

    level: Level
    rule: str = "safe"
    scale: float = 1.0
    dark: bool = False
    question_marks: bool = True

    def chosen(self, choices: Choices) -> Options:
        """Return the options with what was chosen in its place."""
        return replace(self, **choices.given)

    @property
    def theme(self) -> Theme:
        """The colours."""
        return DARK if self.dark else CLASSIC


@dataclass(frozen=True, slots=True)
class World:
    """What the window takes from outside: time, chance, the disk, and who helps the player.

    ``words`` are what there is to say when it opens.
    """

    clock: Clock
    next_seed: Callable[[], int]
    times: BestTimes
    keep: Callable[[Choices], None]
    make_hints: MakeHints | None = None
    make_autoplay: MakeAutoplay | None = None
    words: str = ""
