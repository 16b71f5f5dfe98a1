"""``minebot console``: play in the terminal, or through a pipe."""

from __future__ import annotations

import secrets
import sys
import time
from contextlib import suppress
from typing import Annotated

import typer
from rich.text import Text

from bot.cli.output import console as output
from bot.game.console import ConsoleGame
from bot.levels import Level
from bot.signals import Stopped

_PROMPT = "row col, or help: "
_BEGINNING = "Open a cell with its row and column, such as 3 4; help lists all commands."
_COLOURS = {
    "title": "bold",
    "axis": "dim",
    "flag": "bold red",
    "mine": "bold red",
    "exploded": "bold white on red",
    "wrong flag": "black on yellow",
    "0": "dim",
    "1": "bright_blue",
    "2": "green",
    "3": "bright_red",
    "4": "blue",
    "5": "red",
    "6": "cyan",
    "7": "magenta",
    "8": "bright_black",
}


def console(
    rows: Annotated[int, typer.Argument(help="Rows, up to 99.")] = 10,
    cols: Annotated[int, typer.Argument(help="Columns, up to 99.")] = 10,
    mines: Annotated[int, typer.Argument(help="Mines.")] = 10,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed of the board: the same seed gives the same game.")
    ] = None,
) -> None:
    """Play a game in the terminal: type a row and a column (help lists more).

    It also reads moves from a pipe. End it with quit, Ctrl+D or Ctrl+C.
    """
    chosen = secrets.randbits(48) if seed is None else seed
    game = ConsoleGame(Level(rows, cols, mines), chosen, time.monotonic)
    try:
        _play(game)
    except Stopped as stopped:  # Ctrl+C ends the command, like Ctrl+D
        output().print()
        raise typer.Exit(stopped.exit_code) from None


def _play(game: ConsoleGame) -> None:
    """Play until the game is over, the player enters quit or presses Ctrl+D, or the piped input ends."""
    if sys.stdin.isatty():
        with suppress(ImportError):  # Windows edits lines by itself
            import readline  # noqa: F401 - it lets input() recall what was typed
    elif hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    reply = _BEGINNING
    while True:
        _show(game, reply)
        if game.round.over:
            return
        line = _read()
        if line is None or line.strip().lower() in ("quit", "q", "exit"):
            return
        reply = game.enter(line)


def _show(game: ConsoleGame, words: str) -> None:
    out = output()
    out.clear()
    for line in game.screen():
        text = Text()
        for piece in line:
            text.append(piece.text, _COLOURS.get(piece.style, ""))
        text.rstrip()
        out.print(text)
    if words:
        out.print(words, markup=False)


def _read() -> str | None:
    """Return the next line, or None at the end of the input."""
    try:
        line = input(_PROMPT)
    except EOFError:
        output().print()
        return None
    if not sys.stdin.isatty():
        output().print(line.rstrip(), markup=False)
    return line
