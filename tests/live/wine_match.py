"""WineMine and the Windows build that plays it, watched by a referee; a fault strikes once a game.

`win32_desk` reports every press and release as Windows received it, with the window under it and its place at
that moment; `noted_play` reports the rounds, `winemine_memory` the games, their mines and ends. Times are
those of `time.perf_counter` in Windows.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Self

from bot.board import Cell
from bot.geometry import Rect
from bot.levels import BEGINNER
from bot.targets.launch import Wine, winemine
from referee import Event, Outcome, Press, Run, judge
from truth import TrueGame
from windows_python import WindowsProgram
from wine_faults import NEW_GAME, MissedError, WineFault
from winemine_memory import TrueGames, now
from x11_match import LOADING, REST, STILL, ProgramOutput

HERE = Path(__file__).parent
LEFT, TOP, RIGHT, BOTTOM, PITCH = 5, 33, 5, 5, 16  # of the grid in the client area, in pixels
NAP = 0.005


def presses_of(inputs: Iterable[Event]) -> Iterator[Press]:
    """Yield the button presses that a program sent, with their cells, and the keys that missed the game."""
    for event in inputs:
        what, _, moved = event["what"].partition(" ")
        if not event["sent"] or moved != "down":
            continue
        if what == "key":
            if event["on"] not in ("game", "dialog"):
                yield Press(event["at"], f"the key {event['key']}", astray=f"went to {event['on']!r}")
            continue
        place, cell = f"at ({event['x']}, {event['y']})", cell_of(event)
        if event["on"] != "game":
            yield Press(event["at"], what, astray=f"{place} fell on {event['on']!r}")
        elif cell is None:
            yield Press(event["at"], what, astray=f"{place} fell beside the cells")
        else:
            yield Press(event["at"], what, cell)


def cell_of(event: Event) -> Cell | None:
    """Return the cell under a press, for the window's place at that moment; None if there is no cell."""
    x, y, width, height = event["client"]
    rows, cols = (height - TOP - BOTTOM) // PITCH, (width - LEFT - RIGHT) // PITCH
    row, col = (event["y"] - y - TOP) // PITCH, (event["x"] - x - LEFT) // PITCH
    return Cell(row, col) if 0 <= row < rows and 0 <= col < cols else None


class OrderedProgram(ProgramOutput):
    """A Windows program that takes orders; its output lines are events."""

    def __init__(self, python: Path, wine: Wine, *arguments: str) -> None:
        self.program = WindowsProgram(python, arguments, wine.environment, told=True)
        super().__init__(self.program.lines())

    def answer(self, name: str, since: int = 0, patience: float = LOADING) -> Event:
        """Wait for the first event that contains ``name``, from event number ``since`` on, and return it."""
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            if found := [event for event in self.events[since:] if name in event]:
                return found[0]
            if self.program.process.poll() is not None:
                break
            time.sleep(NAP)
        raise TimeoutError(f"no {name}: {self.program.errors[-500:]}")

    def order(self, *words: object) -> Event:
        """Send an order, and return the answer once it is done."""
        since = len(self.events)
        self.program.tell(json.dumps(words))
        return self.answer("done", since)


class Bot(OrderedProgram):
    """A Windows Python that plays one run of ``minebot play --json`` after another."""

    def __init__(self, python: Path, wine: Wine, blind: Path) -> None:
        super().__init__(python, wine, str(HERE / "noted_play.py"), "serve", str(blind))
        self.number = int(self.answer("ready")["ready"])  # the id of its process, in Windows

    def begin(self, folder: Path, *options: str) -> dict[str, Path]:
        """Begin a run; return the files for its output, its errors and its rounds."""
        files = {name: folder / name for name in ("out", "errors", "rounds")}
        for path in files.values():
            path.write_text("")
        told = {name: str(path) for name, path in files.items()}
        self.program.tell(json.dumps({"options": options, **told}))
        return files

    def play(self, folder: Path, *options: str) -> tuple[int, str, str]:
        """Play one run; return its exit code, its output and its errors."""
        since = len(self.events)
        files = self.begin(folder, *options)
        code = self.answer("code", since)["code"]
        return code, files["out"].read_text("utf-8"), files["errors"].read_text("utf-8")


class Ground:
    """Everything that a fault may act on: the game, the desktop and the bot."""

    def __init__(
        self, wine: Wine, python: Path, chance: random.Random, best_time: int, blind: Path, *, watched: bool
    ) -> None:
        self.wine, self.python, self.random, self.best_time, self.blind = (
            wine,
            python,
            chance,
            best_time,
            blind,
        )
        unwatched = [] if watched else ["unwatched"]
        self.desk = OrderedProgram(python, wine, str(HERE / "win32_desk.py"), *unwatched)
        self.more = ExitStack()  # programs that a strike has started
        self.seconds = 0  # how many of them are games
        self._game, self._watched = ExitStack(), list[TrueGames]()
        self.bot: Bot | None = None
        self.rival: Bot | None = None  # the other bot
        self.since = 0  # the number of events of the bot before its current run
        self.wrong: list[str] = []  # problems that a strike has found
        self.desk.answer("ready")
        self.start_game()

    def start_game(self) -> None:
        """Start the game, after closing the old one if there is one."""
        self._game.close()
        self._game.enter_context(winemine(self.wine, BEGINNER, self.best_time))
        self._watched.append(self._game.enter_context(TrueGames(self.wine.prefix)))
        self.desk.order("watch")

    def games_since(self, moment: float) -> list[TrueGame]:
        """Return the games that existed at ``moment`` or later."""
        return [game for watched in self._watched for game in watched.games if game.gone > moment]

    def order(self, *words: object) -> Event:
        """Send an order to the desktop."""
        return self.desk.order(*words)

    @property
    def client(self) -> Rect:
        """The client area of the game (cells and panel), in screen pixels."""
        return Rect(*self.order("settle")["client"])

    @property
    def playing(self) -> bool:
        """Whether the bot's current run is not over."""
        return self.bot is not None and not any("code" in event for event in self.bot.events[self.since :])

    def other_bot(self) -> Bot:
        """Return a second bot, loaded and ready to play."""
        if self.rival is None:
            self.rival = Bot(self.python, self.wine, self.blind)
        return self.rival

    def close(self) -> None:
        """End the game and all other programs."""
        self.more.close()
        for bot in (self.bot, self.rival):
            if bot is not None:
                bot.program.process.kill()
        self._game.close()
        self.desk.program.process.kill()


