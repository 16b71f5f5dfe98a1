"""Order, pace and the reasons to stop."""

import random
from contextlib import nullcontext

import numpy as np
import pytest

from bot.board import Cell
from bot.clicker import Click, Clicker, HumanPace, MaxPace, Pace, SteadyPace, parse_speed, plan
from bot.desktop.protocols import Button
from bot.errors import StoppedError, UsageError
from bot.geometry import Frame, Grid, Point
from bot.solver.decision import Action, Move, Reason
from fakes import FakeClock, FakeMouse, stop_key

GRID = Grid(10.0, 20.0, 16.0, 16.0, 9, 9)
FRAME = Frame(np.zeros((200, 200, 3), np.uint8), Point(-300, 40))


def move(row: int, col: int, action: Action = Action.OPEN) -> Move:
    return Move(Cell(row, col), action, 0.0, Reason.COUNTING)


def clicker(mouse: FakeMouse, pace: Pace) -> Clicker:
    return Clicker(mouse, pace, lambda: None, lambda _: None, mouse.clock)


def clicks(count: int) -> list[Click]:
    moves = [move(index // 9, index % 9) for index in range(count)]
    return plan(moves, FRAME, GRID, Point(-300, 40))


@pytest.mark.parametrize(
    ("start", "cells"),
    [
        (Point(-290, 60), [(0, 0), (1, 1), (0, 4), (8, 8)]),
        (Point(-150, 200), [(8, 8), (0, 4), (1, 1), (0, 0)]),
    ],
)
def test_plan_goes_from_the_pointer_to_the_nearest_next(start: Point, cells: list[tuple[int, int]]) -> None:
    ordered = plan([move(8, 8), move(0, 0), move(0, 4), move(1, 1)], FRAME, GRID, start)
    assert [click.move.cell for click in ordered] == cells


def test_plan_aims_at_cell_centres_on_the_screen() -> None:
    (click,) = plan([move(2, 1)], FRAME, GRID, Point(0, 0))
    assert click.point == Point(-300 + 10 + 24, 40 + 20 + 40)


@pytest.mark.parametrize(
    ("action", "button"),
    [(Action.OPEN, Button.LEFT), (Action.FLAG, Button.RIGHT), (Action.CHORD, Button.MIDDLE)],
)
def test_each_action_has_its_button(action: Action, button: Button) -> None:
    (click,) = plan([move(0, 0, action)], FRAME, GRID, Point(0, 0))
    assert click.button is button


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


@pytest.mark.parametrize("pace", [MaxPace(), SteadyPace(10), HumanPace(random.Random(2))])
def test_a_hand_on_the_mouse_stops_before_the_next_click(pace: Pace) -> None:
    mouse = HandMouse(FakeClock())
    with pytest.raises(StoppedError, match="moved by hand"):
        clicker(mouse, pace).send(clicks(20), 16.0)
    assert len(mouse.clicks) == HandMouse.patience


def test_at_full_speed_some_clicks_are_sent_at_once_and_the_user_is_heeded_in_between() -> None:
    clock, asked = FakeClock(), list[int]()
    mouse = FakeMouse(clock, at_once=99)
    Clicker(mouse, MaxPace(), lambda: asked.append(len(mouse.clicks)), lambda _: None, clock).send(
        clicks(25), 16.0
    )
    assert [point for _, point, _ in mouse.clicks] == [click.point for click in clicks(25)]
    assert asked == [0, 10, 20]


@pytest.mark.parametrize("pace", [SteadyPace(10), HumanPace(random.Random(2))])
def test_at_other_paces_each_click_has_its_time(pace: Pace) -> None:
    mouse = FakeMouse(FakeClock(), at_once=99)
    clicker(mouse, pace).send(clicks(5), 16.0)
    assert len({time for time, _, _ in mouse.clicks}) == 5


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
    sender = clicker(mouse, MaxPace())
    sender.arm()
    for click in clicks(20):
        sender.send([click], 16.0)
        mouse.clock.sleep(0.01)
    assert len(mouse.clicks) == 20


def test_one_jitter_of_a_mouse_at_rest_is_borne() -> None:
    mouse = FakeMouse(FakeClock())
    sender = clicker(mouse, MaxPace())
    sender.send(clicks(1), 16.0)
    mouse.at = Point(mouse.at.x + 1, mouse.at.y)
    for _ in range(5):
        mouse.clock.sleep(0.3)
        sender.check()
    sender.send(clicks(3), 16.0)
    assert len(mouse.clicks) == 4


def test_once_armed_the_pointer_may_not_move_before_the_first_click() -> None:
    mouse = FakeMouse(FakeClock(), at=Point(900, 900))
    sender = clicker(mouse, MaxPace())
    sender.arm()
    mouse.clock.sleep(1)
    sender.check()
    mouse.at = Point(890, 900)
    with pytest.raises(StoppedError, match="moved by hand"):
        sender.check()


def test_an_echo_of_the_click_before_is_no_hand_on_the_mouse() -> None:
    mouse = EchoMouse(FakeClock())
    clicker(mouse, MaxPace()).send(clicks(5), 16.0)
    assert len(mouse.clicks) == 5


@pytest.mark.parametrize(("off", "moved"), [(0, False), (1, True), (40, True)])
@pytest.mark.parametrize("seconds", [0.6, 4.0])
def test_an_echo_may_be_late_to_the_pixel(seconds: float, off: int, moved: bool) -> None:
    """Wine takes the pointer back for as long as a menu is open; a hand does not meet just that pixel."""
    mouse = FakeMouse(FakeClock())
    sender = clicker(mouse, MaxPace())
    sender.send(clicks(5), 16.0)
    mouse.clock.sleep(seconds)
    mouse.at = Point(mouse.clicks[0][1].x + off, mouse.clicks[0][1].y)
    with pytest.raises(StoppedError, match="moved by hand") if moved else nullcontext():
        sender.raise_if_stopped()


def test_a_reason_to_stop_is_seen_while_waiting() -> None:
    mouse = FakeMouse(FakeClock())
    raise_if_stopped = stop_key(lambda: mouse.clock.time > 2.0)
    sender = Clicker(mouse, SteadyPace(0.1), raise_if_stopped, lambda _: None, mouse.clock)
    with pytest.raises(StoppedError, match="Esc"):
        sender.send(clicks(5), 16.0)
    assert len(mouse.clicks) == 1
    assert mouse.clock.time < 2.1


@pytest.mark.parametrize("text", ["fast", "0", "-3", "nan", "inf", ""])
def test_a_speed_that_is_none(text: str) -> None:
    with pytest.raises(UsageError, match="max, human, or a number"):
        parse_speed(text)


def test_speeds() -> None:
    assert parse_speed("max") == MaxPace()
    assert parse_speed("12.5") == SteadyPace(12.5)
    assert isinstance(parse_speed("human"), HumanPace)
