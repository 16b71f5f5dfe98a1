"""The compiled kernel: its risks against references, its endgame against a plain search, whole games."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from bot.board import Board, Cell
from bot.game.simulation import Game
from bot.solver.engine import Engine, guess_policy
from bot.solver.guess import POLICIES, Policy
from bot.solver.kernel.guess import PATIENCE, unavoidable
from bot.solver.kernel.play import WON, WRONG, advance, begin_game
from kernel_checks import EXPERT, against_oracle, against_reference, guesses, wrong_proofs

FAST = guess_policy(POLICIES["fast"])


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
