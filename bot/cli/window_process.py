"""Windows of commands in processes of their own.

OpenCV, which the commands load, may bring a Qt that is not ours. A module of such a process is run by its
name, and its `main` leaves all but its window to `exit_after`.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import NoReturn

from bot.cli.output import complain
from bot.cli.run import Stopped, ended_by_signals
from bot.errors import BotError


def run_window(module: str, *arguments: str) -> None:
    """Run the window of ``module`` until it is closed. Raises typer.Exit with its code if that is not 0."""
    import typer  # the process of the window needs none

    if code := subprocess.run([sys.executable, "-m", module, *arguments]).returncode:
        raise typer.Exit(code if code > 0 else 1)


def exit_after(show: Callable[[], None]) -> NoReturn:
    """Show a window and end the process; with the code of what went wrong, which is told in one line."""
    with ended_by_signals():
        try:
            show()
        except Stopped as stopped:
            sys.exit(stopped.exit_code)
        except BotError as error:
            complain(str(error))
            sys.exit(error.exit_code)
    sys.exit(0)
