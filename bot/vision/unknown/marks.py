"""Marks that look different: of a game's flags, question marks and mines each kind has one look.

A question mark may be a flag with something beside it, a wrong flag one in another colour or on another
ground. To a network they are flags; beside the board's other flags they are seen to be something else.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import State
from bot.geometry import Pixels
from bot.vision.unknown.clusters import Clusters

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]

MARKS = (State.FLAG, State.QUESTION, State.MINE, State.EXPLODED, State.WRONG_FLAG)
_MAYBE = -6.0  # log-probability: clusters that are less likely a mark are none
_MOST = 64  # clusters that are compared, the largest
_RIM = 3  # pixels of a cell that may show its neighbours
_PATCH = 4  # pixels: what is smaller is noise
_UNLIKE = 0.3  # of the contrast by which a patch of two marks differs: noise makes less
_DRAWN = 0.15  # of the contrast: what differs more from the ground is drawn on it
_FAINTEST = 8.0  # grey levels of contrast, at least
_INK = 95  # per cent: so much of a cell differs less from its ground than its ink
_OTHER_GROUND = 40.0  # grey levels


@dataclass(frozen=True, slots=True, eq=False)
class Unlike:
    """Which clusters of marks are no marks of one kind, by their ``shapes`` or ``grounds``, bool (K, K).

    Grounds tell only where the game is lost: before, a cell may lie in a checkerboard or below the pointer.
    """

    shapes: Bools
    grounds: Bools


def unlike_marks(clusters: Clusters, shapes: Floats) -> Unlike:
    """Return which clusters look so different that they cannot both be the same mark.

    ``shapes`` are the log-probabilities of every cluster's shape, float32 (K, 16).
    """
    unlike = Unlike(*(np.zeros((clusters.count, clusters.count), np.bool_) for _ in range(2)))
    largest = np.argsort(-clusters.sizes, kind="stable")
    some = largest[shapes[largest][:, MARKS].max(1) >= _MAYBE][:_MOST]
    if len(some):
        pairs = np.ix_(some, some)
        unlike.shapes[pairs], unlike.grounds[pairs] = _unlike(clusters.pictures[some])
    return unlike


def _unlike(pictures: Pixels) -> tuple[Bools, Bools]:
    """Return which pictures, uint8 (n, side, side, 3), differ in their shapes, and which in their grounds.

    Shapes differ by what is drawn and by how it differs from the ground: one glyph on two grounds keeps its
    colours, one below a tint keeps its contrasts.
    """
    inner = pictures[:, _RIM:-_RIM, _RIM:-_RIM].astype(np.float32)
    ground = np.median(inner.reshape(len(inner), -1, 3), axis=1)
    ink = inner - ground[:, None, None]
    strength = np.abs(ink).max(-1)
    contrast = np.percentile(strength.reshape(len(inner), -1), _INK, axis=1).clip(_FAINTEST)
    drawn = strength > _DRAWN * contrast[:, None, None]
    least = _UNLIKE * np.minimum(contrast[:, None], contrast)
    patches = np.array([_patches(one) for one in ink]).reshape(len(inner), -1)
    apart = np.abs(patches[:, None] - patches).max(2) > least
    for one, other in np.argwhere(np.triu(apart)):
        changed = (inner[one] - inner[other]) * (drawn[one] | drawn[other])[..., None]
        apart[one, other] = apart[other, one] = np.abs(_patches(changed)).max() > least[one, other]
    return apart, np.abs(ground[:, None] - ground).max(2) > _OTHER_GROUND


def _patches(picture: Floats) -> Floats:
    """Return the mean of the patch around each pixel of a picture (height, width, channels)."""
    return np.asarray(cv2.blur(picture, (_PATCH, _PATCH)), dtype=np.float32)
