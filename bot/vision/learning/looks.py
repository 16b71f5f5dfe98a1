"""The learned appearance of cells that no skin describes: the looks that were seen, and the state of each.

A *variant* is one look of a state. A state has several if the art has a checkerboard, a gradient or a lighter
cell below the pointer. Cells are compared as softened pictures, like those of a skin.
Trusted variants can be turned into a skin, and a learned skin can be extended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property

import numpy as np

from bot.board import CLOSED, COVERED, OPENED, State, States
from bot.geometry import Grid, Pixels
from bot.vision.clusters import RIM, contrasts, shows_same_sign
from bot.vision.distortion import (
    Bools,
    Floats,
    Indices,
    Ints,
    cells_of,
    distances,
    inside,
    softened,
    softened_side,
    unstretched,
)
from bot.vision.panel.surroundings import DIFFERENT
from bot.vision.skin import Skin

NOTHING = -1  # index of a cell that matches no variant
_SMALLEST, _LARGEST = 8, 128  # pixels: size of a skin's cells
_TIGHT, _WIDE = 2.5, 10.0  # grey levels: least and greatest distance of a cell from its variant
_SPREADS = 2.0  # times the spread that was seen: largest distance of another cell
_BETWEEN = 0.4  # of the distance to the nearest other state: a cell is never further from its variant
_STROKE = 0.1  # of the contrast of a number with its background: nearly all pairs of digits differ by more
_FINE_STROKE = 0.03  # the same where cells are exact copies of each other: small digits differ by less
_ROUNDING = 0.05  # grey levels by which a distance may be inexact
_EXACT, _MANY = 0.3, 8  # grey levels: the spread of so many plain cells that are exact copies
_LEAST_PRINT = 1 / 8  # of a cell's height: lower digits look alike to the reader of unknown art
_SPLIT = 4.0  # grey levels, at first: cells further apart become separate variants
_MOST_PARTS = 6  # variants at most into which one look splits a cluster
_MOST_UNNAMED = 40  # variants of unknown state at most: pointers, animations
_MEMORY = 200  # cells after which a mean picture hardly changes any more
_SETTLED_CELLS = 50  # number of cells that a picture of a skin counts as, when more cells are seen
_MOST_PICTURES = 60
_LEAST_REACH, _LARGEST_REACH = 4.0, 26.0  # root mean square, 0 to 255
_SKIN_SPREADS = 2.5  # times the spread that was seen
_SKIN_BETWEEN = 0.45  # of the distance between two states, so that no cell matches both


class Trust(IntEnum):
    """The certainty of a variant's state."""

    PROVISIONAL = 0  # the state was read and is not contradicted
    CONFIRMED = 1  # the rules of the game allow no other state
    SETTLED = 2  # it stayed confirmed to the end of a game, or it is from a skin


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """One look of a state.

    ``picture`` is the mean of its cells, float32 BGR (cell, cell, 3), ``feature`` the same softened, float32
    (f,). ``state`` is `State.UNREADABLE` if unknown or withdrawn. ``cells`` is the number of cells seen,
    ``looks`` the number of looks that read it as that state. ``spread`` is the largest distance of a
    cell from the mean, in grey levels. ``excluded`` are states that the rules forbid, ``denied`` are former
    states that were contradicted. ``opened`` says that it has appeared by a left click.
    """

    picture: Floats
    feature: Floats
    state: int
    cells: int
    looks: int
    spread: float
    trust: Trust = Trust.PROVISIONAL
    excluded: frozenset[int] = frozenset()
    denied: frozenset[int] = frozenset()
    opened: bool = False

    @property
    def trusted(self) -> bool:
        """Whether its state is certain."""
        return self.trust >= Trust.CONFIRMED

    def relabelled(self, state: int) -> Variant:
        """Return a copy with the new ``state``; it becomes unreadable if that state was denied before."""
        denied = self.denied | ({self.state} - {int(State.UNREADABLE)})
        shown = int(State.UNREADABLE) if state in denied else state
        return replace(
            self, state=shown, looks=0, denied=denied, trust=Trust.PROVISIONAL, excluded=frozenset()
        )


