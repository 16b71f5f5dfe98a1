"""Run the command line: ``python -m bot`` is the same as ``minebot``."""

import os
import signal
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line; Ctrl+C ends it in one line from the first moment, while code is still loaded."""
    signal.signal(signal.SIGINT, _stop)
    if getattr(sys, "frozen", False):  # a built program is also what multiprocessing starts
        from multiprocessing import freeze_support

        freeze_support()
    from bot.cli import main as run

    run()


def _stop(*_: object) -> NoReturn:
    os.write(2, b"minebot: stopped: Ctrl+C was pressed\n")
    os._exit(4)  # the exit code of `bot.errors.StoppedError`


if __name__ == "__main__":
    main()
