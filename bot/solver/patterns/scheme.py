"""A scheme: numbers in a mini-field that settle some of its covered cells.

A drawing (see `drawing`) stands for many fields. A known mine makes the numbers around it smaller by one, so
a number says how many mines are missing; then known mines, opened cells and what lies beyond the edge of the
board are the same, ``#``: no place for a missing mine. Cells around exactly the same numbers are
exchangeable, so all that matters of them is how many there are. And with fewer places for the mines what is
proven stays proven, so a drawing shows the most cells there may be. Turning and mirroring come for nothing:
they change no count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from bot.errors import PatternError
from bot.solver.constraints import bits
from bot.solver.patterns.drawing import MINE, SAFE, Place, Rows, cells_of, checked, numbers_of, touched

MANY = 8  # as many covered cells as there can be: a room that does not matter
_PERMUTED = 6  # numbers that are tried in all orders to tell two schemes apart


@dataclass(frozen=True, slots=True)
class Scheme:
    """A drawing, and what it says.

    ``needs`` are its numbers, row by row. A set of numbers is a mask, bit ``i`` for number ``i``; ``rooms``
    gives for each set how many covered cells at most are around exactly these numbers (`MANY`: as many as
    you like; a set that is missing: none). The cells around the sets ``safe`` and ``mines`` are settled.
    ``order`` tells how deep one has to suppose to see it, see `rules`; 0 if deeper than was looked for.
    """

    rows: Rows
    order: int
    needs: tuple[int, ...]
    rooms: Mapping[int, int]
    safe: frozenset[int]
    mines: frozenset[int]

    @classmethod
    def drawn(cls, rows: Sequence[str], order: int) -> Scheme:
        """Return the scheme of a drawing.

        Raises PatternError if it is no drawing, settles nothing, or treats exchangeable cells differently.
        """
        rows = checked(rows)
        numbers, sets = numbers_of(rows), _by_set(rows)
        marks = {chosen: {rows[r][c] for r, c in cells} for chosen, cells in sets.items()}
        if any(len(found) > 1 for found in marks.values()):
            raise PatternError(f"the scheme {'/'.join(rows)} tells cells apart that no number does")
        needs = tuple(int(rows[row][col]) for row, col in numbers)
        mines = frozenset(chosen for chosen, found in marks.items() if MINE in found)
        safe = frozenset(chosen for chosen, found in marks.items() if SAFE in found)
        if not (mines or safe):
            raise PatternError(f"the scheme {'/'.join(rows)} settles no cell")
        rooms = {
            chosen: room(needs, chosen, len(cells), exact=chosen in mines) for chosen, cells in sets.items()
        }
        return cls(rows, order, needs, rooms, safe, mines)

    def __str__(self) -> str:
        return "/".join(self.rows)

    @property
    def key(self) -> tuple[object, ...]:
        """What is equal for schemes that differ in the order of their numbers alone.

        Of many numbers not all orders are tried: then two such schemes may have different keys.
        """
        return min(
            (
                tuple(self.needs[i] for i in order),
                tuple(sorted((moved(chosen, order), room) for chosen, room in self.rooms.items())),
                tuple(sorted(moved(chosen, order) for chosen in self.safe)),
                tuple(sorted(moved(chosen, order) for chosen in self.mines)),
            )
            for order in orders(self.needs)
        )

    def covers(self, other: Scheme) -> bool:
        """Return whether this scheme settles a cell wherever ``other`` does."""
        return sorted(self.needs) == sorted(other.needs) and any(
            self._covers(other, order)
            for order in permutations(range(len(self.needs)))
            if all(self.needs[i] == need for i, need in zip(order, other.needs, strict=True))
        )

    def _covers(self, other: Scheme, order: tuple[int, ...]) -> bool:
        """Return the same, if number ``order[i]`` of this scheme is number ``i`` of the other."""
        mine = {moved(chosen, order): most for chosen, most in self.rooms.items()}
        settled = {moved(chosen, order) for chosen in self.safe | self.mines}
        fits = all(most <= mine.get(chosen, 0) for chosen, most in other.rooms.items())
        return fits and any(chosen in other.rooms for chosen in settled)


def room(needs: Sequence[int], chosen: int, cells: int, *, exact: bool) -> int:
    """Return the room for ``cells`` covered cells around a set of numbers.

    More cells than the smallest number has mines hold no more mines, so then it does not matter how many they
    are; unless all of them are mines (``exact``).
    """
    return cells if exact or cells < min(needs[i] for i in bits(chosen)) else MANY


def moved(chosen: int, order: Sequence[int]) -> int:
    """Return a set of numbers in another order: what was number ``order[i]`` is number ``i``."""
    return sum(1 << place for place, number in enumerate(order) if chosen >> number & 1)


def orders(needs: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Iterate over the orders that sort ``needs``, or over one of them if they are many."""
    first = tuple(sorted(range(len(needs)), key=needs.__getitem__))
    if len(needs) > _PERMUTED:
        return iter([first])
    ranked = [needs[i] for i in first]
    return (order for order in permutations(range(len(needs))) if [needs[i] for i in order] == ranked)


def _by_set(rows: Rows) -> dict[int, list[Place]]:
    numbers, sets = numbers_of(rows), dict[int, list[Place]]()
    for place in cells_of(rows):
        sets.setdefault(touched(numbers, place), []).append(place)
    if 0 in sets:
        raise PatternError(f"the scheme {'/'.join(rows)} has a covered cell that no number counts")
    return sets
