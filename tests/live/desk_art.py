"""The looks of the desktop game: an art is the ground of a cell, and the sign on it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionButton

from bot.board import CHARACTERS, State

HIDDEN = (State.COVERED, State.FLAG, State.QUESTION)
UNIT = 16  # the side of a cell in which signs are drawn

Points = Sequence[tuple[float, float]]
Sign = str | Sequence[tuple[str, Points]]  # a character, or polygons with their colours


@dataclass(frozen=True, slots=True)
class Art:
    """The colours of an art, its font, and its signs.

    ``shape`` is that of the cells: flat, bevel, disc or button, which is a button of Qt; ``inks`` are the
    colours of the numbers from 0 on. Without a ``font``, numbers are rings of pips.
    """

    shape: str
    page: str
    ink: str
    line: str  # between the cells
    covered: str
    opened: str
    exploded: str
    inks: str
    font: str
    flag: Sign
    mine: Sign


def _star(colour: str, points: int, outer: float, inner: float) -> Sign:
    """Return a star, or a disc if it has many points and one radius."""
    turns = [(math.pi * index / points, inner if index % 2 else outer) for index in range(2 * points)]
    return [(colour, [(8 + far * math.cos(turn), 8 + far * math.sin(turn)) for turn, far in turns])]


ARTS = {
    "flat": Art(
        "flat", "#12141c", "#c8cede", "#12141c", "#46507a", "#272b3b", "#a03048",
        "#5c6480 #7fd1ff #9be38c #ff8f8f #c9a6ff #ffc773 #74e5d6 #f4f4f4 #a9b0c6", "DejaVu Sans Condensed",
        [("#ffb454", [(5, 3), (13, 6.5), (6.5, 10), (6.5, 14), (5, 14)])], _star("#dfe4f2", 2, 5.5, 5.5),
    ),
    "bevel": Art(
        "bevel", "#8dbbae", "#16302a", "#5f8a80", "#8dbbae", "#a8cfc4", "#f08a4b",
        "#7d9a94 #5a2ca0 #a0522d #0b5d3b #b3004b #1f3fae #7a6a00 #2d2d2d #5f7f8f", "DejaVu Serif",
        [
            ("#202020", [(4.5, 3), (6, 3), (6, 13), (4.5, 13)]),
            ("#c2187e", [(6, 3), (12.5, 3), (10.5, 5.5), (12.5, 8), (6, 8)]),
        ],
        _star("#1c2b28", 8, 6.5, 3.5),
    ),
    "round": Art(
        "disc", "#e9dcc3", "#4a3a22", "#e9dcc3", "#c4763a", "#fffaf0", "#e2553d",
        "#b9a98c #22659c #3f7d20 #b3261e #6a3d9a #a65e00 #00796b #333333 #7b6f5b", "",
        [("#ffffff", [(8, 3.5), (12, 11.5), (4, 11.5)])], _star("#26211a", 16, 5, 5),
    ),
    "native": Art(
        "button", "#efefef", "#202020", "#c9c9c9", "#efefef", "#fcfcfc", "#ff6b6b",
        "#a0a0a0 #0057ae #00743f #bf0303 #3b2a7a #7a3e00 #006a72 #111111 #666666", "DejaVu Sans", "⚑", "✹",
    ),
}  # fmt: skip


def paint_cell(painter: QPainter, art: Art, box: QRectF, state: int, zeros: bool) -> None:
    """Paint a cell into a box; ``zeros`` says whether there is a sign for no mine around it."""
    _paint_ground(painter, art, box, state)
    if state == State.COVERED or (state == 0 and not zeros):
        return
    painter.save()
    painter.translate(box.topLeft())
    painter.scale(box.width() / UNIT, box.height() / UNIT)
    sign: Sign = CHARACTERS[state] if state <= 8 or state == State.QUESTION else art.mine
    sign = art.flag if state == State.FLAG else sign
    ink = art.inks.split()[state % 9]
    if state <= 8 and not art.font:
        turns = [2 * math.pi * index / state for index in range(state)]
        far = 4.2 if state > 1 else 0.0
        sign = [] if state else _star(ink, 16, 3, 3)
        _fill_discs(painter, ink, [(8 + far * math.sin(turn), 8 - far * math.cos(turn)) for turn in turns])
    if isinstance(sign, str):
        font = QFont(art.font or "DejaVu Sans")
        font.setPixelSize(11)
        font.setBold(art.shape != "button")
        painter.setFont(font)
        painter.setPen(QColor(ink))
        painter.drawText(QRectF(0, 0, UNIT, UNIT), Qt.AlignmentFlag.AlignCenter, sign)
    else:
        for colour, points in sign:
            _fill(painter, colour, points)
    if state == State.WRONG_FLAG:
        painter.setPen(QPen(QColor("#e0305a"), 1.6))
        painter.drawLine(QPointF(3, 3), QPointF(13, 13))
        painter.drawLine(QPointF(13, 3), QPointF(3, 13))
    painter.restore()


def _paint_ground(painter: QPainter, art: Art, box: QRectF, state: int) -> None:
    colour, side = art.opened, box.width()
    if state in HIDDEN or state == State.EXPLODED:
        colour = art.covered if state in HIDDEN else art.exploded
    painter.fillRect(box, QColor(art.line))
    if art.shape == "disc":
        _fill_discs(painter, colour, [box.center().toTuple()], 0.46 * side)
    elif art.shape == "button" and state in HIDDEN:
        option = QStyleOptionButton()
        option.rect = box.toRect()
        option.state = QStyle.StateFlag.State_Enabled | QStyle.StateFlag.State_Raised
        QApplication.style().drawControl(QStyle.ControlElement.CE_PushButtonBevel, option, painter)
    elif art.shape == "bevel" and state in HIDDEN:
        corners = [corner.toTuple() for corner in (box.topLeft(), box.topRight(), box.bottomLeft())]
        _fill(painter, "#dff5ee", corners)
        painter.fillRect(box.adjusted(side / 8, side / 8, -side / 8, -side / 8), QColor(colour))
    else:
        painter.fillRect(box.adjusted(1, 1, 0, 0), QColor(colour))


def _fill(painter: QPainter, colour: str, points: Points) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    painter.drawPolygon([QPointF(x, y) for x, y in points])


def _fill_discs(painter: QPainter, colour: str, centres: Points, radius: float = 1.5) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    for x, y in centres:
        painter.drawEllipse(QPointF(x, y), radius, radius)
