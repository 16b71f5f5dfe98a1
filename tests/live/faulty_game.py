"""Our own Minesweeper, made to misbehave, to test how the bot reacts.

::

    python tests/live/faulty_game.py --seed 10000000 --lose 0.2

The window is that of ``minebot game``. Options set permanent faults; lines on standard input cause single
faults, see `FaultyWindow.order`. For the referee, never for the bot, it prints one JSON object per line for
every button press, every action on a cell, and every game with its mines. Each has ``at``, the time of
`time.monotonic`. The program ends when its standard input ends.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSocketNotifier, QTimer
from PySide6.QtGui import QColor, QMouseEvent, QMoveEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QDialog, QInputDialog, QMenu

import bot.ui.game.window as real
from bot.board import Board, Cell
from bot.game.round import GameClick, PlayedGame
from bot.ui.application import run_application
from bot.ui.game.dialogs import BestTimesDialog, how_to_play
from bot.ui.game.saved import BestTimes, Options, World
from bot.ui.game.view import GameView

TINT_STEPS = 20
PRESSES = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
SHOW, HIDE, PAINT = QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.Paint
PLACES = (SHOW, HIDE, PAINT, QEvent.Type.Move, QEvent.Type.Resize)
NOWHERE = QRect(-1, -1, 1, 1)  # of the screen


@dataclass(frozen=True, slots=True)
class Faults:
    """The permanent faults; times in seconds, chances from 0 to 1."""

    lose: float = 0.0  # the chance that a click is lost
    double: float = 0.0  # the chance that a click counts twice
    late: float = 0.0  # the delay before a click, or F2, takes effect
    pieces: float = 0.0  # the longest delay before a changed cell is painted
    swallow: bool = False  # ignore the first click after another window had the keyboard
    hidden: bool = False  # show no window until an order arrives


def tell(event: str, **values: object) -> None:
    """Print an event for the referee."""
    print(json.dumps({"event": event, "at": time.monotonic(), **values}), flush=True)


@dataclass(frozen=True)
class FaultyWorld(World):
    """The surroundings of the game window, with its faults."""

    faults: Faults = field(default_factory=Faults)
    random: random.Random = field(default_factory=random.Random)


class FaultyView(GameView):
    """Paints changed cells late, one after another, and colours the whole board with ``tint``."""

    pieces: float = 0.0
    random = random.Random(0)
    tint: QColor | None = None
    _shown: dict[Cell, int] | None = None
    _size: tuple[int, int] = (0, 0)
    _due: dict[Cell, float] | None = None

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        if self.pieces:
            self._take_in(self.game.board)
        super().paintEvent(event)
        if self.tint is not None:
            painter = QPainter(self)
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
            painter.fillRect(event.rect(), self.tint)
            painter.end()

    def _take_in(self, board: Board) -> None:
        """Show the cells whose delay is over, and choose a delay for newly changed ones."""
        now = time.monotonic()
        if self._shown is None or self._due is None or self._size != board.shape:
            self._size, self._due = board.shape, {}
            self._shown = {cell: int(board[cell]) for cell in board}
        for cell in board:
            if board[cell] == self._shown[cell]:
                self._due.pop(cell, None)
            elif cell not in self._due:
                wait = self.random.uniform(0, self.pieces)
                self._due[cell] = now + wait
                # Qt may come some per cent early
                QTimer.singleShot(round(1100 * wait) + 2, self, self.update)
            elif self._due[cell] <= now:
                self._shown[cell] = int(board[cell])
                del self._due[cell]

    def _draw_cell(self, painter: QPainter, board: Board, cell: Cell, *, pressed: bool) -> None:
        shown = self._shown if self.pieces and self._shown else board
        super()._draw_cell(painter, shown, cell, pressed=pressed)  # type: ignore[arg-type]


class FaultyWindow(real.MinesweeperWindow):
    """A game window with permanent faults, and single faults on order."""

    _world: FaultyWorld
    _number = 0
    _asleep = False
    _laid = False
    _told_over = False
    _ordered = False

    def __init__(self, options: Options, world: FaultyWorld) -> None:
        super().__init__(options, world)
        view = self.view
        view.pieces, view.random = world.faults.pieces, world.random
        view.installEventFilter(self)
        self._rest = b""
        self._painted = set[int]()  # ids of the dialogs and menus that have been painted
        self._input = QSocketNotifier(0, QSocketNotifier.Type.Read, self)
        self._input.activated.connect(self._read)

    def setVisible(self, visible: bool) -> None:  # noqa: N802 - Qt's name
        super().setVisible(visible and not (self._world.faults.hidden and not self._ordered))

    @property
    def view(self) -> FaultyView:
        assert isinstance(self._view, FaultyView)
        return self._view

    # The permanent faults

    def _new_round(self) -> PlayedGame:
        game = super()._new_round()
        self._number += 1
        self._laid = self._told_over = False
        level = game.level
        tell("game", game=self._number, rows=level.rows, cols=level.cols, mines=level.mines)
        return game

    def new(self) -> None:
        self._in_time(super().new)

    def _play(self, click: GameClick) -> None:
        faults, chance = self._world.faults, self._world.random
        if self._asleep:
            self._asleep = False
            self.activateWindow()
            self._tell_deed(click, "swallowed")
        elif chance.random() < faults.lose:
            self._tell_deed(click, "lost")
        else:
            for _ in range(2 if chance.random() < faults.double else 1):
                self._in_time(partial(self._do, click))

    def _later(self, seconds: float, what: Callable[[], None]) -> None:
        """Call ``what`` after ``seconds``, unless the window is deleted before."""
        QTimer.singleShot(round(1000 * seconds), self, what)

    def _in_time(self, what: Callable[[], None]) -> None:
        if self._world.faults.late:
            self._later(self._world.faults.late, what)
        else:
            what()

    def _do(self, click: GameClick) -> None:
        self._tell_deed(click, "done")
        super()._play(click)
        mines = self.game._game.mines
        if mines is not None and not self._laid:
            self._laid = True
            tell("mines", game=self._number, mines=sorted(mines))
        if self.game.over and not self._told_over:
            self._told_over = True
            tell("over", game=self._number, won=self.game.summary().won)

    def _tell_deed(self, click: GameClick, fate: str) -> None:
        tell("deed", game=self._number, deed=click.deed.name.lower(), cell=click.cell, fate=fate)

    # Reports for the referee

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(watched, QDialog | QMenu):
            self._tell_popup(watched, event.type())
        elif event.type() in PRESSES and isinstance(event, QMouseEvent):
            place, spot = event.position().toPoint(), event.globalPosition().toPoint()
            cell = self.view.places.grid.cell_at(place.x(), place.y())
            button = str(event.button().name).removesuffix("Button").lower()
            tell("press", time=event.timestamp(), button=button, x=spot.x(), y=spot.y(), cell=cell)
        return super().eventFilter(watched, event)

    def _tell_popup(self, popup: QDialog | QMenu, event: QEvent.Type) -> None:
        """Report the place of a popup: it swallows clicks once shown, but is visible only once painted."""
        if event not in PLACES or (event == PAINT and id(popup) in self._painted):
            return
        if event == PAINT:
            self._painted.add(id(popup))
        elif event in (SHOW, HIDE):
            self._painted.discard(id(popup))
        box = popup.frameGeometry() if id(popup) in self._painted else NOWHERE
        box = box if popup.isVisible() and event != HIDE else QRect()
        size = {"width": box.width(), "height": box.height()}
        tell("popup", popup=id(popup), x=box.x(), y=box.y(), **size)

    def _open(self, dialog: QDialog) -> None:
        dialog.installEventFilter(self)
        super()._open(dialog)

    def _tell_place(self) -> None:
        if not hasattr(self, "_input"):
            return
        board = self.view.places.board
        corner = self.view.mapToGlobal(QPoint(board.x, board.y))
        tell("place", x=corner.x(), y=corner.y(), width=board.width, height=board.height)

    def moveEvent(self, event: QMoveEvent) -> None:  # noqa: N802 - Qt's name
        super().moveEvent(event)
        self._tell_place()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._tell_place()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self._world.faults.swallow:
            own = QApplication.activeModalWidget() or QApplication.activePopupWidget()
            self._asleep = self._asleep or not (self.isActiveWindow() or own)

    # Orders from standard input

    def _read(self) -> None:
        received = os.read(0, 65536)
        if not received:
            self._input.setEnabled(False)
            QApplication.quit()
            return
        *lines, self._rest = (self._rest + received).split(b"\n")
        for line in lines:
            self.order(line.decode())

    def order(self, line: str) -> None:
        """Carry out a line: its first word is the name of an order below, the others are its arguments."""
        name, *words = line.split()
        orders: dict[str, Callable[..., None]] = {
            "move": lambda x, y: self.move(int(x), int(y)),
            "scale": lambda scale: self._restyle(scale=float(scale)),
            "dark": lambda dark: self._restyle(dark=bool(int(dark))),
            "level": lambda level: self.change(level=level),
            "new": self.new,
            "open": self._open_named,
            "menu": self._open_menu,
            "close": self._close_all,
            "tint": self._tint,
            "hide": self.hide,
            "show": self.show,
            "raise": self.raise_,
            "end": QApplication.quit,
        }
        self._ordered = True
        tell("order", line=line)
        orders[name](*words)
        tell("obeyed", line=line)

    def _open_named(self, name: str) -> None:
        times = self._world.times
        made: dict[str, Callable[[], QDialog]] = {
            "times": lambda: BestTimesDialog(self, times, times.reset),
            "name": lambda: QInputDialog(self),
            "about": lambda: how_to_play(self),
        }
        self._open(made[name]())

    def _open_menu(self, x: str, y: str) -> None:
        """Open the first menu with its corner at (``x``, ``y``) on the board, as shares of its size."""
        menu = self.menuBar().actions()[0].menu()
        assert isinstance(menu, QMenu)
        board = self.view.places.board
        place = QPoint(board.x + int(float(x) * board.width), board.y + int(float(y) * board.height))
        menu.removeEventFilter(self)
        menu.installEventFilter(self)
        menu.popup(self.view.mapToGlobal(place))

    def _close_all(self) -> None:
        for widget in QApplication.topLevelWidgets():
            if widget is not self and widget.isVisible():
                widget.close()

    def _tint(self, red: str, green: str, blue: str, seconds: str) -> None:
        """Change the colour of the board gradually, within ``seconds``."""
        wanted = [int(red), int(green), int(blue)]
        before = self.view.tint or QColor("white")
        begin = [before.red(), before.green(), before.blue()]
        for step in range(1, TINT_STEPS + 1):
            part = step / TINT_STEPS
            shades = (round(old + part * (new - old)) for old, new in zip(begin, wanted, strict=True))
            self._later(part * float(seconds), partial(self._show_tint, QColor(*shades)))

    def _show_tint(self, colour: QColor) -> None:
        self.view.tint = colour
        self.view.update()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=10_000_000)
    for name in ("lose", "double", "late", "pieces"):
        parser.add_argument(f"--{name}", type=float, default=0.0)
    parser.add_argument("--swallow", action="store_true")
    parser.add_argument("--hidden", action="store_true", help="show no window until told to")
    given = parser.parse_args()
    faults = Faults(given.lose, given.double, given.late, given.pieces, given.swallow, given.hidden)
    seeds = count(given.seed)
    vars(real).update(GameView=FaultyView)
    options = Options(scale=1.0)
    with TemporaryDirectory() as folder:
        world = FaultyWorld(
            time.monotonic,
            lambda: next(seeds),
            BestTimes(Path(folder)),
            lambda **_: None,
            faults=faults,
            random=random.Random(given.seed),
        )
        run_application("minebot-game", lambda _scale: FaultyWindow(options, world))


if __name__ == "__main__":
    main()
