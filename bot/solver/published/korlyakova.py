"""How Korlyakova's player (2016) guesses when nothing is proven: a score, corrected by experience.

**The score** of a cell is the sum of (missing mines / free cells) over the opened numbers around it. A cell
without such numbers has the score 0 and comes first. Experience replaces the score by an expected risk. This
is a mean that starts with one mine (`START`) and with the mean of the shares above, weighted by `TRUST`. Then
the results in similar neighbourhoods are added, which agree in the numbers around the middle, and then those
in exactly the same neighbourhood. A cell without a number around it gets the proportion of mines among all
free cells.

**Neighbourhoods** are 5x5 cells around the cell in question. Each cell has one of these states: nothing (off
the board, known, or a number whose mines are all found), free (covered and not settled), or a number with so
many missing mines. Only cells that affect the middle count: the numbers around it, the numbers that share a
free cell with those, and the free cells around any of these. The key of a neighbourhood has a digit to base 6
for each cell but the middle, and is the smallest of its eight rotations and mirrors; 0 if it has no number.

**Risks.** The risk of a neighbourhood is the mean of the results met in it, 1 for a mine and 0 for a safe
cell; it is 1 if none was met. The first result changes it most, each later one less.

**A file** is one line ``minebot experience 1``, one line of JSON (``entries``, ``games``), and a zlib stream
of the neighbourhoods in the order of their keys: three columns, one after the other, little endian. They are
the keys, each as the difference from the one before (int64), how often each was met (uint16), and the risks
(uint16, where 65535 is 1.0).

**Training** plays games in memory. For each choice, a teacher tells the risks of cells. The lessons of a
batch of games are added when all games of the batch are over, so that no game uses lessons from itself.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bot.board import SHOWN_MINES, Board, Cell
from bot.counting_rules import near, neighbour_sum
from bot.errors import ExperienceError
from bot.files import read_file, replace_file
from bot.game.simulation import Game
from bot.solver.constraints import System, array_of, bits
from bot.solver.counting import Known, apply_counting_rules
from bot.solver.decision import ALTERNATIVES, Decision, Judgement, Reason
from bot.solver.guess import Choice
from bot.solver.stages import COUNTING, StageResult
from bot.solver.strategies import PlainStrategy

Bools = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int8]
KeyArray = npt.NDArray[np.int64]
Indices = npt.NDArray[np.int64]
Values = npt.NDArray[np.float64]
Times = npt.NDArray[np.int64]

SHIPPED = Path(__file__).with_name("experience.bin")
_FREE = 1  # the digit of a free cell; the digit of a number is this plus its missing mines
_MISSING = 4  # more missing mines than this count as this many
_SIZE = 5
_MIDDLE = 12  # the index of the middle cell, row by row
_PLACES = 6 ** np.arange(_SIZE * _SIZE - 1, dtype=np.int64)  # of the digits of a key
_SQUARE = np.insert(_PLACES, _MIDDLE, 0).reshape(_SIZE, _SIZE)
_TURNED = [np.rot90(side, turns) for side in (_SQUARE, _SQUARE.T) for turns in range(4)]
_WEIGHTS = np.stack([square.ravel() for square in _TURNED], axis=1)  # of each cell in the eight keys, (25, 8)
_TOUCHING = np.pad(np.ones((3, 3), np.bool_), 1)  # the cells that touch the middle, and the middle
_TITLE = b"minebot experience 1"
_MINE = 65535  # a risk of 1.0 in a file
_MOST = 65535  # the highest number of times that is stored; later results all have the same weight
_ENTRY = 8 + 2 + 2  # bytes of a neighbourhood, uncompressed
_MOST_ENTRIES = 5_000_000
_LARGEST = 1 << 26  # bytes of a file
_AT_ONCE = 1 << 16  # neighbourhoods that are simplified in one step, which takes some 500 bytes for each
TRUST = 3.0  # the weight of the mean share, in results
START = 1.0  # the number of mines that every neighbourhood starts with
SIMILAR_WEIGHT = 0.5  # the weight of the risk in similar neighbourhoods, in results
_EQUAL = 9  # decimals to which scores are rounded, since the order of summing changes the last ones
BATCH = 500  # games in a batch of the training
FIRST_SEED = 10_000_000  # far from the seeds of the published comparisons


def simpler(keys: KeyArray) -> KeyArray:
    """Return the keys of these neighbourhoods without the numbers that do not touch the middle."""
    found = []
    for part in np.array_split(keys, len(keys) // _AT_ONCE + 1):
        digits = part[:, None] // _PLACES % 6
        windows = np.insert(digits.astype(np.int8), _MIDDLE, _FREE, axis=1).reshape(-1, _SIZE, _SIZE)
        found.append(_keys(np.where(_TOUCHING | (windows == _FREE), windows, np.int8(0))))
    return np.concatenate(found)


def _keys(windows: Counts) -> KeyArray:
    """Return the keys of neighbourhoods, (n, 5, 5): only the cells that affect the middle count."""
    covered, numbers = windows == _FREE, windows > _FREE
    inner = numbers & _TOUCHING
    bearing = inner | (numbers & near(covered & near(inner)))
    windows = np.where(bearing | (covered & near(bearing)), windows, np.int8(0))
    digits = windows.reshape(-1, _SIZE * _SIZE).astype(np.int64)
    return np.asarray((digits @ _WEIGHTS).min(axis=1), np.int64)


@dataclass(frozen=True, eq=False)
class Experience:
    """The results met in neighbourhoods: arrays (entries,), in rising order of ``keys``.

    ``times`` is how often each was met, ``mines`` its mean risk. ``games`` is the number of games played.
    """

    keys: KeyArray
    times: Times
    mines: Values
    games: int = 0

    @classmethod
    def none(cls) -> Experience:
        """Return an experience without entries."""
        return cls(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))

    @classmethod
    def load(cls, path: Path) -> Experience:
        """Return the experience in the file ``path``, or the shipped one if there is no such file.

        Raises ExperienceError if the file cannot be read, is of another kind, or is damaged.
        """
        path = path if path.exists() else SHIPPED
        try:
            title, _, content = read_file(path, _LARGEST).partition(b"\n")
        except OSError as error:
            raise ExperienceError(f"the experience in {path} cannot be read ({error.strerror})") from error
        if title != _TITLE:
            raise ExperienceError(
                f"{path} is not an experience file of minebot: move it, or choose another folder with "
                "--learned"
            )
        try:
            facts, packed = content.split(b"\n", 1)
            said = json.loads(facts)
            entries, games = int(said["entries"]), int(said["games"])
            if not 0 <= entries <= _MOST_ENTRIES or games < 0:
                raise ValueError("impossible numbers")
            columns = zlib.decompressobj().decompress(packed, entries * _ENTRY + 1)
            if len(columns) != entries * _ENTRY:
                raise ValueError("cut short")
            keys = np.cumsum(np.frombuffer(columns, "<i8", entries))
            times, mines = np.frombuffer(columns, "<u2", 2 * entries, entries * 8).reshape(2, entries)
            if (np.diff(keys) <= 0).any() or (times == 0).any():
                raise ValueError("out of order")
            return cls(keys.astype(np.int64), times.astype(np.int64), mines / _MINE, games)
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError, zlib.error) as error:
            raise ExperienceError(
                f"{path} is damaged: move it to play with the shipped experience, "
                "or start learning again with `minebot learn-experience --fresh`"
            ) from error

    def save(self, path: Path) -> None:
        """Write the file ``path`` in one step: if the program is killed, the old or the new file is whole.

        Raises ExperienceError if it cannot be written.
        """
        try:
            replace_file(path, self.written())
        except OSError as error:
            raise ExperienceError(
                f"the experience cannot be written to {path} ({error.strerror}): "
                "choose another folder with --learned"
            ) from error

    @classmethod
    def merged(cls, keys: KeyArray, times: Times, sums: Values, games: int) -> Experience:
        """Return an experience in which entries with equal keys are one; ``sums`` are risks * ``times``."""
        keys, which = np.unique(keys, return_inverse=True)
        met = np.bincount(which.ravel(), times, len(keys))
        mines = np.bincount(which.ravel(), sums, len(keys)) / met
        return cls(keys, met.astype(np.int64), mines, games)

    @cached_property
    def alike(self) -> Experience:
        """The same experience, merged by neighbourhoods without the numbers that do not touch the middle."""
        return Experience.merged(simpler(self.keys), self.times, self.times * self.mines, self.games)

    @property
    def digest(self) -> str:
        """A short checksum of all that was learned, as hexadecimal text."""
        return f"{zlib.crc32(self.written()):08x}"

    def recalled(self, keys: KeyArray) -> tuple[Values, Times]:
        """Return the mean risk of each of ``keys``, 1.0 if it was never met, and how often it was met."""
        if not len(self.keys):
            return np.ones(len(keys)), np.zeros(len(keys), np.int64)
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        known = self.keys[places] == keys
        return np.where(known, self.mines[places], 1.0), np.where(known, self.times[places], 0)

    def after(self, keys: KeyArray, mines: Values, games: int = 1) -> Experience:
        """Return this experience after ``games`` more games, in which cells with these ``keys`` were met.

        ``mines`` is 1.0 for each cell that was a mine and 0.0 for each other one, or the chance of a mine. A
        key of 0 stands for no neighbourhood, and is ignored.
        """
        keys, mines = keys[keys > 0], mines[keys > 0]
        grown = Experience.merged(
            np.concatenate([self.keys, keys]),
            np.concatenate([self.times, np.ones(len(keys), np.int64)]),
            np.concatenate([self.times * self.mines, mines]),
            self.games + games,
        )
        return replace(grown, times=np.minimum(grown.times, _MOST))

    def often(self, times: int) -> Experience:
        """Return only the entries that were met at least ``times`` times."""
        kept = self.times >= times
        return replace(self, keys=self.keys[kept], times=self.times[kept], mines=self.mines[kept])

    def written(self) -> bytes:
        """Return the content of a file: the inverse of `load`, except that risks are rounded."""
        facts = json.dumps({"entries": len(self.keys), "games": self.games})
        columns = (
            np.diff(self.keys, prepend=0).astype("<i8"),
            self.times.astype("<u2"),
            np.rint(self.mines * _MINE).astype("<u2"),
        )
        packed = zlib.compress(b"".join(column.tobytes() for column in columns), 9)
        return b"\n".join([_TITLE, facts.encode("ascii"), packed])


@dataclass(frozen=True, slots=True, eq=False)
class UnprovenPosition:
    """What is known about a board when nothing more is proven; arrays (rows, cols).

    ``free`` marks the cells that are not settled; ``missing`` is how many mines are not found around each
    opened number. ``left`` is how many mines are left in the free cells, None if the total is unknown.
    """

    free: Bools
    missing: Counts
    left: int | None

    @classmethod
    def of(cls, system: System, known: Known) -> UnprovenPosition:
        """Return the position of the board of ``system``, of which ``known`` is proven."""
        board = system.board
        free = array_of(system.unknown & ~known.settled, *board.shape)
        mines = array_of(known.mines | system.shown_mines, *board.shape)
        open_numbers = (board.states <= 8) & (neighbour_sum(free) > 0)
        missing = np.where(open_numbers, board.states - neighbour_sum(mines), np.int8(0))
        return cls(free, missing, None if board.mines is None else board.mines - int(mines.sum()))

    @property
    def cells(self) -> Indices:
        """The free cells, numbered row by row."""
        return np.flatnonzero(self.free)

    @property
    def keys(self) -> KeyArray:
        """The keys of the neighbourhoods of the free cells, row by row."""
        says = np.where(self.missing > 0, _FREE + np.minimum(self.missing, _MISSING), self.free * _FREE)
        padded = np.pad(says.astype(np.int8), _SIZE // 2)
        return _keys(np.lib.stride_tricks.sliding_window_view(padded, (_SIZE, _SIZE))[self.free])


def scored(position: UnprovenPosition, experience: Experience | None) -> tuple[Values, Indices]:
    """Return the scores of the free cells, row by row, and these cells from the best to the worst.

    With ``experience`` the scores are expected risks. The lowest is best. Equal cells are compared by the
    largest share of a number around them, then by their number of free neighbours; then the last is best.
    """
    free, crowd = position.free, neighbour_sum(position.free)
    shares = np.pad(position.missing / np.maximum(crowd, 1), 1)  # 0 where there is no number
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
    values, risks = values.round(_EQUAL), np.where(on_frontier, worst, rest).round(_EQUAL)
    order = np.lexsort((-position.cells, crowd[free], risks, values))
    return values, position.cells[order]


def _expected(keys: KeyArray, shares: Values, experience: Experience) -> Values:
    """Return the expected risk in each neighbourhood; ``shares`` are the mean shares around its middle."""
    mines, times = experience.alike.recalled(simpler(keys))
    alike = (START + TRUST * shares + mines * times) / (START + TRUST + times)
    mines, times = experience.recalled(keys)
    return np.asarray((SIMILAR_WEIGHT * alike + mines * times) / (SIMILAR_WEIGHT + times), np.float64)


@dataclass(slots=True, eq=False)
class Learned:
    """The experience of a strategy (None: it has none); it may grow while games are played."""

    experience: Experience | None = None


def choose(system: System, result: StageResult, cells: int, learned: Learned) -> Choice:
    """Choose the cell with the best score, corrected by ``learned.experience`` if there is any."""
    position = UnprovenPosition.of(system, result.known)
    scores, ranked = scored(position, learned.experience)
    chosen = next(cell for cell in ranked.tolist() if cells >> cell & 1)
    values = dict(zip(position.cells.tolist(), scores.tolist(), strict=True))
    near = sorted(bits(cells), key=lambda cell: (cell != chosen, values[cell]))
    judgement = Judgement.SCORE if learned.experience is None else Judgement.EXPERIENCE
    return Choice(chosen, judgement, dict.fromkeys(near[:ALTERNATIVES]))


@dataclass(slots=True, eq=False)
class ExperienceRecorder:
    """A recorder that learns from the guesses of games, and writes a file at the end of each game.

    Call `decided` with each decision before it is carried out, and `ended` with the last board of a game.
    What is learned is added to ``learned``. ``complain`` is called the first time that the file cannot be
    written.
    """

    learned: Learned
    path: Path
    complain: Callable[[str], None]
    _choice: tuple[KeyArray, Cell] | None = None  # key and cell of the last guess
    _complained: bool = False

    def decided(self, board: Board, decision: Decision) -> None:
        """Learn from the result of the last guess, and remember the new one if ``decision`` is a guess."""
        self._learn(board)
        if decision.reason is Reason.GUESS and decision.moves:
            system, cell = System.of(board), decision.moves[0].cell
            position = UnprovenPosition.of(system, apply_counting_rules(system, Known()))
            here = position.cells == cell.row * board.cols + cell.col
            self._choice = (position.keys[here], cell)

    def ended(self, board: Board) -> None:
        """Learn from the final board of a game, and write the file."""
        experience = self._learn(board)
        self.learned.experience = replace(experience, games=experience.games + 1)
        try:
            self.learned.experience.save(self.path)
        except ExperienceError as error:
            if not self._complained:
                kept = f"the experience of {experience.games} games is still used"
                self.complain(f"{error}; {kept}, but new experience will be lost when the program ends")
            self._complained = True

    def _learn(self, board: Board) -> Experience:
        """Learn how the last guess went, and return the experience."""
        experience = self.learned.experience or Experience.none()
        if self._choice is not None:
            (keys, cell), self._choice = self._choice, None
            state = board[cell]
            if state <= 8 or state in SHOWN_MINES:  # else the outcome is unknown
                experience = experience.after(keys, np.array([float(state in SHOWN_MINES)]), 0)
                self.learned.experience = experience
        return experience


def strategy_with(learned: Learned) -> PlainStrategy:
    """Return the strategy korlyakova with what it has learned so far."""
    digest = "" if learned.experience is None else learned.experience.digest
    choose_cell = partial(choose, learned=learned)
    return PlainStrategy("korlyakova", (COUNTING,), choose=choose_cell, learns=True, digest=digest)


STRATEGY = strategy_with(Learned())


# Training

NewGame = Callable[[int], Game]  # starts the game with this number, from 0, and opens its first cell
Teacher = Callable[[Game, Cell], Values]  # risks, (rows, cols), of a game and a chosen cell; NaN: not told
TieBreaker = Callable[[Board, Sequence[Cell]], Cell]  # chooses one of several equally good cells


def the_game(game: Game, _chosen: Cell) -> Values:
    """Return 1.0 for each cell that is a mine, 0.0 for each other."""
    risks = np.zeros(game.board.shape)
    for cell in game.mines or ():
        risks[cell] = 1.0
    return risks


def the_solver(game: Game, _chosen: Cell) -> Values:
    """Return the exact risks on the visible board."""
    from bot.solver.analysis import analyse  # loads the compiler, which other commands do not need

    return analyse(game.board).risks


def its_choices(game: Game, chosen: Cell) -> Values:
    """Return only whether the chosen cell is a mine: what a player learns without a teacher."""
    risks = np.full(game.board.shape, np.nan)
    risks[chosen] = the_game(game, chosen)[chosen]
    return risks


TEACHERS: Mapping[str, Teacher] = {"game": the_game, "solver": the_solver, "choices": its_choices}


class Progress(NamedTuple):
    """The experience so far, and the numbers of games played and won."""

    experience: Experience
    games: int
    wins: int


def train(
    kinds: Sequence[NewGame],
    games: int,
    teacher: Teacher,
    experience: Experience,
    lump: int = BATCH,
    ask: TieBreaker | None = None,
) -> Iterator[Progress]:
    """Play ``games`` games, ``lump`` in a batch; yield the progress after each batch.

    Batches of all ``kinds`` take turns. The same games always teach the same. ``ask``, if given, chooses
    between equally good cells.
    """
    wins = 0
    for turn, start in enumerate(range(0, games, lump)):
        stop = min(start + lump, games)
        lessons = [(np.zeros(0, np.int64), np.zeros(0))]
        for number in range(start, stop):
            game = kinds[turn % len(kinds)](number)
            lessons += _lessons(game, teacher, experience, ask)
            wins += game.won
        keys, risks = map(np.concatenate, zip(*lessons, strict=True))
        experience = experience.after(keys, risks, stop - start)
        yield Progress(experience, stop, wins)


def _lessons(
    game: Game, teacher: Teacher, experience: Experience, ask: TieBreaker | None
) -> Iterator[tuple[KeyArray, Values]]:
    """Play a game to its end with the strategy korlyakova; yield keys and risks at each choice."""
    while not game.over:
        board = game.board
        system = System.of(board)
        known = apply_counting_rules(system, Known())
        for cell in system.cells(known.safe):
            game.open(cell)
        if known.safe:
            continue
        position = UnprovenPosition.of(system, known)
        values, ranked = scored(position, experience)
        best = [system.cell(cell) for cell in position.cells[values == values.min()].tolist()]
        chosen = system.cell(int(ranked[0])) if ask is None or len(best) < 2 else ask(board, best)
        risks = teacher(game, chosen)[position.free]
        taught = ~np.isnan(risks)
        yield position.keys[taught], risks[taught]
        game.open(chosen)
