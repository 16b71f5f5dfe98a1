"""The game to play: which one the user wants, its window on the screen, and how to start it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass

import typer

from bot.cli.output import can_be_asked, note
from bot.desktop import open_desktop
from bot.desktop.protocols import Capture, Desktop, Visibility, Window
from bot.errors import GameNotFoundError, NotInTimeError, UsageError
from bot.targets.catalogue import UNKNOWN, Target, find_game, find_target, parse_level
from bot.targets.launch import launched
from bot.vision import Skin, read_picture

AUTO, WINEMINE, BUILTIN = "auto", "winemine", "builtin"


@dataclass(frozen=True, slots=True)
class WantedGame:
    """The game to play: its ``name`` or "auto" for any, and its ``level``, or None to keep its current one.

    With ``launch``, the game is started if it is missing. Raises UsageError if there is no such game, if it
    does not have that level, or if ``--launch`` cannot start it.
    """

    name: str
    level: str | None
    launch: bool

    def __post_init__(self) -> None:
        """Check name and level before anything is started; raise UsageError if they are wrong."""
        if self.target is not None and self.level is not None:
            parse_level(self.level, self.target)
        if self.launch and self.name not in (AUTO, WINEMINE, BUILTIN):
            raise UsageError(f"--launch starts {WINEMINE} or {BUILTIN}: leave out --target {self.name}")

    @property
    def target(self) -> Target | None:
        """The target with that name, or None for "auto"."""
        return wanted_target(self.name)

    def launched(self, cleanup: ExitStack) -> tuple[Target, Window] | None:
        """Start the game, which ``cleanup`` will end; None without ``launch`` or if it is already there."""
        if not self.launch:
            return None
        if os.environ.get("DISPLAY") or not sys.platform.startswith("linux"):
            with closing(open_desktop()) as desktop:
                if find_game(desktop, self.name):
                    return None
        return self._start(cleanup, BUILTIN if self.name == BUILTIN else WINEMINE)

    def offered(self, cleanup: ExitStack, missing: GameNotFoundError) -> tuple[Target, Window]:
        """Ask whether to open the built-in game; raise ``missing`` if not, or if another game is wanted."""
        if self.name not in (AUTO, BUILTIN):
            raise missing
        if not can_be_asked():
            raise GameNotFoundError(f"{missing}; `minebot game` opens minebot's own game") from missing
        question = "No Minesweeper is on the screen. Open minebot's own game, and let the bot play it?"
        try:
            agreed = typer.confirm(question, default=True, err=True)
        except typer.Abort:  # end of the input
            agreed = False
        if not agreed:
            raise missing
        return self._start(cleanup, BUILTIN)

    def _start(self, cleanup: ExitStack, name: str) -> tuple[Target, Window]:
        target = find_target(name)
        level = parse_level(self.level or "beginner", target)
        return target, cleanup.enter_context(launched(target, level, note))


def wanted_target(name: str) -> Target | None:
    """Return the target called ``name``, or None for "auto". Raises UsageError if there is none."""
    return None if name == AUTO else find_target(name)


def found_window(
    desktop: Desktop, name: str, screen: Capture, skins: Sequence[Skin]
) -> tuple[Target, Window] | None:
    """Return the game called ``name`` and its window, or None if no known game has a window.

    A window in full view that only has the title of a game must show a board, read with ``skins``. Raises
    GameNotFoundError if only another known game is on the screen.
    """
    found = find_game(desktop, name)
    if found is None and (other := find_game(desktop)) and other[0] is not UNKNOWN:
        there = other[0].name
        raise GameNotFoundError(
            f"there is no {name} on the screen, but {there}: use --target {there} or auto"
        )
    if found is not None and found[0] is UNKNOWN:
        area = found[1].client
        in_view = desktop.visibility(found[1], area) is Visibility.VISIBLE
        with suppress(NotInTimeError):
            if not in_view or read_picture(screen.grab(area).pixels, skins, first_sight=True):
                return found
        return None
    return found
