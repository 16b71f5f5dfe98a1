"""Marks over real games: clicks go through them, they follow the window, and the board is read as ever."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("PySide6.QtGui", reason="install PySide6-Essentials and the libraries of .ci/packages")

from bot.board import Cell
from bot.geometry import Grid, Point, Rect
from bot.levels import BEGINNER
from bot.screen.capture import ScreenCapture
from bot.screen.launch import builtin
from bot.screen.mouse import ScreenMouse
from bot.screen.protocols import Desktop, Window
from bot.vision import load_skins, read_picture
from conftest import PATIENCE, StartGame, wait_for
from shown import START, DryRun, Seen, dry_run

CLICKS = 4
SKINS = load_skins()


@contextmanager
def compositor(*command: str) -> Iterator[None]:
    """Let a compositor run until the end of the block; it draws everything anew."""
    if command and shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is missing: apt-get install {command[0]}")
    if not command:
        yield
        return
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        time.sleep(0.5)  # it takes the windows over one by one
        assert process.poll() is None
        try:
            yield
        finally:
            process.terminate()


class Session:
    """A user at a game under marks: what the dry run tells, and what is seen on the screen."""

    def __init__(self, run: DryRun, window: Window, desktop: Desktop, capture: ScreenCapture) -> None:
        self.run, self.window, self.desktop, self.capture = run, window, desktop, capture
        self.mouse = ScreenMouse()
        self.told = self.news(START)
        place = (self.told[name] for name in ("x", "y", "pitch_x", "pitch_y", "rows", "cols"))
        self.seen = Seen(capture, Grid(*place))

    def news(self, patience: float = PATIENCE) -> dict[str, Any]:
        told = self.run.next(patience)
        assert told is not None, self.run.errors
        return told

    @property
    def suggested(self) -> list[Cell]:
        hint = self.told["hint"]
        return [Cell(hint["row"], hint["col"])] if hint and hint["row"] is not None else []

    def marks_stand(self) -> bool:
        """Return whether the suggested cell, and no other, is marked so where the window is now."""
        now = self.desktop.refresh(self.window)
        return now is not None and self.seen.suggested(now) == self.suggested

    def no_marks(self) -> bool:
        return self.seen.suggested(self.window) == []

    def click_through(self) -> None:
        """Click on the suggested cell; it must open, and everything must be read."""
        (cell,) = self.suggested
        self.mouse.click(self.seen.point(self.window, cell))
        self.told = self.news()
        while self.told["cells"][cell.row][cell.col] == "." or "-" in "".join(self.told["cells"]):
            self.told = self.news()  # the board may have been seen while it was painted

    def reads_the_same(self) -> bool:
        """Return whether the board as anybody reads it without marks is what was told of."""
        readings = read_picture(self.capture.grab(self.window.client).pixels, SKINS)
        return [reading.board.lines() for reading in readings] == [self.told["cells"]]


@contextmanager
def session(window: Window, desktop: Desktop, folder: Path, **environment: str) -> Iterator[Session]:
    with closing(ScreenCapture()) as capture, dry_run(folder, **environment) as run:
        yield Session(run, window, desktop, capture)


def play_through(user: Session) -> None:
    """Click on what is suggested, through the marks, as long as a game goes on."""
    for _ in range(CLICKS):
        assert wait_for(user.marks_stand)
        user.click_through()
        if user.told["state"] not in ("new", "running"):
            return


def move_to(window: Window, desktop: Desktop, place: Point) -> Window:
    """Move a window as a program may; return it as it is then."""
    from Xlib import display

    screen = display.Display()
    screen.create_resource_object("window", window.handle).configure(x=place.x, y=place.y)
    screen.sync()
    screen.close()
    assert wait_for(lambda: (now := desktop.refresh(window)) and now.client != window.client)
    moved = desktop.refresh(window)
    assert moved is not None
    return moved


@contextmanager
def cover(rect: Rect) -> Iterator[None]:
    """Lay a window of another program over a part of the screen until the end of the block."""
    from Xlib import X, display

    screen = display.Display()
    other = screen.screen().root.create_window(
        rect.x, rect.y, rect.width, rect.height, 0, X.CopyFromParent, background_pixel=0x808080
    )
    other.map()
    screen.sync()
    try:
        yield
    finally:
        other.destroy()
        screen.sync()
        screen.close()


@pytest.mark.parametrize("above", [(), ("xcompmgr", "-c")], ids=["alone", "composited"])
def test_a_game_is_played_through_the_marks(
    start_winemine: StartGame, desktop: Desktop, tmp_path: Path, above: tuple[str, ...]
) -> None:
    with compositor(*above), session(start_winemine(BEGINNER), desktop, tmp_path) as user:
        play_through(user)
        assert user.seen.place == (5, 52)
        if user.told["state"] == "running":
            assert wait_for(user.marks_stand)
            user.window = move_to(user.window, desktop, Point(300, 200))
            assert wait_for(user.marks_stand)
            with cover(Rect(310, 260, 60, 40)):
                assert wait_for(user.no_marks)
            assert wait_for(user.marks_stand)
        user.run.process.terminate()
        assert wait_for(user.no_marks)
        assert wait_for(user.reads_the_same)


def test_our_own_window_is_played_through_the_marks(desktop: Desktop, tmp_path: Path) -> None:
    """What Qt is told to scale is not scaled by it twice."""
    with (
        builtin(BEGINNER, "--dark", "--scale", "1.5") as window,
        session(window, desktop, tmp_path, QT_SCALE_FACTOR="2") as user,
    ):
        play_through(user)
        user.run.process.terminate()
        assert wait_for(user.no_marks)
        assert wait_for(user.reads_the_same)
