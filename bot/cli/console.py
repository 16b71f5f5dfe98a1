"""``minebot console``: play in the terminal, or through a pipe."""

from __future__ import annotations

import re
import secrets
import sys
import time
from contextlib import suppress
from typing import Annotated

import numpy as np
import typer
from rich.text import Text

from bot.board import CHARACTERS, Board, Cell, FirstClick, State
from bot.cli.terminal import console as output
from bot.cli.terminal import say
from bot.counting_rules import neighbour_sum
from bot.errors import UsageError
from bot.game.round import Clock, GameClick, PlayedGame, Rule
from bot.game.simulation import mine_map
from bot.levels import Level, check_level
from bot.signals import Stopped
from bot.solver.decision import Action
from bot.verdict import GameState
from bot.words import cell_words, counted

_PROMPT = "row col, or help: "
_BEGINNING = "Open a cell with its row and column, such as 3 4; help lists all commands."
HELP = """\
3 4            open row 3, column 4 (counted from 1)
f 3 4          set or remove a flag
c 3 4          chord: open all cells around a number that touches as many flags
help           show this list
quit           stop playing (or press Ctrl+D)"""

SMALLEST, LARGEST = (1, 1), (99, 99)  # rows and columns
_NUMBER = re.compile(r"[+-]?\d{1,9}", re.ASCII)
_ACTIONS = {
    "open": Action.OPEN,
    "f": Action.FLAG,
    "flag": Action.FLAG,
    "c": Action.CHORD,
    "chord": Action.CHORD,
}
_COLOURS = ("dim", "bright_blue", "green", "bright_red", "blue", "red", "cyan", "magenta", "bright_black")
_STYLES = {
    **dict(enumerate(_COLOURS)),  # of the numbers
    State.FLAG: "bold red",
    State.MINE: "bold red",
    State.EXPLODED: "bold white on red",
    State.WRONG_FLAG: "black on yellow",
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
        out = output()
        out.clear()
        for line in game.screen():
            out.print(line)
        if reply:
            say(reply)
        if game.round.over:
            return
        typed = _read()
        if typed is None or typed.strip().lower() in ("quit", "q", "exit"):
            return
        reply = game.enter(typed)


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


def parse(text: str) -> GameClick:
    """Return the move in ``text``; its cell may be off the board.

    Raises UsageError, with a message for the player, if there is none.
    """
    words = text.replace(",", " ").lower().split()
    if not words:
        raise UsageError("type a row and a column, such as 3 4; help lists all commands")
    if _NUMBER.fullmatch(words[0]):
        words.insert(0, "open")
    first, *numbers = words
    if first not in _ACTIONS:
        said = text.strip()
        short = said if len(said) <= 20 else f"{said[:20]}..."
        raise UsageError(f"{short!r} is not a command: type a row and a column, such as 3 4, or help")
    if len(numbers) != 2 or not all(map(_NUMBER.fullmatch, numbers)):
        example, given = "3 4" if first == "open" else f"{first} 3 4", " ".join(numbers) or "none"
        raise UsageError(f"a move has a row and a column, such as {example}, not {given}")
    row, col = map(int, numbers)
    return GameClick(_ACTIONS[first], Cell(row - 1, col - 1))


def draw(board: Board) -> list[Text]:
    """Return a board as lines of text, with numbers beside its rows and above its columns.

    A column is three characters wide, or wider if the column numbers have three digits or more.
    """
    width, margin = max(3, len(str(board.cols)) + 1), len(str(board.rows)) + 1
    heads = "".join(f"{col + 1:>{width}}" for col in range(board.cols))
    lines = [Text(" " * margin + heads, "dim")]
    for row in range(board.rows):
        line = Text.assemble((f"{row + 1:>{margin}}", "dim"))
        for state in board.states[row].tolist():
            line.append(" " * (width - 1))
            line.append(CHARACTERS[state] if state else " ", _STYLES.get(state, ""))
        line.rstrip()
        lines.append(line)
    return lines


def fully_shown(board: Board) -> Board:
    """Return a finished board with its covered cells shown, or unchanged if its mines are unknown."""
    mines = mine_map(board)
    if mines is None:
        return board
    numbers = np.where(mines, np.int8(State.MINE), neighbour_sum(mines))
    return board.replace({cell: int(numbers[cell]) for cell in board.cells(State.COVERED)})


class ConsoleGame:
    """One game, in which neither the first cell nor its neighbours are mines.

    Raises UsageError for a level that cannot be played.
    """

    def __init__(self, level: Level, seed: int, clock: Clock) -> None:
        check_level(level, SMALLEST, LARGEST)
        self.round = PlayedGame(level, Rule(FirstClick.OPENING), seed, clock)

    def screen(self) -> list[Text]:
        """Return the game as lines: a title and the board, with all numbers if the game is over."""
        level, left = self.round.level, self.round.mines_left
        title = f"{level.rows} x {level.cols}, {counted(level.mines, 'mine')}, {left} left"
        board = fully_shown(self.round.board) if self.round.over else self.round.board
        return [Text(title, "bold"), Text(), *draw(board), Text()]

    def enter(self, text: str) -> str:
        """Make the move in ``text`` and return the reply, which gives the reason if it cannot be made."""
        if text.strip().lower() in ("help", "h", "?"):
            return HELP
        try:
            click = parse(text)
        except UsageError as error:
            return str(error)
        cell, level, before = click.cell, self.round.level, self.round.board
        for name, number, count in (("row", cell.row, level.rows), ("column", cell.col, level.cols)):
            if not 0 <= number < count:
                return f"{name} {number + 1} is off the board: {name}s are 1 to {count}"
        self.round.play(click, question_marks=False)
        if self.round.board == before:
            return self._why_unchanged(click)
        if not self.round.over:
            return ""
        end = "You have won" if self.round.state is GameState.WON else "That was a mine: you have lost"
        return f"{end} after {self.round.elapsed:.1f} s."

    def _why_unchanged(self, click: GameClick) -> str:
        """Return why a move has changed nothing."""
        board, cell = self.round.board, click.cell
        state, place, typed = board[cell], cell_words(cell), f"{cell.row + 1} {cell.col + 1}"
        if click.deed is Action.FLAG:
            return f"{place} is open: only covered cells are flagged"
        if click.deed is Action.OPEN and state == State.FLAG:
            return f"{place} has a flag: remove it first, with f {typed}"
        if click.deed is Action.OPEN:
            chord = f"; c {typed} opens all around it once its flags are set" if state else ""
            return f"{place} is open already{chord}"
        if not 1 <= state <= 8:
            return f"{place} shows no number: a chord needs an opened number"
        flags = sum(board[near] == State.FLAG for near in board.neighbours(cell))
        if flags != state:
            return f"the {state} at {place} touches {counted(flags, 'flag')}, not {state}: nothing was opened"
        return f"nothing is left to open around {place}"
