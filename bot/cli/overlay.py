"""``minebot overlay``: the process that shows marks over a game, for dry runs; it is not for people."""

from __future__ import annotations

import sys
from typing import Any

import typer

from bot.cli.output import print_json
from bot.errors import BotError


def overlay() -> None:
    """Show marks by orders on standard input, until it ends. Dry runs start this."""
    from bot.ui.application import run_application

    def make(scale: float) -> Any:
        from bot.ui.overlay_windows import OverlayWindows

        return OverlayWindows(sys.stdin, sys.stdout, scale)

    try:
        run_application("minebot-overlay", make)
    except BotError as error:  # to the dry run, which says it
        print_json({"error": str(error)})
        raise typer.Exit(error.exit_code) from None
