"""Where experience and schemes are kept: what is shipped, and what grows with each player."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.cli.folders import data_folder
from bot.cli.output import complain
from bot.cli.schemes import NOVITSKY, learned_file, learner
from bot.solver import Strategy
from bot.solver.learned import Learned
from bot.solver.published.experience import Experience
from bot.solver.published.korlyakova import ExperienceRecorder

KORLYAKOVA = "korlyakova"  # the strategy that learns from its choices
NONE = "none"

LearnedOption = Annotated[
    str | None,
    typer.Option(
        "--learned",
        metavar="FOLDER",
        help=f"Where {KORLYAKOVA} keeps its experience and {NOVITSKY} its schemes; {NONE} plays without. "
        "Default: your own, at first what is shipped.",
    ),
]


def experience_file(folder: str | None) -> Path:
    """Return the file of the experience in ``folder``, None for that of the user; it may not exist yet."""
    return data_folder(folder) / "experience.bin"


def informed(strategy: Strategy, folder: str | None, *, grows: bool = True) -> Strategy:
    """Return a strategy with what it has learned, if it learns.

    If it ``grows``, schemes are added to while they are used; else there are only those that are shipped.
    Raises ExperienceError if experience cannot be read; schemes that cannot are told of and kept aside.
    """
    if folder == NONE:
        return strategy
    experience = Experience.load(experience_file(folder)) if strategy.name == KORLYAKOVA else None
    schemes = learner(learned_file(folder)) if grows and strategy.name == NOVITSKY else None
    return strategy.knowing(Learned(schemes, experience))


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
