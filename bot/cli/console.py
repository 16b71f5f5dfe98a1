"""``minebot console``: play in the terminal, or through a pipe."""

from __future__ import annotations

import secrets
import sys
import time
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from bot.board import Board, Cell, FirstClick
from bot.cli.options import LearnedOption, compiled_meanwhile, informed, one_of, prepare_kernel
from bot.cli.output import console as output
from bot.game.console import ConsoleGames, Reply
from bot.game.round import RULES
from bot.levels import Level
from bot.signals import Stopped
from bot.solver import STRATEGIES, Strategy, decide, strategy_named
from bot.solver.decision import Decision

if TYPE_CHECKING:
    from bot.solver.published.korlyakova import ExperienceRecorder

_PROMPT = "row col, or help: "
_BEGINNING = "Open a cell with its row and column, such as 3 4; help lists all commands."
_COLOURS = {
    "title": "bold",
    "axis": "dim",
    "covered": "white",
    "flag": "bold red",
    "question mark": "bold magenta",
    "mine": "bold red",
    "exploded": "bold white on red",
    "wrong flag": "black on yellow",
    "hint": "bold yellow",
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
    rule: Annotated[
        str,
        typer.Option(
            help="What the first move promises: opening (no mine there nor around it), safe (no mine there), "
            "winmine (as Windows XP does it), any (nothing), no-guess (an opening, and no guess later)."
        ),
    ] = "opening",
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed of the boards: the same seed gives the same games.")
    ] = None,
    strategy: Annotated[str, typer.Option(help="Strategy for hint and auto: as in `minebot play`.")] = "best",
    learned: LearnedOption = None,
) -> None:
    """Play in the terminal: type a row and a column, or hint, auto and more (help lists them).

    It can also read moves from a pipe, and then prints every position. End it
    with quit, Ctrl+D or Ctrl+C.
    """
    chosen, first_click = strategy_named(strategy), RULES[one_of("--rule", rule, RULES)]
    seeds = count(secrets.randbits(48) if seed is None else seed)
    adviser, level = _Adviser(chosen, learned), Level(rows, cols, mines)
    played = ConsoleGames(
        level, first_click, seeds, time.monotonic, adviser.decide, adviser.lay, adviser.ended
    )
    try:
        _Terminal(played).play()
    except Stopped as stopped:  # Ctrl+C ends the command, like Ctrl+D
        output().print()
        raise typer.Exit(stopped.exit_code) from None
    finally:
        played.leave()


class _Adviser:
    """The solver, prepared when it is first asked. Strategies that can learn do so from the games played."""

    def __init__(self, strategy: Strategy, folder: str | None) -> None:
        self._strategy, self._folder = strategy, folder
        self._informed = False
        self._recorder: ExperienceRecorder | None = None

    def decide(self, board: Board, rule: FirstClick, first: Cell | None) -> Decision:
        """Return the strategy's decision on ``board``."""
        if not self._informed:
            self._informed = True
            ready = compiled_meanwhile(self._strategy)
            self._strategy, self._recorder = informed(ready, self._folder)
        decision = decide(board, rule=rule, strategy=self._strategy, first=first)
        if self._recorder is not None:
            self._recorder.decided(board, decision)
        return decision

    def ended(self, board: Board) -> None:
        """Learn from ``board``, the final board of a game."""
        if self._recorder is not None:
            self._recorder.ended(board)

    def lay(self, level: Level, seed: int, first: Cell) -> frozenset[Cell]:
        """Return the mines of a board that can be solved from ``first`` without a guess."""
        from bot.game.noguess import no_guess_mines  # slow to import: it loads the compiler

        prepare_kernel([STRATEGIES["fast"]], games=True)
        return no_guess_mines(level, seed, first)


class _Terminal:
    """The user interface: shows the game and reads the player's lines until the player quits."""

    def __init__(self, played: ConsoleGames) -> None:
        self._games, self._out = played, output()
        self._typed = sys.stdin.isatty()
        if not self._typed and hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")
        if self._typed:
            with suppress(ImportError):  # Windows edits lines by itself
                import readline  # noqa: F401 - it lets input() recall what was typed

    def play(self) -> None:
        """Play until the player enters quit or presses Ctrl+D, or until the piped input ends."""
        self._show(_BEGINNING)
        while (line := self._read()) is not None:
            reply = self._games.enter(line)
            if reply.quit:
                return
            self._show(reply.words)
            self._play_on(reply)

    def _play_on(self, reply: Reply) -> None:
        while reply.speed is not None and not self._games.round.over:
            time.sleep(1 / reply.speed)
            reply = self._games.step(reply.speed)
            self._show(reply.words)

    def _show(self, words: str) -> None:
        if self._out.is_terminal:
            self._out.clear()
        for line in self._games.screen():
            text = Text()
            for piece in line:
                text.append(piece.text, _COLOURS.get(piece.style, ""))
            text.rstrip()
            self._out.print(text)
        if words:
            self._out.print(words, markup=False)

    def _read(self) -> str | None:
        """Return the next line, or None at the end of the input."""
        try:
            if self._typed:
                return input(_PROMPT)
            line = sys.stdin.readline()
        except EOFError:
            self._out.print()
            return None
        if line:
            self._out.print(f"{_PROMPT}{line.rstrip()}", markup=False)
        return line or None
