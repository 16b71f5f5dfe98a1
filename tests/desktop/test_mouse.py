from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.desktop import ScreenMouse
from bot.desktop.protocols import Button, Window
from bot.errors import CaptureError, StoppedError, ViewChangedError
from bot.geometry import Point, Rect
from bot.targets.launch import virtual_display
from conftest import PATIENCE, wait_for

ROOT = Path(__file__).parents[2]
OPEN = "from bot.desktop import ScreenMouse; print(ScreenMouse().position())"


@pytest.fixture
def listener(display: str) -> Iterator[Any]:
    """A window over the whole screen that has the keyboard and hears of every button and key."""
    from Xlib import X
    from Xlib import display as x11

    with closing(x11.Display(display)) as connection:
        screen = connection.screen()
        mask = X.ButtonPressMask | X.ButtonReleaseMask | X.KeyPressMask | X.KeyReleaseMask
        size = (screen.width_in_pixels, screen.height_in_pixels)
        window = screen.root.create_window(0, 0, *size, 0, screen.root_depth, event_mask=mask)
        window.map()
        window.set_input_focus(X.RevertToParent, X.CurrentTime)
        connection.sync()
        yield connection
        window.destroy()
        connection.sync()


def events(connection: Any) -> list[tuple[str, int, tuple[int, int]]]:
    """Return the events that came: name, button or key code, place on the screen."""
    connection.sync()
    found = [connection.next_event() for _ in range(connection.pending_events())]
    return [
        (type(event).__name__, event.detail, (event.root_x, event.root_y))
        for event in found
        if hasattr(event, "detail")  # others say that the keyboard's mapping is new
    ]


def keys_of(connection: Any) -> list[tuple[str, str]]:
    from Xlib import XK

    names = {getattr(XK, name): name[3:] for name in dir(XK) if name.startswith("XK_")}
    found = [(kind, connection.keycode_to_keysym(code, 0)) for kind, code, _ in events(connection)]
    return [(kind, names[symbol]) for kind, symbol in found]


def pressed(connection: Any) -> bool:
    return bool(connection.screen().root.query_pointer().mask & 0x1F00 or any(connection.query_keymap()))


def test_moves_to_every_corner(mouse: ScreenMouse, listener: Any) -> None:
    for point in (Point(0, 0), Point(1279, 0), Point(1279, 899), Point(0, 899), Point(640, 450)):
        mouse.move(point)
        assert mouse.position() == point
    assert events(listener) == []


@pytest.mark.parametrize(
    ("button", "number"),
    [(Button.LEFT, 1), (Button.MIDDLE, 2), (Button.RIGHT, 3)],
    ids=lambda value: str(value),
)
def test_clicks_where_it_should(mouse: ScreenMouse, listener: Any, button: Button, number: int) -> None:
    mouse.click(Point(0, 0), button)
    mouse.click(Point(123, 456), button)
    assert events(listener) == [
        (kind, number, place) for place in ((0, 0), (123, 456)) for kind in ("ButtonPress", "ButtonRelease")
    ]


def test_both_buttons_are_down_at_once(mouse: ScreenMouse, listener: Any) -> None:
    mouse.click(Point(123, 456), Button.BOTH)
    assert [(kind, number) for kind, number, _ in events(listener)] == [
        ("ButtonPress", 1),
        ("ButtonPress", 3),
        ("ButtonRelease", 3),
        ("ButtonRelease", 1),
    ]
    assert mouse.position() == Point(123, 456)


def presses(mouse: ScreenMouse, listener: Any) -> list[int]:
    """Click with each `Button`; return the buttons that were pressed, as programs see them."""
    for button in Button:
        mouse.click(Point(123, 456), button)
    return [number for kind, number, _ in events(listener) if kind == "ButtonPress"]


