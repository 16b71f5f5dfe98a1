"""A record that was read back: its games, their rounds, and how the run ended.

A record is a folder with `LINES`, one JSON object a line, and a film of each game (`bot.record.film`). The
first line says of what it is; then there is one a round, written before its clicks were sent, one a game, and
a last one. Of a run that was killed the last ones are missing, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.errors import RecordError
from bot.geometry import Pixels
from bot.record.about import About, about_of
from bot.record.film import Film
from bot.record.forms import (
    NOT_SO,
    Planned,
    Seen,
    Sent,
    Shot,
    decision_of,
    planned_of,
    result_of,
    seen_of,
    sent_of,
)
from bot.record.lines import read_lines
from bot.record.values import Values, maybe, number, text, whole
from bot.solver.decision import Decision

LINES = "record.jsonl.gz"
VERSION = 1


@dataclass(frozen=True, slots=True, eq=False)
class RecordedRound:
    """One round: what was seen, what was decided at ``decided``, which clicks were planned, which sent."""

    game: int
    number: int
    seen: Seen
    decided: float
    decision: Decision
    clicks: tuple[Planned, ...]
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
    ended: str | None
    missing: tuple[str, ...] = ()
    _films: dict[str, Film] = field(default_factory=dict, repr=False)

    def picture(self, shot: Shot) -> Pixels:
        """Return a picture, uint8 BGR of shape (height, width, 3).

        Raises RecordError if its film is missing or ends before it. Those of one film come fast in their
        order.
        """
        film = self.film(shot.film)
        try:
            return film.picture(shot.number)
        except (IndexError, ValueError) as error:
            words = f"the picture {shot.number + 1} of {self.folder / shot.film} is missing or damaged"
            raise RecordError(words) from error

    def film(self, name: str) -> Film:
        """Return a film of it, as far as that is whole. Raises RecordError if it is missing."""
        if name not in self._films:
            self._films.clear()  # one is enough: games are looked at one after the other
            self._films[name] = Film(_film_data(self.folder / name))
        return self._films[name]


def load_record(place: str | Path) -> Record:
    """Return the record in a folder, as far as it is whole; ``missing`` says what is not.

    Raises RecordError if there is none, or one of a version that is not known.
    """
    folder = Path(place)
    folder = folder.parent if folder.name == LINES else folder
    lines, whole = read_lines(_lines_data(folder))
    if not lines:
        raise RecordError(f"{folder / LINES} holds nothing that can be read: it is no record, or was cut off")
    about, rest = _about(lines[0], folder), _Rest()
    for values in lines[1:]:
        try:
            rest.take(values)
        except NOT_SO:
            rest.damaged += 1
    games = rest.games()
    return Record(folder, about, games, rest.ended, tuple(_missing(folder, games, rest, whole)))


def is_record(place: Path) -> bool:
    """Return whether a folder has a record in it, or a path is that of a record's lines."""
    return place.name == LINES or (place / LINES).is_file()


def has_films(folder: Path) -> bool:
    """Return whether there are films in a folder, also without the lines that tell of them."""
    return any(folder.glob("film-*.png"))


def _lines_data(folder: Path) -> bytes:
    try:
        return (folder / LINES).read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise RecordError(f"there is no record in {folder}: give a folder that --record has made") from error
    except OSError as error:
        raise RecordError(f"the record {folder} cannot be read: {error.strerror}") from error


def _film_data(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise RecordError(f"the film {path} cannot be read: {error.strerror}") from error


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
        return about_of(values)
    except KeyError as error:
        raise RecordError(f"the first line of {folder / LINES} lacks {error}") from error
    except ValueError as error:
        raise RecordError(f"the first line of {folder / LINES} is damaged: {error}") from error


class _Rest:
    """The lines after the first, sorted into games."""

    def __init__(self) -> None:
        self.ended: str | None = None
        self.damaged = 0
        self._rounds: dict[int, list[RecordedRound]] = {}
        self._sent: dict[tuple[int, int], tuple[Sent, ...]] = {}
        self._ends: dict[int, tuple[Seen, Mapping[str, Any] | None]] = {}
        self._unclear: dict[int, list[Seen]] = {}

    def take(self, values: Values) -> None:
        """Take in one line. One of a kind that is not known is passed over: newer programs may write more."""
        game = whole(values.get("game", 0), 0)
        match values["kind"]:
            case "round":
                turn = _round_of(values)
                self._rounds.setdefault(game, []).append(turn)
            case "sent":
                place = game, whole(values["round"], 0)  # keys for the next game come after its end
                self._sent[place] = self._sent.get(place, ()) + tuple(map(sent_of, values["sent"]))
            case "unclear":
                seen = seen_of(values)
                self._unclear.setdefault(game, []).append(seen)
            case "end":
                self._ends[game] = seen_of(values), maybe(result_of, values["result"])
            case "stop":
                self.ended = text(values["why"])

    def games(self) -> tuple[RecordedGame, ...]:
        numbers = sorted({*self._rounds, *self._ends, *self._unclear})
        return tuple(self._game(number) for number in numbers)

    def _game(self, number: int) -> RecordedGame:
        rounds = tuple(self._with_sent(turn) for turn in self._rounds.get(number, ()))
        final, result = self._ends.get(number, (None, None))
        return RecordedGame(number, rounds, final, result, tuple(self._unclear.get(number, ())))

    def _with_sent(self, turn: RecordedRound) -> RecordedRound:
        sent = self._sent.get((turn.game, turn.number), ())
        return RecordedRound(
            turn.game, turn.number, turn.seen, turn.decided, turn.decision, turn.clicks, sent
        )


def _round_of(values: Values) -> RecordedRound:
    seen = seen_of(values)
    return RecordedRound(
        whole(values["game"], 0),
        whole(values["round"], 1),
        seen,
        number(values["decided"]),
        decision_of(values["decision"], seen.board),
        tuple(planned_of(click, seen.board) for click in values["clicks"]),
    )


def _missing(folder: Path, games: Sequence[RecordedGame], rest: _Rest, whole: bool) -> Iterator[str]:
    if rest.ended is None:
        yield f"the run was cut off {_last_words(games)}"
    if rest.damaged or not (whole or rest.ended is None):
        yield "some lines are damaged and were left out"
    yield from _missing_pictures(folder, games)


def _last_words(games: Sequence[RecordedGame]) -> str:
    if not games:
        return "before its first round"
    game = games[-1]
    if game.final is not None:
        return f"after game {game.number}"
    return f"in game {game.number}, after round {game.rounds[-1].number if game.rounds else 0}"


def _missing_pictures(folder: Path, games: Sequence[RecordedGame]) -> Iterator[str]:
    wanted: dict[str, int] = {}
    for seen in (seen for game in games for seen in (*game.looks, *game.unclear)):
        wanted[seen.shot.film] = max(wanted.get(seen.shot.film, 0), seen.shot.number + 1)
    for film, count in wanted.items():
        try:
            there = len(Film(_film_data(folder / film)))
        except RecordError as error:
            yield str(error)
            continue
        if there < count:
            yield f"the film {folder / film} ends after {there} of {count} pictures"
