"""The compiled kernel: its risks against references, whole games, the endgame, and fifty-fifties."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, combinations, groupby
from math import exp

import numpy as np
import pytest

from bot.board import Board, Cell
from bot.game.simulation import Game
from bot.solver.analysis import Analysis, analyse, guess_policy
from bot.solver.guess import POLICIES, Policy, Weights
from bot.solver.kernel.endgame import best_of_few, best_of_listed
from bot.solver.kernel.guess import unavoidable
from bot.solver.kernel.judgement import corrected, describe
from bot.solver.kernel.layout import FEATURES, MINED, SMALL_BOARD, TREES, UNKNOWN, Endgame, Trees, Workspace
from bot.solver.kernel.look_ahead import COST_LIMIT, NEVER, begin, worth
from bot.solver.kernel.play import WON, WRONG, advance, begin_game
from bot.solver.kernel.solutions import list_solutions
from kernel_checks import EXPERT, against_oracle, against_reference, guesses, wrong_proofs
from oracle import best_wins

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
    analysis = analyse(game.board)
    while np.nanmin(analysis.risks) == 0:
        for row, col in np.argwhere(analysis.risks == 0):
            game.open(Cell(int(row), int(col)))
        analysis = analyse(game.board)
    least = float(np.nanmin(analysis.risks))
    cell = analysis.guess(Policy(0, 0.85, 2, 0.8)).cell
    spent = analysis.workspace.supposed_buffers.spent + analysis.workspace.next_buffers.spent
    assert 0 < spent <= 1.1 * COST_LIMIT
    near = 1 - analysis.risks.flat[cell] >= 0.85 * (1 - least) - 1e-12
    assert near or unavoidable(analysis.workspace, cell)


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
    workspace = Workspace(1, 5)
    board, numbers = np.array([0, 0, 1, 0, 0], np.int8), np.zeros(5, np.int8)
    begin_game(workspace, board, numbers, 1, -1)
    assert numbers.tolist() == [0, 1, -1, 1, 0]
    assert advance(workspace, FAST, numbers, 0) == WON
    for lie in ([0, 0, -1, 1, 0], [1, 0, -1, 1, 0], [2, 1, -1, 1, 0]):
        begin_game(workspace, board, numbers, 1, -1)
        numbers[:] = lie
        assert advance(workspace, FAST, numbers, 0) == WRONG


# Rating a guess by the next moves


def rated(analysis: Analysis, weights: Weights, cells: Iterable[int]) -> list[float]:
    """Return the worth of guessing each of ``cells`` by ``weights``."""
    policy = guess_policy(POLICIES["best"]._replace(weights=weights))
    begin(analysis.workspace)
    return [worth(analysis.workspace, cell, policy, NEVER) for cell in cells]


def test_the_worth_of_a_guess_is_the_weighted_sum_of_its_features() -> None:
    tried = 0
    for board in guesses(12):
        analysis = analyse(board)
        risks = analysis.risks.ravel()
        cells = np.argsort(risks)[:6].tolist()
        features = np.transpose([rated(analysis, Weights(*unit), cells) for unit in np.eye(len(Weights()))])
        for weights in (Weights(), Weights(*range(1, 10))):
            for cell, each, value in zip(cells, features, rated(analysis, weights, cells), strict=True):
                if value == NEVER:
                    continue
                assert value == pytest.approx(float(each @ weights), rel=0, abs=1e-12)
                assert each[0] == pytest.approx(np.log(1 - risks[cell]), rel=1e-12)
                assert all(0 <= feature <= 1 for feature in each[1:7]), each
                tried += 1
    assert tried >= 60


def test_a_worth_that_matters_is_found_although_the_search_of_it_may_end_early() -> None:
    policy, early = guess_policy(POLICIES["best"]), 0
    for board in guesses(20):
        analysis = analyse(board)
        cells = np.argsort(analysis.risks.ravel())[:6].tolist()
        begin(analysis.workspace)
        full = [worth(analysis.workspace, cell, policy, NEVER) for cell in cells]
        need = sorted(full)[3]
        for cell, value in zip(cells, full, strict=True):
            found = worth(analysis.workspace, cell, policy, need)
            early += found > value
            assert found == pytest.approx(value, abs=1e-9) if value > need else value <= found <= need
    assert early >= 10


def grown(trees: Trees, features: Iterable[float]) -> float:
    """Return the sum of what ``trees`` say about ``features``."""
    values, total = list(features), 0.0
    for node in trees.roots.tolist():
        while trees.feature[node] >= 0:
            low = values[trees.feature[node]] <= trees.limit[node]
            node = int((trees.below if low else trees.above)[node])
        total += float(trees.value[node])
    return total


def test_the_judgement_adds_what_the_trees_say_about_a_guess() -> None:
    judged, differ = guess_policy(POLICIES["best"]), 0
    plain = POLICIES["best"]._replace(judged=0)
    for board in guesses(80):
        analysis = analyse(board)
        workspace, cells = analysis.workspace, np.argsort(analysis.risks.ravel())[:4].tolist()
        begin(workspace)
        for cell in cells:
            value = corrected(workspace, judged, cell, -1.0, -0.98)
            assert value == pytest.approx(grown(workspace.trees, workspace.features) - 1.0, abs=1e-12)
            assert workspace.features[-1] == pytest.approx(0.02)
            assert corrected(workspace, guess_policy(plain), cell, -1.0, -0.98) == -1.0
        differ += analysis.guess(POLICIES["best"]) != analyse(board).guess(plain)
    assert differ


def test_mirrored_guesses_have_the_same_features() -> None:
    policy = guess_policy(POLICIES["best"])
    for board in guesses(6):
        seen = []
        for turned_board, back in ((board, 1), (Board(board.states[:, ::-1].copy(), board.mines), -1)):
            analysis = analyse(turned_board)
            index = int(np.nanargmin(analysis.risks[:, ::back]))
            row, col = divmod(index, board.cols)
            col = col if back == 1 else board.cols - 1 - col
            begin(analysis.workspace)
            describe(analysis.workspace, policy, row * board.cols + col, 0.01)
            seen.append(analysis.workspace.features.copy())
        assert seen[0] == pytest.approx(seen[1], rel=1e-6, abs=1e-9)


def test_the_learned_trees_end_and_are_small() -> None:
    trees = Workspace(2, 2).trees
    inner = trees.feature >= 0
    assert 0 < trees.feature.max() < FEATURES
    assert (trees.below[inner] > np.flatnonzero(inner)).all()  # so that no path comes back
    assert (trees.above[inner] > trees.below[inner]).all()
    assert TREES.stat().st_size < 1_000_000


# Searching the tree of moves


def unproven(
    count: int, seed: int, rows: int, cols: int, least: int = 2, most: int = 10**9
) -> Iterator[tuple[Board, Analysis, int]]:
    """Yield positions without a safe cell that have from ``least`` to ``most`` solutions, and how many."""
    for board in positions(count, seed, rows, cols):
        analysis = analyse(board)
        if np.isnan(analysis.risks).all() or np.nanmin(analysis.risks) == 0.0:
            continue
        solutions = round(exp(analysis.log_solutions))
        if least <= solutions <= most:
            yield board, analysis, solutions


def search(analysis: Analysis) -> Endgame:
    """Return the search of the position to its end."""
    workspace = analysis.workspace
    best_of_few(workspace.position, workspace.buffers, workspace.endgame)
    return workspace.endgame


def groups(end: Endgame) -> list[list[int]]:
    """Return the groups of rivals, in the order in which the search lists them."""
    listed = end.stack[: end.solutions].tolist()
    return [list(group) for _, group in groupby(listed, key=lambda row: end.group_of[row])]


def test_a_search_finds_what_the_best_play_wins() -> None:
    tried = 0
    for board, analysis, solutions in unproven(160, 11, 5, 5, 2, 60):
        end = search(analysis)
        assert (end.wins, end.solutions) == (best_wins(board)[1], solutions), board
        tried += 1
    assert tried >= 20


def test_of_rivals_one_is_won_at_most() -> None:
    below = 0
    for board, analysis, solutions in unproven(900, 17, 7, 7, 20, 800):
        end = search(analysis)
        found = groups(end)
        assert sorted(chain(*found)) == list(range(solutions)), board
        assert 0 < end.wins <= len(found), board
        below += len(found) < solutions
        shows = end.shows[: end.unknown_cells * solutions].reshape(-1, solutions)
        for one, other in chain(*(combinations(group, 2) for group in found)):
            differ = shows[:, one] != shows[:, other]
            assert differ.any(), board
            assert ((shows[:, one] == MINED) | (shows[:, other] == MINED))[differ].all(), board
    assert below >= 20


def test_a_solution_that_is_listed_twice_is_not_its_own_rival() -> None:
    workspace = analyse(Board.from_rows([".1."], mines=1)).workspace
    end = workspace.endgame
    assert list_solutions(workspace.position, workspace.buffers, end) == 2
    end.mined[2 * end.width : 2 * end.width + 2] = end.mined[end.width : end.width + 2]
    best_of_listed(workspace.position, end, 3)
    assert end.wins == 2
    assert [len(group) for group in groups(end)] == [2, 1]


def test_a_search_ends_after_so_many_nodes_and_the_look_ahead_decides() -> None:
    policy, tried = POLICIES["best"]._replace(endgame=800), 0
    for board, analysis, _ in unproven(900, 17, 7, 7, 257, 800):
        if board.states.size > SMALL_BOARD:
            assert analysis.guess(policy).wins is not None
            analysis.workspace.endgame.budget, budget = 3, analysis.workspace.endgame.budget
            assert analysis.guess(policy) == analyse(board).guess(policy._replace(endgame=0))
            analysis.workspace.endgame.budget = budget
            tried += 1
    assert tried >= 2


# Fifty-fifties that cannot be avoided: taking their risk at once never costs a game

LOOKING = Policy(0, 0.85, 2, 0.8)  # without an endgame


def unavoidable_cells(analysis: Analysis) -> list[Cell]:
    """Return the cells that the kernel says to guess at once."""
    unknown = np.flatnonzero(analysis.position.shown == UNKNOWN)
    return [
        Cell(*divmod(int(cell), analysis.board.cols))
        for cell in unknown
        if unavoidable(analysis.workspace, int(cell))
    ]


def test_what_is_guessed_at_once_never_costs_a_game() -> None:
    boards, tried = unproven(10**6, 17, 5, 5, 2, 40), 0
    while tried < 60:
        board, analysis, _ = next(boards)
        for cell in unavoidable_cells(analysis):
            assert best_wins(board, opened=cell) == best_wins(board), (board, cell)
            tried += 1


@pytest.mark.parametrize(
    ("rows", "mines", "cells"),
    [
        (["2332", "****", "..*3"], 6, {(2, 0), (2, 1)}),  # a pair behind mines
        (["011", "12*", "..2", "..1"], 3, {(2, 0), (2, 1), (3, 0), (3, 1)}),  # a square behind one
        (["2332", "****", "...."], 6, set()),  # the third cell may tell them apart
    ],
)
def test_pairs_and_squares_that_mines_close_off(
    rows: list[str], mines: int, cells: set[tuple[int, int]]
) -> None:
    analysis = analyse(Board.from_rows(rows, mines))
    assert set(unavoidable_cells(analysis)) == cells


def test_a_fifty_fifty_is_guessed_before_safer_cells() -> None:
    seed, tried = 14_000_000, 0
    while tried < 8:
        game, seed = Game(16, 30, 99, seed), seed + 1
        game.open(Cell(0, 0))
        while not game.over:
            analysis = analyse(game.board)
            risks = analysis.risks
            safe = [Cell(int(row), int(col)) for row, col in np.argwhere(risks == 0)]
            if not safe:
                guess = Cell(*divmod(analysis.guess(LOOKING).cell, 30))
                cells = unavoidable_cells(analysis)
                beside = [
                    cell for cell in cells if any(game.board[n] <= 8 for n in game.board.neighbours(cell))
                ]
                assert guess in cells or not beside
                tried += guess in cells and risks[guess] > np.nanmin(risks)
            for cell in safe or [guess]:
                game.open(cell)
