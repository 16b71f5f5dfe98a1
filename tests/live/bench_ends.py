"""Play the test page with random ends, rules and presses, and check what `minebot play` reports of each game.

Run from the repository root: ``python tests/bench ends``. A combination is an art, a zoom and some switches
of the page; its number and the printed seed draw it, so ``--only NUMBER`` plays it again. With ``--window``,
a desktop window with the same switches takes the place of the page. The command runs as a user runs it, with
all skins and no window, in a process of its own; ``--other PATH`` runs that of another checkout. ``--place``
puts the board of the page at the edge of the screen, or its window partly off it. A game is *right* if it was
reported as the page knows it, *false* if as another end, also one that had not come yet, *unknown* if the bot
said so. *Unfinished*: the bot stopped during the game; then the page is opened anew for the rest.
*Unreported*: games that ended without a word. *Mines*: cells that were called safe, clicked, and mines. Times
are measured and judge nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, closing, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.measured import Journal
from bot.board import CHARACTERS, Cell, State
from bot.capture import ScreenCapture
from bot.desktop import ScreenMouse
from bot.errors import LaunchError
from bot.game.board_files import read_board
from bot.signals import ended_by_signals
from bot.targets.launch import virtual_display
from bot.vision import save_picture
from page import ARTS, WINDOW_ARTS, Page, open_page, open_window
from programs import touch

Switch = int | str
HERE = Path(__file__).resolve().parent
ZOOMS = (100, 110, 125, 150, 175, 200)  # percent
MINES = (10, 16)  # on 9 x 9 cells; with the latter, most games are lost
RESTARTS = ("key", "button", "smiley")
TITLES = ("Minesweeper", "Nine by nine")  # of the desktop window; the first is that of a known program
SWITCHES: Mapping[str, Sequence[Switch]] = {  # the values beside the usual one
    "veil": ("fade", "grey"),
    "banner": (1,),
    "loss": ("flags",),
    "win": ("red", "mines"),
    "end": ("alert", "box"),
    "goal": ("flags",),
    "panel": ("words", "none"),
    "zeros": (1,),
    "flood": ("beside", "4"),
    "flagged": (3,),
    "press": ("frame", "poll"),
    "turn": (300, 600),
    "finale": (1000,),
    "strip": ("text", "plain"),
}
PLACES: Mapping[str, dict[str, Any]] = {  # of the page: pixels; CSS pixels around it
    "inside": {},  # both as usual
    "window": {"margin": 0},  # the board is at the edge of the window alone
    "edge": {"corner": (0, 20), "margin": 0},  # at that of the window and of the screen
    "off": {"corner": (-5, 20)},  # inside a window that is partly off the screen
}
SHARE = 0.25  # of the combinations have a switch at another than its usual value
DEALS = 0.5  # of those with something to close deal a new game when it is closed
STILL = 300.0  # seconds without a round or a result until a run counts as hung
TRIES = 3
_PAINTING = 0.5  # seconds after a change for which the page may still show its state of before
_REPORT = 0.5  # seconds until a report of the page arrives, on a busy machine
_PATH = re.compile(r"; the picture is saved in \S+")  # it differs each time
_ASKED = "start a new game"  # how the bot asks the user for the next game


def combination(number: int, seed: int, alone: bool = False, window: bool = False) -> dict[str, Switch]:
    """Return the switches of a combination, and its zoom in percent.

    If ``alone``, only one of `SWITCHES` has another than its usual value, the next one for each number. If
    ``window``, they are those of the desktop window, and a title.
    """
    rng, arts = np.random.default_rng([seed, number]), WINDOW_ARTS if window else ARTS
    drawn: dict[str, Switch] = {
        "art": arts[rng.integers(len(arts))],
        "zoom": ZOOMS[rng.integers(len(ZOOMS))],
        "restart": RESTARTS[rng.integers(len(RESTARTS))],
    }
    for name, values in SWITCHES.items():
        wanted, value = rng.random() < SHARE, values[int(rng.integers(len(values)))]
        if wanted and not alone:
            drawn[name] = value
    if alone:
        every = [(name, value) for name, values in SWITCHES.items() for value in values]
        drawn |= [every[number % len(every)]]
    if drawn["art"] == "tiles" and drawn["zoom"] == 200 and "strip" in drawn:
        drawn["zoom"] = 175  # the cells lie far apart: the window would cut the last row
    if rng.random() < DEALS and "end" in drawn:
        drawn["after"] = "deal"
    drawn["mines"] = MINES[rng.integers(len(MINES))]
    return drawn | {"title": TITLES[rng.integers(len(TITLES))]} if window else drawn


@dataclass
class Outcome:
    """The results of one combination; ``words`` counts what happened, and why the bot stopped."""

    number: int
    switches: dict[str, Switch]
    asked: int
    right: int = 0
    false: int = 0
    unknown: int = 0
    unfinished: int = 0
    unreported: int = 0
    won: int = 0
    cells: int = 0
    misread: int = 0
    mines: int = 0
    seconds: float = 0.0
    words: dict[str, int] = field(default_factory=dict)

    @property
    def told(self) -> int:
        """The number of games that were reported."""
        return self.right + self.false + self.unknown

    @property
    def faulty(self) -> bool:
        return self.right < self.asked or bool(self.misread or self.mines or self.unreported)

    def note(self, words: str) -> None:
        """Count one more time that something happened."""
        self.words[words] = self.words.get(words, 0) + 1


FIGURES = ("right", "false", "unknown", "unfinished", "unreported", "won", "misread", "mines")


@dataclass(frozen=True, slots=True)
class Run:
    """A run of the bot: its results, with the times of their lines, its rounds, messages and exit code."""

    results: list[tuple[float, dict[str, Any]]]
    rounds: list[dict[str, Any]]
    messages: list[str]
    code: int | None  # None: it hung


class Bot:
    """Runs ``minebot play`` of a checkout, and answers when it asks the user for a new game.

    ``home`` is a folder for the user's data, which its runs share.
    """

    def __init__(self, checkout: Path, home: Path, restart: Switch) -> None:
        self._checkout, self._home, self._restart = checkout, home, restart
        self._last = 0.0  # when it was heard last

    def play(self, games: int, record: Path | None) -> Run:
        rounds = self._home / "rounds.jsonl"
        options = ["--games", str(games), "--speed", "max", "--yes", *_recorded(record)]
        command = [
            sys.executable,
            str(HERE / "noted_play.py"),
            str(rounds),
            str(self._home / "blind"),
            *options,
        ]
        environment = os.environ | {"PYTHONPATH": str(self._checkout), "XDG_DATA_HOME": str(self._home)}
        pipe, results, messages = subprocess.PIPE, list[tuple[float, dict[str, Any]]](), list[str]()
        rounds.unlink(missing_ok=True)
        with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=environment) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            readers = [
                threading.Thread(target=self._hear_results, args=(process.stdout, results)),
                threading.Thread(target=self._hear_messages, args=(process, process.stderr, messages)),
            ]
            self._last = time.monotonic()
            for reader in readers:
                reader.start()
            try:
                code = self._awaited(process, rounds)
            finally:
                process.kill()
                for reader in readers:
                    reader.join()
        text = rounds.read_text(encoding="utf-8") if rounds.exists() else ""
        whole = text[: text.rfind("\n") + 1].splitlines()
        return Run(results, [json.loads(line) for line in whole], messages, code)

    def _hear_results(self, lines: IO[str], results: list[tuple[float, dict[str, Any]]]) -> None:
        for line in lines:
            self._last = time.monotonic()
            said = json.loads(line) if line.endswith("\n") else {}  # not half a line of a killed process
            if "outcome" in said:
                results.append((time.perf_counter(), said))

    def _hear_messages(self, process: subprocess.Popen[str], lines: IO[str], messages: list[str]) -> None:
        for line in filter(str.strip, lines):
            self._last = time.monotonic()
            words = _PATH.sub("", line.strip().removeprefix("minebot: "))
            messages.append(words)
            if words.startswith(_ASKED) and self._restart == "key":
                threading.Timer(0.3, ScreenMouse().press, ("f2",)).start()
            elif words.startswith(_ASKED):  # it has not found the button, and nobody else clicks it
                process.send_signal(signal.SIGINT)

    def _awaited(self, process: subprocess.Popen[str], rounds: Path) -> int | None:
        """Return the exit code of a run; None if it hung."""
        size = 0
        while True:
            with suppress(subprocess.TimeoutExpired):
                return process.wait(0.2)
            if rounds.exists() and (now := rounds.stat().st_size) != size:
                size, self._last = now, time.monotonic()
            if time.monotonic() > self._last + STILL:
                return None


def _recorded(record: Path | None) -> list[str]:
    return [] if record is None else ["--record", str(record)]


class Judge:
    """Compares the runs of a combination with what the page knows."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        switches = outcome.switches
        self._painting = _PAINTING + int(switches.get("finale", 0)) / 1000

    def judge(self, page: Page, run: Run) -> None:
        """Count the games of a run, and note what was wrong."""
        outcome, played = self.outcome, set[int]()
        for number, (at, result) in enumerate(run.results, start=1):
            game = _game_of(page, run.rounds, number, at)
            played.add(game)
            self._judge_result(result["won"], _end_of(page, game, at + _REPORT))
        if run.code != 0:
            number = len(run.results) + 1
            begun = any(turn["game"] == number for turn in run.rounds)
            played.add(_game_of(page, run.rounds, number, time.perf_counter()))
            outcome.unfinished += 1
            outcome.note(f"{'stopped' if begun else 'refused'}: {_why(run)}")
        over = {shown.game for shown in page.shown if shown.won is not None}
        outcome.unreported += len(over - played)
        outcome.won += len({shown.game for shown in page.shown if shown.won})
        for turn in run.rounds:
            self._judge_round(page, turn)
        for words in run.messages:
            if words.startswith(_ASKED):
                outcome.note("asked for a new game")

    def _judge_result(self, told: bool | None, true: bool | None) -> None:
        outcome = self.outcome
        outcome.unknown += told is None
        outcome.right += told is not None and told is true
        outcome.false += told is not None and told is not true
        if told is None or told is not true:
            outcome.note(f"told {_end(told, 'unknown')}, is {_end(true, 'running')}")

    def _judge_round(self, page: Page, turn: Mapping[str, Any]) -> None:
        """Compare a board that was read, and the clicks on it, with what the page showed then."""
        board, seen, outcome = read_board(turn["board"]).board, turn["looked"], self.outcome
        now = [shown for shown in page.shown if seen - self._painting <= shown.made <= seen + _PAINTING]
        before = page.at(seen - self._painting)
        boards = [shown.board for shown in (*now, *([] if before is None else [before]))]
        possible = [shown for shown in boards if shown.shape == board.shape]
        read = [cell for cell in board if board[cell] != State.UNREADABLE]
        wrong = [cell for cell in read if all(board[cell] != shown[cell] for shown in possible)]
        outcome.cells += len(read)
        outcome.misread += len(wrong)
        if wrong and possible:
            states = Counter(
                f"{CHARACTERS[possible[-1][cell]]} as {CHARACTERS[board[cell]]}" for cell in wrong
            )
            outcome.note("misread " + ", ".join(sorted(states)))
        elif wrong:
            outcome.note(f"read a board of {board.rows} x {board.cols} that is not there")
        shown = page.at(turn["at"])
        if shown is None or not board.count(*range(9)):
            return
        mines = page.mines(shown.game)
        proven = [
            Cell(row, col) for action, row, col, risk in turn["clicks"] if action == "open" and not risk
        ]
        called = [cell for cell in proven if cell in mines]
        outcome.mines += len(called)
        if called:
            outcome.note("called a mine safe")


