"""Hints, at a window that is none."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from bot.board import Cell, FirstClick, State
from bot.errors import BotError, CompilerError
from bot.game.round import Aid, GameClick, PlayedGame, Rule
from bot.levels import LEVELS, Level
from bot.marks import Kind, Mark
from bot.solver.decision import Action
from bot.solver.explain.hints import chances
from bot.ui.game import assistant
from bot.ui.game.assistant import HintMaker
from bot.verdict import GameState
from bot.words import short_risk

Task = Callable[[], object]
Done = Callable[[object], None]
SMALL = Level(5, 5, 4)
SAFE = Rule()


class FakeWindow:
    """A window that is none: tasks wait until they are let go on."""

    def __init__(self, level: Level = SMALL, seed: int = 1, rule: Rule = SAFE) -> None:
        self.words: list[str] = []
        self.marks: Sequence[Mark] = ()
        self.tasks = deque[tuple[Task, Done]]()
        stands_in: Any = self
        self.hints = HintMaker(stands_in)
        self.new(level, seed, rule)

    def new(self, level: Level = SMALL, seed: int = 1, rule: Rule = SAFE) -> None:
        self.game = PlayedGame(level, rule, seed, lambda: 0.0)
        self.marks = ()

    def mark(self, marks: Sequence[Mark]) -> None:
        self.marks = marks

    def marked(self, kind: Kind) -> list[Cell]:
        """Return the cells that have a mark of this kind."""
        return [mark.cell for mark in self.marks if mark.kind is kind]

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
            (cell,) = window.marked(Kind.NEXT)
            assert f"Row {cell.row + 1}, column {cell.col + 1} is safe" in window.words[-1]
            assert window.marked(Kind.PROOF)
            assert {window.game.board[number] for number in window.marked(Kind.PROOF)} <= set(range(1, 9))
            window.game.play(GameClick(Action.OPEN, cell))
            assert window.game.state is not GameState.LOST
    assert proven > 5


def test_a_hint_marks_the_mines_that_are_known_and_have_no_flag() -> None:
    marked = 0
    for window in opened():
        window.hint()
        mines = frozenset(window.marked(Kind.MINE))
        marked += len(mines)
        assert mines <= (window.game._game.mines or frozenset())
        for mine in sorted(mines)[:1]:
            window.game.play(GameClick(Action.FLAG, mine))
            window.hint()
            assert mine not in window.marked(Kind.MINE)
    assert marked > 50


def click(window: FakeWindow, cell: Cell, deed: Action = Action.OPEN) -> str:
    """Click with the warnings on; return what the window says about it, "" if the click is carried out."""
    window.words.clear()
    before, played = window.game.board, list[GameClick]()
    window.hints.check(GameClick(deed, cell), played.append)
    window.work_off()
    assert window.game.board == before
    assert bool(played) is not bool(window.words)
    return " ".join(window.words)


def test_a_click_that_is_not_safe_is_refused_once() -> None:
    mines = risky = safe = 0
    for window in opened():
        known = chances(window.game.board, compiled=False)
        certain = known.certain(0.0)
        for cell, risk in known.risks.items():
            words = click(window, cell)
            where = f"Row {cell.row + 1}, column {cell.col + 1}"
            if risk == 1.0:
                mines += 1
                assert words == f"{where} is a mine. Click again to open it anyway."
            elif risk and certain:
                risky += 1
                assert words.startswith(f"{where} is not proven safe: its risk is ")
            else:
                safe += 1
                assert not words
            assert not click(window, cell)  # the second time, it is wanted
    assert min(mines, risky, safe) > 20


def test_a_chord_is_refused_if_one_of_its_cells_is_a_mine() -> None:
    refused = 0
    for window in opened():
        board = window.game.board
        known = chances(board, compiled=False)
        for cell, number in board.numbers():
            covered = [near for near in board.neighbours(cell) if board[near] == State.COVERED]
            wrong = [near for near in covered if known.risks[near] != 1.0]
            if (
                number != 1
                or not wrong
                or len(covered) == 1
                or not any(known.risks[c] == 1.0 for c in covered)
            ):
                continue
            assert not click(window, cell, Action.CHORD)  # without a flag, it opens nothing
            window.game.play(GameClick(Action.FLAG, wrong[0]))
            assert "is a mine" in click(window, cell, Action.CHORD)
            window.game.play(GameClick(Action.FLAG, wrong[0]), question_marks=False)
            refused += 1
    assert refused > 5


def test_nothing_is_refused_where_a_guess_is_needed_or_nothing_is_open() -> None:
    window = FakeWindow()
    assert not click(window, Cell(0, 0))
    assert not click(window, Cell(0, 0), Action.FLAG)
    assert window.game.aid is Aid.NONE
    guesses = 0
    for window in opened():
        known = chances(window.game.board, compiled=False)
        if not known.certain(0.0):
            guesses += 1
            cell = next(cell for cell, risk in known.risks.items() if risk < 1)
            assert not click(window, cell)
            assert window.game.aid is Aid.SOLVER
    assert guesses


def test_a_hint_says_that_it_does_not_know() -> None:
    window = FakeWindow(rule=Rule(FirstClick.ANY))
    assert window.hint().startswith("I don't know: nothing is open yet")
    (mark,) = window.marks
    assert mark.kind is Kind.NEXT
    assert 0 < mark.risk < 1
    assert mark.text == short_risk(mark.risk)
    cell = mark.cell
    assert f"row {cell.row + 1}, column {cell.col + 1}" in window.words[-1]


def test_a_hint_for_a_board_that_has_changed_is_dropped() -> None:
    window = next(opened())
    window.hints.show()
    window.new()
    said = list(window.words)
    window.work_off()
    assert window.words == said
    assert window.marks == ()


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
