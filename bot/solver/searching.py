"""Searching the tree of moves of positions that have more solutions than there is time for in play."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import lru_cache
from math import log

from bot.board import Board
from bot.solver.engine import Engine
from bot.solver.kernel.endgame import best_of_some
from bot.solver.kernel.layout import Endgame

_MOST = (1 << 15) - 1  # solutions: the kernel counts those in which a cell is a mine in 16 bits
_CELLS = 96  # unknown cells of a position with so few solutions; those of all but odd ones are far fewer
_NODES = 1 << 18  # that are kept
_ENDLESS = 1 << 62
_SLICE = 0.02  # seconds between two looks at the clock


class _Searcher:
    """The arrays for one search at a time, about 50 MB where all of them are used."""

    def __init__(self, rows: int, cols: int) -> None:
        self._engine = Engine(rows, cols)
        self._end = Endgame(rows * cols, _CELLS, 2 * _MOST + 2, _NODES)

    def look_at(self, board: Board) -> bool:
        """Analyse a position; return whether it has few enough solutions to be searched."""
        self._end.budget = _ENDLESS
        self._engine.risks(board)
        return self._engine.exact and self._engine.log_solutions <= log(_MOST)

    def search(self) -> int:
        """Return the cell that the search finds, -1 if it was given up."""
        topology, buffers = self._engine.workspace.topology, self._engine.workspace.buffers
        return best_of_some(topology, self._engine.position, buffers, self._end)

    def give_up(self) -> None:
        """Let a search that runs in another thread come to its end at once."""
        self._end.budget = 0

    @property
    def chance(self) -> float:
        """The chance to win by what was found."""
        return self._end.found / self._end.solutions


@lru_cache(maxsize=1)
def _searcher(rows: int, cols: int) -> _Searcher:
    return _Searcher(rows, cols)


def searched(
    board: Board, seconds: float, clock: Callable[[], float], stop: Callable[[], bool]
) -> tuple[int, float] | None:
    """Return which cell to open, row by row, and the chance to win by the play that begins with it.

    All good cells are tried now, and the three safest in every position that follows: the best play may win
    a little more. None if there are too many solutions, or after ``seconds`` of ``clock``, or when ``stop``
    says so.
    """
    end, searcher = clock() + seconds, _searcher(*board.shape)
    if not searcher.look_at(board):
        return None
    with ThreadPoolExecutor(1) as pool:
        search = pool.submit(searcher.search)
        while wait([search], _SLICE).not_done:
            if clock() > end or stop():
                searcher.give_up()
    cell = search.result()
    return (cell, searcher.chance) if cell >= 0 else None
