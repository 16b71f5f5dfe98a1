"""What the compiled kernel must agree with: brute force, the plain reference, the mines of whole games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import exp

import numpy as np
import numpy.typing as npt

import oracle
from bot.board import Board, Cell, FirstClick
from bot.game.simulation import Game, Mines, mines_of_games
from bot.solver.analysis import Analysis, Risks, analyse, guess_policy
from bot.solver.guess import POLICIES
from bot.solver.kernel.layout import UNKNOWN, GuessPolicy, Workspace
from bot.solver.kernel.play import LOST, advance, begin_game
from reference import solution_counts
from strategies import random_board

SEED = 10_000_000
EXPERT = (16, 30, 99)
_BATCH = 500  # games


def guesses(count: int, seed: int = SEED) -> Iterator[Board]:
    """Yield positions of expert games in which nothing is proven safe, from the second click on."""
    rows, cols, mines = EXPERT
    found = 0
    while found < count:
        game, seed = Game(rows, cols, mines, seed), seed + 1
        game.open(Cell(0, 0))
        while not game.over and found < count:
            analysis = analyse(game.board)
            safe = [Cell(int(row), int(col)) for row, col in np.argwhere(analysis.risks == 0)]
            if not safe:
                found += 1
                yield game.board
            for cell in safe or [Cell(*divmod(analysis.guess(POLICIES["fast"]).cell, cols))]:
                game.open(cell)


def assert_risks(board: Board, risks: Risks, whole: int, mines: dict[Cell, int]) -> None:
    """Fail unless ``risks`` are those of so many solutions: to 1e-9, and 0 and 1 exactly where they are.

    ``mines`` has the number of solutions with a mine in each unknown cell.
    """
    assert np.isnan(risks).sum() == board.states.size - len(mines), board
    for cell, ways in mines.items():
        risk = float(risks[cell])
        assert abs(risk - float(Fraction(ways, whole))) <= 1e-9, (board, cell)
        assert (risk == 0, risk == 1) == (ways == 0, ways == whole), (board, cell)
        if board.mines is not None and whole < 2**40:  # a whole number of solutions
            assert abs(risk * whole - ways) <= 1e-9 * whole, (board, cell)


def against_oracle(seeds: Iterable[int]) -> Iterator[bool]:
    """Check random small boards against brute force; yield whether each has a solution."""
    for seed in seeds:
        board = random_board(seed)
        whole, mines = oracle.solve(board).counts()
        analysis = Analysis(board)
        assert analysis.possible == (whole > 0), board
        if not analysis.possible:
            yield False
            continue
        assert_risks(board, analysis.risks, whole, mines)
        if board.mines is not None and (analysis.position.shown == UNKNOWN).any():
            assert round(exp(analysis.log_solutions)) == whole, board
        yield True


def against_reference(boards: Iterable[Board]) -> Iterator[int]:
    """Check positions against exact counting in plain Python; yield the number of solutions of each."""
    for board in boards:
        whole, mines = solution_counts(board)
        assert_risks(board, analyse(board).risks, whole, mines)
        yield whole


def turned(board: Board) -> Iterator[None]:
    """Check the risks of a position as it is turned and mirrored in all eight ways."""
    risks = analyse(board).risks
    for flipped in (False, True):
        states, expected = (board.states[::-1], risks[::-1]) if flipped else (board.states, risks)
        for turns in range(4):
            other = np.rot90(states, turns)
            found = analyse(Board(other, board.mines)).risks
            same = np.rot90(expected, turns)
            np.testing.assert_allclose(found, same, rtol=0, atol=1e-12, equal_nan=True, err_msg=str(board))
            for proof in (0.0, 1.0):
                assert np.array_equal(found == proof, same == proof), board
            yield


def play_many(
    workspace: Workspace, policy: GuessPolicy, boards: Mines, mines: int, first: int, *, moved: bool
) -> tuple[Mines, npt.NDArray[np.int32]]:
    """Play ``boards``, (games, cells) with 1 for a mine, inside the kernel, from cell ``first`` on.

    Return 1 for a game that was won, 0 for a lost one, -1 if a proof was wrong, (games,), and how many cells
    each guessed, (games,). ``moved`` is as in `advance`.
    """
    won, guesses = np.zeros(len(boards), np.int8), np.zeros(len(boards), np.int32)
    numbers = np.zeros(boards.shape[1], np.int8)
    for game, board in enumerate(boards):
        begin_game(workspace, board, numbers, mines, first if moved else -1)
        cell = advance(workspace, policy, numbers, first)
        while cell >= 0:
            guesses[game] += 1
            cell = advance(workspace, policy, numbers, cell)
        won[game] = cell - LOST
    return won, guesses


def wrong_proofs(games: int, strategy: str, size: tuple[int, int, int] = EXPERT) -> Iterator[tuple[int, int]]:
    """Play games inside the kernel; yield how many were played at a time, and in how many a proof was wrong.

    A proof is wrong if a cell called safe is a mine, or one called a mine is safe, or nothing seems to fit.
    """
    rows, cols, mines = size
    workspace, policy = Workspace(rows, cols), guess_policy(POLICIES[strategy])
    for start in range(SEED, SEED + games, _BATCH):
        seeds = range(start, min(start + _BATCH, SEED + games))
        boards = mines_of_games(rows, cols, mines, seeds, Cell(0, 0), FirstClick.SAFE)
        won, _ = play_many(workspace, policy, boards, mines, 0, moved=False)
        yield len(boards), int(np.count_nonzero(won < 0))
