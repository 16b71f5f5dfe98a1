"""Marks over a game on the screen, which stand on the very picture they were made for, or not at all.

A thread looks at the board many times a second. As soon as anything of it that is seen beside the marks is
another picture, whatever the reason, the marks are taken away: a click, a new game, a window or a menu over
it, the window minimised or closed. They come back when the picture does. If the window moves, they move.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass

import numpy as np

from bot.board import Board
from bot.desktop import require_shapes
from bot.desktop.protocols import Capture, Desktop, Window
from bot.errors import BotError, OverlayError
from bot.geometry import Frame, Grid, Pixels, Rect
from bot.ui.overlay.link import ENDED, NAP, Link
from bot.ui.overlay.marks import Advice, Layer, Mark, marks_of
from bot.ui.overlay.sheet import PlacedSheet, Sheet

PATIENCE = 0.25  # seconds between two looks at a board that is watched for any change
TICK = 0.02  # seconds between two looks of the guard
_REPAINTED = 0.1  # seconds in which a game has painted what was below marks
_VANISHED = 1.0  # and in which the screen has lost what a process showed that was killed


@dataclass(frozen=True, slots=True)
class ScreenAccess:
    """How the guard sees: the windows, and pictures of the screen."""

    desktop: Desktop
    capture: Capture


class Overlay:
    """Shows ``layers`` of marks over a game, in a process of its own; others from now on when they are set.

    ``open_screen`` opens the screen for its guard, a thread; ``tell`` is told in words what ends it.
    Raises LaunchError if it cannot be shown here, CaptureError if there is no display.
    """

    def __init__(
        self, layers: Collection[Layer], open_screen: Callable[[], ScreenAccess], tell: Callable[[str], None]
    ) -> None:
        require_shapes()
        self.layers = layers
        self._known: tuple[Board, Advice, Collection[Layer]] | None = None
        self._marks: tuple[Mark, ...] = ()  # of what is known
        self._guard = Guard(Link(), open_screen, tell)

    def serve(self, heed: Callable[[], None]) -> None:
        """Call ``heed`` from now on while marks do not come or go; what it raises is raised."""
        self._guard.serve(heed)

    def show(self, frame: Frame, grid: Grid, board: Board, window: Window | None, advice: Advice) -> None:
        """Show what is known of ``board``, read on ``grid`` of ``frame``, a picture of ``window``."""
        place, known = grid.moved(frame.origin.x, frame.origin.y), self._known
        if known is None or known[0] != board or known[1] is not advice or known[2] != self.layers:
            self._known = board, advice, self.layers
            self._marks = marks_of(board, advice, self.layers)
        words = advice.words if Layer.WORDS in self.layers else ""
        sheet = Sheet(place, self._marks, words, place.rect if window is None else window.client)
        self._guard.put(sheet, frame.crop(sheet.rect).pixels, window)

    def clear(self) -> None:
        """Show nothing."""
        self._guard.clear()

    def rest(self, seconds: float) -> None:
        """Return after so many seconds; while marks stand, when the board changes, or after `PATIENCE`."""
        self._guard.wait(PATIENCE if self._guard.watching else seconds)

    def clean(self, capture: Capture) -> Capture:
        """Return a capture that takes pictures without the marks."""
        return CleanCapture(capture, self._guard)

    def close(self) -> None:
        """Take the marks away."""
        self._guard.close()


class Guard:
    """Shows marks over a game through ``link``, and keeps them off every other picture.

    ``open_screen`` is called, and what it returns is used, in a thread of the guard's own. ``tell`` is called
    once, with words, if marks can be shown no longer.
    """

    def __init__(
        self, link: Link, open_screen: Callable[[], ScreenAccess], tell: Callable[[str], None]
    ) -> None:
        self._link, self._tell = link, tell
        self._heed: Callable[[], None] = lambda: None
        self._lock = threading.Lock()
        self._awake, self._changed, self._over = threading.Event(), threading.Event(), threading.Event()
        self._wanted: PlacedSheet | None = None
        self._window: Window | None = None
        self._shown: PlacedSheet | None = None
        self._gone: PlacedSheet | None = None  # taken away since the last picture
        self._fresh = False  # what is wanted was not looked at yet
        self._thread = threading.Thread(target=self._work, args=(open_screen,), name="overlay", daemon=True)
        self._thread.start()

    def serve(self, heed: Callable[[], None]) -> None:
        """Call ``heed`` from now on while `put`, `clear` or `grab` has to wait; what it raises ends them."""
        self._heed = heed

    def put(self, sheet: Sheet, clean: Pixels, window: Window | None) -> None:
        """Show these marks on ``window`` from now on, wherever it is, while its board looks like ``clean``.

        The sheet says where the board is while the window is as ``window`` says.
        """
        with self._held():
            wanted = self._wanted
            if self._over.is_set():
                return
            self._window = window
            if wanted is None or wanted.sheet != sheet or not np.array_equal(wanted.clean, clean):
                self._replace(PlacedSheet.of(sheet, clean.copy()))

    def clear(self) -> None:
        """Show no marks from now on."""
        with self._held():
            if not self._over.is_set() and self._wanted is not None:
                self._replace(None)

    def _replace(self, wanted: PlacedSheet | None) -> None:
        self._wanted = wanted
        self._hide(self._heed)
        self._fresh = True
        self._awake.set()

    def wait(self, seconds: float) -> None:
        """Return when the marks had to be taken away, or after so many seconds."""
        self._changed.wait(seconds)
        self._changed.clear()

    @property
    def watching(self) -> bool:
        """Whether marks are shown: then it is seen at once when the board changes."""
        return self._shown is not None

    def grab(self, capture: Capture, rect: Rect | None) -> Frame:
        """Return what ``capture`` grabs, without marks: they are taken away if need be."""
        with self._held():
            frame = capture.grab(rect)
            if self._shown is not None:
                clean = self._shown.without_marks(frame)
                if clean is not None:
                    return clean
                self._hide(self._heed)
            return self._painted(capture, rect) if self._gone else frame

    def close(self) -> None:
        """Take the marks away and end."""
        self._over.set()
        self._awake.set()
        self._link.close()  # first: the thread may wait for an answer that never comes
        self._thread.join()

    @contextmanager
    def _held(self) -> Iterator[None]:
        """Hold the lock inside the block, and heed the user until it is had."""
        while not self._lock.acquire(timeout=NAP):
            self._heed()
        try:
            yield
        finally:
            self._lock.release()

    def _work(self, open_screen: Callable[[], ScreenAccess]) -> None:
        try:
            self._watch(open_screen())
        except Exception as error:  # whatever it is: the marks would stay, and nobody know why
            words = str(error) if isinstance(error, BotError) else f"{type(error).__name__}: {error}"
            with self._lock:
                self._give_up(words)

    def _watch(self, screen: ScreenAccess) -> None:
        with closing(screen.desktop), closing(screen.capture):
            while not self._over.is_set():
                with self._lock:
                    self._look(screen)
                    resting = self._wanted is None
                self._awake.wait(None if resting else TICK)
                self._awake.clear()

    def _look(self, screen: ScreenAccess) -> None:
        """Show, move or take away the marks, by what is on the screen now."""
        wanted, fresh, self._fresh = self._wanted, self._fresh, False
        if wanted is None:
            return
        if not self._link.alive:
            self._give_up(ENDED)
            return
        try:
            there = self._follow(screen.desktop, wanted)
            self._wanted = there
            if there is not None and there is not wanted and self._shown is not None:
                self._show(there)  # at once: whether it fits is looked at next
                return
            fits = there is not None and there.fits(
                screen.capture.grab(there.sheet.rect).pixels, marked=self._shown is there
            )
        except BotError:  # the screen cannot be seen
            fits = False
        if not fits and (fresh or self._shown is not None):
            self._hide()
            self._changed.set()
        elif fits and self._shown is None:
            assert there is not None
            self._show(there)

    def _follow(self, desktop: Desktop, wanted: PlacedSheet) -> PlacedSheet | None:
        """Return the marks where the window is now, the same if it has not moved; None if it is another."""
        window = self._window
        if window is None or desktop.takes(window, wanted.sheet.rect.centre):
            return wanted
        self._window = now = desktop.refresh(window)
        if now is None or now.client.size != window.client.size:
            return None
        dx, dy = now.client.x - window.client.x, now.client.y - window.client.y
        return wanted.moved(dx, dy) if dx or dy else wanted

    def _show(self, placed: PlacedSheet) -> None:
        self._shown = placed
        self._order(placed.sheet)

    def _hide(self, heed: Callable[[], None] = lambda: None) -> None:
        """Take the marks away; ``heed`` is called until they are."""
        shown, self._shown = self._shown, None
        if shown is not None:
            self._gone = shown
            self._order(None, heed)

    def _painted(self, capture: Capture, rect: Rect | None) -> Frame:
        """Return a picture on which the game, or a compositor, has painted what was below the marks."""
        gone, self._gone = self._gone, None
        deadline = time.monotonic() + (_VANISHED if self._over.is_set() else _REPAINTED)
        with suppress(BotError):  # the screen cannot be seen
            while gone is not None and time.monotonic() < deadline:
                if not gone.left_over(capture.grab(gone.sheet.rect).pixels):
                    break
                time.sleep(0.001)
        return capture.grab(rect)

    def _order(self, sheet: Sheet | None, heed: Callable[[], None] = lambda: None) -> None:
        try:
            self._link.show(sheet, heed)
        except OverlayError as error:
            self._give_up(str(error))

    def _give_up(self, why: str) -> None:
        """Show nothing any more: a process that does not answer is killed, and its marks go with it."""
        self._gone = self._shown or self._gone
        self._wanted = self._shown = None
        if not self._over.is_set():
            self._over.set()
            self._link.kill()
            self._tell(f"{why}: the dry run goes on without marks")


class CleanCapture:
    """Takes pictures of the screen without the marks of a guard."""

    def __init__(self, capture: Capture, guard: Guard) -> None:
        self._capture, self._guard = capture, guard

    def grab(self, rect: Rect | None = None) -> Frame:
        """Return a picture as the screen would be without marks. Raises CaptureError as other captures do."""
        return self._guard.grab(self._capture, rect)

    def close(self) -> None:
        """Release the screen."""
        self._capture.close()
