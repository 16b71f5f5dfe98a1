"""The built-in game without its window: buttons, and a game with its clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from bot.board import Board, Cell, FirstClick, State
from bot.errors import UsageError
from bot.game.metrics import bbbv
from bot.game.round import GameClick, MouseButton, MouseButtons, PlayedGame, Rule
from bot.levels import Level
from bot.solver.decision import Action
from bot.verdict import GameState

SEED = 10_000_000
LEFT, RIGHT, MIDDLE = MouseButton
HERE, THERE = Cell(1, 1), Cell(0, 2)


@dataclass
class Clock:
    now: float = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def opens(cell: Cell) -> GameClick:
    return GameClick(Action.OPEN, cell)


def marks(cell: Cell) -> GameClick:
    return GameClick(Action.FLAG, cell)


def chords(cell: Cell) -> GameClick:
    return GameClick(Action.CHORD, cell)


def round_with(picture: list[str], clock: Clock, rule: Rule | None = None) -> PlayedGame:
    """A game whose mines are the ``*`` of a picture; it is not begun."""
    cells = [Cell(r, c) for r, line in enumerate(picture) for c, sign in enumerate(line) if sign == "*"]
    level = Level(len(picture), len(picture[0]), len(cells))
    game = PlayedGame(level, rule or Rule(FirstClick.ANY), SEED, clock)
    game._game.lay(frozenset(cells))
    return game


# Buttons

BOARD = Board.from_rows(["...", ".2F", "?.."])


Event = Callable[[MouseButtons], GameClick | None]


def press(button: MouseButton, cell: Cell = HERE, *, shift: bool = False) -> Event:
    return lambda presses: presses.press(button, cell, shift=shift)


def release(button: MouseButton, cell: Cell | None = HERE) -> Event:
    return lambda presses: presses.release(button, cell)


def move(cell: Cell | None) -> Event:
    return lambda presses: presses.move(cell)


@pytest.mark.parametrize(
    ("events", "clicks"),
    [
        ([press(LEFT), release(LEFT, THERE)], [opens(THERE)]),
        ([press(LEFT), move(None), release(LEFT, None)], []),
        ([press(LEFT), lambda presses: presses.forget(), release(LEFT)], []),
        ([press(RIGHT), release(RIGHT)], [marks(HERE)]),
        ([press(LEFT, shift=True), release(LEFT)], [chords(HERE)]),
        ([press(MIDDLE), release(MIDDLE)], [chords(HERE)]),
        ([press(LEFT), press(RIGHT), release(LEFT), move(THERE), release(RIGHT, THERE)], [chords(HERE)]),
        ([press(RIGHT), press(LEFT), release(RIGHT), release(LEFT)], [marks(HERE), chords(HERE)]),
    ],
)
def test_what_the_buttons_do(events: list[Event], clicks: list[GameClick]) -> None:
    presses = MouseButtons()
    assert [click for event in events if (click := event(presses)) is not None] == clicks
    assert not presses.active


def test_what_looks_pressed_while_a_button_is_down() -> None:
    presses = MouseButtons()
    presses.press(LEFT, Cell(0, 0))
    assert presses.active
    assert presses.pressed(BOARD) == {Cell(0, 0)}
    for cell, pressed in ((Cell(2, 0), {Cell(2, 0)}), (Cell(1, 2), set()), (None, set())):
        presses.move(cell)
        assert presses.pressed(BOARD) == pressed  # a flag protects
    presses.forget()
    presses.press(MIDDLE, HERE)
    others = {Cell(row, col) for row in range(3) for col in range(3)} - {Cell(1, 1), Cell(1, 2)}
    assert presses.pressed(BOARD) == others


# A game

PICTURE = ["*..", "...", "..*"]


def test_the_timer_runs_from_the_first_click_to_the_end(clock: Clock) -> None:
    game = round_with(PICTURE, clock)
    game.play(marks(Cell(0, 0)))
    clock.now += 5
    assert (game.state, game.seconds) == (GameState.NEW, 0)
    game.play(opens(Cell(0, 2)))
    assert (game.state, game.seconds) == (GameState.RUNNING, 1)
    clock.now += 2.5
    assert (game.seconds, game.elapsed) == (3, 2.5)
    clock.now += 5000
    assert game.seconds == 5003  # Windows stops at 999
    game.play(opens(Cell(2, 2)))
    clock.now += 9
    assert (game.state, game.over, game.elapsed) == (GameState.LOST, True, 5002.5)


def test_a_won_game_is_summed_up(clock: Clock) -> None:
    game = round_with(PICTURE, clock)
    with pytest.raises(UsageError):
        game.summary()
    game.play(opens(Cell(0, 2)))
    clock.now += 4
    game.play(opens(Cell(0, 2)))  # does nothing
    game.play(opens(Cell(2, 0)))
    assert game.state is GameState.WON
    assert game.board.lines() == ["F10", "121", "01F"]
    assert game.mines_left == 0
    summary = game.summary()
    mines = np.array([[sign == "*" for sign in line] for line in PICTURE])
    assert summary.bbbv == bbbv(mines) == 2
    assert (summary.won, summary.seconds, summary.clicks, summary.bbbv_per_second) == (True, 4.0, 2, 0.5)


def test_marks_go_round_with_question_marks_or_without(clock: Clock) -> None:
    game, cell = round_with(PICTURE, clock), Cell(1, 1)
    shown = []
    for question_marks in (True, True, True, False, False, True, True, False):
        game.play(marks(cell), question_marks=question_marks)
        shown.append("FQ."[[State.FLAG, State.QUESTION, State.COVERED].index(State(game.board[cell]))])
    assert "".join(shown) == "FQ.F.FQ."


def test_a_board_that_needs_no_guess_is_waited_for(clock: Clock) -> None:
    game = PlayedGame(Level(3, 3, 2), Rule(FirstClick.OPENING, no_guess=True), SEED, clock)
    game.play(opens(Cell(0, 2)))
    assert (game.waiting, game.state, game.board.count(State.COVERED)) == (Cell(0, 2), GameState.NEW, 9)
    game.play(opens(Cell(0, 0)))
    game.play(marks(Cell(0, 0)))
    assert game.board.count(State.COVERED) == 9
    clock.now += 60
    game.lay(frozenset({Cell(0, 0), Cell(2, 2)}))
    assert (game.waiting, game.seconds) == (None, 1)
    assert game.board.lines() == [".10", ".21", "..."]
    with pytest.raises(UsageError):
        game.lay(frozenset({Cell(0, 0), Cell(2, 2)}))


def test_a_click_that_gets_no_mines_is_taken_back(clock: Clock) -> None:
    game = PlayedGame(Level(3, 3, 2), Rule(FirstClick.OPENING, no_guess=True), SEED, clock)
    game.play(opens(Cell(0, 2)))
    game.waiting = None
    game.play(marks(Cell(0, 2)))
    assert game.board[Cell(0, 2)] == State.FLAG
