"""The command line: the only part that prints, and the place where errors become messages and exit codes."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import MutableMapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import TextIOWrapper
from typing import NoReturn

from bot.cli.terminal import complain, note
from bot.errors import BotError
from bot.installation import BLOCKED, is_built, missing_library_words
from bot.signals import Stopped, ended_by_signals

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OPENCV_FOR_THREADS_NUM")


@dataclass(slots=True)
class Run:
    """The global options, such as ``--debug``; they are passed on as the object of typer's context."""

    debug: bool = False


def main() -> NoReturn:
    """Run the command line and exit with its code; print every error as one line on standard error."""
    use_one_thread()
    open_closed_streams()
    with ended_by_signals():
        try:
            code = _run(sys.argv[1:])
        finally:
            _settle_output()
    sys.exit(code)


def use_one_thread(environment: MutableMapping[str, str] = os.environ) -> None:
    """Limit numpy and OpenCV to one thread, unless ``environment`` already sets the number of threads.

    Call this before they are imported, because they read the variables then. Several threads gain little for
    the small matrices of the cell network. When all processors are busy, each product waits for its slowest
    thread, and reading a board becomes up to a hundred times slower.
    """
    for name in _THREADS:
        environment.setdefault(name, "1")


def open_closed_streams() -> None:
    """Open the null device for each closed standard stream, and let every character be printed.

    Otherwise a file that is opened later would get the number of a closed stream, and receive what libraries
    print there. A terminal that cannot show a character gets a question mark. Files and pipes get UTF-8, as
    their readers expect, also on Windows; PYTHONIOENCODING can change that, except in a built program.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123
        elif mode == "w" and isinstance(stream, TextIOWrapper):
            chosen = stream.isatty() or ("PYTHONIOENCODING" in os.environ and not is_built())
            stream.reconfigure(encoding=None if chosen else "utf-8", errors="replace")


def _run(arguments: Sequence[str]) -> int:
    run = Run()
    try:
        from bot.cli.commands import command  # slow to import: only after Ctrl+C is handled

        code = command(arguments, run)
        sys.stdout.flush()
    except Stopped as stopped:
        complain("stopped: Ctrl+C was pressed")
        return stopped.exit_code
    except Exception as error:
        return _report(error, run.debug)
    return code


def _report(error: Exception, debug: bool) -> int:
    """Print the message for ``error`` and return the exit code."""
    if debug:
        note("".join(traceback.format_exception(error)).rstrip())
    if isinstance(error, BrokenPipeError):  # the reader has ended, as in `minebot replay ... | head`
        return 1
    message = _message(error)
    complain(message)
    if is_built() and not sys.argv[1:]:
        from bot.desktop import show_message

        show_message(message)
    return error.exit_code if isinstance(error, BotError) else 1


def _message(error: Exception) -> str:
    if isinstance(error, BotError):
        return str(error)
    if isinstance(error, ImportError):
        return f"a library cannot be loaded: {error}; {missing_library_words(error)}"
    if getattr(error, "winerror", None) == BLOCKED:
        return f"a program cannot be started: {error}; {missing_library_words(error)}"
    if isinstance(error, OSError):
        return f"a file or the output cannot be read or written: {error}"
    return f"internal error, please report it: {type(error).__name__}: {error} (--debug shows where)"


def _settle_output() -> None:
    """Discard output that cannot be written; otherwise Python would try again at exit and print an error."""
    try:
        sys.stdout.flush()
    except OSError:
        with suppress(OSError):  # a replacement for standard output may have no file descriptor
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
