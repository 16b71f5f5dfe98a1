"""Decide the state of each cell, and its certainty, from the cell reader's scores and the rules of the game.

The rules: a number has exactly that many mines around it; a blank has no covered cell beside it; only one
mine explodes, and not before a cell was opened. Each broken rule has a cost in nats, given below. A clear
picture can outweigh it, because players set wrong flags and some programs draw unusual things.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import Self

import numpy as np
import numpy.typing as npt

from bot.board import COVERED, State, States
from bot.counting_rules import NO_NUMBER, Bounds, near, neighbour_sum
from bot.vision.distortion import FAINT, Bools, Floats, Indices, Ints
from bot.vision.networks import LABELS, NO_CELL

Counts = Indices | np.intp

SURE = 3.0  # nats between the best and the second best state of a cell that make the best one certain
UNLIKELIEST = -12.0  # nats: lower log probabilities of the reader are raised to this
_NUMBER = 4.0  # nats for each mine that a number lacks a place for, or has too many
_BLANK = 2.0  # nats for a covered cell beside a blank
_FLAGS = 1.0  # nats for each flag too many beside a number, shown mines included; twice that in a lost game
_EXPLODED = SURE  # nats for each exploded mine besides the first
_NONE_EXPLODED = 2.0  # nats if mines or wrong flags are shown but no mine has exploded
_ALONE = 6.0  # nats if only one mine or wrong flag is shown, or a mine exploded although no cell was opened
_NO_MINE = 1000.0  # nats if no cell can be a mine: there is no such game
_ALIKE, _MOST_ALIKE = 0.5, 32  # extra weight for each doubling of the cells that look alike, up to that many
_ROUNDS = 40
_LOOKS = 8  # commonest looks, whose states are checked against the rules as a whole
_CHOICES = 3  # likeliest states that are tried for a look
# Nats by which a label is commoner on boards than in training, where marks and hidden cells abound.
COMMON = np.zeros(LABELS, np.float32)
COMMON[[State.QUESTION, NO_CELL]] = -2.0
_REPEATED = 2.0  # nats against "no cell" where the same look is elsewhere, too, but not beside it
_PLAIN = (0, State.COVERED)
_GROUND = 12.0  # nats if blank cells have another background than numbers, but covered cells have the same
_NEARER = 0.25  # quantile of the numbers' backgrounds: there may be several, and numbers may be misread
_APART = 2.0  # nats for each cell of a covered look that touches no other covered cells, if no look is blank
_ONE_KIND = SURE  # nats for several plain looks that are all covered, or all blank

# What each label counts as for the numbers beside it: (a possible mine, a shown mine, covered, a flag).
_KINDS = np.zeros((LABELS, 4), np.int8)
_KINDS[[State.COVERED, State.FLAG, State.QUESTION, State.MINE, State.EXPLODED, NO_CELL], 0] = 1
_KINDS[[State.MINE, State.EXPLODED], 1] = 1
_KINDS[[State.COVERED, State.QUESTION], 2] = 1
_KINDS[State.FLAG, 3] = 1
_SHOWN = np.isin(np.arange(LABELS), (State.MINE, State.EXPLODED, State.WRONG_FLAG))  # at the end of a game
# The labels of exploded mines, of what is shown only at the end of a game, and of opened cells.
_ENDS = np.array([np.arange(LABELS) == State.EXPLODED, _SHOWN, np.arange(LABELS) < COVERED], np.intp)
# The rows (or columns) with a neighbour before them, in them, or after them; and those neighbours.
_ALONG = ((slice(1, None), slice(None, -1)), (slice(None), slice(None)), (slice(None, -1), slice(1, None)))
_PAIRS = [((row, col), (other_row, other_col)) for row, other_row in _ALONG for col, other_col in _ALONG]
_PAIRS.remove(((slice(None), slice(None)),) * 2)  # a cell is not its own neighbour


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """The likeliest state of each cell, and by how many nats it is likelier than any other.

    ``labels`` is int8 (rows, cols), `NO_CELL` where no state is seen; ``gaps`` is float32 (rows, cols).
    """

    labels: States
    gaps: Floats


def judge(labels: Floats, alike: Ints, grounds: Floats | None = None, told: Floats | None = None) -> Judged:
    """Return the states of cells for the reader's log probabilities ``labels``, (rows, cols, LABELS) float32.

    ``alike`` (rows, cols) has the same number for cells that look alike. ``grounds`` (rows, cols, 3) are
    their background colours, None if these are not compared. ``told`` is the evidence of a skin in nats,
    shaped like ``labels``, None without a skin.
    """
    said = labels + COMMON
    said[_regular_cells(alike), NO_CELL] -= _REPEATED
    said = np.maximum(said, np.float32(UNLIKELIEST))
    alike = _with_numbers_apart(said, alike)
    said = _pooled_evidence(said if told is None else said + told, alike)
    said, sure = _with_looks(said, _Looks.of(said, alike, grounds))
    states = _cheapest_states(said, said.argmax(2).astype(np.int8))
    costs, chosen = _costs(said, states), states[..., None].astype(int)
    own = np.take_along_axis(costs, chosen, 2)[..., 0]
    np.put_along_axis(costs, chosen, np.inf, 2)
    gaps = np.asarray(costs.min(2) - own, dtype=np.float32)
    return Judged(states, np.minimum(gaps, sure))


@dataclass(frozen=True, slots=True, eq=False)
class _Looks:
    """The commonest looks of a board, by their numbers: all cells of a look are assumed to show one state.

    ``first`` is the likeliest state of each cell by itself, int8 (rows, cols). For each look, ``sizes`` is
    the number of its cells, ``means`` the reader's mean score of each state, ``choices`` the likeliest
    states, best first. ``unlike`` is the difference of its background from that of numbers, in grey levels;
    ``places`` are its cells that do not clearly show another state, bool (rows, cols).
    """

    first: States
    sizes: dict[int, int]
    means: dict[int, Floats]
    choices: dict[int, list[int]]
    unlike: dict[int, float]
    places: dict[int, Bools]

    @classmethod
    def of(cls, said: Floats, alike: Ints, grounds: Floats | None) -> Self:
        """Return the looks of a board; see `judge` for ``alike`` and ``grounds``."""
        counts, first, best = np.bincount(alike.ravel()), said.argmax(2).astype(np.int8), said.max(2)
        sizes = {int(look): int(counts[look]) for look in np.argsort(-counts)[:_LOOKS] if counts[look] > 1}
        means = {look: said[alike == look].mean(0)[:NO_CELL] for look in sizes}
        choices = {look: np.argsort(-mean)[:_CHOICES].tolist() for look, mean in means.items()}
        numbers = (first > 0) & (first < COVERED)
        unlike = dict.fromkeys(sizes, 0.0)
        if grounds is not None and numbers.any():
            for look in sizes:
                ground = np.median(grounds[alike == look], axis=0)
                away = np.abs(grounds[numbers] - ground).max(1)
                unlike[look] = float(np.quantile(away, _NEARER))
        places = {look: (alike == look) & (best - said[..., choices[look][0]] < SURE) for look in sizes}
        return cls(first, sizes, means, choices, unlike, places)

    def cost(self, shows: dict[int, int]) -> float:
        """Return the evidence against ``shows``, a state for each look, in nats.

        The reader makes the same mistake on most cells of a look, so that all of them count little more than
        a few; but each cell is checked against the numbers beside it. Blank cells are opened like numbers, so
        they have the same background; covered cells may have another. Where all plain looks seem covered, the
        blank cells of an opening are probably those that lie apart from another look, or those with the
        background of numbers, if others have not.
        """
        blank, covered = ([look for look in self.sizes if shows[look] == shown] for shown in _PLAIN)
        one_kind = not (blank and covered) and len(blank + covered) > 1
        states, against = self.first.copy(), _ONE_KIND * one_kind
        for one, other in product(blank, covered):
            against += _unlikely_ground(self.unlike[one], self.unlike[other])
        for look, shown in shows.items():
            states[self.places[look]] = shown
            unlikely = float(self.means[look].max() - self.means[look][shown])
            against += unlikely * (1 + math.log2(self.sizes[look]))
        if not blank:
            apart = [self.sizes[look] for look in covered if self._lies_apart(look, states)]
            unlike = [self.unlike[look] for look in covered] or [0.0]
            against += _APART * min(apart, default=0)
            against += _unlikely_ground(max(unlike), min(unlike))
        return cost_of_rules(states) + against

    def _lies_apart(self, look: int, states: States) -> bool:
        """Return whether there are covered cells of other looks, and none of them touches this look."""
        others = (states == COVERED) & ~self.places[look]
        return bool(others.any() and not (near(self.places[look]) & others).any())

    def others(self, shows: dict[int, int]) -> Iterator[dict[int, int]]:
        """Yield other possible states for one or two looks, as changes to ``shows``."""
        for one, other in combinations(self.sizes, 2):
            yield {one: shows[other], other: shows[one]}
            if shows[one] == shows[other]:  # two colours of a checkerboard
                yield from ({one: choice, other: choice} for choice in self.choices[one])
        yield from ({look: choice} for look in self.sizes for choice in self.choices[look])


def _unlikely_ground(blank: float, covered: float) -> float:
    """Return the nats against a blank look whose background is less like that of numbers than a covered one.

    Both are the distances of their backgrounds from that of the numbers, in grey levels.
    """
    return _GROUND * max(0.0, (blank - covered) / (FAINT + blank + covered))


def _with_looks(said: Floats, looks: _Looks) -> tuple[Floats, Floats]:
    """Return the scores, corrected so that each look shows the state that fits the rules, and the certainty.

    The certainty of a look is the extra cost, in nats, of its next best state.
    """
    costs = dict[tuple[int, ...], float]()

    def cost(shows: dict[int, int]) -> float:
        key = tuple(shows.values())
        if key not in costs:
            costs[key] = looks.cost(shows)
        return costs[key]

    shows = {look: choices[0] for look, choices in looks.choices.items()}
    while (best := min([shows, *(shows | one for one in looks.others(shows))], key=cost)) is not shows:
        shows = best
    said, sure = said.copy(), np.full(said.shape[:2], np.inf, np.float32)
    for look, places in looks.places.items():
        here, own = said[places], (np.arange(places.sum()), looks.first[places])
        here[own], here[:, shows[look]] = here[:, shows[look]].copy(), here[own]
        said[places] = here
    for change in looks.others(shows):
        more = cost(shows | change) - cost(shows)
        for look in (look for look, choice in change.items() if choice != shows[look]):
            sure[looks.places[look]] = np.minimum(sure[looks.places[look]], more)
    return said, sure


def _regular_cells(alike: Ints) -> Bools:
    """Return which cells look like others, but like none beside them: what hides cells is not so regular."""
    repeated = np.asarray(np.bincount(alike.ravel())[alike] > 1)
    for here, there in _PAIRS:
        repeated[here] &= alike[here] != alike[there]
    return repeated


def _with_numbers_apart(said: Floats, alike: Ints) -> Ints:
    """Return ``alike`` with a look parted where some of its cells clearly show another number than the rest.

    Small print on large cells differs in so few pixels that a 3 may look like the 1s.
    """
    of_look = np.zeros((int(alike.max()) + 1, LABELS), np.float32)
    np.add.at(of_look, alike.ravel(), said.reshape(-1, LABELS))
    rest, own = of_look.argmax(1)[alike], said.argmax(2)
    gap = said.max(2) - np.take_along_axis(said, rest[..., None], 2)[..., 0]
    numbers = (rest > 0) & (rest < COVERED) & (own > 0) & (own < COVERED)
    shown = np.where(numbers & (gap >= SURE), own, rest)
    return np.unique(alike * LABELS + shown, return_inverse=True)[1].reshape(alike.shape).astype(np.int32)


def _pooled_evidence(labels: Floats, alike: Ints) -> Floats:
    """Return the evidence of each cell, combined with that of all cells that look like it.

    Like cells are no independent evidence: many count for more than one, but for less than their number.
    """
    count = int(alike.max()) + 1
    flat, of_cell = labels.reshape(-1, LABELS), alike.ravel()
    sums = np.zeros((count, LABELS), np.float32)
    np.add.at(sums, of_cell, flat)
    sizes = np.bincount(of_cell, minlength=count).clip(1)[:, None]
    together = sums / sizes * (1 + _ALIKE * np.log2(sizes.clip(max=_MOST_ALIKE)))
    mixed = (flat + together[of_cell]) / 2
    return np.asarray(mixed.reshape(labels.shape), dtype=np.float32)


def _cheapest_states(said: Floats, states: States) -> States:
    """Return the states after changing cells, one by one, to the state that costs least beside the others."""
    states = states.copy()
    for _ in range(_ROUNDS):
        costs = _costs(said, states)
        better = costs.argmin(2)
        gain = np.take_along_axis(costs, states[..., None].astype(int), 2)[..., 0] - costs.min(2)
        places = np.argwhere(gain > 1e-3)
        if not len(places):
            break
        changed: set[tuple[int, int]] = set()
        for row, col in places[np.argsort(-gain[tuple(places.T)])]:
            if any(abs(row - r) <= 2 and abs(col - c) <= 2 for r, c in changed):
                continue  # its gain depends on a cell that has just changed
            ends = _SHOWN[states[row, col]] or _SHOWN[better[row, col]]
            states[row, col] = better[row, col]
            changed.add((int(row), int(col)))
            if ends:  # the cost of all other cells depends on it
                break
    return states


def _costs(said: Floats, states: States) -> Floats:
    """Return the cost of each label for each cell, with the others unchanged, (rows, cols, LABELS)."""
    around = _counts_around(states)
    lost = bool(_SHOWN[states].any())
    each = [_number_cost(np.full(states.shape, label, np.int8), around, lost=lost) for label in range(LABELS)]
    own = np.stack(each, axis=2)
    now = np.take_along_axis(own, states[..., None].astype(int), 2)[..., 0]
    costs = own - said
    for kind in np.unique(_KINDS, axis=0):
        same = np.flatnonzero((kind == _KINDS).all(1))
        change = np.moveaxis(kind - _KINDS[states], 2, 0)  # of the counts around each neighbour
        for here, there in _PAIRS:
            counts = around[(slice(None), *there)] + change[(slice(None), *here)]
            after = _number_cost(states[there], counts, lost=lost)
            costs[here][..., same] += (after - now[there])[..., None]
    own_ends = _ENDS[:, states]
    other_ends = own_ends.sum((1, 2), keepdims=True) - own_ends
    costs += _end_cost(*(other_ends[..., None] + _ENDS[:, None, None]))
    return np.asarray(costs, dtype=np.float32)


def _counts_around(states: States) -> npt.NDArray[np.int8]:
    """Return the numbers of possible mines, mines, covered cells and flags around each cell, (4, ...)."""
    return np.asarray(neighbour_sum(np.moveaxis(_KINDS[states], 2, 0)))


def _number_cost(states: States, around: npt.NDArray[np.int8], *, lost: bool) -> Floats:
    """Return the cost of the numbers for the counts ``around`` them, (4, rows, cols); 0 for other cells.

    A player may set too many flags, but most programs mark the wrong ones when the game is ``lost``.
    """
    places, mines, covered, flags = around
    wrong = np.maximum(states - places, 0) + np.maximum(mines - states, 0)
    cost = _NUMBER * np.minimum(wrong, 3) + _FLAGS * (1 + lost) * np.clip(flags + mines - states, 0, 2)
    cost = cost + _BLANK * (states == 0) * np.minimum(covered, 2)
    return np.asarray(cost * (states < COVERED), dtype=np.float32)


def _end_cost(exploded: Counts, shown: Counts, opened: Counts) -> Floats:
    """Return the cost of the numbers of exploded mines, cells ``shown`` only at the end, and opened cells."""
    too_soon = (exploded > 0) & (opened == 0)  # most programs lay no mine where a game begins
    unlikely = _ALONE * ((shown == 1) | too_soon) + _NONE_EXPLODED * ((shown > 0) & (exploded == 0))
    return np.asarray(_EXPLODED * np.maximum(exploded - 1, 0) + unlikely, dtype=np.float32)


def cost_of_rules(states: States) -> float:
    """Return the cost of all broken rules on a board, in nats."""
    numbers = _number_cost(states, _counts_around(states), lost=bool(_SHOWN[states].any())).sum()
    no_mine = 0.0 if (_KINDS[states, 0] == 1).any() else _NO_MINE
    return float(numbers + no_mine + _end_cost(*_ENDS[:, states].sum((1, 2))))


def broken_numbers(states: States) -> int:
    """Return how many numbers of a board contradict the others, by the counting rules.

    A flag or an unreadable cell may or may not be a mine.
    """
    numbers, broken = states.copy(), np.zeros(states.shape, np.bool_)
    mines, places = _KINDS[states, 1] == 1, (_KINDS[states, 0] > _KINDS[states, 1])
    while True:
        bounds = Bounds.of(numbers, mines, places)
        laid, safe = bounds.mines, bounds.safe
        told = (numbers == bounds.least) | (numbers == bounds.most)
        broken |= bounds.broken | (near(laid & safe) & told & (numbers < COVERED))
        laid, safe = laid & ~safe, safe & ~laid
        if not (laid | safe).any():
            return int(broken.sum())
        mines, places = mines | laid, places & ~(laid | safe)
        numbers[broken] = NO_NUMBER
