"""Positions in which a covered cell beside a number is misread as blank, and what would be clicked then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from bot.board import Cell, FirstClick, State
from bot.errors import ContradictionError, NothingToOpenError
from bot.game.simulation import Game
from bot.geometry import Frame
from bot.play.look import Look, doubtful_zeros
from bot.solver import STRATEGIES, Decision
from bot.solver.strategies import decide_on
from bot.verdict import Ledger, verdict_on
from simulated import reading_of

FRAME = Frame(np.zeros((1, 1, 3), np.uint8))


@dataclass(frozen=True, slots=True)
class MisreadBlank:
    """The ``cell`` that is misread in the game of ``seed``, and the decisions that follow, if any."""

    seed: int
    cell: Cell
    decisions: tuple[Decision, ...]
    mines: frozenset[Cell]

    @property
    def opens_a_mine(self) -> bool:
        """Whether a mine is opened that is called proven."""
        proven = (move.cell for one in self.decisions if one.risk == 0 for move in one.moves)
        return not self.mines.isdisjoint(proven)


def position(seed: int, rng: np.random.Generator) -> Game:
    """Return a game in which some safe cells were opened."""
    game = Game(9, 9, 10, seed)
    for _ in range(int(rng.integers(1, 5))):
        safe = [cell for cell in game.board.cells(State.COVERED) if cell not in (game.mines or ())]
        game.open(safe[int(rng.integers(len(safe)))])
        if game.over:
            break
    return game


def misread_blanks(first: int, most: int) -> Iterator[MisreadBlank]:
    """Yield ``most`` misread blanks in games from the seed ``first`` on, judged with and without a ledger."""
    rng, left = np.random.default_rng(first), most
    for seed in count(first):
        game = position(seed, rng)
        if game.over:
            continue
        board = game.board
        covered = board.cells(State.COVERED)
        beside = [cell for cell in covered if any(board[near] <= 8 for near in board.neighbours(cell))]
        for cell in beside[: 1 + seed % 3]:
            seen = board.replace({cell: 0})
            decisions = list[Decision]()
            for ledger in (None, Ledger(seen, frozenset({Cell(0, 0)}))):
                reading = reading_of(seen)
                look = Look(FRAME, reading, verdict_on(seen), unsure=doubtful_zeros(reading, ledger))
                if look.careful.problems():
                    continue  # the bot stops
                try:
                    decisions.append(decide_on(seen, look.careful, FirstClick.SAFE, STRATEGIES["best"]))
                except (ContradictionError, NothingToOpenError):
                    continue
            yield MisreadBlank(seed, cell, tuple(decisions), game.mines or frozenset())
            left -= 1
            if not left:
                return
