"""Requests to an X server with Python types and uniform errors; clicks, key presses and the stop key."""

from __future__ import annotations

import os
import re
import signal
import struct
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path, PureWindowsPath
from typing import Any, TypeVar

from Xlib import XK, X, display, error, protocol, xauth
from Xlib.ext import shape, xinput
from Xlib.ext.xtest import fake_input
from Xlib.protocol import request, rq

from bot.desktop import no_display_words
from bot.desktop.protocols import ESC, Button, PointerCheck, Shortcut, Stroke, Window, taken
from bot.errors import IN_THE_WAY, NO_KEYBOARD, CaptureError, LaunchError, UsageError, ViewChangedError
from bot.geometry import Point, Rect
from bot.signals import signals_delayed
from bot.stop import Stop

_INPUT_SHAPES = (1, 1)  # the version of the extension SHAPE that added them
_LOST = "the connection to the X display was lost: is the X server still running?"

T = TypeVar("T")


class Api:
    """A connection to the X display ``name`` (None: that of the environment variable DISPLAY).

    A request about a window that has vanished returns None, unless its docstring says something else. Raises
    CaptureError if there is no display, and if the connection is lost.
    """

    def __init__(self, name: str | None) -> None:
        self.display = _connect(name)
        self.display.set_error_handler(lambda *_: None)  # of requests without a reply: windows that vanished
        self.root = self.display.screen().root
        self._atoms: dict[str, int] = {}

    def ask(self, request: Callable[..., T], *arguments: Any) -> T | None:
        """Return the answer to ``request``, None if its window has vanished."""
        try:
            return request(*arguments)
        except error.XError:
            return None
        except (error.ConnectionClosedError, OSError) as lost:
            raise CaptureError(_LOST) from lost

    def together(self, *requests: Callable[..., Any]) -> list[Any]:
        """Send all ``requests``, then return their answers, in one trip to the server.

        They are classes of `Xlib.protocol.request` with their fields. If a window vanished, its answer is
        None.
        """
        begin = {"display": self.display.display, "defer": True}
        waiting = [self.ask(partial(request, **begin)) for request in requests]
        return [self.ask(_answered, each) for each in waiting]

    def place(self, window: Any, point: Point) -> Callable[..., Any]:
        """Return the request that asks where a ``point`` of ``window`` is in the root, and in which child."""
        where = {"src_x": point.x, "src_y": point.y}
        return partial(request.TranslateCoords, src_wid=window, dst_wid=self.root, **where)

    def window(self, handle: int) -> Any:
        """Return the window with the id ``handle``."""
        return self.display.create_resource_object("window", handle)

    def stack(self) -> list[Any]:
        """Return the children of the root, topmost first."""
        tree = self.ask(self.root.query_tree)
        return list(reversed(tree.children)) if tree else []

    def property(self, window: Any, name: str) -> Any:
        """Return the value of a property: bytes or an array of ints, None if it is not set."""
        found = self.ask(window.get_full_property, self.atom(name), X.AnyPropertyType)
        return found.value if found else None

    def atom(self, name: str) -> int:
        """Return the server's number (atom) for ``name``."""
        if name not in self._atoms:
            self._atoms[name] = self.ask(self.display.intern_atom, name) or X.NONE
        return self._atoms[name]

    def composited(self) -> bool:
        """Return whether a compositor draws the screen (the EWMH: it owns the selection _NET_WM_CM_Sn)."""
        name = f"_NET_WM_CM_S{self.display.get_default_screen()}"
        return bool(self.ask(self.display.get_selection_owner, self.atom(name)))

    def number(self, window: Any, name: str) -> int | None:
        """Return the first number in a property, None if there is none."""
        value = self.property(window, name)
        return int(value[0]) if value is not None and len(value) and not isinstance(value, bytes) else None

    def title(self, window: Any) -> str:
        """Return a window's title, "" if it has none."""
        name = self.property(window, "_NET_WM_NAME")
        if isinstance(name, bytes):
            return name.decode("utf-8", "replace")
        name = self.property(window, "WM_NAME")
        return name.decode("latin-1") if isinstance(name, bytes) else ""

    def class_name(self, window: Any) -> str:
        """Return the class in WM_CLASS, which holds instance and class, each with a zero byte at its end."""
        value = self.property(window, "WM_CLASS")
        return value.split(b"\0")[1].decode("latin-1") if value and value.count(b"\0") else ""

    def rect(self, window: Any) -> Rect:
        """Return a window's area without its border in screen pixels; an empty one if it has vanished."""
        size = self.ask(window.get_geometry)
        corner = self.ask(self.root.translate_coords, window, 0, 0)
        return Rect(corner.x, corner.y, size.width, size.height) if size and corner else Rect(0, 0, 0, 0)

    def top(self, window: Any) -> int:
        """Return the id of the child of the root that is the window or contains it."""
        while (tree := self.ask(window.query_tree)) and tree.parent and tree.parent.id != self.root.id:
            window = tree.parent
        return int(window.id)

    def focus(self) -> int | None:
        """Return the id of the window with the keyboard; None if none has it, or the one at the pointer."""
        focus = getattr(self.ask(self.display.get_input_focus), "focus", None)
        return getattr(focus, "id", None)

    def focus_top(self) -> int | None:
        """Return the id of the child of the root that has the keyboard, None if none has it."""
        focus = self.focus()
        return None if focus is None else self.top(self.window(focus))

    def message(self, client: Any, kind: str, *data: int) -> Any:
        """Return a client message of this ``kind`` with up to five numbers."""
        padded = [*data, 0, 0, 0, 0, 0][:5]
        return protocol.event.ClientMessage(window=client, client_type=self.atom(kind), data=(32, padded))

    def shapes(self, window: Any, kind: int) -> list[Rect]:
        """Return the rectangles of a window's drawn or clickable shape (``kind``), in screen pixels."""
        corner = self.rect(window)
        if not self.display.has_extension(shape.extname):
            return [corner]
        answer: Any = self.ask(window.shape_get_rectangles, kind)
        parts = answer.rectangles if answer else ()
        return [Rect(corner.x + part.x, corner.y + part.y, part.width, part.height) for part in parts]

    def close(self) -> None:
        """Close the connection."""
        with suppress(error.ConnectionClosedError):
            self.display.close()


