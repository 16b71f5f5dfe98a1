"""Orders accepted during play: pause, go on, play one round, change the speed, stop.

Orders are words: ``pause``, ``go``, ``step`` (one round, then pause), ``speed max``, ``speed human``,
``speed 20`` (clicks a second), ``stop`` (a reason may follow). If orders can come, moving the mouse by hand
pauses play instead of stopping it: the user needs the mouse for the button that resumes play.
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

_ROUNDS = {"pause": 0, "go": None, "step": 1}  # rounds until play pauses; None: no pause
ORDERS = (*_ROUNDS, "stop")
NAP = 0.03  # seconds between two checks for orders while play is paused
REST = 0.4  # seconds for which the mouse must be still before the bot uses it
ORDERED = "by an order"
LONGEST = 200  # characters: the rest of a longer order is cut off, also in the message that refuses it

NO_OTHERS: Mapping[str, Callable[[str], None]] = MappingProxyType({})
T = TypeVar("T")


class Paused(Exception):  # noqa: N818 - it is no error: play goes on
    """Raised when play must pause; the screen may have changed when play goes on."""


class News(Protocol):
    """A function called with news: "paused", "playing", "refused", or the name of a changed setting."""

    def __call__(self, kind: str, words: str = "") -> None:
        """Report news of this ``kind``; ``words`` gives the reason, or the new value of a setting."""


class Control:
    """The user's control over play: the stop key, and ``orders``, which returns those since its last call.

    ``others`` maps names of more orders to functions. Each takes the text after the name, and raises
    UsageError if it is invalid. If ``orders`` is None, play cannot be paused, and moving the mouse by hand
    stops it. ``check_signals`` raises SystemExit if a signal has arrived that ends the program.
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
        self._clicker: Clicker | None = None  # None before `serve`
        self._left: int | None = None  # rounds until play pauses; None: no pause
        self._end: StoppedError | None = None
        self._in_step = self._quiet = self._told = False

    def serve(self, clicker: Clicker) -> None:
        """Control ``clicker`` from now on: orders change its pace, a pause leaves the mouse to the user."""
        self._clicker = clicker

    def begin(self) -> None:
        """Arm the clicker. If orders can come, wait first until the mouse has been still for a while."""
        if self._orders is not None:
            self._await_rest()
        self._arm()

    def raise_if_stopped(self) -> None:
        """Raise StoppedError, at each later call too, if the user wants to stop; `Paused` to pause play."""
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
        """Raise StoppedError as `raise_if_stopped` does; a request to pause waits for a later check."""
        with self.pauses_postponed():
            self.raise_if_stopped()

    def interrupts(self) -> bool:
        """Return whether thinking must end: `raise_if_stopped` raises now, and will at its next call too."""
        try:
            self.raise_if_stopped()
        except (Paused, StoppedError, SystemExit):
            return True
        return False

    def begin_round(self) -> None:
        """Count a new round. Raises `Paused` if play must pause before it, as after the round of a step."""
        self._in_step = False
        if self._to_pause:
            raise Paused
        if self._left is not None:
            self._left -= 1
            self._in_step = True

    def suspend(self, cause: Exception) -> None:
        """Pause play, leave the mouse to the user and report the ``cause``: `Paused`, or an error.

        If no orders can come, ``cause`` is raised again instead, because nothing could resume play.
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
        """Wait until play is resumed and the mouse is still. Raises StoppedError if the user stops play."""
        with self.pauses_postponed():
            while self._to_pause:
                self.raise_if_stopped()
                self._clock.sleep(NAP)
                if not self._to_pause:
                    self._await_rest()
        self._told = False
        self._arm()
        self._news("playing")

    @contextmanager
    def pauses_postponed(self) -> Iterator[None]:
        """Raise no `Paused` inside the block; a request to pause takes effect after it."""
        before, self._quiet = self._quiet, True
        try:
            yield
        finally:
            self._quiet = before

    def retry_after_pause(self, bring: Callable[[], T], again: Callable[[], T] | None = None) -> T:
        """Return the result of ``bring``; if a pause interrupts it, wait, then return that of ``again``.

        If ``again`` is None, ``bring`` is called once more. Further pauses are handled in the same way.
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
            self._news("refused", f"unknown order {order!r}: use one of {known}")

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
        """Wait until the mouse has been still for `REST` seconds, or until play must pause again."""
        since, here = self._clock.now(), self._pointer
        with self.pauses_postponed():
            while self._clock.now() < since + REST and not self._to_pause:
                self.raise_if_stopped()
                self._clock.sleep(NAP)
                if (now := self._pointer) != here:
                    since, here = self._clock.now(), now

    @property
    def _pointer(self) -> Point | None:
        return None if self._clicker is None else self._clicker.mouse.position()
