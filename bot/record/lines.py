"""The lines of a record: their contents, their form as JSON, and how a run is read back from them.

A record is a folder with the file `LINES`, one JSON object on each line. The first line describes the run.
Then come the rounds (each written before its clicks are sent), the clicks that were sent, the pictures, the
looks that were not trusted, and the ends of games. The last line says why the run ended. If the run was
killed, only the last lines are missing. Cells are ``[row, col]``, points ``[x, y]``, times are seconds since
the record began.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct, convert
from msgspec import field as member
from msgspec.json import Decoder, decode

from bot.board import Board, Cell, FirstClick
from bot.clicker.clicks import Click
from bot.desktop.protocols import Button
from bot.errors import BoardFormatError, RecordError, UsageError
from bot.files import opened, whole_lines
from bot.geometry import Grid, Pixels, Point
from bot.record.pictures import PictureLayer, Pictures
from bot.solver import STRATEGIES
from bot.solver.decision import Action, Alternative, Decision, Judgement, Move, Reason
from bot.verdict import GameState

LINES = "record.jsonl"
VERSION = 2
LONGEST_LINE = 1 << 25  # bytes; a whole picture of a screen of 3840 x 2160 pixels takes up to 20 MB
_LONGEST_ROUND = 1 << 23  # bytes of a line without a picture; 250,000 cells, each with its risk, take 6 MB
_MOST_BYTES = 1 << 29  # bytes of a record; an expert game takes some 50,000
_BEFORE = "record.jsonl.gz"  # the file of version 1
_MALFORMED = (ValueError, RecursionError, BoardFormatError)  # msgspec's errors are of the first two types
_FAR = 10_000_000_000  # the largest absolute value that a number in a record may have

_Whole = Annotated[int, Meta(ge=-_FAR, le=_FAR)]
_Number = Annotated[float, Meta(ge=-_FAR, le=_FAR)]
_CellSize = Annotated[float, Meta(ge=1, le=1000)]  # pixels
_Plain = bool | int | float | str | None
_Facts = Mapping[str, _Plain | Sequence[_Plain]]  # not nested further, so that no depth of a file is a danger
_MoveValues = tuple[int, int, Action, _Number, Reason]
_ClickValues = tuple[int, int, Action, _Number, Reason, _Whole, _Whole, Button]


@dataclass(frozen=True, slots=True)
class RunInfo:
    """Facts about the run: version of ``program``, start time ``began`` (ISO 8601), target, rule, options.

    ``rule`` is the target's rule for the first click. ``settings`` maps the names of all other options to
    their values as given.
    """

    program: str
    began: str
    target: str
    rule: FirstClick
    strategy: str
    settings: _Facts = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.strategy not in STRATEGIES:
            raise ValueError(f"{self.strategy!r:.40} is not one of {', '.join(STRATEGIES)}")


class _LaterLine(Struct, tag_field="kind", omit_defaults=True, frozen=True):
    """A line after the first."""


class RecordedLook(_LaterLine, tag="unclear", kw_only=True, frozen=True, dict=True, eq=False):
    """One look at the screen: its time, the number of its picture in the record, and the reading of it.

    ``corner`` is the screen point of the picture's top left corner. ``unread`` are cells that could not be
    read, each with the reason in one word. ``remembered`` are hidden cells that show their earlier state;
    ``unsure`` are cells that no proof may use. ``doubt`` is the reason why the whole look was not trusted, ""
    if it was trusted.
    """

    game: _Whole
    time: _Number
    picture: _Whole
    corner: tuple[_Whole, _Whole] = member(name="origin")
    place: tuple[_Number, _Number, _CellSize, _CellSize] = member(name="grid")
    cells: list[str]
    mines: _Whole | None
    state: GameState
    skin: str
    mines_left: _Whole | None
    unread: list[tuple[int, int, str]] = member(default_factory=list, name="doubts")
    remembered: frozenset[Cell] = frozenset()
    unsure: frozenset[Cell] = frozenset()
    doubt: str = ""

    def __post_init__(self) -> None:
        _check(self.board, ((row, col) for row, col, _ in self.unread))
        _check(self.board, (*self.remembered, *self.unsure))

    @cached_property
    def board(self) -> Board:
        """The board; BoardFormatError is raised for a look without one."""
        return Board.from_rows(self.cells, self.mines)

    @property
    def origin(self) -> Point:
        """The screen point of the picture's top left corner."""
        return Point(*self.corner)

    @property
    def grid(self) -> Grid:
        """The place of the board in the picture."""
        return Grid(*self.place, self.board.rows, self.board.cols)

    @property
    def careful(self) -> Board:
        """The board without the numbers of the ``unsure`` cells."""
        return self.board.without_numbers(self.unsure)


