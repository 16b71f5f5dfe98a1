"""The solver of an article of 2024 ("Minesweeper in Python in 66 lines"): what it opens where counting ends.

Each opened number shares its mines out evenly among its covered neighbours, known mines included; the score
of a covered cell is the sum of its shares, and the cell with the least score is opened. That is no risk: the
shares of two numbers that see the same mine are both counted. The mine total is not used.

The article does not define the score of a cell without an opened neighbour. With an empty sum as the least,
25.2 % of the games on 10x10 with 20 mines are won, and 32 % if such cells wait until there is nothing else.
The published curve is at about 30 % there, so they wait. Which of several equal cells is opened changes that
by 0.6 points at most; it is the first, row by row. (5,000 games each.)
"""

from __future__ import annotations

from bot.board import Cell, FirstClick
from bot.solver.constraints import System, bits
from bot.solver.decision import ALTERNATIVES, Judgement
from bot.solver.guess import Choice, candidates, nearest_openable
from bot.solver.ladder import Learned, StageResult

_WHOLE = 840  # the least number that 1 to 8 divide: sums of shares stay whole, and equal ones equal


def centre(system: System, _rule: FirstClick) -> int:
    """Begin in the centre of the board, or as near to it as can be opened."""
    rows, cols = system.board.shape
    return nearest_openable(system, Cell(rows // 2, cols // 2))


def least_sum(system: System, result: StageResult, _learned: Learned) -> Choice:
    """Choose the cell with the least sum over its opened neighbours of (number / covered neighbours)."""
    cells, sums = candidates(system, result.known), scores(system)
    near = sorted(bits(cells), key=lambda cell: sums.get(cell, _WHOLE * 9))
    return Choice(near[0], Judgement.LEAST_SUM, dict.fromkeys(near[:ALTERNATIVES]))


def scores(system: System) -> dict[int, int]:
    """Return for each cell of the frontier the sum of its shares, in parts of a mine: 840 are one mine."""
    sums = dict.fromkeys(system.touching, 0)
    for number in bits(system.numbers):
        mask = system.masks[number]
        for cell in bits(mask):
            sums[cell] += system.needs[number] * _WHOLE // mask.bit_count()
    return sums
