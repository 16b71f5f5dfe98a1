"""Known art: the screen's change is measured on the board; a skin tells only what shows its pictures."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bot.board import Board, State
from bot.geometry import Grid
from bot.vision import Skin, load_skins
from bot.vision.distortion import PLAIN
from bot.vision.known_art import Cells, agreed, fitted, identified
from bot.vision.networks import LABELS
from drawn_boards import draw_board, played

SKINS = {skin.name: skin for skin in load_skins()}
DRAWN = [SKINS[name] for name in ("winemine", "winmine")]
SKIN = pytest.mark.parametrize("skin", DRAWN, ids=lambda skin: skin.name)


def said(board: Board, doubt: float = 0.01) -> np.ndarray:
    """Return what a reader says that is right about each cell, in nats, but for so much doubt."""
    labels = np.full((*board.shape, LABELS), np.log(doubt / (LABELS - 1)), np.float32)
    np.put_along_axis(labels, board.states[..., None].astype(int), np.log1p(-doubt), 2)
    return labels


@SKIN
@pytest.mark.parametrize(("factor", "off"), [(1.0, (0.06, -0.05)), (1.375, (-0.07, 0.04)), (2.3, (0.0, 0.0))])
def test_place_and_size_are_measured(skin: Skin, factor: float, off: tuple[float, float]) -> None:
    board = played(9, 12, 3)
    picture, x, y = draw_board(skin, board, 9)
    size = round(picture.shape[1] * factor), round(picture.shape[0] * factor)
    scaled = cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR).astype(np.uint8)
    wide, tall = size[0] / picture.shape[1], size[1] / picture.shape[0]
    true = Grid(x * wide, y * tall, 16 * wide, 16 * tall, 9, 12)
    known = fitted(scaled, true.moved(off[0] * 16, off[1] * 16), skin, board.states)
    assert known is not None
    assert true.largest_edge_distance(known.grid) <= 0.05
    right = known.cells.states == board.states
    assert (right | ~known.cells.readable).all()
    assert right.mean() > 0.85


@SKIN
def test_the_skin_that_is_there_as_it_is_wins(skin: Skin) -> None:
    """A fresh board shows one picture: some change of colours turns almost any into another."""
    for board in (Board.covered(9, 9, 10), played(9, 9, 4)):
        picture, x, y = draw_board(skin, board, 9)
        known = identified(picture, Grid(x, y, 16, 16, 9, 9), said(board), tuple(SKINS.values()))
        assert known is not None
        assert (known.skin.name, known.tone) == (skin.name, PLAIN)


@SKIN
def test_rows_that_the_reader_missed_belong_to_the_board(skin: Skin) -> None:
    board = played(9, 12, 3)
    picture, x, y = draw_board(skin, board, 9)
    part = Board(board.states[2:-1, 1:])
    known = identified(picture, Grid(x + 16, y + 32, 16, 16, 6, 11), said(part), (skin,))
    assert known is not None
    assert known.grid == Grid(x, y, 16, 16, 9, 12)


def test_what_the_reader_contradicts_is_told_only_if_it_is_there_exactly() -> None:
    states = np.array([[1, 1, 3]], np.int8)
    cells = Cells(states, np.array([[0.95, 0.5, 0.5]], np.float32))
    labels = said(Board(np.array([[2, 2, 3]], np.int8)))
    assert agreed(cells, labels).states.tolist() == [[1, State.UNREADABLE, 3]]