@pytest.mark.usefixtures("left_handed")
def test_a_left_handed_mouse_clicks_the_same_buttons(mouse: ScreenMouse, listener: Any) -> None:
    assert presses(mouse, listener) == [1, 3, 2, 1, 3]
    listener.set_pointer_mapping([2, 3, 1, *listener.get_pointer_mapping()[3:]])  # while the program runs
    assert presses(mouse, listener) == [1, 3, 2, 1, 3]
    listener.set_pointer_mapping([1, 0, 3, *listener.get_pointer_mapping()[3:]])
    mouse.click(Point(123, 456), Button.BOTH)
    assert len(events(listener)) == 4
    with pytest.raises(CaptureError, match=r"cannot click middle here.*xmodmap -e 'pointer = default'"):
        mouse.burst([(Point(1, 1), Button.LEFT), (Point(2, 2), Button.MIDDLE)])
    assert events(listener) == []
    assert not pressed(listener)


@pytest.mark.usefixtures("left_handed")
def test_a_mapping_of_the_device_that_sends_the_clicks_counts_too(mouse: ScreenMouse, listener: Any) -> None:
    """As ``xinput set-button-map 'Virtual core XTEST pointer' 3 2 1`` sets it."""
    from Xlib.ext import xinput
    from Xlib.protocol import rq

    class SetDeviceButtons(rq.ReplyRequest):  # type: ignore[misc]
        _request = rq.Struct(
            *(rq.Card8("opcode"), rq.Opcode(29), rq.RequestLength(), rq.Card8("device")),
            *(rq.LengthOf("map", 1), rq.Pad(2), rq.List("map", rq.Card8Obj)),
        )
        _reply = rq.Struct(
            rq.ReplyCode(), rq.Pad(1), rq.Card16("sequence_number"), rq.ReplyLength(), rq.Pad(24)
        )

    opcode = listener.display.get_extension_major(xinput.extname)
    found = listener.xinput_query_device(xinput.AllDevices).devices
    device = next(each.deviceid for each in found if each.name == "Virtual core XTEST pointer")
    usual = range(1, 11)
    for first in ([3, 2, 1], [2, 3, 1]):
        SetDeviceButtons(listener.display, False, opcode, device, [*first, *usual[3:]])
        try:
            assert presses(mouse, listener) == [1, 3, 2, 1, 3]
        finally:
            SetDeviceButtons(listener.display, False, opcode, device, usual)


@pytest.fixture
def game(listener: Any) -> Iterator[Any]:
    """A small window over that of the listener."""
    from Xlib import X

    screen = listener.screen()
    window = screen.root.create_window(100, 100, 80, 60, 0, screen.root_depth, event_mask=X.ButtonPressMask)
    window.map()
    listener.sync()
    yield window
    window.destroy()


def test_a_click_goes_to_the_window_that_it_is_meant_for(
    mouse: ScreenMouse, listener: Any, game: Any
) -> None:
    from Xlib import X

    window, inside = Window(game.id, "", "", "", Rect(100, 100, 80, 60)), Point(120, 130)
    mouse.burst([(inside, Button.LEFT)], window)
    mouse.burst([(Point(150, 140), Button.RIGHT)], window)
    mouse.burst([(inside, Button.LEFT), (Point(101, 101), Button.LEFT)], window)
    places = [(1, (120, 130)), (3, (150, 140)), (1, (120, 130)), (1, (101, 101))]
    clicks = [("ButtonPress", *place) for place in places]
    assert events(listener) == clicks
    with pytest.raises(ViewChangedError):
        mouse.burst([(inside, Button.LEFT), (Point(300, 300), Button.LEFT)], window)  # one is beside it
    game.configure(x=101)
    listener.sync()
    with pytest.raises(ViewChangedError):
        mouse.burst([(inside, Button.LEFT)], window)  # it has moved
    moved = replace(window, client=Rect(101, 100, 80, 60))
    mouse.burst([(inside, Button.LEFT)], moved)
    assert events(listener) == clicks[:1]
    cover = listener.screen().root.create_window(110, 110, 40, 40, 0, X.CopyFromParent)
    cover.map()
    listener.sync()
    with pytest.raises(ViewChangedError):
        mouse.burst([(inside, Button.LEFT)], moved)
    cover.destroy()
    game.unmap()
    listener.sync()
    with pytest.raises(ViewChangedError):
        mouse.burst([(inside, Button.LEFT)], moved)
    assert events(listener) == []
    assert mouse.position() == inside
    assert not pressed(listener)


