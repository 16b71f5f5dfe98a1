"""Orders accepted during play: pause, go on, play one round, change the speed, stop.

Orders are words: ``pause``, ``go``, ``step`` (one round, then pause), ``speed max``, ``speed human``,
``speed 20`` (clicks a second), ``buttons yes`` (unknown ones may be clicked), ``stop`` (a reason may follow).
If orders can come, moving the mouse by hand pauses play instead of stopping it: the user needs the mouse for
the button that resumes play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from bot.clicker.clicks import Clicker
from bot.clicker.pace import parse_speed
from bot.desktop.protocols import Clock
from bot.errors import StoppedError, StuckError, UsageError
from bot.geometry import Point
from bot.stop import PAUSES, Paused, Stop

_ROUNDS = {"pause": 0, "go": None, "step": 1}  # rounds until play pauses; None: no pause
ORDERS = (*_ROUNDS, "stop")
NAP = 0.03  # seconds between two checks for orders while play is paused
REST = 0.4  # seconds for which the mouse must be still before the bot uses it
ORDERED = "by an order"
QUESTION = (
    "minebot does not know this program: may it click what look like buttons there, to start the next game "
    "or set the level? They may do something else"
)
_YES, _NO = "yes", "no"
_NOBODY = (
    "stopped: minebot does not know this program, and needs your permission to click what look like buttons "
    "there: add --yes, or start the next game by hand"
)
LONGEST = 200  # characters: the rest of a longer order is cut off, also in the message that refuses it

T = TypeVar("T")


class Control:
    """The user's control over play by ``orders``, a function that returns those since its last call.

    They are read when ``stop`` is asked, which gets two more reasons: the order to stop, and a pause.
    ``news`` is called with a kind of news and words: "paused" with the reason, "playing", "refused" with the
    reason, or the name of a setting with its new value. ``others`` maps names of more orders to functions.
    Each takes the text after the name, and raises UsageError if it is invalid. If ``orders`` is None, play
    cannot be paused, and moving the mouse by hand stops it.

    ``buttons`` says whether the bot may click what may be a button in a program that it does not know; None:
    the user is asked, by the news "question" or, if no orders can come, by ``ask``. That is called with the
    question until it returns the answer, and returns None at once while there is none.
    """

    def __init__(
        self,
        stop: Stop,
        clock: Clock,
        orders: Callable[[], Iterable[str]] | None = None,
        news: Callable[[str, str], None] = lambda *_: None,
        others: Mapping[str, Callable[[str], None]] | None = None,
        buttons: bool | None = None,
        ask: Callable[[str], bool | None] | None = None,
    ) -> None:
        self._settings = {"speed": self._set_pace, "buttons": self._set_buttons, **(others or {})}
        self._buttons, self._ask = buttons, ask
        self.stop, self._clock, self._orders, self._news = stop, clock, orders, news
        self._clicker: Clicker | None = None  # None before `serve`
        self._left: int | None = None  # rounds until play pauses; None: no pause
        self._in_step = self._told = False
        stop.add(self._check_orders)

    def serve(self, clicker: Clicker) -> None:
        """Control ``clicker`` from now on: orders change its pace, a pause leaves the mouse to the user."""
        self._clicker = clicker

    def begin(self) -> None:
        """Arm the clicker. If orders can come, wait first until the mouse has been still for a while."""
        if self._orders is not None:
            self._await_rest()
        self._arm()

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
        while self._to_pause:
            self.stop.raise_if_ended()
            self._clock.sleep(NAP)
            if not self._to_pause:
                self._await_rest()
        self._told = False
        self._arm()
        self._news("playing", "")

    def retry_after_pause(self, bring: Callable[[], T], again: Callable[[], T] | None = None) -> T:
        """Return the result of ``bring``; if a pause interrupts it, wait, then return that of ``again``.

        If ``again`` is None, ``bring`` is called once more. Further pauses are handled in the same way.
        """
        while True:
            try:
                return bring()
            except PAUSES as cause:
                self.suspend(cause)
            self.wait()
            bring = again or bring

    def may_click_buttons(self) -> bool:
        """Return whether what may be a button in an unknown program may be clicked; ask the user once.

        Raises StuckError if nobody can answer.
        """
        if self._buttons is None:
            if self._orders is not None:
                self._news("question", QUESTION)
            elif self._ask is None:
                raise StuckError(_NOBODY)
            while self._buttons is None:
                self.stop.raise_if_ended()
                self._clock.sleep(NAP)
                if self._orders is None and self._ask is not None:
                    self._buttons = self._ask(QUESTION)
            self._await_rest()
            self._arm()
        return self._buttons

    @property
    def _to_pause(self) -> bool:
        return self._left == 0 and not self._in_step

    def _check_orders(self) -> None:
        for order in self._orders() if self._orders is not None else ():
            self._obey(order)
        if self._to_pause:
            raise Paused

    def _obey(self, order: str) -> None:
        order = order.strip()
        order = order if len(order) <= LONGEST else f"{order[:LONGEST]}..."
        verb, _, what = order.partition(" ")
        if verb == "stop":
            raise StoppedError(f"stopped: {what.strip() or ORDERED}")
        if verb in self._settings:
            try:
                self._settings[verb](what.strip())
            except UsageError as error:
                self._news("refused", str(error))
            else:
                self._news(verb, what.strip())
        elif verb in _ROUNDS and not what:
            self._left, self._in_step = _ROUNDS[verb], False
        elif verb:
            known = ", ".join([*ORDERS, *self._settings])
            self._news("refused", f"unknown order {order!r}: use one of {known}")

    def _set_pace(self, speed: str) -> None:
        pace = parse_speed(speed)
        if self._clicker is not None:
            self._clicker.pace = pace

    def _set_buttons(self, answer: str) -> None:
        if answer not in (_YES, _NO):
            raise UsageError(f"buttons {answer!r}: give {_YES} or {_NO}")
        self._buttons = answer == _YES

    def _arm(self) -> None:
        if self._clicker is not None:
            self._clicker.arm()

    def _await_rest(self) -> None:
        """Wait until the mouse has been still for `REST` seconds, or until play must pause again."""
        since, here = self._clock.now(), self._pointer
        while self._clock.now() < since + REST and not self._to_pause:
            self.stop.raise_if_ended()
            self._clock.sleep(NAP)
            if (now := self._pointer) != here:
                since, here = self._clock.now(), now

    @property
    def _pointer(self) -> Point | None:
        return None if self._clicker is None else self._clicker.mouse.position()
