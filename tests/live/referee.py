"""Judges a run of the bot by what happened on the screen, independent of what the bot thinks of it.

It knows every press of a button on the display (`buttons`), every deed and every mine of the game
(`faulty_game`), and what the bot noted of its rounds (`noted_play`), and holds them against each other:

- every press falls on a cell of the board, and on one that was decided in the round before;
- every board that was decided on shows the numbers that are true, and what it proves safe is no mine;
- nothing is opened that is open or has a flag;
- the record holds every game that has ended, as it ended; the run ends with a documented code and one line.

What is on the screen may change between a look and a click: within `REACTION` seconds of a fault a click
that was right before it is counted as one that was under way, apart from the broken rules.
"""

from __future__ import annotations

import signal
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bot.board import Board, Cell, State, neighbours
from bot.errors import RecordError
from bot.geometry import Point, Rect
from bot.record import load_record
from buttons import Press
from run_ends import BUTTONS, REACTION, Event, ended_badly, printed_wrong

_QUEUE = 0.05  # seconds that a press may wait for the game: a fault may strike it meanwhile
_FAULTS = ("order", "obeyed", "popup")  # a window comes up a while after it was asked for


@dataclass(frozen=True, slots=True)
class Run:
    """All that is known of a run: lists in the order of time."""

    presses: Sequence[Press]
    events: Sequence[Event]  # of the game, from its start on
    rounds: Sequence[Event]
    printed: str
    complaints: str
    code: int | None  # None: it had to be killed
    buttons_down: Sequence[str] = ()
    by_hand: Sequence[tuple[float, float]] = ()
    struck: Sequence[tuple[float, float]] = ()  # from when to when faults came, or went
    late: float = 0.0
    codes: Sequence[int] = ()  # with which the fault itself may end it
    record: Path | None = None  # the folder in which it kept its rounds


@dataclass(slots=True)
class Verdict:
    """What a run has broken, in words, and how many clicks were under way when a fault came."""

    broken: list[str] = field(default_factory=list)
    under_way: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Game:
    """A game as it was, from when on, with its mines if they were laid."""

    began: float
    number: int
    rows: int
    cols: int
    mines: frozenset[Cell] | None

    def number_at(self, cell: Cell) -> int:
        return sum(other in (self.mines or ()) for other in neighbours(self.rows, self.cols, cell))


def judge(run: Run) -> Verdict:
    """Return what a run has broken."""
    verdict = Verdict()
    games = list(_games(run.events))
    told = [event["at"] for event in run.events if event["event"] in _FAULTS]
    faults = [*run.struck, *zip(told, told, strict=True)]
    court = _Court(run, games, sorted(faults), verdict)
    for round_ in run.rounds:
        court.judge_round(round_)
    for press in run.presses:
        court.judge_press(press)
    verdict.broken += [f"the {name} button was left pressed" for name in run.buttons_down]
    if run.code not in run.codes:
        verdict.broken += ended_badly(run)
    over = [event for event in run.events if event["event"] == "over"]
    fleeting = [index for index, event in enumerate(over) if court.fleeting(event) or court.strange(event)]
    verdict.broken += printed_wrong(run, [event["won"] for event in over], fleeting)
    verdict.broken += _rounds_lost(run)
    return verdict


