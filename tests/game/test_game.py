"""The simulated game and its measures."""

import numpy as np
import pytest

from bot.board import Board, Cell, FirstClick
from bot.game.metrics import bbbv
from bot.game.simulation import Game, mine_map, mines_of_game


def mines_of(*rows: str) -> np.ndarray:
    return np.array([[character == "*" for character in row] for row in rows])


def game_with(mines: set[Cell], rows: int, cols: int) -> Game:
    game = Game(rows, cols, len(mines), seed=0)
    game.mines = frozenset(mines)
    return game


def test_a_zero_opens_its_region_and_winning_flags_the_mines() -> None:
    game = game_with({Cell(0, 3)}, 2, 4)
    game.open(Cell(1, 0))
    assert game.board.lines() == ["001.", "001."]
    game.open(Cell(1, 3))
    assert game.won
    assert game.board.lines() == ["001F", "0011"]


def test_a_mine_loses_and_shows_everything() -> None:
    game = game_with({Cell(0, 0), Cell(0, 1), Cell(1, 3)}, 2, 4)
    game.flag(Cell(0, 0))
    game.flag(Cell(1, 0))
    game.open(Cell(1, 3))
    assert game.lost
    assert game.board.lines() == ["F*..", "W..X"]


def test_flagged_cells_do_not_open() -> None:
    game = game_with({Cell(0, 0)}, 1, 3)
    game.flag(Cell(0, 2))
    game.open(Cell(0, 2))
    assert game.board.lines() == ["..F"]
    game.flag(Cell(0, 2))
    game.open(Cell(0, 2))
    assert game.board.lines() == ["F10"]


def test_chord_opens_only_when_flags_match() -> None:
    game = game_with({Cell(0, 0)}, 2, 2)
    game.open(Cell(1, 1))
    game.chord(Cell(1, 1))
    assert game.board.lines() == ["..", ".1"]
    game.flag(Cell(0, 0))
    game.chord(Cell(1, 1))
    assert game.won


def test_chord_with_a_wrong_flag_explodes() -> None:
    game = game_with({Cell(0, 0)}, 2, 2)
    game.open(Cell(1, 1))
    game.flag(Cell(0, 1))
    game.chord(Cell(1, 1))
    assert game.board.lines() == ["XW", ".1"]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["...", "...", "..."], 1),
        (["*..", "...", "..."], 1),
        (["*.*", "...", "*.*"], 5),
        (["*..*"], 2),
        (["*...*"], 1),
        (["..*..", ".....", "....."], 1),
        (["*.", ".*"], 2),
    ],
)
def test_bbbv(rows: list[str], expected: int) -> None:
    assert bbbv(mines_of(*rows)) == expected


def test_bbbv_means_of_random_boards() -> None:
    """Published means: 15.8 on 9x9/10 and 174 on 16x30/99."""
    for rows, cols, mines, mean, slack in ((9, 9, 10, 15.8, 1.0), (16, 30, 99, 174.0, 5.0)):
        maps = []
        for seed in range(150):
            chosen = mines_of_game(rows, cols, mines, seed, Cell(0, 0), FirstClick.ANY)
            maps.append(bbbv(np.array([[(r, c) in chosen for c in range(cols)] for r in range(rows)])))
        assert abs(float(np.mean(maps)) - mean) < slack


def test_mine_map_of_finished_boards() -> None:
    won = Board.from_rows(["001F", "0011"], 1)
    lost = Board.from_rows(["F*..", "W..X"], 3)
    covered = Board.from_rows(["001.", "0011"], 1)
    for board, cells in ((won, {(0, 3)}), (lost, {(0, 0), (0, 1), (1, 3)}), (covered, {(0, 3)})):
        found = mine_map(board)
        assert found is not None
        assert {tuple(cell) for cell in np.argwhere(found)} == cells
    assert mine_map(Board.from_rows(["...."], 1)) is None


def test_mines_are_known_without_a_total_only_if_they_explain_all_numbers() -> None:
    won = Board.from_rows(["1F1", "111", "000"])
    found = mine_map(won)
    assert found is not None
    assert int(found.sum()) == 1
    assert mine_map(Board.from_rows(["1......", ".......", "......."])) is None