def _answered(request: Any) -> Any:
    """Wait for the answer to ``request`` and return it, in its attributes. Raises XError if it fails."""
    request.reply()
    return request


def _connect(name: str | None) -> display.Display:
    try:
        # Xlib prints a message if .Xauthority is empty. Redirecting standard output instead would also lose
        # what other threads print meanwhile.
        xauth.print = lambda *_: None
        return display.Display(name)
    except (error.DisplayError, error.ConnectionClosedError, OSError, OverflowError) as problem:
        raise CaptureError(no_display_words()) from problem


def process_name(process: int | None) -> str:
    """Return the file name of a process's program in lower case, under Wine that of the Windows program."""
    if not process:
        return ""
    try:
        command = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")[0]
    except OSError:
        return ""
    return PureWindowsPath(os.fsdecode(command)).name.lower()


def require_shapes() -> None:
    """Raise LaunchError if windows on this display cannot have a shape and let clicks through.

    Raises CaptureError if there is no display.
    """
    with closing(Api(None)) as api:
        display = api.display
        version = display.shape_query_version() if display.has_extension(shape.extname) else None
        if version is None or (version.major_version, version.minor_version) < _INPUT_SHAPES:
            raise LaunchError(
                "marks cannot be shown over the game: this display lacks the extension SHAPE 1.1, so they "
                "would hide the game and take its clicks; use --no-marks"
            )


def scaling() -> float:
    """Return how much larger than at 96 dots per inch programs are asked to draw texts (Xft.dpi).

    Raises CaptureError if there is no display.
    """
    with closing(Api(None)) as api:
        settings = api.property(api.root, "RESOURCE_MANAGER")
    text = settings if isinstance(settings, bytes) else b""
    found = re.search(rb"^Xft\.dpi:\s*([0-9]+)", text, re.MULTILINE)
    return int(found[1]) / 96 if found else 1.0


PATIENCE = 0.5  # seconds to wait for a press that is held back, but no longer: the user may hold a button
_ANY_BUTTON = X.Button1Mask | X.Button2Mask | X.Button3Mask
# Signals that end or stop (Ctrl+Z) a program are delayed until after a click. An exception inside Xlib makes
# it wait forever, and a program that is stopped while it has grabbed the server freezes the whole screen.
_HELD = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP)
_BUTTONS = {Button.LEFT: (1,), Button.MIDDLE: (2,), Button.RIGHT: (3,), Button.BOTH: (1, 3)}
_XTEST_POINTER = 4  # the number of the device "Virtual core XTEST pointer" in every server made from X.Org
_NO_BUTTON = (
    "the mouse cannot click {} here, because the display maps no button to it: undo that with "
    "`xmodmap -e 'pointer = default'`"
)


