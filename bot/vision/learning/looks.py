"""What was learned of an art that no skin describes: how the cells look, and what each look shows.

A *variant* is one look of a state. A state has several where the art has a checkerboard, a gradient or a
lighter cell below the pointer. Cells are compared as softened pictures of 8 x 8, as those of a skin are.
What is trusted becomes a skin, and a skin that was learned may grow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bot.board import CLOSED, State, States
from bot.geometry import Grid, Pixels
from bot.vision.distortion import SIDE, cells_of, distances, inside, softened, unstretched
from bot.vision.skin import Skin

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]

NOTHING = -1  # index of a cell that looks like no variant
_SMALLEST, _LARGEST = 8, 128  # pixels: cells of a skin
_TIGHT, _WIDE = 2.5, 10.0  # grey levels: bounds of how far a cell may be from its variant
_SPREADS = 2.0  # times the spread that was seen: as far may another cell be
_BETWEEN = 0.4  # of the distance to the nearest other state: never further
_STROKE = 0.1  # of how far a number stands out of its ground: nearly all pairs of digits differ by more
_INSIDE = slice(1, -1)  # of eight, where numbers are
_SPLIT = 4.0  # grey levels, at first: cells further apart are variants of their own
_MOST_PARTS = 6  # variants that one look may add to a cluster
_MOST_UNNAMED = 40  # variants of which nobody can say what they show: pointers, animations
_MEMORY = 200  # cells after which a mean picture hardly moves any more
_SETTLED_CELLS = 50  # cells that a picture of a skin counts for when more are seen
_MOST_PICTURES = 60
_LEAST_REACH, _LARGEST_REACH = 4.0, 26.0  # root mean square of 255
_SKIN_SPREADS = 2.5  # times the spread that was seen
_SKIN_BETWEEN = 0.45  # of the distance between two states: no cell may be taken for both
_EXACT = 1.0  # grey levels: less than that is no noise, the pictures are the game's own


class Trust(IntEnum):
    """How well it is known what a variant shows."""

    PROVISIONAL = 0  # it was read, and nothing speaks against it
    CONFIRMED = 1  # the rules of the game leave nothing else
    SETTLED = 2  # it was so to the end of a game, or it is from a skin


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """One look of a state.

    ``picture`` is its mean, float32 BGR (cell, cell, 3), ``feature`` the same softened, float32 (192,);
    ``state`` is what it shows, `State.UNREADABLE` if nobody can say, or what was said was withdrawn;
    ``cells`` counts how often it was seen, ``looks`` how many looks have read it as that state; ``spread`` is
    how far a cell was from the mean, in grey levels. ``excluded`` are the states that it cannot be,
    ``denied`` those that it was thought to be before they were contradicted; ``opened`` says that a left
    click made it appear.
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
        """Whether what it shows is beyond doubt."""
        return self.trust >= Trust.CONFIRMED

    def relabelled(self, state: int) -> Variant:
        """Return it showing ``state`` instead of what was thought; unreadable if that was denied before."""
        denied = self.denied | ({self.state} - {int(State.UNREADABLE)})
        shown = int(State.UNREADABLE) if state in denied else state
        return replace(
            self, state=shown, looks=0, denied=denied, trust=Trust.PROVISIONAL, excluded=frozenset()
        )


