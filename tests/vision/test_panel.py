"""Mine counters at the place that a skin gives, totals, and the state of a game."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from msgspec import structs

from bot.board import Board
from bot.geometry import Grid, Pixels
from bot.verdict import GameState, verdict_on
from bot.vision import load_skins
from bot.vision.panel.counter import counter_by_skin
from bot.vision.reading import total_mines
from drawn_boards import draw_board
from picture_changes import stretch, tint

SKINS = {skin.name: skin for skin in load_skins() if skin.counter is not None}


def counter(picture: Pixels, x: float, y: float, name: str, scale: float = 1.0) -> int | None:
    """Return what is read at the place that a skin gives for a board whose top left is at (x, y)."""
    grid = Grid(x * scale, y * scale, 16 * scale, 16 * scale, 9, 9)
    return counter_by_skin(picture, grid, SKINS[name])


@pytest.mark.parametrize("name", SKINS)
@pytest.mark.parametrize(
    ("scale", "shift", "numbers"),
    [
        (1.0, (0, 0), (0, 10, 23, 45, 67, 89, 111, 476, 999, -2, -99)),
        *[(scale, (0, 0), (0, 11, 107, -17, 384, 256, 91)) for scale in (1.25, 1.75, 2.5)],
        *[(1.0, shift, (0, 10, 47, 99, 258, 316, -3)) for shift in ((4, 0), (-3, 2), (-4, -4))],
    ],
)
def test_counters_are_read_at_any_scale_and_a_little_off(
    name: str, scale: float, shift: tuple[int, int], numbers: tuple[int, ...]
) -> None:
    for number in numbers:
        layout = SKINS[name].counter
        assert layout is not None
        beside = structs.replace(layout, x=layout.x + shift[0], y=layout.y + shift[1])
        picture, x, y = draw_board(replace(SKINS[name], counter=beside), Board.covered(9, 9, None), number)
        assert counter(stretch(picture, scale), x, y, name, scale) == number


@pytest.mark.parametrize("name", SKINS)
def test_counter_with_more_digits_than_usual(name: str) -> None:
    layout = SKINS[name].counter
    assert layout is not None
    x = layout.x - (layout.step if layout.right else 0)
    wide = replace(SKINS[name], counter=structs.replace(layout, digits=4, x=x))
    for number in (1000, 1874, 9999):
        picture, left, top = draw_board(wide, Board.covered(9, 9, None), number)
        assert counter(picture, left, top, name) == number


def test_tinted_counter() -> None:
    picture, x, y = draw_board(SKINS["winmine"], Board.covered(9, 9, None), 83)
    assert counter(tint(picture, 0.5, 0.8, 0.9), x, y, "winmine") == 83


@pytest.mark.parametrize("name", SKINS)
def test_no_counter(name: str) -> None:
    picture, x, y = draw_board(SKINS[name], Board.covered(9, 9, None))
    assert counter(picture, x, y, name) is None
    cut, _, _ = draw_board(SKINS[name], Board.covered(9, 9, None), 10)
    assert counter(cut[40:], x, y - 40, name) is None
    assert counter(np.full_like(picture, 255), x, y, name) is None


def test_total_is_the_counter_and_the_flags() -> None:
    states = Board.from_rows(["F1.", "W.?", "..."]).states
    assert total_mines(states, 3) == 5
    assert total_mines(states, -1) == 1
    assert total_mines(states, None) is None
    assert total_mines(Board.from_rows(["-1.", "W.?", "..."]).states, 3) is None
    assert total_mines(states, 100) is None


@pytest.mark.parametrize(
    ("rows", "mines", "state"),
    [
        (["...", "..."], 1, GameState.NEW),
        (["F..", "..?"], 1, GameState.NEW),
        (["1..", "..."], 1, GameState.RUNNING),
        (["F10", "110"], 1, GameState.WON),
        ([".10", "110"], 1, GameState.WON),
        (["F10", "110"], None, GameState.WON),
        ([".10", "110"], None, GameState.WON),
        (["..1", "..1"], None, GameState.RUNNING),
        (["...", "111"], None, GameState.RUNNING),
        (["FFF", "232"], None, GameState.WON),
        (["FF.", "221"], None, GameState.RUNNING),
        (["FF1", "F31"], 2, GameState.RUNNING),
        (["F10", "110"], 5, GameState.RUNNING),  # the total was misread
        (["-10", "110"], 1, GameState.WON),  # whatever that cell shows
        (["-1.", "11."], 1, GameState.UNKNOWN),  # the mine may have been opened
        (["1-2-2-1"], None, GameState.UNKNOWN),  # flags or mines, whose looks are unknown
        (["0000", "0122", "02..", "02.."], None, GameState.UNKNOWN),  # the corner may be the last safe cell
        (["0000", "0122", "02..", "02.."], 4, GameState.WON),
        (["0000", "0122", "02..", "02.."], 3, GameState.RUNNING),
        (["*10", "110"], 1, GameState.UNKNOWN),  # some games show their mines at a win, others open all
        (["*1.", "11."], 1, GameState.LOST),
        (["X10", "110"], 1, GameState.UNKNOWN),
        (["XX2", "222", "*22"], 3, GameState.LOST),
        (["1FF", "111", "000"], None, GameState.RUNNING),  # the numbers show that a flag is wrong
        (["0000", "2332", "FFFF", "FFFF"], None, GameState.UNKNOWN),  # flags prove nothing
        (["X1.", "11."], 1, GameState.LOST),
        (["W1.", "11."], 1, GameState.LOST),
        (["000", "000"], 0, GameState.WON),
    ],
)
def test_state_of_the_game(rows: list[str], mines: int | None, state: GameState) -> None:
    assert verdict_on(Board.from_rows(rows, mines)).state is state


@pytest.mark.parametrize("name", SKINS)
@pytest.mark.parametrize("face", [192, 255])
def test_digits_that_are_hidden_are_not_taken_for_dark(name: str, face: int) -> None:
    layout = SKINS[name].counter
    assert layout is not None
    for hidden in range(3):
        picture, x, y = draw_board(SKINS[name], Board.covered(9, 9, None), 12)
        left = int((x + 144 if layout.right else x) + layout.x + hidden * layout.step)
        picture[: y - 4, left:] = face
        assert counter(picture, x, y, name) is None


@pytest.mark.parametrize("name", SKINS)
def test_pale_counter_with_dark_segments_that_show(name: str) -> None:
    """Few colours make the lit segments pale, and dots of half the brightness mark the dark ones."""
    layout = SKINS[name].counter
    assert layout is not None
    for number in (0, 17, 48, 253, 69):
        dark, x, y = draw_board(SKINS[name], Board.covered(9, 9, None), 888)
        picture, _, _ = draw_board(SKINS[name], Board.covered(9, 9, None), number)
        lit = (picture == layout.colour).all(2)
        dots = (dark == layout.colour).all(2) & ~lit & (np.indices(lit.shape).sum(0) % 2 == 0)
        picture[lit] = np.array(layout.colour) * 0.6
        picture[dots] = np.array(layout.colour) * 0.5
        assert counter(picture, x, y, name) == number
