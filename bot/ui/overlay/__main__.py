"""The process that shows marks: orders come on standard input, answers go to standard output."""

import json
import sys

from bot.errors import BotError
from bot.ui.application import show_overlay

if __name__ == "__main__":
    try:
        show_overlay()
    except BotError as error:
        sys.stdout.write(json.dumps({"error": str(error)}) + "\n")
        sys.exit(error.exit_code)