@dataclass(frozen=True, eq=False)
class LearnedLooks:
    """All variants seen, at ``cell`` pixels a cell. Their order never changes, and none is ever removed."""

    cell: int = 0
    variants: tuple[Variant, ...] = ()

    @classmethod
    def for_grid(cls, grid: Grid) -> LearnedLooks:
        """Return empty knowledge with the cell size of ``grid``, limited to the sizes of a skin."""
        size = round((grid.pitch_x + grid.pitch_y) / 2)
        return cls(min(max(size, _SMALLEST), _LARGEST))

    @cached_property
    def states(self) -> States:
        """The state of each variant, int8 (n + 1,); the last is `State.UNREADABLE`, for `NOTHING`."""
        return np.array([*(variant.state for variant in self.variants), State.UNREADABLE], np.int8)

    @cached_property
    def features(self) -> Floats:
        """The features of all variants, float32 (n, f)."""
        size = 3 * softened_side(self.cell) ** 2
        return np.array([variant.feature for variant in self.variants], np.float32).reshape(-1, size)

    @cached_property
    def reaches(self) -> Floats:
        """The largest distance at which a cell matches each variant, in grey levels, float32 (n,).

        It is smaller for numbers, because a number that was never seen may look much like a known one.
        """
        spreads = self._spreads
        apart = distances(self.features, self.features)
        states = self.states[:-1]
        named = np.array([v.state != State.UNREADABLE or bool(v.denied) for v in self.variants], np.bool_)
        apart[(states[:, None] == states) | ~named] = np.inf
        nearest = apart.min(1, initial=np.inf)
        reaches: Floats = np.minimum(np.clip(_SPREADS * spreads, _TIGHT, _WIDE), _BETWEEN * nearest)
        numbers = self._numbers
        if numbers.any():
            strokes = np.maximum(self.stroke * contrasts(self.features[numbers]), _ROUNDING)
            reaches[numbers] = np.minimum(reaches[numbers], strokes)
        return reaches

    @property
    def _numbers(self) -> Bools:
        return (self.states[:-1] >= 1) & (self.states[:-1] < COVERED)

    @property
    def _spreads(self) -> Floats:
        return np.array([variant.spread for variant in self.variants], np.float32)

    @cached_property
    def stroke(self) -> float:
        """The share of a number's contrast by which other cells with that number may differ from it."""
        often = np.array([variant.cells >= _MANY for variant in self.variants], np.bool_)
        plain = self._spreads[~self._numbers & often]
        return _FINE_STROKE if plain.max(initial=0.0) <= _EXACT and len(plain) else _STROKE

    @property
    def trusted(self) -> frozenset[int]:
        """The states that have a trusted variant."""
        return frozenset(variant.state for variant in self.variants if variant.trusted)

    @property
    def provisional(self) -> frozenset[int]:
        """The states that were read but have no trusted variant."""
        read = {variant.state for variant in self.variants} - {int(State.UNREADABLE)}
        return frozenset(read) - self.trusted

    def changed(self, changes: dict[int, Variant]) -> LearnedLooks:
        """Return a copy with the variants at the given indices replaced."""
        variants = (changes.get(index, variant) for index, variant in enumerate(self.variants))
        return LearnedLooks(self.cell, tuple(variants))

    def matched(self, features: Floats) -> Ints:
        """Return the index of the variant that each cell matches, int32 (n,); `NOTHING` if there is none."""
        if not self.variants:
            return np.full(len(features), NOTHING, np.int32)
        apart = distances(features, self.features)
        nearest = apart.argmin(1)
        near = apart[np.arange(len(nearest)), nearest] <= self.reaches[nearest]
        return np.where(near, nearest, NOTHING).astype(np.int32)

    def shows_other(self, feature: Floats, state: int) -> bool:
        """Return whether a picture, softened (f,), shows another number than ``state``, a trusted one.

        One number has one sign, though its ground may differ: so another sign is a number never seen.
        """
        if not 0 < state < COVERED:
            return False
        known = [variant.feature for variant in self.variants if variant.trusted and variant.state == state]
        return bool(known) and not shows_same_sign(feature, np.stack(known))

    def withdrawn(self, indices: Iterable[int]) -> LearnedLooks:
        """Return a copy in which the states of the variants at ``indices`` are withdrawn.

        Variants confirmed in this game become provisional, since their proofs may rest on withdrawn states.
        """
        doubted = {
            index: replace(variant, trust=Trust.PROVISIONAL, excluded=frozenset())
            for index, variant in enumerate(self.variants)
            if variant.trust is not Trust.SETTLED
        }
        relabelled = {index: self.variants[index].relabelled(int(State.UNREADABLE)) for index in indices}
        return self.changed(doubted | relabelled)

    def unread(self) -> LearnedLooks:
        """Return a copy in which untrusted variants have to be read again and no state is denied for them."""
        return self._each(lambda v: v if v.trusted else replace(v, looks=0, denied=frozenset()))

    def settled(self) -> LearnedLooks:
        """Return a copy for the time after a game: its confirmed variants are settled, no state is denied."""
        settled = self._each(lambda v: replace(v, trust=Trust.SETTLED) if v.trusted else v)
        return settled._each(lambda v: replace(v, denied=frozenset()))

    def _each(self, change: Callable[[Variant], Variant]) -> LearnedLooks:
        return LearnedLooks(self.cell, tuple(map(change, self.variants)))


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """The cells of a board, cut out of a picture row by row.

    ``pictures`` is uint8 (n, cell, cell, 3), ``features`` float32 (n, f); ``visible`` says which cells
    lie inside the picture, bool (n,).
    """

    pictures: Pixels
    features: Floats
    visible: Bools

    @classmethod
    def of(cls, pixels: Pixels, grid: Grid, cell: int) -> Cut:
        """Cut the cells of ``grid`` out of a BGR picture."""
        canvas = unstretched(pixels, grid, cell)
        pictures = cells_of(canvas, cell).reshape(-1, cell, cell, 3)
        return cls(pictures, softened(canvas, cell), inside(pixels, grid).reshape(-1))