class _DeviceButtons(rq.ReplyRequest):  # type: ignore[misc]
    """GetDeviceButtonMapping of the extension XInput, which python-xlib lacks."""

    _request = rq.Struct(rq.Card8("opcode"), rq.Opcode(28), rq.RequestLength(), rq.Card8("device"), rq.Pad(3))
    _reply = rq.Struct(
        *(rq.ReplyCode(), rq.Pad(1), rq.Card16("sequence_number"), rq.ReplyLength()),
        *(rq.LengthOf("map", 1), rq.Pad(23), rq.List("map", rq.Card8Obj)),
    )


class InputSender:
    """Sends clicks and keys to the X server.

    A press and its release are one message, which the server gets completely or not at all, however the
    program ends: if it were killed between two messages, a button or a key would stay pressed. Raises the
    errors of Xlib if the connection is lost.
    """

    def __init__(self, api: Api) -> None:
        self._api, self._display = api, api.display

    def position(self) -> Point:
        """Return where the pointer is."""
        return _place_of(self._api.root.query_pointer())

    def move(self, point: Point) -> None:
        """Put the pointer at ``point``."""
        fake_input(self._display, X.MotionNotify, x=point.x, y=point.y)
        self._display.sync()

    def burst(
        self, strokes: Sequence[Stroke], window: Window | None, check: PointerCheck, hold: float = 0.0
    ) -> tuple[int, Point]:
        """Click at each place in turn; return the number of clicks, and the place of the pointer after them.

        For `Button.BOTH`, left is pressed first, and both are down before one is released. ``check`` is
        called with the pointer's place before the clicks, and may raise. From before that until all clicks
        are sent, the server handles no other program. Raises ViewChangedError if something other than
        ``window`` would get a click, or if the window has moved. Only the first click is made if a window
        manager holds presses back, or if the button is held for ``hold`` seconds. The server has got the
        release by then, and lets other programs see the press meanwhile.
        """
        with signals_delayed(*_HELD):
            self._display.grab_server()
            try:
                here, reached = self._pointer_and_hits(strokes, window)
                check(here)
                if not reached:
                    raise ViewChangedError(IN_THE_WAY)
                sent = self._click_all(strokes[:1] if hold else strokes, self._button_numbers(strokes), hold)
            finally:
                self._display.ungrab_server()  # sent together with the clicks
                self._display.flush()
            return sent, self._await_release()

    def _button_numbers(self, strokes: Sequence[Stroke]) -> dict[int, int]:
        """Return the number to send for each button that programs are to see.

        The server maps it twice: by the map of XTest's device, then by that of the pointer, which `xmodmap`
        changes for left-handed users. Raises CaptureError if a button of ``strokes`` has no number.
        """
        mapped, device = dict(enumerate(self._display.get_pointer_mapping(), 1)), None
        if self._display.has_extension(xinput.extname):
            connection = self._display.display
            opcode = connection.get_extension_major(xinput.extname)
            device = self._api.ask(_DeviceButtons, connection, False, opcode, _XTEST_POINTER)
        first = device.map if device else mapped
        numbers = {mapped.get(between, 0): number for number, between in enumerate(first, 1)}
        for _, button in strokes:
            if not numbers.keys() >= {*_BUTTONS[button]}:
                raise CaptureError(_NO_BUTTON.format(button.value))
        return numbers

    def _click_all(self, strokes: Sequence[Stroke], numbers: Mapping[int, int], hold: float) -> int:
        """Click at each place, or only the first if a window manager holds presses back; return how many."""
        self._click(*strokes[0], numbers, hold)
        if len(strokes) == 1 or self._api.root.query_pointer().mask & _ANY_BUTTON:
            return 1
        for stroke in strokes[1:]:
            self._click(*stroke, numbers)
        return len(strokes)

    def _click(self, point: Point, button: Button, numbers: Mapping[int, int], hold: float = 0.0) -> None:
        fake_input(self._display, X.MotionNotify, x=point.x, y=point.y)
        self._stroke(X.ButtonPress, X.ButtonRelease, [numbers[each] for each in _BUTTONS[button]], hold)

    def _pointer_and_hits(self, strokes: Sequence[Stroke], window: Window | None) -> tuple[Point, bool]:
        """Return where the pointer is, and whether the window would get all clicks, mostly in one trip."""
        api = self._api
        if window is None:
            return self.position(), True
        client = api.window(window.handle)
        pointer, size, corner, *places = api.together(
            partial(request.QueryPointer, window=api.root),
            partial(request.GetGeometry, drawable=client),
            api.place(client, Point(0, 0)),
            *(api.place(api.root, point) for point, _ in strokes),
        )
        there = bool(size and corner) and Rect(corner.x, corner.y, size.width, size.height) == window.client
        hit = {at.child for at in places}
        return _place_of(pointer), there and all(self._reaches(top, client) for top in hit)

    def _reaches(self, top: Any, client: Any) -> bool:
        """Return whether a click at ``top``, a child of the root, reaches the client.

        It does if ``top`` contains the client, or is invisible (input-only), as for `X11Desktop`, too.
        """
        if not top:
            return False
        if top.id == client.id or top.id == self._api.top(client):  # the latter is another trip to the server
            return True
        attributes = self._api.ask(top.get_attributes)
        return bool(attributes and attributes.win_class == X.InputOnly)

    def press(self, *keys: str, windows: Sequence[Window] = ()) -> None:
        """Press the keys together in this order and release them, if the keyboard has them all.

        From before the question which window has the keyboard until the keys are sent, the server handles no
        other program. Raises ViewChangedError if ``windows`` are given and none of them has it.
        """
        codes = [_code_of(self._display, key) for key in keys]
        if not all(codes):  # such as "n" on one without Latin letters
            return
        with signals_delayed(*_HELD):
            self._display.grab_server()
            try:
                if windows and not self._have_keyboard(windows):
                    raise ViewChangedError(NO_KEYBOARD)
                self._stroke(X.KeyPress, X.KeyRelease, codes)
            finally:
                self._display.ungrab_server()  # sent together with the keys
                self._display.sync()

    def _have_keyboard(self, windows: Sequence[Window]) -> bool:
        """Return whether the window with the keyboard is in the same child of the root as one of these."""
        top = self._api.focus_top()
        return top is not None and any(
            self._api.top(self._api.window(window.handle)) == top for window in windows
        )

    def _stroke(self, down: int, up: int, numbers: Sequence[int], hold: float = 0.0) -> None:
        """Queue the presses, then the releases in reverse order; they are sent with the next request.

        The server waits for ``hold`` seconds before each release.
        """
        for number in numbers:
            fake_input(self._display, down, number)
        if hold:
            self._display.ungrab_server()  # or nobody would see the press
        for number in reversed(numbers):
            fake_input(self._display, up, number, time=round(1000 * hold))

    def _await_release(self) -> Point:
        """Wait until no button is down, for up to `PATIENCE` seconds, and return the place of the pointer.

        Window managers hold a press back to decide where it goes (they grab the buttons of windows). If the
        pointer moved meanwhile, the press would go to its new place. The release waits behind the press, so
        the button counts as pressed until both are handled.
        """
        deadline = time.monotonic() + PATIENCE
        while (pointer := self._api.root.query_pointer()).mask & _ANY_BUTTON and time.monotonic() < deadline:
            time.sleep(0.0005)
        return _place_of(pointer)


