"""The process of the window of ``minebot panel``.

::

    python -m bot.cli.panel_window FOLDER
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from bot.cli.output import complain
from bot.errors import BotError
from bot.signals import Stopped, ended_by_signals
from bot.ui.application import show_panel


def main() -> NoReturn:
    """Show the panel, and end the process."""
    exit_after(lambda: show_panel(Path(sys.argv[1])))


def exit_after(show: Callable[[], None]) -> NoReturn:
    """Show a window and end the process; print what went wrong, and exit with its code."""
    with ended_by_signals():
        try:
            show()
        except Stopped as stopped:
            sys.exit(stopped.exit_code)
        except BotError as error:
            complain(str(error))
            sys.exit(error.exit_code)
    sys.exit(0)


if __name__ == "__main__":
    main()
