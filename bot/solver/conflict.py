"""Why no placement of mines fits a board: which numbers contradict each other, or the mine total."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from bot.board import Board, Cell, State
from bot.errors import ContradictionError
from bot.solver.constraints import MaskConstraint, System
from bot.solver.exact import mines_possible
from bot.words import counted, mines_words

Fits = Callable[[Board], bool]  # whether a placement fits a board; True if the check would take too long
TotalBounds = Callable[[Board], tuple[int, int]]  # the fewest and the most mines that its numbers allow
ConstraintSource = Cell | None
T = TypeVar("T")
_TRIES = 150  # checks of a subset; after these, all items that are left are kept
_NAMED = 6  # the most numbers that are named one by one


@dataclass(frozen=True, slots=True)
class Blame:
    """Why no placement fits a board: ``words``, and the ``cells`` of numbers, or the ``total``, at fault."""

    words: str
    cells: tuple[Cell, ...] = ()
    total: bool = False


def contradiction(system: System, fits: Fits) -> ContradictionError:
    """Return the error for a board that no placement of mines fits; it names the numbers that cause it."""
    why = find_blame(system.board, fits, mines_possible)
    hint = ", or the mine total is wrong for this game" if why.total else ""
    return ContradictionError(f"this board is impossible: {why.words}; probably a cell was misread{hint}")


def find_blame(board: Board, fits: Fits, totals: TotalBounds) -> Blame:
    """Return why no placement of mines fits ``board``; as few numbers as can be found are to blame.

    ``totals`` is only asked about boards that some placement fits; its bounds may be too wide.
    """
    alone, numbers = Board(board.states), [cell for cell, _ in board.numbers()]
    if board.mines is not None and fits(alone):
        return _of_total(board, numbers, fits, totals)

    def clash(chosen: Sequence[ConstraintSource]) -> bool:
        return not fits(keep_numbers(alone, chosen))

    def near(chosen: list[Cell]) -> list[Cell]:
        """Return half of the numbers again and again, as long as one half contradicts itself."""
        halves = chosen[: len(chosen) // 2], chosen[len(chosen) // 2 :]
        return next((near(half) for half in halves if half != chosen and clash(half)), chosen)

    return _cannot_hold(board, minimal(near(numbers), clash), totals)


def minimal(items: Sequence[T], suffices: Callable[[Sequence[T]], bool], tries: int = _TRIES) -> list[T]:
    """Return a minimal part of ``items`` for which ``suffices`` is true; prefer items that come first.

    This searches by halves (Junker 2004, QuickXplain). After ``tries`` calls of ``suffices`` the result may
    contain unneeded items. If not even all items suffice, all are returned.
    """

    def needed(given: Sequence[T], rest: Sequence[T], *, changed: bool) -> Sequence[T]:
        """Return the items of ``rest`` that are needed in addition to the ``given`` ones."""
        nonlocal tries
        if changed and given:
            tries -= 1
            if suffices(given):
                return ()
        if len(rest) == 1 or tries <= 0:
            return rest
        first, second = rest[: len(rest) // 2], rest[len(rest) // 2 :]
        later = needed([*given, *first], second, changed=True)
        return [*needed([*given, *later], first, changed=bool(later)), *later]

    found = needed((), items, changed=True)
    return list(found if suffices(found) else items)


def keep_numbers(board: Board, sources: Sequence[ConstraintSource]) -> Board:
    """Return ``board`` with only the numbers at ``sources``; the mine total is kept if None is among them."""
    silent = board.states <= 8
    for source in sources:
        if source is not None:
            silent[source] = False
    states = np.where(silent, np.int8(State.WRONG_FLAG), board.states)
    return Board(states, board.mines if None in sources else None)


def _of_total(board: Board, numbers: Sequence[Cell], fits: Fits, totals: TotalBounds) -> Blame:
    """Return how the mine total contradicts the ``numbers``: a few of them if possible, else all."""
    silent = keep_numbers(board, [None])
    if not fits(silent):
        return _cannot_hold(board, [None], totals)
    total, why = System.of(silent).mask_constraints[-1], _bounds(board, totals)
    # So many numbers, at least, are needed to contradict the total, because each one counts at most 8 cells.
    enough = (min(total.need, total.mask.bit_count() - total.need) + 1) / 8
    if not why or enough <= _NAMED:
        needed = minimal([*numbers, None], lambda chosen: not fits(keep_numbers(board, chosen)))
        if not why or len(needed) <= _NAMED + 1:
            return _cannot_hold(board, needed, totals)
    return Blame(f"{board.source_words(None)} cannot be right{why}", total=True)


def _cannot_hold(board: Board, sources: Sequence[ConstraintSource], totals: TotalBounds) -> Blame:
    """Return that the numbers at ``sources`` (None: the mine total) contradict each other."""
    kept = keep_numbers(board, sources)
    system = System.of(kept)
    clash = sorted(system.mask_constraints, key=lambda said: said.source is not None)  # the total first
    named = [board.source_words(said.source) for said in clash[: _NAMED + 1]]
    if len(clash) > len(named):
        named.append(f"{len(clash) - len(named)} more numbers")
    words = f"{', '.join(named[:-1])} and {named[-1]} contradict each other"
    if len(clash) == 1:
        words = f"{named[0]} cannot be right: {_why_impossible(system, clash[0])}"
    elif None in sources:
        words += _bounds(kept, totals)
    cells = tuple(sorted(source for source in sources if source is not None))
    return Blame(words, cells, None in sources)


def _bounds(board: Board, totals: TotalBounds) -> str:
    """Return words for how the numbers of ``board`` force more or fewer mines than the total; "" if not."""
    (least, most), mines = totals(Board(board.states)), board.mines or 0
    if least > mines:
        return f": the numbers need at least {mines_words(least)}"
    if most < mines:
        return f": the numbers leave room for at most {mines_words(most)}"
    return ""


def _why_impossible(system: System, said: MaskConstraint) -> str:
    """Return words for why no placement satisfies the constraint ``said`` alone."""
    where = "" if said.source is None else " around it"
    places = said.mask.bit_count()
    if said.need < 0:
        says = (system.board.mines or 0) if said.source is None else system.board[said.source]
        return f"{mines_words(says - said.need)} {_is_or_are(says - said.need)} shown{where}"
    cells = f"only {counted(places, 'cell')}" if places else "no cell"
    return f"there {_is_or_are(places or 1)} {cells}{where} for {mines_words(said.need)}"


def _is_or_are(count: int) -> str:
    return "is" if count == 1 else "are"
