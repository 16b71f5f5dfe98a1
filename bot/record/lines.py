"""The lines of a record: their contents, their form as JSON, and how a run is read back from them.

A record is a folder with the file `LINES`, one JSON object on each line. The first line describes the run.
Then come the rounds (each written before its clicks are sent), the clicks that were sent, the pictures, the
looks that were not trusted, and the ends of games. The last line says why the run ended. If the run was
killed, only the last lines are missing. Cells are ``[row, col]``, points ``[x, y]``, times are seconds since
the record began. Reading a malformed line raises one of the errors in `MALFORMED`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self, TypeVar

from bot.board import Board, Cell, FirstClick
from bot.clicker.clicks import Click
from bot.desktop.protocols import Button
from bot.errors import BoardFormatError, RecordError, UsageError
from bot.files import opened
from bot.geometry import Grid, Pixels, Point, Rect
from bot.record.pictures import Layer, Pictures
from bot.solver import STRATEGIES
from bot.solver.decision import Action, Alternative, Decision, Judgement, Move, Reason

Values = Mapping[str, Any]
T = TypeVar("T")

MALFORMED = (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, BoardFormatError)
LINES = "record.jsonl"
VERSION = 2
_MOST_BYTES = 1 << 29  # bytes of a record; an expert game takes some 50,000
_BEFORE = "record.jsonl.gz"  # the file of version 1
_SMALLEST, _LARGEST = 1.0, 1000.0  # limits for the size of a cell, in pixels
_FAR = 10_000_000_000  # the largest absolute value that a number in a record may have
_SIDE = 1 << 16  # pixels; the largest width and height of a picture
_STATES = {"new", "running", "won", "lost"}
_RESULT = {"won", "outcome", "seconds", "clicks"}  # the keys that every result of a game has
_MEASURED = ("seconds", "clicks", "bbbv", "bbbv_per_second", "ioe", "guesses", "misreads", "retries")


def whole(value: Any, least: int = -_FAR, most: int = _FAR) -> int:
    """Return ``value`` if it is an int from ``least`` to ``most``. Raises ValueError for anything else."""
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{value!r:.40} is not a whole number from {least} to {most}")
    return value


def number(value: Any, least: float = -_FAR, most: float = _FAR) -> float:
    """Return ``value`` as a float if it is a number from ``least`` to ``most``, else raise ValueError."""
    if type(value) not in (int, float) or not least <= value <= most:
        raise ValueError(f"{value!r:.40} is not a number from {least:g} to {most:g}")
    return float(value)


def text(value: Any) -> str:
    """Return ``value`` if it is a str that can be written as UTF-8. Raises ValueError for anything else."""
    if not isinstance(value, str):
        raise ValueError(f"{value!r:.40} is not text")
    value.encode()  # a lone surrogate raises UnicodeEncodeError, which is a ValueError
    return value


def truth(value: Any) -> bool:
    """Return ``value`` if it is a bool. Raises ValueError for anything else."""
    if not isinstance(value, bool):
        raise ValueError(f"{value!r:.40} is not true or false")
    return value


def one_of(known: Iterable[str], value: Any) -> str:
    """Return ``value`` if it is one of the ``known`` words. Raises ValueError for anything else."""
    words = list(known)
    if value not in words:
        raise ValueError(f"{value!r:.40} is not one of {', '.join(words)}")
    return str(value)


def maybe(read: Callable[[Any], T], value: Any) -> T | None:
    """Return ``read(value)``, or None if ``value`` is None. Raises what ``read`` raises."""
    return None if value is None else read(value)


@dataclass(frozen=True, slots=True)
class RunInfo:
    """Facts about the run: version of ``program``, start time ``began`` (ISO 8601), target, rule, options.

    ``rule`` is the value of a `bot.board.FirstClick`: the target's rule for the first click. ``settings``
    maps the names of all other options to their values as given.
    """

    program: str
    began: str
    target: str
    rule: str
    strategy: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, values: Values) -> Self:
        """Return the facts from the JSON object ``values``."""
        settings = values["settings"]
        if not isinstance(settings, dict):
            raise ValueError(f"{settings!r:.40} are not settings")
        json.dumps(settings, ensure_ascii=False, allow_nan=False).encode()  # else ValueError
        return cls(
            program=text(values["program"]),
            began=text(values["began"]),
            target=text(values["target"]),
            rule=one_of((rule.value for rule in FirstClick), values["rule"]),
            strategy=one_of(STRATEGIES, values["strategy"]),
            settings=settings,
        )


@dataclass(frozen=True, slots=True, eq=False)
class RecordedLook:
    """One look at the screen: its time, the number of its picture in the record, and the reading of it.

    ``origin`` is the screen point of the picture's top left corner. ``state`` is new, running, won or lost.
    ``doubts`` gives for each cell that could not be read the reason, in one word. ``remembered`` are hidden
    cells that show their earlier state; ``unsure`` are cells that no proof may use. ``doubt`` is the reason
    why the whole look was not trusted, "" if it was trusted.
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
        """The board without the numbers of the ``unsure`` cells."""
        return self.board.without_numbers(self.unsure)

    def as_json(self) -> dict[str, Any]:
        """Return the look as a value for JSON, without the optional parts that are empty."""
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
        """Return the look from the JSON object ``values``."""
        board = Board.from_rows(values["cells"], maybe(whole, values["mines"]))
        x, y, *pitch = values["grid"]
        pitch_x, pitch_y = (number(side, _SMALLEST, _LARGEST) for side in pitch)
        return cls(
            time=number(values["time"]),
            picture=whole(values["picture"]),
            origin=_point(*values["origin"]),
            grid=Grid(number(x), number(y), pitch_x, pitch_y, board.rows, board.cols),
            board=board,
            state=one_of(_STATES, values["state"]),
            skin=text(values["skin"]),
            mines_left=maybe(whole, values["mines_left"]),
            doubts={_cell(board, row, col): text(word) for row, col, word in values.get("doubts", ())},
            remembered=_cells(board, values.get("remembered", ())),
            unsure=_cells(board, values.get("unsure", ())),
            doubt=text(values.get("doubt", "")),
        )


