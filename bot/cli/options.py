"""Options shared by several commands: strategy and guesses, learned data, and skins."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.board import FirstClick
from bot.cli.files import data_folder
from bot.cli.terminal import complain, console, note
from bot.errors import UsageError
from bot.game.board_files import LARGEST_BOARD
from bot.solver import DEEP, EXACT, STRATEGIES, Strategy, strategy_named
from bot.solver.kernel.build.compilation import compile_kernel, kernel_compiled, kernel_folder
from bot.solver.strategies import CompiledStrategy, PlainStrategy, while_compiling

if TYPE_CHECKING:
    from bot.solver.published.korlyakova import ExperienceRecorder

KORLYAKOVA = "korlyakova"  # the strategy that learns from its choices
NOVITSKY = "novitsky"  # the strategy that learns patterns during play
NONE = "none"
# Options by their groups in the help of commands that have many.
games_option = partial(typer.Option, rich_help_panel="Which games")
decisions_option = partial(typer.Option, rich_help_panel="How to decide")
files_option = partial(typer.Option, rich_help_panel="Files")

StrategyOption = Annotated[
    str | None,
    decisions_option(help=f"Strategy of the solver: {', '.join(STRATEGIES)}. Default: {DEEP}."),
]
GuessOption = Annotated[
    bool,
    decisions_option(
        "--guess/--no-guess", help="Whether to guess if no cell is proven safe, or to stop and say so."
    ),
]
LearnedOption = Annotated[
    str | None,
    decisions_option(
        "--learned",
        metavar="FOLDER",
        help=f"Where {KORLYAKOVA} saves its experience and {NOVITSKY} its patterns; {NONE}: play without. "
        "Default: your own, at first the shipped ones.",
    ),
]
MinesOption = Annotated[
    int | None,
    decisions_option(
        min=1,
        max=LARGEST_BOARD,
        help="Total number of mines, if the game's counter cannot be read, or the file does not give it.",
    ),
]
PickOption = Annotated[
    bool,
    games_option("--pick", help="Point at the board that you mean on the screen."),
]
FirstOption = Annotated[
    str | None,
    typer.Option(metavar="CELL", help="First click: corner, center or ROW,COL. Default: the solver chooses."),
]
RuleOption = Annotated[FirstClick, typer.Option(help="What the game promises about the first click.")]
SkinsOption = Annotated[
    Path | None,
    files_option(
        "--skins",
        metavar="FOLDER",
        help="A folder with your own skins, besides the shipped ones; minebot learn saves there.",
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


def deciding_by(strategy: str | None, guess: bool, learned: str | None, *, grows: bool = True) -> Deciding:
    """Return how to decide, from the options; with ``grows``, the learned data is added to during use.

    Raises UsageError if there is no such strategy; ExperienceError if experience cannot be read.
    """
    informed_strategy, recorder = informed(strategy_named(strategy or DEEP.name), learned, grows=grows)
    return Deciding(informed_strategy, guess, recorder)


def experience_file(folder: str | None) -> Path:
    """Return the experience file in ``folder``, or in the user's data if None; it may not exist yet."""
    return data_folder(folder) / "experience.bin"


def patterns_file(folder: str | None = None) -> Path:
    """Return the learned-patterns file in ``folder``, or in the user's data if None; it may not exist yet."""
    return data_folder(folder) / "patterns.txt"


def informed(
    strategy: Strategy, folder: str | None, *, grows: bool = True
) -> tuple[Strategy, ExperienceRecorder | None]:
    """Return ``strategy`` with its learned data from ``folder``, and a recorder that learns from its games.

    Only korlyakova and novitsky learn. With ``grows``, novitsky uses and extends its learned patterns, else
    it uses only the shipped ones; the recorder, for korlyakova, is None without ``grows``. Raises
    ExperienceError if experience cannot be read. A damaged pattern file is renamed, with a message.
    """
    if folder == NONE or not (isinstance(strategy, PlainStrategy) and strategy.learns):
        return strategy, None
    if strategy.name == KORLYAKOVA:
        from bot.solver.published import korlyakova

        learned = korlyakova.Learned(korlyakova.Experience.load(experience_file(folder)))
        recorder = korlyakova.ExperienceRecorder(learned, experience_file(folder), complain)
        return korlyakova.strategy_with(learned), recorder if grows else None
    from bot.solver.published import novitsky

    library = novitsky.learner(patterns_file(folder), note, complain) if grows else None
    return novitsky.strategy_with(library), None


def one_of(option: str, value: str, known: Iterable[str]) -> str:
    """Return ``value``, given for ``option``. Raises UsageError if it is not one of ``known``."""
    if value not in (names := list(known)):
        raise UsageError(f"{option} {value}: choose one of {', '.join(names)}")
    return value


def positive(option: str, value: float, unit: str) -> float:
    """Return ``value``, given for ``option``. Raises UsageError if it is not finite and above 0."""
    if not (math.isfinite(value) and value > 0):
        raise UsageError(f"{option} {value:g}: give a number of {unit} above 0")
    return value


def compiled_meanwhile(strategy: Strategy) -> Strategy:
    """Return a strategy that can decide now; if the solver must be compiled, start that in the background.

    Until it is compiled, the strategy exact decides; always, if it cannot be compiled or stored.
    """
    if not isinstance(strategy, CompiledStrategy) or kernel_compiled():
        return strategy
    meanwhile = while_compiling(strategy, note)
    if meanwhile is EXACT:
        note(f"{_not_stored()}: --strategy {EXACT} decides")
    else:
        note(f"compiling the solver in the background, once; until then, --strategy {EXACT} decides")
    return meanwhile


def prepare_kernel(strategies: Iterable[Strategy]) -> None:
    """Compile the kernel if one of ``strategies`` needs it and it is not yet, with a progress bar."""
    if any(isinstance(strategy, CompiledStrategy) for strategy in strategies):
        compile_with_bar()


def compile_with_bar() -> None:
    """Compile the kernel if it is not compiled yet, with a progress bar on standard error.

    Print a note if the result cannot be saved.
    """
    if kernel_compiled():
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    text = TextColumn("compiling the solver, once; up to half a minute")
    with Progress(text, BarColumn(), TimeElapsedColumn(), console=console(stderr=True)) as bar:
        task = bar.add_task("")
        compile_kernel(lambda done, total: bar.update(task, completed=done, total=total))
    if not kernel_compiled():
        note(f"{_not_stored()}: it will be compiled again next time")


def _not_stored() -> str:
    where = f"{kernel_folder()}, to which only you must be able to write"
    return f"the compiled solver cannot be stored in {where}"
