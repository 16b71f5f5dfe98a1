"""The compiled kernel: its risks against the reference, its endgame against a plain search."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import exp

import numpy as np
import pytest

from bot.board import Board, Cell, State
from bot.game.simulation import Game
from bot.solver.engine import Engine
from bot.solver.exact import solution_counts
from bot.solver.kernel.endgame import best_of_few
from bot.solver.kernel.fifty import unavoidable
from bot.solver.kernel.guess import PATIENCE
from bot.solver.kernel.layout import UNKNOWN
from bot.solver.policies import Policy
from oracle import solve


def positions(count: int, seed: int, rows: int, cols: int) -> Iterator[Board]:
    """Yield positions of games in which a few random cells were opened."""
    random = np.random.default_rng(seed)
    found = 0
    while found < count:
        r, c = int(random.integers(1, rows + 1)), int(random.integers(1, cols + 1))
        if r * c < 3:
            continue
        game = Game(r, c, int(random.integers(1, max(2, r * c // 3))), int(random.integers(10**6)))
        for index in random.permutation(r * c)[: random.integers(1, 5)]:
            game.open(Cell(int(index) // c, int(index) % c))
        if not game.over:
            found += 1
            yield game.board


@pytest.mark.parametrize("known", [True, False], ids=["total", "any-total"])
def test_risks_are_those_of_the_reference(known: bool) -> None:
    for board in positions(300, 3, 9, 9):
        asked = board if known else Board(board.states)
        whole, mines = solution_counts(asked)
        risks = Engine(*board.shape).risks(asked)
        for cell, ways in mines.items():
            assert risks[cell] == pytest.approx(ways / whole, abs=1e-9), (asked, cell)
            assert (risks[cell] == 0, risks[cell] == 1) == (ways == 0, ways == whole), (asked, cell)
        assert np.isnan(risks).sum() == board.states.size - len(mines)


def test_risks_and_solutions_are_those_of_the_oracle() -> None:
    for board in positions(200, 5, 4, 4):
        whole, mines = solve(board).counts()
        engine = Engine(*board.shape)
        risks = engine.risks(board)
        assert {cell: round(float(risks[cell]) * whole) for cell in mines} == mines
        unknown = engine.position.shown == UNKNOWN
        if unknown.any():
            assert round(exp(engine.log_solutions)) == whole


def test_risks_turn_with_the_board() -> None:
    for board in positions(40, 7, 8, 12):
        risks = Engine(*board.shape).risks(board)
        for turns in range(4):
            for flipped in (False, True):
                turned = np.rot90(board.states[::-1] if flipped else board.states, turns)
                again = Engine(*turned.shape).risks(Board(turned, board.mines))
                expected = np.rot90(risks[::-1] if flipped else risks, turns)
                assert again == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_a_board_that_contradicts_itself_is_told() -> None:
    for rows in (["1.", "31"], ["3..", "3..", "0.."]):
        with pytest.raises(ValueError, match="no placement"):
            Engine(len(rows), len(rows[0])).risks(Board.from_rows(rows, 2))


def test_flags_and_marks_are_opinions_and_shown_mines_are_facts() -> None:
    covered = Board.from_rows(["1..", "...", "..."], 2)
    marked = Board.from_rows(["1F?", "-..", "..."], 2)
    engine = Engine(3, 3)
    assert engine.risks(marked) == pytest.approx(engine.risks(covered), nan_ok=True)
    shown = engine.risks(Board.from_rows(["1*.", "W..", "..."], 2))
    assert shown[1, 1] == 0.0
    assert np.isnan(shown[0, 1])
    assert np.isnan(shown[1, 0])


def shows(mines: frozenset[Cell], board: Board, cell: Cell) -> int:
    """Return what a cell shows, -1 for a mine."""
    return -1 if cell in mines else sum(other in mines for other in board.neighbours(cell))


def best_wins(board: Board) -> tuple[int, int]:
    """Return the number of solutions of a board, and in how many the best play wins, by plain search."""
    found = solve(board)
    unknown = board.cells(State.COVERED)
    every = frozenset(
        frozenset(cell for cell, bit in zip(found.cells, row, strict=True) if bit)
        for row in found.placements.tolist()
    )

    @cache
    def wins(left: frozenset[frozenset[Cell]]) -> int:
        if len(left) == 1:
            return 1
        best = 0
        for cell in unknown:
            parts: dict[int, set[frozenset[Cell]]] = {}
            for mines in left:
                parts.setdefault(shows(mines, board, cell), set()).add(mines)
            if len(parts) > 1:
                best = max(best, sum(wins(frozenset(part)) for number, part in parts.items() if number >= 0))
        return best

    return len(every), wins(every)


def test_the_endgame_wins_as_often_as_any_play_can() -> None:
    tried = 0
    for board in positions(300, 11, 5, 5):
        engine = Engine(*board.shape)
        risks = engine.risks(board)
        unknown = engine.position.shown == UNKNOWN
        count = exp(engine.log_solutions) if unknown.any() else 0.0
        if risks is None or not unknown.any() or np.nanmin(risks) == 0 or not 1.5 < count < 60:
            continue
        tried += 1
        workspace = engine.workspace
        cell = best_of_few(workspace.topology, engine.position, workspace.buffers, workspace.endgame)
        assert (round(count), workspace.endgame.wins) == best_wins(board), board
        assert engine.guess(Policy(endgame=100)) == divmod(cell, board.cols)
    assert tried >= 30


def test_a_guess_is_near_the_least_risk() -> None:
    for board in positions(60, 13, 9, 9):
        engine = Engine(*board.shape)
        risks = engine.risks(board)
        if np.nanmin(risks) > 0 and (engine.position.shown == UNKNOWN).any():
            cell = engine.guess(Policy(0, 0.9, 2, 0.8))
            near = 1 - risks[cell] >= 0.9 * (1 - np.nanmin(risks)) - 1e-12
            assert near or unavoidable(engine.workspace, engine.position, cell.row * board.cols + cell.col)


def test_a_guess_on_a_large_board_comes_to_an_end() -> None:
    game = Game(100, 100, 2000, 10_000_024)
    for index in np.random.default_rng(4).permutation(10_000)[:9]:
        game.open(Cell(*divmod(int(index), 100)))
    engine = Engine(100, 100)
    risks = engine.risks(game.board)
    while np.nanmin(risks) == 0:
        for row, col in np.argwhere(risks == 0):
            game.open(Cell(int(row), int(col)))
        risks = engine.risks(game.board)
    least = float(np.nanmin(risks))
    cell = engine.guess(Policy(0, 0.85, 2, 0.8))
    spent = engine.workspace.supposed_buffers.spent + engine.workspace.next_buffers.spent
    assert 0 < spent <= 1.1 * PATIENCE
    near = 1 - risks[cell] >= 0.85 * (1 - least) - 1e-12
    assert near or unavoidable(engine.workspace, engine.position, cell.row * 100 + cell.col)
