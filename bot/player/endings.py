"""How games ended whose end nobody saw: a dialog lay over the board, and closing it began the next game."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from bot.board import State
from bot.player.answers import all_mines_shown
from bot.player.look import Look, Past
from bot.player.sight import Sight
from bot.vision.reading import GameState, Reading

MINES_PATIENCE = 0.5  # seconds for the mines to be shown after the end


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
        does not win it. What may be either is told by a title, and else is no win: nobody has seen one.
        """
        state = _certain(past, risk)
        if state is None:
            meanings = [self._meanings[title] for title in titles if title in self._meanings]
            state = GameState.WON if {GameState.WON} in meanings else GameState.LOST
        else:
            for title in titles:
                self._meanings.setdefault(title, set()).add(state)
        return replace(look, reading=replace(look.reading, board=past.board, state=state), doubt=None)


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
