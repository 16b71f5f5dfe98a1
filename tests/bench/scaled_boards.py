"""Boards of five arts in their windows: at 100 %, scaled as a whole picture, and laid out by Chromium."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from art import draw_board as draw_art
from art import random_style
from bench.measured import TrueBoard, TruePicture
from bot.board import Board, Cell, FirstClick, State
from bot.game.simulation import Game
from bot.geometry import Grid, Pixels
from bot.levels import BEGINNER, EXPERT, INTERMEDIATE, OLD_LEVELS, Level
from bot.targets.launch import find_program
from bot.vision import GameState, load_picture, load_skins
from bot.vision.skin import CounterLayout, Skin
from displays import draw_counter
from drawn_boards import draw_board

FILTERS = {"nearest": cv2.INTER_NEAREST, "bilinear": cv2.INTER_LINEAR, "bicubic": cv2.INTER_CUBIC}
# Seeds of styles in which all covered cells are alike, and a fresh board shows where they end.
STYLES = {"drawn light": 21, "drawn dark": 50}
ARTS = ("winmine", "winemine", "builtin", *STYLES)
LEVELS = (BEGINNER, OLD_LEVELS["beginner"], INTERMEDIATE, EXPERT, Level(13, 22, 45))
KINDS = (GameState.NEW, GameState.RUNNING, GameState.WON, GameState.LOST)
GROUNDS = ((255, 255, 255), (240, 240, 240), (128, 128, 0), (36, 33, 32), (165, 110, 58))  # pages, desktops
GAP = 40  # pixels at 100 % between a window and the edge of the picture
_TALLEST = 12_000  # pixels of a screenshot; Chromium paints at most 16,384


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """A window at 100 %: its picture, where cell (0, 0) is in it, the side of a cell, the position."""

    pixels: Pixels
    x: int
    y: int
    cell: int
    board: Board
    state: GameState

    @property
    def grid(self) -> Grid:
        """Where the board is in the picture of the window."""
        return Grid(self.x, self.y, self.cell, self.cell, *self.board.shape)


def position(number: int) -> tuple[Board, GameState]:
    """Return a position and how far its game is: states and sizes take turns, the games never repeat."""
    state, level = KINDS[number % len(KINDS)], LEVELS[number // len(KINDS) % len(LEVELS)]
    rng = np.random.default_rng(number)
    game = Game(level.rows, level.cols, level.mines, number, FirstClick.OPENING)
    if state is GameState.NEW:
        return game.board, state
    game.open(Cell(int(rng.integers(level.rows)), int(rng.integers(level.cols))))
    mines = game.mines or frozenset()
    covered = game.board.cells(State.COVERED)
    order = [covered[index] for index in rng.permutation(len(covered))]
    safe = [cell for cell in order if cell not in mines]
    for cell in [cell for cell in order if cell in mines][: int(rng.integers(level.mines))]:
        game.flag(cell)
    opened = len(safe) if state is GameState.WON else round(float(rng.uniform(0, 0.8)) * len(safe))
    for cell in safe[:opened]:
        game.open(cell)
    closed = game.board.cells(State.COVERED)
    if state is GameState.RUNNING and number % 8 == 1:  # of half of the positions
        return game.board.replace(dict.fromkeys(closed[::9], State.QUESTION)), state
    if state is GameState.LOST:
        wrong = [cell for cell in closed if cell not in mines][:2]
        for cell in wrong:
            game.flag(cell)
        game.open(next(cell for cell in closed if cell in mines))
    return game.board, state


def window(art: str, number: int) -> Window:
    """Return the window of an art with the position of that number, at 100 %."""
    board, state = position(number)
    left = (board.mines or 0) - board.count(State.FLAG, State.WRONG_FLAG)
    if art in STYLES:
        return _drawn(STYLES[art], board, state, left)
    skin = _skins()[art]
    picture, x, y = draw_board(skin, board, left)
    return Window(picture, x, y, skin.cell, board, state)


@cache
def _skins() -> dict[str, Skin]:
    return {skin.name: skin for skin in load_skins()}


def _drawn(seed: int, board: Board, state: GameState, left: int) -> Window:
    """Return a window with a sunken board and a panel with a counter, in a style of drawn art."""
    style = random_style(np.random.default_rng(seed))
    cells = draw_art(style, board.states, float(style.native))
    height, width = cells.shape[:2]
    x, y = 16, 66
    face = np.array(style.covered.face)
    ground = np.clip(0.6 * face + 0.4 * np.array(style.opened.face), 0, 255).astype(np.uint8)
    picture = np.empty((y + height + 16, x + width + 16, 3), np.uint8)
    picture[:] = ground
    light, dark = np.minimum(ground.astype(int) + 50, 255), np.maximum(ground.astype(int) - 60, 0)
    for top, bottom in ((10, 52), (y, y + height)):
        picture[top - 3 : bottom + 3, x - 3 : x + width + 3] = light
        picture[top - 3 : bottom, x - 3 : x + width] = dark
        picture[top:bottom, x : x + width] = ground
    counter = CounterLayout(False, 8, 19 - y, 13, 23, 14, 3, (60, 60, 255))
    draw_counter(picture, counter, x, y, x + width, left)
    picture[y : y + height, x : x + width] = cells
    return Window(picture, x, y, style.native, board, state)


def scaled(art: str, number: int, scale: float, how: str) -> TruePicture:
    """Return a window on a page or desktop, the whole picture scaled by a filter of `FILTERS`."""
    shown = window(art, number)
    high, wide = shown.pixels.shape[:2]
    native = np.empty((high + 2 * GAP, wide + 2 * GAP, 3), np.uint8)
    native[:] = GROUNDS[number % len(GROUNDS)]
    native[GAP : GAP + high, GAP : GAP + wide] = shown.pixels
    high, wide = native.shape[:2]
    size = round(wide * scale), round(high * scale)
    picture = np.asarray(cv2.resize(native, size, interpolation=FILTERS[how]), np.uint8)
    grid = _stretched(shown.grid.moved(GAP, GAP), size[0] / wide, size[1] / high)
    return TruePicture(picture, [TrueBoard(grid, shown.board.states, None, shown.state)])


def _stretched(grid: Grid, across: float, down: float) -> Grid:
    return Grid(
        grid.x * across, grid.y * down, grid.pitch_x * across, grid.pitch_y * down, grid.rows, grid.cols
    )


def page_of(art: str, number: int, numbers: Sequence[int], factor: float) -> TruePicture:
    """Return the window with the position ``number`` as Chromium shows it at a device scale factor.

    ``numbers`` are all positions that are wanted so: those of a page are shown together.
    """
    return _screenshots(art, tuple(numbers), factor)[number]


@cache
def _screenshots(art: str, numbers: tuple[int, ...], factor: float) -> dict[int, TruePicture]:
    """Return the pictures of all positions, from as few pages as a screenshot's height allows."""
    _screenshots.cache_clear()  # the pages of the last art and factor are not needed again
    pictures: dict[int, TruePicture] = {}
    page: list[tuple[int, Window]] = []
    height = 0
    for number in numbers:
        shown = window(art, number)
        tall = shown.pixels.shape[0] + GAP
        if page and (height + tall + GAP) * factor > _TALLEST:
            pictures |= _cut_apart(page, factor)
            page, height = [], 0
        page.append((number, shown))
        height += tall
    return pictures | _cut_apart(page, factor)


