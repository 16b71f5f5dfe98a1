"""Check a built program: ``python .github/program/check.py .build/minebot/minebot [PICTURES]``.

Needs a Python with minebot, Wine and Xvfb; a Windows program (.exe) runs under Wine. With an empty home, the
program shows its version, reads a screenshot, opens its panel, its game and marks over that, and plays a game
of its own and one of WineMine. What the screen shows is saved in the folder PICTURES.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.capture import ScreenCapture
from bot.desktop import open_desktop
from bot.targets.launch import virtual_display, wine_prefix, winemine
from bot.vision import save_picture
from windows_python import WindowsProgram, run_windows

ROOT = Path(__file__).parents[2]
RUNNING = ROOT / "fixtures" / "winemine-beginner-running.png"
PATIENCE = 60.0  # seconds


class LinuxProgram:
    """A program for Linux, run with an empty home."""

    def __init__(self, program: Path, home: str) -> None:
        self._program = program
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "PYTHON"))}
        self._environment = {**kept, "HOME": home}

    def run(self, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        command = [self._program, *arguments]
        return subprocess.run(
            command, env=self._environment, capture_output=True, text=True, timeout=300, check=False
        )

    @contextmanager
    def running(self, arguments: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
        """Run a command during the block."""
        command = [self._program, *arguments]
        with subprocess.Popen(command, env=self._environment, stdout=subprocess.DEVNULL) as process:
            try:
                yield process
            finally:
                process.terminate()


class WindowsProgramUnderWine:
    """A program for Windows, run under Wine with an empty prefix."""

    def __init__(self, program: Path, environment: Mapping[str, str]) -> None:
        self._program, self._environment = program, environment

    def run(self, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        return run_windows(self._program, arguments, self._environment, timeout=300)

    @contextmanager
    def running(self, arguments: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
        """Run a command during the block."""
        with WindowsProgram(self._program, arguments, self._environment) as program:
            yield program.process


class Checked:
    """A program, and the checks of its commands."""

    def __init__(self, program: LinuxProgram | WindowsProgramUnderWine, pictures: Path | None) -> None:
        self._program, self._pictures = program, pictures

    def run(self, *arguments: str) -> str:
        """Run a command to its end, which must be a success; return its output."""
        began = time.monotonic()
        done = self._program.run(arguments)
        took = time.monotonic() - began
        print(f"{' '.join(arguments)}: exit code {done.returncode}, {took:.1f} s", flush=True)
        if done.returncode or "Traceback" in done.stderr:
            raise SystemExit(f"it failed: {done.stderr.strip()}")
        return done.stdout

    @contextmanager
    def running(self, ready: Callable[[], bool], *arguments: str) -> Iterator[None]:
        """Run a command during the block, which begins when ``ready`` returns true."""
        began = time.monotonic()
        with self._program.running(arguments) as process:
            while not ready():
                if process.poll() is not None or time.monotonic() - began > PATIENCE:
                    raise SystemExit(f"{' '.join(arguments)}: nothing has appeared")
                time.sleep(0.02)
            print(f"{' '.join(arguments)}: there after {time.monotonic() - began:.1f} s", flush=True)
            yield

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
    path = Path(sys.argv[1]).absolute()
    pictures = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    with TemporaryDirectory() as home, ExitStack() as stack:
        stack.enter_context(virtual_display())
        wine = stack.enter_context(wine_prefix())
        windows = path.suffix == ".exe"
        program = WindowsProgramUnderWine(path, wine.environment) if windows else LinuxProgram(path, home)
        checked = Checked(program, pictures)
        checked.run("--version")
        checked.run("doctor")
        compiled = checked.run("compile")
        assert "_internal" in compiled, f"the program does not use the compiled solver in it: {compiled}"
        hint = json.loads(checked.run("hint", str(RUNNING), "--json"))
        assert hint["boards"][0]["hints"][0]["proven"]
        double_clicked = path.with_stem("minebot-panel") if windows else path
        clicked = WindowsProgramUnderWine(double_clicked, wine.environment) if windows else program
        with Checked(clicked, pictures).running(partial(window_shown, "minebot")):
            checked.picture("panel")
        with checked.running(partial(window_shown, "Minesweeper (minebot)"), "game", "--level", "beginner"):
            checked.picture("game")
            drawn = Path(home) / "suggestions.png"
            with checked.running(drawn.exists, "play", "--dry-run", "--overlay", "--picture", str(drawn)):
                checked.picture("marks")
        played = checked.run("play", "--launch", "--target", "builtin", "--speed", "max", "--json")
        assert json.loads(played.splitlines()[0])["target"] == "builtin"
        stack.enter_context(winemine(wine))
        played = checked.run("play", "--target", "winemine", "--speed", "max", "--json")
        assert json.loads(played.splitlines()[0])["won"] is not None
    print("the program works")


if __name__ == "__main__":
    main()
