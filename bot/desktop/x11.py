"""The windows of an X11 display, through python-xlib, and pictures of screens that mss cannot read.

With a window manager, a program's window (the client) is a descendant of a frame that belongs to it, and has
the property WM_STATE. Without one, it is a child of the root window. In both cases, the order of windows and
what covers what are decided by the children of the root.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from Xlib import X, Xutil
from Xlib.ext import shape
from Xlib.protocol import request

from bot.desktop.protocols import ESC, FRAME_TIME, Shortcut, Visibility, Window
from bot.desktop.x11_api import Api, StopKey, process_name
from bot.errors import CaptureError, WindowClosedError, WindowError
from bot.geometry import Point, Rect

_CLIENT_DEPTH = 3  # the frames of known window managers have the client as a child or a grandchild
_ICONIC = 3
_FOCUS_PATIENCE = 3.0  # seconds; Wine sometimes takes two, while a dialog closes
_SOURCE_PAGER = 2  # of _NET_ACTIVE_WINDOW: the request comes from a tool of the user, so it is not refused
# For each of blue, green and red: the bits of a pixel that hold it, and the byte for each value of them.
Channels = Sequence[tuple[int, npt.NDArray[np.uint8]]]


class X11Desktop:
    """The windows of the X display ``name`` (None: that of the environment variable DISPLAY).

    Handles of windows are X window ids of clients. A window that vanishes during a request counts as closed.
    Every method raises CaptureError if the connection is lost. The constructor raises it if there is no
    display, and UsageError if ``stop_key`` cannot be used.
    """

    def __init__(self, name: str | None = None, stop_key: Shortcut = ESC) -> None:
        self._api, self.stop_key = Api(name), str(stop_key)
        self._stop_key = StopKey(self._api, stop_key)
        self.frame_time = FRAME_TIME if self._api.composited() else 0.0

    def windows(self) -> list[Window]:
        """Return the visible and the minimised top-level windows, topmost first.

        Menus, tooltips and the like (override-redirect windows) are not among them.
        """
        clients = (self._client(top) for top in self._api.stack())
        return [self._describe(client) for client in clients if client and self._listed(client)]

    def refresh(self, window: Window) -> Window | None:
        """Return the window with its present title and client area, None if it is closed."""
        client = self._api.window(window.handle)
        return self._describe(client) if self._api.ask(client.get_attributes) else None

    def visibility(self, window: Window, area: Rect) -> Visibility:
        """Return whether all of ``area`` (screen pixels, inside the window) can be seen."""
        api, client = self._api, self._api.window(window.handle)
        attributes, screen, tree = api.together(
            partial(request.GetWindowAttributes, window=client),
            partial(request.GetGeometry, drawable=api.root),
            partial(request.QueryTree, window=api.root),
        )
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
            raise WindowClosedError(f"{window.label} is closed: start the game again")
        manager = self._api.number(self._api.root, "_NET_SUPPORTING_WM_CHECK")
        if manager and self._api.ask(self._api.window(manager).get_attributes):
            message = self._api.message(client, "_NET_ACTIVE_WINDOW", _SOURCE_PAGER, X.CurrentTime)
            to_manager = X.SubstructureRedirectMask | X.SubstructureNotifyMask
            self._api.ask(self._api.root.send_event, message, to_manager)
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
        """Ask the window's program to close it, unless the program does not support such messages."""
        client, close = self._api.window(window.handle), self._api.atom("WM_DELETE_WINDOW")
        if close in (self._api.property(client, "WM_PROTOCOLS") or ()):
            self._api.ask(client.send_event, self._api.message(client, "WM_PROTOCOLS", close, X.CurrentTime))

    def popups(self, window: Window) -> list[Window]:
        """Return the dialogs and menus that the window's program has open, topmost first.

        They are the visible windows that name this one, or another such window, as their owner; and the menus
        of the same process. Those that take no clicks are left out.
        """
        process = self._process_id(self._api.window(window.handle))
        clients = [client for top in self._api.stack() if (client := self._client(top, menus=True))]
        return [self._popup(client) for client in clients if self._belongs(client, window.handle, process)]

    def has_keyboard(self, window: Window) -> bool:
        """Return whether keys reach the window, or a dialog of it."""
        return self._has_focus(window, self._api.focus_top())

    def rival(self, window: Window) -> Window | None:
        """Return the window of another program that has the keyboard; None if there is none.

        The root does not count, nor does a window without a name, as window managers use one.
        """
        if self._api.focus() == window.handle:
            return None
        focus = self._api.focus_top()
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

        This takes one trip to the server, with three requests, or some more if another window is hit.
        """
        api, client = self._api, self._api.window(window.handle)
        size, corner, at = api.together(
            partial(request.GetGeometry, drawable=client),
            api.place(client, Point(0, 0)),
            api.place(api.root, point),
        )
        if not (size and corner and at and at.child):
            return False
        if Rect(corner.x, corner.y, size.width, size.height) != window.client:
            return False
        own = at.child.id == client.id or at.child.id == self._api.top(client)
        return own or not self._covers(at.child, Rect(point.x, point.y, 1, 1))

    def stop_pressed(self) -> bool:
        """Return whether the stop key is down, or was pressed since the last call."""
        return self._stop_key.pressed()

    def close(self) -> None:
        """Release the connection."""
        self._api.close()

    # clients

    def _client(self, top: Any, menus: bool = False) -> Any:
        """Return the client in ``top``, a child of the root; None if there is none.

        Override-redirect windows count only if ``menus`` is true, and if they are visible.
        """
        attributes = self._api.ask(top.get_attributes)
        if attributes is None or attributes.win_class == X.InputOnly:
            return None
        if attributes.override_redirect:
            managed = self._with_state(top, _CLIENT_DEPTH)  # some frames are such windows
            return managed or (top if menus and attributes.map_state == X.IsViewable else None)
        return self._with_state(top, _CLIENT_DEPTH) or top

    def _with_state(self, window: Any, depth: int) -> Any:
        """Return the first of the window and its descendants with a WM_STATE; None if there is none."""
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
        """Return whether a client is visible and is a dialog of the owner, a dialog's dialog, or a menu."""
        attributes = self._api.ask(client.get_attributes)
        if client.id == owner or attributes is None or attributes.map_state != X.IsViewable:
            return False
        if self._is_idle(client):
            return False
        if attributes.override_redirect and process and self._process_id(client) == process:
            return True
        return owner in self._owners(client)

    def _is_idle(self, client: Any) -> bool:
        """Return whether a window only tells something (a tooltip, a notification), or takes no clicks."""
        kinds = self._api.property(client, "_NET_WM_WINDOW_TYPE") or ()
        telling = {self._api.atom(f"_NET_WM_WINDOW_TYPE_{kind}") for kind in ("TOOLTIP", "NOTIFICATION")}
        return bool(telling.intersection(kinds)) or not self._api.shapes(client, shape.SK.Input)

    def _popup(self, client: Any) -> Window:
        """Describe a dialog or a menu, which is a window with override-redirect."""
        attributes = self._api.ask(client.get_attributes)
        return replace(self._describe(client), is_menu=bool(attributes and attributes.override_redirect))

    def _owners(self, client: Any) -> list[int]:
        """Return the windows that a dialog belongs to, the nearest first."""
        owners: list[int] = []
        while (owner := self._api.number(client, "WM_TRANSIENT_FOR")) and owner not in owners:
            owners.append(owner)
            client = self._api.window(owner)
        return owners

    # stacking

    def _above(self, client: Any, stack: Sequence[Any]) -> Iterable[Any]:
        """Return an iterable over the root's children above the client, topmost first, as in ``stack``."""
        own = client.id if any(top.id == client.id for top in stack) else self._api.top(client)
        return takewhile(lambda top: top.id != own, stack)

    def _covers(self, window: Any, area: Rect) -> bool:
        attributes = self._api.ask(window.get_attributes)
        if attributes is None or attributes.map_state != X.IsViewable or attributes.win_class == X.InputOnly:
            return False
        size = self._api.ask(window.get_geometry)
        if size is None:
            return False
        outer = Rect(size.x, size.y, size.width + 2 * size.border_width, size.height + 2 * size.border_width)
        # X servers do not include the right and bottom border in the shape, so the area is grown by it.
        return not outer.intersection(area).empty and self._solid(window, area.grown(size.border_width))

    def _solid(self, window: Any, area: Rect) -> bool:
        """Return whether both the drawn and the clickable shape of the window overlap ``area``."""
        # Clickable first: marks over a board take no clicks, and may be drawn as thousands of rectangles.
        parts = (self._api.shapes(window, kind) for kind in (shape.SK.Input, shape.SK.Bounding))
        return all(any(not one.intersection(area).empty for one in shown) for shown in parts)

    def _focus(self, client: Any) -> None:
        """Give the keyboard to a client as a window manager does (ICCCM 4.1.7).

        A client that sets the focus itself, such as Wine's, is asked to do so: it would ignore keys if it
        were only given the focus. Others, such as Qt's, are asked and also given the focus.
        """
        take = self._api.atom("WM_TAKE_FOCUS")
        asked = take in (self._api.property(client, "WM_PROTOCOLS") or ())
        if asked:
            self._api.ask(client.send_event, self._api.message(client, "WM_PROTOCOLS", take, X.CurrentTime))
        flags, wants_it = [*(self._api.property(client, "WM_HINTS") or ()), 0, 0][:2]
        if not asked or (flags & Xutil.InputHint and wants_it):
            self._api.ask(client.set_input_focus, X.RevertToParent, X.CurrentTime)

    def _has_focus(self, window: Window, focus: int | None) -> bool:
        """Return whether the child ``focus`` of the root contains the window or one of its dialogs."""
        own = focus == self._api.top(self._api.window(window.handle))
        return own or any(
            focus == self._api.top(self._api.window(popup.handle)) for popup in self.popups(window)
        )


