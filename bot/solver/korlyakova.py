"""How Korlyakova (2016) chooses where nothing is proven: a score, corrected by experience.

The score of a cell is the sum of (missing mines / covered cells) over the opened numbers around it; a cell
without any has 0, and comes first. Experience corrects it: a neighbourhood starts as one mine met and as
`TRUST` times the mean of these shares. What has been met since counts along with that, first in those
that are alike as far as the numbers around the middle go, then in those that are alike altogether. A cell
without a number around it has no neighbourhood that could be told from others: with experience it takes the
share of the mines that are left.

All is done for many positions at once, so that games can be played by the thousand.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.rules import neighbour_sum
from bot.solver.choice import Choice
from bot.solver.constraints import System, array_of, bits
from bot.solver.counting import Known
from bot.solver.decision import ALTERNATIVES, Judgement
from bot.solver.guess import candidates
from bot.solver.ladder import StageResult
from bot.solver.learned import Experience, Learned
from bot.solver.neighbourhoods import Counts, Flags, Keys, Places, keys, simpler

TRUST = 3.0  # so many cells met count as much as the score
START = 1.0  # mines that every neighbourhood starts with
LIKENESS = 0.5  # cells met that count as much as all of those in neighbourhoods that are alike
_EQUAL = 9  # digits up to which two scores are compared, whatever the order in which they were summed

Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Positions:
    """What is known of many boards when nothing more is proven, arrays (boards, rows, cols).

    ``free`` cells are not settled; ``missing`` is how many mines are not found around each opened number.
    ``rest`` (boards,) is the share of the mines that are left among the free cells.
    """

    free: Flags
    missing: Counts
    rest: Values

    @property
    def shares(self) -> Values:
        """The missing mines of each number, shared out among the free cells around it; 0 elsewhere."""
        return np.asarray(self.missing / np.maximum(neighbour_sum(self.free), 1), np.float64)


@dataclass(frozen=True, slots=True)
class Scores:
    """How much speaks against each free cell; ``cells`` are indices into the flattened positions.

    ``values`` decides, and where it is equal ``risks``, the worst share of a number around. ``keys`` are
    those of the neighbourhoods, 0 for none; without experience they are empty.
    """

    cells: Places
    values: Values
    risks: Values
    keys: Keys

    def best(self, positions: Positions, allowed: Flags) -> Places:
        """Return the cell to open on each board, an index into it: the last of the best ``allowed`` ones.

        Every board has one. Of equal cells those come first that have few free neighbours.
        """
        size = positions.free[0].size
        kept = allowed.ravel()[self.cells]
        cells, crowd = self.cells[kept], neighbour_sum(positions.free).ravel()[self.cells[kept]]
        boards = cells // size
        order = np.lexsort((-cells, crowd, self.risks[kept], self.values[kept], boards))
        first = np.flatnonzero(np.diff(boards[order], prepend=-1))
        return np.asarray(cells[order[first]] % size, np.int64)


def scored(positions: Positions, experience: Experience | None) -> Scores:
    """Return what speaks against each free cell; without ``experience`` that is the score alone."""
    cells = np.flatnonzero(positions.free)
    shares = positions.shares
    score, worst, touching = (of.ravel()[cells] for of in _gathered(shares))
    rest = positions.rest[cells // positions.free[0].size]
    risks = _rounded(np.where(touching > 0, worst, rest))
    if experience is None:
        return Scores(cells, _rounded(score), risks, np.zeros(0, np.int64))
    found = keys(positions.free, positions.missing, cells)
    mean = score / np.maximum(touching, 1)
    values = np.where(touching > 0, _expected(found, mean, experience), rest)
    return Scores(cells, _rounded(values), risks, found)


def _rounded(values: Values) -> Values:
    return np.asarray(np.round(values, _EQUAL), np.float64)


def _expected(found: Keys, shares: Values, experience: Experience) -> Values:
    """Return the risk in each neighbourhood; ``shares`` are the means of those around its middle."""
    mines, times = experience.alike.recalled(simpler(found))
    alike = (START + TRUST * shares + mines * times) / (START + TRUST + times)
    mines, times = experience.recalled(found)
    return np.asarray((LIKENESS * alike + mines * times) / (LIKENESS + times), np.float64)


def _gathered(shares: Values) -> tuple[Values, Values, Values]:
    """Return for each cell of the sum, the largest and the number of the shares around it that are not 0."""
    rows, cols = shares.shape[1:]
    wide = np.pad(shares, [(0, 0), (1, 1), (1, 1)])
    total, largest, touching = (np.zeros_like(shares) for _ in range(3))
    for row, col in ((row, col) for row in range(3) for col in range(3) if (row, col) != (1, 1)):
        beside = wide[:, row : row + rows, col : col + cols]
        total += beside
        np.maximum(largest, beside, out=largest)
        touching += beside > 0
    return total, largest, touching


def position_of(system: System, known: Known, rest: float) -> Positions:
    """Return a position as one board; ``rest`` is the risk of a cell that no number touches."""
    shape = system.board.shape
    missing = np.zeros(shape, np.int8)
    for index in bits(system.numbers):
        source = system.sources[index]
        if source is not None and system.masks[index] & ~known.settled:
            missing[source] = system.needs[index] - (system.masks[index] & known.mines).bit_count()
    free = array_of(system.unknown & ~known.settled, *shape)
    return Positions(free[None], missing[None], np.array([rest]))


def choose(system: System, finding: StageResult, learned: Learned) -> Choice:
    """Choose the cell with the best score, corrected by what has been learned, if anything has."""
    known, estimates = finding.known, finding.estimated(system)
    positions = position_of(system, known, _rest(system, known, estimates))
    scores = scored(positions, learned.experience)
    allowed = candidates(system, known)
    chosen = int(scores.best(positions, array_of(allowed, *system.board.shape)[None])[0])
    values = dict(zip(scores.cells.tolist(), scores.values.tolist(), strict=True))
    near = sorted(bits(allowed), key=lambda cell: (cell != chosen, values[cell]))
    judgement = Judgement.SCORE if learned.experience is None else Judgement.EXPERIENCE
    return Choice(chosen, judgement, dict.fromkeys(near[:ALTERNATIVES]))


def _rest(system: System, known: Known, estimates: dict[int, float]) -> float:
    """Return the risk of the cells that no number touches, 0.0 if there are none."""
    outside = bits(system.unknown & ~known.settled)
    return next((estimates[cell] for cell in outside if cell not in system.touching), 0.0)


def key_of(system: System, known: Known, cell: int) -> int:
    """Return the key of the neighbourhood of an unknown cell, row by row, when so much is ``known``."""
    position = position_of(system, known, 0.0)
    return int(keys(position.free, position.missing, np.array([cell], np.int64))[0])
