"""The stress matrix: boards of known skins under everything that screens and files do to pictures.

`stress_cases` draws boards of a skin, stretches them and damages them; `read_case` reads one as the bot does
once something has located it. Boards of the classic look are also drawn in art that differs from the
templates, since every program that copies it draws its own digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np

from bot.board import Board, State, States
from bot.geometry import Grid, Pixels
from bot.vision import Reading, Skin, load_picture
from bot.vision.board_reader import read_at
from drawn_boards import draw_board, played
from fixture_boards import FIXTURES, fixture_boards
from picture_changes import dark_theme, gamma, gif, grey, invert, jpeg, level, soften, stretch_to, tint

Change = Callable[[Pixels], Pixels]

DAMAGES: dict[str, Change] = {
    "none": lambda pixels: pixels,
    "jpeg 95": partial(jpeg, quality=95),
    "jpeg 75": partial(jpeg, quality=75),
    "jpeg 50": partial(jpeg, quality=50),
    "jpeg 30": partial(jpeg, quality=30),
    "gif 64": partial(gif, colours=64),
    "gif 32": partial(gif, colours=32),
    "gif 16": partial(gif, colours=16),
    "gif 16 dithered": partial(gif, colours=16, dither=True),
    "gif 8": partial(gif, colours=8),
    "gif 8 dithered": partial(gif, colours=8, dither=True),
    "night light": lambda pixels: tint(pixels, 0.55, 0.85, 1.0),
    "strong night light": lambda pixels: tint(pixels, 0.35, 0.7, 1.0),
    "green tint": lambda pixels: tint(pixels, 0.8, 1.0, 0.75),
    "brightness 60 %": lambda pixels: level(pixels, gain=0.6),
    "brightness 140 %": lambda pixels: level(pixels, gain=1.4),
    "contrast 60 %": lambda pixels: level(pixels, gain=0.6, offset=51),
    "contrast 140 %": lambda pixels: level(pixels, gain=1.4, offset=-51),
    "gamma 0.6": partial(gamma, exponent=0.6),
    "gamma 1.6": partial(gamma, exponent=1.6),
    "inverted": invert,
    "dark theme": dark_theme,
    "grey": grey,
    "soft": partial(soften, sigma=0.5),
    "night light, jpeg 75": lambda pixels: jpeg(tint(pixels, 0.55, 0.85, 1.0), 75),
}
STRETCHES: dict[str, tuple[float, int, float]] = {  # factor, way of resampling, origin within a pixel
    "1": (1.0, cv2.INTER_LINEAR, 0.0),
    "1.1": (1.1, cv2.INTER_LINEAR, 0.3),
    "1.25": (1.25, cv2.INTER_LINEAR, 0.0),
    "1.25 nearest": (1.25, cv2.INTER_NEAREST, 0.0),
    "1.37 cubic": (1.37, cv2.INTER_CUBIC, 0.6),
    "1.5": (1.5, cv2.INTER_LINEAR, 0.0),
    "1.5 nearest": (1.5, cv2.INTER_NEAREST, 0.0),
    "1.75 cubic": (1.75, cv2.INTER_CUBIC, 0.0),
    "2": (2.0, cv2.INTER_LINEAR, 0.0),
    "2 nearest": (2.0, cv2.INTER_NEAREST, 0.0),
    "2.25": (2.25, cv2.INTER_LINEAR, 0.0),
}

SCREENSHOTS = {
    "winemine": (
        "winemine-expert-running",
        "winemine-custom-lost",
        "winemine-intermediate-running",
        "winemine-beginner-running",
        "winemine-expert-lost",
    )
}


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """One cell of the matrix: how the picture came about, the picture, the true grid and board."""

    skin: Skin
    art: str
    stretch: str
    damage: str
    pixels: Pixels
    grid: Grid
    truth: Board
    mines_left: int


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one case: cells in all, wrong ones, unreadable ones; the counter right, none or wrong."""

    cells: int
    wrong: int
    unreadable: int
    counter: str


