"""A record that was read back: its games, their rounds, and how the run ended.

A record is a folder with `LINES`, one JSON object a line. The first line says what the run was to do; then
there is one a round, written before its clicks were sent, one a picture, one a game, and a last one. Of a run
that was killed the last ones are missing, and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bot.errors import RecordError
from bot.geometry import Pixels
from bot.record.forms import (
    MALFORMED,
    About,
    Planned,
    Seen,
    Sent,
    Values,
    maybe,
    number,
    read_decision,
    read_result,
    text,
    whole,
)
from bot.record.pictures import Layer, Pictures
from bot.solver.decision import Decision

LINES = "record.jsonl"
VERSION = 2
_BEFORE = "record.jsonl.gz"  # of version 1


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
    except ValueError as error:
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
        game = whole(values.get("game", 0), 0)
        match values["kind"]:
            case "picture":
                self.layers[whole(values["picture"], 0)] = Layer.read(values)
            case "round":
                turn = _round(values)
                self._rounds.setdefault(game, []).append(turn)
            case "sent":
                place = game, whole(values["round"], 0)  # keys for the next game come after its end
                self._sent[place] = self._sent.get(place, ()) + tuple(map(Sent.read, values["sent"]))
            case "unclear":
                seen = Seen.read(values)
                self._unclear.setdefault(game, []).append(seen)
            case "end":
                self._ends[game] = Seen.read(values), maybe(read_result, values["result"])
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


def _round(values: Values) -> RecordedRound:
    seen = Seen.read(values)
    return RecordedRound(
        whole(values["game"], 0),
        whole(values["round"], 1),
        seen,
        number(values["decided"]),
        read_decision(values["decision"], seen.board),
        tuple(Planned.read(click, seen.board) for click in values["clicks"]),
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
