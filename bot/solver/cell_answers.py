"""What is known of a cell that somebody asks about, and of all cells: proven safe, a mine, or how likely."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bot.board import NOT_OPEN, SHOWN_MINES, Board, Cell, FirstClick, State, cells_where
from bot.solver.clash import contradiction
from bot.solver.constraints import System
from bot.solver.counting import Known, count
from bot.solver.decision import Action, Reason
from bot.solver.elimination import TooLargeError
from bot.solver.estimate import estimate
from bot.solver.phrases import cell_words, cells_words, mines_words, risk_words
from bot.solver.probability import fits, prove_parts, solve
from bot.solver.simplest import simplest
from bot.solver.words import Hint, told_in_words


@dataclass(frozen=True, slots=True)
class Chances:
    """The chance of a mine for each unknown cell: 0.0 and 1.0 are proofs, others may be estimates."""

    risks: Mapping[Cell, float]
    exact: bool

    def certain(self, risk: float) -> tuple[Cell, ...]:
        """Return the cells that are proven safe (0.0) or mines (1.0), row by row."""
        return tuple(sorted(cell for cell, chance in self.risks.items() if chance == risk))


def chances(board: Board, *, compiled: bool) -> Chances:
    """Return the chance of a mine for each unknown cell of ``board``, with the compiled kernel or without.

    Raises ContradictionError if no placement of mines fits.
    """
    return _by_kernel(board) if compiled else _in_python(board)


def _by_kernel(board: Board) -> Chances:
    from bot.solver.engine import engine_for  # compiles

    engine = engine_for(*board.shape)
    try:
        found = engine.risks(board)
    except ValueError:
        system = System.of(board)
        raise contradiction(system, system.everything, engine.fits) from None
    risks = {cell: float(found[cell]) for cell in cells_where(~np.isnan(found))}
    return Chances(risks, engine.exact)


def _in_python(board: Board) -> Chances:
    system = System.of(board)
    known = count(system, Known())
    exact = True
    try:
        solved = solve(system, known) if not known.clash else None
        known = solved.known if solved else known
        risks = (
            {place: _share(mines, solved.solutions) for place, mines in solved.mines.items()}
            if solved
            else {}
        )
    except TooLargeError:
        known, exact = prove_parts(system, known), False
        risks = estimate(system, known)
    if known.clash:
        raise contradiction(system, known.clash, fits)
    found = {system.cell(place): risk for place, risk in risks.items()}
    found |= dict.fromkeys(system.cells(known.safe), 0.0) | dict.fromkeys(system.cells(known.mines), 1.0)
    return Chances(found, exact)


def _share(mines: int, solutions: int) -> float:
    """Return a chance that is 0.0 or 1.0 only where that is proven."""
    return min(max(mines / solutions, sys.float_info.min), math.nextafter(1.0, 0.0))


def tell_of(board: Board, cell: Cell, known: Chances, rule: FirstClick = FirstClick.SAFE) -> Hint:
    """Return what is known of one cell of ``board``, and why. ``known`` are the chances there.

    Of an unknown cell: that it is safe, or a mine, with the proof, or how likely a mine is; ``rule`` is what
    the game promises of the first click. Of an opened number: what is known of the cells around it.
    """
    state = board[cell]
    if state not in NOT_OPEN:
        return Hint(_of_open(board, cell, known), cell, proven=True, reason=Reason.COUNTING)
    if board.count(*NOT_OPEN) == board.states.size and rule is not FirstClick.ANY:
        words = f"The first click is safe wherever it is: so is {cell_words(cell)}."
        return Hint(words, cell, proven=True, reason=Reason.FIRST_CLICK)
    risk = known.risks[cell]
    if risk in (0.0, 1.0):
        told = simplest(board, [cell], mine=risk == 1.0)
        if told is not None:
            return told_in_words(board, told, mine=risk == 1.0)
        words = f"{_begin(cell)} is {'safe' if risk == 0.0 else 'a mine'}: no placement without that fits."
        action = Action.OPEN if risk == 0.0 else Action.FLAG
        return Hint(words, cell, proven=True, action=action, mine=risk == 1.0, reason=Reason.PROBABILITY)
    words = f"Nothing is proven of {cell_words(cell)}: its risk is {risk_words(risk, known.exact)}."
    return Hint(f"{words}{_better(cell, known)}", cell, proven=False, risk=risk)


def tell_all(board: Board, known: Chances) -> list[Hint]:
    """Return a hint for each cell of ``board`` that is proven: the safe ones first, then the mines."""
    return [tell_of(board, cell, known) for risk in (0.0, 1.0) for cell in known.certain(risk)]


def _better(cell: Cell, known: Chances) -> str:
    """Return a sentence about what is safer than a cell, beginning with a space; "" if nothing is."""
    if safe := known.certain(0.0):
        others = f", and {len(safe) - 1} more" if len(safe) > 1 else ""
        return f" Safe for certain is {cell_words(safe[0])}{others}."
    least = min(known.risks, key=lambda other: known.risks[other])
    if known.risks[least] == known.risks[cell]:
        return " None is less."
    return f" The least risk is {cell_words(least)}: {risk_words(known.risks[least], known.exact)}."


def _of_open(board: Board, cell: Cell, known: Chances) -> str:
    state = board[cell]
    if state in SHOWN_MINES:
        return f"{_begin(cell)} shows a mine."
    if state == State.WRONG_FLAG:
        return f"{_begin(cell)} shows a wrong flag: there was no mine."
    around = [near for near in board.neighbours(cell) if board[near] in NOT_OPEN]
    if not around:
        return f"{_begin(cell)} shows {state}, and nothing around it is covered."
    return f"{_begin(cell)} shows {state}. Around it {_around(board, cell, around, known)}."


def _around(board: Board, cell: Cell, around: Sequence[Cell], known: Chances) -> str:
    """Return what is known of the unknown cells around a number."""
    mines, safe = ([near for near in around if known.risks[near] == risk] for risk in (1.0, 0.0))
    rest = [near for near in around if near not in (*mines, *safe)]
    shown = sum(board[near] in SHOWN_MINES for near in board.neighbours(cell))
    left = board[cell] - shown - len(mines)
    parts = (
        f"{cells_words(mines)} {'are mines' if len(mines) > 1 else 'is a mine'}" if mines else "",
        f"{cells_words(safe)} {'are' if len(safe) > 1 else 'is'} safe" if safe else "",
        f"{mines_words(left)} {'are' if left > 1 else 'is'} among {cells_words(rest)}" if rest else "",
    )
    return "; ".join(filter(None, parts))


def _begin(cell: Cell) -> str:
    return cell_words(cell).capitalize()
