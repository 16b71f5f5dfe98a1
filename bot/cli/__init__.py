"""The command line: the only part that prints, and the only one that catches errors for good."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import MutableMapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NoReturn

from bot.cli.output import complain
from bot.errors import BotError
from bot.signals import Stopped, ended_by_signals

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OPENCV_FOR_THREADS_NUM")


@dataclass(slots=True)
class Run:
    """The options that stand before the command; typer's context carries them."""

    debug: bool = False


def main() -> NoReturn:
    """Run the command line and exit with its code; every error becomes one line on standard error."""
    use_one_thread()
    with ended_by_signals():
        try:
            code = _run(sys.argv[1:])
        finally:
            _settle_output()
    sys.exit(code)


def use_one_thread(environment: MutableMapping[str, str] = os.environ) -> None:
    """Let numpy and OpenCV work on one thread, unless ``environment`` says how many.

    They look there when they are imported, which must come later. The products of a small network are shared
    out in less time than they take, but where all processors have work one waits for the slowest of its
    threads: boards are then read up to a hundred times slower.
    """
    for name in _THREADS:
        environment.setdefault(name, "1")


def _run(arguments: Sequence[str]) -> int:
    run = Run()
    try:
        from bot.cli.commands import command  # takes a while, and Ctrl+C works already

        code = command(arguments, run)
        sys.stdout.flush()
    except Stopped as stopped:
        complain("stopped: Ctrl+C was pressed")
        return stopped.exit_code
    except Exception as error:
        return _report(error, run.debug)
    return code


def _report(error: Exception, debug: bool) -> int:
    """Print an error; return the exit code."""
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
