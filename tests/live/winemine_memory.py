"""Read the true boards from the memory of WineMine, for tests only; the bot must never do this.

The program keeps one structure (``BOARD`` in the sources of Wine): the numbers of rows, columns and mines,
then names and times of records, then the status of the game, then one word per cell, column by column with a
border. It is read from ``/proc`` while the game runs, without disturbing it.
"""

from __future__ import annotations

import os
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from bot.board import Cell, neighbours
from bot.errors import BotError
from bot.levels import BEGINNER, Level
from truth import TrueGame

INTERVAL = 0.001  # seconds between two reads
_PATIENCE = 15.0  # seconds for the game to begin a board
_WAITING, _PLAYING, _LOST, _WON = range(4)
_COLS, _ROWS = 32, 26  # of the array, with the border
_MINE = 1
_STATUS, _CELLS = 59, 60  # offsets in words of four bytes, from the number of rows
_FORMAT = struct.Struct(f"<{_CELLS + _COLS * _ROWS}I")
_BEFORE = 16  # bytes of a new board that come before the number of rows


@dataclass(frozen=True, slots=True)
class _State:
    """The content of the memory at one moment."""

    rows: int
    cols: int
    status: int
    mines: frozenset[Cell]


def parsed(memory: bytes) -> _State | None:
    """Return the state in ``memory``, which begins at the number of rows; None while it is being changed."""
    words = _FORMAT.unpack_from(memory)
    rows, cols, mines = words[:3]
    laid = frozenset(
        Cell(row, col) for col in range(cols) for row in range(rows) if words[_word(row, col)] & _MINE
    )
    if words[_STATUS] != _WAITING and len(laid) != mines:
        return None
    return _State(rows, cols, words[_STATUS], laid)


def _word(row: int, col: int) -> int:
    return _CELLS + (col + 1) * _ROWS + row + 1


class Memory:
    """The memory of the WineMine in a Wine prefix that has a new board of ``level``.

    Raises BotError if there is no such program, or if its memory has another layout.
    """

    def __init__(self, prefix: Path, level: Level = BEGINNER) -> None:
        self._file, self._address = _found(prefix, level)

    def read(self) -> bytes:
        """Return the bytes from the number of rows on; fewer once the program has ended."""
        return os.pread(self._file, _FORMAT.size, self._address)

    def lay(self, mines: frozenset[Cell]) -> None:
        """Place the mines of a game before its first click, which then places none.

        Raises BotError if the game has already begun.
        """
        words = list(_FORMAT.unpack(self.read()))
        if words[_STATUS] != _WAITING or any(words[_CELLS:]):
            raise BotError("the game has begun: no mines can be laid")
        words[_STATUS], (rows, cols) = _PLAYING, words[:2]
        for row in range(rows):
            for col in range(cols):
                around = sum(cell in mines for cell in neighbours(rows, cols, Cell(row, col)))
                words[_word(row, col)] = (Cell(row, col) in mines) | around << 4
        os.pwrite(self._file, _FORMAT.pack(*words)[4 * _STATUS :], self._address + 4 * _STATUS)

    def close(self) -> None:
        """Close the memory."""
        os.close(self._file)


class TrueGames:
    """Follows the games of a WineMine until `close`, or until the program ends."""

    def __init__(self, prefix: Path) -> None:
        self._games = list[TrueGame]()
        self._memory = Memory(prefix)
        self._seen = self._last = b""
        self._over = threading.Event()
        while not self._games and self._look():
            pass
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    @property
    def games(self) -> list[TrueGame]:
        """The games so far, in order of time."""
        return [*self._games]

    def close(self) -> None:
        """Stop following."""
        self._over.set()
        self._thread.join()
        self._memory.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _follow(self) -> None:
        with suppress(OSError):
            while not self._over.wait(INTERVAL) and self._look():
                pass
        self._games[-1] = replace(self._games[-1], gone=now())

    def _look(self) -> bool:
        """Read the memory, and store its state if two reads agree; return whether the program still runs.

        A state that is seen only once may be a board whose mines are just being placed.
        """
        memory = self._memory.read()
        steady, self._seen = memory == self._seen, memory
        if steady and len(memory) == _FORMAT.size and memory != self._last:
            self._last = memory
            if (state := parsed(memory)) is not None:
                self._take(state)
        return len(memory) == _FORMAT.size

    def _take(self, state: _State) -> None:
        at, last = now(), self._games[-1] if self._games else None
        if last is None or _is_another(last, state):
            if last is not None:
                self._games[-1] = replace(last, gone=at)
            last = TrueGame(at, state.rows, state.cols)
            self._games.append(last)
        if state.status != _WAITING:
            last = replace(last, mines=state.mines)
        if state.status in (_LOST, _WON) and last.won is None:
            last = replace(last, ended=at, won=state.status == _WON)
        self._games[-1] = last


def now() -> float:
    """Return the time that `time.perf_counter` gives in Windows, under Wine."""
    return time.clock_gettime(time.CLOCK_MONOTONIC_RAW)


def _is_another(last: TrueGame, state: _State) -> bool:
    if (last.rows, last.cols) != (state.rows, state.cols):
        return True
    laid = None if state.status == _WAITING else state.mines
    return last.mines is not None and last.mines != laid


def _found(prefix: Path, level: Level) -> tuple[int, int]:
    """Return the open memory of a WineMine with a new board in a prefix, and the address of the board.

    Waits, because another WineMine that was ended may still be there for a while.
    """
    deadline = time.monotonic() + _PATIENCE
    while True:
        for process in _processes(prefix):
            with suppress(OSError):
                memory = os.open(process / "mem", os.O_RDWR)
                if (address := _address(process, memory, level)) is not None:
                    return memory, address
                os.close(memory)
        if time.monotonic() > deadline:
            raise BotError(
                f"no WineMine whose memory can be read and is laid out as is known runs in {prefix}"
            )
        time.sleep(0.05)


def _processes(prefix: Path) -> Iterator[Path]:
    """Yield the ``/proc`` folders of the WineMine processes in a prefix."""
    mark = f"WINEPREFIX={prefix}".encode()
    for folder in (each for each in Path("/proc").iterdir() if each.name.isdigit()):
        with suppress(OSError):
            called = (folder / "cmdline").read_bytes().rstrip(b"\0").endswith(b"winemine.exe")
            if called and mark in (folder / "environ").read_bytes().split(b"\0"):
                yield folder


def _address(process: Path, memory: int, level: Level) -> int | None:
    """Return the address of the number of rows of a new board of ``level``; None if there is none."""
    rows, cols, mines = level.rows, level.cols, level.mines
    # time, flags, cells to open, an unused counter, rows, columns and mines of a new board
    new = struct.pack("<7I", 0, 0, rows * cols - mines, 0, rows, cols, mines)
    areas = [line.split() for line in (process / "maps").read_text().splitlines()]
    named = [index for index, area in enumerate(areas) if area[-1].endswith("/winemine.exe")]
    for bounds, rights, *_ in areas[named[0] : named[-1] + 1] if named else ():
        begin, end = (int(bound, 16) for bound in bounds.split("-"))
        index = os.pread(memory, end - begin, begin).find(new) if rights.startswith("rw") else -1
        if index >= 0:
            return begin + index + _BEFORE
    return None
