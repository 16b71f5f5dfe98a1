"""The one answer to "may we go on?": which reasons stay, which go, and which wait."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.errors import CaptureError, StoppedError, TakenOverError, UsageError
from bot.stop import NEVER, STOP_INTERVAL, Paused, Stop
from fakes import FakeClock


class Reasons:
    """A check that raises the errors that a test puts into ``due``, each once."""

    def __init__(self, *due: BaseException) -> None:
        self.due = list(due)

    def __call__(self) -> None:
        if self.due:
            raise self.due.pop(0)


def test_without_a_reason_work_goes_on() -> None:
    for stop in (NEVER, Stop(), Stop(Reasons())):
        stop.raise_if_stopped()
        assert not stop.stopped()


@pytest.mark.parametrize("end", [StoppedError("Esc"), SystemExit(143), UsageError("no orders")], ids=repr)
def test_an_end_stays(end: BaseException) -> None:
    """The key is up again by then, the order is read, and the signal has come."""
    stop = Stop(Reasons(end))
    for ask in (stop.raise_if_stopped, stop.raise_if_ended, stop.raise_if_stopped):
        with pytest.raises(type(end)) as raised:
            ask()
        assert raised.value is end
        assert stop.stopped()


def test_a_mouse_or_screen_that_is_away_for_a_while_ends_nothing() -> None:
    stop = Stop(Reasons(CaptureError("the mouse cannot be used")))
    assert stop.stopped()
    with pytest.raises(CaptureError):
        stop.raise_if_stopped()
    stop.raise_if_stopped()
    assert not stop.stopped()


def test_an_end_that_is_raised_often_does_not_grow() -> None:
    stop, depths = Stop(Reasons(StoppedError("Esc"))), set[int]()
    for _ in range(20):
        with pytest.raises(StoppedError) as raised:
            stop.raise_if_stopped()
        depths.add(len(raised.traceback))
    assert len(depths) == 1


@pytest.mark.parametrize("pause", [Paused(), TakenOverError("a hand")], ids=repr)
def test_a_pause_that_was_noticed_is_raised_once_even_if_it_is_over_by_then(pause: Exception) -> None:
    """Else what was cut short would be taken for the whole."""
    reasons = Reasons(pause)
    stop = Stop(reasons)
    assert stop.stopped()
    reasons.due.append(StoppedError("later"))
    assert stop.stopped()
    with pytest.raises(type(pause)):
        stop.raise_if_stopped()
    with pytest.raises(StoppedError, match="later"):
        stop.raise_if_stopped()


def test_pauses_wait_until_a_block_is_over_and_ends_do_not() -> None:
    def pause() -> None:
        raise Paused

    stop = Stop(pause)
    assert stop.stopped()
    with stop.pauses_postponed():
        stop.raise_if_stopped()
        assert not stop.stopped()
    stop.raise_if_ended()
    with pytest.raises(Paused):
        stop.raise_if_stopped()
    stop.add(Reasons(StoppedError("Esc")))
    with pytest.raises(StoppedError, match="Esc"):
        stop.raise_if_ended()


def test_a_reason_that_is_added_reaches_all_who_have_the_stop() -> None:
    clock, stop = FakeClock(), Stop()
    search = stop.seldom(clock.now)
    stop.add(Reasons(StoppedError("Esc")))
    with pytest.raises(StoppedError, match="Esc"):
        search.raise_if_stopped()
    assert stop.stopped()


@pytest.mark.parametrize("ask", [Stop.stopped, Stop.raise_if_ended, Stop.raise_if_stopped])
def test_work_that_asks_often_does_not_ask_for_each_reason_as_often(ask: Callable[[Stop], object]) -> None:
    clock, times = FakeClock(), list[float]()
    search = Stop(lambda: times.append(clock.time)).seldom(clock.now)
    for _ in range(1000):
        ask(search)
        clock.sleep(STOP_INTERVAL / 100)
    assert 9 <= len(times) <= 11
