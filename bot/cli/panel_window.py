"""The process of the window of ``minebot panel``.

::

    python -m bot.cli.panel_window FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NoReturn

from bot.cli.window_process import exit_after
from bot.ui.application import show_panel


def main() -> NoReturn:
    """Show the panel, and end the process."""
    exit_after(lambda: show_panel(Path(sys.argv[1])))


if __name__ == "__main__":
    main()
