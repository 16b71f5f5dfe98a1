"""Run the command line: ``python -m bot`` is the same as ``minebot``."""

from __future__ import annotations

import os


def main() -> None:
    """Run the command line; Ctrl+C ends it in one line from the first moment, while code is still loaded."""
    try:
        from bot.installation import is_built

        if is_built():  # a built program is also what multiprocessing starts
            from multiprocessing import freeze_support

            freeze_support()
        from bot.cli import main as run

        run()
    except KeyboardInterrupt:
        os.write(2, b"minebot: stopped: Ctrl+C was pressed\n")
        os._exit(4)  # the exit code of `bot.errors.StoppedError`


if __name__ == "__main__":
    main()