def _game_of(page: Page, rounds: Iterable[Mapping[str, Any]], number: int, at: float) -> int:
    """Return the number that the page has for game ``number`` of the bot: that of the game's last round.

    Without a round, it is that of the game shown at a time.
    """
    times = [turn["at"] for turn in rounds if turn["game"] == number]
    shown = page.at(times[-1] if times else at)
    return -1 if shown is None else shown.game


def _end_of(page: Page, game: int, until: float) -> bool | None:
    """Return whether a game was won or lost by a time."""
    known = [shown.won for shown in page.shown if shown.game == game and shown.made <= until]
    return next((won for won in known if won is not None), None)


def _end(won: bool | None, otherwise: str) -> str:
    return otherwise if won is None else "won" if won else "lost"


def _why(run: Run) -> str:
    """Return why a run has ended before its last game."""
    if run.code is None:
        return f"hung for {STILL:.0f} s"
    *others, last = run.messages or [f"ended with the code {run.code}"]
    return others[-1] if others and others[-1].startswith(_ASKED) and "Ctrl+C" in last else last


def play(
    outcome: Outcome,
    seed: int,
    checkout: Path,
    pictures: Path | None = None,
    window: bool = False,
    place: str = "inside",
) -> None:
    """Play the games of an outcome that has none yet, and count them; ``seed`` is that of the boards.

    ``place`` is one of `PLACES`. Raises LaunchError if the page, or the desktop window, does not open, which
    is tried `TRIES` times for each run.
    """
    opened: Callable[..., AbstractContextManager[Page]] = open_window if window else open_page
    number, drawn, games = outcome.number, outcome.switches, outcome.asked
    switches = {name: value for name, value in drawn.items() if name != "zoom"} | PLACES[place]
    judge, begun, failures = Judge(outcome), time.monotonic(), 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        bot = Bot(checkout, Path(home), drawn["restart"])
        while (played := outcome.told + outcome.unfinished) < games:
            record = None if pictures is None else _new_folder(pictures, f"{number:03d}-{played:02d}")
            try:
                with opened(scale=int(drawn["zoom"]) / 100, seed=seed + 50 * played, **switches) as page:
                    touch(page.window, ScreenMouse())
                    run = bot.play(games - played, record)
                    if pictures is not None and run.code != 0:
                        _save_screen(pictures / f"{number:03d}-{played:02d}.png")
                    time.sleep(_REPORT)
                    judge.judge(page, run)
            except LaunchError:
                failures = 0 if outcome.told + outcome.unfinished > played else failures + 1
                if failures == TRIES:
                    raise
    outcome.seconds = time.monotonic() - begun


