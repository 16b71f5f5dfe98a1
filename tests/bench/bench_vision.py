"""Print how boards are located and read, known and unknown, damaged and not, and how long that takes.

Run from the repository root: ``python tests/bench vision``, or with the parts to print:
``screens`` (the laboratory, if it is there), ``fixtures`` (our own screenshots), ``stress`` (boards under
everything that screens do to them), ``times``. All on one thread. A board is *located* if its rows
and columns are right and its corner is within a tenth of a cell, and *exactly* if the corner is within 2
pixels and the pitch within 0.5 %. *Unknown* is what is read where no skin of that program's family is at
hand. ``--obr-model FOLDER`` names the folder with
the ``params.onnx`` of ms_toollib, whose ``obr_board`` is asked the same. ``--stretches 1 1.5 2`` and
``--damages none "jpeg 50"`` choose from the stress matrix, which takes minutes as a whole.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import cv2
from rich.console import Console
from rich.table import Table

from bench.measured import exactly
from bench.obr_board import ObrAnswer, obr_board
from bench.reading_times import print_times
from bench.stress import DAMAGES, STRETCHES
from bench.stress_tables import print_stress
from bot.geometry import Grid, Pixels
from bot.vision import Reading, Skin, load_picture, load_skins, read_grid, read_picture
from bot.vision.board_reader import read_unknown
from fixture_boards import FIXTURES, fixture_boards
from picture_changes import mistakes
from screens import screens

PARTS = ("screens", "fixtures", "stress", "times")
ROUNDS = 20
# Words in the laboratory's name of a program, and the shipped skin that is made for its family.
FAMILIES = {
    "winmine": (
        "winmine",
        "Minesweeper X",
        "MinesweeperX",
        "Vienna",
        "minesweeperonline.com",
        "JSMinesweeper",
    ),
    "gnome-mines": ("GNOME",),
    "kmines": ("KMines",),
    "xdemineur": ("xdemineur",),
    "windows7": ("Windows 7",),
    "minesweeper-online": ("minesweeper.online",),
    "google": ("Google",),
}


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """One board that can be read: where it is from, the picture, the true grid and rows."""

    name: str
    program: str
    pixels: Pixels
    grid: Grid
    rows: list[str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one board; ``found`` is the skin, or why there is no reading."""

    found: str
    cells: int = 0
    located: bool = False
    exact: bool = False
    wrong: int = 0
    unreadable: int = 0
    milliseconds: float = 0.0

    @property
    def right(self) -> bool:
        """Whether rows and columns are right and every cell was read as it is."""
        return self.located and not self.wrong and not self.unreadable


def laboratory() -> Iterator[Truth]:
    """Yield the boards of the laboratory."""
    for screen in screens():
        yield Truth(screen.name, screen.skin, screen.pixels, screen.grid, screen.rows)


def ours() -> Iterator[Truth]:
    """Yield the boards of our own screenshots."""
    for path in sorted(FIXTURES.glob("*.png")):
        pixels = load_picture(path)
        for truth in fixture_boards(path.stem):
            grid = Grid(truth.x, truth.y, 16, 16, *truth.board.shape)
            yield Truth(path.stem, truth.skin, pixels, grid, truth.board.lines())


def others(program: str, skins: Sequence[Skin]) -> list[Skin]:
    """Return the skins that are not made for the family that a program belongs to."""
    return [
        skin
        for skin in skins
        if skin.name != program and not any(word in program for word in FAMILIES.get(skin.name, ()))
    ]


def outcome(readings: Sequence[Reading], truth: Truth, milliseconds: float) -> Outcome:
    """Return what came of one board among what was read in its picture."""
    there = [reading for reading in readings if _same_board(reading.grid, truth.grid)]
    if not there:
        near = [reading for reading in readings if not _apart(reading.grid, truth.grid)]
        told = bool(near) and all(reading.cut for reading in near)
        found = "a part, and says so" if told else "wrong grid" if near else "none"
        return Outcome(found, milliseconds=milliseconds)
    reading, size = there[0], truth.grid.rows * truth.grid.cols
    wrong, unreadable = mistakes(reading.board.lines(), truth.rows)
    exact = exactly(reading.grid, truth.grid)
    return Outcome(reading.skin, size, True, exact, wrong, unreadable, milliseconds)


def _same_board(grid: Grid, truth: Grid) -> bool:
    reach = max(2.0, 0.1 * truth.pitch_x)
    near = abs(grid.x - truth.x) <= reach and abs(grid.y - truth.y) <= reach
    return near and (grid.rows, grid.cols) == (truth.rows, truth.cols)


def _apart(grid: Grid, other: Grid) -> bool:
    return grid.rect.intersection(other.rect).empty


def as_known(truth: Truth, skins: Sequence[Skin]) -> Outcome:
    """Read a picture with all skins."""
    start = perf_counter()
    readings = read_picture(truth.pixels, skins)
    return outcome(readings, truth, 1000 * (perf_counter() - start))


def as_unknown(truth: Truth, skins: Sequence[Skin]) -> Outcome:
    """Read a picture as if no skin of that program's family were there."""
    start = perf_counter()
    readings = read_picture(truth.pixels, others(truth.program, skins), first_sight=True)
    return outcome(readings, truth, 1000 * (perf_counter() - start))


