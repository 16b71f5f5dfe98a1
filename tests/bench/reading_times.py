"""Times of one thread for the vision benchmark: to find and read boards."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from rich.console import Console
from rich.table import Table

from art import draw_board as draw_art
from art import random_states, random_style
from boardless import desktop, paste
from bot.board import State
from bot.geometry import Grid, Pixels
from bot.vision import Skin, Tracker, load_picture, load_skins, read_grid
from bot.vision.board_reader import find_unknown, read_unknown
from drawn_boards import draw_board, played
from fixture_boards import FIXTURES

DESKTOPS = 12
ROUNDS = 3
CLICKS, OPENED = 6, 5  # pictures of a game, and cells opened in each
FOLLOWED = ("winemine", "winmine")
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
        pictures = [with_a_board(seed, width, height) for seed in range(DESKTOPS)]
        times = [milliseconds(partial(find_unknown, picture)) for picture in pictures]
        add_row(
            table, f"find in {name}", times, "40" if height == 1080 else "80", f"{DESKTOPS} drawn desktops"
        )
    own = [load_picture(path) for path in sorted(FIXTURES.glob("*desktop*.png"))]
    sizes = ", ".join(f"{picture.shape[1]}x{picture.shape[0]}" for picture in own)
    times = [milliseconds(partial(find_unknown, picture)) for picture in own]
    add_row(table, "find", times, "", f"our desktops: {sizes}")
    for skin in load_skins():
        if skin.name in FOLLOWED:
            add_reading(table, skin)
            add_following(table, skin)
    console.print(table)


def with_a_board(seed: int, width: int, height: int) -> Pixels:
    """Return a desktop with an expert board in art that nobody has seen."""
    rng = np.random.default_rng(seed)
    pixels = desktop(rng, (width, height))
    board = draw_art(random_style(rng, held_out=True), random_states(rng, 16, 30), 24.0)
    paste(
        pixels, board, int(rng.integers(width - board.shape[1])), int(rng.integers(height - board.shape[0]))
    )
    return pixels


def add_reading(table: Table, skin: Skin) -> None:
    """Add the steps on an expert board whose place is known, in different positions."""
    boards = [expert(skin, seed) for seed in range(DESKTOPS)]
    steps: tuple[tuple[str, str, int, Callable[[Pixels, Grid], object]], ...] = (
        (f"read {skin.name} anew", "", 20, lambda pixels, grid: read_grid(pixels, grid, skin)),
        ("read at first sight", "60", 1, read_unknown),
    )
    for name, asked, repeat, step in steps:
        times = []
        for pixels, grid in boards:
            step(pixels, grid)
            times.append(milliseconds(partial(step, pixels, grid), repeat))
        add_row(table, name, times, asked, f"{DESKTOPS} drawn boards of 16 x 30")


def add_following(table: Table, skin: Skin) -> None:
    """Add the times of following a board: as it is seen first, unchanged, and from click to click."""
    rounds: dict[str, list[float]] = {"at first": [], "unchanged": [], "changed": []}
    for seed in range(DESKTOPS):
        pixels, grid = expert(skin, seed)
        looks = clicked(skin, seed)
        rounds["at first"].append(milliseconds(partial(read_first, grid, skin, pixels)))
        tracker = Tracker(grid, skin)
        read_all(tracker, looks)
        rounds["unchanged"].append(milliseconds(partial(tracker.read, looks[-1]), 100))
        rounds["changed"].append(milliseconds(partial(read_all, tracker, looks), 20) / len(looks))
    for name, times in rounds.items():
        asked = "" if name == "at first" else "0.1"
        add_row(table, f"follow {skin.name}, {name}", times, asked, f"{DESKTOPS} drawn games of 16 x 30")


def read_first(grid: Grid, skin: Skin, pixels: Pixels) -> None:
    """Read a board of which nothing is remembered."""
    Tracker(grid, skin).read(pixels)


def read_all(tracker: Tracker, looks: list[Pixels]) -> None:
    """Follow a board through some pictures."""
    for look in looks:
        tracker.read(look)


def clicked(skin: Skin, seed: int) -> list[Pixels]:
    """Return pictures of an expert game, in each of which other cells have been opened."""
    board = played(16, 30, seed)
    pictures = []
    for start in range(CLICKS):
        cells = board.cells(State.COVERED)[start::CLICKS][:OPENED]
        pictures.append(draw_board(skin, board.replace(dict.fromkeys(cells, 1 + start % 3)), 99)[0])
    return pictures


def expert(skin: Skin, seed: int) -> tuple[Pixels, Grid]:
    """Return a picture of an expert board and where it is."""
    board = played(16, 30, seed)
    pixels, x, y = draw_board(skin, board, 99)
    return pixels, Grid(x, y, skin.cell, skin.cell, *board.shape)


def add_row(table: Table, name: str, times: list[float], asked: str, where: str) -> None:
    """Add the line of one step."""
    table.add_row(name, f"{statistics.median(times):.2f}", f"{max(times):.2f}", asked, where)
