"""Print where boards are seen on pictures that have none, with the shipped skins and without any.

Run from the repository root: ``python tests/bench boardless --count 500``. With ``--keep
FOLDER`` the pictures with a false board are written there; with ``--pictures FOLDER`` screenshots of one's
own are looked at beside the drawn ones.
"""

from __future__ import annotations

import argparse
import statistics
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import cv2

from boardless import Boardless, pictures
from bot.vision import Reading, load_picture, load_skins, read_picture, save_picture

_TOLD = 50  # pictures after which it says how far it is


def options() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=500, help="drawn pictures")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pictures", type=Path, help="a folder with pictures without a board")
    parser.add_argument("--keep", type=Path, help="a folder for the pictures with false boards")
    return parser.parse_args()


def cases(asked: argparse.Namespace) -> Iterator[Boardless]:
    """Yield the drawn pictures, then those of the folder."""
    yield from pictures(asked.count, asked.seed)
    if asked.pictures is not None:
        for path in sorted(asked.pictures.glob("*.png")):
            yield Boardless(path.stem, load_picture(path))


def describe(reading: Reading) -> str:
    """Return what was taken for a board, in a line and the position."""
    grid = reading.grid
    place = f"at ({grid.x:.0f}, {grid.y:.0f}), {grid.pitch_x:.2f} x {grid.pitch_y:.2f} px"
    return f"  {reading.skin} {place}\n{reading.board}"


def main() -> None:
    """Print every false board, and the sums."""
    asked, skins = options(), load_skins()
    cv2.setNumThreads(1)
    false: Counter[str] = Counter()
    times: list[float] = []
    for case in cases(asked):
        start = perf_counter()
        readings = read_picture(case.pixels, skins, first_sight=True)
        times.append(1000 * (perf_counter() - start))
        if readings:
            false[case.name.split("-")[0]] += 1
            print(f"{case.name}: {times[-1]:.0f} ms", *map(describe, readings), sep="\n", flush=True)
            if asked.keep is not None:
                asked.keep.mkdir(parents=True, exist_ok=True)
                save_picture(asked.keep / f"{case.name}.png", case.pixels)
        if len(times) % _TOLD == 0:
            print(f"{len(times)} pictures so far, false boards in {false.total()}", flush=True)
    print(f"{len(times)} pictures, false boards in {false.total()}: {dict(false)}")
    print(f"search: median {statistics.median(times):.0f} ms, longest {max(times):.0f} ms")


if __name__ == "__main__":
    main()