@dataclass(frozen=True, slots=True)
class SentInput:
    """A click of ``button`` at ``point``, or ``keys`` pressed together, with the time when it was sent."""

    time: float
    point: Point | None = None
    button: str = ""
    keys: tuple[str, ...] = ()

    def as_json(self) -> list[Any]:
        """Return a JSON list: the time, then either x, y and the button, or the list of keys."""
        if self.point is None:
            return [round(self.time, 4), list(self.keys)]
        return [round(self.time, 4), self.point.x, self.point.y, self.button]

    @classmethod
    def read(cls, values: list[Any]) -> Self:
        """Return the click or keys from the JSON list ``values``."""
        time, *what = values
        if len(what) == 1:
            return cls(number(time), keys=tuple(text(key) for key in what[0]))
        x, y, button = what
        return cls(number(time), _point(x, y), text(button))


def layer_as_json(layer: Layer) -> dict[str, Any]:
    """Return the layer of a picture as a value for JSON."""
    box = [layer.box.x, layer.box.y, layer.box.width, layer.box.height]
    return {"box": box, "whole": layer.whole, "png": layer.png}


def read_layer(values: Values) -> Layer:
    """Return the layer of a picture from the JSON object ``values``."""
    x, y, width, height = values["box"]
    box = Rect(whole(x, 0, _SIDE), whole(y, 0, _SIDE), whole(width, 1, _SIDE), whole(height, 1, _SIDE))
    return Layer(box, text(values["png"]), truth(values["whole"]))


def click_as_json(click: Click) -> list[Any]:
    """Return a planned click as a list for JSON."""
    return [*_move_as_json(click.move), click.point.x, click.point.y, click.button.value]


def read_click(values: list[Any], board: Board) -> Click:
    """Return the planned click on ``board`` from the JSON list ``values``."""
    *move, x, y, button = values
    return Click(_point(x, y), Button(button), _move(board, move))


def decision_as_json(decision: Decision) -> dict[str, Any]:
    """Return a decision as a value for JSON, without its proofs, which can be found again from the board."""
    risks: dict[float, list[Cell]] = {}  # grouped by risk: all cells of a group have the same one
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
    """Return the decision on ``board`` from the JSON object ``values``."""
    reason = Reason(values["reason"])
    moves = tuple(_move(board, move) for move in values["moves"])
    if reason is Reason.FIRST_CLICK and not moves:
        raise ValueError("a first click is a move")
    return Decision(
        moves=moves,
        reason=reason,
        mines=_cells(board, values["mines"]),
        risks={_cell(board, *cell): number(risk) for risk, cells in values["risks"] for cell in cells},
        exact=truth(values["exact"]),
        judgement=Judgement(values["judgement"]) if "judgement" in values else None,
        alternatives=tuple(
            Alternative(_cell(board, row, col), number(risk), maybe(number, score))
            for row, col, risk, score in values.get("alternatives", ())
        ),
        win_chance=maybe(number, values.get("win_chance")),
    )


