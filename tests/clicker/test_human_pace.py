"""The pace of a person: reaction times, the ways of the pointer, and that they can be stopped."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.board import Cell
from bot.clicker import Click, Clicker, HumanPace
from bot.clicker.pace import REACH, Step, Trip, movement, movement_time
from bot.desktop.protocols import Button
from bot.errors import StoppedError
from bot.geometry import Point
from bot.solver.decision import Action, Move, Reason
from fakes import FakeClock, FakeMouse, stop_key

START, FAR = Point(40, 300), Point(360, 180)
CELL = 16.0
points = st.builds(Point, st.integers(-3000, 5000), st.integers(-2000, 3000))


def moved(seed: int, start: Point = START, end: Point = FAR, size: float = CELL) -> list[Step]:
    return list(movement(start, end, size, random.Random(seed)))


@given(points, points, st.floats(12, 80), st.integers(0, 10**6))
def test_a_way_ends_at_the_click_and_stays_in_view(start: Point, end: Point, size: float, seed: int) -> None:
    steps = moved(seed, start, end, size)
    if start == end:
        assert steps == []
        return
    assert steps[-1].point == end
    assert steps[-1].time == pytest.approx(movement_time(start.distance(end), size))
    assert all(one.time < other.time for one, other in pairwise(steps))
    reach = REACH * size + 0.5
    for step in steps:
        assert min(start.x, end.x - reach) <= step.point.x <= max(start.x, end.x + reach)
        assert min(start.y, end.y - reach) <= step.point.y <= max(start.y, end.y + reach)


def test_ways_are_bowed_and_miss_a_little_at_first() -> None:
    straight = np.array([FAR.x - START.x, FAR.y - START.y]) / START.distance(FAR)
    bows, ends = [], []
    for seed in range(200):
        places = np.array([(step.point.x - START.x, step.point.y - START.y) for step in moved(seed)])
        bows.append(np.abs(places @ np.array([-straight[1], straight[0]])).max())
        ends.append((places @ straight).max() - START.distance(FAR))
    assert 3 < np.median(bows) < 20
    assert max(bows) < 0.2 * START.distance(FAR)
    assert 0.4 < np.mean(np.array(ends) > 1) < 0.95  # beyond the place, mostly
    assert max(ends) < CELL / 2


def pauses(*, fresh: bool, since_last: float = 0.0) -> np.ndarray:
    pace = HumanPace(random.Random(10_000_000))
    return np.array([pace.way(Trip(FAR, FAR, CELL, since_last, fresh)).pause for _ in range(2000)])


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
