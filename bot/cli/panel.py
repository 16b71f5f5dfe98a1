"""``minebot panel``: a small window to lead ``minebot play`` from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.cli.files import data_folder
from bot.cli.game import check_display


def panel(
    settings: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Keep what is chosen in this folder.")
    ] = None,
) -> None:
    """Start, pause and stop play from a small window, round by round if you like.

    What is chosen in it is there again the next time.
    """
    check_display()
    from bot.ui.application import show_panel

    show_panel(data_folder(settings))
