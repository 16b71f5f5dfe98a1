"""Windows of commands in processes of their own.

OpenCV, which the commands load, may bring a Qt that is not ours. A module of such a process is run by its
name, and its `main` leaves all but its window to `exit_after`.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

from bot.cli.output import complain
from bot.cli.run import Stopped, ended_by_signals
from bot.errors import BotError, LaunchError

PATIENCE = 40.0  # seconds for a window to close once it is told to: more than the panel gives its run
_MOST = 255  # a greater exit code is one that Windows gives to a crash


def run_window(module: str, *arguments: str) -> None:
    """Run the window of ``module`` until it is closed; what ends this process closes it first.

    Raises typer.Exit with its exit code if that is not 0, LaunchError if it has crashed or was killed.
    """
    import typer  # the process of the window needs none

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
