"""Requests to an X server, and clicks and keys there: Python types, and one meaning for what can fail."""

from __future__ import annotations

import os
import signal
import struct
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path, PureWindowsPath
from typing import Any, TypeVar

from Xlib import XK, X, display, error, protocol, xauth
from Xlib.ext import shape, xinput
from Xlib.ext.xtest import fake_input
from Xlib.protocol import request

from bot.desktop import NO_DISPLAY
from bot.desktop.protocols import ESC, Button, Shortcut, Stroke, Window, taken
from bot.errors import IN_THE_WAY, CaptureError, LaunchError, UsageError, ViewChangedError
from bot.geometry import Point, Rect
from bot.signals import held_back

_INPUT_SHAPES = (1, 1)  # the version of the extension SHAPE that knows them
_LOST = "the connection to the X display was lost: is the X server still running?"

T = TypeVar("T")


class Api:
    """A connection to the display that ``name`` names (None: the environment's DISPLAY).

    A request about a window that has vanished answers None, or says what its docstring does. Raises
    CaptureError if there is no display, and when the connection is lost.
    """

    def __init__(self, name: str | None) -> None:
        self.display = _connect(name)
        self.display.set_error_handler(lambda *_: None)  # errors of requests without a reply: it vanished
        self.root = self.display.screen().root
        self._atoms: dict[str, int] = {}

    def ask(self, request: Callable[..., T], *arguments: Any) -> T | None:
        """Return the answer to a request, None if its window has vanished."""
        try:
            return request(*arguments)
        except error.XError:
            return None
        except (error.ConnectionClosedError, OSError) as lost:
            raise CaptureError(_LOST) from lost

    def together(self, *requests: Callable[[], Any]) -> list[Any]:
        """Return the answers to requests that were only prepared, with one trip to the server for all.

        The answer is None where a window has vanished.
        """
        waiting = [self.ask(request) for request in requests]
        return [self.ask(answered, each) for each in waiting]

    def window(self, handle: int) -> Any:
        """Return the window with that id."""
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
        """Return the server's number for a name."""
        if name not in self._atoms:
            self._atoms[name] = self.ask(self.display.intern_atom, name) or X.NONE
        return self._atoms[name]

    def number(self, window: Any, name: str) -> int | None:
        """Return the first number of a property, None if it has none."""
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
        """Return the class of WM_CLASS, which holds the instance and the class, each ended by a zero."""
        value = self.property(window, "WM_CLASS")
        return value.split(b"\0")[1].decode("latin-1") if value and value.count(b"\0") else ""

    def rect(self, window: Any) -> Rect:
        """Return a window's area without its border in screen pixels; an empty one if it has vanished."""
        size = self.ask(window.get_geometry)
        corner = self.ask(self.root.translate_coords, window, 0, 0)
        return Rect(corner.x, corner.y, size.width, size.height) if size and corner else Rect(0, 0, 0, 0)

    def message(self, client: Any, kind: str, *data: int) -> Any:
        """Return a client message of up to five numbers."""
        padded = [*data, 0, 0, 0, 0, 0][:5]
        return protocol.event.ClientMessage(window=client, client_type=self.atom(kind), data=(32, padded))

    def shapes(self, window: Any, kind: int) -> list[Rect]:
        """Return the rectangles that make up a window as drawn or as it takes clicks, in screen pixels."""
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


# Questions that are on their way when these return; `answered` waits for the answer.


def ask_pointer(root: Any) -> Any:
    """Ask where the pointer is, and which buttons are down."""
    return request.QueryPointer(display=root.display, defer=True, window=root)


def ask_attributes(window: Any) -> Any:
    """Ask whether a window is shown, and what kind it is of."""
    return request.GetWindowAttributes(display=window.display, defer=True, window=window)


def ask_tree(window: Any) -> Any:
    """Ask for a window's parent and its children, the topmost last."""
    return request.QueryTree(display=window.display, defer=True, window=window)


def ask_size(window: Any) -> Any:
    """Ask for a window's size."""
    return request.GetGeometry(display=window.display, defer=True, drawable=window)


def ask_place(root: Any, window: Any, point: Point) -> Any:
    """Ask where a point of a window is in the root, and for the root's child that it is in."""
    at = {"src_wid": window, "dst_wid": root, "src_x": point.x, "src_y": point.y}
    return request.TranslateCoords(display=window.display, defer=True, **at)


def answered(request: Any) -> Any:
    """Return a question once its answer is there, as attributes of it. Raises XError if it has none."""
    request.reply()
    return request


def _unsaid(*_words: object) -> None:
    """Print nothing."""


def _connect(name: str | None) -> display.Display:
    try:
        # Xlib prints about an empty .Xauthority; with another standard output it would be lost what a thread
        # prints meanwhile
        xauth.print = _unsaid
        return display.Display(name)
    except (error.DisplayError, error.ConnectionClosedError, OSError, OverflowError) as problem:
        raise CaptureError(NO_DISPLAY) from problem


