"""Games in a drawn art that is to be learned, with a first sight that reads them as the test wants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from art import Style, draw_board
from bot.board import Board, Cell, FirstClick, State
from bot.game.simulation import Game
from bot.geometry import Grid, Pixels
from bot.vision.board_reader import FirstSight
from bot.vision.learning.confirmation import Actions
from bot.vision.reading import Reading

MARGIN = 7  # pixels around the board


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A position as it is drawn, what was done to reach it, and the truth."""

    pixels: Pixels
    grid: Grid
    done: Actions
    board: Board


def scene(style: Style, board: Board, pitch: float = 24, done: Actions = Actions()) -> Scene:  # noqa: B008
    drawn = draw_board(style, board.states, pitch, pitch)
    height, width = drawn.shape[:2]
    pixels = np.full((height + 2 * MARGIN, width + 2 * MARGIN, 3), 90, np.uint8)
    pixels[MARGIN : MARGIN + height, MARGIN : MARGIN + width] = drawn
    grid = Grid(MARGIN, MARGIN, pitch, pitch, board.rows, board.cols)
    return Scene(pixels, grid, done, board)


def played(
    style: Style, seed: int, shape: tuple[int, int, int] = (16, 16, 40), pitch: float = 24, lose: bool = False
) -> Iterator[Scene]:
    """Yield a game move by move: it is opened without a mistake, and lost at the end if ``lose``."""
    rows, cols, mines = shape
    rng = np.random.default_rng(seed)
    game = Game(rows, cols, mines, seed, FirstClick.OPENING)
    yield scene(style, game.board, pitch)
    clicked = Cell(int(rng.integers(rows)), int(rng.integers(cols)))
    game.open(clicked)
    yield scene(style, game.board, pitch, Actions([clicked]))
    while not game.over:
        covered = game.board.cells(State.COVERED)
        free = [cell for cell in covered if cell not in (game.mines or ())]
        if lose and len(free) < 20:
            free = [cell for cell in covered if cell in (game.mines or ())][:1]
        chosen = [free[index] for index in rng.permutation(len(free))[:4]]
        for cell in chosen:
            game.open(cell)
        yield scene(style, game.board, pitch, Actions(chosen))


@dataclass
class ToldSight:
    """A first sight that is told the truth: ``board`` is what the next picture shows.

    States in ``mistaken`` are read as something else; the first ``hidden`` rows are not seen.
    """

    board: Board | None = None
    mistaken: Mapping[int, int] = field(default_factory=dict)
    hidden: int = 0
    calls: int = 0

    def __call__(self, pixels: Pixels, grid: Grid, mines_left: int | None) -> FirstSight | None:  # noqa: ARG002
        assert self.board is not None
        self.calls += 1
        states = self.board.states.copy()
        for true, read in self.mistaken.items():
            states[self.board.states == true] = read
        board = Board(states[self.hidden :], None)
        grid = grid.part(self.hidden, 0, grid.rows, grid.cols)
        reading = Reading(grid, board, "unknown", mines_left)
        return FirstSight(reading, board.states.astype(np.int32), 1.0)
