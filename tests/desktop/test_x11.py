"""The X11 desktop on windows of our own, without a window manager and with frames as one makes them."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

if not sys.platform.startswith("linux"):
    pytest.skip("X11 is for Linux", allow_module_level=True)

from Xlib import XK, X
from Xlib import display as x11
from Xlib.ext import shape, xtest

from bot.desktop import open_desktop, scaling
from bot.desktop.protocols import FRAME_TIME, Desktop, Visibility, Window, parse_shortcut
from bot.desktop.x11 import X11Desktop
from bot.errors import CaptureError, UsageError, WindowError
from bot.geometry import Point, Rect
from bot.targets.launch import virtual_display
from conftest import wait_for

AREA = Rect(110, 110, 50, 40)  # of the board, inside the window of `game`


class Windows:
    """Makes windows, the way programs do."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self.root = connection.screen().root
        self.made: list[Any] = []

    def make(
        self, rect: Rect, title: str = "", parent: Any = None, mapped: bool = True, **values: Any
    ) -> Any:
        place = (rect.x, rect.y, rect.width, rect.height)
        window = (parent or self.root).create_window(*place, 0, X.CopyFromParent, **values)
        if parent is None:
            self.made.append(window)
        if title:
            self.set(window, "_NET_WM_NAME", "UTF8_STRING", title.encode())
        if mapped:
            window.map()
        self.connection.sync()
        return window

    def set(self, window: Any, name: str, kind: str, value: bytes | list[int]) -> None:
        width = 8 if isinstance(value, bytes) else 32
        atom = self.connection.intern_atom
        window.change_property(atom(name), atom(kind), width, value)
        self.connection.sync()

    def do(self, request: Callable[..., object], *arguments: Any, **values: Any) -> None:
        """Make a request, and wait until the server has done it."""
        request(*arguments, **values)
        self.connection.sync()

    def give_keyboard(self, window: Any) -> None:
        self.do(window.set_input_focus, X.RevertToParent, X.CurrentTime)

    def end(self) -> None:
        for window in self.made:
            window.destroy()
        self.connection.sync()


@pytest.fixture
def windows(display: str) -> Iterator[Windows]:
    with closing(x11.Display(display)) as connection:
        made = Windows(connection)
        yield made
        made.end()


@pytest.fixture
def game(windows: Windows) -> Any:
    """A window of 154 x 201 pixels at (100, 100)."""
    return windows.make(Rect(100, 100, 154, 201), "Сапёр")


def find(desktop: Desktop, window: Any) -> Window:
    return next(found for found in desktop.windows() if found.handle == window.id)


def titles(desktop: Desktop) -> list[str]:
    return [window.title for window in desktop.windows()]


def test_describes_a_window(desktop: Desktop, windows: Windows, game: Any) -> None:
    game.set_wm_class("winmine", "Winmine.exe")
    windows.set(game, "_NET_WM_PID", "CARDINAL", [os.getpid()])
    program = Path("/proc/self/cmdline").read_text("utf-8").split("\0")[0].split("/")[-1].lower()
    assert find(desktop, game) == Window(game.id, "Сапёр", "Winmine.exe", program, Rect(100, 100, 154, 201))


def test_old_titles_and_dead_processes(desktop: Desktop, windows: Windows) -> None:
    window = windows.make(Rect(0, 0, 10, 10))
    window.set_wm_name("Démineur".encode("latin-1"))
    windows.set(window, "_NET_WM_PID", "CARDINAL", [2**22 + 1])  # more than there can be
    found = find(desktop, window)
    assert (found.title, found.class_name, found.process) == ("Démineur", "", "")


def test_windows_come_topmost_first(desktop: Desktop, windows: Windows) -> None:
    first, second = (windows.make(Rect(0, 0, 50, 50), title) for title in ("first", "second"))
    assert titles(desktop) == ["second", "first"]
    desktop.raise_window(find(desktop, first))
    assert titles(desktop) == ["first", "second"]
    windows.do(second.unmap)
    assert titles(desktop) == ["first"]


