"""The parts of a record as JSON has them, and back: what was seen, decided and clicked.

Cells are ``[row, col]``, points ``[x, y]``; times are seconds since the record began. Reading raises one of
`NOT_SO` on what is not in this form.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bot.board import Board, Cell
from bot.errors import BoardFormatError
from bot.geometry import Grid, Point
from bot.record.values import Values, chance, file_name, maybe, number, one_of, text, truth, whole
from bot.solver.decision import Action, Alternative, Decision, Judgement, Move, Reason

NOT_SO = (KeyError, TypeError, ValueError, IndexError, AttributeError, BoardFormatError)
STATES = ("new", "running", "won", "lost")
_LARGEST = 1000  # pixels of a cell; the smallest has one
_RESULT = ("won", "outcome", "seconds", "clicks")  # is in every result
_MEASURED = ("bbbv", "bbbv_per_second", "ioe", "guesses", "misreads", "retries")  # numbers, where known


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture of a record: the film it is in, and its number there, from 0."""

    film: str
    number: int


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """One look: when it was taken, where its picture is, and what was read on it.

    ``origin`` is the screen point of the picture's top left corner; ``state`` is new, running, won or lost;
    ``doubts`` says why cells could not be read, in a word each; ``remembered`` are cells that were hidden and
    show what was seen there before, ``unsure`` those from which nothing was proved. ``doubt`` says why the
    whole look was not believed, "" if it was.
    """

    time: float
    shot: Shot
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


@dataclass(frozen=True, slots=True)
class Planned:
    """A click that was decided on: which move it carries out, at which screen point, by which button."""

    move: Move
    point: Point
    button: str


@dataclass(frozen=True, slots=True)
class Sent:
    """What was sent to the system, and when: a click of ``button`` at ``point``, or ``keys``."""

    time: float
    point: Point | None = None
    button: str = ""
    keys: tuple[str, ...] = ()


def seen_as_json(seen: Seen) -> dict[str, Any]:
    """Return a look as JSON has it; what is empty is left out."""
    grid, board = seen.grid, seen.board
    values = {
        "time": round(seen.time, 4),
        "picture": [seen.shot.film, seen.shot.number],
        "origin": [seen.origin.x, seen.origin.y],
        "grid": [grid.x, grid.y, grid.pitch_x, grid.pitch_y],
        "cells": board.lines(),
        "mines": board.mines,
        "state": seen.state,
        "skin": seen.skin,
        "mines_left": seen.mines_left,
    }
    rare = {
        "doubts": [[*cell, word] for cell, word in sorted(seen.doubts.items())],
        "remembered": _cells(seen.remembered),
        "unsure": _cells(seen.unsure),
        "doubt": seen.doubt,
    }
    return values | {name: value for name, value in rare.items() if value}


def seen_of(values: Values) -> Seen:
    """Return the look that JSON describes."""
    board = _board(values["cells"], values["mines"])
    film, place = values["picture"]
    return Seen(
        time=number(values["time"]),
        shot=Shot(file_name(film), whole(place, 0)),
        origin=_point(values["origin"]),
        grid=_grid(values["grid"], board),
        board=board,
        state=one_of(values["state"], STATES),
        skin=text(values["skin"]),
        mines_left=maybe(whole, values["mines_left"]),
        doubts={_cell(board, row, col): text(word) for row, col, word in values.get("doubts", ())},
        remembered=_cells_of(board, values.get("remembered", ())),
        unsure=_cells_of(board, values.get("unsure", ())),
        doubt=text(values.get("doubt", "")),
    )


def decision_as_json(decision: Decision) -> dict[str, Any]:
    """Return a decision as JSON has it, without its proofs, which follow from the board."""
    values: dict[str, Any] = {
        "reason": decision.reason.value,
        "moves": [_move(move) for move in decision.moves],
        "mines": _cells(decision.mines),
        "risks": _risks(decision.risks),
        "exact": decision.exact,
    }
    if decision.judgement is not None:
        values["judgement"] = decision.judgement.value
        values["alternatives"] = [[*one.cell, one.risk, one.score] for one in decision.alternatives]
    if decision.win_chance is not None:
        values["win_chance"] = decision.win_chance
    return values


def decision_of(values: Values, board: Board) -> Decision:
    """Return the decision that JSON describes, which was made on ``board``."""
    reason = Reason(values["reason"])
    moves = tuple(_move_of(board, move) for move in values["moves"])
    if reason is Reason.FIRST_CLICK and not moves:
        raise ValueError("a first click is a move")
    return Decision(
        moves=moves,
        reason=reason,
        mines=_cells_of(board, values["mines"]),
        risks={_cell(board, *cell): chance(risk) for risk, cells in values["risks"] for cell in cells},
        exact=truth(values["exact"]),
        judgement=maybe(Judgement, values.get("judgement")),
        alternatives=tuple(
            Alternative(_cell(board, row, col), chance(risk), maybe(number, score))
            for row, col, risk, score in values.get("alternatives", ())
        ),
        win_chance=maybe(chance, values.get("win_chance")),
    )


def planned_as_json(click: Planned) -> list[Any]:
    """Return a click as JSON has it."""
    return [*_move(click.move), click.point.x, click.point.y, click.button]


def planned_of(values: list[Any], board: Board) -> Planned:
    """Return the click on ``board`` that JSON describes."""
    *move, x, y, button = values
    return Planned(_move_of(board, move), _point((x, y)), text(button))


def sent_as_json(sent: Sent) -> list[Any]:
    """Return what was sent as JSON has it: the time and either a place with a button, or keys."""
    if sent.point is None:
        return [round(sent.time, 4), list(sent.keys)]
    return [round(sent.time, 4), sent.point.x, sent.point.y, sent.button]


def sent_of(values: list[Any]) -> Sent:
    """Return what JSON says was sent."""
    if len(values) == 2:
        return Sent(number(values[0]), keys=tuple(map(text, values[1])))
    time, x, y, button = values
    return Sent(number(time), _point((x, y)), text(button))


def result_of(values: Values) -> Mapping[str, Any]:
    """Return the object that ``play --json`` prints for a game."""
    if missing := [name for name in _RESULT if name not in values]:
        raise ValueError(f"a result without {', '.join(missing)}")
    return {name: _told(name, value) for name, value in values.items()}


def _told(name: str, value: Any) -> Any:
    """Return one value of a result; newer programs may tell more."""
    if name == "won":
        return maybe(truth, value)
    if name in ("seconds", "clicks") or (name in _MEASURED and value is not None):
        number(value, 0)
        return value
    if isinstance(value, float):
        return number(value)
    return text(value) if name == "outcome" or isinstance(value, str) else value


def _move(move: Move) -> list[Any]:
    return [*move.cell, move.action.value, move.risk, move.reason.value]


def _move_of(board: Board, values: list[Any]) -> Move:
    row, col, action, risk, reason = values
    return Move(_cell(board, row, col), Action(action), chance(risk), Reason(reason))


def _risks(risks: Mapping[Cell, float]) -> list[Any]:
    """Return risks with the cells of each: there are few that differ, since cells of a group have one."""
    cells: dict[float, list[Cell]] = {}
    for cell, risk in risks.items():
        cells.setdefault(risk, []).append(cell)
    return [[risk, alike] for risk, alike in cells.items()]


def _cells(cells: Collection[Cell]) -> list[Cell]:
    return sorted(cells)


def _cells_of(board: Board, values: Iterable[Iterable[int]]) -> frozenset[Cell]:
    return frozenset(_cell(board, *cell) for cell in values)


def _cell(board: Board, row: Any, col: Any) -> Cell:
    """Return a cell, which is on the board."""
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
