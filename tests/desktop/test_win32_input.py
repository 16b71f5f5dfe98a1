"""Clicks as Windows takes them in, held against what Windows and Wine make of them."""

from __future__ import annotations

import ctypes
import random
import sys
from collections.abc import Sequence

import pytest

from bot.desktop import win32_api
from bot.desktop.protocols import Button
from bot.desktop.win32_api import Api, Clicks, Event, absolute
from bot.errors import BotError, CaptureError
from bot.geometry import Point, Rect

MOVE, DESK, ABSOLUTE = 0x1, 0x4000, 0x8000
NAMES = {
    0x2: "left down",
    0x4: "left up",
    0x8: "right down",
    0x10: "right up",
    0x20: "middle down",
    0x40: "middle up",
}


class FakeInput(Api):
    """A Windows with two monitors, of which the main one is on the right; it ``takes`` so many events."""

    def __init__(self, *, left_handed: bool = False, takes: int = 9) -> None:
        self.left_handed, self.room = left_handed, takes
        self.pointer = Point(7, 7)
        self.seen: list[tuple[str, Point]] = []

    def screen(self) -> Rect:
        return Rect(-1366, 0, 1366 + 1920, 1080)

    def swapped(self) -> bool:
        return self.left_handed

    def send(self, events: Sequence[Event]) -> int:
        taken, self.room = events[: self.room], 9
        for x, y, flags in taken:
            if flags & MOVE:
                assert flags & (DESK | ABSOLUTE) == DESK | ABSOLUTE
                whole = self.screen()
                self.pointer = Point(whole.x + x * whole.width // 65536, whole.y + y * whole.height // 65536)
            self.seen += [(name, self.pointer) for flag, name in NAMES.items() if flags & flag]
        return len(taken)


@pytest.mark.parametrize(
    ("button", "events"),
    [
        (Button.LEFT, ["left down", "left up"]),
        (Button.RIGHT, ["right down", "right up"]),
        (Button.MIDDLE, ["middle down", "middle up"]),
        (Button.BOTH, ["left down", "right down", "right up", "left up"]),
    ],
    ids=str,
)
def test_each_press_and_release_is_where_the_click_is(button: Button, events: list[str]) -> None:
    api = FakeInput()
    Clicks(api).click(Point(-200, 641), button)
    assert api.seen == [(name, Point(-200, 641)) for name in events]


def test_a_left_handed_user_gets_the_other_button() -> None:
    api = FakeInput(left_handed=True)
    for button in (Button.LEFT, Button.RIGHT, Button.MIDDLE):
        Clicks(api).click(Point(5, 5), button)
    assert [name for name, _ in api.seen][::2] == ["right down", "left down", "middle down"]


@pytest.mark.parametrize(
    ("button", "takes"), [(Button.LEFT, 0), *((Button.BOTH, takes) for takes in range(4))], ids=str
)
def test_no_button_stays_pressed_where_windows_takes_no_input(button: Button, takes: int) -> None:
    api = FakeInput(takes=takes)
    with pytest.raises(CaptureError, match=r"^Windows takes no clicks: is the screen locked"):
        Clicks(api).click(Point(5, 5), button)
    last = dict[str, str]()
    for name, _ in api.seen:
        last[name.split()[0]] = name
    assert not [name for name in last.values() if name.endswith("down")]


def test_every_pixel_of_every_screen_can_be_hit() -> None:
    source = random.Random(10_000_000)
    for _ in range(300):
        width, height = source.randint(640, 9000), source.randint(480, 9000)
        screen = Rect(source.randint(-5000, 0), source.randint(-5000, 0), width, height)
        point = Point(screen.x + source.randrange(width), screen.y + source.randrange(height))
        x, y = absolute(point, screen)
        assert (screen.x + x * width // 65536, screen.y + y * height // 65536) == (point.x, point.y)
        assert 0 <= x < 65536
        assert 0 <= y < 65536


@pytest.mark.skipif(ctypes.sizeof(ctypes.c_void_p) != 8, reason="sizes of 64 bits")
def test_an_event_is_as_large_as_windows_has_it() -> None:
    assert ctypes.sizeof(win32_api._Input) == 40


@pytest.mark.skipif(sys.platform == "win32", reason="there it works")
def test_other_systems_are_told_so() -> None:
    with pytest.raises(BotError, match="part of Windows"):
        Clicks()
