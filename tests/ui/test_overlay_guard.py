"""Marks stand on what they were made for, or not at all; their process may end, hang, and talk nonsense."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot.board import Cell
from bot.desktop.protocols import Window
from bot.errors import CaptureError, LaunchError, OverlayError, StoppedError
from bot.geometry import Frame, Grid, Pixels, Point, Rect
from bot.marks import Kind, Mark, Sheet
from bot.stop import Stop
from bot.ui import overlay
from bot.ui.overlay import Link, Overlay
from conftest import PATIENCE, wait_for
from fakes import stop_key

SIDE, PITCH = 3, 16
BOARD = SIDE * PITCH
MARGIN = Point(8, 20)  # of the board in its window


class Screen:
    """A board in a window, and the marks that lie over it: capture, desktop and link at once."""

    alive = True

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.board = np.full((BOARD, BOARD, 3), 190, np.uint8)
        self.at, self.there, self.cover = Point(60, 40), True, Rect(0, 0, 0, 0)
        self.sheet: Sheet | None = None
        self.shown = list[Sheet | None]()
        self.broken = self.blind = self.closed = self.killed = False
        self.hangs = threading.Event()
        self.bug: Exception | None = None

    @property
    def window(self) -> Window:
        return Window(1, "game", "game", "game", Rect(self.at.x, self.at.y, BOARD + 16, BOARD + 28))

    @property
    def place(self) -> Rect:
        return Rect(self.at.x + MARGIN.x, self.at.y + MARGIN.y, BOARD, BOARD)

    # link

    def show(self, sheet: Sheet | None, stop: Stop) -> None:
        while self.hangs.is_set() and not self.closed:
            stop.raise_if_ended()
            time.sleep(0.001)
        if self.broken:
            raise OverlayError("the overlay does not answer any more")
        with self.lock:
            self.sheet = sheet
            self.shown.append(sheet)

    def kill(self) -> None:
        with self.lock:
            self.killed, self.sheet = True, None

    # capture

    def grab(self, rect: Rect | None = None) -> Frame:
        if self.bug is not None:
            raise self.bug
        if self.blind:
            raise CaptureError("the screen cannot be seen")
        with self.lock:
            screen = np.full((300, 400, 3), 60, np.uint8)
            if self.there:
                self._part(screen, self.place)[:] = self.board
            if self.sheet is not None:
                part, marks = self._part(screen, self.sheet.rect), self.sheet.picture()
                part[:] = np.where(marks[..., 3:] > 0, marks[..., :3], part)
            self._part(screen, self.cover)[:] = 240
            area = rect or Rect(0, 0, 400, 300)
            return Frame(self._part(screen, area).copy(), Point(area.x, area.y))

    @staticmethod
    def _part(screen: Pixels, rect: Rect) -> Pixels:
        return screen[rect.y : rect.bottom, rect.x : rect.right]

    def close(self) -> None:
        self.closed = True

    # desktop

    def refresh(self, _window: Window) -> Window | None:
        return self.window if self.there else None

    def takes(self, window: Window, _point: Point) -> bool:
        return self.there and self.window == window


def sheet_of(screen: Screen) -> Sheet:
    place = screen.place
    marks = (
        Mark(Cell(0, 1), Kind.NEXT, "1"),
        Mark(Cell(1, 1), Kind.MINE),
        Mark(Cell(2, 2), Kind.PLAIN, "33"),
    )
    return Sheet(Grid(place.x, place.y, PITCH, PITCH, SIDE, SIDE), marks, "because", screen.window.client)


class Scene:
    """A guard on a screen, and what it has told."""

    def __init__(self, screen: Screen) -> None:
        self.screen, self.told, self.stop = screen, list[str](), Stop()
        stands_in: Any = screen
        late: Any = self
        self.late = False  # whether the board changes just before a picture without marks is taken
        self.guard = Overlay(late, (), lambda: (stands_in, stands_in), self.told.append, self.stop, stands_in)

    def grab(self, rect: Rect | None = None) -> Frame:
        if self.late:
            change(self.screen)
        return self.screen.grab(rect)

    def put(self) -> None:
        self.guard.put(sheet_of(self.screen), self.screen.board, self.screen.window)

    def shows(self) -> bool:
        return self.screen.sheet is not None

    def hides(self) -> bool:
        return self.screen.sheet is None


@contextmanager
def opened(screen: Screen) -> Iterator[Scene]:
    scene = Scene(screen)
    try:
        yield scene
    finally:
        scene.guard.close()


@pytest.fixture
def scene() -> Iterator[Scene]:
    with opened(Screen()) as scene:
        yield scene


@pytest.fixture
def shown(scene: Scene) -> Scene:
    scene.put()
    assert wait_for(scene.shows)
    return scene


def change(screen: Screen) -> None:
    screen.board = screen.board.copy()
    screen.board[40, 5] = 0  # beside all marks


def test_a_change_takes_marks_away_and_is_told_at_once(shown: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.ui.overlay.PATIENCE", PATIENCE)
    change(shown.screen)
    shown.guard.rest(0.0)
    assert shown.hides()
    shown.put()
    assert wait_for(shown.shows)


def test_marks_for_another_picture_are_never_shown(scene: Scene) -> None:
    before = scene.screen.board
    change(scene.screen)
    scene.guard.put(sheet_of(scene.screen), before, scene.screen.window)
    scene.guard.rest(60.0)  # it is told that the board must be looked at again
    assert scene.screen.shown == []


@pytest.mark.parametrize(
    ("happen", "undo"),
    [
        (lambda screen: setattr(screen, "cover", Rect(90, 90, 30, 30)), True),
        (lambda screen: setattr(screen, "blind", True), True),
        (lambda screen: setattr(screen, "there", False), False),
    ],
    ids=["covered", "unseen", "closed"],
)
def test_marks_go_with_the_board(shown: Scene, happen: Callable[[Screen], None], undo: bool) -> None:
    happen(shown.screen)
    assert wait_for(shown.hides)
    shown.screen.cover, shown.screen.blind, shown.screen.there = Rect(0, 0, 0, 0), False, True
    if undo:
        assert wait_for(shown.shows)
    else:
        assert not shown.guard.watching


def test_marks_follow_the_window(shown: Scene) -> None:
    for at in (Point(63, 41), Point(200, 120)):
        with shown.screen.lock:
            shown.screen.at = at
        assert wait_for(lambda: shown.screen.sheet == sheet_of(shown.screen))


def test_pictures_are_those_without_marks(shown: Scene) -> None:
    for rect in (None, shown.screen.window.client, shown.screen.place):
        frame = shown.guard.grab(rect)
        x, y = shown.screen.place.x - frame.origin.x, shown.screen.place.y - frame.origin.y
        assert np.array_equal(frame.pixels[y : y + BOARD, x : x + BOARD], shown.screen.board)
    assert shown.shows()


def test_marks_are_taken_away_for_a_picture_of_what_has_changed(shown: Scene) -> None:
    shown.late = True
    frame = shown.guard.grab(shown.screen.place)
    assert np.array_equal(frame.pixels, shown.screen.board)
    assert shown.hides()


def test_an_overlay_that_is_killed_is_told_at_once(shown: Scene) -> None:
    shown.screen.alive = False
    assert wait_for(lambda: shown.told)
    assert shown.told == ["the overlay has ended: the dry run goes on without marks"]
    assert not shown.guard.watching


def test_an_overlay_that_hangs_is_told_once_and_its_marks_are_not_left(shown: Scene) -> None:
    shown.screen.broken = True
    shown.guard.clear()
    assert shown.screen.killed
    shown.put()
    shown.guard.clear()
    assert shown.told == ["the overlay does not answer any more: the dry run goes on without marks"]
    frame = shown.guard.grab(shown.screen.place)
    assert np.array_equal(frame.pixels, shown.screen.board)


class LateLoss(Screen):
    """A screen that shows the marks of a process for a while after it was killed."""

    looks = 3

    def kill(self) -> None:
        self.killed = True

    def grab(self, rect: Rect | None = None) -> Frame:
        if self.killed:
            self.looks -= 1
            self.sheet = self.sheet if self.looks > 0 else None
        return super().grab(rect)


def test_no_picture_shows_marks_that_are_still_to_vanish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.ui.overlay._VANISHED", PATIENCE)
    with opened(LateLoss()) as scene:
        scene.put()
        assert wait_for(scene.shows)
        scene.screen.broken = True
        scene.guard.clear()
        frame = scene.guard.grab(scene.screen.place)
        assert np.array_equal(frame.pixels, scene.screen.board)


def test_a_fault_of_our_own_is_told_too(shown: Scene) -> None:
    shown.screen.bug = TypeError("no such thing")
    assert wait_for(lambda: shown.told)
    shown.screen.bug = None
    assert shown.told == ["TypeError: no such thing: the dry run goes on without marks"]
    assert shown.screen.killed
    assert not shown.guard.watching


@pytest.mark.parametrize(
    "ask",
    [lambda scene: scene.guard.clear(), lambda scene: scene.guard.grab()],
    ids=["clear", "grab"],
)
def test_the_user_can_stop_it_while_the_guard_waits_for_an_answer(
    scene: Scene, ask: Callable[[Scene], object]
) -> None:
    scene.screen.hangs.set()
    scene.put()
    assert wait_for(lambda: scene.guard.watching)  # it holds the lock now, until it is answered
    scene.stop.add(stop_key(lambda: True).raise_if_stopped)
    with pytest.raises(StoppedError):
        ask(scene)


# The process that shows marks, as the bot has it in hand: stand-ins for it end, hang, and talk nonsense

READY = "import json, sys, time; print('{\"ready\": true}', flush=True)\n"
ANSWER = "print(json.dumps({'done': json.loads(sys.stdin.readline())['number']}), flush=True)\n"
HANG = "time.sleep(100_000)\n"  # it reads nothing, not even the end of its orders
BRIEF = 0.1  # seconds of patience with what never answers
ENDLESS = 100_000.0

Begin = Callable[[str], Link]


@pytest.fixture
def begin() -> Iterator[Begin]:
    """Starts programs in the place of the overlay; they end with the test."""
    with ExitStack() as stack:

        def start(program: str) -> Link:
            started = Link([sys.executable, "-c", program])
            stack.callback(started.close)
            stack.callback(started.kill)
            return started

        yield start


def hung(begin: Begin) -> Link:
    """Return a link to a program that carries out one order and then hangs."""
    started = begin(READY + ANSWER + HANG)
    started.show(None)
    return started


def huge() -> Sheet:
    """Return a sheet that no pipe takes whole."""
    marks = tuple(Mark(Cell(row, col), Kind.PLAIN, "33") for row in range(300) for col in range(300))
    return Sheet(Grid(0, 0, 10, 10, 300, 300), marks, "", Rect(0, 0, 3000, 3000))


def test_orders_are_carried_out_until_the_end(begin: Begin) -> None:
    link = begin(
        READY + "for line in sys.stdin: print('{\"done\": %d}' % json.loads(line)['number'], flush=True)"
    )
    link.show(None)
    link.show(huge())
    assert link.alive
    link.close()
    assert not link.alive


def test_a_process_that_hangs_is_told(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    link = hung(begin)
    monkeypatch.setattr(overlay, "ANSWER_PATIENCE", BRIEF)
    with pytest.raises(OverlayError, match="does not answer any more"):
        link.show(None)
    link.kill()
    assert not link.alive
    with pytest.raises(OverlayError, match="has ended"):
        link.show(None)


def test_an_order_that_nobody_reads_blocks_nobody(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    link = hung(begin)
    monkeypatch.setattr(overlay, "ANSWER_PATIENCE", BRIEF)
    monkeypatch.setattr(overlay, "MARK_PATIENCE", 0.0)
    with pytest.raises(OverlayError, match="does not answer any more"):
        link.show(huge())
    monkeypatch.setattr(overlay, "ANSWER_PATIENCE", ENDLESS)  # nobody waits that long for its end
    link.close()
    assert not link.alive


@pytest.mark.parametrize(
    "last", ["", "print('{\"done\": 1', end='')", "sys.stdout.buffer.write(b'\\xff\\n')"]
)
def test_a_process_that_ends_is_told(begin: Begin, monkeypatch: pytest.MonkeyPatch, last: str) -> None:
    monkeypatch.setattr(overlay, "ANSWER_PATIENCE", ENDLESS)
    link = begin(READY + "sys.stdin.readline()\n" + last)
    with pytest.raises(OverlayError, match="has ended"):
        link.show(None)
    assert wait_for(lambda: not link.alive)


@pytest.mark.parametrize(
    ("program", "patience", "words"),
    [
        ("", ENDLESS, "the overlay has ended"),
        ("import time\n" + HANG, BRIEF, "the overlay does not answer any more"),
        ('print(\'{"error": "there is no display"}\')', ENDLESS, "there is no display"),
    ],
    ids=["ends", "hangs", "refuses"],
)
def test_a_process_that_does_not_start_says_why(
    begin: Begin, monkeypatch: pytest.MonkeyPatch, program: str, patience: float, words: str
) -> None:
    monkeypatch.setattr(overlay, "START_PATIENCE", patience)
    with pytest.raises(LaunchError, match=words):
        begin(program)


def test_a_qt_that_is_missing_is_named_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "PySide6").mkdir()
    (tmp_path / "PySide6" / "__init__.py").write_text("raise ImportError('no Qt here')")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *filter(None, sys.path)]))
    with pytest.raises(LaunchError, match="no Qt here; install minebot again"):
        Link()
