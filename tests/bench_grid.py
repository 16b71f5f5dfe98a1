"""Print where grids are found on real screenshots, how exactly and how fast.

Run from the repository root: ``PYTHONPATH=. python tests/bench_grid.py``, for drawn desktops instead of
screenshots with how many: ``PYTHONPATH=. python tests/bench_grid.py 200``. *Located*: the corner within a
tenth of a cell; *exact*: origin within 2 pixels, pitch within 0.5 %, rows and columns right. *First* is the
best candidate, *any* the best eight. Times are of the processor, on one thread.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

import cv2

from bot.geometry import Grid
from bot.vision.grid import confirm_grid, find_grids
from drawn_windows import random_desktop
from screens import FOLDER, Screen, screens

ROUNDS = 3


def is_located(grid: Grid, truth: Grid) -> bool:
    """Return whether the corner is within 2 pixels or a tenth of a cell."""
    reach = max(2.0, 0.1 * truth.pitch_x)
    return abs(grid.x - truth.x) <= reach and abs(grid.y - truth.y) <= reach


def is_exact(grid: Grid, truth: Grid) -> bool:
    """Return whether everything is right: origin within 2 pixels, pitch within 0.5 %, rows and columns."""
    near = abs(grid.x - truth.x) <= 2 and abs(grid.y - truth.y) <= 2
    ratios = (grid.pitch_x / truth.pitch_x, grid.pitch_y / truth.pitch_y)
    same = (grid.rows, grid.cols) == (truth.rows, truth.cols)
    return near and same and all(abs(ratio - 1) <= 0.005 for ratio in ratios)


def milliseconds(action: Callable[[], object]) -> float:
    """Return the processor time of the fastest of some runs."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return 1000 * min(times)


def measure(screen: Screen) -> tuple[bool, bool, bool, bool, float]:
    """Print the line of one screenshot; return located and exact, first and any, and the time in ms."""
    pixels = screen.pixels
    grids = [candidate.grid for candidate in find_grids(pixels)]
    located = [is_located(grid, screen.grid) for grid in grids]
    exact = [is_exact(grid, screen.grid) for grid in grids]
    search = milliseconds(lambda: find_grids(pixels))
    track = milliseconds(lambda: confirm_grid(pixels, grids[0])) if grids else float("nan")
    marks = (any(located[:1]), any(exact[:1]), any(located), any(exact))
    size = f"{pixels.shape[1]}x{pixels.shape[0]}"
    words = "  ".join(f"{'yes' if mark else '-':>5}" for mark in marks)
    print(f"{screen.name:38} {size:>10}  {words}  {search:7.1f}  {track:7.2f}")
    return *marks, search


def measure_desktops(count: int, width: int = 1920, height: int = 1080) -> None:
    """Print how many boards of drawn desktops are found, and how fast."""
    boards = located = exact = candidates = 0
    times = []
    for seed in range(count):
        desktop = random_desktop(seed, height, width, boards=1 + seed % 2)
        start = time.process_time()
        grids = [candidate.grid for candidate in find_grids(desktop.pixels)]
        times.append(1000 * (time.process_time() - start))
        boards, candidates = boards + len(desktop.grids), candidates + len(grids)
        located += sum(any(is_located(grid, truth) for grid in grids) for truth in desktop.grids)
        exact += sum(any(is_exact(grid, truth) for grid in grids) for truth in desktop.grids)
    print(
        f"{count} drawn desktops of {width}x{height} with {boards} boards: located {located}, exact {exact}"
    )
    print(f"candidates a desktop: {candidates / count:.1f}")
    print(f"find: median {statistics.median(times):.1f} ms, most {max(times):.1f} ms")


def main() -> None:
    """Print one line a screenshot and the sums, or the sums of as many drawn desktops as are asked for."""
    if len(sys.argv) > 1:
        cv2.setNumThreads(1)
        measure_desktops(int(sys.argv[1]))
        return
    if not screens():
        print(f"there are no screenshots in {FOLDER}")
        return
    cv2.setNumThreads(1)
    print(f"{'':38} {'size':>10}  {'first':^12}  {'any':^12}  {'find':>7}  {'confirm':>7}")
    print(f"{'screenshot':38} {'':>10}  located  exact  located  exact  {'ms':>5}  {'ms':>7}")
    results = [measure(screen) for screen in screens()]
    sums = [sum(result[column] for result in results) for column in range(4)]
    times = [result[4] for result in results]
    print(
        f"of {len(results)}: first located {sums[0]}, exact {sums[1]}; any located {sums[2]}, exact {sums[3]}"
    )
    print(f"find: median {statistics.median(times):.1f} ms, most {max(times):.1f} ms")


if __name__ == "__main__":
    main()