def stress_cases(
    skins: Sequence[Skin],
    stretches: Sequence[str] = tuple(STRETCHES),
    damages: Sequence[str] = tuple(DAMAGES),
    seed: int = 1,
) -> Iterator[Case]:
    """Yield a case for every skin, art, way of stretching and damage."""
    for skin in skins:
        for art in _arts(skin):
            for name in stretches:
                number = list(STRETCHES).index(name)
                picture, x, y, board, left = _shown(skin, art, number, seed)
                factor, way, off = STRETCHES[name]
                stretched = stretch_to(picture, factor, way, off)
                pitch = skin.cell * factor
                grid = Grid(x * factor + off, y * factor + off, pitch, pitch, board.rows, board.cols)
                for damage in damages:
                    yield Case(skin, art, name, damage, DAMAGES[damage](stretched), grid, board, left)


def _arts(skin: Skin) -> tuple[str, ...]:
    """Return the names of the art in which boards of ``skin`` are shown."""
    return ("screenshots",) if skin.name in SCREENSHOTS else ("own", "moved", "narrow")


def _shown(skin: Skin, art: str, number: int, seed: int) -> tuple[Pixels, float, float, Board, int]:
    """Return a picture of a board in some art, x and y of its top left cell, the board, the mine counter."""
    if art == "screenshots":
        name = SCREENSHOTS[skin.name][number % len(SCREENSHOTS[skin.name])]
        truth = fixture_boards(name)[0]
        return load_picture(FIXTURES / f"{name}.png"), truth.x, truth.y, truth.board, truth.mines_left
    drawn = {"own": skin, "moved": _redrawn(skin, 1.0, 1, 0), "narrow": _redrawn(skin, 0.88, 0, 0)}[art]
    board = played(16, 30 - 7 * (number % 3), seed + number, lost=number % 2 == 1)
    left = 17 if art == "own" else int(np.random.default_rng([seed, number, len(art)]).integers(-99, 1000))
    return *draw_board(drawn, board, left), board, left


def _redrawn(skin: Skin, width: float, right: int, down: int) -> Skin:
    """Return the skin with the ink of every state but its mines made narrower and moved."""
    templates = skin.templates.copy()
    middle = skin.cell / 2
    move = np.array([[width, 0, middle - width * middle + right], [0, 1, down]])
    for index, state in enumerate(skin.states):
        ground = skin.template(0 if state <= 8 else State.COVERED)
        if state in (0, State.COVERED, State.MINE, State.EXPLODED, State.WRONG_FLAG):
            continue
        ink = (templates[index] != ground).any(2).astype(np.uint8)
        size = (skin.cell, skin.cell)
        moved = cv2.warpAffine(ink, move, size, flags=cv2.INTER_NEAREST)
        colours = cv2.warpAffine(templates[index], move, size, flags=cv2.INTER_NEAREST)
        templates[index] = np.where(moved[..., None] > 0, colours, ground)
    return replace(skin, templates=templates)


def read_case(case: Case, skins: Sequence[Skin]) -> Result:
    """Return what comes of a case; all cells are unreadable if no skin fits, all wrong on a wrong grid."""
    near, cells = case.grid.moved(0.4, -0.3), case.truth.states.size
    best = read_at(case.pixels, near, skins)
    if best is None:
        return Result(cells, 0, cells, "none")
    shown = best.mines_left
    counter = "none" if shown is None else "right" if shown == case.mines_left else "wrong"
    read = _without_unread_edges(best)
    if read.shape != case.truth.shape:
        return Result(cells, cells, 0, counter)
    unreadable = read == State.UNREADABLE
    wrong = int(((read != case.truth.states) & ~unreadable).sum())
    return Result(cells, wrong, int(unreadable.sum()), counter)


def _without_unread_edges(reading: Reading) -> States:
    """Return the states without outer rows and columns that were not read: they stand for hidden ones."""
    known = reading.board.states != State.UNREADABLE
    rows, cols = np.flatnonzero(known.any(1)), np.flatnonzero(known.any(0))
    return reading.board.states[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