STROKE = """
import sys, threading
from bot.geometry import Point
from bot.desktop import ScreenMouse
from bot.desktop.protocols import Button
mouse = ScreenMouse()
threading.Thread(target=threading.Event().wait, daemon=True).start()  # who would take signals instead
print("ready", flush=True)
while True:
    mouse.click(Point(50, 60), Button.BOTH)
    mouse.press("alt", "g")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="displays as on Linux")
@pytest.mark.parametrize("how", ["SIGKILL", "SIGINT", "SIGTERM"])
def test_nothing_stays_pressed_whatever_ends_us(listener: Any, how: str) -> None:
    """It presses all the time, so an end between a press and its release is likely, if there can be one."""
    command = [sys.executable, "-c", STROKE]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        while not events(listener):
            pass
        process.send_signal(getattr(signal, how))
        process.communicate(timeout=PATIENCE)
    assert process.returncode == -getattr(signal, how)
    assert wait_for(lambda: not pressed(listener))  # the server may be reading what it was sent


@pytest.fixture
def manager(display: str) -> Iterator[None]:
    """Somebody who holds back every press for a while, as window managers do."""
    from Xlib import X
    from Xlib import display as x11

    with closing(x11.Display(display)) as connection:
        root, over = connection.screen().root, threading.Event()
        everything = (X.AnyButton, X.AnyModifier)
        root.grab_button(
            *everything, True, X.ButtonPressMask, X.GrabModeSync, X.GrabModeAsync, X.NONE, X.NONE
        )
        connection.sync()

        def manage() -> None:
            while not over.is_set():
                while connection.pending_events():
                    connection.next_event()
                    time.sleep(0.03)
                    connection.allow_events(X.ReplayPointer, X.CurrentTime)
                    connection.flush()
                time.sleep(0.001)

        thread = threading.Thread(target=manage)
        thread.start()
        yield
        over.set()
        thread.join()
        root.ungrab_button(*everything)
        connection.sync()


@pytest.mark.usefixtures("manager")
def test_where_presses_are_held_back_a_burst_is_of_one_click(mouse: ScreenMouse, listener: Any) -> None:
    left = [(Point(x, 50), Button.LEFT) for x in (100, 200, 300, 400)]
    while left:
        sent, here = mouse.burst(left)
        assert (sent, here) == (1, left[0][0])
        left = left[sent:]
    presses = [place for kind, _, place in events(listener) if kind == "ButtonPress"]
    assert presses == [(100, 50), (200, 50), (300, 50), (400, 50)]


def test_who_heeds_the_pointer_can_keep_a_click_back(mouse: ScreenMouse, listener: Any) -> None:
    def check(here: Point) -> None:
        raise StoppedError(f"{here.x} {here.y}")

    mouse.move(Point(33, 44))
    with pytest.raises(StoppedError, match="33 44"):
        mouse.burst([(Point(100, 50), Button.LEFT)], check=check)
    assert events(listener) == []
    mouse.click(Point(100, 50))  # nobody holds the screen up any more
    assert len(events(listener)) == 2


def test_no_click_of_a_burst_is_lost(mouse: ScreenMouse, listener: Any) -> None:
    points = [Point(10 + number % 1000, 20 + number // 1000) for number in range(500)]
    assert mouse.burst([(point, Button.LEFT) for point in points]) == (500, points[-1])
    found = [(kind, place) for kind, _, place in events(listener)]
    kinds = ("ButtonPress", "ButtonRelease")
    assert found == [(kind, (point.x, point.y)) for point in points for kind in kinds]


def test_presses_keys_together(mouse: ScreenMouse, listener: Any) -> None:
    mouse.press("alt", "g")
    for key in ("f2", "3", "enter", "tab", "right", "home"):
        mouse.press(key)
    assert keys_of(listener) == [
        ("KeyPress", "Alt_L"),
        ("KeyPress", "g"),
        ("KeyRelease", "g"),
        ("KeyRelease", "Alt_L"),
        ("KeyPress", "F2"),
        ("KeyRelease", "F2"),
        ("KeyPress", "3"),
        ("KeyRelease", "3"),
        *((kind, key) for key in ("Return", "Tab", "Right", "Home") for kind in ("KeyPress", "KeyRelease")),
    ]
    assert not pressed(listener)


def test_on_x11_keys_reach_no_other_window(mouse: ScreenMouse, listener: Any, game: Any) -> None:
    from Xlib import X

    def window(number: int) -> Window:
        return Window(number, "", "", "", Rect(100, 100, 80, 60))

    elsewhere = window(game.id)
    with pytest.raises(ViewChangedError, match="another window has the keyboard"):
        mouse.press("f2", windows=[elsewhere])
    assert events(listener) == []
    focus = listener.get_input_focus().focus
    mouse.press("f2", windows=[elsewhere, window(focus.id)])
    assert [key for _, key in keys_of(listener)] == ["F2", "F2"]
    game.set_input_focus(X.RevertToParent, X.CurrentTime)
    listener.sync()
    mouse.press("f2", windows=[elsewhere])  # nobody holds the server up any more
    assert events(listener) == []  # the game hears of no keys


SWITCHED = 300  # key presses while the keyboard is handed to and fro


def test_on_x11_no_key_is_lost_to_a_window_that_gets_the_keyboard_meanwhile(
    mouse: ScreenMouse, display: str, listener: Any, game: Any
) -> None:
    """Another program takes the keyboard at any moment; whatever was sent must have come to the listener."""
    from Xlib import X
    from Xlib import display as x11

    own = Window(listener.get_input_focus().focus.id, "", "", "", Rect(0, 0, 1, 1))
    over = threading.Event()

    def switch() -> None:
        with closing(x11.Display(display)) as connection:
            windows = [
                connection.create_resource_object("window", number) for number in (game.id, own.handle)
            ]
            while not over.is_set():
                for window in windows:
                    window.set_input_focus(X.RevertToParent, X.CurrentTime)
                    connection.sync()
                    time.sleep(0.001)

    thread = threading.Thread(target=switch)
    thread.start()
    sent = 0
    try:
        for _ in range(SWITCHED):
            with suppress(ViewChangedError):
                mouse.press("f2", windows=[own])
                sent += 1
    finally:
        over.set()
        thread.join()
    assert sent > 0
    assert len([kind for kind, _ in keys_of(listener) if kind == "KeyPress"]) == sent


LOSE = """
from bot.errors import CaptureError
from bot.geometry import Point
from bot.targets.launch import virtual_display
from bot.desktop import ScreenMouse
with virtual_display(320, 200):
    mouse = ScreenMouse()
