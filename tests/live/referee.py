"""Judge a run of the bot by the events on the screen, independently of what the bot reports.

The referee gets every button press, every game with its mines, and the notes of the bot's rounds
(`noted_play`), and compares them. `x11_match` and `wine_match` say where these come from. The rules:

- every press hits a cell that was chosen in the round before, in the game that the round looked at; every key
  goes to the game; every button that was pressed is released;
- every board used for a decision shows the true numbers of a game that was there then; no cell proven safe is
  a mine; no cell is opened that is open or has a flag;
- the output reports every finished game with its true result; the record contains every round, except perhaps
  the last one of a run that was killed; the run ends with a documented exit code and one line.

The screen may change between a look and a click. If a click or a look was right before a fault, and comes
within `REACTION` seconds of it, it counts as "under way" and not as a broken rule. A wrong look also counts
so if its last click was sent that soon, or if no click follows and a fault came up to `SURPRISE` seconds
before.
"""

from __future__ import annotations

import json
import signal
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations
from pathlib import Path
from typing import Any

from bot.board import Board, Cell, State
from bot.errors import RecordError
from bot.game.board_files import read_board
from bot.record.lines import load_record
from truth import TrueGame, wrong_cells

REACTION = 0.1  # seconds; a person needs 0.2
SURPRISE = 1.0  # seconds
CLOCKS = 0.005  # seconds by which the times of two programs for the same event may differ
BUTTONS = {"open": "left", "flag": "right", "chord": "middle"}
_CODES = (0, 1, 2, 3, 4)  # the documented exit codes

Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Press:
    """A button or key that was pressed, with the cell of the game; ``astray`` says where else it went."""

    at: float
    button: str
    cell: Cell | None = None
    astray: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """Everything known about a run; lists are in order of time, which is that of `time.perf_counter`."""

    presses: Sequence[Press]
    rounds: Sequence[Event]
    games: Sequence[TrueGame]
    printed: str
    complaints: str
    code: int | None  # the exit code; None if it had to be killed
    record: Path | None = None  # the folder of its record
    strikes: Sequence[tuple[float, float]] = ()  # begin and end of each time when a fault came or went
    codes: Sequence[int | None] = ()  # exit codes that the fault itself may cause
    held: Sequence[str] = ()  # buttons and keys still down after the run
    hides: bool = False  # the fault hides the board until another game begins
    late: float = 0.0  # seconds by which the screen may be behind
    queue: float = CLOCKS  # seconds that a press may wait for the game; a fault may come meanwhile

    @property
    def killed(self) -> bool:
        """Whether the fault has killed the run, so that its last round may be lost."""
        return self.code in self.codes and self.code in (None, -signal.SIGKILL)