def test_menus_input_only_and_nameless_windows_are_not_listed(desktop: Desktop, windows: Windows) -> None:
    windows.make(Rect(0, 0, 50, 50), "menu", override_redirect=True)
    windows.make(Rect(0, 0, 50, 50), "guard", window_class=X.InputOnly)
    windows.make(Rect(0, 0, 50, 50))
    assert titles(desktop) == []


def test_a_window_that_moves_resizes_and_closes(desktop: Desktop, windows: Windows, game: Any) -> None:
    window = find(desktop, game)
    windows.do(game.configure, x=-20, y=300, width=266)
    moved = desktop.refresh(window)
    assert moved is not None
    assert moved.client == Rect(-20, 300, 266, 201)
    windows.set(game, "_NET_WM_NAME", "UTF8_STRING", b"Minesweeper")
    renamed = desktop.refresh(window)
    assert renamed is not None
    assert renamed.title == "Minesweeper"
    windows.do(game.destroy)
    assert desktop.refresh(window) is None
    assert desktop.visibility(window, AREA) is Visibility.CLOSED
    assert desktop.popups(window) == []
    with pytest.raises(WindowError, match="is closed"):
        desktop.raise_window(window)


@pytest.mark.parametrize(
    ("rect", "seen"),
    [
        (Rect(0, 0, 1280, 900), Visibility.COVERED),
        (Rect(100, 100, 11, 11), Visibility.COVERED),  # one pixel of the area
        (Rect(100, 100, 10, 200), Visibility.VISIBLE),  # ends where the area begins
        (Rect(160, 100, 50, 50), Visibility.VISIBLE),
        (Rect(500, 500, 50, 50), Visibility.VISIBLE),
    ],
    ids=str,
)
@pytest.mark.parametrize("menu", [False, True], ids=["window", "menu"])
def test_another_window_above(
    desktop: Desktop, windows: Windows, game: Any, rect: Rect, menu: bool, seen: Visibility
) -> None:
    window = find(desktop, game)
    assert desktop.visibility(window, AREA) is Visibility.VISIBLE
    windows.make(rect, override_redirect=menu)
    assert desktop.visibility(window, AREA) is seen
    desktop.raise_window(window)
    assert desktop.visibility(window, AREA) is Visibility.VISIBLE


def test_a_border_covers_too(desktop: Desktop, windows: Windows, game: Any) -> None:
    above = windows.make(Rect(90, 90, 15, 15))
    window = find(desktop, game)
    assert desktop.visibility(window, AREA) is Visibility.VISIBLE
    windows.do(above.configure, border_width=3)
    assert desktop.visibility(window, AREA) is Visibility.COVERED


def test_what_does_not_cover(desktop: Desktop, windows: Windows, game: Any) -> None:
    everything = Rect(0, 0, 1280, 900)
    windows.make(everything, window_class=X.InputOnly)
    windows.make(everything, mapped=False)
    marks = windows.make(everything)
    marks.shape_rectangles(shape.SO.Set, shape.SK.Input, X.Unsorted, 0, 0, [])  # clicks go through
    frame = windows.make(everything)
    edges = [{"x": 0, "y": 0, "width": 1280, "height": 100}, {"x": 0, "y": 0, "width": 100, "height": 900}]
    frame.shape_rectangles(shape.SO.Set, shape.SK.Bounding, X.Unsorted, 0, 0, edges)  # a hole in the middle
    windows.connection.sync()
    window = find(desktop, game)
    assert desktop.visibility(window, AREA) is Visibility.VISIBLE
    assert desktop.visibility(window, Rect(110, 99, 50, 40)) is Visibility.COVERED


def test_a_window_takes_clicks_where_it_was_seen(desktop: Desktop, windows: Windows, game: Any) -> None:
    window = find(desktop, game)
    corner = Point(window.client.x, window.client.y)
    inside = Point(corner.x + 20, corner.y + 20)
    assert desktop.takes(window, corner)
    assert not desktop.takes(window, Point(corner.x - 5, corner.y))
    windows.make(Rect(90, 90, 15, 15))
    assert not desktop.takes(window, corner)
    assert desktop.takes(window, inside)
    windows.do(game.configure, x=101)
    assert not desktop.takes(window, inside)
    windows.do(game.configure, x=100, width=155)
    assert not desktop.takes(window, inside)
    windows.do(game.destroy)
    assert not desktop.takes(window, inside)