def add_look(knowledge: LearnedLooks, cut: Cut, clusters: Ints, states: States) -> tuple[LearnedLooks, Ints]:
    """Return ``knowledge`` with one more look added, and the variant of each cell, int32 (n,).

    ``clusters`` and ``states`` (n,) are the cluster and the state of each cell. A variant that is now read as
    another state takes that state; a trusted one becomes unreadable, since two states look alike. Unreadable
    cells do not change variants; they add new ones until `_MOST_UNNAMED` are unreadable.
    """
    index = np.full(len(states), NOTHING, np.int32)
    seen = cut.visible
    for cluster, state in sorted({*zip(clusters[seen].tolist(), states[seen].tolist(), strict=True)}):
        members = np.flatnonzero(seen & (clusters == cluster) & (states == state))
        for part in _split_cluster(cut.features[members], state, knowledge.stroke):
            other = knowledge.shows_other(cut.features[members[part]].mean(0), state)
            small = 0 < state < COVERED and _too_small(cut.pictures[members[part]])
            read = int(State.UNREADABLE) if other or small else state
            knowledge, index[members[part]] = _with_part(knowledge, cut, members[part], read)
    return knowledge, index


def _with_part(knowledge: LearnedLooks, cut: Cut, members: Indices, state: int) -> tuple[LearnedLooks, int]:
    """Return ``knowledge`` with ``members``, cells that look alike, added, and the index of their variant."""
    feature = cut.features[members].mean(0)
    place = int(knowledge.matched(feature[None])[0])
    new = Variant(
        cut.pictures[members].astype(np.float32).mean(0),
        feature,
        state,
        len(members),
        1,
        float(distances(cut.features[members], feature[None]).max()),
    )
    if place == NOTHING:
        unnamed = sum(variant.state == State.UNREADABLE for variant in knowledge.variants)
        if state == State.UNREADABLE and unnamed >= _MOST_UNNAMED:
            return knowledge, NOTHING
        return LearnedLooks(knowledge.cell, (*knowledge.variants, new)), len(knowledge.variants)
    return knowledge.changed({place: _merged(knowledge.variants[place], new)}), place


def _merged(old: Variant, new: Variant) -> Variant:
    if new.state == State.UNREADABLE or new.state in old.denied:
        return old
    if old.opened and new.state in CLOSED:
        return old
    if old.state != new.state:
        old = old.relabelled(int(State.UNREADABLE) if old.trusted else new.state)
    share = new.cells / (min(old.cells, _MEMORY) + new.cells)
    return replace(
        old,
        picture=old.picture + share * (new.picture - old.picture),
        feature=old.feature + share * (new.feature - old.feature),
        cells=old.cells + new.cells,
        looks=old.looks + 1,
        spread=max(old.spread, new.spread),
    )


