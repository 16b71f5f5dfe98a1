"""The JSON form of a record's parts: the run, looks, decisions, planned and sent clicks.

Cells are ``[row, col]``, points ``[x, y]``; times are seconds since the record began. A line can be in order
as JSON and yet say what no run could have written, because it was changed by hand or by a fault of the disk:
reading it raises one of `MALFORMED`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self, TypeVar

from bot.board import Board, Cell, FirstClick
from bot.errors import BoardFormatError
from bot.geometry import Grid, Point
from bot.solver import STRATEGIES
from bot.solver.decision import Action, Alternative, Decision, Judgement, Move, Reason

T = TypeVar("T")
Values = Mapping[str, Any]

MALFORMED = (KeyError, TypeError, ValueError, IndexError, AttributeError, BoardFormatError)
STATES = ("new", "running", "won", "lost")
_FAR = 1e9  # nothing in a record is as large: no time in seconds, no place in pixels, no count
_LARGEST = 1000  # pixels of a cell; the smallest has one
_ROUNDING = 1e-6  # by which a sum of chances may be more than 1
_MEASURED = ("bbbv", "bbbv_per_second", "ioe", "guesses", "misreads", "retries")  # numbers, where known


@dataclass(frozen=True, slots=True)
class About:
    """The run: the version of the ``program``, when it began (ISO 8601), the target, and the options.

    ``rule`` is what the target promises about the first click, by the name of `bot.board.FirstClick`.
    ``settings`` are all other options by their names, as they were given.
    """

    program: str
    began: str
    target: str
    rule: str
    strategy: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return asdict(self)

    @classmethod
    def read(cls, values: Values) -> Self:
        """Return what JSON says of a run."""
        return cls(
            program=text(values["program"]),
            began=text(values["began"]),
            target=text(values["target"]),
            rule=one_of(values["rule"], [rule.value for rule in FirstClick]),
            strategy=one_of(values["strategy"], STRATEGIES),
            settings=_settings(values["settings"]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """One look: when it was taken, which picture of the record it is, and what was read on it.

    ``origin`` is the screen point of the picture's top left corner; ``state`` is new, running, won or lost;
    ``doubts`` says why cells could not be read, in a word each; ``remembered`` are cells that were hidden and
    show what was seen there before, ``unsure`` those from which nothing was proved. ``doubt`` says why the
    whole look was not believed, "" if it was.
    """

    time: float
    picture: int
    origin: Point
    grid: Grid
    board: Board
    state: str
    skin: str
    mines_left: int | None
    doubts: Mapping[Cell, str]
    remembered: frozenset[Cell]
    unsure: frozenset[Cell]
    doubt: str = ""

    @property
    def careful(self) -> Board:
        """The board without the numbers that are not sure."""
        return self.board.without_numbers(self.unsure)

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON has it; what is empty is left out."""
        grid, board = self.grid, self.board
        values = {
            "time": round(self.time, 4),
            "picture": self.picture,
            "origin": [self.origin.x, self.origin.y],
            "grid": [grid.x, grid.y, grid.pitch_x, grid.pitch_y],
            "cells": board.lines(),
            "mines": board.mines,
            "state": self.state,
            "skin": self.skin,
            "mines_left": self.mines_left,
        }
        rare = {
            "doubts": [[*cell, word] for cell, word in sorted(self.doubts.items())],
            "remembered": sorted(self.remembered),
            "unsure": sorted(self.unsure),
            "doubt": self.doubt,
        }
        return values | {name: value for name, value in rare.items() if value}

    @classmethod
    def read(cls, values: Values) -> Self:
        """Return the look that JSON describes."""
        board = _board(values["cells"], values["mines"])
        return cls(
            time=number(values["time"]),
            picture=whole(values["picture"], 0),
            origin=_point(values["origin"]),
            grid=_grid(values["grid"], board),
            board=board,
            state=one_of(values["state"], STATES),
            skin=text(values["skin"]),
            mines_left=maybe(whole, values["mines_left"]),
            doubts={_cell(board, row, col): text(word) for row, col, word in values.get("doubts", ())},
            remembered=_cells(board, values.get("remembered", ())),
            unsure=_cells(board, values.get("unsure", ())),
            doubt=text(values.get("doubt", "")),
        )


@dataclass(frozen=True, slots=True)
class Planned:
    """A planned click: the move that it carries out, its screen point and its button."""

    move: Move
    point: Point
    button: str

    def as_json(self) -> list[Any]:
        """Return it as JSON has it."""
        return [*_move_as_json(self.move), self.point.x, self.point.y, self.button]

    @classmethod
    def read(cls, values: list[Any], board: Board) -> Self:
        """Return the click on ``board`` that JSON describes."""
        *move, x, y, button = values
        return cls(_move(board, move), _point((x, y)), text(button))


@dataclass(frozen=True, slots=True)
class Sent:
    """A click of ``button`` at ``point``, or ``keys``, that was sent to the system, and when."""

    time: float
    point: Point | None = None
    button: str = ""
    keys: tuple[str, ...] = ()

    def as_json(self) -> list[Any]:
        """Return it as JSON has it: the time and either a place with a button, or keys."""
        if self.point is None:
            return [round(self.time, 4), list(self.keys)]
        return [round(self.time, 4), self.point.x, self.point.y, self.button]

    @classmethod
    def read(cls, values: list[Any]) -> Self:
        """Return what JSON says was sent."""
        if len(values) == 2:
            return cls(number(values[0]), keys=tuple(map(text, values[1])))
        time, x, y, button = values
        return cls(number(time), _point((x, y)), text(button))


