"""What the player tells the solver, and what it does while the solver thinks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import bot.play.player
from bot.board import Board, Cell, FirstClick
from bot.errors import StoppedError
from bot.levels import EXPERT
from bot.play.dryrun import watch
from bot.play.results import Settings
from bot.solver import (
    COUNTING,
    STRATEGIES,
    Choice,
    Reason,
    StageResult,
    Strategy,
    System,
    bits,
    decide,
    run_stages,
)
from bot.solver.decision import Judgement
from bot.solver.kernel.contest import play_round
from bot.solver.strategies import decide_on
from bot.stop import Stop
from bot.targets.catalogue import find_target
from simulated import SimulatedScreen
from watched_player import WatchedPlayer, screen, watcher_of

WINMINE = replace(find_target("winmine"), same_board=0.0)


def player(there: SimulatedScreen, settings: Settings) -> WatchedPlayer:
    return WatchedPlayer(there, settings, target=WINMINE)


@pytest.fixture
def firsts(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Board, Cell | None]]:
    """Every board that is decided on, and the first cell of its game as the solver is told it."""
    asked: list[tuple[Board, Cell | None]] = []

    def noting(
        board: Board, careful: Board, rule: FirstClick, strategy: Strategy, first: Cell | None, *how: Any
    ) -> Any:
        assert rule is FirstClick.WINMINE
        asked.append((board, first))
        return decide_on(board, careful, rule, strategy, first, *how)

    monkeypatch.setattr(bot.play.player, "decide_on", noting)
    return asked


DEEP = STRATEGIES["deep"]


def opened(board: Board) -> int:
    return board.count(*range(9))


def test_the_solver_is_told_the_first_click_of_each_game(firsts: list[tuple[Board, Cell | None]]) -> None:
    table = player(screen("winmine", seed=3, rule=FirstClick.WINMINE), Settings(games=3))
    table.play()
    begun: Cell | None = None
    for (board, first), turn in zip(firsts, table.rounds, strict=True):
        if not opened(board):
            assert first is None
            begun = turn.clicks[0].move.cell
        else:
            assert first == begun
    assert sum(not opened(board) for board, _ in firsts) == 3


def guessing(there: SimulatedScreen) -> None:
    """Play on until the look-ahead is to guess."""
    while True:
        decision = decide(there.game.board, rule=there.rule)
        if decision.judgement is Judgement.LOOK_AHEAD:
            return
        for move in decision.moves:
            there.click(there.point(move.cell))
        assert not there.game.over


def test_a_game_is_played_by_thinking() -> None:
    there = screen("winmine", EXPERT, step=1e-4, seed=10)
    guessing(there)
    table = player(there, Settings(strategy=DEEP))
    table.play()
    assert Judgement.THOUGHT in {turn.decision.judgement for turn in table.rounds}


@pytest.fixture
def stopped(monkeypatch: pytest.MonkeyPatch) -> list[SimulatedScreen]:
    """Screens at which Esc is pressed as soon as a game is played out in thought."""
    screens: list[SimulatedScreen] = []

    def pressed(*arguments: Any) -> Any:
        for there in screens:
            there.escape = True
        return play_round(*arguments)

    monkeypatch.setattr("bot.solver.deep.play_round", pressed)
    return screens


def test_the_user_is_heeded_while_it_thinks(stopped: list[SimulatedScreen]) -> None:
    there = screen("winmine", EXPERT, seed=10)
    guessing(there)
    stopped.append(there)
    clicks = len(there.clicks)
    table = player(there, Settings(strategy=DEEP))
    table.fails(StoppedError, "Esc")
    assert (len(there.clicks), table.rounds) == (clicks, [])


def test_a_dry_run_ends_in_the_middle_of_thinking(stopped: list[SimulatedScreen]) -> None:
    there = screen("winmine", EXPERT, seed=10)
    guessing(there)
    stopped.append(there)
    assert list(watch(watcher_of(there), Settings(strategy=DEEP))) == []
    assert there.clock.time < 1e9


def test_alternatives_are_as_risky_as_sure_cells_say() -> None:
    board = Board.from_rows(["0000", "1211", "....", "...."], 3)
    careful = Board.from_rows(["0000", "1---", "....", "...."], 3)
    sure = decide(careful)
    guess = decide_on(board, careful, FirstClick.ANY, STRATEGIES["best"])
    assert guess.reason is Reason.GUESS
    assert guess.win_chance is None
    for one in guess.alternatives:
        assert one.risk == sure.risks[one.cell]


class Last:
    """A strategy from outside of the package: it proves by counting, and guesses the last cell."""

    name = "last"

    def begin(self, system: System, _rule: FirstClick, /) -> int:
        return list(bits(system.openable))[-1]

    def prove(self, system: System, first: Cell | None = None, *, guess: bool = True) -> StageResult:
        assert first is None or guess
        return run_stages(system, [COUNTING])

    def guess(self, _system: System, _result: StageResult, cells: int, stop: Stop) -> Choice:
        assert not stop.stopped()
        return Choice(list(bits(cells))[-1])


def test_a_player_plays_by_a_strategy_of_ones_own() -> None:
    table = player(screen("winmine", step=1e-4, seed=4), Settings(games=3, strategy=Last()))
    table.play()
    rounds = table.rounds
    assert rounds[0].decision.moves[0].cell == Cell(8, 8)
    guesses = [one.decision for one in rounds if one.decision.reason is Reason.GUESS]
    assert guesses
    assert {one.judgement for one in guesses} == {Judgement.OWN}
