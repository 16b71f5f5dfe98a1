"""From pixels of a board to the state of every cell, for a known skin.

All comparing is done on *unstretched* cells: the board is brought back to the size of the skin's pictures
first. What the screen does to colours is done to the skin's pictures too (`bot.vision.tone`). A cell is read
by its sample points; where they leave a doubt, by its whole picture; where that leaves a doubt, it is
unreadable.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import State, States
from bot.geometry import Pixels
from bot.vision.colours import apart
from bot.vision.points import Points, Witnesses, compile_points, sampled
from bot.vision.skin import Skin
from bot.vision.tone import Floats, Tone, contrast, mapped, softened, toned

_LEAST_MARGIN = 8.0  # of 255: below it, points are no ground for a judgement
_WITNESS_REACH = 48.0  # how far a cell may be off at a witness; a pointer is further off than that
_CONTRAST = (
    0.62  # a cell may be off by this much of its state's own contrast: blanks and pale digits have little
)
_STRANGE = 12.0  # nor may it be further off by this than the board's other cells in that state
_CLEARER = 0.65  # the nearest state must be this much nearer than the second
_GAIN = (0.3, 1.45)  # what night light and the like do to a channel
_BRIGHTEST_GAIN = 0.7  # but never to all of them
_WHITE = 248  # the white edges of many covered cells may be more common than the background
_TORN = 0.1  # confidence in a cell that points and pictures read differently
_COLOURLESS = 24  # of 255, between the channels of a pixel
_FEW_COLOURS = 0.001  # of all pixels
_UNCHANGED = 8.0  # of 255: a screen that changes the templates by no more shows them as they are
PLAIN = Tone.gain(np.ones(3))


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """States (int8, rows x cols) with `State.UNREADABLE`, and the confidence in each (float32, 0 to 1)."""

    states: States
    confidence: Floats

    @property
    def readable(self) -> npt.NDArray[np.bool_]:
        """Which cells were read."""
        readable: npt.NDArray[np.bool_] = self.states != State.UNREADABLE
        return readable


def white_balance(canvas: Pixels, skin: Skin) -> Floats:
    """Return the gain of each channel: the board's most common colour over what it is in the skin."""
    if skin.background is None:
        return np.ones(3, np.float32)
    sample = cv2.blur(canvas, (2, 2))[1::3, 1::5].reshape(-1, 3).astype(np.uint8)
    darker = sample[sample.min(1) < _WHITE]
    sample = darker if len(darker) else sample
    coarse = sample >> 3
    keys = (coarse[:, 0].astype(np.intp) << 10) | (coarse[:, 1].astype(np.intp) << 5) | coarse[:, 2]
    most_common = sample[keys == np.bincount(keys).argmax()]
    return limited_gain(np.median(most_common, axis=0) / np.array(skin.background, np.float32))


def limited_gain(gain: npt.NDArray[np.floating]) -> Floats:
    """Return ``gain`` if a screen can look like that; no gain at all if it cannot."""
    plausible = gain.min() >= _GAIN[0] and gain.max() <= _GAIN[1] and gain.max() >= _BRIGHTEST_GAIN
    return gain.astype(np.float32) if plausible else np.ones(3, np.float32)


def first_tone(canvas: Pixels, skin: Skin) -> Tone:
    """Return the tone that a board seems to have at first sight: tinted, or without colours."""
    gain = white_balance(canvas, skin)
    sample = canvas[::2, ::2]
    colourful = sample.max(2) - sample.min(2) - np.ptp(255 * gain) > _COLOURLESS
    return Tone.gain(gain) if colourful.mean() > _FEW_COLOURS else Tone.grey(gain)


def balance(tone: Tone) -> Floats:
    """Return the gain of each channel of white under ``tone``, as far as a screen can look like that."""
    return limited_gain(tone.shown(np.array((255, 255, 255), np.uint8)) / 255)


@lru_cache(maxsize=64)
def _as_seen(skin: Skin, scale: float, tone: Tone) -> Skin:
    """Return ``skin`` as the screen shows it; itself where that is hardly another."""
    change = np.abs(mapped(skin, scale, tone) - mapped(skin, scale, PLAIN)).max()
    return skin if change <= _UNCHANGED else toned(skin, tone)


