"""Hints and autoplay of the window, at a table without a window."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from bot.board import Board, Cell, FirstClick, State
from bot.errors import BotError, CompilerError
from bot.game.round import Click, Deed, Progress, Round, Rule
from bot.levels import LEVELS, Level
from bot.solver import STRATEGIES, Decision, decide
from bot.solver.explain.hints import Hint
from bot.ui.game import hint
from bot.ui.game.autoplay import OVER, Autoplayer
from bot.ui.game.hint import COMPILING, THINKING, HintMaker, marks_of
from bot.ui.game.marks import NO_MARKS, Marks

Task = Callable[[], object]
Done = Callable[[object], None]
SMALL = Level(5, 5, 4)
SAFE = Rule()


class FakeTable:
    """A window that is none: tasks and timers wait until they are let go on."""

    def __init__(self, level: Level = SMALL, seed: int = 1, rule: Rule = SAFE) -> None:
        self.now = 0.0
        self.words: list[str] = []
        self.marks = NO_MARKS
        self.clicks: list[tuple[float, Deed, Cell]] = []
        self.tasks = deque[tuple[Task, Done]]()
        self.timers: list[tuple[float, Callable[[], None]]] = []
        self.hints = HintMaker(self)
        self.autoplay = Autoplayer(self)
        self.new(level, seed, rule)

    def new(self, level: Level = SMALL, seed: int = 1, rule: Rule = SAFE) -> None:
        self.game = Round(level, rule, seed, lambda: self.now)
        self.forget()

    def forget(self) -> None:
        self.marks = NO_MARKS
        self.hints.forget()
        self.autoplay.forget()

    def mark(self, marks: Marks) -> None:
        self.marks = marks

    def say(self, words: str) -> None:
        self.words.append(words)

    def play(self, deed: Deed, cell: Cell) -> None:
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
    monkeypatch.setattr(hint, "kernel_compiled", lambda: True)
    monkeypatch.setattr(hint, "compile_kernel", refuse)


def refuse(*_: object) -> None:
    raise CompilerError("there is none")


def opened(level: Level = LEVELS["beginner"]) -> Iterator[FakeTable]:
    """Yield tables with games that begin with an opening."""
    for seed in range(10_000_000, 10_000_100):
        table = FakeTable(level, seed)
        table.game.play(Click(Deed.OPEN, Cell(0, 0)))
        if table.game.board[0, 0] == 0 and not table.game.over:
            yield table


def test_a_hint_marks_a_proven_cell_and_the_numbers_that_prove_it() -> None:
    proven = 0
    for table in opened():
        table.hints.show()
        assert table.words[-1] == THINKING
        table.work_off()
        if "is safe" in table.words[-1]:
            proven += 1
            (cell,) = table.marks.safe
            assert f"Row {cell.row}, column {cell.col} is safe" in table.words[-1]
            assert table.marks.proof
            assert {table.game.board[number] for number in table.marks.proof} <= set(range(1, 9))
            table.game.play(Click(Deed.OPEN, cell))
            assert table.game.progress is not Progress.LOST
    assert proven > 5


def test_a_hint_says_that_it_does_not_know() -> None:
    table = FakeTable(rule=Rule(FirstClick.ANY))
    table.hints.show()
    table.work_off()
    assert table.words[-1].startswith("I don't know: nothing is open yet")
    (cell,) = table.marks.offer
    assert (table.marks.safe, table.marks.proof) == (frozenset(), frozenset())
    assert f"row {cell.row}, column {cell.col}" in table.words[-1]


def test_marks_of_a_guess_that_is_not_wanted_are_none() -> None:
    assert marks_of(Hint("I don't know", None, proven=False)) == NO_MARKS


def test_a_hint_for_a_board_that_has_changed_is_dropped() -> None:
    table = next(opened())
    table.hints.show()
    table.new()
    said = list(table.words)
    table.work_off()
    assert table.words == said
    assert table.marks == NO_MARKS


def test_of_two_hints_the_last_is_shown_once() -> None:
    table = next(opened())
    table.hints.show()
    table.hints.show()
    table.work_off()
    assert len([words for words in table.words if words != THINKING]) == 1


def test_no_hint_while_mines_are_laid() -> None:
    table = FakeTable(rule=Rule(FirstClick.OPENING, no_guess=True))
    table.play(Deed.OPEN, Cell(2, 2))
    table.hints.show()
    assert not table.tasks
    assert not table.words


def test_compiling_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hint, "kernel_compiled", lambda: False)
    table = next(opened())
    table.hints.show()
    table.work_off()
    assert table.words[:2] == [THINKING, COMPILING]
    table.hints.show()
    table.work_off()
    assert table.words.count(COMPILING) == 1


def test_without_a_compiler_there_are_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hint, "kernel_compiled", refuse)
    table = next(opened())
    table.hints.show()
    table.work_off()
    assert "row " in table.words[-1].lower()


def test_the_best_strategy_gives_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[str] = []

    def noted(board: Board, *, strategy: str, **how: Any) -> Decision:
        used.append(strategy)
        return decide(board, strategy=STRATEGIES["exact"], **how)

    monkeypatch.setattr(hint, "compile_kernel", lambda _progress: None)
    monkeypatch.setattr(hint, "decide", noted)
    table = next(opened())
    table.hints.show()
    table.work_off()
    assert used[0] == "best"


def test_a_hint_names_the_pattern() -> None:
    table = FakeTable(Level(2, 3, 1))
    table.game = SimpleNamespace(  # type: ignore[assignment]
        board=Board.from_rows(["...", "11."], 1), rule=SAFE, first=Cell(1, 0), waiting=None, over=False
    )
    table.hints.show()
    table.work_off()
    assert "Row 0, column 2 is safe, by the pattern 1-1" in table.words[-1]
    assert table.marks.proof == {Cell(1, 0), Cell(1, 1)}


def test_an_error_of_the_solver_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise BotError("that cannot be")

    monkeypatch.setattr(hint, "decide", fail)
    table = next(opened())
    table.hints.show()
    table.work_off()
    assert table.words[-1] == "that cannot be"
    table.autoplay.start(None)
    table.go_on()
    assert table.words[-1] == "that cannot be"
    assert not table.autoplay.running


@pytest.mark.parametrize("seed", range(10_000_000, 10_000_012))
def test_autoplay_plays_to_the_end(seed: int) -> None:
    table = FakeTable(LEVELS["beginner"], seed)
    table.autoplay.start(10)
    assert table.autoplay.running
    table.go_on()
    assert table.game.over
    assert not table.autoplay.running
    times = [time for time, _, _ in table.clicks]
    assert times == pytest.approx([number / 10 for number in range(len(times))])
    assert len({cell for _, _, cell in table.clicks}) == len(table.clicks)


def test_autoplay_goes_to_the_nearest_cell() -> None:
    table = FakeTable(LEVELS["beginner"], 10_000_003)
    table.autoplay.start(None)
    table.go_on()
    rounds = [cell for _, _, cell in table.clicks]
    assert len(rounds) > 5
    ways = [max(abs(a.row - b.row), abs(a.col - b.col)) for a, b in pairwise(rounds)]
    assert sum(way <= 2 for way in ways) > len(ways) / 2


def test_autoplay_stops_when_told_and_goes_on() -> None:
    table = FakeTable(LEVELS["expert"], 10_000_001)
    table.autoplay.start(5)
    table.go_on(3)
    assert len(table.clicks) == 4
    table.autoplay.stop()
    table.go_on()
    assert len(table.clicks) == 4
    assert not table.autoplay.running
    table.autoplay.start(5)
    table.go_on(1)
    assert len(table.clicks) >= 5


def test_a_stop_while_the_solver_thinks() -> None:
    table = FakeTable(LEVELS["beginner"], 10_000_001)
    table.autoplay.start(5)
    table.autoplay.stop()
    table.go_on()
    assert not table.clicks


def test_starting_twice_changes_the_speed() -> None:
    table = FakeTable(LEVELS["expert"], 10_000_001)
    table.autoplay.start(1)
    table.go_on(1)
    table.autoplay.start(10)
    table.go_on(3)
    times = [time for time, _, _ in table.clicks]
    assert times == pytest.approx([0, 1, 1.1, 1.2, 1.3])


def test_stopping_and_starting_at_once_makes_no_second_player() -> None:
    table = FakeTable(LEVELS["expert"], 10_000_001)
    table.autoplay.start(10)
    table.go_on(1)
    for _ in range(3):
        table.autoplay.stop()
        table.autoplay.start(10)
    table.go_on(6)
    times = [time for time, _, _ in table.clicks]
    assert len(times) > 6
    assert len(times[2:]) == len(set(times[2:]))


@pytest.mark.parametrize("thinks", [True, False])
def test_autoplay_goes_on_in_a_new_game(thinks: bool) -> None:
    table = FakeTable(LEVELS["beginner"], 10_000_001)
    table.autoplay.start(10)
    table.go_on(0 if thinks else 1)
    if thinks:
        table.tasks.clear()
        table.autoplay.stop()
        table.autoplay.start(10)  # asks, and has no answer yet
    table.new(LEVELS["beginner"], 10_000_002)
    table.go_on()
    assert table.game.over
    assert not table.autoplay.running


def test_a_click_of_the_user_is_taken_into_account() -> None:
    table = FakeTable(LEVELS["expert"], 10_000_001)
    table.autoplay.start(10)
    table.go_on(2)
    (covered, *_) = table.game.board.cells(State.COVERED)
    table.game.play(Click(Deed.MARK, covered))
    table.forget()
    table.go_on()
    assert table.game.over


def test_autoplay_takes_wrong_flags_away() -> None:
    table = next(opened(Level(9, 9, 3)))
    for cell in table.game.board.cells(State.COVERED):
        table.game.play(Click(Deed.MARK, cell))
    table.autoplay.start(None)
    table.go_on()
    assert table.game.over
    assert Deed.MARK in {deed for _, deed, _ in table.clicks}


def test_autoplay_of_a_game_that_is_over() -> None:
    table = FakeTable(LEVELS["beginner"], 10_000_001)
    table.autoplay.start(None)
    table.go_on()
    before = len(table.clicks)
    table.autoplay.start(None)
    table.go_on()
    assert table.words[-1] == OVER
    assert len(table.clicks) == before


def test_autoplay_waits_until_mines_are_laid() -> None:
    table = FakeTable(LEVELS["beginner"], 10_000_001, Rule(FirstClick.OPENING, no_guess=True))
    table.autoplay.start(10)
    table.go_on(5)
    assert len(table.clicks) == 1
    assert table.game.waiting is not None
    around = {Cell(0, 8), Cell(8, 8), *(Cell(8, col) for col in range(8))}
    table.game.lay(frozenset(around))
    table.forget()
    table.go_on()
    assert table.game.over


def test_autoplay_ends_where_no_mines_can_be_laid() -> None:
    table = FakeTable(LEVELS["beginner"], 10_000_001, Rule(FirstClick.OPENING, no_guess=True))
    table.autoplay.start(10)
    table.go_on(5)
    table.game.give_up_waiting()
    table.go_on()
    assert not table.autoplay.running
    assert len(table.clicks) == 1
