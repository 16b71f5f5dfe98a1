"""How likely a position is under the rules of the game, for many labellings of one board at once.

Every cell is judged by its neighbours alone: an opened number by the places where its mines could be, a
blank by having none of them around it. That is cheap, and it is what tells covered from blank, since no
picture does. Costs are in nats: -log of a probability, near enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import comb

import numpy as np
import numpy.typing as npt

from bot.board import State
from bot.rules import near, neighbour_sum

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]

HIDDEN = int(State.UNREADABLE)  # label of what is no cell to be seen: a pointer, a window over it
LABELS = 16
# What neighbours a cell has is one number to the base 9: covered, hidden, flagged, with a mine shown.
_WEIGHT = np.zeros(LABELS, np.float32)
_WEIGHT[State.COVERED] = 1
_WEIGHT[[State.QUESTION, HIDDEN]] = 9  # may stand beside a blank: some games open no question marks
_WEIGHT[State.FLAG] = 81
_WEIGHT[[State.MINE, State.EXPLODED]] = 729
_SURROUNDINGS = 9**4

# Of mines among covered cells beside an opened number, and how often: what is left late in a game is mines.
_DENSITIES = ((0.2, 0.8), (0.85, 0.2))
_DENSITIES_LOST = ((0.02, 1.0),)  # once mines are shown
_RIGHT, _RIGHT_CARELESS = 0.95, 0.3  # of a player's flags that stand on a mine
_CARELESS = 0.1  # of players set flags anywhere
_IMPOSSIBLE = 8.0  # cost of what the rules forbid: something else is seen there than was thought
_RARE = 0.0005  # a chance below which a number is forbidden
_NUMBERS = 0.2  # weight of a number's chance: neighbouring numbers see the same mines
_USUAL = np.array([0.3, 0.32, 0.2, 0.1, 0.045, 0.02, 0.008, 0.003, 0.001])  # how often each is seen at all
_OWN = {  # cost of a cell by what it shows: rare things, and what may cover for anything
    State.FLAG: 0.4,
    State.QUESTION: 0.3,
    State.MINE: 0.4,
    State.EXPLODED: 1.5,
    State.WRONG_FLAG: 0.4,
    State.UNREADABLE: 3.0,
}
_RARE_LOOK = 1.0  # cost of question marks, exploded mines and wrong flags, by looks of them
_CLICKED = 0.4  # cost of a number that no blank has opened: somebody clicked on it
_ISOLATED = 12.0  # cost of covered cells of a look of their own that touch no others: blanks stand like that
_WRONGLY_FLAGGED = 0.7  # cost of a blank beside a flag: it opens all around it but for flags
_FEW_TOUCHES = 0.15  # of its cells may touch them even so: something may lie over the board
_NO_MINES = 1000.0  # cost of a board on which no mine can be
_ODD_END = 5.0  # cost of wrong flags where no mine is shown, and of mines where none exploded
_SKIPPED = 3.0  # cost of a number where the next smaller one is nowhere to be seen
_SHUFFLES = 8
_NOTHING = 12.0  # cost of a board without covered and opened cells


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """The cells of a board by unit: all cells of a unit get one label.

    Cells of one unit with the same neighbours stand together: ``own`` is their unit, int32 (m,); ``around``
    counts their neighbours of each unit, float32 (m, units); ``times`` says how many cells they are, (m,);
    ``islands`` says which units lie on an island, 1 or 0, float32 (units, islands): units of cells that may
    be covered or blank lie on one if they touch or clearly look covered, others on none.
    """

    own: Ints
    around: Floats
    times: Floats
    islands: Floats

    @classmethod
    def of(cls, unit_of_cell: Ints, plain: Bools, covered: Bools) -> Places:
        """Return the places of a board whose cells (rows, cols) belong to units, ``plain`` ones or not.

        Those that are clearly ``covered`` are never blank, however they lie.
        """
        units = len(plain)
        around = neighbour_counts(unit_of_cell, units)
        rows = np.concatenate([unit_of_cell.reshape(-1, 1), around], 1).astype(np.uint8)
        keys = np.ascontiguousarray(rows).view(np.dtype((np.void, rows.shape[1]))).ravel()
        _, first, counts = np.unique(keys, return_index=True, return_counts=True)
        own, near = unit_of_cell.ravel()[first], around[first].astype(np.float32)
        times = counts.astype(np.float32)
        member = (own == np.arange(units)[:, None]) * times
        touches = ((near > 0).T @ member.T) / member.sum(1).clip(1)
        linked = (touches > _FEW_TOUCHES) & plain[:, None] & plain | covered[:, None] & covered
        group = groups(linked | linked.T)
        islands = (group[:, None] == np.unique(group[plain])) & plain[:, None]
        return cls(own.astype(np.int32), near, times, islands.astype(np.float32))


def groups(linked: Bools) -> Ints:
    """Return the number of the connected group of each, given which are linked to which (n, n)."""
    group = np.arange(len(linked), dtype=np.int32)
    reached = linked | np.eye(len(linked), dtype=np.bool_)
    while True:
        lowest = np.where(reached, group, len(group)).min(1, initial=len(group)).astype(np.int32)
        if np.array_equal(lowest, group):
            return group
        group = lowest


def neighbour_counts(unit_of_cell: Ints, units: int) -> npt.NDArray[np.int8]:
    """Return how many neighbours of each unit every cell has, row by row: int8 (cells, units)."""
    counts = neighbour_sum(unit_of_cell == np.arange(units)[:, None, None])
    return np.ascontiguousarray(counts.reshape(units, -1).T)


@np.errstate(invalid="ignore")  # some matrix libraries read beyond what they multiply
def logic_cost(places: Places, labels: Ints) -> Floats:
    """Return the cost of each labelling under the rules: labels int32 (b, units), costs float32 (b,)."""
    lost = np.asarray(np.isin(labels, (State.MINE, State.EXPLODED)).any(1), dtype=np.bool_)
    surroundings = np.rint(places.around @ _WEIGHT[labels].T).astype(np.intp)
    own = labels[:, places.own].T
    costs = cell_costs()[lost.astype(np.intp), own, surroundings]
    clicked = (own >= 1) & (own <= 8) & (places.around @ (labels == 0).T.astype(np.float32) == 0)
    cells = places.times @ (costs + _CLICKED * clicked)
    return np.asarray(cells + _isolated_cost(places, labels) + _board_cost(labels, lost), dtype=np.float32)


def _isolated_cost(places: Places, labels: Ints) -> Floats:
    """Return the cost of covered cells on more than one island: units that do not touch."""
    covered = (labels == State.COVERED).astype(np.float32)
    islands = (covered @ places.islands > 0).sum(1)
    return np.asarray(_ISOLATED * islands * (islands > 1), dtype=np.float32)


def broken(states: Ints) -> Bools:
    """Return which opened cells contradict what is around them, for labels (rows, cols)."""
    surroundings = _surroundings(states)
    lost = int(np.isin(states, (State.MINE, State.EXPLODED)).any())
    return np.asarray((states <= 8) & (cell_costs()[lost, states, surroundings] >= _IMPOSSIBLE))


def order(states: Ints) -> float:
    """Return how much better the rules hold for labels (rows, cols) than for the same in any other order.

    It is in nats; cells beside hidden ones do not count. Numbers and blanks of a game stand where they must;
    of anything else they might stand anywhere.
    """
    rng = np.random.default_rng(0)
    seen = states != HIDDEN
    boards = [states]
    for _ in range(_SHUFFLES):
        boards.append(states.copy())
        boards[-1][seen] = rng.permutation(states[seen])
    lost = int(np.isin(states, (State.MINE, State.EXPLODED)).any())
    counted = ~near(~seen)
    costs = [cell_costs()[lost, board, _surroundings(board)][counted].sum() for board in boards]
    return float(np.mean(costs[1:]) - costs[0])


def _surroundings(states: Ints) -> Ints:
    """Return what neighbours each cell has, for labels (rows, cols)."""
    return np.asarray(neighbour_sum(_WEIGHT[states]), dtype=np.int32)


def _board_cost(labels: Ints, lost: Bools) -> Floats:
    may_be_mine = (labels >= State.COVERED) & (labels != State.WRONG_FLAG) & (labels != HIDDEN)
    rare = np.isin(labels, (State.QUESTION, State.EXPLODED, State.WRONG_FLAG)).sum(1)
    odd = (labels == State.WRONG_FLAG).any(1) & ~lost
    odd |= (labels == State.MINE).any(1) & ~(labels == State.EXPLODED).any(1)
    nothing = (labels > State.COVERED).all(1)
    seen = np.stack([(labels == number).any(1) for number in range(1, 6)])
    skipped = (seen[1:] & ~seen[:-1]).sum(0)
    cost = (
        _NO_MINES * ~may_be_mine.any(1)
        + _ODD_END * odd
        + _RARE_LOOK * rare
        + _NOTHING * nothing
        + _SKIPPED * skipped
    )
    return np.asarray(cost, dtype=np.float32)


@lru_cache(maxsize=1)
def cell_costs() -> Floats:
    """Return the cost of a cell: float32 (2: mines are shown, LABELS, surroundings)."""
    table = np.zeros((2, LABELS, 9, 9, 9, 9), np.float32)  # mines shown, flags, hidden, covered
    for lost, densities in enumerate((_DENSITIES, _DENSITIES_LOST)):
        for state, cost in _OWN.items():
            table[lost, state] = cost
        for shown, flags, places in np.ndindex(9, 9, 9):
            if shown + flags + places <= 8:
                chances = _mixed_chances(shown, flags, places, densities)
                costs = -_NUMBERS * np.log(chances.clip(_RARE) / _USUAL).clip(-4, 4)
                costs[chances < _RARE] = _IMPOSSIBLE
                for hidden in range(places + 1):
                    table[lost, :9, shown, flags, hidden, places - hidden] = costs
    shown, flags, _, covered = np.ogrid[:9, :9, :9, :9]
    table[:, 0] = np.where((shown > 0) | (covered > 0), _IMPOSSIBLE, np.minimum(flags, 1) * _WRONGLY_FLAGGED)
    table.flags.writeable = False
    return table.reshape(2, LABELS, _SURROUNDINGS)


def _chances(shown: int, flags: int, places: int, density: float) -> Floats:
    """Return the chance of each number 0 to 8 beside so many shown mines, flags and covered cells."""
    chances = np.zeros(9, np.float32)
    for right, mines in np.ndindex(flags + 1, places + 1):
        careful, careless = _binomial(flags, right, _RIGHT), _binomial(flags, right, _RIGHT_CARELESS)
        flagged = (1 - _CARELESS) * careful + _CARELESS * careless
        chances[shown + right + mines] += flagged * _binomial(places, mines, density)
    return chances


def _mixed_chances(shown: int, flags: int, places: int, densities: tuple[tuple[float, float], ...]) -> Floats:
    """Return the same where one of several densities holds, each with the chance given beside it."""
    parts = [part * _chances(shown, flags, places, density) for density, part in densities]
    return np.asarray(sum(parts), dtype=np.float32)


def _binomial(count: int, hits: int, chance: float) -> float:
    return comb(count, hits) * chance**hits * (1 - chance) ** (count - hits)