@dataclass(slots=True)
class Verdict:
    """The rules a run has broken, the events under way when a fault came, and whether each game was won."""

    broken: list[str] = field(default_factory=list)
    under_way: list[str] = field(default_factory=list)
    ended: list[bool] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The results of one run of the bot. ``struck`` is how many games a fault struck."""

    struck: int
    run: Run
    verdict: Verdict

    @property
    def won(self) -> int:
        return self.verdict.ended.count(True)

    @property
    def lost(self) -> int:
        return self.verdict.ended.count(False)

    @property
    def code(self) -> int | None:
        return self.run.code

    @property
    def words(self) -> str:
        """The last line of its error messages, without the name of the program."""
        lines = [line for line in self.run.complaints.splitlines() if line.strip()]
        return lines[-1].removeprefix("minebot: ") if lines else ""

    @property
    def stuck(self) -> bool:
        return self.run.code is None and not self.run.killed


def judge(run: Run) -> Verdict:
    """Return the verdict on a run: the rules it has broken, and how its games ended."""
    verdict = Verdict()
    court = _Court(run, verdict)
    for press in run.presses:
        court.judge_press(press)
    for turn in run.rounds:
        court.judge_round(turn)
    verdict.broken += [f"{name} is down after the run" for name in run.held]
    if run.code not in run.codes:
        verdict.broken += _ended_badly(run)
    over = [game for game in run.games if game.won is not None]
    verdict.ended += [bool(game.won) for game in over]
    fleeting = [index for index, game in enumerate(over) if court.fleeting(game)]
    verdict.broken += _printed_wrong(run, verdict.ended, fleeting)
    verdict.broken += _rounds_lost(run)
    return verdict


class _Court:
    """Compares presses and rounds with the truth."""

    def __init__(self, run: Run, verdict: Verdict) -> None:
        self.run, self.verdict = run, verdict

    def judge_press(self, press: Press) -> None:
        at, name = press.at, f"{press.button} {press.astray or f'on {press.cell}'}"
        if press.astray:
            self._blame(name, at, self.run.queue)
            return
        last = next((turn for turn in reversed(self.run.rounds) if turn["at"] <= at), None)
        clicks = last["clicks"] if last else []
        if (press.cell, press.button) not in [(Cell(row, col), BUTTONS[act]) for act, row, col, _ in clicks]:
            self._blame(f"{name} was not decided", at)
        elif last and _numbers(last) and self._another(last["looked"], at):
            self._blame(f"{name} was decided in a game that was no more", at)

    def _another(self, looked: float, at: float) -> bool:
        """Return whether another game began between a look and a click."""
        return any(looked < game.began - self.run.late and game.began < at for game in self.run.games)

    def judge_round(self, turn: Event) -> None:
        """Compare the board of a round with the games that its picture may show."""
        place, board = f"round {turn['game']}.{turn['round']}", read_board(turn["board"]).board
        for action, row, col, _ in turn["clicks"]:
            state = board[Cell(row, col)]
            if action == "open" and state not in (State.COVERED, State.QUESTION):
                self.verdict.broken.append(f"{place}: {(row, col)} is opened, which shows {state}")
        looked, lag = turn["looked"], REACTION + self.run.late
        games = [g for g in self.run.games if g.began < looked + CLOCKS and looked - lag < g.gone]
        wrongs = [list(_wrong(turn, board, game)) for game in games]
        if all(wrongs):
            words = f"{place}: {wrongs[-1][0] if wrongs else 'there was no game'}"
            clicks = self._clicks_after(turn)
            if clicks or not self._struck(looked, SURPRISE):
                self._blame(words, max([looked, *clicks]))
            else:
                self.verdict.under_way.append(words)

    def _clicks_after(self, turn: Event) -> list[float]:
        """Return the times of the clicks that a round decided on."""
        later = next((one["at"] for one in self.run.rounds if one["at"] > turn["at"]), float("inf"))
        return [press.at for press in self.run.presses if turn["at"] <= press.at < later]

    def fleeting(self, game: TrueGame) -> bool:
        """Return whether a fault hid or replaced a game before its result could be seen.

        A game without a true round counts, too: it was begun and ended by clicks that were under way.
        """
        assert game.ended is not None
        rounds = [turn for turn in self.run.rounds if game.began <= turn["looked"] <= game.ended]
        if all(any(_wrong(turn, read_board(turn["board"]).board, game)) for turn in rounds):
            return True
        seen = game.ended + REACTION + self.run.late
        if self.run.hides:
            begun = [began for began, _ in self.run.strikes if began <= min(seen, game.gone)]
            return any(game.ended - REACTION <= began for began in begun)
        return game.gone <= seen and self._struck(game.gone + CLOCKS, REACTION + self.run.late, 0.0)

    def _struck(self, at: float, after: float, before: float = CLOCKS) -> bool:
        """Return whether ``at`` is during a fault, extended by ``before`` and ``after`` seconds."""
        return any(began - before <= at <= ended + after for began, ended in self.run.strikes)

    def _blame(self, words: str, at: float, before: float = CLOCKS) -> None:
        excused = self._struck(at, REACTION + self.run.late, before)
        (self.verdict.under_way if excused else self.verdict.broken).append(f"{words} (at {at:.3f})")


def _wrong(turn: Event, board: Board, game: TrueGame) -> Iterator[str]:
    """Yield everything wrong with a round, provided that its picture showed ``game``."""
    if board.shape != (game.rows, game.cols):
        yield f"a board of {board.shape} is read, of {(game.rows, game.cols)}"
        return
    mines = game.mines if game.mines is not None else frozenset(board)
    for cell in wrong_cells(board, mines, over=False):
        if board[cell] not in (State.UNREADABLE, State.QUESTION):
            yield f"{tuple(cell)} is read as {board[cell]}, which is wrong"
    for action, row, col, risk in turn["clicks"]:
        if action == "open" and not risk and Cell(row, col) in mines and _numbers(turn):
            yield f"{(row, col)} is called safe, and a mine"


def _numbers(turn: Event) -> bool:
    """Return whether a round saw opened cells; before the first click of a game there are no mines."""
    return read_board(turn["board"]).board.count(*range(9)) > 0


def _ended_badly(run: Run) -> list[str]:
    """Return everything wrong with the way in which a run ended."""
    lines = run.complaints.splitlines()
    if run.code is None:
        return ["it hung, and had to be killed"]
    if run.code not in _CODES:
        return [f"it ended with the code {run.code}"]
    if run.code and (not lines or not lines[-1].startswith("minebot: ")):
        return [f"it ended with {run.code} without a line that says why"]
    return ["it ended with a traceback"] if "Traceback" in run.complaints else []


def _printed_wrong(run: Run, ended: Sequence[bool], fleeting: Sequence[int]) -> list[str]:
    """Return what is wrong with the reported results; a stopped run may leave out its last game.

    A game that never ended, as it was replaced or its window was closed, is told as unknown.

    ``fleeting`` are the indices of games whose end was on the screen too briefly to be seen.
    """
    *lines, rest = run.printed.split("\n")
    if rest:
        return [f"what it prints ends in half a line: {rest[-80:]!r}"]
    games = [game for line in lines if "outcome" in (game := json.loads(line))]
    told = [game["won"] for game in games if game["won"] is not None]
    known = list(ended[: len(told)] if run.code != 0 and len(ended) == len(told) + 1 else ended)
    unseen = chain.from_iterable(combinations(fleeting, number) for number in range(len(fleeting) + 1))
    if any(told == [won for index, won in enumerate(known) if index not in gone] for gone in unseen):
        return []
    return [f"it tells of {told}, the games ended {known}"]


def _rounds_lost(run: Run) -> list[str]:
    """Return what the record lacks; only the last round of a killed run may be missing."""
    if run.record is None or not run.rounds:
        return []
    try:
        record = load_record(run.record)
    except RecordError as error:
        return [str(error)]
    kept = Counter((turn.game, turn.number) for game in record.games for turn in game.rounds)
    lost = Counter((turn["game"], turn["round"]) for turn in run.rounds) - kept
    if run.killed:
        last = (run.rounds[-1]["game"], run.rounds[-1]["round"])
        return [f"the record lacks the rounds {sorted(lost)}"] if set(lost) - {last} else []
    return [*record.missing, *(f"the record lacks round {turn} of game {game}" for game, turn in lost)]
