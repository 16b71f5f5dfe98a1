"""The total of mines from the numbers beside a board, over as many looks as that takes."""

from __future__ import annotations

from collections.abc import Sequence

from bot.geometry import Frame
from bot.player.look import Past
from bot.vision.panel import (
    Counter,
    Number,
    NumbersLook,
    counted,
    counter_over,
    find_counter,
    partner,
    read_numbers,
)
from bot.vision.reading import Reading

_INTERVAL = 2.1  # seconds between two readings of the numbers: a timer tells by its seconds
_MOST = 6  # readings in a game: they take longer than all else in a look


class Counting:
    """Reads the numbers beside one board until one of them is known to be its mine counter.

    ``right`` says whether it is the right one of two, None as long as that is not known.
    """

    def __init__(self) -> None:
        self.right: bool | None = None
        self._looks: dict[bool, list[NumbersLook]] = {False: [], True: []}  # at large and at small digits
        self._next = 0.0

    def read(self, frame: Frame, reading: Reading, past: Past | None) -> Reading:
        """Return the reading with its counter and total, if these can be told by now.

        The numbers are read at the first look at a game (``past`` is None) and now and then in later ones.
        """
        if reading.panel.mines_left is not None or reading.board.mines is not None:
            return reading
        if past is None:
            self._looks, self._next = {False: [], True: []}, frame.time
        if frame.time < self._next or len(self._looks[False]) >= _MOST:
            return reading
        self._next = frame.time + _INTERVAL
        for small, looks in self._looks.items():
            numbers = read_numbers(frame.pixels, reading.grid, small)
            looks.append(NumbersLook(frame.time, tuple(numbers), reading.board.states))
            counter = find_counter(numbers, reading.board.states, self.right) or counter_over(looks)
            if counter is not None:
                self._learn_side(counter, numbers)
                return counted(reading, counter)
        return reading

    def _learn_side(self, counter: Counter, numbers: Sequence[Number]) -> None:
        number = next(number for number in numbers if number.box == counter.box)
        if (timer := partner(number, numbers)) is not None:
            self.right = counter.box.x > timer.box.x
