"""The referee finds every broken rule, and none in a good run; its input is correct."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import Any

import pytest

if sys.platform == "win32":
    pytest.skip("the referee watches X displays", allow_module_level=True)

import wine_match
from bot.board import Cell
from bot.desktop import ScreenMouse
from bot.geometry import Point
from conftest import wait_for
from referee import Press, Run, Verdict, judge
from truth import TrueGame
from x11_match import ButtonPress, ButtonWatch, games_of, presses_of

# The mine is at (0, 2); (0, 0) is opened first, then (1, 2), which is proven safe.
GAME = TrueGame(10.0, 2, 3, frozenset({Cell(0, 2)}), 13.0, won=True)
FIRST_PRESS, SECOND_PRESS = Press(11.0, "left", Cell(0, 0)), Press(12.0, "left", Cell(1, 2))


def turn(number: int, at: float, rows: str, *clicks: tuple[object, ...]) -> dict[str, Any]:
    board = f"2x3/1\n{rows}"
    return {"game": 1, "round": number, "looked": at - 0.05, "at": at, "board": board, "clicks": clicks}


FIRST = turn(1, 10.55, "...\n...", ("open", 0, 0, 0.1))
CLICK = ("open", 1, 2, 0)
SECOND = turn(2, 11.55, "01.\n01.", CLICK)
TOLD = json.dumps({"outcome": "won", "won": True}) + "\n" + json.dumps({"ended_by": "games"}) + "\n"
UNTOLD = json.dumps({"ended_by": "games"}) + "\n"
GOOD = Run([FIRST_PRESS, SECOND_PRESS], [FIRST, SECOND], [GAME], TOLD, "", 0)


def test_a_good_run_breaks_nothing() -> None:
    assert judge(GOOD) == Verdict([], [], [True])


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (replace(GOOD, presses=[replace(FIRST_PRESS, astray="fell on 'Notepad'")]), "fell on 'Notepad'"),
        (
            replace(GOOD, presses=[Press(0.05, "the key 113", astray="went to 'Notepad'")]),
            "went to 'Notepad'",
        ),
        (replace(GOOD, presses=[Press(11.0, "left", Cell(1, 0))]), "not decided"),
        (replace(GOOD, presses=[Press(11.0, "right", Cell(0, 0))]), "not decided"),
        (replace(GOOD, rounds=[FIRST, turn(2, 11.5, "02.\n01.", CLICK)]), "is read as 2"),
        (replace(GOOD, rounds=[FIRST, turn(2, 11.5, "01.\n01F", CLICK)]), "is read as 10"),
        (replace(GOOD, games=[TrueGame(10.0, 3, 3)]), "a board of (2, 3) is read, of (3, 3)"),
        (replace(GOOD, rounds=[FIRST, turn(2, 11.5, "01.\n01.", ("open", 0, 2, 0))]), "and a mine"),
        (replace(GOOD, rounds=[FIRST, turn(2, 11.5, "01.\n01.", ("open", 0, 0, 0))]), "which shows 0"),
        (replace(GOOD, rounds=[FIRST, turn(2, 11.5, "01F\n01.", ("open", 0, 2, 0.5))]), "which shows 10"),
        (replace(GOOD, games=[]), "there was no game"),
        (replace(GOOD, held=["left"]), "left is down"),
        (replace(GOOD, code=None), "hung"),
        (replace(GOOD, code=137), "code 137"),
        (replace(GOOD, code=1), "without a line"),
        (replace(GOOD, code=1, complaints="Traceback\nminebot: x\n"), "traceback"),
        (replace(GOOD, printed=TOLD[:-5]), "half a line"),
        (replace(GOOD, printed=TOLD.replace("true", "false")), "it tells of [False], the games ended [True]"),
        (replace(GOOD, printed=""), "it tells of"),
    ],
)
def test_what_breaks_a_rule_is_seen(bad: Run, words: str) -> None:
    assert any(words in told for told in judge(bad).broken)


@pytest.mark.parametrize(("struck", "excused"), [((11.95, 11.99), True), ((11.0, 11.5), False)])
def test_a_click_that_was_under_way_when_a_fault_came_is_told_apart(
    struck: tuple[float, float], excused: bool
) -> None:
    games = [replace(GAME, ended=None, won=None, gone=11.99), TrueGame(11.99, 2, 3)]
    late = replace(GOOD, games=games, printed="", code=4, complaints="minebot: stopped\n", strikes=[struck])
    verdict = judge(late)
    seen, others = verdict.broken, verdict.under_way
    if excused:
        seen, others = others, seen
    assert "decided in a game that was no more" in seen[0]
    assert (len(seen), others) == (1, [])


def test_a_click_that_waited_for_the_game_when_a_fault_came_is_told_apart() -> None:
    astray = [*GOOD.presses, Press(12.5, "left", astray="fell on something that is not the game")]
    for struck, under_way in ((12.53, True), (12.6, False)):
        run = replace(GOOD, presses=astray, strikes=[(struck, struck + 0.01)], queue=0.05)
        assert (judge(run).broken == []) is under_way


def test_a_wrong_look_after_a_fault_that_no_click_follows_is_under_way() -> None:
    wrong = turn(3, 12.5, "02.\n01.", CLICK)
    struck = replace(GOOD, rounds=[*GOOD.rounds, wrong], strikes=[(12.1, 12.2)])
    assert (judge(struck).broken, len(judge(struck).under_way)) == ([], 1)
    assert len(judge(replace(struck, strikes=[])).broken) == 1
    followed = replace(struck, presses=[*GOOD.presses, Press(12.6, "left", Cell(1, 2))])
    assert any("round 1.3" in words for words in judge(followed).broken)


@pytest.mark.parametrize(("clicked", "under_way"), [(12.53, True), (12.6, False)])
def test_a_wrong_look_is_under_way_only_if_its_clicks_are_too(*, clicked: float, under_way: bool) -> None:
    wrong = turn(3, 12.5, "02.\n01.", CLICK)
    presses = [*GOOD.presses, Press(clicked, "left", Cell(1, 2))]
    run = replace(GOOD, presses=presses, rounds=[*GOOD.rounds, wrong], strikes=[(12.44, 12.44)])
    assert (judge(run).broken == []) is under_way


@pytest.mark.parametrize(
    ("gone", "strikes", "hides", "excused"),
    [
        (13.01, [(12.8, 13.0)], False, True),  # the game is replaced when it ends
        (13.01, [(12.0, 12.0)], False, False),
        (13.01, [], False, False),
        (16.0, [(13.04, 13.05)], True, True),  # a dialog hides it until it is replaced
        (16.0, [(13.04, 13.05)], False, False),
        (16.0, [(13.2, 13.3)], True, False),
    ],
)
def test_an_end_that_a_fault_takes_away_at_once_may_be_untold(
    gone: float, strikes: list[tuple[float, float]], hides: bool, excused: bool
) -> None:
    games = [replace(GAME, gone=gone), TrueGame(gone, 2, 3)]
    broken = judge(replace(GOOD, games=games, printed=UNTOLD, strikes=strikes, hides=hides)).broken
    assert broken == ([] if excused else ["it tells of [], the games ended [True]"])


def test_a_game_that_only_clicks_for_the_one_before_have_ended_may_be_untold() -> None:
    extra = TrueGame(13.5, 2, 3, frozenset({Cell(1, 0)}), 13.6, won=False)
    games = [replace(GAME, gone=13.5), extra]
    assert judge(replace(GOOD, games=games)).broken == []
    decided = [*GOOD.rounds, {**turn(1, 13.58, "...\n...", CLICK), "game": 2}]
    broken = judge(replace(GOOD, games=games, rounds=decided)).broken
    assert broken == ["it tells of [True], the games ended [True, False]"]


# The referee's input from our own game


def pressed(at: float, cell: tuple[int, int] | None, x: int = 50) -> dict[str, object]:
    time = round(1000 * at)
    return {"event": "press", "at": at, "time": time, "button": "left", "x": x, "y": 9, "cell": cell}


def test_games_are_those_that_the_game_tells_of() -> None:
    game = {"event": "game", "at": 10.0, "game": 1, "rows": 2, "cols": 3, "mines": 1}
    mines = {"event": "mines", "at": 11.1, "game": 1, "mines": [[0, 2]]}
    over = {"event": "over", "at": 13.0, "game": 1, "won": True}
    other = {**game, "at": 14.0, "game": 2}
    assert games_of([game, mines, over, other]) == [replace(GAME, gone=14.0), TrueGame(14.0, 2, 3)]


def test_presses_are_told_by_what_the_game_has_seen_of_them() -> None:
    board = {"event": "place", "at": 10.0, "x": 10, "y": 0, "width": 100, "height": 100}
    dialog = {**board, "event": "popup", "popup": 7, "at": 12.4, "x": 60, "width": 50}
    closed = {**dialog, "at": 12.65, "width": 0, "height": 0}
    events = [board, pressed(11.0, (0, 0)), pressed(11.5, None), dialog, closed]

    def told(at: float, x: int) -> list[str]:
        press = ButtonPress(round(1000 * at), at, "left", x, 9)
        return [one.astray or str(one.cell) for one in presses_of([press], events)]

    assert told(11.0, 50) == [str(Cell(0, 0))]
    assert "beside the cells" in told(11.5, 50)[0]
    assert "not the game" in told(11.7, 50)[0]
    assert told(12.55, 20) == []  # on the cells, but a dialog is open, which swallows the click
    for at, x in ((12.55, 70), (12.3, 20), (12.8, 20)):
        assert "not the game" in told(at, x)[0]


def test_every_press_is_recorded_wherever_it_falls(display: str, mouse: ScreenMouse) -> None:  # noqa: ARG001
    with ButtonWatch() as watch:
        mouse.click(Point(700, 500))
        mouse.click(Point(3, 4))
        assert wait_for(lambda: len(watch.presses) == 2)
        assert [(one.button, one.x, one.y) for one in watch.presses] == [("left", 700, 500), ("left", 3, 4)]
        assert watch.down() == []


# The referee's input from WineMine


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, [Press(1.0, "left", Cell(8, 8))]),
        ({"what": "left up"}, []),
        ({"sent": False}, []),  # by hand
        ({"on": "Notepad"}, [Press(1.0, "left", astray="at (241, 369) fell on 'Notepad'")]),
        ({"y": 210}, [Press(1.0, "left", astray="at (241, 210) fell beside the cells")]),
        ({"client": [90, 200, 154, 182]}, [Press(1.0, "left", astray="at (241, 369) fell beside the cells")]),
        ({"what": "key down", "key": 113, "on": "dialog"}, []),
        (
            {"what": "key down", "key": 113, "on": "Notepad"},
            [Press(1.0, "the key 113", astray="went to 'Notepad'")],
        ),
    ],
    ids=str,
)
def test_presses_under_wine_fall_where_the_window_is(changes: dict[str, Any], told: list[Press]) -> None:
    event = {"at": 1.0, "what": "left down", "x": 241, "y": 369, "on": "game", "client": [100, 200, 154, 182]}
    assert list(wine_match.presses_of([{**event, "sent": True, **changes}])) == told


def test_live_games_are_played_by_one_process(request: pytest.FixtureRequest) -> None:
    """Two at once slow each other down, and some share an environment."""
    if getattr(request.config.option, "loadgroup", False):
        assert request.node.nodeid.endswith("@live")
