"""The dialogs: a custom level, the best times, how to play."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QGridLayout,
    QLabel,
    QMessageBox,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from bot.errors import UsageError
from bot.levels import LEVELS, Level, check_level
from bot.ui.game.saved import LARGEST, SMALLEST, BestTimes

_OK = QDialogButtonBox.StandardButton.Ok
_CANCEL = QDialogButtonBox.StandardButton.Cancel
_CLOSE = QDialogButtonBox.StandardButton.Close
_HELP = """\
<p>Open every cell without a mine. A number says how many of the eight cells around it are mines.</p>
<p><b>Left button</b>: open a cell.<br>
<b>Right button</b>: flag a mine; again for a question mark.<br>
<b>Both buttons, the middle one, or left with Shift</b>, on a number with as many flags around it:
open its other neighbours.<br>
<b>Keyboard</b>: arrow keys choose a cell, <b>Space</b> or <b>Enter</b> opens it, <b>F</b> flags it.<br>
<b>F2</b> or the face: a new game. <b>F3</b>: a hint.</p>
<p>A best time counts if the game was played without hints and warnings, and not by minebot.</p>
"""
NO_GUESS = ", no guess"  # appended to the level's name: such boards have separate best times


class _Dialog(QDialog):
    """A dialog of the window; it is deleted when it is closed."""

    def __init__(self, parent: QWidget, title: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)


class CustomDialog(_Dialog):
    """A dialog that asks for rows, columns and mines, and calls ``chosen`` with a level that is playable."""

    def __init__(self, parent: QWidget, level: Level, chosen: Callable[[Level], None]) -> None:
        super().__init__(parent, "Custom Field")
        self._chosen = chosen
        (least_rows, least_cols), (rows, cols) = SMALLEST, LARGEST
        self._rows = QSpinBox(self, minimum=least_rows, maximum=rows, value=level.rows)
        self._cols = QSpinBox(self, minimum=least_cols, maximum=cols, value=level.cols)
        self._mines = QSpinBox(self, minimum=1, maximum=rows * cols - 1, value=level.mines)
        form = QFormLayout()
        form.addRow("&Rows", self._rows)
        form.addRow("&Columns", self._cols)
        form.addRow("&Mines", self._mines)
        self._complaint = QLabel(self, wordWrap=True)
        self._complaint.hide()
        buttons = QDialogButtonBox(_OK | _CANCEL, self)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(self._complaint)
        column.addWidget(buttons)
        self._rows.setFocus()  # now, because keys may be typed before the dialog is active
        self._rows.selectAll()

    def accept(self) -> None:
        """Accept the level, or show what is wrong with it and stay open."""
        level = Level(self._rows.value(), self._cols.value(), self._mines.value())
        try:
            check_level(level, SMALLEST, LARGEST)
        except UsageError as error:
            self._complaint.setText(str(error))
            self._complaint.show()
            return
        super().accept()
        self._chosen(level)


class BestTimesDialog(_Dialog):
    """A dialog that shows the best times. ``reset`` is called if the user resets them and confirms that."""

    def __init__(self, parent: QWidget, times: BestTimes, reset: Callable[[], None]) -> None:
        super().__init__(parent, "Best Times")
        self._times, self._reset = times, reset
        self._table = QGridLayout()
        self._table.setHorizontalSpacing(16)
        buttons = QDialogButtonBox(_CLOSE, self)
        self.reset_button = buttons.addButton("&Reset", QDialogButtonBox.ButtonRole.ResetRole)
        self.reset_button.setAutoDefault(False)
        self.reset_button.clicked.connect(self._ask)
        buttons.rejected.connect(self.reject)
        buttons.button(_CLOSE).setDefault(True)
        column = QVBoxLayout(self)
        column.addLayout(self._table)
        column.addWidget(buttons)
        self._fill()
        buttons.button(_CLOSE).setFocus()

    def _fill(self) -> None:
        while item := self._table.takeAt(0):
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        times = self._times.times
        others = (name for name in sorted(times) if name not in LEVELS)
        for row, category in enumerate([*LEVELS, *others]):
            best = times.get(category)
            shown = ("none yet",) if best is None else (f"{best.seconds:.3f} s", best.day)
            for col, text in enumerate((category.capitalize(), *shown)):
                self._table.addWidget(QLabel(text, self), row, col)

    def _ask(self) -> None:
        question = message_box(self, "Reset Best Times", "Delete all best times?")
        yes = question.addButton("&Forget them", QMessageBox.ButtonRole.AcceptRole)
        keep = question.addButton("&Keep them", QMessageBox.ButtonRole.RejectRole)
        question.setDefaultButton(keep)
        question.setEscapeButton(keep)
        question.buttonClicked.connect(lambda button: self._answered(button is yes))
        question.open()

    def _answered(self, agreed: bool) -> None:
        if agreed:
            self._reset()
            self._fill()


def how_to_play(parent: QWidget) -> QMessageBox:
    """Return the dialog that explains how to play."""
    return message_box(parent, "How to Play", _HELP)


def message_box(parent: QWidget, title: str, text: str) -> QMessageBox:
    """Return a dialog that shows ``text``, which may be HTML; it is deleted when it is closed."""
    box = QMessageBox(QMessageBox.Icon.NoIcon, title, text, parent=parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return box