def _move_as_json(move: Move) -> list[Any]:
    return [*move.cell, move.action.value, move.risk, move.reason.value]


def _move(board: Board, values: list[Any]) -> Move:
    row, col, action, risk, reason = values
    return Move(_cell(board, row, col), Action(action), number(risk), Reason(reason))


def _point(x: Any, y: Any) -> Point:
    return Point(whole(x), whole(y))


def _cells(board: Board, values: Iterable[Iterable[int]]) -> frozenset[Cell]:
    return frozenset(_cell(board, *cell) for cell in values)


def _cell(board: Board, row: int, col: int) -> Cell:
    row, col = whole(row), whole(col)
    if not (0 <= row < board.rows and 0 <= col < board.cols):
        raise ValueError(f"({row}, {col}) is off the board")
    return Cell(row, col)


@dataclass(frozen=True, slots=True, eq=False)
class RecordedRound:
    """One round: the look, the decision and its time, the clicks planned, and the clicks and keys sent."""

    game: int
    number: int
    seen: RecordedLook
    decided: float
    decision: Decision
    clicks: tuple[Click, ...]
    sent: tuple[SentInput, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class RecordedGame:
    """One game: its rounds and, if it was played to its end, its final look and ``result``.

    ``result`` is the object that ``play --json`` prints for a game. ``unclear`` are the looks that were not
    trusted.
    """

    number: int
    rounds: tuple[RecordedRound, ...]
    final: RecordedLook | None = None
    result: Mapping[str, Any] | None = None
    unclear: tuple[RecordedLook, ...] = ()

    @property
    def looks(self) -> Iterator[RecordedLook]:
        """The looks of the rounds, then the final look if there is one."""
        yield from (turn.seen for turn in self.rounds)
        if self.final is not None:
            yield self.final


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """A run. ``ended`` says why it ended (None: it was killed), ``missing`` which parts are missing.

    ``damaged`` is true if lines or pictures are missing that a killed run would have.
    """

    folder: Path
    about: RunInfo
    games: tuple[RecordedGame, ...]
    pictures: Pictures
    ended: str | None
    missing: tuple[str, ...] = ()
    damaged: bool = False

    def picture(self, seen: RecordedLook) -> Pixels:
        """Return the picture of a look, uint8 BGR of shape (height, width, 3); reading them in order is fast.

        Raises RecordError if the picture is missing or damaged.
        """
        try:
            return self.pictures.picture(seen.picture)
        except ValueError as error:
            words = f"the picture {seen.picture} of {self.folder / LINES} is missing or damaged"
            raise RecordError(words) from error


def load_record(place: str | Path) -> Record:
    """Return the undamaged part of the record in a folder; `Record.missing` says what is missing.

    Raises UsageError if the folder has no record, RecordError for one that cannot be read or has another
    version.
    """
    folder = Path(place)
    folder = folder.parent if folder.name == LINES else folder
    lines, damaged = _read_lines(folder)
    if not lines:
        raise RecordError(f"{folder / LINES} has no readable line: it is not a record, or was cut off")
    about, rest = _about(lines[0], folder), _Rest()
    for values in lines[1:]:
        try:
            rest.take(values)
        except MALFORMED:
            damaged = True
    games, pictures = rest.games(), Pictures(rest.layers)
    missing = [] if rest.ended is not None else [f"the run was cut off {_last_words(games)}"]
    damage = [*_damage(games, pictures, damaged)]
    return Record(folder, about, games, pictures, rest.ended, (*missing, *damage), bool(damage))


def is_record(place: Path) -> bool:
    """Return whether a path is a folder with a record in it, or the file `LINES` of a record."""
    return place.name == LINES or (place / LINES).is_file()


def _read_lines(folder: Path) -> tuple[list[Values], bool]:
    """Return the JSON objects of a record, and whether a line is damaged (not only cut off at the end)."""
    lines, damaged = list[Values](), False
    try:
        with opened(folder / LINES, _MOST_BYTES) as file:
            for line in file:
                if not line.endswith(b"\n"):
                    break
                values = _parsed(line)
                if values is None:
                    damaged = True
                else:
                    lines.append(values)
    except (FileNotFoundError, NotADirectoryError) as error:
        if (folder / _BEFORE).is_file():
            words = f"the record {folder} is of version 1, this program reads version {VERSION}"
            raise RecordError(f"{words}: record the run again") from error
        raise UsageError(f"there is no record in {folder}: give a folder written by --record") from error
    except OSError as error:
        raise RecordError(f"the record {folder} cannot be read: {error.strerror}") from error
    return lines, damaged


def _parsed(line: bytes) -> Values | None:
    """Return the JSON object in ``line``, None if it is damaged."""
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):  # the latter for a line that is nested too deeply
        return None
    return values if isinstance(values, dict) else None


