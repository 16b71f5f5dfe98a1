"""A board that contradicts itself: which of its numbers cannot hold together, as few as found, in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from bot.board import Board, Cell, State
from bot.errors import ContradictionError
from bot.solver.constraints import Said, System, bits
from bot.solver.probability import mines_possible

Fits = Callable[[Board], bool]
Source = Cell | None
_CHECKS = 150  # boards that are tried before what is left counts as needed
_NAMED = 6  # numbers that are named one by one


def contradiction(system: System, clash: int, fits: Fits) -> ContradictionError:
    """Return the error for a board that no placement of mines fits, with the numbers that are to blame.

    ``clash`` is the mask of constraints that are known to contradict each other. ``fits`` says whether a
    placement of mines fits a board; if it cannot tell, it says yes.
    """
    sources = [system.sources[number] for number in bits(clash)]
    numbers: list[Source] = [source for source in sources if source is not None]
    if None in sources and fits(only(system.board, numbers)):
        blame, hint = _of_total(system, sources, fits), ", or the total is not that of this game"
    else:
        blame, hint = cannot_hold(system, Shrinking(system.board, fits).shrunk(numbers)), ""
    return ContradictionError(
        f"no placement of mines fits this board: {blame}; a cell was read wrongly{hint}"
    )


@dataclass(slots=True)
class Shrinking:
    """The search for a small clash, by halves as in Junker's QuickXplain."""

    board: Board
    fits: Fits
    left: int = _CHECKS

    def shrunk(self, clash: list[Source]) -> list[Source]:
        """Return numbers, or None for the mine total, that contradict each other: none can be spared.

        They are some of ``clash``, rather the first than the last of it. If that takes too long, or cannot be
        told, they are more than are needed.
        """
        found = self._needed([], clash, changed=True)
        return found if self._clashes(found) else clash

    def _needed(self, given: list[Source], clash: list[Source], *, changed: bool) -> list[Source]:
        """Return those of ``clash`` that are needed to contradict what is ``given``: [] if it does itself."""
        if changed and given and self._clashes(given):
            return []
        if len(clash) == 1 or self.left <= 0:
            return clash
        first, second = clash[: len(clash) // 2], clash[len(clash) // 2 :]
        later = self._needed(given + first, second, changed=True)
        return self._needed(given + later, first, changed=bool(later)) + later

    def _clashes(self, chosen: list[Source]) -> bool:
        self.left -= 1
        return not self.fits(only(self.board, chosen))


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
        blamed = Shrinking(system.board, fits).shrunk(sources)
        if not bounds or len(blamed) <= _NAMED + 1:
            return cannot_hold(system, blamed)
    return f"{_name(system, total)} cannot hold{bounds}"


def cannot_hold(system: System, blamed: Sequence[Source]) -> str:
    """Return in words that ``blamed``, numbers by their cells and the total as None, cannot hold together."""
    clash = [said for said in system.said if said.source in blamed]
    if len(clash) == 1:
        return f"{_name(system, clash[0])} cannot hold: {_why(system, clash[0])}"
    ordered = sorted(clash, key=lambda said: said.source is not None)  # the total first
    named = [_name(system, said) for said in ordered[: _NAMED + 1]]
    if len(ordered) > len(named):
        named.append(f"{len(ordered) - len(named)} more numbers")
    why = _bounds(system, only(system.board, blamed)) if None in blamed else ""
    return f"{', '.join(named[:-1])} and {named[-1]} cannot hold together{why}"


def _bounds(system: System, board: Board) -> str:
    """Return in words how the numbers of ``board`` keep the mines from being as many as the total."""
    least, most = mines_possible(System.of(Board(board.states)))
    need, shown = system.needs[-1], system.shown_mines.bit_count()
    if least > need:
        return f": the numbers need at least {_mines(least + shown)}"
    if most < need:
        return f": the numbers leave room for at most {_mines(most + shown)}"
    return ""


def _name(system: System, said: Said) -> str:
    if said.source is None:
        return f"the total of {_mines(system.board.mines or 0)}"
    return f"the {system.board[said.source]} at row {said.source.row}, column {said.source.col}"


def _why(system: System, said: Said) -> str:
    """Return why a constraint cannot hold by itself."""
    where = "" if said.source is None else " around it"
    places = said.mask.bit_count()
    if said.need < 0:
        says = (system.board.mines or 0) if said.source is None else system.board[said.source]
        return f"{_mines(says - said.need)} {_are(says - said.need)} shown{where}"
    cells = f"only {places} cell{'s' * (places != 1)}" if places else "no cell"
    return f"there {_are(places or 1)} {cells}{where} for {_mines(said.need)}"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _mines(count: int) -> str:
    return f"{count} mine{'s' * (count != 1)}"
