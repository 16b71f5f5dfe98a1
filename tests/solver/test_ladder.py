"""The ladder with the kernel's help: the same stages as without; and masks as sets of cells."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.board import Board, Cell, State
from bot.errors import BotError
from bot.game.simulation import Game
from bot.solver import STRATEGIES, Decision, Reason, decide
from bot.solver.constraints import array_of, bits, mask_of
from bot.solver.policies import POLICIES
from solver.test_solver_properties import SYMMETRIES
from strategies import positions

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
    return {move.cell: move.reason for move in decision.moves if move.risk == 0.0}


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


@given(st.integers(1, 40), st.integers(1, 60), st.floats(0, 1), st.integers(0, 9))
def test_masks_are_sets_of_cells(rows: int, cols: int, share: float, seed: int) -> None:
    chosen = np.random.default_rng(seed).random((rows, cols)) < share
    mask = mask_of(chosen)
    assert list(bits(mask)) == np.flatnonzero(chosen).tolist()
    assert np.array_equal(array_of(mask, rows, cols), chosen)
