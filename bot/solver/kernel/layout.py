"""The structs that the kernel works on, and the basic changes to a position.

A cell is an integer: its index, row by row. All arrays are made once for a board size and reused for every
position, since making them takes longer than analysing most positions.

When a cell is opened, or deduced to be safe or a mine, the numbers around it enter a queue. `settle` applies
the two counting rules to the numbers in the queue.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bot.solver.kernel.build.functions import Bytes, Floats, Ints, Short, Small, Struct, compiled, helper

UNKNOWN, MINE, SAFE = -1, -2, -3  # values in `Position.shown` of cells that are not opened
MINED = 9  # the value of a mine in `Endgame.shows`; 0 to 8 are the numbers that cells show
SLOTS = 21  # the most constraints in a state, 3 bits each
CELL_WORDS = 44  # words for each cell in `Endgame.words`, see `endgame`
_RANKED = 1024  # cells in a ranking; unconstrained ones are often the safest and must not crowd out others
_FIRST_STATES = 1 << 11  # states of a sweep for which there is room at first
SMALL_BOARD = 25  # cells of a board on which the whole game is searched
COMPARED, MOST_PLAYED = 12, 1024  # the most cells of a contest, and the most play-outs of each
TRIED_NEXT = 4  # cells that are tried as the move after the guess
FEATURES = 40  # what the learned judgement knows about a guess, see `judgement`
TREES = Path(__file__).with_name("trees.npz")  # of the learned judgement


@lru_cache(maxsize=4)
def _neighbours(rows: int, cols: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return eight entries for each cell, of which the first are its neighbours, and how many these are."""
    near = np.zeros((rows * cols, 8), np.int32)
    degree = np.zeros(rows * cols, np.int32)
    for down, across in product((-1, 0, 1), repeat=2):
        if (down, across) != (0, 0):
            row, col = np.mgrid[max(0, -down) : rows - max(0, down), max(0, -across) : cols - max(0, across)]
            here = (row * cols + col).ravel()
            near[here, degree[here]] = here + down * cols + across
            degree[here] += 1
    return near.ravel(), degree


class Position(Struct):
    """The neighbours of every cell of a board, and what is known about it; `reset` or `take` fills it."""

    rows: int
    cols: int
    near: Small  # 8 entries for each cell; the first ``degree[cell]`` are its neighbours
    degree: Small
    cells: int
    unknowns: int  # cells that are UNKNOWN
    mines_left: int  # mines in these; if the total is unknown, 0 minus the mines that are shown or deduced
    total_known: int  # 1 if the total of mines is known
    first: int  # the first cell opened if a mine under it was moved, by winmine's rule; else -1
    safes: int  # number of cells in ``safe`` that are still to be opened
    shown: Bytes  # by cell: its number if it is opened, MINE or SAFE if that is deduced, else UNKNOWN
    left: Bytes  # by cell: how many neighbours are UNKNOWN
    mines: Bytes  # by cell: how many neighbours are MINE
    safe: Small  # the cells deduced to be safe

    def __init__(self, rows: int, cols: int) -> None:
        near, degree = _neighbours(rows, cols)
        super().__init__(rows=rows, cols=cols, near=near, degree=degree, cells=rows * cols, first=-1)
        self.allocate(self.cells, "shown", "left", "mines", "safe")