for act in (mouse.position, lambda: mouse.move(Point(5, 5)), lambda: mouse.click(Point(5, 5)),
            lambda: mouse.press("alt", "g"), lambda: mouse.press("9")):
    try:
        act()
    except CaptureError as error:
        print(error)
"""


def test_a_display_that_goes_is_one_clear_error(display: str) -> None:  # noqa: ARG001 - there is Xvfb
    lines = run(LOSE).stdout.splitlines()
    assert len(lines) == 5, lines
    assert all("cannot be used" in line and "is the display still there" in line for line in lines)


def run(code: str, **changes: str | None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **changes}
    kept = {name: value for name, value in environment.items() if value is not None}
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, env=kept, check=False
    )


def test_works_without_tkinter(display: str) -> None:
    done = run(f"import sys; sys.modules['tkinter'] = None; {OPEN}", DISPLAY=display)
    assert done.stdout.startswith("Point("), done.stderr


def test_works_without_a_file_of_x_cookies_and_prints_nothing(
    display: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert display
    monkeypatch.setattr("bot.targets.launch._write_cookie", Path.touch)  # an X server without any admits all
    (tmp_path / "empty").touch()
    with virtual_display(320, 200) as name:
        for file in ("missing", "empty"):
            done = run(OPEN, DISPLAY=name, XAUTHORITY=str(tmp_path / file))
            assert done.stdout.startswith("Point("), done.stderr
        assert run(OPEN, DISPLAY=name, XAUTHORITY=None, HOME=None).stdout.startswith("Point(")
