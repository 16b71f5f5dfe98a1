"""The commands that open a window of their own: ``minebot game``, ``panel`` and the hidden ``overlay``."""

from __future__ import annotations

import os
import secrets
import sys
import time
from itertools import count
from pathlib import Path
from typing import Annotated, Any

import typer

from bot.cli.files import bot_plays, data_folder, this_display
from bot.cli.options import one_of
from bot.cli.terminal import print_json
from bot.errors import BotError, SettingsError, UsageError
from bot.levels import LEVELS, parse_level


def game(
    level: Annotated[
        str | None,
        typer.Option(
            metavar="LEVEL",
            help=f"{', '.join(LEVELS)}, or ROWSxCOLS/MINES. Default: the last choice, at first beginner.",
        ),
    ] = None,
    rule: Annotated[
        str | None,
        typer.Option(
            help="What the first click promises: safe (no mine there), winmine (the same, as Windows XP "
            "does it), opening (no mine there nor around it), any (nothing), no-guess (an opening, and no "
            "guess later). Default: the last choice, at first safe."
        ),
    ] = None,
    scale: Annotated[
        float | None,
        typer.Option(help="At 1, cells have 16 pixels. Default: the last choice, at first 1.5 or more."),
    ] = None,
    dark: Annotated[
        bool | None, typer.Option("--dark/--light", help="Dark colours, or the classic light ones.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed of the boards: the same seed gives the same games.")
    ] = None,
    question_marks: Annotated[
        bool | None,
        typer.Option(
            "--question-marks/--no-question-marks", help="Whether a second right click sets a question mark."
        ),
    ] = None,
    times: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Keep the best times and settings in this folder.")
    ] = None,
) -> None:
    """Play Minesweeper in a window of minebot, with hints (F3).

    Choices in its menus are kept for the next time; options given here apply
    to this time only.
    """
    from bot.game.round import RULES
    from bot.ui.game.saved import LARGEST, LARGEST_SCALE, SMALLEST, SMALLEST_SCALE

    if level is not None:
        parse_level(level, SMALLEST, LARGEST)
    if rule is not None:
        one_of("--rule", rule, RULES)
    if scale is not None and not SMALLEST_SCALE <= scale <= LARGEST_SCALE:
        raise UsageError(f"--scale {scale:g}: give {SMALLEST_SCALE:g} to {LARGEST_SCALE:g}")
    check_display()
    from bot.ui.application import run_application
    from bot.ui.game.saved import BestTimes, Options, SavedOptions, World

    folder = data_folder(times)
    kept, words = SavedOptions(folder), ""
    try:
        last = kept.load()
    except SettingsError as error:
        last, words = Options(), str(error)
    options = last.changed(level=level, rule=rule, scale=scale, dark=dark, question_marks=question_marks)
    seeds = count(secrets.randbits(48) if seed is None else seed)
    display = this_display()
    world = World(
        time.monotonic,
        lambda: next(seeds),
        BestTimes(folder),
        kept.keep,
        words,
        lambda: bot_plays(display),
    )

    def make(scale: float) -> Any:
        from bot.ui.game.window import MinesweeperWindow, first_scale

        return MinesweeperWindow(options.changed(scale=options.scale or first_scale(scale)), world)

    run_application("minebot-game", make)


def panel(
    settings: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Keep what is chosen in this folder.")
    ] = None,
) -> None:
    """Start, pause and stop play from a small window; it can also play one round at a time.

    The window remembers your choices.
    """
    check_display()
    from bot.ui.application import run_application

    def make(_scale: float) -> Any:
        from bot.ui.panel import Panel
        from bot.ui.panel_run import Process, SavedPanel

        return Panel(SavedPanel(data_folder(settings)), Process)

    run_application("minebot-panel", make)


def overlay() -> None:
    """Show marks over a game by orders on standard input, until it ends. Dry runs start this."""
    from bot.ui.application import run_application

    def make(scale: float) -> Any:
        from bot.ui.overlay_windows import OverlayWindows

        return OverlayWindows(sys.stdin, sys.stdout, scale)

    try:
        run_application("minebot-overlay", make)
    except BotError as error:  # to the dry run, which says it
        print_json({"error": str(error)})
        raise typer.Exit(error.exit_code) from None


def check_display() -> None:
    """Raise a helpful error if Qt needs an X display and there is none; only Linux can lack a display."""
    if sys.platform.startswith("linux") and os.environ.get("QT_QPA_PLATFORM", "xcb") == "xcb":
        from bot.desktop import open_desktop

        open_desktop().close()
