"""Requests to an X server, with Python types out and one meaning for everything that can fail."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path, PureWindowsPath
from typing import Any, TypeVar

from Xlib import X, display, error, protocol, xauth
from Xlib.ext import shape
from Xlib.protocol import request

from bot.desktop import NO_DISPLAY
from bot.errors import CaptureError, LaunchError
from bot.geometry import Point, Rect

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


def require_shapes(name: str | None = None) -> None:
    """Raise LaunchError if the display that ``name`` names (None: the environment's) cannot do that.

    Raises CaptureError if there is no display.
    """
    with closing(Api(name)) as api:
        display = api.display
        version = display.shape_query_version() if display.has_extension(shape.extname) else None
        if version is None or (version.major_version, version.minor_version) < _INPUT_SHAPES:
            raise LaunchError(
                "marks cannot be laid over the game: this display lacks the extension SHAPE 1.1, so they "
                "would hide it and take its clicks; use --no-overlay"
            )
