"""Measure how long vision takes, as a ratio to one pass of `cv2.Sobel` over the same 1920x1080 picture.

Run from the repository root: ``python tests/bench vision_ratio --count 12``. Times are processor times of one
thread. The pass is measured together with each step, so that ratios of different days and machines can be
compared. ``--other PATH`` measures another checkout of the project on the same pictures, with its own
`vision_times` or, if it has none, with ours. Nothing passes or fails.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from art import draw_board as draw_art
from art import random_states, random_style
from bench.measured import Journal
from boardless import desktop, paste
from bot.board import State
from bot.geometry import Pixels
from bot.vision import load_skins
from drawn_boards import draw_board, played

HEIGHT, WIDTH = 1080, 1920
SKINS = ("winmine", "winemine")  # of the known boards, alternately
OPENED = 5  # cells that change between two looks
ART_PITCH = 24.0
MEASURING = "vision_times.py"
STEPS = {
    "known": "board of a shipped skin, all skins",
    "unknown": "the same picture, no skin",
    "first": "first reading of an unknown 16x30 board on its grid",
    "unchanged": "followed 16x30 board, unchanged",
    "changed": f"followed 16x30 board, {OPENED} cells changed",
    "Sobel ms": "the Sobel pass itself, in ms",
}


def draw(number: int, folder: Path) -> None:
    """Draw the pictures for a number into a folder: a desktop with a known board, and with an unknown one."""
    rng = np.random.default_rng(number)
    skin = next(skin for skin in load_skins() if skin.name == SKINS[number % len(SKINS)])
    board = played(16, 30, number)
    window, left, top = draw_board(skin, board, 99)
    covered = board.cells(State.COVERED)[:OPENED]
    later = draw_board(skin, board.replace({cell: 1 + at % 3 for at, cell in enumerate(covered)}), 99)[0]
    art = draw_art(random_style(rng, held_out=True), random_states(rng, 16, 30), ART_PITCH, ART_PITCH)
    ground = desktop(rng, (WIDTH, HEIGHT))
    x, y = _place(rng, window)
    at_x, at_y = _place(rng, art)
    pictures = {name: ground.copy() for name in ("known", "changed", "unknown")}
    paste(pictures["known"], window, x, y)
    paste(pictures["changed"], later, x, y)
    paste(pictures["unknown"], art, at_x, at_y)
    for name, picture in pictures.items():
        np.save(folder / f"{name}.npy", picture)
    facts = {
        "skin": skin.name,
        "known": [x + left, y + top, skin.cell, skin.cell, 16, 30],
        "unknown": [at_x, at_y, ART_PITCH, ART_PITCH, 16, 30],
    }
    (folder / "facts.json").write_text(json.dumps(facts), encoding="utf-8")


def _place(rng: np.random.Generator, picture: Pixels) -> tuple[int, int]:
    height, width = picture.shape[:2]
    return int(rng.integers(0, WIDTH - width)), int(rng.integers(0, HEIGHT - height))


def run(root: Path, folder: Path) -> dict[str, float]:
    """Return the ratios that a checkout measures on the pictures in a folder.

    Raises CalledProcessError if the measuring program fails.
    """
    script = Path(__file__).resolve().parent / MEASURING
    own = root / "tests" / "bench" / MEASURING
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(root), str(root / "tests"))),
        "OMP_NUM_THREADS": "1",
    }
    command = [sys.executable, str(own if own.exists() else script), str(folder)]
    output = subprocess.run(command, cwd=root, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, float] = json.loads(output.stdout)
    return found


def table(lines: Sequence[Mapping[str, Any]], names: Sequence[str], numbers: range) -> Table:
    """Return a table with the median and the worst ratio of each step, for each checkout."""
    chosen = [line for line in lines if line["number"] in numbers]
    drawn = Table(title=f"ratios to a Sobel pass, {len(numbers)} desktops from number {numbers.start}")
    drawn.add_column("step")
    for name in names:
        drawn.add_column(f"{name}: median", justify="right")
        drawn.add_column("worst", justify="right")
    if len(names) > 1:
        drawn.add_column("median of here / other", justify="right")
    for step, words in STEPS.items():
        found = {name: [line["ratios"][step] for line in chosen if line["of"] == name] for name in names}
        row = [
            f"{shown:.3g}" for ratios in found.values() for shown in (statistics.median(ratios), max(ratios))
        ]
        if len(names) > 1:
            row.append(f"{statistics.median(found['here']) / statistics.median(found['other']):.2f}")
        drawn.add_row(words, *row)
    return drawn


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    options.add_argument("--count", type=int, default=12, help="desktops (default: 12)")
    options.add_argument("--first", type=int, default=0, help="number of the first one (default: 0)")
    options.add_argument("--other", type=Path, metavar="PATH", help="another checkout, to compare with")
    options.add_argument(
        "--resume", type=Path, metavar="FILE", help="keep records in FILE, and go on from there"
    )
    asked = options.parse_args()
    roots = {"here": Path(__file__).resolve().parents[2]}
    if asked.other is not None:
        roots["other"] = asked.other.resolve()
    journal = Journal(asked.resume, {"bench": "vision ratio", "other": str(roots.get("other", ""))})
    numbers = range(asked.first, asked.first + asked.count)
    done = {(line["number"], line["of"]) for line in journal.lines}
    with Progress(console=Console(stderr=True)) as progress:
        for number in progress.track(numbers, description="desktops"):
            left = [name for name in roots if (number, name) not in done]
            if not left:
                continue
            with tempfile.TemporaryDirectory() as temporary:
                folder = Path(temporary)
                draw(number, folder)
                found = {name: run(roots[name], folder) for name in left}
            journal.add({"number": number, "of": name, "ratios": each} for name, each in found.items())
    Console(width=140).print(table(journal.lines, list(roots), numbers))


if __name__ == "__main__":
    main()
