"""The real mouse and keys: pyautogui moves the pointer; clicks, and keys on X11, use system calls."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from bot.desktop import NO_DISPLAY, require_display, set_dpi_awareness
from bot.desktop.protocols import Button, Stroke, Window, anywhere
from bot.errors import IN_THE_WAY, BotError, CaptureError, ViewChangedError
from bot.geometry import Point

if TYPE_CHECKING:
    from bot.desktop.win32_api import ClickSender
    from bot.desktop.x11_api import InputSender

_UNWANTED = ("mouseinfo", "pyscreeze")


class ScreenMouse:
    """Moves the pointer, clicks and types on the display that DISPLAY named at the first `ScreenMouse`.

    Raises CaptureError if there is no display, or if it has gone. No button or key stays pressed, however the
    program ends, except a key on Windows if the program is killed while it presses that.
    """

    def __init__(self) -> None:
        set_dpi_awareness()
        self._gui = _pyautogui()
        self._clicks: ClickSender | None = None
        self._strokes: InputSender | None = None
        if sys.platform == "win32":
            from bot.desktop.win32_api import ClickSender

            self._clicks = ClickSender()
        else:
            from bot.desktop.x11_api import InputSender

            self._strokes = InputSender(self._gui.platformModule._display)

    def position(self) -> Point:
        """Return where the pointer is."""
        x, y = _asked(self._gui.position)
        return Point(int(x), int(y))

    def move(self, point: Point) -> None:
        """Put the pointer at ``point``."""
        _asked(self._gui.moveTo, point.x, point.y, _pause=False)

    def burst(
        self,
        strokes: Sequence[Stroke],
        window: Window | None = None,
        check: Callable[[Point], None] = anywhere,
    ) -> tuple[int, Point]:
        """Click at each place without a pause; return how many clicks were made, and the pointer's place.

        On X11 nothing can happen between the checks and the clicks; only the first click is made if a window
        manager holds presses back. Windows cannot guarantee that, so only the first click is made there.
        """
        if self._strokes is not None:
            return cast(tuple[int, Point], _asked(self._strokes.burst, strokes, window, check))
        assert self._clicks is not None
        check(self.position())
        point, button = strokes[0]
        if window is not None and not self._clicks.api.takes(window, point):
            raise ViewChangedError(IN_THE_WAY)
        self.move(point)  # while a program hooks input, Wine does not move it with the click
        self._clicks.click(point, button)
        return 1, self.position()

    def click(self, point: Point, button: Button = Button.LEFT) -> None:
        """Click once, whichever window gets the click."""
        self.burst([(point, button)])

    def press(self, *keys: str) -> None:
        """Press the keys together in this order and release them, e.g. ``press("alt", "g")``."""
        if self._strokes is not None:
            codes = self._gui.platformModule.keyboardMapping
            _asked(self._strokes.press, [codes[key] for key in keys])
            return
        with ExitStack() as held:
            for key in keys:
                held.enter_context(_followed_by(partial(_asked, self._gui.keyUp, key, _pause=False)))
                _asked(self._gui.keyDown, key, _pause=False)


def _asked(request: Callable[..., Any], *arguments: object, **options: object) -> Any:
    """Return the result of ``request``. Raises CaptureError if it fails; its errors differ by platform."""
    try:
        return request(*arguments, **options)
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
        with suppress(CaptureError):
            release()
        raise
    release()


def _pyautogui() -> Any:
    """Return pyautogui without its pauses and without its failsafe.

    Its failsafe stops a program if the pointer is in a corner of the primary monitor, but a board may have
    cells there. The player has its own rules to stop, which work on every monitor.
    """
    require_display()  # pyautogui itself would go on using an earlier display
    try:
        with _without(_UNWANTED), redirect_stdout(None):  # Xlib prints a message if .Xauthority is empty
            import pyautogui
    except Exception as error:  # KeyError without DISPLAY; an error of Xlib if it does not answer
        raise CaptureError(NO_DISPLAY) from error
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
