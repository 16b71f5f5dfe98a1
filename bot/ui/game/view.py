"""The widget that shows a game and receives its clicks and keys: frame, panel, cells and their numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

from bot.board import Board, Cell
from bot.game.round import GameClick, MouseButton, MouseButtons, PlayedGame
from bot.geometry import Point, Rect
from bot.marks import Kind, Mark, picture_of
from bot.solver.decision import Action
from bot.ui.game.drawing import (
    Face,
    Layout,
    Theme,
    bevel,
    cell_picture,
    counter_picture,
    counter_text,
    face_picture,
    ruler_picture,
)
from bot.verdict import GameState

_BUTTONS = {
    Qt.MouseButton.LeftButton: MouseButton.LEFT,
    Qt.MouseButton.RightButton: MouseButton.RIGHT,
    Qt.MouseButton.MiddleButton: MouseButton.MIDDLE,
}
_ARROWS = {
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
}
_NO_KEYS, _KEYPAD = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier
_OPENING = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
_FACES = {GameState.WON: Face.WON, GameState.LOST: Face.LOST}


class GameView(QWidget):
    """A widget that shows a round; ``clicked`` is emitted with a `GameClick` that the player has made.

    ``new_wanted`` is emitted at a click on the face, ``cursor_moved`` with the middle of the cell that the
    keyboard acts on, x and y in pixels.
    """

    clicked = Signal(object)
    new_wanted = Signal()
    cursor_moved = Signal(int, int)

    def __init__(self, game: PlayedGame, theme: Theme, scale: float) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._presses = MouseButtons()
        self._face_held = self._face_over = False
        self._marks: Sequence[Mark] = ()
        self._cursor: Cell | None = None  # hidden until an arrow key is pressed
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._pictures: dict[object, QPixmap] = {}
        self._seconds = 0
        self.game = game
        self.show_game(game, theme, scale)

    def show_game(self, game: PlayedGame, theme: Theme, scale: float) -> None:
        """Show ``game`` in the colours of ``theme`` at ``scale``."""
        level = game.level
        if game is not self.game:
            self._marks = ()
        if (level.rows, level.cols) != (self.game.level.rows, self.game.level.cols):
            self._cursor = None
        self.game, self.theme = game, theme
        self.places = Layout(level.rows, level.cols, scale, max(3, len(str(level.mines))))
        self._pictures.clear()
        self._presses.forget()
        self.setFixedSize(QSize(*self.places.size))
        self.update()

    def mark(self, marks: Sequence[Mark]) -> None:
        """Show ``marks``, and no earlier ones."""
        self._marks = marks
        self.update()

    def release_all(self) -> None:
        """Forget all pressed buttons, because a dialog opens or another window becomes active."""
        self._presses.forget()
        self._face_held = False
        self.update()

    def refresh_timer(self) -> None:
        """Redraw the timer if its number of seconds has changed."""
        if self.game.seconds != self._seconds:
            self._seconds = self.game.seconds
            self.update(_rect(self.places.timer))

    # Mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Show a cell or the face as pressed."""
        button, place = _BUTTONS.get(event.button()), event.position().toPoint()
        if button is None:
            return
        self._cursor = None
        if self._on_face(place) and button is MouseButton.LEFT and not self._presses.active:
            self._face_held = self._face_over = True
        elif not self._face_held and not self.game.over:
            shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._emit(self._presses.press(button, self._cell(place), shift=shift))
        self.update()

    mouseDoubleClickEvent = mousePressEvent  # noqa: N815 - Qt's name; its second press is like any other

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Show the cell or face under the pointer as pressed while a button is held."""
        place = event.position().toPoint()
        before = self._looks_pressed()
        self._face_over = self._on_face(place)
        self._presses.move(self._cell(place))
        for cell in before ^ self._looks_pressed():
            self.update(_rect(self.places.grid.cell_box(cell)))
        self.update(_rect(self.places.face))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Emit the click that ends with this release, if any."""
        button, place = _BUTTONS.get(event.button()), event.position().toPoint()
        if button is None:
            return
        if not self._face_held:
            self._emit(self._presses.release(button, self._cell(place)))
        elif button is MouseButton.LEFT:
            self._face_held = False
            if self._on_face(place):
                self.new_wanted.emit()
        self.update()

    def _on_face(self, place: QPoint) -> bool:
        return self.places.face.contains(Point(place.x(), place.y()))

    def _cell(self, place: QPoint) -> Cell | None:
        return self.places.grid.cell_at(place.x(), place.y())

    def _emit(self, click: object) -> None:
        if click is not None:
            self.clicked.emit(click)

    # Keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Move the cursor, or open, flag or chord its cell."""
        key, cell = event.key(), self._cursor
        if key in _ARROWS and event.modifiers() in (_NO_KEYS, _KEYPAD):
            self._move_cursor(*_ARROWS[Qt.Key(key)])
        elif cell is None or event.isAutoRepeat() or not (key in _OPENING or key == Qt.Key.Key_F):
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_F:
            self.clicked.emit(GameClick(Action.FLAG, cell))
        else:
            opened = self.game.board[cell] <= 8
            self.clicked.emit(GameClick(Action.CHORD if opened else Action.OPEN, cell))

    def _move_cursor(self, down: int, right: int) -> None:
        """Move the cursor to the next cell, not over the edge; if it is hidden, show it in the middle."""
        rows, cols = self.game.board.shape
        if self._cursor is None:
            self._cursor = Cell(rows // 2, cols // 2)
        else:
            row, col = self._cursor
            self._cursor = Cell(min(max(row + down, 0), rows - 1), min(max(col + right, 0), cols - 1))
        centre = self.places.grid.cell_box(self._cursor).centre
        self.cursor_moved.emit(centre.x, centre.y)
        self.update()

    # Drawing

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the frame, the panel, the rulers, and the cells in the region of ``event``."""
        painter = QPainter(self)
        self._draw_frame(painter)
        self._draw_panel(painter)
        self._draw_rulers(painter)
        self._draw_cells(painter, event.rect())
        painter.end()

    def _draw_frame(self, painter: QPainter) -> None:
        layout, theme = self.places, self.theme
        edge = layout.px(3)
        painter.fillRect(self.rect(), QColor(theme.ground))
        whole = Rect(0, 0, *layout.size).grown(-edge)
        bevel(painter, whole, edge, theme.light, theme.shade)
        bevel(painter, layout.board, edge, theme.shade, theme.light)
        bevel(painter, layout.panel, layout.px(2), theme.shade, theme.light)

    def _draw_panel(self, painter: QPainter) -> None:
        layout, theme = self.places, self.theme
        numbers = ((layout.mine_counter, self.game.mines_left), (layout.timer, self.game.seconds))
        for box, number in numbers:
            bevel(painter, box, layout.px(1), theme.shade, theme.light)
            text = counter_text(number, layout.digits)
            self._draw(painter, box, text, partial(counter_picture, text, box.width, box.height, theme))
        tense = self._presses.active and not self.game.over
        face = Face.TENSE if tense else _FACES.get(self.game.state, Face.IDLE)
        pressed = self._face_held and self._face_over
        picture = partial(face_picture, face, layout.face.width, theme, pressed=pressed)
        self._draw(painter, layout.face, (face, pressed), picture)

    def _draw_rulers(self, painter: QPainter) -> None:
        """Draw the numbers of rows and columns; those of the cell that a hint is about stand out."""
        layout, marks = self.places, self._marks
        for axis, box in enumerate(layout.rulers):
            shown = frozenset(mark.cell[axis] for mark in marks if mark.kind is Kind.NEXT)
            picture = partial(
                ruler_picture, box, layout.cell, shown, layout.scale, self.theme, down=axis == 0
            )
            self._draw(painter, box, (box, shown), picture)

    def _looks_pressed(self) -> frozenset[Cell]:
        return frozenset() if self.game.over else self._presses.pressed(self.game.board)

    def _draw_cells(self, painter: QPainter, wanted: QRect) -> None:
        board, pressed = self.game.board, self._looks_pressed()
        box, side = self.places.board, self.places.cell
        rows = range(max(0, (wanted.top() - box.y) // side), 1 + (wanted.bottom() - box.y) // side)
        cols = range(max(0, (wanted.left() - box.x) // side), 1 + (wanted.right() - box.x) // side)
        for row in rows[: board.rows - rows.start]:
            for col in cols[: board.cols - cols.start]:
                cell = Cell(row, col)
                self._draw_cell(painter, board, cell, pressed=cell in pressed)
        if self._marks:
            marks = picture_of(self.places.grid, self._marks)
            shown = QImage(marks.data, box.width, box.height, QImage.Format.Format_ARGB32)
            painter.drawImage(box.x, box.y, shown)
        if self._cursor is not None:
            self._draw_cursor(painter, self.places.grid.cell_box(self._cursor))

    def _draw_cell(self, painter: QPainter, board: Board, cell: Cell, *, pressed: bool) -> None:
        box, state = self.places.grid.cell_box(cell), board[cell]
        picture = partial(cell_picture, state, box.width, self.theme, pressed=pressed)
        self._draw(painter, box, (state, pressed), picture)

    def _draw_cursor(self, painter: QPainter, box: Rect) -> None:
        """Draw a frame of two colours, which is visible on every ground and on every mark."""
        for step, colour in enumerate((self.theme.ink, self.theme.cursor)):
            width = self.places.px(1)
            bevel(painter, box.grown(-width * (step + 1)), width, colour, colour)

    def _draw(self, painter: QPainter, box: Rect, key: object, picture: Callable[[], QImage]) -> None:
        """Draw the picture with this ``key`` from the cache; call ``picture`` to make it the first time."""
        if key not in self._pictures:
            self._pictures[key] = QPixmap.fromImage(picture())
        painter.drawPixmap(box.x, box.y, self._pictures[key])


def _rect(box: Rect) -> QRect:
    return QRect(box.x, box.y, box.width, box.height)
