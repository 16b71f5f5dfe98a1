"""Boards: positions as games have them, drawn in a style at any pitch."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from art.cells import draw_states
from art.ink import Generator
from art.styles import Style
from bot.board import Cell, FirstClick, State, States
from bot.game.simulation import Game
from bot.geometry import Pixels

METHODS = {
    "nearest": cv2.INTER_NEAREST,
    "linear": cv2.INTER_LINEAR,
    "cubic": cv2.INTER_CUBIC,
    "area": cv2.INTER_AREA,
}


def random_states(
    rng: Generator, rows: int, cols: int, density: float = 0.17, progress: float = 0.5
) -> States:
    """Return a position of a game, int8 of shape (rows, cols).

    ``density`` is the part of cells that are mines; ``progress`` is how much of the free cells beyond the
    first opening are opened: 0 is a fresh board, 1 a won one. Flags (some of them wrong) and question marks
    stand on some positions, and one in five positions is lost.
    """
    mines = min(max(1, round(density * rows * cols)), rows * cols - 10)
    game = Game(rows, cols, mines, int(rng.integers(1 << 31)), FirstClick.OPENING)
    if progress <= 0:
        return game.board.states
    game.open(Cell(int(rng.integers(rows)), int(rng.integers(cols))))
    covered = game.board.cells(State.COVERED)
    order = [covered[index] for index in rng.permutation(len(covered))]
    true_mines = [cell for cell in order if cell in (game.mines or ())]
    free = [cell for cell in order if cell not in (game.mines or ())]
    _flag(rng, game, true_mines, free)
    for cell in free[: round(progress * len(free))]:
        game.open(cell)
    if rng.random() < 0.2:
        _lose(game, true_mines)
    return _questioned(rng, game)


def _flag(rng: Generator, game: Game, mines: list[Cell], free: list[Cell]) -> None:
    if rng.random() < 0.3:
        return
    for cell in mines[: round(rng.uniform(0, 1) * len(mines))]:
        game.flag(cell)
    if rng.random() < 0.4:
        for cell in free[-int(rng.integers(1, 4)) :]:
            game.flag(cell)


def _lose(game: Game, mines: list[Cell]) -> None:
    unflagged = [cell for cell in mines if game.board[cell] == State.COVERED]
    if unflagged:
        game.open(unflagged[-1])


def _questioned(rng: Generator, game: Game) -> States:
    covered = game.board.cells(State.COVERED)
    if game.over or not covered or rng.random() < 0.6:
        return game.board.states
    chosen = rng.choice(len(covered), size=min(len(covered), int(rng.integers(1, 6))), replace=False)
    return game.board.replace({covered[index]: State.QUESTION for index in chosen}).states


def draw_board(
    style: Style, states: States, pitch: float, pitch_y: float | None = None, method: str = "snap"
) -> Pixels:
    """Return the picture of a board, uint8 BGR of about (rows * pitch_y, cols * pitch) pixels.

    Cell (0, 0) begins at the top left pixel. ``method`` "snap" draws every cell at whole pixels, as web pages
    do; "nearest", "linear", "cubic" and "area" draw the board at the style's own size and resample it whole.
    """
    tall = pitch if pitch_y is None else pitch_y
    rows, cols = states.shape
    if method == "snap":
        return _snapped(style, states, pitch, tall)
    native = _snapped(style, states, style.native, style.native)
    size = (round(cols * pitch), round(rows * tall))
    return np.asarray(cv2.resize(native, size, interpolation=METHODS[method]), dtype=np.uint8)


def _snapped(style: Style, states: States, pitch: float, tall: float) -> Pixels:
    rows, cols = states.shape
    tops = np.round(np.arange(rows + 1) * tall).astype(int)
    lefts = np.round(np.arange(cols + 1) * pitch).astype(int)
    pictures = draw_states(style, round(max(pitch, tall)))
    sizes = {(int(h), int(w)) for h in np.diff(tops) for w in np.diff(lefts)}
    fitted = {size: [_fitted(picture, *size) for picture in pictures] for size in sizes}
    canvas = np.empty((tops[-1], lefts[-1], 3), np.uint8)
    for row, col in np.ndindex(rows, cols):
        height, width = int(tops[row + 1] - tops[row]), int(lefts[col + 1] - lefts[col])
        cell = fitted[height, width][states[row, col]]
        canvas[tops[row] : tops[row + 1], lefts[col] : lefts[col + 1]] = cell
    return lit(style, canvas, tops, lefts)


def _fitted(picture: Pixels, height: int, width: int) -> Pixels:
    if picture.shape[:2] == (height, width):
        return picture
    return np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def lit(style: Style, canvas: Pixels, tops: npt.NDArray[np.int_], lefts: npt.NDArray[np.int_]) -> Pixels:
    """Return the board with every second cell lighter and a wash of light from top to bottom."""
    if not style.checker and not style.wash:
        return canvas
    light = np.linspace(0, style.wash, canvas.shape[0], dtype=np.float32)[:, None] * np.ones(canvas.shape[1])
    rows = np.repeat(np.arange(len(tops) - 1), np.diff(tops))
    cols = np.repeat(np.arange(len(lefts) - 1), np.diff(lefts))
    light = light + style.checker * ((rows[:, None] + cols[None, :]) % 2)
    return np.clip(canvas + light[..., None], 0, 255).astype(np.uint8)
