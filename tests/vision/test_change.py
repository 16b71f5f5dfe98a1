from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bot.board import Board, Cell, FirstClick, State
from bot.game.simulation import Game
from bot.geometry import Grid
from bot.vision.reading import Doubt, Reading, check_change, doubt_words, with_memory

BEFORE = Board.from_rows(["1.....", "1.....", "11....", "001...", "001..."], 6)


def changed(cells: dict[tuple[int, int], int], before: Board = BEFORE) -> Board:
    return before.replace({Cell(*cell): state for cell, state in cells.items()})


def test_whole_games_are_without_complaint() -> None:
    """Opening, flagging and chords at random, to the end: nothing of it is strange."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        game = Game(9, 9, 12, seed, FirstClick.OPENING)
        while not game.over:
            before, clicked = game.board, []
            for _ in range(int(rng.integers(1, 4))):
                cell = Cell(int(rng.integers(9)), int(rng.integers(9)))
                action = rng.choice(["open", "flag", "chord"], p=[0.6, 0.2, 0.2])
                clicked.append(cell)
                if not game.over:
                    getattr(game, str(action))(cell)
            assert check_change(before, game.board, clicked) == []
            assert check_change(before, game.board, None) == []


OPENING = {(row, col): 0 if row < 2 and col > 3 else 1 for row in range(3) for col in (3, 4, 5)}
FLAG, UNREADABLE = int(State.FLAG), int(State.UNREADABLE)


@pytest.mark.parametrize(
    ("cells", "clicked", "complaints"),
    [
        ({(0, 3): 2}, [(0, 3)], []),
        ({(0, 3): 2}, [(0, 2)], ["the cell at row 1, column 4 has opened without a click"]),
        (OPENING, [(0, 5)], []),
        ({(1, 2): 2}, [(2, 1)], []),  # a chord
        ({(1, 3): 2}, [(2, 1)], ["the cell at row 2, column 4 has opened without a click"]),
        ({(0, 0): 2}, [(0, 0)], ["the number at row 1, column 1 has changed"]),
        ({(0, 0): int(State.COVERED)}, None, ["the number at row 1, column 1 has changed"]),
        ({(3, 0): 1, (0, 3): 2}, [(0, 3)], []),  # only the background of the 1 was painted before
        ({(3, 0): int(State.COVERED)}, [], ["the number at row 4, column 1 has changed"]),
        ({(0, 2): FLAG}, [(0, 2)], []),
        ({(0, 2): FLAG}, [], ["the mark at row 1, column 3 has changed without a click"]),
        ({(0, 2): FLAG}, None, []),
        # The end of a game shows mines anywhere.
        ({(0, 1): int(State.EXPLODED), (2, 4): int(State.MINE), (4, 4): int(State.WRONG_FLAG)}, [(0, 1)], []),
        # What cannot be read may be anything.
        ({(0, 0): UNREADABLE, (0, 3): UNREADABLE}, [], []),
        (
            {(0, 4): UNREADABLE, (0, 5): 0, (1, 5): 1, (1, 4): 1, (1, 3): 1, (0, 3): 1},
            [(1, 5), (0, 5)],
            [],
        ),
    ],
)
def test_what_clicks_can_have_changed(
    cells: dict[tuple[int, int], int], clicked: list[tuple[int, int]] | None, complaints: list[str]
) -> None:
    places = None if clicked is None else [Cell(*cell) for cell in clicked]
    assert check_change(BEFORE, changed(cells), places) == complaints


def test_what_a_board_as_a_whole_can_have_changed() -> None:
    before = Board.from_rows(["..1", "111"], 1)
    assert check_change(before, Board.from_rows(["F11", "111"], 1), [Cell(0, 1)]) == []  # a win sets flags
    lost = changed({(0, 1): State.EXPLODED})
    assert check_change(lost, BEFORE, None) == ["the mine at row 1, column 2 has disappeared"]
    (words,) = check_change(BEFORE, Board(BEFORE.states, 7), [])
    assert "7 mines now, but gave 6 before" in words
    assert check_change(BEFORE, Board(BEFORE.states, None), []) == []
    assert check_change(BEFORE, Board.covered(9, 9, 10), None) == [
        "the board size changed from 5 x 6 to 9 x 9"
    ]


def reading(board: Board, doubts: dict[Cell, Doubt]) -> Reading:
    grid = Grid(0, 0, 16, 16, board.rows, board.cols)
    return Reading(grid, board, "drawn", doubts=doubts)


def remembered(cells: dict[tuple[int, int], Doubt], clicked: list[tuple[int, int]] | None) -> Reading:
    doubts = {Cell(*cell): doubt for cell, doubt in cells.items()}
    now = reading(BEFORE.replace(dict.fromkeys(doubts, State.UNREADABLE)), doubts)
    return with_memory(now, BEFORE, None if clicked is None else [Cell(*cell) for cell in clicked])


HIDDEN = {(0, 4): Doubt.HIDDEN, (0, 5): Doubt.HIDDEN}


@pytest.mark.parametrize(
    ("hidden", "clicked", "unread"),
    [
        ({(0, 0): Doubt.POINTER}, None, []),  # a number stays what it was
        (HIDDEN, [(4, 4)], []),  # covered cells far from clicks do too
        (HIDDEN, None, [(0, 4), (0, 5)]),
        (HIDDEN, [(0, 5)], [(0, 4), (0, 5)]),
        ({(0, 0): Doubt.UNRECOGNISED, (2, 2): Doubt.AMBIGUOUS}, [], [(0, 0), (2, 2)]),  # nothing hides them
    ],
)
def test_hidden_cells_are_remembered_that_cannot_have_changed(
    hidden: dict[tuple[int, int], Doubt], clicked: list[tuple[int, int]] | None, unread: list[tuple[int, int]]
) -> None:
    seen = remembered(hidden, clicked)
    assert [tuple(cell) for cell in seen.unreadable] == unread
    assert set(seen.doubts) == set(seen.unreadable)
    assert seen.remembered == {Cell(*cell) for cell in hidden} - set(seen.unreadable)
    assert unread or seen.board == BEFORE


def test_cells_beside_a_fresh_opening_are_not_remembered() -> None:
    now = reading(changed({(1, 4): 0, (0, 4): State.UNREADABLE}), {Cell(0, 4): Doubt.POINTER})
    assert with_memory(now, BEFORE, [Cell(2, 4)]).unreadable == [Cell(0, 4)]


def test_after_the_end_covered_cells_are_not_remembered() -> None:
    end = changed({(4, 4): State.EXPLODED, (0, 4): State.UNREADABLE, (0, 0): State.UNREADABLE})
    hidden = {Cell(0, 4): Doubt.HIDDEN, Cell(0, 0): Doubt.HIDDEN}
    seen = with_memory(replace(reading(end, hidden)), BEFORE, [])
    assert seen.unreadable == [Cell(0, 4)]


def doubtful(rows: list[str], doubts: dict[Cell, Doubt]) -> str | None:
    return doubt_words(reading(Board.from_rows(rows), doubts))


def test_words_name_the_place_and_the_usual_reason() -> None:
    assert doubtful(["..1", "..1"], {}) is None
    assert doubtful(["..1", ".-1"], {}) == "1 cell cannot be read, at row 2, column 2"
    assert doubtful(["-.1", ".-1"], {}) == "2 cells cannot be read, the first at row 1, column 1"
    doubts = {Cell(0, 0): Doubt.POINTER, Cell(1, 1): Doubt.HIDDEN, Cell(1, 2): Doubt.HIDDEN}
    words = doubtful(["-.1", ".--"], doubts)
    assert words == "3 cells cannot be read, the first at row 2, column 2: it is covered by something else"
