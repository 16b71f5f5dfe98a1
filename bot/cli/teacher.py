"""Training with a person as the teacher: where several choices are as good, the player is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from bot.bench.plan import Boards
from bot.bench.training import Progress
from bot.board import Board, Cell
from bot.cli.output import console
from bot.game.simulation import Game
from bot.solver import Reason, decide
from bot.solver.constraints import System
from bot.solver.counting import Known, count
from bot.solver.experience import Experience
from bot.solver.korlyakova import key_of, position_of, scored
from bot.solver.learned import Learned

ME = "me"


def ask_games(kinds: Sequence[Boards], games: int, experience: Experience) -> Iterator[Progress]:
    """Play games on boards of all ``kinds`` in turn and ask at the terminal; yield what each has taught.

    The end of the input ends it after the game before.
    """
    wins = 0
    for number in range(games):
        boards = kinds[number % len(kinds)]
        game = Game(boards.rows, boards.cols, boards.mines, boards.seed + number, boards.rule)
        game.open(boards.first)
        try:
            experience = _played(game, experience)
        except EOFError:
            return
        wins += game.won
        console().print(f"game {number + 1}: {'won' if game.won else 'lost'}", markup=False)
        yield Progress(experience, number + 1, wins)


def _played(game: Game, experience: Experience) -> Experience:
    """Play a game to its end; return what was known before and what was learned from its choices."""
    keys, mines = list[int](), list[float]()
    while not game.over:
        board = game.board
        decision = decide(board, strategy="korlyakova", learned=Learned(experience=experience))
        if decision.reason is not Reason.GUESS:
            for move in decision.moves:
                game.open(move.cell)
            continue
        system = System.of(board)
        known = count(system, Known())
        equal = _equal(system, known, experience)
        cell = decision.moves[0].cell if len(equal) < 2 else _asked(board, equal)
        game.open(cell)
        if key := key_of(system, known, cell.row * board.cols + cell.col):
            keys.append(key)
            mines.append(float(game.lost))
    return experience.after(np.array(keys, np.int64), np.array(mines, np.float64), 1)


def _equal(system: System, known: Known, experience: Experience) -> list[Cell]:
    """Return the cells that are as good as the best one, row by row."""
    left = system.needs[-1] - known.mines.bit_count()
    free = (system.unknown & ~known.settled).bit_count()
    scores = scored(position_of(system, known, left / free), experience)
    best = scores.cells[scores.values == scores.values.min()]
    return [system.cell(int(index)) for index in best]


def _asked(board: Board, cells: Sequence[Cell]) -> Cell:
    """Show the board and ask which of ``cells`` to open, until one of them is named. Raises EOFError."""
    out, letters = console(), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    named = dict(zip(letters, cells, strict=False))
    marks = {cell: letter for letter, cell in named.items()}
    for row, line in enumerate(board.lines()):
        out.print(" ".join(marks.get(Cell(row, col), what) for col, what in enumerate(line)), markup=False)
    while True:
        said = input(f"these are as good: {' '.join(named)}. Which to open? ").strip()
        if said in named:
            return named[said]
        out.print(f"{said!r} is none of the letters on the board: type one of them", markup=False)
