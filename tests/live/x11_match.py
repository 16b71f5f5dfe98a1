"""A game that misbehaves and the bot that plays it, as separate programs, watched by a referee.

All button presses on the display come from the RECORD extension of the X server; the games, their mines and
the cell of each press come from the game itself (`faulty_game`).
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self

from Xlib import X
from Xlib.display import Display
from Xlib.ext import record
from Xlib.protocol import rq

from bot.board import Cell
from bot.desktop import ScreenMouse
from bot.desktop.protocols import Window
from bot.errors import CaptureError, LaunchError
from bot.geometry import Point, Rect
from bot.targets.catalogue import find_target
from bot.targets.launch import windows_that
from programs import window_manager
from referee import Event, Outcome, Press, Run, judge
from truth import TrueGame
from x11_faults import Fault, FaultContext

BUTTONS = {1: "left", 2: "middle", 3: "right"}
_TURN, _SLACK = 1 << 32, 1000  # milliseconds
_RECORDING = 15.0  # seconds for the X server to start recording
HERE = Path(__file__).parent
START_PATIENCE = 60.0  # seconds for the game's window to appear
LOADING = 240.0  # seconds for the bot to load
STILL = 60.0  # seconds without output of the game or the bot, after which the run hangs
REST = 0.3  # seconds for the last events to arrive after a run
CORNER = Point(5, 5)  # the pointer's place at the start
DEEDS = (1, 10)  # a fault strikes after a random click of a game, from the first to the tenth
PAUSE = 0.1  # the most seconds between that click and the strike
QUEUE = 0.05  # seconds that a press may wait for the game
FAULTS = ("order", "obeyed", "popup")  # popups too: a window appears some time after the order
BOX = ("x", "y", "width", "height")


@dataclass(frozen=True, slots=True)
class ButtonPress:
    """A button press: the times of the X server (milliseconds) and of `time.monotonic`, and the place."""

    time: int
    at: float
    button: str
    x: int
    y: int


class ButtonWatch:
    """Records all button presses on the display named by DISPLAY, for the length of the block."""

    def __init__(self) -> None:
        self.presses: list[ButtonPress] = []
        self._control, self._source = Display(), Display()
        events = {"device_events": (X.ButtonPress, X.ButtonPress)}
        nothing = dict.fromkeys(("core_requests", "core_replies", "delivered_events", "errors"), (0, 0))
        extensions = dict.fromkeys(("ext_requests", "ext_replies"), (0, 0, 0, 0))
        wanted = {**nothing, **extensions, **events, "client_started": False, "client_died": False}
        self._context = self._source.record_create_context(0, [record.AllClients], [wanted])
        self._source.sync()
        self._listening = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        if not self._listening.wait(_RECORDING):
            raise CaptureError("the X server records nothing: has it the RECORD extension?")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._control.record_disable_context(self._context)
        self._control.flush()
        self._thread.join(_RECORDING)
        for display in (self._source, self._control):
            display.close()

    def down(self) -> list[str]:
        """Return the buttons that are down now."""
        with closing(Display()) as display:
            mask = int(display.screen().root.query_pointer().mask)
        return [name for number, name in BUTTONS.items() if mask & X.Button1Mask << number - 1]

    def _listen(self) -> None:
        self._source.record_enable_context(self._context, self._take)

    def _take(self, reply: Any) -> None:
        if reply.category == record.StartOfData:
            self._listening.set()
        if reply.category != record.FromServer or reply.client_swapped:
            return
        data = reply.data
        while len(data):
            event, data = rq.EventField(None).parse_binary_value(data, self._source.display, None, None)
            if event.type == X.ButtonPress:
                name = BUTTONS.get(event.detail, str(event.detail))
                press = ButtonPress(event.time, _time_of(event.time), name, event.root_x, event.root_y)
                self.presses.append(press)


def _time_of(milliseconds: int) -> float:
    """Convert a time of the X server to seconds of `time.monotonic`; the X server's counter wraps around."""
    now = time.monotonic()
    return now - ((int(1000 * now) - milliseconds + _SLACK) % _TURN - _SLACK) / 1000


def games_of(events: Sequence[Event]) -> list[TrueGame]:
    """Return the games that the game has reported."""
    mines = {
        e["game"]: frozenset(Cell(*cell) for cell in e["mines"]) for e in events if e["event"] == "mines"
    }
    ends = {event["game"]: (event["at"], event["won"]) for event in events if event["event"] == "over"}
    begun = [event for event in events if event["event"] == "game"]
    return [
        TrueGame(
            *(event["at"], event["rows"], event["cols"], mines.get(event["game"])),
            *ends.get(event["game"], (None, None)),
            gone=later["at"],
        )
        for event, later in pairwise([*begun, {"at": float("inf")}])
    ]