def process_name(process: int | None) -> str:
    """Return the file name of a process's program in lower case; of the Windows program if Wine runs it."""
    if not process:
        return ""
    try:
        command = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")[0]
    except OSError:
        return ""
    return PureWindowsPath(os.fsdecode(command)).name.lower()


def require_shapes() -> None:
    """Raise LaunchError if windows cannot be cut to a shape on this display, and clicks sent through them.

    Raises CaptureError if there is no display.
    """
    with closing(Api(None)) as api:
        display = api.display
        version = display.shape_query_version() if display.has_extension(shape.extname) else None
        if version is None or (version.major_version, version.minor_version) < _INPUT_SHAPES:
            raise LaunchError(
                "marks cannot be laid over the game: this display lacks the extension SHAPE 1.1, so they "
                "would hide it and take its clicks; use --no-overlay"
            )


PATIENCE = 0.5  # seconds for which a press may be held back: a user may hold a button, too
_ANY_BUTTON = X.Button1Mask | X.Button2Mask | X.Button3Mask
# What ends or stops (Ctrl+Z) a program comes after a click: an error in the midst of Xlib has it wait for
# ever for an answer that it has, and who is stopped while he has grabbed the server stops the whole screen.
_HELD = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP)
_NUMBERS = {Button.LEFT: (1,), Button.MIDDLE: (2,), Button.RIGHT: (3,), Button.BOTH: (1, 3)}


class Strokes:
    """Clicks and keys on the display to which ``display`` (of Xlib) is a connection.

    A press and its release are one message, of which the server has all or nothing, whatever ends us: a
    program that is killed between the two would leave a button or a key pressed. Raises what Xlib raises when
    the connection is lost.
    """

    def __init__(self, display: Any) -> None:
        self._display = display

    def burst(
        self, strokes: Sequence[Stroke], window: Window | None, check: Callable[[Point], None]
    ) -> tuple[int, Point]:
        """Click at each place in turn; return the number of clicks, and the place of the pointer after them.

        Of two buttons the first one is pressed first, and both are down before one is released. ``check`` is
        called with the place of the pointer before the clicks, and may raise. From then until the clicks are
        done, the server handles no other program. Raises ViewChangedError if something other than ``window``
        would get a click, or if the window has moved. Only the first click is made if a window manager holds
        presses back.
        """
        with held_back(*_HELD):
            self._display.grab_server()
            try:
                here, reached = self._asked(strokes, window)
                check(here)
                if not reached:
                    raise ViewChangedError(IN_THE_WAY)
                sent = self._click_all(strokes)
            finally:
                self._display.ungrab_server()  # it goes out with the clicks
                self._display.flush()
            return sent, self._await_release()

    def _click_all(self, strokes: Sequence[Stroke]) -> int:
        """Click at each place, or only the first if a window manager holds presses back; return how many."""
        self._click(*strokes[0])
        if len(strokes) == 1 or answered(ask_pointer(self._display.screen().root)).mask & _ANY_BUTTON:
            return 1
        for stroke in strokes[1:]:
            self._click(*stroke)
        return len(strokes)

    def _click(self, point: Point, button: Button) -> None:
        fake_input(self._display, X.MotionNotify, x=point.x, y=point.y)
        self._stroke(X.ButtonPress, X.ButtonRelease, _NUMBERS[button])

    def _asked(self, strokes: Sequence[Stroke], window: Window | None) -> tuple[Point, bool]:
        """Return where the pointer is and whether the window would get the clicks, with one trip for all."""
        root = self._display.screen().root
        pointer = ask_pointer(root)
        if window is None:
            return _place_of(answered(pointer)), True
        client = self._display.create_resource_object("window", window.handle)
        asked = ask_size(client), ask_place(root, client, Point(0, 0))
        asked_for = [ask_place(root, root, point) for point, _ in strokes]
        here = _place_of(answered(pointer))
        try:
            size, corner = map(answered, asked)
            there = Rect(corner.x, corner.y, size.width, size.height) == window.client
            hit = {at.child for at in map(answered, asked_for)}
            return here, there and all(top and (_holds(top, client) or _is_no_window(top)) for top in hit)
        except error.XError:  # one of them has vanished
            return here, False

    def press(self, codes: Sequence[int]) -> None:
        """Press the keys of these codes in order, and release them."""
        with held_back(*_HELD):
            self._stroke(X.KeyPress, X.KeyRelease, codes)
            self._display.sync()

    def _stroke(self, down: int, up: int, numbers: Sequence[int]) -> None:
        """Prepare the presses, and the releases in reverse, to be sent with the next question."""
        for number in numbers:
            fake_input(self._display, down, number)
        for number in reversed(numbers):
            fake_input(self._display, up, number)

    def _await_release(self) -> Point:
        """Return where the pointer is when no button is down any more, and the server has done all.

        Window managers hold a press back, to choose where it goes (they grab the buttons of windows). If the
        pointer were moved meanwhile, the press would go to where it is then. What follows the press waits
        too, so the button counts as pressed until it has gone.
        """
        root, deadline = self._display.screen().root, time.monotonic() + PATIENCE
        while (pointer := root.query_pointer()).mask & _ANY_BUTTON and time.monotonic() < deadline:
            time.sleep(0.0005)
        return _place_of(pointer)