def _cut_apart(page: Sequence[tuple[int, Window]], factor: float) -> dict[int, TruePicture]:
    """Return what Chromium shows of windows one under the other, each cut out with half of the gap around."""
    parts, top = [], GAP
    for _, shown in page:
        parts.append((shown, top))
        top += shown.pixels.shape[0] + GAP
    wide = max(shown.pixels.shape[1] for shown, _ in parts) + 2 * GAP
    ground = GROUNDS[page[0][0] % len(GROUNDS)]
    screenshot = _screenshot(parts, ground, wide, top, factor)
    pictures = {}
    for number, (shown, y) in zip((number for number, _ in page), parts, strict=True):
        high, right = shown.pixels.shape[0], GAP + shown.pixels.shape[1] + GAP
        first, last = round((y - GAP // 2) * factor), round((y + high + GAP // 2) * factor)
        picture = np.ascontiguousarray(screenshot[first:last, : round(right * factor)])
        grid = _stretched(shown.grid.moved(GAP, y), factor, factor).moved(0, -first)
        pictures[number] = TruePicture(picture, [TrueBoard(grid, shown.board.states, None, shown.state)])
    return pictures


def _screenshot(
    parts: Sequence[tuple[Window, int]], ground: tuple[int, int, int], wide: int, tall: int, factor: float
) -> Pixels:
    """Return a page of windows, whose cells are images or backgrounds of elements, as Chromium paints it."""
    program = find_program("chromium", "chromium")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        blue, green, red = ground
        elements = [
            element for index, (shown, y) in enumerate(parts) for element in _elements(home, shown, y, index)
        ]
        (home / "page.html").write_text(
            "<!DOCTYPE html><meta charset=utf-8><title>Boards</title><style>"
            f"body {{ margin: 0; overflow: hidden; background: rgb({red} {green} {blue}) }}"
            "img, i { position: absolute; display: block; background-size: 100% 100% }"
            f"</style><body>{''.join(elements)}",
            encoding="utf-8",
        )
        command = [
            program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--no-first-run", "--disable-background-networking", "--disable-component-update",
            "--disable-sync", "--disable-extensions", "--hide-scrollbars",
            f"--force-device-scale-factor={factor}", f"--window-size={wide},{tall + 200}",
            f"--user-data-dir={home / 'profile'}", f"--screenshot={home / 'page.png'}",
            (home / "page.html").as_uri(),
        ]  # fmt: skip
        environment = {**os.environ, "HOME": folder, "XDG_CONFIG_HOME": folder, "XDG_CACHE_HOME": folder}
        subprocess.run(command, env=environment, check=True, capture_output=True, timeout=300)
        return load_picture(home / "page.png")


def _elements(home: Path, shown: Window, top: int, index: int) -> list[str]:
    """Return the elements of a window, and write their pictures; of every other window cells are images."""
    bare = shown.pixels.copy()
    cell, states = shown.cell, shown.board.states
    elements = []
    for state in np.unique(states).tolist():
        places = np.argwhere(states == state)
        row, col = (int(value) for value in places[0])
        y, x = shown.y + row * cell, shown.x + col * cell
        name = f"{index}-{state}.png"
        cv2.imwrite(str(home / name), shown.pixels[y : y + cell, x : x + cell])
        for row, col in places.tolist():
            place = (GAP + shown.x + col * cell, top + shown.y + row * cell, cell, cell)
            elements.append(_element(name, place, image=index % 2 == 0))
    bare[shown.y : shown.y + cell * len(states), shown.x : shown.x + cell * states.shape[1]] = 128
    cv2.imwrite(str(home / f"{index}.png"), bare)
    high, wide = bare.shape[:2]
    return [_element(f"{index}.png", (GAP, top, wide, high), image=True), *elements]


def _element(name: str, place: tuple[int, int, int, int], *, image: bool) -> str:
    left, top, wide, high = place
    style = f"left:{left}px;top:{top}px;width:{wide}px;height:{high}px"
    return (
        f'<img src={name} style="{style}">'
        if image
        else f'<i style="{style};background-image:url({name})"></i>'
    )
