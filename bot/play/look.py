"""One look at a board, what came before it, and what speaks against it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from bot.board import NOT_OPEN, Board, Cell, Problem, State
from bot.geometry import Frame
from bot.rules import near
from bot.vision.reading import GameState, Reading, check_change, doubt_words

_NO_WIN = (State.COVERED, State.QUESTION, State.UNREADABLE, State.EXPLODED, State.WRONG_FLAG)
_READ = 0.5  # of the cells must be readable for play to go on beside the others


@dataclass(frozen=True, slots=True)
class Look:
    """A picture that was at rest, what was read on it, and why it is not to be trusted (None: it is).

    ``unsure`` are cells whose state nothing but their look tells yet: nothing is to be proved from them.
    ``bearable`` says that play may go on beside the cells that cannot be read, if waiting does not help.
    ``concluded`` says by what else than its cells the game is known to be over, "" if it is not. How it ended
    is the reading's state; a state that is not over means that its end is unknown.
    """

    frame: Frame
    reading: Reading
    doubt: str | None = None
    unsure: frozenset[Cell] = frozenset()
    bearable: bool = False
    concluded: str = ""

    @property
    def over(self) -> bool:
        """Whether the game is over, be it known how it ended or not."""
        return self.reading.state.over or bool(self.concluded)

    @property
    def won(self) -> bool | None:
        """Whether a game that is over was won; None if that is unknown."""
        return self.reading.state is GameState.WON if self.reading.state.over else None

    @property
    def careful(self) -> Board:
        """The board without the numbers that are not sure."""
        return self.reading.board.without_numbers(self.unsure)

    @property
    def sure(self) -> Board:
        """The board without all that is not sure, flags and covered cells too."""
        unsure = dict.fromkeys(self.unsure, State.UNREADABLE)
        return self.reading.board.replace(unsure) if unsure else self.reading.board


@dataclass(frozen=True, slots=True)
class Past:
    """The last trusted board of a game, and the cells clicked in this game; None if anybody may have."""

    board: Board
    clicked: frozenset[Cell] | None = None


def doubt_about(reading: Reading, past: Past | None) -> str | None:
    """Return in words why a reading cannot be right, None if nothing speaks against it.

    Cells that the past could not read either are no news.
    """
    news = reading
    if past is not None and past.board.shape == reading.board.shape:
        old = [cell for cell in reading.unreadable if past.board[cell] == State.UNREADABLE]
        if old:
            news = replace(reading, board=reading.board.replace(dict.fromkeys(old, State.COVERED)))
    return doubt_words(news) or _contradiction(reading, past)


def zero_beside_mark(board: Board, before: Board) -> bool:
    """Return whether a zero that is new has a closed neighbour, though no covered one.

    It may be a cell that is still pressed, which looks like a zero; a covered neighbour would say so.
    """
    marks, zeros = board.states > int(State.COVERED), (board.states == 0) & (before.states != 0)
    return bool(marks.any() and (marks & near(zeros)).any())


def without_pressed(look: Look, past: Past | None) -> Look:
    """Return the look with zeros that are new and beside covered cells as covered, if that leaves no doubt.

    Such a cell is still pressed, which looks like a zero: a menu or a dialog that came up with the click kept
    the game from hearing of its release.
    """
    board = look.reading.board
    if look.doubt is None or past is None or past.board.shape != board.shape:
        return look
    pressed = [
        cell
        for cell in board.cells(0)
        if past.board[cell] == State.COVERED
        and any(board[other] == State.COVERED for other in board.neighbours(cell))
    ]
    reading = replace(look.reading, board=board.replace(dict.fromkeys(pressed, State.COVERED)))
    return look if doubt_about(reading, past) else replace(look, reading=reading, doubt=None)


def bearable(reading: Reading, past: Past | None) -> bool:
    """Return whether nothing speaks against a reading but that a part of its cells cannot be read."""
    few = len(reading.unreadable) < _READ * reading.board.states.size
    return few and _contradiction(reading, past) is None


def _contradiction(reading: Reading, past: Past | None) -> str | None:
    for problem in reading.board.problems():
        if not _flag_taken_off(problem, reading.board, past):
            return problem.message
    if past is None:
        return None
    board = reading.board
    if reading.state is GameState.WON:  # then what cannot be read is a mine, however it is shown
        board = board.replace(dict.fromkeys(reading.unreadable, State.FLAG))
    return next(iter(check_change(past.board, board, past.clicked)), None)


def _flag_taken_off(problem: Problem, board: Board, past: Past | None) -> bool:
    """Return whether a covered cell beside a zero had a flag, which kept the zero from opening it."""
    if not problem.closed or problem.cell is None:
        return False
    if past is None or past.board.shape != board.shape:
        return False
    closed = [cell for cell in board.neighbours(problem.cell) if board[cell] == State.COVERED]
    touched = past.clicked or frozenset()
    return all(cell in touched or past.board[cell] in (State.FLAG, State.QUESTION) for cell in closed)


def with_win(reading: Reading, past: Past | None, *, known_art: bool) -> Reading:
    """Return the reading as that of a won game if the clicks, beside what the cells show, tell that it is.

    Some games show their mines at a win, too: it is one if all cells are shown, and no mine was clicked. In
    art that is not known, mines may be shown in a way that cannot be read: it is a win if so many cells are
    open that all others must be mines.
    """
    board = reading.board
    if past is None or past.clicked is None or reading.state is GameState.WON:
        return reading
    won = False
    if reading.state is GameState.LOST:
        won = not board.count(*_NO_WIN) and past.clicked.isdisjoint(board.cells(State.MINE))
    elif not known_art and (unread := reading.unreadable):
        won = board.count(*NOT_OPEN) == board.mines and past.clicked.isdisjoint(unread)
    return replace(reading, state=GameState.WON) if won else reading


def rest_may_be_mines(board: Board, opened: Collection[Cell] = (), unknown: Collection[Cell] = ()) -> bool:
    """Return whether all cells that are not open can be mines, and nothing else is one.

    ``opened`` are cells that are taken to be open, though they cannot be read; ``unknown`` may be either.
    """
    closed = {*board.cells(*NOT_OPEN)} - {*opened}
    certain = closed - {*unknown}
    if board.mines is not None and not len(certain) <= board.mines <= len(closed):
        return False
    numbers = [(cell, number) for cell, number in board.numbers() if number]
    around = ((number, board.neighbours(cell)) for cell, number in numbers)
    return bool(numbers) and all(
        len(certain.intersection(near)) <= number <= len(closed.intersection(near)) for number, near in around
    )
