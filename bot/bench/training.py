"""Learning from games: what is asked of a teacher, and how the experience grows.

In training everything is asked that a choice had to be made among, and all that is learned of a lump of
games is taken in when these are over, so that nothing of a game is known while it is played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bot.bench.many import Turn, play_many
from bot.bench.plan import Boards
from bot.board import Board, State
from bot.solver.experience import Experience
from bot.solver.neighbourhoods import Keys

LUMP = 500  # games between two times of taking in what was learned
FIRST_SEED = 10_000_000  # far from the boards of comparisons

Answers = npt.NDArray[np.float64]
Teacher = Callable[[Turn], tuple[Keys, Answers]]


def the_game(turn: Turn) -> tuple[Keys, Answers]:
    """Tell of each cell that could be chosen whether it was a mine, when the game is over."""
    return turn.scores.keys, turn.games.mined.ravel()[turn.scores.cells].astype(np.float64)


def the_solver(turn: Turn) -> tuple[Keys, Answers]:
    """Tell of each cell that could be chosen how likely it is a mine, exactly: of what is seen alone."""
    chances = np.concatenate([_chances(turn, board).ravel() for board in range(len(turn.chosen))])
    return turn.scores.keys, chances[turn.scores.cells]


def its_choices(turn: Turn) -> tuple[Keys, Answers]:
    """Tell of the chosen cells alone how it went: all that a player without a teacher learns."""
    size = turn.positions.free[0].size
    chosen = turn.chosen + size * np.arange(len(turn.chosen))
    mined = turn.games.mined.ravel()[chosen].astype(np.float64)
    return turn.scores.keys[np.searchsorted(turn.scores.cells, chosen)], mined


TEACHERS: Mapping[str, Teacher] = {"game": the_game, "solver": the_solver, "choices": its_choices}


def _chances(turn: Turn, number: int) -> Answers:
    """Return the chances of a mine on one of the boards, (rows, cols); nan where nothing is to be chosen."""
    games = turn.games
    states = np.where(games.opened[number], games.numbers[number], np.int8(State.COVERED))
    board = Board(states, int(games.mined[number].sum()))
    from bot.solver.engine import engine_for  # loads the compiler, which other commands do without

    return engine_for(*board.shape).risks(board)


@dataclass(frozen=True, slots=True)
class Progress:
    """What has been learned so far, and how many of how many games were won meanwhile."""

    experience: Experience
    games: int
    wins: int


@dataclass(slots=True)
class _Lessons:
    """What a teacher says about the games of a lump."""

    teacher: Teacher
    keys: list[Keys] = field(default_factory=list)
    answers: list[Answers] = field(default_factory=list)

    def hear(self, turn: Turn) -> None:
        keys, answers = self.teacher(turn)
        self.keys.append(keys[keys > 0])
        self.answers.append(answers[keys > 0])

    def added_to(self, experience: Experience, games: int) -> Experience:
        nothing = np.zeros(0, np.int64), np.zeros(0)
        keys, answers = np.concatenate([nothing[0], *self.keys]), np.concatenate([nothing[1], *self.answers])
        return experience.after(keys, answers, games)


def train(
    kinds: Sequence[Boards], games: int, teacher: Teacher, experience: Experience, lump: int = LUMP
) -> Iterator[Progress]:
    """Play so many games on boards of all ``kinds`` in turn; yield what is learned after each lump.

    Board number ``i`` has the seed of its kind plus ``i``. The same games always teach the same.
    """
    wins = 0
    for turn, start in enumerate(range(0, games, lump)):
        stop = min(start + lump, games)
        lessons = _Lessons(teacher)
        won, _ = play_many(kinds[turn % len(kinds)], start, stop, experience, lessons.hear)
        experience = lessons.added_to(experience, stop - start)
        wins += int(won.sum())
        yield Progress(experience, stop, wins)