def test_a_part_off_the_screen_cannot_be_seen(desktop: Desktop, windows: Windows, game: Any) -> None:
    windows.do(game.configure, x=1200)
    window = find(desktop, game)
    assert desktop.visibility(window, Rect(1210, 110, 70, 40)) is Visibility.VISIBLE
    assert desktop.visibility(window, Rect(1210, 110, 71, 40)) is Visibility.COVERED


def test_a_minimised_window_is_listed_and_comes_back(desktop: Desktop, windows: Windows, game: Any) -> None:
    windows.set(game, "WM_STATE", "WM_STATE", [3, 0])
    windows.do(game.unmap)
    window = find(desktop, game)
    assert desktop.visibility(window, AREA) is Visibility.MINIMISED
    desktop.raise_window(window)
    assert desktop.visibility(window, AREA) is Visibility.VISIBLE


def test_raising_gives_the_keyboard(desktop: Desktop, windows: Windows, game: Any) -> None:
    other = windows.make(Rect(600, 100, 50, 50), "other")
    windows.give_keyboard(other)
    desktop.raise_window(find(desktop, game))
    assert windows.connection.get_input_focus().focus == game


def test_a_program_with_the_keyboard_is_a_rival_unless_it_is_the_game(
    desktop: Desktop, windows: Windows, game: Any
) -> None:
    window = find(desktop, game)
    desktop.raise_window(window)
    assert desktop.rival(window) is None
    other = windows.make(Rect(600, 100, 50, 50), "other")
    windows.give_keyboard(other)
    rival = desktop.rival(window)
    assert rival is not None
    assert rival.handle == other.id
    windows.do(other.destroy)  # then the root has it
    assert desktop.rival(window) is None
    dialog = windows.make(Rect(600, 100, 50, 50), "a dialog of the game")
    windows.give_keyboard(dialog)
    assert desktop.rival(window) is not None
    windows.set(dialog, "WM_TRANSIENT_FOR", "WINDOW", [game.id])
    assert desktop.rival(window) is None
    assert desktop.has_keyboard(window)


def test_a_client_in_the_frame_of_a_window_manager(desktop: Desktop, windows: Windows) -> None:
    frame = windows.make(Rect(300, 200, 160, 230), override_redirect=True)
    inner = windows.make(Rect(0, 0, 160, 230), parent=frame)
    client = windows.make(Rect(3, 22, 154, 201), "WineMine", parent=inner)
    windows.set(client, "WM_STATE", "WM_STATE", [1, 0])
    window = find(desktop, client)
    assert window.client == Rect(303, 222, 154, 201)
    board = Rect(310, 280, 144, 144)
    assert desktop.visibility(window, board) is Visibility.VISIBLE
    point = Point(320, 290)
    assert desktop.takes(window, point)
    windows.make(Rect(310, 280, 20, 20))
    assert desktop.visibility(window, board) is Visibility.COVERED
    assert not desktop.takes(window, point)
    assert desktop.takes(window, Point(340, 310))
    windows.set(client, "WM_STATE", "WM_STATE", [3, 0])
    windows.do(frame.unmap)
    assert desktop.visibility(find(desktop, client), board) is Visibility.MINIMISED


def test_a_window_manager_is_asked_to_activate(desktop: Desktop, windows: Windows, game: Any) -> None:
    sign = windows.make(Rect(-5, -5, 1, 1), override_redirect=True)
    windows.set(windows.root, "_NET_SUPPORTING_WM_CHECK", "WINDOW", [sign.id])
    windows.root.change_attributes(event_mask=X.SubstructureNotifyMask)
    game.set_input_focus(X.RevertToParent, X.CurrentTime)  # as the window manager would do
    windows.connection.sync()
    try:
        desktop.raise_window(find(desktop, game))
        windows.connection.sync()
        found = [windows.connection.next_event() for _ in range(windows.connection.pending_events())]
    finally:
        windows.root.change_attributes(event_mask=0)
        windows.root.delete_property(windows.connection.intern_atom("_NET_SUPPORTING_WM_CHECK"))
    wanted = windows.connection.intern_atom("_NET_ACTIVE_WINDOW")
    messages = [event for event in found if event.type == X.ClientMessage and event.client_type == wanted]
    assert [event.window for event in messages] == [game]