class CountingBuffers(Struct):
    """The arrays that counting the solutions of a position needs, and the results.

    At first there is room for only a few states of a sweep, see `grow`.
    """

    # results
    risk: Floats  # by cell
    solutions: float  # the number of solutions, divided by e^(scale + level)
    mean_weight: float  # the logarithm of the mean weight of a solution, see `winmine`
    outside_risk: float  # of the unconstrained cells
    components_separate: int  # 1 if components were counted separately; then risks but 0 and 1 are estimates
    cost: int  # approximate computing time, see `analyse`
    spent: int  # the total cost of the positions analysed for the current guess

    # the counting rules: the numbers that are to be checked
    queue: Small
    queued: Bytes  # by cell: 1 if it is in the queue

    # constraints and cells of the frontier
    keys: Ints  # by cell: random bits that identify sets of cells
    constraints: int
    need: Small  # by constraint: mines among its UNKNOWN cells
    cells_left: Small  # by constraint: cells that the sweep has not reached
    group_count: Small  # by constraint
    groups_of: Small  # 8 entries for each constraint
    constraint_of: Small  # by cell
    frontier_cells: int
    frontier: Small  # the UNKNOWN cells that touch an opened number
    cell_mark: Ints  # by cell: the exclusive or of the keys of the numbers that touch it

    # groups, components, and the order of the groups
    groups: int
    group_of: Small  # by cell; -1 off the frontier
    first_cell: Small  # by group
    group_size: Small  # by group
    constraint_count: Small  # by group
    constraints_of: Small  # 8 entries for each group
    group_table: Ints  # a hash table: stamp and group of each slot
    group_slots: int
    group_stamp: int
    components: int
    component_start: Small  # by component: the place in ``order`` of its first group
    order: Small  # by place: the group
    order_end: int
    first_order: Small
    waiting: Small
    reached: Small  # by group
    constraint_open: Small  # by constraint
    groups_left: Small  # by constraint

    # the sweep: places, slots, states, edges from state to state, polynomials
    layer_start: Ints  # by place + component: the first state of the layer before that place
    unit: Ints  # by place: how much each mine of its group subtracts from the key of a state
    added: Ints  # by place: how much the new constraints of its group add to the key of a state
    slot: Small  # by constraint
    last_place: Small  # by constraint: the place of its last group
    slot_constraint: Small  # by slot
    states: int
    most_states: int  # the states for which there is room
    final_states: int  # the most states for which `grow` will make room
    state_key: Ints
    state_low: Ints
    state_length: Ints
    state_offset: Ints
    state_least: Ints
    state_edge: Ints
    state_table: Ints  # a hash table: stamp and state of each slot
    state_slots: int
    state_stamp: int
    edges: int
    most_edges: int
    edge_state: Small  # by edge: the state that it leads to
    coefficients: int
    most_coefficients: int
    ahead: Floats
    back: Floats
    forgotten: int  # number of forgotten constraints, see `sweep`

    # weights, and the scale of all counts
    choose: Floats  # the binomial coefficient of n and k at 9 n + k
    weight: Floats  # at 9 n + k: the factor for k mines in a group of n cells, see `sweep`
    large: int  # 1 if counts are tilted, see `sweep`
    density: float
    odds: float
    level: float
    scale: float

    # combining the components
    fewest: int  # the fewest mines on the frontier, 0 if components were counted separately
    span: int  # how many numbers of mines it may hold, from the fewest to the most
    fold: Floats
    fold_length: int
    before: Floats
    spare: Floats

    def __init__(self, cells: int, final_states: int = 0) -> None:
        group_slots = 1 << (2 * cells).bit_length()
        fold_length = max(1 << 16, 400 * cells)
        places = 2 * cells + 2
        super().__init__(
            keys=np.random.default_rng(1).integers(1, 2**62, cells, dtype=np.int64),
            choose=np.array([comb(n, k) for n in range(9) for k in range(9)], np.float64),
            group_slots=group_slots,
            final_states=final_states or max(1 << 17, 16 * cells),
            fold_length=fold_length,
        )
        self.allocate(cells, "risk", "queue", "queued", "cell_mark")
        self.allocate(
            cells + 2,
            *("need", "cells_left", "group_count", "constraint_of", "frontier", "group_of", "first_cell"),
            *("group_size", "constraint_count", "component_start", "order", "first_order", "waiting"),
            *("reached", "constraint_open", "groups_left", "slot", "last_place", "slot_constraint"),
        )
        self.allocate(8 * cells, "groups_of", "constraints_of")
        self.allocate(places, "layer_start", "unit", "added", "before", "spare")
        self.allocate(2 * group_slots, "group_table")
        self.allocate(81, "weight")
        self.allocate(fold_length, "fold")
        self._make_room(min(_FIRST_STATES, self.final_states))

    def _make_room(self, states: int) -> None:
        slots = 1 << (2 * states - 1).bit_length()
        cells, final = len(self.risk), self.final_states
        coefficients = max(8 * min(final, 1 << 17), 100 * cells) * states // final
        self.most_states, self.most_edges, self.most_coefficients = states, 4 * states, coefficients
        self.state_slots = slots
        self.allocate(states, "state_key", "state_low", "state_length", "state_offset")
        self.allocate(states, "state_least", "state_edge")
        self.allocate(2 * slots, "state_table")
        self.allocate(self.most_edges, "edge_state")
        # one more, since the first state of a component takes one without a check for room
        self.allocate(coefficients + 1, "ahead", "back")

    def grow(self) -> bool:
        """Make room for more states and discard the present ones; return False if the limit is reached."""
        grows = self.most_states < self.final_states
        if grows:
            self._make_room(min(4 * self.most_states, self.final_states))
        return grows


