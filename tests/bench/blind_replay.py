"""The clicks of a game sent again to WineMine on the same board, with no look at what they open."""

from __future__ import annotations

import re
import struct
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from Xlib import X, display

from bot.board import Board, Cell, State, neighbours
from bot.desktop.protocols import Capture, Mouse, Stroke
from bot.errors import BotError
from bot.geometry import Pixels, Rect

Burst = tuple[Stroke, ...]  # clicks that were sent without a look in between

PATIENCE = 120.0  # seconds in which the screen must change, on a busy machine too

# WineMine keeps in one structure, as 32-bit numbers: how many cells are to be opened, one more number, rows,
# columns and mines of its level, three names and best times, the level, the pressed cell, the face, the state
# of the game; and then its cells, column by column, 26 a column, with a border of one cell around them.
_STATE, _CELLS, _COLUMN = 59, 60, 26  # in numbers from the start of the level
_WAITING, _PLAYING = 0, 1
_COLUMNS = 32


class GameMemory:
    """The memory of a WineMine process, into which a measurement may write; the bot never does."""

    def __init__(self, process: int, rows: int, cols: int, mines: int) -> None:
        """Find a game that waits for its first click.

        Raises BotError if it is not as expected, PermissionError where no process may look into another.
        """
        self.rows, self.cols, self._cells_left = rows, cols, rows * cols - mines
        self._file = Path(f"/proc/{process}/mem")
        found = [
            place
            for start, end in _writable(process)
            for place in self._places(start, end, struct.pack("<3I", rows, cols, mines))
        ]
        if len(found) != 1:
            raise BotError("this WineMine keeps its board in another way: it cannot be given one")
        self._start = found[0]

    def _places(self, start: int, end: int, pattern: bytes) -> list[int]:
        data = self._read(start, end - start)
        left = struct.pack("<I", self._cells_left)
        found = (match.start() for match in re.finditer(re.escape(pattern), data))
        return [start + place for place in found if data[place - 8 : place - 4] == left]

    def _read(self, start: int, size: int) -> bytes:
        with self._file.open("rb", buffering=0) as memory:
            memory.seek(start)
            try:
                return memory.read(size)
            except OSError:  # pages that are only reserved
                return b""

    def lay(self, mines: frozenset[Cell]) -> None:
        """Lay the mines of a game that waits for its first click, which then lays none.

        Raises BotError if it does not wait for that.
        """
        size = 4 * (_CELLS + _COLUMN * _COLUMNS)
        numbers = list(struct.unpack(f"<{size // 4}I", self._read(self._start, size)))
        if numbers[_STATE] != _WAITING or any(numbers[_CELLS:]):
            raise BotError("the game has begun: no mines can be laid")
        numbers[_STATE] = _PLAYING
        for row in range(self.rows):
            for col in range(self.cols):
                around = sum(cell in mines for cell in neighbours(self.rows, self.cols, Cell(row, col)))
                place = _CELLS + _COLUMN * (col + 1) + row + 1
                numbers[place] = (Cell(row, col) in mines) | around << 4
        with self._file.open("r+b", buffering=0) as memory:
            memory.seek(self._start + 4 * _STATE)
            memory.write(struct.pack(f"<{len(numbers) - _STATE}I", *numbers[_STATE:]))


def process_of(handle: int) -> int:
    """Return the process of the window with that id. Raises BotError if the window does not say."""
    with closing(display.Display()) as there:
        window = there.create_resource_object("window", handle)
        told = window.get_full_property(there.intern_atom("_NET_WM_PID"), X.AnyPropertyType)
    if told is None:
        raise BotError("the window does not say which process it is of")
    return int(told.value[0])


def _writable(process: int) -> list[tuple[int, int]]:
    """Return where a process has memory of its own that is no more than a program's variables."""
    lines = (line.split() for line in Path(f"/proc/{process}/maps").read_text().splitlines())
    bounds = [[int(bound, 16) for bound in line[0].split("-")] for line in lines if line[1][:2] == "rw"]
    return [(start, end) for start, end in bounds if end - start <= 1 << 20]


@dataclass(frozen=True, slots=True)
class Replay:
    """How long a replay took until its last board was shown, and how often it looked at the screen."""

    seconds: float
    grabs: int
    waited: float  # seconds of waiting for the screen to change


def replay(
    bursts: Sequence[Burst], capture: Capture, mouse: Mouse, window: Rect, board: Rect, final: Pixels
) -> Replay:
    """Send the bursts, and after each wait until the picture of ``window`` changes; in the end for ``final``.

    ``board`` is where the cells are on the screen, ``final`` the BGR picture of them when the game is won.
    Raises BotError if nothing changes.
    """
    before, grabs, waited, start = capture.grab(window).pixels, 0, 0.0, time.perf_counter()
    for burst in bursts:
        left = burst
        while left:
            left = left[mouse.burst(left)[0] :]
        began = time.perf_counter()
        while np.array_equal(now := capture.grab(window).pixels, before):
            grabs += 1
            _in_time(began, "the screen does not change")
        before, waited = now, waited + time.perf_counter() - began
        grabs += 1
    began = time.perf_counter()
    while not np.array_equal((last := capture.grab(board)).pixels, final):
        grabs += 1
        _in_time(began, "the replay ends on another board")
    return Replay(last.time - start, grabs, waited + last.time - began)


def _in_time(began: float, complaint: str) -> None:
    if time.perf_counter() > began + PATIENCE:
        raise BotError(complaint)


def mines_of(board: Board) -> frozenset[Cell]:
    """Return the mines of a game that was won."""
    return frozenset(board.cells(State.FLAG, State.MINE))
