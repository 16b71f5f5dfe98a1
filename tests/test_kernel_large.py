"""The compiled kernel on frontiers that are large, or too wide to be counted."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from math import log

import numpy as np
import numpy.typing as npt
import pytest

from bot.board import Board, Cell, State
from bot.solver.analysis import Analysis, analyse
from bot.solver.guess import POLICIES
from bot.solver.kernel.layout import CountingBuffers, Workspace
from bot.solver.kernel.playouts import draw_safe
from bot.solver.strategies import decide
from placements import numbers_of
from reference import solution_counts

Mines = npt.NDArray[np.bool_]


def scattered(side: int, mines: int, share: float, seed: int) -> tuple[Board, Mines]:
    """Return a square board on which cells here and there are open, and where its mines are."""
    order = np.random.default_rng(seed).permutation(side * side)
    mined = np.zeros(side * side, np.bool_)
    mined[order[:mines]] = True
    states = np.full(side * side, State.COVERED, np.int8)
    opened = order[mines:][: int(share * (side * side - mines))]
    states[opened] = numbers_of(mined.reshape(side, side)).ravel()[opened]
    return Board(states.reshape(side, side), mines), mined.reshape(side, side)


@pytest.mark.parametrize(("share", "exact"), [(0.05, True), (0.3, False), (0.5, False)])
def test_what_is_proven_on_a_large_board_is_true(share: float, exact: bool) -> None:
    board, mined = scattered(100, 2000, share, 3)
    analysis = analyse(board)
    risks = analysis.risks
    unknown = board.states == State.COVERED
    assert analysis.exact is exact
    assert np.array_equal(np.isnan(risks), ~unknown)
    assert not mined[risks == 0].any()
    assert mined[risks == 1].all()
    assert ((risks[unknown] >= 0) & (risks[unknown] <= 1)).all()
    for low, high in ((0.1, 0.3), (0.3, 0.6)):  # estimates are right in the mean
        near = (risks >= low) & (risks < high)
        assert mined[near].mean() == pytest.approx(risks[near].mean(), abs=0.07)


@pytest.mark.parametrize(("side", "share", "seed"), [(40, 0.5, 3), (40, 0.1, 3)])
def test_large_frontiers_are_counted_as_the_reference_does(side: int, share: float, seed: int) -> None:
    board, _ = scattered(side, side * side // 5, share, seed)
    analysis = analyse(board)
    risks = analysis.risks
    whole, mines = solution_counts(board)
    assert analysis.exact
    assert analysis.workspace.buffers.frontier_cells > 300
    assert analysis.log_solutions == pytest.approx(log(whole), rel=1e-12)
    for cell, ways in mines.items():
        assert risks[cell] == pytest.approx(float(Fraction(ways, whole)), abs=1e-12)
        assert (risks[cell] == 0, risks[cell] == 1) == (ways == 0, ways == whole)


def test_proofs_hold_and_estimates_are_right_in_the_mean_where_no_total_is_known() -> None:
    for share in (0.05, 0.3):
        board, mined = scattered(100, 2000, share, 8)
        risks = analyse(Board(board.states)).risks
        assert not mined[risks == 0].any()
        assert mined[risks == 1].all()
        near = (risks > 0) & (risks < 0.5)
        assert mined[near].mean() == pytest.approx(risks[near].mean(), abs=0.04)


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (7, 1), (1, 200), (200, 200)])
def test_a_board_of_only_covered_cells_is_as_risky_everywhere(shape: tuple[int, int]) -> None:
    rows, cols = shape
    for mines in {1, rows * cols // 4, rows * cols}:
        analysis = analyse(Board.covered(rows, cols, mines))
        assert analysis.exact
        assert analysis.risks == pytest.approx(np.full(shape, mines / (rows * cols)))
        assert 0 <= analysis.guess(POLICIES["best"]).cell < rows * cols
    assert analyse(Board.covered(rows, cols, None)).risks == pytest.approx(np.full(shape, 0.5))


def test_a_decision_says_where_its_risks_are_estimates() -> None:
    board, mined = scattered(100, 5000, 0.4, 5)
    numbers = numbers_of(mined)
    for _ in range(40):
        decision = decide(board)
        assert not any(mined[move.cell] for move in decision.moves if move.risk == 0)
        if not decision.exact:
            break
        board = board.replace(
            {move.cell: int(numbers[move.cell]) for move in decision.moves if not move.risk}
        )
    assert not decision.exact
    assert not any(mined[cell] for cell, risk in decision.risks.items() if risk == 0)


def test_winmines_rule_is_heeded_on_large_boards_that_are_counted_exactly() -> None:
    board, _ = scattered(100, 2000, 0.05, 6)
    states = board.states.copy()
    states[:2, :2] = State.COVERED
    first = Cell(*map(int, np.argwhere(states <= 8)[0]))
    counted = Board(states, 2000)
    plain, moved = analyse(counted).risks, analyse(counted, first).risks
    assert moved[0, 0] > plain[0, 0] * 1.2
    assert np.nansum(moved) == pytest.approx(np.nansum(plain), abs=1e-6)
    wide, _ = scattered(100, 2000, 0.3, 6)
    assert np.array_equal(analyse(wide, first).risks, analyse(wide).risks, equal_nan=True)


def test_room_for_counting_is_made_where_it_is_needed() -> None:
    board, _ = scattered(40, 320, 0.2, 3)
    small, roomy = Workspace(40, 40), Workspace(40, 40)
    while roomy.buffers.grow():
        pass
    before = small.buffers.most_states
    for _ in range(2):
        one, other = (Analysis(board, workspace=workspace) for workspace in (small, roomy))
        assert np.array_equal(one.risks, other.risks, equal_nan=True)
        assert one.exact
        assert small.buffers.cost == roomy.buffers.cost
    assert before < small.buffers.most_states < roomy.buffers.most_states


def test_threads_with_structs_of_their_own_get_the_same_risks() -> None:
    """`grow` is called in most of these analyses."""
    boards = [scattered(40, 320, 0.2, seed)[0] for seed in range(3, 15)]

    def risks(board: Board) -> bytes:
        workspace = Workspace(40, 40)
        before = workspace.buffers.most_states
        for _ in range(20):
            analysis = Analysis(board, workspace=workspace)
        grown.append(workspace.buffers.most_states > before)
        return analysis.risks.tobytes()

    grown = list[bool]()
    alone = [risks(board) for board in boards]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(risks, boards)) == alone
    assert sum(grown) > len(grown) / 2


def test_where_even_the_estimate_has_no_room_all_cells_are_alike() -> None:
    board, _ = scattered(40, 320, 0.3, 2)
    workspace = Workspace(*board.shape)
    workspace.buffers = CountingBuffers(board.states.size, 64)
    analysis = Analysis(board, workspace=workspace)
    risks = analysis.risks
    assert not analysis.exact
    assert np.unique(risks[(risks > 0) & (risks < 1)]).size == 1
    seed = np.array([1], np.int64)
    assert not draw_safe(workspace, np.zeros(1600, np.int8), seed, 0)
