"""``minebot panel``: a small window to lead ``minebot play`` from."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.folders import data_folder
from bot.cli.game import check_display
from bot.cli.options import DebugOption


def panel(
    settings: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Keep what is chosen in this folder.")
    ] = None,
    _debug: DebugOption = False,
) -> None:
    """Start, pause and stop play from a small window, round by round if you like.

    What is chosen in it is there again the next time.
    """
    check_display()
    line = [sys.executable, "-m", "bot.cli.panel_window", str(data_folder(settings))]
    if code := subprocess.run(line).returncode:
        raise typer.Exit(code if code > 0 else 1)
