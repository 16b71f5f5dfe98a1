"""The windows of an X11 display, through python-xlib; with a window manager and without one.

With one, a program's window (the client) is a descendant of a frame that belongs to the window manager,
and carries the property WM_STATE. Without one it is a child of the root itself. Stacking and covering are
questions about the children of the root in both cases.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import Any

from Xlib import X, Xutil
from Xlib.ext import shape

from bot.desktop.protocols import ESC, Shortcut, Visibility, Window
from bot.desktop.x11_api import (
    Api,
    StopKey,
    ask_attributes,
    ask_place,
    ask_size,
    ask_tree,
    process_name,
)
from bot.errors import WindowError
from bot.geometry import Point, Rect

_CLIENT_DEPTH = 3  # frames of known window managers hold the client as a child or a grandchild
_ICONIC = 3
_FOCUS_PATIENCE = 3.0  # seconds; Wine takes two now and then, while a dialog closes
_SOURCE_PAGER = 2  # _NET_ACTIVE_WINDOW: asked for by the user's own tool, so that it is not refused


class X11Desktop:
    """The windows of the display that ``name`` names (None: the environment's DISPLAY).

    Handles of windows are X window ids of clients. A window that vanishes while it is asked about counts as
    closed. Every method raises CaptureError when the connection is lost; opening does if there is none, and
    UsageError if ``stop_key`` cannot be used.
    """

    def __init__(self, name: str | None = None, stop_key: Shortcut = ESC) -> None:
        self._api, self.stop_key = Api(name), str(stop_key)
        self._stop_key = StopKey(self._api, stop_key)

    def windows(self) -> list[Window]:
        """Return the visible and the minimised top-level windows, topmost first.

        Menus, tooltips and the like (override-redirect windows) are not among them.
        """
        clients = (self._client(top) for top in self._api.stack())
        return [self._describe(client) for client in clients if client and self._listed(client)]

    def refresh(self, window: Window) -> Window | None:
        """Return the window as it is now (moved, retitled, resized), None if it is closed."""
        client = self._api.window(window.handle)
        return self._describe(client) if self._api.ask(client.get_attributes) else None

    def visibility(self, window: Window, area: Rect) -> Visibility:
        """Return whether all of ``area`` (screen pixels, inside the window) can be seen."""
        api, client = self._api, self._api.window(window.handle)
        questions = partial(ask_attributes, client), partial(ask_size, api.root), partial(ask_tree, api.root)
        attributes, screen, tree = api.together(*questions)
        if attributes is None:
            return Visibility.CLOSED
        if attributes.map_state != X.IsViewable:
            return Visibility.MINIMISED
        if not (screen and tree and Rect(0, 0, screen.width, screen.height).covers(area)):
            return Visibility.COVERED
        above = self._above(client, list(reversed(tree.children)))
        return Visibility.COVERED if any(self._covers(top, area) for top in above) else Visibility.VISIBLE

    def raise_window(self, window: Window) -> None:
        """Bring the window to the front and give it the keyboard."""
        client = self._api.window(window.handle)
        if self._api.ask(client.get_attributes) is None:
            raise WindowError(f"{window.label} is closed: start the game again")
        if self._managed():
            self._activate(client)
        else:
            self._api.ask(client.map)
            self._api.ask(partial(client.configure, stack_mode=X.Above))
            self._focus(client)
        deadline = time.monotonic() + _FOCUS_PATIENCE
        while not self.has_keyboard(window):
            if time.monotonic() > deadline:
                raise WindowError(f"{window.label} does not get the keyboard: click on it once")
            time.sleep(0.005)

    def ask_to_close(self, window: Window) -> None:
        """Ask the window's program to close it; one that takes no such messages keeps it."""
        client, close = self._api.window(window.handle), self._api.atom("WM_DELETE_WINDOW")
        if close in (self._api.property(client, "WM_PROTOCOLS") or ()):
            self._api.ask(client.send_event, self._api.message(client, "WM_PROTOCOLS", close, X.CurrentTime))

    def popups(self, window: Window) -> list[Window]:
        """Return the dialogs and menus that the window's program has open, topmost first.

        They are the visible windows that say that they belong to it, or to another such window; and menus
        and the like of the same process, without their titles: Qt gives menus that of the program.
        """
        process = self._process_id(self._api.window(window.handle))
        clients = [client for top in self._api.stack() if (client := self._client(top, menus=True))]
        return [self._popup(client) for client in clients if self._belongs(client, window.handle, process)]

    def has_keyboard(self, window: Window) -> bool:
        """Return whether keys reach the window, or a dialog of it."""
        return self._has_focus(window, self._focus_top())

    def rival(self, window: Window) -> Window | None:
        """Return the window of another program that has the keyboard; None if none has.

        The root is no rival, nor is a window without a name, as window managers keep one.
        """
        if self._focus_id() == window.handle:
            return None
        focus = self._focus_top()
        if focus in (None, self._api.root.id) or self._has_focus(window, focus):
            return None
        client = self._client(self._api.window(focus))
        if client is None or not self._listed(client):
            return None
        process = self._process_id(client)
        same = process and process == self._process_id(self._api.window(window.handle))
        return None if same else self._describe(client)

    def takes(self, window: Window, point: Point) -> bool:
        """Return whether the window is still where ``window`` says, and a click at ``point`` reaches it.

        Three questions in one trip to the server. Where a window manager's frame is hit, it takes some more.
        """
        api, client = self._api, self._api.window(window.handle)
        size, corner, at = api.together(
            partial(ask_size, client),
            partial(ask_place, api.root, client, Point(0, 0)),
            partial(ask_place, api.root, api.root, point),
        )
        if not (size and corner and at and at.child):
            return False
        if Rect(corner.x, corner.y, size.width, size.height) != window.client:
            return False
        own = at.child.id == client.id or at.child.id == self._top(client)
        return own or not self._covers(at.child, Rect(point.x, point.y, 1, 1))

    def stop_pressed(self) -> bool:
        """Return whether the stop key is down, or was pressed since the last call."""
        return self._stop_key.pressed()

    def close(self) -> None:
        """Release the connection."""
        self._api.close()

    # clients

    def _client(self, top: Any, menus: bool = False) -> Any:
        """Return the client in a child of the root, None if there is none.

        Override-redirect windows count only if ``menus`` is true, and if they are visible.
        """
        attributes = self._api.ask(top.get_attributes)
        if attributes is None or attributes.win_class == X.InputOnly:
            return None
        if attributes.override_redirect:
            managed = self._with_state(top, _CLIENT_DEPTH)  # frames of some window managers are such windows
            return managed or (top if menus and attributes.map_state == X.IsViewable else None)
        return self._with_state(top, _CLIENT_DEPTH) or top

    def _with_state(self, window: Any, depth: int) -> Any:
        """Return the window or the descendant that the window manager keeps a state for."""
        if self._api.property(window, "WM_STATE") is not None:
            return window
        tree = self._api.ask(window.query_tree) if depth else None
        found = (self._with_state(child, depth - 1) for child in (tree.children if tree else []))
        return next((client for client in found if client), None)

    def _listed(self, client: Any) -> bool:
        """Return whether a client has a name or a class, and is visible or minimised."""
        attributes = self._api.ask(client.get_attributes)
        if attributes is None or not (self._api.title(client) or self._api.class_name(client)):
            return False
        return attributes.map_state == X.IsViewable or self._api.number(client, "WM_STATE") == _ICONIC

    def _describe(self, client: Any) -> Window:
        process = process_name(self._process_id(client))
        return Window(
            client.id, self._api.title(client), self._api.class_name(client), process, self._api.rect(client)
        )

    def _process_id(self, client: Any) -> int | None:
        return self._api.number(client, "_NET_WM_PID")

    def _belongs(self, client: Any, owner: int, process: int | None) -> bool:
        """Return whether a client is a visible dialog, or a dialog's dialog, or a menu of the owner."""
        attributes = self._api.ask(client.get_attributes)
        if client.id == owner or attributes is None or attributes.map_state != X.IsViewable:
            return False
        if attributes.override_redirect and process and self._process_id(client) == process:
            return True
        return owner in self._owners(client)

    def _popup(self, client: Any) -> Window:
        """Describe a dialog, or a menu: window managers have no business with those."""
        attributes, popup = self._api.ask(client.get_attributes), self._describe(client)
        return replace(popup, title="") if attributes and attributes.override_redirect else popup

    def _owners(self, client: Any) -> list[int]:
        """Return the windows that a dialog belongs to, the nearest first."""
        owners: list[int] = []
        while (owner := self._api.number(client, "WM_TRANSIENT_FOR")) and owner not in owners:
            owners.append(owner)
            client = self._api.window(owner)
        return owners

    # stacking

    def _above(self, client: Any, stack: Sequence[Any]) -> Iterable[Any]:
        """Iterate over those of the root's children, topmost first, that are above the client."""
        own = client.id if any(top.id == client.id for top in stack) else self._top(client)
        return takewhile(lambda top: top.id != own, stack)

    def _top(self, window: Any) -> int:
        """Return the id of the child of the root that holds the window, or is it."""
        root = self._api.root.id
        while (tree := self._api.ask(window.query_tree)) and tree.parent and tree.parent.id != root:
            window = tree.parent
        return int(window.id)

    def _covers(self, window: Any, area: Rect) -> bool:
        attributes = self._api.ask(window.get_attributes)
        if attributes is None or attributes.map_state != X.IsViewable or attributes.win_class == X.InputOnly:
            return False
        size = self._api.ask(window.get_geometry)
        if size is None:
            return False
        outer = Rect(size.x, size.y, size.width + 2 * size.border_width, size.height + 2 * size.border_width)
        # servers leave the right and bottom border out of the shape, so that the area is grown by it
        return not outer.intersection(area).empty and self._solid(window, area.grown(size.border_width))

    def _solid(self, window: Any, area: Rect) -> bool:
        """Return whether the window's shape, as drawn and as it takes clicks, meets ``area``."""
        # What takes no clicks, as marks over a board, may be drawn in thousands of pieces: none is asked for.
        parts = (self._api.shapes(window, kind) for kind in (shape.SK.Input, shape.SK.Bounding))
        return all(any(not one.intersection(area).empty for one in shown) for shown in parts)

    def _managed(self) -> bool:
        """Return whether a window manager runs that can activate windows."""
        check = self._api.number(self._api.root, "_NET_SUPPORTING_WM_CHECK")
        return bool(check and self._api.ask(self._api.window(check).get_attributes))

    def _activate(self, client: Any) -> None:
        message = self._api.message(client, "_NET_ACTIVE_WINDOW", _SOURCE_PAGER, X.CurrentTime)
        to_manager = X.SubstructureRedirectMask | X.SubstructureNotifyMask
        self._api.ask(self._api.root.send_event, message, to_manager)

    def _focus(self, client: Any) -> None:
        """Give the keyboard to a client as a window manager does (ICCCM 4.1.7).

        A client that takes the focus by itself, as those of Wine do, is asked to: the focus alone would
        leave it deaf. Others, as those of Qt, are asked and given it.
        """
        take = self._api.atom("WM_TAKE_FOCUS")
        asked = take in (self._api.property(client, "WM_PROTOCOLS") or ())
        if asked:
            self._api.ask(client.send_event, self._api.message(client, "WM_PROTOCOLS", take, X.CurrentTime))
        flags, wants_it = [*(self._api.property(client, "WM_HINTS") or ()), 0, 0][:2]
        if not asked or (flags & Xutil.InputHint and wants_it):
            self._api.ask(client.set_input_focus, X.RevertToParent, X.CurrentTime)

    def _focus_top(self) -> int | None:
        """Return the child of the root that holds what has the keyboard, None if nothing has it."""
        focus = self._focus_id()
        return None if focus is None else self._top(self._api.window(focus))

    def _focus_id(self) -> int | None:
        focus = getattr(self._api.ask(self._api.display.get_input_focus), "focus", None)
        return getattr(focus, "id", None)

    def _has_focus(self, window: Window, focus: int | None) -> bool:
        """Return whether that child of the root holds the window, or else a dialog of it."""
        own = focus == self._top(self._api.window(window.handle))
        return own or any(focus == self._top(self._api.window(popup.handle)) for popup in self.popups(window))
