"""Boards that need no guess: each is won by proofs alone, found by the solver that shares nothing with it."""

from __future__ import annotations

import pytest

from bot.board import Board, Cell, State, neighbours
from bot.errors import NoGuessError, UsageError
from bot.game.noguess import no_guess_mines
from bot.levels import INTERMEDIATE, Level
from bot.solver import STRATEGIES, decide

SEED = 10_000_000


def opened(board: Board, mines: frozenset[Cell], cells: list[Cell]) -> Board:
    """Return the board with ``cells`` open, and all around them that is a zero."""
    changes: dict[Cell, int] = {}
    while cells:
        cell = cells.pop()
        if cell not in changes and board[cell] > 8:
            assert cell not in mines
            around = board.neighbours(cell)
            changes[cell] = sum(other in mines for other in around)
            cells += around if changes[cell] == 0 else ()
    return board.replace(changes)


def is_won_by_proofs(rows: int, cols: int, mines: frozenset[Cell], first: Cell, strategy: str) -> bool:
    board, cells = Board.covered(rows, cols, len(mines)), [first]
    while cells:
        board = opened(board, mines, cells)
        if board.count(State.COVERED) == len(mines):
            return True
        cells = [move.cell for move in decide(board, strategy=STRATEGIES[strategy], guess=False).moves]
    return False


@pytest.mark.parametrize("strategy", ["exact", "best"])
@pytest.mark.parametrize(
    ("rows", "cols", "mines", "first", "boards"),
    [
        (9, 9, 10, Cell(4, 4), 8),
        (16, 30, 99, Cell(0, 0), 2),
        (16, 30, 99, Cell(8, 15), 2),
        (16, 30, 170, Cell(3, 3), 1),
        (9, 9, 30, Cell(8, 0), 4),
        (4, 5, 4, Cell(0, 4), 4),
        (1, 20, 4, Cell(0, 0), 3),
        (5, 5, 24, Cell(2, 2), 1),
    ],
)
def test_each_board_is_won_without_a_guess(
    rows: int, cols: int, mines: int, first: Cell, boards: int, strategy: str
) -> None:
    for seed in range(SEED, SEED + boards):
        placed = no_guess_mines(Level(rows, cols, mines), seed, first)
        assert len(placed) == mines
        if rows * cols - mines > 8:
            assert not placed & {first, *neighbours(rows, cols, first)}
        assert is_won_by_proofs(rows, cols, placed, first, strategy)


def test_the_seed_decides() -> None:
    boards = [no_guess_mines(INTERMEDIATE, seed, Cell(5, 5)) for seed in (SEED, SEED + 1, SEED)]
    assert boards[0] == boards[2] != boards[1]


def test_where_no_board_exists_that_is_said() -> None:
    with pytest.raises(NoGuessError, match=r"2 x 2 with 1 mine .*take fewer mines or more cells"):
        no_guess_mines(Level(2, 2, 1), SEED, Cell(0, 0), tries=500)


@pytest.mark.parametrize(("mines", "first"), [(0, Cell(0, 0)), (81, Cell(0, 0)), (10, Cell(9, 0))])
def test_boards_that_cannot_be_are_refused(mines: int, first: Cell) -> None:
    with pytest.raises(UsageError, match="9 x 9"):
        no_guess_mines(Level(9, 9, mines), SEED, first)
