"""The mouse: the pointer through pyautogui; clicks, and keys on X11, by the system itself, in one piece."""

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
    from bot.desktop.win32_api import Clicks
    from bot.desktop.x11_api import Strokes

_UNWANTED = ("mouseinfo", "pyscreeze")


class ScreenMouse:
    """Moves the pointer, clicks and types on the display that DISPLAY named when the first one was made.

    Raises CaptureError if there is no display, and when it has gone. Nothing stays pressed, however we end,
    but for a key on Windows where the program is killed with it.
    """

    def __init__(self) -> None:
        set_dpi_awareness()
        self._gui = _pyautogui()
        self._clicks: Clicks | None = None
        self._strokes: Strokes | None = None
        if sys.platform == "win32":
            from bot.desktop.win32_api import Clicks

            self._clicks = Clicks()
        else:
            from bot.desktop.x11_api import Strokes

            self._strokes = Strokes(self._gui.platformModule._display)

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
        """Click at each place, at once one after the other; return how many of them, and the pointer's place.

        On X11 nothing can happen between the looks and the clicks; only the first one is made where a
        window manager holds presses back. Windows knows no such thing: it is given one click at a time.
        """
        if self._strokes is not None:
            return cast(tuple[int, Point], _asked(self._strokes.burst, strokes, window, check))
        assert self._clicks is not None
        check(self.position())
        point, button = strokes[0]
        if window is not None and not self._clicks.api.takes(window, point):
            raise ViewChangedError(IN_THE_WAY)
        self.move(point)  # Wine leaves it where it was while a program hooks its input
        self._clicks.click(point, button)
        return 1, self.position()

    def click(self, point: Point, button: Button = Button.LEFT) -> None:
        """Click once, whatever gets it."""
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
    """Return what pyautogui answers. Raises CaptureError if it fails: each platform has errors of its own."""
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
    """Call ``release`` after the block; if the block failed, its error is the one that counts."""
    try:
        yield
    except BaseException:
        with suppress(CaptureError):
            release()
        raise
    release()


def _pyautogui() -> Any:
    """Return pyautogui without its pauses and without its failsafe.

    Its failsafe stops a program whose pointer is in a corner of the primary monitor: a board may have
    cells there. The player has its own rules to stop, and they hold on every monitor.
    """
    require_display()  # pyautogui itself would keep to one that it was given before
    try:
        with _without(_UNWANTED), redirect_stdout(None):  # Xlib prints about an empty .Xauthority
            import pyautogui
    except Exception as error:  # no DISPLAY: KeyError; one that does not answer: an error of Xlib
        raise CaptureError(NO_DISPLAY) from error
    pyautogui.PAUSE = 0
    pyautogui.FAILSAFE = False
    return pyautogui


@contextmanager
def _without(names: tuple[str, ...]) -> Iterator[None]:
    """Make imports of ``names`` fail, as pyautogui allows for.

    mouseinfo ends the whole program where Python has no tkinter; pyscreeze would load Pillow and OpenCV.
    """
    missing = [name for name in names if name not in sys.modules]
    sys.modules.update(dict.fromkeys(missing))  # type: ignore[arg-type]  # None is Python's sign for this
    try:
        yield
    finally:
        for name in missing:
            del sys.modules[name]