def _place_of(pointer: Any) -> Point:
    return Point(pointer.root_x, pointer.root_y)


def picked_point(stop: Stop, tell: Callable[[str], None]) -> Point:
    """Wait for a click and return its place. The pointer is grabbed meanwhile: no program gets the click."""
    mask, modes = X.ButtonPressMask | X.ButtonReleaseMask, (X.GrabModeAsync, X.GrabModeAsync)
    place = None
    with closing(Api(None)) as api:
        grab = partial(api.root.grab_pointer, False, mask, *modes, X.NONE, X.NONE, X.CurrentTime)
        while api.ask(grab) != X.GrabSuccess:  # an open menu has it
            stop.raise_if_stopped()
            time.sleep(_INTERVAL)
        tell("click on the board (the game does not get this click), and let go of the mouse")
        while True:
            stop.raise_if_stopped()
            time.sleep(0.01)
            while api.ask(api.display.pending_events):
                event: Any = api.ask(api.display.next_event)
                if event.type == X.ButtonPress and event.detail in range(1, 4):  # not the wheel
                    place = Point(event.root_x, event.root_y)
                elif event.type == X.ButtonRelease and place is not None:
                    return place


_RAW_EVENT = struct.Struct("=HII")  # device, time, key code: the start of the body of an XInput 2 raw event
_STROKES = xinput.RawKeyPressMask | xinput.RawKeyReleaseMask
_VERSION = {"major_version": 2, "minor_version": 2}  # before 2.1, no raw events come while a menu is open
_NAMES = {  # of keysyms; most others are the same, but for capital letters
    "esc": "Escape",
    "enter": "Return",
    "scrolllock": "Scroll_Lock",
    "pageup": "Prior",
    "pagedown": "Next",
    "ctrl": "Control",
    "win": "Super",
}
_INTERVAL = 0.05  # seconds between two checks of the keys themselves, if the server reports strokes
_MASKS = {"ctrl": X.ControlMask, "alt": X.Mod1Mask, "shift": X.ShiftMask, "win": X.Mod4Mask}