class SentInput(Struct, array_like=True, forbid_unknown_fields=True, frozen=True):
    """What was sent at a time: a click of ``button`` at x, which is ``what``, and y; or keys, together."""

    time: _Number
    what: _Whole | tuple[str, ...]
    y: _Whole | None = None
    button: str = ""

    def __post_init__(self) -> None:
        if self.y is None and not isinstance(self.what, tuple):
            raise ValueError("a point needs two numbers")

    @property
    def point(self) -> Point | None:
        """The screen point of a click, None for keys."""
        return Point(self.what, self.y) if isinstance(self.what, int) and self.y is not None else None


class DecisionLine(Struct, omit_defaults=True):
    """A decision as it is written."""

    reason: Reason
    moves: list[_MoveValues]
    mines: frozenset[Cell]
    risks: list[tuple[_Number, list[Cell]]]
    exact: bool
    judgement: Judgement | None = None
    alternatives: list[tuple[int, int, _Number, _Number | None]] = []
    win_chance: _Number | None = None


class RoundLine(RecordedLook, tag="round", kw_only=True, frozen=True):
    """The look, the decision and the planned clicks of a round."""

    round: _Whole
    decided: _Number
    decision: DecisionLine
    clicks: list[_ClickValues]


class EndLine(RecordedLook, tag="end", kw_only=True, frozen=True):
    """The last look at a game, and its result."""

    result: _Facts | None


class _Result(Struct):
    """The types of what is computed from the result of a game."""

    won: bool | None
    outcome: str
    seconds: _Number
    clicks: _Number
    bbbv: _Number | None = None
    bbbv_per_second: _Number | None = None
    ioe: _Number | None = None
    guesses: _Number | None = None
    misreads: _Number | None = None
    retries: _Number | None = None


class SentLine(_LaterLine, tag="sent", frozen=True):
    """What was sent in a round."""

    round: _Whole
    sent: list[SentInput]
    game: _Whole = 0


class StopLine(_LaterLine, tag="stop", frozen=True):
    """Why the run ended, and when."""

    time: _Number
    why: str


class _FirstLine(Struct):
    record: int
    program: str = "of that time"


class _AnyLine(Struct):
    kind: str


Line = RecordedLook | RoundLine | EndLine | SentLine | PictureLayer | StopLine
_LINES = Decoder(Line)
_KINDS = frozenset({"unclear", "round", "end", "sent", "picture", "stop"})


def click_values(click: Click) -> _ClickValues:
    """Return a planned click as it is written."""
    return *_move_values(click.move), click.point.x, click.point.y, click.button


def decision_line(decision: Decision) -> DecisionLine:
    """Return a decision as it is written: without its proofs, which can be found again from the board."""
    risks = defaultdict[float, list[Cell]](list)  # grouped by risk: all cells of a group have the same one
    for cell, risk in decision.risks.items():
        risks[risk].append(cell)
    return DecisionLine(
        reason=decision.reason,
        moves=[_move_values(move) for move in decision.moves],
        mines=decision.mines,
        risks=[*risks.items()],
        exact=decision.exact,
        judgement=decision.judgement,
        alternatives=[(*one.cell, one.risk, one.score) for one in decision.alternatives],
        win_chance=decision.win_chance,
    )


def read_decision(line: DecisionLine, board: Board) -> Decision:
    """Return the decision on ``board`` in a line. Raises ValueError if it does not fit the board."""
    if line.reason is Reason.FIRST_CLICK and not line.moves:
        raise ValueError("a first click is a move")
    decision = Decision(
        moves=tuple(_move(*move) for move in line.moves),
        reason=line.reason,
        mines=line.mines,
        risks={cell: risk for risk, cells in line.risks for cell in cells},
        exact=line.exact,
        judgement=line.judgement,
        alternatives=tuple(
            Alternative(Cell(row, col), risk, score) for row, col, risk, score in line.alternatives
        ),
        win_chance=line.win_chance,
    )
    _check(board, (*decision.mines, *decision.risks, *(move.cell for move in decision.moves)))
    _check(board, (one.cell for one in decision.alternatives))
    return decision


def _move_values(move: Move) -> _MoveValues:
    return *move.cell, move.action, move.risk, move.reason


def _move(row: int, col: int, action: Action, risk: float, reason: Reason) -> Move:
    return Move(Cell(row, col), action, risk, reason)


def _check(board: Board, cells: Iterable[tuple[int, int]]) -> None:
    """Raise ValueError if one of ``cells`` is not on the board."""
    for row, col in cells:
        if not (0 <= row < board.rows and 0 <= col < board.cols):
            raise ValueError(f"({row}, {col}) is off the board")


