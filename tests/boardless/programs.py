"""Screenshots of programs that are no Minesweeper, taken on a virtual display: those that are installed."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bot.capture import ScreenCapture
from bot.errors import LaunchError
from bot.geometry import Pixels
from bot.targets.launch import running, virtual_display, wine_prefix

_PATIENCE, _STEP = 20.0, 0.5  # seconds until a window must be there, and from one look to the next
_X_PROGRAMS = (
    ("xterm", "-e", "sh", "-c", "ls -C /usr/bin; sleep 99"),
    ("xcalc",),
    ("xclock",),
    ("xfontsel",),
)
_WINE_PROGRAMS = ("notepad", "winecfg", "taskmgr", "regedit", "winefile", "wordpad", "control", "clock")
_BROWSER = (
    *("chromium", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--window-size=1000,800"),
)
_STYLES = {
    "ruled": "table {border-collapse: collapse} td {border: 1px solid #888}",
    "buttons": "td {border: 3px outset #ccc; background: #ccc}",
    "dark": "body {background: #222; color: #ddd} td {background: #333}",
}
_SCALES = ("1", "1.25", "1.5", "2")


@dataclass(frozen=True, slots=True)
class _Start:
    name: str
    command: list[str]
    environment: Mapping[str, str] | None = None


def screenshots() -> Iterator[tuple[str, Pixels]]:
    """Yield the name of every program that could be started, and the screen (BGR) with it; none without X."""
    with ExitStack() as stack:
        try:
            stack.enter_context(virtual_display())
        except LaunchError:
            return
        capture = stack.enter_context(closing(ScreenCapture()))
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        for start in (*_x_starts(), *_pages(Path(folder)), *_wine_starts(stack)):
            if (pixels := _seen(start, capture)) is not None:
                yield start.name, pixels


def _x_starts() -> Iterator[_Start]:
    for command in _X_PROGRAMS:
        if shutil.which(command[0]):
            yield _Start(command[0], list(command))


def _wine_starts(stack: ExitStack) -> Iterator[_Start]:
    with suppress(LaunchError):
        wine = stack.enter_context(wine_prefix())
        for name in _WINE_PROGRAMS:
            yield _Start(f"wine {name}", ["wine", name], wine.environment)


def _pages(folder: Path) -> Iterator[_Start]:
    """Yield tables in a browser: numbers in ruled boxes, on buttons, in the dark, at several scales."""
    if not shutil.which(_BROWSER[0]):
        return
    for number, (style, scale) in enumerate((style, scale) for style in _STYLES for scale in _SCALES):
        page = folder / f"{number}.html"
        page.write_text(_page(style, np.random.default_rng(number)), encoding="utf-8")
        flags = [f"--user-data-dir={folder / str(number)}", f"--force-device-scale-factor={scale}"]
        yield _Start(f"page {style} {scale}", [*_BROWSER, *flags, f"--app={page.as_uri()}"])


def _page(style: str, rng: np.random.Generator) -> str:
    """Return a page with a table of numbers, half of them missing."""
    side = int(rng.integers(20, 40))
    rows = [
        "".join(f"<td>{rng.integers(1, 9) if rng.random() < 0.5 else ''}</td>" for _ in range(12))
        for _ in range(10)
    ]
    table = "".join(f"<tr>{row}</tr>" for row in rows)
    size = f"td {{width: {side}px; height: {side}px; text-align: center}}"
    return f"<style>{_STYLES[style]} {size}</style><h3>Results</h3><table>{table}</table>"


def _seen(start: _Start, capture: ScreenCapture) -> Pixels | None:
    """Return the screen once a program has painted something and is at rest; None if it never does."""
    empty, deadline = capture.grab().pixels, time.monotonic() + _PATIENCE
    with running(start.command, start.environment):
        before = empty
        while time.monotonic() < deadline:
            time.sleep(_STEP)
            now = capture.grab().pixels
            if not np.array_equal(now, empty) and np.array_equal(now, before):
                return now
            before = now
    return None
