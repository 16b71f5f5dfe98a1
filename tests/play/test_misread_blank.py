"""A covered cell that is misread as blank must never lead to a mine that is opened as proven."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import Cell, FirstClick, State
from bot.errors import ContradictionError, NothingToOpenError
from bot.game.simulation import Game
from bot.geometry import Frame
from bot.play.look import Look, doubtful_zeros
from bot.solver import STRATEGIES
from bot.solver.strategies import decide_on
from bot.verdict import Ledger, verdict_on
from simulated import reading_of

FRAME = Frame(np.zeros((1, 1, 3), np.uint8))


def position(seed: int, rng: np.random.Generator) -> Game:
    game = Game(9, 9, 10, seed)
    for _ in range(int(rng.integers(1, 5))):
        safe = [cell for cell in game.board.cells(State.COVERED) if cell not in (game.mines or ())]
        game.open(safe[int(rng.integers(len(safe)))])
        if game.over:
            break
    return game


@pytest.mark.parametrize("part", range(4))
def test_no_mine_is_opened_as_proven(part: int) -> None:
    rng, misread = np.random.default_rng(part), 0
    for seed in range(400 * part, 400 * part + 400):
        game = position(seed, rng)
        if game.over:
            continue
        board = game.board
        covered = board.cells(State.COVERED)
        beside = [cell for cell in covered if any(board[near] <= 8 for near in board.neighbours(cell))]
        for cell in beside[: 1 + seed % 3]:
            seen = board.replace({cell: 0})
            misread += 1
            for ledger in (None, Ledger(seen, frozenset({Cell(0, 0)}))):
                reading = reading_of(seen)
                look = Look(FRAME, reading, verdict_on(reading.board), unsure=doubtful_zeros(reading, ledger))
                if look.careful.problems():
                    continue  # the bot stops
                try:
                    decision = decide_on(seen, look.careful, FirstClick.SAFE, STRATEGIES["best"], None, True)
                except (ContradictionError, NothingToOpenError):
                    continue
                if decision.risk == 0:
                    assert not {move.cell for move in decision.moves} & (game.mines or frozenset()), (
                        seed,
                        cell,
                    )
    assert misread > 500
