"""Print how boards are read whose art was never seen: drawn ones, the laboratory's, and pictures without one.

Run from the repository root: ``PYTHONPATH=. python tests/bench_unknown.py --count 300``. No template is used
for any board. It measures and judges nothing.
"""

from __future__ import annotations

import argparse
import statistics
from collections import Counter
from collections.abc import Iterable
from time import perf_counter

import cv2
import numpy as np

from boardless import pictures
from bot.board import Board, State
from bot.geometry import Grid
from bot.vision import load_picture
from bot.vision.grid import find_grids
from bot.vision.unknown.read import FirstSight, read_unknown
from fixture_boards import FIXTURES, fixture_boards
from screens import screens
from unknown_boards import UnknownBoard, cut_grids, drawn, wrong_grids


def options() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=200, help="drawn boards, and pictures without a board")
    parser.add_argument("--seed", type=int, default=5000, help="of the first")
    parser.add_argument("--parts", default="drawn,known,fixtures,screens,wrong,boardless")
    parser.add_argument("--verbose", action="store_true")
    return parser.parse_args()


def fixtures() -> Iterable[UnknownBoard]:
    """Yield our own screenshots."""
    for path in sorted(FIXTURES.glob("*.png")):
        for truth in fixture_boards(path.stem):
            grid = Grid(truth.x, truth.y, 16, 16, *truth.board.shape)
            yield UnknownBoard(path.stem, load_picture(path), grid, truth.board.states)


def laboratory() -> Iterable[UnknownBoard]:
    """Yield the laboratory's pictures, none if it is missing."""
    for screen in screens():
        yield UnknownBoard(screen.name, screen.pixels, screen.grid, Board.from_rows(screen.rows).states)


def difference(seen: FirstSight, board: UnknownBoard) -> Counter[str]:
    """Return how often each wrong or unreadable state was read, in words."""
    shown = Board(seen.reading.board.states).lines()
    pairs = zip("".join(Board(board.states).lines()), "".join(shown), strict=True)
    return Counter(f"{true} as {read}" for true, read in pairs if true != read)


def measure(title: str, boards: Iterable[UnknownBoard], verbose: bool) -> None:
    """Print how the boards are read on their true grids."""
    counts: Counter[str] = Counter()
    times = []
    for board in boards:
        start = perf_counter()
        seen = read_unknown(board.pixels, board.grid)
        times.append((perf_counter() - start) * 1000)
        counts["boards"] += 1
        if seen is None:
            counts["refused"] += 1
            print(f"  {board.name}: refused") if verbose else None
            continue
        if seen.reading.board.shape != board.states.shape:
            counts["other grid"] += 1
            print(f"  {board.name}: {seen.reading.board.shape} cells") if verbose else None
            continue
        states = seen.reading.board.states
        wrong = int(((states != board.states) & (states != State.UNREADABLE)).sum())
        counts["cells"] += states.size
        counts["wrong"] += wrong
        counts["boards with wrong cells"] += wrong > 0
        counts["unreadable"] += int((states == State.UNREADABLE).sum())
        counts["perfect"] += bool((states == board.states).all())
        if verbose and (states != board.states).any():
            print(f"  {board.name}: {dict(difference(seen, board))}")
    if times:
        print(f"{title}: {dict(counts)}, {statistics.median(times):.0f} ms, at most {max(times):.0f} ms")


def measure_wrong(count: int, seed: int, verbose: bool) -> None:
    """Print how often a grid that is not the board's is taken for it, or corrected."""
    accepted: Counter[str] = Counter()
    corrected: Counter[str] = Counter()
    for number in range(seed, seed + count):
        board = drawn(number)
        for name, grid in [*wrong_grids(board.grid), *cut_grids(board.grid)]:
            seen = read_unknown(board.pixels, grid)
            if seen is None:
                continue
            found, true = seen.reading.grid, board.grid
            near = max(abs(found.x - true.x), abs(found.y - true.y)) <= 2
            if near and (found.rows, found.cols) == (true.rows, true.cols):
                corrected[name] += 1
                continue
            accepted[name] += 1
            if verbose:
                print(f"  {board.name}, {name}\n{seen.reading.board}")
    print(f"wrong grids of {count} boards: accepted {dict(accepted)}, corrected {dict(corrected)}")


def measure_boardless(count: int, seed: int, verbose: bool) -> None:
    """Print how often something that is no board is accepted."""
    false = candidates = 0
    for picture in pictures(count, seed):
        grids = [candidate.grid for candidate in find_grids(picture.pixels)]
        candidates += len(grids)
        seen = [found for grid in grids if (found := read_unknown(picture.pixels, grid))]
        false += bool(seen)
        if verbose and seen:
            print(f"  {picture.name}: {seen[0].reading.grid}\n{seen[0].reading.board}")
    print(f"{count} pictures without a board, {candidates} candidates: false boards in {false}")


def main() -> None:
    """Print all parts that were asked for."""
    asked = options()
    cv2.setNumThreads(1)
    seeds = np.arange(asked.seed, asked.seed + asked.count).tolist()
    parts = {
        "drawn": lambda: measure("held-out art", map(drawn, seeds), asked.verbose),
        "known": lambda: measure("trained art", (drawn(s, False) for s in seeds), asked.verbose),
        "fixtures": lambda: measure("fixtures", fixtures(), asked.verbose),
        "screens": lambda: measure("laboratory", laboratory(), asked.verbose),
        "wrong": lambda: measure_wrong(asked.count // 4, asked.seed, asked.verbose),
        "boardless": lambda: measure_boardless(asked.count, asked.seed, asked.verbose),
    }
    for part in asked.parts.split(","):
        parts[part]()


if __name__ == "__main__":
    main()