class _Court:
    """Holds presses and rounds against what the game says."""

    def __init__(
        self, run: Run, games: list[_Game], faults: list[tuple[float, float]], verdict: Verdict
    ) -> None:
        self.run, self.games, self.faults, self.verdict = run, games, faults, verdict
        self._seen = {
            (event["time"], event["button"], event["x"], event["y"]): event
            for event in run.events
            if event["event"] == "press"
        }

    def judge_round(self, round_: Event) -> None:
        board = Board.parse(round_["board"])
        problems = [list(self._false(round_, board, game)) for game in self._possible(round_["at"])]
        if problems and all(problems):
            self._blame(f"round {round_['game']}.{round_['round']}: {problems[-1][0]}", round_["at"])
        for action, row, col, *_ in round_["clicks"]:
            state = board[Cell(row, col)]
            if action == "open" and state not in (State.COVERED, State.QUESTION):
                self.verdict.broken.append(f"({row}, {col}) is opened, which shows {state}")

    def _false(self, round_: Event, board: Board, game: _Game) -> Iterable[str]:
        """Iterate over what is wrong with a round if it is of that game."""
        if board.shape != (game.rows, game.cols):
            yield f"a board of {board.shape} is read as game {game.number}"
            return
        for cell, number in board.numbers():
            if game.mines is None or cell in game.mines or number != game.number_at(cell):
                yield f"{tuple(cell)} of game {game.number} is read as {number}"
        for action, row, col, risk, *_ in round_["clicks"]:
            if (
                action == "open"
                and not risk
                and board.count(*range(9))
                and Cell(row, col) in (game.mines or ())
            ):
                yield f"{(row, col)} of game {game.number} is proven safe, and a mine"

    def _possible(self, at: float) -> list[_Game]:
        """Return the games that a look at that time may have shown."""
        began = [game for game in self.games if game.began <= at]
        fresh = [game for game in began[1:] if game.began > at - self.run.late - REACTION]
        return began[-1 - len(fresh) :]

    def strange(self, end: Event) -> bool:
        """Return whether a game has ended on which nothing was decided: clicks for the one before hit it."""
        game = next(game for game in self.games if game.number == end["game"])
        rounds = [turn for turn in self.run.rounds if game.began <= turn["at"] <= end["at"]]
        return all(any(self._false(turn, Board.parse(turn["board"]), game)) for turn in rounds)

    def fleeting(self, end: Event) -> bool:
        """Return whether a fault began another game before anyone could see how the one before had ended."""
        over = end["at"]
        until = over + REACTION + self.run.late
        began = [game.began for game in self.games if over <= game.began <= until]
        struck = [since for since, until in self.faults if over - REACTION <= until]
        return any(since <= at for since in struck for at in began)

    def judge_press(self, press: Press) -> None:
        at = press.at
        if any(since - 0.01 <= at <= until + 0.01 for since, until in self.run.by_hand):
            return
        name = f"a {press.button} click at ({press.x}, {press.y})"
        event = self._seen.get((press.time, press.button, press.x, press.y))
        if event is None and self._deaf(press):
            return
        if event is None:
            self._blame(f"{name} fell on something that is not the game{self._nearest(press)}", at, _QUEUE)
        elif event["cell"] is None:
            self._blame(f"{name} fell beside the cells", at)
        else:
            self._judge_cell(press, Cell(*event["cell"]), at)

    def _nearest(self, press: Press) -> str:
        """Return in words which press the game has seen about then: what it did not see may be none of it."""
        near = min(self._seen.values(), key=lambda event: abs(event["at"] - press.at), default=None)
        if near is None:
            return ""
        return f", which saw one at ({near['x']}, {near['y']}) {near['at'] - press.at:+.3f} s from then"

    def _deaf(self, press: Press) -> bool:
        """Return whether a press falls on the cells, but another window of the game has its ear."""
        boxes = dict[object, Rect]()
        for event in self.run.events:
            if event["event"] in ("place", "popup") and event["at"] <= press.at:
                box = Rect(*(event[name] for name in ("x", "y", "width", "height")))
                boxes[event.get("popup", "board")] = box
        board, here = boxes.pop("board", None), Point(press.x, press.y)
        popups = [box for box in boxes.values() if not box.empty]
        on_cells = board is not None and board.contains(here)
        return bool(popups) and on_cells and not any(box.contains(here) for box in popups)

    def _judge_cell(self, press: Press, cell: Cell, at: float) -> None:
        last = next((one for one in reversed(self.run.rounds) if one["at"] <= at), None)
        clicks = last["clicks"] if last else []
        if not any(
            (Cell(row, col), BUTTONS[action]) == (cell, press.button) for action, row, col, *_ in clicks
        ):
            self._blame(f"a {press.button} click on {tuple(cell)}, which was not decided", at)
        elif last and self._old(last["at"], at) and Board.parse(last["board"]).count(*range(9)):
            self._blame(f"a {press.button} click on {tuple(cell)} of a game that was no more", at)

    def _old(self, looked: float, at: float) -> bool:
        """Return whether another game began between a look and a click."""
        return any(looked < game.began - self.run.late and game.began < at for game in self.games[1:])

    def _blame(self, words: str, at: float, before: float = 0.005) -> None:
        """Blame the bot, unless a fault comes up to so many seconds after that, or came just before."""
        after = REACTION + self.run.late
        excused = any(since - before <= at <= until + after for since, until in self.faults)
        (self.verdict.under_way if excused else self.verdict.broken).append(f"{words} (at {at:.3f})")


def _games(events: Iterable[Event]) -> Iterable[_Game]:
    events = list(events)
    mines = {
        event["game"]: frozenset(Cell(*cell) for cell in event["mines"])
        for event in events
        if event["event"] == "mines"
    }
    for event in events:
        if event["event"] == "game":
            number = event["game"]
            yield _Game(event["at"], number, event["rows"], event["cols"], mines.get(number))


def _rounds_lost(run: Run) -> list[str]:
    """Return what the record of the rounds lacks: nothing but its end where the run was killed."""
    if run.record is None or not run.rounds:
        return []
    try:
        record = load_record(run.record)
    except RecordError as error:
        return [str(error)]
    kept = sum(len(game.rounds) for game in record.games)
    short = [f"the record has {kept} of {len(run.rounds)} rounds"] if kept < len(run.rounds) else []
    return short + [words for words in record.missing if run.code != -signal.SIGKILL]
