"""The process of the window in which ``minebot replay`` shows a record.

::

    python -m bot.cli.film FOLDER GAME
"""

from __future__ import annotations

import sys
from typing import NoReturn

from bot.cli.window_process import exit_after
from bot.session import load_record
from bot.session.window import show_record


def main() -> NoReturn:
    """Show the record, and end the process."""
    folder, game = sys.argv[1], int(sys.argv[2])
    exit_after(lambda: show_record(load_record(folder), game))


if __name__ == "__main__":
    main()
