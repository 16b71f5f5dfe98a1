"""The Windows desktop and its clicks, on windows made up here; the real ones are in tests/live."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from bot.desktop import win32_api
from bot.desktop.protocols import Button, Visibility, Window, parse_shortcut
from bot.desktop.win32 import Win32Desktop
from bot.desktop.win32_api import (
    EX_LAYERED,
    EX_NOACTIVATE,
    EX_TOPMOST,
    EX_TRANSPARENT,
    Api,
    Event,
    absolute,
)
from bot.errors import CaptureError, UsageError, ViewChangedError, WindowError
from bot.geometry import Point, Rect
from bot.targets.catalogue import TARGETS

BOARD = Rect(100, 100, 144, 144)
GAME, OTHER = 1, 2
ESCAPE, F12 = 0x1B, 0x7B


@dataclass
class MadeUp:
    """What Windows knows of a window. ``alpha`` None: each pixel has its own, and ``solid`` are not 0."""

    handle: int
    class_name: str = "Some"
    process: int = 20
    frame: Rect = field(default=Rect(50, 50, 400, 400))
    owner: int = 0
    shown: bool = True
    minimised: bool = False
    cloaked: bool = False
    ex_style: int = 0
    alpha: int | None = 255
    solid: bool = True
    title: str | None = None
    enabled: bool = True


class FakeApi(Api):
    """Answers from a list of windows, topmost first. ``obeys`` is the way to the front that works."""

    def __init__(self, *stack: MadeUp, obeys: str = "polite") -> None:
        self.stack = list(stack)
        self.obeys, self.front = obeys, OTHER
        self.pressed, self.down = {ESCAPE}, set[int]()  # since the last look, and now
        self.taken: tuple[int, int] | None = None

    def find(self, handle: int) -> MadeUp | None:
        return next((window for window in self.stack if window.handle == handle), None)

    def known(self, handle: int) -> MadeUp:
        return self.find(handle) or MadeUp(0, "", 0, shown=False)

    def top_level_windows(self) -> list[int]:
        return [window.handle for window in self.stack]

    def exists(self, handle: int) -> bool:
        return self.find(handle) is not None

    def is_shown(self, handle: int) -> bool:
        return self.known(handle).shown

    def is_minimised(self, handle: int) -> bool:
        return self.known(handle).minimised

    def is_cloaked(self, handle: int) -> bool:
        return self.known(handle).cloaked

    def title(self, handle: int) -> str:
        title = self.known(handle).title
        return f"window {handle}" if title is None else title

    def is_enabled(self, handle: int) -> bool:
        return self.known(handle).enabled

    def class_name(self, handle: int) -> str:
        return self.known(handle).class_name

    def ex_style(self, handle: int) -> int:
        return self.known(handle).ex_style

    def alpha(self, handle: int) -> int | None:
        return self.known(handle).alpha

    def process(self, handle: int) -> int:
        return self.known(handle).process

    def process_file(self, process: int) -> str:
        return {10: "winmine.exe", 20: "other.exe"}.get(process, "")

    def client(self, handle: int) -> Rect:
        return self.known(handle).frame

    frame = client

    def frame_time(self) -> float:
        return 0.0

    def screen(self) -> Rect:
        return Rect(-800, 0, 1800, 600)

    def root_owner(self, handle: int) -> int:
        return self.known(handle).owner or handle

    def hit(self, point: Point) -> int:
        return next((w.handle for w in self.stack if w.solid and w.frame.contains(point)), 0)

    def last_active_popup(self, handle: int) -> int:
        return next((window.handle for window in self.stack if window.owner == handle), handle)

    def foreground(self) -> int:
        return self.front

    def restore(self, handle: int) -> None:
        self.known(handle).minimised = False

    def send_no_movement(self) -> None:
        if self.obeys == "input":
            self.obeys = "polite"

    def set_foreground(self, handle: int) -> None:
        if self.obeys == "polite":
            self.front = handle
            self.stack = sorted(self.stack, key=lambda window: self.rank(window, handle))

    def rank(self, window: MadeUp, raised: int) -> tuple[bool, bool, bool]:
        """Order windows after a raise: topmost ones, the raised one, its owner and its dialogs, the rest."""
        stranger = self.root_owner(window.handle) != self.root_owner(raised)
        return not window.ex_style & EX_TOPMOST, stranger, window.handle != raised

    def set_foreground_attached(self, handle: int) -> None:
        if self.obeys == "attached":
            self.obeys = "polite"
        self.set_foreground(handle)

    def key_pressed(self, key: int) -> bool:
        pressed = key in self.pressed
        self.pressed.discard(key)
        return pressed or key in self.down

    def key_down(self, key: int) -> bool:
        return key in self.down

    def is_free(self, key: int, modifiers: int) -> bool:
        return (key, modifiers) != self.taken and key != F12  # which Windows gives to nobody


def game(**changes: object) -> MadeUp:
    return replace(MadeUp(GAME, "Minesweeper", 10), **changes)  # type: ignore[arg-type]


def seen(*stack: MadeUp, area: Rect = BOARD) -> Visibility:
    api = FakeApi(*stack)
    desktop = Win32Desktop(api)
    window = desktop._window(GAME)
    return desktop.visibility(window, area)


COVERING = {
    "opaque": MadeUp(OTHER),
    "half transparent": MadeUp(OTHER, ex_style=EX_LAYERED, alpha=128),
    "always on top": MadeUp(OTHER, ex_style=EX_TOPMOST),
    "solid pixels": MadeUp(OTHER, ex_style=EX_LAYERED, alpha=None),
    "own dialog": MadeUp(OTHER, "#32770", 10, owner=GAME),
    "a corner": MadeUp(OTHER, frame=Rect(243, 243, 50, 50)),
}
HARMLESS = {
    "beside": MadeUp(OTHER, frame=Rect(244, 100, 50, 50)),
    "hidden": MadeUp(OTHER, shown=False),
    "cloaked": MadeUp(OTHER, cloaked=True),
    "minimised": MadeUp(OTHER, minimised=True),
    "click-through": MadeUp(OTHER, ex_style=EX_LAYERED | EX_TRANSPARENT, alpha=None),
    "invisible": MadeUp(OTHER, ex_style=EX_LAYERED, alpha=0),
    "overlay of a graphics driver": MadeUp(OTHER, ex_style=EX_LAYERED | EX_TOPMOST, alpha=255, solid=False),
    "empty pixels": MadeUp(OTHER, ex_style=EX_LAYERED, alpha=None, solid=False),
}


@pytest.mark.parametrize("above", COVERING.values(), ids=COVERING)
def test_these_cover_the_board(above: MadeUp) -> None:
    assert seen(above, game()) is Visibility.COVERED
    assert seen(game(), above) is Visibility.VISIBLE


@pytest.mark.parametrize("above", HARMLESS.values(), ids=HARMLESS)
def test_these_do_not(above: MadeUp) -> None:
    assert seen(above, game()) is Visibility.VISIBLE


def test_a_board_partly_off_the_screen_is_covered() -> None:
    assert seen(game(), area=Rect(-750, 100, 144, 144)) is Visibility.VISIBLE
    assert seen(game(), area=Rect(-810, 100, 144, 144)) is Visibility.COVERED
    assert seen(game(), area=Rect(900, 100, 144, 144)) is Visibility.COVERED


def test_minimised_and_hidden_are_told_apart() -> None:
    assert seen(game(minimised=True)) is Visibility.MINIMISED
    assert seen(game(cloaked=True)) is Visibility.COVERED
    assert seen(game(shown=False)) is Visibility.CLOSED


def test_a_handle_that_another_program_got_is_not_the_game() -> None:
    api = FakeApi(game())
    desktop = Win32Desktop(api)
    [window] = desktop.windows()
    assert (window.process, window.class_name) == ("winmine.exe", "Minesweeper")
    api.stack = [MadeUp(GAME, "Notepad")]
    assert desktop.refresh(window) is None
    assert desktop.visibility(window, BOARD) is Visibility.CLOSED
    with pytest.raises(WindowError, match="is closed"):
        desktop.raise_window(window)


def test_a_window_takes_clicks_where_it_was_seen() -> None:
    api = FakeApi(MadeUp(OTHER, frame=Rect(0, 0, 60, 60)), game())
    desktop = Win32Desktop(api)
    window = desktop._window(GAME)
    corner = Point(window.client.x, window.client.y)
    inside = Point(window.client.right - 1, window.client.bottom - 1)
    assert desktop.takes(window, inside)
    assert desktop.takes(window, corner) is not Rect(0, 0, 60, 60).contains(corner)
    assert not desktop.takes(replace(window, client=window.client.moved(1, 0)), inside)


@pytest.mark.parametrize("way", ["polite", "input", "attached"])
def test_raising_tries_one_way_after_the_other(way: str) -> None:
    tip = MadeUp(3, ex_style=EX_TOPMOST, frame=Rect(0, 0, 5, 5))
    api = FakeApi(tip, MadeUp(OTHER), game(minimised=True), obeys=way)
    desktop = Win32Desktop(api)
    window = desktop._window(GAME)
    desktop.raise_window(window)
    assert api.front == GAME
    assert desktop.visibility(window, BOARD) is Visibility.VISIBLE


def test_a_refusal_to_raise_is_told() -> None:
    desktop = Win32Desktop(FakeApi(MadeUp(OTHER), game(), obeys="nobody"))
    with pytest.raises(WindowError, match="click on it once"):
        desktop.raise_window(desktop._window(GAME))


def test_the_dialog_of_a_raised_window_gets_the_keyboard() -> None:
    api = FakeApi(MadeUp(OTHER), MadeUp(3, "#32770", 10, owner=GAME), game())
    desktop = Win32Desktop(api)
    desktop.raise_window(desktop._window(GAME))
    assert api.front == 3
    assert api.top_level_windows() == [3, GAME, OTHER]


@pytest.mark.parametrize(
    ("front", "rival"),
    [
        (MadeUp(OTHER), True),
        (MadeUp(OTHER, process=10), False),
        (MadeUp(OTHER, owner=GAME), False),
        (MadeUp(OTHER, "Shell_TrayWnd"), False),
        (MadeUp(OTHER, "Shell_SecondaryTrayWnd"), False),
        (MadeUp(OTHER, shown=False), False),
    ],
)
def test_another_program_with_the_keyboard_is_a_rival(front: MadeUp, rival: bool) -> None:
    api = FakeApi(front, game())
    desktop = Win32Desktop(api)
    window = desktop._window(GAME)
    assert (desktop.rival(window) is not None) == rival
    api.front = GAME
    assert desktop.rival(window) is None


def test_raising_does_not_ask_that_nothing_lies_beside_the_game() -> None:
    beside = MadeUp(3, process=10, frame=Rect(600, 50, 100, 100))  # it stays above the game
    api = FakeApi(beside, game())
    api.rank = lambda window, raised: (window.handle != 3, False, not raised)  # type: ignore[method-assign]
    desktop = Win32Desktop(api)
    desktop.raise_window(desktop._window(GAME))
    api.known(3).frame = Rect(60, 60, 100, 100)
    with pytest.raises(WindowError, match="click on it once"):
        desktop.raise_window(desktop._window(GAME))


QUIET = {
    "a tooltip": MadeUp(3, "tooltips_class32", 10, owner=GAME),
    "a tooltip of Windows Forms": MadeUp(
        3, "WindowsForms10.tooltips_class32.app.0.1", 10, owner=GAME, title=""
    ),
    "a glow": MadeUp(3, "HwndWrapper[a]", 10, owner=GAME, title="", ex_style=EX_LAYERED | EX_NOACTIVATE),
    "a status line": MadeUp(3, "Chrome_WidgetWin_1", 10, owner=GAME, title="", ex_style=EX_TRANSPARENT),
    "a window behind a dialog": MadeUp(3, "AboutBox", 10, owner=GAME, enabled=False),
    "an input method": MadeUp(3, "IME", 10, owner=GAME),
}


@pytest.mark.parametrize("owned", QUIET.values(), ids=QUIET)
def test_what_takes_no_input_is_neither_a_dialog_nor_a_menu(owned: MadeUp) -> None:
    desktop = Win32Desktop(FakeApi(owned, game()))
    assert desktop.popups(desktop._window(GAME)) == []


@pytest.mark.parametrize(
    ("popup", "is_menu"),
    [
        (MadeUp(3, "#32770", 10, owner=GAME, title=""), False),  # the name dialog of winmine.exe
        (MadeUp(3, "#32770", 10, owner=GAME), False),
        (MadeUp(3, "AboutBox", 10, owner=GAME), False),
        (MadeUp(3, "#32768", 10, title=""), True),
        (MadeUp(3, "ComboLBox", 10, title=""), True),
        (MadeUp(3, "Qt6113QWindowPopupDropShadowSaveBits", 10, owner=GAME), True),
    ],
    ids=lambda value: getattr(value, "class_name", str(value)),
)
def test_the_class_tells_menus_from_dialogs(popup: MadeUp, is_menu: bool) -> None:
    desktop = Win32Desktop(FakeApi(popup, game()))
    assert [found.is_menu for found in desktop.popups(desktop._window(GAME))] == [is_menu]


def test_popups_are_the_dialogs_and_menus_of_the_program() -> None:
    api = FakeApi(
        MadeUp(3, "#32770", 10, owner=GAME),
        MadeUp(4, "#32768", 10),
        MadeUp(5, "tooltips_class32", 10, owner=GAME),
        MadeUp(6, "#32770", 20),
        MadeUp(7, "AboutBox", 10, owner=GAME),
        MadeUp(8, "Minesweeper", 10),
        MadeUp(9, "#32770", 10, shown=False),
        game(),
    )
    desktop = Win32Desktop(api)
    assert [popup.handle for popup in desktop.popups(desktop._window(GAME))] == [3, 4, 7]


def test_an_esc_of_long_ago_stops_nothing() -> None:
    api = FakeApi(game())
    desktop = Win32Desktop(api)
    assert not desktop.stop_pressed()
    api.pressed = {ESCAPE}
    assert desktop.stop_pressed()


def test_keys_together_stop_however_late_they_are_looked_at() -> None:
    control, alt, letter = 0x11, 0x12, ord("S")
    api = FakeApi(game())
    desktop = Win32Desktop(api, parse_shortcut("ctrl+alt+s"))
    assert desktop.stop_key == "Ctrl+Alt+S"
    api.pressed = {letter}
    assert not desktop.stop_pressed()
    api.down = {control, alt}
    assert not desktop.stop_pressed()
    api.pressed, api.down = {letter}, set()  # all are up again
    assert desktop.stop_pressed()
    api.pressed = {letter}
    assert not desktop.stop_pressed()
    api.pressed = {control, alt, letter}  # all since the last look
    assert desktop.stop_pressed()
    api.pressed = {control}
    assert not desktop.stop_pressed()


def test_keys_that_another_program_has_taken() -> None:
    api = FakeApi(game())
    api.taken = (ord("S"), 1 | 2)  # MOD_ALT and MOD_CONTROL
    with pytest.raises(UsageError, match=r"--stop-key ctrl\+alt\+s: another program uses these keys"):
        Win32Desktop(api, parse_shortcut("ctrl+alt+s"))
    api.taken = (ESCAPE, 0)  # but it is looked at only
    assert Win32Desktop(api).stop_key == "Esc"


def test_f12_which_windows_gives_to_nobody_is_looked_at_only() -> None:
    api = FakeApi(game())
    desktop = Win32Desktop(api, parse_shortcut("f12"))
    api.pressed = {F12}
    assert desktop.stop_pressed()


def test_the_key_with_two_codes() -> None:
    api = FakeApi(game())
    desktop = Win32Desktop(api, parse_shortcut("ctrl+pause"))
    api.down, api.pressed = {0x11}, {0x03}  # Break
    assert desktop.stop_pressed()


# Clicks as Windows takes them in, held against what Windows and Wine make of them

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
        self.keys: list[tuple[int, int]] = []
        self.border: int | None = None  # the pointer stops at this x once
        self.locked = False

    def position(self) -> Point:
        return Api.position(self) if self.locked else self.pointer

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
                if self.border is not None and self.pointer.x < self.border:
                    self.pointer, self.border = Point(self.border, self.pointer.y), None
            self.seen += [(name, self.pointer) for flag, name in NAMES.items() if flags & flag]
        return len(taken)

    def send_keys(self, keys: Sequence[tuple[int, int]]) -> int:
        taken, self.room = keys[: self.room], 9
        self.keys += taken
        return len(taken)


def test_a_move_that_stops_at_the_border_of_two_monitors_arrives_the_second_time() -> None:
    api = FakeInput()
    for border in (None, 0):
        api.border = border
        api.move(Point(-200, 641))
        assert api.position() == Point(-200, 641)
    assert api.seen == []


RELEASED, EXTENDED = 2, 1


def test_keys_go_in_one_piece_and_none_stays_pressed() -> None:
    api = FakeInput()
    api.press("alt", "f4")
    assert api.keys == [(0x12, 0), (0x73, 0), (0x73, RELEASED), (0x12, RELEASED)]
    api.keys.clear()
    api.press("down")
    assert api.keys == [(0x28, EXTENDED), (0x28, EXTENDED | RELEASED)]
    for room in range(4):
        api.keys.clear()
        api.room = room
        with pytest.raises(CaptureError, match=r"^Windows does not accept keys"):
            api.press("ctrl", "r")
        last = dict(api.keys)
        assert all(flags & RELEASED for flags in last.values())


def test_every_key_that_a_game_needs_has_a_code() -> None:
    needed = {key for target in TARGETS for key in target.new_game}
    needed |= {"n", "enter", "tab", "home", "down", "alt", "f4", "f10", *"0123456789"}
    api = FakeInput(takes=99)
    for key in needed:
        api.press(key)


def test_keys_reach_no_other_window() -> None:
    api = FakeInput()
    api.foreground = lambda: OTHER  # type: ignore[method-assign]
    window = Window(GAME, "", "", "", BOARD)
    with pytest.raises(ViewChangedError):
        api.press("f2", windows=[window])
    assert api.keys == []
    api.press("f2", windows=[window, replace(window, handle=OTHER)])
    assert len(api.keys) == 2


def test_a_locked_screen_is_no_hand() -> None:
    class Locked:
        def GetCursorPos(self, _: object) -> int:  # noqa: N802 (Windows' name)
            return 0

    api = FakeInput()
    api.locked, api._user32 = True, Locked()  # type: ignore[assignment]
    with pytest.raises(CaptureError, match="is the screen locked"):
        api.position()


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
    api.click(Point(-200, 641), button)
    assert api.seen == [(name, Point(-200, 641)) for name in events]


def test_a_left_handed_user_gets_the_other_button() -> None:
    api = FakeInput(left_handed=True)
    for button in (Button.LEFT, Button.RIGHT, Button.MIDDLE):
        api.click(Point(5, 5), button)
    assert [name for name, _ in api.seen][::2] == ["right down", "left down", "middle down"]


@pytest.mark.parametrize(
    ("button", "takes"), [(Button.LEFT, 0), *((Button.BOTH, takes) for takes in range(4))], ids=str
)
def test_no_button_stays_pressed_where_windows_takes_no_input(button: Button, takes: int) -> None:
    api = FakeInput(takes=takes)
    with pytest.raises(CaptureError, match=r"^Windows does not accept clicks: is the screen locked"):
        api.click(Point(5, 5), button)
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
