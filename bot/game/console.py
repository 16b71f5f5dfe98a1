"""Minesweeper in a terminal: commands, boards as lines of text, and one game after another."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import numpy as np

from bot.board import CHARACTERS, Board, Cell, FirstClick, State, state_name
from bot.counting_rules import neighbour_sum
from bot.errors import BotError, UsageError
from bot.game.round import Click, Clock, PlayedGame, Progress, Rule
from bot.game.simulation import mine_map
from bot.levels import Level, check_level
from bot.solver.decision import Action, Decision
from bot.solver.explain.hints import Hint, explain
from bot.words import cell_words, counted

HELP = """\
3 4            open row 3, column 4 (counted from 1)
f 3 4          set or remove a flag
? 3 4          set or remove a question mark
c 3 4          chord: open all cells around a number that touches as many flags
hint           show a proven safe cell and why it is safe, or the least risk
auto           let the solver make one move
auto 5         let it play on, five moves a second; auto max without a pause
new            start another game; new 16 30 99 sets its size
help           show this list
quit           stop playing (or press Ctrl+D)"""

_FASTEST = 1000.0  # the most moves a second that can be asked for; auto max plays without pauses
_NUMBER = re.compile(r"[+-]?\d{1,9}", re.ASCII)


class Verb(Enum):
    """The commands."""

    OPEN = "open"
    FLAG = "f"
    QUESTION = "?"
    CHORD = "c"
    HINT = "hint"
    AUTO = "auto"
    NEW = "new"
    UNDO = "undo"
    HELP = "help"
    QUIT = "quit"


_VERBS = {
    **{verb.value: verb for verb in Verb},
    "o": Verb.OPEN,
    "flag": Verb.FLAG,
    "question": Verb.QUESTION,
    "chord": Verb.CHORD,
    "h": Verb.HELP,
    "n": Verb.NEW,
    "q": Verb.QUIT,
    "exit": Verb.QUIT,
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A command as typed.

    ``cell`` is for moves; it may be off the board. ``speed`` is for AUTO: moves a second until the end,
    infinite for no pauses, None for a single move. ``size`` is for NEW; None is the size of the last game.
    """

    verb: Verb
    cell: Cell | None = None
    speed: float | None = None
    size: Level | None = None


def parse(text: str) -> Entry:
    """Return the command in ``text``. Raises UsageError, with a message for the player, if there is none."""
    words = text.replace(",", " ").lower().split()
    if not words:
        raise UsageError("type a row and a column, such as 3 4; help lists all commands")
    if _NUMBER.fullmatch(words[0]):
        words.insert(0, Verb.OPEN.value)
    first, *rest = words
    verb = _VERBS.get(first)
    if verb is None:
        said = text.strip()
        short = said if len(said) <= 20 else f"{said[:20]}..."
        raise UsageError(f"{short!r} is not a command: type a row and a column, such as 3 4, or help")
    if verb is Verb.QUESTION and not rest:
        return Entry(Verb.HELP)
    if verb in (Verb.OPEN, Verb.FLAG, Verb.QUESTION, Verb.CHORD):
        return Entry(verb, cell=_cell(verb, rest))
    if verb is Verb.AUTO and rest:
        return Entry(verb, speed=_speed(rest))
    if verb is Verb.NEW and rest:
        if len(rest) != 3 or not all(map(_NUMBER.fullmatch, rest)):
            raise UsageError("give rows, columns and mines, such as new 16 30 99, or new alone")
        return Entry(verb, size=Level(*map(int, rest)))
    if rest:
        raise UsageError(f"{verb.value} takes no arguments: leave out {' '.join(rest)}")
    return Entry(verb)


def _cell(verb: Verb, words: list[str]) -> Cell:
    if len(words) != 2 or not all(map(_NUMBER.fullmatch, words)):
        example = "3 4" if verb is Verb.OPEN else f"{verb.value} 3 4"
        raise UsageError(f"a move has a row and a column, such as {example}, not {' '.join(words) or 'none'}")
    row, col = map(int, words)
    return Cell(row - 1, col - 1)


def _speed(words: list[str]) -> float:
    if words == ["max"]:
        return math.inf
    try:
        speed = float(words[0]) if len(words) == 1 else math.nan
    except ValueError:
        speed = math.nan
    if not 0 < speed <= _FASTEST:
        raise UsageError(f"auto {' '.join(words)}: give moves a second, such as auto 5, or auto max")
    return speed


class Piece(NamedTuple):
    """A piece of a line. ``style`` names its kind, such as "3", "flag" or "title"; "" is plain."""

    text: str
    style: str = ""


Line = tuple[Piece, ...]


