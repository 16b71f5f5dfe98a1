"""Hints, at a window that is none."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bot.board import Cell, FirstClick
from bot.errors import BotError, CompilerError
from bot.game.round import GameClick, PlayedGame, Rule
from bot.levels import LEVELS, Level
from bot.solver.decision import Action
from bot.ui.game import assistant
from bot.ui.game.assistant import NO_MARKS, HintMaker, Marks
from bot.verdict import GameState

Task = Callable[[], object]
Done = Callable[[object], None]
SMALL = Level(5, 5, 4)
SAFE = Rule()


class FakeWindow:
    """A window that is none: tasks wait until they are let go on."""

    def __init__(self, level: Level = SMALL, seed: int = 1, rule: Rule = SAFE) -> None:
        self.words: list[str] = []
        self.marks = NO_MARKS
        self.tasks = deque[tuple[Task, Done]]()
        stands_in: Any = self
        self.hints = HintMaker(stands_in)
        self.new(level, seed, rule)

    def new(self, level: Level = SMALL, seed: int = 1, rule: Rule = SAFE) -> None:
        self.game = PlayedGame(level, rule, seed, lambda: 0.0)
        self.forget()

    def forget(self) -> None:
        self.marks = NO_MARKS
        self.hints.forget()

    def mark(self, marks: Marks) -> None:
        self.marks = marks

    def say(self, words: str) -> None:
        self.words.append(words)

    def work(self, task: Task, done: Done) -> None:
        self.tasks.append((task, done))

    def work_off(self) -> None:
        """Do all tasks."""
        while self.tasks:
            task, done = self.tasks.popleft()
            try:
                result = task()
            except BotError as error:
                result = error
            done(result)

    def hint(self) -> str:
        """Show a hint; return the words of it."""
        self.hints.show()
        self.work_off()
        return self.words[-1]


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decide by the strategy that needs no compiler, which is quicker to begin with."""
    monkeypatch.setattr(assistant, "kernel_compiled", refuse)


def refuse(*_: object) -> None:
    raise CompilerError("there is none")


def opened(level: Level = LEVELS["beginner"]) -> Iterator[FakeWindow]:
    """Yield windows with games that begin with an opening."""
    for seed in range(10_000_000, 10_000_100):
        window = FakeWindow(level, seed)
        window.game.play(GameClick(Action.OPEN, Cell(0, 0)))
        if window.game.board[0, 0] == 0 and not window.game.over:
            yield window


def test_a_hint_marks_a_proven_cell_and_the_numbers_that_prove_it() -> None:
    proven = 0
    for window in opened():
        if "is safe" in window.hint():
            proven += 1
            (cell,) = window.marks.safe
            assert f"Row {cell.row + 1}, column {cell.col + 1} is safe" in window.words[-1]
            assert window.marks.proof
            assert {window.game.board[number] for number in window.marks.proof} <= set(range(1, 9))
            window.game.play(GameClick(Action.OPEN, cell))
            assert window.game.state is not GameState.LOST
    assert proven > 5


def test_a_hint_marks_the_mines_that_are_known_and_have_no_flag() -> None:
    marked = 0
    for window in opened():
        window.hint()
        mines = window.marks.mines
        marked += len(mines)
        assert mines <= (window.game._game.mines or frozenset())
        for mine in sorted(mines)[:1]:
            window.game.play(GameClick(Action.FLAG, mine))
            window.hint()
            assert mine not in window.marks.mines
    assert marked > 50


def test_a_hint_says_that_it_does_not_know() -> None:
    window = FakeWindow(rule=Rule(FirstClick.ANY))
    assert window.hint().startswith("I don't know: nothing is open yet")
    (cell,) = window.marks.offer
    assert window.marks == Marks(offer=frozenset({cell}))
    assert f"row {cell.row + 1}, column {cell.col + 1}" in window.words[-1]


def test_a_hint_for_a_board_that_has_changed_is_dropped() -> None:
    window = next(opened())
    window.hints.show()
    window.new()
    said = list(window.words)
    window.work_off()
    assert window.words == said
    assert window.marks == NO_MARKS


def test_no_hint_while_mines_are_laid() -> None:
    window = FakeWindow(rule=Rule(FirstClick.OPENING, no_guess=True))
    window.game.play(GameClick(Action.OPEN, Cell(2, 2)))
    window.hints.show()
    assert not window.tasks
    assert not window.words


def test_an_error_of_the_solver_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise BotError("that cannot be")

    monkeypatch.setattr(assistant, "decide", fail)
    window = next(opened())
    assert window.hint() == "that cannot be"
