"""Marks that a network takes for one kind: the other marks of the board tell that they are two."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from bot.board import Board, State
from bot.geometry import Grid, Pixels
from bot.vision.unknown.clusters import Clusters, find_clusters
from bot.vision.unknown.labels import label
from bot.vision.unknown.logic import LABELS
from bot.vision.unknown.marks import unlike_marks

CELL = 24
GRID = Grid(0, 0, CELL, CELL, 8, 8)
COVERED, PINK = (150, 150, 150), (150, 150, 240)
RUNNING = ["F...F...", "........", "...F....", "112.....", "0011....", "0001F...", "00012...", "00001..."]
LOST = ["F...F..*", "........", "...F....", "112X....", "0011....", "0001F...", "00012*..", "00001..F"]


def flag(ground: tuple[int, int, int] = COVERED, shade: int = 0, question: bool = False) -> Pixels:
    """Return a cell with a flag, which may be darker, or have something beside it."""
    cell = plain(ground)
    cv2.rectangle(cell, (7, 5), (8, 19), (30, 30, 30), -1)
    cv2.fillPoly(cell, [np.array([(8, 5), (15, 8), (8, 11)])], (20, 20, 220 - shade))
    if question:
        cv2.rectangle(cell, (16, 12), (19, 15), (30, 30, 30), -1)
        cv2.rectangle(cell, (16, 17), (18, 19), (30, 30, 30), -1)
    return cell


def plain(ground: tuple[int, int, int]) -> Pixels:
    cell = np.full((CELL, CELL, 3), ground, np.uint8)
    cell[0], cell[:, 0] = 255, 255
    return cell


def drawn(board: Board, odd: Pixels) -> Pixels:
    """Return a picture of a board whose flags look alike, but for the last."""
    picture = np.zeros((GRID.rows * CELL, GRID.cols * CELL, 3), np.uint8)
    last = board.cells(State.FLAG)[-1]
    for cell in board:
        rect, shown = GRID.cell_rect(cell), board[cell]
        look = odd if cell == last else flag() if shown == State.FLAG else plain(COVERED)
        if shown not in (State.COVERED, State.FLAG):
            look = plain((220, 220, 220))
            cv2.putText(look, str(shown), (6, 18), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (25 * shown, 90, 60), 2)
        picture[rect.y : rect.bottom, rect.x : rect.right] = look
    return picture


def seen(clusters: Clusters, board: Board, odd: dict[int, float]) -> npt.NDArray[np.float32]:
    """Return what a network says that is sure of all but the last flag, to which it gives ``odd`` chances."""
    chances = np.full((clusters.count, LABELS), 0.0002)
    for cluster in range(clusters.count):
        chances[cluster, np.bincount(board.states[clusters.of_cell == cluster]).argmax()] = 1
    last = clusters.of_cell[board.cells(State.FLAG)[-1]]
    for state, chance in odd.items():
        chances[last, state] = chance
    return np.asarray(np.log(chances / chances.sum(1, keepdims=True)), dtype=np.float32)


@pytest.mark.parametrize(
    ("rows", "odd", "chances", "shown"),
    [
        (RUNNING, flag(question=True), {int(State.QUESTION): 0.3}, State.QUESTION),
        (LOST, flag(PINK), {int(State.WRONG_FLAG): 0.3}, State.WRONG_FLAG),
        (RUNNING, flag(PINK), {int(State.QUESTION): 0.3}, State.FLAG),
        (RUNNING, flag(shade=40), {int(State.QUESTION): 0.3}, State.FLAG),
    ],
    ids=["beside a question mark", "wrong, on another ground", "below the pointer", "a little darker"],
)
def test_a_flag_among_others_of_another_look(
    rows: list[str], odd: Pixels, chances: dict[int, float], shown: State
) -> None:
    board = Board.from_rows(rows)
    clusters = find_clusters(drawn(board, odd), GRID)
    labelling = label(clusters, seen(clusters, board, chances))
    flags = [clusters.of_cell[cell] for cell in board.cells(State.FLAG)]
    assert labelling.labels[labelling.unit_of[flags[:-1]]].tolist() == [State.FLAG] * (len(flags) - 1)
    assert labelling.labels[labelling.unit_of[flags[-1]]] == shown


def test_marks_of_one_kind_are_alike_in_spite_of_light_and_noise() -> None:
    board = Board.from_rows(RUNNING)
    noise = np.random.default_rng(0).normal(0, 8, (GRID.rows * CELL, GRID.cols * CELL, 3))
    light = np.linspace((0.8, 1.1, 1.2), (1.1, 1.0, 0.8), GRID.cols * CELL)
    picture = (drawn(board, flag()) * light + noise).clip(0, 255).astype(np.uint8)
    clusters = find_clusters(picture, GRID)
    shapes = seen(clusters, board, {})
    assert len(np.unique([clusters.of_cell[cell] for cell in board.cells(State.FLAG)])) > 1
    assert not unlike_marks(clusters, shapes).shapes.any()
