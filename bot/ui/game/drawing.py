"""The look of the game: its colours, its layout, its shapes, and the pictures made of them.

At scale 1, a cell has 16 x 16 pixels and cell (0, 0) begins at (22, 55). The window has a raised edge of 3
pixels and a margin of 6; on the left and at the bottom it is wider, for the numbers of rows and columns.
Inside are a sunken panel (edge 2, inside 33 high) and, 6 pixels below, the sunken board (edge 3). The panel
contains the mine counter on the left, the face in the middle and the timer on the right. Each measure is
multiplied by the scale and rounded separately, so all cells have the same size.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QIcon, QImage, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from bot.board import CLOSED, State
from bot.geometry import Grid, Rect

CELL = 16


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout for a board of ``rows`` x ``cols`` at ``scale``; each counter shows ``digits`` digits."""

    rows: int
    cols: int
    scale: float = 1.0
    digits: int = 3

    def px(self, units: float) -> int:
        """Return the number of pixels for ``units``, given in pixels at scale 1; at least one."""
        return max(1, round(units * self.scale))

    @property
    def cell(self) -> int:
        """The width and height of a cell in pixels."""
        return self.px(CELL)

    @property
    def board(self) -> Rect:
        """The rectangle of all cells, without the edge around them."""
        panel = self.panel
        top = panel.bottom + self.px(2) + self.px(6) + self.px(3)
        return Rect(self._left + self.px(3), top, self.cols * self.cell, self.rows * self.cell)

    @property
    def grid(self) -> Grid:
        """The places of the cells."""
        return Grid(self.board.x, self.board.y, self.cell, self.cell, self.rows, self.cols)

    @property
    def panel(self) -> Rect:
        """The rectangle inside the edge of the panel."""
        edge, width = self.px(2), self.cols * self.cell + 2 * self.px(3)
        return Rect(self._left + edge, self.px(3) + self.px(6) + edge, width - 2 * edge, self.px(33))

    @property
    def size(self) -> tuple[int, int]:
        """The width and height of the whole picture."""
        board, edges = self.board, 2 * self.px(3)
        return board.right + self.px(6) + edges, board.bottom + self.px(13) + edges

    @property
    def rulers(self) -> tuple[Rect, Rect]:
        """The rectangles of the row numbers, left of the board, and of the column numbers, below it."""
        board, edge = self.board, self.px(3)
        rows = Rect(edge, board.y, self.px(16), board.height)
        return rows, Rect(board.x, board.bottom + edge, board.width, self.px(13))

    @property
    def mine_counter(self) -> Rect:
        """The rectangle of the mine counter's digits, without the edge around them."""
        return self._counter(self.panel.x + self.px(6))

    @property
    def timer(self) -> Rect:
        """The rectangle of the timer's digits, without the edge around them."""
        panel = self.panel
        return self._counter(panel.right - self.px(6) - self.digits * self.px(13))

    @property
    def face(self) -> Rect:
        """The rectangle of the button with the face."""
        side, panel = self.px(26), self.panel
        return Rect(panel.x + (panel.width - side) // 2, panel.y + (panel.height - side) // 2, side, side)

    @property
    def _left(self) -> int:
        return self.px(3) + self.px(16)

    def _counter(self, x: int) -> Rect:
        height, panel = self.px(23), self.panel
        return Rect(x, panel.y + (panel.height - height) // 2, self.digits * self.px(13), height)


@dataclass(frozen=True, slots=True)
class Theme:
    """A set of colours, as ``#rrggbb``, at first the classic ones; ``numbers`` are the colours of 1 to 8."""

    ground: str = "#c0c0c0"  # covered cells and the frame
    opened: str = "#c0c0c0"
    light: str = "#ffffff"  # the left and top edge of raised parts
    shade: str = "#808080"  # their right and bottom edge
    line: str = "#808080"  # between opened cells
    ink: str = "#000000"
    ruler: str = "#404040"  # the numbers of rows and columns
    numbers: tuple[str, ...] = (
        *("#0000ff", "#008000", "#ff0000", "#000080", "#800000", "#008080", "#000000", "#808080"),
    )
    flag: str = "#ff0000"
    mine: str = "#000000"
    exploded: str = "#ff0000"
    counter: str = "#000000"  # behind the digits
    lit: str = "#ff0000"
    unlit: str = "#280000"
    face: str = "#ffff00"
    found: str = "#ffe94a"  # behind the numbers of the row and the column that a hint names
    cursor: str = "#00e5ff"  # the inner frame of the cell that the keyboard acts on


CLASSIC = Theme()
DARK = Theme(
    ground="#4b5058",
    opened="#26292e",
    light="#767d89",
    shade="#2d3036",
    line="#3a3e45",
    ink="#e8e8e8",
    ruler="#d0d3d8",
    numbers=("#6ca8ff", "#63c963", "#ff6b6b", "#b58cff", "#ff9f57", "#45d0d0", "#f2f2f2", "#a3a8b0"),
    flag="#ff5555",
    mine="#e8e8e8",
    exploded="#b3261e",
    counter="#0d0e10",
    lit="#ff4d4d",
    unlit="#241012",
    face="#ffd84a",
    found="#b59a12",
)

# The shapes, of our own design, as points. A cell is 16 x 16 units; an opened one has a line of 1 unit on its
# left and top, so the middle is (8.5, 8.5). A digit of a counter is 13 x 23 units. The face is drawn in
# 24 x 24 units.
Points = tuple[tuple[float, float], ...]

# Each number as lines for a broad pen. Their coordinates keep them sharp at scale 1.
NUMBER_PEN = 2.5
NUMBERS: dict[int, tuple[Points, ...]] = {
    1: (((5.5, 6.5), (8.75, 4.25), (8.75, 12.75)), ((5.5, 12.75), (12, 12.75))),
    2: (((5.25, 6.5), (5.25, 5.25), (6.25, 4.25), (10.75, 4.25), (11.75, 5.25), (11.75, 7),
         (5.5, 12), (5.5, 12.75), (13, 12.75)),),
    3: (((4, 4.25), (10.75, 4.25), (11.75, 5.25), (11.75, 7.5), (10.75, 8.5), (6.5, 8.5)),
        ((10.75, 8.5), (11.75, 9.5), (11.75, 11.75), (10.75, 12.75), (4, 12.75))),
    4: (((6.75, 3), (5.25, 8.75), (13, 8.75)), ((10.75, 3), (10.75, 14))),
    5: (((13, 4.25), (5.25, 4.25), (5.25, 8.25), (10.75, 8.25), (11.75, 9.25), (11.75, 11.75),
         (10.75, 12.75), (4, 12.75)),),
    6: (((12.5, 4.25), (6.25, 4.25), (5.25, 5.25), (5.25, 11.75), (6.25, 12.75), (10.75, 12.75),
         (11.75, 11.75), (11.75, 9.25), (10.75, 8.25), (5.25, 8.25)),),
    7: (((4, 4.25), (11.75, 4.25), (11.75, 6), (8.25, 14)),),
    8: (((6.25, 4.25), (10.75, 4.25), (11.75, 5.25), (11.75, 7.5), (10.75, 8.5), (11.75, 9.5), (11.75, 11.75),
         (10.75, 12.75), (6.25, 12.75), (5.25, 11.75), (5.25, 9.5), (6.25, 8.5), (5.25, 7.5), (5.25, 5.25),
         (6.25, 4.25), (7, 4.25)), ((6.25, 8.5), (10.75, 8.5))),
}  # fmt: skip

QUESTION: tuple[Points, ...] = (
    ((5.5, 6), (5.5, 5), (6.5, 4), (9.5, 4), (10.5, 5), (10.5, 7), (8, 8.75), (8, 10.5)),
)
QUESTION_DOT = (7.0, 12.0, 2.0, 2.0)  # x, y, width, height
QUESTION_PEN = 2.0

FLAG: Points = ((9, 3), (9, 9), (3.5, 6))
FLAG_POLE = ((8, 3, 1, 9), (6, 11, 5, 1), (4, 12, 9, 2))  # rectangles: x, y, width, height

MINE_BODY = 4.3  # radius
MINE_SPIKES = ((8.5, 2, 8.5, 15), (2, 8.5, 15, 8.5), (4, 4, 13, 13), (13, 4, 4, 13))  # lines: from, to
MINE_GLINT = (6, 6, 2, 2)
CROSS: tuple[Points, ...] = (((2.5, 3), (14.5, 14)), ((14.5, 3), (2.5, 14)))

SEGMENTS: dict[str, Points] = {
    "a": ((2, 1), (11, 1), (9, 3), (4, 3)),
    "b": ((12, 2), (12, 11), (11, 11), (10, 9.5), (10, 4)),
    "c": ((12, 12), (12, 21), (10, 19), (10, 13.5), (11, 12)),
    "d": ((2, 22), (4, 20), (9, 20), (11, 22)),
    "e": ((1, 12), (2, 12), (3, 13.5), (3, 19), (1, 21)),
    "f": ((1, 2), (3, 4), (3, 9.5), (2, 11), (1, 11)),
    "g": ((2.5, 11.5), (3.5, 10.5), (9.5, 10.5), (10.5, 11.5), (9.5, 12.5), (3.5, 12.5)),
}
STROKES = {
    "0": "abcdef", "1": "bc", "2": "abdeg", "3": "abcdg", "4": "bcfg", "5": "acdfg",
    "6": "acdefg", "7": "abc", "8": "abcdefg", "9": "abcdfg", "-": "g", " ": "",
}  # fmt: skip


def counter_text(number: int, digits: int) -> str:
    """Return ``number`` as a counter shows it: with at least ``digits`` characters, more if it needs them."""
    return f"{number:0{digits}d}"


class Face(Enum):
    """The expressions of the face."""

    IDLE = auto()
    TENSE = auto()  # a mouse button is held down on the board
    WON = auto()
    LOST = auto()


def _blank(width: int, height: int, colour: str) -> QImage:
    """Return a picture of one colour."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor(colour))
    return image


def bevel(painter: QPainter, inside: Rect, width: int, upper: str, lower: str) -> None:
    """Draw an edge of ``width`` pixels around ``inside``: ``upper`` is the colour of its left and top."""
    outside = inside.grown(width)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for step in range(width):
        x, y = outside.x + step, outside.y + step
        right, bottom = outside.right - 1 - step, outside.bottom - 1 - step
        painter.fillRect(x, bottom, right - x + 1, 1, QColor(lower))
        painter.fillRect(right, y, 1, bottom - y + 1, QColor(lower))
        painter.fillRect(x, y, right - x, 1, QColor(upper))
        painter.fillRect(x, y, 1, bottom - y, QColor(upper))


def mine_icon() -> QIcon:
    """Return the icon of minebot's windows: a mine."""
    return QIcon(QPixmap.fromImage(cell_picture(State.MINE, 64, CLASSIC)))


def cell_picture(state: int, size: int, theme: Theme, *, pressed: bool = False) -> QImage:
    """Return the picture of a cell, ``size`` x ``size`` pixels."""
    closed = state in CLOSED and not pressed
    plain = theme.ground if closed else theme.opened
    image = _blank(size, size, theme.exploded if state == State.EXPLODED else plain)
    painter = QPainter(image)
    scale = size / CELL
    if closed:
        edge = max(1, round(2 * scale))
        bevel(painter, Rect(edge, edge, size - 2 * edge, size - 2 * edge), edge, theme.light, theme.shade)
    else:
        line = max(1, round(scale))
        painter.fillRect(0, 0, size, line, QColor(theme.line))
        painter.fillRect(0, 0, line, size, QColor(theme.line))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.scale(scale, scale)
    if closed:
        painter.translate(-0.5, -0.5)  # a covered cell has no lines, so its middle is (8, 8)
    _draw_state(painter, state, theme)
    painter.end()
    return image


def _draw_state(painter: QPainter, state: int, theme: Theme) -> None:
    if 1 <= state <= 8:
        _lines(painter, NUMBERS[state], theme.numbers[state - 1], NUMBER_PEN)
    elif state == State.FLAG:
        painter.translate(0.5, 0.5)
        for box in FLAG_POLE:
            painter.fillRect(QRectF(*box), QColor(theme.ink))
        _polygon(painter, FLAG, theme.flag)
    elif state == State.QUESTION:
        _lines(painter, QUESTION, theme.ink, QUESTION_PEN)
        painter.fillRect(QRectF(*QUESTION_DOT), QColor(theme.ink))
    elif state in (State.MINE, State.EXPLODED, State.WRONG_FLAG):
        _mine(painter, theme)
        if state == State.WRONG_FLAG:
            _lines(painter, CROSS, theme.flag, 2)


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


def _mine(painter: QPainter, theme: Theme) -> None:
    painter.setPen(QPen(QColor(theme.mine), 1))
    for line in MINE_SPIKES:
        painter.drawLine(QPointF(*line[:2]), QPointF(*line[2:]))
    painter.setBrush(QBrush(QColor(theme.mine)))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.drawEllipse(QPointF(8.5, 8.5), MINE_BODY, MINE_BODY)
    painter.fillRect(QRectF(*MINE_GLINT), QColor(theme.opened))


def counter_picture(text: str, width: int, height: int, theme: Theme) -> QImage:
    """Return the picture of a counter that shows ``text``; the more digits, the narrower each is."""
    image = _blank(width, height, theme.counter)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    each = width / len(text)
    for index, character in enumerate(text):
        painter.resetTransform()
        painter.translate(index * each, 0)
        painter.scale(each / 13, height / 23)
        for name, points in SEGMENTS.items():
            _polygon(painter, points, theme.lit if name in STROKES[character] else theme.unlit)
    painter.end()
    return image


def ruler_picture(
    box: Rect, cell: int, shown: Collection[int], scale: float, theme: Theme, *, down: bool
) -> QImage:
    """Return the numbers, from 1, of the rows (``down``) or columns in ``box``; cells have ``cell`` pixels.

    Those whose index is in ``shown`` stand out.
    """
    image = _blank(box.width, box.height, theme.ground)
    painter = QPainter(image)
    font = painter.font()
    for index in range((box.height if down else box.width) // cell):
        place = (
            QRectF(0, index * cell, box.width, cell) if down else QRectF(index * cell, 0, cell, box.height)
        )
        found = index in shown
        if found:
            painter.fillRect(place, QColor(theme.found))
        font.setPixelSize(max(4, round((9 if index < 99 else 7) * scale)))  # 100 has three digits
        font.setBold(found)
        painter.setFont(font)
        painter.setPen(QColor("#000000" if found else theme.ruler))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, str(index + 1))
    painter.end()
    return image


def face_picture(face: Face, size: int, theme: Theme, *, pressed: bool) -> QImage:
    """Return the picture of the button with the face, ``size`` x ``size`` pixels."""
    image = _blank(size, size, theme.ground)
    painter = QPainter(image)
    scale = size / 26
    edge = max(1, round(2 * scale))
    upper, lower = (theme.shade, theme.ground) if pressed else (theme.light, theme.shade)
    bevel(painter, Rect(edge, edge, size - 2 * edge, size - 2 * edge), edge, upper, lower)
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
    painter.setPen(QPen(QColor(black), 1.3))  # the mouth
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if face is Face.TENSE:
        painter.drawEllipse(QPointF(12, 15.5), 2, 2)
    elif face is Face.LOST:
        painter.drawArc(QRectF(8, 14.5, 8, 6), 30 * 16, 120 * 16)
    else:
        painter.drawArc(QRectF(7.5, 9, 9, 8), 200 * 16, 140 * 16)
