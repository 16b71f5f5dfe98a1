"""Find the mine counter among the numbers beside a board.

A skin may say where to look first. If its counter is not there, all numbers beside the board are read, and
the counter is the one whose value is possible for the board. If one look does not decide this, several looks
identify the timer, because it grows with the seconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.board import COVERED, MAY_BE_MINE, SHOWN_MINES, Board, State, States, count_states
from bot.geometry import Frame, Grid, Pixels, Rect
from bot.levels import USUAL_MINES
from bot.vision.panel.panel_numbers import Number, numbers_in, read_numbers
from bot.vision.reading import Reading, total_mines, with_total
from bot.vision.skin import Skin

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
_HEIGHTS = (0.7, 1.2)  # of a display's height: least and greatest height of the digits in it


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
    if whole and not believed and USUAL_MINES.get(states.shape) is None:
        believed = [*_beside_total(numbers, states)]
    return believed[0] if len({counter.total for counter in believed}) == 1 else None


def _beside_total(numbers: Sequence[Number], states: States) -> Iterator[Counter]:
    """Yield each number that the flags make up to another one, which is then the total of mines."""
    flags = count_states(states, State.FLAG, State.WRONG_FLAG)
    sure = [number for number in numbers if number.sure]
    totals = {number.value for number in sure}
    for number in sure:
        counter = counter_at(number, states)
        if counter is not None and flags > 1 and counter.total in totals and _is_likely(counter, states):
            yield counter


def counter_at(number: Number, states: States) -> Counter | None:
    """Return ``number`` as the mine counter of a board with ``states``; None if it cannot be the counter.

    If a number has a slash, the total is after it, and the flags or the mines left are before it. Many games
    show their mines in place of flags, and a counter at 0, once they are won.
    """
    flags = count_states(states, State.FLAG, State.WRONG_FLAG)
    if number.value == 0 and not count_states(states, State.COVERED, State.QUESTION, State.EXPLODED):
        flags += count_states(states, State.MINE)
    total = number.value + flags if number.total is None else number.total
    if number.total is not None and number.value not in (flags, number.total - flags):
        return None
    numbers = states[states < COVERED]  # each needs that many mines
    room, shown = count_states(states, *MAY_BE_MINE), count_states(states, *SHOWN_MINES)
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
    return written or (_is_likely(counter, states) and USUAL_MINES.get(states.shape) == counter.total)


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
        rival = counter_at(other, states)
        usual = rival is not None and rival.total == USUAL_MINES.get(states.shape)
        return (number.box.x > other.box.x) == right and not usual
    timer, box = other.box, number.box
    padded = timer.width > _PADDED * timer.height and abs(timer.width - box.width) <= _ALIKE * timer.width
    if padded and other.value == 0 and other.sure and bool((states == State.COVERED).all()):  # it shows 000
        return True
    return USUAL_MINES.get(states.shape) is None and _is_likely(counter, states)


def _is_likely(counter: Counter, states: States) -> bool:
    low, high = _DENSITY
    return low * states.size <= counter.total <= high * states.size


def with_counter(pixels: Pixels, reading: Reading, skin: Skin | None = None) -> Reading:
    """Return the reading with the mine counter found beside its board; unchanged if none is found.

    ``pixels`` is the BGR picture that was read; ``skin`` says where to look first, and which of two numbers
    is the counter.
    """
    if reading.mines_left is not None:
        return reading
    if skin is not None and number_at(pixels, counter_place(reading.grid, skin)) is not None:
        left = counter_by_skin(pixels, reading.grid, skin)  # None if digits of it cannot be read
        return with_total(replace(reading, mines_left=left), total_mines(reading.board.states, left))
    right = None if skin is None else skin.counter_right
    for small in (False, True):
        numbers = read_numbers(pixels, reading.grid, small)
        if (counter := find_counter(numbers, reading.board.states, right)) is not None:
            return counted(reading, counter)
    return reading


def counter_place(grid: Grid, skin: Skin) -> Rect:
    """Return where a skin has its mine counter, in frame pixels; an empty rectangle if it gives no place."""
    layout = skin.counter
    if layout is None:
        return Rect(0, 0, 0, 0)
    across, down = grid.pitch_x / skin.cell, grid.pitch_y / skin.cell
    edge = grid.x + (grid.width if layout.right else 0)
    x, y = edge + layout.x * across, grid.y + layout.y * down
    wide = (layout.step * (layout.digits - 1) + layout.width) * across
    return Rect(round(x), round(y), round(wide), round(layout.height * down))


def counter_by_skin(pixels: Pixels, grid: Grid, skin: Skin) -> int | None:
    """Return the value of the mine counter at the place that a skin gives; None if it is not there or hidden.

    The number begins with the first digit of the display and ends with its last one, or behind it: something
    may hide the others.
    """
    layout, place = skin.counter, counter_place(grid, skin)
    if layout is None or (number := number_at(pixels, place)) is None:
        return None
    digit = layout.width * grid.pitch_x / skin.cell
    return number.value if number.box.x < place.x + digit and number.box.right > place.right - digit else None


def around_counter(place: Rect) -> Rect:
    """Return the area in which a number at ``place`` is read, even with one digit more on either side."""
    wide, tall = place.height, place.height // 5
    return Rect(place.x - wide, place.y - tall, place.width + 2 * wide, place.height + 2 * tall)


def number_at(pixels: Pixels, place: Rect) -> Number | None:
    """Return the number that a display at ``place`` shows; None if there is none, or several are near."""
    low, high = _HEIGHTS
    numbers = numbers_in(pixels, around_counter(place), (low * place.height, high * place.height))
    shown = [number for number in numbers if not number.box.intersection(place).empty]
    return shown[0] if len(shown) == 1 else None


def counted(reading: Reading, counter: Counter) -> Reading:
    """Return the reading with the value of ``counter`` and the total of mines that follows from it."""
    return with_total(replace(reading, mines_left=counter.mines_left), counter.total)


@dataclass(frozen=True, slots=True, eq=False)
class NumbersLook:
    """The numbers beside a board at a time in seconds, and the states of its cells, int8 (rows, cols)."""

    time: float
    numbers: tuple[Number, ...]
    states: States

    @property
    def whole(self) -> bool:
        """Whether every cell was read, so that no flag is missing."""
        return not count_states(self.states, State.UNREADABLE)


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
    if timer is None or counter is None or not _gave(counter, before):
        return None
    old_timer, seconds = _same_place(timer.box, before.numbers), now.time - before.time
    if old_timer is None or seconds < _LEAST or abs(timer.value - old_timer.value - seconds) > _LATE:
        return None
    return counter


def _cannot_be_timer(counter: Counter, looks: Sequence[NumbersLook]) -> bool:
    """Return whether the total that a number of the last look gives is no accident of the second.

    No cell is open, so that no timer runs yet, or an earlier look, `_LEAST` seconds before, gave the same.
    """
    *earlier, now = looks
    if any(now.time - before.time >= _LEAST and _gave(counter, before) for before in earlier):
        return True
    return not (now.states <= 8).any()


def _gave(counter: Counter, look: NumbersLook) -> bool:
    """Return whether a number at the place of ``counter`` gave the same total in an earlier ``look``."""
    number = _same_place(counter.box, look.numbers)
    then = None if number is None else counter_at(number, look.states)
    return then is not None and then.total == counter.total


def _same_place(box: Rect, others: Sequence[Number]) -> Number | None:
    return next((other for other in others if not other.box.intersection(box).empty), None)


class CounterFinder:
    """A reader of the mine counter beside one board, which finds out which number it is.

    ``right`` says whether it is the right one of two numbers; None while that is unknown. ``total`` is the
    total of mines in the present game; None while it is unknown. The total of one look is used until another
    look contradicts it: from then on two looks must agree.
    """

    def __init__(self) -> None:
        self.right: bool | None = None
        self._begin(0.0)

    def _begin(self, time: float) -> None:
        self.total: int | None = None
        self.agreed = False  # whether two looks gave the same total
        self._last: tuple[float, int] | None = None  # time and total of the last look with a counter
        self._found: tuple[Rect, int] | None = None  # place, relative to the board, and value of the counter
        self._refused: set[int] = set()
        self.dropped: set[int] = set()  # totals that were used and are no longer believed
        self._looks: dict[bool, list[NumbersLook]] = {False: [], True: []}  # by whether digits are small
        self._next = time

    def read(self, frame: Frame, reading: Reading, *, first: bool, known: int | None = None) -> Reading:
        """Return the reading with mine counter and total, if the counter has been identified.

        A counter that ``reading`` has not found is searched for at the ``first`` look at a game, and at
        intervals in later ones. ``known`` is the total of mines that was believed before.
        """
        if first:
            self._begin(frame.time)
        if self._last is None and self.total is None and known not in (None, *self._refused):
            self.total, self.agreed = known, True
        if reading.mines_left is None and not self.agreed:
            reading = self._with_found_counter(frame, replace(reading, board=Board(reading.board.states)))
        own = None if reading.mines_left is None else reading.board.mines
        hidden = self.total is not None and reading.unreadable  # these cells may hide flags
        own = None if own in self._refused or hidden else own
        if own is not None and not self.agreed:
            self._weigh(frame.time, own)
        total = own if self.agreed and own is not None else self.total
        board = reading.board if reading.board.mines == total else Board(reading.board.states, total)
        return replace(reading, board=board)

    def _weigh(self, time: float, total: int) -> None:
        """Take the total of one look as evidence."""
        if self._last is None:
            self.total = total
        elif time > self._last[0]:
            self.agreed = total == self._last[1]
            if not self.agreed:
                self.dropped.add(self._last[1])
            self.total = total if self.agreed else None
        self._last = time, total

    def refuse(self, total: int) -> None:
        """Never believe ``total`` again in this game: it makes the board impossible."""
        self._refused.add(total)
        self.dropped.add(total)
        self.total, self.agreed, self._last = None, False, None

    def _with_found_counter(self, frame: Frame, reading: Reading) -> Reading:
        """Return the reading with the counter at the place where it was found, or where it is found now.

        Unreadable cells may be flags: a look with some gives no total, unless that is usual for the board, is
        written beside it, or was given by a look without any.
        """
        corner, states = reading.grid.rect, reading.board.states
        if self._found is not None:
            place, value = self._found
            number = number_at(frame.pixels, place.moved(corner.x, corner.y))
            counter = None if number is None or not number.sure else counter_at(number, states)
            if counter is None:
                return reading
            if reading.unreadable:
                return replace(reading, mines_left=counter.mines_left)
            if counter.mines_left == value and self._last is not None:  # it may not count the flags
                return with_total(replace(reading, mines_left=value), self._last[1])
            return counted(reading, counter)
        if frame.time < self._next or len(self._looks[False]) >= _READINGS:
            return reading
        self._next = frame.time + _READ_INTERVAL
        for small, looks in self._looks.items():
            numbers = read_numbers(frame.pixels, reading.grid, small)
            looks.append(NumbersLook(frame.time, tuple(numbers), states))
            counter = find_counter(numbers, states, self.right)
            believed = counter is not None and _cannot_be_timer(counter, looks)
            if not believed and (counter := counter_beside_timer(looks)) is not None:
                believed = any(each.whole and _gave(counter, each) for each in looks)
            if counter is not None:
                number = next(number for number in numbers if number.box == counter.box)
                if (timer := partner(number, numbers)) is not None:
                    self.right = counter.box.x > timer.box.x
                self._found = counter.box.moved(-corner.x, -corner.y), counter.mines_left
                reading = replace(reading, mines_left=counter.mines_left)
                return with_total(reading, counter.total if believed else None)
        return reading
