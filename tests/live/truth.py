"""True boards, for tests only; WineMine draws its boards from the second of the first click."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bot.board import Board, Cell, State, neighbours
from bot.play.look import Look
from bot.play.results import GameResult, Round
from bot.solver.decision import Action


@dataclass(frozen=True, slots=True)
class TrueGame:
    """The truth about a game; times are those of `time.perf_counter`.

    ``mines`` is None before the mines are placed, ``won`` until the game is over. ``gone`` is the time when
    another game replaced it, or when its program ended.
    """

    began: float
    rows: int
    cols: int
    mines: frozenset[Cell] | None = None
    ended: float | None = None
    won: bool | None = None
    gone: float = float("inf")


def true_mines(second: int, rows: int, cols: int, mines: int, first: Cell) -> frozenset[Cell]:
    """Return the mines of a WineMine board whose cell ``first`` was opened at the Unix time ``second``."""
    state = second & 0xFFFFFFFF
    placed: set[Cell] = set()

    def rand() -> int:
        nonlocal state
        state = (state * 214013 + 2531011) & 0xFFFFFFFF
        return (state >> 16) & 0x7FFF

    while len(placed) < mines:
        col = rand() % cols
        cell = Cell(rand() % rows, col)
        if cell != first:
            placed.add(cell)
    return frozenset(placed)


def wrong_cells(board: Board, mines: frozenset[Cell], over: bool) -> list[Cell]:
    """Return the cells of ``board`` that show a wrong state, given the true ``mines``."""
    return [cell for cell in board if not _right(board, cell, mines, over)]


def _right(board: Board, cell: Cell, mines: frozenset[Cell], over: bool) -> bool:
    state = board[cell]
    if state <= 8:
        around = neighbours(board.rows, board.cols, cell)
        return cell not in mines and state == sum(other in mines for other in around)
    if over and cell in mines:  # a lost game shows its mines, a won one flags them
        return state in (State.MINE, State.EXPLODED, State.FLAG)
    return state == State.COVERED or (state == State.FLAG and cell in mines)


def winemine_boards(final: Board, first: Cell, seconds: range) -> list[frozenset[Cell]]:
    """Return the possible mines of a WineMine game, one set for each possible second of the first click."""
    return [true_mines(second, final.rows, final.cols, final.mines or 0, first) for second in seconds]


@dataclass
class TruthChecker:
    """Follows a run and compares all readings and proofs with the true boards.

    ``candidates`` returns the possible mines of a game, given its final board, its first cell and the seconds
    of its first click; the set that fits best is taken as the truth. ``misread`` are wrong cells in boards
    that were acted on, ``false_proofs`` mines that were proven safe, ``wrong_ends`` games with a wrong
    result.
    """

    candidates: Callable[[Board, Cell, range], Sequence[frozenset[Cell]]] = winemine_boards
    misread: list[tuple[int, Cell]] = field(default_factory=list)
    false_proofs: list[tuple[int, Cell]] = field(default_factory=list)
    wrong_ends: list[int] = field(default_factory=list)
    boards: set[frozenset[Cell]] = field(default_factory=set)
    games: int = 0
    _rounds: list[Round] = field(default_factory=list)
    _times: list[float] = field(default_factory=list)

    def round(self, turn: Round) -> None:
        self._rounds.append(turn)
        self._times.append(time.time())

    def end(self, result: GameResult, look: Look) -> None:
        """Compare the whole game with its true board."""
        self.games += 1
        self._times.append(time.time())
        first, final = self._rounds[0].clicks[0].move.cell, look.reading.board
        boards = self.candidates(final, first, range(int(self._times[0]), int(self._times[1]) + 1))
        mines = min(boards, key=lambda candidate: len(wrong_cells(final, candidate, over=True)))
        self.boards.add(mines)
        self._compare(mines, result, final)
        self._rounds.clear()
        self._times.clear()

    def _compare(self, mines: frozenset[Cell], result: GameResult, final: Board) -> None:
        seen = [(turn.look.reading.board, False) for turn in self._rounds] + [(final, True)]
        for board, over in seen:
            self.misread += [(self.games, cell) for cell in wrong_cells(board, mines, over)]
        for turn in self._rounds[1:]:  # before the first click there are no mines
            proven = [move.cell for move in turn.decision.moves if move.risk == 0]
            self.false_proofs += [(self.games, cell) for cell in proven if cell in mines]
        opened = [click for click in self._rounds[-1].clicks if click.move.action is Action.OPEN]
        hit = any(click.move.cell in mines for click in opened)
        whole = set(final.cells(*range(9))) == set(final) - mines
        if result.won == hit or (result.won and not whole):
            self.wrong_ends.append(self.games)
