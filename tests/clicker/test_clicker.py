"""Order, pace (a person's too) and the reasons to stop."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.board import Cell
from bot.clicker.clicks import Click, Clicker, tour
from bot.clicker.pace import HumanPace, Pace, SteadyPace, parse_speed
from bot.desktop.protocols import Button
from bot.errors import CaptureError, StoppedError, UsageError
from bot.geometry import Frame, Grid, Point
from bot.solver.decision import Action, Move, Reason
from bot.stop import Stop
from fakes import FakeClock, FakeMouse, stop_key

GRID = Grid(10.0, 20.0, 16.0, 16.0, 9, 9)
FRAME = Frame(np.zeros((200, 200, 3), np.uint8), Point(-300, 40))


def move(row: int, col: int, action: Action = Action.OPEN) -> Move:
    return Move(Cell(row, col), action, 0.0, Reason.COUNTING)


def clicker(mouse: FakeMouse, pace: Pace | None) -> Clicker:
    return Clicker(mouse, pace, Stop(), lambda _: None, mouse.clock)


def clicks(count: int) -> list[Click]:
    moves = [move(index // 9, index % 9) for index in range(count)]
    return tour([moves], FRAME, GRID, Point(-300, 40))


@pytest.mark.parametrize(
    ("start", "cells"),
    [
        (Point(-290, 60), [(0, 0), (1, 1), (0, 4), (8, 8)]),
        (Point(-150, 200), [(8, 8), (0, 4), (1, 1), (0, 0)]),
    ],
)
def test_plan_goes_from_the_pointer_to_the_nearest_next(start: Point, cells: list[tuple[int, int]]) -> None:
    ordered = tour([[move(8, 8), move(0, 0), move(0, 4), move(1, 1)]], FRAME, GRID, start)
    assert [click.move.cell for click in ordered] == cells


@pytest.mark.parametrize("rate", [1.0, 10.0, 333.0])
def test_steady_pace_keeps_its_rate(rate: float) -> None:
    mouse = FakeMouse(FakeClock())
    sender = clicker(mouse, SteadyPace(rate))
    for start in range(0, 40, 8):  # rounds with time for looking in between
        sender.send(clicks(40)[start : start + 8], 16.0)
        mouse.clock.sleep(0.3 / rate)
    took = mouse.clicks[-1][0] - mouse.clicks[0][0]
    assert took == pytest.approx(39 / rate, rel=0.01)


def test_a_late_click_does_not_hurry_the_next_ones() -> None:
    mouse = FakeMouse(FakeClock())
    sender = clicker(mouse, SteadyPace(10))
    sender.send(clicks(1), 16.0)
    mouse.clock.sleep(5.0)
    sender.send(clicks(3), 16.0)
    times = [time for time, _, _ in mouse.clicks]
    assert np.diff(times)[1:].min() >= 0.1 - 1e-9


class HandMouse(FakeMouse):
    """A mouse that the user takes after ``patience`` clicks."""

    patience = 3

    def click(self, point: Point, button: Button = Button.LEFT) -> None:
        super().click(point, button)
        if len(self.clicks) >= self.patience:
            self.at = Point(point.x + 9, point.y - 2)


@pytest.mark.parametrize("pace", [None, SteadyPace(10), HumanPace(random.Random(2))])
def test_a_hand_on_the_mouse_stops_before_the_next_click(pace: Pace | None) -> None:
    mouse = HandMouse(FakeClock())
    with pytest.raises(StoppedError, match="moved by hand"):
        clicker(mouse, pace).send(clicks(20), 16.0)
    assert len(mouse.clicks) == HandMouse.patience


def test_at_full_speed_some_clicks_are_sent_at_once_and_the_user_is_heeded_in_between() -> None:
    clock, asked = FakeClock(), list[int]()
    mouse = FakeMouse(clock, at_once=99)
    stop = Stop(lambda: asked.append(len(mouse.clicks)))
    Clicker(mouse, None, stop, lambda _: None, clock).send(clicks(25), 16.0)
    assert [point for _, point, _ in mouse.clicks] == [click.point for click in clicks(25)]
    assert asked == [0, 10, 20]


class EchoMouse(FakeMouse):
    """Tells the place of the click before for a tenth of a second, as Windows does under Wine."""

    def position(self) -> Point:
        if len(self.clicks) > 1 and self.clock.time < self.clicks[-1][0] + 0.1:
            return self.clicks[-2][1]
        return self.at


class SlowHandMouse(FakeMouse):
    """A mouse that a slow hand moves by a pixel after each click, which put it back."""

    def click(self, point: Point, button: Button = Button.LEFT) -> None:
        super().click(point, button)
        self.clock.sleep(0.01)

    def position(self) -> Point:
        since = self.clock.time - self.clicks[-1][0] if self.clicks else 0.0
        return self.at if since < 0.015 else Point(self.at.x + 1, self.at.y)


def test_a_slow_hand_is_a_hand_too() -> None:
    mouse = SlowHandMouse(FakeClock())
    with pytest.raises(StoppedError, match="moved by hand"):
        clicker(mouse, SteadyPace(50)).send(clicks(20), 16.0)
    assert len(mouse.clicks) == 2


class RoundingMouse(FakeMouse):
    """A mouse of a system that rounds positions: always a pixel beside where it was put."""

    def position(self) -> Point:
        return Point(self.at.x - 1, self.at.y)


def test_a_system_that_rounds_is_no_hand() -> None:
    mouse = RoundingMouse(FakeClock())
    sender = clicker(mouse, None)
    sender.arm()
    for click in clicks(20):
        sender.send([click], 16.0)
        mouse.clock.sleep(0.01)
    assert len(mouse.clicks) == 20


def test_one_jitter_of_a_mouse_at_rest_is_borne() -> None:
    mouse = FakeMouse(FakeClock())
    sender = clicker(mouse, None)
    sender.send(clicks(1), 16.0)
    mouse.at = Point(mouse.at.x + 1, mouse.at.y)
    for _ in range(5):
        mouse.clock.sleep(0.3)
        sender.check()
    sender.send(clicks(3), 16.0)
    assert len(mouse.clicks) == 4


def test_once_armed_the_pointer_may_not_move_before_the_first_click() -> None:
    mouse = FakeMouse(FakeClock(), at=Point(900, 900))
    sender = clicker(mouse, None)
    sender.arm()
    mouse.clock.sleep(1)
    sender.check()
    mouse.at = Point(890, 900)
    with pytest.raises(StoppedError, match="moved by hand"):
        sender.check()


def test_an_echo_of_the_click_before_is_no_hand_on_the_mouse() -> None:
    mouse = EchoMouse(FakeClock())
    clicker(mouse, None).send(clicks(5), 16.0)
    assert len(mouse.clicks) == 5


@pytest.mark.parametrize(("off", "moved"), [(0, False), (1, True), (40, True)])
@pytest.mark.parametrize("seconds", [0.6, 4.0])
def test_an_echo_may_be_late_to_the_pixel(seconds: float, off: int, moved: bool) -> None:
    """Wine takes the pointer back for as long as a menu is open; a hand does not meet just that pixel."""
    mouse = FakeMouse(FakeClock())
    sender = clicker(mouse, None)
    sender.send(clicks(5), 16.0)
    mouse.clock.sleep(seconds)
    mouse.at = Point(mouse.clicks[0][1].x + off, mouse.clicks[0][1].y)
    with pytest.raises(StoppedError, match="moved by hand") if moved else nullcontext():
        sender.stop.raise_if_stopped()


def test_a_reason_to_stop_is_seen_while_waiting() -> None:
    mouse = FakeMouse(FakeClock())
    stop = stop_key(lambda: mouse.clock.time > 2.0)
    sender = Clicker(mouse, SteadyPace(0.1), stop, lambda _: None, mouse.clock)
    with pytest.raises(StoppedError, match="Esc"):
        sender.send(clicks(5), 16.0)
    assert len(mouse.clicks) == 1
    assert mouse.clock.time < 2.1


@pytest.mark.parametrize("text", ["fast", "0", "-3", "nan", "inf", ""])
def test_a_speed_that_is_none(text: str) -> None:
    with pytest.raises(UsageError, match="max, human, or a number"):
        parse_speed(text)


def test_speeds() -> None:
    assert parse_speed("max") is None
    assert parse_speed("12.5") == SteadyPace(12.5)
    assert isinstance(parse_speed("human"), HumanPace)


# The pace of a person: reaction times, the ways of the pointer, and that they can be stopped

START, FAR = Point(40, 300), Point(360, 180)
CELL = 16.0
points = st.builds(Point, st.integers(-3000, 5000), st.integers(-2000, 3000))


@given(points, points, st.floats(12, 80))
def test_a_way_ends_at_the_click_and_stays_in_view(start: Point, end: Point, size: float) -> None:
    steps = HumanPace().steps(start, end, size)
    if start == end:
        assert not steps
        return
    assert steps[-1].point == end
    assert steps[-1].time == pytest.approx(math.log2(start.distance(end) / size + 1) / 4.9)  # Fitts's law
    assert all(one.time < other.time for one, other in pairwise(steps))
    for step in steps:
        assert min(start.x, end.x) <= step.point.x <= max(start.x, end.x)
        assert min(start.y, end.y) <= step.point.y <= max(start.y, end.y)


def test_a_way_is_straight_and_slow_at_both_ends() -> None:
    steps = HumanPace().steps(START, FAR, CELL)
    way = np.array([FAR.x - START.x, FAR.y - START.y])
    places = np.array([(step.point.x - START.x, step.point.y - START.y) for step in steps])
    assert np.abs(places @ np.array([-way[1], way[0]]) / START.distance(FAR)).max() < 1
    speeds = np.diff(places @ way) / np.diff([step.time for step in steps])
    third = len(speeds) // 3
    assert (speeds >= 0).all()
    assert speeds[third:-third].mean() > 1.5 * max(speeds[:third].mean(), speeds[-third:].mean())


def pauses(*, fresh: bool, since_last: float = 0.0) -> np.ndarray:
    pace = HumanPace(random.Random(10_000_000))
    return np.array([pace.pause(since_last, fresh=fresh) for _ in range(2000)])


def test_a_new_decision_takes_a_quarter_of_a_second_or_more() -> None:
    times = pauses(fresh=True)
    assert 0.25 < np.median(times) < 0.4
    assert np.mean((times > 0.2) & (times < 0.5)) > 0.9
    assert np.mean(times) > np.median(times)  # skewed to long ones
    assert pauses(fresh=True, since_last=0.2).mean() == pytest.approx(times.mean() - 0.2, abs=0.02)


def test_what_is_decided_goes_faster() -> None:
    assert np.median(pauses(fresh=False)) < 0.4 * np.median(pauses(fresh=True))
    assert pauses(fresh=False).min() > 0.01


@dataclass
class Watched(FakeMouse):
    """Notes where it was put and when; ``then`` is called after each movement with its number, from 1."""

    places: list[tuple[float, Point]] = field(default_factory=list)
    then: Callable[[int], None] = lambda _: None

    def move(self, point: Point) -> None:
        super().move(point)
        self.places.append((self.clock.time, point))
        self.then(len(self.places))


class Edged(Watched):
    """A mouse on two screens: below the row 200 there is none to the right of the column 100."""

    def move(self, point: Point) -> None:
        super().move(Point(min(point.x, 100), point.y) if point.y > 200 else point)


def there_and_back(count: int) -> list[Click]:
    move = Move(Cell(0, 0), Action.OPEN, 0.0, Reason.COUNTING)
    return [Click((FAR, START)[number % 2], Button.LEFT, move) for number in range(count)]


def sender(mouse: FakeMouse, stop: Callable[[], object] = lambda: False) -> Clicker:
    made = Clicker(mouse, HumanPace(random.Random(5)), stop_key(stop), lambda _: None, mouse.clock)
    made.arm()
    return made


def test_escape_is_heeded_in_the_middle_of_a_way() -> None:
    mouse, pressed = Watched(FakeClock(), START), list[int]()
    mouse.then = lambda number: pressed.append(number) if number == 20 else None
    with pytest.raises(StoppedError, match="Esc"):
        sender(mouse, lambda: bool(pressed)).send(there_and_back(1), CELL)
    assert len(mouse.places) == 20
    assert not mouse.clicks


@pytest.mark.parametrize("away", [(30, 0), (-4, 3), (0, -40), (-300, 200)])
def test_a_hand_is_told_in_the_middle_of_a_way(away: tuple[int, int]) -> None:
    mouse = Watched(FakeClock(), START)

    def take(number: int) -> None:
        if number == 20:
            mouse.at = Point(mouse.at.x + away[0], mouse.at.y + away[1])

    mouse.then = take
    with pytest.raises(StoppedError, match="moved by hand"):
        sender(mouse).send(there_and_back(1), CELL)
    assert len(mouse.places) <= 21
    assert not mouse.clicks


@dataclass
class Dragged(Watched):
    """A mouse that a hand moves along the way by so many pixels a second."""

    speed: float = 0.0

    def position(self) -> Point:
        since = self.clock.time - self.places[-1][0] if self.places else 0.0
        part = self.speed * since / START.distance(FAR)
        return Point(self.at.x + round(part * (FAR.x - START.x)), self.at.y + round(part * (FAR.y - START.y)))


@pytest.mark.parametrize("speed", [-500, -250, -120, 120, 250, 500])
def test_a_hand_that_goes_along_with_the_pointer_is_told(speed: float) -> None:
    mouse = Dragged(FakeClock(), START, speed=speed)
    with pytest.raises(StoppedError, match="moved by hand"):
        sender(mouse).send(there_and_back(2), CELL)
    assert len(mouse.places) < 10
    assert not mouse.clicks


def test_the_end_of_a_screen_on_the_way_is_no_hand() -> None:
    mouse = Edged(FakeClock(), START)
    sender(mouse).send(there_and_back(4), CELL)
    assert len(mouse.clicks) == 4
    assert any(point.x == 100 for _, point in mouse.places)


def test_a_slow_machine_leaves_places_out_and_keeps_the_time() -> None:
    mouse = Watched(FakeClock(step=0.004), START)  # with every look at the clock
    sender(mouse).send(there_and_back(9), CELL)
    swift = Watched(FakeClock(), START)
    sender(swift).send(there_and_back(9), CELL)
    assert len(mouse.places) < 0.8 * len(swift.places)
    assert mouse.clock.time == pytest.approx(swift.clock.time, rel=0.1)


def test_a_mouse_that_is_away_does_not_matter_while_the_user_has_it() -> None:
    class Unplugged(FakeMouse):
        def position(self) -> Point:
            raise CaptureError("the mouse cannot be used")

    there = Unplugged(FakeClock())
    stop = Stop()
    Clicker(there, None, stop, lambda _: None, there.clock)
    stop.raise_if_stopped()
