"""Stand-ins for the outside world: a clock that only moves when somebody sleeps, a mouse that only notes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bot.desktop.protocols import Button, Clock, PointerCheck, Stroke, Window
from bot.errors import StoppedError
from bot.geometry import Point
from bot.stop import Stop


@dataclass
class FakeClock(Clock):
    """Time passes only by sleeping, plus ``step`` seconds with every look at it."""

    time: float = 0.0
    step: float = 0.0

    def now(self) -> float:
        self.time += self.step
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += seconds


def stop_key(pressed: Callable[[], object]) -> Stop:
    """Return a Stop whose reason is that the stop key is ``pressed``."""

    def check() -> None:
        if pressed():
            raise StoppedError("stopped: Esc was pressed")

    return Stop(check)


@dataclass
class FakeMouse:
    """Notes what it is told; ``at`` can be moved by a test as a user's hand would."""

    clock: FakeClock
    at: Point = field(default_factory=lambda: Point(0, 0))
    clicks: list[tuple[float, Point, Button]] = field(default_factory=list)
    keys: list[tuple[str, ...]] = field(default_factory=list)
    at_once: int = 1  # clicks that a burst may be of
    held: float = 0.0

    def position(self) -> Point:
        return self.at

    def move(self, point: Point) -> None:
        self.at = point

    def burst(
        self,
        strokes: Sequence[Stroke],
        window: Window | None,  # noqa: ARG002 - as the protocol
        check: PointerCheck,
        hold: float = 0.0,
    ) -> tuple[int, Point]:
        check(self.position())
        self.held = hold  # seconds, of the last click
        for point, button in strokes[: self.at_once]:
            self.click(point, button)
        return len(strokes[: self.at_once]), self.position()

    def click(self, point: Point, button: Button = Button.LEFT) -> None:
        self.at = point
        self.clicks.append((self.clock.time, point, button))

    def press(self, *keys: str, **_: object) -> None:
        self.keys.append(keys)
