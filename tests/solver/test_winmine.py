"""winmine's rule for the first click: exact chances against a list of all games, and the kernel's play."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import exp, factorial

import numpy as np
import pytest

from bot.board import Board, Cell, FirstClick, State, neighbours
from bot.game.simulation import Game, mines_of_games
from bot.solver.analysis import Analysis, analyse
from bot.solver.kernel.guess import unavoidable
from bot.solver.kernel.layout import UNKNOWN
from bot.solver.kernel.look_ahead import NEVER, begin, suppose
from bot.solver.kernel.winmine import draw_by_weight
from reference import solution_counts


def after_first_click(placed: set[int], first: int) -> set[int]:
    """Return where the mines are after the first click, by the rule itself."""
    if first not in placed:
        return placed
    free = 0
    while free in placed:
        free += 1
    return (placed | {free}) - {first}


def could_show(board: Board, mines: set[int]) -> bool:
    """Return whether these are mines of a game that shows ``board``."""
    for row in range(board.rows):
        for col in range(board.cols):
            state, here = board[row, col], row * board.cols + col in mines
            around = neighbours(board.rows, board.cols, Cell(row, col))
            number = sum(other.row * board.cols + other.col in mines for other in around)
            if (state <= 8 and (here or state != number)) or (state == State.MINE and not here):
                return False
    return True


def listed_counts(board: Board, first: Cell) -> tuple[int, dict[Cell, int]]:
    """Count the games that lead to ``board``, by listing all placements before the first click."""
    cells, begun = board.rows * board.cols, first.row * board.cols + first.col
    total, mined = 0, dict.fromkeys(board.cells(State.COVERED, State.FLAG), 0)
    for number in range(cells) if board.mines is None else [board.mines]:
        weight = factorial(number) * factorial(cells - number) if board.mines is None else 1
        for placed in combinations(range(cells), number):
            mines = after_first_click(set(placed), begun)
            if could_show(board, mines):
                total += weight
                for cell in mined:
                    mined[cell] += weight * (cell.row * board.cols + cell.col in mines)
    return total, mined


def moved_counts(board: Board, first: Cell) -> tuple[int, dict[Cell, int]]:
    """Return the weight of all solutions of ``board``, and for each unknown cell of those with a mine in it.

    ``first`` is the cell that was opened first. Shares nothing with the kernel.
    """
    total, mines = solution_counts(board)
    weights = dict(mines)
    for supposed, known in runs(board, first):
        solutions, mines = solution_counts(supposed)
        if not solutions:
            break
        total += solutions
        for cell in weights:
            weights[cell] += solutions if cell in known else mines[cell]
    return total, weights


def runs(board: Board, first: Cell) -> Iterator[tuple[Board, set[Cell]]]:
    """Yield ``board`` with more and more mines from the top left, and these, until one cannot be."""
    known: set[Cell] = set()
    for cell in board:
        if cell == first:
            continue
        if board[cell] <= 8 or board[cell] == State.WRONG_FLAG:
            return
        known.add(cell)
        yield board.replace(dict.fromkeys(known, State.MINE)), known


def started(count: int, seed: int, rows: int, cols: int) -> Iterator[tuple[Board, Cell]]:
    """Yield positions of winmine games and their first cells, cells of the top left mostly covered."""
    random = np.random.default_rng(seed)
    while count:
        r, c = int(random.integers(1, rows + 1)), int(random.integers(2, cols + 1))
        mines = int(random.integers(1, max(2, r * c // 2)))
        if r * c < 4:
            continue
        game = Game(r, c, mines, int(random.integers(10**6)), FirstClick.WINMINE)
        order = [Cell(*divmod(int(index), c)) for index in random.permutation(r * c)]
        for cell in order[: random.integers(1, 4)]:
            game.open(cell)
        if not game.over:
            count -= 1
            yield game.board, order[0]


@pytest.mark.parametrize("known", [True, False], ids=["total", "any-total"])
def test_chances_are_those_of_all_games(known: bool) -> None:
    differ = 0
    for board, first in started(60 if known else 12, 10_000_001, 3, 4):
        asked = board if known else Board(board.states)
        whole, mined = listed_counts(asked, first)
        assert moved_counts(asked, first) == (whole, mined), (asked, first)
        risks = analyse(asked, first).risks
        for cell, ways in mined.items():
            assert risks[cell] == pytest.approx(ways / whole, abs=1e-9), (asked, cell)
            assert (risks[cell] == 0, risks[cell] == 1) == (ways == 0, ways == whole), (asked, cell)
        uniform, mines = solution_counts(asked)
        differ += any(mines[cell] * whole != ways * uniform for cell, ways in mined.items())
    assert differ >= (25 if known else 5)


def at_the_top_left(count: int) -> Iterator[tuple[Analysis, list[int]]]:
    """Yield analyses in which nothing is proven and the top left is open to doubt, and the unknown cells."""
    for board, first in started(400, 10_000_003, 4, 5):
        analysis = analyse(board, first)
        unknown = np.flatnonzero(analysis.position.shown == UNKNOWN).tolist()
        corner = 1 if first == Cell(0, 0) else 0
        if (
            corner in unknown
            and analysis.workspace.buffers.group_of[corner] >= 0
            and analysis.risks.min() != 0
        ):
            yield analysis, unknown
            count -= 1
        if not count:
            return


def test_the_look_ahead_weighs_what_a_cell_shows() -> None:
    differ = 0
    for analysis, unknown in at_the_top_left(20):
        workspace, position = analysis.workspace, analysis.position
        risks = analysis.risks.ravel()
        whole = exp(analysis.log_solutions + workspace.buffers.mean_weight)
        differ += workspace.buffers.mean_weight > 0
        inner, other = workspace.supposed, workspace.supposed_buffers
        for cell in unknown:
            begin(workspace)
            least, shown = int(position.mines[cell]), 0.0
            for number in range(least, least + int(position.left[cell]) + 1):
                ways = suppose(workspace, position, inner, other, cell, number)
                shown += 0.0 if ways == NEVER else exp(ways)
            assert shown == pytest.approx(whole * (1 - risks[cell]), rel=0.005), (analysis.board, cell)
    assert differ >= 10


def test_solutions_are_drawn_by_their_weight() -> None:
    draws, seed = 2000, np.array([1], np.int64)
    for analysis, unknown in at_the_top_left(5):
        risks = analysis.risks.ravel()[unknown]
        mined, seen = np.zeros(analysis.board.states.size, np.int8), np.zeros(len(unknown))
        for _ in range(draws):
            draw_by_weight(analysis.position, analysis.workspace.buffers, mined, seed)
            seen += mined[unknown]
        assert np.abs(seen / draws - risks).max() < 5 * np.sqrt(0.25 / draws), analysis.board


def test_a_fifty_fifty_that_decides_the_weights_is_not_taken_for_fair() -> None:
    board = Board.from_rows(["..", "11"], mines=1)
    fair, moved = analyse(board), analyse(board, Cell(1, 1))
    assert fair.risks[0].tolist() == [0.5, 0.5]
    assert moved.risks[0].tolist() == pytest.approx([2 / 3, 1 / 3])
    assert [unavoidable(fair.workspace, cell) for cell in (0, 1)] == [True, True]
    assert [unavoidable(moved.workspace, cell) for cell in (0, 1)] == [False, False]


def placed(order: list[int], rows: int, cols: int, mines: int, first: Cell, rule: FirstClick) -> set[int]:
    """Return the indices of the mines of a game, by the rule itself."""
    index = first.row * cols + first.col
    if rule is FirstClick.WINMINE:
        return after_first_click(set(order[:mines]), index)
    around = {row * cols + col for row, col in neighbours(rows, cols, first)}
    free = set() if rule is FirstClick.ANY else {index}
    if rule is FirstClick.OPENING and rows * cols - mines >= 1 + len(around):
        free |= around
    return set([cell for cell in order if cell not in free][:mines])


@pytest.mark.parametrize("rule", FirstClick)
@pytest.mark.parametrize(
    ("rows", "cols", "mines"), [(9, 9, 10), (5, 4, 14), (4, 4, 15), (1, 7, 3), (1, 1, 0)]
)
def test_the_mines_of_games_follow_the_rule(rule: FirstClick, rows: int, cols: int, mines: int) -> None:
    seeds = range(10_000_000, 10_000_040)
    for first in (Cell(0, 0), Cell(rows - 1, cols - 1), Cell(rows // 2, cols // 2)):
        boards = mines_of_games(rows, cols, mines, seeds, first, rule)
        for seed, board in zip(seeds, boards, strict=True):
            order = np.random.default_rng(seed).permutation(rows * cols).tolist()
            assert set(np.flatnonzero(board).tolist()) == placed(order, rows, cols, mines, first, rule)
