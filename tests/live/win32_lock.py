"""Runs inside Windows Python: asks for the lock of the desktop while another has it, and after its death.

Prints what came of that as a line of JSON. With ``keep`` it only keeps the lock.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time

from bot.cli.lock import only_bot, this_display
from bot.errors import BusyError


def keep() -> None:
    with only_bot(this_display()):
        print("playing", flush=True)
        time.sleep(60)


def ask() -> str:
    try:
        with only_bot(this_display()):
            return ""
    except BusyError as error:
        return str(error)


def main() -> None:
    first = subprocess.Popen([sys.executable, __file__, "keep"], stdout=subprocess.PIPE)
    assert first.stdout is not None
    first.stdout.readline()
    refused = ask()
    first.kill()
    first.wait()
    deadline = time.monotonic() + 15
    while (later := ask()) and time.monotonic() < deadline:
        time.sleep(0.05)
    print(json.dumps({"first": first.pid, "refused": refused, "later": later}))


if __name__ == "__main__":
    keep() if sys.argv[1:] else main()
