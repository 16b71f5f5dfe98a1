"""Which cells around given numbers must not be covered, for the numbers to settle another.

A mine is supposed in a group of cells, or a safe cell in it, and all placements of mines that fit then are
found. For the supposition to be refuted, each of them must lose a place: one of the groups that it uses must
have fewer cells. Each is taken in turn, until no placement is left: that is a scheme, and there may be no
more cells in any group. What some of its numbers settle alone is not looked at, since there is a smaller
scheme for it; nor are fields with fewer cells still, since with fewer places all the more is settled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from bot.solver.constraints import bits
from bot.solver.patterns.placements import Counts, placements, settles

_WIDTH = 5  # bits for the room of a group where the rooms of some numbers are kept in one int
_HELD = 99  # more than a room can be
Known = dict[tuple[int, ...], dict[int, bool]]  # for some numbers and rooms whether they settle anything


class _Part(NamedTuple):
    """Some of the numbers: their needs, what is known of their rooms, what a cell of each group adds."""

    needs: tuple[int, ...]
    known: dict[int, bool]
    weights: list[int]


class _State(NamedTuple):
    """A field on the way: its rooms, also by number (less what it needs) and by part, and what fits it.

    ``bad`` are the placements that must not be left, ``good`` the others; of a group, no room up to ``kept``
    is to be had.
    """

    rooms: Counts
    spare: list[int]
    parts: list[int]
    bad: list[Counts]
    good: list[Counts]
    kept: list[int]


class Search:
    """The search around numbers that need so many mines, with at most ``rooms`` for each set of numbers.

    ``known`` is shared by all searches.
    """

    def __init__(self, needs: tuple[int, ...], rooms: Counts, known: Known) -> None:
        self.needs = needs
        self.sets = [chosen for chosen, room in enumerate(rooms, 1) if room]
        self._around = [list(bits(chosen)) for chosen in self.sets]
        self._least = [min(needs[i] for i in around) for around in self._around]
        self._most = tuple(room for room in rooms if room)
        self._parts = [
            self._part(numbers, known)
            for count in range(2, len(needs))
            for numbers in combinations(range(len(needs)), count)
        ]
        self._touched = [
            [at for at, part in enumerate(self._parts) if part.weights[group]]
            for group in range(len(self.sets))
        ]

    def found(self) -> set[Counts]:
        """Return the rooms, one for each of ``sets``, with which the numbers settle a group together."""
        found: set[Counts] = set()
        # One more cell than the mines of the smallest number stands for any number of cells.
        top = tuple(min(room, least + 1) for room, least in zip(self._most, self._least, strict=True))
        fitting = list(placements(self.needs, self.sets, top))
        for group, rooms in enumerate(top):
            bad = [one for one in fitting if one[group]]
            good = [one for one in fitting if not one[group]]
            found.update(self._from(top, bad, good, self._kept(group, 1)))
            for cells in range(1, min(self._most[group], self._least[group]) + 1):
                bad = [one for one in fitting if one[group] < cells]
                good = [one for one in fitting if one[group] == cells]
                start = (*top[:group], min(cells, rooms), *top[group + 1 :])
                found.update(self._from(start, bad, good, self._kept(group, _HELD)))
        return found

    def _part(self, numbers: Sequence[int], known: Known) -> _Part:
        inner = [
            sum(1 << i for i, number in enumerate(numbers) if chosen >> number & 1) for chosen in self.sets
        ]
        needs = tuple(self.needs[number] for number in numbers)
        weights = [1 << _WIDTH * (chosen - 1) if chosen else 0 for chosen in inner]
        return _Part(needs, known.setdefault(needs, {}), weights)

    def _kept(self, group: int, least: int) -> list[int]:
        return [least if other == group else 0 for other in range(len(self.sets))]

    def _from(
        self, rooms: Counts, bad: list[Counts], good: list[Counts], kept: list[int]
    ) -> Iterator[Counts]:
        spare = [
            sum(room for room, around in zip(rooms, self._around, strict=True) if i in around) - need
            for i, need in enumerate(self.needs)
        ]
        parts = [
            sum(room * weight for room, weight in zip(rooms, part.weights, strict=True))
            for part in self._parts
        ]
        alone = any(self._settles(at, packed) for at, packed in enumerate(parts))
        if good and min(spare) > 0 and not alone:
            yield from self._down(_State(rooms, spare, parts, bad, good, kept))

    def _down(self, state: _State) -> Iterator[Counts]:
        """Iterate over the rooms, as large as can be, that no bad placement fits."""
        if not state.bad:
            yield state.rooms
            return
        placed, groups = self._narrowest(state)
        kept = state.kept
        for group in groups:
            smaller = self._smaller(state._replace(kept=kept), group, placed[group] - 1)
            if smaller:
                yield from self._down(smaller)
            kept = kept.copy()
            kept[group] = placed[group]  # smaller rooms were looked at just now

    def _narrowest(self, state: _State) -> tuple[Counts, list[int]]:
        """Return the bad placement that can lose a place in the fewest groups, and these."""
        best: tuple[Counts, list[int]] | None = None
        for placed in state.bad:
            groups = [group for group, mines in enumerate(placed) if mines > state.kept[group]]
            if best is None or len(groups) < len(best[1]):
                best = placed, groups
                if len(groups) < 2:
                    break
        assert best is not None
        return best

    def _smaller(self, state: _State, group: int, room: int) -> _State | None:
        """Return the state with less room for a group, None if nothing is to be found below it."""
        less = state.rooms[group] - room
        spare, parts = state.spare.copy(), state.parts.copy()
        for number in self._around[group]:
            spare[number] -= less
            if spare[number] <= 0:
                return None
        for at in self._touched[group]:
            parts[at] -= less * self._parts[at].weights[group]
            if self._settles(at, parts[at]):
                return None
        good = [placed for placed in state.good if placed[group] <= room]
        if not good:
            return None
        bad = [placed for placed in state.bad if placed[group] <= room]
        rooms = (*state.rooms[:group], room, *state.rooms[group + 1 :])
        return _State(rooms, spare, parts, bad, good, state.kept)

    def _settles(self, at: int, packed: int) -> bool:
        """Return whether a part of the numbers settles something alone, its rooms packed into an int."""
        needs, known, _ = self._parts[at]
        found = known.get(packed)
        if found is None:
            found = known[packed] = _unpacked_settles(needs, packed)
        return found


def _unpacked_settles(needs: tuple[int, ...], packed: int) -> bool:
    rooms = {
        chosen: packed >> _WIDTH * (chosen - 1) & (1 << _WIDTH) - 1 for chosen in range(1, 1 << len(needs))
    }
    sets = [chosen for chosen, room in rooms.items() if room]
    least = [min(needs[i] for i in bits(chosen)) for chosen in sets]
    return settles(
        needs, sets, tuple(min(rooms[chosen], 1 + few) for chosen, few in zip(sets, least, strict=True))
    )