def _about(values: Values, folder: Path) -> RunInfo:
    version = values.get("record")
    if not isinstance(version, int):
        raise RecordError(f"{folder / LINES} is not a minebot record: its first line has no record version")
    if version != VERSION:
        raise RecordError(
            f"the record {folder} is of version {version}, this program reads version {VERSION}: "
            f"use minebot {values.get('program', 'of that time')}, which wrote it"
        )
    try:
        return RunInfo.read(values)
    except KeyError as error:
        raise RecordError(f"the first line of {folder / LINES} lacks {error}") from error
    except MALFORMED as error:
        raise RecordError(f"the first line of {folder / LINES} is damaged: {error}") from error


class _Rest:
    """The lines after the first, sorted into games."""

    def __init__(self) -> None:
        self.ended: str | None = None
        self.layers: dict[int, Layer] = {}
        self._rounds: dict[int, list[RecordedRound]] = {}
        self._sent: dict[tuple[int, int], tuple[SentInput, ...]] = {}
        self._ends: dict[int, tuple[RecordedLook, Mapping[str, Any] | None]] = {}
        self._unclear: dict[int, list[RecordedLook]] = {}

    def take(self, values: Values) -> None:
        """Store one line. Ignore a line of an unknown kind: newer versions of the program may write more."""
        game = whole(values.get("game", 0))
        match values["kind"]:
            case "picture":
                self.layers[whole(values["picture"])] = read_layer(values)
            case "round":
                turn = _round(values)
                self._rounds.setdefault(game, []).append(turn)
            case "sent":
                place = game, whole(values["round"])  # keys for the next game are sent after the end of this
                self._sent[place] = self._sent.get(place, ()) + tuple(map(SentInput.read, values["sent"]))
            case "unclear":
                seen = RecordedLook.read(values)
                self._unclear.setdefault(game, []).append(seen)
            case "end":
                result = values["result"]
                if result is not None:
                    _check_result(result)
                self._ends[game] = RecordedLook.read(values), result
            case "stop":
                self.ended = text(values["why"])

    def games(self) -> tuple[RecordedGame, ...]:
        """Return the games, ordered by their numbers."""
        games = list[RecordedGame]()
        for game in sorted({*self._rounds, *self._ends, *self._unclear}):
            rounds = tuple(
                replace(turn, sent=self._sent.get((game, turn.number), ()))
                for turn in self._rounds.get(game, ())
            )
            final, result = self._ends.get(game, (None, None))
            games.append(RecordedGame(game, rounds, final, result, tuple(self._unclear.get(game, ()))))
        return tuple(games)


def _check_result(result: Values) -> None:
    """Raise ValueError if the result of a game lacks a key, or if a value has the wrong type."""
    if not result.keys() >= _RESULT:
        raise ValueError("the result of a game lacks a part")
    maybe(truth, result["won"])
    text(result["outcome"])
    for name in _MEASURED:
        maybe(number, result.get(name))


def _round(values: Values) -> RecordedRound:
    seen = RecordedLook.read(values)
    return RecordedRound(
        whole(values["game"]),
        whole(values["round"]),
        seen,
        number(values["decided"]),
        read_decision(values["decision"], seen.board),
        tuple(read_click(click, seen.board) for click in values["clicks"]),
    )


def _damage(games: Sequence[RecordedGame], pictures: Pictures, lines_damaged: bool) -> Iterator[str]:
    if lines_damaged:
        yield "some lines are damaged and were left out"
    looks = [seen for game in games for seen in (*game.looks, *game.unclear)]
    if lost := sum(not pictures.needed(seen.picture) for seen in looks):
        yield f"{lost} of {len(looks)} pictures are missing"


def _last_words(games: Sequence[RecordedGame]) -> str:
    if not games:
        return "before its first round"
    game = games[-1]
    if game.final is not None:
        return f"after game {game.number}"
    return f"in game {game.number}, after round {game.rounds[-1].number if game.rounds else 0}"