@dataclass(frozen=True, eq=False)
class LearnedLooks:
    """The variants that were seen, at ``cell`` pixels a cell. They keep their order; none is ever removed."""

    cell: int = 0
    variants: tuple[Variant, ...] = ()

    @classmethod
    def for_grid(cls, grid: Grid) -> LearnedLooks:
        """Return the knowledge of nothing, with cells of the size that they have on ``grid``."""
        size = round((grid.pitch_x + grid.pitch_y) / 2)
        return cls(min(max(size, _SMALLEST), _LARGEST))

    @cached_property
    def states(self) -> States:
        """What each variant shows, int8 (n + 1,); the last is `State.UNREADABLE`, for `NOTHING`."""
        return np.array([*(variant.state for variant in self.variants), State.UNREADABLE], np.int8)

    @cached_property
    def features(self) -> Floats:
        """The features of all variants, float32 (n, 192)."""
        return np.array([variant.feature for variant in self.variants], np.float32).reshape(-1, 192)

    @cached_property
    def reaches(self) -> Floats:
        """How far a cell may be from each variant to be one, in grey levels, float32 (n,).

        A number that was never seen may look much like one that was.
        """
        spreads = np.array([variant.spread for variant in self.variants], np.float32)
        apart = distances(self.features, self.features)
        states = self.states[:-1]
        named = np.array([v.state != State.UNREADABLE or bool(v.denied) for v in self.variants], np.bool_)
        apart[(states[:, None] == states) | ~named] = np.inf
        nearest = apart.min(1, initial=np.inf)
        reaches: Floats = np.minimum(np.clip(_SPREADS * spreads, _TIGHT, _WIDE), _BETWEEN * nearest)
        numbers = (states >= 1) & (states <= 8)
        if numbers.any():
            reaches[numbers] = np.minimum(reaches[numbers], _STROKE * _contrasts(self.features[numbers]))
        return reaches

    @property
    def trusted(self) -> frozenset[int]:
        """The states of which a variant is beyond doubt."""
        return frozenset(variant.state for variant in self.variants if variant.trusted)

    @property
    def provisional(self) -> frozenset[int]:
        """The states that were read but of which no variant is beyond doubt."""
        read = {variant.state for variant in self.variants} - {int(State.UNREADABLE)}
        return frozenset(read) - self.trusted

    def changed(self, changes: dict[int, Variant]) -> LearnedLooks:
        """Return a copy with the variants at the given indices replaced."""
        variants = (changes.get(index, variant) for index, variant in enumerate(self.variants))
        return LearnedLooks(self.cell, tuple(variants))

    def matched(self, features: Floats) -> Ints:
        """Return the index of the variant that each cell looks like, int32 (n,); `NOTHING` if like none."""
        if not self.variants:
            return np.full(len(features), NOTHING, np.int32)
        apart = distances(features, self.features)
        nearest = apart.argmin(1)
        near = apart[np.arange(len(nearest)), nearest] <= self.reaches[nearest]
        return np.where(near, nearest, NOTHING).astype(np.int32)

    def withdrawn(self, indices: Iterable[int]) -> LearnedLooks:
        """Return it without what the variants at ``indices`` were thought to show.

        Whatever was confirmed in this game may rest on them, so it has to be confirmed anew.
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
        variants = (v if v.trusted else replace(v, looks=0, denied=frozenset()) for v in self.variants)
        return LearnedLooks(self.cell, tuple(variants))

    def settled(self) -> LearnedLooks:
        """Return it after a game that ended without a contradiction to what was confirmed in it."""
        trusts = (Trust.SETTLED if variant.trusted else variant.trust for variant in self.variants)
        settled = zip(self.variants, trusts, strict=True)
        return LearnedLooks(
            self.cell, tuple(replace(v, trust=trust, denied=frozenset()) for v, trust in settled)
        )


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """The cells of a board, row by row.

    ``pictures`` is uint8 (n, cell, cell, 3), ``features`` float32 (n, 192); ``visible`` says which of them
    lie in the picture, bool (n,).
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
    """Return what is known after one more look, and the variant of each cell, int32 (n,).

    ``clusters`` and ``states`` (n,) tell the cells that look alike, and what they show. A variant that was
    read as something else before is read anew; a trusted one shows nothing any more, since two states look
    alike. Unreadable cells change no variant, and are no more than `_MOST_UNNAMED` new ones.
    """
    index = np.full(len(states), NOTHING, np.int32)
    seen = cut.visible
    for cluster, state in sorted({*zip(clusters[seen].tolist(), states[seen].tolist(), strict=True)}):
        members = np.flatnonzero(seen & (clusters == cluster) & (states == state))
        for part in _parts(cut.features[members]):
            knowledge, index[members[part]] = _with_part(knowledge, cut, members[part], state)
    return knowledge, index


