"""The process that shows the marks, from the side of the bot."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import IO, Any

from bot.errors import LaunchError, OverlayError
from bot.overlay.sheet import Sheet

NAME = "minebot-overlay"  # the class of its windows on X11
START_PATIENCE = 60.0  # seconds until it must be there: a first start loads much
PATIENCE = 10.0  # seconds until it must have carried out an order
ENDED = "the overlay has ended"
# Its positions are physical pixels, and it shows its windows where the game is.
_NOT_FOR_IT = frozenset({"QT_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS", "QT_FONT_DPI", "QT_QPA_PLATFORM"})


class Link:
    """A process that shows sheets of marks, and ends with this object, or with us.

    Raises LaunchError if it does not start, in its own words if it says why.
    """

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bot.overlay"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            env=_environment(os.environ),
            start_new_session=True,  # Ctrl+C is for us alone
        )
        self._answers = SimpleQueue[dict[str, Any] | None]()
        self._number = 0
        assert self._process.stdout is not None
        threading.Thread(target=_read, args=(self._process.stdout, self._answers), daemon=True).start()
        self._await_start()

    def show(self, sheet: Sheet | None) -> None:
        """Show a sheet in the place of any other, or nothing; return when the screen shows it.

        Raises OverlayError if the process has ended or does not answer.
        """
        self._number += 1
        order = {"number": self._number, "sheet": None if sheet is None else sheet.as_json()}
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(order) + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as broken:
            raise OverlayError(ENDED) from broken
        self._await(self._number)

    @property
    def alive(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        with suppress(OSError):  # it has ended already
            self._process.stdin.close()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _await_start(self) -> None:
        try:
            answer = self._answers.get(timeout=START_PATIENCE)
        except Empty:
            answer = {"error": "it does not say a word"}
        if answer is None or "error" in answer:
            self.close()
            raise LaunchError((answer or {}).get("error", "the overlay ended at once"))

    def _await(self, number: int) -> None:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                answer = self._answers.get(timeout=max(0.0, deadline - time.monotonic()))
            except Empty:
                raise OverlayError("the overlay does not answer any more") from None
            if answer is None:
                raise OverlayError(ENDED)
            if answer.get("done") == number:
                return


def _read(stream: IO[str], answers: SimpleQueue[dict[str, Any] | None]) -> None:
    """Hand on the lines of a stream; None at its end."""
    for line in stream:
        if line.startswith("{"):
            answers.put(json.loads(line))
    answers.put(None)


def _environment(ours: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in ours.items() if name not in _NOT_FOR_IT}
