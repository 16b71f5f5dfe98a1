"""Named positions, drawn as text, with what follows from them."""

from __future__ import annotations

import csv
from fractions import Fraction

import pytest

from bot.board import Board, Cell, FirstClick
from bot.solver import STRATEGIES, Action, Decision, Reason, decide
from bot.solver.guess import FIRST_CLICKS
from reference import solution_counts


def board(text: str, mines: int | None = None) -> Board:
    return Board.from_rows(text.split(), mines)


def opened(decision: Decision) -> set[tuple[int, int]]:
    return {(move.cell.row, move.cell.col) for move in decision.moves if move.action is Action.OPEN}


PATTERNS = [
    pytest.param("... 11.", {(0, 2), (1, 2)}, set(), id="1-1 at a wall"),
    pytest.param("... 121", {(0, 1)}, {(0, 0), (0, 2)}, id="1-2-1"),
    pytest.param(".... 1221", {(0, 0), (0, 3)}, {(0, 1), (0, 2)}, id="1-2-2-1"),
    pytest.param(".... W12W", {(0, 0)}, {(0, 3)}, id="2 beside 1"),
]


@pytest.mark.parametrize(("text", "safe", "mines"), PATTERNS)
def test_patterns_need_contradiction_and_no_more(
    text: str, safe: set[tuple[int, int]], mines: set[tuple[int, int]]
) -> None:
    assert decide(board(text), strategy=STRATEGIES["counting"]).reason is Reason.GUESS
    stages = {"komarov": Reason.CONTRADICTION, "best": Reason.CONTRADICTION, "pestov": Reason.ELEMENTS}
    for strategy, reason in stages.items():
        decision = decide(board(text), strategy=STRATEGIES[strategy])
        assert {decision.reason} == {move.reason for move in decision.moves} == {reason}
        assert opened(decision) == safe
        assert decision.mines == mines


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_counting(strategy: str) -> None:
    decision = decide(board("1.. 1.."), strategy=STRATEGIES[strategy], guess=False)
    assert decision.moves == ()
    decision = decide(board("11. 1F."), strategy=STRATEGIES[strategy])
    assert decision.reason is Reason.COUNTING
    assert decision.mines == {(1, 1)}  # the flag was right
    assert opened(decision) == {(0, 2), (1, 2)}
    assert decision.risk == 0.0
    assert (decision.judgement, decision.alternatives, decision.win_chance) == (None, (), None)


def test_the_published_example_has_237093780_solutions() -> None:
    rows = ["001.......", "002.......", "003.......", "002.......", "112.......", *[".........."] * 5]
    solutions, mines = solution_counts(Board.from_rows(rows, 10))
    assert solutions == 237_093_780
    outside = [cell for cell in mines if cell.row > 5 or (cell.row == 5 and cell.col > 2) or cell.col > 3]
    assert len(outside) == 85 - 8
    for cell in [Cell(5, 0), *outside]:
        assert Fraction(mines[cell], solutions) == Fraction(6, 77)
    assert Fraction(mines[Cell(5, 1)], solutions) == Fraction(71, 77)
    assert [mines[Cell(row, 3)] for row in (0, 4)] == [mines[Cell(5, 2)], 0]
    assert all(mines[Cell(row, 3)] == solutions for row in (1, 2, 3))


def test_the_mine_total_proves_what_no_number_does() -> None:
    position = board(".1..", 1)
    assert decide(position, strategy=STRATEGIES["komarov"]).reason is Reason.GUESS
    decision = decide(position)
    assert decision.reason is Reason.PROBABILITY
    assert opened(decision) == {(0, 3)}
    assert decision.risks == {(0, 0): 0.5, (0, 2): 0.5, (0, 3): 0.0}


