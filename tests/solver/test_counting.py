"""The counting rules on masks, on arrays and in the kernel, on the same positions of games."""

from __future__ import annotations

from collections import Counter

import numpy as np

from bot.board import NOT_OPEN, SHOWN_MINES, Board, Cell, State, is_one_of
from bot.counting_rules import deduce
from bot.game.simulation import Game
from bot.solver.analysis import SHOWN
from bot.solver.constraints import System, mask_of
from bot.solver.counting import Known, apply_counting_rules
from bot.solver.kernel.layout import MINE, SAFE, Workspace, take
from strategies import random_board

SIZES = ((9, 9, 10), (16, 16, 40), (16, 30, 99), (1, 20, 5), (24, 3, 15), (10, 10, 50))


def position_of_game(seed: int) -> Board:
    """Return a position of a game in which random cells were opened, one in four with a changed number."""
    rng = np.random.default_rng(seed)
    game = Game(*SIZES[seed % len(SIZES)], seed)
    game.open(Cell(0, 0))
    for index in rng.permutation(game.board.states.size)[: int(rng.integers(1, 100))].tolist():
        cell = Cell(*divmod(index, game.board.cols))
        if not game.over and cell not in (game.mines or ()) and game.board[cell] == State.COVERED:
            game.open(cell)
    numbers = [cell for cell, number in game.board.numbers() if number]
    if not numbers or rng.random() > 0.25:
        return game.board
    wrong = numbers[int(rng.integers(len(numbers)))]
    return game.board.replace({wrong: int(rng.integers(9))})


def by_kernel(board: Board, unknown: int) -> Known:
    """Return what the kernel's counting rules prove about the cells in ``unknown``, or a clash."""
    workspace = Workspace(*board.shape)
    position, states = workspace.position, SHOWN[board.states.ravel()]
    if not take(position, workspace.buffers, states, -1):
        return Known(clash=True)
    return Known(unknown & mask_of(position.shown == MINE), unknown & mask_of(position.shown == SAFE))


def on_arrays(board: Board, unknown: int) -> Known:
    """Return the same from the rules for arrays of many positions."""
    shown, places = (is_one_of(*kind)[board.states] for kind in (SHOWN_MINES, NOT_OPEN))
    found = deduce(board.states, shown, places)
    if not found.possible:
        return Known(clash=True)
    return Known(unknown & mask_of(found.mines), unknown & ~mask_of(found.mines | found.places))


def test_masks_arrays_and_the_kernel_count_alike() -> None:
    seen: Counter[str] = Counter()
    for seed in range(150):
        for board in (position_of_game(seed), random_board(seed)):
            system = System.of(board).without_total
            known = apply_counting_rules(system, Known())
            for other in (by_kernel(board, system.unknown), on_arrays(board, system.unknown)):
                assert known.clash == other.clash, board
                assert known.clash or known == other, board
            seen["clash" if known.clash else "settled" if known.settled else "nothing"] += 1
    assert min(seen[kind] for kind in ("clash", "settled", "nothing")) > 20
