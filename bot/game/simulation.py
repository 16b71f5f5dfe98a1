"""Minesweeper games in memory, with the rules of real games; seeds determine the mines."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, FirstClick, State, cells_where, neighbours
from bot.counting_rules import neighbour_sum

Mines = npt.NDArray[np.int8]

BASE_SEED = 20261120  # board number i of the published comparisons has the seed BASE_SEED + i
_OPENABLE = frozenset({int(State.COVERED), int(State.QUESTION)})


def mines_of_games(
    rows: int, cols: int, mines: int, seeds: Iterable[int], first: Cell, rule: FirstClick
) -> Mines:
    """Return the mines of the games with these ``seeds``: int8 (games, rows * cols), 1 is a mine, row by row.

    A seed puts all cells in a random order; the mines are the first ``mines`` cells that ``rule`` allows when
    ``first`` is opened first. With WINMINE, a mine at ``first`` then moves.
    """
    cells, index = rows * cols, first.row * cols + first.col
    free = kept_free(rows, cols, mines, first, rule)
    orders = (np.random.default_rng(seed).permutation(cells) for seed in seeds)
    placed = [order[~free[order]][:mines] for order in orders]
    boards = np.zeros((len(placed), cells), np.int8)
    for board, mined in zip(boards, placed, strict=True):
        board[mined] = 1
        if rule is FirstClick.WINMINE and board[index]:
            board[[int(board.argmin()), index]] = 1, 0
    return boards


def mines_of_game(
    rows: int, cols: int, mines: int, seed: int, first: Cell, rule: FirstClick
) -> frozenset[Cell]:
    """Return the mines of one game, placed as by `mines_of_games`."""
    board = mines_of_games(rows, cols, mines, [seed], first, rule)
    return frozenset(cells_where(board.reshape(rows, cols) == 1))


def kept_free(rows: int, cols: int, mines: int, first: Cell, rule: FirstClick) -> npt.NDArray[np.bool_]:
    """Return the cells where ``rule`` allows no mine, bool (cells,).

    If an opening does not fit on a crowded board, only the first cell itself is kept free.
    """
    around = neighbours(rows, cols, first)
    free = np.zeros((rows, cols), np.bool_)
    free[first] = rule in (FirstClick.SAFE, FirstClick.OPENING)
    if rule is FirstClick.OPENING and rows * cols - mines > len(around):
        free[tuple(zip(*around, strict=True))] = True
    return free.ravel()


class Game:
    """One game. Its mines are placed when the first cell is opened; ``board`` is what a player may see."""

    def __init__(
        self, rows: int, cols: int, mines: int, seed: int, rule: FirstClick = FirstClick.SAFE
    ) -> None:
        if not 0 < mines < rows * cols:
            raise ValueError(f"{mines} mines do not fit a board of {rows} x {cols} that has a cell to open")
        self.rows, self.cols, self.mine_count, self.rule = rows, cols, mines, rule
        self.mines: frozenset[Cell] | None = None
        self.lost = False
        self._seed = seed
        self._states = np.full((rows, cols), State.COVERED, dtype=np.int8)

    @property
    def board(self) -> Board:
        """The board as the player sees it."""
        return Board(self._states, self.mine_count)

    @property
    def won(self) -> bool:
        """Whether every cell without a mine is open."""
        opened = int(np.count_nonzero(self._states <= 8))
        return not self.lost and opened == self.rows * self.cols - self.mine_count

    @property
    def over(self) -> bool:
        """Whether the game is won or lost."""
        return self.lost or self.won

    def open(self, cell: Cell) -> None:
        """Open a covered cell without a flag; if its number is 0, open the cells around it as well."""
        if self.over or int(self._states[cell]) not in _OPENABLE:
            return
        if self.mines is None:
            self.mines = mines_of_game(self.rows, self.cols, self.mine_count, self._seed, cell, self.rule)
        if cell in self.mines:
            self._explode([cell])
            return
        self._flood(cell, self.mines)
        if self.won:
            self._show(self.mines, State.FLAG)

    def lay(self, mines: frozenset[Cell]) -> None:
        """Place all mines at these cells, before the first cell is opened. Raises ValueError otherwise."""
        if self.mines is not None or len(mines) != self.mine_count:
            raise ValueError(f"{len(mines)} mines cannot be laid in this game of {self.mine_count}")
        self.mines = mines

    def flag(self, cell: Cell, *, question_marks: bool = False) -> None:
        """Put a flag on a covered cell or remove it; with ``question_marks``, flags become question marks."""
        after_flag = State.QUESTION if question_marks else State.COVERED
        swap = {State.COVERED: State.FLAG, State.FLAG: after_flag, State.QUESTION: State.COVERED}
        state = int(self._states[cell])
        if not self.over and state in swap:
            self._states[cell] = swap[State(state)]

    def chord(self, cell: Cell) -> None:
        """Open all neighbours of a number that touches as many flags; if a flag is wrong, mines explode."""
        around = neighbours(self.rows, self.cols, cell)
        number = int(self._states[cell])
        if self.over or not 1 <= number <= 8 or sum(self._states[c] == State.FLAG for c in around) != number:
            return
        opened = [c for c in around if int(self._states[c]) in _OPENABLE]
        hit = [c for c in opened if c in (self.mines or ())]
        if hit:
            self._explode(hit)
        for c in () if hit else opened:
            self.open(c)

    def _flood(self, cell: Cell, mines: frozenset[Cell]) -> None:
        waiting = [cell]
        while waiting:
            current = waiting.pop()
            if int(self._states[current]) in _OPENABLE:
                around = neighbours(self.rows, self.cols, current)
                self._states[current] = number = len(mines.intersection(around))
                if number == 0:
                    waiting.extend(around)

    def _explode(self, hit: list[Cell]) -> None:
        self.lost = True
        mines = self.mines or frozenset()
        wrong = [c for c in self.board.cells(State.FLAG) if c not in mines]
        self._show([c for c in mines if self._states[c] != State.FLAG], State.MINE)
        self._show(wrong, State.WRONG_FLAG)
        self._show(hit, State.EXPLODED)

    def _show(self, cells: Iterable[Cell], state: State) -> None:
        for cell in cells:
            self._states[cell] = state


def mine_map(board: Board) -> npt.NDArray[np.bool_] | None:
    """Return the mines of a finished game, bool (rows, cols); None if the board does not show them all.

    On a won board every cell that is not open is a mine; on a lost one mines are shown, right flags stay. If
    the total is unknown, the mines must explain all numbers.
    """
    shown = np.isin(board.states, (State.MINE, State.EXPLODED, State.FLAG))
    closed = shown | np.isin(board.states, (State.COVERED, State.QUESTION))
    opened = board.states <= 8
    for mines in (shown, closed):
        if int(mines.sum()) == board.mines or (
            board.mines is None and (neighbour_sum(mines) == board.states)[opened].all() and opened.any()
        ):
            return np.asarray(mines, dtype=np.bool_)
    return None
