"""What a decision says of a guess: how it was chosen, what else was near, and the chance to win."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from bot.board import Board, Cell, FirstClick, State
from bot.errors import StoppedError
from bot.solver import BEST, STRATEGIES, Action, Decision, Reason, Strategy, decide
from bot.solver.decision import ALTERNATIVES, Judgement
from bot.stop import Stop
from oracle import best_wins
from solver.test_winmine import moved_counts, started
from strategies import played
from test_kernel import positions


def guesses(count: int, seed: int, rows: int, cols: int) -> Iterator[tuple[Board, Decision]]:
    """Yield small positions in which nothing is proven safe, and what is decided there."""
    for board in positions(count, seed, rows, cols):
        decision = decide(board)
        if decision.reason is Reason.GUESS:
            yield board, decision


def expert_guesses(games: int, strategy: Strategy = BEST) -> Iterator[tuple[Board, Decision]]:
    """Yield positions of expert games that need a guess, and what is decided there."""
    for game, decision in played((16, 30, 99), games, strategy):
        if decision.reason is Reason.GUESS:
            yield game.board, decision


def check_alternatives(decision: Decision) -> None:
    """Check what must hold for the alternatives of any guess."""
    near = decision.alternatives
    assert 1 <= len(near) <= ALTERNATIVES
    assert near[0].cell == decision.moves[0].cell
    assert len({one.cell for one in near}) == len(near)
    assert all(one.risk == decision.risks[one.cell] for one in near)
    scored = [one.score for one in near if one.score is not None]
    assert scored == sorted(scored, reverse=True)
    assert all(one.score is None for one in near[len(scored) :])
    assert not scored or scored[0] == 1.0


def test_the_endgame_knows_the_chance_to_win_and_that_of_every_alternative() -> None:
    tried = compared = 0
    for board, decision in guesses(150, 37, 4, 4):
        if len(board.cells(State.COVERED)) > 9:
            continue
        tried += 1
        solutions, wins = best_wins(board)
        check_alternatives(decision)
        assert decision.judgement is Judgement.ENDGAME
        assert decision.win_chance == pytest.approx(wins / solutions, abs=1e-12)
        for one in decision.alternatives[:3]:
            assert one.score is not None
            assert round(one.score * wins) == best_wins(board, opened=one.cell)[1], (board, one)
            compared += 1
    assert tried >= 20
    assert compared > 2 * tried


def test_expert_guesses_are_judged_by_the_look_ahead_until_the_endgame() -> None:
    seen = set()
    for _, decision in expert_guesses(12):
        check_alternatives(decision)
        seen.add(decision.judgement)
        if decision.judgement is Judgement.LOOK_AHEAD:
            assert decision.win_chance is None
            assert decision.alternatives[0].score == 1.0
    expected = {Judgement.LOOK_AHEAD, Judgement.ENDGAME}
    assert expected <= seen <= expected | {Judgement.FIFTY_FIFTY}


OWN_JUDGEMENTS = {"article", "korlyakova", "best", "deep"}


@pytest.mark.parametrize("strategy", [name for name in STRATEGIES if name not in OWN_JUDGEMENTS])
def test_others_say_that_they_go_by_the_risk(strategy: str) -> None:
    seen = set()
    for _, decision in expert_guesses(3, STRATEGIES[strategy]):
        check_alternatives(decision)
        seen.add(decision.judgement)
        if decision.judgement is Judgement.LEAST_RISK:
            risks = [one.risk for one in decision.alternatives[1:]]
            assert risks == sorted(risks)
            assert all(one.score is None for one in decision.alternatives)
            assert decision.win_chance is None
    assert seen - {Judgement.ENDGAME} == {Judgement.LEAST_RISK}


@pytest.mark.parametrize("strategy", ["fast", "best", "deep"])
def test_under_winmine_s_rule_the_first_click_weighs_the_risks(strategy: str) -> None:
    differ = guessed = 0
    for board, first in started(60, 10_000_004, 4, 4):
        decision = decide(board, rule=FirstClick.WINMINE, strategy=STRATEGIES[strategy], first=first)
        plain = decide(board, rule=FirstClick.WINMINE, strategy=STRATEGIES[strategy])
        assert decide(board, strategy=STRATEGIES[strategy], first=first) == decide(
            board, strategy=STRATEGIES[strategy]
        )
        assert (decision.reason, decision.mines) == (plain.reason, plain.mines)
        if not decision.risks:
            continue
        whole, mined = moved_counts(board, first)
        assert decision.risks == pytest.approx({cell: ways / whole for cell, ways in mined.items()}, abs=1e-9)
        assert decide(board, rule=FirstClick.WINMINE, first=first, guess=False).risks == decision.risks
        differ += decision.risks != pytest.approx(plain.risks, abs=1e-6)
        if decision.reason is Reason.GUESS:
            guessed += 1
            check_alternatives(decision)
            whole, wins = best_wins(board, first)
            if decision.win_chance is not None:
                assert decision.win_chance == pytest.approx(wins / whole, abs=1e-12)
                for one in decision.alternatives:
                    assert one.score is not None
                    assert round(one.score * wins) == best_wins(board, first, one.cell)[1], (board, one)
    assert differ >= 20
    assert guessed >= 15


def test_a_first_cell_that_cannot_be_read_tells_nothing() -> None:
    board = Board.from_rows(["....", "..1.", "..1-", "...."], 3)
    plain = decide(board, rule=FirstClick.WINMINE)
    assert decide(board, rule=FirstClick.WINMINE, first=Cell(2, 3)) == plain
    assert decide(board, rule=FirstClick.WINMINE, first=Cell(2, 2)).risks != plain.risks


@pytest.mark.parametrize("strategy", ["fast", "best"])
def test_flags_of_others_do_not_change_the_choice(strategy: str) -> None:
    tried = 0
    for board, decision in expert_guesses(4, STRATEGIES[strategy]):
        (move,), near = decision.moves, decision.alternatives
        others = sorted(set(board.cells(State.COVERED)) - {move.cell})
        flagged = decide(board.replace(dict.fromkeys(others[::7], State.FLAG)), strategy=STRATEGIES[strategy])
        assert flagged.moves == decision.moves
        assert flagged.judgement is decision.judgement
        if len(near) > 1:
            second = decide(board.replace({move.cell: State.FLAG}), strategy=STRATEGIES[strategy])
            assert second.judgement is decision.judgement
            assert second.moves[0].action is Action.OPEN
            assert second.moves[0].cell != move.cell
            if near[1].score is not None:
                assert second.moves[0].cell in {one.cell for one in near if one.score == near[1].score}
            tried += 1
    assert tried >= 4


def close_guesses() -> Iterator[tuple[Board, Decision, Decision]]:
    """Yield guesses that "deep" plays out, with the decisions of "best" and "deep"."""
    for board, plain in expert_guesses(20):
        deep = decide(board, strategy=STRATEGIES["deep"])
        if plain.judgement is Judgement.LOOK_AHEAD and deep.judgement is Judgement.THOUGHT:
            yield board, plain, deep


def test_thinking_tells_what_the_play_outs_say() -> None:
    _, plain, deep = next(close_guesses())
    check_alternatives(deep)
    assert deep.risks == plain.risks
    assert sum(one.score is not None for one in deep.alternatives) >= 2


def test_a_wish_to_stop_ends_the_thinking() -> None:
    board, plain, _ = next(close_guesses())
    asked = count()

    def check() -> None:
        if next(asked) >= 2:
            raise StoppedError("stopped")

    deep = STRATEGIES["deep"]
    thought = decide(board, strategy=deep, stop=Stop(check))
    assert next(asked) >= 2
    assert thought.judgement is Judgement.THOUGHT
    assert decide(board, strategy=deep, stop=Stop(check)) == plain  # it does not even begin


def test_thinking_opens_no_flagged_cell() -> None:
    board, _, deep = next(found for found in close_guesses() if len(found[2].alternatives) > 3)
    flags = dict.fromkeys([one.cell for one in deep.alternatives[:1]], State.FLAG)
    thought = decide(board.replace(flags), strategy=STRATEGIES["deep"])
    assert flags.keys().isdisjoint(one.cell for one in thought.alternatives)
    assert thought.moves[0].action is Action.OPEN
