"""Train the experience of the strategy korlyakova by games in memory.

For each choice, a teacher gives the risks of cells. The lessons of a batch of games are added when all games
of the batch are over, so that no game uses lessons from itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.bench.plan import Boards
from bot.board import Board, Cell
from bot.game.simulation import Game
from bot.solver.constraints import System
from bot.solver.counting import Known, apply_counting_rules
from bot.solver.published.korlyakova import Experience, Keys, Position, scored

BATCH = 500  # games in a batch
FIRST_SEED = 10_000_000  # far from the seeds of the published comparisons

Places = npt.NDArray[np.int64]
Answers = npt.NDArray[np.float64]
Teacher = Callable[["Turn"], tuple[Places, Answers]]  # some unsettled cells, and their risks
TieBreaker = Callable[[Board, Sequence[Cell]], Cell]  # chooses one of several equally good cells


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """A choice: the board, the ``cells`` that could be opened, the ``chosen`` one, and the ``mines``."""

    board: Board
    cells: Places
    chosen: int
    mines: frozenset[Cell]

    def mined(self, cells: Places) -> Answers:
        """Return 1.0 for each of ``cells`` that is a mine, 0.0 for each other."""
        return np.array([float(divmod(cell, self.board.cols) in self.mines) for cell in cells.tolist()])


def the_game(turn: Turn) -> tuple[Places, Answers]:
    """Return all cells that could be chosen, with 1.0 for each that is a mine."""
    return turn.cells, turn.mined(turn.cells)


def the_solver(turn: Turn) -> tuple[Places, Answers]:
    """Return all cells that could be chosen, with their exact risks on the visible board."""
    from bot.solver.analysis import analyse  # loads the compiler, which other commands do not need

    return turn.cells, analyse(turn.board).risks.ravel()[turn.cells]


def its_choices(turn: Turn) -> tuple[Places, Answers]:
    """Return only the chosen cell, and whether it was a mine: what a player learns without a teacher."""
    chosen = np.array([turn.chosen])
    return chosen, turn.mined(chosen)


TEACHERS: Mapping[str, Teacher] = {"game": the_game, "solver": the_solver, "choices": its_choices}


@dataclass(frozen=True, slots=True)
class Progress:
    """The experience so far, and the numbers of games played and won."""

    experience: Experience
    games: int
    wins: int


def train(
    kinds: Sequence[Boards],
    games: int,
    teacher: Teacher,
    experience: Experience,
    lump: int = BATCH,
    ask: TieBreaker | None = None,
) -> Iterator[Progress]:
    """Play ``games`` games on boards of all ``kinds`` in turn; yield the progress after each batch.

    Board number ``i`` has the seed of its kind plus ``i``. The same games always teach the same. ``ask``, if
    given, chooses between equally good cells.
    """
    wins = 0
    for turn, start in enumerate(range(0, games, lump)):
        boards, stop = kinds[turn % len(kinds)], min(start + lump, games)
        keys, answers = [np.zeros(0, np.int64)], [np.zeros(0)]
        for number in range(start, stop):
            game = Game(boards.rows, boards.cols, boards.mines, boards.seed + number, boards.rule)
            game.open(boards.first)
            for met, went in _lessons(game, teacher, experience, ask):
                keys.append(met)
                answers.append(went)
            wins += game.won
        experience = experience.after(np.concatenate(keys), np.concatenate(answers), stop - start)
        yield Progress(experience, stop, wins)


def _lessons(
    game: Game, teacher: Teacher, experience: Experience, ask: TieBreaker | None
) -> Iterator[tuple[Keys, Answers]]:
    """Play a game to its end with the strategy korlyakova; yield the lessons of each choice."""
    while not game.over:
        board = game.board
        system = System.of(board)
        known = apply_counting_rules(system, Known())
        for cell in system.cells(known.safe):
            game.open(cell)
        if known.safe:
            continue
        position = Position.of(system, known)
        scores = scored(position, experience)
        best = scores.cells[scores.values == scores.values.min()]
        if ask is None or len(best) < 2:
            chosen = scores.best(system.unknown)
        else:
            row, col = ask(board, [system.cell(cell) for cell in best.tolist()])
            chosen = row * board.cols + col
        turn = Turn(board, scores.cells, chosen, game.mines or frozenset())
        cells, answers = teacher(turn)
        yield position.keys[np.searchsorted(scores.cells, cells)], answers
        game.open(system.cell(chosen))