class StopKey:
    """Detects that the keys of a shortcut are pressed, whichever window has the keyboard.

    Presses between two calls are reported by the raw events of XInput 2; without it, only keys that are down
    during a call are noticed. Raises UsageError, and closes ``api``, if the keyboard lacks the key or another
    program has grabbed it. For Esc, which dialogs use, too, the latter is not checked.
    """

    def __init__(self, api: Api, shortcut: Shortcut = ESC) -> None:
        self._api = api
        self._code = _code_of(api.display, shortcut.key)
        self._modifiers = [
            {_code_of(api.display, name, side) for side in "LR"} for name in shortcut.modifiers
        ]
        if (why := self._refusal(shortcut)) is not None:
            api.close()
            raise why
        self._told = api.display.has_extension(xinput.extname)
        if self._told:
            connection = api.display.display
            opcode = connection.get_extension_major(xinput.extname)
            api.ask(partial(xinput.XIQueryVersion, display=connection, opcode=opcode, **_VERSION))
            api.ask(api.root.xinput_select_events, [(xinput.AllMasterDevices, _STROKES)])
            api.ask(api.display.sync)
        self._down, self._next = self._down_now(), 0.0

    def pressed(self) -> bool:
        """Return whether the keys are down, or were pressed since the last call."""
        pressed = False
        for code, down in list(self._strokes()):  # empties the queue: no old presses may stay
            (self._down.add if down else self._down.discard)(code)
            pressed = pressed or (down and code == self._code and self._held)
        now = time.monotonic()
        if not self._told or now >= self._next:
            self._down, self._next = self._down_now(), now + _INTERVAL
        return pressed or (self._code in self._down and self._held)

    @property
    def _held(self) -> bool:
        """Whether one key of each modifier is down."""
        return all(codes & self._down for codes in self._modifiers)

    def _down_now(self) -> set[int]:
        keys = self._api.ask(self._api.display.query_keymap)
        codes = {self._code}.union(*self._modifiers)
        return {code for code in codes if keys and keys[code // 8] >> code % 8 & 1}

    def _strokes(self) -> Iterator[tuple[int, bool]]:
        """Yield the codes of keys that went down (true) or up (false) since the last call."""
        while self._api.ask(self._api.display.pending_events):
            event: Any = self._api.ask(self._api.display.next_event)
            if (kind := getattr(event, "evtype", None)) in (xinput.RawKeyPress, xinput.RawKeyRelease):
                yield _RAW_EVENT.unpack_from(event.data)[2], kind == xinput.RawKeyPress

    def _refusal(self, shortcut: Shortcut) -> UsageError | None:
        if not self._code:
            return UsageError(f"--stop-key {shortcut}: this keyboard has no such key, choose another")
        return taken(shortcut) if shortcut != ESC and self._is_taken(shortcut) else None

    def _is_taken(self, shortcut: Shortcut) -> bool:
        """Return whether another program has grabbed the keys: then a short grab of them fails."""
        root, denied = self._api.root, error.CatchError(error.BadAccess)
        held = sum(_MASKS[name] for name in shortcut.modifiers)
        how = (X.GrabModeAsync, X.GrabModeAsync, denied)
        self._api.ask(root.grab_key, self._code, held, True, *how)
        self._api.ask(self._api.display.sync)
        self._api.ask(root.ungrab_key, self._code, held)
        return denied.get_error() is not None


def _code_of(display: Any, key: str, side: str = "L") -> int:
    """Return the code of a key, of the left or right one if there are two; 0 if the keyboard has none."""
    name, end = _NAMES.get(key, key), f"_{side}" if key in _MASKS else ""
    symbol = XK.string_to_keysym(name + end) or XK.string_to_keysym(name.capitalize() + end)
    return int(display.keysym_to_keycode(symbol)) if symbol else 0