def decision_as_json(decision: Decision) -> dict[str, Any]:
    """Return a decision as JSON has it, without its proofs, which follow from the board."""
    risks: dict[float, list[Cell]] = {}  # cells of a group have one risk: few differ
    for cell, risk in decision.risks.items():
        risks.setdefault(risk, []).append(cell)
    values: dict[str, Any] = {
        "reason": decision.reason.value,
        "moves": [_move_as_json(move) for move in decision.moves],
        "mines": sorted(decision.mines),
        "risks": [[risk, cells] for risk, cells in risks.items()],
        "exact": decision.exact,
    }
    if decision.judgement is not None:
        values["judgement"] = decision.judgement.value
        values["alternatives"] = [[*one.cell, one.risk, one.score] for one in decision.alternatives]
    if decision.win_chance is not None:
        values["win_chance"] = decision.win_chance
    return values


def read_decision(values: Values, board: Board) -> Decision:
    """Return the decision that JSON describes, which was made on ``board``."""
    reason = Reason(values["reason"])
    moves = tuple(_move(board, move) for move in values["moves"])
    if reason is Reason.FIRST_CLICK and not moves:
        raise ValueError("a first click is a move")
    return Decision(
        moves=moves,
        reason=reason,
        mines=_cells(board, values["mines"]),
        risks={_cell(board, *cell): chance(risk) for risk, cells in values["risks"] for cell in cells},
        exact=truth(values["exact"]),
        judgement=maybe(Judgement, values.get("judgement")),
        alternatives=tuple(
            Alternative(_cell(board, row, col), chance(risk), maybe(number, score))
            for row, col, risk, score in values.get("alternatives", ())
        ),
        win_chance=maybe(chance, values.get("win_chance")),
    )


def read_result(values: Values) -> Values:
    """Return the object that ``play --json`` prints for a game; newer programs may tell more."""
    maybe(truth, values["won"])
    text(values["outcome"])
    for name in ("seconds", "clicks"):
        number(values[name], 0)
    for name in _MEASURED:
        if values.get(name) is not None:
            number(values[name], 0)
    for value in values.values():
        if isinstance(value, float | str):
            (number if isinstance(value, float) else text)(value)
    return values


def number(value: Any, least: float = -_FAR, most: float = _FAR) -> float:
    """Return a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{value!r:.40} is no number")
    if not (least <= value <= most and math.isfinite(value)):
        raise ValueError(f"{value!r:.40} is not between {least:g} and {most:g}")
    return float(value)


def whole(value: Any, least: float = -_FAR, most: float = _FAR) -> int:
    """Return a whole number."""
    if not isinstance(value, int):
        raise ValueError(f"{value!r:.40} is no whole number")
    return int(number(value, least, most))


def chance(value: Any) -> float:
    """Return a number from 0 to 1."""
    return number(value, 0, 1 + _ROUNDING)


def truth(value: Any) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        raise ValueError(f"{value!r:.40} is neither true nor false")
    return value


def text(value: Any) -> str:
    """Return a text that can be written anywhere: without the character 0, or half a character."""
    if not isinstance(value, str) or "\0" in value:
        raise ValueError(f"{value!r:.40} is no text")
    value.encode()
    return value


def one_of(value: Any, known: Collection[str]) -> str:
    """Return a text that is known."""
    name = text(value)
    if name not in known:
        raise ValueError(f"{name!r:.40} is none of {', '.join(known)}")
    return name


def maybe(read: Callable[[Any], T], value: Any) -> T | None:
    """Return what ``read`` returns; None stays None."""
    return None if value is None else read(value)


def _settings(values: Any) -> Mapping[str, Any]:
    if not isinstance(values, dict):
        raise ValueError(f"{values!r:.40} are no settings")
    for name, value in values.items():
        text(name)
        text(str(value))
    return values


def _move_as_json(move: Move) -> list[Any]:
    return [*move.cell, move.action.value, move.risk, move.reason.value]


def _move(board: Board, values: list[Any]) -> Move:
    row, col, action, risk, reason = values
    return Move(_cell(board, row, col), Action(action), chance(risk), Reason(reason))


def _cells(board: Board, values: Iterable[Iterable[int]]) -> frozenset[Cell]:
    return frozenset(_cell(board, *cell) for cell in values)


def _cell(board: Board, row: Any, col: Any) -> Cell:
    return Cell(whole(row, 0, board.rows - 1), whole(col, 0, board.cols - 1))


def _board(rows: Any, mines: Any) -> Board:
    if not isinstance(rows, list):
        raise ValueError("the cells of a board are a list of rows")
    return Board.from_rows(map(text, rows), maybe(whole, mines))


def _grid(values: Iterable[Any], board: Board) -> Grid:
    x, y, *pitches = values
    pitch_x, pitch_y = (number(pitch, 1, _LARGEST) for pitch in pitches)
    return Grid(number(x), number(y), pitch_x, pitch_y, board.rows, board.cols)


def _point(values: Iterable[Any]) -> Point:
    x, y = map(whole, values)
    return Point(x, y)
