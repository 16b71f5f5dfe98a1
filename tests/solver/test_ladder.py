"""The ladder with the kernel's help: the same stages as without, and proofs that suffice."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Set

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.board import Board, Cell, State
from bot.errors import BotError
from bot.game.simulation import Game
from bot.solver import STRATEGIES, Decision, Reason, decide
from bot.solver.constraints import Cells, System, array_of, bits, mask_of
from bot.solver.decision import Constraint
from bot.solver.exact import solution_counts
from bot.solver.explain.proofs import windows
from bot.solver.policies import POLICIES
from solver.test_solver_properties import SYMMETRIES
from strategies import positions, random_board

SIZES = {"beginner": (9, 9, 10, 25), "expert": (16, 30, 99, 3), "narrow": (2, 40, 14, 10)}


def game_positions(rows: int, cols: int, mines: int, games: int) -> Iterator[tuple[Board, Decision]]:
    """Yield the positions of whole games with what is decided; a guess at a mine opens another cell."""
    for seed in range(10_000_000, 10_000_000 + games):
        game = Game(rows, cols, mines, seed)
        game.open(Cell(0, 0))
        while not game.over:
            decision = decide(game.board, strategy=STRATEGIES["fast"])
            yield game.board, decision
            free = [cell for cell in game.board.cells(State.COVERED) if cell not in (game.mines or ())]
            for move in decision.moves:
                game.open(move.cell if move.cell not in (game.mines or ()) else free[0])


def proven(decision: Decision) -> dict[Cell, Reason]:
    return {move.cell: move.reason for move in decision.moves if move.proof is not None}


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_every_proof_has_the_stage_of_the_plain_ladder(size: tuple[int, int, int, int]) -> None:
    seen = set()
    for board, decision in game_positions(*size):
        plain = decide(board, strategy=STRATEGIES["exact"])
        assert (decision.reason, proven(decision), decision.mines) == (
            plain.reason,
            proven(plain),
            plain.mines,
        ), board
        assert decision.risks == pytest.approx(plain.risks, abs=1e-9)
        seen.add(decision.reason)
    assert seen >= {Reason.COUNTING, Reason.CONTRADICTION, Reason.GUESS}


def only(board: Board, constraints: list[Constraint]) -> Board:
    """Return the board on which nothing but ``constraints`` is said."""
    sources = {constraint.source for constraint in constraints}
    silent = {cell: State.WRONG_FLAG for cell, _ in board.numbers() if cell not in sources}
    return Board(board.replace(silent).states, board.mines if None in sources else None)


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_the_constraints_of_a_proof_suffice_and_are_few(size: tuple[int, int, int, int]) -> None:
    sizes = []
    for board, decision in game_positions(*size):
        said = set(System.of(board).constraints(System.of(board).everything))
        for move in decision.moves[:6]:
            if move.proof is None:
                continue
            constraints = list(move.proof.constraints)
            assert set(constraints) <= said
            solutions, mines = solution_counts(only(board, constraints))
            assert solutions
            assert mines[move.cell] == 0, (board, move)
            sizes.append(len(constraints))
    assert np.median(sizes) <= 3
    assert np.percentile(sizes, 90) <= 8


def test_a_proof_far_from_the_corner_of_a_large_board_is_short() -> None:
    game = Game(100, 160, 2000, 10_000_000)
    for cell in (Cell(50, 80), Cell(99, 159), Cell(20, 100), Cell(70, 30)):
        game.open(cell)
    decision = decide(game.board, strategy=STRATEGIES["fast"])
    assert decision.reason is Reason.COUNTING
    assert not (game.mines or set()) & {move.cell for move in decision.moves}
    for move in decision.moves[::-1][:50]:
        assert move.proof is not None
        assert 0 < len(move.proof.constraints) < 40
        assert pickle.loads(pickle.dumps(move)) == move


def test_the_mine_total_is_a_reason_where_it_is_needed() -> None:
    board = Board.from_rows([".1WWWWW.", "11WWWWW1", "WWWWWWWW", ".......W"], 2)
    decision = decide(board, strategy=STRATEGIES["fast"])
    assert set(proven(decision)) == {Cell(3, col) for col in range(7)}
    for move in decision.moves:
        assert move.proof is not None
        assert None in {constraint.source for constraint in move.proof.constraints}


@given(positions(), st.sampled_from(SYMMETRIES), st.sampled_from(list(POLICIES)))
def test_risks_and_proofs_turn_with_the_board(board, turn, strategy):  # type: ignore[no-untyped-def]
    turned = Board(turn(board.states), board.mines)
    try:
        first = decide(board, strategy=STRATEGIES[strategy])
    except BotError as error:
        with pytest.raises(type(error)):
            decide(turned, strategy=STRATEGIES[strategy])
        return
    second = decide(turned, strategy=STRATEGIES[strategy])
    names = turn(np.arange(board.states.size).reshape(board.shape))
    place = {Cell(*divmod(int(names[cell]), board.cols)): cell for cell in turned}
    assert {place[cell] for cell in first.mines} == second.mines
    assert {place[cell]: risk for cell, risk in first.risks.items()} == pytest.approx(second.risks, abs=1e-12)
    if first.reason is not Reason.FIRST_CLICK:
        assert {place[cell]: reason for cell, reason in proven(first).items()} == proven(second)


def test_the_parts_of_a_board_around_a_cell_grow_to_all_of_it() -> None:
    board = random_board(5)
    for cell in board:
        parts = list(windows(board, cell))
        assert parts[-1].board == board
        assert [part.board.states.size for part in parts] == sorted(part.board.states.size for part in parts)
        for part in parts[:-1]:
            assert part.board.mines is None
            assert part.board[cell.row - part.corner.row, cell.col - part.corner.col] in (
                board[cell],
                State.WRONG_FLAG,
            )


@given(st.integers(1, 40), st.integers(1, 60), st.floats(0, 1), st.integers(0, 9))
def test_masks_are_sets_of_cells(rows: int, cols: int, share: float, seed: int) -> None:
    chosen = np.random.default_rng(seed).random((rows, cols)) < share
    mask = mask_of(chosen)
    assert list(bits(mask)) == np.flatnonzero(chosen).tolist()
    assert np.array_equal(array_of(mask, rows, cols), chosen)
    cells: Set[Cell] = Cells(mask, rows, cols)
    marked: Set[Cell] = frozenset(Cell(*map(int, cell)) for cell in np.argwhere(chosen))
    assert cells == marked == cells
    assert set(cells) == marked
    assert list(cells) == sorted(marked)
    assert (len(cells), hash(cells)) == (len(marked), hash(marked))
    everything = {Cell(row, col) for row in range(-1, rows + 1) for col in range(-1, cols + 1)}
    assert {cell for cell in everything if cell in cells} == everything & cells == marked
    assert everything - cells == everything - marked
    assert cells - {Cell(0, 0)} == marked - {Cell(0, 0)}
    assert not any(strange in cells for strange in list[object](["A1", (0,), (0, 0, 0)]))
