"""What is marked on a position: from what is known of it to marks, layer by layer. Nothing of pixels."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from bot.board import Board, Cell, State
from bot.geometry import nearest_first
from bot.solver.decision import Action, Decision

_LONGEST = 3  # digits of a text


class Layer(Enum):
    """A part of what the overlay shows, which can be left out."""

    SAFE = "safe"
    MINES = "mines"
    NEXT = "next"
    ORDER = "order"
    RISK = "risk"
    WORDS = "words"

    @property
    def label(self) -> str:
        """What it shows, in words."""
        return _LABELS[self]


_LABELS = {
    Layer.SAFE: "safe cells",
    Layer.MINES: "mines",
    Layer.NEXT: "next click",
    Layer.ORDER: "order of clicks",
    Layer.RISK: "risk in percent",
    Layer.WORDS: "why, in words",  # beside the window, and the numbers that prove it
}


class Kind(Enum):
    """What a mark says of its cell."""

    SAFE = "safe"
    MINE = "mine"
    NEXT = "next"  # the suggested click, which is safe
    GUESS = "guess"  # the suggested click, which may be a mine
    FLAG = "flag"  # a flag that should be taken away
    PROOF = "proof"  # an open number that proves the suggested click
    PLAIN = "plain"  # nothing but its text


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark on a cell; ``text`` is a number of up to three digits in its corner, "" for none."""

    cell: Cell
    kind: Kind
    text: str = ""


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
    covered = frozenset(board.cells(State.COVERED, State.QUESTION))
    moves, risks = advice.decision.moves, advice.risks
    opened = {move.cell for move in moves if move.action is Action.OPEN and not move.risk}
    safe = covered & (opened | {cell for cell, risk in risks.items() if risk == 0.0})
    mines = covered & {*advice.decision.mines, *(cell for cell, risk in risks.items() if risk == 1.0)}
    suggested = _suggested(advice)
    texts = _percents(covered - safe - mines, risks) if Layer.RISK in layers else {}
    if Layer.ORDER in layers:
        order = enumerate(numbered_order(safe, advice.cell), 1)
        texts |= {cell: str(number) for number, cell in order if len(str(number)) <= _LONGEST}
    if Layer.NEXT in layers and Layer.RISK not in layers:
        texts |= _percents(suggested.keys() & covered - safe, risks)
    kinds = dict.fromkeys(safe, Kind.SAFE) if Layer.SAFE in layers else {}
    kinds |= dict.fromkeys(mines, Kind.MINE) if Layer.MINES in layers else {}
    kinds |= suggested if Layer.NEXT in layers else {}
    if Layer.WORDS in layers:
        kinds |= dict.fromkeys((cell for cell in advice.numbers if board[cell]), Kind.PROOF)
    marked = sorted({*kinds, *texts})
    return tuple(Mark(cell, kinds.get(cell, Kind.PLAIN), texts.get(cell, "")) for cell in marked)


def numbered_order(cells: Iterable[Cell], first: Cell | None) -> list[Cell]:
    """Return the cells in an order: ``first`` if it is one of them, and always the nearest one next."""
    waiting = sorted(cells)
    if not waiting:
        return []
    start = first if first is not None and first in waiting else waiting[0]
    return nearest_first(waiting, (start.row, start.col), lambda cell: (cell.row, cell.col))


def _percents(cells: Iterable[Cell], risks: Mapping[Cell, float]) -> dict[Cell, str]:
    """Return risks in percent; 0 and 100 would say that something is proven."""
    return {cell: str(min(max(round(100 * risks[cell]), 1), 99)) for cell in cells if cell in risks}


def _suggested(advice: Advice) -> dict[Cell, Kind]:
    """Return the mark of the suggested click, {} if there is none."""
    if advice.cell is None:
        return {}
    move = next((move for move in advice.decision.moves if move.cell == advice.cell), None)
    if move is not None and move.action is Action.FLAG:
        return {advice.cell: Kind.FLAG}
    return {advice.cell: Kind.GUESS if move is not None and move.risk else Kind.NEXT}