def draw(board: Board, marked: Collection[Cell] = ()) -> list[Line]:
    """Return a board as lines of text, with brackets around the cells in ``marked``.

    A column is three characters wide, or wider if the column numbers have three digits or more.
    """
    width = max(3, len(str(board.cols)) + 1)
    margin = len(str(board.rows)) + 1
    heads = "".join(f"{col + 1:>{width - 1}} " for col in range(board.cols))
    head = (Piece(" " * (margin + 1)), Piece(heads.rstrip(), "axis"))
    return [head, *(_row(board, row, marked, margin, width) for row in range(board.rows))]


def _row(board: Board, row: int, marked: Collection[Cell], margin: int, width: int) -> Line:
    pieces = [Piece(f"{row + 1:>{margin}} ", "axis")]
    for col in range(board.cols):
        cell = Cell(row, col)
        state = board[cell]
        shown = Piece(CHARACTERS[state] if state else " ", state_name(state))
        left, right = (Piece("[", "hint"), Piece("]", "hint")) if cell in marked else (Piece(" "), Piece(" "))
        pieces += [Piece(" " * (width - 3)), left, shown, right]
    return tuple(pieces)


def fully_shown(board: Board) -> Board:
    """Return a finished board with its covered cells shown, or unchanged if its mines are unknown."""
    mines = mine_map(board)
    if mines is None:
        return board
    numbers = np.where(mines, np.int8(State.MINE), neighbour_sum(mines))
    return board.replace({cell: int(numbers[cell]) for cell in board.cells(State.COVERED, State.QUESTION)})


SMALLEST, LARGEST = (1, 1), (99, 99)  # rows and columns
_SHORTEST = 0.1  # seconds; 3BV/s is shown only for longer games
_OVER = "the game is over: new starts another one, quit ends the program"
_NOTHING_TO_UNDO = "there is nothing to undo: no cell is open yet"
_NO_UNDO = "there is no undo: opened cells stay open; f removes a flag, just as it sets one"

