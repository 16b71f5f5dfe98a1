"""Minesweeper with switches, as a web page in Chromium or a desktop window, and the truth about its games.

After every change the page, or the window, posts its state to a local server; a player cannot see this.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from bot.board import Board, Cell
from bot.desktop.protocols import Window
from bot.geometry import Point
from browser import browser, served
from programs import at_rest, configure, window_of

PAGE = Path(__file__).with_suffix(".html")
ARTS = (
    "classic", "light", "dark", "tiles", "wide", "inverse", "checker", "letters", "emoji", "dots", "sprites",
    "canvas",
)  # fmt: skip
DESK = PAGE.with_name("desk_game.py")
WINDOW_ARTS = ("flat", "bevel", "round", "native")
_LOADING = 15.0  # seconds for the page to load


@dataclass(frozen=True, slots=True)
class Shown:
    """The state of the page at one moment.

    ``game`` counts from 0; each time the page is reloaded, it goes on from the next thousand. ``place`` is
    the area of the cells on the screen: x, y, width and height in pixels (correct only after a first click,
    from which the page learns its position). ``mines`` is empty before the first click.
    ``heard`` is the value of `time.perf_counter` when its report arrived, ``made`` when the page sent it.
    ``won`` is whether the game is won (True), lost (False) or not over (None), by the rules of the page;
    ``board`` need not tell that: switches of the page say how the mines look after the end.
    """

    serial: int
    game: int
    board: Board
    mines: frozenset[Cell]
    place: tuple[float, float, float, float]
    heard: float = 0.0
    made: float = 0.0
    won: bool | None = None


@dataclass
class Page:
    """A window with the page, and all its states so far, in the order in which they arrived."""

    window: Window
    shown: list[Shown]

    @property
    def latest(self) -> Shown:
        """The newest state that has arrived."""
        return max(self.shown, key=lambda shown: shown.serial)

    def mines(self, game: int) -> frozenset[Cell]:
        """Return the mines of a game, counted from 0; an empty set before its first click."""
        return next((told.mines for told in self.shown if told.game == game and told.mines), frozenset())

    def at(self, moment: float) -> Shown | None:
        """Return the state of the page at a value of `time.perf_counter`; None before its first report."""
        until = [shown for shown in self.shown if shown.made <= moment]
        return max(until, key=lambda shown: shown.serial, default=None)

    def centre(self, cell: Cell) -> Point:
        """Return the screen point of the centre of a cell; correct only after a click into the window."""
        (x, y, width, height), board = self.latest.place, self.latest.board
        return Point(
            round(x + (cell.col + 0.5) * width / board.cols),
            round(y + (cell.row + 0.5) * height / board.rows),
        )


@contextmanager
def open_page(
    rows: int = 9,
    cols: int = 9,
    mines: int = 10,
    scale: float = 1.0,
    art: str = "classic",
    size: tuple[int, int] = (1180, 840),
    corner: tuple[int, int] = (20, 20),
    **options: int | str,
) -> Iterator[Page]:
    """Open the page in Chromium at a device ``scale``; yield it once its window is stable.

    ``size`` and ``corner`` are those of the window in pixels; ``art`` is one of `ARTS`; ``options`` go into
    the address and are listed in the page itself, as SWITCHES. Raises LaunchError if Chromium is missing or
    shows no window.
    """
    shown: list[Shown] = []
    query = urlencode({"rows": rows, "cols": cols, "mines": mines, "art": art, **options})
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home,
        served(PAGE.parent, _note_in(shown)) as address,
    ):
        where = f"{address}/{PAGE.name}?{query}"
        command = browser(home, f"--force-device-scale-factor={scale}", where)
        environment = {**os.environ, "HOME": home, "XDG_CONFIG_HOME": home, "XDG_CACHE_HOME": home}
        with window_of(command, environment, "Chromium", _is_the_page) as window:
            configure(window, x=corner[0], y=corner[1], width=size[0], height=size[1])
            window, deadline = at_rest(window), time.monotonic() + _LOADING
            while not shown and time.monotonic() < deadline:
                time.sleep(0.05)  # the page reports its first game once it is painted
            yield Page(window, shown)


@contextmanager
def open_window(scale: float = 1.0, **options: int | str) -> Iterator[Page]:
    """Start the game of `desk_game` in a window of its own; yield it once the window is stable.

    ``scale`` is that of Qt; ``options`` are listed in `desk_game.Switches`. Raises LaunchError if no window
    appears.
    """
    shown: list[Shown] = []
    environment = {name: value for name, value in os.environ.items() if not name.startswith("QT_")}
    environment |= {"QT_SCALE_FACTOR": str(scale), "PYTHONPATH": str(DESK.parents[2])}
    with served(DESK.parent, _note_in(shown)) as address:
        command = [sys.executable, str(DESK), address, urlencode(options)]
        with window_of(command, environment, "the desktop game", _is_the_desk_game) as window:
            configure(window, x=20, y=20)
            yield Page(at_rest(window), shown)


def _is_the_desk_game(window: Window) -> bool:
    return window.class_name == "desk-game"


def _is_the_page(window: Window) -> bool:
    return window.title.startswith("Minesweeper")


def _note_in(shown: list[Shown]) -> Callable[[str], None]:
    """Return a function that adds each report of the page to ``shown``."""
    loads: dict[float | None, int] = {}  # by load time; a reloaded page counts its games from 0 again

    def hear(text: str) -> None:
        truth = json.loads(text)
        shown.append(_parsed(truth, loads.setdefault(truth.get("loaded"), len(loads))))

    return hear


def _parsed(truth: dict[str, Any], load: int) -> Shown:
    text, cols = truth["shown"], truth["cols"]
    board = Board.from_rows(
        [text[start : start + cols] for start in range(0, len(text), cols)], truth["total"]
    )
    cells = frozenset(Cell(*divmod(index, cols)) for index in truth["mines"])
    x, y, width, height = truth["place"]
    serial, game = truth["serial"] + 1_000_000 * load, truth["game"] + 1000 * load
    heard = time.perf_counter()
    made = min(heard, heard - time.time() + truth["at"] / 1000)
    return Shown(serial, game, board, cells, (x, y, width, height), heard, made, truth["won"])
