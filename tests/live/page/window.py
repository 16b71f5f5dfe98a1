"""The test page's sister: Minesweeper in a Qt window, with the same switches, given as NAME=VALUE.

rows, cols, mines, seed    the board; game n is laid by seed + n
art, cell                  one of the names in ARTS; pixels of a cell
first=safe|opening|any     what the first click may open
marks=0|1                  question marks after flags
delay, wave, late          milliseconds: from a click to its effect, over which a flood is painted, by which
                           words beside the board change later
restart=key|button|smiley  what starts a new game; a key is F2
levels=none|buttons|list   how a level is chosen
end=none|alert|box         what comes up when a game is over: a dialog, or a box over the board
hover=0|1, hint            cells below the pointer are lit; a cell is lit after so many ms of rest

What it shows, and the true mines, go to the server at ``port`` after every change.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from urllib.request import Request, urlopen

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QMouseEvent, QPainter, QPaintEvent, QPolygonF, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMessageBox,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from bot.board import CHARACTERS, CLOSED, Cell, FirstClick, State
from bot.game.simulation import Game
from bot.levels import LEVELS

# covered, opened, line between cells, marks, and the digits from 1 to 8
_CLASSIC = ["#0000ff", "#008000", "#ff0000", "#000080", "#800000", "#008080", "#000000", "#808080"]
_SOFT = ["#1976d2", "#388e3c", "#d32f2f", "#7b1fa2", "#ff8f00", "#0097a7", "#424242", "#9e9e9e"]
_LIGHT = ["#61afef", "#98c379", "#e06c75", "#c678dd", "#e5a05a", "#56b6c2", "#f0f2f5", "#8b93a5"]
ARTS = {
    "bevel": ("#c0c0c0", "#c0c0c0", "#808080", "#000000", _CLASSIC),
    "flat": ("#8fa8bf", "#f2f4f7", "#c3ccd6", "#222222", _SOFT),
    "night": ("#454c5e", "#23262e", "#15171c", "#d7dae0", _LIGHT),
    "round": ("#7cb9e8", "#eef3f7", "#ffffff", "#222222", _SOFT),
}
_GAPS = {"bevel": 0, "flat": 1, "night": 2, "round": 4}
_FACES = {"": "🙂", "You won": "😎", "Game over": "😵"}


class Field(QWidget):
    """The cells; ``clicked`` is told of a cell and a button once both were pressed and released on it."""

    def __init__(self, art: str, cell: int, *, hover: bool, clicked: Callable[[Cell, bool], None]) -> None:
        super().__init__()
        self.art, self.cell, self.hover, self.clicked = art, cell, hover, clicked
        self.shown: dict[Cell, int] = {}
        self.lit: Cell | None = None
        self.setMouseTracking(True)

    def show_fresh(self, rows: int, cols: int) -> None:
        self.shown = {Cell(row, col): int(State.COVERED) for row in range(rows) for col in range(cols)}
        self.setFixedSize(cols * self.cell, rows * self.cell)
        self.update()

    def paint(self, cell: Cell, state: int) -> None:
        self.shown[cell] = state
        self.update(self._box(cell))

    def _box(self, cell: Cell) -> QRect:
        return QRect(cell.col * self.cell, cell.row * self.cell, self.cell, self.cell)

    def _at(self, event: QMouseEvent) -> Cell:
        place = event.position().toPoint()
        return Cell(place.y() // self.cell, place.x() // self.cell)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if (cell := self._at(event)) in self.shown:
            self.clicked(cell, event.button() == Qt.MouseButton.RightButton)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if self.hover:
            self._light(self._at(event))

    def leaveEvent(self, _: object) -> None:  # noqa: N802 - Qt's name
        if self.hover:
            self._light(None)

    def _light(self, cell: Cell | None) -> None:
        self.lit = cell
        self.update()

    def hint(self, cell: Cell, milliseconds: int) -> None:
        self._light(cell)
        QTimer.singleShot(milliseconds, lambda: self._light(None))

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, self.art == "round")
        painter.fillRect(self.rect(), QColor(ARTS[self.art][2]))
        for cell, state in self.shown.items():
            self._draw(painter, QRectF(self._box(cell)), state, lit=cell == self.lit)
        painter.end()

    def _draw(self, painter: QPainter, box: QRectF, state: int, *, lit: bool) -> None:
        covered, opened, line, mark, digits = ARTS[self.art]
        gap, closed = _GAPS[self.art], state in CLOSED
        ground = QColor(covered if closed else "#ff5252" if state == State.EXPLODED else opened)
        if lit and closed:
            ground = ground.lighter(115)
        inner = box.adjusted(0, 0, -gap, -gap)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        radius = self.cell / 6 if self.art == "round" else 0
        painter.drawRoundedRect(inner, radius, radius)
        if self.art == "bevel":
            self._bevel(painter, box, closed=closed, line=line)
        if 1 <= state <= 8 or state == State.QUESTION:
            painter.setPen(QColor(mark if state == State.QUESTION else digits[state - 1]))
            font = QFont("DejaVu Sans")
            font.setPixelSize(round(self.cell * 0.66))
            font.setBold(True)
            painter.setFont(font)
            painter.drawText(
                inner, Qt.AlignmentFlag.AlignCenter, "?" if state == State.QUESTION else str(state)
            )
        elif state == State.FLAG:
            self._flag(painter, box, mark)
        elif state in (State.MINE, State.EXPLODED, State.WRONG_FLAG):
            painter.setBrush(QColor(mark))
            painter.drawEllipse(box.center(), self.cell * 0.28, self.cell * 0.28)
            if state == State.WRONG_FLAG:
                painter.setPen(QColor("#d50000"))
                painter.drawLine(inner.topLeft(), inner.bottomRight())
                painter.drawLine(inner.topRight(), inner.bottomLeft())

    def _bevel(self, painter: QPainter, box: QRectF, *, closed: bool, line: str) -> None:
        width = max(2, self.cell // 9) if closed else 1
        for step in range(width):
            inner = box.adjusted(step, step, -1 - step, -1 - step)
            painter.setPen(QColor("#ffffff" if closed else line))
            painter.drawLine(inner.topLeft(), inner.topRight())
            painter.drawLine(inner.topLeft(), inner.bottomLeft())
            if closed:
                painter.setPen(QColor(line))
                painter.drawLine(inner.bottomLeft(), inner.bottomRight())
                painter.drawLine(inner.topRight(), inner.bottomRight())

    def _flag(self, painter: QPainter, box: QRectF, mark: str) -> None:
        def at(x: float, y: float) -> QPointF:
            return QPointF(box.x() + x * self.cell, box.y() + y * self.cell)

        painter.setPen(QColor(mark))
        painter.drawLine(at(0.55, 0.2), at(0.55, 0.75))
        painter.drawLine(at(0.3, 0.75), at(0.75, 0.75))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor("#d50000"))
        painter.drawPolygon(QPolygonF([at(0.55, 0.2), at(0.2, 0.35), at(0.55, 0.5)]))


class Window(QWidget):
    """The game with its panel; ``told`` takes what it shows."""

    def __init__(self, switches: dict[str, str], told: Callable[[bytes], None]) -> None:
        super().__init__()
        self.switches, self.told = switches, told
        self.rows, self.cols, self.mines = (self._number(name, 9) for name in ("rows", "cols", "mines"))
        self.number, self.serial, self.painted = -1, 0, dict[Cell, int]()
        cell, art = self._number("cell", 24), switches.get("art", "bevel")
        self.field = Field(art, cell, hover=bool(self._number("hover", 0)), clicked=self._clicked)
        self.left, self.words = QLabel(), QLabel()
        self.new = QPushButton("New game")
        self.new.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.new.clicked.connect(self.begin)
        self.new.setVisible(switches.get("restart", "key") != "key")
        if switches.get("restart", "key") == "key":
            QShortcut("F2", self).activated.connect(self.begin)
        self.resting = QTimer(self, singleShot=True)
        self.resting.timeout.connect(self._give_hint)
        self._lay_out()
        self.setWindowTitle("Minesweeper")
        if art == "night":
            self.setStyleSheet("QWidget { background: #1b1d23; color: #d7dae0 }")
        self.begin()

    def _number(self, name: str, usual: int) -> int:
        return int(self.switches.get(name, usual))

    def _lay_out(self) -> None:
        panel = QHBoxLayout()
        for part in (self.left, self.new, self.words):
            panel.addWidget(part)
        whole = QVBoxLayout(self)
        if (offered := self._levels()) is not None:
            whole.addWidget(offered, alignment=Qt.AlignmentFlag.AlignLeft)
        whole.addLayout(panel)
        whole.addWidget(self.field, alignment=Qt.AlignmentFlag.AlignLeft)
        whole.addStretch()

    def _levels(self) -> QWidget | None:
        names = [name.capitalize() for name in LEVELS]
        match self.switches.get("levels", "none"):
            case "list":
                offered = QComboBox()
                offered.addItems(names)
                offered.activated.connect(lambda at: self._choose(names[at]))
                return offered
            case "buttons":
                row, line = QWidget(), QHBoxLayout()
                for name in names:
                    button = QPushButton(name)
                    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
                    button.clicked.connect(lambda _=False, name=name: self._choose(name))
                    line.addWidget(button)
                row.setLayout(line)
                return row
        return None

    def _choose(self, name: str) -> None:
        level = LEVELS[name.lower()]
        self.rows, self.cols, self.mines = level.rows, level.cols, level.mines
        self.begin()

    def begin(self) -> None:
        self.number += 1
        rule = FirstClick(self.switches.get("first", "safe"))
        self.game = Game(self.rows, self.cols, self.mines, self._number("seed", 1) + self.number, rule)
        self.field.show_fresh(self.rows, self.cols)
        self.painted = dict(self.field.shown)
        for box in self.field.findChildren(QFrame):
            box.deleteLater()
        self._show(None)

    def _clicked(self, cell: Cell, right: bool) -> None:
        self.resting.stop()
        if hint := self._number("hint", 0):
            self.resting.start(hint)
        number = self.number

        def act() -> None:
            if number != self.number or self.game.over:
                return
            if right:
                self.game.flag(cell, question_marks=bool(self._number("marks", 0)))
            else:
                self.game.open(cell)
            self._show(cell)

        QTimer.singleShot(self._number("delay", 0), act)

    def _show(self, around: Cell | None) -> None:
        """Paint what has changed, from a cell outwards."""
        number, wave, board = self.number, self._number("wave", 0), self.game.board
        for cell in board:
            if self.painted[cell] == board[cell]:
                continue
            self.painted[cell] = board[cell]
            far = math.dist(cell, around or cell) / math.hypot(self.rows, self.cols)
            wait = round(wave * far) if around else 0

            def paint(cell: Cell = cell, state: int = board[cell]) -> None:
                if number == self.number:
                    self.field.paint(cell, state)

            QTimer.singleShot(wait, paint)
        words = "You won" if self.game.won else "Game over" if self.game.lost else ""
        QTimer.singleShot(self._number("late", 0), lambda: self._say(words))
        if words:
            self._end(words, wave)
        self._tell()

    def _say(self, words: str) -> None:
        self.left.setText(f"Mines: {self.mines - self.game.board.count(State.FLAG)}")
        self.words.setText(words or ("Playing" if self._number("late", 0) and self.game.mines else ""))
        if self.switches.get("restart") == "smiley":
            self.new.setText(_FACES[words])

    def _end(self, words: str, wave: int) -> None:
        number = self.number
        match self.switches.get("end", "none"):
            case "alert":
                QTimer.singleShot(
                    wave + 100, lambda: QMessageBox.information(self, "Minesweeper", words).value
                )
            case "box":
                QTimer.singleShot(wave + 300, lambda: self._box(words, number))

    def _box(self, words: str, number: int) -> None:
        if number != self.number:  # the next game was begun before
            return
        box = QFrame(self.field)
        box.setStyleSheet("QFrame { background: #fffbe6; color: #222; border: 1px solid #555 }")
        inside = QVBoxLayout(box)
        inside.addWidget(QLabel(f"{words}. Best times: 12, 34, 56"))
        close = QPushButton("Close")
        close.clicked.connect(box.deleteLater)
        inside.addWidget(close)
        width, height = self.field.width(), self.field.height()
        box.setGeometry(width // 10, 2 * height // 5, 4 * width // 5, box.sizeHint().height())
        box.show()

    def _give_hint(self) -> None:
        covered = self.game.board.cells(State.COVERED)
        if covered and not self.game.over:
            self.field.hint(covered[self.serial % len(covered)], self._number("hint", 0))

    def _tell(self) -> None:
        corner, board = self.field.mapToGlobal(QPoint(0, 0)), self.game.board
        truth = {
            "serial": self.serial,
            "game": self.number,
            "cols": self.cols,
            "total": self.mines,
            "shown": "".join(CHARACTERS[board[cell]] for cell in board),
            "mines": [cell.row * self.cols + cell.col for cell in self.game.mines or ()],
            "place": [corner.x(), corner.y(), self.field.width(), self.field.height()],
        }
        self.serial += 1
        self.told(json.dumps(truth).encode())


def main() -> None:
    switches = dict(argument.split("=", 1) for argument in sys.argv[1:])
    address = f"http://127.0.0.1:{switches['port']}/truth"

    def told(truth: bytes) -> None:
        with urlopen(Request(address, truth)):
            pass

    application = QApplication(sys.argv[:1])
    window = Window(switches, told)
    window.show()
    application.exec()


if __name__ == "__main__":
    main()