class Shot(NamedTuple):
    """A picture, with the attributes of mss: four bytes a pixel, in the order of blue, green, red."""

    raw: bytes
    width: int
    height: int


class X11Screen:
    """The screen that DISPLAY names, of 8, 15, 16 or 30 bits a pixel, in place of `mss.MSS`, as one area.

    Raises CaptureError if there is no display, or if the pixels of its screen are not whole bytes.
    """

    def __init__(self) -> None:
        self._api = Api(None)
        screen, server = self._api.display.screen(), self._api.display.display.info
        depth, self._colours = screen.root_depth, screen.default_colormap
        visuals = [visual for each in screen.allowed_depths for visual in each.visuals]
        self._visual = next(visual for visual in visuals if visual.visual_id == screen.root_visual)
        bits = next(each.bits_per_pixel for each in server.pixmap_formats if each.depth == depth)
        if bits not in (8, 16, 32):
            self._api.close()
            raise CaptureError(
                f"a screen with {depth}-bit colours in {bits} bits a pixel cannot be read: set it to 24-bit "
                "colours, or unset DISPLAY and play on a virtual screen with `minebot play --launch`"
            )
        self._pixel = np.dtype(f"{'<>'[server.image_byte_order]}u{bits // 8}")

    @property
    def monitors(self) -> list[dict[str, int]]:
        """Return the place of the whole screen."""
        size = self._api.rect(self._api.root)
        return [{"left": 0, "top": 0, "width": size.width, "height": size.height}]

    def grab(self, area: dict[str, int]) -> Shot:
        """Return a picture of ``area``. Raises OSError if the X server refuses."""
        place = left, top, width, height = area["left"], area["top"], area["width"], area["height"]
        picture: Any = self._api.ask(self._api.root.get_image, *place, X.ZPixmap, 0xFFFFFFFF)
        if picture is None:
            raise OSError(f"the X server gives no picture of {width} x {height} pixels at {left}, {top}")
        pixels = np.frombuffer(picture.data, self._pixel).reshape(height, -1)[:, :width]
        return Shot(bgra(pixels, self._channels()), width, height)

    def close(self) -> None:
        """Close the connection."""
        self._api.close()

    def _channels(self) -> Channels:
        """Return how colours are held; programs may change a table of colours at any time."""
        visual = self._visual
        if visual.red_mask:
            return [ramp(mask) for mask in (visual.blue_mask, visual.green_mask, visual.red_mask)]
        colours: Any = self._api.ask(self._colours.query_colors, range(visual.colormap_entries))
        table = np.array([(each.blue, each.green, each.red) for each in colours]) >> 8
        return [(len(table) - 1, levels) for levels in table.astype(np.uint8).T]


def ramp(mask: int) -> tuple[int, npt.NDArray[np.uint8]]:
    """Return ``mask`` and the bytes from 0 to 255 for the values of its bits."""
    most = mask // (mask & -mask)
    return mask, np.rint(np.arange(most + 1) * 255 / most).astype(np.uint8)


def bgra(pixels: npt.NDArray[Any], channels: Channels) -> bytes:
    """Return four bytes for each of ``pixels``, in the order of blue, green and red; the last is 0."""
    found = np.zeros((*pixels.shape, 4), np.uint8)
    for channel, (mask, levels) in enumerate(channels):
        found[..., channel] = levels[(pixels & mask) // (mask & -mask)]
    return found.tobytes()
