"""The error for a board that no placement of mines fits; it names the numbers that contradict each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from bot.board import Board, Cell, State
from bot.errors import ContradictionError
from bot.solver.constraints import MaskConstraint, System
from bot.solver.exact import mines_possible
from bot.solver.explain.phrases import mines_words, name
from bot.words import counted

Fits = Callable[[Board], bool]
Source = Cell | None
T = TypeVar("T")
_TRIES = 150  # checks of a subset; after these, all items that are left are kept
_NAMED = 6  # the most numbers that are named one by one


def contradiction(system: System, fits: Fits) -> ContradictionError:
    """Return the error for a board that no placement of mines fits; it names the numbers that cause it.

    ``fits`` returns whether a placement of mines fits a board, or True if the check would take too long.
    """
    sources = list(system.sources)
    numbers: list[Source] = [source for source in sources if source is not None]
    if None in sources and fits(keep_numbers(system.board, numbers)):
        blame, hint = _of_total(system, sources, fits), ", or the mine total is wrong for this game"
    else:
        blame, hint = cannot_hold(system, contradicting_numbers(system.board, numbers, fits)), ""
    return ContradictionError(f"this board is impossible: {blame}; probably a cell was misread{hint}")


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


def contradicting_numbers(board: Board, numbers: Sequence[Source], fits: Fits) -> list[Source]:
    """Return as few of ``numbers`` (None: the mine total) as can be found that contradict each other."""
    return minimal(numbers, lambda chosen: not fits(keep_numbers(board, chosen)))


def keep_numbers(board: Board, sources: Sequence[Source]) -> Board:
    """Return ``board`` with only the numbers at ``sources``; the mine total is kept if None is among them."""
    silent = board.states <= 8
    for source in sources:
        if source is not None:
            silent[source] = False
    states = np.where(silent, np.int8(State.WRONG_FLAG), board.states)
    return Board(states, board.mines if None in sources else None)


def _of_total(system: System, sources: list[Source], fits: Fits) -> str:
    """Return words for how the mine total contradicts the numbers: a few of them if possible, else all."""
    total = system.mask_constraints[-1]
    bounds = _bounds(system, system.board)
    # So many numbers, at least, are needed to contradict the total, because each one counts at most 8 cells.
    enough = (min(total.need, total.mask.bit_count() - total.need) + 1) / 8
    if not bounds or enough <= _NAMED:
        needed = contradicting_numbers(system.board, sources, fits)
        if not bounds or len(needed) <= _NAMED + 1:
            return cannot_hold(system, needed)
    return f"{name(system.board, total)} cannot be right{bounds}"


def cannot_hold(system: System, numbers: Sequence[Source]) -> str:
    """Return words that say that ``numbers`` (their cells; None: the mine total) contradict each other."""
    clash = [said for said in system.mask_constraints if said.source in numbers]
    if len(clash) == 1:
        return f"{name(system.board, clash[0])} cannot be right: {_why(system, clash[0])}"
    ordered = sorted(clash, key=lambda said: said.source is not None)  # the total first
    named = [name(system.board, said) for said in ordered[: _NAMED + 1]]
    if len(ordered) > len(named):
        named.append(f"{len(ordered) - len(named)} more numbers")
    why = _bounds(system, keep_numbers(system.board, numbers)) if None in numbers else ""
    return f"{', '.join(named[:-1])} and {named[-1]} contradict each other{why}"


def _bounds(system: System, board: Board) -> str:
    """Return words for how the numbers of ``board`` force more or fewer mines than the total; "" if not."""
    least, most = mines_possible(System.of(Board(board.states)))
    need, shown = system.needs[-1], system.shown_mines.bit_count()
    if least > need:
        return f": the numbers need at least {mines_words(least + shown)}"
    if most < need:
        return f": the numbers leave room for at most {mines_words(most + shown)}"
    return ""


def _why(system: System, said: MaskConstraint) -> str:
    """Return words for why no placement satisfies the constraint ``said`` alone."""
    where = "" if said.source is None else " around it"
    places = said.mask.bit_count()
    if said.need < 0:
        says = (system.board.mines or 0) if said.source is None else system.board[said.source]
        return f"{mines_words(says - said.need)} {_are(says - said.need)} shown{where}"
    cells = f"only {counted(places, 'cell')}" if places else "no cell"
    return f"there {_are(places or 1)} {cells}{where} for {mines_words(said.need)}"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
