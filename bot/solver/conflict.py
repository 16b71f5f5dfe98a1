"""A board that contradicts itself: which of its numbers cannot hold together, as few as found, in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from bot.board import Board, Cell, State
from bot.errors import ContradictionError
from bot.solver.constraints import Said, System
from bot.solver.exact import mines_possible
from bot.solver.explain.phrases import mines_words, name

Fits = Callable[[Board], bool]
Source = Cell | None
T = TypeVar("T")
_TRIES = 150  # before what is left counts as needed
_NAMED = 6  # numbers that are named one by one


def contradiction(system: System, fits: Fits) -> ContradictionError:
    """Return the error for a board that no placement of mines fits, with the numbers that are to blame.

    ``fits`` returns whether a placement of mines fits a board, or True if that takes too long to find out.
    """
    sources = list(system.sources)
    numbers: list[Source] = [source for source in sources if source is not None]
    if None in sources and fits(only(system.board, numbers)):
        blame, hint = _of_total(system, sources, fits), ", or the total is not that of this game"
    else:
        blame, hint = cannot_hold(system, blamed(system.board, numbers, fits)), ""
    return ContradictionError(
        f"no placement of mines fits this board: {blame}; a cell was read wrongly{hint}"
    )


def minimal(items: Sequence[T], suffices: Callable[[Sequence[T]], bool], tries: int = _TRIES) -> list[T]:
    """Return some of ``items`` that suffice and of which none can be spared, rather the first than the last.

    A search by halves (Junker 2004, QuickXplain). If it takes more than so many ``tries``, or if nothing
    suffices, they are more than are needed.
    """

    def needed(given: Sequence[T], rest: Sequence[T], *, changed: bool) -> Sequence[T]:
        """Return those of ``rest`` that are needed beside what is given."""
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


def blamed(board: Board, numbers: Sequence[Source], fits: Fits) -> list[Source]:
    """Return some of ``numbers`` (None: the mine total) that contradict each other, as few as found."""
    return minimal(numbers, lambda chosen: not fits(only(board, chosen)))


def only(board: Board, sources: Sequence[Source]) -> Board:
    """Return the board on which no numbers but those of ``sources`` are left; None is the mine total."""
    silent = board.states <= 8
    for source in sources:
        if source is not None:
            silent[source] = False
    states = np.where(silent, np.int8(State.WRONG_FLAG), board.states)
    return Board(states, board.mines if None in sources else None)


def _of_total(system: System, sources: list[Source], fits: Fits) -> str:
    """Return in words how the mine total clashes: with the numbers, if few suffice, else with all of them."""
    total = system.said[-1]
    bounds = _bounds(system, system.board)
    enough = (min(total.need, total.mask.bit_count() - total.need) + 1) / 8  # one number says no more than 8
    if not bounds or enough <= _NAMED:
        needed = blamed(system.board, sources, fits)
        if not bounds or len(needed) <= _NAMED + 1:
            return cannot_hold(system, needed)
    return f"{name(system.board, total)} cannot hold{bounds}"


def cannot_hold(system: System, numbers: Sequence[Source]) -> str:
    """Return in words that ``numbers``, by their cells and the total as None, cannot hold together."""
    clash = [said for said in system.said if said.source in numbers]
    if len(clash) == 1:
        return f"{name(system.board, clash[0])} cannot hold: {_why(system, clash[0])}"
    ordered = sorted(clash, key=lambda said: said.source is not None)  # the total first
    named = [name(system.board, said) for said in ordered[: _NAMED + 1]]
    if len(ordered) > len(named):
        named.append(f"{len(ordered) - len(named)} more numbers")
    why = _bounds(system, only(system.board, numbers)) if None in numbers else ""
    return f"{', '.join(named[:-1])} and {named[-1]} cannot hold together{why}"


def _bounds(system: System, board: Board) -> str:
    """Return in words how the numbers of ``board`` keep the mines from being as many as the total."""
    least, most = mines_possible(System.of(Board(board.states)))
    need, shown = system.needs[-1], system.shown_mines.bit_count()
    if least > need:
        return f": the numbers need at least {mines_words(least + shown)}"
    if most < need:
        return f": the numbers leave room for at most {mines_words(most + shown)}"
    return ""


def _why(system: System, said: Said) -> str:
    """Return why a constraint cannot hold by itself."""
    where = "" if said.source is None else " around it"
    places = said.mask.bit_count()
    if said.need < 0:
        says = (system.board.mines or 0) if said.source is None else system.board[said.source]
        return f"{mines_words(says - said.need)} {_are(says - said.need)} shown{where}"
    cells = f"only {places} cell{'s' * (places != 1)}" if places else "no cell"
    return f"there {_are(places or 1)} {cells}{where} for {mines_words(said.need)}"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
