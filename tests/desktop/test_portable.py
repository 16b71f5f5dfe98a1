"""The portable backend on a made-up pyautogui; that play with it works is tested on X11 in tests/live."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, cast

import pytest

from bot.desktop import is_portable, open_desktop, picked_point
from bot.desktop.portable import PortableDesktop, PortableMouse, load_pyautogui
from bot.desktop.protocols import Backend, Button, parse_shortcut
from bot.errors import MissingLibraryError, StoppedError, UsageError
from bot.geometry import Point
from bot.stop import NEVER, Stop


class FakeGui:
    """Stands in for pyautogui, with its fail-safe; it tells places as floats, as on a Retina screen."""

    PAUSE, FAILSAFE = 0.1, True
    FAILSAFE_POINTS = ((0, 0), (0, 899))

    def __init__(self) -> None:
        self.at = (400.0, 300.0)
        self.told: list[tuple[str, str]] = []
        self.during: Callable[[], None] = lambda: None  # what happens while a button or a key is pressed

    def position(self) -> tuple[float, float]:
        return self.at

    def act(self, what: str, which: str) -> None:
        if self.FAILSAFE and self.at in self.FAILSAFE_POINTS:
            raise AssertionError(f"{what} {which} is refused")
        self.told.append((what, which))

    def moveTo(self, x: float, y: float, *, _pause: bool) -> None:  # noqa: N802 (pyautogui's names)
        self.act("move", f"{x:g} {y:g}")
        self.at = (x, y)

    def mouseDown(self, *, button: str, _pause: bool) -> None:  # noqa: N802
        self.act("down", button)
        self.during()

    def mouseUp(self, *, button: str, _pause: bool) -> None:  # noqa: N802
        self.act("up", button)

    def keyDown(self, key: str, *, _pause: bool) -> None:  # noqa: N802
        self.act("down", key)
        self.during()

    def keyUp(self, key: str, *, _pause: bool) -> None:  # noqa: N802
        self.act("up", key)


def unchecked(_: Point) -> None:
    pass


def loaded(monkeypatch: pytest.MonkeyPatch) -> FakeGui:
    """Return the one that is loaded in place of pyautogui, as `load_pyautogui` leaves it."""
    gui: Any = FakeGui()
    monkeypatch.setitem(sys.modules, "pyautogui", gui)
    return cast(FakeGui, load_pyautogui())


def test_the_pointer_is_checked_then_moved_then_its_button_is_pressed() -> None:
    gui = FakeGui()
    mouse, seen = PortableMouse(gui), list[Point]()
    assert mouse.position() == Point(400, 300)
    assert mouse.burst([(Point(201, 100), Button.LEFT)], None, seen.append) == (1, Point(201, 100))
    assert seen == [Point(400, 300)]
    assert gui.told == [("move", "201 100"), ("down", "left"), ("up", "left")]


def test_both_buttons_are_down_before_one_is_released() -> None:
    gui = FakeGui()
    PortableMouse(gui).burst([(Point(5, 5), Button.BOTH)], None, unchecked)
    assert gui.told[1:] == [("down", "left"), ("down", "right"), ("up", "right"), ("up", "left")]


def test_only_the_first_click_is_made_and_a_check_can_keep_it_back() -> None:
    gui = FakeGui()
    mouse = PortableMouse(gui)
    strokes = [(Point(5, 5), Button.LEFT), (Point(6, 6), Button.LEFT)]
    assert mouse.burst(strokes, None, unchecked)[0] == 1
    gui.told.clear()

    def refuse(_: Point) -> None:
        raise StoppedError("by hand")

    with pytest.raises(StoppedError, match="by hand"):
        mouse.burst(strokes, None, refuse)
    assert gui.told == []


def test_keys_are_pressed_together() -> None:
    gui = FakeGui()
    PortableMouse(gui).press("ctrl", "r")
    assert gui.told == [("down", "ctrl"), ("down", "r"), ("up", "r"), ("up", "ctrl")]


def refused(gui: FakeGui) -> None:
    """Everything that ``gui`` can do is refused, because the pointer is in a corner."""
    mouse = PortableMouse(gui)
    gui.told.clear()
    for act in (
        lambda: mouse.move(Point(9, 9)),
        lambda: mouse.burst([(Point(9, 9), Button.LEFT)], None, unchecked),
        lambda: mouse.press("f2"),
    ):
        with pytest.raises(StoppedError, match="in a corner of the screen"):
            act()
    assert [what for what, _ in gui.told if what != "up"] == []


@pytest.mark.parametrize("corner", FakeGui.FAILSAFE_POINTS)
def test_a_corner_stops_play(corner: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    gui = loaded(monkeypatch)
    gui.at = corner
    refused(gui)


@pytest.mark.parametrize(
    ("act", "last"),
    [
        (lambda mouse: mouse.burst([(Point(9, 9), Button.LEFT)], None, unchecked), ("up", "left")),
        (lambda mouse: mouse.press("f2"), ("up", "f2")),
    ],
)
def test_what_is_pressed_is_released_in_a_corner_too(
    act: Callable[[PortableMouse], object], last: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    gui = loaded(monkeypatch)

    def push() -> None:
        gui.at = (0, 0)

    gui.during = push
    act(PortableMouse())
    assert gui.told[-1] == last
    refused(gui)


def test_no_button_stays_pressed_after_an_interrupt() -> None:
    gui = FakeGui()

    def interrupt() -> None:
        raise KeyboardInterrupt

    gui.during = interrupt
    with pytest.raises(KeyboardInterrupt):
        PortableMouse(gui).burst([(Point(9, 9), Button.LEFT)], None, unchecked)
    assert gui.told[-1] == ("up", "left")


@pytest.mark.parametrize("problem", [None, ModuleNotFoundError("no module named 'Xlib'")])
def test_beside_the_xlib_of_pyautogui_it_serves_too(
    problem: Exception | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(name: str) -> None:
        assert name == "Xlib.ext.xinput"
        if problem is not None:
            raise problem

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("bot.desktop.find_spec", find)
    assert is_portable(Backend.AUTO) is (problem is None)


@pytest.mark.parametrize(("platform", "portable"), [("darwin", True), ("linux", False), ("win32", False)])
def test_a_system_without_a_backend_of_its_own_gets_this_one(
    platform: str, portable: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert is_portable(Backend.AUTO) is portable
    assert is_portable(Backend.PORTABLE)
    desktop = open_desktop(backend=Backend.PORTABLE)
    assert isinstance(desktop, PortableDesktop)
    assert desktop.windows() == []
    with pytest.raises(UsageError, match="the portable backend hears no keys"):
        open_desktop(parse_shortcut("pause"), Backend.PORTABLE)


@pytest.mark.parametrize(
    ("platform", "advice"),
    [("linux", "an environment of its own"), ("darwin", "pip install pyautogui")],
)
def test_a_missing_pyautogui_is_named(platform: str, advice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setitem(sys.modules, "pyautogui", None)
    with pytest.raises(MissingLibraryError, match=advice):
        load_pyautogui()


def test_pyautogui_does_not_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    gui = loaded(monkeypatch)
    assert load_pyautogui() is gui
    assert gui.PAUSE == 0


def test_a_board_is_picked_by_a_pointer_that_was_moved_and_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.desktop.HOLD", 0.05)
    places, told = [Point(1, 1)] * 6 + [Point(2, 2), Point(3, 3)], list[str]()
    picked = picked_point(
        NEVER, told.append, lambda: places.pop(0) if places[1:] else places[0], Backend.PORTABLE
    )
    assert (picked, places) == (Point(3, 3), [Point(3, 3)])
    (words,) = told
    assert words.startswith("move the pointer onto the board")


def test_a_board_is_picked_by_a_pointer_that_moves_as_the_words_appear(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bot.desktop.HOLD", 0.05)
    places = [Point(1, 1)]

    def impatient() -> None:
        looks.append(places[-1])
        assert len(looks) < 1000, "the move was not noticed"

    looks = list[Point]()
    picked = picked_point(
        Stop(impatient), lambda _: places.append(Point(2, 2)), lambda: places[-1], Backend.PORTABLE
    )
    assert picked == Point(2, 2)


def test_the_user_can_end_the_choice_of_a_board() -> None:
    def stop() -> None:
        raise StoppedError("stopped: Esc was pressed")

    with pytest.raises(StoppedError):
        picked_point(Stop(stop), lambda _: None, lambda: Point(1, 1), Backend.PORTABLE)
