"""Showing a record until its window is closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.session.record import Record
from bot.ui.application import run_application

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

NAME = "minebot-replay"  # the window's class on X11


def show_record(record: Record, game: int = 0) -> None:
    """Show the rounds of ``record``, from its ``game``-th game on (from 0), until the window is closed.

    Raises what `run_application` raises.
    """

    def make(_scale: float) -> QWidget:
        from bot.session.window.window import RecordWindow

        return RecordWindow(record, game)

    run_application(NAME, make)
