"""Pictures of one board of which sides touch the picture's edge, or lie outside it or under a window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from PIL import Image, ImageDraw

from bot.board import Board, State, States
from bot.geometry import Grid
from bot.verdict import GameState
from bot.vision import Skin, load_skins
from bot.vision.reading import Side
from drawn_boards import draw_board, played
from heldout.canvas import BLACK, WHITE, Colour, Rng, against, between, chance, hsv, pick
from heldout.layouts import LAYOUTS, other_window, wallpaper
from heldout.looks import Theme
from heldout.panels import Box, Piece, paragraph
from heldout.screens import (
    NEW,
    OLD,
    STATES,
    changed,
    dealt,
    drawn,
    edgeless,
    hidden_cells,
    play,
    some_size,
    surrounded,
)
from true_pictures import Mask, TrueBoard, TruePicture

SITUATIONS = (
    "whole in a window", "touching one edge", "touching two edges", "touching all edges",
    "cut at one side", "cut at two sides", "covered at one side", "covered at two sides",
)  # fmt: skip
SIDE_TAGS = ("situation", "place", "source")
_SOURCES = ("new",) * 5 + ("old",) * 3 + ("skin",) * 2
_PLACES = ("inside a cell", "inside a cell", "at a border", "just past a border")  # of what cuts a board
_CHANGES = ("none",) * 14 + ("scaled", "scaled", "scaled", "jpeg", "tint", "blur")
_SLICE, _REST = (1.5, 0.12), (3.0, 0.2)  # pixels, and shares of a cell


@dataclass(frozen=True, slots=True, eq=False)
class _Game:
    piece: Piece
    theme: Theme
    grid: Grid  # from the corner of the board
    margins: Sequence[Colour]  # colours that differ from its cells
    states: States
    state: GameState | None = None
    mines: Mask | None = None


def sides_scene(seed: int) -> TruePicture:
    """Return the picture of ``seed`` with one board, and of each of its sides what can be seen.

    The grid is that of the whole board, beyond the picture too. A side is "open" if the last cell in view
    lacks only a slice, or of the next cell no more than a slice shows: by the pixels nobody could tell then
    whether the board goes on. What the counter tells is not considered. A whole board that touches the edge
    of the picture "ends" there.
    """
    rng = np.random.default_rng((20261129, seed))
    situation, place = dealt(seed, SITUATIONS, 21), dealt(seed // len(SITUATIONS), _PLACES, 22)
    source, change = dealt(seed, _SOURCES, 23), dealt(seed, _CHANGES, 24)
    game = _from_skin(rng, seed) if source == "skin" else _from_style(rng, seed, source, situation)
    piece = game.piece
    if situation != "touching all edges":
        layout = pick(rng, ("window", "window", "desktop", "page"))
        piece = LAYOUTS[layout](rng, piece, game.theme, 1800, 1000)
    count = {"one": 1, "two": 2, "all": 4}.get(situation.split()[-2], 0)
    sides = [list(Side)[at] for at in rng.permutation(4)[:count].tolist()]
    lost = dict.fromkeys(Side, 0.0)  # pixels of the board that are out of sight
    for side in sides:
        if "touching" in situation:
            piece = _cropped(piece, side, 0)
            if game.margins and chance(rng, 0.5):
                piece = _beside(piece, side, int(rng.integers(1, 13)), pick(rng, game.margins))
            continue
        out = _out(rng, game.grid, side, place)
        if "cut" in situation:
            piece = _cropped(piece, side, out)
            lost[side] = out
        else:
            part = chance(rng, 0.25)
            piece = _covered(rng, piece, side, out, part)
            lost[side] = 0 if part else out
    factor = between(rng, 1.1, 2) if change == "scaled" else 1.0
    pixels, _ = changed(rng, np.asarray(piece.image), change, factor)
    truth = _truth(game, piece, lost, (pixels.shape[1], pixels.shape[0]))
    tags = {"situation": situation, "place": place if any(lost.values()) else "-", "source": source}
    return TruePicture(np.ascontiguousarray(pixels[:, :, ::-1]), (truth,), tags)


def _from_style(rng: Rng, seed: int, source: str, situation: str) -> _Game:
    of = NEW if source == "new" else OLD
    style, state = dealt(seed, tuple(of.styles), 25), dealt(seed, STATES, 26)
    rows, cols = (max(8, side) for side in some_size(rng, pick(rng, ("standard", "any"))))
    goal = min(float(np.exp(between(rng, np.log(14), np.log(52)))), 1400 / cols, 800 / rows)
    cell = max(of.least.get(style, 12), round(goal))
    look = of.styles[style](rng, cell)
    if "no lines" in look.tags and state == "new":
        state = "running"
    pitch = (float(round(cell * look.aspect)), float(cell))
    position = play(rng, rows, cols, state, look.states)
    told = situation == "whole in a window" or chance(rng, 0.4)
    layout = "cut" if situation == "touching all edges" else "window"
    board = drawn(rng, look, position, pitch)
    piece = surrounded(rng, board, look, position, told, layout, edgeless(look))
    margins = [c for c in (look.theme.page, look.theme.panel, WHITE, BLACK) if not edgeless(look, c)]
    shift = look.gap // 2 - look.gap / 2
    grid = Grid(shift, shift, *pitch, rows, cols)
    return _Game(piece, look.theme, grid, margins, position.states, GameState(position.state), position.mines)


@cache
def _skins() -> Sequence[Skin]:
    return [skin for skin in load_skins() if skin.cell >= 12]


def _from_skin(rng: Rng, seed: int) -> _Game:
    skin = _skins()[dealt(seed // 10, range(len(_skins())), 27)]
    rows, cols = pick(rng, ((9, 9), (16, 16), (16, 30), (10, 14), (20, 24)))
    board: Board = played(rows, cols, seed, between(rng, 0.1, 0.95), lost=chance(rng, 0.15))
    left = None if board.mines is None else board.mines - board.count(State.FLAG, State.WRONG_FLAG)
    pixels, x, y = draw_board(skin, board, left)
    image = Image.fromarray(np.ascontiguousarray(pixels[:, :, ::-1]))
    piece = Piece(image, ((x, y, x + cols * skin.cell, y + rows * skin.cell),))
    grey = skin.ground or BLACK
    theme = Theme(page=grey, panel=grey, ink=against(BLACK, grey, ratio=4))
    return _Game(piece, theme, Grid(0, 0, skin.cell, skin.cell, rows, cols), (WHITE,), board.states)


# Edges


def _along(grid: Grid, side: Side) -> tuple[float, int]:
    """Return the pitch across a side, and how many cells there are."""
    return (grid.pitch_x, grid.cols) if side in (Side.LEFT, Side.RIGHT) else (grid.pitch_y, grid.rows)


def _out(rng: Rng, grid: Grid, side: Side, place: str) -> int:
    """Return how many pixels of a board are out of sight at a side."""
    pitch, count = _along(grid, side)
    whole = int(rng.integers(1, max(2, count // 3)))
    share = {
        "inside a cell": between(rng, 0.2, 0.8) * pitch,
        "at a border": 0,
        "just past a border": pitch - int(rng.integers(1, 6)),
    }[place]
    if place == "inside a cell" and chance(rng, 0.4):
        whole = 0
    elif place == "just past a border":
        whole -= 1
    return max(1, round(whole * pitch + share))


def _cropped(piece: Piece, side: Side, out: int) -> Piece:
    """Return the piece up to a side of its board, less ``out`` pixels."""
    x0, y0, x1, y1 = piece.boards[0]
    width, height = piece.image.size
    left, right = (x0 + out if side is Side.LEFT else 0), (x1 - out if side is Side.RIGHT else width)
    top, bottom = (y0 + out if side is Side.TOP else 0), (y1 - out if side is Side.BOTTOM else height)
    return piece.cropped((left, top, right, bottom))


def _beside(piece: Piece, side: Side, margin: int, colour: Colour) -> Piece:
    left, top, right, bottom = (
        margin * (side is at) for at in (Side.LEFT, Side.TOP, Side.RIGHT, Side.BOTTOM)
    )
    return piece.padded(left, top, right, bottom, colour)


def _covered(rng: Rng, piece: Piece, side: Side, out: int, part: bool) -> Piece:
    """Return the piece with a window over ``out`` pixels at a side, or over a ``part`` of its length."""
    x0, y0, x1, y1 = piece.boards[0]
    across = side in (Side.LEFT, Side.RIGHT)
    start, end = (y0, y1) if across else (x0, x1)
    low, high = start - int(rng.integers(4, 160)), end + int(rng.integers(4, 160))
    if part:
        middle = round(start + (end - start) * between(rng, 0.35, 0.65))
        low, high = (low, middle) if chance(rng, 0.5) else (middle, high)
    depth = out + int(rng.integers(8, 300))
    box = {
        Side.LEFT: (x0 + out - depth, low, x0 + out, high),
        Side.RIGHT: (x1 - out, low, x1 - out + depth, high),
        Side.TOP: (low, y0 + out - depth, high, y0 + out),
        Side.BOTTOM: (low, y1 - out, high, y1 - out + depth),
    }[side]
    image = piece.image.copy()
    image.paste(_front(rng, box[2] - box[0], box[3] - box[1]), box[:2])
    return replace(piece, image=image, hiding=(*piece.hiding, box))


def _front(rng: Rng, width: int, height: int) -> Image.Image:
    """Return a window without anything like a board: plain, a console, a photo or another program."""
    kind = pick(rng, ("plain", "console", "photo", "program"))
    if kind == "program":
        return other_window(rng, (width, height))
    if kind == "photo":
        image = wallpaper(rng, width, height, pick(rng, ("hills", "blots", "gradient")))
    else:
        paper = (
            hsv(rng.random(), between(rng, 0, 0.5), between(rng, 0.2, 1))
            if kind == "plain"
            else pick(rng, (BLACK, WHITE))
        )
        image = Image.new("RGB", (width, height), paper)
        if kind == "console":
            ink = against((190, 190, 190), paper, ratio=5)
            paragraph(ImageDraw.Draw(image), rng, (4, 2, width - 4, height - 2), "mononoki", 13, ink)
    if chance(rng, 0.5):
        ImageDraw.Draw(image).rectangle(
            (0, 0, width - 1, height - 1), outline=pick(rng, (BLACK, WHITE, (120, 120, 120)))
        )
    return image


# Truth


def seen(out: float, pitch: float) -> str:
    """Return what can be told of a side of which ``out`` pixels are out of sight."""
    if out <= 0:
        return "ends"
    missing = out % pitch
    slim, rest = (max(pixels, share * pitch) for pixels, share in (_SLICE, _REST))
    return "open" if missing < slim or pitch - missing < rest else "cut"


def _truth(game: _Game, piece: Piece, lost: Mapping[Side, float], size: tuple[int, int]) -> TrueBoard:
    (x0, y0, _, _), (width, height) = piece.boards[0], piece.image.size
    grid = replace(game.grid, x=game.grid.x + x0, y=game.grid.y + y0)
    far = 10**6
    outside: tuple[Box, ...] = (
        (-far, -far, 0, far),
        (width, -far, far, far),
        (-far, -far, far, 0),
        (-far, height, far, far),
    )
    hidden = hidden_cells(grid, (*piece.hiding, *outside))
    fx, fy = size[0] / width, size[1] / height
    sides = {side: seen(lost[side], _along(grid, side)[0]) for side in Side}
    scaled = Grid(grid.x * fx, grid.y * fy, grid.pitch_x * fx, grid.pitch_y * fy, grid.rows, grid.cols)
    return TrueBoard(scaled, game.states, hidden, game.state, game.mines, sides)
