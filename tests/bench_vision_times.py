"""Times of one thread for the vision benchmark: to find, confirm and read boards."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial

from rich.console import Console
from rich.table import Table

from bot.geometry import Grid, Pixels
from bot.vision import Skin, load_picture, load_skins, read_grid
from bot.vision.grid import confirm_grid, find_grids
from bot.vision.unknown.read import read_unknown
from drawn_boards import draw_board, played
from drawn_windows import random_desktop
from fixture_boards import FIXTURES

DESKTOPS = 12
ROUNDS = 3
SIZES = {"1920x1080": (1080, 1920), "2560x1440": (1440, 2560)}


def milliseconds(action: Callable[[], object], repeat: int = 1) -> float:
    """Return the processor time of one run, in the fastest of some rounds of ``repeat`` runs."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        for _ in range(repeat):
            action()
        times.append(time.process_time() - start)
    return 1000 * min(times) / repeat


def print_times(console: Console) -> None:
    """Print the median and the longest time of every step, and how many desktops it was measured on."""
    table = Table("step", "median ms", "longest ms", "asked ms", "measured on", title="times of one thread")
    for name, (height, width) in SIZES.items():
        pictures = [random_desktop(seed, height, width).pixels for seed in range(DESKTOPS)]
        times = [milliseconds(partial(find_grids, picture)) for picture in pictures]
        add_row(
            table, f"find in {name}", times, "40" if height == 1080 else "80", f"{DESKTOPS} drawn desktops"
        )
    own = [load_picture(path) for path in sorted(FIXTURES.glob("*desktop*.png"))]
    sizes = ", ".join(f"{picture.shape[1]}x{picture.shape[0]}" for picture in own)
    times = [milliseconds(partial(find_grids, picture)) for picture in own]
    add_row(table, "find", times, "", f"our desktops: {sizes}")
    add_reading(table, next(skin for skin in load_skins() if skin.name == "winmine"))
    console.print(table)


def add_reading(table: Table, skin: Skin) -> None:
    """Add the steps on an expert board whose place is known, in different positions."""
    boards = [expert(skin, seed) for seed in range(DESKTOPS)]
    steps: tuple[tuple[str, str, int, Callable[[Pixels, Grid], object]], ...] = (
        ("confirm in place", "1", 20, confirm_grid),
        ("read a known skin", "0.1", 100, lambda pixels, grid: read_grid(pixels, grid, skin)),
        ("read at first sight", "60", 1, read_unknown),
    )
    for name, asked, repeat, step in steps:
        times = []
        for pixels, grid in boards:
            step(pixels, grid)
            times.append(milliseconds(partial(step, pixels, grid), repeat))
        add_row(table, name, times, asked, f"{DESKTOPS} drawn boards of 16 x 30")


def expert(skin: Skin, seed: int) -> tuple[Pixels, Grid]:
    """Return a picture of an expert board and where it is."""
    board = played(16, 30, seed)
    pixels, x, y = draw_board(skin, board, 99)
    return pixels, Grid(x, y, skin.cell, skin.cell, *board.shape)


def add_row(table: Table, name: str, times: list[float], asked: str, where: str) -> None:
    """Add the line of one step."""
    table.add_row(name, f"{statistics.median(times):.2f}", f"{max(times):.2f}", asked, where)
