"""The picture of a round with what was decided drawn over it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from bot.board import CHARACTERS, Cell
from bot.geometry import Pixels
from bot.session.forms import Seen
from bot.session.record import RecordedRound

LAYERS = ("moves", "mines", "risks", "proof", "sent", "reading")
_SAFE, _GUESS, _MINE = QColor(60, 200, 60, 130), QColor(255, 165, 0, 160), QColor(224, 48, 48)
_PROOF, _SENT, _PAPER = QColor(43, 108, 255), QColor(208, 0, 208), QColor(255, 255, 255, 205)
_INK, _EDGE = QColor(0, 0, 0), QColor(255, 255, 255, 220)
_LETTERS = 0.55  # height of what is written, as a share of the cell's
_DOT = 2.5  # radius of a click that was sent, in pixels of the picture


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """What is shown: the picture (None: it is missing), what was read on it, and the round, if it was one.

    ``numbers`` are the cells that prove a move.
    """

    picture: Pixels | None
    seen: Seen
    turn: RecordedRound | None = None
    numbers: tuple[Cell, ...] = ()


@dataclass(slots=True)
class _Drawing:
    painter: QPainter
    scene: Scene
    layers: frozenset[str] = field(default_factory=frozenset)

    def all(self) -> None:
        """Draw every layer that is wanted."""
        if "reading" in self.layers:
            board = self.scene.seen.board
            for cell in board:
                self.fill(cell, _PAPER)
                self.write(cell, CHARACTERS[board[cell]])
        if self.scene.turn is not None:
            self.decided(self.scene.turn)

    def decided(self, turn: RecordedRound) -> None:
        """Draw what a round was about."""
        decision = turn.decision
        if "risks" in self.layers:
            for cell, risk in decision.risks.items():
                if 0 < risk < 1:
                    self.fill(cell, QColor.fromHslF((1 - min(1.0, 2 * risk)) / 3, 0.9, 0.45, 0.45))
                    self.write(cell, f"{100 * risk:.0f}")
        if "mines" in self.layers:
            for cell in decision.mines:
                self.cross(cell)
        if "proof" in self.layers:
            for cell in self.scene.numbers:
                self.painter.setPen(QPen(_PROOF, 2))
                self.painter.drawRect(self.box(cell).adjusted(1, 1, -1, -1))
        if "moves" in self.layers:
            self.moves(turn)
        if "sent" in self.layers:
            self.clicks(turn)

    def moves(self, turn: RecordedRound) -> None:
        """Draw the moves; those that were clicked have their number, guesses their risk."""
        for move in turn.decision.moves:
            self.fill(move.cell, _GUESS if move.risk else _SAFE)
        for number, click in enumerate(turn.clicks, 1):
            move = click.move
            mark = {"flag": "F", "chord": "C"}.get(move.action.value, str(number))
            self.write(move.cell, f"{100 * move.risk:.0f}" if 0 < move.risk < 1 else mark)

    def clicks(self, turn: RecordedRound) -> None:
        """Draw where clicks were sent to."""
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(_SENT)
        origin = turn.seen.origin
        for sent in turn.sent:
            if sent.point is not None:
                centre = QPointF(sent.point.x - origin.x + 0.5, sent.point.y - origin.y + 0.5)
                self.painter.drawEllipse(centre, _DOT, _DOT)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)

    def box(self, cell: Cell) -> QRectF:
        """Return where a cell is in the picture."""
        grid = self.scene.seen.grid
        return QRectF(*grid.corner(cell), grid.pitch_x, grid.pitch_y)

    def fill(self, cell: Cell, colour: QColor) -> None:
        """Lay a colour over a cell."""
        self.painter.fillRect(self.box(cell), colour)

    def cross(self, cell: Cell) -> None:
        """Cross a cell out."""
        box = self.box(cell)
        inset = box.width() / 4
        box.adjust(inset, inset, -inset, -inset)
        self.painter.setPen(QPen(_MINE, 2))
        self.painter.drawLine(box.topLeft(), box.bottomRight())
        self.painter.drawLine(box.topRight(), box.bottomLeft())

    def write(self, cell: Cell, text: str) -> None:
        """Write into a cell, so that it can be read on any ground."""
        box, font = self.box(cell), QFont("sans-serif")
        font.setPixelSize(max(4, round(_LETTERS * box.height())))
        font.setBold(True)
        self.painter.setFont(font)
        for colour, aside in ((_EDGE, 0.7), (_EDGE, -0.7), (_INK, 0.0)):
            self.painter.setPen(colour)
            self.painter.drawText(box.translated(aside, aside), Qt.AlignmentFlag.AlignCenter, text)


class Canvas(QWidget):
    """Shows a scene as large as there is room."""

    def __init__(self) -> None:
        super().__init__()
        self.scene: Scene | None = None
        self.layers = frozenset(LAYERS[:4])
        self.setMinimumSize(360, 240)

    def show_scene(self, scene: Scene) -> None:
        """Show another scene."""
        self.scene = scene
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the picture, and the layers over it."""
        if self.scene is None:
            return
        painter = QPainter(self)
        if self.scene.picture is None:
            text = "the picture of this round is missing"
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, text)
        else:
            image = _image(self.scene.picture)
            scale = min(self.width() / image.width(), self.height() / image.height())
            painter.scale(scale, scale)
            painter.drawImage(0, 0, image)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            _Drawing(painter, self.scene, self.layers).all()
        painter.end()


def _image(picture: Pixels) -> QImage:
    height, width = picture.shape[:2]
    data = np.ascontiguousarray(picture)
    return QImage(data.data, width, height, 3 * width, QImage.Format.Format_BGR888).copy()
