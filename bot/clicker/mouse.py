"""The real mouse and keys: system calls on X11 and for clicks on Windows, where pyautogui does the rest."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from bot.desktop import require_display, set_dpi_awareness
from bot.desktop.protocols import Button, Stroke, Window
from bot.errors import IN_THE_WAY, BotError, CaptureError, ViewChangedError
from bot.geometry import Point

if TYPE_CHECKING:
    from bot.desktop.x11_api import InputSender

_UNWANTED = ("mouseinfo", "pyscreeze")


class ScreenMouse:
    """Moves the pointer, clicks and types on the display that DISPLAY names when it is created.

    Raises CaptureError if there is no display, or if it has gone. No button or key stays pressed, however the
    program ends, except a key on Windows if the program is killed while it presses that.
    """

    def __init__(self) -> None:
        set_dpi_awareness()
        require_display()
        self._mouse: WindowsMouse | InputSender
        if sys.platform == "win32":
            self._mouse = WindowsMouse()
        else:
            from bot.desktop.x11_api import Api, InputSender

            api = Api(None)
            weakref.finalize(self, api.close)
            self._mouse = InputSender(api.display)

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
    ) -> tuple[int, Point]:
        """Click at each place without a pause; return how many clicks were made, and the pointer's place.

        On X11 nothing can happen between the checks and the clicks; only the first click is made if a window
        manager holds presses back. Windows cannot guarantee that, so only the first click is made there.
        """
        return cast(tuple[int, Point], _asked(self._mouse.burst, strokes, window, check))

    def click(self, point: Point, button: Button = Button.LEFT) -> None:
        """Click once, whichever window gets the click."""
        self.burst([(point, button)])

    def press(self, *keys: str) -> None:
        """Press the keys together in this order and release them, e.g. ``press("alt", "g")``."""
        _asked(self._mouse.press, *keys)


class WindowsMouse:
    """The mouse and the keys of Windows; ``gui`` replaces pyautogui, and ``api`` Windows, in tests."""

    def __init__(self, gui: Any = None, api: Any = None) -> None:
        from bot.desktop.win32_api import Api

        self._gui = _pyautogui() if gui is None else gui
        self._api = Api() if api is None else api

    def position(self) -> Point:
        """Return where the pointer is."""
        x, y = self._gui.position()
        return Point(int(x), int(y))

    def move(self, point: Point) -> None:
        """Put the pointer at ``point``."""
        self._gui.moveTo(point.x, point.y, _pause=False)

    def burst(
        self, strokes: Sequence[Stroke], window: Window | None, check: Callable[[Point], None]
    ) -> tuple[int, Point]:
        """Make the first click; return 1, and the pointer's place."""
        check(self.position())
        point, button = strokes[0]
        if window is not None and not self._api.takes(window, point):
            raise ViewChangedError(IN_THE_WAY)
        self.move(point)  # while a program hooks input, Wine does not move it with the click
        self._api.click(point, button)
        return 1, self.position()

    def press(self, *keys: str) -> None:
        """Press the keys together in this order and release them."""
        with ExitStack() as held:
            for key in keys:
                held.enter_context(_followed_by(partial(self._gui.keyUp, key, _pause=False)))
                self._gui.keyDown(key, _pause=False)


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


@contextmanager
def _followed_by(release: Callable[[], object]) -> Iterator[None]:
    """Call ``release`` after the block; if the block fails, raise its error, not one of ``release``."""
    try:
        yield
    except BaseException:
        with suppress(Exception):
            release()
        raise
    release()


def _pyautogui() -> Any:
    """Return pyautogui without its pauses and without its failsafe.

    Its failsafe stops a program if the pointer is in a corner of the primary monitor, but a board may have
    cells there. The player has its own rules to stop, which work on every monitor.
    """
    with _without(_UNWANTED):
        import pyautogui
    pyautogui.PAUSE = 0
    pyautogui.FAILSAFE = False
    return pyautogui


@contextmanager
def _without(names: tuple[str, ...]) -> Iterator[None]:
    """Make imports of ``names`` fail inside the block; pyautogui works without them.

    mouseinfo ends the whole program if Python has no tkinter; pyscreeze would load Pillow and OpenCV.
    """
    missing = [name for name in names if name not in sys.modules]
    sys.modules.update(dict.fromkeys(missing))  # type: ignore[arg-type]  # None is Python's sign for this
    try:
        yield
    finally:
        for name in missing:
            del sys.modules[name]
