"""``minebot game``: a Minesweeper of our own."""

from __future__ import annotations

import math
import os
import secrets
import sys
import time
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.folders import data_folder
from bot.cli.options import DebugOption
from bot.errors import UsageError
from bot.levels import LEVELS, parse_level

if TYPE_CHECKING:
    from bot.game.window.options import Options


def game(
    level: Annotated[
        str, typer.Option(help=f"{', '.join(LEVELS)}, or ROWSxCOLS/MINES of your own.")
    ] = "beginner",
    rule: Annotated[
        str,
        typer.Option(
            help="What the first click promises: safe (no mine), winmine (the same as Windows XP does it), "
            "opening (nor around it), any (nothing), no-guess (an opening, and nothing to guess later)."
        ),
    ] = "safe",
    scale: Annotated[
        float | None, typer.Option(help="How large: at 1 a cell is 16 pixels. Default: as the screen's text.")
    ] = None,
    dark: Annotated[bool, typer.Option("--dark", help="Dark colours.")] = False,
    seed: Annotated[
        int | None, typer.Option(help="Draw the boards from this number on: the same games again.")
    ] = None,
    question_marks: Annotated[
        bool, typer.Option(help="Whether a second right click puts a question mark.")
    ] = True,
    times: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Keep the best times in this folder.")
    ] = None,
    _debug: DebugOption = False,
) -> None:
    """Play Minesweeper in a window of its own, with hints (F3) and autoplay."""
    from bot.game.window.layout import LARGEST, SMALLEST

    chosen = parse_level(level, SMALLEST, LARGEST)
    _check(rule, scale, seed)
    _check_display()
    from bot.game.best_times import BestTimes
    from bot.game.window.app import run_window
    from bot.game.window.autoplay import Autoplayer
    from bot.game.window.hint import HintMaker
    from bot.game.window.options import Options, World

    def options(screen: float) -> Options:
        return Options(chosen, rule, scale or screen, dark, question_marks)

    seeds = count(secrets.randbits(48) if seed is None else seed)
    best = BestTimes(data_folder(times))
    world = World(time.monotonic, lambda: next(seeds), best, HintMaker, Autoplayer)
    run_window(options, world)


def _check(rule: str, scale: float | None, seed: int | None) -> None:
    """Raise UsageError unless these can be used."""
    from bot.game.round import RULES
    from bot.game.window.layout import LARGEST_SCALE, SMALLEST_SCALE

    if rule not in RULES:
        raise UsageError(f"--rule {rule}: choose one of {', '.join(RULES)}")
    fits = scale is None or (math.isfinite(scale) and SMALLEST_SCALE <= scale <= LARGEST_SCALE)
    if not fits:
        raise UsageError(f"--scale {scale:g}: give {SMALLEST_SCALE:g} to {LARGEST_SCALE:g}")
    if seed is not None and seed < 0:
        raise UsageError(f"--seed {seed}: give a number from 0 on")


def _check_display() -> None:
    """Raise the error that says what to do if Qt would find no X display; other systems always have one."""
    if sys.platform.startswith("linux") and os.environ.get("QT_QPA_PLATFORM", "xcb") == "xcb":
        from bot.screen.windows import open_desktop

        open_desktop().close()
