"""The judge of ends compares what the bot reports of each game with what the page knows of it."""

from __future__ import annotations

from typing import Any

import pytest

from bench_ends import SWITCHES, Judge, Outcome, Run, combination
from bot.board import Board, Cell
from page import Page, Shown

MINES = frozenset({Cell(1, 0)})
NEW, OPENED = ("..", ".."), ("1.", "..")


def shown_at(made: float, game: int, rows: tuple[str, ...], won: bool | None = None) -> Shown:
    mines = frozenset[Cell]() if rows == NEW else MINES
    place = (0.0, 0.0, 0.0, 0.0)
    return Shown(int(made), game, Board.from_rows(rows, 1), mines, place, made, made, won)


def turn(game: int, looked: float, rows: tuple[str, ...], *clicks: list[Any]) -> dict[str, Any]:
    board = str(Board.from_rows(rows, 1))
    return {"game": game, "round": 1, "looked": looked, "at": looked + 0.1, "board": board, "clicks": clicks}


def judged(run: Run, *shown: Shown) -> Outcome:
    window: Any = None  # nothing is looked at
    outcome = Outcome(0, {}, 1)
    Judge(outcome).judge(Page(window, [*shown]), run)
    return outcome


def told(won: bool | None, at: float = 13.0) -> list[tuple[float, dict[str, Any]]]:
    return [(at, {"won": won})]


@pytest.mark.parametrize(
    ("said", "true", "counted"),
    [
        (True, True, "right"),
        (False, False, "right"),
        (True, False, "false"),
        (False, True, "false"),
        (True, None, "false"),  # the game goes on
        (None, True, "unknown"),
    ],
)
def test_a_result_is_compared_with_that_of_the_page(said: bool, true: bool | None, counted: str) -> None:
    states = [shown_at(10, 0, NEW), shown_at(12, 0, OPENED, true)]
    outcome = judged(Run(told(said), [turn(1, 11, NEW)], [], 0), *states)
    assert getattr(outcome, counted) == outcome.told == 1
    assert outcome.won == (true is True)
    assert outcome.unreported == outcome.unfinished == outcome.misread == 0


def test_a_result_belongs_to_the_game_of_its_last_round() -> None:
    states = [shown_at(10, 0, NEW), shown_at(12, 0, OPENED, False), shown_at(12.5, 1, NEW)]
    assert judged(Run(told(False), [turn(1, 11, NEW)], [], 0), *states).right == 1


def test_an_end_after_the_result_does_not_make_it_right() -> None:
    states = [shown_at(10, 0, NEW), shown_at(20, 0, OPENED, True)]
    assert judged(Run(told(True), [turn(1, 11, NEW)], [], 0), *states).false == 1


def test_games_without_a_result_are_counted() -> None:
    states = [shown_at(10, 0, NEW), shown_at(12, 0, OPENED, True), shown_at(14, 1, NEW)]
    assert judged(Run([], [turn(1, 15, NEW)], ["closed"], 2), *states).words == {"stopped: closed": 1}
    outcome = judged(Run([], [turn(1, 15, NEW)], ["closed"], 2), *states)
    assert (outcome.unfinished, outcome.unreported) == (1, 1)


def test_a_stop_before_the_first_round_is_a_refusal() -> None:
    outcome = judged(Run([], [], ["no board"], 3), shown_at(10, 0, NEW))
    assert outcome.words == {"refused: no board": 1}


def test_boards_and_clicks_are_compared_with_what_the_page_showed() -> None:
    states = [shown_at(10, 0, NEW), shown_at(12, 0, OPENED)]
    clicks = [["open", 1, 0, 0.0], ["open", 0, 1, 0.0], ["flag", 1, 0, 0.0]]
    outcome = judged(Run([], [turn(1, 13, OPENED, *clicks), turn(1, 14, ("2.", ".-"))], [], 0), *states)
    assert (outcome.cells, outcome.misread, outcome.mines) == (7, 1, 1)
    assert outcome.words == {"called a mine safe": 1, "misread 1 as 2": 1}


@pytest.mark.parametrize(
    ("seen", "rows", "misread"),
    [
        (7.0, NEW, 0),
        (12.0, OPENED, 0),
        (10.1, NEW, 0),  # the report may be faster than the paint
        (9.95, OPENED, 0),  # or slower
        (12.0, NEW, 1),
        (7.0, OPENED, 1),
        (12.0, ("2-", "F."), 2),
        (12.0, ("...", "..."), 6),  # no such board is there
    ],
)
def test_cells_are_compared_with_what_was_shown_then(
    seen: float, rows: tuple[str, ...], misread: int
) -> None:
    states = [shown_at(5, 0, NEW), shown_at(10, 0, OPENED)]
    assert judged(Run([], [turn(1, seen, rows)], [], 0), *states).misread == misread


def test_a_number_and_a_seed_draw_the_same_combination_again() -> None:
    drawn = [combination(number, 3) for number in range(200)]
    assert drawn == [combination(number, 3) for number in range(200)]
    assert drawn != [combination(number, 4) for number in range(200)]
    for name, values in SWITCHES.items():
        assert {one[name] for one in drawn if name in one} == set(values)


def test_no_board_is_drawn_that_the_window_would_cut() -> None:
    every = [combination(number, seed) for seed in (1, 42) for number in range(200)]
    large = [one for one in every if (one["art"], one["zoom"]) == ("tiles", 200)]
    assert large
    assert not any("strip" in one for one in large)


def test_each_switch_is_drawn_alone() -> None:
    values = [(name, value) for name, values in SWITCHES.items() for value in values]
    for number, (name, value) in enumerate(values):
        drawn = combination(number, 3, alone=True)
        assert drawn[name] == value
        assert [one for one in drawn if one in SWITCHES] == [name]
