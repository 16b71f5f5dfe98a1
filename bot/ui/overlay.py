"""Marks over a game on the screen: shown only while the board still looks as it did when they were computed.

A thread looks at the board many times a second. If any pixel of the board beside the marks changes, the marks
are hidden. The reason can be a click, a new game, another window or a menu over the board, or a minimised or
closed window. They are shown again when the board looks as before. They move with the window.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np
from msgspec.json import encode

from bot.board import Board
from bot.desktop import require_shapes
from bot.desktop.protocols import Capture, Desktop, Window
from bot.errors import BotError, LaunchError, OverlayError
from bot.geometry import Frame, Grid, Pixels, Rect
from bot.installation import apart, minebot_command
from bot.marks import Advice, Layer, Order, PlacedSheet, Sheet, marks_of, words_of
from bot.stop import NEVER, Stop

PATIENCE = 0.25  # seconds that `Overlay.rest` waits at most while marks are shown
TICK = 0.02  # seconds between two looks of the thread at the board
_REPAINTED = 0.1  # seconds until a game has repainted the pixels below removed marks, at most
_VANISHED = 1.0  # the same for marks of a process that was killed
START_PATIENCE = 60.0  # seconds for the process to start: the first start loads many files
ANSWER_PATIENCE = 3.0  # seconds for the process to carry out an order, hundreds of times the usual time
MARK_PATIENCE = 0.0005  # additional seconds for each mark, ten times the usual time
END_PATIENCE = 1.0  # seconds for the process to end; after that it is killed, which is harmless
NAP = 0.03  # seconds between two checks for a stop while waiting
ENDED = "the overlay has ended"
HUNG = "the overlay does not answer any more"
# Not passed to the process: it uses physical pixels, and the same display as the game.
_NOT_FOR_IT = frozenset({"QT_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS", "QT_FONT_DPI", "QT_QPA_PLATFORM"})


class Overlay:
    """Shows ``layers`` of marks over a game, and takes pictures of the screen without them, by ``capture``.

    ``layers`` may be set at any time. ``open_screen`` is called in the overlay's own thread, and only that
    thread uses its result. ``tell`` is called once, with the reason, if marks can no longer be shown.
    ``stop`` ends a wait in `put`, `clear` or `grab`, but not for a pause, after which the marks are hidden.
    ``link`` is the process that shows them; None starts one. Raises LaunchError if marks cannot be shown
    here, CaptureError if there is no display.
    """

    def __init__(
        self,
        capture: Capture,
        layers: Collection[Layer],
        open_screen: Callable[[], tuple[Desktop, Capture]],
        tell: Callable[[str], None],
        stop: Stop = NEVER,
        link: Link | None = None,
    ) -> None:
        if link is None:
            require_shapes()
        self._capture, self.layers = capture, layers
        self._link, self._tell, self._stop = link or Link(), tell, stop
        self._lock = threading.Lock()
        self._awake, self._changed, self._over = threading.Event(), threading.Event(), threading.Event()
        self._wanted: PlacedSheet | None = None
        self._window: Window | None = None
        self._shown: PlacedSheet | None = None
        self._gone: PlacedSheet | None = None  # marks that were hidden since the last picture
        self._fresh = False  # whether the thread has not yet checked ``_wanted``
        self._thread = threading.Thread(target=self._work, args=(open_screen,), name="overlay", daemon=True)
        self._thread.start()

    def show(self, frame: Frame, grid: Grid, board: Board, window: Window | None, advice: Advice) -> None:
        """Show ``advice`` for ``board``, which was read at ``grid`` in ``frame``, a picture of ``window``."""
        place, layers = grid.moved(frame.origin.x, frame.origin.y), self.layers
        beside = place.rect if window is None else window.client
        sheet = Sheet(place, marks_of(board, advice, layers), words_of(advice, layers), beside)
        self.put(sheet, frame.crop(sheet.rect).pixels, window)

    def put(self, sheet: Sheet, clean: Pixels, window: Window | None) -> None:
        """Show ``sheet`` on ``window``, also after it moves, as long as its board looks like ``clean``.

        The coordinates in ``sheet`` are valid for the position that ``window`` has here.
        """
        with self._held():
            wanted = self._wanted
            if self._over.is_set():
                return
            self._window = window
            if wanted is None or wanted.sheet != sheet or not np.array_equal(wanted.clean, clean):
                self._replace(PlacedSheet.of(sheet, clean.copy()))

    def clear(self) -> None:
        """Hide the marks, and show none until the next `show` or `put`."""
        with self._held():
            if not self._over.is_set() and self._wanted is not None:
                self._replace(None)

    def _replace(self, wanted: PlacedSheet | None) -> None:
        self._wanted = wanted
        self._hide(self._stop)
        self._fresh = True
        self._awake.set()

    def rest(self, seconds: float) -> None:
        """Wait for ``seconds``, but for `PATIENCE` if marks are shown; return early if the board changes."""
        self._changed.wait(PATIENCE if self.watching else seconds)
        self._changed.clear()

    @property
    def watching(self) -> bool:
        """Whether marks are shown; the thread then notices at once when the board changes."""
        return self._shown is not None

    def grab(self, rect: Rect | None = None) -> Frame:
        """Return a picture of the screen without marks; hide them if that is necessary.

        Raises CaptureError like other captures.
        """
        with self._held():
            frame = self._capture.grab(rect)
            if self._shown is not None:
                clean = self._shown.without_marks(frame)
                if clean is not None:
                    return clean
                self._hide(self._stop)
            return self._painted(rect) if self._gone else frame

    def close(self) -> None:
        """Hide the marks, and end the process and the thread."""
        self._over.set()
        self._awake.set()
        self._link.close()  # before the join: the thread may wait for an answer that never comes
        self._thread.join()

    @contextmanager
    def _held(self) -> Iterator[None]:
        """Hold the lock inside the block; while waiting for it, check whether the user wants to stop."""
        while not self._lock.acquire(timeout=NAP):
            self._stop.raise_if_ended()
        try:
            yield
        finally:
            self._lock.release()

    def _work(self, open_screen: Callable[[], tuple[Desktop, Capture]]) -> None:
        try:
            self._watch(*open_screen())
        except Exception as error:  # of any kind: otherwise the marks would stay forever
            words = str(error) if isinstance(error, BotError) else f"{type(error).__name__}: {error}"
            with self._lock:
                self._give_up(words)

    def _watch(self, desktop: Desktop, capture: Capture) -> None:
        with closing(desktop), closing(capture):
            while not self._over.is_set():
                with self._lock:
                    self._look(desktop, capture)
                    resting = self._wanted is None
                self._awake.wait(None if resting else TICK)
                self._awake.clear()

    def _look(self, desktop: Desktop, capture: Capture) -> None:
        """Show, move or hide the marks, depending on the screen now."""
        wanted, fresh, self._fresh = self._wanted, self._fresh, False
        if wanted is None:
            return
        if not self._link.alive:
            self._give_up(ENDED)
            return
        try:
            there = self._follow(desktop, wanted)
            self._wanted = there
            if there is not None and there is not wanted and self._shown is not None:
                self._show(there)  # move at once; the next look checks whether they still fit
                return
            fits = there is not None and there.fits(
                capture.grab(there.sheet.rect).pixels, marked=self._shown is there
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
        """Return the marks moved to where the window is now; None if it is gone or has another size."""
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

    def _hide(self, stop: Stop = NEVER) -> None:
        """Hide the marks; ``stop`` may end the wait for that."""
        shown, self._shown = self._shown, None
        if shown is not None:
            self._gone = shown
            self._order(None, stop)

    def _painted(self, rect: Rect | None) -> Frame:
        """Wait until the game or compositor has repainted the pixels below the marks; return a picture."""
        gone, self._gone = self._gone, None
        deadline = time.monotonic() + (_VANISHED if self._over.is_set() else _REPAINTED)
        with suppress(BotError):  # the screen cannot be seen
            while gone is not None and time.monotonic() < deadline:
                if not gone.left_over(self._capture.grab(gone.sheet.rect).pixels):
                    break
                time.sleep(0.001)
        return self._capture.grab(rect)

    def _order(self, sheet: Sheet | None, stop: Stop = NEVER) -> None:
        try:
            self._link.show(sheet, stop)
        except OverlayError as error:
            self._give_up(str(error))

    def _give_up(self, why: str) -> None:
        """Stop showing marks for good, and say ``why``; killing the process also removes its marks."""
        self._gone = self._shown or self._gone
        self._wanted = self._shown = None
        if not self._over.is_set():
            self._over.set()
            self._link.kill()
            self._tell(f"{why}: the dry run goes on without marks")


class Link:
    """A process that shows sheets of marks; it ends when `close` is called, or when this program ends.

    Raises LaunchError if the process does not start, with its own message if it sends one.
    """

    def __init__(self, program: Sequence[str] | None = None) -> None:
        self._process = subprocess.Popen(
            program or minebot_command("overlay"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            env={name: value for name, value in os.environ.items() if name not in _NOT_FOR_IT},
            **apart(),
        )
        self._orders = SimpleQueue[str | None]()  # writing to the pipe of a hanging process would block
        self._answers = SimpleQueue[dict[str, Any] | None]()  # None when there are no more
        self._number = 0  # the number of the last order
        self._owed = True  # whether the process still has to answer
        for work, name in ((self._write, "overlay orders"), (self._read, "overlay answers")):
            threading.Thread(target=work, name=name, daemon=True).start()
        try:
            answer = self._await(bool, START_PATIENCE)
            if "error" in answer:
                raise OverlayError(answer["error"])
        except BaseException as error:
            self.close()
            if isinstance(error, OverlayError):
                raise LaunchError(str(error)) from error
            raise
        self._owed = False

    def show(self, sheet: Sheet | None, stop: Stop = NEVER) -> None:
        """Show ``sheet`` instead of any other, or nothing if it is None; return when the screen shows it.

        The wait for that ends early if ``stop`` knows an end, not a pause. Raises OverlayError if the process
        has ended or does not answer.
        """
        self._number += 1
        number, marks = self._number, 0 if sheet is None else len(sheet.marks)
        self._owed = True
        self._orders.put(encode(Order(number, sheet)).decode() + "\n")
        patience = ANSWER_PATIENCE + marks * MARK_PATIENCE
        self._await(lambda answer: answer.get("done") == number, patience, stop)
        self._owed = False

    @property
    def alive(self) -> bool:
        """Whether the process is still running."""
        return self._process.poll() is None

    def close(self) -> None:
        """End the process; kill it at once if it still has to answer, because it may hang."""
        self._orders.put(None)
        try:
            self._process.wait(0.0 if self._owed else END_PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """Kill the process, in any state; the marks disappear with it."""
        self._process.kill()
        with suppress(subprocess.TimeoutExpired):  # even a killed process can take long, waiting for a disk
            self._process.wait(ANSWER_PATIENCE)

    def _await(
        self, fits: Callable[[dict[str, Any]], bool], patience: float, stop: Stop = NEVER
    ) -> dict[str, Any]:
        """Wait at most ``patience`` seconds for an answer for which ``fits`` is true, and return it.

        ``stop`` is asked meanwhile. The time is counted in naps, so time in which this program is suspended
        (Ctrl+Z) does not count. Raises OverlayError if no such answer comes.
        """
        for _ in range(max(1, round(patience / NAP))):
            with suppress(Empty):
                answer = self._answers.get(timeout=NAP)
                if answer is None:
                    self._answers.put(None)  # also for the next call
                    raise OverlayError(ENDED)
                if fits(answer):
                    return answer
            stop.raise_if_ended()
        raise OverlayError(HUNG)

    def _write(self) -> None:
        stream = self._process.stdin
        assert stream is not None
        with suppress(OSError), stream:  # OSError: the process has ended, which `_read` notices
            while (line := self._orders.get()) is not None:
                stream.write(line)
                stream.flush()

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        with suppress(OSError, ValueError), stream:  # a killed process may leave an incomplete line
            for line in stream:
                if line.startswith("{"):
                    self._answers.put(json.loads(line))
        self._answers.put(None)
