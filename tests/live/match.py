"""A game that misbehaves and the bot that plays it, both as programs of their own, under a referee's eyes."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self

from Xlib import X
from Xlib.display import Display

from bot.clicker.mouse import ScreenMouse
from bot.desktop.protocols import Window
from bot.errors import LaunchError
from bot.geometry import Point, Rect
from bot.targets import find_target
from bot.targets.launch import find_program, windows_that
from buttons import ButtonWatch
from fault import Fault, Ground
from fault_table import Outcome, last_words
from referee import Run, judge

HERE = Path(__file__).parent
START_PATIENCE = 60.0  # seconds until the game's window is there
STILL = 60.0  # seconds in which neither the game nor the bot tells anything: it hangs
REST = 0.3  # seconds in which what is on its way comes in, after a run
CORNER = Point(5, 5)  # where the pointer is at the start

Event = dict[str, Any]


class ProgramOutput:
    """The lines of a program's output as events, as they come; ``heed`` is called with each, on a thread."""

    def __init__(self, process: subprocess.Popen[str], heed: Callable[[Event], None]) -> None:
        self.events: list[Event] = []
        self.last = time.monotonic()
        self._process, self._heed = process, heed
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Kill the program and hear its last words."""
        self._process.kill()
        self._thread.join()
        with self._process, suppress(BrokenPipeError):
            pass

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            event = json.loads(line)
            self.last = time.monotonic()
            self.events.append(event)
            self._heed(event)


@dataclass
class Striker:
    """Lets a fault strike once a game, a while after one of its first clicks."""

    fault: Fault
    ground: Ground
    armed: bool = False
    struck: int = 0
    _deeds: int = 0
    _due: int = 0  # 0: it has struck in this game
    _timer: threading.Timer | None = None

    def begin(self) -> None:
        """Take note that a run, or a game of it, begins."""
        self._deeds, self._due = 0, self.ground.random.randint(*self.fault.deeds)

    def heed(self, event: Event) -> None:
        """Take note of what the game tells."""
        if event["event"] == "place":
            self.ground.board = Rect(*(event[name] for name in ("x", "y", "width", "height")))
        if event["event"] == "over":
            self.begin()
        if event["event"] != "deed" or not self.armed:
            return
        self._deeds += 1
        if self._deeds == self._due:
            self._due = 0
            wait = self.ground.random.uniform(0, self.fault.pause)
            self._timer = threading.Timer(wait, self._strike)
            self._timer.start()

    def await_strikes(self) -> None:
        """Wait until the last strike is over: some take a while."""
        if self._timer is not None:
            self._timer.join()

    def _strike(self) -> None:
        if not self.armed or self._due:  # the run, or the game, is over
            return
        if self.fault.strike is not None:
            self.struck += 1
            known = len(self.ground.acts)
            with suppress(BrokenPipeError):
                self.ground.act(self.fault.strike)
            if len(self.ground.acts) > known + 1:  # it has told of each of its acts
                self.ground.acts.pop()


class Match:
    """The game with its fault, on the display that DISPLAY names, for as long as the block lasts."""

    def __init__(self, fault: Fault, chance: random.Random, seed: int, watch: ButtonWatch) -> None:
        self.fault, self.chance, self.seed, self.watch = fault, chance, seed, watch

    def __enter__(self) -> Self:
        self._folder = TemporaryDirectory()
        self._programs = list[ProgramOutput]()
        self._manager = _window_manager() if self.fault.manager else None
        self._start_game()
        if self.fault.second:
            self._ground.second = _started("--hidden")
            self._programs.append(ProgramOutput(self._ground.second, lambda _: None))
        self._mouse = ScreenMouse()
        return self

    def _start_game(self) -> None:
        game = _started("--seed", str(self.seed), *self.fault.options)
        self._ground = Ground(game, _window(game), self.chance, blind=Path(self._folder.name) / "blind")
        self._striker = Striker(self.fault, self._ground)
        self._told = ProgramOutput(game, self._striker.heed)
        self._programs.append(self._told)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ground.uncover()
        for program in self._programs:
            program.end()
        if self._manager is not None:
            self._manager.kill()
            self._manager.wait()
        self._folder.cleanup()

    def play(self, games: int, speed: str) -> Outcome:
        """Let the bot play up to so many games; return what came of it."""
        if self._ground.game.poll() is not None:  # the fault has closed it
            self.seed += 1000
            self._start_game()
        ground, striker, events = self._ground, self._striker, self._told.events
        self.fault.mend(ground)
        ground.foul.clear()
        ground.by_hand.clear()
        begin = self._begin_game()
        places = [event for event in events[:begin] if event["event"] == "place"][-1:]
        presses, striker.struck = len(self.watch.presses), 0
        ground.acts.clear()
        folder = Path(self._folder.name)
        rounds, record = folder / "rounds.jsonl", folder / "record"
        rounds.touch()
        shutil.rmtree(record, ignore_errors=True)
        code, printed, complaints = self._run_bot(games, speed, rounds)
        time.sleep(REST + self.fault.late)
        striker.await_strikes()
        ground.uncover()
        seen = [*places, *events[begin:]]
        run = Run(
            self.watch.presses[presses:],
            seen,
            [json.loads(line) for line in rounds.read_text().splitlines()],
            printed,
            complaints,
            code,
            self.watch.down(),
            ground.by_hand,
            list(ground.acts),
            self.fault.late,
            self.fault.codes,
            record,
        )
        verdict = judge(run)
        verdict.broken += ground.foul
        over = [event["won"] for event in seen if event["event"] == "over"]
        struck = (
            {event["game"] for event in seen if event["event"] == "deed"} if not self.fault.strike else ()
        )
        return Outcome(
            striker.struck if self.fault.strike else len(struck),
            sum(over),
            len(over) - sum(over),
            len(run.presses),
            code,
            last_words(complaints),
            code is None,
            verdict,
        )

    def _begin_game(self) -> int:
        """Begin a game with the pointer away from it; return the number of the event that tells of it."""
        self._mouse.move(CORNER)
        known, events = len(self._told.events), self._told.events
        self._ground.order("level", "beginner")
        deadline = time.monotonic() + START_PATIENCE
        while time.monotonic() < deadline:
            if begun := [at for at in range(known, len(events)) if events[at]["event"] == "game"]:
                return begun[-1]
            time.sleep(0.01)
        raise LaunchError("the game that misbehaves begins no game")

    def _run_bot(self, games: int, speed: str, rounds: Path) -> tuple[int | None, str, str]:
        """Return the bot's exit code (None: it hung), its output and its messages."""
        folder = Path(self._folder.name)
        options = ["--target", "builtin", "--games", str(games), "--speed", speed]
        options += ["--record", str(folder / "record"), *self.fault.play]
        play = [sys.executable, str(HERE / "noted_play.py"), str(rounds), str(self._ground.blind), *options]
        command = [*self.fault.within, *play]
        with (folder / "out").open("w+") as out, (folder / "err").open("w+") as err:
            environment = {**os.environ, "XDG_DATA_HOME": str(folder / "data")}
            bot = subprocess.Popen(command, stdout=out, stderr=err, text=True, env=environment)
            self._striker.begin()
            self._ground.bot, self._striker.armed = bot, True
            try:
                code = self._awaited(bot)
            finally:
                self._striker.armed = False
                bot.kill()
            out.seek(0)
            err.seek(0)
            return code, out.read(), err.read()

    def _awaited(self, bot: subprocess.Popen[str]) -> int | None:
        """Return the code with which the bot ends; None if nothing happens any more."""
        begun = time.monotonic()
        while True:
            with suppress(subprocess.TimeoutExpired):
                return bot.wait(0.2)
            if time.monotonic() > max(begun, self._told.last) + STILL:
                bot.kill()
                bot.wait()
                return None


