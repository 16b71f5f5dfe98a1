"""Measure the time of vision on the pictures in a folder, with the version of the bot on the module path.

`bench_vision_ratio` runs this once for each desktop and each checkout that it compares. It imports nothing
from the tests, so that it works with other versions of the bot that have the functions it calls.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from bot.geometry import Grid, Pixels
from bot.vision import Skin, Tracker, load_skins, read_picture
from bot.vision.board_reader import read_unknown

ROUNDS = 3  # rounds of each step; the fastest counts
PASSES = 15  # passes of Sobel; the median counts
QUICK = 20  # repetitions of a quick step


def sobel(pixels: Pixels) -> float:
    """Return the processor time, in seconds, of a Sobel pass over a BGR picture (height, width, 3)."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    return statistics.median(seconds(partial(cv2.Sobel, grey, cv2.CV_16S, 1, 0)) for _ in range(PASSES))


def seconds(action: Callable[[], object], repeat: int = 1) -> float:
    """Return the mean processor time of one of ``repeat`` runs, in seconds."""
    start = time.process_time()
    for _ in range(repeat):
        action()
    return (time.process_time() - start) / repeat


def fastest(action: Callable[[], object], repeat: int = 1) -> float:
    """Return the mean processor time of one run in the fastest of `ROUNDS` rounds, in seconds."""
    return min(seconds(action, repeat) for _ in range(ROUNDS))


def read_first(pixels: Pixels, grid: Grid) -> object:
    """Read an unknown board with a known grid, for the first time."""
    return read_unknown(pixels, grid)


def read_changed(grid: Grid, skin: Skin, looks: Sequence[Pixels]) -> float:
    """Return the time of the second look of a tracker, at a picture in which some cells have changed."""
    read = partial(Tracker().read, grid=grid, skin=skin)
    read(looks[0])
    return seconds(partial(read, looks[1]))


def ratios(
    pictures: Mapping[str, Pixels], facts: Mapping[str, Any], skins: Sequence[Skin]
) -> dict[str, float]:
    """Return the time of each step on the pictures of one desktop, as a ratio to a Sobel pass."""
    known, unknown = pictures["known"], pictures["unknown"]
    grid, skin = Grid(*facts["known"]), next(skin for skin in skins if skin.name == facts["skin"])
    follow = partial(Tracker().read, grid=grid, skin=skin)
    follow(known)
    once = sobel(known)
    return {
        "known": fastest(partial(read_picture, known, skins, True)) / once,
        "unknown": fastest(partial(read_picture, known, [], True)) / once,
        "first": fastest(partial(read_first, unknown, Grid(*facts["unknown"]))) / once,
        "unchanged": fastest(partial(follow, known), QUICK) / once,
        "changed": min(read_changed(grid, skin, [known, pictures["changed"]]) for _ in range(QUICK)) / once,
        "Sobel ms": 1000 * once,
    }


def measure_folder(folder: Path) -> None:
    """Print the ratios for the pictures in a folder as a line of JSON."""
    cv2.setNumThreads(1)
    facts = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    pictures = {path.stem: np.load(path) for path in folder.glob("*.npy")}
    print(json.dumps(ratios(pictures, facts, load_skins())))


if __name__ == "__main__":
    measure_folder(Path(sys.argv[1]))
