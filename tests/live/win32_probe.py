"""Run inside Windows Python: use WineMine with the bot's own functions, and print the results as JSON lines.

A line ``{"waiting": NAME}`` asks the test outside to act on the X display itself.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import pkgutil
import random
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import bot
from bot.capture import ScreenCapture
from bot.desktop import ScreenMouse, hdr_is_on, load_library, scaling
from bot.desktop.protocols import Button, Clock, Visibility, Window
from bot.desktop.win32 import Win32Desktop
from bot.errors import WindowError
from bot.geometry import Point, Rect
from bot.play.dialogs import Keys, dismiss_popups
from win32_dialog import TITLE

PATIENCE = 60.0
ATTEMPTS = 3
GRID_X, GRID_Y, PITCH, SIDE = 5, 33, 16, 9  # WineMine's beginner board, in client pixels
SHOW_MINIMISED, CLOSE_MESSAGE = 6, 0x10


def wait_for(condition: Callable[[], Any]) -> Any:
    """Return the first true result of ``condition``, or its last result after `PATIENCE`."""
    deadline = time.monotonic() + PATIENCE
    while not (answer := condition()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return answer


def dpi_awareness() -> int:
    """Return the DPI awareness of this process; 2: Windows scales its coordinates on no monitor."""
    user32 = load_library("user32")
    current, awareness = user32.GetThreadDpiAwarenessContext, user32.GetAwarenessFromDpiAwarenessContext
    current.restype, awareness.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    return int(awareness(current()))


class Probe:
    def __init__(self) -> None:
        self.desktop, self.capture, self.mouse = Win32Desktop(), ScreenCapture(), ScreenMouse()
        self.game = self.find("winemine.exe")

    def find(self, process: str) -> Window:
        found: list[Window] = wait_for(
            lambda: [window for window in self.desktop.windows() if window.process == process]
        )
        assert found, f"{process} has no window"
        return found[0]

    def imports(self) -> dict[str, Any]:
        names = [module.name for module in pkgutil.walk_packages(bot.__path__, "bot.")]
        assert len(names) > 10
        failures = {}
        for name in names:
            if name.endswith(".__main__") or ".x11" in name:
                continue
            try:
                importlib.import_module(name)
            except ModuleNotFoundError as error:
                if error.name != "PySide6":  # its current version does not load under Wine 8
                    failures[name] = repr(error)
            except Exception as error:
                failures[name] = repr(error)
        return failures

    def window(self) -> dict[str, Any]:
        game = self.game
        return {
            "python": sys.platform,
            "dpi": dpi_awareness(),
            "titles": [window.title for window in self.desktop.windows()],
            "class": game.class_name,
            "client": [game.client.width, game.client.height],
            "refreshed": self.desktop.refresh(game) == game,
            "pixels": list(self.capture.grab(game.client).pixels.shape),
            "scaling": scaling(),
            "hdr": bool(hdr_is_on()),
        }

    def pointer(self) -> dict[str, Any]:
        """Count how often the reported pointer position is still wrong after it had time to settle."""
        source, still_wrong = random.Random(1), 0
        for _ in range(300):
            point = Point(source.randrange(200, 1000), source.randrange(300, 800))
            self.mouse.move(point)
            still_wrong += not wait_for(partial(self.is_pointer_at, point))
        return {"still_wrong": still_wrong}

    def is_pointer_at(self, point: Point) -> bool:
        return self.mouse.position() == point

    def clicks(self) -> dict[str, Any]:
        """Mark every cell, one after another; repeat a click that Wine sent to the previous place."""
        self.desktop.raise_window(self.game)
        fresh = self.cells()
        for row, col in np.ndindex(SIDE, SIDE):
            attempts = 0
            while not (self.cells()[row, col] != fresh[row, col]).any() and attempts < ATTEMPTS:
                attempts += 1
                before = self.cells()
                self.mouse.click(self.centre(row, col), Button.RIGHT)
                wait_for(partial(self.differs, before))
        return {"changed": int((self.cells() != fresh).any(axis=2).sum())}

    def differs(self, before: np.ndarray[Any, Any]) -> bool:
        return bool((self.cells() != before).any())

    def cells(self) -> np.ndarray[Any, Any]:
        client = self.desktop.refresh(self.game).client  # type: ignore[union-attr]  # it is open
        area = Rect(client.x + GRID_X, client.y + GRID_Y, SIDE * PITCH, SIDE * PITCH)
        board = self.capture.grab(area).pixels.reshape(SIDE, PITCH, SIDE, PITCH * 3)
        return board.swapaxes(1, 2).reshape(SIDE, SIDE, -1)

    def centre(self, row: int, col: int) -> Point:
        client = self.game.client
        half = PITCH // 2
        return Point(client.x + GRID_X + PITCH * col + half, client.y + GRID_Y + PITCH * row + half)

    def dialogs(self) -> dict[str, Any]:
        self.desktop.raise_window(self.game)
        self.mouse.press("alt", "g")
        menus = wait_for(lambda: self.desktop.popups(self.game))
        self.mouse.press("c")
        custom = wait_for(lambda: [w.title for w in self.desktop.popups(self.game) if w.title])
        hidden = self.desktop.visibility(self.game, self.game.client)
        self.desktop.raise_window(self.game)  # must not wait for ever for the dialog, which has the keyboard
        before = self.desktop.stop_pressed()
        self.mouse.press("esc")
        pressed = [before, self.desktop.stop_pressed(), self.desktop.stop_pressed()]
        closed = wait_for(lambda: not self.desktop.popups(self.game))
        return {
            "menus": len(menus),
            "titles": custom,
            "visibility": hidden.name,
            "esc": pressed,
            "closed": closed,
        }

    def named(self) -> list[Window]:
        return [window for window in self.desktop.windows() if window.title == TITLE]

    def captionless(self) -> dict[str, Any]:
        """Answer the dialog for a name, which has no caption and is no menu."""
        program = subprocess.Popen([sys.executable, str(Path(__file__).with_name("win32_dialog.py"))])
        window = next(iter(wait_for(self.named)))
        popups = wait_for(lambda: self.desktop.popups(window))
        seen = [[popup.title, popup.class_name, popup.is_menu] for popup in popups]
        closed = dismiss_popups(Keys(window, self.desktop, self.mouse, Clock()))
        left = len(self.desktop.popups(window))
        program.kill()
        wait_for(lambda: self.desktop.refresh(window) is None)
        return {"seen": seen, "closed": closed, "left": left}

    def cover(self) -> dict[str, Any]:
        subprocess.Popen(["notepad.exe"])
        game, notepad = self.game, self.find("notepad.exe")
        area = game.client
        ctypes.windll.user32.SetWindowPos(notepad.handle, 0, area.x + 40, area.y + 40, 100, 100, 0)  # type: ignore[attr-defined,unused-ignore]
        corner = Rect(area.x, area.y, 20, 20)
        seen = {
            "covered": wait_for(lambda: self.desktop.visibility(game, area) is Visibility.COVERED),
            "corner": self.desktop.visibility(game, corner).name,
            "outside": self.desktop.visibility(game, area.moved(-area.x - 1, 0)).name,
        }
        self.desktop.raise_window(game)
        return {**seen, "raised": self.desktop.visibility(game, area).name}

    def minimise(self) -> dict[str, Any]:
        ctypes.windll.user32.ShowWindow(self.game.handle, SHOW_MINIMISED)  # type: ignore[attr-defined,unused-ignore]
        area = self.game.client
        gone = wait_for(lambda: self.desktop.visibility(self.game, area) is Visibility.MINIMISED)
        listed = self.game.handle in [window.handle for window in self.desktop.windows()]
        self.desktop.raise_window(self.game)
        back = self.desktop.visibility(self.game, area).name
        return {"minimised": gone, "listed": listed, "raised": back}

    def hand(self) -> dict[str, Any]:
        """Let the test outside move the mouse and press Esc, as a user would."""
        self.mouse.move(self.centre(0, 0))
        wait_for(partial(self.is_pointer_at, self.centre(0, 0)))
        self.desktop.stop_pressed()
        hand = self.centre(5, 5)  # without a window manager the keyboard follows the pointer
        say({"waiting": "hand", "x": hand.x, "y": hand.y})
        moved = wait_for(partial(self.is_pointer_at, hand))
        say({"waiting": "escape"})
        return {"moved": moved, "escape": wait_for(self.desktop.stop_pressed)}

    def close(self) -> dict[str, Any]:
        ctypes.windll.user32.PostMessageW(self.game.handle, CLOSE_MESSAGE, 0, 0)  # type: ignore[attr-defined,unused-ignore]
        wait_for(lambda: self.desktop.refresh(self.game) is None)
        visibility = self.desktop.visibility(self.game, self.game.client).name
        try:
            self.desktop.raise_window(self.game)
        except WindowError as error:
            return {"visibility": visibility, "told": "is closed" in str(error)}
        return {"visibility": visibility, "told": False}


STEPS = (
    "imports",
    "window",
    "pointer",
    "clicks",
    "dialogs",
    "captionless",
    "cover",
    "minimise",
    "hand",
    "close",
)


def say(words: dict[str, Any]) -> None:
    print(json.dumps(words), flush=True)


if __name__ == "__main__":
    probe = Probe()
    for step in STEPS:
        say({step: getattr(probe, step)()})
