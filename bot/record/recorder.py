"""Write the record of a run while it plays: rounds at once, pictures from another thread."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from io import FileIO
from operator import methodcaller
from pathlib import Path
from queue import Queue
from tempfile import TemporaryFile
from threading import Lock, Thread
from typing import Any, Self

from msgspec import structs
from msgspec.json import encode

from bot.desktop.protocols import Mouse, PointerCheck, Stroke, Window
from bot.errors import BotError, UsageError
from bot.files import private, private_folder, refused_as_usage
from bot.geometry import Pixels, Point
from bot.play.board_place import PANEL_CELLS
from bot.play.look import Look
from bot.play.results import GameResult, Round
from bot.record.lines import (
    LINES,
    VERSION,
    EndLine,
    Line,
    RecordedLook,
    RoundLine,
    RunInfo,
    SentInput,
    SentLine,
    StopLine,
    click_values,
    decision_line,
    is_record,
)
from bot.record.pictures import PictureLayer

WAITING = 16  # pictures that may wait to be written, about 10 MB; with more, play waits for the writer


class Recorder:
    """Writes a run into a new record in ``folder``; ``now`` returns the time in seconds.

    A round is written before `round` returns, so a run that is killed loses none. Its picture follows within
    milliseconds, from another thread. When something cannot be written, ``tell`` is called once with a
    message, and nothing more is written; the record up to that point stays readable.

    Raises UsageError if the folder cannot be used, or already has a record. As a context manager, it closes
    the record with the reason why the block has ended.
    """

    def __init__(
        self, folder: Path, about: RunInfo, now: Callable[[], float], tell: Callable[[str], None]
    ) -> None:
        self.folder, self._now, self._tell = folder, now, tell
        self._began = now()
        check_folder(folder)
        with refused_as_usage(f"cannot save a record in {folder}", "--record"):
            self._file = RecordWriter(folder / LINES)
        self._game, self._sent = (0, 0), list[SentInput]()
        self.lost = False  # whether something could not be written, and the rest is not
        self._write({"record": VERSION, **asdict(about)})

    def round(self, turn: Round) -> None:
        """Write a round; call this before its clicks are sent."""
        self._write_sent()
        if turn.game != self._game[0]:
            self._file.begin_anew()
        self._game = turn.game, turn.number
        self._write_look(
            RoundLine,
            turn.look,
            round=turn.number,
            decided=self._time(self._now()),
            decision=decision_line(turn.decision),
            clicks=[click_values(click) for click in turn.clicks],
        )

    def sent(self, what: SentInput) -> None:
        """Remember a click or keys sent to the system; they are written with the next line of the record."""
        self._sent.append(what)

    def unclear(self, look: Look) -> None:
        """Write a look that play does not trust."""
        self._write_look(RecordedLook, look)

    def end(self, result: GameResult | None, look: Look) -> None:
        """Write the final look of a game and its result (None: no result)."""
        self._write_look(EndLine, look, result=None if result is None else result.as_json())
        self._file.sync()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        stopped = str(error) if isinstance(error, BotError) else f"stopped: {type(error).__name__}"
        self.close("done" if error is None else stopped)

    def close(self, why: str) -> None:
        """Write why the run has ended, and close the record; everything is written when this returns."""
        self._write_sent()
        self._write(StopLine(self._time(self._now()), why))
        self._file.close()
        self._tell_failure()

    def _time(self, at: float) -> float:
        return round(at - self._began, 4)

    def _write_look(self, kind: Callable[..., RecordedLook], look: Look, **values: Any) -> None:
        """Write a line of this ``kind`` with a look and more ``values``, and the picture of the look."""
        self._write_sent()
        look = around_board(look)
        reading, frame = look.reading, look.frame
        grid, board = reading.grid, reading.board
        seen = kind(
            game=self._game[0],
            time=self._time(frame.time),
            picture=self._file.pictures,
            corner=(frame.origin.x, frame.origin.y),
            place=(grid.x, grid.y, grid.pitch_x, grid.pitch_y),
            cells=board.lines(),
            mines=board.mines,
            state=look.verdict.state,
            skin=reading.skin,
            mines_left=reading.mines_left,
            unread=[(*cell, doubt.name.lower()) for cell, doubt in sorted(reading.doubts.items())],
            remembered=frozenset(reading.remembered),
            unsure=look.unsure,
            doubt=look.doubt or "",
            **values,
        )
        self._write(seen)
        self._file.add_picture(frame.pixels)

    def _write_sent(self) -> None:
        if self._sent:
            game, number = self._game
            sent = [structs.replace(what, time=self._time(what.time)) for what in self._sent]
            self._sent.clear()
            self._write(SentLine(number, sent, game))

    def _write(self, line: Line | dict[str, Any]) -> None:
        self._file.write(line)
        self._tell_failure()

    def _tell_failure(self) -> None:
        error = self._file.failure
        if error is not None and not self.lost:
            self.lost = True
            why = (isinstance(error, OSError) and error.strerror) or f"{type(error).__name__}: {error}"
            self._tell(f"the record in {self.folder} cannot be written: {why}; play goes on without it")


class RecordWriter:
    """Appends lines of JSON to a new file: objects at once, pictures from a thread of its own.

    Compressing a picture can take longer than a round. A line is written whole or not at all. After any
    error, which is kept in ``failure``, nothing more is written; the lines before it stay readable. Raises
    OSError if the file cannot be created.
    """

    def __init__(self, path: Path) -> None:
        self.failure: Exception | None = None
        self.pictures = 0  # how many were added so far, which is the number of the next one
        self._file, self._lock = FileIO(path, "xb", opener=private), Lock()
        self._last: Pixels | None = None
        self._work = Queue[Callable[[], None] | None](WAITING)
        self._thread = Thread(target=self._run, name="record", daemon=True)
        self._thread.start()

    def write(self, line: Line | dict[str, Any]) -> None:
        """Append one object. After this returns it cannot be lost, even if this process is killed."""
        plain = methodcaller("item")  # turns a number of numpy into a plain one
        data = encode(line, enc_hook=plain, order="deterministic") + b"\n"
        with self._lock:
            if self.failure is None:
                begin = self._file.tell()
                try:
                    if self._file.write(data) != len(data):  # a full disk, on some systems
                        self._file.truncate(begin)
                        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                except OSError as error:
                    self.failure = error

    def add_picture(self, pixels: Pixels) -> None:
        """Write a picture from the other thread: the changes since the last picture, or the whole if none."""
        number, last = self.pictures, self._last
        self._work.put(lambda: self.write(PictureLayer.of(pixels, last, number)))
        self.pictures, self._last = number + 1, pixels

    def begin_anew(self) -> None:
        """Make `add_picture` store the next picture completely, not only its changes since the last one."""
        self._last = None

    def sync(self) -> None:
        """Flush all lines to the disk from the other thread, so that they survive a crash of the system."""
        self._work.put(lambda: os.fsync(self._file.fileno()))

    def close(self) -> None:
        """Write everything that waits, and close the file."""
        self._work.put(None)
        self._thread.join()
        try:
            self._file.close()
        except OSError as error:
            self.failure = self.failure or error

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            if self.failure is None:
                try:
                    work()
                except Exception as error:  # any error: if this thread ended, play would wait for it for ever
                    self.failure = error


class RecordingMouse:
    """A `Mouse` that passes every call on to ``mouse``, and calls ``note`` with each click and key press.

    ``now`` gives the time of each, just after it was sent.
    """

    def __init__(self, mouse: Mouse, now: Callable[[], float], note: Callable[[SentInput], None]) -> None:
        self._mouse, self._now, self._note = mouse, now, note

    def position(self) -> Point:
        """Return the position of the pointer."""
        return self._mouse.position()

    def move(self, point: Point) -> None:
        """Move the pointer to ``point``."""
        self._mouse.move(point)

    def burst(
        self, strokes: Sequence[Stroke], window: Window | None, check: PointerCheck, hold: float = 0.0
    ) -> tuple[int, Point]:
        """Send clicks, and pass each one that was sent to ``note``."""
        sent, here = self._mouse.burst(strokes, window, check, hold)
        for point, button in strokes[:sent]:
            self._note(SentInput(self._now(), point.x, point.y, button.value))
        return sent, here

    def press(self, *keys: str, windows: Sequence[Window] = ()) -> None:
        """Press keys together, and pass them to ``note``."""
        self._mouse.press(*keys, windows=windows)
        self._note(SentInput(self._now(), keys))


def around_board(look: Look) -> Look:
    """Return a look of only the board and its panel, without what else is on the screen."""
    grid, frame = look.reading.grid, look.frame
    around = frame.on_screen(grid.rect).grown(round(PANEL_CELLS * grid.pitch_y))
    cut = frame.crop(around)
    dx, dy = cut.origin.x - frame.origin.x, cut.origin.y - frame.origin.y
    moved = replace(grid, x=grid.x - dx, y=grid.y - dy)
    return replace(look, frame=cut, reading=replace(look.reading, grid=moved))


def check_folder(folder: Path) -> None:
    """Create a folder for a record if needed. Raises UsageError if it cannot be used, or has a record."""
    if is_record(folder):
        raise UsageError(f"there is a record in {folder} already: give another --record")
    with refused_as_usage(f"cannot save a record in {folder}", "--record"):
        private_folder(folder)
        with TemporaryFile(dir=folder):
            pass
