"""The process that shows the marks, from the side of the bot."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import IO, Any

from bot.errors import LaunchError, OverlayError
from bot.ui.overlay.sheet import Sheet

START_PATIENCE = 60.0  # seconds until it must be there: a first start loads much
PATIENCE = 3.0  # seconds until it must have carried out an order, hundreds of times what that takes
MARK_PATIENCE = 0.0005  # and for each mark, ten times what that takes
END_PATIENCE = 1.0  # seconds until it must have ended; to be killed does it no harm
NAP = 0.03  # seconds between two looks for the user's wish while an answer is awaited
ENDED = "the overlay has ended"
HUNG = "the overlay does not answer any more"
_PROGRAM = (sys.executable, "-m", "bot.ui.overlay")
# Its positions are physical pixels, and it shows its windows where the game is.
_NOT_FOR_IT = frozenset({"QT_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS", "QT_FONT_DPI", "QT_QPA_PLATFORM"})


class Link:
    """A process that shows sheets of marks, and ends with this object, or with us.

    Raises LaunchError if it does not start, in its own words if it says why.
    """

    def __init__(self, program: Sequence[str] = _PROGRAM) -> None:
        self._process = subprocess.Popen(
            program,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            env=_environment(os.environ),
            start_new_session=True,  # Ctrl+C is for us alone
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._orders, self._answers = _Orders(self._process.stdin), _Answers(self._process.stdout)
        self._number = 0
        self._owed = True  # whether an answer is due
        try:
            self._await_start()
        except BaseException:
            self.close()
            raise

    def show(self, sheet: Sheet | None, heed: Callable[[], None] = lambda: None) -> None:
        """Show a sheet in the place of any other, or nothing; return when the screen shows it.

        ``heed`` is called again and again meanwhile; what it raises ends the wait. Raises OverlayError if the
        process has ended or does not answer.
        """
        self._number += 1
        number, marks = self._number, 0 if sheet is None else len(sheet.marks)
        self._owed = True
        self._orders.give({"number": number, "sheet": None if sheet is None else sheet.as_json()})
        self._answers.wait(
            lambda answer: answer.get("done") == number, PATIENCE + marks * MARK_PATIENCE, heed
        )
        self._owed = False

    @property
    def alive(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def close(self) -> None:
        """End the process; at once if it owes an answer, which may never come."""
        self._orders.end()
        try:
            self._process.wait(0.0 if self._owed else END_PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End the process, whatever state it is in; what it shows goes with it."""
        self._process.kill()
        with suppress(subprocess.TimeoutExpired):  # not even that is heeded: it waits for a disk
            self._process.wait(PATIENCE)

    def _await_start(self) -> None:
        try:
            answer = self._answers.wait(bool, START_PATIENCE)
        except OverlayError as error:
            raise LaunchError(str(error)) from error
        if "error" in answer:
            raise LaunchError(answer["error"])
        self._owed = False


class _Orders:
    """Orders for the process, written by a thread: one that hangs does not empty its pipe."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream, self._lines = stream, SimpleQueue[str | None]()
        threading.Thread(target=self._write, name="overlay orders", daemon=True).start()

    def give(self, order: Mapping[str, Any]) -> None:
        """Have an order written."""
        self._lines.put(json.dumps(order) + "\n")

    def end(self) -> None:
        """End the stream once all is written."""
        self._lines.put(None)

    def _write(self) -> None:
        with suppress(OSError), self._stream:  # the process has ended: its answers say so
            while (line := self._lines.get()) is not None:
                self._stream.write(line)
                self._stream.flush()


class _Answers:
    """What the process answers, read by a thread; only the last answer counts."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream, self._news = stream, threading.Condition()
        self._last: dict[str, Any] = {}
        self._ended = False
        threading.Thread(target=self._read, name="overlay answers", daemon=True).start()

    def wait(
        self,
        fits: Callable[[dict[str, Any]], bool],
        patience: float,
        heed: Callable[[], None] = lambda: None,
    ) -> dict[str, Any]:
        """Return the answer that fits, within so many seconds; ``heed`` is called all the time.

        Seconds are counted in naps: those in which we did not run, as after Ctrl+Z, are not the fault of the
        process. Raises OverlayError if no such answer comes.
        """
        for _ in range(max(1, round(patience / NAP))):
            with self._news:
                self._news.wait_for(lambda: self._ended or fits(self._last), NAP)
                if fits(self._last):
                    return self._last
                if self._ended:
                    raise OverlayError(ENDED)
            heed()
        raise OverlayError(HUNG)

    def _read(self) -> None:
        try:
            # A process that is killed may leave half a line.
            with suppress(OSError, ValueError), self._stream:
                for line in self._stream:
                    if line.startswith("{"):
                        self._tell(json.loads(line))
        finally:
            self._tell(None)

    def _tell(self, answer: dict[str, Any] | None) -> None:
        with self._news:
            if answer is None:
                self._ended = True
            else:
                self._last = answer
            self._news.notify_all()


def _environment(ours: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in ours.items() if name not in _NOT_FOR_IT}
