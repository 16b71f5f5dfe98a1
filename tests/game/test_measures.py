"""The measures of players, on boards whose clicks were counted by hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from bot.board import Board
from bot.cli.reports import MOST_ROWS, TableReport
from bot.clicker.clicks import Click
from bot.desktop.protocols import Button
from bot.game.metrics import Clicks, measures
from bot.geometry import Frame, Point
from bot.play.look import Look
from bot.play.results import GameResult, Tally, Totals, result_of
from bot.solver.decision import Action, Move, Reason
from bot.verdict import GameState, Verdict
from simulated import reading_of

# One opening, the zeros with the numbers beside them; the two cells at the right take a click each: 3BV 3.
WON = Board.from_rows(["001F", "0122", "01F1"], 2)


def ended(board: Board, *, won: bool | None) -> Look:
    states = {True: GameState.WON, False: GameState.LOST, None: GameState.UNKNOWN}
    verdict = Verdict(states[won], True, concluded="" if won else "a box came up")
    nothing = Frame(np.zeros((1, 1, 3), np.uint8), Point(0, 0), 0.0)
    return Look(nothing, reading_of(board), verdict)


def result(clicks: Clicks, board: Board = WON, *, won: bool = True, seconds: float = 2.0) -> GameResult:
    first, last = 10.0, 10.0 + seconds
    cell, sent = next(iter(board)), list[Click]()
    for action, number in zip(Action, (clicks.left, clicks.right, clicks.chords), strict=True):
        sent += [Click(Point(0, 0), Button.LEFT, Move(cell, action, 0.0, Reason.GUESS))] * number
    tally = Tally(sent, effective=clicks.effective, guesses=1, rounds=3)
    tally.first_click, tally.first_cell, tally.ended = first, cell, last
    return result_of("winmine", "custom", ended(board, won=won), tally)


def test_measures_by_hand() -> None:
    """Eight clicks, of which one on an open cell, in two seconds on a board of 3BV 3."""
    of = measures(3, 2.0, Clicks(left=5, right=2, chords=1, effective=7))
    assert of["bbbv_per_second"] == 1.5
    assert of["ioe"] == 3 / 8
    assert of["correctness"] == 7 / 8
    assert of["throughput"] == 3 / 7
    assert of["rqp"] == pytest.approx(4 / 3)
    assert of["ioe"] == pytest.approx(of["throughput"] * of["correctness"])


def test_a_won_game_has_all_measures() -> None:
    values = result(Clicks(left=5, right=2, chords=1, effective=7)).as_json()
    assert values["bbbv"] == 3
    assert values["clicks"] == 8
    assert (values["left_clicks"], values["right_clicks"], values["chords"]) == (5, 2, 1)
    assert (values["effective_clicks"], values["correctness"]) == (7, 0.875)
    assert (values["ioe"], values["throughput"], values["rqp"]) == (0.375, 0.4286, 1.3333)
    json.dumps(values)


LOST = Board.from_rows(["001*", "012.", "01X."], 2)


def test_a_lost_game_that_shows_its_mines_has_a_board_to_measure_and_no_more() -> None:
    values = result(Clicks(left=3, effective=2), LOST, won=False).as_json()
    assert (values["bbbv"], values["correctness"]) == (3, 0.6667)
    assert {values[name] for name in ("bbbv_per_second", "ioe", "throughput", "rqp")} == {None}


def test_means_are_those_of_the_games_that_were_won() -> None:
    totals = Totals()
    for one in (result(Clicks(left=3, effective=3)), result(Clicks(left=6, effective=3), seconds=4.0)):
        totals.results.append(one)
    totals.results.append(result(Clicks(left=90, effective=1), LOST, won=False))
    values = totals.as_json()
    assert values["clicks"] == values["left_clicks"] == 99
    means = values["means"]
    assert isinstance(means, dict)
    assert (means["bbbv"], means["clicks"], means["ioe"], means["correctness"]) == (3, 4.5, 0.75, 0.75)
    assert (means["seconds"], means["throughput"]) == (3.0, 1.0)
    assert means["rqp"] == pytest.approx(np.mean([4 / 3, 16 / 3]), abs=1e-4)
    assert Totals().as_json()["means"] == {}


def test_people_are_told_the_measures_too(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with TableReport(2, tmp_path) as report:
        report.game(result(Clicks(left=5, right=2, chords=1, effective=7)))
        report.game(result(Clicks(left=3, effective=3), LOST, won=False))
    printed = capsys.readouterr()
    assert printed.err.splitlines()[:2] == [
        "game 1: won in 2.00 s: 8 clicks (5 left, 2 right, 1 chord), 3BV 3, 3BV/s 1.5, IOE 0.38, "
        "correctness 0.88, throughput 0.43, RQP 1.33",
        "game 2: lost in 2.00 s: 3 clicks",
    ]
    assert "won 1 of 2 (50%), 11 clicks (8 left, 2 right, 1 chord)" in printed.out
    assert (
        "means of the game won from the first click on: seconds 2.00, 3BV 3, 3BV/s 1.5, clicks 8, IOE 0.38, "
        "correctness 0.88, throughput 0.43, RQP 1.33"
    ) in printed.out


def test_of_a_long_run_the_last_games_are_listed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with TableReport(0, tmp_path) as report:
        for _ in range(MOST_ROWS + 3):
            report.game(result(Clicks(left=5, effective=5)))
    printed = capsys.readouterr().out
    assert f"the last {MOST_ROWS} games" in printed
    rows = [
        line.split()[0]
        for line in printed.splitlines()
        if " won " in f"{line} " and line[:6].strip().isdigit()
    ]
    assert rows == [str(number) for number in range(4, MOST_ROWS + 4)]
