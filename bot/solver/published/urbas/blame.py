"""Why no placement fits a position: the numbers that contradict each other, as few as found, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, takewhile

from bot.board import SHOWN_MINES, Board, Cell
from bot.solver.conflict import blamed, cannot_hold, only
from bot.solver.constraints import System
from bot.solver.exact import CHECK_BUDGET, TooLargeError, attainable, fits
from bot.solver.explain.proofs import Window, reaches
from bot.solver.published.urbas.constraint_solver import Check, mines_bound
from bot.solver.published.urbas.placing import component_of, place
from bot.solver.published.urbas.puzzle import Clash, Puzzle, puzzle_of

# How often the parts grow that are looked at all over the board, and how far apart they lie.
_PARTS = ((1, 3), (2, 3), (3, 6))
_MOST_CELLS = 2_000  # of a part that is looked at as one


@dataclass(frozen=True, slots=True)
class Blame:
    """Why there is no placement: ``words``, the ``cells`` with the numbers to blame, and if the total is."""

    words: str
    cells: tuple[Cell, ...] = ()
    total: bool = False


def blame(board: Board, check: Check) -> Blame:
    """Return why no placement of mines fits ``board``, which is so.

    ``check`` is called all the time, and ends the search by raising.
    """
    puzzle, numbers = puzzle_of(board), Board(board.states)
    if isinstance(puzzle, Clash):
        cell = Cell(*divmod(puzzle.source, board.cols))
        where = f"the {board[cell]} at row {cell.row}, column {cell.col}"
        far = f"{where} contradicts what other numbers say, some of them far away"
        return _first_blamed(board, _growing(numbers, cell), check) or Blame(far, (cell,))
    if board.mines is not None and place(numbers, check=check) is not None:
        return _of_total(board, puzzle, check)
    return _first_blamed(board, _all_parts(numbers, puzzle), check) or Blame(
        "the numbers cannot hold together"
    )


def _growing(board: Board, cell: Cell) -> Iterator[Window]:
    """Yield larger and larger parts around ``cell``, as long as they can be looked at."""
    parts = (Window.around(board, cell, reach) for reach in reaches(board))
    return takewhile(lambda part: part.board.states.size <= _MOST_CELLS, parts)


def _all_parts(board: Board, puzzle: Puzzle) -> Iterator[Window]:
    """Yield parts that together hold all open cells, and then larger ones."""
    cells = [Cell(*divmod(group[0], board.cols)) for area in puzzle.areas for group in area.groups]
    for growth, apart in _PARTS:
        centres = [[at // apart * apart + apart // 2 for at in cell] for cell in cells]
        within = {Cell(min(row, board.rows - 1), min(col, board.cols - 1)) for row, col in centres}
        for centre in sorted(within):
            yield from islice(_growing(board, centre), growth, growth + 1)


def _first_blamed(board: Board, parts: Iterator[Window], check: Check) -> Blame | None:
    """Return which numbers of the first part that no placement fits contradict each other."""
    for part in parts:
        check()
        if not fits(part.board):
            found = blamed(part.board, [cell for cell, _ in part.board.numbers()], fits)
            cells = [part.outer(cell) for cell in found if cell is not None]
            words = cannot_hold(System.of(only(board, list(cells))), cells)
            return Blame(words, tuple(sorted(cells)))
    return None


def _of_total(board: Board, puzzle: Puzzle, check: Check) -> Blame:
    """Return how the total contradicts the numbers, which can hold together by themselves."""
    mines, places = board.mines or 0, sum(map(len, puzzle.free)) + len(puzzle.forced)
    shown = board.count(*SHOWN_MINES)
    total = f"the total of {_mines(mines)} cannot hold"
    if mines < shown:
        return Blame(f"{total}: {_mines(shown)} {'is' if shown == 1 else 'are'} shown", total=True)
    if mines > places + shown:
        return Blame(f"{total}: there are only {places + shown} cells that could hold them", total=True)
    least, is_met = _bound(puzzle, check, most=False)
    if mines < least + shown:
        return Blame(f"{total}: the numbers need at least {_mines(least + shown)}", total=True)
    most, also_met = _bound(puzzle, check, most=True)
    if mines > most + shown:
        return Blame(f"{total}: the numbers leave room for at most {_mines(most + shown)}", total=True)
    both = f"with {least + shown} and with {most + shown} mines, but not with so many"
    how = both if is_met and also_met else "only with others"
    return Blame(f"{total}: the numbers can be met {how}", total=True)


def _bound(puzzle: Puzzle, check: Check, *, most: bool) -> tuple[int, bool]:
    """Return the fewest or ``most`` mines and whether that is met, by elimination if all areas are narrow."""
    bound = len(puzzle.forced) + (len(puzzle.outside) if most else 0)
    for area in puzzle.areas:
        check()
        try:
            held = attainable(component_of(area), CHECK_BUDGET)
        except TooLargeError:
            bound, is_met = mines_bound(puzzle, check, most=most)
            return bound + len(puzzle.forced), is_met
        bound += held.bit_length() - 1 if most else (held & -held).bit_length() - 1
    return bound, True


def _mines(count: int) -> str:
    return f"{count} mine{'s' * (count != 1)}"
