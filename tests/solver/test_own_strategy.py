"""What `decide` does with the answers of strategies from outside of the package."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any, cast

import pytest

import bot
from bot.board import FirstClick
from bot.errors import UsageError
from bot.solver import (
    COUNTING,
    Choice,
    Judgement,
    Known,
    Reason,
    StageResult,
    Strategy,
    System,
    bits,
    run_stages,
)
from bot.solver.analysis import analyse
from bot.solver.kernel.layout import Workspace
from bot.solver.strategies import BEST
from bot.stop import Stop

GUESS = "2 x 3 / 2\n1..\n..."  # nothing is proven
PROVEN = "3 x 5 / 3\n.....\n12321\n00000"  # the outer two cells of the first row are safe, three are mines
FRESH = "3 x 3 / 2\n...\n...\n..."


class Own:
    """A strategy that counts and opens the first cell; a test replaces one of its answers."""

    def __init__(self, name: str = "own", **answers: Callable[..., Any]) -> None:
        self.name, self.answers = name, answers

    def begin(self, system: System, _rule: FirstClick, /) -> int:
        answer: Any = self.answers.get("begin", lambda _: 0)
        return cast(int, answer(system))

    def prove(self, system: System, first: object = None, *, guess: bool = True) -> StageResult:
        assert first is None
        assert guess
        answer: Any = self.answers.get("prove", lambda result: result)
        return cast(StageResult, answer(run_stages(system, [COUNTING])))

    def guess(self, system: System, _result: StageResult, cells: int, _stop: Stop) -> Choice:
        answer: Any = self.answers.get("guess", lambda _, cells: Choice(next(bits(cells))))
        return cast(Choice, answer(system, cells))


def known(mines: int, safe: int) -> Callable[[StageResult], StageResult]:
    return lambda _: StageResult(Known(mines, safe), dict.fromkeys(bits(safe), Reason.COUNTING))


@pytest.mark.parametrize(
    ("board", "answers", "words"),
    [
        (FRESH, {"begin": lambda _: -1}, "begin must give one of the cells"),
        (FRESH, {"begin": lambda _: 400}, "begin must give one of the cells"),
        (GUESS, {"guess": lambda *_: None}, "guess returned None, not a Choice"),
        (GUESS, {"guess": lambda *_: Choice(0)}, "guess must give one of the cells"),
        (GUESS, {"guess": lambda *_: Choice(99)}, "guess must give one of the cells"),
        (GUESS, {"guess": lambda *_: Choice(1, scores={1: None, -5: 1.0})}, "the scores of guess must"),
        (GUESS, {"prove": lambda _: None}, "prove returned None, not a StageResult"),
        (GUESS, {"prove": known(0, 1 << 1)}, "it calls row 1, column 2 safe, which is not proven"),
        (GUESS, {"prove": known(1 << 2, 0)}, "it calls row 1, column 3 a mine, which is not proven"),
        (PROVEN, {"prove": known(0, 1 << 1)}, "it calls row 1, column 2 safe, which is not proven"),
        (PROVEN, {"prove": lambda _: StageResult(Known(0, 1))}, "a safe cell has no Reason"),
        (GUESS, {"prove": lambda result: replace(result, risks={1: 0.2})}, "its risks need a value"),
        (
            GUESS,
            {"prove": lambda r: replace(r, risks=dict.fromkeys(range(6), 0.0))},
            "its risks need a value",
        ),
    ],
)
def test_a_wrong_answer_is_told_with_the_name_of_the_strategy(
    board: str, answers: dict[str, Callable[..., Any]], words: str
) -> None:
    with pytest.raises(UsageError, match=f"^the strategy mine gave a wrong answer: {words}"):
        bot.decide(board, Own("mine", **answers))


@pytest.mark.parametrize("strategy", [None, object(), 5, Own])
def test_what_is_no_strategy_is_told(strategy: Any) -> None:
    with pytest.raises(UsageError, match="is not a strategy: "):
        bot.decide(GUESS, cast(Strategy, strategy))


def test_right_answers_are_used() -> None:
    assert bot.decide(FRESH, Own(begin=lambda _: 4)).moves[0].cell == (1, 1)
    assert bot.decide(GUESS, Own()).moves[0].cell == (0, 1)
    proven = bot.decide(PROVEN, Own())
    assert proven == bot.decide(PROVEN, Own(prove=known(0b01110, 0b10001)))
    assert len(proven.moves) == 2


def test_deep_plays_guesses_out() -> None:
    board = "8 x 8 / 16\n" + "........\n" * 3 + "...2....\n" + "........\n" * 4
    assert bot.decide(board).judgement is Judgement.LOOK_AHEAD
    assert bot.decide(board, "deep").judgement is Judgement.THOUGHT


def test_an_analysis_is_shared_instead_of_copied_and_its_memory_never() -> None:
    """A copy of a struct would keep the addresses of memory that is freed."""
    system = System.of(analyse(bot.Board.from_rows(["1..", "..."], 2)).board)
    result = BEST.prove(system)
    assert copy.copy(result.analysis) is copy.deepcopy(result.analysis) is result.analysis
    assert asdict(result)["analysis"] is copy.deepcopy(result).analysis is result.analysis
    for thing in (result.analysis, Workspace(2, 3)):
        with pytest.raises(TypeError, match="cannot be copied or pickled"):
            pickle.dumps(thing)
    with pytest.raises(TypeError, match="cannot be copied or pickled"):
        copy.copy(Workspace(2, 3))
