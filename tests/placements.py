"""What placing mines is tested with: fields, and a checker of placements that shares nothing with it.

A placement is checked as text, character by character; fields are seeded.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.board import Board, State

OWN_SEED = 10_000_000  # fields to try things on begin here; those that are measured do not


def wrong(position: Board, full: Board) -> str:
    """Return what is wrong with ``full`` as a placement for ``position``, "" if nothing is."""
    shown, placed = str(position).splitlines(), str(full).splitlines()
    if len(shown) != len(placed) or any(len(a) != len(b) for a, b in zip(shown[1:], placed[1:], strict=True)):
        return "another size"
    lines, found = shown[1:], placed[1:]
    mines = {(y, x) for y, line in enumerate(found) for x, mark in enumerate(line) if mark in "*X"}
    total = shown[0].split("/")[1].strip()
    if total not in ("?", str(len(mines))) or int(placed[0].split("/")[1]) != len(mines):
        return f"{len(mines)} mines instead of {total}"
    for y, line in enumerate(lines):
        for x, mark in enumerate(line):
            near = [(y + dy, x + dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx]
            around = str(len(mines.intersection(near)))
            if (y, x) not in mines and found[y][x] != around:
                return f"row {y}, column {x} shows {found[y][x]} beside {around} mines"
            if (mark.isdigit() and mark != found[y][x]) or (mark in "*X" and mark != found[y][x]):
                return f"row {y}, column {x} showed {mark}, not {found[y][x]}"
            if mark == "W" and (y, x) in mines:
                return f"row {y}, column {x} is a wrong flag on a mine"
    return ""


def mined_field(rows: int, cols: int, mines: int, seed: int) -> npt.NDArray[np.bool_]:
    """Return where mines are that lie anywhere, bool (rows, cols)."""
    mined = np.zeros(rows * cols, np.bool_)
    mined[np.random.default_rng(seed).permutation(rows * cols)[:mines]] = True
    return mined.reshape(rows, cols)


def numbers_of(mined: npt.NDArray[np.bool_]) -> npt.NDArray[np.int8]:
    """Return the number of each cell, int8 (rows, cols)."""
    rows, cols = mined.shape
    padded = np.pad(mined, 1).astype(np.int8)
    around = [padded[down : down + rows, right : right + cols] for down in range(3) for right in range(3)]
    return np.sum(around, axis=0, dtype=np.int8) - mined


def scattered(rows: int, cols: int, mines: int, share: float, seed: int) -> Board:
    """Return a field on which a ``share`` of all cells is shown, at random places without a mine."""
    mined = mined_field(rows, cols, mines, seed)
    free = np.flatnonzero(~mined)
    shown = np.random.default_rng([seed, 1]).permutation(free)[: round(share * rows * cols)]
    states = np.full(rows * cols, State.COVERED, np.int8)
    states[shown] = numbers_of(mined).ravel()[shown]
    return Board(states.reshape(rows, cols), mines)


def raised(board: Board, seed: int) -> Board:
    """Return ``board`` with one of its numbers larger by one."""
    numbers = [(cell, number) for cell, number in board.numbers() if number < 8]
    cell, number = numbers[int(np.random.default_rng([seed, 2]).integers(len(numbers)))]
    return board.replace({cell: number + 1})


def lattice_of_fours(size: int, mines: int | None = None) -> Board:
    """Return fours at every second row and column: each shares cells with those beside it, one area."""
    states = np.full((size, size), State.COVERED, np.int8)
    states[1 : size - 1 : 2, 1 : size - 1 : 2] = 4
    return Board(states, mines)


def stripes_of_fours(size: int, mines: int | None = None) -> Board:
    """Return fours in every second row, each with six covered neighbours: one area."""
    states = np.full((size, size), State.COVERED, np.int8)
    states[1 : size - 1 : 2, 1 : size - 1] = 4
    return Board(states, mines)


def knights_of_fours(size: int, mines: int | None = None) -> Board:
    """Return fours a knight's move apart, each with eight covered neighbours: one area."""
    row, col = np.indices((size, size))
    inner = (row % (size - 1) != 0) & (col % (size - 1) != 0)
    states = np.where((row + 2 * col) % 5 == 0, np.int8(4), np.int8(State.COVERED))
    return Board(np.where(inner, states, np.int8(State.COVERED)), mines)