Decide = Callable[[Board, FirstClick, Cell | None], Decision]  # the board, its rule, the cell opened first
Lay = Callable[[Level, int, Cell], frozenset[Cell]]  # a level, a seed, the first cell: mines without a guess
Ended = Callable[[Board], None]  # argument: the last board of a game


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to a command. ``quit`` says that the program ends.

    With a ``speed``, the solver plays on, that many moves a second; `ConsoleGames.step` makes each move.
    """

    words: str = ""
    quit: bool = False
    speed: float | None = None


class ConsoleGames:
    """Plays one game after another on boards drawn with the ``seeds``.

    ``decide`` is the solver; ``lay`` makes boards without guesses. ``on_end`` gets the last board of each
    game in which the solver was asked, once. Raises UsageError for a level that cannot be played.
    """

    def __init__(
        self,
        level: Level,
        rule: Rule,
        seeds: Iterator[int],
        clock: Clock,
        decide: Decide,
        lay: Lay,
        on_end: Ended = lambda _: None,
    ) -> None:
        self.rule, self._seeds, self._clock, self._decide, self._lay = rule, seeds, clock, decide, lay
        self._on_end = on_end
        check_level(level, SMALLEST, LARGEST)
        self._begin(level)

    def _begin(self, level: Level) -> None:
        self.round = PlayedGame(level, self.rule, next(self._seeds), self._clock)
        self._marked: frozenset[Cell] = frozenset()
        self._asked_for = False  # whether the solver was asked in this game; False again after `on_end`

    def screen(self) -> list[Line]:
        """Return the game as lines: a title and the board, with all numbers if the game is over."""
        level, left = self.round.level, self.round.mines_left
        mines = counted(level.mines, "mine")
        title = f"{level.rows} x {level.cols}, {mines}, {left} left"
        board = fully_shown(self.round.board) if self.round.over else self.round.board
        return [(Piece(title, "title"),), (), *draw(board, self._marked), ()]

    def leave(self) -> None:
        """End the current game: call `on_end` if the solver was asked in it."""
        if self._asked_for:
            self._asked_for = False
            self._on_end(self.round.board)

    def enter(self, text: str) -> Reply:
        """Carry out a command and return the reply, which gives the reason if it cannot be done."""
        try:
            return self._do(parse(text))
        except BotError as error:
            return Reply(str(error))

    def step(self, speed: float) -> Reply:
        """Let the solver make one move. Return its reason, and the speed if the game goes on."""
        try:
            return Reply(self._auto(), speed=None if self.round.over else speed)
        except BotError as error:
            return Reply(str(error))

    def _do(self, entry: Entry) -> Reply:
        match entry.verb:
            case Verb.NEW:
                return self._new(entry.size or self.round.level)
            case Verb.UNDO:
                return Reply(_NOTHING_TO_UNDO if self.round.progress is Progress.READY else _NO_UNDO)
            case Verb.HELP:
                return Reply(HELP)
            case Verb.QUIT:
                return Reply(quit=True)
        if self.round.over:
            raise UsageError(_OVER)
        self._marked = frozenset()
        if entry.cell is not None:
            return Reply(self._move(entry.verb, self._on_board(entry.cell)))
        if entry.verb is Verb.HINT:
            hint = self._asked()
            self._marked = frozenset() if hint.cell is None else frozenset({hint.cell})
            return Reply(hint.sentence)
        return Reply(self._auto(), speed=entry.speed)

    def _on_board(self, cell: Cell) -> Cell:
        rows, cols = self.round.level.size
        for name, number, count in (("row", cell.row, rows), ("column", cell.col, cols)):
            if not 0 <= number < count:
                raise UsageError(f"{name} {number + 1} is off the board: {name}s are 1 to {count}")
        return cell

    def _move(self, verb: Verb, cell: Cell) -> str:
        state = self.round.board[cell]
        if verb is Verb.OPEN:
            self._check_openable(cell, state)
            self._open(cell)
        elif verb is Verb.CHORD:
            self._check_chord(cell, state)
            self.round.play(Click(Action.CHORD, cell))
        else:
            if state <= 8:
                raise UsageError(f"{cell_words(cell)} is open: only covered cells are marked")
            self._mark(cell, State.FLAG if verb is Verb.FLAG else State.QUESTION)
        return self._end()

    def _check_openable(self, cell: Cell, state: int) -> None:
        where = f"{cell.row + 1} {cell.col + 1}"
        if state == State.FLAG:
            raise UsageError(f"{cell_words(cell)} has a flag: remove it first, with f {where}")
        if state <= 8:
            chord = f"; c {where} opens all around it once its flags are set" if state else ""
            raise UsageError(f"{cell_words(cell)} is open already{chord}")

    def _check_chord(self, cell: Cell, state: int) -> None:
        around = [self.round.board[near] for near in self.round.board.neighbours(cell)]
        flags = around.count(State.FLAG)
        if not 1 <= state <= 8:
            raise UsageError(f"{cell_words(cell)} shows no number: a chord needs an opened number")
        if flags != state:
            raise UsageError(
                f"the {state} at {cell_words(cell)} touches {counted(flags, 'flag')}, "
                f"not {state}: nothing was opened"
            )
        if not {State.COVERED, State.QUESTION} & set(around):
            raise UsageError(f"nothing is left to open around {cell_words(cell)}")

    def _open(self, cell: Cell) -> None:
        self.round.play(Click(Action.OPEN, cell))
        if self.round.waiting is not None:
            try:
                self.round.lay(self._lay(self.round.level, self.round.seed, cell))
            except BotError:
                self.round.give_up_waiting()
                raise

    def _mark(self, cell: Cell, wanted: State) -> None:
        """Put a mark on a cell, or remove it if it is there, by the same steps as right clicks."""
        goal = State.COVERED if self.round.board[cell] == wanted else wanted
        while self.round.board[cell] != goal:
            self.round.play(Click(Action.FLAG, cell), question_marks=goal is State.QUESTION)

    def _asked(self) -> Hint:
        board = self.round.board
        hint = explain(board, self._decide(board, self.rule.first_click, self.round.first))
        self.round.aided = self._asked_for = True
        return hint

    def _auto(self) -> str:
        if self.round.over:
            raise UsageError(_OVER)
        hint = self._asked()
        if hint.cell is None:
            raise UsageError(hint.sentence)
        if hint.action is Action.OPEN:
            self._open(hint.cell)
        else:
            self._mark(hint.cell, State.FLAG)
        self._marked = frozenset() if self.round.over else frozenset({hint.cell})
        return "\n".join(filter(None, (hint.sentence, self._end())))

    def _end(self) -> str:
        """Return the summary of a finished game in words, or "" if it is not over."""
        if not self.round.over:
            return ""
        self.leave()
        found, won = self.round.summary(), self.round.progress is Progress.WON
        rate = f", {found.bbbv_per_second:.2f} 3BV/s" if won and found.seconds >= _SHORTEST else ""
        helped = ", with help" if found.aided else ""
        return (
            f"{'You have won' if won else 'That was a mine: you have lost'} after {found.seconds:.1f} s. "
            f"The board has a 3BV of {found.bbbv}{rate}, moves: {found.clicks}{helped}."
        )

    def _new(self, level: Level) -> Reply:
        check_level(level, SMALLEST, LARGEST)
        self.leave()
        self._begin(level)
        return Reply()
