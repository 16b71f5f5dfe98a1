"""Exact counts of solutions in plain Python, to compare the kernel and the strategies with."""

from __future__ import annotations

from bot.board import Board, Cell
from bot.solver.constraints import System, bits
from bot.solver.counting import Known, apply_counting_rules
from bot.solver.exact import SolutionCounts, solve


def solution_counts(board: Board) -> tuple[int, dict[Cell, int]]:
    """Return the number of solutions of ``board``, and of those with a mine in each unknown cell.

    If the mine total is unknown, solutions count with the weights described in the module. Raises
    TooLargeError if the frontier is too wide to count in reasonable time.
    """
    system = System.of(board)
    known = apply_counting_rules(system, Known())
    chances = solve(system, known) if not known.clash else SolutionCounts(0, {}, known)
    counts = {**chances.mines, **dict.fromkeys(bits(known.safe), 0)}
    counts.update(dict.fromkeys(bits(known.mines), chances.solutions))
    return chances.solutions, {system.cell(i): counts.get(i, 0) for i in bits(system.unknown)}
