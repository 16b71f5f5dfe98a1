"""What the window says in words: how a game went, and how the game is played."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from bot.game.round import Summary

_HELP = """\
<p>Open every cell without a mine. A number says how many of the eight cells around it are mines.</p>
<p><b>Left button</b>: open a cell.<br>
<b>Right button</b>: flag a mine; again for a question mark.<br>
<b>Both buttons, the middle one, or left with Shift</b>, on a number with as many flags around it:
open its other neighbours.<br>
<b>F2</b> or the face: a new game. <b>F3</b>: a hint. <b>F4</b>: stop playing by itself.</p>
<p>A best time counts if the game was played without hints.</p>
"""


def told(summary: Summary) -> str:
    """Return in one line how a game went."""
    clicks = f"{summary.clicks} click{'s' * (summary.clicks != 1)}"
    if not summary.won:
        return f"Lost after {summary.seconds:.1f} s. 3BV {summary.bbbv}, {clicks}."
    speed = f"{summary.bbbv_per_second:.2f}"
    aid = ", with help" if summary.aided else ""
    return f"Won in {summary.seconds:.3f} s{aid}. 3BV {summary.bbbv}, {clicks}, 3BV/s {speed}."


def dialog(parent: QWidget) -> QMessageBox:
    """Return the dialog that says how to play."""
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setWindowTitle("How to Play")
    box.setTextFormat(Qt.TextFormat.RichText)
    box.setText(_HELP)
    return box
