"""The referee under Wine on runs that are made up here: it must see every rule that is broken."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import wine_referee
from bot.board import Board, Cell, neighbours
from truth import true_mines
from wine_referee import Run, cell_of, judge
from winemine_memory import TrueGame

SECOND, FIRST = 1_800_000_000, Cell(4, 4)
MINES = true_mines(SECOND, 9, 9, 10, FIRST)
CLIENT = [100, 200, 154, 182]


def shown(*opened: Cell) -> str:
    """Return the true board with so many cells open."""
    board = Board.covered(9, 9, 10)
    numbers = {cell: sum(other in MINES for other in neighbours(9, 9, cell)) for cell in opened}
    return str(board.replace(numbers))


def press(cell: Cell, at: float, what: str = "left down", **changes: Any) -> dict[str, Any]:
    x, y = CLIENT[0] + 5 + 16 * cell.col + 8, CLIENT[1] + 33 + 16 * cell.row + 8
    event = {"at": at, "clock": SECOND + at, "what": what, "x": x, "y": y, "on": "game", "client": CLIENT}
    return {**event, "sent": True, **changes}


def click(cell: Cell, at: float, **changes: Any) -> list[dict[str, Any]]:
    return [press(cell, at, **changes), press(cell, at + 0.001, "left up")]


def turn(number: int, at: float, board: str, *cells: Cell, risk: float = 0.0) -> dict[str, Any]:
    clicks = [["open", *cell, risk] for cell in cells]
    looked = at - 0.05
    return {"game": 1, "round": number, "looked": looked, "at": at, "board": board, "clicks": clicks}


SAFE = next(cell for cell in Board.covered(9, 9, 10) if cell not in MINES and cell != FIRST)
MINE = min(MINES)
ROUNDS = [turn(1, 0.1, shown(), FIRST), turn(2, 0.3, shown(FIRST), SAFE, MINE, risk=0.2)]
LOST = "\n".join([json.dumps({"outcome": "lost", "won": False}), json.dumps({"games": 1}), ""])
GAME = TrueGame(0.0, 9, 9, MINES, 0.51, won=False)
INPUTS = [*click(FIRST, 0.2), *click(SAFE, 0.4), *click(MINE, 0.5)]
GOOD = Run(INPUTS, ROUNDS, [GAME], LOST, "", 0, Path())


@pytest.fixture(autouse=True)
def no_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wine_referee, "_record_broken", lambda _run: [])


def test_a_good_run_breaks_nothing() -> None:
    verdict = judge(GOOD)
    assert (verdict.broken, verdict.under_way) == ([], [])
    assert (verdict.clicks, verdict.ended) == (3, [False])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"on": "Notepad"}, "fell on 'Notepad'"),
        ({"y": 210}, "fell beside the cells"),
        ({"x": 241}, "was not decided"),
        ({"what": "right down"}, "was not decided"),
    ],
    ids=str,
)
def test_a_wrong_click_is_seen(changes: dict[str, Any], words: str) -> None:
    wrong = [press(FIRST, 0.2), press(FIRST, 0.21, "left up"), press(SAFE, 0.4, **changes)]
    up = press(SAFE, 0.41, str(wrong[-1]["what"]).replace("down", "up"))
    run = replace(GOOD, inputs=[*wrong, up, *click(MINE, 0.5)])
    verdict = judge(run)
    assert len(verdict.broken) == 1
    assert words in verdict.broken[0]
    excused = judge(replace(run, strikes=[(0.39, 0.395)]))
    assert excused.broken == []
    assert words in excused.under_way[0]
    assert judge(replace(run, strikes=[(0.1, 0.2)])).broken


def test_a_key_must_go_to_the_game() -> None:
    key = {"at": 0.05, "what": "key down", "key": 113, "on": "Notepad", "sent": True}
    inputs = [key, {**key, "what": "key up"}, *GOOD.inputs]
    assert judge(replace(GOOD, inputs=inputs)).broken == ["the key 113 went to 'Notepad' (at 0.050)"]


def test_what_the_user_does_is_not_judged() -> None:
    hand = press(SAFE, 0.05, "right down", sent=False)
    assert judge(replace(GOOD, inputs=[hand, *GOOD.inputs])).broken == []


def test_a_button_that_stays_down_is_seen() -> None:
    assert judge(replace(GOOD, held=["left"])).broken == ["left is down after the run"]


def test_a_misread_cell_is_seen() -> None:
    board = Board.parse(shown(FIRST))
    wrong = board.replace({FIRST: (board[FIRST] + 1) % 8})
    rounds = [ROUNDS[0], turn(2, 0.3, str(wrong), SAFE, MINE, risk=0.2)]
    (words,) = judge(replace(GOOD, rounds=rounds)).broken
    assert words == f"round 1.2: (4, 4) is read as {(board[FIRST] + 1) % 8}, which is wrong"


def test_a_board_must_be_that_of_the_game_that_was_there() -> None:
    later = TrueGame(0.6, 16, 16)
    assert judge(replace(GOOD, games=[replace(GAME, gone=0.6), later])).broken == []
    gone = judge(replace(GOOD, games=[replace(GAME, gone=0.12), replace(later, began=0.12)]))
    assert "round 1.2: a board of (9, 9) is read, of (16, 16)" in gone.broken
    assert judge(replace(GOOD, games=[])).broken[0] == "round 1.1: there was no game"


def test_a_click_must_be_for_the_game_that_was_looked_at() -> None:
    games = [replace(GAME, ended=None, won=None, gone=0.45), replace(GAME, began=0.45)]
    words = f"on {tuple(MINE)} was decided in a game that was no more"
    assert [words in one for one in judge(replace(GOOD, games=games)).broken] == [True]
    excused = judge(replace(GOOD, games=games, strikes=[(0.44, 0.45)]))
    assert (len(excused.broken), len(excused.under_way)) == (0, 1)


def test_nothing_open_is_opened() -> None:
    rounds = [ROUNDS[0], turn(2, 0.3, shown(FIRST, SAFE), SAFE, MINE, risk=0.2)]
    assert f"{tuple(SAFE)} is opened, which shows" in judge(replace(GOOD, rounds=rounds)).broken[0]


def test_an_end_that_a_fault_takes_away_at_once_may_be_untold() -> None:
    games = [replace(GAME, gone=0.55), TrueGame(0.55, 9, 9)]
    untold = replace(GOOD, games=games, printed='{"games": 0}\n')
    assert judge(replace(untold, strikes=[(0.54, 0.55)])).broken == []
    assert judge(untold).broken == ["it tells of [], the games ended [False]"]


def test_a_game_that_nobody_played_may_be_untold() -> None:
    """Clicks that were under way may have begun it and ended it."""
    extra = TrueGame(0.6, 16, 30, frozenset({Cell(0, 0)}), 0.61, won=False)
    assert judge(replace(GOOD, games=[replace(GAME, gone=0.6), extra])).broken == []
    played = [*ROUNDS, {**turn(1, 0.66, str(Board.covered(16, 30, 99)), Cell(0, 0)), "game": 2}]
    told = judge(replace(GOOD, games=[replace(GAME, gone=0.6), replace(extra, ended=0.7)], rounds=played))
    assert told.broken == ["it tells of [False], the games ended [False, False]"]


def test_an_end_under_a_dialog_that_takes_the_game_away_may_be_untold() -> None:
    games = [replace(GAME, gone=3.0), TrueGame(3.0, 9, 9)]
    untold = replace(GOOD, games=games, printed='{"games": 0}\n', strikes=[(0.54, 0.55)])
    assert judge(untold).broken == ["it tells of [], the games ended [False]"]
    assert judge(replace(untold, hides=True)).broken == []
    assert judge(replace(untold, hides=True, strikes=[(0.7, 0.8)])).broken


def test_a_wrong_look_after_a_fault_that_no_click_follows_is_under_way() -> None:
    wrong = Board.parse(shown(FIRST)).replace({SAFE: 0})
    rounds = [*ROUNDS, turn(3, 0.7, str(wrong), MINE, risk=0.2)]
    struck = replace(GOOD, rounds=rounds, strikes=[(0.55, 0.58)])
    assert (judge(struck).broken, len(judge(struck).under_way)) == ([], 1)
    assert len(judge(replace(struck, strikes=[])).broken) == 1
    late = replace(struck, inputs=[*INPUTS, *click(MINE, 0.8)])
    assert any("round 1.3" in words for words in judge(late).broken)


def test_a_false_proof_is_seen() -> None:
    rounds = [ROUNDS[0], turn(2, 0.3, shown(FIRST), SAFE, MINE)]
    assert f"{tuple(MINE)} is called safe, and a mine" in judge(replace(GOOD, rounds=rounds)).broken[0]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"printed": LOST.replace("false", "true")}, "it tells of [True], the games ended [False]"),
        ({"printed": '{"games": 1'}, "what it prints ends in half a line"),
        ({"code": None}, "it hung"),
        ({"code": 139}, "it ended with the code 139"),
        ({"code": 1}, "without a line"),
        ({"code": 1, "complaints": "Traceback\nminebot: an error"}, "traceback"),
    ],
    ids=str,
)
def test_a_bad_end_is_seen(changes: dict[str, Any], words: str) -> None:
    assert any(words in one for one in judge(replace(GOOD, **changes)).broken)


def test_cells_are_where_the_window_is() -> None:
    assert cell_of(press(Cell(8, 8), 0.0)) == Cell(8, 8)
    assert cell_of({**press(Cell(8, 8), 0.0), "client": [90, 200, 154, 182]}) is None
