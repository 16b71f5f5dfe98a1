"""Whole screens: a board of some style in some layout, changed as real screens change pictures.

`scene` and `new_scene` make the picture of a seed, in two sets of styles. Sizes, states, styles, layouts and
changes are dealt like cards, so that any thousand seeds in a row hold nearly the same share of each.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import cv2
import numpy as np
from PIL import Image, ImageDraw

from bot.board import Board, Cell, FirstClick, State, States, cells_where, neighbours
from bot.game.simulation import Game
from bot.geometry import Grid
from bot.verdict import GameState
from heldout.canvas import BLACK, BOLD, WHITE, Colour, Rgb, Rng, between, chance, font, mixed, pick
from heldout.layouts import LAYOUTS, beside
from heldout.looks import Look
from heldout.marks import both
from heldout.new_styles import NEW_LEAST_CELLS, NEW_STYLES
from heldout.panels import Box, Piece, Status, framed, labelled, moved, panelled
from heldout.styles import LEAST_CELLS, STYLES, Style
from picture_changes import gif, level
from true_pictures import Mask, TrueBoard, TruePicture

T = TypeVar("T")
TAGS = ("style", "layout", "size", "game")

STANDARD = ((8, 8), (9, 9), (16, 16), (16, 30))
SIZES = ("standard", "small", "any")  # the classes of sizes, a third of the boards each
_SMALL, _MOST_ROWS, _MOST_COLS = 8, 24, 30
_WIDTH, _HEIGHT = 2600, 1500  # pixels of the largest picture
_LEAST, _MOST = 12, 110  # pixels of a cell on the picture
STATES = ("new",) * 6 + ("running",) * 30 + ("won",) * 7 + ("lost",) * 7
_LAYOUTS = ("cut",) * 3 + ("window",) * 5 + ("desktop",) * 4 + ("page",) * 5 + ("phone",) * 3
_CHANGES = ("none",) * 20 + (
    "scaled", "scaled", "scaled", "scaled", "uneven", "uneven", "tint", "night light", "inverted", "palette",
    "jpeg", "jpeg", "blur", "pointer", "pointer", "hover", "highlight", "highlight",
    "scaled jpeg", "scaled pointer",
)  # fmt: skip


_NEW_CHANGES = ("none",) * 14 + (
    "scaled", "scaled", "scaled", "shrunk", "shrunk", "uneven", "uneven", "tint", "night light", "inverted",
    "dither", "dither", "dither", "faint", "faint", "blur", "blur", "jpeg", "jpeg", "palette", "pointer",
    "pointer", "hover", "highlight", "ring", "ring", "hints", "hints", "pressed", "words", "words",
    "words faint", "scaled jpeg", "scaled dither", "faint jpeg", "shrunk blur",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class StyleSet:
    """Styles, the least sizes of their cells, what is done to pictures, and where the chance starts."""

    start: int
    styles: Mapping[str, Style]
    least: Mapping[str, int]
    changes: Sequence[str]


OLD = StyleSet(20261122, STYLES, LEAST_CELLS, _CHANGES)
NEW = StyleSet(20261128, NEW_STYLES, NEW_LEAST_CELLS, _NEW_CHANGES)


def dealt(seed: int, cards: Sequence[T], salt: int) -> T:
    """Return the card of a seed: every ``len(cards)`` seeds in a row get each card once."""
    order = np.random.default_rng((salt, seed // len(cards))).permutation(len(cards))
    return cards[int(order[seed % len(cards)])]


def scene(seed: int) -> TruePicture:
    """Return the picture of ``seed`` (0 or more) and the truth about its boards, the main one first.

    Its tags are those of `TAGS`, and "yes" for what else is in it or was done to it. Raises MissingFontsError
    without the fonts.
    """
    return _scene(seed, OLD)


def new_scene(seed: int) -> TruePicture:
    """Return the picture of ``seed`` in the second set of styles, otherwise as `scene`."""
    return _scene(seed, NEW)


def _scene(seed: int, of: StyleSet) -> TruePicture:
    rng = np.random.default_rng((of.start, seed))
    size, state, change = dealt(seed, SIZES, 1), dealt(seed, STATES, 2), dealt(seed, of.changes, 3)
    style, layout = dealt(seed, tuple(of.styles), 4), dealt(seed, _LAYOUTS, 5)
    rows, cols = some_size(rng, size)
    tags: list[str] = []
    factor = between(rng, 1.1, 2.5) if "scaled" in change else 1.0
    least = of.least.get(style, _LEAST)
    twice = chance(rng, 0.04) and rows * cols <= 256
    most = _largest_cell(*((2 * rows, 2 * cols) if twice else (rows, cols)), layout) / factor
    goal = float(np.exp(between(rng, np.log(_LEAST), np.log(_MOST)))) / factor
    if "shrunk" in change:
        factor = between(rng, 0.6, 0.9)
        goal = between(rng, max(10, least * factor), 36) / factor
    elif least < _LEAST and chance(rng, 0.5):
        goal = between(rng, least, _LEAST)
    cell = round(max(least, min(goal, most, 80 if rows * cols < 100 else 64)))
    look = of.styles[style](rng, cell)
    if "no lines" in look.tags and state == "new":
        state = "running"  # nobody could count the cells
    if look.aspect > 1 and look.aspect * cell > 1.2 * most:
        look = replace(look, aspect=1.0)
    if look.aspect == 1.0 and chance(rng, 0.03):
        look = replace(look, aspect=between(rng, 1.08, 1.35))
    pitch = (cell * look.aspect, float(cell)) if change == "uneven" else (round(cell * look.aspect), cell)
    if change == "uneven":
        zoom = between(rng, 0.92, 1.15)
        pitch = (max(least, pitch[0] * zoom), max(least, pitch[1] * zoom))
    pitch = (float(pitch[0]), float(pitch[1]))
    twice = twice and "no lines" not in look.tags
    tags += [tag for tag, is_so in (("oblong cells", look.aspect != 1), ("two boards", twice)) if is_so]
    tags += ["tiny cells"] if min(pitch) * factor < _LEAST else []

    position = play(rng, rows, cols, state, look.states)
    board = drawn(rng, look, position, pitch)
    over: Sequence[Box] = ()
    if change in ("hover", "highlight"):
        _marked(rng, board, position, pitch, change)
    elif change in ("ring", "hints", "pressed"):
        _noted(rng, board, position, pitch, look, change)
    elif "words" in change:
        board, *over = _worded(rng, board, position)
    theme = look.theme
    told = min(rows, cols) < 8 and state == "new"
    piece = surrounded(rng, board, look, position, told, layout, of is NEW and edgeless(look))
    positions = [position]
    if twice:
        other = play(rng, rows, cols, pick(rng, ("new", "running", "running")), look.states)
        second = _alone(drawn(rng, look, other, pitch), look)
        piece = beside(rng, piece, second, theme.page)
        positions.append(other)
    limits = (int(_WIDTH / factor), int(_HEIGHT / factor))
    piece = LAYOUTS[layout](rng, piece, theme, *limits).fitted(rng, *limits)
    hiding = [*piece.hiding, *moved(over, *piece.boards[0][:2])]
    pixels = np.asarray(piece.image)
    if "pointer" in change:
        pixels, place = _pointed(rng, pixels, piece.boards[0], pitch)
        hiding.append(place)
    pixels, names = changed(rng, pixels, change, factor)
    fx, fy = pixels.shape[1] / piece.image.width, pixels.shape[0] / piece.image.height
    truths = []
    for box, each in zip(piece.boards, positions, strict=True):
        shift = look.gap // 2 - look.gap / 2
        unscaled = Grid(box[0] + shift, box[1] + shift, *pitch, rows, cols)
        grid = Grid(unscaled.x * fx, unscaled.y * fy, pitch[0] * fx, pitch[1] * fy, rows, cols)
        hidden, game = hidden_cells(unscaled, hiding), GameState(each.state)
        truths.append(TrueBoard(grid, each.states, hidden, game, each.mines))
    tags += [*look.tags, *piece.tags, *names]
    bgr = np.ascontiguousarray(pixels[:, :, ::-1])
    named = dict(zip(TAGS, (style, layout, size, state), strict=True))
    return TruePicture(bgr, tuple(truths), dict.fromkeys(tags, "yes") | named)


def _largest_cell(rows: int, cols: int, layout: str) -> float:
    """Return how large cells may be so that a board and what is around it fit into a picture."""
    width, height = {"desktop": (2250, 1200), "page": (2100, 1200), "phone": (1400, 1250)}.get(
        layout, (2400, 1250)
    )
    return min(width / cols, height / rows, _MOST)


# Positions of real games: random mines, openings, flags, and how programs show the end


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """What a board shows, (rows, cols) of `State`, where its mines are, and its mine counter."""

    states: States
    mines: Mask
    state: str  # new, running, won or lost

    @property
    def counter(self) -> int:
        """The number of mines less the number of flags."""
        return int(self.mines.sum()) - int(np.isin(self.states, (State.FLAG, State.WRONG_FLAG)).sum())


def some_size(rng: Rng, kind: str) -> tuple[int, int]:
    """Return rows and columns of a class of sizes."""
    if kind == "standard":
        return pick(rng, STANDARD)
    if kind == "small":
        rows, cols = rng.integers(4, _SMALL + 1, 2)
        return int(rows), int(cols)
    return int(rng.integers(5, _MOST_ROWS + 1)), int(rng.integers(5, _MOST_COLS + 1))


def play(rng: Rng, rows: int, cols: int, state: str, shown: tuple[int, ...]) -> Position:
    """Return a position of a game of this state; ``shown`` are the states that the program marks."""
    while True:
        density = between(rng, 0.1, 0.21) if chance(rng, 0.85) else between(rng, 0.22, 0.36)
        mines = min(max(2, round(rows * cols * density)), rows * cols - 6)
        rule = pick(rng, (FirstClick.OPENING, FirstClick.OPENING, FirstClick.SAFE))
        game = Game(rows, cols, mines, int(rng.integers(2**31)), rule)
        first = Cell(int(rng.integers(rows)), int(rng.integers(cols)))
        game.open(first)
        hidden = np.zeros((rows, cols), np.bool_)
        for cell in game.mines or ():
            hidden[cell] = True
        if state == "new":
            return Position(Board.covered(rows, cols, mines).states, hidden, state)
        share = 1.0 if state == "won" else between(rng, 0.06, 0.97)
        _open(rng, game, share * (rows * cols - mines))
        if state == "won":
            return Position(_won(rng, game), hidden, state)
        board = game.board
        if game.over or board.count(*range(1, 9)) < 2 or board.count(State.COVERED) < 2:
            continue
        _flag(rng, game, hidden, questions=State.QUESTION in shown and chance(rng, 0.2))
        if state == "lost":
            _explode(rng, game)
            if not game.lost:
                continue
            return Position(_lost(rng, game, hidden, shown), hidden, state)
        return Position(game.board.states, hidden, state)


def _open(rng: Rng, game: Game, goal: float) -> None:
    """Open safe cells, most of them beside opened ones, until ``goal`` are open."""
    order = rng.permutation(game.rows * game.cols)
    waiting = [Cell(int(at) // game.cols, int(at) % game.cols) for at in order]
    waiting = [cell for cell in waiting if cell not in (game.mines or ())]
    while not game.over:
        board = game.board
        if board.count(*range(9)) >= goal:
            return
        waiting = [cell for cell in waiting if board[cell] == State.COVERED]
        near = [cell for cell in waiting if any(board[c] <= 8 for c in board.neighbours(cell))]
        game.open((near if near and chance(rng, 0.85) else waiting)[0])


def _flag(rng: Rng, game: Game, mines: Mask, *, questions: bool) -> None:
    """Put flags on some of the mines that can be known, rarely on a wrong cell, and question marks."""
    board, share = game.board, pick(rng, (0.0, 0.0, 0.3, 0.8, 1.0))
    frontier = [c for c in board.cells(State.COVERED) if any(board[n] <= 8 for n in board.neighbours(c))]
    for cell in frontier:
        if mines[cell] and chance(rng, share):
            game.flag(cell)
    wrong = [cell for cell in frontier if not mines[cell]]
    for cell in wrong[: int(rng.integers(1, 4))] if chance(rng, 0.2) else ():
        game.flag(cell)
    rest = game.board.cells(State.COVERED)
    for at in rng.permutation(len(rest))[: int(rng.integers(1, 5))] if questions else ():
        game.flag(rest[int(at)], question_marks=True)
        game.flag(rest[int(at)], question_marks=True)


def _explode(rng: Rng, game: Game) -> None:
    bad = [c for c in game.board.cells(State.COVERED, State.QUESTION) if c in (game.mines or ())]
    if bad:
        game.open(pick(rng, bad))


def _won(rng: Rng, game: Game) -> States:
    states = game.board.states.copy()
    flags = states == State.FLAG
    if chance(rng, 0.35):  # programs that leave the mines covered, and whatever flags the player set
        kept = rng.random(states.shape) < pick(rng, (0.0, 0.0, 0.5))
        states[flags & ~kept] = State.COVERED
    return states


def _lost(rng: Rng, game: Game, mines: Mask, shown: tuple[int, ...]) -> States:
    states = game.board.states.copy()
    if State.EXPLODED not in shown:
        states[states == State.EXPLODED] = State.MINE
    if State.WRONG_FLAG not in shown:
        states[states == State.WRONG_FLAG] = State.FLAG
    if chance(rng, 0.2):  # programs that show every mine, below flags too
        states[(states == State.FLAG) & mines] = State.MINE
    if chance(rng, 0.1):  # programs that open the whole board
        for cell in cells_where(np.isin(states, (State.COVERED, State.QUESTION)) & ~mines):
            states[cell] = sum(bool(mines[c]) for c in neighbours(*states.shape, cell))
    return states


# Boards


def _edges(count: int, pitch: float) -> list[int]:
    return [int(np.floor(at * pitch + 0.5)) for at in range(count + 1)]


def drawn(rng: Rng, look: Look, position: Position, pitch: tuple[float, float]) -> Rgb:
    """Return the picture of a board; cells are whole pixels wide, uneven where the pitch is not whole."""
    rows, cols = position.states.shape
    xs, ys = _edges(cols, pitch[0]), _edges(rows, pitch[1])
    board = np.zeros((ys[-1], xs[-1], 3), np.uint8)
    if look.ticked is not None and position.state in ("won", "lost"):
        look = replace(look, flag=both(look.flag, look.ticked))
    kept: dict[tuple[int, int, int, int, int], Rgb] = {}
    for row in range(rows):
        for col in range(cols):
            size = (xs[col + 1] - xs[col], ys[row + 1] - ys[row])
            key = (
                int(position.states[row, col]),
                *size,
                (row + col) % 2,
                (row * 5 + col * 3) % look.variants,
            )
            if key not in kept:
                kept[key] = look.cell(key[0], size, *key[3:])
            board[ys[row] : ys[row + 1], xs[col] : xs[col + 1]] = kept[key]
    return board if look.cover is None else look.cover(board, rng)


def _marked(rng: Rng, board: Rgb, position: Position, pitch: tuple[float, float], kind: str) -> None:
    """Lighten the cell below the mouse, or mark cells as a hint does: by an outline or a tinted ground."""
    covered = np.argwhere(position.states == State.COVERED)
    if not len(covered):
        covered = np.argwhere(position.states >= 0)
    rows, cols = position.states.shape
    xs, ys = _edges(cols, pitch[0]), _edges(rows, pitch[1])
    outline = chance(rng, 0.5)
    colour: Colour = pick(rng, ((255, 210, 0), (0, 200, 90), (255, 60, 160), (60, 140, 255)))
    for _ in range(1 if kind == "hover" else int(rng.integers(1, 5))):
        row, col = covered[int(rng.integers(len(covered)))].tolist()
        cell = board[ys[row] : ys[row + 1], xs[col] : xs[col + 1]]
        if kind == "hover":
            cell[:] = np.asarray(cell + (255.0 - cell) * 0.25, np.uint8)
        elif outline:
            wide = max(1, round(min(pitch) * 0.09))
            inside = cell[wide:-wide, wide:-wide].copy()
            cell[:] = colour
            cell[wide:-wide, wide:-wide] = inside
        else:
            cell[:] = np.asarray(cell * 0.6 + np.array(colour) * 0.4, np.uint8)


def _noted(
    rng: Rng, board: Rgb, position: Position, pitch: tuple[float, float], look: Look, kind: str
) -> None:
    """Draw the ring of a click, the coloured squares of a hint, or a covered cell that is pressed."""
    rows, cols = position.states.shape
    xs, ys = _edges(cols, pitch[0]), _edges(rows, pitch[1])
    grid, covered = Grid(0, 0, *pitch, rows, cols), position.states == State.COVERED
    cells = [Cell(int(row), int(col)) for row, col in np.argwhere(covered)]
    if kind == "ring":
        x, y = grid.centre(Cell(int(rng.integers(rows)), int(rng.integers(cols))))
        colour = pick(rng, ((255, 80, 80), (255, 255, 255), (90, 90, 90), (80, 180, 255)))
        wide = max(1, round(0.06 * min(pitch)))
        cv2.circle(
            board, (round(x), round(y)), round(between(rng, 0.4, 1.3) * min(pitch)), colour, wide, cv2.LINE_AA
        )
    elif kind == "hints":
        whole = chance(rng, 0.5)
        for at in rng.permutation(len(cells))[: int(rng.integers(3, 24))].tolist():
            row, col = cells[at]
            tint = np.array(pick(rng, ((40, 200, 80), (40, 200, 80), (230, 60, 60), (250, 190, 40))))
            far = 1.0 if whole else 0.32
            part = board[ys[row] : ys[row] + round(pitch[1] * far), xs[col] : xs[col] + round(pitch[0] * far)]
            part[:] = np.asarray(part * 0.65 + tint * 0.35, np.uint8) if whole else tint
    elif cells := [cell for cell in cells if sum(covered[c] for c in neighbours(rows, cols, cell)) > 1]:
        row, col = pick(rng, cells)  # it cannot be a blank: covered cells touch it
        size = (xs[col + 1] - xs[col], ys[row + 1] - ys[row])
        shown = look.cell(0, size, (row + col) % 2) if not look.zeros else look.cell(State.COVERED, size)
        board[ys[row] : ys[row + 1], xs[col] : xs[col + 1]] = np.asarray(
            shown * between(rng, 0.82, 0.96), np.uint8
        )


def _worded(rng: Rng, board: Rgb, position: Position) -> tuple[Rgb, Box]:
    """Lay words over a board; return the picture, and the box that they hide."""
    words = {
        "won": ("YOU WIN!", "Well done", "Congratulations!"),
        "lost": ("GAME OVER", "Game over!", "BOOM!", "You lost"),
    }
    text = pick(rng, words.get(position.state, ("Good luck!", "Level 2", "+100")))
    image, face = Image.fromarray(board), pick(rng, BOLD)
    width, height = image.size
    size = max(
        10.0, min(height * between(rng, 0.1, 0.22), width * 0.85 / font(face, 100.0).getlength(text) * 100)
    )
    draw, middle = ImageDraw.Draw(image, "RGBA"), (width / 2, height * between(rng, 0.3, 0.7))
    box = draw.textbbox(middle, text, font=font(face, round(size, 1)), anchor="mm")
    colour = pick(rng, ((255, 40, 40), (255, 230, 0), (40, 120, 255), (20, 160, 60)))
    x0, y0, x1, y1 = (round(side + pad) for side, pad in zip(box, (-4, -3, 4, 3), strict=True))
    if chance(rng, 0.5):
        draw.rectangle((x0, y0, x1, y1), (*pick(rng, (WHITE, BLACK)), pick(rng, (255, 190))))
    draw.text(middle, text, colour, font(face, round(size, 1)), "mm", stroke_width=1, stroke_fill=BLACK)
    return np.array(image), (x0, y0, x1, y1)


def _alone(board: Rgb, look: Look) -> Piece:
    """Return a board with nothing around it but the other half of a gap that cannot be halved."""
    piece = Piece(Image.fromarray(board), ((0, 0, board.shape[1], board.shape[0]),))
    return piece.padded(1, 1, 0, 0, look.ground) if look.gap % 2 else piece


def edgeless(look: Look, *colours: Colour) -> bool:
    """Return whether blank or covered cells look like what is around them, or like one of ``colours``."""
    near = colours or (look.theme.page, look.theme.panel)
    cells = [look.cell(state, (24, 24)).astype(np.int16) for state in (0, State.COVERED)]
    return any(int(np.abs(cell - colour).max()) < 20 for cell in cells for colour in near)


def surrounded(
    rng: Rng, board: Rgb, look: Look, position: Position, told: bool, layout: str, frame: bool = False
) -> Piece:
    """Return a board with its frame, labels and panel.

    ``told``: nobody could tell it is one without; ``frame``: nobody could tell where it ends without.
    """
    piece = _alone(board, look)
    theme = look.theme
    if layout != "cut" and chance(rng, 0.08):
        piece = labelled(rng, piece, theme, *position.states.shape)
    if (told or frame) and theme.frame == "none":
        theme = replace(theme, frame=pick(rng, ("bevel", "line", "thick")))
    if theme.frame != "none" and (told or frame or layout != "cut" or chance(rng, 0.4)):
        piece = framed(rng, piece, theme)
    if told or (chance(rng, 0.7) if layout != "cut" else chance(rng, 0.15)):
        margin = int(rng.integers(2, 14))
        if layout != "cut":
            piece = piece.padded(margin, margin, margin, margin, theme.panel)
        seconds = 0 if position.state == "new" else int(rng.integers(1, 999))
        piece = panelled(rng, piece, theme, Status(position.counter, seconds, position.state))
    return piece


def hidden_cells(grid: Grid, hiding: Sequence[Box]) -> Mask:
    """Return the cells of which at least a sixth, or a good part of the middle, lies below something."""
    hidden = np.zeros((grid.rows, grid.cols), np.bool_)
    for x0, y0, x1, y1 in hiding:
        for row in range(grid.rows):
            for col in range(grid.cols):
                left, top = grid.x + col * grid.pitch_x, grid.y + row * grid.pitch_y
                wide = min(x1, left + grid.pitch_x) - max(x0, left)
                high = min(y1, top + grid.pitch_y) - max(y0, top)
                if wide > 0 and high > 0 and wide * high > grid.pitch_x * grid.pitch_y / 6:
                    hidden[row, col] = True
    return hidden


# Changes


_ARROW = ((0, 0), (0, 16), (4, 12.5), (6.5, 18.5), (9, 17.5), (6.5, 11.5), (11.5, 11.5))
_HAND = ((5, 0), (7, 0), (8, 6), (14, 8), (15, 13), (13, 19), (6, 19), (0, 11), (2, 10), (5, 12))


def _pointed(rng: Rng, pixels: Rgb, board: Box, pitch: tuple[float, float]) -> tuple[Rgb, Box]:
    """Draw a mouse pointer over a board; return the picture and the box of most of the pointer."""
    size = pick(rng, (1, 1, 1.5, 2)) if min(pitch) > 20 else 1
    x = between(rng, board[0], board[2] - pitch[0] / 2)
    y = between(rng, board[1], board[3] - pitch[1] / 2)
    shape = np.array(pick(rng, (_ARROW, _ARROW, _HAND)), np.float64) * size
    white, black = pick(rng, ((255, 0), (255, 0), (0, 255)))
    image = pixels.copy()
    outline = np.round((shape + np.array((x, y))) * 16).astype(np.int32)
    cv2.fillPoly(image, [outline], (white,) * 3, cv2.LINE_AA, 4)
    cv2.polylines(image, [outline], True, (black,) * 3, 1, cv2.LINE_AA, 4)
    wide, high = shape.max(axis=0)
    return image, (int(x), int(y), int(x + wide * 0.8), int(y + high * 0.9))


def _scaled(rng: Rng, pixels: Rgb, factor: float) -> tuple[Rgb, str]:
    name, way = pick(
        rng,
        (
            ("nearest", Image.Resampling.NEAREST),
            ("bilinear", Image.Resampling.BILINEAR),
            ("bicubic", Image.Resampling.BICUBIC),
            ("area", Image.Resampling.BOX),
        ),
    )
    height, width = pixels.shape[:2]
    size = (round(width * factor), round(height * factor))
    return np.asarray(Image.fromarray(pixels).resize(size, way)), name


def _tinted(rng: Rng, pixels: Rgb) -> Rgb:
    colour = np.array(
        mixed(WHITE, pick(rng, ((255, 200, 200), (200, 220, 255), (210, 255, 210), (170, 170, 170))), 0.8)
    )
    return np.asarray(pixels * (colour / 255), np.uint8)


def _warmed(rng: Rng, pixels: Rgb) -> Rgb:
    strength = between(rng, 0.4, 1)
    return np.asarray(pixels * (1 - strength * np.array((0.0, 0.25, 0.5))), np.uint8)


def _inverted(rng: Rng, pixels: Rgb) -> Rgb:
    if chance(rng, 0.5):
        return np.asarray(255 - pixels, np.uint8)
    lab = cv2.cvtColor(pixels, cv2.COLOR_RGB2LAB)
    lab[:, :, 0] = 255 - np.asarray(lab[:, :, 0] * 0.92, np.uint8)
    return np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2RGB), np.uint8)


def _reduced(rng: Rng, pixels: Rgb) -> Rgb:
    image = Image.fromarray(pixels).quantize(
        pick(rng, (32, 64, 128, 256)), Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE
    )
    return np.asarray(image.convert("RGB"))


def _pressed(rng: Rng, pixels: Rgb) -> Rgb:
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", quality=int(rng.integers(60, 96)))
    return np.asarray(Image.open(file).convert("RGB"))


def _blurred(rng: Rng, pixels: Rgb) -> Rgb:
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), between(rng, 0.4, 0.8)), np.uint8)


def _dithered(rng: Rng, pixels: Rgb) -> Rgb:
    return gif(pixels, pick(rng, (12, 16, 32, 64)), dither=True)


def _paled(rng: Rng, pixels: Rgb) -> Rgb:
    gain = between(rng, 0.35, 0.6)
    return level(pixels, gain, between(rng, 0, 255 * (1 - gain)))


_SIMPLE: dict[str, Callable[[Rng, Rgb], Rgb]] = {
    "tint": _tinted,
    "night light": _warmed,
    "inverted": _inverted,
    "palette": _reduced,
    "jpeg": _pressed,
    "blur": _blurred,
    "dither": _dithered,
    "faint": _paled,
}


_SHOWN = ("uneven", "pointer", "hover", "highlight", "ring", "hints", "pressed", "words")


def changed(rng: Rng, pixels: Rgb, change: str, factor: float) -> tuple[Rgb, list[str]]:
    """Return the picture after what a screen or a file does to it, and tags for that."""
    names = []
    if factor != 1:
        pixels, way = _scaled(rng, pixels, factor)
        names += ["scaled", f"scaled {way}"]
    for name, apply in _SIMPLE.items():
        if name in change:
            pixels = apply(rng, pixels)
            names.append(name)
    names += [name for name in _SHOWN if name in change]
    return pixels, names or ["unchanged"]
