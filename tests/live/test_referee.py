"""The referee sees every rule that is broken, and none where all went well."""

from __future__ import annotations

import json
import sys
from dataclasses import replace

import pytest

if sys.platform == "win32":
    pytest.skip("the referee watches X displays", allow_module_level=True)

from bot.clicker.mouse import ScreenMouse
from bot.geometry import Point
from buttons import ButtonWatch, Press
from conftest import wait_for
from referee import Run, judge

# Game 1 has its mine at (0, 2); (0, 0) is opened first, then (1, 1), which is proven safe.
GAME = {"event": "game", "at": 10.0, "game": 1, "rows": 2, "cols": 3, "mines": 1}
MINES = {"event": "mines", "at": 11.1, "game": 1, "mines": [[0, 2]]}
OVER = {"event": "over", "at": 13.0, "game": 1, "won": True}


def press(at: float, cell: tuple[int, int] | None, x: int = 50) -> dict[str, object]:
    return {
        "event": "press",
        "at": at,
        "time": round(1000 * at),
        "button": "left",
        "x": x,
        "y": 9,
        "cell": cell,
    }


def turn(number: int, at: float, rows: str, *clicks: tuple[object, ...]) -> dict[str, object]:
    board = f"2x3/1\n{rows}"
    return {"game": 1, "round": number, "at": at, "board": board, "clicks": clicks}


FIRST = turn(1, 10.5, "...\n...", ("open", 0, 0, 0.1, 50, 9))
CLICK = ("open", 1, 2, 0, 50, 9)
SECOND = turn(2, 11.5, "01.\n01.", CLICK)
GOOD = Run(
    presses=[Press(11000, 11.0, "left", 50, 9), Press(12000, 12.0, "left", 50, 9)],
    events=[GAME, press(11.0, (0, 0)), MINES, press(12.0, (1, 2)), OVER],
    rounds=[FIRST, SECOND],
    printed=json.dumps({"outcome": "won", "won": True}) + "\n" + json.dumps({"ended_by": "games"}) + "\n",
    complaints="",
    code=0,
)


def test_a_good_run_breaks_nothing() -> None:
    verdict = judge(GOOD)
    assert (verdict.broken, verdict.under_way) == ([], [])


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (replace(GOOD, presses=[Press(11000, 11.0, "left", 500, 9)]), "not the game"),
        (
            replace(GOOD, events=[GAME, press(11.0, None), MINES, press(12.0, (1, 2)), OVER]),
            "beside the cells",
        ),
        (replace(GOOD, events=[GAME, press(11.0, (1, 0)), MINES, press(12.0, (1, 2)), OVER]), "not decided"),
        (replace(GOOD, rounds=[FIRST, turn(2, 11.5, "02.\n01.", CLICK)]), "is read as 2"),
        (replace(GOOD, rounds=[FIRST, turn(2, 11.5, "01.\n01.", ("open", 0, 2, 0, 9, 9))]), "and a mine"),
        (replace(GOOD, rounds=[FIRST, turn(2, 11.5, "01.\n01.", ("open", 0, 0, 0, 9, 9))]), "which shows 0"),
        (
            replace(GOOD, rounds=[FIRST, turn(2, 11.5, "01F\n01.", ("open", 0, 2, 0.5, 9, 9))]),
            "which shows 10",
        ),
        (replace(GOOD, buttons_down=["left"]), "left pressed"),
        (replace(GOOD, code=None), "hung"),
        (replace(GOOD, code=137), "code 137"),
        (replace(GOOD, code=1), "without a line"),
        (replace(GOOD, code=1, complaints="Traceback\nminebot: x\n"), "traceback"),
        (replace(GOOD, printed=GOOD.printed[:-5]), "half a line"),
        (replace(GOOD, printed=json.dumps({"outcome": "lost", "won": False}) + "\n"), "it tells of"),
        (replace(GOOD, printed=""), "it tells of"),
    ],
)
def test_what_breaks_a_rule_is_seen(bad: Run, words: str) -> None:
    broken = judge(bad).broken
    assert broken
    assert any(words in told for told in broken)


def test_a_click_that_was_under_way_when_a_fault_came_is_told_apart() -> None:
    other = {**GAME, "at": 11.99, "game": 2}
    late = replace(
        GOOD, events=[GAME, press(11.0, (0, 0)), MINES, other, press(12.0, (1, 2))], printed="", code=4
    )
    late = replace(late, complaints="minebot: stopped\n")
    assert "no more" in judge(late).broken[0]
    verdict = judge(replace(late, struck=[(11.99, 11.99)]))
    assert verdict.broken == []
    assert "no more" in verdict.under_way[0]


def test_a_game_that_a_fault_took_away_as_it_ended_may_be_untold() -> None:
    other = {**GAME, "at": 13.01, "game": 2}
    untold = replace(GOOD, events=[*GOOD.events, other], printed=json.dumps({"ended_by": "games"}) + "\n")
    assert "it tells of" in judge(untold).broken[0]
    assert "it tells of" in judge(replace(untold, struck=[(12.0, 12.0)])).broken[0]
    assert judge(replace(untold, struck=[(12.8, 13.0)])).broken == []


def test_a_game_that_only_clicks_for_the_one_before_have_ended_may_be_untold() -> None:
    other = {**GAME, "at": 11.6, "game": 2}
    mines = {"event": "mines", "at": 12.0, "game": 2, "mines": [[1, 0]]}
    lost = {"event": "over", "at": 12.1, "game": 2, "won": False}
    begun = [GAME, press(11.0, (0, 0)), MINES, other, press(12.0, (1, 2)), mines, lost]
    untold = replace(
        GOOD, events=begun, printed=json.dumps({"ended_by": "games"}) + "\n", struck=[(11.6, 11.6)]
    )
    decided = turn(1, 11.8, "...\n...", CLICK)
    assert "it tells of" not in "".join(judge(untold).broken)
    assert "it tells of" in "".join(judge(replace(untold, rounds=[FIRST, SECOND, decided])).broken)


def test_a_click_that_waited_for_the_game_when_a_fault_came_is_told_apart() -> None:
    pressed = [*GOOD.presses, Press(12500, 12.5, "left", 60, 9)]
    for struck, under_way in ((12.53, True), (12.6, False)):
        verdict = judge(replace(GOOD, presses=pressed, struck=[(struck, struck + 0.01)]))
        assert (verdict.broken == []) is under_way


def test_a_click_on_cells_beside_a_dialog_is_no_click_elsewhere() -> None:
    board = {"event": "place", "at": 10.0, "x": 10, "y": 0, "width": 100, "height": 100}
    dialog = {**board, "event": "popup", "popup": 7, "at": 12.4, "x": 60, "width": 50}
    closed = {**dialog, "at": 12.65, "width": 0, "height": 0}
    for at, x, falls in ((12.55, 20, True), (12.55, 70, False), (12.3, 20, False), (12.8, 20, False)):
        pressed = [*GOOD.presses, Press(round(1000 * at), at, "left", x, 9)]
        verdict = judge(replace(GOOD, presses=pressed, events=[board, *GOOD.events, dialog, closed]))
        assert (verdict.broken == []) is falls


def test_every_press_is_recorded_wherever_it_falls(display: str, mouse: ScreenMouse) -> None:  # noqa: ARG001
    with ButtonWatch() as watch:
        mouse.click(Point(700, 500))
        mouse.click(Point(3, 4))
        assert wait_for(lambda: len(watch.presses) == 2)
        assert [(one.button, one.x, one.y) for one in watch.presses] == [("left", 700, 500), ("left", 3, 4)]
        assert watch.down() == []
