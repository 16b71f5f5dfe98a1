"""Run the command line: ``python -m bot`` is the same as ``minebot``."""

from __future__ import annotations

import gc
import os
import sys


def main() -> None:
    """Run the command line; Ctrl+C ends it in one line from the first moment, while code is still loaded."""
    try:
        from bot.installation import is_built

        if is_built():  # a built program is also what multiprocessing starts
            from multiprocessing import freeze_support

            freeze_support()
        gc.disable()  # until the code is loaded: looking for garbage in it takes a fifth of a second
        from bot.cli import main as run

        run()
    except KeyboardInterrupt:
        os.write(2, b"minebot: stopped: Ctrl+C was pressed\n")
        os._exit(4)  # the exit code of `bot.errors.StoppedError`


def _use_own_package() -> None:
    """Import minebot from the folder of this file, and nothing from the current folder.

    ``python -m bot`` puts the current folder first, where any file may have the name of a library. Started by
    its path, as other processes of minebot are, this file may lie in a folder where Python does not look.
    """
    if not sys.flags.safe_path and sys.path[0] == os.getcwd():  # noqa: PTH109 - pathlib is not loaded yet
        del sys.path[0]
    own = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120
    if own not in sys.path:
        sys.path.insert(0, own)


if __name__ == "__main__":
    if not getattr(sys, "frozen", False):  # a built program has a path of its own
        _use_own_package()
    main()
