"""Run minebot in another process."""

from __future__ import annotations

import sys


def minebot_command(*arguments: object) -> list[str]:
    """Return the command that runs minebot with ``arguments``, by this Python or by a built program."""
    built = getattr(sys, "frozen", False)  # PyInstaller sets this
    return [sys.executable, *([] if built else ["-m", "bot"]), *map(str, arguments)]
