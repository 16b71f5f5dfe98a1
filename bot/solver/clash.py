"""A board that contradicts itself: which of its numbers cannot hold together, as few as found, in words."""

from __future__ import annotations

from collections.abc import Callable
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
    blamed = Shrinking(system.board, fits).shrunk([system.sources[number] for number in bits(clash)])
    words = _words(system, [said for said in system.said if said.source in blamed])
    total = ", or the total is not that of this game" if None in blamed else ""
    return ContradictionError(
        f"no placement of mines fits this board: {words}; a cell was read wrongly{total}"
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


def only(board: Board, sources: list[Source]) -> Board:
    """Return the board on which no numbers but those of ``sources`` are left; None is the mine total."""
    silent = board.states <= 8
    for source in sources:
        if source is not None:
            silent[source] = False
    states = np.where(silent, np.int8(State.WRONG_FLAG), board.states)
    return Board(states, board.mines if None in sources else None)


def _words(system: System, clash: list[Said]) -> str:
    if len(clash) == 1:
        return f"{_name(system, clash[0])} cannot hold: {_why(system, clash[0])}"
    ordered = sorted(clash, key=lambda said: said.source is not None)  # the total first
    named = [_name(system, said) for said in ordered[:_NAMED]]
    if len(clash) > _NAMED:
        named.append(f"{len(clash) - _NAMED} more numbers")
    return f"{', '.join(named[:-1])} and {named[-1]} cannot hold together{_mines_needed(system, clash)}"


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


def _mines_needed(system: System, clash: list[Said]) -> str:
    """Return in words what the numbers of a clash say about the total, if it is in it."""
    total = next((said for said in clash if said.source is None), None)
    if total is None:
        return ""
    board = only(system.board, [said.source for said in clash])
    least, most = mines_possible(System.of(Board(board.states)))
    shown = system.shown_mines.bit_count()
    if least > total.need:
        return f": the numbers need at least {_mines(least + shown)}"
    if most < total.need:
        return f": the numbers leave room for at most {_mines(most + shown)}"
    return ""


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _mines(count: int) -> str:
    return f"{count} mine{'s' * (count != 1)}"
