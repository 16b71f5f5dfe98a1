"""What is below the menus: the game, with scroll bars where the screen is too small, and a line of words."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLabel,
    QLayout,
    QMainWindow,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from bot.ui.game.theme import Theme

_CHROME = QSize(32, 160)  # what menus, words and the window's frame take of the screen at most
_MARGIN = 6
# Room for this is always kept: a window that changed its size at the end of a game would be hard to follow.
_LONGEST_RESULT = "Won in 999.999 s, with help. 3BV 1000, 1000 clicks, 3BV/s 10.00."


class Body:
    """Keeps the window exactly as large as the game and the words need."""

    def __init__(self, window: QMainWindow, view: QWidget) -> None:
        self._window, self._view = window, view
        self._area = QScrollArea()
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidget(view)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._words = QLabel()
        self._words.setWordWrap(True)
        self._words.setMargin(_MARGIN)
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._words.setAlignment(Qt.AlignmentFlag.AlignTop)
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._area)
        column.addWidget(self._words)
        window.setCentralWidget(whole)
        frame = window.layout()
        if frame is not None:
            frame.setSizeConstraint(QLayout.SizeConstraint.SetFixedSize)

    def say(self, words: str) -> None:
        """Show words, as many lines as they take."""
        self._words.setText(words)
        self._fit_words()

    def fit(self, theme: Theme) -> None:
        """Take the size of the game, and the colours of the theme."""
        wanted, room = self._view.size(), self._window.screen().availableSize() - _CHROME
        bar = self._area.verticalScrollBar().sizeHint().width()
        too_high, too_wide = wanted.height() > room.height(), wanted.width() > room.width()
        size = wanted + QSize(bar * too_high, bar * too_wide)
        self._area.setFixedSize(size.boundedTo(room))
        QApplication.setPalette(QPalette(QColor(theme.ground)))  # menus and dialogs too
        self._fit_words()

    def _fit_words(self) -> None:
        width = self._area.width()
        self._words.setFixedWidth(width)
        self._words.setMinimumHeight(0)  # the label would ask for what it was given before
        inside = QRect(0, 0, width - 2 * _MARGIN, 0)
        result = self._words.fontMetrics().boundingRect(inside, Qt.TextFlag.TextWordWrap, _LONGEST_RESULT)
        least = result.height() + 2 * _MARGIN
        self._words.setFixedHeight(max(least, self._words.heightForWidth(width)))
