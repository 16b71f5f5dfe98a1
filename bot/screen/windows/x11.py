"""The windows of an X11 display, through python-xlib; with a window manager and without one.

With one, a program's window (the client) is a descendant of a frame that belongs to the window manager,
and carries the property WM_STATE. Without one it is a child of the root itself. Stacking and covering are
questions about the children of the root in both cases.
"""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout, suppress
from pathlib import Path, PureWindowsPath
from typing import Any, TypeVar

from Xlib import XK, X, display, error, protocol
from Xlib.ext import shape, xinput

from bot.errors import CaptureError, WindowError
from bot.geometry import Rect
from bot.screen.capture import NO_DISPLAY
from bot.screen.protocols import Visibility, Window

_LOST = "the connection to the X display was lost: is the X server still running?"
_CLIENT_DEPTH = 3  # frames of known window managers hold the client as a child or a grandchild
_RAW_EVENT = struct.Struct("=HII")  # device, time, keycode: how the body of an XInput 2 raw event begins
_ICONIC = 3
_FOCUS_PATIENCE = 0.5  # seconds
_SOURCE_PAGER = 2  # _NET_ACTIVE_WINDOW: asked for by the user's own tool, so that it is not refused

T = TypeVar("T")


class X11Desktop:
    """The windows of the display that ``name`` names (None: the environment's DISPLAY).

    Handles of windows are X window ids of clients. A window that vanishes while it is asked about counts as
    closed. Every method raises CaptureError when the connection is lost; opening does if there is none.
    """

    def __init__(self, name: str | None = None) -> None:
        self._display = _connect(name)
        self._display.set_error_handler(lambda *_: None)  # errors of requests without a reply: it vanished
        self._root = self._display.screen().root
        self._atoms: dict[str, int] = {}
        self._escape = self._display.keysym_to_keycode(XK.XK_Escape)
        self._listen_for_keys()

    def windows(self) -> list[Window]:
        """Return the visible and the minimised top-level windows, topmost first.

        Menus, tooltips and the like (override-redirect windows) are not among them.
        """
        clients = (self._client(top) for top in self._stack())
        return [self._describe(client) for client in clients if client and self._listed(client)]

    def refresh(self, window: Window) -> Window | None:
        """Return the window as it is now (moved, retitled, resized), None if it is closed."""
        client = self._window(window.handle)
        return self._describe(client) if self._ask(client.get_attributes) else None

    def visibility(self, window: Window, area: Rect) -> Visibility:
        """Return whether all of ``area`` (screen pixels, inside the window) can be seen.

        Windows that lie over it count as cover, the window's own popups too; those that let clicks through
        do not. What lies outside the screen counts as covered.
        """
        client = self._window(window.handle)
        attributes = self._ask(client.get_attributes)
        if attributes is None:
            return Visibility.CLOSED
        if attributes.map_state != X.IsViewable:
            return Visibility.MINIMISED
        if not self._rect(self._root).covers(area) or any(self._above(client, area)):
            return Visibility.COVERED
        return Visibility.VISIBLE

    def raise_window(self, window: Window) -> None:
        """Bring the window to the front and give it the keyboard; wait for both for a moment.

        Raises WindowError if it is closed.
        """
        client = self._window(window.handle)
        if self._ask(client.get_attributes) is None:
            raise WindowError(f"the window {window.title!r} is closed: start the game again")
        if self._managed():
            self._activate(client)
        else:
            client.map()
            client.configure(stack_mode=X.Above)
            self._focus(client)
        deadline = time.monotonic() + _FOCUS_PATIENCE
        while not self._has_focus(client) and time.monotonic() < deadline:
            time.sleep(0.005)

    def popups(self, window: Window) -> list[Window]:
        """Return the dialogs and menus that the window's program has open, topmost first.

        They are the visible windows that say that they belong to it, or to another such window; and menus
        of the same process.
        """
        owners, popups = {window.handle}, list[Window]()
        process = self._process_id(self._window(window.handle))
        others = [client for top in self._stack() if (client := self._client(top, menus=True))]
        for client in reversed(others):  # from the bottom: an owner lies below what it owns
            if client.id not in owners and self._belongs(client, owners, process):
                owners.add(client.id)
                popups.insert(0, self._describe(client))
        return popups

    def stop_pressed(self) -> bool:
        """Return whether Esc is down, or was pressed since the last call."""
        keys = self._ask(self._display.query_keymap)
        down = bool(keys and keys[self._escape // 8] >> self._escape % 8 & 1)
        return (
            self._escape in list(self._pressed_keys()) or down
        )  # the whole queue, or old presses stay in it

    def close(self) -> None:
        """Release the connection."""
        with suppress(error.ConnectionClosedError):
            self._display.close()

    # what X knows

    def _ask(self, request: Callable[..., T], *arguments: Any) -> T | None:
        """Return the answer to a request, None if its window has vanished."""
        try:
            return request(*arguments)
        except error.XError:
            return None
        except (error.ConnectionClosedError, OSError) as lost:
            raise CaptureError(_LOST) from lost

    def _window(self, handle: int) -> Any:
        return self._display.create_resource_object("window", handle)

    def _stack(self) -> list[Any]:
        """Return the children of the root, topmost first."""
        tree = self._ask(self._root.query_tree)
        return list(reversed(tree.children)) if tree else []

    def _property(self, window: Any, name: str) -> Any:
        """Return the value of a property: bytes or an array of ints, None if it is not set."""
        found = self._ask(window.get_full_property, self._atom(name), X.AnyPropertyType)
        return found.value if found else None

    def _atom(self, name: str) -> int:
        if name not in self._atoms:
            self._atoms[name] = self._display.intern_atom(name)
        return self._atoms[name]

    def _number(self, window: Any, name: str) -> int | None:
        value = self._property(window, name)
        return int(value[0]) if value is not None and len(value) and not isinstance(value, bytes) else None

    def _rect(self, window: Any) -> Rect:
        """Return a window's area without its border in screen pixels; an empty one if it has vanished."""
        size = self._ask(window.get_geometry)
        corner = self._ask(self._root.translate_coords, window, 0, 0)
        return Rect(corner.x, corner.y, size.width, size.height) if size and corner else Rect(0, 0, 0, 0)

    # clients

    def _client(self, top: Any, menus: bool = False) -> Any:
        """Return the client in a child of the root, None if there is none.

        Override-redirect windows count only if ``menus`` is true, and if they are visible.
        """
        attributes = self._ask(top.get_attributes)
        if attributes is None or attributes.win_class == X.InputOnly:
            return None
        if attributes.override_redirect:
            managed = self._with_state(top, _CLIENT_DEPTH)  # frames of some window managers are such windows
            return managed or (top if menus and attributes.map_state == X.IsViewable else None)
        return self._with_state(top, _CLIENT_DEPTH) or top

    def _with_state(self, window: Any, depth: int) -> Any:
        """Return the window or the descendant that the window manager keeps a state for."""
        if self._property(window, "WM_STATE") is not None:
            return window
        tree = self._ask(window.query_tree) if depth else None
        found = (self._with_state(child, depth - 1) for child in (tree.children if tree else []))
        return next((client for client in found if client), None)

    def _listed(self, client: Any) -> bool:
        """Return whether a client has a name or a class, and is visible or minimised."""
        attributes = self._ask(client.get_attributes)
        if attributes is None or not (self._title(client) or self._class(client)):
            return False
        return attributes.map_state == X.IsViewable or self._number(client, "WM_STATE") == _ICONIC

    def _describe(self, client: Any) -> Window:
        process = _process_name(self._process_id(client))
        return Window(client.id, self._title(client), self._class(client), process, self._rect(client))

    def _title(self, client: Any) -> str:
        name = self._property(client, "_NET_WM_NAME")
        if isinstance(name, bytes):
            return name.decode("utf-8", "replace")
        name = self._property(client, "WM_NAME")
        return name.decode("latin-1") if isinstance(name, bytes) else ""

    def _class(self, client: Any) -> str:
        """Return the class of WM_CLASS, which holds the instance and the class, each ended by a zero."""
        value = self._property(client, "WM_CLASS")
        return value.split(b"\0")[1].decode("latin-1") if value and value.count(b"\0") else ""

    def _process_id(self, client: Any) -> int | None:
        return self._number(client, "_NET_WM_PID")

    def _belongs(self, client: Any, owners: set[int], process: int | None) -> bool:
        attributes = self._ask(client.get_attributes)
        if attributes is None or attributes.map_state != X.IsViewable:
            return False
        if self._number(client, "WM_TRANSIENT_FOR") in owners:
            return True
        return bool(attributes.override_redirect and process and self._process_id(client) == process)

    # stacking

    def _above(self, client: Any, area: Rect) -> Iterator[Any]:
        """Iterate over the children of the root that lie over ``area`` and above the client."""
        own = self._top(client)
        for top in self._stack():
            if top.id == own:
                return
            if self._covers(top, area):
                yield top

    def _top(self, window: Any) -> int:
        """Return the id of the child of the root that holds the window, or is it."""
        while (tree := self._ask(window.query_tree)) and tree.parent and tree.parent.id != self._root.id:
            window = tree.parent
        return int(window.id)

    def _covers(self, window: Any, area: Rect) -> bool:
        attributes = self._ask(window.get_attributes)
        if attributes is None or attributes.map_state != X.IsViewable or attributes.win_class == X.InputOnly:
            return False
        size = self._ask(window.get_geometry)
        if size is None:
            return False
        outer = Rect(size.x, size.y, size.width + 2 * size.border_width, size.height + 2 * size.border_width)
        return not outer.intersection(area).empty and self._solid(window, size, area)

    def _solid(self, window: Any, size: Any, area: Rect) -> bool:
        """Return whether the window's shape, as drawn and as it takes clicks, meets ``area``."""
        if not self._display.has_extension(shape.extname):
            return True
        x, y = size.x + size.border_width, size.y + size.border_width
        for kind in (shape.SK.Bounding, shape.SK.Input):
            answer = self._ask(window.shape_get_rectangles, kind)
            parts = [Rect(x + part.x, y + part.y, part.width, part.height) for part in _rectangles(answer)]
            if all(part.intersection(area).empty for part in parts):
                return False
        return True

    def _managed(self) -> bool:
        """Return whether a window manager runs that can activate windows."""
        check = self._number(self._root, "_NET_SUPPORTING_WM_CHECK")
        return bool(check and self._ask(self._window(check).get_attributes))

    def _activate(self, client: Any) -> None:
        message = self._message(client, "_NET_ACTIVE_WINDOW", _SOURCE_PAGER, X.CurrentTime)
        self._root.send_event(message, X.SubstructureRedirectMask | X.SubstructureNotifyMask)

    def _focus(self, client: Any) -> None:
        """Give the keyboard to a client as a window manager does (ICCCM 4.1.7).

        A client that takes the focus by itself, as those of Wine do, is asked to: the focus alone would
        leave it deaf.
        """
        take = self._atom("WM_TAKE_FOCUS")
        if take in (self._property(client, "WM_PROTOCOLS") or ()):
            client.send_event(self._message(client, "WM_PROTOCOLS", take, X.CurrentTime))
        else:
            client.set_input_focus(X.RevertToParent, X.CurrentTime)

    def _message(self, client: Any, kind: str, *data: int) -> Any:
        padded = [*data, 0, 0, 0, 0, 0][:5]
        return protocol.event.ClientMessage(window=client, client_type=self._atom(kind), data=(32, padded))

    def _has_focus(self, client: Any) -> bool:
        focus = self._ask(self._display.get_input_focus)
        return focus is not None and getattr(focus.focus, "id", None) == client.id

    # the stop key

    def _listen_for_keys(self) -> None:
        """Ask for raw key events, so that a press between two calls is seen too.

        A server without XInput 2 leaves us with looking at the key itself.
        """
        if self._display.has_extension(xinput.extname):
            self._ask(self._display.xinput_query_version)
            self._ask(self._root.xinput_select_events, [(xinput.AllMasterDevices, xinput.RawKeyPressMask)])
            self._ask(self._display.sync)

    def _pressed_keys(self) -> Iterator[int]:
        """Iterate over the key codes that were pressed since the last call."""
        while self._ask(self._display.pending_events):
            event: Any = self._ask(self._display.next_event)
            if getattr(event, "evtype", None) == xinput.RawKeyPress:
                yield _RAW_EVENT.unpack_from(event.data)[2]


def _connect(name: str | None) -> display.Display:
    try:
        with redirect_stdout(None):  # Xlib prints about an empty .Xauthority
            return display.Display(name)
    except (error.DisplayError, error.ConnectionClosedError, OSError) as problem:
        raise CaptureError(NO_DISPLAY) from problem


def _rectangles(answer: Any) -> list[Any]:
    return list(answer.rectangles) if answer else []


def _process_name(process: int | None) -> str:
    """Return the file name of a process's program in lower case; of the Windows program if Wine runs it."""
    if not process:
        return ""
    try:
        command = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")[0]
    except OSError:
        return ""
    return PureWindowsPath(os.fsdecode(command)).name.lower()