def test_popups_are_the_dialogs_of_the_window_and_theirs(
    desktop: Desktop, windows: Windows, game: Any
) -> None:
    windows.set(game, "_NET_WM_PID", "CARDINAL", [os.getpid()])
    place = Rect(100, 119, 100, 80)
    windows.make(place, "stranger")
    dialog = windows.make(place, "Fastest Times")
    windows.set(dialog, "WM_TRANSIENT_FOR", "WINDOW", [game.id])
    question = windows.make(place, "Reset Results")
    windows.set(question, "WM_TRANSIENT_FOR", "WINDOW", [dialog.id])
    hidden = windows.make(place, "hidden", mapped=False)
    windows.set(hidden, "WM_TRANSIENT_FOR", "WINDOW", [game.id])
    menu = windows.make(place, "minebot", override_redirect=True)  # Qt calls its menus like the program
    windows.set(menu, "_NET_WM_PID", "CARDINAL", [os.getpid()])
    windows.make(place, override_redirect=True)  # a menu of another program
    tip = windows.make(place, override_redirect=True)
    windows.set(tip, "_NET_WM_PID", "CARDINAL", [os.getpid()])
    kind = windows.connection.intern_atom("_NET_WM_WINDOW_TYPE_TOOLTIP")
    windows.set(tip, "_NET_WM_WINDOW_TYPE", "ATOM", [kind])
    glow = windows.make(place)
    windows.set(glow, "WM_TRANSIENT_FOR", "WINDOW", [game.id])
    windows.do(glow.shape_rectangles, shape.SO.Set, shape.SK.Input, X.Unsorted, 0, 0, [])
    popups = desktop.popups(find(desktop, game))
    assert [popup.handle for popup in popups] == [menu.id, question.id, dialog.id]
    assert [popup.is_menu for popup in popups] == [True, False, False]


def test_windows_that_belong_to_each_other_in_a_circle(desktop: Desktop, windows: Windows, game: Any) -> None:
    first, second = (windows.make(Rect(0, 0, 9, 9), title) for title in ("first", "second"))
    windows.set(first, "WM_TRANSIENT_FOR", "WINDOW", [second.id])
    windows.set(second, "WM_TRANSIENT_FOR", "WINDOW", [first.id])
    assert desktop.popups(find(desktop, game)) == []


def press(windows: Windows, *names: str) -> None:
    """Press keys in this order and release them in reverse, as a keyboard does."""
    codes = [windows.connection.keysym_to_keycode(XK.string_to_keysym(name)) for name in names]
    for code in codes:
        xtest.fake_input(windows.connection, X.KeyPress, code)
    for code in reversed(codes):
        xtest.fake_input(windows.connection, X.KeyRelease, code)
    windows.connection.sync()


def test_a_compositor_is_noticed(display: str, windows: Windows) -> None:
    compositor = windows.make(Rect(0, 0, 1, 1), mapped=False)
    with closing(X11Desktop(display)) as desktop:
        assert desktop.frame_time == 0.0
    windows.do(compositor.set_selection_owner, windows.connection.intern_atom("_NET_WM_CM_S0"), X.CurrentTime)
    with closing(X11Desktop(display)) as desktop:
        assert desktop.frame_time == FRAME_TIME


def test_the_stop_key(desktop: Desktop, windows: Windows) -> None:
    escape = windows.connection.keysym_to_keycode(XK.XK_Escape)
    press(windows, "a")
    assert not desktop.stop_pressed()
    press(windows, "Escape")
    assert desktop.stop_pressed()  # pressed and released since the last call
    assert not desktop.stop_pressed()
    windows.do(xtest.fake_input, windows.connection, X.KeyPress, escape)
    assert desktop.stop_pressed()
    assert desktop.stop_pressed()  # held
    windows.do(xtest.fake_input, windows.connection, X.KeyRelease, escape)
    assert not desktop.stop_pressed()