def _started(*options: str) -> subprocess.Popen[str]:
    """Start a game that misbehaves."""
    return subprocess.Popen(
        [sys.executable, str(HERE / "faulty_game.py"), *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={name: value for name, value in os.environ.items() if name != "QT_QPA_PLATFORM"},
    )


def _window_manager() -> subprocess.Popen[str]:
    """Start openbox, and wait until it manages windows."""
    command, quiet = [find_program("openbox", "openbox")], subprocess.DEVNULL
    manager = subprocess.Popen(command, stdout=quiet, stderr=quiet, text=True)
    with closing(Display()) as display:
        check = display.intern_atom("_NET_SUPPORTING_WM_CHECK")
        deadline = time.monotonic() + START_PATIENCE
        while not display.screen().root.get_full_property(check, X.AnyPropertyType):
            if time.monotonic() > deadline or manager.poll() is not None:
                raise LaunchError("openbox does not manage windows")
            time.sleep(0.02)
    return manager


def _window(game: subprocess.Popen[str]) -> Window:
    """Return its window once it is there."""
    titles = find_target("builtin").titles
    deadline = time.monotonic() + START_PATIENCE
    while time.monotonic() < deadline and game.poll() is None:
        if windows := windows_that(lambda window: window.title in titles):
            return windows[0]
        time.sleep(0.05)
    raise LaunchError("the game that misbehaves shows no window")
