"""The judge of zoomed pages counts what was read differently from what the page showed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bench_page_zoom import Judge, Outcome
from bot.board import Board
from bot.errors import WindowError
from bot.geometry import Frame, Grid, Point
from bot.play.look import Look
from bot.play.results import Round
from bot.solver.decision import Decision, Reason
from bot.verdict import verdict_on
from bot.vision import Reading
from page import Page, Shown

NEW, OPENED = ["....", "...."], ["1...", "...."]
SCREEN = np.zeros((8, 8, 3), np.uint8)


def shown_at(time: float, rows: list[str]) -> Shown:
    return Shown(int(time), 0, Board.from_rows(rows, 1), frozenset(), (0.0, 0.0, 0.0, 0.0), time)


def judged(seen: float, rows: list[str]) -> Outcome:
    """Return what is counted if ``rows`` are read at a time; the page shows `OPENED` from 10 s on."""
    window: Any = None  # nothing is looked at
    page, outcome = Page(window, [shown_at(10.0, OPENED), shown_at(5.0, NEW)]), Outcome(100, "inside")
    board = Board.from_rows(rows, 1)
    reading = Reading(Grid(0, 0, 2, 2, board.rows, board.cols), board, "")
    judge, frame = Judge(page, outcome, None), Frame(SCREEN, Point(0, 0), seen)
    judge.round(Round(1, 1, Look(frame, reading, verdict_on(reading.board)), Decision((), Reason.GUESS), ()))
    judge.failed(WindowError("closed"), frame)
    return outcome


@pytest.mark.parametrize(
    ("seen", "rows", "misread"),
    [
        (7.0, NEW, 0),
        (12.0, OPENED, 0),
        (10.1, NEW, 0),  # the report may be faster than the paint
        (9.95, OPENED, 0),  # or slower
        (12.0, NEW, 1),
        (7.0, OPENED, 1),
        (12.0, ["1-.2", "F..."], 2),
        (12.0, ["1..", "..."], 6),  # no such board is there
    ],
)
def test_cells_are_compared_with_what_was_shown_then(seen: float, rows: list[str], misread: int) -> None:
    assert judged(seen, rows).misread == misread


def test_cells_that_were_not_read_are_counted_apart() -> None:
    outcome = judged(12.0, ["1-.2", "F..."])
    assert (outcome.cells, outcome.unread) == (7, 1)
    assert outcome.words == {"misread as 2 (1), F (1)": 1, "stopped: closed": 1}


def test_an_error_before_the_first_click_is_a_refusal() -> None:
    window: Any = None
    outcome = Outcome(100, "inside")
    Judge(Page(window, []), outcome, None).failed(WindowError("closed"), Frame(SCREEN, Point(0, 0), 0.0))
    assert (outcome.games, outcome.refused, outcome.stopped) == (1, 1, 0)
    stopped = judged(7.0, NEW)
    assert (stopped.games, stopped.refused, stopped.stopped) == (1, 0, 1)
