"""Read the mine counter: at the place that a skin gives, or among the numbers beside a board.

A skin gives the place and the colour of its counter. Beside other boards all numbers are read, and the
counter is the one whose value is possible for the board. If one look does not decide this, several looks
identify the timer, because it grows with the seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from bot.board import MAY_BE_MINE, State, States
from bot.geometry import Frame, Grid, Pixels, Rect
from bot.levels import USUAL_MINES
from bot.vision.distortion import Floats
from bot.vision.panel.panel_numbers import SEGMENT_DIGITS, SEGMENT_PLACES, Number, read_numbers
from bot.vision.reading import Reading, with_total
from bot.vision.skin import CounterLayout, Skin

_DENSITY = (0.08, 0.3)  # of a board's cells: usual number of mines, least and most
_MOST = 0.7  # of the cells: most mines, if there is other evidence for the counter
_ONE_DIGIT = 0.9  # of its height: largest width of a single digit
_UNEVEN = 0.2  # of the height: largest difference of the tops and bottoms of two numbers in one line
_ALIKE = 0.15  # of the width: largest difference of two displays with the same number of digits
_PADDED = 1.3  # of its height: a display with leading zeros is wider
_LEAST = 2.0  # seconds at least between two looks that identify a timer
_LATE = 1.2  # seconds by which a timer's growth and the time between two looks may differ
_READ_INTERVAL = 2.1  # seconds between two readings of the numbers: enough to see a timer grow
_READINGS = 6  # readings at most in a game: they take longer than all else in a look

_INK = (0.85, 0.91)  # of the width and the height of a digit's box: part filled by the segments
_SPOTS = 0.5 + (SEGMENT_PLACES - 0.5) * _INK
_APART = 0.25  # of the brightest segment: smallest gap between segments that are on and off
_BETWEEN = (0.25, 0.75)  # of the brightest segment: range of the threshold between them
_FAINTEST = 0.3  # least brightness of the brightest segment
_DARK = 0.5  # largest brightness, in other colours, of a counter's background and segments
_AS_SHARP = 0.9  # of the best shift's sharpness: less sharp shifts miss segments and may show another number
_FARTHEST = 4  # pixels at 100 % scaling: programs with the same look place the counter differently
_SHIFTS = np.mgrid[-_FARTHEST : _FARTHEST + 1, -_FARTHEST : _FARTHEST + 1].reshape(2, -1)


@dataclass(frozen=True, slots=True)
class Counter:
    """A mine counter: its value (mines minus flags), its box in frame pixels, and the total of mines."""

    mines_left: int
    box: Rect
    total: int


def find_counter(numbers: Sequence[Number], states: States, right: bool | None = None) -> Counter | None:
    """Return the number that is the mine counter of a board with ``states``; None if none or several may be.

    ``right`` says whether the counter is the right one of two numbers in a line; None if that is unknown. An
    unreadable cell may be a flag; then the counter is accepted only if its total is usual for the board, or
    is shown beside it.
    """
    whole, believed = not (states == State.UNREADABLE).any(), []
    for number in numbers:
        counter = counter_at(number, states)
        if counter is not None and (
            _is_counter_alone(number, counter, states)
            or (whole and _is_counter_by_pair(number, counter, numbers, states, right))
        ):
            believed.append(counter)
    return believed[0] if len({counter.total for counter in believed}) == 1 else None


def counter_at(number: Number, states: States) -> Counter | None:
    """Return ``number`` as the mine counter of a board with ``states``; None if it cannot be the counter.

    If a number has a slash, the total is after it, and the flags or the mines left are before it.
    """
    flags = int(np.isin(states, (State.FLAG, State.WRONG_FLAG)).sum())
    total = number.value + flags if number.total is None else number.total
    if number.total is not None and number.value not in (flags, number.total - flags):
        return None
    numbers = states[states <= 8]  # each needs that many mines
    room, shown = (
        int(np.isin(states, [*kinds]).sum()) for kinds in (MAY_BE_MINE, (State.MINE, State.EXPLODED))
    )
    least = max(int(numbers.max(initial=0)), shown)
    fits = 0 < total <= _MOST * states.size and least <= total <= room
    return Counter(total - flags, number.box, total) if fits else None


def partner(number: Number, numbers: Sequence[Number]) -> Number | None:
    """Return the only other number in one line with ``number``; None if there is none or several.

    One of the two must have several digits: single strokes and rings, which look like 1 and 0, are common.
    """

    def in_line(box: Rect) -> bool:
        slack = _UNEVEN * max(box.height, number.box.height)
        return abs(box.y - number.box.y) <= slack and abs(box.bottom - number.box.bottom) <= slack

    pair = [each for each in numbers if in_line(each.box)]
    several = any(each.box.width > _ONE_DIGIT * each.box.height for each in pair)
    others = [each for each in pair if each is not number]
    return others[0] if len(others) == 1 and several else None


def _is_counter_alone(number: Number, counter: Counter, states: States) -> bool:
    """Return whether a total is after a slash, or usual for the board, which a timer rarely leads to."""
    low, _ = _DENSITY
    written = number.sure and number.total is not None and counter.total >= low * states.size
    return written or (_likely(counter, states) and USUAL_MINES.get(states.shape) == counter.total)


def _is_counter_by_pair(
    number: Number, counter: Counter, numbers: Sequence[Number], states: States, right: bool | None
) -> bool:
    """Return whether the other of two numbers shows that ``number`` is the counter.

    A number alone may be the timer. If the side of the counter is unknown, the number beside a timer at zero
    is the counter of a fresh board. In other cases a board of a usual size needs the usual total, for which
    `_is_counter_alone` decides; on another board any likely total is accepted.
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
    """Return the reading with the mine counter found beside its board; unchanged if none is found.

    This is for boards whose skin does not give the counter's place. ``pixels`` is the BGR picture that was
    read; ``right`` says whether the counter is the right one of two numbers, None if that is unknown.
    """
    if reading.mines_left is not None:
        return reading
    for small in (False, True):
        numbers = read_numbers(pixels, reading.grid, small)
        if (counter := find_counter(numbers, reading.board.states, right)) is not None:
            return counted(reading, counter)
    return reading


