"""The total of mines from the numbers beside a board, over as many looks as that takes."""

from __future__ import annotations

from bot.geometry import Frame
from bot.player.look import Past
from bot.vision.panel import Counter, NumbersLook, counted, counter_over, find_counter, partner, read_numbers
from bot.vision.reading import Reading

_INTERVAL = 1.0  # seconds between two readings of the numbers: a timer tells by its seconds
_MOST = 8  # looks that are kept


class Counting:
    """Reads the numbers beside one board until one of them is known to be its mine counter.

    ``right`` says whether it is the right one of two, None as long as that is not known.
    """

    def __init__(self) -> None:
        self.right: bool | None = None
        self._looks: list[NumbersLook] = []

    def read(self, frame: Frame, reading: Reading, past: Past | None) -> Reading:
        """Return the reading with its counter and total, if these can be told by now.

        At the first look at a game (``past`` is None) and each second after it the numbers are read.
        """
        if reading.panel.mines_left is not None or reading.board.mines is not None:
            return reading
        if past is None:
            self._looks = []
        elif self._looks and frame.time < self._looks[-1].time + _INTERVAL:
            return reading
        look = NumbersLook(frame.time, tuple(read_numbers(frame.pixels, reading.grid)), reading.board.states)
        self._looks = [*self._looks[-_MOST:], look]
        counter = find_counter(look.numbers, look.states, self.right) or counter_over(self._looks)
        if counter is None:
            return reading
        self._learn_side(counter, look)
        return counted(reading, counter)

    def _learn_side(self, counter: Counter, look: NumbersLook) -> None:
        number = next(number for number in look.numbers if number.box == counter.box)
        if (timer := partner(number, look.numbers)) is not None:
            self.right = counter.box.x > timer.box.x
