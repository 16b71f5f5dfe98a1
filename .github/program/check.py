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
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
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

    def run(self, *arguments: str) -> str:
        """Run a command to its end, which must be a success; return its output."""
        environment = {**self._environment, "DISPLAY": os.environ.get("DISPLAY", "")}
        command = [str(self._program), *arguments]
        began = time.monotonic()
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        print(
            f"{' '.join(arguments)}: exit code {done.returncode}, {time.monotonic() - began:.1f} s",
            flush=True,
        )
        if done.returncode or "Traceback" in done.stderr:
            raise SystemExit(f"it failed: {done.stderr.strip()}")
        return done.stdout

    @contextmanager
    def window(self, title: str, *arguments: str) -> Iterator[float]:
        """Run a command during the block; yield the seconds until a window with ``title`` has appeared."""
        environment = {**self._environment, "DISPLAY": os.environ["DISPLAY"]}
        began = time.monotonic()
        with subprocess.Popen([str(self._program), *arguments], env=environment) as process:
            try:
                with closing(open_desktop()) as desktop:
                    while not any(window.title == title for window in desktop.windows()):
                        if process.poll() is not None or time.monotonic() - began > PATIENCE:
                            raise SystemExit(f"{' '.join(arguments)}: no window {title!r} has appeared")
                        time.sleep(0.02)
                took = time.monotonic() - began
                print(f"{' '.join(arguments)}: its window is there after {took:.1f} s", flush=True)
                yield took
            finally:
                process.terminate()

    @contextmanager
    def marks(self, picture: Path) -> Iterator[None]:
        """Run a dry run during the block, which begins when it has drawn its first suggestion."""
        environment = {**self._environment, "DISPLAY": os.environ["DISPLAY"]}
        command = [str(self._program), "play", "--dry-run", "--overlay", "--picture", str(picture)]
        with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
            try:
                began = time.monotonic()
                while not picture.exists():
                    if process.poll() is not None or time.monotonic() - began > PATIENCE:
                        raise SystemExit("the dry run has suggested nothing")
                    time.sleep(0.05)
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
        with checked.window("minebot", "panel"):
            checked.picture("panel")
        with checked.window("Minesweeper (minebot)", "game", "--level", "beginner"):
            checked.picture("game")
            with checked.marks(Path(home) / "suggestions.png"):
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
