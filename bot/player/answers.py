"""What the board answers to clicks."""

from __future__ import annotations

from bot.board import Board, Cell, State
from bot.clicker import Click
from bot.solver.decision import Action
from bot.vision.reading import Reading


def all_mines_shown(reading: Reading) -> bool:
    """Return whether a finished board shows every mine, or has a flag on it."""
    return reading.board.count(State.FLAG, State.MINE, State.EXPLODED) == reading.board.mines


def all_answered(clicks: list[Click], before: Board, reading: Reading) -> bool:
    """Return whether every click had an effect, or the game is over."""
    return not lost(clicks, before, reading)


def lost(clicks: list[Click], before: Board, reading: Reading) -> list[Click]:
    """Return the clicks that had no effect: the game goes on and their cell shows what it did ``before``."""
    if reading.state.over:
        return []
    return [click for click in clicks if reading.board[click.move.cell] == before[click.move.cell]]


def first_opened(clicks: list[Click], board: Board) -> Cell | None:
    """Return the cell with which clicks on ``board`` begin a game, None if it was begun before."""
    if board.count(State.COVERED, State.FLAG, State.QUESTION) < board.states.size:
        return None
    return next((click.move.cell for click in clicks if click.move.action is Action.OPEN), None)
