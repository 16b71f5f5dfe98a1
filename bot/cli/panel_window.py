"""The process of the window of ``minebot panel``.

::

    python -m bot.cli.panel_window FOLDER

It is one of its own since OpenCV, which the commands load, may bring a Qt that is not ours.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NoReturn

from bot.cli.output import complain
from bot.cli.run import Stopped, ended_by_signals
from bot.errors import BotError
from bot.panel.app import show_panel


def main() -> NoReturn:
    """Show the panel; exit with the code of what went wrong, which is told in one line."""
    with ended_by_signals():
        try:
            show_panel(Path(sys.argv[1]))
        except Stopped as stopped:
            sys.exit(stopped.exit_code)
        except BotError as error:
            complain(str(error))
            sys.exit(error.exit_code)
    sys.exit(0)


if __name__ == "__main__":
    main()
