"""Experience: how opening a cell has gone in each 5x5 neighbourhood (Korlyakova 2016).

Every neighbourhood starts as a mine. One in which a choice went well gets a better risk by a step, one in
which it went badly a worse one; the first step is the largest, and each later one moves the risk to the
mean of all.

A file of it is one line ``minebot experience 1``, one line of JSON (``entries``, ``games``), and a zlib
stream of the neighbourhoods in the order of their keys: three columns, one after the other, little endian.
They are the keys as differences from the one before (int64), the times (uint16) and the risks (uint16,
65535 for a mine).
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bot.errors import ExperienceError
from bot.solver.neighbourhoods import Keys, simpler

Risks = npt.NDArray[np.float64]
Times = npt.NDArray[np.int64]

_TITLE = b"minebot experience 1"
_MINE = 65535  # a risk of 1.0 in a file
_MOST = 65535  # times; from then on steps grow no smaller
_ENTRY = 8 + 2 + 2  # bytes of a neighbourhood, unpacked


@dataclass(frozen=True, eq=False)
class Experience:
    """What is known of neighbourhoods, arrays (entries,), by their ``keys`` in rising order.

    ``times`` is how often each was met, ``mines`` the mean of its risks, ``games`` in how many games.
    """

    keys: Keys
    times: Times
    mines: Risks
    games: int = 0

    @classmethod
    def none(cls) -> Experience:
        """Return the experience of a beginner."""
        return cls(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))

    @cached_property
    def alike(self) -> Experience:
        """The same of simpler neighbourhoods, in which only the numbers around the middle are seen."""
        keys, which = np.unique(simpler(self.keys), return_inverse=True)
        times = np.bincount(which.ravel(), self.times, len(keys))
        mines = np.bincount(which.ravel(), self.times * self.mines, len(keys)) / times
        return Experience(keys, times.astype(np.int64), mines, self.games)

    @property
    def digest(self) -> str:
        """A short text that changes with all that was learned."""
        return f"{zlib.crc32(self.written()):08x}"

    def recalled(self, keys: Keys) -> tuple[Risks, Times]:
        """Return the mean risk of each of ``keys``, 1.0 if it was never met, and how often it was."""
        if not len(self.keys):
            return np.ones(len(keys)), np.zeros(len(keys), np.int64)
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        known = self.keys[places] == keys
        return np.where(known, self.mines[places], 1.0), np.where(known, self.times[places], 0)

    def after(self, keys: Keys, mines: Risks, games: int = 1) -> Experience:
        """Return this experience after so many ``games`` more, in which cells with these ``keys`` were met.

        ``mines`` is 1.0 for each that was a mine and 0.0 for one that was not, or its chance.
        """
        fresh, which, met = np.unique(keys, return_inverse=True, return_counts=True)
        sums = np.bincount(which.ravel(), mines, len(fresh))
        whole = np.union1d(self.keys, fresh)
        times, total = np.zeros(len(whole), np.int64), np.zeros(len(whole))
        own, new = np.searchsorted(whole, self.keys), np.searchsorted(whole, fresh)
        times[own], total[own] = self.times, self.mines * self.times
        times[new] += met
        total[new] += sums
        return Experience(whole, np.minimum(times, _MOST), total / times, self.games + games)

    def often(self, times: int) -> Experience:
        """Return what was met so many times at least."""
        kept = self.times >= times
        return replace(self, keys=self.keys[kept], times=self.times[kept], mines=self.mines[kept])

    def written(self) -> bytes:
        """Return the content of a file: `read` turned round, but for the rounding of risks."""
        facts = json.dumps({"entries": len(self.keys), "games": self.games})
        columns = (
            np.diff(self.keys, prepend=0).astype("<i8"),
            self.times.astype("<u2"),
            np.rint(self.mines * _MINE).astype("<u2"),
        )
        packed = zlib.compress(b"".join(column.tobytes() for column in columns), 9)
        return b"\n".join([_TITLE, facts.encode("ascii"), packed])


def read(content: bytes, name: str) -> Experience:
    """Return the experience in the ``content`` of the file ``name``.

    Raises ExperienceError if it is no such file, or a damaged one.
    """
    title, _, rest = content.partition(b"\n")
    if title != _TITLE:
        raise ExperienceError(f"{name} is no experience of minebot's: move it away, or name another folder")
    try:
        return _unpacked(*rest.split(b"\n", 1))
    except (ValueError, TypeError, KeyError, zlib.error) as error:
        raise ExperienceError(
            f"{name} is damaged: move it away to play with what is shipped, or learn anew with --fresh"
        ) from error


def _unpacked(facts: bytes, packed: bytes) -> Experience:
    """Return what is in a file. Raises ValueError, TypeError, KeyError or zlib.error if it is damaged."""
    said = json.loads(facts)
    entries, games = int(said["entries"]), int(said["games"])
    columns = zlib.decompress(packed)
    if entries < 0 or games < 0 or len(columns) != entries * _ENTRY:
        raise ValueError("cut short")
    keys = np.cumsum(np.frombuffer(columns, "<i8", entries))
    times, mines = np.frombuffer(columns, "<u2", 2 * entries, entries * 8).reshape(2, entries)
    if (np.diff(keys) <= 0).any() or (times == 0).any():
        raise ValueError("out of order")
    return Experience(keys.astype(np.int64), times.astype(np.int64), mines / _MINE, games)