def presses_of(pressed: Iterable[ButtonPress], events: Sequence[Event]) -> Iterator[Press]:
    """Yield the presses of the bot, with the cell or the place that each hit."""
    seen = {
        (event["time"], event["button"], event["x"], event["y"]): event["cell"]
        for event in events
        if event["event"] == "press"
    }
    for press in pressed:
        mark = (press.time, press.button, press.x, press.y)
        place = f"at ({press.x}, {press.y})"
        if mark not in seen:
            if not _deaf(press, events):
                words = f"{place} fell on something that is not the game{_nearest(press, events)}"
                yield Press(press.at, press.button, astray=words)
        elif seen[mark] is None:
            yield Press(press.at, press.button, astray=f"{place} fell beside the cells")
        else:
            yield Press(press.at, press.button, Cell(*seen[mark]))


def _nearest(press: ButtonPress, events: Sequence[Event]) -> str:
    """Describe the press reported by the game that is nearest in time; "" if there is none."""
    seen = [event for event in events if event["event"] == "press"]
    near = min(seen, key=lambda event: abs(event["at"] - press.at), default=None)
    if near is None:
        return ""
    return f", which saw one at ({near['x']}, {near['y']}) {near['at'] - press.at:+.3f} s from then"


def _deaf(press: ButtonPress, events: Sequence[Event]) -> bool:
    """Return whether a press is on the cells, but swallowed by an open popup of the game."""
    boxes = dict[object, Rect]()
    for event in events:
        if event["event"] in ("place", "popup") and event["at"] <= press.at:
            boxes[event.get("popup", "board")] = Rect(*(event[name] for name in BOX))
    board, here = boxes.pop("board", None), Point(press.x, press.y)
    popups = [box for box in boxes.values() if not box.empty]
    on_cells = board is not None and board.contains(here)
    return bool(popups) and on_cells and not any(box.contains(here) for box in popups)


class ProgramOutput:
    """The lines of a program's output as events; a thread calls ``on_event`` with each when it arrives."""

    def __init__(self, lines: Iterable[str], on_event: Callable[[Event], None] = lambda _: None) -> None:
        self.events: list[Event] = []
        self.last = time.monotonic()
        self._lines, self._on_event = lines, on_event
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        for line in self._lines:
            self.last = time.monotonic()
            with suppress(ValueError):  # the output of a killed program may end in the middle of a line
                self.events.append(json.loads(line))
                self._on_event(self.events[-1])


@dataclass
class Striker:
    """Lets a fault strike once a game, shortly after one of its first clicks."""

    fault: Fault
    ground: FaultContext
    armed: bool = False
    struck: int = 0
    _deeds: int = 0
    _due: int = 0  # 0: the fault has struck in this game
    _timer: threading.Timer | None = None

    def begin(self) -> None:
        """Prepare for a new run, or for a new game of a run."""
        self._deeds, self._due = 0, self.ground.random.randint(*DEEDS)

    def see(self, event: Event) -> None:
        """Handle an event of the game."""
        if event["event"] == "place":
            self.ground.board = Rect(*(event[name] for name in BOX))
        if event["event"] == "over":
            self.begin()
        if event["event"] != "deed" or not self.armed:
            return
        self._deeds += 1
        if self._deeds == self._due:
            self._due = 0
            wait = self.ground.random.uniform(0, PAUSE)
            self._timer = threading.Timer(wait, self._strike)
            self._timer.start()

    def await_strikes(self) -> None:
        """Wait until the last strike is over; some take a while."""
        if self._timer is not None:
            self._timer.join()

    def _strike(self) -> None:
        if not self.armed or self._due:  # the run, or the game, is already over
            return
        if self.fault.strike is not None:
            self.struck += 1
            known = len(self.ground.acts)
            with suppress(BrokenPipeError):
                self.ground.act(self.fault.strike)
            if len(self.ground.acts) > known + 1:  # the strike noted its acts itself
                self.ground.acts.pop()


