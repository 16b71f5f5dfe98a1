"""Where the time of a game goes: what the player is given, with a watch on every call."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from bot.clicker import Clock, RealClock
from bot.desktop.protocols import Capture, Mouse, Stroke, Window, anywhere
from bot.geometry import Frame, Point, Rect
from bot.play import BoardWatcher, Look
from bot.play.look import Past
from bot.vision.reading import Reading

REST = "decide and the rest"


@dataclass
class Stopwatch:
    """Adds up how many seconds each part took, without the parts inside it; what is in none is `REST`.

    ``processor`` are the seconds for which this process was at work in it: other programs add less to those.
    """

    clock: Clock = field(default_factory=RealClock)
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    processor: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    calls: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._parts, self._since, self._worked = [REST], self.clock.now(), time.process_time()

    def restart(self) -> None:
        """Forget all that was added up."""
        self._charge()
        self.seconds.clear()
        self.processor.clear()
        self.calls.clear()

    def _charge(self) -> None:
        now, worked = self.clock.now(), time.process_time()
        self.seconds[self._parts[-1]] += now - self._since
        self.processor[self._parts[-1]] += worked - self._worked
        self._since, self._worked = now, worked

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Charge the time of the block to ``name``."""
        self._charge()
        self._parts.append(name)
        self.calls[name] += 1
        try:
            yield
        finally:
            self._charge()
            self._parts.pop()

    def now(self) -> float:
        return self.clock.now()

    def sleep(self, seconds: float) -> None:
        with self.part("sleep"):
            self.clock.sleep(seconds)


@dataclass
class TimedCapture:
    capture: Capture
    watch: Stopwatch

    def grab(self, rect: Rect | None = None) -> Frame:
        with self.watch.part("grab"):
            return self.capture.grab(rect)

    def close(self) -> None:
        self.capture.close()


@dataclass
class TimedMouse:
    """``sent`` is told of each click."""

    mouse: Mouse
    watch: Stopwatch
    sent: Callable[[Sequence[Stroke]], None]

    def position(self) -> Point:
        with self.watch.part("check"):
            return self.mouse.position()

    def move(self, point: Point) -> None:
        with self.watch.part("send"):
            self.mouse.move(point)

    def burst(
        self,
        strokes: Sequence[Stroke],
        window: Window | None = None,
        check: Callable[[Point], None] = anywhere,
    ) -> tuple[int, Point]:
        with self.watch.part("send"):
            sent, here = self.mouse.burst(strokes, window, check)
        self.sent(strokes[:sent])
        return sent, here

    def press(self, *keys: str) -> None:
        self.mouse.press(*keys)


@dataclass
class TimedDesktop:
    """A desktop on all of whose answers there is a watch."""

    desktop: Any
    watch: Stopwatch

    def __getattr__(self, name: str) -> Any:
        answer = getattr(self.desktop, name)

        def timed(*arguments: Any) -> Any:
            with self.watch.part("check"):
                return answer(*arguments)

        return timed


class TimedWatcher(BoardWatcher):
    """``ended`` is told of the first look at each game that is over."""

    stopwatch: Stopwatch
    ended: Callable[[], None]

    def watch(
        self,
        done: Callable[[Reading], bool],
        past: Past | None,
        patience: float,
        asked: float | None = None,
    ) -> Look:
        with self.stopwatch.part("read"):
            look = super().watch(done, past, patience, asked)
        if look.reading.state.over:
            self.ended()
        return look
