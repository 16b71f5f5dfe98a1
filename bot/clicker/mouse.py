"""The real mouse and keys: the system's own calls on Windows and X11, elsewhere pyautogui."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, cast

from bot.desktop import is_portable, require_display, set_dpi_awareness
from bot.desktop.protocols import Backend, Button, Mouse, Stroke, Window
from bot.errors import BotError, CaptureError
from bot.geometry import Point


class ScreenMouse:
    """Moves the pointer, clicks and types on the display that DISPLAY names when it is created.

    Raises CaptureError if there is no display, or if it has gone. No button or key stays pressed, however the
    program ends.
    """

    def __init__(self, backend: Backend = Backend.AUTO) -> None:
        set_dpi_awareness()
        require_display()
        self._mouse: Mouse
        if is_portable(backend):
            from bot.desktop.portable import PortableMouse

            self._mouse = PortableMouse()
        elif sys.platform == "win32":
            from bot.desktop import win32_api

            self._mouse = win32_api.Api()
        else:
            from bot.desktop import x11_api

            api = x11_api.Api(None)
            weakref.finalize(self, api.close)
            self._mouse = x11_api.InputSender(api)

    def position(self) -> Point:
        """Return where the pointer is."""
        return cast(Point, _asked(self._mouse.position))

    def move(self, point: Point) -> None:
        """Put the pointer at ``point``."""
        _asked(self._mouse.move, point)

    def burst(
        self,
        strokes: Sequence[Stroke],
        window: Window | None = None,
        check: Callable[[Point], None] = lambda _: None,
        hold: float = 0.0,
    ) -> tuple[int, Point]:
        """Click at each place without a pause; return how many clicks were made, and the pointer's place.

        On X11 nothing can happen between the checks and the clicks; only the first click is made if a window
        manager holds presses back, or if the button is held for ``hold`` seconds. Windows cannot guarantee
        that, so only the first click is made there.
        """
        return cast(tuple[int, Point], _asked(self._mouse.burst, strokes, window, check, hold))

    def click(self, point: Point, button: Button = Button.LEFT) -> None:
        """Click once, whichever window gets the click."""
        self.burst([(point, button)])

    def press(self, *keys: str, windows: Sequence[Window] = ()) -> None:
        """Press the keys together in this order and release them, e.g. ``press("alt", "g")``.

        Raises ViewChangedError if ``windows`` are given and none of them has the keyboard. On X11 nothing can
        happen between that check and the keys.
        """
        _asked(partial(self._mouse.press, windows=windows), *keys)


def _asked(request: Callable[..., Any], *arguments: object) -> Any:
    """Return the result of ``request``. Raises CaptureError if it fails; its errors differ by platform."""
    try:
        return request(*arguments)
    except BotError:
        raise
    except Exception as error:
        raise CaptureError(
            f"the mouse and the keys cannot be used ({error}): is the display still there, and not locked?"
        ) from error
