"""Print how cells below a pointer are read: on our screenshots and drawn boards, known and at first sight.

Run from the repository root: ``python tests/bench pointer --count 300``. Each picture gets
one pointer of some desktop at some place over the board; half of them are stored as JPEG or stretched after
that. Only cells are counted that the pointer touches and that are read where there is none.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from bench.drawn_pointers import random_pointer

from bot.board import CHARACTERS, State, States
from bot.geometry import Grid, Pixels
from bot.vision import load_picture, load_skins, read_grid
from bot.vision.board_reader import read_unknown
from drawn_boards import draw_board, played
from fixture_boards import FIXTURES, fixture_boards
from heldout import scene
from picture_changes import jpeg, stretch_to

Reader = Callable[[Pixels, Grid], States | None]
Shown = tuple[str, Pixels, Grid, States]
PARTS = ("fixtures", "programs", "drawn", "known")


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A board with a pointer on it: what it is called, the picture without and with it, grid and states."""

    name: str
    without: Pixels
    pixels: Pixels
    grid: Grid
    states: States

    @property
    def touched(self) -> npt.NDArray[np.bool_]:
        """Which cells the pointer touches, bool (rows, cols)."""
        differs = (cv2.absdiff(self.without, self.pixels).max(2) > 16).astype(np.uint8)
        grid = self.grid
        rows, cols = (np.arange(count + 1) for count in (grid.rows, grid.cols))
        y = np.round(grid.y + rows * grid.pitch_y).astype(int)
        x = np.round(grid.x + cols * grid.pitch_x).astype(int)
        total = cv2.integral(differs)
        inside = total[y[1:, None], x[1:]] - total[y[:-1, None], x[1:]]
        inside = inside - total[y[1:, None], x[:-1]] + total[y[:-1, None], x[:-1]]
        return np.asarray(inside > 2)


def cases(boards: Iterator[Shown], seed: int) -> Iterator[Case]:
    """Yield each board with a pointer at random, stored and stretched at random."""
    rng = np.random.default_rng(seed)
    for name, pixels, grid, states in boards:
        pointer = random_pointer(rng)
        x = grid.x + rng.uniform(-0.3, 1) * grid.width * 0.98
        y = grid.y + rng.uniform(-0.3, 1) * grid.height * 0.98
        x, y = max(x, grid.x - pointer.size / 2), max(y, grid.y - pointer.size / 2)
        pictures = [pixels, pointer.over(pixels, round(x), round(y))]
        kind, quality, factor = rng.integers(4), int(rng.integers(50, 96)), float(rng.choice([1.25, 1.5, 2]))
        if kind in (1, 2):
            pictures = [jpeg(picture, quality) for picture in pictures]
        if kind in (2, 3):
            pictures = [stretch_to(picture, factor, cv2.INTER_LINEAR) for picture in pictures]
            x, y, wide, tall = (factor * value for value in (grid.x, grid.y, grid.pitch_x, grid.pitch_y))
            grid = Grid(x, y, wide, tall, *states.shape)
        yield Case(f"{name}, {pointer}", pictures[0], pictures[1], grid, states)


def screenshots(count: int, pattern: str, seed: int) -> Iterator[Shown]:
    """Yield boards of our screenshots at random."""
    rng = np.random.default_rng(seed)
    paths = sorted(FIXTURES.glob(pattern))
    for path in rng.choice(np.array(paths), count):
        name = str(path.relative_to(FIXTURES).with_suffix("").as_posix())
        truth = fixture_boards(name)[0]
        grid = truth.grid
        yield name, load_picture(path), grid, truth.board.states


def art(count: int, seed: int) -> Iterator[Shown]:
    """Yield boards in drawn art."""
    for number in range(seed, seed + count):
        screen = scene(number)
        if not screen.hidden.any():
            yield f"{screen.style} {number}", screen.pixels, screen.grid, screen.states


def classic(count: int, seed: int) -> Iterator[Shown]:
    """Yield boards drawn from the skins that know all states."""
    skins = [skin for skin in load_skins() if skin.name in ("winmine", "winemine")]
    for number in range(seed, seed + count):
        skin, board = skins[number % 2], played(16, 30, number, lost=number % 3 == 0)
        pixels, x, y = draw_board(skin, board, 7)
        yield skin.name, pixels, Grid(x, y, skin.cell, skin.cell, *board.shape), board.states


def first_sight(pixels: Pixels, grid: Grid) -> States | None:
    """Return what is read without a skin."""
    watcher = read_unknown(pixels, grid)
    return None if watcher is None else watcher.reading.board.states


def known(pixels: Pixels, grid: Grid) -> States | None:
    """Return what is read with the skin that reads most."""
    skins = [skin for skin in load_skins() if skin.name in ("winmine", "winemine")]
    read = [read_grid(pixels, grid, skin).board.states for skin in skins]
    return max(read, key=lambda states: int((states != State.UNREADABLE).sum()))


def measure(title: str, found: Iterator[Case], read: Reader, verbose: bool) -> Counter[str]:
    """Print and return how the cells that a pointer touches are read."""
    counts: Counter[str] = Counter()
    for case in found:
        without = read(case.without, case.grid)
        if without is None or without.shape != case.states.shape:
            continue
        counts["boards"] += 1
        states = read(case.pixels, case.grid)
        if states is None or states.shape != case.states.shape:
            counts["refused"] += 1
            continue
        looked = case.touched & (without == case.states)
        unread, wrong = states == State.UNREADABLE, (states != case.states) & (states != State.UNREADABLE)
        counts["touched"] += int(looked.sum())
        counts["unread"] += int((looked & unread).sum())
        counts["wrong"] += int((looked & wrong).sum())
        counts["wrong elsewhere"] += int((wrong & ~looked & (without == case.states)).sum())
        counts["boards read"] += bool((states == case.states).all())
        if verbose:
            for row, col in np.argwhere((looked & wrong) | (wrong & (without == case.states))):
                true, said = CHARACTERS[case.states[row, col]], CHARACTERS[states[row, col]]
                print(f"  {case.name}: row {row}, column {col}: {true} as {said}")
    print(f"{title}: {dict(counts)}")
    return counts


def main() -> None:
    """Print the parts that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all if none is named"
    )
    parser.add_argument("--count", type=int, default=200, help="boards of each part")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    count, seed = asked.count, asked.seed
    boards: dict[str, tuple[Callable[[], Iterator[Shown]], Reader]] = {
        "fixtures": (lambda: screenshots(count, "*-[rwl]*.png", seed), first_sight),
        "programs": (lambda: screenshots(count, "programs/*.png", seed), first_sight),
        "drawn": (lambda: art(count, 9000 + seed), first_sight),
        "known": (lambda: classic(count, seed), known),
    }
    for part in asked.parts or PARTS:
        found, read = boards[part]
        measure(part, cases(found(), seed), read, asked.verbose)


if __name__ == "__main__":
    main()
