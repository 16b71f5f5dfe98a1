"""All ways to place mines around a few numbers, by how many there are in each group of exchangeable cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Counts = tuple[int, ...]  # for each group how many cells there are, or how many mines


def placements(needs: Sequence[int], sets: Sequence[int], rooms: Counts) -> Iterator[Counts]:
    """Iterate over the numbers of mines in each group, so that every number has as many as it needs.

    ``sets`` are the numbers around each group, as masks; ``rooms`` says how many cells a group has.
    """
    numbers = [[i for i in range(len(needs)) if chosen >> i & 1] for chosen in sets]
    left = [[0] * len(needs)]  # for each group the room of that and all later ones around each number
    for around, room in zip(reversed(numbers), reversed(rooms), strict=True):
        left.insert(0, [more + room * (i in around) for i, more in enumerate(left[0])])
    if all(need <= most for need, most in zip(needs, left[0], strict=True)):
        yield from _placed(list(needs), numbers, rooms, left, ())


def _placed(
    needs: list[int], numbers: list[list[int]], rooms: Counts, left: list[list[int]], before: Counts
) -> Iterator[Counts]:
    group = len(before)
    if group == len(rooms):
        yield before
        return
    around, later = numbers[group], left[group + 1]
    most = min(rooms[group], *(needs[i] for i in around))
    least = max(0, *(needs[i] - later[i] for i in around))
    for mines in range(least, most + 1):
        rest = needs.copy()
        for i in around:
            rest[i] -= mines
        yield from _placed(rest, numbers, rooms, left, (*before, mines))


def bounds(needs: Sequence[int], sets: Sequence[int], rooms: Counts) -> tuple[Counts, Counts] | None:
    """Return the fewest and the most mines in each group, None if nothing fits."""
    found = list(placements(needs, sets, rooms))
    if not found:
        return None
    groups = list(zip(*found, strict=True))
    return tuple(map(min, groups)), tuple(map(max, groups))


def settles(needs: Sequence[int], sets: Sequence[int], rooms: Counts) -> bool:
    """Return whether the numbers settle a group of cells, or contradict each other."""
    without = filled = [group for group, room in enumerate(rooms) if room]  # in all placements so far
    for placed in placements(needs, sets, rooms):
        without = [group for group in without if not placed[group]]
        filled = [group for group in filled if placed[group] == rooms[group]]
        if not (without or filled):
            return False
    return True