@pytest.mark.parametrize("strategy", ["article", "komarov", "pestov"])
def test_strategies_without_the_mine_total_count_it_before_a_guess(strategy: str) -> None:
    text = ".100 1100 0011 001. 0011 WWWW ...."
    assert decide(board(text, 2), strategy=STRATEGIES[strategy], guess=False).moves == ()
    decision = decide(board(text, 2), strategy=STRATEGIES[strategy])
    assert decision.reason is Reason.COUNTING
    assert opened(decision) == {(6, col) for col in range(4)}


@pytest.mark.parametrize("total", [1, None])
def test_a_fifty_fifty_is_a_guess_at_one_half(total: int | None) -> None:
    decision = decide(board("11 ..", total))
    assert decision.reason is Reason.GUESS
    assert decision.risk == 0.5
    assert decision.exact
    assert len(decision.moves) == 1


def test_no_guess_when_none_is_wanted() -> None:
    decision = decide(board("11 ..", 1), guess=False)
    assert decision.moves == ()
    assert decision.reason is Reason.GUESS
    assert decision.risks == {(1, 0): 0.5, (1, 1): 0.5}


def test_a_dead_cell_waits() -> None:
    # Either cell of the pair on the left would show a 1 for certain: that teaches nothing.
    decision = decide(board("11WW2W ..W... WWW...", 5), strategy=STRATEGIES["exact"])
    assert decision.risks[Cell(1, 0)] == decision.risks[Cell(1, 1)] == 0.5
    assert decision.moves[0].cell not in {(1, 0), (1, 1)}
    assert decision.risk == pytest.approx(2 / 3)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_safe_flag_is_taken_away(strategy: str) -> None:
    decision = decide(board("F0. WWW"), strategy=STRATEGIES[strategy])
    assert [(move.cell, move.action) for move in decision.moves] == [
        ((0, 2), Action.OPEN),
        ((0, 0), Action.FLAG),
    ]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_no_guess_at_a_flag_while_another_cell_is_left(strategy: str) -> None:
    decision = decide(board("F. 11", 1), strategy=STRATEGIES[strategy])
    assert [(move.cell, move.action) for move in decision.moves] == [((0, 1), Action.OPEN)]
    decision = decide(board("FF 11", 1), strategy=STRATEGIES[strategy])
    assert [(move.action, move.risk) for move in decision.moves] == [(Action.FLAG, 0.5)]


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    ("rule", "first", "risk"),
    [
        (FirstClick.SAFE, (0, 0), 0.0),
        (FirstClick.OPENING, (3, 3), 0.0),
        (FirstClick.WINMINE, (15, 29), 0.0),
        (FirstClick.ANY, (0, 0), 99 / 480),
    ],
)
def test_first_clicks(strategy: str, rule: FirstClick, first: tuple[int, int], risk: float) -> None:
    for mines in (99, None):
        decision = decide(Board.covered(16, 30, mines), rule=rule, strategy=STRATEGIES[strategy])
        (move,) = decision.moves
        expected = (8, 15) if strategy == "article" else first  # it begins in the centre, whatever the rule
        assert (move.cell, move.reason, move.action) == (expected, Reason.FIRST_CLICK, Action.OPEN)
        assert move.risk == (risk if mines else min(risk * 9, 0.5))


def test_the_best_first_cells_of_the_table_are_opened_also_on_turned_boards() -> None:
    with FIRST_CLICKS.open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    assert len(table) > 400
    for one in table:
        rows, cols, mines, row, col = (int(one[name]) for name in ("rows", "cols", "mines", "row", "col"))
        rule = FirstClick(one["rule"])
        assert 0 <= row < rows <= cols, one
        assert 0 <= col < cols, one
        assert decide(Board.covered(rows, cols, mines), rule=rule).moves[0].cell == (row, col), one
        if rows < cols and rule is not FirstClick.WINMINE:
            assert decide(Board.covered(cols, rows, mines), rule=rule).moves[0].cell == (col, row), one


def test_the_first_click_keeps_clear_of_flags() -> None:
    decision = decide(board("FF.... " + "...... " * 5, 5))
    assert decision.reason is Reason.FIRST_CLICK
    assert decision.moves[0].cell == (1, 0)
