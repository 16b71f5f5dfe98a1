"""Options of several commands: how the solver works, and ``--debug``, which may stand anywhere."""

from __future__ import annotations

import math
import os
from typing import Annotated

import typer

from bot.cli.run import Run
from bot.clicker import RealClock
from bot.errors import UsageError
from bot.solver import STRATEGIES, Strategy
from bot.solver.policies import DEEP, Thinking

THINK = 1.0  # seconds about a guess, if nothing else is said


def _note(context: typer.Context, wanted: bool) -> None:
    if wanted:
        context.ensure_object(Run).debug = True


DebugOption = Annotated[
    bool,
    typer.Option(
        "--debug",
        callback=_note,
        is_eager=True,  # before another option can be wrong
        expose_value=False,
        help="Show where in the program an error arose.",
    ),
]
StrategyOption = Annotated[
    str | None, typer.Option(help=f"How far the solver goes: {', '.join(STRATEGIES)}. Default: best.")
]
ThinkOption = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS",
        help=f"How long to think about each guess, on all processors; means --strategy {DEEP}. Default: "
        f"{THINK:g} with that strategy.",
    ),
]

GuessOption = Annotated[
    bool,
    typer.Option(
        "--guess/--no-guess", help="Whether to go on where nothing is proven, or to stop there and say so."
    ),
]


def strategy_of(strategy: str | None, think: float | None) -> Strategy:
    """Return the strategy that the options ask for; if it can think, it does on all processors.

    Raises UsageError if there is none of that name, or if it cannot think for so long.
    """
    name = strategy or ("best" if think is None else DEEP)
    if name not in STRATEGIES:
        raise UsageError(f"--strategy {name}: choose one of {', '.join(STRATEGIES)}")
    if think is not None and name != DEEP:
        raise UsageError(f"--think {think:g}: only the strategy {DEEP} thinks, leave out --strategy {name}")
    return STRATEGIES[name].pondering(Thinking(seconds_of(think), RealClock().now, processors()))


def seconds_of(think: float | None) -> float:
    """Return for how many seconds to think about a guess. Raises UsageError if that is no time."""
    if think is None:
        return THINK
    if not (math.isfinite(think) and think > 0):
        raise UsageError(f"--think {think:g}: give a number of seconds above 0")
    return think


def processors() -> int:
    """Return how many processors there are."""
    return os.cpu_count() or 1
