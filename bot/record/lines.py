"""The lines of a record: what each kind holds, its form as JSON, and how a run is read back from them.

A record is a folder with the file `LINES`, one JSON object in each line. The first line describes the run.
Then comes a line for each round, written before its clicks are sent, for the clicks that were sent, for each
picture, for each look that was not believed, and for each game. A last line says why the run ended. If the
run was killed, only the last lines are missing. Cells are ``[row, col]``, points ``[x, y]``, times seconds
since the record began. Reading a malformed line raises one of `MALFORMED`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from bot.board import Board, Cell, FirstClick
from bot.clicker import Click
from bot.desktop.protocols import Button
from bot.errors import BoardFormatError, RecordError
from bot.geometry import Grid, Pixels, Point
from bot.record.pictures import Layer, Pictures
from bot.record.values import maybe, number, one_of, text, truth, whole
from bot.solver import STRATEGIES
from bot.solver.decision import Action, Alternative, Decision, Judgement, Move, Reason

Values = Mapping[str, Any]

MALFORMED = (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, BoardFormatError)
LINES = "record.jsonl"
VERSION = 2
_BEFORE = "record.jsonl.gz"  # of version 1
_SMALLEST, _LARGEST = 1.0, 1000.0  # pixels: cells of a board
_STATES = {"new", "running", "won", "lost"}
_RESULT = {"won", "outcome", "seconds", "clicks"}  # the least that the result of a game tells
_MEASURED = ("seconds", "clicks", "bbbv", "bbbv_per_second", "ioe", "guesses", "misreads", "retries")


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
        settings = values["settings"]
        if not isinstance(settings, dict):
            raise ValueError(f"{settings!r:.40} are no settings")
        json.dumps(settings, ensure_ascii=False, allow_nan=False).encode()  # what cannot be written is none
        return cls(
            program=text(values["program"]),
            began=text(values["began"]),
            target=text(values["target"]),
            rule=one_of((rule.value for rule in FirstClick), values["rule"]),
            strategy=one_of(STRATEGIES, values["strategy"]),
            settings=settings,
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
        time, *what = values
        if len(what) == 1:
            return cls(number(time), keys=tuple(text(key) for key in what[0]))
        x, y, button = what
        return cls(number(time), _point(x, y), text(button))


def click_as_json(click: Click) -> list[Any]:
    """Return a planned click as JSON has it."""
    return [*_move_as_json(click.move), click.point.x, click.point.y, click.button.value]


def read_click(values: list[Any], board: Board) -> Click:
    """Return the planned click on ``board`` that JSON describes."""
    *move, x, y, button = values
    return Click(_point(x, y), Button(button), _move(board, move))


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
        raise ValueError(f"({row}, {col}) is beside the board")
    return Cell(row, col)


@dataclass(frozen=True, slots=True, eq=False)
class RecordedRound:
    """One round: what was seen, what was decided at ``decided``, which clicks were planned, which sent."""

    game: int
    number: int
    seen: Seen
    decided: float
    decision: Decision
    clicks: tuple[Click, ...]
    sent: tuple[Sent, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class RecordedGame:
    """A game: its rounds, and, if it was played to its end, its last look and ``result``.

    ``result`` is the object that ``play --json`` prints for a game. ``unclear`` are looks that were not
    believed.
    """

    number: int
    rounds: tuple[RecordedRound, ...]
    final: Seen | None = None
    result: Mapping[str, Any] | None = None
    unclear: tuple[Seen, ...] = ()

    @property
    def looks(self) -> Iterator[Seen]:
        """The looks of its rounds, and the last one if there is one."""
        yield from (turn.seen for turn in self.rounds)
        if self.final is not None:
            yield self.final


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """A run. ``ended`` says why it ended, None if it was killed; ``missing`` what is missing, in words."""

    folder: Path
    about: About
    games: tuple[RecordedGame, ...]
    pictures: Pictures
    ended: str | None
    missing: tuple[str, ...] = ()

    def picture(self, seen: Seen) -> Pixels:
        """Return the picture of a look, uint8 BGR of shape (height, width, 3); they come fast in their order.

        Raises RecordError if it is missing or damaged.
        """
        try:
            return self.pictures.picture(seen.picture)
        except ValueError as error:
            words = f"the picture {seen.picture} of {self.folder / LINES} is missing or damaged"
            raise RecordError(words) from error


def load_record(place: str | Path) -> Record:
    """Return the record in a folder, as far as it is whole; ``missing`` says what is not.

    Raises RecordError if there is none, or one of a version that is not known.
    """
    folder = Path(place)
    folder = folder.parent if folder.name == LINES else folder
    lines, damaged = _read_lines(_data(folder))
    if not lines:
        raise RecordError(f"{folder / LINES} holds nothing that can be read: it is no record, or was cut off")
    about, rest = _about(lines[0], folder), _Rest()
    for values in lines[1:]:
        try:
            rest.take(values)
        except MALFORMED:
            damaged = True
    games, pictures = rest.games(), Pictures(rest.layers)
    missing = _missing(games, pictures, rest.ended, damaged)
    return Record(folder, about, games, pictures, rest.ended, tuple(missing))


def is_record(place: Path) -> bool:
    """Return whether a folder has a record in it, or a path is that of a record's lines."""
    return place.name == LINES or (place / LINES).is_file()


