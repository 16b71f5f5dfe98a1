"""Reading a board by a skin for as long as it looks like that: its colours may be changed in a game."""

from __future__ import annotations

from collections.abc import Sequence

from bot.board import State
from bot.geometry import Grid, Pixels
from bot.player.place import alike
from bot.vision import Skin, Tracker
from bot.vision.reading import Reading
from bot.vision.search import read_at

_SEVERAL = 3  # numbers: neither a pointer nor a stain is on as many
_MOST = 0.5  # of all cells


class Art:
    """Reads boards by a skin, and finds the one of ``skins`` that a board looks like now."""

    def __init__(self, skins: Sequence[Skin]) -> None:
        self._skins = skins
        self._tracker: Tracker | None = None
        self._last: Reading | None = None

    def read(self, pixels: Pixels, grid: Grid, skin: Skin) -> Reading:
        """Return what a skin reads; where the board has not moved, only what has changed is looked at."""
        return self._tracker_on(grid, skin).read(pixels)

    def read_at_once(self, pixels: Pixels, grid: Grid, skin: Skin) -> Reading | None:
        """Return what `read` does if all that has changed is in plain view, None otherwise."""
        reading = self._tracker_on(grid, skin).read_at_once(pixels)
        self._last = reading or self._last
        return reading

    def _tracker_on(self, grid: Grid, skin: Skin) -> Tracker:
        tracker = self._tracker
        if tracker is None or tracker.grid != grid or tracker.skin is not skin:
            self._tracker = tracker = Tracker(grid, skin)
        return tracker

    def other(self, pixels: Pixels, reading: Reading) -> Reading | None:
        """Return what another skin reads if the one that has read a board reads much of it no longer.

        It is None if no other reads every cell. ``reading`` is what `read` has returned for ``pixels``.
        """
        last, self._last = self._last, reading
        if last is None or last.board.shape != reading.board.shape:
            return None
        before = [state for cell in reading.unreadable if (state := last.board[cell]) != State.UNREADABLE]
        if sum(state <= 8 for state in before) < _SEVERAL and len(before) < _MOST * last.board.states.size:
            return None
        others = [skin for skin in self._skins if skin.name != reading.skin]
        found = read_at(pixels, reading.grid, others)
        return found if found is not None and _whole(found, reading.grid) else None


def _whole(reading: Reading, grid: Grid) -> bool:
    return alike(reading.grid, grid) and not reading.unreadable