def _with_part(
    knowledge: LearnedLooks, cut: Cut, members: npt.NDArray[np.intp], state: int
) -> tuple[LearnedLooks, int]:
    """Return what is known with cells that look alike added, and the index of their variant."""
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


def _parts(features: Floats) -> Sequence[npt.NDArray[np.intp]]:
    """Return the cells in groups that hardly differ: a cluster may hold lighter and darker ones."""
    reach = _SPLIT
    while len(parts := _near_each_other(features, reach)) > _MOST_PARTS:
        reach *= 1.5
    return parts


def _near_each_other(features: Floats, reach: float) -> list[npt.NDArray[np.intp]]:
    left, parts = np.arange(len(features)), []
    while len(left):
        near = distances(features[left], features[left[:1]])[:, 0] <= reach
        near = distances(features[left], features[left[near]].mean(0)[None])[:, 0] <= reach
        near[0] = True
        parts.append(left[near])
        left = left[~near]
    return parts


def _contrasts(features: Floats) -> Floats:
    """Return how far the pictures of features (n, f) stand out of their ground: root mean square, (n,)."""
    inside = features.reshape(-1, SIDE, SIDE, 3)[:, _INSIDE, _INSIDE]
    apart = inside - np.median(inside, axis=(1, 2), keepdims=True)
    return np.asarray(np.sqrt((apart**2).mean((1, 2, 3))), np.float32)


def skin_of(knowledge: LearnedLooks, name: str) -> Skin | None:
    """Return the trusted states as a skin; None unless covered and an opened state are among them."""
    trusted = sorted((v for v in knowledge.variants if v.trusted), key=lambda v: (v.state, -v.cells))
    states = {variant.state for variant in trusted}
    if State.COVERED not in states or not states & set(range(9)):
        return None
    reach = 0.0
    while len(kept := _spaced(trusted, reach)) > _MOST_PICTURES:  # the usual ones come first
        reach = max(1.0, 1.5 * reach)
    templates = np.stack([np.rint(variant.picture) for variant in kept]).clip(0, 255).astype(np.uint8)
    templates.flags.writeable = False
    return Skin(
        name,
        knowledge.cell,
        _reach(trusted, kept),
        templates,
        exact=max(variant.spread for variant in trusted) <= _EXACT,
        states=np.array([variant.state for variant in kept], np.int8),
    )


def looks_of(skin: Skin) -> LearnedLooks:
    """Return what a skin knows: everything in it is trusted."""
    canvas = skin.templates.reshape(-1, skin.cell, 3)
    features = softened(canvas, skin.cell)
    spread = skin.reach / _SKIN_SPREADS
    variants = [
        Variant(template.astype(np.float32), feature, int(state), _SETTLED_CELLS, 1, spread, Trust.SETTLED)
        for template, feature, state in zip(skin.templates, features, skin.states, strict=True)
    ]
    return LearnedLooks(skin.cell, tuple(variants))


def _spaced(variants: Sequence[Variant], reach: float) -> list[Variant]:
    """Return the variants that are further than ``reach`` from those of their state before them."""
    kept: list[Variant] = []
    for variant in variants:
        same = [other.feature for other in kept if other.state == variant.state]
        if not same or _apart(variant, same) > reach:
            kept.append(variant)
    return kept


def _apart(variant: Variant, others: Sequence[Floats]) -> float:
    return float(distances(variant.feature[None], np.stack(others)).min())


def _reach(trusted: Sequence[Variant], kept: Sequence[Variant]) -> float:
    """Return how far cells may be from their picture: more than they were, not half way to another state."""
    seen = 0.0
    for variant in trusted:
        same = [other.feature for other in kept if other.state == variant.state]
        seen = max(seen, _apart(variant, same) + variant.spread)
    apart = distances(np.stack([v.feature for v in kept]), np.stack([v.feature for v in kept]))
    states = np.array([variant.state for variant in kept])
    nearest = float(apart[states[:, None] != states].min())
    reach = min(max(_SKIN_SPREADS * seen, _LEAST_REACH), _LARGEST_REACH, _SKIN_BETWEEN * nearest)
    return round(reach, 2)
