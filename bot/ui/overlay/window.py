"""The windows that show marks and words over the game: Qt, in a process that never imports cv2.

They are cut to what they show, so they need no transparency, no compositor, and are alike with one. Clicks go
through them.
"""

from __future__ import annotations

import json
import sys
import threading
from typing import IO, Any

import numpy as np
from PySide6.QtCore import QObject, QRect, Qt, QTimer, Signal
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
from bot.ui.overlay.drawing import Picture
from bot.ui.overlay.sheet import Sheet
from bot.ui.overlay.words import place_beside

RAISE = 200  # milliseconds after which what came over the marks by a click on the game is below them again
_FLAGS = (
    Qt.WindowType.Tool
    | Qt.WindowType.FramelessWindowHint
    | Qt.WindowType.WindowStaysOnTopHint
    | Qt.WindowType.WindowTransparentForInput
    | Qt.WindowType.WindowDoesNotAcceptFocus
    | Qt.WindowType.NoDropShadowWindowHint
    | Qt.WindowType.X11BypassWindowManagerHint  # else the window manager's frame would take the clicks
)
# Some compositors lay a shadow around each window, however little of it is seen, which would darken the game;
# but around none that says that it is a desktop (picom), or that could be translucent (xcompmgr). Under Wine
# a window that could be translucent is not cut.
_ATTRIBUTES = (
    Qt.WidgetAttribute.WA_ShowWithoutActivating,
    Qt.WidgetAttribute.WA_X11NetWmWindowTypeDesktop,
    *(() if sys.platform == "win32" else (Qt.WidgetAttribute.WA_TranslucentBackground,)),
)
_NOTHING = QRegion(-2, -2, 1, 1)  # a mask that is empty would be none
_PAPER, _INK, _EDGE = QColor(32, 32, 32), QColor(255, 255, 255), QColor(128, 128, 128)
_MARGIN = 5  # pixels around words
_FAMILIES = ("Segoe UI", "DejaVu Sans")  # Wine's choice where the first is missing cannot be read
_TEXT = 13  # pixels, on a screen with 96 dots an inch
_WIDEST = 30  # times the height of a text


class Orders(QObject):
    """Reads orders from a stream in a thread of its own, and hands them on in that of the windows."""

    came = Signal(str)
    ended = Signal()

    def __init__(self, stream: IO[str], parent: QObject) -> None:
        super().__init__(parent)
        self._stream = stream
        self._thread = threading.Thread(target=self._read, name="orders", daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def _read(self) -> None:
        for line in self._stream:
            self.came.emit(line)
        self.ended.emit()


class MarksWindow(QWidget):
    """Shows marks on a board, cut to them; nothing of it is seen while there are none."""

    def __init__(self) -> None:
        super().__init__(None, _FLAGS)
        for attribute in _ATTRIBUTES:
            self.setAttribute(attribute)
        self._image = QImage()
        self._picture: Picture | None = None
        self.setGeometry(0, 0, 1, 1)
        self.setMask(_NOTHING)

    def put(self, picture: Picture, rect: Rect) -> None:
        """Show BGRA pixels at ``rect`` of the screen."""
        self._picture = np.ascontiguousarray(picture)  # the image has no copy of its own
        height, width = picture.shape[:2]
        self._image = QImage(self._picture.data, width, height, QImage.Format.Format_ARGB32)
        self.setGeometry(rect.x, rect.y, width, height)
        self.setMask(QBitmap.fromImage(self._image.createAlphaMask()))
        self.repaint()

    def clear(self) -> None:
        """Show nothing."""
        self.setMask(_NOTHING)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt calls it by this name
        """Paint the marks."""
        painter = QPainter(self)
        painter.drawImage(0, 0, self._image)
        painter.end()


class WordsWindow(QLabel):
    """Shows a sentence beside a rectangle of the screen."""

    def __init__(self, scale: float) -> None:
        super().__init__()
        self.setWindowFlags(_FLAGS)
        for attribute in _ATTRIBUTES:
            self.setAttribute(attribute)
        self.setMargin(_MARGIN)
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.WindowText, _INK)
        self.setPalette(palette)
        font = QFont(self.font())
        font.setFamilies([*_FAMILIES, font.family()])
        font.setPixelSize(round(_TEXT * scale))
        self.setFont(font)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._text = round(_TEXT * scale)

    def put(self, words: str, beside: Rect) -> None:
        """Show the words; not if there are none, or no room for them."""
        self.setText(words)
        width = max(beside.width, _WIDEST * self._text)
        height = self.heightForWidth(width)
        screen = QGuiApplication.screenAt(QRect(beside.x, beside.y, beside.width, beside.height).center())
        room = (
            place_beside(beside, (width, height), _as_rect(screen.geometry())) if screen and words else None
        )
        if room is None:
            self.hide()
            return
        self.setGeometry(room.x, room.y, room.width, room.height)
        self.show()
        self.repaint()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt calls it by this name
        """Paint the words on a ground of their own."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), _EDGE)
        painter.fillRect(self.rect().adjusted(1, 1, -1, -1), _PAPER)
        painter.end()
        super().paintEvent(event)


class Overlay(QWidget):
    """Carries out orders, lines of JSON, and answers each with its number; ends with the stream of orders.

    It is itself no window that is seen: it holds those that are.
    """

    def __init__(self, orders: IO[str], answers: IO[str], scale: float) -> None:
        super().__init__()
        self._answers, self._marks, self._words = answers, MarksWindow(), WordsWindow(scale)
        self._sheet: Sheet | None = None
        self._orders = Orders(orders, self)
        self._orders.came.connect(self._obey, Qt.ConnectionType.QueuedConnection)
        self._orders.ended.connect(QGuiApplication.quit, Qt.ConnectionType.QueuedConnection)
        self._timer = QTimer(self)
        self._timer.setInterval(RAISE)
        self._timer.timeout.connect(self._raise)

    def show(self) -> None:
        """Begin to heed orders."""
        self._marks.show()
        self._words.put("0", Rect(0, 0, 1, 1))  # now, as to find fonts may take seconds
        self._words.hide()
        for window in (self._marks, self._words):
            keep_out_of_captures(int(window.winId()))
        self._answer(ready=True)
        self._orders.start()

    def _obey(self, line: str) -> None:
        order = json.loads(line)
        told = order.get("sheet")
        sheet = None if told is None else Sheet.from_json(told)
        if sheet is None:
            self._marks.clear()
        else:
            self._marks.put(sheet.picture(), sheet.rect)
            self._marks.raise_()
        QGuiApplication.sync()
        self._answer(done=order["number"])
        self._put_words(sheet)  # nobody has to wait for them: they stand beside the board

    def _put_words(self, sheet: Sheet | None) -> None:
        if sheet is None:
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


def _as_rect(area: QRect) -> Rect:
    return Rect(area.x(), area.y(), area.width(), area.height())


def make(scale: float) -> QWidget:
    """Return the overlay, which heeds standard input and answers on standard output."""
    return Overlay(sys.stdin, sys.stdout, scale)