def _place_of(pointer: Any) -> Point:
    return Point(pointer.root_x, pointer.root_y)


def _holds(frame: Any, client: Any) -> bool:
    """Return whether ``frame`` is the client, or a window manager's frame around it."""
    inner = client
    while inner.id != frame.id and (parent := inner.query_tree().parent):
        inner = parent
    return bool(inner.id == frame.id)


def _is_no_window(top: Any) -> bool:
    """Return whether it cannot be seen: nothing of it covers anything, as the desktop counts."""
    return bool(top.get_attributes().win_class == X.InputOnly)


_RAW_EVENT = struct.Struct("=HII")  # device, time, keycode: how the body of an XInput 2 raw event begins
_STROKES = xinput.RawKeyPressMask | xinput.RawKeyReleaseMask
_VERSION = {"major_version": 2, "minor_version": 2}  # before 2.1, no raw event comes while a menu is open
_NAMES = {  # of keysyms; letters and function keys have their own
    "esc": "Escape",
    "pause": "Pause",
    "scrolllock": "Scroll_Lock",
    "insert": "Insert",
    "delete": "Delete",
    "home": "Home",
    "end": "End",
    "pageup": "Prior",
    "pagedown": "Next",
    "ctrl": "Control",
    "alt": "Alt",
    "shift": "Shift",
    "win": "Super",
}
_INTERVAL = 0.05  # seconds between two looks at the keys themselves, where the server reports strokes
_MASKS = {"ctrl": X.ControlMask, "alt": X.Mod1Mask, "shift": X.ShiftMask, "win": X.Mod4Mask}


class StopKey:
    """The keys of a shortcut on the keyboards of a display, whichever window has them.

    Presses between two calls are seen by the raw events of XInput 2; a server without it leaves us with
    looking at the keys themselves. Raises UsageError, and closes ``api``, if the keyboard lacks the key, or,
    but for Esc, which dialogs wait for as well, if another program has taken it.
    """

    def __init__(self, api: Api, shortcut: Shortcut = ESC) -> None:
        self._api = api
        self._code = self._code_of(_name(shortcut.key))
        self._modifiers = [
            {self._code_of(f"{_NAMES[name]}_{side}") for side in "LR"} for name in shortcut.modifiers
        ]
        if (why := self._refusal(shortcut)) is not None:
            api.close()
            raise why
        self._told = api.display.has_extension(xinput.extname)
        if self._told:
            api.ask(self._ask_version)
            api.ask(api.root.xinput_select_events, [(xinput.AllMasterDevices, _STROKES)])
            api.ask(api.display.sync)
        self._down, self._next = self._down_now(), 0.0

    def pressed(self) -> bool:
        """Return whether the keys are down, or were pressed since the last call."""
        pressed = False
        for code, down in list(self._strokes()):  # the whole queue: old presses must not stay
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
        """Iterate over the key codes that went down (true) or up since the last call."""
        while self._api.ask(self._api.display.pending_events):
            event: Any = self._api.ask(self._api.display.next_event)
            if (kind := getattr(event, "evtype", None)) in (xinput.RawKeyPress, xinput.RawKeyRelease):
                yield _RAW_EVENT.unpack_from(event.data)[2], kind == xinput.RawKeyPress

    def _code_of(self, name: str) -> int:
        return int(self._api.display.keysym_to_keycode(XK.string_to_keysym(name)))

    def _ask_version(self) -> None:
        connection = self._api.display.display
        opcode = connection.get_extension_major(xinput.extname)
        xinput.XIQueryVersion(display=connection, opcode=opcode, **_VERSION)

    def _refusal(self, shortcut: Shortcut) -> UsageError | None:
        if not self._code:
            return UsageError(f"--stop-key {shortcut}: this keyboard has no such key, choose another")
        return taken(shortcut) if shortcut != ESC and self._is_taken(shortcut) else None

    def _is_taken(self, shortcut: Shortcut) -> bool:
        """Return whether another program has taken the keys: then they cannot be taken for a moment."""
        root, denied = self._api.root, error.CatchError(error.BadAccess)
        held = sum(_MASKS[name] for name in shortcut.modifiers)
        how = (X.GrabModeAsync, X.GrabModeAsync, denied)
        self._api.ask(root.grab_key, self._code, held, True, *how)
        self._api.ask(self._api.display.sync)
        self._api.ask(root.ungrab_key, self._code, held)
        return denied.get_error() is not None


def _name(key: str) -> str:
    return _NAMES.get(key, key.upper() if len(key) in (2, 3) else key)