def _new_folder(within: Path, name: str) -> Path:
    """Return a new folder whose name begins with ``name``; there may be one of an interrupted bench."""
    return Path(tempfile.mkdtemp(prefix=f"{name}-", dir=within))


def _save_screen(path: Path) -> None:
    with closing(ScreenCapture()) as capture:
        save_picture(path, capture.grab().pixels)


def report(outcomes: Sequence[Outcome], again: str, console: Console) -> None:
    """Print the combinations with a fault, the figures of each switch, what happened, and the totals."""
    table = Table("no.", "switches", *FIGURES, "seconds", title="combinations with a fault")
    table.add_column("what happened", overflow="fold")
    for one in filter(lambda one: one.faulty, outcomes):
        figures = [str(getattr(one, name)) for name in FIGURES]
        words = "; ".join(f"{count} x {words}" for words, count in one.words.items())
        table.add_row(str(one.number), _named(one.switches), *figures, f"{one.seconds:.0f}", words)
    console.print(table)
    table = Table("switch", "games", *FIGURES, title="by switch")
    for switch in sorted({each for one in outcomes for each in _switches(one)}):
        having = [one for one in outcomes if switch in _switches(one)]
        table.add_row(switch, *_sums(having))
    table.add_section()
    table.add_row("all", *_sums(outcomes))
    console.print(table)
    faults = sorted({words for one in outcomes for words in one.words})
    for words in faults:
        where = [one for one in outcomes if words in one.words]
        numbers = ", ".join(str(one.number) for one in where)
        console.print(f"{sum(one.words[words] for one in where)} x {words} (in {numbers})", highlight=False)
    if any(one.faulty for one in outcomes):
        console.print(f"play one again: {again} --only NUMBER", highlight=False)


