"""Playing many games at once by counting and by score and experience, as `korlyakova` decides one by one.

Arrays are (boards, rows, cols). What is played is what `decide` plays, a hundred times as fast.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.bench.plan import Boards
from bot.errors import BenchmarkError
from bot.game.simulation import mines_of_games
from bot.rules import NO_NUMBER, Bounds, neighbour_sum
from bot.solver.korlyakova import Positions, Scores, scored
from bot.solver.learned import Experience
from bot.solver.neighbourhoods import Counts, Flags

Won = npt.NDArray[np.bool_]


@dataclass(slots=True)
class Games:
    """Games under way: where mines are, what is opened, and what is proven to be a mine."""

    mined: Flags
    opened: Flags
    marked: Flags
    numbers: Counts

    def of(self, chosen: Flags) -> Games:
        """Return the games that are chosen, bool (boards,)."""
        return Games(self.mined[chosen], self.opened[chosen], self.marked[chosen], self.numbers[chosen])

    @property
    def free(self) -> Flags:
        """The cells that are neither opened nor proven to be mines."""
        return ~(self.opened | self.marked)

    @property
    def won(self) -> Won:
        """Whether every cell without a mine is open, bool (boards,)."""
        return np.asarray((self.opened | self.mined).all(axis=(1, 2)), np.bool_)

    @property
    def missing(self) -> Counts:
        """How many mines around each opened cell are not proven; 0 elsewhere."""
        return np.where(self.opened, self.numbers - neighbour_sum(self.marked), np.int8(0))

    def prove(self) -> None:
        """Open all that the counting rules prove safe, and mark all mines, until they have no more to say."""
        moving = np.ones(len(self.mined), np.bool_)
        while moving.any():
            part = self.of(moving)
            before = part.free.sum(axis=(1, 2))
            part._count()
            self.opened[moving], self.marked[moving] = part.opened, part.marked
            moving[moving] = part.free.sum(axis=(1, 2)) != before
        if (self.opened & self.mined).any():
            raise BenchmarkError("korlyakova called a mine safe")

    def _count(self) -> None:
        """Apply each of the rules once, that for the mine total included."""
        bounds = Bounds.of(np.where(self.opened, self.numbers, NO_NUMBER), self.marked, self.free)
        self.opened |= bounds.safe
        self.marked |= bounds.mines
        left = self.mined.sum(axis=(1, 2)) - self.marked.sum(axis=(1, 2))
        free = self.free
        self.opened |= free & (left == 0)[:, None, None]
        self.marked |= free & (left == free.sum(axis=(1, 2)))[:, None, None]

    def positions(self) -> Positions:
        """Return what a player knows of them when nothing is proven."""
        free = self.free
        left = self.mined.sum(axis=(1, 2)) - self.marked.sum(axis=(1, 2))
        return Positions(free, self.missing, left / np.maximum(free.sum(axis=(1, 2)), 1))


@dataclass(frozen=True, slots=True)
class Turn:
    """A choice in each of some games: what was known, the scores, and the cell that is opened (boards,)."""

    games: Games
    positions: Positions
    scores: Scores
    chosen: npt.NDArray[np.int64]


def play_many(
    boards: Boards,
    start: int,
    stop: int,
    experience: Experience | None,
    seen: Callable[[Turn], None] = lambda _: None,
) -> tuple[Won, npt.NDArray[np.int32]]:
    """Play games number ``start`` up to, not including, ``stop``; return which are won, and their guesses.

    ``seen`` is told of every round of choices before it is known how they went.
    """
    shape = stop - start, boards.rows, boards.cols
    seeds = range(boards.seed + start, boards.seed + stop)
    mined = mines_of_games(boards.rows, boards.cols, boards.mines, seeds, boards.first, boards.rule)
    games = _begun(boards, mined.reshape(shape).astype(np.bool_))
    playing = ~games.mined[:, boards.first.row, boards.first.col]
    won, guesses = np.zeros(len(playing), np.bool_), np.zeros(len(playing), np.int32)
    while playing.any():
        part = games.of(playing)
        part.prove()
        games.opened[playing], games.marked[playing] = part.opened, part.marked
        won[playing] = part.won
        playing &= ~won
        guesses += playing
        playing[playing] = _guess(games, playing, experience, seen)
    return won, guesses


def _begun(boards: Boards, mined: Flags) -> Games:
    opened = np.zeros_like(mined)
    opened[:, boards.first.row, boards.first.col] = True
    return Games(mined, opened, np.zeros_like(mined), neighbour_sum(mined))


def _guess(games: Games, playing: Won, experience: Experience | None, seen: Callable[[Turn], None]) -> Won:
    """Open a cell in each of the games that are ``playing``; return for each of them whether it goes on."""
    part = games.of(playing)
    if not len(part.mined):
        return np.zeros(0, np.bool_)
    positions = part.positions()
    scores = scored(positions, experience)
    chosen = scores.best(positions, positions.free)
    seen(Turn(part, positions, scores, chosen))
    rows, cols = np.divmod(chosen, part.mined.shape[2])
    games.opened[np.flatnonzero(playing), rows, cols] = True
    return ~part.mined[np.arange(len(chosen)), rows, cols]