def _split_cluster(features: Floats, state: int, stroke: float) -> Sequence[Indices]:
    """Return the cells split into groups that hardly differ; a cluster may hold lighter and darker cells.

    Where it may hold numbers, small or faint ones differ less from each other than lighter and darker cells.
    """
    reach = _SPLIT
    if 0 < state < COVERED or state == State.UNREADABLE:
        reach = min(reach, max(_ROUNDING, stroke * float(np.median(contrasts(features)))))
    while len(parts := _near_each_other(features, reach)) > _MOST_PARTS:
        reach *= 1.5
    return parts


def _near_each_other(features: Floats, reach: float) -> list[Indices]:
    left, parts = np.arange(len(features)), []
    while len(left):
        near = distances(features[left], features[left[:1]])[:, 0] <= reach
        near = distances(features[left], features[left[near]].mean(0)[None])[:, 0] <= reach
        near[0] = True
        parts.append(left[near])
        left = left[~near]
    return parts


def _too_small(pictures: Pixels) -> bool:
    """Return whether the print in cells, uint8 (n, cell, cell, 3), is too small to be read at first sight."""
    rim = round(RIM * pictures.shape[1])
    inside = pictures.mean(0)[rim:-rim, rim:-rim]
    ink = np.abs(inside - np.median(inside, axis=(0, 1))).max(2) > DIFFERENT
    rows = np.flatnonzero(ink.any(1))
    return len(rows) > 0 and rows[-1] - rows[0] + 1 < _LEAST_PRINT * pictures.shape[1]


def skin_of(knowledge: LearnedLooks, name: str) -> Skin | None:
    """Return the trusted variants as a skin; None unless covered and an opened state are among them."""
    trusted = sorted((v for v in knowledge.variants if v.trusted), key=lambda v: (v.state, -v.cells))
    states = {variant.state for variant in trusted}
    if State.COVERED not in states or not states & set(OPENED):
        return None
    reach = 0.0
    while len(kept := _spaced(trusted, reach)) > _MOST_PICTURES:  # frequent variants come first
        reach = max(1.0, 1.5 * reach)
    templates = np.stack([np.rint(variant.picture) for variant in kept]).clip(0, 255).astype(np.uint8)
    templates.flags.writeable = False
    return Skin(
        name,
        knowledge.cell,
        _skin_reach(trusted, kept),
        templates,
        states=np.array([variant.state for variant in kept], np.int8),
    )


def looks_of(skin: Skin) -> LearnedLooks:
    """Return the pictures of a skin as variants, all of them settled."""
    canvas = skin.templates.reshape(-1, skin.cell, 3)
    features = softened(canvas, skin.cell)
    spread = skin.reach / _SKIN_SPREADS
    variants = [
        Variant(template.astype(np.float32), feature, int(state), _SETTLED_CELLS, 1, spread, Trust.SETTLED)
        for template, feature, state in zip(skin.templates, features, skin.states, strict=True)
    ]
    return LearnedLooks(skin.cell, tuple(variants))


def _spaced(variants: Sequence[Variant], reach: float) -> list[Variant]:
    """Return ``variants`` without those within ``reach`` of an earlier one of the same state."""
    kept: list[Variant] = []
    for variant in variants:
        same = [other.feature for other in kept if other.state == variant.state]
        if not same or _nearest_distance(variant, same) > reach:
            kept.append(variant)
    return kept


def _nearest_distance(variant: Variant, others: Sequence[Floats]) -> float:
    return float(distances(variant.feature[None], np.stack(others)).min())


def _skin_reach(trusted: Sequence[Variant], kept: Sequence[Variant]) -> float:
    """Return the reach of a skin: more than the distances seen, less than half way to another state."""
    seen = 0.0
    for variant in trusted:
        same = [other.feature for other in kept if other.state == variant.state]
        seen = max(seen, _nearest_distance(variant, same) + variant.spread)
    apart = distances(np.stack([v.feature for v in kept]), np.stack([v.feature for v in kept]))
    states = np.array([variant.state for variant in kept])
    nearest = float(apart[states[:, None] != states].min())
    reach = min(max(_SKIN_SPREADS * seen, _LEAST_REACH), _LARGEST_REACH, _SKIN_BETWEEN * nearest)
    return round(reach, 2)
