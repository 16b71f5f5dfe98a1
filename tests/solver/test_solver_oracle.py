"""The solver against brute force on ten thousand random small boards, count for count."""

from __future__ import annotations

import pytest

import oracle
from bot.board import Board, State
from bot.errors import BotError, ContradictionError
from bot.solver import EXACT, STRATEGIES, Action, Decision, Reason, decide
from bot.solver.strategies import PlainStrategy
from reference import solution_counts
from strategies import random_board

CHUNKS = 10
BOARDS = 10_000


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_counts_equal_brute_force(chunk: int) -> None:
    without = 0
    for seed in range(chunk, BOARDS, CHUNKS):
        board = random_board(seed)
        expected = oracle.solve(board).counts()
        assert solution_counts(board) == expected, f"seed {seed}\n{board}"
        without += expected[0] == 0
    assert 0 < without < BOARDS // CHUNKS // 5  # the falsified boards are among them


@pytest.mark.parametrize("strategy", [name for name in STRATEGIES if name != "deep"])
def test_decisions_agree_with_brute_force(strategy: str) -> None:
    boards = sorted(map(random_board, range(1000)), key=lambda board: board.shape)
    seen = {_check_decision(board, strategy) for board in boards}
    stages = reasons(strategy)
    assert seen >= {"contradiction", "nothing to open", Reason.COUNTING, Reason.GUESS, *stages}


def reasons(strategy: str) -> list[Reason]:
    """Return the stages of a strategy; compiled ones have those of the strategy exact."""
    known = STRATEGIES[strategy]
    return [stage.reason for stage in (known if isinstance(known, PlainStrategy) else EXACT).stages]


def _check_decision(board: Board, strategy: str) -> Reason | str:
    """Check what is decided on ``board`` in every respect; return what it came to."""
    solutions = oracle.solve(board)
    try:
        decision = decide(board, strategy=STRATEGIES[strategy])
    except ContradictionError:
        assert len(solutions.placements) == 0, board
        return "contradiction"
    except BotError:
        assert not set(board.cells(State.COVERED, State.QUESTION, State.FLAG)) - solutions.always(1), board
        return "nothing to open"
    assert len(solutions.placements), board
    _check_moves(board, decision)
    _check_proven(board, decision, solutions)
    if decision.exact:
        total, counts = solutions.counts()
        for cell, risk in decision.risks.items():
            assert risk == pytest.approx(counts[cell] / total, abs=1e-12), (board, cell)
            assert (risk == 0, risk == 1) == (counts[cell] == 0, counts[cell] == total), (board, cell)
    last = decision.reason in (Reason.PROBABILITY, Reason.GUESS)
    if last and Reason.PROBABILITY in reasons(strategy):
        _check_complete(board, decision, solutions, least_risk=strategy == "exact")
    return decision.reason


def _check_moves(board: Board, decision: Decision) -> None:
    assert decision.moves
    assert len({move.cell for move in decision.moves}) == len(decision.moves)
    for move in decision.moves:
        allowed = {Action.OPEN: (State.COVERED, State.QUESTION), Action.FLAG: (State.FLAG,)}
        assert board[move.cell] in allowed[move.action], (board, move)


def _check_proven(board: Board, decision: Decision, solutions: oracle.Solutions) -> None:
    assert decision.mines <= solutions.always(1), board
    for move in decision.moves:
        if move.reason is Reason.FIRST_CLICK:
            continue
        assert (move.risk == 0.0) == (move.reason is not Reason.GUESS), (board, move)
        assert move.risk > 0.0 or move.cell in solutions.always(0), (board, move)


def _check_complete(
    board: Board, decision: Decision, solutions: oracle.Solutions, *, least_risk: bool
) -> None:
    """Exact counting finds everything there is to find."""
    playable = set(board.cells(State.COVERED, State.QUESTION, State.FLAG))
    assert decision.mines == solutions.always(1), board
    proven = {move.cell for move in decision.moves if move.risk == 0.0}
    assert proven == solutions.always(0) & playable, board
    if not proven:
        openable = set(board.cells(State.COVERED, State.QUESTION)) - solutions.always(1)
        assert not openable or decision.moves[0].action is Action.OPEN, board
        if least_risk:
            _check_guess(decision, solutions)


def _check_guess(decision: Decision, solutions: oracle.Solutions) -> None:
    """A guess has the least risk of the cells that teach something, or of all if none does."""
    (move,) = decision.moves
    board = solutions.board
    states = (State.COVERED, State.QUESTION) if move.action is Action.OPEN else (State.FLAG,)
    choices = set(board.cells(*states)) - solutions.always(1)
    alive = {cell for cell in choices if len(solutions.numbers_shown(cell)) > 1}
    assert move.cell in (alive or choices), board
    assert move.risk == min(decision.risks[cell] for cell in alive or choices), board