def on_true_grid(truth: Truth) -> Outcome:
    """Read a board at first sight whose place is given."""
    start = perf_counter()
    sight = read_unknown(truth.pixels, truth.grid)
    readings = [] if sight is None else [sight.reading]
    return outcome(readings, truth, 1000 * (perf_counter() - start))


def look(truth: Truth, skins: Sequence[Skin], found: Outcome) -> float:
    """Return how many milliseconds it takes to read a board again whose place and skin are known."""
    skin = next((skin for skin in skins if skin.name == found.found), None)
    if skin is None:
        return float("nan")
    read_grid(truth.pixels, truth.grid, skin)
    start = perf_counter()
    for _ in range(ROUNDS):
        read_grid(truth.pixels, truth.grid, skin)
    return 1000 * (perf_counter() - start) / ROUNDS


def print_boards(title: str, truths: Iterable[Truth], model: Path, console: Console) -> None:
    """Print a line for each board, and the sums."""
    skins = load_skins()
    kinds = ("known", "unknown", "on the true grid")
    table = Table(
        "picture", "board", "known skin", "ms", "again ms", "unknown", "ms", "on true grid", title=title
    )
    results: dict[str, list[Outcome]] = {kind: [] for kind in kinds}
    answers: list[tuple[ObrAnswer | str, list[str]]] = []
    for truth in truths:
        known, unknown, given = as_known(truth, skins), as_unknown(truth, skins), on_true_grid(truth)
        for kind, found in zip(kinds, (known, unknown, given), strict=True):
            results[kind].append(found)
        answers.append((obr_board(truth.pixels, truth.grid, model), truth.rows))
        size, again = f"{truth.grid.rows} x {truth.grid.cols}", look(truth, skins, known)
        times = (f"{known.milliseconds:.0f}", f"{again:.2f}", words(unknown), f"{unknown.milliseconds:.0f}")
        table.add_row(truth.name, size, words(known), *times, words(given))
    if not answers:
        console.print(f"{title}: none are there")
        return
    console.print(table)
    for kind in kinds:
        console.print(f"{kind}: {sums(results[kind])}")
    console.print(f"obr_board: {obr_sums(answers)}")


def words(found: Outcome) -> str:
    """Return an outcome in a few words."""
    if not found.located:
        return f"[red]{found.found}[/]"
    rough = "" if found.exact else ", rough grid"
    if found.right:
        return f"{found.found}: all right{rough}"
    wrong = f"[red]{found.wrong} wrong[/], " if found.wrong else ""
    return f"{found.found}: {wrong}{found.unreadable} unread{rough}"


def sums(found: Sequence[Outcome]) -> str:
    """Return the sums over boards in words."""
    located = [one for one in found if one.located]
    cells = max(1, sum(one.cells for one in located))
    wrong, unreadable = (sum(getattr(one, kind) for one in located) for kind in ("wrong", "unreadable"))
    strays = sum(one.found == "wrong grid" for one in found)
    return (
        f"{len(found)} boards, located {len(located)} (exactly {sum(one.exact for one in located)}), "
        f"on a wrong grid {strays}, every cell right in {sum(one.right for one in found)}; "
        f"of {cells} cells wrong {wrong}, unreadable {unreadable} ({100 * unreadable / cells:.2f} %)"
    )


def obr_sums(answers: Sequence[tuple[ObrAnswer | str, list[str]]]) -> str:
    """Return in words what obr_board read, or why it did not."""
    read = [(answer, rows) for answer, rows in answers if isinstance(answer, ObrAnswer)]
    if not read:
        return str(answers[0][0])
    shaped = [
        (answer.rows, rows) for answer, rows in read if list(map(len, answer.rows)) == list(map(len, rows))
    ]
    wrong = [mistakes(seen, rows)[0] for seen, rows in shaped]
    mean = sum(answer.milliseconds for answer, _ in read) / len(read)
    return (
        f"{len(answers)} boards, right shape {len(shaped)}, every cell right in {wrong.count(0)}, "
        f"wrong cells {sum(wrong)}, mean {mean:.0f} ms"
    )


def main() -> None:
    """Print the parts that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all if none is named"
    )
    parser.add_argument("--stretches", nargs="+", choices=STRETCHES, default=list(STRETCHES), metavar="NAME")
    parser.add_argument("--damages", nargs="+", choices=DAMAGES, default=list(DAMAGES), metavar="NAME")
    parser.add_argument("--obr-model", type=Path, default=Path(), help="folder with ms_toollib's params.onnx")
    asked = parser.parse_args()
    if unknown := set(asked.parts) - set(PARTS):
        parser.error(f"there is no part {min(unknown)}")
    cv2.setNumThreads(1)
    console = Console(width=150)
    printers: dict[str, Callable[[], None]] = {
        "screens": lambda: print_boards("laboratory", laboratory(), asked.obr_model, console),
        "fixtures": lambda: print_boards("our screenshots", ours(), asked.obr_model, console),
        "stress": lambda: print_stress(console, asked.stretches, asked.damages),
        "times": lambda: print_times(console),
    }
    for part in asked.parts or PARTS:
        printers[part]()


if __name__ == "__main__":
    main()
