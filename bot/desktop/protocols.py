"""The outside world as protocols (capture, mouse, windows), and the clock: tests fake them. The stop key."""

from __future__ import annotations

import string
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from bot.errors import UsageError
from bot.geometry import Frame, Point, Rect


class Button(Enum):
    """A mouse button, or two at once."""

    LEFT = "left"
    RIGHT = "right"
    MIDDLE = "middle"
    BOTH = "left and right"


Stroke = tuple[Point, Button]  # a click: its place in screen pixels, and its button
PointerCheck = Callable[[Point], None]  # gets the place of the pointer, and may raise to prevent clicks there


class Backend(Enum):
    """Who asks the system about windows and sends clicks."""

    AUTO = "auto"  # the one made for this system
    PORTABLE = "portable"  # mss and pyautogui alone


class Visibility(Enum):
    """Whether a window can be seen and clicked."""

    VISIBLE = "visible"
    COVERED = "covered"  # another window hides a part of the area in question
    MINIMISED = "minimised"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Window:
    """A top-level window: the platform's handle, its title and names, its client area in screen pixels.

    ``class_name`` is the Win32 class or the X11 WM_CLASS class; ``process`` is the program's file name in
    lower case, "" if it is unknown. ``is_menu`` is true for an open menu or list, which is no dialog.
    """

    handle: int
    title: str
    class_name: str
    process: str
    client: Rect
    is_menu: bool = False

    @property
    def label(self) -> str:
        """The name of the window in messages: its title or, if it has none, its program or its class."""
        if self.title:
            return f"the window {self.title!r}"
        program = self.process or self.class_name
        return f"the window of {program}" if program else "the window without a title"


class Capture(Protocol):
    """Takes pictures of the screen."""

    def grab(self, rect: Rect | None = None) -> Frame:
        """Return a picture of ``rect`` clipped to the desktop; of the whole desktop if it is None.

        Raises CaptureError if nothing can be grabbed, or nothing of ``rect`` is on a screen.
        """

    def close(self) -> None:
        """Release the screen."""


class Mouse(Protocol):
    """Moves the pointer, clicks and types."""

    def position(self) -> Point:
        """Return where the pointer is."""

    def move(self, point: Point) -> None:
        """Put the pointer at ``point``."""

    def burst(
        self, strokes: Sequence[Stroke], window: Window | None, check: PointerCheck, hold: float = 0.0
    ) -> tuple[int, Point]:
        """Click at each place, without a pause; return the number of clicks, and the place of the pointer.

        At least one click is made. Not all are made if something could come between them or change their
        order. ``check`` is called with the place of the pointer just before, and may raise to prevent them.
        Raises ViewChangedError if ``window`` is given and has moved, or would not get all of the clicks, as
        far as the system can tell at that moment. For `Button.BOTH`, the left button is pressed first, and
        both are down before one is released. With ``hold``, only the first click is made, and the button
        stays down for so many seconds: some programs ask for its state only at intervals.
        """

    def press(self, *keys: str, windows: Sequence[Window] = ()) -> None:
        """Press the keys together in this order and release them, e.g. ``press("alt", "g")``.

        Raises ViewChangedError if ``windows`` are given and none of them has the keyboard.
        """


FRAME_TIME = 1 / 60  # seconds, of most screens


