"""The strategy of the article of 2024: counting, else the least sum of shares, from the centre."""

from __future__ import annotations

from fractions import Fraction

import pytest

from bot.bench.plan import Boards, PlayOptions, Unit, fingerprint
from bot.bench.running import play_unit
from bot.board import Board, Cell, FirstClick
from bot.game.simulation import BASE_SEED
from bot.solver import STRATEGIES, Decision, Reason, decide
from bot.solver.constraints import System
from bot.solver.decision import Judgement
from bot.solver.published.article import scores
from strategies import played


def decided(text: str, mines: int | None = None, *, guess: bool = True) -> Decision:
    return decide(Board.from_rows(text.split(), mines), strategy=STRATEGIES["article"], guess=guess)


def shares(board: Board, cell: Cell) -> Fraction:
    """Return the score of a cell as the article writes it: number / covered neighbours, summed up."""
    numbers = [near for near in board.neighbours(cell) if board[near] <= 8]
    covered = [sum(board[other] > 8 for other in board.neighbours(number)) for number in numbers]
    return sum((Fraction(board[n], c) for n, c in zip(numbers, covered, strict=True)), Fraction(0))


@pytest.mark.parametrize(("rows", "cols", "cell"), [(10, 10, (5, 5)), (9, 9, (4, 4)), (1, 2, (0, 1))])
def test_it_begins_in_the_centre(rows: int, cols: int, cell: tuple[int, int]) -> None:
    for rule in FirstClick:
        decision = decide(Board.covered(rows, cols, 1), rule=rule, strategy=STRATEGIES["article"])
        assert [move.cell for move in decision.moves] == [cell]


def test_the_least_sum_is_opened_and_not_the_least_risk() -> None:
    guesses = others = 0
    games = played((10, 10, 20), 40, STRATEGIES["article"], rule=FirstClick.OPENING, first=Cell(5, 5))
    for game, decision in games:
        if decision.judgement is not None:
            guesses += 1
            cell, board = decision.moves[0].cell, game.board
            sums = {other: shares(board, other) for other in set(board.cells(9)) - set(decision.mines)}
            assert decision.judgement is Judgement.LEAST_SUM
            assert sums[cell] == min((found for found in sums.values() if found), default=0)
            others += decide(board, strategy=STRATEGIES["counting"]).moves[0].cell != cell
    assert guesses > 50
    assert others > 10


def test_known_mines_still_count_as_covered() -> None:
    # The 1 proves a mine between the numbers; the 2 still shares both of its mines among all four cells.
    board = Board.from_rows(["1.2.", "WW.."])
    decision = decide(board, strategy=STRATEGIES["article"])
    assert decision.mines == {(0, 1)}
    assert {scores(System.of(board))[index] for index in (3, 6, 7)} == {840 // 2}


def test_cells_without_an_opened_neighbour_wait() -> None:
    decision = decided("WWWWWW W2...W W..... ......", 4)
    assert decision.reason is Reason.GUESS
    assert decision.moves[0].cell in {(1, 2), (2, 1), (2, 2)}
    # With the frontier settled there is nothing else: the first of the others.
    decision = decided("*1WW... 11WW... WWWW... .......", 4)
    assert decision.moves[0].cell == (0, 4)


def test_it_wins_about_as_often_as_published() -> None:
    """Published: about 30 % at 20 mines; here of 200 games."""
    boards = Boards(10, 10, 20, FirstClick.OPENING, Cell(5, 5), BASE_SEED)
    played = play_unit(Unit(boards, STRATEGIES["article"], 0, 200, PlayOptions(), fingerprint()))
    assert 23 <= sum(played.won) / 2 <= 41
