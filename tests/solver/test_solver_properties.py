"""What must hold on any position: symmetry, agreement of the stages, safety in whole games, bounded work."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from bot.board import Board, Cell, FirstClick
from bot.game.simulation import Game
from bot.solver import STRATEGIES, Action, Decision, Reason, decide
from bot.solver.constraints import System
from bot.solver.counting import Known, apply_counting_rules, contradict
from bot.solver.exact import TooLargeError, prove_parts, solve
from strategies import played, position, positions

SYMMETRIES = [
    lambda a: a,
    lambda a: a[::-1],
    lambda a: a[:, ::-1],
    lambda a: a[::-1, ::-1],
    lambda a: a.T,
    lambda a: a.T[::-1],
    lambda a: a.T[:, ::-1],
    lambda a: a.T[::-1, ::-1],
]


@given(positions())
def test_no_stage_denies_what_another_proves(board: Board) -> None:
    system = System.of(board)
    counted = apply_counting_rules(system, Known())
    contradicted = contradict(system, counted)
    solved = solve(system, Known()).known  # from nothing: it owes nothing to the cheaper stages
    parts = prove_parts(system, Known())
    assert not counted.clash | contradicted.clash | solved.clash | parts.clash
    for cheaper, dearer in [(counted, contradicted), (contradicted, solved), (parts, solved)]:
        assert cheaper.safe & ~dearer.safe == 0
        assert cheaper.mines & ~dearer.mines == 0
    assert solved.safe & solved.mines == 0
    assert solve(system, contradicted).known.settled == solved.settled


@pytest.mark.parametrize("rule", FirstClick)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_proven_cells_are_never_mines_in_whole_games(strategy: str, rule: FirstClick) -> None:
    won = 0
    for seed in range(25):
        game = Game(9, 9, 10, seed, rule)
        while not game.over:
            decision = decide(game.board, rule=rule, strategy=STRATEGIES[strategy])
            assert decision.mines <= (game.mines or decision.mines)
            for move in decision.moves:
                assert move.action is Action.OPEN
                game.open(move.cell)
                assert not game.lost or move.risk > 0, f"{move}\n{game.board}"
        won += game.won
    assert won >= 12  # every strategy wins most of them


def tangled(rows: int, cols: int, seed: int) -> tuple[Board, set[Cell]]:
    """Return a position as no game makes it, opened here and there, and its mines: a very wide frontier."""
    rng = np.random.default_rng(seed)
    cells = [Cell(row, col) for row in range(rows) for col in range(cols)]
    draw = rng.random(len(cells))
    mines = {cell for cell, value in zip(cells, draw, strict=True) if value < 0.35}
    opened = {cell for cell, value in zip(cells, draw, strict=True) if value > 0.82}
    return position(mines, opened, rows, cols, len(mines)), mines


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_frontier_too_wide_to_count_still_gets_an_answer(strategy: str) -> None:
    board, mines = tangled(40, 40, 1)
    system = System.of(board)
    with pytest.raises(TooLargeError):
        solve(system, contradict(system, apply_counting_rules(system, Known())))
    decision = decide(board, strategy=STRATEGIES[strategy])
    while decision.risk == 0:
        assert not mines & {move.cell for move in decision.moves}
        numbers = {move.cell: _number(mines, move.cell) for move in decision.moves}
        board = board.replace(numbers)
        decision = decide(board, strategy=STRATEGIES[strategy])
    assert len(decision.moves) == 1
    assert not decision.exact
    assert decision.mines <= mines
    assert all(0 < risk < 1 for cell, risk in decision.risks.items() if cell not in decision.mines)


def _number(mines: set[Cell], cell: Cell) -> int:
    return sum(max(abs(other.row - cell.row), abs(other.col - cell.col)) == 1 for other in mines)


SIZES = {"beginner": ((9, 9, 10), 25), "expert": ((16, 30, 99), 6), "narrow": ((2, 40, 14), 20)}


def proven(decision: Decision) -> dict[Cell, Reason]:
    return {move.cell: move.reason for move in decision.moves if move.risk == 0.0}


@pytest.mark.parametrize(("size", "games"), SIZES.values(), ids=SIZES)
def test_with_the_kernel_every_proof_has_the_stage_of_the_plain_strategy(
    size: tuple[int, int, int], games: int
) -> None:
    seen = set()
    for game, decision in played(size, games, STRATEGIES["fast"]):
        board = game.board
        plain = decide(board, strategy=STRATEGIES["exact"])
        assert (decision.reason, proven(decision), decision.mines) == (
            plain.reason,
            proven(plain),
            plain.mines,
        ), board
        assert decision.risks == pytest.approx(plain.risks, abs=1e-9)
        seen.add(decision.reason)
    assert seen >= {Reason.COUNTING, Reason.CONTRADICTION, Reason.GUESS}
