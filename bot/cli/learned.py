"""Where experience and schemes are kept: what is shipped, and what grows with each player."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Annotated

import typer

import bot
from bot.cli.folders import data_folder
from bot.cli.schemes import NOVITSKY, learned_file, learner
from bot.errors import ExperienceError
from bot.files import replace_file
from bot.solver.experience import Experience, read
from bot.solver.learned import NOTHING, Learned

KORLYAKOVA = "korlyakova"  # the strategy that learns from its choices
NONE = "none"
_NAME = "experience.bin"
SHIPPED = Path(bot.__file__).parent / "learned" / _NAME

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
    return data_folder(folder) / _NAME


def load_experience(path: Path) -> Experience:
    """Return the experience of a file, the shipped one if it is missing.

    Raises ExperienceError if it cannot be read, or if it is none or damaged.
    """
    path = path if path.exists() else SHIPPED
    try:
        return read(path.read_bytes(), str(path))
    except OSError as error:
        raise ExperienceError(f"the experience in {path} cannot be read ({error.strerror})") from error


def save_experience(experience: Experience, path: Path) -> None:
    """Write a file as a whole: after a kill there is the old one or the new one.

    Raises ExperienceError if it cannot be written.
    """
    try:
        replace_file(path, experience.written())
    except OSError as error:
        raise ExperienceError(
            f"no experience can be written to {path} ({error.strerror}): name another folder with --learned"
        ) from error


def learned_for(strategies: Collection[str], folder: str | None, *, grows: bool = True) -> Learned:
    """Return what those of ``strategies`` that learn have learned.

    If it ``grows``, schemes are added to while they are used; else there are only those that are shipped.
    Raises ExperienceError if experience cannot be read; schemes that cannot are told of and kept aside.
    """
    if folder == NONE:
        return NOTHING
    experience = load_experience(experience_file(folder)) if KORLYAKOVA in strategies else None
    schemes = learner(learned_file(folder)) if grows and NOVITSKY in strategies else None
    return Learned(schemes, experience)
