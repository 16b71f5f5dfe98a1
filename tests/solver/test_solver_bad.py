"""Boards that cannot be, or leave nothing to do: one clear line that names what is wrong, and no more."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest

import oracle
from bot.board import Board, Cell, FirstClick, State
from bot.errors import BotError, ContradictionError
from bot.game.simulation import Game
from bot.solver import STRATEGIES, Reason, decide
from bot.solver.exact import may_fit
from strategies import random_board

_NUMBER = re.compile(r"the (\d) at row (\d+), column (\d+)")
ALL = pytest.mark.parametrize("strategy", STRATEGIES)
FEW = pytest.mark.parametrize("strategy", ["komarov", "exact", "best"])


def board(text: str, mines: int | None = None) -> Board:
    return Board.from_rows(text.split(), mines)


def complaint(position: Board, strategy: str) -> str:
    with pytest.raises(ContradictionError) as caught:
        decide(position, strategy=STRATEGIES[strategy])
    assert "\n" not in str(caught.value)
    return str(caught.value)


def blamed_in(words: str) -> list[Cell]:
    return [Cell(int(row) - 1, int(col) - 1) for _, row, col in _NUMBER.findall(words)]


def left_with(position: Board, numbers: list[Cell], *, total: bool) -> Board:
    """Return the board on which only some numbers, and the total if wanted, say anything."""
    silent = {cell: State.WRONG_FLAG for cell, _ in position.numbers() if cell not in numbers}
    return Board(position.replace(silent).states, position.mines if total else None)


def test_what_is_named_clashes_and_none_of_it_can_be_spared() -> None:
    told = 0
    for seed in range(500):
        position = random_board(seed)
        if len(oracle.solve(position).placements):
            continue
        words = complaint(position, "best")
        numbers, total = blamed_in(words), "the total of" in words
        if ": the numbers" in words and not numbers:
            continue  # too many to be named
        told += 1
        assert not len(oracle.solve(left_with(position, numbers, total=total)).placements), words
        for spared in numbers:
            rest = [number for number in numbers if number != spared]
            assert len(oracle.solve(left_with(position, rest, total=total)).placements), words
        if total:
            assert len(oracle.solve(left_with(position, numbers, total=False)).placements), words
    assert told > 15


def falsified(rows: int, cols: int, mines: int, games: int) -> Iterator[tuple[Board, Cell]]:
    """Yield positions of games in which one number beside a covered cell is too large by one, and where."""
    for seed in range(10_000_000, 10_000_000 + games):
        game = Game(rows, cols, mines, seed)
        for place in np.random.default_rng(seed + 1).permutation(rows * cols)[: rows * cols // 40].tolist():
            cell = Cell(*divmod(place, cols))
            if cell not in (game.mines or ()):
                game.open(cell)
        doubtful = [
            cell
            for cell, number in game.board.numbers()
            if 0 < number < 8 and any(game.board[near] > 8 for near in game.board.neighbours(cell))
        ]
        for wrong in doubtful[:: len(doubtful) // 4]:
            yield game.board.replace({wrong: game.board[wrong] + 1}), wrong


@FEW
@pytest.mark.parametrize("size", [(16, 30, 99, 4), (90, 90, 1100, 1)], ids=["expert", "large"])
def test_the_number_that_was_read_wrongly_is_among_the_few_named(
    size: tuple[int, int, int, int], strategy: str
) -> None:
    told = 0
    for position, wrong in falsified(*size):
        if may_fit(position):
            continue
        told += 1
        words = complaint(position, strategy)
        assert "total" not in words
        assert wrong in blamed_in(words)
        assert len(blamed_in(words)) <= 7
        assert words.endswith("; probably a cell was misread")
    assert told


@ALL
@pytest.mark.parametrize(
    ("text", "mines", "words"),
    [
        ("8. ..", None, "8 at row 1, column 1 cannot be right: there are only 3 cells around it for 8 mines"),
        ("1W W1", None, "the 1 at row 1, column 1 cannot be right: there is no cell around it for 1 mine"),
        ("1", None, "the 1 at row 1, column 1 cannot be right: there is no cell around it for 1 mine"),
        ("1X *1", None, "the 1 at row 1, column 1 cannot be right: 2 mines are shown around it"),
        ("0X .1", None, "the 0 at row 1, column 1 cannot be right: 1 mine is shown around it"),
        ("1. ..", 4, "the total of 4 mines cannot be right: there are only 3 cells for 4 mines"),
        ("0W WW", 1, "the total of 1 mine cannot be right: there is no cell for 1 mine"),
        ("** ..", 1, "the total of 1 mine cannot be right: 2 mines are shown"),
        (".1W1.", 1, "contradict each other: the numbers need at least 2 mines"),
        ("111 1.1 111 WWW ...", 5, "total of 5 mines cannot be right: there are only 4 cells for 5 mines"),
        ("0.. WWW ...", 6, "the total of 6 mines cannot be right: there are only 5 cells for 6 mines"),
        ("0.. ... ...", 8, "contradict each other: the numbers leave room for at most 5 mines"),
    ],
)
def test_what_cannot_hold_is_told_with_the_reason(
    strategy: str, text: str, mines: int | None, words: str
) -> None:
    assert words in complaint(board(text, mines), strategy)


@ALL
def test_a_total_against_many_numbers_is_told_by_what_they_need(strategy: str) -> None:
    rows = " ".join([".1W" * 10, "11W" * 10])  # ten mines, each proven by itself
    assert len(blamed_in(complaint(board(rows, 4), strategy))) == 5
    words = complaint(board(rows, 8), strategy)
    assert "the total of 8 mines cannot be right: the numbers need at least 10 mines" in words
    assert not blamed_in(words)


@ALL
def test_a_wrong_number_is_seen_although_another_place_is_clear(strategy: str) -> None:
    # The zero makes its neighbour safe; the ones on the right cannot be.
    assert "row 1, column" in complaint(board("0.W1.1.1W"), strategy)


@ALL
@pytest.mark.parametrize("text", ["00 00", "22 *X", "W", "*1 11"])
def test_a_board_without_covered_cells_leaves_nothing_to_open(strategy: str, text: str) -> None:
    with pytest.raises(BotError, match="nothing left to open on this board: no cell is covered"):
        decide(board(text), strategy=STRATEGIES[strategy])


@ALL
@pytest.mark.parametrize("rule", FirstClick)
@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (7, 1), (2, 3), (5, 5)])
def test_a_fresh_board_of_any_size_and_total(shape: tuple[int, int], rule: FirstClick, strategy: str) -> None:
    cells = shape[0] * shape[1]
    for mines in (None, *range(1, cells)):
        decision = decide(Board.covered(*shape, mines), rule=rule, strategy=STRATEGIES[strategy])
        assert decision.reason is Reason.FIRST_CLICK
        assert len(decision.moves) == 1
    assert len(decide(Board.covered(*shape, 0), rule=rule, strategy=STRATEGIES[strategy]).moves) == cells
    with pytest.raises(BotError, match="all covered cells are mines"):
        decide(Board.covered(*shape, cells), rule=rule, strategy=STRATEGIES[strategy])
    with pytest.raises(ContradictionError, match=f"only {cells} cells? for {cells + 1} mines"):
        decide(Board.covered(*shape, cells + 1), rule=rule, strategy=STRATEGIES[strategy])


@ALL
def test_a_board_that_cannot_be_read_leaves_nothing_to_open(strategy: str) -> None:
    with pytest.raises(BotError, match="nothing left to open on this board: 6 cells cannot be read"):
        decide(board("--- ---", 2), strategy=STRATEGIES[strategy])
    with pytest.raises(BotError, match="nothing left to open on this board: 1 cell cannot be read"):
        decide(board("W-"), strategy=STRATEGIES[strategy])
    with pytest.raises(BotError, match="nothing left to open on this board: all covered cells are mines"):
        decide(board("F1"), strategy=STRATEGIES[strategy])
