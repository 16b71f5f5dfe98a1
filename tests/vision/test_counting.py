"""The total of mines is found while a game goes on; on which side the counter is stays with the skin."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.board import Board, Cell
from bot.errors import SkinError
from bot.geometry import Frame, Grid, Pixels, Point
from bot.vision import load_skin, load_skins
from bot.vision.panel.counter import Counting
from bot.vision.reading import Reading, game_state
from bot.vision.skin import save_skin
from displays import draw_counter
from drawn_boards import draw_board

SKIN = next(skin for skin in load_skins() if skin.name == "winmine")
BOARD = Board.covered(12, 18, None).replace({Cell(0, 0): 1})


def window(mines_left: int, seconds: int) -> tuple[Pixels, Grid]:
    """Draw a window with the mine counter on the left and the timer on the right."""
    assert SKIN.counter is not None
    pixels, x, y = draw_board(SKIN, BOARD, mines_left)
    timer = replace(SKIN.counter, right=True, x=-44)
    draw_counter(pixels, timer, x, y, x + 16 * BOARD.cols, seconds)
    return pixels, Grid(x, y, 16, 16, *BOARD.shape)


def look(counting: Counting, time: float, mines_left: int, first: bool = False) -> Reading:
    pixels, grid = window(mines_left, round(40 + time))
    reading = Reading(grid, BOARD, game_state(BOARD), "unknown")
    return counting.read(Frame(pixels, Point(0, 0), time), reading, first=first)


def test_counter_is_told_by_the_timer_that_ticks_beside_it() -> None:
    counting = Counting()
    assert look(counting, 0, 38, first=True).board.mines is None  # 40 is a total too
    assert look(counting, 1.2, 38).board.mines is None
    found = look(counting, 3.3, 38)
    assert (found.board.mines, found.mines_left) == (38, 38)
    assert counting.right is False
    assert look(counting, 100, 31, first=True).board.mines == 31  # the next game, at first sight


def test_side_of_the_counter_is_kept_with_the_skin(tmp_path: Path) -> None:
    plain = replace(SKIN, counter=None)
    for name, right in (("none", None), ("left", False), ("right", True)):
        save_skin(replace(plain, counter_right=right), tmp_path / name)
        assert load_skin(tmp_path / name).counter_right is right
    text = (tmp_path / "left" / "skin.toml").read_text(encoding="utf-8")
    (tmp_path / "left" / "skin.toml").write_text(text.replace('"left"', '"above"'), encoding="utf-8")
    with pytest.raises(SkinError, match="counter_side"):
        load_skin(tmp_path / "left")
