"""What is to be marked on a position: from what is known of it to marks, layer by layer."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from bot.board import Board, Cell, State
from bot.geometry import nearest_first
from bot.solver.decision import Action, Decision
from bot.ui.overlay.marks import Kind, Mark

_CLOSED = (State.COVERED, State.QUESTION)
_LONGEST = 3  # digits of a text


class Layer(Enum):
    """A part of what the overlay shows, which can be left out."""

    SAFE = "safe"  # cells that are proven safe
    MINES = "mines"  # cells that are proven mines
    NEXT = "next"  # the suggested click
    ORDER = "order"  # in which to click on the safe cells
    RISK = "risk"  # of all other cells, in percent
    WORDS = "words"  # why, beside the window, and the numbers that prove it


@dataclass(frozen=True, slots=True)
class Advice:
    """What is known of a position: the decision, the cell that is suggested and the numbers that prove it.

    ``risks`` are the chances of a mine, 0.0 and 1.0 only where that is proven; ``words`` say why.
    """

    decision: Decision
    cell: Cell | None = None
    numbers: Collection[Cell] = ()
    risks: Mapping[Cell, float] = field(default_factory=dict)
    words: str = ""


def marks_of(board: Board, advice: Advice, layers: Collection[Layer]) -> tuple[Mark, ...]:
    """Return the marks of ``layers`` for a position, row by row; no cell has two.

    Safe cells and mines are those of the decision and those whose risk says so; a mine that has a flag needs
    no mark. Safe cells are numbered from the suggested one on, the nearest is always the next.
    """
    closed = frozenset(board.cells(*_CLOSED))
    safe, mines = closed & _safe(advice), closed & _mines(advice)
    texts = _percents(closed - safe - mines, advice.risks) if Layer.RISK in layers else {}
    if Layer.ORDER in layers:
        texts |= _numbered(numbered_order(safe, advice.cell))
    if Layer.NEXT in layers and Layer.RISK not in layers:
        texts |= _percents(_suggested(advice).keys() & closed - safe, advice.risks)
    kinds = dict.fromkeys(safe, Kind.SAFE) if Layer.SAFE in layers else {}
    kinds |= dict.fromkeys(mines, Kind.MINE) if Layer.MINES in layers else {}
    kinds |= _suggested(advice) if Layer.NEXT in layers else {}
    if Layer.WORDS in layers:
        kinds |= dict.fromkeys((cell for cell in advice.numbers if board[cell]), Kind.PROOF)
    marked = sorted({*kinds, *texts})
    return tuple(Mark(cell, kinds.get(cell, Kind.PLAIN), texts.get(cell, "")) for cell in marked)


def numbered_order(cells: Iterable[Cell], first: Cell | None) -> list[Cell]:
    """Return the cells in an order: ``first`` if it is one of them, and always the nearest one next."""
    waiting = sorted(cells)
    if not waiting:
        return []
    return nearest_first(waiting, _place(first if first in waiting else waiting[0]), _place)


def _safe(advice: Advice) -> set[Cell]:
    moves = advice.decision.moves
    safe = {move.cell for move in moves if move.action is Action.OPEN and not move.risk}
    return safe | {cell for cell, risk in advice.risks.items() if risk == 0.0}


def _mines(advice: Advice) -> set[Cell]:
    return {*advice.decision.mines, *(cell for cell, risk in advice.risks.items() if risk == 1.0)}


def _place(cell: Cell) -> tuple[int, int]:
    return cell.row, cell.col


def _numbered(cells: Iterable[Cell]) -> dict[Cell, str]:
    return {cell: str(number) for number, cell in enumerate(cells, 1) if len(str(number)) <= _LONGEST}


def _percents(cells: Iterable[Cell], risks: Mapping[Cell, float]) -> dict[Cell, str]:
    """Return risks in percent; 0 and 100 would say that something is proven."""
    return {cell: str(min(max(round(100 * risks[cell]), 1), 99)) for cell in cells if cell in risks}


def _suggested(advice: Advice) -> dict[Cell, Kind]:
    """Return the mark of the suggested click, {} if there is none."""
    moves = {move.cell: move for move in advice.decision.moves}
    if advice.cell is None:
        return {}
    move = moves.get(advice.cell)
    if move is not None and move.action is Action.FLAG:
        return {advice.cell: Kind.FLAG}
    return {advice.cell: Kind.GUESS if move is not None and move.risk else Kind.NEXT}
