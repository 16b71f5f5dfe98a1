"""Judges runs of the bot under Wine by what went into the game, independent of what the bot thinks of it.

`win32_desk` tells of every press and release as Windows took it in, with the window below and where that was
at this moment; `win32_runs` of every round. The true board follows from the second of the first click
(`truth`), and how each game ended from the clicks on that board:

- every press falls on a cell of the board, and on one that was decided in the round before; every key goes to
  the game or a dialog of it; what was pressed is released;
- every board that was decided on shows the true numbers, and nothing that is called proven is a mine;
- what is printed tells of every game that has ended, as it ended; the record that is kept holds every round,
  up to the last one of a run that was killed; the run ends with a documented code, in one line.

What is on the screen may change between a look and a click: a click within `REACTION` seconds of a fault that
was right before it is counted as one that was under way, apart from the broken rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from bot.board import Board, Cell, neighbours
from bot.errors import RecordError
from bot.levels import LEVELS
from bot.session import load_record
from run_ends import BUTTONS, REACTION, Event, ended_badly, printed_wrong
from truth import true_mines, wrong_cells

LEFT, TOP, RIGHT, BOTTOM, PITCH = 5, 33, 5, 5, 16  # of the grid in the game's client area, in pixels


@dataclass(frozen=True, slots=True)
class Run:
    """All that is known of a run: lists in the order of time, which is `time.perf_counter` of Windows."""

    inputs: Sequence[Event]
    rounds: Sequence[Event]
    printed: str
    complaints: str
    code: int | None  # None: it had to be killed
    record: Path
    strikes: Sequence[tuple[float, float]] = ()
    killed: bool = False  # by the fault itself


@dataclass(slots=True)
class Verdict:
    """What a run has broken, in words, what was under way when a fault came, and how its games ended."""

    broken: list[str] = field(default_factory=list)
    under_way: list[str] = field(default_factory=list)
    clicks: int = 0
    ended: list[bool] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Game:
    """A game with its mines, the rounds that were played on it and the cells that were clicked, in order."""

    mines: frozenset[Cell]
    rounds: Sequence[Event]
    boards: Sequence[Board]
    clicked: Sequence[Cell]


def judge(run: Run) -> Verdict:
    """Return what a run has broken."""
    verdict = Verdict()
    court = _Court(run, verdict)
    ours = [event for event in run.inputs if event["sent"]]
    for event in ours:
        if event["what"].endswith("down"):
            court.judge_press(event)
    for game in _games(run.rounds, ours):
        court.judge_game(game)
    verdict.broken += _held(ours)
    if not run.killed:
        verdict.broken += ended_badly(run)
    # A click that fell elsewhere may have lost a game by another cell than it seems.
    (verdict.under_way or verdict.broken).extend(printed_wrong(run, verdict.ended))
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
        elif (cell, button) not in self._decided(at):
            self._blame(f"{name} on {tuple(cell)} was not decided", at)

    def _decided(self, at: float) -> list[tuple[Cell, str]]:
        """Return the cells and buttons of the last round before."""
        last = next((turn for turn in reversed(self.run.rounds) if turn["at"] <= at), None)
        clicks = last["clicks"] if last else []
        return [(Cell(row, col), BUTTONS[action]) for action, row, col, *_ in clicks]

    def judge_game(self, game: _Game) -> None:
        for turn, board in zip(game.rounds, game.boards, strict=True):
            number = f"round {turn['game']}.{turn['round']}"
            if wrong := wrong_cells(board, game.mines, over=False):
                self._blame(f"{number}: {len(wrong)} cells are wrong, {tuple(wrong[0])} too", turn["at"])
            safe = [Cell(row, col) for _, row, col, risk in turn["clicks"] if not risk]
            if board.count(*range(9)) and (mines := game.mines.intersection(safe)):
                self.verdict.broken.append(f"{number}: {sorted(mines)} called safe")
        if (won := _outcome(game)) is not None:
            self.verdict.ended.append(won)

    def _blame(self, words: str, at: float) -> None:
        excused = any(began <= at + 0.005 and at <= ended + REACTION for began, ended in self.run.strikes)
        (self.verdict.under_way if excused else self.verdict.broken).append(f"{words} (at {at:.3f})")


def cell_of(event: Event) -> Cell | None:
    """Return the cell on which a button was pressed in the game as it lay then; None beside the cells."""
    x, y, width, height = event["client"]
    rows, cols = (height - TOP - BOTTOM) // PITCH, (width - LEFT - RIGHT) // PITCH
    row, col = (event["y"] - y - TOP) // PITCH, (event["x"] - x - LEFT) // PITCH
    return Cell(row, col) if 0 <= row < rows and 0 <= col < cols else None


def _games(rounds: Sequence[Event], ours: Sequence[Event]) -> Iterator[_Game]:
    """Iterate over the games that were begun by a click on a board without open cells."""
    boards = [Board.parse(turn["board"]) for turn in rounds]
    fresh = [index for index, board in enumerate(boards) if not board.count(*range(9))]
    lefts = [event for event in ours if event["what"] == "left down" and event["on"] == "game"]
    for begin, end in pairwise([*fresh, len(rounds)]):
        until = rounds[end]["at"] if end < len(rounds) else float("inf")
        clicks = [event for event in lefts if rounds[begin]["at"] <= event["at"] < until]
        clicked = [cell for event in clicks if (cell := cell_of(event)) is not None]
        if not clicked:
            continue
        later = rounds[begin + 1]["at"] if begin + 1 < end else clicks[0]["at"] + 1
        seconds = range(int(clicks[0]["clock"]), int(clicks[0]["clock"] + later - clicks[0]["at"]) + 2)
        shown = boards[begin:end]
        possible = (_mines(boards[begin], second, clicked[0]) for second in seconds)
        mines = min(possible, key=_misfit(rounds[begin:end], shown))
        yield _Game(mines, rounds[begin:end], shown, clicked)


def _mines(board: Board, second: int, first: Cell) -> frozenset[Cell]:
    total = next(level.mines for level in LEVELS.values() if (level.rows, level.cols) == board.shape)
    return true_mines(second, board.rows, board.cols, total, first)


def _misfit(rounds: Sequence[Event], boards: Sequence[Board]) -> Callable[[frozenset[Cell]], Any]:
    """Return what tells how badly mines fit the boards, and, where alike, what was proven on them."""
    safe = [
        Cell(row, col)
        for turn, board in zip(rounds, boards, strict=True)
        for _, row, col, risk in turn["clicks"]
        if not risk and board.count(*range(9))
    ]
    return lambda mines: (
        sum(len(wrong_cells(board, mines, over=False)) for board in boards),
        len(mines.intersection(safe)),
    )


def _outcome(game: _Game) -> bool | None:
    """Return whether the clicks won the game, None if they left it open."""
    board, opened = game.boards[0], set[Cell]()
    for cell in game.clicked:
        if cell in game.mines:
            return False
        waiting = {cell} - opened
        while waiting:
            opened.add(here := waiting.pop())
            around = neighbours(board.rows, board.cols, here)
            if game.mines.isdisjoint(around):
                waiting |= set(around) - opened
        if len(opened) + len(game.mines) == board.states.size:
            return True
    return None


def _held(ours: Iterable[Event]) -> list[str]:
    """Return what was pressed more often than released."""
    down = Counter[str]()
    for event in ours:
        name = str(event.get("key", event["what"].split()[0]))
        down[name] += 1 if event["what"].endswith("down") else -1
    return [f"{name} was left pressed" for name, count in down.items() if count > 0]


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
