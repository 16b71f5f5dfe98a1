"""The game to play: which one is wanted, where it is on the screen, and how it is started."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack, closing
from dataclasses import dataclass

import typer

from bot.cli.output import note
from bot.desktop import open_desktop
from bot.desktop.protocols import Desktop, Window
from bot.errors import GameNotFoundError, UsageError
from bot.levels import Level
from bot.targets import Target, find_game, find_target, parse_level
from bot.targets.launch import launched, launched_builtin

AUTO, WINEMINE, BUILTIN = "auto", "winemine", "builtin"


@dataclass(frozen=True, slots=True)
class WantedGame:
    """The game that ``minebot play`` is to play: its ``name`` or "auto", its level (None: as it is).

    With ``launch`` it is started if it is missing. Raises UsageError if there is no such game, if it has no
    such level, or if it cannot be started.
    """

    name: str
    level: str | None
    launch: bool

    def __post_init__(self) -> None:
        """Raise for a level that the game does not have before anything is started."""
        if self.target is not None and self.level is not None:
            parse_level(self.level, self.target)
        if self.launch and self.name not in (AUTO, WINEMINE, BUILTIN):
            raise UsageError(f"--launch starts {WINEMINE} or {BUILTIN}: leave out --target {self.name}")

    @property
    def target(self) -> Target | None:
        """What is known of the game; None if any will do."""
        return wanted_target(self.name)

    def launched(self, cleanup: ExitStack) -> tuple[Target, Window] | None:
        """Start the game, to be ended by ``cleanup``; None if that is not wanted, or it is there already."""
        if not self.launch:
            return None
        if os.environ.get("DISPLAY") or not sys.platform.startswith("linux"):
            with closing(open_desktop()) as desktop:
                if find_game(desktop, self.name):
                    return None
        return self._start(cleanup, BUILTIN if self.name == BUILTIN else WINEMINE)

    def offered(self, cleanup: ExitStack, missing: GameNotFoundError) -> tuple[Target, Window]:
        """Offer to open our own game; raise ``missing`` if another was asked for, or the user declines."""
        if self.name not in (AUTO, BUILTIN):
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
        return self._start(cleanup, BUILTIN)

    def level_of(self, target: Target) -> Level | None:
        """Return the level to play, None if the game is to be played as it is."""
        return None if self.level is None else parse_level(self.level, target)

    def _start(self, cleanup: ExitStack, name: str) -> tuple[Target, Window]:
        target = find_target(name)
        start = launched_builtin if name == BUILTIN else launched
        return target, cleanup.enter_context(start(parse_level(self.level or "beginner", target), note))


def wanted_target(name: str) -> Target | None:
    """Return the game of that name, None for any. Raises UsageError if there is none of that name."""
    return None if name == AUTO else find_target(name)


def found_window(desktop: Desktop, name: str) -> tuple[Target, Window] | None:
    """Return the game of that name and its window; None if there is no window that is known to be one.

    Raises GameNotFoundError if there is one, but of another game.
    """
    found = find_game(desktop, name)
    if found is None and (other := find_game(desktop)):
        there = other[0].name
        raise GameNotFoundError(
            f"there is no {name} on the screen, but {there}: use --target {there} or auto"
        )
    return found