def _switches(outcome: Outcome) -> set[str]:
    return {f"{name}={value}" for name, value in outcome.switches.items()}


def _named(switches: Mapping[str, Switch]) -> str:
    return " ".join(f"{name}={value}" for name, value in switches.items())


def _sums(outcomes: Sequence[Outcome]) -> list[str]:
    return [str(sum(getattr(one, name) for one in outcomes)) for name in ("asked", *FIGURES)]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--combinations", type=int, default=80, help="how many (default: 80)")
    parser.add_argument("--games", type=int, default=10, help="of each combination (default: 10)")
    parser.add_argument("--seed", type=int, default=1, help="draws the combinations and boards (default: 1)")
    parser.add_argument("--only", type=int, nargs="+", metavar="NUMBER", help="play these combinations")
    parser.add_argument("--alone", action="store_true", help="one switch in each combination")
    parser.add_argument("--window", action="store_true", help="play in a desktop window, not on the page")
    parser.add_argument("--place", choices=PLACES, default="inside", help="of the page (default: inside)")
    parser.add_argument("--other", type=Path, metavar="PATH", help="run the minebot of another checkout")
    parser.add_argument(
        "--pictures",
        type=Path,
        help="a folder for a record of each run, and the screen where one stopped",
    )
    parser.add_argument(
        "--resume", type=Path, metavar="FILE", help="keep records in FILE, and go on from there"
    )
    given = parser.parse_args()
    if given.window and given.place != "inside":
        parser.error("--place is for the page, not for the desktop window")
    checkout = (given.other or HERE.parents[1]).resolve()
    if not (checkout / "bot").is_dir():
        sys.exit(f"{checkout} is no checkout of minebot")
    asked = {"bench": "ends", "seed": given.seed, "games": given.games, "alone": given.alone}
    asked |= {"checkout": str(checkout), "window": given.window, "place": given.place}
    journal = Journal(given.resume, asked)
    outcomes = {line["number"]: Outcome(**line) for line in journal.lines}
    wanted = given.only or range(given.combinations)
    if given.pictures is not None:
        given.pictures.mkdir(parents=True, exist_ok=True)
    print(f"seed {given.seed}", file=sys.stderr)
    missing = [number for number in wanted if number not in outcomes]
    with ended_by_signals(), virtual_display():
        for number in track(missing, "playing", console=Console(stderr=True)):
            outcome = Outcome(number, combination(number, given.seed, given.alone, given.window), given.games)
            boards = 100_000 * given.seed + 1000 * number
            try:
                play(outcome, boards, checkout, given.pictures, given.window, given.place)
            except LaunchError as error:
                sys.exit(f"combination {number}: {error}")
            outcomes[number] = outcome
            journal.add([asdict(outcome)])
    again = f"python tests/bench ends --seed {given.seed} --games {given.games}"
    again += " --alone" if given.alone else ""
    again += " --window" if given.window else f" --place {given.place}"
    again += f" --other {given.other}" if given.other else ""
    report([outcomes[number] for number in wanted], again, Console(width=200))


if __name__ == "__main__":
    main()
