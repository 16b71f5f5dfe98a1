"""A Minesweeper in a desktop window for tests, with the switches of the test page.

::

    python tests/live/desk_game.py ADDRESS "art=round&end=alert&seed=3"

`Switches` lists what the last argument may set. After every change the program posts its state, the true
mines and the end of the game to ADDRESS, as the page does; nothing in the window tells them. An alert is a
window of its own; if ``press`` is frame or poll, a timer asks the X server for the pointer and its buttons.
"""

from __future__ import annotations

import json
import math
import random
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any
from urllib.parse import parse_qsl
from urllib.request import urlopen

from PySide6.QtCore import QRectF, Qt, QTimer, QTimerEvent
from PySide6.QtGui import QColor, QCursor, QKeyEvent, QMouseEvent, QMoveEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QMessageBox,
    QPushButton,
    QVBoxLayout,
    QWidget,
)
from Xlib.display import Display

from bot.board import Board, Cell, State
from bot.game.simulation import Game
from bot.ui.application import run_application
from desk_art import ARTS, paint_cell

LEFT, RIGHT = 1 << 8, 1 << 10  # buttons in an answer of the X server about the pointer
FRAME = 16  # milliseconds
FACES = {"": "🙂", "You won": "😎", "Game over": "😵"}


@dataclass(frozen=True, slots=True)
class Switches:
    """The switches and their usual values; they mean what they mean on the page."""

    rows: int = 9
    cols: int = 9
    mines: int = 10
    seed: int = 1
    art: str = "flat"
    cell: int = 24
    title: str = "Minesweeper"  # of the window
    zeros: int = 0
    panel: str = "all"
    strip: str = "none"
    flood: str = "8"
    flagged: int = 0
    goal: str = "open"
    press: str = "click"
    turn: int = 0
    restart: str = "key"
    loss: str = "mines"
    win: str = "flags"
    finale: int = 0
    veil: str = "none"
    banner: int = 0
    end: str = "none"
    after: str = "stay"

    @classmethod
    def parse(cls, query: str) -> Switches:
        """Return the switches that ``query`` sets, written as in an address. Raises KeyError for others."""
        usual = asdict(cls())
        given: dict[str, Any] = {name: type(usual[name])(value) for name, value in parse_qsl(query)}
        return cls(**given)


class SwitchedGame(Game):
    """A game by the rules that switches set; game ``number`` is laid by their seed plus that number."""

    def __init__(self, switches: Switches, number: int) -> None:
        seed = switches.seed + number
        super().__init__(switches.rows, switches.cols, switches.mines, seed)
        self._switches, cells = switches, list(self.board)
        random.Random(seed).shuffle(cells)
        flags = cells[: switches.flagged]  # about half of them are on mines
        self._order = sorted(cells, key=lambda cell: flags.index(cell) % 2 * 2 if cell in flags else 1)
        for cell in flags:
            self.flag(cell)

    @property
    def won(self) -> bool:
        flags = frozenset(self.board.cells(State.FLAG))
        return super().won and (self._switches.goal == "open" or flags == self.mines)

    @property
    def shown(self) -> Board:
        """The board as the window shows it: the mines after the end look as the switches say."""
        board, switches = self.board, self._switches
        if self.lost and switches.loss == "flags":
            return board.replace(dict.fromkeys(board.cells(State.MINE, State.EXPLODED), State.FLAG))
        look = {"flags": State.FLAG, "mines": State.MINE, "red": State.EXPLODED}[switches.win]
        return board.replace(dict.fromkeys(board.cells(State.FLAG), look)) if self.won else board

    def open(self, cell: Cell) -> None:
        """Open a cell as `Game` does; lay the mines by the switches before the first."""
        if self.mines is None and self.board[cell] == State.COVERED:
            self.lay(frozenset([other for other in self._order if other != cell][: self.mine_count]))
        super().open(cell)

    def _flood(self, cell: Cell, mines: frozenset[Cell]) -> None:
        around = {each: self.board.neighbours(each) for each in self.board}
        numbers = {each: len(mines.intersection(near)) for each, near in around.items()}
        waiting, flood = [cell], self._switches.flood
        if flood == "beside":
            waiting += [each for each in around[cell] if each not in mines and not numbers[each]]
        while waiting:
            row, col = current = waiting.pop()
            if self._states[current] == State.COVERED:
                self._states[current] = numbers[current]
                near = () if numbers[current] else around[current]
                waiting += [each for each in near if flood != "4" or each.row == row or each.col == col]


