"""Small boards with few opened cells in the simple looks of small programs, drawn from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from ortools.sat.python import cp_model
from PIL import Image, ImageDraw, ImageFont

from art.fonts import font_files
from bench.measured import TrueBoard, TruePicture
from bot.board import Board, Cell, FirstClick, State, contradictions
from bot.game.simulation import Game
from bot.geometry import Grid, Pixels
from bot.vision import GameState

Colour = tuple[int, int, int]  # BGR

FEWEST, MOST = 3, 20  # opened cells
SIZES = range(4, 9)
CELLS = (20, 110)  # the smallest and the largest side of a cell, in pixels
INKS: Sequence[Colour] = (
    (255, 0, 0), (0, 128, 0), (0, 0, 255), (128, 0, 0), (0, 0, 128), (128, 128, 0), (0, 0, 0),
    (128, 128, 128),
)  # fmt: skip
FONTS = (
    "DejaVuSans", "DejaVuSans-Bold", "DejaVuSansMono-Bold", "LiberationSans-Regular", "LiberationSans-Bold",
    "LiberationMono-Bold", "FreeSans", "FreeSansBold", "Roboto-Regular", "Roboto-Bold", "OpenSans-Regular",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Look:
    """How a small program draws cells.

    ``opened_as`` is "white", "pale" or "dark", ``edges`` is "lines", "gaps" or "raised" (covered cells),
    ``mark`` is "letter" or "flag"; ``tints`` are the grounds of 1 to 8 if each has one of its own; ``font``
    is the stem of a font file, "" for the letters of OpenCV; ``size`` is the height of digits in cells.
    """

    covered: Colour
    opened: Colour
    opened_as: str
    behind: Colour
    edges: str
    width: int
    mark: str
    mark_ink: Colour
    inks: Sequence[Colour]
    tints: Sequence[Colour] | None
    font: str
    size: float


@dataclass(frozen=True, slots=True)
class SmallBoard:
    """A drawn board, its look, the position, and its total of mines if a counter shows how many are left."""

    picture: TruePicture
    look: Look
    board: Board

    @property
    def exchangeable(self) -> bool:
        """Whether the rules allow the board with covered and blank cells exchanged."""
        return legal(exchanged(self.board))

    @property
    def ambiguous(self) -> bool:
        """Whether that looks no less plausible, either: nothing in the picture tells which cells are opened.

        What does: a raised edge, a number on the ground of blank cells, a mark on the ground of covered ones.
        """
        if self.look.edges == "raised" or self.board.count(State.FLAG):
            return False
        if self.look.tints is None and self.board.count(*range(1, 9)):
            return False
        return self.exchangeable


def exchanged(board: Board) -> Board:
    """Return the board with covered and blank cells exchanged."""
    covered = dict.fromkeys(board.cells(State.COVERED), 0)
    return board.replace({**dict.fromkeys(board.cells(0), int(State.COVERED)), **covered})


def legal(board: Board) -> bool:
    """Return whether a game can look so: mines fit all numbers, and no zero has a covered neighbour."""
    if contradictions(board.states).any():
        return False
    model = cp_model.CpModel()
    mine = {cell: model.new_bool_var(str(cell)) for cell in board.cells(State.COVERED, State.FLAG)}
    for cell, number in board.numbers():
        model.add(sum(mine[near] for near in board.neighbours(cell) if near in mine) == number)
    if board.mines is not None:
        model.add(sum(mine.values()) == board.mines)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    return solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE)


def small_board(seed: int) -> SmallBoard:
    """Return the board of a seed."""
    rng = np.random.default_rng(seed)
    look = _look(rng)
    board = _position(rng)
    side = round(float(np.exp(rng.uniform(*np.log(CELLS)))))
    surround = str(rng.choice(["nothing", "nothing", "title", "counter"]))
    labelled = bool(rng.random() < 0.25)
    picture, x, y = _drawn(rng, look, board, side, surround, labelled)
    grid = Grid(x, y, side, side, *board.shape)
    tags = {
        "opened": look.opened_as,
        "edges": look.edges,
        "mark": look.mark,
        "numbers": "plain" if look.tints is None else "tinted",
        "cell": f"{'up to 40' if side <= 40 else 'over 40'} px",
        "around": surround + (", labels" if labelled else ""),
    }
    truth = TruePicture(picture, [TrueBoard(grid, board.states, None, GameState.RUNNING)], tags)
    known = board.mines if surround == "counter" else None
    return SmallBoard(truth, look, Board(board.states, known))


def _position(rng: np.random.Generator) -> Board:
    """Return a running game with few opened cells and, on some, flags on mines."""
    while True:
        rows, cols = (int(value) for value in rng.choice(SIZES, 2))
        mines = max(2, round(float(rng.uniform(0.12, 0.25)) * rows * cols))
        rule = FirstClick.OPENING if rng.random() < 0.7 else FirstClick.SAFE
        game = Game(rows, cols, mines, int(rng.integers(1 << 31)), rule)
        wanted = int(rng.integers(FEWEST, MOST + 1))
        cells = [Cell(*divmod(int(index), cols)) for index in rng.permutation(rows * cols)]
        for cell in cells:
            if cell not in (game.mines or ()) and game.board.count(*range(9)) < wanted:
                game.open(cell)
        beside = [cell for cell in cells if cell in (game.mines or ()) and _touched(game.board, cell)]
        for cell in beside[: int(rng.integers(1, 5)) if rng.random() < 0.4 else 0]:
            game.flag(cell)
        if not game.over and FEWEST <= game.board.count(*range(9)) <= MOST:
            return game.board


def _touched(board: Board, cell: Cell) -> bool:
    return any(board[near] <= 8 for near in board.neighbours(cell))


def _look(rng: np.random.Generator) -> Look:
    opened_as = str(rng.choice(["white", "pale", "dark"], p=[0.4, 0.4, 0.2]))
    opened = _opened(rng, opened_as)
    covered = _covered(rng, opened)
    edges = str(rng.choice(["lines", "gaps", "raised"], p=[0.5, 0.35, 0.15]))
    dark = opened_as == "dark"
    black = rng.random() < 0.5
    step = -70 if sum(opened) > 360 else 60
    behind = (40, 40, 40) if black and not dark else _shifted(opened, step)
    inks: Sequence[Colour] = INKS if rng.random() < 0.7 else [(230, 230, 230) if dark else (20, 20, 20)] * 8
    tints = None
    if rng.random() < 0.12:
        tints = _tints(rng, dark)
        inks = [(240, 240, 240) if dark else (20, 20, 20)] * 8
    elif dark:
        inks = [_shifted(ink, 110) for ink in inks]
    return Look(
        covered, opened, opened_as, behind, edges, int(rng.integers(1, 4)),
        str(rng.choice(["letter", "flag"])), _readable(rng, covered), inks, tints,
        str(rng.choice(FONTS)) if rng.random() < 0.75 else "", float(rng.uniform(0.4, 0.65)),
    )  # fmt: skip


def _opened(rng: np.random.Generator, kind: str) -> Colour:
    if kind == "white":
        return 255, 255, 255
    base = int(rng.integers(215, 240)) if kind == "pale" else int(rng.integers(20, 60))
    blue, green, red = (int(value) for value in base + rng.integers(-10, 11, 3))
    return blue, green, red


def _covered(rng: np.random.Generator, opened: Colour) -> Colour:
    """Return a grey or a colour that is apart from that of opened cells."""
    while True:
        if rng.random() < 0.55:
            blue = green = red = int(rng.integers(70, 215))
        else:
            blue, green, red = (int(value) for value in rng.integers(40, 230, 3))
        if max(abs(blue - opened[0]), abs(green - opened[1]), abs(red - opened[2])) >= 35:
            return blue, green, red


def _readable(rng: np.random.Generator, ground: Colour) -> Colour:
    inks = [(0, 0, 220), (0, 0, 150), (0, 0, 0), (255, 255, 255), (0, 200, 255)]
    apart = [ink for ink in inks if sum(abs(a - b) for a, b in zip(ink, ground, strict=True)) > 220]
    return apart[int(rng.integers(len(apart)))]


def _tints(rng: np.random.Generator, dark: bool) -> list[Colour]:
    start, value = int(rng.integers(180)), 90 if dark else 245
    hues = [((start + 21 * number) % 180, 140 if dark else 70, value) for number in range(8)]
    colours = cv2.cvtColor(np.array([hues], np.uint8), cv2.COLOR_HSV2BGR)[0]
    return [(int(blue), int(green), int(red)) for blue, green, red in colours]


def _shifted(colour: Colour, by: int) -> Colour:
    blue, green, red = (min(255, max(0, part + by)) for part in colour)
    return blue, green, red


def _drawn(
    rng: np.random.Generator, look: Look, board: Board, side: int, surround: str, labelled: bool
) -> tuple[Pixels, int, int]:
    """Return the picture of a program, and x and y of its top left cell."""
    margin = int(rng.integers(6, 60))
    label = max(18, round(0.5 * side)) if labelled else 0
    head = max(30, round(0.7 * side)) if surround != "nothing" else 0
    x, y = margin + label, margin + head + label
    ground = [look.opened, (240, 240, 240), (255, 255, 255), (45, 42, 40)][int(rng.integers(4))]
    picture = np.empty((y + board.rows * side + margin, x + board.cols * side + margin, 3), np.uint8)
    picture[:] = ground
    ink = (20, 20, 20) if sum(ground) > 360 else (230, 230, 230)
    if surround == "title":
        _write(picture, look.font, "Minesweeper", 0.5 * head, picture.shape[1] / 2, margin + head / 2, ink)
    elif surround == "counter":
        text = str((board.mines or 0) - board.count(State.FLAG))
        words = text if rng.random() < 0.5 else f"Mines: {text}"
        _write(picture, look.font, words, 0.5 * head, picture.shape[1] / 2, margin + head / 2, ink)
    start = int(rng.integers(2))
    letters = rng.random() < 0.5
    for col in range(board.cols if labelled else 0):
        name = chr(65 + col) if letters else str(col + start)
        _write(picture, look.font, name, 0.5 * label, x + (col + 0.5) * side, y - label / 2, ink)
    for row in range(board.rows if labelled else 0):
        _write(picture, look.font, str(row + start), 0.5 * label, x - label / 2, y + (row + 0.5) * side, ink)
    for cell in board:
        top, left = y + cell.row * side, x + cell.col * side
        picture[top : top + side, left : left + side] = _cell(look, board[cell], side)
    if look.edges == "lines":
        low, far = y + board.rows * side, x + board.cols * side
        picture[low : low + look.width, x : far + look.width] = look.behind
        picture[y : low + look.width, far : far + look.width] = look.behind
    return picture, x, y


def _cell(look: Look, state: int, side: int) -> Pixels:
    covered = state > 8
    ground = look.covered if covered else look.opened
    if 1 <= state <= 8 and look.tints is not None:
        ground = look.tints[state - 1]
    cell = np.empty((side, side, 3), np.uint8)
    cell[:] = ground
    width = look.width
    if look.edges == "lines":
        cell[:width], cell[:, :width] = look.behind, look.behind
    elif look.edges == "gaps":
        before, after = (width + 1) // 2, width // 2 + 1
        cell[:before], cell[:, :before], cell[-after:], cell[:, -after:] = (look.behind,) * 4
    elif covered:
        edge = max(2, side // 10)
        for step in range(edge):
            end = side - 1 - step
            cell[end, step:], cell[step:, end] = (_shifted(ground, -60),) * 2
            cell[step, : end + 1], cell[: end + 1, step] = (_shifted(ground, 60),) * 2
    else:
        cell[0], cell[:, 0] = (_shifted(look.opened, -60 if look.opened_as != "dark" else 40),) * 2
    if 1 <= state <= 8:
        _write(cell, look.font, str(state), look.size * side, side / 2, side / 2, look.inks[state - 1])
    elif state == State.FLAG and look.mark == "letter":
        _write(cell, look.font, "F", look.size * side, side / 2, side / 2, look.mark_ink)
    elif state == State.FLAG:
        _flag(cell, look.mark_ink)
    return cell


def _flag(cell: Pixels, ink: Colour) -> None:
    side = len(cell)
    pole, top, low = round(0.42 * side), round(0.22 * side), round(0.78 * side)
    cloth = [(pole, top), (round(0.75 * side), round(0.36 * side)), (pole, round(0.5 * side))]
    cv2.line(cell, (pole, top), (pole, low), ink, max(1, side // 16), cv2.LINE_AA)
    cv2.fillPoly(cell, [np.array(cloth, np.int32)], ink, cv2.LINE_AA)


def _write(picture: Pixels, font: str, text: str, tall: float, x: float, y: float, ink: Colour) -> None:
    """Write text whose capitals are ``tall`` pixels high around the point (x, y)."""
    if font:
        image = Image.fromarray(picture)
        ImageDraw.Draw(image).text((x, y), text, fill=ink, font=_font(font, round(tall / 0.72)), anchor="mm")
        picture[:] = np.asarray(image)
        return
    thick = max(1, round(tall / 9))
    size = tall / 21  # pixels of a capital at size 1
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
    place = (round(x - wide / 2), round(y + high / 2))
    cv2.putText(picture, text, place, cv2.FONT_HERSHEY_SIMPLEX, size, ink, thick, cv2.LINE_AA)


@cache
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(font_files()[name]), size)
