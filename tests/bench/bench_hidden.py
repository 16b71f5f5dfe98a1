"""Print what is read of boards of which a part is cut off by the picture's edge or under another window.

Run from the repository root: ``python tests/bench hidden 20``, with how many boards of each
kind and art. *Whole*: rows, columns and corner are those of the whole board. *Told*: only a part is found,
its cells lie on those of the board, and the reading says on which sides there may be more. *Wrong size*: a
part or too much is taken for a whole board. *None*: nothing is found there. *Wrong cells* are counted on all
readings.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence

import cv2
from rich.console import Console
from rich.table import Table

from bench.hidden_boards import KINDS, HiddenBoard, hidden_board
from bot.board import State
from bot.geometry import Grid
from bot.vision import Reading, Skin, load_skins, read_picture

ARTS = ("winmine", "winemine", "unknown")
OUTCOMES = ("whole", "told", "wrong size", "none")
NEAR = 0.2  # of a cell


def offset(grid: Grid, truth: Grid) -> tuple[int, int] | None:
    """Return the row and column of the true board at which a grid begins; None if its cells are others."""
    row, col = (grid.y - truth.y) / truth.pitch_y, (grid.x - truth.x) / truth.pitch_x
    bottom = row + grid.height / truth.pitch_y, grid.rows + round(row)
    right = col + grid.width / truth.pitch_x, grid.cols + round(col)
    pairs = ((row, round(row)), (col, round(col)), bottom, right)
    return (round(row), round(col)) if all(abs(one - other) <= NEAR for one, other in pairs) else None


def outcome(readings: Sequence[Reading], truth: HiddenBoard) -> tuple[str, int]:
    """Return what came of a board, and how many of its cells were read wrong."""
    there = [reading for reading in readings if not reading.grid.rect.intersection(truth.grid.rect).empty]
    if not there:
        return "none", 0
    reading = max(there, key=lambda one: one.board.states.size)
    begin, (rows, cols) = offset(reading.grid, truth.grid), reading.board.shape
    if begin is None:
        return "wrong size", 0
    row, col = begin
    if begin == (0, 0) and (rows, cols) == truth.board.shape:
        return "whole", wrong_cells(reading, truth, row, col)
    inside = row >= 0 and col >= 0 and row + rows <= truth.board.rows and col + cols <= truth.board.cols
    if not inside or not reading.cut:
        return "wrong size", 0
    return "told", wrong_cells(reading, truth, row, col)


def wrong_cells(reading: Reading, truth: HiddenBoard, row: int, col: int) -> int:
    """Return how many cells show something else than was read."""
    rows, cols = reading.board.shape
    true, read = truth.board.states[row : row + rows, col : col + cols], reading.board.states
    return int(((read != true) & (read != State.UNREADABLE)).sum())


def main() -> None:
    """Print a line for each kind of hiding and each art."""
    cv2.setNumThreads(1)
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    skins = load_skins()
    table = Table("art", "hidden", *OUTCOMES, "wrong cells", title=f"{count} boards each, a part hidden")
    for art in ARTS:
        skin = next((skin for skin in skins if skin.name == art), None)
        for kind in KINDS:
            found, wrong = measure(kind, count, skin, skins)
            table.add_row(art, kind, *(str(found[each]) for each in OUTCOMES), str(wrong))
    Console(width=110).print(table)


def measure(kind: str, count: int, skin: Skin | None, skins: Sequence[Skin]) -> tuple[Counter[str], int]:
    """Return how often each outcome came of boards with one kind of hiding, and the sum of wrong cells."""
    results = []
    for seed in range(count):
        truth = hidden_board(kind, seed, skin)
        results.append(outcome(read_picture(truth.pixels, skins, first_sight=skin is None), truth))
    return Counter(found for found, _ in results), sum(wrong for _, wrong in results)


if __name__ == "__main__":
    main()
