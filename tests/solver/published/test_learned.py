"""What strategies have learned reaches the stages and the choosers, through all that asks for decisions."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from bot.bench.games import play_one
from bot.bench.plan import Boards, PlayOptions, Unit, fingerprint
from bot.board import Board, Cell, FirstClick
from bot.play.dryrun import suggest
from bot.solver import STRATEGIES, Reason, decide
from bot.solver.constraints import System
from bot.solver.guess import Choice, safest
from bot.solver.ladder import STAGES, StageResult
from bot.solver.learned import NOTHING, Learned
from bot.solver.strategies import PlainStrategy
from bot.vision.reading import GameState


@dataclass(slots=True)
class Listening:
    """A strategy that takes note of what it was handed."""

    heard: list[Learned] = field(default_factory=list)

    def choose(self, system: System, finding: StageResult, learned: Learned) -> Choice:
        self.heard.append(learned)
        return safest(system, finding, learned)


@pytest.fixture
def listening(monkeypatch: pytest.MonkeyPatch) -> Listening:
    listener = Listening()
    strategy = PlainStrategy("listening", (Reason.COUNTING,), choose=listener.choose)
    monkeypatch.setitem(STRATEGIES, "listening", strategy)

    def count(system, known, learned):  # type: ignore[no-untyped-def]
        listener.heard.append(learned)
        return original(system, known, learned)

    original = STAGES[Reason.COUNTING]
    monkeypatch.setitem(STAGES, Reason.COUNTING, count)
    return listener


GUESS = Board.from_rows(["11", ".."], 1)


def test_a_decision_hands_it_to_stages_and_choosers(listening: Listening) -> None:
    learned = Learned()
    decide(GUESS, strategy=STRATEGIES["listening"].knowing(learned))
    assert len(listening.heard) == 2
    assert all(one is learned for one in listening.heard)
    decide(GUESS, strategy=STRATEGIES["listening"])
    assert all(one is NOTHING for one in listening.heard[2:])


def test_a_dry_run_hands_it_on_for_sure_and_unsure_boards(listening: Listening) -> None:
    learned = Learned()
    careful = Board.from_rows(["1W", ".."], 1)
    suggest(GUESS, GameState.RUNNING, FirstClick.SAFE, STRATEGIES["listening"].knowing(learned), careful)
    assert len(listening.heard) == 4
    assert all(one is learned for one in listening.heard)


def test_the_benchmark_hands_it_on(listening: Listening) -> None:
    learned = Learned()
    boards = Boards(5, 5, 6, FirstClick.SAFE, Cell(0, 0), 1)
    play_one(Unit(boards, STRATEGIES["listening"].knowing(learned), 0, 1, PlayOptions(), fingerprint()), 0)
    assert listening.heard
    assert all(one is learned for one in listening.heard)