class Endgame(Struct):
    """The solutions of a position that has few, and the search tree over them, see `endgame`.

    A cell is given here by its index among the UNKNOWN cells, of which there are at most ``width``. There is
    room for at least half as many solutions as ``rows``.
    """

    rows: int
    width: int
    cell: Small  # by index: the cell of the board
    number: Small  # by cell of the board: its index
    mined: Bytes  # by solution and cell: 1 for a mine
    at: Small  # by solution: its state in the sweep
    within: Small  # by solution: mines in the current component
    used: Small  # by solution: mines so far
    chosen: Small  # the cells of the current group
    shows: Bytes  # by cell and solution: the number that the cell shows, or MINED
    kinds: Short  # by solution and cell: 1 << that number
    alike: Ints  # what `rivals` compares: by cell and number, some solutions as bits
    left: Ints  # the solutions that may be rivals of one, as bits
    group_of: Small  # by solution: its group of rivals
    kinds_seen: Short  # by cell, of a list of solutions: the bits of ``kinds`` that occur
    mines_seen: Small  # in how many of them it is a mine
    followers_seen: Small  # in how many of them that follow a rival it is safe in both
    rivals: int  # 0 if no solution follows a rival
    after_rival: Ints  # the solutions that follow one, as bits
    words: Ints  # by cell: for each number and for a mine, the solutions of a node that show it, as bits
    random: Ints  # by solution: the random word that represents it in the keys of nodes
    keys: Ints  # the same for each bit of ``words``
    table: Ints  # three words for each stored node
    table_nodes: int
    stack: Small
    stack_length: int

    nodes: int  # nodes searched so far
    budget: int  # the most nodes that may be searched
    stamp: int
    unknown_cells: int
    solutions: int  # number of listed solutions
    best_cell: int
    wins: int  # the number of solutions in which the best play wins, -1 if the search was given up

    def __init__(self, cells: int) -> None:
        small = cells <= SMALL_BOARD
        rows, width = 1 << 18 if small else 1 << 15, min(cells, 128)
        nodes, stack_length = 1 << 19, 16 * (rows + 4 * width)
        super().__init__(
            rows=rows,
            width=width,
            random=np.random.default_rng(2).integers(1, 2**62, rows, dtype=np.int64),
            table_nodes=nodes,
            stack_length=stack_length,
            budget=20_000_000 if small else 1_000_000,
        )
        self.allocate(cells, "cell", "number")
        self.allocate(rows * width, "mined", "shows", "kinds")
        self.allocate(rows, "at", "within", "used", "group_of")
        self.allocate(MINED * rows * width // 64, "alike")
        self.allocate(rows // 64, "left")
        self.allocate(width, "chosen", "kinds_seen", "mines_seen", "followers_seen")
        self.allocate(CELL_WORDS * width, "words")
        self.allocate(4, "after_rival")
        self.allocate(256, "keys")  # the most solutions of a node in bits
        self.allocate(3 * nodes, "table")
        self.allocate(stack_length, "stack")


class Trees(Struct):
    """Decision trees, see `judgement`. The nodes of all trees are in one list."""

    count: int  # number of trees
    roots: Small  # by tree: its first node
    feature: Small  # by node: the feature that decides, -1 in a leaf
    limit: Floats  # by node: the highest value of the feature with which ``below`` is next, else ``above``
    below: Small
    above: Small
    value: Floats  # by leaf: what its tree adds

    def __init__(self, **arrays: npt.NDArray[Any]) -> None:
        super().__init__(count=len(arrays["roots"]), **arrays)


@cache
def _learned_trees() -> Trees:
    """Return the trees that are shipped."""
    with np.load(TREES) as file:
        return Trees(**{name: file[name] for name in file.files})


class Workspace(Struct):
    """All structs and arrays that a decision needs."""

    position: Position  # the position to decide
    buffers: CountingBuffers  # of ``position``
    supposed: Position  # the position after a supposed move
    supposed_buffers: CountingBuffers  # of ``supposed``
    next_supposed: Position  # the position after a second supposed move
    next_buffers: CountingBuffers  # of ``next_supposed``
    weighed: Position  # a position with mines from the top left on, see `winmine`
    weighed_buffers: CountingBuffers  # of ``weighed``
    endgame: Endgame
    order: Small
    order_length: int
    rated: Floats  # by place in ``order``: the worth of the cell
    next_order: Small
    features: Floats  # of a guess, see `judgement`
    trees: Trees
    # of a supposed move, by the number that it shows; see `look_ahead.worth`
    shares: Floats
    worths: Floats
    bounds: Floats

    def __init__(self, rows: int, cols: int) -> None:
        cells = rows * cols
        super().__init__(
            position=Position(rows, cols),
            buffers=CountingBuffers(cells),
            supposed=Position(rows, cols),
            supposed_buffers=CountingBuffers(cells),
            next_supposed=Position(rows, cols),
            next_buffers=CountingBuffers(cells),
            weighed=Position(rows, cols),
            weighed_buffers=CountingBuffers(cells),
            endgame=Endgame(cells),
            order_length=min(cells, _RANKED),
            trees=_learned_trees(),
        )
        self.allocate(self.order_length, "order", "rated")
        self.allocate(TRIED_NEXT, "next_order")
        self.allocate(FEATURES, "features")
        self.allocate(9, "shares", "worths", "bounds")


class Playouts(Struct):
    """All structs and arrays that are needed to play a position out to the end."""

    workspace: Workspace
    seed: Ints  # one number, the state of the random generator
    drawn: Bytes  # by cell: 1 for a mine of the drawn solution
    mined: Bytes  # the same for the game that is being played
    numbers: Bytes  # by cell: what it shows in that game, -1 for a mine
    # of a contest of cells, see `contest`
    allowed: Bytes  # by cell of the board: 1 if it may be chosen
    compared: int  # how many cells are left
    played: int  # play-outs of each
    error: float  # of the look-ahead
    cells: Small  # those that are left
    worths: Floats  # what the look-ahead says of each
    values: Floats  # the chance to win with each
    chances: Floats  # by play-out and cell

    def __init__(self, rows: int, cols: int) -> None:
        cells = rows * cols
        super().__init__(workspace=Workspace(rows, cols))
        self.allocate(1, "seed")
        self.allocate(cells, "drawn", "mined", "numbers", "allowed")
        self.allocate(COMPARED, "cells", "worths", "values")
        self.allocate(COMPARED * MOST_PLAYED, "chances")


class GuessWeights(Struct):
    """The weights of the look-ahead; `bot.solver.guess.Weights` explains the fields."""

    safety: float
    safest: float
    safest_squared: float
    second: float
    third: float
    two_moves: float
    progress: float
    safe_cells: float
    each_safe_cell: float


class GuessPolicy(Struct):
    """How a guess is chosen; `bot.solver.guess.Policy` explains the fields."""

    endgame: float
    near: float
    outside: float
    best_share: float
    third: float
    judged: float
    price: float
    weights: GuessWeights


@helper
def reset(position: Position, mines: int) -> None:
    """Set ``position`` to a board with ``mines`` mines on which no cell is opened."""
    for cell in range(position.cells):
        position.shown[cell] = UNKNOWN
        position.left[cell] = position.degree[cell]
        position.mines[cell] = 0
    position.unknowns = position.cells
    position.mines_left = mines
    position.safes = 0
    position.total_known = 1


@helper
def copy(source: Position, target: Position) -> None:
    """Make ``target`` equal to ``source``."""
    for cell in range(source.cells):
        target.shown[cell] = source.shown[cell]
        target.left[cell] = source.left[cell]
        target.mines[cell] = source.mines[cell]
    target.unknowns = source.unknowns
    target.mines_left = source.mines_left
    target.total_known = source.total_known
    target.first = source.first
    target.safes = source.safes
    for index in range(source.safes):
        target.safe[index] = source.safe[index]


@helper
def enqueue(shown: Bytes, queue: Small, queued: Bytes, cell: int, waiting: int) -> int:
    """Add ``cell`` to the queue if it shows a number and is not queued; return the queue's length."""
    if shown[cell] >= 0 and not queued[cell]:
        queued[cell] = 1
        queue[waiting] = cell
        waiting += 1
    return waiting


@helper
def mark(position: Position, buffers: CountingBuffers, cell: int, what: int, waiting: int) -> int:
    """Set an UNKNOWN cell to ``what``, MINE or SAFE; return the length of the queue of numbers to check."""
    position.shown[cell] = what
    position.unknowns -= 1
    if what == MINE:
        position.mines_left -= 1
    else:
        position.safe[position.safes] = cell
        position.safes += 1
    for index in range(position.degree[cell]):
        other = position.near[8 * cell + index]
        position.left[other] -= 1
        if what == MINE:
            position.mines[other] += 1
        waiting = enqueue(position.shown, buffers.queue, buffers.queued, other, waiting)
    return waiting


@helper
def show(position: Position, buffers: CountingBuffers, cell: int, number: int, waiting: int) -> int:
    """Open ``cell``, which shows ``number``; return the length of the queue of numbers to check."""
    if position.shown[cell] == UNKNOWN:
        position.unknowns -= 1
        for index in range(position.degree[cell]):
            other = position.near[8 * cell + index]
            position.left[other] -= 1
            waiting = enqueue(position.shown, buffers.queue, buffers.queued, other, waiting)
    position.shown[cell] = number
    return enqueue(position.shown, buffers.queue, buffers.queued, cell, waiting)


@compiled
def settle(position: Position, buffers: CountingBuffers, waiting: int) -> bool:
    """Apply the counting rules until the queue is empty; return False if a number cannot be satisfied."""
    fits = True
    while waiting:
        waiting -= 1
        cell = buffers.queue[waiting]
        buffers.queued[cell] = 0
        left = position.left[cell]
        need = position.shown[cell] - position.mines[cell]
        if need < 0 or need > left:
            fits = False
        if not fits or left == 0 or (0 < need < left):
            continue
        what = SAFE if need == 0 else MINE
        for index in range(position.degree[cell]):
            other = position.near[8 * cell + index]
            if position.shown[other] == UNKNOWN:
                waiting = mark(position, buffers, other, what, waiting)
    return fits


@compiled
def take(position: Position, buffers: CountingBuffers, states: Bytes, mines: int) -> bool:
    """Fill ``position`` from the ``states`` of a board's cells, and apply the counting rules.

    ``states`` has the same values as `Position.shown`, MINE and SAFE included. ``mines`` is the total, -1 if
    it is unknown. Return False if a number cannot be satisfied.
    """
    reset(position, max(0, mines))
    position.total_known = mines >= 0
    waiting = 0
    for cell in range(position.cells):
        if states[cell] >= 0:
            waiting = show(position, buffers, cell, states[cell], waiting)
        elif states[cell] != UNKNOWN:
            waiting = mark(position, buffers, cell, states[cell], waiting)
    position.safes = 0  # list only what is deduced from here on, not what ``states`` contained
    return settle(position, buffers, waiting)
