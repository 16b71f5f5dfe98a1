"""Known art: the screen's change is measured on the board; a skin tells only what shows its pictures."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bot.board import Board, Cell, State
from bot.geometry import Grid
from bot.vision import Skin, load_skins
from bot.vision.distortion import PLAIN
from bot.vision.known_art import identified
from bot.vision.networks import LABELS
from drawn_boards import draw_board, played
from picture_changes import stretch

SKINS = {skin.name: skin for skin in load_skins()}
DRAWN = [SKINS[name] for name in ("winemine", "winmine")]
SKIN = pytest.mark.parametrize("skin", DRAWN, ids=lambda skin: skin.name)


def said(board: Board, doubt: float = 0.01) -> np.ndarray:
    """Return what a reader says that is right about each cell, in nats, but for so much doubt."""
    labels = np.full((*board.shape, LABELS), np.log(doubt / (LABELS - 1)), np.float32)
    np.put_along_axis(labels, board.states[..., None].astype(int), np.log1p(-doubt), 2)
    return labels


@SKIN
def test_a_board_is_moved_by_a_pixel_to_where_its_pictures_are_exactly(skin: Skin) -> None:
    board = played(9, 12, 3)
    picture, x, y = draw_board(skin, board, 9)
    known = identified(picture, Grid(x - 1, y + 1, 16, 16, 9, 12), said(board), tuple(SKINS.values()))
    assert known is not None
    assert (known.skin.name, known.grid) == (skin.name, Grid(x, y, 16, 16, 9, 12))


@SKIN
@pytest.mark.parametrize("factor", [1.3, 1.75, 2.3])
def test_a_board_that_is_stretched_stays_about_where_the_reader_sees_it(skin: Skin, factor: float) -> None:
    board = played(9, 12, 3)
    picture, x, y = draw_board(skin, board, 9)
    scaled = stretch(picture, factor)
    near = Grid(x * factor, y * factor, 16 * factor, 16 * factor, 9, 12).moved(0.02, -0.02)
    known = identified(scaled, near, said(board), (skin,))
    assert known is not None
    assert near.largest_edge_distance(known.grid) <= 1 / known.grid.pitch_x
    cells = known.cells
    assert ((cells.states == board.states) | ~cells.readable).all()
    assert cells.readable.mean() > 0.85


@SKIN
def test_the_skin_that_is_there_as_it_is_wins(skin: Skin) -> None:
    """A fresh board shows one picture: some change of colours turns almost any into another."""
    for board in (Board.covered(9, 9, 10), played(9, 9, 4)):
        picture, x, y = draw_board(skin, board, 9)
        known = identified(picture, Grid(x, y, 16, 16, 9, 9), said(board), tuple(SKINS.values()))
        assert known is not None
        assert (known.skin.name, known.tone) == (skin.name, PLAIN)


@SKIN
def test_a_skin_says_nothing_of_a_cell_that_is_like_none_of_its_pictures(skin: Skin) -> None:
    board = played(9, 12, 3)
    picture, x, y = draw_board(skin, board, 9)
    picture[y : y + 16, x : x + 16] = np.random.default_rng(0).integers(0, 255, (16, 16, 3))
    known = identified(picture, Grid(x, y, 16, 16, 9, 12), said(board), (skin,))
    assert known is not None
    assert not known.evidence[0, 0].any()
    assert not known.cells.readable[0, 0]
    assert known.recognised == board.states.size - 1


def test_plain_squares_of_a_chart_are_no_recoloured_skin() -> None:
    greens = (240, 237, 235), (168, 233, 155), (99, 196, 64), (78, 161, 48), (39, 97, 25)
    rng = np.random.default_rng(1)
    grid, chart = Grid(22, 22, 24, 24, 7, 53), np.full((216, 1320, 3), 255, np.uint8)
    for cell in Board.covered(7, 53, 50):
        rect = grid.cell_rect(cell)
        chart[rect.y + 2 : rect.y + 22, rect.x + 2 : rect.x + 22] = greens[
            rng.choice(5, p=(0.9, 0.04, 0.03, 0.02, 0.01))
        ]
    assert identified(chart, grid, said(Board.covered(7, 53, 50)), tuple(SKINS.values())) is None


def test_covered_cells_and_flags_of_another_game_are_no_recoloured_skin() -> None:
    """They are two pictures alone: some change of colours turns those of a skin into almost any two."""
    board = Board.covered(9, 9, 10).replace(dict.fromkeys((Cell(2, 3), Cell(2, 8), Cell(8, 0)), State.FLAG))
    grid, picture = Grid(20, 20, 24, 24, 9, 9), np.full((256, 256, 3), 154, np.uint8)
    for cell in board:
        x, y = grid.cell_rect(cell).x, grid.cell_rect(cell).y
        picture[y : y + 23, x : x + 23] = 220
        if board[cell] == State.FLAG:
            cloth = np.array([(x + 13, y + 4), (x + 4, y + 9), (x + 13, y + 13)])
            cv2.fillPoly(picture, [cloth], (53, 57, 229))
            cv2.line(picture, (x + 13, y + 4), (x + 13, y + 18), (119, 119, 119), 2)
            cv2.line(picture, (x + 7, y + 18), (x + 17, y + 18), (119, 119, 119), 2)
    assert identified(picture, grid, said(board), tuple(SKINS.values())) is None
