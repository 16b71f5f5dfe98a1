"""Check an installed minebot or a built program: ``python .github/program/check.py PROGRAM [PICTURES]``.

PROGRAM is the file that ``build.py`` has made, such as .build/minebot/minebot, the command of an
installation, or a Python with minebot. It shows its version, reads a screenshot, opens its panel, its game
and marks over that, and plays a game of its own. What the screen shows is saved in the folder PICTURES.

On Windows, all that happens on the desktop. On Linux, which needs Wine and Xvfb, it happens on a virtual
screen with an empty home; a Windows program (.exe) runs under Wine. There a game of WineMine is played, too.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from importlib.metadata import packages_distributions
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.capture import ScreenCapture
from bot.desktop import open_desktop
from bot.targets.launch import virtual_display, wine_prefix, winemine
from bot.vision import save_picture
from licenses import normalised
from windows_python import WindowsProgram, run_windows

ROOT = Path(__file__).parents[2]
RUNNING = ROOT / "fixtures" / "winemine-beginner-running.png"
PATIENCE = 60.0  # seconds, until a window appears
TIMEOUT = 600.0  # seconds, for a command


class NativeProgram:
    """A command of this system, run with an empty home (on Windows, with the user's)."""

    def __init__(self, command: Sequence[str], home: str) -> None:
        self._command, self._home = command, home
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "PYTHON"))}
        self._environment = {**kept, "HOME": home}

    def run(self, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """Run a command to its end; not in the repository, where Python would find its bot."""
        return subprocess.run(
            [*self._command, *arguments],
            env=self._environment,
            cwd=self._home,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=TIMEOUT,
            check=False,
        )

    @contextmanager
    def running(self, arguments: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
        """Run a command during the block."""
        command = [*self._command, *arguments]
        with subprocess.Popen(
            command, env=self._environment, cwd=self._home, stdout=subprocess.DEVNULL
        ) as process:
            try:
                yield process
            finally:
                process.terminate()


class WindowsProgramUnderWine:
    """A command of Windows, run under Wine with an empty prefix."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._program, self._options = Path(command[0]), command[1:]
        self._environment = environment

    def run(self, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        return run_windows(self._program, [*self._options, *arguments], self._environment, timeout=TIMEOUT)

    @contextmanager
    def running(self, arguments: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
        """Run a command during the block."""
        with WindowsProgram(self._program, [*self._options, *arguments], self._environment) as program:
            yield program.process


class Checked:
    """A program, and the checks of its commands."""

    def __init__(self, program: NativeProgram | WindowsProgramUnderWine, pictures: Path | None) -> None:
        self._program, self._pictures = program, pictures

    def run(self, *arguments: str) -> str:
        """Run a command to its end, which must be a success; return its output."""
        began = time.monotonic()
        done = self._program.run(arguments)
        took = time.monotonic() - began
        print(f"{' '.join(arguments)}: exit code {done.returncode}, {took:.1f} s", flush=True)
        if done.returncode or "Traceback" in done.stderr:
            raise SystemExit(f"it failed: {done.stdout.strip()} {done.stderr.strip()}")
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


def unlicensed(folder: Path) -> list[str]:
    """Return the distributions in the program in ``folder`` that have no text in its folder "licenses".

    A distribution is in the program if one of its modules is: as a file, or in the archive of modules at the
    end of the program, whose directory is a marshalled list. (Only those that this Python has too are known.)
    """
    archives = [path.read_bytes() for path in folder.iterdir() if path.stem in {"minebot", "minebot-panel"}]
    files = {path.name.partition(".")[0] for path in (folder / "_internal").iterdir()}
    found = {"python", "pyinstaller"}
    for module, names in packages_distributions().items():
        listed = re.compile(rb"[zZ\xfa\xda]" + re.escape(bytes([len(module)]) + module.encode()))
        if module in files or any(map(listed.search, archives)):
            found |= {normalised(name) for name in names}
    texts = [path for path in (folder / "licenses").glob("*/*") if path.stat().st_size > 100]
    licensed = {path.parent.name for path in texts}
    other_names = {"minesweeper-bot": "minebot", "pyside6-essentials": "pyside6"}  # Qt before it had parts
    return sorted(name for name in found - licensed if other_names.get(name) not in licensed)


def window_shown(title: str) -> bool:
    """Return whether a window with ``title`` is on the screen."""
    with closing(open_desktop()) as desktop:
        return any(window.title == title for window in desktop.windows())


def main() -> None:
    """Run all checks."""
    path = Path(sys.argv[1]).absolute()
    pictures = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    built = (path.parent / "_internal").is_dir()
    if built and (without := unlicensed(path.parent)):
        raise SystemExit(f"no licence in the program: {', '.join(without)}")
    with TemporaryDirectory(ignore_cleanup_errors=True) as home, ExitStack() as stack:
        if sys.platform == "win32":
            wine = None
        else:
            stack.enter_context(virtual_display())
            wine = stack.enter_context(wine_prefix())

        def checked_program(path: Path) -> Checked:
            command = [str(path), *(["-m", "bot"] if path.stem.startswith("python") else [])]
            if wine is not None and path.suffix == ".exe":
                return Checked(WindowsProgramUnderWine(command, wine.environment), pictures)
            return Checked(NativeProgram(command, home), pictures)

        checked = checked_program(path)
        checked.run("--version")
        print(checked.run("doctor"))
        compiled = checked.run("compile")
        assert not built or "_internal" in compiled, f"the compiled solver in it is not used: {compiled}"
        hint = json.loads(checked.run("hint", str(RUNNING), "--json"))
        assert hint["boards"][0]["hints"][0]["proven"]
        double_clicked = path.with_stem("minebot-panel") if built and path.suffix == ".exe" else path
        opened = [] if built else ["panel"]
        with checked_program(double_clicked).running(partial(window_shown, "minebot"), *opened):
            checked.picture("panel")
        with checked.running(partial(window_shown, "Mines (minebot)"), "game", "--level", "beginner"):
            checked.picture("game")
            drawn = Path(home) / "suggestions.png"
            with checked.running(drawn.exists, "play", "--dry-run", "--marks", "--overlay", str(drawn)):
                checked.picture("marks")
        played = checked.run("play", "--launch", "--target", "builtin", "--speed", "max", "--json")
        assert json.loads(played.splitlines()[0])["target"] == "builtin"
        if wine is not None:
            stack.enter_context(winemine(wine))
            played = checked.run("play", "--target", "winemine", "--speed", "max", "--json")
            assert json.loads(played.splitlines()[0])["won"] is not None
    print("the program works")


if __name__ == "__main__":
    main()
