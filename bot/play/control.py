"""What somebody beside the bot may ask of it while it plays: to pause, to go on, to go by rounds, to stop.

Orders are words: ``pause``, ``go``, ``step`` (one round, then pause), ``speed max``, ``speed human``,
``speed 20``, ``stop`` (and why, in words). Where they may come, a hand on the mouse pauses play as well:
whoever is to reach for the button that goes on has to move it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Protocol, TypeVar

from bot.capture import raise_if_stop_pressed
from bot.clicker import Clicker, Clock, parse_speed
from bot.desktop.protocols import Desktop
from bot.errors import StoppedError, TakenOverError, UsageError
from bot.geometry import Point

_ROUNDS = {"pause": 0, "go": None, "step": 1}  # until play pauses
ORDERS = (*_ROUNDS, "stop")
NAP = 0.03  # seconds between two looks for orders while play is paused
REST = 0.4  # seconds for which the mouse must lie still before the bot takes it
ORDERED = "it was told to"
LONGEST = 200  # characters of an order that are read, and given back where it is refused

NO_OTHERS: Mapping[str, Callable[[str], None]] = MappingProxyType({})
T = TypeVar("T")


class Paused(Exception):  # noqa: N818 - it is no error: play goes on
    """Play is to pause: what was seen before may not be there when it goes on."""


class News(Protocol):
    """Is told what has become of play: "paused", "playing", "refused", or a setting that was changed."""

    def __call__(self, kind: str, words: str = "") -> None:
        """Tell it."""


class Control:
    """The stop key, and ``orders``, which returns those that have come since its last call.

    ``others`` are called with what follows their names in orders, and raise UsageError if that is none.
    Without ``orders`` (None) nobody can pause play, and a hand on the mouse stops it. ``check_signals``
    raises SystemExit if a signal has come that ends the program.
    """

    def __init__(
        self,
        desktop: Desktop,
        clock: Clock,
        orders: Callable[[], Iterable[str]] | None = None,
        news: News = lambda kind, words="": None,  # noqa: ARG005
        others: Mapping[str, Callable[[str], None]] = NO_OTHERS,
        check_signals: Callable[[], None] = lambda: None,
    ) -> None:
        self._settings = {"speed": self._set_pace, **others}
        self._desktop, self._clock, self._orders, self._news = desktop, clock, orders, news
        self._check_signals = check_signals
        self._clicker: Clicker | None = None  # the one that has the mouse, if any has
        self._left: int | None = None  # rounds until play pauses, None: it goes on
        self._end: StoppedError | None = None
        self._in_step = self._quiet = self._told = False

    def serve(self, clicker: Clicker) -> None:
        """Change the pace of ``clicker`` from now on, and take the mouse from it while play is paused."""
        self._clicker = clicker

    def begin(self) -> None:
        """Give the mouse to the clicker, once a hand that could pause play has left it."""
        if self._orders is not None:
            self._await_rest()
        self._arm()

    def raise_if_stopped(self) -> None:
        """Raise StoppedError at the user's wish to stop, and ever after it; `Paused` at the wish to pause."""
        self._check_signals()
        if self._end is None:
            try:
                raise_if_stop_pressed(self._desktop)
                for order in self._orders() if self._orders is not None else ():
                    self._obey(order)
            except StoppedError as end:
                self._end = end
        if self._end is not None:
            raise self._end
        if self._to_pause and not self._quiet:
            raise Paused

    def raise_if_ended(self) -> None:
        """Raise StoppedError as `raise_if_stopped` does; a wish to pause is kept for later."""
        with self.quiet():
            self.raise_if_stopped()

    def interrupts(self) -> bool:
        """Return whether `raise_if_stopped` raises now, and will at the next call too: thinking is to end."""
        try:
            self.raise_if_stopped()
        except (Paused, StoppedError, SystemExit):
            return True
        return False

    def begin_round(self) -> None:
        """Count a round. Raises `Paused` if it is one too many."""
        self._in_step = False
        if self._to_pause:
            raise Paused
        if self._left is not None:
            self._left -= 1
            self._in_step = True

    def suspend(self, cause: Exception) -> None:
        """Leave the mouse to the user from now on; ``cause`` is `Paused`, or the error that says why.

        Raises that error again where nobody could order play to go on.
        """
        if self._orders is None:
            raise cause
        self._left, self._in_step = 0, False
        if self._clicker is not None:
            self._clicker.disarm()
        if not self._told:
            self._told = True
            self._news("paused", str(cause).replace("stopped", "paused", 1))

    def wait(self) -> None:
        """Wait until the pause is over and the mouse at rest. Raises StoppedError if the user stops play."""
        with self.quiet():
            while self._to_pause:
                self.raise_if_stopped()
                self._clock.sleep(NAP)
                if not self._to_pause:
                    self._await_rest()
        self._told = False
        self._arm()
        self._news("playing")

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """Postpone every wish to pause until the block is over."""
        before, self._quiet = self._quiet, True
        try:
            yield
        finally:
            self._quiet = before

    def undisturbed(self, bring: Callable[[], T], again: Callable[[], T] | None = None) -> T:
        """Return what ``bring`` brings; after a pause in the midst of that, what ``again`` does.

        None is to do it once more.
        """
        while True:
            try:
                return bring()
            except (Paused, TakenOverError) as cause:
                self.suspend(cause)
            self.wait()
            bring = again or bring

    @property
    def _to_pause(self) -> bool:
        return self._left == 0 and not self._in_step

    def _obey(self, order: str) -> None:
        order = order.strip()
        order = order if len(order) <= LONGEST else f"{order[:LONGEST]}..."
        verb, _, what = order.partition(" ")
        if verb == "stop":
            raise StoppedError(f"stopped: {what.strip() or ORDERED}")
        if verb in self._settings:
            self._set(verb, what.strip())
        elif verb in _ROUNDS and not what:
            self._left, self._in_step = _ROUNDS[verb], False
        elif verb:
            known = ", ".join([*ORDERS, *self._settings])
            self._news("refused", f"{order!r} is no order: give one of {known}")

    def _set(self, name: str, what: str) -> None:
        try:
            self._settings[name](what)
        except UsageError as error:
            self._news("refused", str(error))
        else:
            self._news(name, what)

    def _set_pace(self, speed: str) -> None:
        pace = parse_speed(speed)
        if self._clicker is not None:
            self._clicker.pace = pace

    def _arm(self) -> None:
        if self._clicker is not None:
            self._clicker.arm()

    def _await_rest(self) -> None:
        """Return when the mouse has lain still for a while, or at another wish to pause."""
        since, here = self._clock.now(), self._pointer
        with self.quiet():
            while self._clock.now() < since + REST and not self._to_pause:
                self.raise_if_stopped()
                self._clock.sleep(NAP)
                if (now := self._pointer) != here:
                    since, here = self._clock.now(), now

    @property
    def _pointer(self) -> Point | None:
        return None if self._clicker is None else self._clicker.mouse.position()
