"""The arrays that the kernel works on.

A cell is its index, row by row. Everything is a named tuple of flat arrays, made once for a board size and
used again for every position, since making arrays costs more than most positions.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt

# Compiled code mixes the numbers of all these arrays freely.
Ints = Annotated[npt.NDArray[Any], np.int64]
Small = Annotated[npt.NDArray[Any], np.int32]
Short = Annotated[npt.NDArray[Any], np.int16]
Bytes = Annotated[npt.NDArray[Any], np.int8]
Floats = Annotated[npt.NDArray[Any], np.float64]

UNKNOWN, MINE, SAFE = -1, -2, -3  # what `Position.shown` holds for a cell that is not opened
UNKNOWNS, MINES_LEFT, SAFES, TOTAL_KNOWN = range(4)  # indices of `Position.tally`
ENDGAME, NEAR, OUTSIDE_CELLS, BEST_SHARE, SEARCH = range(5)  # indices of a policy, see `policies`
_RANKED = 1024  # cells; those off the frontier are often the safest, and must not crowd out the others
_TRIED_NEXT = 4  # cells that are looked at for the move after the next
SLOTS = 21  # constraints that a state can hold, 3 bits each


class Topology(NamedTuple):
    """Which cells touch: ``near`` (cells, 8), of which the first ``degree`` (cells,) are in use."""

    rows: int
    cols: int
    near: Small
    degree: Small
    keys: Ints  # (cells,) random bits by which sets of cells are told apart
    choose: Floats  # (9, 9) binomials


class Position(NamedTuple):
    """What is known of a board.

    ``shown`` is the number of an opened cell, else UNKNOWN or what was deduced, MINE or SAFE; ``left`` and
    ``mines`` are how many neighbours of each cell are UNKNOWN and MINE. ``tally`` holds how many cells are
    UNKNOWN, how many mines these hold, how many entries of ``safe``, the deduced cells, are waiting, and
    whether the total of mines is known; if not, MINES_LEFT is none less those that were deduced or shown.
    """

    shown: Bytes
    left: Bytes
    mines: Bytes
    tally: Ints
    safe: Small


class Work(NamedTuple):
    """Everything that the analysis of a position needs; rows of the two-dimensional arrays have names below.

    Few arrays, since all of them are written down at every call from Python, see `handles`.
    """

    size: Ints  # how many there are of everything
    front: Small  # (rows, cells): constraints, groups, components
    links: Small  # (2, cells, 8): the groups of each constraint, the constraints of each group
    mark: Ints  # by cell: the keys of the numbers that touch it
    group_table: Ints  # (slots, 2): stamp and group
    state: Ints  # (rows, states)
    to: Small  # by edge: the state that it leads to
    poly: Floats  # (2, coefficients)
    state_table: Ints  # (slots, 2): stamp and state
    step: Ints  # (rows, places)
    fold: Floats  # (components + 1) x (mines + 1)
    line: Floats  # (2, cells)
    facts: Floats
    risk: Floats  # by cell
    queue: Small
    queued: Bytes
    weight: Floats  # (9, 9): what so many mines in a group of such a size count, see `numbers`


class Endgame(NamedTuple):
    """The solutions of a position that has few of them, and the tree over them, see `endgame`.

    A cell is its number among the UNKNOWN ones here.
    """

    cell: Small  # the cell of the board
    number: Small  # by cell of the board: its number
    mined: Bytes  # (solutions, cells)
    at: Small  # by solution: its state in the sweep
    within: Small  # by solution: mines in the component
    used: Small  # by solution: mines in all
    chosen: Small
    shows: Bytes  # by cell, by solution: the number that the cell shows, or 9 for a mine
    kinds: Short  # (solutions, cells): 1 << that number
    seen: Short  # (2, cells): the kinds of each cell in a node, and how many mines
    words: Ints  # the same in bits, see `tree`
    random: Ints  # by solution: the word that stands for it in the keys of nodes
    keys: Ints  # the same by bit
    table: Ints  # nodes, see `tree`
    stack: Small
    facts: Ints


class Mind(NamedTuple):
    """Everything that a decision needs beside the position itself."""

    topology: Topology
    work: Work  # of the position
    inner: Position  # one that is supposed
    other: Work  # of that
    end: Endgame
    order: Small
    below: Position  # one that is supposed after the first
    under: Work  # of that
    next_order: Small


# rows of `size`
CONSTRAINTS, GROUPS, COMPONENTS, CELLS, END, GROUP_STAMP, STATES, EDGES, COEFFICIENTS, STATE_STAMP = range(10)
FORGOTTEN, LARGE, APART, COST = range(10, 14)  # see `forget`, `numbers` and `analysis`
SPENT = 14  # the costs of all that was supposed for the guess at hand
# rows of `front`: by constraint and by cell; by group, by place in the order, by component
NEED, LEFT, LINKS, REST, OPENED, SLOT, CONSTRAINT_OF, GROUP_OF, CELL = range(9)
FIRST, SIZE, SPAN, SEEN, WAITING, ORDER, KEPT, START = range(9, 17)
LAST, HOLDS = 17, 18  # by constraint: the place of its last group; by slot: its constraint
TO_GROUPS, TO_CONSTRAINTS = 0, 1  # rows of `links`
KEY, LOW, LENGTH, OFFSET, LEAST, EDGE = range(6)  # rows of `state`
AHEAD, BACK = 0, 1  # rows of `poly`
LAYER, UNIT, ADDED = range(3)  # rows of `step`
BEFORE, SPARE = 0, 1  # rows of `line`
SOLUTIONS, OUTSIDE, SCALE, LEVEL, ODDS, DENSITY = range(6)  # rows of `facts`


def topology(rows: int, cols: int) -> Topology:
    """Return which cells of a board touch."""
    near = np.zeros((rows * cols, 8), np.int32)
    degree = np.zeros(rows * cols, np.int32)
    for down in (-1, 0, 1):
        for across in (-1, 0, 1):
            if (down, across) == (0, 0):
                continue
            row, col = np.mgrid[max(0, -down) : rows - max(0, down), max(0, -across) : cols - max(0, across)]
            here = (row * cols + col).ravel()
            near[here, degree[here]] = here + down * cols + across
            degree[here] += 1
    keys = np.random.default_rng(1).integers(1, 2**62, rows * cols, dtype=np.int64)
    choose = np.zeros((9, 9))
    choose[:, 0] = 1
    for n in range(1, 9):
        choose[n, 1:] = choose[n - 1, 1:] + choose[n - 1, :-1]
    return Topology(rows, cols, near, degree, keys, choose)


def position(cells: int) -> Position:
    """Return an empty position, to be filled by `rules.reset` or `rules.take`."""
    return Position(
        np.empty(cells, np.int8),
        np.empty(cells, np.int8),
        np.empty(cells, np.int8),
        np.zeros(4, np.int64),
        np.empty(cells, np.int32),
    )


def work(cells: int, states: int = 0) -> Work:
    """Return the arrays to analyse positions of so many cells, with room for so many states in one sweep."""
    states = states or max(1 << 17, 16 * cells)
    return Work(
        size=np.zeros(16, np.int64),
        front=np.zeros((19, cells + 2), np.int32),
        links=np.zeros((2, cells, 8), np.int32),
        mark=np.zeros(cells, np.int64),
        group_table=np.zeros((1 << (2 * cells).bit_length(), 2), np.int64),
        state=np.zeros((6, states), np.int64),
        to=np.zeros(4 * states, np.int32),
        poly=np.zeros((2, max(8 * min(states, 1 << 17), 100 * cells))),
        state_table=np.zeros((1 << (2 * states - 1).bit_length(), 2), np.int64),
        step=np.zeros((3, 2 * cells + 2), np.int64),
        fold=np.zeros(max(1 << 16, 400 * cells)),
        line=np.zeros((2, 2 * cells + 2)),
        facts=np.zeros(8),
        risk=np.zeros(cells),
        queue=np.zeros(cells, np.int32),
        queued=np.zeros(cells, np.int8),
        weight=np.zeros((9, 9)),
    )


def endgame(cells: int, most: int = 128, rows: int = 8192) -> Endgame:
    """Return the arrays for half as many solutions as ``rows`` of ``most`` unknown cells on so many cells."""
    return Endgame(
        cell=np.zeros(cells, np.int32),
        number=np.zeros(cells, np.int32),
        mined=np.zeros((rows, most), np.int8),
        at=np.zeros(rows, np.int32),
        within=np.zeros(rows, np.int32),
        used=np.zeros(rows, np.int32),
        chosen=np.zeros(most, np.int32),
        shows=np.zeros(most * rows, np.int8),
        kinds=np.zeros((rows, most), np.int16),
        seen=np.zeros((2, most), np.int16),
        words=np.zeros(44 * most, np.int64),  # `tree.CELL_WORDS` for each cell
        random=np.random.default_rng(2).integers(1, 2**62, rows, dtype=np.int64),
        keys=np.zeros(256, np.int64),  # as many as a node in bits may have solutions
        table=np.zeros(3 << 16, np.int64),
        stack=np.zeros(16 * (rows + 4 * most), np.int32),
        facts=np.array([0, 0, 300_000, 0, 0, 0, 0, 0, 0, 0], np.int64),  # `tree.BUDGET` is set for good
    )


def mind(rows: int, cols: int) -> Mind:
    """Return the arrays to decide on boards of this size."""
    cells = rows * cols
    return Mind(
        topology(rows, cols),
        work(cells),
        position(cells),
        work(cells),
        endgame(cells),
        np.zeros(min(cells, _RANKED), np.int32),
        position(cells),
        work(cells),
        np.zeros(_TRIED_NEXT, np.int32),
    )
