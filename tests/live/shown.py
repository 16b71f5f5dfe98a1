"""A dry run that shows its marks over a real game, and checks of these marks on the screen."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np

from bot.board import Cell
from bot.capture import ScreenCapture
from bot.desktop import ScreenMouse
from bot.desktop.protocols import Desktop, Window
from bot.geometry import Grid, Pixels, Point
from bot.marks import SCALE, Kind, Mark, picture_of
from bot.vision import load_skins, read_picture
from conftest import PATIENCE, wait_for
from programs import configure

REPOSITORY = Path(__file__).resolve().parents[2]
SKINS = load_skins()
CLICKS = 4
START = 120.0  # seconds in which a dry run must see its first board: the solver may have to be compiled first


class DryRun:
    """``minebot play --dry-run --json`` with its overlay, as a process of its own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._lines = SimpleQueue[dict[str, Any] | None]()
        self.errors = list[str]()
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._hear, daemon=True).start()

    def next(self, patience: float) -> dict[str, Any] | None:
        """Return the next position that it prints; None if none comes in time, or if the output has ended."""
        try:
            return self._lines.get(timeout=patience)
        except Empty:
            return None

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(json.loads(line))
        self._lines.put(None)

    def _hear(self) -> None:
        assert self.process.stderr is not None
        self.errors.extend(self.process.stderr)


@contextmanager
def dry_run(folder: Path, **environment: str) -> Iterator[DryRun]:
    """Run a dry run for the length of the block; it draws into ``folder`` and has more ``environment``."""
    picture, pipe = str(folder / "marks.png"), subprocess.PIPE
    command = [sys.executable, "-m", "bot", "play", "--dry-run", "--marks", "--json", "--overlay", picture]
    settings = {**os.environ, "PYTHONPATH": str(REPOSITORY), **environment}
    with subprocess.Popen(
        command, env=settings, cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe, text=True, encoding="utf-8"
    ) as process:
        try:
            yield DryRun(process)
        finally:
            process.terminate()


def is_next(pixels: Pixels, grid: Grid, cell: Cell) -> bool:
    """Return whether a picture shows the mark of the suggested click at a cell of ``grid``."""
    shown = grid.cell_box(cell).cut(pixels)
    marks = [Mark(Cell(0, 0), Kind.NEXT, risk=risk) for risk, *_ in SCALE]
    whole = Grid(0, 0, shown.shape[1], shown.shape[0], 1, 1)
    drawn = [picture_of(whole, [mark])[shown.shape[0] * 2 // 3 :] for mark in marks]  # below its number
    return any((shown[-len(one) :] == one[..., :3])[one[..., 3] > 0].all() for one in drawn)


@contextmanager
def compositor(*command: str) -> Iterator[None]:
    """Run a compositor for the length of the block; it draws the screen itself, for example with shadows."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        time.sleep(0.5)  # it takes over the windows one by one
        assert process.poll() is None, command
        try:
            yield
        finally:
            process.terminate()


class Session:
    """A user at a game with marks: the messages of the dry run, and the marks on the screen."""

    def __init__(self, run: DryRun, window: Window, desktop: Desktop, capture: ScreenCapture) -> None:
        self.run, self.window, self.desktop, self.capture = run, window, desktop, capture
        self.mouse = ScreenMouse()
        self.told = self.news(START)
        place = (self.told[name] for name in ("x", "y", "pitch_x", "pitch_y", "rows", "cols"))
        self.grid = Grid(*place)  # in pixels of the window

    def news(self, patience: float = PATIENCE) -> dict[str, Any]:
        told = self.run.next(patience)
        assert told is not None, self.run.errors
        return told

    @property
    def suggested(self) -> list[Cell]:
        hint = self.told["hint"]
        return [Cell(hint["row"], hint["col"])] if hint and hint["row"] is not None else []

    def marked(self, window: Window) -> list[Cell]:
        """Return the cells that have the mark of the suggested click."""
        pixels = self.capture.grab(window.client).pixels
        cells = (Cell(row, col) for row, col in np.ndindex(self.grid.rows, self.grid.cols))
        return [cell for cell in cells if is_next(pixels, self.grid, cell)]

    def marks_stand(self) -> bool:
        """Return whether only the suggested cell has its mark, at the window's current place."""
        now = self.desktop.refresh(self.window)
        return now is not None and self.marked(now) == self.suggested

    def no_marks(self) -> bool:
        return self.marked(self.window) == []

    def click_through(self) -> None:
        """Click on the suggested cell; it must open, and every cell must be readable."""
        (cell,) = self.suggested
        x, y = self.grid.centre(cell)
        self.mouse.click(Point(self.window.client.x + int(x), self.window.client.y + int(y)))
        self.told = self.news()
        while self.told["cells"][cell.row][cell.col] == "." or "-" in "".join(self.told["cells"]):
            self.told = self.news()  # the board may have been read while it was being painted

    def reads_the_same(self) -> bool:
        """Return whether a new reading of the window equals the board that the dry run printed."""
        readings = read_picture(self.capture.grab(self.window.client).pixels, SKINS)
        return [reading.board.lines() for reading in readings] == [self.told["cells"]]


@contextmanager
def session(window: Window, desktop: Desktop, folder: Path, **environment: str) -> Iterator[Session]:
    """Start a dry run that watches a game for the length of the block; yield a session with it."""
    with closing(ScreenCapture()) as capture, dry_run(folder, **environment) as run:
        yield Session(run, window, desktop, capture)


def play_through(user: Session) -> int:
    """Click on suggested cells while the game runs, up to `CLICKS` times; return the number of clicks."""
    for number in range(CLICKS):
        if user.told["state"] not in ("new", "running"):
            return number
        assert wait_for(user.marks_stand)
        user.click_through()
    return CLICKS


def move_to(window: Window, desktop: Desktop, place: Point) -> Window:
    """Move a window, as a program may; return it with its new place."""
    configure(window, x=place.x, y=place.y)
    assert wait_for(lambda: (now := desktop.refresh(window)) and now.client != window.client)
    moved = desktop.refresh(window)
    assert moved is not None
    return moved
