"""Measuring the tone of a screen on the cells of a board.

A tone that is nearly right is refined on the cells as they are read with it, over and over. Where nothing is
nearly right, cells that look alike are found without a skin, and each is taken for each state under each kind
of tone in turn: the supposition under which the whole board is nearest to the skin is refined.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.vision.skin import Skin
from bot.vision.tone import (
    BASE,
    BLURRED,
    CONSTANT,
    DARKEST,
    FEATURES,
    LIGHTEST,
    LUMINANCE,
    SIDE,
    SQUARES,
    Floats,
    Tone,
    contrast,
    features_of,
    mapped,
)

FAR = 45.0  # distances count no more than this
_ROUNDS = 3
_NEAR, _USUALLY = 35.0, 2.5  # cells further off than this, and than usual on the board, are in no known state
_NOISE = 8.0  # of 255: what compression and palettes add to a cell's softened picture
_BRIGHT, _BRIGHTEST = 250.0, 400.0  # what is as bright as that may have been cut off, and at most from there
_MOST_CELLS = 6.0  # of one template count, else covered cells outweigh the rest
_SAMPLE = 160  # cells on which suppositions are tried
_ALIKE = 10.0  # cells look alike that are no further apart
_CLUSTERS = 3
_FLAT = 2.5  # contrast below which a cell shows nothing
_GAIN = (0.2, 2.5)
_BEST = 2  # suppositions of each kind and cluster that are tried, and in the end refined
_REFINED = 4
_UNLIKELY = 32.0  # nor are cells that are so far off before a tone is refined
_HOPELESS = 20.0  # cells that are still so far off are no cells of the skin


def apart(seen: Floats, skin: Skin, scale: float, tone: Tone) -> Floats:
    """Return how far cells (softened, count x 192) are from every template: n x count.

    The unit is 1 of 255 of a screen that changes no colours: the root mean square over the contrast.
    """
    wanted = mapped(skin, scale, tone)
    squares = (wanted**2).sum(1)[:, None] + np.einsum("ij,ij->i", seen, seen) - 2 * wanted @ seen.T
    distance: Floats = np.sqrt(squares.clip(0) / wanted.shape[1]) / contrast(skin, scale, tone)
    return distance


def refined(seen: Floats, skin: Skin, scale: float, tone: Tone) -> Tone:
    """Return ``tone`` as the cells show it: each taken for the template that it is nearest to."""
    prior = tone.matrix
    for _ in range(_ROUNDS if len(seen) else 0):
        distance = apart(seen, skin, scale, tone)
        nearest, best = distance.argmin(0), distance.min(0)
        near = best < min(FAR, max(_NEAR, _USUALLY * float(np.median(best))))
        if len(np.unique(nearest[near])) < 2:
            return tone
        refit = _fitted(seen[near], nearest[near], features_of(skin, scale), prior, tone.matrix)
        if refit == tone:
            break
        tone = refit
    return tone


def _fitted(
    seen: Floats, nearest: npt.NDArray[np.intp], features: Floats, prior: Floats, last: Floats
) -> Tone:
    """Return the tone that turns the features of the templates into the mean cells, near to ``prior``."""
    members = (nearest == np.arange(len(features))[:, None]).astype(np.float32)
    counts, sums = members.sum(1), members @ seen
    shown = counts > 0
    means = (sums[shown] / counts[shown, None]).reshape(-1, 3)
    weights = np.repeat(np.minimum(counts[shown], _MOST_CELLS), SIDE * SIDE)[:, None]
    wanted = features[shown].reshape(-1, FEATURES)
    means = _unclipped(means, wanted @ last)
    stiff = np.diag((_NOISE / _looseness()) ** 2)
    left = (wanted * weights).T @ wanted + stiff
    right = (wanted * weights).T @ means + stiff @ prior
    return Tone.of(np.linalg.solve(left.astype(np.float64), right.astype(np.float64)))


def _unclipped(means: Floats, supposed: Floats) -> Floats:
    """Return what cells would show if nothing were brighter than white: as bright as is supposed there."""
    bright = means >= _BRIGHT
    return np.where(bright, np.maximum(means, np.minimum(supposed, _BRIGHTEST)), means).astype(np.float32)


def _looseness() -> Floats:
    """Return how far each weight may reasonably be from what was supposed."""
    loose = np.empty(FEATURES, np.float32)
    loose[BASE], loose[BLURRED], loose[SQUARES] = 0.3, 0.15, 0.15
    loose[LIGHTEST] = loose[DARKEST] = 0.1
    loose[CONSTANT] = 0.2
    return loose


def supposed_tones(seen: Floats, skin: Skin, scale: float) -> list[Tone]:
    """Return the tones under which the cells are nearest to ``skin``, refined, best first; maybe none."""
    sample = seen[:: max(1, len(seen) // _SAMPLE)]
    looks, features = _clusters(sample), features_of(skin, scale)
    starts = [tone for kind in _kinds() for look in looks for tone in _seeds(look, features, kind)]
    first = {tone: _cost(sample, skin, scale, tone) for tone in starts}
    ranked = sorted((tone for tone in first if first[tone] <= _UNLIKELY), key=first.__getitem__)[:_REFINED]
    found = {refined(sample, skin, scale, tone) for tone in ranked}
    costs = {tone: _cost(sample, skin, scale, tone) for tone in found}
    return sorted((tone for tone in found if costs[tone] <= _HOPELESS), key=costs.__getitem__)


def _cost(seen: Floats, skin: Skin, scale: float, tone: Tone) -> float:
    return float(np.minimum(apart(seen, skin, scale, tone).min(0), FAR).mean())


def _clusters(seen: Floats) -> list[Floats]:
    """Return the mean picture (64 x 3) of each of the largest groups of cells that look alike."""
    norms = np.einsum("ij,ij->i", seen, seen)
    squares = norms[:, None] + norms - 2 * seen @ seen.T
    alike = squares <= _ALIKE**2 * seen.shape[1]
    found: list[Floats] = []
    left = np.ones(len(seen), np.bool_)
    while len(found) < _CLUSTERS and left.any():
        members = alike[int((alike & left).sum(1).argmax())] & left
        if not members.any():
            break
        left &= ~members
        found.append(seen[members].mean(0).reshape(-1, 3))
    return [look for look in found if look.std(0).max() >= _FLAT]


def _kinds() -> list[Floats]:
    """Return the kinds of tones: as it is, inverted, dark (light and dark exchanged), grey."""
    kinds = np.zeros((4, FEATURES, 3), np.float32)
    kinds[0, BASE] = kinds[2, BASE] = np.eye(3)
    kinds[1, BASE] = -np.eye(3)
    kinds[2, LIGHTEST] = kinds[2, DARKEST] = -1
    kinds[1:3, CONSTANT] = 1
    kinds[3, BASE] = np.array(LUMINANCE)[:, None]
    return list(kinds)


def _seeds(look: Floats, features: Floats, matrix: Floats) -> list[Tone]:
    """Return the tones of one kind, with a gain and offset a channel, that turn a template into ``look``."""
    pictures = features @ matrix
    middle = pictures.mean(1, keepdims=True)
    centred, wanted = pictures - middle, look - look.mean(0)
    power = (centred**2).sum(1)
    gain = (centred * wanted).sum(1) / np.maximum(power, 1)
    rest = np.sqrt(((wanted - gain[:, None] * centred) ** 2).mean((1, 2))) / np.maximum(gain.mean(1), 1e-3)
    possible = (gain.min(1) >= _GAIN[0]) & (gain.max(1) <= _GAIN[1])
    offset = look.mean(0) - gain * middle[:, 0]
    order = [index for index in np.argsort(rest) if possible[index]][:_BEST]
    return [_levelled(matrix, gain[index], offset[index]) for index in order]


def _levelled(matrix: Floats, gain: Floats, offset: Floats) -> Tone:
    levelled = matrix * gain
    levelled[CONSTANT] += offset / 255
    return Tone.of(levelled)
