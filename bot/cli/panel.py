"""``minebot panel``: a small window to lead ``minebot play`` from, in a process of its own.

OpenCV, which the commands load, may bring a Qt that is not ours; the process of the window loads none.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.files import data_folder
from bot.cli.game import check_display
from bot.cli.options import DebugOption
from bot.errors import LaunchError

PATIENCE = 40.0  # seconds for a window to close once it is told to: more than the panel gives its run
_MOST = 255  # a greater exit code is one that Windows gives to a crash


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
    run_window("bot.cli.panel_window", str(data_folder(settings)))


def run_window(module: str, *arguments: str) -> None:
    """Run the window of ``module`` until it is closed; close it if this process is ended before.

    Raises typer.Exit with its exit code if that is not 0, LaunchError if it has crashed or was killed.
    """
    window = subprocess.Popen([sys.executable, "-m", module, *arguments])
    try:
        code = window.wait()
    except BaseException:
        _close(window)
        raise
    if not 0 <= code <= _MOST:
        raise LaunchError(f"the window has crashed or was killed ({_named(code)}): open it again")
    if code:
        raise typer.Exit(code)


def _close(window: subprocess.Popen[bytes]) -> None:
    """Let the window end what it has started and keep what was chosen; kill it if it does not end."""
    try:
        if sys.platform != "win32":  # there that would kill it, and it hears Ctrl+C from the console itself
            window.terminate()
        with suppress(subprocess.TimeoutExpired):
            window.wait(PATIENCE)
    finally:  # Ctrl+C once more is not to wait
        window.kill()
        window.wait()


def _named(code: int) -> str:
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"code {code}"