class Desktop(Protocol):
    """The windows on the screen, and the stop key, whose name is ``stop_key``.

    ``frame_time`` is the seconds from one picture to the next that a compositor draws; 0.0 without one.
    """

    stop_key: str
    frame_time: float

    def windows(self) -> list[Window]:
        """Return the visible and the minimised top-level windows, topmost first."""

    def refresh(self, window: Window) -> Window | None:
        """Return the window with its present title and client area, None if it is closed."""

    def visibility(self, window: Window, area: Rect) -> Visibility:
        """Return whether all of ``area`` (screen pixels, inside the window) can be seen.

        A window above it covers it, even the window's own popup, unless it lets clicks through. What lies
        outside the screen counts as covered.
        """

    def raise_window(self, window: Window) -> None:
        """Bring the window to the front and give it, or the dialog that blocks it, the keyboard.

        Raises WindowError if the window is closed, or does not get the keyboard.
        """

    def ask_to_close(self, window: Window) -> None:
        """Ask the window's program to close it, as the close button of the window does."""

    def popups(self, window: Window) -> list[Window]:
        """Return the dialogs and menus that the window's program has open, topmost first.

        Tooltips and other windows that take no input are not among them.
        """

    def has_keyboard(self, window: Window) -> bool:
        """Return whether keys reach the window, or a dialog of it."""

    def rival(self, window: Window) -> Window | None:
        """Return the window of another program that has the keyboard; None if there is none.

        The desktop itself, and windows that no user types into, do not count.
        """

    def takes(self, window: Window, point: Point) -> bool:
        """Return whether the window is still where ``window`` says, and a click at ``point`` reaches it.

        This is quick enough for frequent calls; False may only mean that the answer would take longer.
        """

    def stop_pressed(self) -> bool:
        """Return whether the stop key is down, or was pressed since the last call."""

    def close(self) -> None:
        """Close the connection to the desktop."""


# The keys that may be chosen to stop the bot, alone or together, and their names.
MODIFIERS = ("ctrl", "alt", "shift", "win")
FUNCTION_KEYS = tuple(f"f{number}" for number in range(1, 13))
ALONE = ("esc", "pause", "scrolllock", *FUNCTION_KEYS)  # they are not used in ordinary typing
KEYS = (*ALONE, "space", "insert", "delete", "home", "end", "pageup", "pagedown", *string.ascii_lowercase)
_OTHER_NAMES = {
    "escape": "esc",
    "break": "pause",
    "scroll_lock": "scrolllock",
    "control": "ctrl",
    "super": "win",
    "meta": "win",
}
_WORDS = {"scrolllock": "ScrollLock", "pageup": "PageUp", "pagedown": "PageDown"}


@dataclass(frozen=True, slots=True)
class Shortcut:
    """One of the `KEYS`, pressed while the given `MODIFIERS` are held; others may be held as well."""

    key: str
    modifiers: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "+".join(_WORDS.get(name, name.capitalize()) for name in (*self.modifiers, self.key))


ESC = Shortcut("esc")


def parse_shortcut(text: str) -> Shortcut:
    """Return the keys that ``text`` names, such as "esc", "f12" or "ctrl+alt+s".

    Raises UsageError if they are unknown, or are used in ordinary typing.
    """
    names = [part.strip().lower() for part in text.split("+")]
    *held, key = (_OTHER_NAMES.get(name, name) for name in names)
    if key not in KEYS or not all(held.count(name) == 1 and name in MODIFIERS for name in held):
        raise UsageError(
            f"--stop-key {text}: use one of {', '.join(ALONE)}; or ctrl, alt, shift, win and a key, "
            "as in ctrl+alt+s"
        )
    found = Shortcut(key, tuple(name for name in MODIFIERS if name in held))
    if key not in ALONE and not {"ctrl", "alt", "win"}.intersection(held):
        raise UsageError(f"--stop-key {text}: this key is used in typing; add ctrl+alt, as in ctrl+alt+s")
    return found


def taken(shortcut: Shortcut) -> UsageError:
    """Return the error for keys that another program has registered."""
    name = str(shortcut).lower()
    return UsageError(f"--stop-key {name}: another program uses these keys, choose others")


class Clock:
    """The time in seconds, and a way to wait; tests have their own."""

    def now(self) -> float:
        """Return the time in seconds since some fixed moment."""
        return time.perf_counter()

    def sleep(self, seconds: float) -> None:
        """Wait for ``seconds``."""
        time.sleep(seconds)
