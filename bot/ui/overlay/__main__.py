"""The process that shows marks: orders come on standard input, answers go to standard output."""

import json
import sys

from bot.errors import BotError
from bot.ui.application import run_application
from bot.ui.overlay.link import NAME
from bot.ui.overlay.window import make

if __name__ == "__main__":
    try:
        run_application(NAME, make)
    except BotError as error:
        sys.stdout.write(json.dumps({"error": str(error)}) + "\n")
        sys.exit(error.exit_code)
