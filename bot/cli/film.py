"""The process of the window in which ``minebot replay`` shows a record.

::

    python -m bot.cli.film FOLDER GAME

It is one of its own since OpenCV, which the commands load, may bring a Qt that is not ours.
"""

from __future__ import annotations

import sys
from typing import NoReturn

from bot.cli.output import complain
from bot.cli.run import Stopped, ended_by_signals
from bot.errors import BotError
from bot.session import load_record
from bot.session.window import show_record


def main() -> NoReturn:
    """Show the record; exit with the code of what went wrong, which is told in one line."""
    folder, game = sys.argv[1], int(sys.argv[2])
    with ended_by_signals():
        try:
            show_record(load_record(folder), game)
        except Stopped as stopped:
            sys.exit(stopped.exit_code)
        except BotError as error:
            complain(str(error))
            sys.exit(error.exit_code)
    sys.exit(0)


if __name__ == "__main__":
    main()
