"""Positions of real games: random mines, openings, flags, and how programs show the end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, FirstClick, State, States, cells_where, neighbours
from bot.game.simulation import Game
from heldout.canvas import Rng, between, chance, pick

Mask = npt.NDArray[np.bool_]

STANDARD = ((8, 8), (9, 9), (16, 16), (16, 30))
SIZES = ("standard", "small", "any")  # the classes of sizes, a third of the boards each
_SMALL, _MOST_ROWS, _MOST_COLS = 8, 24, 30


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """What a board shows, (rows, cols) of `State`, where its mines are, and its mine counter."""

    states: States
    mines: Mask
    state: str  # new, running, won or lost

    @property
    def counter(self) -> int:
        """The number of mines less the number of flags."""
        return int(self.mines.sum()) - int(np.isin(self.states, (State.FLAG, State.WRONG_FLAG)).sum())


def some_size(rng: Rng, kind: str) -> tuple[int, int]:
    """Return rows and columns of a class of sizes."""
    if kind == "standard":
        return pick(rng, STANDARD)
    if kind == "small":
        rows, cols = rng.integers(4, _SMALL + 1, 2)
        return int(rows), int(cols)
    return int(rng.integers(5, _MOST_ROWS + 1)), int(rng.integers(5, _MOST_COLS + 1))


def play(rng: Rng, rows: int, cols: int, state: str, shown: tuple[int, ...]) -> Position:
    """Return a position of a game of this state; ``shown`` are the states that the program marks."""
    while True:
        density = between(rng, 0.1, 0.21) if chance(rng, 0.85) else between(rng, 0.22, 0.36)
        mines = min(max(2, round(rows * cols * density)), rows * cols - 6)
        rule = pick(rng, (FirstClick.OPENING, FirstClick.OPENING, FirstClick.SAFE))
        game = Game(rows, cols, mines, int(rng.integers(2**31)), rule)
        first = Cell(int(rng.integers(rows)), int(rng.integers(cols)))
        game.open(first)
        hidden = np.zeros((rows, cols), np.bool_)
        for cell in game.mines or ():
            hidden[cell] = True
        if state == "new":
            return Position(Board.covered(rows, cols, mines).states, hidden, state)
        share = 1.0 if state == "won" else between(rng, 0.06, 0.97)
        _open(rng, game, share * (rows * cols - mines))
        if state == "won":
            return Position(_won(rng, game), hidden, state)
        board = game.board
        if game.over or board.count(*range(1, 9)) < 2 or board.count(State.COVERED) < 2:
            continue
        _flag(rng, game, hidden, questions=State.QUESTION in shown and chance(rng, 0.2))
        if state == "lost":
            _explode(rng, game)
            if not game.lost:
                continue
            return Position(_lost(rng, game, hidden, shown), hidden, state)
        return Position(game.board.states, hidden, state)


def _open(rng: Rng, game: Game, goal: float) -> None:
    """Open safe cells, most of them beside opened ones, until ``goal`` are open."""
    order = rng.permutation(game.rows * game.cols)
    waiting = [Cell(int(at) // game.cols, int(at) % game.cols) for at in order]
    waiting = [cell for cell in waiting if cell not in (game.mines or ())]
    while not game.over:
        board = game.board
        if board.count(*range(9)) >= goal:
            return
        waiting = [cell for cell in waiting if board[cell] == State.COVERED]
        near = [cell for cell in waiting if any(board[c] <= 8 for c in board.neighbours(cell))]
        game.open((near if near and chance(rng, 0.85) else waiting)[0])


def _flag(rng: Rng, game: Game, mines: Mask, *, questions: bool) -> None:
    """Put flags on some of the mines that can be known, rarely on a wrong cell, and question marks."""
    board, share = game.board, pick(rng, (0.0, 0.0, 0.3, 0.8, 1.0))
    frontier = [c for c in board.cells(State.COVERED) if any(board[n] <= 8 for n in board.neighbours(c))]
    for cell in frontier:
        if mines[cell] and chance(rng, share):
            game.flag(cell)
    wrong = [cell for cell in frontier if not mines[cell]]
    for cell in wrong[: int(rng.integers(1, 4))] if chance(rng, 0.2) else ():
        game.flag(cell)
    rest = game.board.cells(State.COVERED)
    for at in rng.permutation(len(rest))[: int(rng.integers(1, 5))] if questions else ():
        game.flag(rest[int(at)], question_marks=True)
        game.flag(rest[int(at)], question_marks=True)


def _explode(rng: Rng, game: Game) -> None:
    bad = [c for c in game.board.cells(State.COVERED, State.QUESTION) if c in (game.mines or ())]
    if bad:
        game.open(pick(rng, bad))


def _won(rng: Rng, game: Game) -> States:
    states = game.board.states.copy()
    flags = states == State.FLAG
    if chance(rng, 0.35):  # programs that leave the mines covered, and whatever flags the player set
        kept = rng.random(states.shape) < pick(rng, (0.0, 0.0, 0.5))
        states[flags & ~kept] = State.COVERED
    return states


def _lost(rng: Rng, game: Game, mines: Mask, shown: tuple[int, ...]) -> States:
    states = game.board.states.copy()
    if State.EXPLODED not in shown:
        states[states == State.EXPLODED] = State.MINE
    if State.WRONG_FLAG not in shown:
        states[states == State.WRONG_FLAG] = State.FLAG
    if chance(rng, 0.2):  # programs that show every mine, below flags too
        states[(states == State.FLAG) & mines] = State.MINE
    if chance(rng, 0.1):  # programs that open the whole board
        for cell in cells_where(np.isin(states, (State.COVERED, State.QUESTION)) & ~mines):
            states[cell] = sum(bool(mines[c]) for c in neighbours(*states.shape, cell))
    return states
