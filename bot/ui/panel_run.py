"""A run started from the control panel: its choices, its process, and its status."""

from __future__ import annotations

import sys
from base64 import b64decode
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Annotated, Self

from msgspec import Meta, Struct
from msgspec.json import decode
from PySide6.QtCore import QObject, QProcess, QTimer, Signal, SignalInstance

from bot.clicker.style import Flags
from bot.files import StateFile
from bot.installation import minebot_command
from bot.marks import Layer
from bot.solver import DEEP
from bot.solver import STRATEGIES as KNOWN_STRATEGIES
from bot.targets.catalogue import TARGETS
from bot.words import counted

FILE, RECORDS = "panel.json", "panel-records"
LAUNCHED = ("builtin", "winemine")  # the games that ``play --launch`` can start
MOST_GAMES = 9999
_FAR = 1 << 20  # larger than any screen, in pixels
_Pixel = Annotated[int, Meta(gt=-_FAR, lt=_FAR)]
SPEEDS = {
    "human": "like a person",
    **{str(rate): f"{counted(rate, 'click')} a second" for rate in (1, 2, 5, 10, 20)},
    "max": "as fast as possible",
}
_ABOUT_STRATEGIES = {
    "best": "proofs, least risk, looks ahead",
    "deep": "plays guesses out in thought",
    "fast": "proofs, least risk",
    "exact": "counts all placements",
    "novitsky": "patterns (2021)",
    "komarov": "contradiction (2006)",
    "pestov": "elements (2005)",
    "korlyakova": "experience (2016)",
    "article": "least sum (2024)",
    "counting": "simple rules alone",
}
STRATEGIES = {
    name: f"{name}: {_ABOUT_STRATEGIES[name]}" if name in _ABOUT_STRATEGIES else name
    for name in reversed(tuple(KNOWN_STRATEGIES))  # the strongest first
}
FLAGS = {
    Flags.NONE.value: "left clicks only",
    Flags.ALL.value: "flag every proven mine",
    Flags.CHORD.value: "flags and chords",
}
LAYERS = {
    Layer.SAFE.value: "safe cells",
    Layer.MINES.value: "mines",
    Layer.NEXT.value: "next click",
    Layer.ORDER.value: "order of clicks",
    Layer.RISK.value: "risk in percent",
    Layer.WORDS.value: "why, in words",
}
STOP_KEYS = ("esc", "pause", "f12", "ctrl+alt+s")
ABOUT_SPEED = (
    "3BV is the least number of left clicks that open a board; 3BV/s is how many of them were played in a "
    "second, in games that were won without a pause."
)


def targets(platform: str = sys.platform) -> dict[str, str]:
    """Return the games that can be chosen on this platform: the target's name and its label."""
    labels = {target.name: target.label for target in TARGETS}
    launched = {"builtin": f"{labels['builtin']} (opened if needed)"}
    if platform.startswith("linux"):
        launched["winemine"] = f"{labels['winemine']} (opened if needed)"
    elsewhere = {name: label for name, label in labels.items() if name not in LAUNCHED}
    return {"auto": "any", **launched, **elsewhere}


