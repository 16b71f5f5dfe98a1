"""How Korlyakova (2016) chooses where nothing is proven: a score, corrected by experience.

The score of a cell is the sum of (missing mines / covered cells) over the opened numbers around it; a cell
without any has 0, and comes first. Experience corrects it: a neighbourhood starts as one mine met and as
`TRUST` times the mean of these shares. What has been met since counts along with that, first in those that
are alike as far as the numbers around the middle go, then in those that are alike altogether. A cell without
a number around it has no neighbourhood that could be told from others: with experience it takes the share of
the mines that are left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bot.board import SHOWN_MINES, Board, Cell
from bot.errors import ExperienceError
from bot.rules import neighbour_sum
from bot.solver.constraints import System, array_of, bits
from bot.solver.counting import Known, count
from bot.solver.decision import ALTERNATIVES, Decision, Judgement, Reason
from bot.solver.guess import Choice, candidates
from bot.solver.ladder import StageResult
from bot.solver.learned import Learned
from bot.solver.published.experience import Counts, Experience, Flags, Keys, neighbourhoods, simpler

TRUST = 3.0  # so many cells met count as much as the score
START = 1.0  # mines that every neighbourhood starts with
LIKENESS = 0.5  # cells met that count as much as all of those in neighbourhoods that are alike
_EQUAL = 9  # digits up to which two scores are compared, whatever the order in which they were summed

Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """What is known of a board when nothing more is proven, arrays (rows, cols).

    ``free`` cells are not settled; ``missing`` is how many mines are not found around each opened number.
    ``left`` is how many mines are left among the free cells, None if the total is unknown.
    """

    free: Flags
    missing: Counts
    left: int | None

    @classmethod
    def of(cls, system: System, known: Known) -> Position:
        """Return what is known of the board of ``system``."""
        shape = system.board.shape
        missing, left = np.zeros(shape, np.int8), None
        for index, (mask, need, source) in enumerate(system.said):
            lacking = need - (mask & known.mines).bit_count()
            if source is None:
                left = lacking
            elif system.masks[index] & ~known.settled:
                missing[source] = lacking
        return cls(array_of(system.unknown & ~known.settled, *shape), missing, left)

    @property
    def keys(self) -> Keys:
        """The keys of the neighbourhoods of the free cells, row by row."""
        return neighbourhoods(self.free, self.missing)


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """How much speaks against each free cell; ``cells`` are their places, row by row.

    ``values`` decides, where it is equal ``risks``, the worst share of a number around, and then ``crowd``,
    how many free neighbours a cell has.
    """

    cells: npt.NDArray[np.int64]
    values: Values
    risks: Values
    crowd: Counts

    def best(self, allowed: int) -> int:
        """Return the best cell of the mask ``allowed``, which holds one of these; the last of several."""
        order = np.lexsort((-self.cells, self.crowd, self.risks, self.values))
        ordered: list[int] = self.cells[order].tolist()
        return next(cell for cell in ordered if allowed >> cell & 1)


def scored(position: Position, experience: Experience | None) -> Scores:
    """Return what speaks against each free cell; without ``experience`` that is the score alone."""
    free, crowd = position.free, neighbour_sum(position.free)
    shares = np.pad(position.missing / np.maximum(crowd, 1), 1)  # 0 where no number stands
    around = np.lib.stride_tricks.sliding_window_view(shares, (3, 3))[free]
    score, worst, touching = around.sum(axis=(1, 2)), around.max(axis=(1, 2)), (around > 0).sum(axis=(1, 2))
    on_frontier = touching > 0
    if position.left is not None:
        rest = position.left / len(around)
    else:
        rest = float(worst[on_frontier].mean()) if on_frontier.any() else 0.5
    values = score
    if experience is not None:
        expected = _expected(position.keys, score / np.maximum(touching, 1), experience)
        values = np.where(on_frontier, expected, rest)
    risks = np.where(on_frontier, worst, rest)
    return Scores(np.flatnonzero(free), values.round(_EQUAL), risks.round(_EQUAL), crowd[free])


def _expected(keys: Keys, shares: Values, experience: Experience) -> Values:
    """Return the risk in each neighbourhood; ``shares`` are the means of those around its middle."""
    mines, times = experience.alike.recalled(simpler(keys))
    alike = (START + TRUST * shares + mines * times) / (START + TRUST + times)
    mines, times = experience.recalled(keys)
    return np.asarray((LIKENESS * alike + mines * times) / (LIKENESS + times), np.float64)


def choose(system: System, finding: StageResult, learned: Learned) -> Choice:
    """Choose the cell with the best score, corrected by what has been learned, if anything has."""
    scores = scored(Position.of(system, finding.known), learned.experience)
    allowed = candidates(system, finding.known)
    chosen = scores.best(allowed)
    values = dict(zip(scores.cells.tolist(), scores.values.tolist(), strict=True))
    near = sorted(bits(allowed), key=lambda cell: (cell != chosen, values[cell]))
    judgement = Judgement.SCORE if learned.experience is None else Judgement.EXPERIENCE
    return Choice(chosen, judgement, dict.fromkeys(near[:ALTERNATIVES]))


class ExperienceRecorder:
    """Learns from the choices of games that are played, and writes a file at the end of each.

    It is told of each decision before it is carried out, and of the board that came of it. The experience of
    ``learned`` grows with it. ``complain`` is told the first time that the file cannot be written.
    """

    def __init__(self, learned: Learned, path: Path, complain: Callable[[str], None]) -> None:
        self._learned, self._path, self._complain = learned, path, complain
        self._choice: tuple[int, Cell] | None = None  # its neighbourhood, and the cell
        self._complained = False

    @property
    def experience(self) -> Experience:
        """What has been learned so far."""
        return self._learned.experience or Experience.none()

    def decided(self, board: Board, decision: Decision) -> None:
        """Take note of what will be opened on ``board``, which shows how the last choice went."""
        self._learn(board)
        if decision.reason is Reason.GUESS and decision.moves:
            system, cell = System.of(board), decision.moves[0].cell
            position = Position.of(system, count(system, Known()))
            place = np.count_nonzero(position.free.ravel()[: cell.row * board.cols + cell.col])
            self._choice = (int(position.keys[place]), cell)

    def ended(self, board: Board) -> None:
        """Learn from the final board of a game, and keep what was learned."""
        self._learn(board)
        games = self.experience.games
        self._learned.experience = self.experience.after(np.zeros(0, np.int64), np.zeros(0), 1)
        try:
            self.experience.save(self._path)
        except ExperienceError as error:
            if not self._complained:
                taught = f"what {games} games taught stays, what is learned now will be forgotten"
                self._complain(f"{error}; {taught}")
            self._complained = True

    def _learn(self, board: Board) -> None:
        if self._choice is None:
            return
        (key, cell), self._choice = self._choice, None
        state = board[cell]
        if state <= 8 or state in SHOWN_MINES:  # else nobody knows how it went
            went = np.array([float(state in SHOWN_MINES)])
            self._learned.experience = self.experience.after(np.array([key], np.int64), went, 0)
