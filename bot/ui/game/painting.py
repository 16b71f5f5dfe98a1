"""Drawing: cells, edges, counters and the face, each into a picture of whole pixels."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF

from bot.board import CLOSED, State
from bot.ui.game import shapes
from bot.ui.game.layout import CELL, Box
from bot.ui.game.shapes import Points
from bot.ui.game.theme import Theme


class Face(Enum):
    """What the face shows."""

    IDLE = auto()
    TENSE = auto()  # a button is down over the board
    WON = auto()
    LOST = auto()


def blank(width: int, height: int, colour: str) -> QImage:
    """Return a picture of one colour."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor(colour))
    return image


def bevel(painter: QPainter, inside: Box, width: int, upper: str, lower: str) -> None:
    """Draw an edge of ``width`` pixels around ``inside``: left and top ``upper``, the rest ``lower``."""
    outside = inside.grown(width)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for step in range(width):
        x, y = outside.x + step, outside.y + step
        right, bottom = outside.x + outside.width - 1 - step, outside.y + outside.height - 1 - step
        painter.fillRect(x, bottom, right - x + 1, 1, QColor(lower))
        painter.fillRect(right, y, 1, bottom - y + 1, QColor(lower))
        painter.fillRect(x, y, right - x, 1, QColor(upper))
        painter.fillRect(x, y, 1, bottom - y, QColor(upper))


def cell_picture(
    state: int, size: int, theme: Theme, *, pressed: bool = False, ground: str | None = None
) -> QImage:
    """Return the picture of a cell, ``size`` pixels square; ``ground`` replaces its own colour."""
    closed = state in CLOSED and not pressed
    plain = theme.ground if closed else theme.opened
    image = blank(size, size, ground or (theme.exploded if state == State.EXPLODED else plain))
    painter = QPainter(image)
    scale = size / CELL
    if closed:
        edge = max(1, round(2 * scale))
        bevel(painter, Box(edge, edge, size - 2 * edge, size - 2 * edge), edge, theme.light, theme.shade)
    else:
        line = max(1, round(scale))
        painter.fillRect(0, 0, size, line, QColor(theme.line))
        painter.fillRect(0, 0, line, size, QColor(theme.line))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.scale(scale, scale)
    if closed:
        painter.translate(-0.5, -0.5)  # its middle is that of the whole cell
    _draw_state(painter, state, theme)
    painter.end()
    return image


def _draw_state(painter: QPainter, state: int, theme: Theme) -> None:
    if 1 <= state <= 8:
        _lines(painter, shapes.NUMBERS[state], theme.numbers[state - 1], shapes.NUMBER_PEN)
    elif state == State.FLAG:
        _flag(painter, theme)
    elif state == State.QUESTION:
        _lines(painter, shapes.QUESTION, theme.ink, shapes.QUESTION_PEN)
        painter.fillRect(QRectF(*shapes.QUESTION_DOT), QColor(theme.ink))
    elif state in (State.MINE, State.EXPLODED, State.WRONG_FLAG):
        _mine(painter, theme)
        if state == State.WRONG_FLAG:
            _lines(painter, shapes.CROSS, theme.flag, 2)


def _lines(painter: QPainter, lines: Iterable[Points], colour: str, width: float) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    pen = QPen(QColor(colour), width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(pen)
    for line in lines:
        path = QPainterPath(QPointF(*line[0]))
        for point in line[1:]:
            path.lineTo(QPointF(*point))
        painter.drawPath(path)


def _polygon(painter: QPainter, points: Points, colour: str) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(QColor(colour)))
    painter.drawPolygon(QPolygonF([QPointF(*point) for point in points]))


def _flag(painter: QPainter, theme: Theme) -> None:
    painter.translate(0.5, 0.5)
    for box in shapes.FLAG_POLE:
        painter.fillRect(QRectF(*box), QColor(theme.ink))
    _polygon(painter, shapes.FLAG, theme.flag)


def _mine(painter: QPainter, theme: Theme) -> None:
    painter.setPen(QPen(QColor(theme.mine), 1))
    for line in shapes.MINE_SPIKES:
        painter.drawLine(QPointF(*line[:2]), QPointF(*line[2:]))
    painter.setBrush(QBrush(QColor(theme.mine)))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.drawEllipse(QPointF(8.5, 8.5), shapes.MINE_BODY, shapes.MINE_BODY)
    painter.fillRect(QRectF(*shapes.MINE_GLINT), QColor(theme.opened))


def counter_picture(text: str, width: int, height: int, theme: Theme) -> QImage:
    """Return the picture of a counter that shows ``text``; the digits share the width."""
    image = blank(width, height, theme.counter)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    each = width // len(text)
    for index, character in enumerate(text):
        painter.resetTransform()
        painter.translate(index * each, 0)
        painter.scale(each / 13, height / 23)
        for name, points in shapes.SEGMENTS.items():
            _polygon(painter, points, theme.lit if name in shapes.STROKES[character] else theme.unlit)
    painter.end()
    return image


def face_picture(face: Face, size: int, theme: Theme, *, pressed: bool) -> QImage:
    """Return the picture of the button with the face, ``size`` pixels square."""
    image = blank(size, size, theme.ground)
    painter = QPainter(image)
    scale = size / 26
    edge = max(1, round(2 * scale))
    upper, lower = (theme.shade, theme.ground) if pressed else (theme.light, theme.shade)
    bevel(painter, Box(edge, edge, size - 2 * edge, size - 2 * edge), edge, upper, lower)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.scale(scale, scale)
    painter.translate(1 + pressed, 1 + pressed)
    _draw_face(painter, face, theme)
    painter.end()
    return image


def _draw_face(painter: QPainter, face: Face, theme: Theme) -> None:
    black = "#000000"
    painter.setPen(QPen(QColor(black), 1))
    painter.setBrush(QBrush(QColor(theme.face)))
    painter.drawEllipse(QPointF(12, 12), 8.5, 8.5)
    if face is Face.WON:
        _polygon(painter, ((4.5, 8.5), (19.5, 8.5), (19.5, 9.8), (4.5, 9.8)), black)
        _polygon(painter, ((6, 9), (11.3, 9), (10.5, 12.6), (7, 12.6)), black)
        _polygon(painter, ((12.7, 9), (18, 9), (17, 12.6), (13.5, 12.6)), black)
    elif face is Face.LOST:
        crosses = [((x - 1.5, 8), (x + 1.5, 11)) for x in (9, 15)]
        crosses += [((x + 1.5, 8), (x - 1.5, 11)) for x in (9, 15)]
        _lines(painter, crosses, black, 1.2)
    else:
        radius = 1.6 if face is Face.TENSE else 1.2
        painter.setBrush(QBrush(QColor(black)))
        painter.setPen(Qt.PenStyle.NoPen)
        for x in (9, 15):
            painter.drawEllipse(QPointF(x, 9.5), radius, radius)
    _mouth(painter, face)


def _mouth(painter: QPainter, face: Face) -> None:
    painter.setPen(QPen(QColor("#000000"), 1.3))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if face is Face.TENSE:
        painter.drawEllipse(QPointF(12, 15.5), 2, 2)
    elif face is Face.LOST:
        painter.drawArc(QRectF(8, 14.5, 8, 6), 30 * 16, 120 * 16)
    else:
        painter.drawArc(QRectF(7.5, 9, 9, 8), 200 * 16, 140 * 16)
