"""Check a built program: ``python .github/program/check.py .build/minebot/minebot [PICTURES]``.

Needs a Python with minebot, Wine and Xvfb. The program is run with an empty home: it shows its version, reads
a screenshot, opens its panel, its game and marks over that, and plays a game of its own and one of WineMine.
What the screen shows is saved in the folder PICTURES.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.capture import ScreenCapture
from bot.desktop import open_desktop
from bot.targets.launch import virtual_display, wine_prefix, winemine
from bot.vision import save_picture

ROOT = Path(__file__).parents[2]
RUNNING = ROOT / "fixtures" / "winemine-beginner-running.png"
PATIENCE = 60.0  # seconds


class Checked:
    """A built program, run with an empty home."""

    def __init__(self, program: Path, home: str, pictures: Path | None) -> None:
        self._program, self._pictures = program.absolute(), pictures
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "PYTHON"))}
        self._environment = {**kept, "HOME": home}

    def _command(self, *arguments: str) -> tuple[list[str], dict[str, str]]:
        """Return the command line, and its environment with the display of now."""
        display = {name: value for name, value in os.environ.items() if name == "DISPLAY"}
        return [str(self._program), *arguments], {**self._environment, **display}

    def run(self, *arguments: str) -> str:
        """Run a command to its end, which must be a success; return its output."""
        command, environment = self._command(*arguments)
        began = time.monotonic()
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        took = time.monotonic() - began
        print(f"{' '.join(arguments)}: exit code {done.returncode}, {took:.1f} s", flush=True)
        if done.returncode or "Traceback" in done.stderr:
            raise SystemExit(f"it failed: {done.stderr.strip()}")
        return done.stdout

    @contextmanager
    def running(self, ready: Callable[[], bool], *arguments: str) -> Iterator[None]:
        """Run a command during the block, which begins when ``ready`` returns true."""
        command, environment = self._command(*arguments)
        began = time.monotonic()
        with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
            try:
                while not ready():
                    if process.poll() is not None or time.monotonic() - began > PATIENCE:
                        raise SystemExit(f"{' '.join(arguments)}: nothing has appeared")
                    time.sleep(0.02)
                print(f"{' '.join(arguments)}: there after {time.monotonic() - began:.1f} s", flush=True)
                yield
            finally:
                process.terminate()

    def picture(self, name: str) -> None:
        """Save what the screen shows."""
        if self._pictures is not None:
            time.sleep(1)  # until everything is painted
            self._pictures.mkdir(parents=True, exist_ok=True)
            with closing(ScreenCapture()) as capture:
                save_picture(self._pictures / f"{name}.png", capture.grab().pixels)


def window_shown(title: str) -> bool:
    """Return whether a window with ``title`` is on the screen."""
    with closing(open_desktop()) as desktop:
        return any(window.title == title for window in desktop.windows())


def main() -> None:
    """Run all checks."""
    with TemporaryDirectory() as home, ExitStack() as stack:
        pictures = Path(sys.argv[2]) if len(sys.argv) > 2 else None
        checked = Checked(Path(sys.argv[1]), home, pictures)
        checked.run("--version")
        hint = json.loads(checked.run("hint", str(RUNNING), "--json"))
        assert hint["boards"][0]["hints"][0]["proven"]
        stack.enter_context(virtual_display())
        checked.run("doctor")
        with checked.running(partial(window_shown, "minebot"), "panel"):
            checked.picture("panel")
        with checked.running(partial(window_shown, "Minesweeper (minebot)"), "game", "--level", "beginner"):
            checked.picture("game")
            drawn = Path(home) / "suggestions.png"
            with checked.running(drawn.exists, "play", "--dry-run", "--overlay", "--picture", str(drawn)):
                checked.picture("marks")
        played = checked.run("play", "--launch", "--target", "builtin", "--speed", "max", "--json")
        assert json.loads(played.splitlines()[0])["target"] == "builtin"
        checked.run("compile")
        wine = stack.enter_context(wine_prefix())
        stack.enter_context(winemine(wine))
        played = checked.run("play", "--target", "winemine", "--speed", "max", "--json")
        assert json.loads(played.splitlines()[0])["won"] is not None
    print("the program works")


if __name__ == "__main__":
    main()
