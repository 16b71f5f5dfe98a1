"""``minebot panel``: a small window that controls ``minebot play``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from bot.cli.files import data_folder
from bot.cli.game import check_display


def panel(
    settings: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Keep what is chosen in this folder.")
    ] = None,
) -> None:
    """Start, pause and stop play from a small window; it can also play one round at a time.

    The window remembers your choices.
    """
    check_display()
    from bot.ui.application import run_application

    def make(_scale: float) -> Any:
        from bot.ui.panel import Panel
        from bot.ui.panel_run import Process, SavedPanel

        return Panel(SavedPanel(data_folder(settings)), Process())

    run_application("minebot-panel", make)
