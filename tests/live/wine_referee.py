"""Judges runs of the bot under Wine by what went into the game, independent of what the bot thinks of it.

`win32_desk` tells of every press and release as Windows took it in, with the window below and where that was
at this moment; `win32_runs` of every round; `winemine_memory` of every game, its mines and its end:

- every press falls on a cell of the board, and on one that was decided in the round before, in the game that
  was looked at; every key goes to the game or a dialog of it; what was pressed is released;
- every board that was decided on shows the true numbers of the game that was there, nothing that is called
  proven is a mine, and nothing is opened that is open or has a flag;
- what is printed tells of every game that has ended, as it ended; the record that is kept holds every round,
  up to the last one of a run that was killed; the run ends with a documented code, in one line.

What is on the screen may change between a look and a click: a click within `REACTION` seconds of a fault that
was right before it is counted as one that was under way, apart from the broken rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bot.board import Board, Cell, State
from bot.errors import RecordError
from bot.record import load_record
from run_ends import BUTTONS, REACTION, Event, ended_badly, printed_wrong
from truth import wrong_cells
from winemine_memory import TrueGame

LEFT, TOP, RIGHT, BOTTOM, PITCH = 5, 33, 5, 5, 16  # of the grid in the game's client area, in pixels
SURPRISE = 1.0  # seconds for which a look may be wrong that no click follows
LAG = 0.1  # seconds for which a picture may still show what the game has left behind
_CLOCKS = 0.005  # seconds by which two programs may differ in when something was


@dataclass(frozen=True, slots=True)
class Run:
    """All that is known of a run: lists in the order of time, which is `time.perf_counter` of Windows."""

    inputs: Sequence[Event]
    rounds: Sequence[Event]
    games: Sequence[TrueGame]
    printed: str
    complaints: str
    code: int | None  # None: it had to be killed
    record: Path
    strikes: Sequence[tuple[float, float]] = ()
    killed: bool = False  # by the fault itself
    hides: bool = False  # the fault hides the board until another game is there
    held: Sequence[str] = ()  # buttons and keys that are down after it


@dataclass(slots=True)
class Verdict:
    """What a run has broken, in words, what was under way when a fault came, and how its games ended."""

    broken: list[str] = field(default_factory=list)
    under_way: list[str] = field(default_factory=list)
    clicks: int = 0
    ended: list[bool] = field(default_factory=list)


def judge(run: Run) -> Verdict:
    """Return what a run has broken."""
    verdict = Verdict()
    court = _Court(run, verdict)
    ours = [event for event in run.inputs if event["sent"]]
    for event in ours:
        if event["what"].endswith("down"):
            court.judge_press(event)
    for turn in run.rounds:
        court.judge_round(turn)
    verdict.broken += [f"{name} is down after the run" for name in run.held]
    if not run.killed:
        verdict.broken += ended_badly(run)
    over = [game for game in run.games if game.won is not None]
    verdict.ended += [bool(game.won) for game in over]
    fleeting = [index for index, game in enumerate(over) if court.fleeting(game)]
    verdict.broken += printed_wrong(run, verdict.ended, fleeting)
    verdict.broken += _record_broken(run)
    return verdict


class _Court:
    """Holds input and rounds against what is true."""

    def __init__(self, run: Run, verdict: Verdict) -> None:
        self.run, self.verdict = run, verdict

    def judge_press(self, event: Event) -> None:
        at = event["at"]
        if event["what"] == "key down":
            if event["on"] not in ("game", "dialog"):
                self._blame(f"the key {event['key']} went to {event['on']!r}", at)
            return
        self.verdict.clicks += 1
        button, cell = event["what"].split()[0], cell_of(event)
        name = f"a {button} click at ({event['x']}, {event['y']})"
        if event["on"] != "game":
            self._blame(f"{name} fell on {event['on']!r}", at)
        elif cell is None:
            self._blame(f"{name} fell beside the cells", at)
        else:
            self._judge_cell(f"{name} on {tuple(cell)}", cell, button, at)

    def _judge_cell(self, name: str, cell: Cell, button: str, at: float) -> None:
        last = next((turn for turn in reversed(self.run.rounds) if turn["at"] <= at), None)
        clicks = last["clicks"] if last else []
        if (cell, button) not in [(Cell(row, col), BUTTONS[action]) for action, row, col, *_ in clicks]:
            self._blame(f"{name} was not decided", at)
        elif last and _numbers(last) and any(last["looked"] < game.began < at for game in self.run.games):
            self._blame(f"{name} was decided in a game that was no more", at)

    def judge_round(self, turn: Event) -> None:
        """Hold the board of a round against the games that its picture may have shown."""
        wrongs = [list(_wrong(turn, game)) for game in self._possible(turn["looked"])]
        if all(wrongs):
            words = wrongs[-1][0] if wrongs else "there was no game"
            heeded = self._came_to_nothing(turn)
            where = self.verdict.under_way if heeded else self.verdict.broken
            where.append(f"round {turn['game']}.{turn['round']}: {words}")

    def _came_to_nothing(self, turn: Event) -> bool:
        """Return whether a fault struck shortly before a look, and that was seen before the first click."""
        later = next((other["at"] for other in self.run.rounds if other["at"] > turn["at"]), float("inf"))
        if any(turn["at"] <= event["at"] < later for event in self.run.inputs if event["sent"]):
            return False
        looked = turn["looked"]
        return any(
            began <= looked + _CLOCKS and looked <= ended + SURPRISE for began, ended in self.run.strikes
        )

    def _possible(self, looked: float) -> list[TrueGame]:
        games = self.run.games
        return [game for game in games if game.began < looked + _CLOCKS and looked - LAG < game.gone]

    def fleeting(self, game: TrueGame) -> bool:
        """Return whether a fault hid a game, or took it away, before anyone could see how it had ended.

        A game on which no round was decided was begun and ended by clicks that were under way.
        """
        if game.ended is None:
            return False
        if not any(game.began <= turn["looked"] <= game.ended for turn in self.run.rounds):
            return True
        seen = game.ended + REACTION
        if self.run.hides:
            return any(
                game.ended - REACTION <= began <= min(seen, game.gone) for began, _ in self.run.strikes
            )
        until = game.gone + _CLOCKS
        return game.gone <= seen and any(
            began <= until <= ended + REACTION for began, ended in self.run.strikes
        )

    def _blame(self, words: str, at: float) -> None:
        excused = any(began <= at + _CLOCKS and at <= ended + REACTION for began, ended in self.run.strikes)
        (self.verdict.under_way if excused else self.verdict.broken).append(f"{words} (at {at:.3f})")


def cell_of(event: Event) -> Cell | None:
    """Return the cell on which a button was pressed in the game as it lay then; None beside the cells."""
    x, y, width, height = event["client"]
    rows, cols = (height - TOP - BOTTOM) // PITCH, (width - LEFT - RIGHT) // PITCH
    row, col = (event["y"] - y - TOP) // PITCH, (event["x"] - x - LEFT) // PITCH
    return Cell(row, col) if 0 <= row < rows and 0 <= col < cols else None


def _wrong(turn: Event, game: TrueGame) -> Iterator[str]:
    """Iterate over what is wrong with a round if its picture showed that game."""
    board = Board.parse(turn["board"])
    if board.shape != (game.rows, game.cols):
        yield f"a board of {board.shape} is read, of {(game.rows, game.cols)}"
        return
    mines = game.mines if game.mines is not None else frozenset(board)
    for cell in wrong_cells(board, mines, over=False):
        yield f"{tuple(cell)} is read as {board[cell]}, which is wrong"
    for action, row, col, risk in turn["clicks"]:
        cell = Cell(row, col)
        if action == "open" and board[cell] not in (State.COVERED, State.QUESTION):
            yield f"{tuple(cell)} is opened, which shows {board[cell]}"
        if action == "open" and not risk and cell in mines and _numbers(turn):
            yield f"{tuple(cell)} is called safe, and a mine"


def _numbers(turn: Event) -> bool:
    """Return whether cells were open in a round: before the first click of a game there are no mines."""
    return Board.parse(turn["board"]).count(*range(9)) > 0


def _record_broken(run: Run) -> list[str]:
    """Return what the record lacks; only what a run was at when it was killed may be missing."""
    if not run.rounds:
        return []  # it has not begun
    try:
        record = load_record(run.record)
    except RecordError as error:
        return [str(error)]
    kept = Counter((turn.game, turn.number) for game in record.games for turn in game.rounds)
    lost = Counter((turn["game"], turn["round"]) for turn in run.rounds) - kept
    last = (run.rounds[-1]["game"], run.rounds[-1]["round"])
    if run.killed:
        return [f"the record lacks the rounds {sorted(lost)}"] if set(lost) - {last} else []
    return [*record.missing, *(f"the record lacks round {turn} of game {game}" for game, turn in lost)]
