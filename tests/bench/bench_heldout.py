"""How well a reader reads drawn screenshots that it was not made for.

Run from the repository root: ``PYTHONPATH=.:tests python tests/bench/bench_heldout.py``. Board i is
``heldout.scene(i)``. With ``--resume`` each board is one line of a file, and those in it are not read again.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.measured import exactly
from bot.board import State
from bot.geometry import Grid, Pixels
from bot.vision import Reading, load_skins, read_picture, save_picture
from heldout import BoardTruth, Scene, scene

_SKINS = Path(__file__).parents[2] / "templates"


@dataclass(frozen=True, slots=True)
class Result:
    """What one reader made of the picture of one seed; cells are those of boards located exactly."""

    seed: int
    style: str
    layout: str
    size: str
    state: str  # of the main board: new, running, won or lost
    tags: tuple[str, ...]
    boards: int
    located: int  # boards whose grid is exactly right
    other_grid: int  # boards over which a reading with another grid lies
    missed: int  # boards over which no reading lies
    false: int  # readings that lie over no board
    perfect: int  # boards on which every cell that can be seen is right
    cells: int
    wrong: int
    unreadable: int
    wrong_state: int  # boards located exactly whose game was taken to be in another state
    seconds: float
    confused: dict[str, int] = field(default_factory=dict)  # "shown read": how many cells


def read(pixels: Pixels, known: bool) -> Sequence[Reading]:
    """Return what the reader sees on a BGR picture: the one line to change for another reader."""
    return read_picture(pixels, load_skins(_SKINS) if known else [], first_sight=True)


def result_of(seed: int, known: bool, keep: Path | None) -> Result:
    """Read the picture of a seed; keep it in a folder if it was not read perfectly."""
    cv2.setNumThreads(1)
    drawn = scene(seed)
    start = time.perf_counter()
    readings = read(drawn.pixels, known)
    result = judged(seed, drawn, readings, time.perf_counter() - start)
    if keep is not None and (result.perfect < result.boards or result.false):
        keep.mkdir(parents=True, exist_ok=True)
        save_picture(keep / f"{seed:04d} {drawn.style} {drawn.layout}.png", drawn.pixels)
    return result


def judged(seed: int, drawn: Scene, readings: Sequence[Reading], seconds: float) -> Result:
    """Hold readings of a picture against its truth."""
    located = perfect = cells = wrong = unreadable = wrong_state = other_grid = missed = 0
    confused: dict[str, int] = {}
    for truth in drawn.boards:
        over = [reading for reading in readings if _overlap(reading.grid, truth.grid)]
        exact = next((reading for reading in over if exactly(reading.grid, truth.grid)), None)
        if exact is None:
            other_grid, missed = other_grid + bool(over), missed + (not over)
            continue
        seen = ~truth.hidden
        unread = seen & (exact.board.states == State.UNREADABLE)
        differs = seen & ~unread & (exact.board.states != truth.states)
        for row, col in np.argwhere(differs):
            pair = f"{_name(truth, row, col)} {_named(int(exact.board.states[row, col]))}"
            confused[pair] = confused.get(pair, 0) + 1
        located += 1
        perfect += not (unread | differs).any()
        cells += int(seen.sum())
        wrong += int(differs.sum())
        unreadable += int(unread.sum())
        wrong_state += exact.state.value != truth.state
    false = sum(not any(_overlap(reading.grid, truth.grid) for truth in drawn.boards) for reading in readings)
    return Result(
        seed, drawn.style, drawn.layout, drawn.size, drawn.state, drawn.tags, len(drawn.boards), located,
        other_grid, missed, false, perfect, cells, wrong, unreadable, wrong_state, round(seconds, 4),
        confused,
    )  # fmt: skip


def _named(state: int) -> str:
    return str(state) if state <= 8 else State(state).name


def _name(truth: BoardTruth, row: int, col: int) -> str:
    return _named(int(truth.states[row, col]))


def _overlap(one: Grid, other: Grid) -> bool:
    return not one.rect.intersection(other.rect).empty


def results(seeds: Sequence[int], known: bool, keep: Path | None, jobs: int) -> Iterator[Result]:
    """Read the pictures of ``seeds``, in so many processes at once."""
    work: Callable[[int], Result] = partial(result_of, known=known, keep=keep)
    if jobs == 1:
        yield from map(work, seeds)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(work, seeds)


def kept_results(file: Path | None) -> list[Result]:
    """Return the results in a file of an earlier run, none if there is no file."""
    if file is None or not file.exists():
        return []
    lines = file.read_text(encoding="utf-8").splitlines()
    return [Result(**{**values, "tags": tuple(values["tags"])}) for values in map(json.loads, lines)]


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def _row(name: str, group: Sequence[Result]) -> list[str]:
    boards, cells = sum(each.boards for each in group), sum(each.cells for each in group)
    located = sum(each.located for each in group)
    seconds = [each.seconds for each in group]
    return [
        name,
        str(boards),
        _share(located, boards),
        _share(sum(each.perfect for each in group), boards),
        f"{sum(each.wrong for each in group)} ({_share(sum(each.wrong for each in group), cells)})",
        f"{sum(each.unreadable for each in group)} ({_share(sum(each.unreadable for each in group), cells)})",
        str(sum(each.other_grid for each in group)),
        str(sum(each.missed for each in group)),
        str(sum(each.false for each in group)),
        _share(sum(each.wrong_state for each in group), located),
        f"{statistics.median(seconds):.2f} / {max(seconds):.1f}",
    ]


def table(title: str, groups: Iterable[tuple[str, Sequence[Result]]]) -> Table:
    """Return a table with a line for each group of results."""
    columns = (
        title, "boards", "located", "perfect", "wrong cells", "unreadable", "other grid", "missed", "false",
        "wrong state", "seconds, median / max",
    )  # fmt: skip
    drawn = Table(*columns)
    for name, group in groups:
        drawn.add_row(*_row(name, group))
    return drawn


def _grouped(
    found: Sequence[Result], names: Callable[[Result], Iterable[str]]
) -> list[tuple[str, list[Result]]]:
    """Return the results under each of their names, the least perfect first."""
    groups: dict[str, list[Result]] = {}
    for result in found:
        for name in names(result):
            groups.setdefault(name, []).append(result)

    def perfect(group: Sequence[Result]) -> float:
        return sum(each.perfect for each in group) / sum(each.boards for each in group)

    return sorted(groups.items(), key=lambda item: perfect(item[1]))


def report(found: Sequence[Result], console: Console) -> None:
    """Print the figures of all results, and of each style, layout, size, state and tag."""
    for title, names in (
        ("style", lambda result: [result.style]),
        ("layout", lambda result: [result.layout]),
        ("size", lambda result: [result.size]),
        ("game", lambda result: [result.state]),
        ("tag", lambda result: result.tags),
    ):
        console.print(table(title, _grouped(found, names)))
    pairs: dict[str, int] = {}
    for result in found:
        for pair, count in result.confused.items():
            pairs[pair] = pairs.get(pair, 0) + count
    most = sorted(pairs.items(), key=lambda item: -item[1])[:12]
    console.print(
        "most frequent errors:", ", ".join(f"{p.replace(' ', ' as ')} {n}" for p, n in most) or "none"
    )
    console.print(table("all", [("all", found)]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="how many pictures")
    parser.add_argument("--first", type=int, default=0, metavar="SEED", help="the first seed")
    parser.add_argument("--known", action="store_true", help="use the skins of known programs too")
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="write pictures that were not read perfectly"
    )
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument(
        "--resume", type=Path, metavar="FILE", help="keep a line a picture, and go on from it"
    )
    options = parser.parse_args()
    wanted = range(options.first, options.first + options.count)
    found = [result for result in kept_results(options.resume) if result.seed in wanted]
    done = {result.seed for result in found}
    waiting = [seed for seed in wanted if seed not in done]
    console = Console(width=160 if not Console().is_terminal else None)
    new = results(waiting, options.known, options.keep, options.jobs)
    for result in track(new, "reading", total=len(waiting), console=Console(stderr=True), update_period=1):
        found.append(result)
        if options.resume is not None:
            with options.resume.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(result)) + "\n")
    if found:
        report(found, console)


if __name__ == "__main__":
    main()
