"""Whole games inside the kernel, and the checks of `bench_kernel` on a few positions of each kind."""

from __future__ import annotations

import numpy as np
import pytest

from bot.solver.engine import Engine, guess_policy
from bot.solver.kernel.play import WON, WRONG, advance, begin_game
from bot.solver.policies import POLICIES
from kernel_checks import EXPERT, against_oracle, against_reference, guesses, turned, wrong_proofs

FAST = guess_policy(POLICIES["fast"])


@pytest.mark.parametrize(
    ("strategy", "size", "games"),
    [("fast", EXPERT, 1000), ("best", EXPERT, 100), ("fast", (5, 40, 50), 1000), ("fast", (1, 9, 3), 1000)],
)
def test_no_proof_is_wrong(strategy: str, size: tuple[int, int, int], games: int) -> None:
    played = list(wrong_proofs(games, strategy, size))
    assert sum(count for count, _ in played) == games
    assert not any(wrong for _, wrong in played)


def test_small_boards_of_any_kind_are_counted_as_by_brute_force() -> None:
    solvable = list(against_oracle(range(600)))
    assert len(solvable) == 600
    assert 10 < solvable.count(False) < 120  # the falsified boards are among them


def test_expert_positions_are_counted_as_by_the_reference() -> None:
    assert max(against_reference(guesses(25))) > 1e50


def test_expert_positions_turn_with_the_board() -> None:
    assert sum(1 for board in guesses(5) for _ in turned(board)) == 40


def test_a_proof_that_is_wrong_is_told() -> None:
    """The numbers of another board are shown, so that what they prove is wrong for this one."""
    engine = Engine(1, 5)
    board, numbers = np.array([0, 0, 1, 0, 0], np.int8), np.zeros(5, np.int8)
    begin_game(engine.workspace, engine.position, board, numbers, 1)
    assert numbers.tolist() == [0, 1, -1, 1, 0]
    assert advance(engine.workspace, engine.position, FAST, numbers, 0, 0, False) == WON
    for lie in ([0, 0, -1, 1, 0], [1, 0, -1, 1, 0], [2, 1, -1, 1, 0]):
        begin_game(engine.workspace, engine.position, board, numbers, 1)
        numbers[:] = lie
        assert advance(engine.workspace, engine.position, FAST, numbers, 0, 0, False) == WRONG
