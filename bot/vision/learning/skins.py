"""From what was learned to a skin, and back: a skin that was learned may grow."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bot.board import State
from bot.vision.learning.looks import Floats, LearnedLooks, Trust, Variant, distances
from bot.vision.skin import Colour, Skin
from bot.vision.tone import softened

_SETTLED_CELLS = 50  # cells that a picture of a skin counts for when more are seen
_MOST_PICTURES = 60
_LEAST_REACH, _LARGEST_REACH = 4.0, 26.0  # root mean square of 255
_SPREADS = 2.5  # times the spread that was seen
_BETWEEN = 0.45  # of the distance between two states: no cell may be taken for both
_EXACT = 1.0  # grey levels: less than that is no noise, the pictures are the game's own
_SAME = 6  # grey levels: two colours that are one


def skin_of(knowledge: LearnedLooks, name: str) -> Skin | None:
    """Return the trusted states as a skin; None unless covered and an opened state are among them."""
    trusted = sorted((v for v in knowledge.variants if v.trusted), key=lambda v: (v.state, -v.cells))
    states = {variant.state for variant in trusted}
    if State.COVERED not in states or not states & set(range(9)):
        return None
    kept = _thinned(trusted)
    templates = np.stack([np.rint(variant.picture) for variant in kept]).clip(0, 255).astype(np.uint8)
    templates.flags.writeable = False
    return Skin(
        name,
        knowledge.cell,
        _reach(trusted, kept),
        templates,
        exact=max(variant.spread for variant in trusted) <= _EXACT,
        background=_background(kept),
        states=np.array([variant.state for variant in kept], np.int8),
    )


def looks_of(skin: Skin) -> LearnedLooks:
    """Return what a skin knows: everything in it is trusted."""
    canvas = skin.templates.reshape(-1, skin.cell, 3)
    features = softened(canvas, skin.cell)
    spread = skin.reach / _SPREADS
    variants = [
        Variant(template.astype(np.float32), feature, int(state), _SETTLED_CELLS, 1, spread, Trust.SETTLED)
        for template, feature, state in zip(skin.templates, features, skin.states, strict=True)
    ]
    return LearnedLooks(skin.cell, tuple(variants))


def _thinned(variants: Sequence[Variant]) -> list[Variant]:
    """Return enough of the variants, the usual ones first: a skin has a limited number of pictures."""
    reach = 0.0
    while len(kept := _spaced(variants, reach)) > _MOST_PICTURES:
        reach = max(1.0, 1.5 * reach)
    return kept


def _spaced(variants: Sequence[Variant], reach: float) -> list[Variant]:
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
    reach = min(max(_SPREADS * seen, _LEAST_REACH), _LARGEST_REACH, _BETWEEN * nearest)
    return round(reach, 2)


def _background(kept: Sequence[Variant]) -> Colour | None:
    """Return the colour that most of a board has at all times; None if covered and opened cells differ."""
    usual = {variant.state: _usual_colour(variant) for variant in reversed(kept)}
    covered, opened = usual[State.COVERED], usual.get(0)
    if opened is None or max(abs(a - b) for a, b in zip(covered, opened, strict=True)) > _SAME:
        return None
    return covered


def _usual_colour(variant: Variant) -> Colour:
    blue, green, red = np.median(variant.picture.reshape(-1, 3), axis=0)
    return round(float(blue)), round(float(green)), round(float(red))