class X11Match:
    """The game with its fault, on the display named by DISPLAY, for the length of the block."""

    def __init__(self, fault: Fault, seed: int, speed: str) -> None:
        self.fault, self.seed, self.speed = fault, seed, speed
        self._random = random.Random(seed)

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self._folder = Path(stack.enter_context(TemporaryDirectory()))
            self._more = stack
            self._watch = stack.enter_context(ButtonWatch())
            if self.fault.manager:
                stack.enter_context(window_manager())
            self._start_game()
            if self.fault.second:
                self._ground.second = self._started("--hidden")
                self._heard(self._ground.second, lambda _: None)
            self._mouse = ScreenMouse()
            stack.callback(lambda: self._ground.uncover())
            self._more = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._more.close()

    def _start_game(self) -> None:
        game = self._started("--seed", str(self.seed), *self.fault.options)
        self._ground = FaultContext(game, _window(game), self._random, self._folder / "blind")
        self._striker = Striker(self.fault, self._ground)
        self._told = self._heard(game, self._striker.see)

    def _started(self, *options: str) -> subprocess.Popen[str]:
        """Start a game that misbehaves; it ends with the block."""
        command = [sys.executable, str(HERE / "faulty_game.py"), *options]
        environment = {name: value for name, value in os.environ.items() if name != "QT_QPA_PLATFORM"}
        piped: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        game = subprocess.Popen(command, env=environment, **piped)
        self._more.callback(close_pipes, game)
        return game

    def _heard(self, game: subprocess.Popen[str], on_event: Callable[[Event], None]) -> ProgramOutput:
        """Return the output of a game; all of it is read before its pipes are closed."""
        assert game.stdout is not None
        told = ProgramOutput(game.stdout, on_event)
        self._more.callback(told.reader.join)
        self._more.callback(game.kill)
        return told

    def play(self, games: int) -> Outcome:
        """Let the bot play up to ``games`` games; return the results."""
        if self._ground.game.poll() is not None:  # the fault has closed the game
            self.seed += 1000
            self._start_game()
        ground, striker, events = self._ground, self._striker, self._told.events
        self.fault.mend(ground)
        begin = self._begin_game()
        places = [event for event in events[:begin] if event["event"] == "place"][-1:]
        presses, striker.struck = len(self._watch.presses), 0
        ground.foul.clear()
        ground.acts.clear()
        rounds, record = self._folder / "rounds.jsonl", self._folder / "record"
        rounds.touch()
        shutil.rmtree(record, ignore_errors=True)
        code, printed, complaints = self._run_bot(games, rounds)
        time.sleep(REST + self.fault.late)
        striker.await_strikes()
        ground.uncover()
        seen = [*places, *events[begin:]]
        told = [event["at"] for event in seen if event["event"] in FAULTS]
        turns = [json.loads(line) for line in rounds.read_text().splitlines()]
        run = Run(
            list(presses_of(self._watch.presses[presses:], seen)),
            [{**turn, "at": turn["looked"]} for turn in turns],  # the X server counts in milliseconds
            games_of(seen),
            printed,
            complaints,
            code,
            record,
            sorted([*ground.acts, *zip(told, told, strict=True)]),
            self.fault.codes,
            self._watch.down(),
            late=self.fault.late,
            queue=QUEUE,
        )
        verdict = judge(run)
        verdict.broken += ground.foul
        if self.fault.strike is not None:
            return Outcome(striker.struck, run, verdict)
        return Outcome(len({event["game"] for event in seen if event["event"] == "deed"}), run, verdict)

    def _begin_game(self) -> int:
        """Start a game, with the pointer away from it; return the number of the event that reports it."""
        self._mouse.move(CORNER)
        known, events = len(self._told.events), self._told.events
        self._ground.order("level", "beginner")
        deadline = time.monotonic() + START_PATIENCE
        while time.monotonic() < deadline:
            if begun := [at for at in range(known, len(events)) if events[at]["event"] == "game"]:
                return begun[-1]
            time.sleep(0.01)
        raise LaunchError("the game that misbehaves begins no game")

    def _run_bot(self, games: int, rounds: Path) -> tuple[int | None, str, str]:
        """Return the bot's exit code (None: it hung), its output and its messages."""
        folder = self._folder
        options = ["--target", "builtin", "--games", str(games), "--speed", self.speed]
        options += ["--record", str(folder / "record"), *self.fault.play]
        play = [sys.executable, str(HERE / "noted_play.py"), str(rounds), str(self._ground.blind), *options]
        command = [*self.fault.within, *play]
        with (folder / "out").open("w+") as out, (folder / "err").open("w+") as err:
            environment = {**os.environ, "XDG_DATA_HOME": str(folder / "data")}
            bot = subprocess.Popen(command, stdout=out, stderr=err, text=True, env=environment)
            self._striker.begin()
            self._ground.bot, self._striker.armed = bot, True
            try:
                code = self._awaited(bot, rounds)
            finally:
                self._striker.armed = False
                bot.kill()
            out.seek(0)
            err.seek(0)
            return code, out.read(), err.read()

    def _awaited(self, bot: subprocess.Popen[str], rounds: Path) -> int | None:
        """Return the exit code of the bot; None if it hung and was killed here."""
        begun = time.monotonic()
        while True:
            with suppress(subprocess.TimeoutExpired):
                return bot.wait(0.2)
            patience = STILL if rounds.stat().st_size else LOADING
            if time.monotonic() > max(begun, self._told.last) + patience:
                bot.kill()
                bot.wait()
                return None


def close_pipes(game: subprocess.Popen[str]) -> None:
    game.kill()
    with suppress(BrokenPipeError), game:
        pass


def _window(game: subprocess.Popen[str]) -> Window:
    """Return the game's window once it is there."""
    titles = find_target("builtin").titles
    deadline = time.monotonic() + START_PATIENCE
    while time.monotonic() < deadline and game.poll() is None:
        if windows := windows_that(lambda window: window.title in titles):
            return windows[0]
        time.sleep(0.05)
    raise LaunchError("the game that misbehaves shows no window")
