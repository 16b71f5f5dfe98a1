"""A dry run with its marks over a real game, and what is seen of them on the screen."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np

from bot.board import Cell
from bot.geometry import Grid, Pixels, Point
from bot.overlay.drawing import AMBER, GREEN, WHITE
from bot.screen.protocols import Capture, Window

REPOSITORY = Path(__file__).resolve().parents[2]
START = 120.0  # seconds until a dry run must have seen its first board: the solver may be compiled first


class DryRun:
    """``minebot play --dry-run --json`` with its overlay, in a process of its own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._lines = SimpleQueue[dict[str, Any] | None]()
        self.errors = list[str]()
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._hear, daemon=True).start()

    def next(self, patience: float) -> dict[str, Any] | None:
        """Return the next position that it tells of; None if none comes, or no more will."""
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
def dry_run(
    folder: Path, *options: str, program: Sequence[str] = (sys.executable,), **environment: str
) -> Iterator[DryRun]:
    """Run a dry run that draws into ``folder``, with more ``environment``, until the end of the block."""
    picture = str(folder / "marks.png")
    command = [*program, "-m", "bot", "play", "--dry-run", "--overlay", "--json", "--picture", picture]
    settings: Mapping[str, str] = {**os.environ, "PYTHONPATH": str(REPOSITORY), **environment}
    with subprocess.Popen(
        [*command, *options],
        env=settings,
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        try:
            yield DryRun(process)
        finally:
            process.terminate()


class Seen:
    """The board of a game at ``grid`` of its window, as anybody sees it on the screen."""

    def __init__(self, capture: Capture, grid: Grid) -> None:
        self._capture, self._grid = capture, grid

    @property
    def place(self) -> tuple[float, float]:
        """Where the board begins in the window."""
        return self._grid.x, self._grid.y

    def suggested(self, window: Window) -> list[Cell]:
        """Return the cells whose rim says that they should be clicked on next."""
        pixels = self._capture.grab(window.client).pixels
        cells = (Cell(row, col) for row, col in np.ndindex(self._grid.rows, self._grid.cols))
        return [cell for cell in cells if self._is_next(pixels, cell)]

    def point(self, window: Window, cell: Cell) -> Point:
        """Return the middle of a cell on the screen."""
        x, y = self._grid.centre(cell)
        return Point(window.client.x + int(x), window.client.y + int(y))

    def _is_next(self, pixels: Pixels, cell: Cell) -> bool:
        x, y = map(round, self._grid.corner(cell))
        line = max(1, round(round(self._grid.pitch_x) / 16))
        outer, inner = tuple(pixels[y, x]), tuple(pixels[y + line, x + line])
        return outer == WHITE[:3] and inner in (GREEN[:3], AMBER[:3])
