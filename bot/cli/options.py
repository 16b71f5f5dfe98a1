"""Options shared by several commands: strategy and guesses, learned data, and skins."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.files import data_folder
from bot.cli.output import complain, note, side_console
from bot.clicker import RealClock
from bot.errors import UsageError
from bot.game.board_files import LARGEST_BOARD
from bot.solver import EXACT, STRATEGIES, Strategy, strategy_named
from bot.solver.compilation import (
    Purpose,
    compile_kernel,
    kernel_compiled,
    kernel_folder,
)
from bot.solver.guess import DEEP, Thinking
from bot.solver.published.korlyakova import Experience, ExperienceRecorder
from bot.solver.published.novitsky.library import learner
from bot.solver.stages import Learned

THINK = 1.0  # default seconds of thinking about a guess
KORLYAKOVA = "korlyakova"  # the strategy that learns from its choices
NOVITSKY = "novitsky"  # the strategy that learns patterns during play
NONE = "none"
# Groups of options in the help of commands that have many.
GAMES, CLICKS, DECISIONS, DRY_RUN, FILES, PROGRAMS = (
    "Which games",
    "How to click",
    "How to decide",
    "Dry run",
    "Files",
    "For programs",
)


StrategyOption = Annotated[
    str | None,
    typer.Option(
        help=f"Strategy of the solver: {', '.join(STRATEGIES)}. Default: best.", rich_help_panel=DECISIONS
    ),
]
ThinkOption = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS",
        help=f"How long to think about each guess, on all processors; means --strategy {DEEP}. Default: "
        f"{THINK:g} with that strategy.",
        rich_help_panel=DECISIONS,
    ),
]
GuessOption = Annotated[
    bool,
    typer.Option(
        "--guess/--no-guess",
        help="Whether to guess if no cell is proven safe, or to stop and say so.",
        rich_help_panel=DECISIONS,
    ),
]
LearnedOption = Annotated[
    str | None,
    typer.Option(
        "--learned",
        metavar="FOLDER",
        help=f"Where {KORLYAKOVA} saves its experience and {NOVITSKY} its patterns; {NONE}: play without. "
        "Default: your own, at first the shipped ones.",
        rich_help_panel=DECISIONS,
    ),
]
MinesOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=LARGEST_BOARD,
        help="Total number of mines, if the game's counter cannot be read, or the file does not give it.",
        rich_help_panel=DECISIONS,
    ),
]
SkinsOption = Annotated[
    Path | None,
    typer.Option(
        "--skins",
        help="A folder with your own skins, besides the shipped ones; minebot learn saves there.",
        rich_help_panel=FILES,
    ),
]


@dataclass(frozen=True, slots=True)
class Deciding:
    """How to decide: a strategy with its learned data, and whether to guess where nothing is proven.

    ``recorder`` learns from the games played with the strategy; None means that nothing is learned.
    """

    strategy: Strategy
    guess: bool
    recorder: ExperienceRecorder | None

    def at_once(self) -> Deciding:
        """Return a copy that can decide without waiting for the compiler; see `compiled_meanwhile`."""
        return replace(self, strategy=compiled_meanwhile(self.strategy))


def deciding_by(
    strategy: str | None, think: float | None, guess: bool, learned: str | None, *, grows: bool = True
) -> Deciding:
    """Return how to decide, from the options; with ``grows``, the learned data is added to during use.

    A strategy that can think does so on all processors. Raises UsageError if there is no such strategy, if it
    cannot think, or if ``think`` is not a valid time; ExperienceError if experience cannot be read.
    """
    chosen = strategy_named(strategy or ("best" if think is None else DEEP))
    if think is not None and not chosen.can_think:
        raise UsageError(
            f"--think {think:g}: only the strategy {DEEP} thinks, leave out --strategy {strategy}"
        )
    chosen = chosen.with_thinking(Thinking(seconds_of(think), RealClock().now, os.cpu_count() or 1))
    informed, recorder = informed_and_recorder(chosen, learned, grows)
    return Deciding(informed, guess, recorder)


def experience_file(folder: str | None) -> Path:
    """Return the experience file in ``folder``, or in the user's data if None; it may not exist yet."""
    return data_folder(folder) / "experience.bin"