@dataclass(frozen=True, slots=True)
class RunChoices:
    """The choices; a ``level`` of "" keeps that of the game, and 0 ``games`` means play until stopped.

    ``show`` means a dry run with ``layers`` of marks over the game. ``place`` is the last position of the
    panel, x and y in screen pixels, or None if unknown. A name that is not offered any more is left out.
    """

    target: str = "auto"
    level: str = ""
    speed: str = "human"
    strategy: str = DEEP.name
    flags: str = "none"
    guess: bool = True
    games: Annotated[int, Meta(ge=0, le=MOST_GAMES)] = 0
    show: bool = False
    layers: tuple[str, ...] = tuple(LAYERS)
    stop_key: str = "esc"
    record: bool = False
    on_top: bool = False
    place: tuple[_Pixel, _Pixel] | None = None

    def command(self, picture: Path, record: Path, at: str = "") -> list[str]:
        """Return the arguments for ``minebot``: play the board ``at`` X,Y, or any if that is "".

        A dry run also draws its suggestions into ``picture``; ``record`` is the folder for a record.
        """
        words = ["play", "--control", *self.search, "--strategy", self.strategy]
        words += ["--at", at] if at else ["--launch"] * (self.target in LAUNCHED)
        words += ["--level", self.level] if self.level else []
        words += ["--no-guess"] * (not self.guess)
        words += ["--record", str(record)] if self.record else []
        if self.show:
            words += ["--dry-run", "--overlay", str(picture)]
            words += ["--layers", ",".join(self.layers)] if self.layers else []
        else:
            words += ["--games", str(self.games), "--speed", self.speed, "--flags", self.flags]
        return words

    @property
    def search(self) -> list[str]:
        """The arguments that say which game to look for, and which key ends that."""
        return ["--target", self.target, "--stop-key", self.stop_key]

    @property
    def how_to_stop(self) -> str:
        """A sentence for the user: how to stop a run."""
        key = "+".join(part.strip().capitalize() for part in self.stop_key.split("+"))
        return f"{key} ends it." if self.show else f"Move the mouse to pause it; {key} stops it."

    @property
    def help(self) -> str:
        """What a new user needs to know, as HTML."""
        return _HELP.format(how_to_stop=self.how_to_stop, about_speed=ABOUT_SPEED)


