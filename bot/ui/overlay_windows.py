"""The windows that show marks and words over the game, with Qt, in a process that never imports cv2.

A mask limits each window to the pixels that it shows, so it needs no transparency. It looks the same with and
without a compositor. Clicks go through the windows to the game.
"""

from __future__ import annotations

import json
import sys
import threading
from typing import IO, Any

import numpy as np
from msgspec.json import decode
from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import (
    QBitmap,
    QColor,
    QFont,
    QGuiApplication,
    QImage,
    QPainter,
    QPaintEvent,
    QPalette,
    QRegion,
)
from PySide6.QtWidgets import QLabel, QWidget

from bot.desktop import keep_out_of_captures
from bot.geometry import Rect
from bot.marks import Order, Picture

RAISE = 200  # milliseconds between two raises: a click on the game may raise its window above the marks
_FLAGS = (
    Qt.WindowType.Tool
    | Qt.WindowType.FramelessWindowHint
    | Qt.WindowType.WindowStaysOnTopHint
    | Qt.WindowType.WindowTransparentForInput
    | Qt.WindowType.WindowDoesNotAcceptFocus
    | Qt.WindowType.NoDropShadowWindowHint
    | Qt.WindowType.X11BypassWindowManagerHint  # a frame of the window manager would receive the clicks
)
# Some compositors draw a shadow around every window, even a masked one, and it would darken the game. picom
# draws none around a window of type desktop, xcompmgr none around a window that may be translucent. Under
# Wine, the mask of a window that may be translucent has no effect.
_ATTRIBUTES = (
    Qt.WidgetAttribute.WA_ShowWithoutActivating,
    Qt.WidgetAttribute.WA_X11NetWmWindowTypeDesktop,
    *(() if sys.platform == "win32" else (Qt.WidgetAttribute.WA_TranslucentBackground,)),
)
_NOTHING = QRegion(-2, -2, 1, 1)  # outside the window: Qt treats an empty mask as no mask
_PAPER, _INK, _EDGE = QColor(32, 32, 32), QColor(255, 255, 255), QColor(128, 128, 128)
_MARGIN = 5  # pixels around words
_FAMILIES = ("Segoe UI", "DejaVu Sans")  # without the first, Wine would choose an illegible font
_TEXT = 13  # font size in pixels, on a screen with 96 dots per inch
_LEAST_WIDTH = 30  # least width of the words, in font sizes
_GAP = 6  # pixels between the game and the words, about the width of a window frame
_TITLE = 40  # pixels above the game for its title bar


class MarksWindow(QWidget):
    """A window that shows marks on a board; a mask hides all other pixels, and everything without marks."""

    def __init__(self) -> None:
        super().__init__(None, _FLAGS)
        for attribute in _ATTRIBUTES:
            self.setAttribute(attribute)
        self._image = QImage()
        self._picture: Picture | None = None
        self.setGeometry(0, 0, 1, 1)
        self.setMask(_NOTHING)

    def put(self, picture: Picture, rect: Rect) -> None:
        """Show ``picture``, BGRA pixels, at ``rect`` of the screen."""
        self._picture = np.ascontiguousarray(picture)  # kept alive: QImage does not copy the pixels
        height, width = picture.shape[:2]
        self._image = QImage(self._picture.data, width, height, QImage.Format.Format_ARGB32)
        self.setGeometry(rect.x, rect.y, width, height)
        self.setMask(QBitmap.fromImage(self._image.createAlphaMask()))
        self.repaint()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt calls it by this name
        """Paint the marks."""
        painter = QPainter(self)
        painter.drawImage(0, 0, self._image)
        painter.end()


