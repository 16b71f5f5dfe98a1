"""Writing a record while a run goes on: rounds at once, their pictures a moment later, beside play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from queue import Queue
from tempfile import TemporaryFile
from threading import Thread
from typing import Any

from bot.board import Cell
from bot.errors import UsageError
from bot.geometry import Pixels
from bot.play import GameResult, Look, Round
from bot.record.about import About
from bot.record.film import FilmWriter
from bot.record.forms import (
    Planned,
    Seen,
    Sent,
    Shot,
    decision_as_json,
    planned_as_json,
    seen_as_json,
    sent_as_json,
)
from bot.record.lines import LineWriter
from bot.record.record import LINES, VERSION, has_films, is_record

WAITING = 16  # pictures that may wait to be written, about 10 MB; then play waits for them


class Recorder:
    """Writes what it is told into a new record in ``folder``; times are those of ``now``, in seconds.

    A round is in the record when `round` returns, so a run that is killed loses none; its picture follows
    within milliseconds, from another thread. Where something cannot be written, ``tell`` is told so once, and
    the record ends there, readable.

    Raises UsageError if the folder cannot be used, or has a record already.
    """

    def __init__(
        self, folder: Path, about: About, now: Callable[[], float], tell: Callable[[str], None]
    ) -> None:
        self.folder, self._now, self._tell = folder, now, tell
        self._began = now()
        self._lines = _new_lines(folder)
        self._films = _Films(folder)
        self._game, self._sent = (0, 0), list[Sent]()
        self._failed = False
        self._write({"record": VERSION, **asdict(about)})

    def round(self, turn: Round) -> None:
        """Take in a round before its clicks are sent."""
        self._write_sent()
        if turn.game != self._game[0]:
            self._films.next_game(turn.game)
        self._game = turn.game, turn.number
        clicks = (Planned(click.move, click.point, click.button.value) for click in turn.clicks)
        self._write(
            {
                "kind": "round",
                "game": turn.game,
                "round": turn.number,
                **self._seen(turn.look),
                "decided": self._time(self._now()),
                "decision": decision_as_json(turn.decision),
                "clicks": [planned_as_json(click) for click in clicks],
            }
        )

    def sent(self, what: Sent) -> None:
        """Take in what was sent to the system; it is written with the next round, or the end."""
        if not self._failed:
            self._sent.append(what)

    def unclear(self, look: Look) -> None:
        """Take in a look that is not believed."""
        self._write_sent()
        self._write({"kind": "unclear", "game": self._game[0], **self._seen(look)})

    def end(self, result: GameResult | None, look: Look) -> None:
        """Take in the last look of a game, and how it ended."""
        self._write_sent()
        told = None if result is None else result.as_json()
        self._write({"kind": "end", "game": self._game[0], **self._seen(look), "result": told})
        self._attempt(self._lines.part)
        self._films.sync(self._lines)

    def close(self, why: str) -> None:
        """End the record, and say why the run has ended; all of it is written when this returns."""
        self._write_sent()
        self._write({"kind": "stop", "time": self._time(self._now()), "why": why})
        self._films.close()
        self._heed_films()
        try:
            self._lines.close()
        except OSError as error:
            self._give_up(error)

    def _time(self, at: float) -> float:
        return round(at - self._began, 4)

    def _seen(self, look: Look) -> dict[str, Any]:
        reading, frame = look.reading, look.frame
        doubts = {cell: doubt.name.lower() for cell, doubt in reading.doubts.items()}
        return seen_as_json(
            Seen(
                time=frame.time - self._began,
                shot=self._films.add(frame.pixels),
                origin=frame.origin,
                grid=reading.grid,
                board=reading.board,
                state=reading.state.value,
                skin=reading.skin,
                mines_left=reading.panel.mines_left,
                doubts=doubts,
                remembered=frozenset[Cell](reading.remembered),
                unsure=look.unsure,
                doubt=look.doubt or "",
            )
        )

    def _write_sent(self) -> None:
        if self._sent:
            game, number = self._game
            sent = [sent_as_json(_since(what, self._began)) for what in self._sent]
            self._sent.clear()
            self._write({"kind": "sent", "game": game, "round": number, "sent": sent})

    def _write(self, values: dict[str, Any]) -> None:
        self._heed_films()
        self._attempt(lambda: self._lines.write(values))

    def _attempt(self, what: Callable[[], None]) -> None:
        if self._failed:
            return
        try:
            what()
        except OSError as error:
            self._give_up(error)

    def _heed_films(self) -> None:
        if self._films.failure is not None:
            self._give_up(self._films.failure)

    def _give_up(self, error: Exception) -> None:
        if not self._failed:
            self._failed = True
            self._films.stop()
            self._tell(f"the record in {self.folder} cannot be written: {_why(error)}; play goes on without")


def _why(error: Exception) -> str:
    told = error.strerror if isinstance(error, OSError) else None
    return told or f"{type(error).__name__}: {error}"


def _since(what: Sent, began: float) -> Sent:
    return Sent(what.time - began, what.point, what.button, what.keys)


def check_folder(folder: Path) -> None:
    """See that a record can be kept in a folder, which is made if need be. Raises UsageError if it cannot."""
    if is_record(folder) or has_films(folder):
        raise UsageError(f"there is a record in {folder} already: give another --record")
    with _usable(folder), TemporaryFile(dir=folder):
        pass


@contextmanager
def _usable(folder: Path) -> Iterator[None]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        why = error.strerror
        raise UsageError(f"no record can be kept in {folder} ({why}): give another --record") from error


def _new_lines(folder: Path) -> LineWriter:
    check_folder(folder)
    with _usable(folder):
        return LineWriter(folder / LINES)


class _Films:
    """The films of a record, written by a thread of their own.

    ``failure`` is what the thread met; it writes nothing after that.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.failure: Exception | None = None
        self._game = self._parts = self._count = 0
        self._size: tuple[int, ...] = ()
        self._work = Queue[Callable[[], None] | None](WAITING)
        self._writer: FilmWriter | None = None
        self._stopped = False
        self._thread = Thread(target=self._run, name="record", daemon=True)
        self._thread.start()

    def next_game(self, game: int) -> None:
        """Begin a new film with the next picture."""
        self._game, self._parts, self._size = game, 0, ()

    def add(self, pixels: Pixels) -> Shot:
        """Have a picture written, and return where it will be; one of another size begins another film."""
        if pixels.shape != self._size:
            self._size, self._count = pixels.shape, 0
            self._parts += 1
        shot = Shot(self._name(), self._count)
        self._count += 1
        self._put(lambda: self._write(shot, pixels))
        return shot

    def sync(self, lines: LineWriter) -> None:
        """Have all lines brought to the disk."""
        self._put(lines.sync)

    def stop(self) -> None:
        """Write nothing any more."""
        self._stopped = True

    def close(self) -> None:
        """Return when all is written."""
        self._work.put(None)
        self._thread.join()

    def _name(self) -> str:
        part = f"-{self._parts}" if self._parts > 1 else ""
        return f"film-{self._game:04d}{part}.png"

    def _put(self, work: Callable[[], None]) -> None:
        if not self._stopped:
            self._work.put(work)

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            if self.failure is None and not self._stopped:
                self._attempt(work)
        if self._writer is not None:
            self._attempt(self._writer.close)

    def _attempt(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception as error:  # whatever it is: without this thread play would wait for ever
            self.failure = self.failure or error

    def _write(self, shot: Shot, pixels: Pixels) -> None:
        if shot.number == 0:
            if self._writer is not None:
                self._writer.close()
            self._writer = FilmWriter(self._folder / shot.film, pixels)
        assert self._writer is not None
        self._writer.add(pixels)
