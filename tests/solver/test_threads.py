"""Decisions from many threads at once are those of a single thread."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import pytest

import bot
from bot.board import Board, Cell, FirstClick
from bot.errors import ContradictionError
from bot.solver import STRATEGIES, Decision, Strategy, decide
from bot.solver.analysis import Analysis, analyse
from bot.solver.guess import POLICIES
from strategies import played

SIZES = [(8, 8, 10), (9, 9, 10), (16, 16, 40), (16, 30, 99)]
THREADS = 8


class Question(NamedTuple):
    """A position, and how it is to be decided."""

    board: Board
    strategy: Strategy
    rule: FirstClick

    def answer(self) -> Decision:
        return decide(self.board, strategy=self.strategy, rule=self.rule, first=Cell(0, 0))


def boards(size: tuple[int, int, int], count: int) -> Iterator[Board]:
    """Yield every few positions of games."""
    games = played(size, 10**6, STRATEGIES["fast"], first=Cell(0, 0))
    for number, (game, _) in zip(range(5 * count), games, strict=False):
        if number % 5 == 0:
            yield game.board


def test_any_thread_may_decide_at_any_time() -> None:
    kinds: list[tuple[Strategy, int]] = [(one, 12) for name, one in STRATEGIES.items() if name != "deep"]
    asked = [
        Question(board, strategy, rule)
        for strategy, count in [*kinds, (STRATEGIES["deep"], 2)]
        for size in SIZES
        for number, board in enumerate(boards(size, count))
        for rule in [FirstClick.WINMINE if number % 3 == 0 else FirstClick.SAFE]
    ]
    alone = [question.answer() for question in asked]
    order = random.Random(1).sample(range(len(asked)), len(asked))
    with ThreadPoolExecutor(THREADS) as pool:
        together = list(pool.map(lambda place: asked[place].answer(), order))
    assert len(asked) > 400
    for place, decision in zip(order, together, strict=True):
        assert decision == alone[place], asked[place]


def test_the_python_interface_may_be_called_from_any_thread() -> None:
    asked = [board for size in SIZES for board in boards(size, 20)]
    alone = [bot.decide(board, "fast") for board in asked]
    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(lambda board: bot.decide(board, "fast"), asked)) == alone


def test_an_analysis_keeps_its_results_while_others_are_made() -> None:
    some = [board for board in boards(SIZES[3], 12) if analyse(board).exact]
    kept = [analyse(board) for board in some]
    for board, analysis in zip(some, kept, strict=True):
        assert len({id(one.workspace) for one in kept}) == len(kept)
        assert analysis.risks.tobytes() == analyse(board).risks.tobytes()
        if (analysis.risks > 0).any() and not (analysis.risks == 0).any():
            assert analysis.guess(POLICIES["best"]) == analyse(board).guess(POLICIES["best"])


def test_a_workspace_goes_back_when_its_analysis_is_gone() -> None:
    board = Board.covered(7, 11, 5)  # a size that no other test uses
    analysis = analyse(board)
    first = id(analysis.workspace)
    del analysis
    assert id(analyse(board).workspace) == first


def test_a_board_that_contradicts_itself_leaves_nothing_behind() -> None:
    board, wrong = Board.from_rows(["1.", ".."], 1), Board.from_rows(["3.", ".."], 1)
    before = analyse(board).risks.tobytes()
    with pytest.raises(ContradictionError, match="impossible"):
        analyse(wrong)
    assert not Analysis(wrong).possible
    assert analyse(board).risks.tobytes() == before