def read_points(canvas: Pixels, tone: Tone, skin: Skin, scale: float) -> Cells:
    """Read every cell by the sample points alone."""
    points = compile_points(_as_seen(skin, scale, tone), scale)
    rows, cols = canvas.shape[0] // skin.cell, canvas.shape[1] // skin.cell
    y = (np.arange(rows) * skin.cell)[:, None, None] + points.y
    x = (np.arange(cols) * skin.cell)[None, :, None] + points.x
    source = sampled(canvas, skin)
    seen = source[y, x].astype(np.float32).reshape(rows * cols, -1)
    nearest, best, second = _two_nearest(_beyond(seen, points), skin)
    reach = points.margin / 3
    clear = (best <= reach) & (second - best >= reach) & (points.margin >= _LEAST_MARGIN)
    clear &= _witnessed(source, nearest, points.witnesses, skin.cell)
    states = np.where(clear, skin.states[nearest], State.UNREADABLE).astype(np.int8)
    confidence = np.where(clear, 1 - best / max(points.margin, 1), 0).astype(np.float32)
    return Cells(states.reshape(rows, cols), confidence.reshape(rows, cols))


def _witnessed(
    source: Pixels, nearest: npt.NDArray[np.intp], witnesses: Witnesses, cell: int
) -> npt.NDArray[np.bool_]:
    """Return which cells show what the template nearest to them shows at all witnesses."""
    rows, cols = source.shape[0] // cell, source.shape[1] // cell
    parts = source.reshape(rows, cell, cols, cell, 3)[:, witnesses.y, :, witnesses.x]
    seen = parts.transpose(1, 2, 0, 3).astype(np.float32).reshape(rows * cols, -1)
    beyond = np.maximum(witnesses.low[nearest] - seen, seen - witnesses.high[nearest]).max(1)
    return np.asarray(beyond <= _WITNESS_REACH)


def _beyond(seen: Floats, points: Points) -> Floats:
    """Return how far each cell lies outside each template's range at the value where it is furthest out."""
    furthest = np.zeros((points.low.shape[1], len(seen)), np.float32)
    for value, low, high in zip(seen.T, points.low, points.high, strict=True):
        np.maximum(furthest, low[:, None] - value, out=furthest)
        np.maximum(furthest, value - high[:, None], out=furthest)
    return furthest


def read_pictures(canvas: Pixels, tone: Tone, skin: Skin, scale: float) -> Cells:
    """Read every cell by its whole picture.

    An unreadable cell has no confidence if it looks like no state, and some if it looks like two.
    """
    rows, cols = canvas.shape[0] // skin.cell, canvas.shape[1] // skin.cell
    nearest, best, second = _two_nearest(distances(canvas, tone, skin, scale), skin)
    ratio = best / np.maximum(second, 1e-3)
    near = best <= np.minimum(reaches(skin, scale, tone)[nearest], _typical(nearest, best) + _STRANGE)
    clear = near & (ratio <= _CLEARER)
    states = np.where(clear, skin.states[nearest], State.UNREADABLE).astype(np.int8)
    confidence = np.where(near, 1 - ratio, 0).astype(np.float32)
    return Cells(states.reshape(rows, cols), confidence.reshape(rows, cols))


def agreed(points: Cells, pictures: Cells) -> Cells:
    """Return the cells as the whole pictures read them; unreadable where the points say something else."""
    against = points.readable & (points.states != pictures.states)
    return Cells(
        np.where(against, State.UNREADABLE, pictures.states).astype(np.int8),
        np.where(against, _TORN, pictures.confidence).astype(np.float32),
    )


def _typical(nearest: npt.NDArray[np.intp], best: Floats) -> Floats:
    """Return for every cell how far the cells that look alike are off on this board, by the median."""
    typical = np.zeros_like(best)
    for template in np.unique(nearest):
        typical[nearest == template] = np.median(best[nearest == template])
    return typical


def distances(canvas: Pixels, tone: Tone, skin: Skin, scale: float) -> Floats:
    """Return how far every cell is from every template: n x (rows * cols), in the unit of `apart`."""
    return apart(softened(canvas, skin.cell), skin, scale, tone)


@lru_cache(maxsize=64)
def reaches(skin: Skin, scale: float, tone: Tone) -> Floats:
    """Return for each template how far a cell may be from it: ``reach``, or less where contrast is low."""
    pictures = mapped(skin, scale, tone).reshape(len(skin.states), -1, 3)
    own = np.sqrt(((pictures - pictures.mean(1, keepdims=True)) ** 2).mean((1, 2)))
    limits: Floats = np.minimum(skin.reach, _CONTRAST * own / contrast(skin, scale, tone)).astype(np.float32)
    return limits


def _two_nearest(apart: Floats, skin: Skin) -> tuple[npt.NDArray[np.intp], Floats, Floats]:
    """Return for each cell (columns) the nearest template, its distance, and that of the second state."""
    starts = np.searchsorted(skin.states, skin.shown)
    two = np.partition(np.minimum.reduceat(apart, starts, axis=0), 1, axis=0)
    return apart.argmin(0), two[0], two[1]
