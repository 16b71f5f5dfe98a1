"""What is concluded of a game whose end its board does not show: from what was clicked, and what came of it.

A highlight, a hint, a status line or a box over the board must not end a game: each of these comes up while
a game goes on, too. What ends one is that the board shows it (`bot.vision`), that all cells without a mine
are open (`bot.player.look.with_win`), a sign that was there at an earlier end (`bot.player.signs`), or what
follows here. Where that leaves it open how a game ended, its end is unknown, and never counted as a loss.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from bot.board import Board, State
from bot.player.answers import all_mines_shown
from bot.player.look import Look, Past, rest_may_be_mines
from bot.player.sight import Sight
from bot.vision.reading import Doubt, GameState, Reading

MINES_PATIENCE = 0.5  # seconds for the mines to be shown after the end
DEAF = "a cell that was clicked shows something that is no number, and no other cell answers to clicks"
SIGN = "no cell answers to clicks since something beside the board has changed"
ALL_OPENED = "the last cells without a mine were opened; something lies over the board"
UNSEEN = "something lies over the board, and the last clicks may have ended the game"
_ENDS = (GameState.WON, GameState.LOST)
DIALOG = "a dialog lay over the board, and the next game was there when it was closed"


def after_silence(look: Look, past: Past, risk: float, *, sign: bool) -> Look | None:
    """Return the look as that of a game that is over if nothing else explains its silence; else None.

    ``risk`` is that of the last clicks, ``sign`` says whether something beside the board has changed. A cell
    that was opened shows a number, unless it was a mine; and no game that goes on ignores all clicks. It is
    lost, unless all cells that are closed may be mines: then it may have been won before the last clicks.
    """
    board, doubts = look.reading.board, look.reading.doubts
    if board.shape != past.board.shape:
        return None
    unread = [cell for cell in past.clicked or () if board[cell] == State.UNREADABLE]
    strange = [cell for cell in unread if doubts.get(cell) not in (Doubt.POINTER, Doubt.COVERED)]
    if not strange and not (sign and risk):
        return None
    state = GameState.RUNNING if _may_be_over_by_a_win(board) else GameState.LOST
    reading = replace(look.reading, state=state)
    return replace(look, reading=reading, doubt=None, concluded=DEAF if strange else SIGN)


def _may_be_over_by_a_win(board: Board) -> bool:
    """Return whether there may be no closed cell but mines: one that cannot be read may be open."""
    if board.mines is None:
        return rest_may_be_mines(board, board.cells(State.UNREADABLE))
    return board.count(State.COVERED, State.FLAG, State.QUESTION) <= board.mines


def below_a_cover(look: Look, past: Past, risk: float) -> Look | None:
    """Return the look as that of a game that is over below what hides it; None if it may go on.

    It may be over only if the last clicks, which had that ``risk``, can have ended it. It is won if they were
    proved to be safe, and opened the last cells without a mine; else its end is unknown.
    """
    board = look.reading.board
    if board.shape != past.board.shape or not (risk or may_be_won(past)):
        return None
    answered = past.clicked is not None and not any(board[cell] == State.COVERED for cell in past.clicked)
    if not risk and past.board.mines is not None and answered:
        won = replace(look.reading, state=GameState.WON)
        return replace(look, reading=won, doubt=None, concluded=ALL_OPENED)
    return replace(look, doubt=None, concluded=UNSEEN)


class Endings:
    """Tells how a hidden game ended, and learns from those that are certain what the game's dialogs mean.

    Many games give the dialog after a win another title than that after a loss, in the user's language.
    """

    def __init__(self) -> None:
        self._meanings: dict[str, set[GameState]] = {}

    def told(self, look: Look, past: Past, risk: float, titles: Collection[str]) -> Look:
        """Return a look at the past board as that of a game that is over.

        ``risk`` is that of the last clicks, ``titles`` are those of the dialogs that were closed after them.
        No click that was proved to be safe loses a game; one with a risk that leaves too many cells closed
        does not win it. What may be either is told by a title that has meant one of them; else it is unknown.
        """
        state = _certain(past, risk)
        if state is None:
            meanings = [self._meanings[title] for title in titles if title in self._meanings]
            state = next((one for one in _ENDS if {one} in meanings), GameState.RUNNING)
        else:
            for title in titles:
                self._meanings.setdefault(title, set()).add(state)
        reading = replace(look.reading, board=past.board, state=state)
        return replace(look, reading=reading, doubt=None, concluded=DIALOG)


def with_mines(sight: Sight, look: Look, past: Past) -> Look:
    """Return the finished board once it shows its mines: they are painted after the last number."""
    shown = sight.watch(all_mines_shown, past, MINES_PATIENCE)
    return look if shown.doubt else shown


def replaced_by_fresh(reading: Reading, past: Past) -> bool:
    """Return whether a fresh board is where one with opened cells was."""
    opened = past.board.count(*range(9))
    fresh = reading.state is GameState.NEW and not reading.unreadable
    return bool(opened) and fresh and reading.board.shape == past.board.shape


def may_be_won(past: Past) -> bool:
    """Return whether the clicks of a game may have won it: all that was not clicked may be mines."""
    board = past.board
    left = {*board.cells(State.COVERED, State.FLAG, State.QUESTION)} - (past.clicked or frozenset())
    return board.mines is None or len(left) <= board.mines


def _certain(past: Past, risk: float) -> GameState | None:
    """Return how the game must have ended; None if it may be won or lost.

    A click may open more cells than its own: a game with many closed ones is seldom won by that.
    """
    if not risk:
        return GameState.WON
    closed = past.board.count(State.COVERED, State.FLAG, State.QUESTION)
    one_left = past.board.mines is None or closed - 1 <= past.board.mines
    return None if one_left or _isolated(past) else GameState.LOST


def _isolated(past: Past) -> bool:
    """Return whether there are closed cells that touch no number, where openings may be."""
    board = past.board
    return any(
        all(board[other] > 8 for other in board.neighbours(cell)) for cell in board.cells(State.COVERED)
    )
