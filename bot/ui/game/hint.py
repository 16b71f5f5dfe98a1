"""Hint (F3): a proven cell and why it is safe, or the words "I don't know" and the least risk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from bot.board import Board, Cell, FirstClick
from bot.errors import BotError, CompilerError
from bot.solver import BEST, EXACT, Decision, Strategy, decide
from bot.solver.compilation import compile_kernel, kernel_compiled
from bot.solver.explain.hints import Hint, explain
from bot.ui.game.marks import Marks

if TYPE_CHECKING:
    from bot.ui.game.hooks import WindowControls

THINKING = "Looking for a cell that is safe..."
COMPILING = "The solver is being compiled, once; that takes up to half a minute."


@dataclass(frozen=True, slots=True)
class Question:
    """What the solver may know of a game: what is seen, what is promised, and where it began."""

    board: Board
    rule: FirstClick
    first: Cell | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What to do on a board, and why in words, where that was asked for."""

    decision: Decision
    hint: Hint | None = None


class Solver:
    """Decides without freezing the window. Only what was asked last is answered, unless that is forgotten."""

    def __init__(self, table: WindowControls) -> None:
        self._table = table
        self._number = 0  # of the last question
        self._strategy: Strategy | None = None  # None until the solver is compiled, or is known not to be

    def ask(self, done: Callable[[Answer | BotError], None], *, why: bool = False) -> None:
        """Call ``done`` with what to do in the game as it is now, and ``why``; or with an error in words."""
        self._number += 1
        number, game = self._number, self._table.game
        if self._strategy is None:
            self._table.work(_ready, partial(self._tell_if_compiling, number))
        question = Question(game.board, game.rule.first_click, game.first)
        task = partial(self._answer, number, question, why)
        self._table.work(task, partial(self._hand_on, number, done))

    def forget(self) -> None:
        """Leave the last question without an answer."""
        self._number += 1

    def _tell_if_compiling(self, number: int, ready: object) -> None:
        if number == self._number and ready is False:
            self._table.say(COMPILING)

    def _answer(self, number: int, question: Question, why: bool) -> Answer | None:
        """Return the answer to a question, None if it is forgotten by now; not in the window's thread."""
        if number != self._number:
            return None
        self._strategy = self._strategy or _compiled()
        decision = decide(question.board, rule=question.rule, strategy=self._strategy, first=question.first)
        return Answer(decision, explain(question.board, decision) if why else None)

    def _hand_on(self, number: int, done: Callable[[Answer | BotError], None], answer: object) -> None:
        if number == self._number and isinstance(answer, Answer | BotError):
            done(answer)


def _ready() -> bool:
    """Return whether nothing is left to be compiled, which is so, too, where there is no compiler."""
    try:
        return kernel_compiled()
    except CompilerError:
        return True


def _compiled() -> Strategy:
    """Compile what the best strategy needs; return the best one that there is."""
    try:
        compile_kernel(lambda _done, _total: None)
    except CompilerError:
        return EXACT
    return BEST


class HintMaker:
    """Shows hints in a window; it is `hooks.Hints`."""

    def __init__(self, table: WindowControls) -> None:
        self._table, self._solver = table, Solver(table)

    def show(self) -> None:
        """Show a hint for the board as it is; nothing while its mines are being laid."""
        if self._table.game.waiting is None:
            self._table.say(THINKING)
            self._solver.ask(self._tell, why=True)

    def forget(self) -> None:
        """Drop what is being worked out: the board has changed."""
        self._solver.forget()

    def _tell(self, answer: Answer | BotError) -> None:
        if isinstance(answer, BotError):
            self._table.say(str(answer))
        elif answer.hint is not None:
            self._table.mark(marks_of(answer.hint))
            self._table.say(answer.hint.sentence)


def marks_of(hint: Hint) -> Marks:
    """Return the marks for a hint: its cell, and the numbers that prove it."""
    cells = frozenset[Cell]() if hint.cell is None else frozenset({hint.cell})
    if hint.proven:
        return Marks(safe=cells, proof=frozenset(hint.numbers))
    return Marks(offer=cells)
