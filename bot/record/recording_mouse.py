"""A mouse that tells of all that is sent by it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.desktop.protocols import Mouse, Stroke, Window, anywhere
from bot.geometry import Point
from bot.record.forms import Sent


class RecordingMouse:
    """A `Mouse` that does what ``mouse`` does, and tells ``note`` of each click and key.

    Their times are those of ``now``, just after they were sent.
    """

    def __init__(self, mouse: Mouse, now: Callable[[], float], note: Callable[[Sent], None]) -> None:
        self._mouse, self._now, self._note = mouse, now, note

    def position(self) -> Point:
        """Return where the pointer is."""
        return self._mouse.position()

    def move(self, point: Point) -> None:
        """Put the pointer at ``point``."""
        self._mouse.move(point)

    def burst(
        self,
        strokes: Sequence[Stroke],
        window: Window | None = None,
        heed: Callable[[Point], None] = anywhere,
    ) -> tuple[int, Point]:
        """Click, and tell of it."""
        sent, here = self._mouse.burst(strokes, window, heed)
        for point, button in strokes[:sent]:
            self._note(Sent(self._now(), point, button.value))
        return sent, here

    def press(self, *keys: str) -> None:
        """Press keys, and tell of it."""
        self._mouse.press(*keys)
        self._note(Sent(self._now(), keys=keys))
