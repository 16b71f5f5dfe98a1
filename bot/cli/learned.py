"""Where experience and patterns are kept: what is shipped, and what grows with each player."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.cli.folders import data_folder
from bot.cli.output import complain, side_console
from bot.solver import Strategy
from bot.solver.learned import Learned
from bot.solver.published.experience import Experience
from bot.solver.published.korlyakova import ExperienceRecorder
from bot.solver.published.novitsky.library import learner

KORLYAKOVA = "korlyakova"  # the strategy that learns from its choices
NOVITSKY = "novitsky"  # the strategy that learns patterns
NONE = "none"

LearnedOption = Annotated[
    str | None,
    typer.Option(
        "--learned",
        metavar="FOLDER",
        help=f"Where {KORLYAKOVA} keeps its experience and {NOVITSKY} its patterns; {NONE} plays without. "
        "Default: your own, at first what is shipped.",
    ),
]


def experience_file(folder: str | None) -> Path:
    """Return the file of the experience in ``folder``, None for that of the user; it may not exist yet."""
    return data_folder(folder) / "experience.bin"


def patterns_file(folder: str | None = None) -> Path:
    """Return the file of the learned patterns in ``folder``, None for the user's; it may not exist yet."""
    return data_folder(folder) / "patterns.txt"


def informed(strategy: Strategy, folder: str | None, *, grows: bool = True) -> Strategy:
    """Return a strategy with what it has learned, if it learns.

    If it ``grows``, patterns are added to while they are used; else there are only those that are shipped.
    Raises ExperienceError if experience cannot be read; patterns that cannot are told of and kept aside.
    """
    if folder == NONE:
        return strategy
    experience = Experience.load(experience_file(folder)) if strategy.name == KORLYAKOVA else None
    patterns = None
    if grows and strategy.name == NOVITSKY:
        patterns = learner(patterns_file(folder), _say, complain)
    return strategy.knowing(Learned(patterns, experience))


def _say(words: str) -> None:
    side_console().print(words, markup=False)


def informed_and_recorder(
    strategy: Strategy, folder: str | None, grows: bool
) -> tuple[Strategy, ExperienceRecorder | None]:
    """Return a strategy with what it has learned and, if that is to grow and can, what learns from its games.

    Raises ExperienceError if it cannot be read.
    """
    strategy = informed(strategy, folder, grows=grows)
    if not grows or strategy.learned.experience is None:
        return strategy, None
    return strategy, ExperienceRecorder(strategy.learned, experience_file(folder), complain)
