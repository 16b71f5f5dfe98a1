"""The game that is to be played: found on the screen, launched, or our own if the user agrees."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack, closing
from functools import partial

import typer

from bot.cli.output import side_console
from bot.desktop import open_desktop
from bot.desktop.protocols import Desktop, Window
from bot.errors import GameNotFoundError, UsageError
from bot.targets import Target, find_game, find_target, parse_level
from bot.targets.launch import launched, launched_builtin

WINEMINE, BUILTIN = "winemine", "builtin"


def check_launch(target: str) -> None:
    """Raise UsageError if the wanted game is none that can be started."""
    if target not in ("auto", WINEMINE, BUILTIN):
        raise UsageError(f"--launch starts {WINEMINE} or {BUILTIN}: leave out --target {target}")


def launched_game(cleanup: ExitStack, target: str, level: str | None) -> tuple[Target, Window] | None:
    """Start a game that `check_launch` lets pass, to be ended by ``cleanup``, and return it.

    None if the wanted one is there already.
    """
    if os.environ.get("DISPLAY") or not sys.platform.startswith("linux"):
        with closing(open_desktop()) as desktop:
            if find_game(desktop, target):
                return None
    return _start(cleanup, BUILTIN if target == BUILTIN else WINEMINE, level)


def _start(cleanup: ExitStack, name: str, level: str | None) -> tuple[Target, Window]:
    known, side = find_target(name), side_console()
    start = launched_builtin if name == BUILTIN else launched
    wanted = parse_level(level or "beginner", known)
    return known, cleanup.enter_context(start(wanted, partial(side.print, markup=False)))


def offered_game(
    cleanup: ExitStack, target: str, level: str | None, missing: GameNotFoundError
) -> tuple[Target, Window]:
    """Open our own game if the user agrees, where no other is asked for; else raise that there is none."""
    if target not in ("auto", BUILTIN):
        raise missing
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise GameNotFoundError(f"{missing}; `minebot game` opens one of minebot's own") from missing
    question = "No Minesweeper is on the screen. Open the one of minebot, and let the bot play it?"
    try:
        agreed = typer.confirm(question, default=True, err=True)
    except typer.Abort:  # the input has ended
        agreed = False
    if not agreed:
        raise missing
    return _start(cleanup, BUILTIN, level)


def found_window(desktop: Desktop, target: str) -> tuple[Target, Window] | None:
    """Return the game and its window; None if there is no window that is known to be one.

    Raises GameNotFoundError if there is one, but of another game than ``target``.
    """
    found = find_game(desktop, target)
    if found is None and (other := find_game(desktop)):
        name = other[0].name
        raise GameNotFoundError(
            f"there is no {target} on the screen, but {name}: use --target {name} or auto"
        )
    return found