class SavedPanel(StateFile[RunChoices]):
    """The file with the saved choices of a user, in a folder, and where a picture of suggestions goes."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / FILE, RunChoices, "the settings of the panel")
        self.picture, self._records = folder / "panel-suggestions.png", folder / RECORDS

    def new_record(self) -> Path:
        """Return a folder for the record of a run that begins now."""
        return self._records / f"{datetime.now():%Y-%m-%d-%H%M%S}"

    @property
    def last_record(self) -> Path | None:
        """The newest record, None if there is none."""
        return max(self._records.glob("*"), default=None)


PATIENCE = 20_000  # milliseconds for the process to stop: a game that it started in Wine ends slowly
END_PATIENCE = 3000  # milliseconds for the process to end after it was terminated or killed

PREFIX = "minebot: "  # the beginning of the error line of a command
STOPPED = 4  # exit code
_HELP = """<p><b>Minebot plays the Minesweeper that it sees on the screen.</b></p>
<ol>
<li>Open a Minesweeper: any window or web page with one, or that of minebot.</li>
<li>The panel shows the board that it means. <i>Choose another</i> takes another one.</li>
<li><i>Start</i>. {how_to_stop}</li>
</ol>
<p><i>Play for me</i> moves the mouse. <i>Show me what is safe</i> leaves it to you, and marks safe cells and
mines over your game.</p>
<p>{about_speed}</p>
<p><b>Keys</b>: Enter starts, Esc stops, Space presses what has the focus, Tab goes on, Alt with an underlined
letter goes there.</p>
<p>If something does not work, <i>Check this computer</i> says what to do. Do not use minebot on ranked sites
such as minesweeper.online: they forbid bots.</p>
"""
_MOST_NOTES, _SHOWN_NOTES = 50, 3


class Process(QObject):
    """A process that runs ``minebot`` with arguments, one run at a time.

    The signal ``said`` carries each line of its standard output, ``noted`` each line of its standard error,
    ``ended`` its exit code, or None if it crashed. If this program dies, the run stops, as its orders end.
    """

    said = Signal(str)
    noted = Signal(str)
    ended = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._process = QProcess(self)
        self._killer = QTimer(self, singleShot=True)
        self._killer.timeout.connect(self._force)
        self._process.readyReadStandardOutput.connect(self._read)
        self._process.readyReadStandardError.connect(self._read)
        self._process.finished.connect(self._finish)
        self._process.errorOccurred.connect(self._fail)

    @property
    def running(self) -> bool:
        """Whether a run is going on."""
        return self._process.state() is not QProcess.ProcessState.NotRunning

    def start(self, arguments: Sequence[str]) -> None:
        """Start a run with these ``arguments`` of ``minebot``."""
        program, *words = minebot_command(*arguments)
        self._process.start(program, words)

    def order(self, line: str) -> None:
        """Send one order to the run."""
        self._process.write(f"{line}\n".encode())

    def stop(self) -> None:
        """Order the process to stop; end it by force if it does not stop in time."""
        self.order("stop")
        self._killer.start(PATIENCE)

    def close(self) -> None:
        """Stop the run and wait until it has ended; end it by force if necessary."""
        if not self.running:
            return
        self.order("stop")
        self._process.closeWriteChannel()
        if not self._process.waitForFinished(PATIENCE):
            self._force()

    def kill(self) -> None:
        """End the process at once, which loses nothing if it only looks or prints."""
        self._process.kill()
        self._process.waitForFinished(END_PATIENCE)

    def _force(self) -> None:
        """Terminate the process; kill it if it is still there after `END_PATIENCE`."""
        self._process.terminate()
        if not self._process.waitForFinished(END_PATIENCE):
            self.kill()

    def _read(self) -> None:
        """Pass on all whole lines: first those of standard output, then those of standard error."""
        lines = list[tuple[SignalInstance, bytes]]()  # all of them first: a slot may make this read again
        for channel, signal in zip(QProcess.ProcessChannel, (self.said, self.noted), strict=True):
            self._process.setReadChannel(channel)
            while self._process.canReadLine():
                lines.append((signal, bytes(self._process.readLine().data())))
        for signal, line in lines:
            signal.emit(line.decode(errors="replace").rstrip("\r\n"))

    def _finish(self, code: int, status: QProcess.ExitStatus) -> None:
        self._killer.stop()
        self._read()
        self.ended.emit(code if status is QProcess.ExitStatus.NormalExit else None)

    def _fail(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            self.noted.emit(f"{PREFIX}it cannot be started: {self._process.errorString()}")
            self.ended.emit(1)


class SeenBoard(Struct):
    """A board on the screen, as ``play --boards`` lists it."""

    label: str
    words: str
    x: int | None
    y: int | None
    width: int | None
    height: int | None
    picture: str | None

    @classmethod
    def of(cls, line: str) -> Self | None:
        """Return the board that a line tells; None if it is no such line."""
        try:
            return decode(line, type=cls)
        except (ValueError, RecursionError):
            return None

    @property
    def place(self) -> str:
        """The middle of the board as X,Y; "" if it cannot be seen."""
        if self.x is None or self.y is None or self.width is None or self.height is None:
            return ""
        return f"{self.x + self.width // 2},{self.y + self.height // 2}"

    @property
    def png(self) -> bytes:
        """Its picture as a PNG file, b"" if it cannot be seen."""
        return b64decode(self.picture or "")


class _Hint(Struct):
    words: str = ""


class _Event(Struct):
    """What the panel shows of any event of ``play --control``."""

    event: str = ""
    game: int = 0
    round: int = 0
    hint: _Hint | None = None
    outcome: str = ""
    bbbv_per_second: float | None = None
    words: str = ""


class Status(Enum):
    """The state of a run."""

    IDLE = "idle"
    STARTING = "starting"
    RUNNING = "running"
    PAUSED = "paused"
    RESUMING = "resuming"  # waits until the mouse does not move
    STOPPING = "stopping"


@dataclass(slots=True)
class RunStatus:
    """The status of a run.

    ``words`` says that it is paused or how the last run ended, ``why`` the reason; ``failed`` is true if that
    is something to repair.
    """

    status: Status = Status.IDLE
    show: bool = False  # a dry run
    game: int = 0
    round: int = 0
    reason: str = ""  # that of the last round, or the hint of a dry run
    outcomes: Counter[str] = field(default_factory=Counter)  # of all finished games
    last: float | None = None  # 3BV/s of the last game
    speeds: list[float] = field(default_factory=list)  # 3BV/s of all games won as a whole, without a pause
    words: str = "Ready"
    why: str = ""
    failed: bool = False
    question: str = ""  # that the user must answer with yes or no
    notes: list[str] = field(default_factory=list)
    _complaint: str = ""

    @property
    def busy(self) -> bool:
        """Whether a process runs."""
        return self.status is not Status.IDLE

    @property
    def games(self) -> int:
        """The number of finished games."""
        return self.outcomes.total()

    @property
    def heading(self) -> str:
        """A few words that say what is going on."""
        if self.status is Status.RUNNING:
            if self.show:
                return "Watching: the mouse is yours"
            return f"Playing game {self.game}" if self.game else "Looking at the game"
        return {
            Status.STARTING: "Starting",
            Status.RESUMING: "Continuing as soon as the mouse is still",
            Status.STOPPING: "Stopping",
        }.get(self.status, self.words)

    @property
    def details(self) -> str:
        """Lines below the heading: the question or reason, the score, and the last notes."""
        first = (self.question,) if self.question else (self.why, self.reason if self.busy else "")
        return "\n".join(filter(None, (*first, self.score, *self.notes[-_SHOWN_NOTES:])))

    @property
    def score(self) -> str:
        """The games won and lost, and the 3BV/s of won games; "" in a dry run, before a game has ended."""
        if self.show or not self.games:
            return ""
        won, known = self.outcomes["won"], self.games - self.outcomes["unknown"]
        share = f" ({won / known:.0%})" if known else ""
        others = (f", {self.outcomes[name]} {name}" for name in ("stuck", "unknown") if self.outcomes[name])
        score = f"Won {won}{share}, lost {self.outcomes['lost']}{''.join(others)}."
        if not self.speeds:
            return score
        last = "-" if self.last is None else f"{self.last:.1f}"
        mean, best = sum(self.speeds) / len(self.speeds), max(self.speeds)
        return f"{score} 3BV/s {last}, mean {mean:.1f}, best {best:.1f}."

    def hear(self, line: str) -> None:
        """Update the status by ``line``, an event as JSON; store any other line as a note."""
        try:
            event = decode(line, type=_Event)
        except (ValueError, RecursionError):  # the latter for a line that is nested too deeply
            self.note(line)
            return
        stopping = self.status is Status.STOPPING
        match event.event:
            case "started":
                self.notes.clear()
                if self.status is Status.STARTING:
                    self.status = Status.RUNNING
            case "round":
                self.game, self.round, self.reason = event.game, event.round, event.words
            case "position":
                self.reason = "" if event.hint is None else event.hint.words
            case "game":
                self.outcomes[event.outcome] += 1
                self.last = event.bbbv_per_second
                if self.last is not None:
                    self.speeds.append(self.last)
            case "paused" if not stopping:
                self.status, self.words, self.why = Status.PAUSED, "Paused", _reason(event.words)
            case "playing" if not stopping:
                self.status, self.why = Status.RUNNING, ""
            case "question":
                self.question = event.words
            case "buttons":
                self.question = ""
            case "refused":
                self.note(event.words)

    def note(self, line: str) -> None:
        """Store ``line``, from standard error: an error of the command if it begins so, otherwise a note."""
        if line.startswith(PREFIX):
            self._complaint = line.removeprefix(PREFIX)
        elif line.strip():
            self.notes = [*self.notes, line.strip()][-_MOST_NOTES:]

    def end(self, code: int | None) -> None:
        """Update the status after the process ended with ``code``, or crashed (None)."""
        complaint, self._complaint, self.question = self._complaint, "", ""
        stopping, self.status = self.status is Status.STOPPING, Status.IDLE
        if code == 0:
            self.words, self.why = "Stopped" if stopping else "Done", ""
        elif stopping and not complaint:
            self.words, self.why = "Ended by force", "It did not stop in time."
        elif code == STOPPED:
            self.words, self.why = "Stopped", _reason(complaint)
        else:
            how = "it crashed" if code is None else f"it ended with exit code {code}"
            self.fail(complaint or f"{how} without a message. The mouse is yours. Press Start to try again")

    def fail(self, complaint: str) -> None:
        """Say what went wrong, and what to do."""
        self.words, self.why, self.failed = "That did not work", sentence(complaint), True


def sentence(words: str) -> str:
    """Return ``words`` of an error message as a sentence."""
    return f"{words[:1].upper()}{words[1:]}{'' if words.endswith(('.', '!', '?')) else '.'}" if words else ""


def _reason(words: str) -> str:
    """Return the reason in ``words`` such as "paused: the mouse was moved by hand", as a sentence."""
    return sentence(words.partition(": ")[2])
