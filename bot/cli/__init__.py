"""The command line: the only part that prints, and the only one that catches errors for good."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from bot.cli.output import complain
from bot.cli.program import Run, Stopped, ended_by_signals, use_one_thread
from bot.errors import BotError


def main() -> NoReturn:
    """Run the command line and exit with its code; every error becomes one line on standard error."""
    use_one_thread()
    with ended_by_signals():
        try:
            code = _run(sys.argv[1:])
        finally:
            _settle_output()
    sys.exit(code)


def _run(arguments: Sequence[str]) -> int:
    run = Run()
    try:
        from bot.cli.commands import command  # takes a while, and Ctrl+C is heeded already

        code = command(arguments, run)
        sys.stdout.flush()
    except Stopped as stopped:
        complain("stopped: Ctrl+C was pressed")
        return stopped.exit_code
    except Exception as error:
        return _report(error, run.debug)
    return code


def _report(error: Exception, debug: bool) -> int:
    """Tell of an error; return the exit code."""
    if debug:
        traceback.print_exception(error)
    if isinstance(error, BotError):
        complain(str(error))
        return error.exit_code
    if isinstance(error, BrokenPipeError):  # the reader has gone, as in `minebot replay ... | head`
        return 1
    if isinstance(error, OSError):
        complain(f"a file or the output cannot be read or written: {error}")
        return 1
    complain(f"internal error, please report it: {type(error).__name__}: {error} (--debug shows where)")
    return 1


def _settle_output() -> None:
    """Let output that cannot be written go nowhere, or Python would try and complain once more at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        with suppress(OSError):  # a stand-in for standard output may have no file
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
