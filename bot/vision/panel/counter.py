"""The mine counter: where a skin says that it is, or the number beside a board that counts its mines.

A skin tells the place and the colour of its counter. Beside other boards numbers are read, and the counter
is the one that a game on this board can show. Where one look leaves that open, several tell the timer: it
grows with the seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from bot.board import MAY_BE_MINE, State, States
from bot.geometry import Frame, Grid, Pixels, Rect
from bot.levels import USUAL_MINES
from bot.vision.networks import Floats
from bot.vision.panel.panel_numbers import SEGMENT_DIGITS, SEGMENT_PLACES, Number, read_numbers
from bot.vision.reading import Reading, with_total
from bot.vision.skin import CounterLayout, Skin

_DENSITY = (0.08, 0.3)  # of the cells of a board are mines
_MOST = 0.7  # of the cells, where something else tells the counter
_ONE_DIGIT = 0.9  # of its height is one digit wide at most
_UNEVEN = 0.2  # of its height: how far tops and bottoms of two numbers in one line may differ
_ALIKE = 0.15  # of its width: how far two displays with as many digits may differ
_PADDED = 1.3  # of its height: a display with zeros before its number is wider
_LEAST = 2.0  # seconds between two looks that tell a timer
_LATE = 1.2  # seconds by which a timer's steps and the looks may differ
_READ_INTERVAL = 2.1  # seconds between two readings of the numbers: a timer tells by its seconds
_READINGS = 6  # readings in a game: they take longer than all else in a look

_INK = (0.85, 0.91)  # of the width and height of a digit's box are its segments
_SPOTS = 0.5 + (SEGMENT_PLACES - 0.5) * _INK
_APART = 0.25  # of the brightest segment: so far apart are segments that are on and off, at least
_BETWEEN = (0.25, 0.75)  # of it: somewhere there is what separates them
_FAINTEST = 0.3  # brightness of the brightest segment
_DARK = 0.5  # brightness in other colours of a counter's ground, and of its segments
_AS_SHARP = 0.9  # of the best shift: others are not on the segments, and may show another number
_FARTHEST = 4  # pixels at 100 % scaling: programs with the same look place the counter differently
_SHIFTS = np.mgrid[-_FARTHEST : _FARTHEST + 1, -_FARTHEST : _FARTHEST + 1].reshape(2, -1)


@dataclass(frozen=True, slots=True)
class Counter:
    """A mine counter: mines minus flags, where it stands in frame pixels, and the total that follows."""

    mines_left: int
    box: Rect
    total: int


def find_counter(numbers: Sequence[Number], states: States, right: bool | None = None) -> Counter | None:
    """Return the number that counts the mines of a board with these states; None if none or several may.

    ``right`` says whether the counter is the right one of two numbers in a line, if that is known. Where a
    cell cannot be read, a flag may be missing: then only a total that is usual, or written there, tells that
    it is not.
    """
    whole, believed = not (states == State.UNREADABLE).any(), []
    for number in numbers:
        counter = counter_at(number, states)
        if counter is not None and (
            _tells_itself(number, counter, states)
            or (whole and _told(number, counter, numbers, states, right))
        ):
            believed.append(counter)
    return believed[0] if len({counter.total for counter in believed}) == 1 else None


def counter_at(number: Number, states: States) -> Counter | None:
    """Return the counter that a number is on a board with these states; None if it cannot be one.

    A number with a slash gives the total itself, after the flags or the mines that are left.
    """
    flags = int(np.isin(states, (State.FLAG, State.WRONG_FLAG)).sum())
    total = number.value + flags if number.total is None else number.total
    if number.total is not None and number.value not in (flags, number.total - flags):
        return None
    numbers = states[states <= 8]  # each needs as many mines by itself
    room, shown = (
        int(np.isin(states, [*kinds]).sum()) for kinds in (MAY_BE_MINE, (State.MINE, State.EXPLODED))
    )
    least = max(int(numbers.max(initial=0)), shown)
    fits = 0 < total <= _MOST * states.size and least <= total <= room
    return Counter(total - flags, number.box, total) if fits else None


def partner(number: Number, numbers: Sequence[Number]) -> Number | None:
    """Return the other of a pair of numbers, if a single one is in line with this one.

    Single strokes and rings are everywhere, and look like a 1 or a 0: one of the pair has several digits.
    """

    def in_line(box: Rect) -> bool:
        slack = _UNEVEN * max(box.height, number.box.height)
        return abs(box.y - number.box.y) <= slack and abs(box.bottom - number.box.bottom) <= slack

    pair = [each for each in numbers if in_line(each.box)]
    several = any(each.box.width > _ONE_DIGIT * each.box.height for each in pair)
    others = [each for each in pair if each is not number]
    return others[0] if len(others) == 1 and several else None


def _tells_itself(number: Number, counter: Counter, states: States) -> bool:
    """Return whether a total is the usual one, which a timer seldom completes, or stands after a slash."""
    low, _ = _DENSITY
    written = number.sure and number.total is not None and counter.total >= low * states.size
    return written or (_likely(counter, states) and USUAL_MINES.get(states.shape) == counter.total)


def _told(
    number: Number, counter: Counter, numbers: Sequence[Number], states: States, right: bool | None
) -> bool:
    """Return whether the other of two numbers tells that this one is the counter.

    Without another the number may be the timer, and the counter was not read. Beside a timer that stands at
    zero a display counts the mines of a fresh board; else, where it is not known on which side it is, nothing
    but the usual total is believed on a board of a usual size.
    """
    other = partner(number, numbers)
    if other is None or not number.sure:
        return False
    if right is not None:
        return (number.box.x > other.box.x) == right
    timer, box = other.box, number.box
    padded = timer.width > _PADDED * timer.height and abs(timer.width - box.width) <= _ALIKE * timer.width
    if padded and other.value == 0 and other.sure and bool((states == State.COVERED).all()):  # it shows 000
        return True
    return USUAL_MINES.get(states.shape) is None and _likely(counter, states)


def _likely(counter: Counter, states: States) -> bool:
    low, high = _DENSITY
    return low * states.size <= counter.total <= high * states.size


def with_counter(pixels: Pixels, reading: Reading, right: bool | None = None) -> Reading:
    """Return the reading with the mine counter that was found beside its board, if one was.

    For boards whose skin does not tell where it is. ``pixels`` is the picture that was read, BGR; ``right``
    says whether the counter is the right one of two numbers, None if that is not known.
    """
    if reading.mines_left is not None:
        return reading
    for small in (False, True):
        numbers = read_numbers(pixels, reading.grid, small)
        if (counter := find_counter(numbers, reading.board.states, right)) is not None:
            return counted(reading, counter)
    return reading


def counted(reading: Reading, counter: Counter) -> Reading:
    """Return the reading with what a mine counter shows."""
    return with_total(replace(reading, mines_left=counter.mines_left), counter.total)


@dataclass(frozen=True, slots=True, eq=False)
class NumbersLook:
    """The numbers beside a board at a time in seconds, and what its cells showed, int8 (rows, cols)."""

    time: float
    numbers: tuple[Number, ...]
    states: States


def counter_over(looks: Sequence[NumbersLook]) -> Counter | None:
    """Return the mine counter of the last look, if the number beside it is the timer; None if that is open.

    The timer has grown by the seconds between two looks at one game, while what the counter shows and the
    flags made the same total.
    """
    for before in looks[:-1]:
        for number in looks[-1].numbers:
            if (counter := _confirmed(number, before, looks[-1])) is not None:
                return counter
    return None


def _confirmed(number: Number, before: NumbersLook, now: NumbersLook) -> Counter | None:
    """Return the counter that ``number`` is if the one beside it ticks; None if that is open."""
    timer, counter = partner(number, now.numbers), counter_at(number, now.states)
    if timer is None or counter is None:
        return None
    old, old_timer = _same_place(number, before.numbers), _same_place(timer, before.numbers)
    if old is None or old_timer is None:
        return None
    seconds = now.time - before.time
    if seconds < _LEAST or abs(timer.value - old_timer.value - seconds) > _LATE:
        return None
    old_counter = counter_at(old, before.states)
    return counter if old_counter is not None and old_counter.total == counter.total else None


def _same_place(number: Number, others: Sequence[Number]) -> Number | None:
    return next((other for other in others if not other.box.intersection(number.box).empty), None)


class Counting:
    """Reads the numbers beside one board until one of them is known to be its mine counter.

    ``right`` says whether it is the right one of two, None as long as that is not known.
    """

    def __init__(self) -> None:
        self.right: bool | None = None
        self._looks: dict[bool, list[NumbersLook]] = {False: [], True: []}  # at large and at small digits
        self._next = 0.0

    def read(self, frame: Frame, reading: Reading, *, first: bool) -> Reading:
        """Return the reading with its counter and total, if these can be told by now.

        The numbers are read at the ``first`` look at a game and now and then in later ones.
        """
        if reading.mines_left is not None or reading.board.mines is not None:
            return reading
        if first:
            self._looks, self._next = {False: [], True: []}, frame.time
        if frame.time < self._next or len(self._looks[False]) >= _READINGS:
            return reading
        self._next = frame.time + _READ_INTERVAL
        for small, looks in self._looks.items():
            numbers = read_numbers(frame.pixels, reading.grid, small)
            looks.append(NumbersLook(frame.time, tuple(numbers), reading.board.states))
            counter = find_counter(numbers, reading.board.states, self.right) or counter_over(looks)
            if counter is not None:
                number = next(number for number in numbers if number.box == counter.box)
                if (timer := partner(number, numbers)) is not None:
                    self.right = counter.box.x > timer.box.x
                return counted(reading, counter)
        return reading


def read_counter(pixels: Pixels, grid: Grid, skin: Skin, gain: Floats) -> int | None:
    """Return what the mine counter beside ``grid`` shows; None if it is not there or cannot be read.

    Frames differ by a pixel or two: the counter is read where most of its segments are lit.
    """
    looked = _looked_at(pixels, grid, skin, gain)
    if looked is None:
        return None
    seen, foreign = looked
    sharpness = seen[..., :7].sum((1, 2)) - 2 * seen[..., 7:].sum((1, 2))
    sharpness[foreign.max((1, 2)) > _DARK] = 0
    if sharpness.max() <= 0:
        return None
    best = [shift for shift in np.argsort(-sharpness) if sharpness[shift] >= _AS_SHARP * sharpness.max()]
    clearest = max(best, key=lambda shift: _threshold(seen[shift])[1])
    return _number(seen[clearest])


def counter_hidden(pixels: Pixels, grid: Grid, skin: Skin, gain: Floats) -> bool:
    """Return whether something else is where the mine counter should be: it is dark, whatever it shows."""
    looked = _looked_at(pixels, grid, skin, gain)
    return looked is not None and bool(looked[1].max((1, 2)).min() > _DARK)


def _looked_at(pixels: Pixels, grid: Grid, skin: Skin, gain: Floats) -> tuple[Floats, Floats] | None:
    """Return how much each spot is lit in the counter's colour and in others, at each shift.

    Both are of shape (shifts, digits, 9). It is None if the skin has no counter or the picture ends before.
    """
    layout, cell = skin.counter, skin.cell
    if layout is None:
        return None
    x, y = _spots(grid, layout, cell)
    if x.min() < 0 or y.min() < 0 or x.max() >= pixels.shape[1] or y.max() >= pixels.shape[0]:
        return None
    place, soft = _around(x, y, grid, cell), _soft(grid)
    left, top = max(0, place.x), max(0, place.y)
    sharp = _levels(place.cut(pixels), layout, gain)
    levels = cv2.blur(sharp, (soft + 1 | 1, soft + 1 | 1))
    dx, dy = _SHIFTS[:, :, None, None]
    across = np.rint(x - left - 0.5 + dx * grid.pitch_x / cell).astype(int).clip(0, levels.shape[1] - 1)
    down = np.rint(y - top - 0.5 + dy * grid.pitch_y / cell).astype(int).clip(0, levels.shape[0] - 1)
    return levels[down, across, 0], levels[down, across, 1]


def _soft(grid: Grid) -> int:
    """Return over how many pixels a spot is looked at."""
    return max(1, round(0.1 * grid.pitch_x))


def counter_place(grid: Grid, skin: Skin) -> Rect:
    """Return all that `read_counter` looks at, in frame pixels; nothing if the skin has no mine counter."""
    if skin.counter is None:
        return Rect(0, 0, 0, 0)
    return _around(*_spots(grid, skin.counter, skin.cell), grid, skin.cell)


def _around(x: Floats, y: Floats, grid: Grid, cell: int) -> Rect:
    """Return all that is looked at for spots in these places, wherever they are shifted."""
    left, top, right, bottom = int(x.min()), int(y.min()), int(x.max()) + 1, int(y.max()) + 1
    margin = round((_FARTHEST + 2) * grid.pitch_x / cell) + _soft(grid)
    return Rect(left, top, right - left, bottom - top).grown(margin)


def _spots(grid: Grid, layout: CounterLayout, cell: int) -> tuple[Floats, Floats]:
    """Return x and y in frame pixels of the nine spots of every digit, each of shape (digits, 9)."""
    starts = layout.x + layout.step * np.arange(layout.digits)
    across = starts[:, None] + layout.width * _SPOTS[:, 0]
    down = np.broadcast_to(layout.y + layout.height * _SPOTS[:, 1], across.shape)
    edge = grid.x + grid.width if layout.right else grid.x
    x = edge + across * grid.pitch_x / cell
    y = grid.y + down * grid.pitch_y / cell
    return x.astype(np.float32), y.astype(np.float32)


def _levels(area: Pixels, layout: CounterLayout, gain: Floats) -> Floats:
    """Return how much every pixel is lit in the counter's colour, and how much in others, each 0 to 1.

    White is not lit in the counter's colour.
    """
    lit = np.array(layout.lit, np.float32) >= 128
    balanced = area.astype(np.float32) / gain / 255
    other = balanced[..., ~lit].max(-1) if not lit.all() else np.zeros(area.shape[:2], np.float32)
    light = (balanced[..., lit].min(-1) - other).clip(0, 1)
    return np.stack([light, other], -1).astype(np.float32)


def _threshold(brightness: Floats) -> tuple[float, float]:
    """Return what separates lit spots from dark ones, and how far these are apart, in the widest gap.

    Both are parts of the brightest segment.
    """
    relative = np.sort((brightness / max(float(brightness[:, :7].max()), 1e-6)).reshape(-1))
    gaps, middles = np.diff(relative), (relative[1:] + relative[:-1]) / 2
    gaps[(middles < _BETWEEN[0]) | (middles > _BETWEEN[1])] = 0
    widest = int(gaps.argmax())
    return float(middles[widest]), float(gaps[widest])


def _number(brightness: Floats) -> int | None:
    """Return the number that the spots (digits, 9) show, None if they show none."""
    strongest = float(brightness[:, :7].max())
    threshold, apart = _threshold(brightness)
    if strongest < _FAINTEST or apart < _APART:
        return None
    on = brightness / strongest > threshold
    if on[:, 7:].any():
        return None
    segments = [frozenset(name for name, lit in zip("abcdefg", digit, strict=False) if lit) for digit in on]
    try:
        digits = ("-" if names == {"g"} else str(SEGMENT_DIGITS.get(names, "x")) for names in segments)
        return int("".join(digits))
    except ValueError:
        return None