@dataclass(frozen=True, slots=True, eq=False)
class RecordedRound:
    """One round: the look, the decision and its time, the clicks planned, and the clicks and keys sent."""

    game: int
    number: int
    seen: RoundLine
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
    about, rest, damaged = _read(folder)
    games, pictures = rest.games(), Pictures(rest.layers)
    missing = [] if rest.ended is not None else [f"the run was cut off {_last_words(games)}"]
    damage = [*_damage(games, pictures, damaged)]
    return Record(folder, about, games, pictures, rest.ended, (*missing, *damage), bool(damage))


def is_record(place: Path) -> bool:
    """Return whether a path is a folder with a record in it, or the file `LINES` of a record."""
    return place.name == LINES or (place / LINES).is_file()


def _read(folder: Path) -> tuple[RunInfo, _Rest, bool]:
    """Return the facts and the lines of a record, and whether a line is damaged (not only cut off)."""
    rest, damaged = _Rest(), False
    try:
        with opened(folder / LINES, _MOST_BYTES) as file:
            lines = whole_lines(file, LONGEST_LINE)
            about = _about(next(lines, None), folder)
            for line in lines:
                try:
                    rest.take(line)
                except _MALFORMED:
                    damaged = True
    except (FileNotFoundError, NotADirectoryError) as error:
        if (folder / _BEFORE).is_file():
            words = f"the record {folder} is of version 1, this program reads version {VERSION}"
            raise RecordError(f"{words}: record the run again") from error
        raise UsageError(f"there is no record in {folder}: give a folder written by --record") from error
    except OSError as error:
        raise RecordError(f"the record {folder} cannot be read: {error.strerror}") from error
    return about, rest, damaged


def _about(line: bytes | None, folder: Path) -> RunInfo:
    path = folder / LINES
    if line is None:
        raise RecordError(f"{path} has no readable line: it is not a record, or was cut off")
    try:
        first = decode(line, type=_FirstLine)
    except _MALFORMED as error:
        raise RecordError(f"{path} is not a minebot record: its first line has no record version") from error
    if first.record != VERSION:
        raise RecordError(
            f"the record {folder} is of version {first.record}, this program reads version {VERSION}: "
            f"use minebot {first.program}, which wrote it"
        )
    try:
        return decode(line, type=RunInfo)
    except _MALFORMED as error:
        raise RecordError(f"the first line of {path} is damaged: {error}") from error


class _Rest:
    """The lines after the first, sorted into games."""

    def __init__(self) -> None:
        self.ended: str | None = None
        self.layers: dict[int, PictureLayer] = {}
        self._picture = -1  # of the last look: they rise, so that each picture is made only once
        self._rounds = defaultdict[int, list[RecordedRound]](list)
        self._sent = defaultdict[tuple[int, int], list[SentInput]](list)
        self._ends: dict[int, tuple[RecordedLook, Mapping[str, Any] | None]] = {}
        self._unclear = defaultdict[int, list[RecordedLook]](list)

    def take(self, data: bytes) -> None:
        """Store one line. Ignore a line of an unknown kind: newer versions of the program may write more.

        Raises one of `_MALFORMED` for a damaged line.
        """
        kind = decode(data, type=_AnyLine).kind
        if kind not in _KINDS:
            return
        if kind != "picture" and len(data) > _LONGEST_ROUND:
            raise ValueError("the line is too long")
        match line := _LINES.decode(data):
            case PictureLayer():
                self.layers[line.picture] = line
            case SentLine():  # keys for the next game are sent after the end of this
                self._sent[line.game, line.round] += line.sent
            case StopLine():
                self.ended = line.why
            case _:
                self._take_look(line)

    def _take_look(self, seen: RecordedLook) -> None:
        if seen.picture <= self._picture:
            raise ValueError("an earlier picture")
        match seen:
            case RoundLine():
                self._rounds[seen.game].append(_round(seen))
            case EndLine():
                if seen.result is not None:
                    convert(seen.result, _Result)
                self._ends[seen.game] = seen, seen.result
            case _:
                self._unclear[seen.game].append(seen)
        self._picture = seen.picture

    def games(self) -> tuple[RecordedGame, ...]:
        """Return the games, ordered by their numbers."""
        games = list[RecordedGame]()
        for game in sorted({*self._rounds, *self._ends, *self._unclear}):
            rounds = tuple(
                replace(turn, sent=tuple(self._sent.get((game, turn.number), ())))
                for turn in self._rounds.get(game, ())
            )
            final, result = self._ends.get(game, (None, None))
            games.append(RecordedGame(game, rounds, final, result, tuple(self._unclear.get(game, ()))))
        return tuple(games)


def _round(line: RoundLine) -> RecordedRound:
    clicks = tuple(
        Click(Point(x, y), button, _move(row, col, action, risk, reason))
        for row, col, action, risk, reason, x, y, button in line.clicks
    )
    _check(line.board, (click.move.cell for click in clicks))
    decision = read_decision(line.decision, line.board)
    return RecordedRound(line.game, line.round, line, line.decided, decision, clicks)


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
