"""Known skins under what screens and files do to pictures: stretched, tinted, compressed.

Boards of the classic look are also drawn in art that differs from the templates, since every program that
copies it draws its own digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
import pytest

from bot.board import Board, State, States
from bot.geometry import Grid, Pixels
from bot.vision import Reading, Skin, load_picture, load_skins
from bot.vision.board_reader import read_at
from bot.vision.known_art import read_cells
from drawn_boards import draw_board, played
from fixture_boards import FIXTURES, fixture_boards
from picture_changes import dark_theme, gif, grey, hdr, invert, jpeg, level, stretch, tint

SKINS = {skin.name: skin for skin in load_skins() if skin.name in ("winemine", "winmine")}
SCREENSHOTS = {  # of winemine, by how they are stretched
    1.0: "winemine-expert-running",
    1.25: "winemine-intermediate-running",
    1.5: "winemine-expert-running",
    2.0: "winemine-beginner-running",
}
GAMES = {1.0: 0, 1.25: 2, 1.5: 5, 2.0: 8}  # likewise, the numbers of the games that are drawn
Change = Callable[[Pixels], Pixels]
READ: dict[str, tuple[float, Change]] = {  # how boards are stretched, and what is done to their pictures
    "jpeg 75": (1.0, partial(jpeg, quality=75)),
    "gif 16": (1.5, partial(gif, colours=16)),
    "gif 8": (1.0, partial(gif, colours=8)),
    "strong night light": (1.5, lambda pixels: tint(pixels, 0.35, 0.7, 1.0)),
    "inverted": (1.0, invert),
    "dark theme": (2.0, dark_theme),
    "grey": (1.0, grey),
    "HDR, content at 120 nits": (1.0, partial(hdr, white=1.5)),
    "HDR, content at 200 nits": (1.25, partial(hdr, white=2.5)),
    "HDR, content at 400 nits": (1.5, partial(hdr, white=5.0)),
}
TRACKED: dict[str, Change] = {
    "brightness 140 %": lambda pixels: level(pixels, gain=1.4),
    "contrast 60 %": lambda pixels: level(pixels, gain=0.6, offset=51),
    "gif 16 dithered": partial(gif, colours=16, dither=True),
    "gif 8 dithered": partial(gif, colours=8, dither=True),
    "jpeg 50": partial(jpeg, quality=50),
    "HDR, content at 200 nits": partial(hdr, white=2.5),
    "night light, jpeg 75": lambda pixels: jpeg(tint(pixels, 0.55, 0.85, 1.0), 75),
}
BRIGHT = ("HDR, content at 200 nits", "HDR, content at 400 nits")  # grey and white are the same there
FAINT = (*BRIGHT, "gif 8", "grey", "brightness 140 %", "gif 16 dithered", "gif 8 dithered")


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A board in some art: its picture, the true grid and board, the mine counter."""

    skin: Skin
    art: str
    pixels: Pixels
    grid: Grid
    truth: Board
    mines_left: int


def cases(scale: float, change: Change) -> Iterator[Case]:
    """Yield a board of each art, stretched and changed."""
    number = GAMES[scale]
    for skin, art in ((SKINS["winemine"], "screenshot"), *((SKINS["winmine"], art) for art in ARTS)):
        if art == "screenshot":
            truth = fixture_boards(SCREENSHOTS[scale])[0]
            picture = load_picture(FIXTURES / f"{SCREENSHOTS[scale]}.png")
            x, y, board, left = truth.x, truth.y, truth.board, truth.mines_left
        else:
            board = played(16, 30 - 7 * (number % 3), 1 + number, lost=number % 2 == 1)
            left = 17 + 99 * number
            picture, x, y = draw_board(ARTS[art](skin), board, left)
        grid = Grid(x * scale, y * scale, skin.cell * scale, skin.cell * scale, *board.shape)
        yield Case(skin, art, change(stretch(picture, scale)), grid, board, left)


def redrawn(skin: Skin, width: float, right: int) -> Skin:
    """Return the skin with the ink of every state but its mines made narrower and moved."""
    templates = skin.templates.copy()
    middle = skin.cell / 2
    move = np.array([[width, 0, middle - width * middle + right], [0.0, 1, 0]])
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


ARTS: dict[str, Callable[[Skin], Skin]] = {
    "own": lambda skin: skin,
    "moved": partial(redrawn, width=1.0, right=1),
    "narrow": partial(redrawn, width=0.88, right=0),
}


def without_unread_edges(reading: Reading) -> States:
    """Return the states without outer rows and columns that were not read: they stand for hidden ones."""
    known = reading.board.states != State.UNREADABLE
    rows, cols = np.flatnonzero(known.any(1)), np.flatnonzero(known.any(0))
    return reading.board.states[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]


@pytest.mark.parametrize("damage", READ)
def test_no_cell_is_read_wrong(damage: str) -> None:
    for case in cases(*READ[damage]):
        easy = damage not in FAINT and case.art != "moved"
        reading = read_at(case.pixels, case.grid.moved(0.4, -0.3), (case.skin,))
        assert reading is not None or not easy, case.art
        if reading is None:
            continue
        read = without_unread_edges(reading)
        assert read.shape == case.truth.shape, case.art
        unread = read == State.UNREADABLE
        assert ((read == case.truth.states) | unread).all(), case.art
        assert not easy or unread.mean() <= 0.01, case.art
        assert reading.mines_left in (None, case.mines_left), case.art


@pytest.mark.parametrize("damage", TRACKED)
def test_tracking_reads_no_cell_wrong_either(damage: str) -> None:
    for case in cases(1.25, TRACKED[damage]):
        cells, *_ = read_cells(case.pixels, case.grid, case.skin)
        assert ((cells.states == case.truth.states) | ~cells.readable).all(), case.art
        least = 0.75 if case.art in ("moved", "narrow") else 0.95
        assert damage in FAINT or cells.readable.mean() >= least, case.art


@pytest.mark.parametrize("scale", GAMES)
def test_tracking_reads_every_cell_of_undamaged_screens(scale: float) -> None:
    case = next(cases(scale, lambda pixels: pixels))
    cells, _ = read_cells(case.pixels, case.grid, case.skin)
    np.testing.assert_array_equal(cells.states, case.truth.states)


def other_art(skin: Skin, seed: int) -> tuple[Pixels, int, int]:
    """Return a board in the colours of ``skin`` whose marks are scattered anew over each cell's middle."""
    rng = np.random.default_rng(seed)
    templates = skin.templates.copy()
    for index, state in enumerate(skin.states):
        ground = skin.template(0 if state <= 8 else State.COVERED)
        inner = templates[index, 2:-2, 2:-2].reshape(-1, 3)
        if state not in (0, State.COVERED):
            templates[index] = ground
            templates[index, 2:-2, 2:-2] = inner[rng.permutation(len(inner))].reshape(12, 12, 3)
    art = Skin("other", skin.cell, skin.reach, templates, None, skin.ground)
    return draw_board(art, played(16, 16, seed))


@pytest.mark.parametrize("skin", SKINS.values(), ids=SKINS)
@pytest.mark.parametrize("seed", range(2))
def test_other_art_in_the_same_colours_is_not_read(skin: Skin, seed: int) -> None:
    picture, x, y = other_art(skin, seed)
    truth = played(16, 16, seed).states
    for reader in SKINS.values():
        reading = read_at(picture, Grid(x, y, 16, 16, 16, 16), (reader,))
        if reading is not None:
            states = reading.board.states
            assert ((states == truth) | (states == State.UNREADABLE)).all()
