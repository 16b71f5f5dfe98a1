"""The mines of many seeded games at once, as arrays: what the compiled kernel plays."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from bot.board import Cell, FirstClick, neighbours

Mines = npt.NDArray[np.int8]


def mines_of_games(
    rows: int, cols: int, mines: int, seeds: Iterable[int], first: Cell, rule: FirstClick
) -> Mines:
    """Return the mines of the games of ``seeds``, int8 (games, rows * cols), 1 for a mine; cells row by row.

    They are those that `simulation.place_mines` puts there in the order of `simulation.shuffled`.
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


def kept_free(rows: int, cols: int, mines: int, first: Cell, rule: FirstClick) -> npt.NDArray[np.bool_]:
    """Return where the rule allows no mine, bool (cells,)."""
    around = neighbours(rows, cols, first)
    free = np.zeros((rows, cols), np.bool_)
    free[first] = rule in (FirstClick.SAFE, FirstClick.OPENING)
    if rule is FirstClick.OPENING and rows * cols - mines > len(around):
        free[tuple(zip(*around, strict=True))] = True
    return free.ravel()
