"""Print what is located and read on the laboratory pictures and on our own, and how long it takes.

Run ``python tests/bench_vision.py``. It measures and judges nothing.
"""

from __future__ import annotations

from time import perf_counter

from rich.console import Console
from rich.table import Table

from bot.geometry import Grid, Pixels
from bot.vision import Reading, load_picture, load_skins, read_grid, read_picture
from fixture_boards import FIXTURES, fixture_boards
from picture_changes import mistakes
from screens import screens

ROUNDS = 20


def cases() -> list[tuple[str, Pixels, list[tuple[Grid, list[str]]]]]:
    """Return the name, the picture and the true boards of everything that can be read."""
    found = [(screen.name, screen.pixels, [(screen.grid, screen.rows)]) for screen in screens()]
    for path in sorted(FIXTURES.glob("*.png")):
        truths = [
            (Grid(truth.x, truth.y, 16, 16, *truth.board.shape), truth.board.lines())
            for truth in fixture_boards(path.stem)
        ]
        found.append((path.stem, load_picture(path), truths))
    return found


def match(readings: list[Reading], grid: Grid) -> Reading | None:
    """Return the reading at the place of a true grid."""
    near = [found for found in readings if abs(found.grid.x - grid.x) + abs(found.grid.y - grid.y) <= 6]
    return next((found for found in near if found.board.shape == (grid.rows, grid.cols)), None)


def milliseconds(pixels: Pixels, reading: Reading) -> float:
    """Return how long it takes to read a board again whose place is known."""
    skin = next(skin for skin in load_skins() if skin.name == reading.skin)
    start = perf_counter()
    for _ in range(ROUNDS):
        read_grid(pixels, reading.grid, skin)
    return (perf_counter() - start) / ROUNDS * 1000


def main() -> None:
    """Print the table."""
    skins = load_skins()
    table = Table("picture", "board", "located", "wrong", "unreadable", "search ms", "track ms")
    for name, pixels, truths in cases():
        start = perf_counter()
        readings = read_picture(pixels, skins)
        search = (perf_counter() - start) * 1000
        for grid, rows in truths:
            reading = match(readings, grid)
            size = f"{grid.rows} x {grid.cols}"
            if reading is None:
                table.add_row(name, size, f"no ({len(readings)} elsewhere)", "", "", f"{search:.0f}", "")
                continue
            wrong, unreadable = mistakes(reading.board.lines(), rows)
            track = milliseconds(pixels, reading)
            figures = (str(wrong), str(unreadable), f"{search:.0f}", f"{track:.2f}")
            table.add_row(name, size, f"{reading.skin} {reading.scale}", *figures)
    Console(width=130).print(table)


if __name__ == "__main__":
    main()
