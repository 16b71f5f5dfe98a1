"""Where experience and schemes are kept: what is shipped, and what grows with each player."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.folders import data_folder
from bot.cli.output import complain
from bot.cli.schemes import NOVITSKY, learned_file, learner
from bot.solver.learned import NOTHING, Learned
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


def learned_for(strategies: Collection[str], folder: str | None, *, grows: bool = True) -> Learned:
    """Return what those of ``strategies`` that learn have learned.

    If it ``grows``, schemes are added to while they are used; else there are only those that are shipped.
    Raises ExperienceError if experience cannot be read; schemes that cannot are told of and kept aside.
    """
    if folder == NONE:
        return NOTHING
    experience = Experience.load(experience_file(folder)) if KORLYAKOVA in strategies else None
    schemes = learner(learned_file(folder)) if grows and NOVITSKY in strategies else None
    return Learned(schemes, experience)


def learned_and_recorder(
    strategy: str, folder: str | None, grows: bool
) -> tuple[Learned, ExperienceRecorder | None]:
    """Return what a strategy has learned and, if that is to grow and can, what learns from its games.

    Raises ExperienceError if it cannot be read.
    """
    learned = learned_for([strategy], folder, grows=grows)
    if not grows or learned.experience is None:
        return learned, None
    return learned, ExperienceRecorder(learned, experience_file(folder), complain)
