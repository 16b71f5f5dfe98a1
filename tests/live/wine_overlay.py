"""Marks of the Windows build over WineMine, all under Wine: clicks go through them, and they follow.

Run from the repository root, with ``--pictures DIR`` to keep what was seen:
``PYTHONPATH=.:tests:tests/live python tests/live/wine_overlay.py``. It ends with an error where marks do not
stand on the suggested cell, a click does not open it, the window is moved and they do not follow, it is
covered and they stay, or the board without marks is not what was read below them. The first run fetches
Windows' Python and Qt.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, closing, nullcontext
from pathlib import Path

from bot.desktop import open_desktop
from bot.geometry import Pixels, Point, Rect
from bot.levels import BEGINNER
from bot.targets.launch import virtual_display, wine_prefix, winemine
from bot.vision import save_picture
from conftest import wait_for
from shown import Session, compositor, cover, move_to, play_through, session
from windows_python import REPOSITORY, windows_python, windows_qt

GAMES = 3
MENU = 19  # pixels: for Windows the menu does not belong to the client area, which X11 knows nothing of
STRATEGY = ("--strategy", "exact")  # nothing is compiled for it, which takes minutes under Wine


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--compositor", default="", help="a compositor to be run, with its options")
    parser.add_argument("--pictures", type=Path)
    options = parser.parse_args()
    above = options.compositor.split()
    python, qt = windows_python(), windows_qt()
    settings = {
        "PYTHONPATH": f"Z:{REPOSITORY};Z:{qt}",
        "PYTHONPYCACHEPREFIX": str(python.parent / "bytecode"),
        "PYTHONUTF8": "1",
    }
    with ExitStack() as stack:
        stack.enter_context(virtual_display())
        stack.enter_context(compositor(*above) if above else nullcontext())
        wine = stack.enter_context(wine_prefix())
        desktop = stack.enter_context(closing(open_desktop()))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        environment = {**wine.environment, **settings}
        for game in range(options.games):
            program = ("wine", str(python))
            with (
                winemine(wine, BEGINNER) as window,
                session(
                    window, desktop, folder, *STRATEGY, program=program, menu=MENU, **environment
                ) as user,
            ):
                clicks = play_through(user)
                check("marks follow the window", lambda user=user: follows(user))  # type: ignore[misc]
                if options.pictures is not None:
                    save_picture(options.pictures / f"wine-{game + 1}.png", picture(user))
                check("marks go when the board is covered", lambda user=user: goes(user))  # type: ignore[misc]
                user.run.process.terminate()
                check("marks go with the bot", user.no_marks)
                check("the board is what was read below the marks", user.reads_the_same)
                print(f"game {game + 1}: {clicks} clicks through marks, {user.told['state']}", flush=True)


def picture(user: Session) -> Pixels:
    """Return what is seen of the game and the words below it, once all is painted."""
    time.sleep(1.0)
    client = user.window.client
    area = Rect(client.x - 12, client.y - 8, max(client.width, 400) + 24, client.height + 80)
    return user.capture.grab(area).pixels


def follows(user: Session) -> bool:
    if user.told["state"] == "running":
        user.window = move_to(user.window, user.desktop, Point(300, 200))
    return wait_for(user.marks_stand)


def goes(user: Session) -> bool:
    with cover(Rect(user.window.client.x + 10, user.window.client.y + 60, 60, 40)):
        return wait_for(user.no_marks)


def check(what: str, right: Callable[[], bool]) -> None:
    if not wait_for(right):
        raise SystemExit(f"not so: {what}")


if __name__ == "__main__":
    main()