def test_other_stop_keys(display: str, windows: Windows) -> None:
    with closing(X11Desktop(display, parse_shortcut("F12"))) as desktop:
        assert desktop.stop_key == "F12"
        press(windows, "Escape")
        assert not desktop.stop_pressed()
        press(windows, "F12")
        assert desktop.stop_pressed()
    with closing(X11Desktop(display, parse_shortcut("ctrl + Alt+s"))) as desktop:
        assert desktop.stop_key == "Ctrl+Alt+S"
        for others in (("s",), ("Control_L", "s"), ("Control_L", "Alt_L"), ("Control_L", "Alt_L", "d")):
            press(windows, *others)
            assert not desktop.stop_pressed()
        press(windows, "Control_R", "Alt_L", "Shift_L", "s")
        press(windows, "a")
        assert desktop.stop_pressed()  # all are up again
        assert not desktop.stop_pressed()


def test_a_stop_key_is_seen_while_a_menu_has_the_keyboard(desktop: Desktop, windows: Windows) -> None:
    windows.root.grab_keyboard(True, X.GrabModeAsync, X.GrabModeAsync, X.CurrentTime)
    assert not desktop.stop_pressed()
    press(windows, "Escape")
    windows.connection.ungrab_keyboard(X.CurrentTime)
    assert desktop.stop_pressed()


def test_a_stop_key_that_another_program_has_taken(display: str, windows: Windows) -> None:
    code = windows.connection.keysym_to_keycode(XK.XK_F12)
    windows.root.grab_key(code, X.NONE, True, X.GrabModeAsync, X.GrabModeAsync)
    windows.connection.sync()
    with pytest.raises(UsageError, match=r"--stop-key f12: another program uses these keys"):
        X11Desktop(display, parse_shortcut("f12"))
    windows.do(windows.root.ungrab_key, code, X.NONE)
    X11Desktop(display, parse_shortcut("f12")).close()


def test_the_stop_key_is_left_to_others(display: str, windows: Windows) -> None:
    with closing(X11Desktop(display, parse_shortcut("f12"))) as desktop:
        code = windows.connection.keysym_to_keycode(XK.XK_F12)
        windows.root.grab_key(code, X.NONE, True, X.GrabModeAsync, X.GrabModeAsync)
        windows.connection.sync()
        press(windows, "F12")
        assert desktop.stop_pressed()
        types = set[int]()  # a key press may be preceded by the news that there is another keyboard

        def arrived() -> bool:
            types.update(
                windows.connection.next_event().type for _ in range(windows.connection.pending_events())
            )
            return X.KeyPress in types

        assert wait_for(arrived)
        windows.root.ungrab_key(code, X.NONE)


def test_a_lost_connection_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    with virtual_display(100, 100) as name:
        desktop = X11Desktop(name)
        assert desktop.windows() == []
    window = Window(desktop._api.root.id, "", "", "", Rect(0, 0, 1, 1))
    for act in (
        desktop.windows,
        desktop.stop_pressed,
        lambda: desktop.refresh(window),
        lambda: desktop.takes(window, Point(0, 0)),
        lambda: desktop.visibility(window, AREA),
        lambda: desktop.popups(window),
        lambda: desktop.raise_window(window),
    ):
        with pytest.raises(CaptureError, match="is the X server still running"):
            act()
    desktop.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # Xlib leaves a socket open
@pytest.mark.parametrize("name", ["", ":987654", ":4321", "nonsense"])
def test_no_display_is_one_clear_error(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("DISPLAY", name)
    with pytest.raises(CaptureError, match="set DISPLAY"):
        open_desktop()
    gc.collect()  # here, where the warning about the socket is expected


@pytest.mark.parametrize(
    ("settings", "wanted"),
    [(b"Xcursor.size:\t24\nXft.dpi:\t144\n", 1.5), (b"Xft.dpi: ..\n", 1.0), (b"Xcursor.size:\t24\n", 1.0)],
)
def test_the_scaling_is_that_of_the_settings(display: str, settings: bytes, wanted: float) -> None:
    with closing(x11.Display(display)) as connection:
        root, kept = connection.screen().root, connection.intern_atom("RESOURCE_MANAGER")
        root.change_property(kept, connection.intern_atom("STRING"), 8, settings)
        connection.sync()
        try:
            assert scaling() == wanted
        finally:
            root.delete_property(kept)
            connection.sync()