class WineMatch:
    """The game, its fault, and the Windows build of the bot, for the length of the block.

    If ``watched``, each click is judged; otherwise only what stays pressed after a run, see `win32_desk`.
    """

    def __init__(
        self, fault: WineFault, seed: int, speed: str, *, wine: Wine, python: Path, watched: bool = True
    ) -> None:
        self.fault, self.seed, self.speed = fault, seed, speed
        self.wine, self.python, self.watched = wine, python, watched

    def __enter__(self) -> Self:
        self._place, self._runs = TemporaryDirectory(ignore_cleanup_errors=True), count(1)
        self._folder = Path(self._place.name)
        chance, blind = random.Random(self.seed), self._folder / "blind"
        best = self.fault.best_time
        self._ground = Ground(self.wine, self.python, chance, best, blind, watched=self.watched)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ground.close()
        self._place.cleanup()

    def play(self, games: int) -> Outcome:
        """Let the bot play up to ``games`` games; return the results."""
        ground, folder = self._ground, self._folder
        self.fault.mend(ground)
        if ground.bot is None or ground.bot.program.process.poll() is not None:
            ground.bot = Bot(self.python, self.wine, ground.blind)
        ground.order("command", NEW_GAME)
        time.sleep(REST)
        ground.since, inputs, begun = len(ground.bot.events), len(ground.desk.events), now()
        record = folder / f"record-{next(self._runs)}"
        kept = ["--pictures", str(folder / "pictures"), "--record", str(record)]
        options = ["--games", str(games), "--speed", self.speed]
        files = ground.bot.begin(folder, *options, *kept)
        striker = Striker(self.fault, ground, files["rounds"], files["out"])
        code = self._awaited(ground.bot, files["rounds"], striker.watch)
        time.sleep(REST)
        texts = {name: path.read_text(encoding="utf-8") for name, path in files.items()}
        run = Run(
            list(presses_of(event for event in ground.desk.events[inputs:] if "what" in event)),
            [json.loads(line) for line in texts["rounds"].splitlines()],
            ground.games_since(begun),
            texts["out"],
            texts["errors"],
            code,
            record,
            striker.strikes,
            codes=(None,) if self.fault.kills else (),
            held=[] if self.watched else ground.order("held")["held"],
            hides=self.fault.hides,
        )
        verdict = judge(run)
        verdict.broken += ground.wrong
        ground.wrong.clear()
        return Outcome(striker.struck, run, verdict)

    def _awaited(self, bot: Bot, rounds: Path, watch: Callable[[], None]) -> int | None:
        """Return the exit code of the run; None if the fault killed it, or if it hung and was killed here."""
        begun = time.monotonic()
        while True:
            watch()
            if codes := [event["code"] for event in bot.events[self._ground.since :] if "code" in event]:
                return int(codes[0])
            if bot.program.process.poll() is not None:
                return None
            patience = STILL if rounds.stat().st_size else LOADING  # it is still loading
            if time.monotonic() > max(begun, self._ground.desk.last) + patience:
                bot.program.process.kill()
                bot.program.process.wait()
                return None
            time.sleep(NAP)


class Striker:
    """Lets a fault strike once a game, a random time after its first round."""

    def __init__(self, fault: WineFault, ground: Ground, rounds: Path, out: Path) -> None:
        self.fault, self.ground, self._rounds, self._out = fault, ground, rounds, out
        self.strikes: list[tuple[float, float]] = []
        self.struck = 0
        self._game, self._due = 0, 0.0

    def watch(self) -> None:
        """Strike if the time has come."""
        text = self._rounds.read_text(encoding="utf-8")
        if not (line := text.rpartition("\n")[0].rpartition("\n")[2]):
            return
        game = int(json.loads(line)["game"])
        now = time.monotonic()
        if game != self._game:
            self._game, self._due = game, now + self.ground.random.uniform(*self.fault.after)
        if self._due and now >= self._due:
            self._due = 0.0
            if self._out.read_text(encoding="utf-8").count("\n") < game:  # the game is not over yet
                self._strike()

    def _strike(self) -> None:
        began = self.ground.order("settle")["until"]
        try:
            began = self.fault.strike(self.ground) or began
        except MissedError:
            return
        self.strikes.append((began, self.ground.order("settle")["until"]))
        self.struck += 1
