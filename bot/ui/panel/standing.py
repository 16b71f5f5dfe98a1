"""How a run stands, by what its process says; nothing of Qt."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

_PREFIX = "minebot: "  # of the line with which a command says what is wrong
_STOPPED, _NOT_FOUND = 4, 3  # exit codes
OPEN_OURS = "Choose the Minesweeper of minebot as the game to have one opened."
_MOST_NOTES = 50


class Status(Enum):
    """What is going on."""

    IDLE = "idle"
    STARTING = "starting"
    RUNNING = "running"
    PAUSED = "paused"
    RESUMING = "resuming"  # as soon as the mouse lies still
    STOPPING = "stopping"


@dataclass(slots=True)
class Standing:
    """How a run stands.

    ``words`` say why it is paused, or what has ended the last one, ``error`` what was wrong and what to do.
    """

    status: Status = Status.IDLE
    show: bool = False  # a dry run
    game: int = 0
    round: int = 0
    reason: str = ""  # and place of the last clicks, or the hint of a dry run
    won: int = 0
    lost: int = 0
    stuck: int = 0
    unknown: int = 0
    last: float | None = None  # 3BV/s of the last game
    speeds: list[float] = field(default_factory=list)  # those of all that were won without a pause
    words: str = "ready"
    error: str = ""
    notes: list[str] = field(default_factory=list)
    _complaint: str = ""

    @property
    def busy(self) -> bool:
        """Whether a process runs."""
        return self.status is not Status.IDLE

    @property
    def games(self) -> int:
        """How many games are over."""
        return self.won + self.lost + self.stuck + self.unknown

    @property
    def mean(self) -> float | None:
        """The mean 3BV/s, None if there is none."""
        return sum(self.speeds) / len(self.speeds) if self.speeds else None

    def hear(self, line: str) -> None:
        """Take in a line of the process: an event as JSON. Others are noted as they are."""
        try:
            event = json.loads(line)
        except ValueError:
            event = None
        if not isinstance(event, dict):
            self.note(line)
            return
        heard: dict[object, Callable[[dict[str, Any]], None]] = {
            "started": self._started,
            "round": self._round,
            "position": self._position,
            "game": self._game,
            "paused": self._paused,
            "playing": self._playing,
            "refused": self._refused,
        }
        if (take_in := heard.get(event.get("event"))) is not None:
            take_in(event)

    def note(self, line: str) -> None:
        """Take in a line of the process's standard error."""
        if line.startswith(_PREFIX):
            self._complaint = line.removeprefix(_PREFIX)
        elif line.strip():
            self.notes = [*self.notes, line.strip()][-_MOST_NOTES:]

    def end(self, code: int | None) -> None:
        """Take in that the process has ended with ``code``, None if it has crashed."""
        complaint, self._complaint = self._complaint, ""
        stopping, self.status = self.status is Status.STOPPING, Status.IDLE
        if code == 0:
            self.words = "stopped" if stopping else "done"
        elif stopping and not complaint:
            self.words = "stopped, though by force"
        elif code == _STOPPED:
            self.words = complaint or "stopped"
        else:
            self.words = "it did not work"
            self.error = _sentence(complaint) if complaint else _died(code)
            if code == _NOT_FOUND:
                self.error = f"{self.error} {OPEN_OURS}"

    def _started(self, _event: dict[str, Any]) -> None:
        self.notes.clear()
        if self.status is Status.STARTING:
            self.status = Status.RUNNING

    def _round(self, event: dict[str, Any]) -> None:
        self.game, self.round = int(event["game"]), int(event["round"])
        self.reason = f"game {self.game}, round {self.round}: {event['reason']}"

    def _position(self, event: dict[str, Any]) -> None:
        hint = event.get("hint") or {}
        self.reason = str(hint.get("words") or "")

    def _game(self, event: dict[str, Any]) -> None:
        outcome = event["outcome"]
        self.won += outcome == "won"
        self.lost += outcome == "lost"
        self.stuck += outcome == "stuck"
        self.unknown += outcome == "unknown"
        self.last = event["bbbv_per_second"]
        if self.last is not None:
            self.speeds.append(self.last)

    def _paused(self, event: dict[str, Any]) -> None:
        if self.status is not Status.STOPPING:
            self.status, self.words = Status.PAUSED, str(event["words"]) or "paused"

    def _playing(self, _event: dict[str, Any]) -> None:
        if self.status is not Status.STOPPING:
            self.status = Status.RUNNING

    def _refused(self, event: dict[str, Any]) -> None:
        self.note(str(event["words"]))


def _sentence(words: str) -> str:
    """Return a complaint as a sentence."""
    return f"{words[:1].upper()}{words[1:]}{'' if words.endswith(('.', '!', '?')) else '.'}"


def _died(code: int | None) -> str:
    how = "It has crashed" if code is None else f"It has ended with code {code}"
    return f"{how} and does not say why. The mouse is yours. Press Start to try again."
