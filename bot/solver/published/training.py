"""Train the experience of the strategy korlyakova by games in memory.

For each choice, a teacher tells the risks of cells. The lessons of a batch of games are added when all games
of the batch are over, so that no game uses lessons from itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from bot.board import Board, Cell
from bot.game.simulation import Game
from bot.solver.constraints import System
from bot.solver.counting import Known, apply_counting_rules
from bot.solver.published.korlyakova import Experience, Keys, Position, Values, scored

BATCH = 500  # games in a batch
FIRST_SEED = 10_000_000  # far from the seeds of the published comparisons

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
) -> Iterator[tuple[Keys, Values]]:
    """Play a game to its end with the strategy korlyakova; yield keys and risks at each choice."""
    while not game.over:
        board = game.board
        system = System.of(board)
        known = apply_counting_rules(system, Known())
        for cell in system.cells(known.safe):
            game.open(cell)
        if known.safe:
            continue
        position = Position.of(system, known)
        values, ranked = scored(position, experience)
        best = [system.cell(cell) for cell in position.cells[values == values.min()].tolist()]
        chosen = system.cell(int(ranked[0])) if ask is None or len(best) < 2 else ask(board, best)
        risks = teacher(game, chosen)[position.free]
        taught = ~np.isnan(risks)
        yield position.keys[taught], risks[taught]
        game.open(chosen)
