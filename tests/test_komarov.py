"""Komarov's bot of 2006: his two rules and his hypotheses, against a plain copy of them, and his figures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.board import Board, Cell, FirstClick, State
from bot.capture import PatientCapture
from bot.cli.reports import TableReport
from bot.errors import BotError
from bot.game.metrics import Clicks
from bot.game.simulation import Game
from bot.play.dryrun import STUCK
from bot.play.player import Player
from bot.play.results import GameResult, Settings, Totals
from bot.play.watcher import BoardWatcher
from bot.solver import STRATEGIES, Decision, Reason, decide
from bot.solver.decision import Judgement
from bot.targets.catalogue import find_target
from bot.vision import load_skins, save_picture
from drawn_boards import draw_board
from fakes import FakeClock
from simulated import SimulatedScreen

Field = dict[Cell, str | int]  # a number, "covered", "mine", "safe", or "no mine" where that is given


def run_rules(board: Board, field: Field) -> bool:
    """Apply his two rules to the field until nothing changes; return whether it is without an error."""
    changed = True
    while changed:
        changed = False
        for cell, number in field.items():
            if not isinstance(number, int):
                continue
            around = board.neighbours(cell)
            covered = [near for near in around if field[near] == "covered"]
            mines = sum(field[near] == "mine" for near in around)
            if not mines <= number <= mines + len(covered):
                return False
            if covered and number in (mines, mines + len(covered)):
                field.update(dict.fromkeys(covered, "safe" if number == mines else "mine"))
                changed = True
    return True


def refuted(board: Board, field: Field) -> Field:
    """Return the cells that cannot be what is supposed of them, with what they are instead."""
    found: Field = {}
    for cell in [cell for cell, state in field.items() if state == "covered"]:
        for supposed, opposite in (("mine", "safe"), ("safe", "mine")):
            changed = {**field, cell: supposed}
            if not run_rules(board, changed):
                found[cell] = opposite
                break
    return found


def his_decision(board: Board) -> tuple[Reason, set[Cell], set[Cell]]:
    """Return the safe cells and the mines that he finds, and how; he stops where that is nothing."""
    states = {State.COVERED: "covered", State.WRONG_FLAG: "no mine"}
    field: Field = {cell: board[cell] if board[cell] <= 8 else states[State(board[cell])] for cell in board}
    reason = Reason.COUNTING
    assert run_rules(board, field)
    while "safe" not in field.values():
        reason, found = Reason.CONTRADICTION, refuted(board, field)
        if not found:
            return Reason.GUESS, set(), _all(field, "mine")
        field.update(found)
        assert run_rules(board, field)
    return reason, _all(field, "safe"), _all(field, "mine")


def _all(field: Field, state: str) -> set[Cell]:
    return {cell for cell, shown in field.items() if shown == state}


def positions(rows: int, cols: int, mines: int, games: int) -> Iterator[Board]:
    """Yield what his program sees of games that go on where it stops: there a safe cell is given away."""
    for seed in range(10_000_000, 10_000_000 + games):
        game = Game(rows, cols, mines, seed, FirstClick.OPENING)
        game.open(Cell(rows // 2, cols // 2))
        while not game.over:
            yield game.board
            moves = decide(game.board, strategy=STRATEGIES["komarov"], guess=False).moves
            free = [cell for cell in game.board.cells(State.COVERED) if cell not in (game.mines or ())]
            for cell in [move.cell for move in moves] or free[:1]:
                game.open(cell)


@pytest.mark.parametrize(("size", "games"), [((10, 10, 20), 7), ((8, 8, 10), 12), ((12, 12, 28), 4)])
def test_the_strategy_is_his_program(size: tuple[int, int, int], games: int) -> None:
    seen = set()
    for board in positions(*size, games):
        reason, safe, mines = his_decision(board)
        decision = decide(board, strategy=STRATEGIES["komarov"], guess=False)
        assert (decision.reason, {move.cell for move in decision.moves}, set(decision.mines)) == (
            reason,
            safe,
            mines,
        ), board
        seen.add(reason)
    assert seen == {Reason.COUNTING, Reason.CONTRADICTION, Reason.GUESS}


def decided(text: str, mines: int, *, guess: bool) -> Decision:
    return decide(Board.from_rows(text.split(), mines), strategy=STRATEGIES["komarov"], guess=guess)


def test_without_guessing_he_stops_and_with_it_he_takes_the_least_risk() -> None:
    assert decided("11 ..", 1, guess=False).moves == ()
    decision = decided("11 ..", 1, guess=True)
    assert (decision.reason, decision.judgement) == (Reason.GUESS, Judgement.LEAST_RISK)
    with pytest.raises(BotError, match="nothing left to open"):
        decided("1. W1", 1, guess=True)


SKIN = next(skin for skin in load_skins() if skin.name == "winemine")


def test_on_the_screen_a_game_that_takes_a_guess_is_stuck_and_the_next_one_begins() -> None:
    there = SimulatedScreen(SKIN, FakeClock(), seed=3)
    watcher = BoardWatcher(PatientCapture(there, there.clock, there), [SKIN], there.window)
    settings = Settings(games=8, strategy=STRATEGIES["komarov"], guess=False)
    player = Player(watcher, there, replace(settings, target=find_target("winemine")))
    totals, results = Totals(), []
    for result in player.play():
        results.append(result)
        totals.results.append(result)
        assert result.outcome == ("won" if there.game.won else "stuck")
        assert result.stuck is not there.game.over
        assert (result.bbbv is None) is result.stuck
        assert 0 <= result.seconds < 3600
        assert result.guesses == 0
        assert result.as_json()["outcome"] == result.outcome
    assert {result.outcome for result in results} == {"won", "stuck"}
    assert totals.as_json()["stuck"] == totals.count("stuck") == totals.games - totals.wins


def test_a_picture_of_a_position_that_takes_a_guess_has_no_move(run: Any, tmp_path: Path) -> None:
    board = Board.covered(9, 9, 10).replace({Cell(4, 4): 1})
    save_picture(tmp_path / "stuck.png", draw_board(SKIN, board, 10)[0])
    how = ("--strategy", "komarov", tmp_path / "stuck.png")
    code, out, _ = run("replay", "--no-guess", *how)
    assert code == 0
    assert f"no move: {STUCK}" in out
    (stuck,), (guessed,) = (
        json.loads(run("replay", "--json", *more, *how)[1])["boards"] for more in (["--no-guess"], [])
    )
    assert (stuck["stuck"], stuck["moves"]) == (True, [])
    assert (guessed["stuck"], len(guessed["moves"])) == (False, 1)


@pytest.mark.parametrize("strategy", ["komarov", "best"])
def test_bench_tells_the_share_that_takes_no_guess(run: Any, tmp_path: Path, strategy: str) -> None:
    asked = ("bench", "--level", "6x6/6", "--games", "30", "--strategy", strategy)
    code, out, _ = run(*asked, "--no-guess")
    assert code == 0
    assert "stuck, %" in out
    assert "stuck" not in run(*asked)[1]
    kept = ("--no-guess", "--json", "--checkpoint", tmp_path / "kept.jsonl")
    first, again = (json.loads(run(*asked, *kept)[1]) for _ in range(2))
    assert first == again
    assert first["wins"] + first["stuck"] == 30
    code, _, err = run(*asked, *kept[1:])
    assert code == 1
    assert "--guess was False there and is True here" in err


def test_play_tells_of_a_game_that_is_stuck(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    won, stuck = (
        GameResult("winemine", "beginner", not stuck, 1.0, Clicks(left=9), None, 0, 5, 0, 0, stuck=stuck)
        for stuck in (False, True)
    )
    with TableReport(2, tmp_path) as report:
        report.game(won)
        report.game(stuck)
    printed = capsys.readouterr()
    assert "game 2: stuck, it would take a guess, in 1.00 s" in printed.err
    assert re.search(r"beginner\W+stuck\W", printed.out)
    assert "won 1 of 2 (50%), 1 stuck (would have to guess), 18 clicks" in printed.out