def patterns_file(folder: str | None = None) -> Path:
    """Return the learned-patterns file in ``folder``, or in the user's data if None; it may not exist yet."""
    return data_folder(folder) / "patterns.txt"


def informed(strategy: Strategy, folder: str | None, *, grows: bool = True) -> Strategy:
    """Return ``strategy`` with its learned data from ``folder``, if it is one that learns.

    With ``grows``, novitsky uses and extends its learned patterns; otherwise it uses only the shipped ones.
    Raises ExperienceError if experience cannot be read. A damaged pattern file is renamed, with a message.
    """
    if folder == NONE:
        return strategy
    experience = Experience.load(experience_file(folder)) if strategy.name == KORLYAKOVA else None
    to_grow = grows and strategy.name == NOVITSKY
    patterns = learner(patterns_file(folder), note, complain) if to_grow else None
    return strategy.with_learned(Learned(patterns, experience))


def informed_and_recorder(
    strategy: Strategy, folder: str | None, grows: bool
) -> tuple[Strategy, ExperienceRecorder | None]:
    """Return ``strategy`` with its learned data, and a recorder that learns from its games.

    The recorder is None without ``grows`` or experience. Raises ExperienceError if experience is unreadable.
    """
    strategy = informed(strategy, folder, grows=grows)
    if not grows or strategy.learned.experience is None:
        return strategy, None
    return strategy, ExperienceRecorder(strategy.learned, experience_file(folder), complain)


def seconds_of(think: float | None) -> float:
    """Return the seconds to think about a guess, `THINK` if None. Raises UsageError for an invalid time."""
    return THINK if think is None else positive("--think", think, "seconds")


def positive(option: str, value: float, unit: str) -> float:
    """Return ``value``, given for ``option``. Raises UsageError if it is not finite and above 0."""
    if not (math.isfinite(value) and value > 0):
        raise UsageError(f"{option} {value:g}: give a number of {unit} above 0")
    return value


def compiled_meanwhile(strategy: Strategy) -> Strategy:
    """Return a strategy that can decide now; if the solver must be compiled, start that in the background.

    Until it is compiled, the strategy exact decides; always, if the compiled solver cannot be stored.
    """
    purpose = strategy.compile_purpose
    if purpose is None or kernel_compiled(purpose):
        return strategy
    meanwhile = strategy.while_compiling()
    if meanwhile is EXACT:
        note(f"{_not_stored()}: --strategy {EXACT} decides")
    else:
        note(f"compiling the solver in the background, once; until then, --strategy {EXACT} decides")
    return meanwhile


def prepare_kernel(strategies: Iterable[Strategy], *, games: bool = False) -> None:
    """Compile the kernel if one of ``strategies`` needs it and it is not compiled yet, with a progress bar.

    With ``games``, also compile the code that plays whole games.
    """
    purposes = {strategy.compile_purpose for strategy in strategies} - {None}
    if Purpose.THINKING in purposes:
        compile_with_bar(Purpose.THINKING)
    elif purposes:
        compile_with_bar(Purpose.PLAYING if games else Purpose.DECIDING)


def compile_with_bar(purpose: Purpose) -> None:
    """Compile the kernel if it is not compiled yet, with a progress bar on standard error.

    Print a note if the result cannot be saved.
    """
    if kernel_compiled(purpose):
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    text = TextColumn("compiling the solver, once; up to half a minute")
    with Progress(text, BarColumn(), TimeElapsedColumn(), console=side_console()) as bar:
        task = bar.add_task("")
        compile_kernel(lambda done, total: bar.update(task, completed=done, total=total), purpose)
    if not kernel_compiled(purpose):
        note(f"{_not_stored()}: it will be compiled again next time")


def _not_stored() -> str:
    where = f"{kernel_folder()}, to which only you must be able to write"
    return f"the compiled solver cannot be stored in {where}"