def _data(folder: Path) -> bytes:
    try:
        return (folder / LINES).read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        if (folder / _BEFORE).is_file():
            words = f"the record {folder} is of version 1, this program reads version {VERSION}"
            raise RecordError(f"{words}: record the run again") from error
        raise RecordError(f"there is no record in {folder}: give a folder that --record has made") from error
    except OSError as error:
        raise RecordError(f"the record {folder} cannot be read: {error.strerror}") from error


def _read_lines(data: bytes) -> tuple[list[Values], bool]:
    """Return the objects in some lines, and whether any is damaged; one that is cut off at the end is not."""
    lines, damaged = list[Values](), False
    for line in data.split(b"\n")[:-1]:
        try:
            values = json.loads(line)
        except (ValueError, RecursionError):  # also nested deeper than any of ours
            damaged = True
            continue
        if isinstance(values, dict):
            lines.append(values)
        else:
            damaged = True
    return lines, damaged


def _about(values: Values, folder: Path) -> About:
    version = values.get("record")
    if not isinstance(version, int):
        raise RecordError(f"{folder / LINES} is no record of minebot: its first line does not say so")
    if version != VERSION:
        raise RecordError(
            f"the record {folder} is of version {version}, this program reads version {VERSION}: "
            f"use minebot {values.get('program', 'of that time')}, which wrote it"
        )
    try:
        return About.read(values)
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
        self._sent: dict[tuple[int, int], tuple[Sent, ...]] = {}
        self._ends: dict[int, tuple[Seen, Mapping[str, Any] | None]] = {}
        self._unclear: dict[int, list[Seen]] = {}

    def take(self, values: Values) -> None:
        """Take in one line. One of a kind that is not known is passed over: newer programs may write more."""
        game = whole(values.get("game", 0))
        match values["kind"]:
            case "picture":
                self.layers[whole(values["picture"])] = Layer.read(values)
            case "round":
                turn = _round(values)
                self._rounds.setdefault(game, []).append(turn)
            case "sent":
                place = game, whole(values["round"])  # keys for the next game come after its end
                self._sent[place] = self._sent.get(place, ()) + tuple(map(Sent.read, values["sent"]))
            case "unclear":
                seen = Seen.read(values)
                self._unclear.setdefault(game, []).append(seen)
            case "end":
                result = values["result"]
                if result is not None:
                    _check_result(result)
                self._ends[game] = Seen.read(values), result
            case "stop":
                self.ended = text(values["why"])

    def games(self) -> tuple[RecordedGame, ...]:
        """Return the games in their order."""
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
    """Raise ValueError for the result of a game that lacks a part, or has one of another kind."""
    if not result.keys() >= _RESULT:
        raise ValueError("the result of a game lacks a part")
    maybe(truth, result["won"])
    text(result["outcome"])
    for name in _MEASURED:
        maybe(number, result.get(name))


def _round(values: Values) -> RecordedRound:
    seen = Seen.read(values)
    return RecordedRound(
        whole(values["game"]),
        whole(values["round"]),
        seen,
        number(values["decided"]),
        read_decision(values["decision"], seen.board),
        tuple(read_click(click, seen.board) for click in values["clicks"]),
    )


def _missing(
    games: Sequence[RecordedGame], pictures: Pictures, ended: str | None, damaged: bool
) -> Iterator[str]:
    if ended is None:
        yield f"the run was cut off {_last_words(games)}"
    if damaged:
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
