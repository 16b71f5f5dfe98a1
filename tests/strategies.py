"""What Hypothesis and seeded tests draw from: all random input of the tests is made here."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from hypothesis import strategies as st

from bot.board import Board, Cell, FirstClick, State
from bot.game.simulation import Game
from bot.solver import BEST, Decision, Strategy, decide

MOST_UNKNOWN = 12  # as many as the oracle lists in a millisecond


def position(mines: set[Cell], opened: set[Cell], rows: int, cols: int, total: int | None) -> Board:
    """Return the position in which the cells of ``opened`` show their numbers and all else is covered."""
    states = np.full((rows, cols), State.COVERED, dtype=np.int8)
    for row, col in opened:
        states[row, col] = sum(max(abs(r - row), abs(c - col)) == 1 for r, c in mines)
    return Board(states, total)


@st.composite
def positions(draw: st.DrawFn, most_rows: int = 5, most_cols: int = 5) -> Board:
    """Draw a position that has a solution, with at most `MOST_UNKNOWN` covered cells."""
    rows, cols = draw(st.integers(1, most_rows)), draw(st.integers(1, most_cols))
    cells = [Cell(row, col) for row in range(rows) for col in range(cols)]
    order = draw(st.permutations(cells))
    mines = set(order[: draw(st.integers(0, min(len(cells), MOST_UNKNOWN)))])
    free = [cell for cell in order if cell not in mines]
    opened = set(free[: draw(st.integers(max(0, len(cells) - MOST_UNKNOWN), len(free)))])
    return position(mines, opened, rows, cols, draw(st.sampled_from([len(mines), None])))


def random_board(seed: int) -> Board:
    """Return a small board of any kind: marks on it, shown mines, unknown totals, one in ten falsified."""
    rng = np.random.default_rng(seed)
    rows, cols = (int(n) for n in rng.integers(1, 6, 2))
    cells = [Cell(int(i) // cols, int(i) % cols) for i in rng.permutation(rows * cols)]
    mines = set(cells[: int(rng.integers(0, min(len(cells), MOST_UNKNOWN - 2) + 1))])
    free = [cell for cell in cells if cell not in mines]
    least = max(0, len(cells) - MOST_UNKNOWN)
    opened = set(free[: int(rng.integers(least, len(free) + 1))])
    total = len(mines) if rng.random() < 0.8 else None
    board = position(mines, opened, rows, cols, total)
    marks = {cell: mark for cell in cells if (mark := _mark(rng, cell in mines, cell in opened)) is not None}
    board = board.replace(marks)
    return _falsified(rng, board) if rng.random() < 0.1 else board


def played(
    size: tuple[int, int, int],
    games: int,
    strategy: Strategy = BEST,
    *,
    rule: FirstClick = FirstClick.SAFE,
    first: Cell = Cell(0, 0),  # noqa: B008
) -> Iterator[tuple[Game, Decision]]:
    """Play seeded games of a size (rows, columns, mines); yield each position with what is decided there."""
    for seed in range(10_000_000, 10_000_000 + games):
        game = Game(*size, seed, rule)
        game.open(first)
        while not game.over:
            decision = decide(game.board, strategy=strategy)
            yield game, decision
            for move in decision.moves:
                game.open(move.cell)


def _mark(rng: np.random.Generator, mine: bool, opened: bool) -> State | None:
    """Return what stands on a cell instead of what it should show, mostly None."""
    if rng.random() > 0.1:
        return None
    if opened:
        return State.WRONG_FLAG if rng.random() < 0.5 else None
    marks = [State.FLAG, State.QUESTION, State.UNREADABLE] + [State.MINE, State.EXPLODED] * mine
    return marks[int(rng.integers(len(marks)))]


def _falsified(rng: np.random.Generator, board: Board) -> Board:
    """Return ``board`` with another number or another total, which mostly leaves it without solutions."""
    numbers = [cell for cell, _ in board.numbers()]
    if not numbers or rng.random() < 0.3:
        return Board(board.states, int(rng.integers(0, board.states.size + 2)))
    return board.replace({numbers[int(rng.integers(len(numbers)))]: int(rng.integers(0, 9))})
