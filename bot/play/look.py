"""A look at the board during play: a settled frame, its reading, how the game stands, and any doubt."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from bot.board import CLOSED, Board, Cell, State, cells_where
from bot.counting_rules import near, zeros_beside_covered
from bot.geometry import Frame
from bot.verdict import NOTHING, SEVERAL, Circumstances, Ledger, Verdict, verdict_on
from bot.vision.reading import Reading, check_change, doubt_words
from bot.words import cell_words

MOST_CHANGED = 0.5  # of the opened cells: if more look different, it is another board
_READ = 0.5  # of the cells must be readable, or play cannot go on without the others


@dataclass(frozen=True, slots=True)
class Look:
    """A settled frame, its reading, and the reason to doubt it (None: it is trusted).

    ``unsure`` are cells whose state is only guessed from how they look: they must not support a proof.
    ``playable_despite_doubt`` is true if play may go on without the unreadable cells, should waiting not
    help. ``verdict`` is how the game stands, as far as reading, ``circumstances`` and clicks tell.
    """

    frame: Frame
    reading: Reading
    verdict: Verdict
    doubt: str | None = None
    unsure: frozenset[Cell] = frozenset()
    playable_despite_doubt: bool = False
    circumstances: Circumstances = NOTHING

    def ended(self, circumstances: Circumstances, ledger: Ledger) -> Look | None:
        """Return this look as that of a game that is over by ``circumstances`` and ``ledger``, else None.

        Then nothing is in doubt any more.
        """
        verdict = verdict_on(self.reading.board, circumstances, ledger)
        ended = replace(self, circumstances=circumstances, verdict=verdict, doubt=None)
        return ended if verdict.over else None

    @property
    def careful(self) -> Board:
        """The board with all ``unsure`` numbers, and those at open sides, made unreadable."""
        return self.reading.careful.without_numbers(self.unsure)

    @property
    def sure(self) -> Board:
        """The board with all ``unsure`` cells made unreadable, flags and covered cells too."""
        unsure = dict.fromkeys(self.unsure, State.UNREADABLE)
        return self.reading.board.replace(unsure) if unsure else self.reading.board


def doubt_about(reading: Reading, ledger: Ledger | None) -> str | None:
    """Return in words why a reading cannot be trusted, None if there is no reason.

    A cell that cannot be read is no reason if it could not be read in ``ledger`` either.
    """
    news = reading
    if ledger is not None and ledger.board.shape == reading.board.shape:
        old = [cell for cell in reading.unreadable if ledger.board[cell] == State.UNREADABLE]
        if old:
            news = replace(reading, board=reading.board.replace(dict.fromkeys(old, State.COVERED)))
    return doubt_words(news) or _contradiction(reading, ledger) or _loose_zero(reading, ledger)


def zero_beside_closed(board: Board, before: Board) -> bool:
    """Return whether a new zero touches a cell that is not open.

    It may be a cell that is still pressed, or a number of which only the background is painted.
    """
    closed, zeros = board.states >= int(State.COVERED), (board.states == 0) & (before.states != 0)
    return bool(zeros.any() and (closed & near(zeros)).any())


def without_pressed(look: Look, ledger: Ledger | None) -> Look:
    """Return the look with new zeros beside covered cells read as covered, if that removes the doubt.

    Such a cell is still pressed, which looks like a zero: a menu or a dialog that opened during the click
    kept the game from receiving the release of the button. Otherwise ``look`` is returned.
    """
    board = look.reading.board
    if look.doubt is None or ledger is None or ledger.board.shape != board.shape:
        return look
    pressed = [
        cell
        for cell in ledger.opening
        if board[cell] == 0 and any(board[other] == State.COVERED for other in board.neighbours(cell))
    ]
    reading = replace(look.reading, board=board.replace(dict.fromkeys(pressed, State.COVERED)))
    return look if doubt_about(reading, ledger) else replace(look, reading=reading, doubt=None)


def may_be_playable(reading: Reading, ledger: Ledger | None) -> bool:
    """Return whether a reading contradicts nothing, and fewer than half of its cells cannot be read."""
    return not is_lost(reading) and _contradiction(reading, ledger) is None


def is_lost(reading: Reading) -> bool:
    """Return whether so many cells cannot be read that the board itself is lost from sight."""
    return len(reading.unreadable) >= _READ * reading.board.states.size


def _contradiction(reading: Reading, ledger: Ledger | None) -> str | None:
    for problem in reading.careful.problems():
        return problem.message
    if ledger is None:
        return None
    board = reading.board
    if reading.unreadable and verdict_on(board, ledger=ledger).won:  # then each of these cells is a mine
        board = board.replace(dict.fromkeys(reading.unreadable, State.FLAG))
    return next(iter(check_change(ledger.board, board, ledger.clicked)), None)


def _loose_zero(reading: Reading, ledger: Ledger | None) -> str | None:
    """Return in words that a new zero has a covered cell directly beside it, which most games open."""
    states = reading.board.states
    zeros = cells_where(zeros_beside_covered(states, states == int(State.COVERED)))
    if not zeros:
        return None
    doubtful = doubtful_zeros(reading, ledger)
    if ledger is not None and ledger.board.shape == reading.board.shape:
        doubtful -= frozenset(ledger.board.cells(0))
    new = next((zero for zero in zeros if zero in doubtful), None)
    return new and f"the 0 at {cell_words(new)} has a covered cell beside it, which most games open"


def doubtful_zeros(reading: Reading, ledger: Ledger | None) -> frozenset[Cell]:
    """Return the zeros that touch covered cells which had no mark before, and were not clicked.

    Most games open the cells beside a zero, so it may be a pressed, a half-painted or a misread cell. It must
    not support a proof, even if it stays.
    """
    board = reading.careful
    zeros = board.loose_zeros
    if not zeros or ledger is None or ledger.board.shape != board.shape:
        return frozenset(zeros)
    before, touched = ledger.board, ledger.clicked or frozenset()
    return frozenset(
        zero
        for zero in zeros
        for near in board.neighbours(zero)
        if board[near] == State.COVERED
        and near not in touched
        and before[near] not in (State.FLAG, State.QUESTION)
    )


def at_rest(_reading: Reading) -> bool:
    """Return True: any reading of a settled picture is enough."""
    return True


def is_another_game(look: Look, last: Board) -> bool:
    """Return whether ``look``, taken without a ledger, cannot show a later position of the game on ``last``.

    Nothing on it is in doubt. The board has another size; or most cells that were open are different; or
    several are, and one of them is closed now. Shifted colours may make several numbers be misread in the
    same way, but close no cell; and a single cell that is different may have been misread.
    """
    board = look.reading.board
    if look.doubt is not None or look.reading.unreadable:
        return False
    if board.shape != last.shape:
        return True
    opened = last.states <= 8
    before, now = last.states[opened], board.states[opened]
    closed, changed = bool(np.isin(now, CLOSED).any()), int((now != before).sum())
    return changed > MOST_CHANGED * len(now) or (closed and changed >= SEVERAL)