class WordsWindow(QLabel):
    """A window that shows a sentence beside a rectangle of the screen."""

    def __init__(self, scale: float) -> None:
        super().__init__(margin=_MARGIN, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.setWindowFlags(_FLAGS)
        for attribute in _ATTRIBUTES:
            self.setAttribute(attribute)
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.WindowText, _INK)
        self.setPalette(palette)
        font = QFont(self.font())
        font.setFamilies([*_FAMILIES, font.family()])
        font.setPixelSize(round(_TEXT * scale))
        self.setFont(font)
        self._text = round(_TEXT * scale)

    def put(self, words: str, beside: Rect) -> None:
        """Show ``words`` beside a rectangle of the screen; hide the window if they are "" or do not fit."""
        self.setText(words)
        width = max(beside.width, _LEAST_WIDTH * self._text)
        height = self.heightForWidth(width)
        screen = QGuiApplication.screenAt(QPoint(beside.centre.x, beside.centre.y))
        room = None
        if screen and words:
            area = screen.geometry()
            whole = Rect(area.x(), area.y(), area.width(), area.height())
            room = place_beside(beside, (width, height), whole)
        if room is None:
            self.hide()
            return
        self.setGeometry(room.x, room.y, room.width, room.height)
        self.show()
        self.repaint()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt calls it by this name
        """Paint the background, its border, and the words."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), _EDGE)
        painter.fillRect(self.rect().adjusted(1, 1, -1, -1), _PAPER)
        painter.end()
        super().paintEvent(event)


class OverlayWindows(QWidget):
    """Carries out orders (lines of JSON) and answers each with its number; ends when the orders end.

    This widget is never visible: it only holds the two visible windows.
    """

    _came = Signal(str)  # an order was read in the thread
    _ended = Signal()

    def __init__(self, orders: IO[str], answers: IO[str], scale: float) -> None:
        super().__init__()
        self._orders, self._answers = orders, answers
        self._marks, self._words = MarksWindow(), WordsWindow(scale)
        self._came.connect(self._obey, Qt.ConnectionType.QueuedConnection)
        self._ended.connect(QGuiApplication.quit, Qt.ConnectionType.QueuedConnection)
        self._timer = QTimer(self, interval=RAISE)
        self._timer.timeout.connect(self._raise)

    def show(self) -> None:
        """Start to carry out orders."""
        self._marks.show()
        self._words.put("0", Rect(0, 0, 1, 1))  # load the fonts now, which may take seconds
        self._words.hide()
        for window in (self._marks, self._words):
            keep_out_of_captures(int(window.winId()))
        self._answer(ready=True)
        threading.Thread(target=self._read, name="orders", daemon=True).start()

    def _read(self) -> None:
        for line in self._orders:
            self._came.emit(line)
        self._ended.emit()

    def _obey(self, line: str) -> None:
        order = decode(line, type=Order)
        sheet = order.sheet
        if sheet is None:
            self._marks.setMask(_NOTHING)
        else:
            self._marks.put(sheet.picture(), sheet.rect)
            self._marks.raise_()
        QGuiApplication.sync()
        self._answer(done=order.number)
        if sheet is None:  # the words do not cover the board, so the answer need not wait for them
            self._words.hide()
            self._timer.stop()
        else:
            self._words.put(sheet.words, sheet.beside)
            self._raise()
            self._timer.start()

    def _raise(self) -> None:
        for window in (self._marks, self._words):
            if window.isVisible():
                window.raise_()

    def _answer(self, **words: Any) -> None:
        self._answers.write(json.dumps(words) + "\n")
        self._answers.flush()


def place_beside(game: Rect, size: tuple[int, int], screen: Rect) -> Rect | None:
    """Return a place for a box of ``size`` (width, height): below, right of, left of or above ``game``.

    All values are screen pixels. Return None if the box fits nowhere on ``screen``.
    """
    width, height = size
    x = min(max(game.x, screen.x), screen.right - width)
    y = min(max(game.y, screen.y), screen.bottom - height)
    places = (
        Rect(x, game.bottom + _GAP, width, height),
        Rect(game.right + _GAP, y, width, height),
        Rect(game.x - _GAP - width, y, width, height),
        Rect(x, game.y - _TITLE - height, width, height),
    )
    return next((place for place in places if screen.covers(place)), None)