class Field(QWidget):
    """The cells, as painted so far. ``act`` gets every click: whether it opens its cell, and the cell."""

    def __init__(self, switches: Switches, act: Callable[[bool, Cell], None]) -> None:
        super().__init__()
        self._switches, self._act, self._art = switches, act, ARTS[switches.art]
        self.setFixedSize(switches.cols * switches.cell, switches.rows * switches.cell)
        self.painted = dict[Cell, int]()
        self.turning = dict[Cell, tuple[int, float]]()  # what cells showed before, and since when
        self.lit = set[Cell]()
        self.words = ""  # about the end, once its veil and banner are shown
        self._pressed: Cell | None = None
        self._seen = 0  # the buttons that were down when the pointer was read last
        if switches.press != "click":
            self._root = Display().screen().root
            self.startTimer(FRAME, Qt.TimerType.PreciseTimer)

    def turn(self, cell: Cell, state: int) -> None:
        """Let a cell show another state, which fades in."""
        if self._switches.turn:
            self.turning[cell] = self.painted[cell], time.monotonic()
        self.painted[cell] = state

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter, side, switches = QPainter(self), self._switches.cell, self._switches
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        opacity, now = 0.4 if self.words and switches.veil == "fade" else 1.0, time.monotonic()
        for cell, state in self.painted.items():
            box = QRectF(cell.col * side, cell.row * side, side, side)
            share = 1.0
            if cell in self.turning:
                before, since = self.turning[cell]
                share = min(1.0, 1000 * (now - since) / switches.turn)
                painter.setOpacity(opacity)
                paint_cell(painter, self._art, box, before, bool(switches.zeros))
            if share == 1:
                self.turning.pop(cell, None)
            painter.setOpacity(opacity * share)
            paint_cell(painter, self._art, box, state, bool(switches.zeros))
            if cell in self.lit:
                painter.fillRect(box, QColor(255, 179, 0, 120))
        if self.turning:
            QTimer.singleShot(FRAME, self, self.update)
        painter.setOpacity(1)
        if self.words and switches.veil == "grey":
            painter.fillRect(self.rect(), QColor(120, 120, 120, 140))
        if self.words and switches.banner:
            font = painter.font()
            font.setPixelSize(round(1.6 * side))
            font.setBold(True)
            painter.setFont(font)
            painter.setPen(QColor("#1b5e20" if self.words == "You won" else "#c62828"))
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.rect(), flags, self.words)
        painter.end()

    def _cell_at(self, x: float, y: float) -> Cell | None:
        cell = Cell(int(y // self._switches.cell), int(x // self._switches.cell))
        return cell if cell in self.painted else None

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._pressed = self._cell_at(event.position().x(), event.position().y())
        self._clicked(event, Qt.MouseButton.RightButton, opens=False)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._clicked(event, Qt.MouseButton.LeftButton, opens=True)

    def _clicked(self, event: QMouseEvent, button: Qt.MouseButton, opens: bool) -> None:
        cell = self._cell_at(event.position().x(), event.position().y())
        if self._switches.press == "click" and event.button() == button and cell == self._pressed and cell:
            self._act(opens, cell)

    def timerEvent(self, _: QTimerEvent) -> None:  # noqa: N802 - Qt's name
        mask, place = self._root.query_pointer().mask, QCursor.pos()
        acts = mask & ~self._seen if self._switches.press == "frame" else self._seen & ~mask
        self._seen = mask
        if QApplication.activeModalWidget() is None and QApplication.widgetAt(place) is self:
            spot = self.mapFromGlobal(place)
            cell = self._cell_at(spot.x(), spot.y())
            if cell and acts & (LEFT | RIGHT):
                self._act(bool(acts & LEFT), cell)


class DeskGame(QWidget):
    """The window: panel, field, words about the end; it plays one game after another."""

    def __init__(self, switches: Switches, address: str) -> None:
        super().__init__()
        self._switches, self._address = switches, address
        self._sender, self._loaded, self._serial = ThreadPoolExecutor(1), time.time(), 0
        self._number = -1
        self.setWindowTitle(switches.title)
        palette, art = self.palette(), ARTS[switches.art]
        palette.setColor(QPalette.ColorRole.Window, QColor(art.page))
        palette.setColor(QPalette.ColorRole.WindowText, QColor(art.ink))
        self.setPalette(palette)
        self._left, self._time, self._status = QLabel(), QLabel(), QLabel()
        self._new, close = QPushButton("New game"), QPushButton("Close")
        self._new.clicked.connect(self.new)
        close.clicked.connect(self._closed)
        self.field = Field(switches, self._act)
        self._place_all()
        self._box = QFrame(self, frameShape=QFrame.Shape.StyledPanel)
        self._box.setAutoFillBackground(True)
        self._message = QLabel(wordWrap=True, alignment=Qt.AlignmentFlag.AlignCenter)
        inside = QVBoxLayout(self._box)
        inside.addWidget(self._message)
        inside.addWidget(close)
        self.startTimer(1000)
        self.new()

    def _place_all(self) -> None:
        whole, panel, frame = QVBoxLayout(self), QHBoxLayout(), QFrame()
        whole.setContentsMargins(24, 24, 24, 24)
        whole.setSizeConstraint(QLayout.SizeConstraint.SetFixedSize)
        whole.addLayout(panel)
        whole.addWidget(frame, alignment=Qt.AlignmentFlag.AlignHCenter)
        whole.addWidget(self._status)
        panel.addWidget(self._left)
        panel.addWidget(self._new, alignment=Qt.AlignmentFlag.AlignHCenter)
        panel.addWidget(self._time)
        strip, inside = self._switches.strip, QVBoxLayout(frame)
        inside.setSpacing(0)
        margin = 14 if strip == "plain" else 0
        inside.setContentsMargins(margin, margin, margin, margin)
        frame.setFrameShape(QFrame.Shape.NoFrame if strip == "none" else QFrame.Shape.Box)
        frame.setLineWidth(2)
        inside.addWidget(self.field)
        if strip == "text":
            inside.insertWidget(0, QLabel("The board of the day"))
            inside.addWidget(QLabel("Left: open. Right: flag."))
        self._left.setVisible(self._switches.panel == "all")
        self._time.setVisible(self._switches.panel == "all")
        self._status.setVisible(self._switches.panel != "none")
        self._new.setVisible(self._switches.restart != "key")
        self._left.setFixedWidth(80)
        self._time.setFixedWidth(60)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() == Qt.Key.Key_F2 and self._switches.restart == "key":
            self.new()

    def moveEvent(self, event: QMoveEvent) -> None:  # noqa: N802 - Qt's name
        super().moveEvent(event)
        self._tell()

    def new(self) -> None:
        """Begin the next game."""
        self._number += 1
        self._began, self._words = 0.0, ""  # about the end
        self._game = SwitchedGame(self._switches, self._number)
        self._shown = self._game.shown
        self.field.painted = {cell: self._shown[cell] for cell in self._shown}
        self.field.turning.clear()
        self.field.lit.clear()
        self.field.words = ""
        self._box.hide()
        self._show()

    def _act(self, opens: bool, cell: Cell) -> None:
        if self._words:
            return
        (self._game.open if opens else self._game.flag)(cell)
        if self._game.mines and not self._began:
            self._began = time.monotonic()
        if self._game.over:
            self._words = "Game over" if self._game.lost else "You won"
        self._paint(cell)
        self._show()
        if self._words:
            self._end(cell)

    def _paint(self, start: Cell) -> None:
        """Paint what a click at ``start`` has changed; the mines of a lost game may follow one by one."""
        before, self._shown = self._shown, self._game.shown
        changed = [cell for cell in self._shown if self._shown[cell] != before[cell]]
        slow = self._switches.finale if self._game.lost else 0
        for index, cell in enumerate(changed, start=1):
            paint = partial(self.field.turn, cell, self._shown[cell])
            self._later(0 if cell == start else slow * index / len(changed), paint)

    def _end(self, cell: Cell) -> None:
        finale = self._switches.finale
        for other in self._shown if finale and not self._game.lost else ():
            far = math.dist(cell, other) / math.hypot(*self._shown.shape)
            self._later(finale * far + 1, partial(self.field.lit.add, other))
            self._later(finale * (far + 0.2), partial(self.field.lit.discard, other))
        self._later(finale, partial(setattr, self.field, "words", self._words))
        if self._switches.end == "box":
            self._later(finale + 300, self._open_box)
        elif self._switches.end == "alert":
            self._later(finale + 100, self._alert)

    def _later(self, milliseconds: float, action: Callable[[], object]) -> None:
        """Do something to the field after a time, unless another game has begun by then."""
        number = self._number

        def act() -> None:
            if self._number == number:
                action()
                self.field.update()

        if milliseconds:
            QTimer.singleShot(round(milliseconds), self, act)
        else:
            act()

    def _open_box(self) -> None:
        field = self.field
        self._message.setText(f"{self._words}. Best times: 12, 34, 56")
        self._box.setFixedWidth(round(0.8 * field.width()))
        self._box.adjustSize()
        self._box.move(field.mapTo(self, field.rect().center()) - self._box.rect().center())
        self._box.show()
        self._box.raise_()

    def _alert(self) -> None:
        QMessageBox(QMessageBox.Icon.NoIcon, self._switches.title, self._words, parent=self).exec()
        self._closed()

    def _closed(self) -> None:
        self._box.hide()
        if self._switches.after == "deal":
            self.new()

    def timerEvent(self, _: QTimerEvent) -> None:  # noqa: N802 - Qt's name
        if self._began and not self._words:
            self._time.setText(f"Time: {time.monotonic() - self._began:.0f}")

    def _show(self) -> None:
        """Show the panel, and tell the test."""
        flags = self._game.board.count(State.FLAG, State.WRONG_FLAG)
        self._left.setText(f"Mines: {self._switches.mines - flags}")
        self._status.setText(self._words)
        self._time.setText(self._time.text() if self._began else "Time: 0")
        if self._switches.restart == "smiley" and self._switches.panel == "all":
            self._new.setText(FACES[self._words])
        self.field.update()
        self._tell()

    def _tell(self) -> None:
        field, scale, game = self.field, self.devicePixelRatioF(), self._game
        corner = field.mapToGlobal(field.rect().topLeft())
        place = [scale * value for value in (corner.x(), corner.y(), field.width(), field.height())]
        truth = {"loaded": self._loaded, "at": 1000 * time.time(), "serial": self._serial, "place": place}
        truth |= {"game": self._number, "cols": game.cols, "total": game.mine_count}
        truth |= {"won": game.won if self._words else None, "shown": "".join(self._shown.lines())}
        truth |= {"mines": [mine.row * game.cols + mine.col for mine in game.mines or ()]}
        self._serial += 1
        self._sender.submit(urlopen, self._address, json.dumps(truth).encode())


if __name__ == "__main__":
    run_application("desk-game", lambda _: DeskGame(Switches.parse(sys.argv[2]), sys.argv[1]))
