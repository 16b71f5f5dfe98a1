"""``minebot overlay``: the process that shows marks over a game, for dry runs; it is not for people."""

from __future__ import annotations

import typer

from bot.cli.output import print_json
from bot.errors import BotError


def overlay() -> None:
    """Show marks by orders on standard input, until it ends. Dry runs start this."""
    from bot.ui.application import show_overlay

    try:
        show_overlay()
    except BotError as error:  # to the dry run, which says it
        print_json({"error": str(error)})
        raise typer.Exit(error.exit_code) from None