def counted(reading: Reading, counter: Counter) -> Reading:
    """Return the reading with the value of ``counter`` and the total of mines that follows from it."""
    return with_total(replace(reading, mines_left=counter.mines_left), counter.total)


@dataclass(frozen=True, slots=True, eq=False)
class NumbersLook:
    """The numbers beside a board at a time in seconds, and the states of its cells, int8 (rows, cols)."""

    time: float
    numbers: tuple[Number, ...]
    states: States


def counter_beside_timer(looks: Sequence[NumbersLook]) -> Counter | None:
    """Return the mine counter of the last look, if the number beside it is proven to be the timer; else None.

    The proof: between two looks at one game the timer has grown by the seconds that have passed, while
    counter and flags gave the same total.
    """
    for before in looks[:-1]:
        for number in looks[-1].numbers:
            if (counter := _confirmed(number, before, looks[-1])) is not None:
                return counter
    return None


def _confirmed(number: Number, before: NumbersLook, now: NumbersLook) -> Counter | None:
    """Return ``number`` as the counter if the number beside it has grown like a timer; otherwise None."""
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


class CounterFinder:
    """A reader of the numbers beside one board, which finds out which of them is the mine counter.

    ``right`` says whether it is the right one of two; None while that is unknown.
    """

    def __init__(self) -> None:
        self.right: bool | None = None
        self._looks: dict[bool, list[NumbersLook]] = {False: [], True: []}  # by whether digits are small
        self._next = 0.0

    def read(self, frame: Frame, reading: Reading, *, first: bool) -> Reading:
        """Return the reading with mine counter and total, if the counter has been identified.

        The numbers are read at the ``first`` look at a game, and at intervals in later ones.
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
            counter = find_counter(numbers, reading.board.states, self.right) or counter_beside_timer(looks)
            if counter is not None:
                number = next(number for number in numbers if number.box == counter.box)
                if (timer := partner(number, numbers)) is not None:
                    self.right = counter.box.x > timer.box.x
                return counted(reading, counter)
        return reading


def read_counter(pixels: Pixels, grid: Grid, skin: Skin, gain: Floats) -> int | None:
    """Return the value of the mine counter beside ``grid``; None if it is absent or cannot be read.

    The frames of programs differ by a pixel or two: the counter is read at the shift where it is sharpest.
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
    """Return whether something hides the mine counter: its place is bright in other colours than its own."""
    looked = _looked_at(pixels, grid, skin, gain)
    return looked is not None and bool(looked[1].max((1, 2)).min() > _DARK)


def _looked_at(pixels: Pixels, grid: Grid, skin: Skin, gain: Floats) -> tuple[Floats, Floats] | None:
    """Return the brightness of each spot in the counter's colour and in other colours, at each shift.

    Both have the shape (shifts, digits, 9). None if the skin has no counter or it is outside the picture.
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
    """Return over about how many pixels a spot is averaged."""
    return max(1, round(0.1 * grid.pitch_x))


def counter_place(grid: Grid, skin: Skin) -> Rect:
    """Return the area that `read_counter` examines, in frame pixels; it is empty without a counter."""
    if skin.counter is None:
        return Rect(0, 0, 0, 0)
    return _around(*_spots(grid, skin.counter, skin.cell), grid, skin.cell)


def _around(x: Floats, y: Floats, grid: Grid, cell: int) -> Rect:
    """Return the area that is examined for spots at these places and all their shifts."""
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
    """Return the brightness of every pixel in the counter's colour and in other colours, each 0 to 1.

    White does not count as the counter's colour.
    """
    lit = np.array(layout.colour, np.float32) >= 128
    balanced = area.astype(np.float32) / gain / 255
    other = balanced[..., ~lit].max(-1) if not lit.all() else np.zeros(area.shape[:2], np.float32)
    light = (balanced[..., lit].min(-1) - other).clip(0, 1)
    return np.stack([light, other], -1).astype(np.float32)


def _threshold(brightness: Floats) -> tuple[float, float]:
    """Return the brightness between lit and dark spots, at the widest gap, and the width of that gap.

    Both are fractions of the brightness of the brightest segment.
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
