"""Hints and autoplay, at a window that is none."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bot.board import Cell, FirstClick, State
from bot.errors import BotError, CompilerError
from bot.game.round import Click, PlayedGame, Progress, Rule
from bot.levels import LEVELS, Level
from bot.solver.decision import Action
from bot.ui.game import assistant
from bot.ui.game.assistant import (
    NO_MARKS,
    Autoplayer,
    HintMaker,
    Marks,
)

Task = Callable[[], object]
Done = Callable[[object], None]
SMALL = Level(5, 5, 4)
SAFE = Rule()


class FakeWindow:
    """A window that is none: tasks and timers wait until they are let go on."""

    def __init__(self, level: Level = SMALL, seed: int = 1, rule: Rule = SAFE) -> None:
        self.now = 0.0
        self.words: list[str] = []
        self.marks = NO_MARKS
        self.clicks: list[tuple[float, Action, Cell]] = []
        self.tasks = deque[tuple[Task, Done]]()
        self.timers: list[tuple[float, Callable[[], None]]] = []
        stands_in: Any = self
        self.hints = HintMaker(stands_in)
        self.autoplay = Autoplayer(stands_in)
        self.new(level, seed, rule)

    def new(self, level: Level = SMALL, seed: int = 1, rule: Rule = SAFE) -> None:
        self.game = PlayedGame(level, rule, seed, lambda: self.now)
        self.forget()

    def forget(self) -> None:
        self.marks = NO_MARKS
        self.hints.forget()
        self.autoplay.forget()

    def mark(self, marks: Marks) -> None:
        self.marks = marks

    def say(self, words: str) -> None:
        self.words.append(words)

    def play(self, deed: Action, cell: Cell) -> None:
        self.clicks.append((self.now, deed, cell))
        before = self.game.board
        self.game.play(Click(deed, cell))
        if self.game.board != before:
            self.forget()

    def work(self, task: Task, done: Done) -> None:
        self.tasks.append((task, done))

    def later(self, seconds: float, what: Callable[[], None]) -> None:
        self.timers.append((self.now + seconds, what))

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

    def go_on(self, steps: int = 100_000) -> None:
        """Do tasks and let time pass, so many timers at most."""
        self.work_off()
        while self.timers and steps:
            steps -= 1
            self.timers.sort(key=lambda timer: timer[0])
            self.now, what = self.timers.pop(0)
            what()
            self.work_off()


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
        window.game.play(Click(Action.OPEN, Cell(0, 0)))
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
            window.game.play(Click(Action.OPEN, cell))
            assert window.game.progress is not Progress.LOST
    assert proven > 5


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
    window.play(Action.OPEN, Cell(2, 2))
    window.hints.show()
    assert not window.tasks
    assert not window.words


def test_an_error_of_the_solver_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise BotError("that cannot be")

    monkeypatch.setattr(assistant, "decide", fail)
    window = next(opened())
    assert window.hint() == "that cannot be"
    window.words.clear()
    window.autoplay.start(None)
    window.go_on()
    assert window.words[-1] == "that cannot be"
    assert not window.autoplay.running


@pytest.mark.parametrize("seed", range(10_000_000, 10_000_006))
def test_autoplay_plays_to_the_end(seed: int) -> None:
    window = FakeWindow(LEVELS["beginner"], seed)
    window.autoplay.start(10)
    assert window.autoplay.running
    window.go_on()
    assert window.game.over
    assert not window.autoplay.running
    times = [time for time, _, _ in window.clicks]
    assert times == pytest.approx([number / 10 for number in range(len(times))])
    assert len({cell for _, _, cell in window.clicks}) == len(window.clicks)


def test_autoplay_stops_when_told_and_goes_on() -> None:
    window = FakeWindow(LEVELS["expert"], 10_000_001)
    window.autoplay.start(5)
    window.autoplay.stop()  # while the solver thinks
    window.go_on()
    assert not window.clicks
    window.autoplay.start(5)
    window.go_on(3)
    window.autoplay.stop()
    window.go_on()
    assert len(window.clicks) == 4
    assert not window.autoplay.running
    window.autoplay.start(5)
    window.go_on(1)
    assert len(window.clicks) >= 5


def test_stopping_and_starting_at_once_makes_no_second_player() -> None:
    window = FakeWindow(LEVELS["expert"], 10_000_001)
    window.autoplay.start(10)
    window.go_on(1)
    for _ in range(3):
        window.autoplay.stop()
        window.autoplay.start(10)
    window.go_on(6)
    times = [time for time, _, _ in window.clicks]
    assert len(times) > 6
    assert len(times[2:]) == len(set(times[2:]))


@pytest.mark.parametrize("thinks", [True, False])
def test_autoplay_goes_on_in_a_new_game(thinks: bool) -> None:
    window = FakeWindow(LEVELS["beginner"], 10_000_001)
    window.autoplay.start(10)
    window.go_on(0 if thinks else 1)
    if thinks:
        window.tasks.clear()
        window.autoplay.stop()
        window.autoplay.start(10)  # asks, and has no answer yet
    window.new(LEVELS["beginner"], 10_000_002)
    window.go_on()
    assert window.game.over
    assert not window.autoplay.running


def test_autoplay_takes_wrong_flags_away() -> None:
    window = next(opened(Level(9, 9, 3)))
    for cell in window.game.board.cells(State.COVERED):
        window.game.play(Click(Action.FLAG, cell))
    window.autoplay.start(None)
    window.go_on()
    assert window.game.over
    assert Action.FLAG in {deed for _, deed, _ in window.clicks}


def test_autoplay_waits_until_mines_are_laid() -> None:
    window = FakeWindow(LEVELS["beginner"], 10_000_001, Rule(FirstClick.OPENING, no_guess=True))
    window.autoplay.start(10)
    window.go_on(5)
    assert len(window.clicks) == 1
    assert window.game.waiting is not None
    around = {Cell(0, 8), Cell(8, 8), *(Cell(8, col) for col in range(8))}
    window.game.lay(frozenset(around))
    window.forget()
    window.go_on()
    assert window.game.over


def test_autoplay_ends_where_no_mines_can_be_laid() -> None:
    window = FakeWindow(LEVELS["beginner"], 10_000_001, Rule(FirstClick.OPENING, no_guess=True))
    window.autoplay.start(10)
    window.go_on(5)
    window.game.give_up_waiting()
    window.go_on()
    assert not window.autoplay.running
    assert len(window.clicks) == 1
