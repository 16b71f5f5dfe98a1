"""Let one process play for hours, and say whether memory, handles, threads, files and X resources stay level.

Run from the repository root, on Linux with Wine: ``python tests/bench soak --minutes 120``. The process runs
the commands again and again on a virtual screen of its own: games of WineMine, recorded games of minebot's
own Minesweeper and the check of their record, a dry run with marks while somebody else clicks, and hints. It
uses data, cache and temporary folders of its own. A figure is level if its mean in the last quarter is at
most that of the second quarter and a little more; the first quarter is the warm-up.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from random import Random
from statistics import fmean

from rich.console import Console
from rich.table import Table
from Xlib import XK, X, display
from Xlib.ext import xtest

from bot.cli import main as minebot
from bot.signals import Stopped, ended_by_signals
from bot.targets.launch import builtin, virtual_display, windows_that
from programs import repeated

CYCLES = 8  # how often the commands are repeated: two cycles are a quarter
PERIOD = 10.0  # seconds between two samples
CLICK_PERIOD = 2.0  # seconds between the clicks of the somebody else during a dry run
HINT_PERIOD = 5.0  # seconds between two hints
BOARDS = "runs"  # the folder of final boards, which minebot keeps for days
FIGURES = {  # name: unit, and how much more in the last quarter is level: a share, and an amount
    "memory": ("MiB", 0.03, 4.0),
    "memory of children": ("MiB", 0.05, 10.0),
    "handles": ("", 0.0, 2.0),
    "threads": ("", 0.0, 1.0),
    "children": ("", 0.0, 1.0),
    "blocks": ("", 0.03, 10_000.0),
    "data files": ("", 0.0, 2.0),
    "data": ("MiB", 0.0, 0.1),
    "cache files": ("", 0.0, 2.0),
    "cache": ("MiB", 0.0, 1.0),
    "temporary files": ("", 0.0, 2.0),
    "temporary": ("MiB", 0.0, 1.0),
    "final boards": ("", 0.0, 1e9),  # kept on purpose, and pruned by age and size
    "X clients": ("", 0.0, 2.0),
    "X resources": ("", 0.05, 20.0),
    "X pixmaps": ("MiB", 0.05, 2.0),
}
BARS = "▁▂▃▄▅▆▇█"


class Soak:
    """Commands that are run in this process, and samples of what it uses meanwhile."""

    def __init__(self, work: Path, speed: str) -> None:
        self.work, self.speed = work, speed
        self.codes, self.games = Counter[str](), 0
        self.samples: list[dict[str, float]] = []
        self.complaints: list[str] = []
        self._screen_use: dict[str, float] = {"X clients": 0, "X resources": 0, "X pixmaps": 0}
        self._clicks = 0
        self._began = time.monotonic()
        self._screen = display.Display()
        self._random = Random(1)

    def command(self, *arguments: object, stop_after: float | None = None) -> str:
        """Run minebot here; return its output. After ``stop_after`` seconds, Ctrl+C is pressed."""
        output, errors = StringIO(), StringIO()
        sys.argv = ["minebot", *map(str, arguments)]
        stop = None
        if stop_after is not None:
            stop = threading.Timer(stop_after, os.kill, (os.getpid(), signal.SIGINT))
            stop.start()
        code: object = 0
        with redirect_stdout(output), redirect_stderr(errors):
            try:
                minebot()
            except SystemExit as ended:
                code = ended.code or 0
        if stop is not None:
            stop.cancel()
        name = f"{arguments[0]} {code}"
        self.codes[name] += 1
        if code not in (0, 4):
            self.complaints.append(f"{name}: {errors.getvalue().strip()[-300:]}")
            print(self.complaints[-1], file=sys.stderr, flush=True)
        return output.getvalue()

    def go_on(self, seconds: float) -> None:
        """Repeat everything for so many seconds."""
        cycle, end = seconds / CYCLES, time.monotonic() + seconds
        while time.monotonic() < end:
            self.play(0.5 * cycle, "winemine")
            self.play_recorded(0.2 * cycle)
            self.look(0.3 * cycle)

    def play(self, seconds: float, target: str, *options: object) -> None:
        """Play games for a while."""
        told = self.command(
            *("play", "--launch", "--target", target, "--json", "--speed", self.speed),
            *("--minutes", seconds / 60, *options),
        )
        self.games += sum("won" in json.loads(line) for line in told.splitlines())

    def play_recorded(self, seconds: float) -> None:
        """Play recorded games of minebot's own Minesweeper, check the record and remove it."""
        record, page = self.work / "record", self.work / "page.html"
        self.play(seconds, "builtin", "--record", record, "--flags", "chord")
        self.command("replay", record, "--check", "--report", page)
        self.command("stats", record)
        shutil.rmtree(record, ignore_errors=True)
        page.unlink(missing_ok=True)

    def look(self, seconds: float) -> None:
        """Do a dry run while somebody else clicks, then ask for hints."""
        with builtin(), repeated(self.click, CLICK_PERIOD):
            picture = self.work / "marks.png"
            self.command(
                "play", "--dry-run", "--target", "builtin", "--overlay", picture, stop_after=seconds / 2
            )
            picture.unlink(missing_ok=True)
            until = time.monotonic() + seconds / 2
            while time.monotonic() < until:
                time.sleep(HINT_PERIOD)
                self.command("hint", "--target", "builtin", "--json")

    def click(self) -> None:
        """Click somewhere on the topmost window, and ask for a new game every tenth time."""
        windows = windows_that(lambda window: window.client.height > 100)
        if not windows:
            return
        area = windows[0].client
        x = self._random.randrange(area.width)
        y = self._random.randrange(area.height // 3, area.height)  # below the menu
        xtest.fake_input(self._screen, X.MotionNotify, x=area.x + x, y=area.y + y)
        for pressed in (X.ButtonPress, X.ButtonRelease):
            xtest.fake_input(self._screen, pressed, 1)
        self._clicks += 1
        if self._clicks % 10 == 0:
            key = self._screen.keysym_to_keycode(XK.XK_F2)
            for pressed in (X.KeyPress, X.KeyRelease):
                xtest.fake_input(self._screen, pressed, key)
        self._screen.sync()

    @contextmanager
    def sampled(self, out: Path) -> Iterator[None]:
        """Take a sample every few seconds during the block, and write it to the file ``out``."""

        def take() -> None:
            self.samples.append(self.sample())
            print(json.dumps(self.samples[-1]), file=file, flush=True)

        with out.open("w", encoding="utf-8") as file, repeated(take, PERIOD):
            yield

    def sample(self) -> dict[str, float]:
        """Return what this process, its children, its folders and its screen use now."""
        seen = {"minutes": (time.monotonic() - self._began) / 60, "memory": resident(os.getpid())}
        children = descendants(os.getpid())
        seen["memory of children"], seen["children"] = sum(map(resident, children)), len(children)
        seen["handles"] = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - only the number
        seen["threads"] = threading.active_count()
        seen["blocks"] = sys.getallocatedblocks()  # listing them would spoil tuples that are being made
        for name in ("data", "cache", "temporary"):
            kept = [path for path in (self.work / name).rglob("*") if BOARDS not in path.parts]
            seen[f"{name} files"] = len(kept)
            seen[name] = sum(size(path) for path in kept) / 2**20
        seen["final boards"] = len([*(self.work / "data").glob(f"*/{BOARDS}/**/*.png")])
        with suppress(Exception):  # a client has ended between two questions; Xlib cannot always tell that
            self._screen_use = screen_use()
        return seen | self._screen_use


def screen_use() -> dict[str, float]:
    """Return what all clients of the X display use. Raises an error if one of them ends meanwhile."""
    with closing(display.Display()) as screen:
        clients = [client.resource_base for client in screen.res_query_clients().clients]
        resources = [screen.res_query_client_resources(client).types for client in clients]
        pixmaps = [screen.res_query_client_pixmap_bytes(client) for client in clients]
    return {
        "X clients": len(clients),
        "X resources": sum(kind.count for kinds in resources for kind in kinds),
        "X pixmaps": sum(each.bytes + (each.bytes_overflow << 32) for each in pixmaps) / 2**20,
    }


def size(path: Path) -> int:
    with suppress(OSError):  # it has been removed meanwhile
        return path.lstat().st_size
    return 0


def resident(process: int) -> float:
    """Return the resident memory of a process in MiB, 0 if it has ended."""
    with suppress(OSError):
        pages = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGESIZE") / 2**20
    return 0.0


def descendants(process: int) -> list[int]:
    """Return the children of a process, their children, and so on."""
    found = list[int]()
    with suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            found += map(int, (task / "children").read_text(encoding="ascii").split())
    return found + [each for child in found for each in descendants(child)]


def drawn(values: Sequence[float], width: int = 40) -> str:
    """Return the course of ``values`` as a line of bars."""
    least, most = min(values), max(values)
    parts = [values[len(values) * n // width : max(len(values) * (n + 1) // width, 1)] for n in range(width)]
    heights = [(fmean(part) - least) / ((most - least) or 1) for part in parts if part]
    return "".join(BARS[round(height * (len(BARS) - 1))] for height in heights)


def shown(samples: Sequence[dict[str, float]]) -> tuple[Table, list[str]]:
    """Return a table of all figures, and the names of those that are not level."""
    end = samples[-1]["minutes"]
    second = [each for each in samples if end / 4 <= each["minutes"] < end / 2]
    last = [each for each in samples if each["minutes"] >= end * 3 / 4]
    table, growing = Table("figure", "second quarter", "last quarter", "most", "course", "level"), []
    for name, (unit, share, amount) in FIGURES.items():
        before, after = (fmean(each[name] for each in part) for part in (second, last))
        level = after <= before * (1 + share) + amount
        if not level:
            growing.append(name)
        values = [each[name] for each in samples]
        figure = f"{{:,.{1 if unit else 0}f}} {unit}".rstrip()
        numbers = map(figure.format, (before, after, max(values)))
        table.add_row(name, *numbers, drawn(values), "yes" if level else "NO")
    return table, growing


def prepare(work: Path) -> None:
    """Make data, cache and temporary folders below ``work``, and let minebot use them from now on."""
    for variable, name in (("XDG_DATA_HOME", "data"), ("XDG_CACHE_HOME", "cache"), ("TMPDIR", "temporary")):
        os.environ[variable] = str(work / name)
        (work / name).mkdir()
    tempfile.tempdir = None  # so that TMPDIR is read again


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--minutes", type=float, default=120.0)
    parser.add_argument("--speed", default="4", help="of the clicks, as for minebot play (default: 4)")
    parser.add_argument("--out", type=Path, default=Path("soak.jsonl"), help="file for all samples")
    asked = parser.parse_args()
    with ExitStack() as stack:
        stack.enter_context(ended_by_signals())
        work = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="minebot-soak-")))
        prepare(work)
        stack.enter_context(virtual_display())
        ran = Soak(work, asked.speed)
        ran.command("compile")
        with suppress(Stopped), ran.sampled(asked.out):
            ran.go_on(asked.minutes * 60)
    table, growing = shown(ran.samples)
    console = Console(width=120)
    console.print(table)
    console.print(f"{ran.games} games; commands with their exit codes: {dict(ran.codes)}")
    for complaint in ran.complaints[:20]:
        console.print(complaint, markup=False)
    if growing:
        sys.exit(f"not level: {', '.join(growing)}")


if __name__ == "__main__":
    main()
