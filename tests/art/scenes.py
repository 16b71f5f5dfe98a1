"""Scenes: boards in any look among what surrounds them on screens, and samples to train the reader with.

A sample is a window of a lattice laid over a scene, mostly where a board's cells are, sometimes shifted, too
coarse, too fine or over something else; its labels say what each lattice cell shows, or that it is no cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from art.boards import damaged, draw_board, random_states
from art.fonts import Lettering, letter, random_font
from art.ink import Generator, Outline, apart, random_colour
from art.looks import random_look
from art.rare import DAMAGES, LAID_OVER, console, pressed, rare_look, strips
from art.styles import Style
from art.surroundings import axis_labels, fill, frame, panel, rows_of_things, scatter
from art.things import THINGS
from bot.board import State, States
from bot.geometry import Grid, Pixels
from bot.vision.networks import NO_CELL, cut_cells

UNSURE = -1  # a lattice cell of which nobody could say what it is; not to be learned
WINDOW = 10  # rows and columns of a sample

_NEAR, _FAR = 0.11, 0.24  # of a cell: as near is a lattice cell the board's, as far is it none
_SAME_PITCH, _OTHER_PITCH = 0.06, 0.1  # likewise, relative difference of the cells' sizes
_WHOLE, _PART = 0.94, 0.6  # of a cell that lies in the picture: it is whole, it is none
_SMALLEST, _LARGEST = 8.0, 115.0  # pixels of a cell
_ARROW: Outline = ((0, 0), (0, 0.86), (0.2, 0.67), (0.33, 1), (0.46, 0.94), (0.34, 0.63), (0.6, 0.63))
_HAND: Outline = (
    *((0.3, 0), (0.42, 0.05), (0.42, 0.4), (0.75, 0.5), (0.8, 0.65), (0.7, 1), (0.3, 1)),
    *((0.05, 0.65), (0.12, 0.55), (0.28, 0.66), (0.28, 0.05)),
)
_CROSSHAIR: Outline = (
    *((0.45, 0), (0.55, 0), (0.55, 0.45), (1, 0.45), (1, 0.55), (0.55, 0.55)),
    *((0.55, 1), (0.45, 1), (0.45, 0.55), (0, 0.55), (0, 0.45), (0.45, 0.45)),
)
# Part of a cell under something: it is hidden, and what it shows may be told no longer.
_HIDDEN, _TOUCHED = 0.6, 0.35
_FILTERS = (cv2.INTER_NEAREST, cv2.INTER_LINEAR, cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_AREA)

Labels = npt.NDArray[np.int8]
Offsets = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class PlacedBoard:
    """A board in a scene: its grid, and what each cell shows, int8 (rows, cols), `NO_CELL` where hidden."""

    grid: Grid
    labels: Labels


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A BGR picture and the boards on it; ``pitch`` is the size of whatever stands in rows, in pixels."""

    pixels: Pixels
    boards: tuple[PlacedBoard, ...]
    pitch: tuple[float, float]


def random_scene(rng: Generator, rare: float = 0.0) -> Scene:
    """Return a scene with one board, sometimes two, or with something that is none.

    ``rare`` is the part of scenes in which something rare is to be seen.
    """
    if rng.random() < rare:
        return _rare_scene(rng)
    if rng.random() < 0.14:
        return _boardless(rng, _pitch(rng))
    style = random_look(rng)
    pitch = _pitch(rng)
    states = [_states(rng) for _ in range(2 if rng.random() < 0.07 else 1)]
    pictures, labels = zip(*(_drawn_board(rng, style, each, *pitch) for each in states), strict=True)
    return _shown(rng, _composed(rng, style, list(pictures), list(labels), pitch))


def _rare_scene(rng: Generator) -> Scene:
    """Return a scene with a board in a rare look, close to other things, cut, or in a picture gone bad."""
    small = rng.random() < 0.25
    pitch = (float(rng.uniform(_SMALLEST, 13)),) * 2 if small else _pitch(rng)
    if rng.random() < 0.2:
        return _gone_bad(rng, _boardless(rng, pitch), 0.3)
    style = rare_look(rng) if rng.random() < 0.65 else random_look(rng)
    drawn = states = _lost(rng) if rng.random() < 0.3 else _states(rng)
    if rng.random() < 0.1:
        drawn, states = pressed(rng, states)
    board, labels = _drawn_board(rng, style, drawn, *pitch)
    labels = np.where((drawn != states) & (labels == drawn), states, labels).astype(np.int8)
    if rng.random() < 0.4:
        LAID_OVER[str(rng.choice(list(LAID_OVER)))](rng, board, drawn, style)
    scene = _composed(rng, style, [board], [labels], pitch)
    if rng.random() < 0.5:
        strips(rng, scene.pixels, scene.boards[0].grid, style)
    if rng.random() < 0.3:
        scene = _behind_console(rng, scene)
    if rng.random() < 0.35:
        scene = _cut(rng, scene)
    return _gone_bad(rng, _shown(rng, scene), 0.4)


def _lost(rng: Generator) -> States:
    """Return what a board shows after a lost game, if one is found soon."""
    for _ in range(6):
        states = _states(rng)
        if np.isin(states, (State.MINE, State.EXPLODED)).any():
            break
    return states


def _gone_bad(rng: Generator, scene: Scene, part: float) -> Scene:
    pixels = scene.pixels
    while rng.random() < part:
        pixels = DAMAGES[str(rng.choice(list(DAMAGES)))](rng, pixels)
    return replace(scene, pixels=np.ascontiguousarray(pixels))


def _behind_console(rng: Generator, scene: Scene) -> Scene:
    """Lay a window over one side of the board and what is beside it."""
    board, pixels = scene.boards[0], scene.pixels.copy()
    grid, deep, first = board.grid, float(rng.uniform(0.2, 4)), rng.random() < 0.5
    under = np.zeros(pixels.shape[:2], np.uint8)
    turned = rng.random() < 0.5
    start, pitch, count = (grid.x, grid.pitch_x, grid.cols) if turned else (grid.y, grid.pitch_y, grid.rows)
    edge = max(0, round(start + (deep if first else count - deep) * pitch))
    along = (
        (int(rng.uniform(0, 0.5) * under.shape[0 if turned else 1]), None)
        if rng.random() < 0.4
        else (0, None)
    )
    place = (slice(0, edge) if first else slice(edge, None), slice(*along))
    place = place[::-1] if turned else place
    if not under[place].size:
        return scene
    pixels[place], under[place] = console(rng, *under[place].shape), 1
    x, y = round(grid.x), round(grid.y)
    over = under[y : y + round(grid.height), x : x + round(grid.width)]
    labels = _without_hidden(board.labels, _part_hidden(over, np.zeros_like(board.labels)))
    return replace(scene, pixels=pixels, boards=(PlacedBoard(grid, labels),))


def _cut(rng: Generator, scene: Scene) -> Scene:
    """Return the scene cut close to its board's edges: inside its cells, on their lines, or just outside."""

    def ends(start: float, pitch: float, count: int, side: int) -> tuple[int, int]:
        parts = rng.integers(0, 2, 2) + rng.choice([0, 0.05, -0.05, *rng.uniform(-0.2, 1, 4)], 2)
        first, last = (round(part * pitch) if rng.random() < 0.5 else -side for part in parts)
        return max(0, round(start) + first), min(side, round(start + count * pitch) - last)

    grid, (height, width) = scene.boards[0].grid, scene.pixels.shape[:2]
    left, right = ends(grid.x, grid.pitch_x, grid.cols, width)
    top, low = ends(grid.y, grid.pitch_y, grid.rows, height)
    return _part(scene, left, top, right, low)


def _part(scene: Scene, left: int, top: int, right: int, low: int) -> Scene:
    """Return a rectangle of a scene."""
    boards = tuple(PlacedBoard(b.grid.moved(-left, -top), b.labels) for b in scene.boards)
    return replace(scene, pixels=np.ascontiguousarray(scene.pixels[top:low, left:right]), boards=boards)


def _pitch(rng: Generator) -> tuple[float, float]:
    """Return the size of cells in pixels, across and down."""
    size = float(np.exp(rng.uniform(np.log(12), np.log(60))))
    if rng.random() < 0.5:
        size = float(round(size))
    kind = rng.random()
    if kind < 0.06:
        wide = float(rng.uniform(1.15, 2.1))
        return (size * wide, size) if rng.random() < 0.8 else (size, size * min(wide, 1.5))
    if kind < 0.14:
        return size, size * float(rng.uniform(0.95, 1.05))
    return size, size


def _states(rng: Generator) -> States:
    """Return what a board shows: mostly a position of a game, sometimes states at random."""
    small = rng.random() < 0.35
    rows, cols = (int(n) for n in (rng.integers(4, 10, 2) if small else rng.integers(8, 21, 2)))
    kind = rng.random()
    if kind < 0.06:
        weights = rng.dirichlet(np.full(15, 0.6))
        return rng.choice(15, (rows, cols), p=weights).astype(np.int8)
    progress = 0.0 if kind < 0.17 else 1.0 if kind < 0.26 else float(rng.uniform(0, 1))
    dense = rng.random() < 0.3  # for the larger numbers
    density = float(rng.uniform(0.3, 0.6) if dense else rng.uniform(0.08, 0.27))
    states = random_states(rng, rows, cols, density, progress)
    if rng.random() < 0.12:  # programs that show the mines without saying which one was clicked
        states = np.where(states == State.EXPLODED, State.MINE, states).astype(np.int8)
    return states


def _drawn_board(
    rng: Generator, style: Style, states: States, wide: float, tall: float
) -> tuple[Pixels, Labels]:
    """Return the picture of a board, with what lies over it, and its labels."""
    if rng.random() < 0.45:
        board = draw_board(style, states, tall, wide)
    else:
        native = style.native
        board = draw_board(style, states, max(8, round(native * tall / wide)), native)
        size = round(states.shape[1] * wide), round(states.shape[0] * tall)
        board = cv2.resize(board, size, interpolation=_filter(rng, wide < native)).astype(np.uint8)
    if rng.random() < 0.2:
        board = _lit_unevenly(rng, board)
    if rng.random() < 0.15:
        board = _textured(rng, board, states)
    if rng.random() < 0.12:
        _highlight(rng, board, states)
    hidden = _covered(rng, board, states.astype(np.int8), style) if rng.random() < 0.35 else None
    labels = states.astype(np.int8)
    if (states == State.COVERED).all() and _is_flat(style):
        labels = np.full_like(labels, UNSURE)
    return board, labels if hidden is None else _without_hidden(labels, hidden)


def _is_flat(style: Style) -> bool:
    """Return whether covered cells are plain but for lines: a board of nothing else might be ruled paper."""
    ground = style.covered
    plain = not (ground.bevel or ground.gap or ground.seal) and apart(ground.face, ground.shade) < 12
    return plain and State.COVERED not in style.signs


def _filter(rng: Generator, smaller: bool) -> int:
    if smaller and rng.random() < 0.8:
        return cv2.INTER_AREA
    return _FILTERS[int(rng.integers(len(_FILTERS)))]


def _lit_unevenly(rng: Generator, board: Pixels) -> Pixels:
    """Return the board in light that changes from place to place, as glossy programs show theirs."""
    corners = rng.uniform(0.55, 1.35, (*rng.integers(2, 4, 2), 1)).astype(np.float32)
    if rng.random() < 0.3:
        corners = corners * rng.uniform(0.8, 1.2, (1, 1, 3)).astype(np.float32)
    light = cv2.resize(corners, board.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    bright: Pixels = np.clip(board * light.reshape(*board.shape[:2], -1), 0, 255).astype(np.uint8)
    return bright


def _textured(rng: Generator, board: Pixels, states: States) -> Pixels:
    """Return the board with a grain on it, as of wood or paper: on all cells, or on those not opened."""
    fine = rng.uniform(1, 8, 2)
    height, width = (max(2, int(side / step)) for side, step in zip(board.shape[:2], fine, strict=True))
    noise = rng.normal(0, float(rng.uniform(4, 16)), (height, width, 1 if rng.random() < 0.7 else 3))
    grain = cv2.resize(noise.astype(np.float32), board.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    grain = grain.reshape(*board.shape[:2], -1)
    if rng.random() < 0.6:
        closed = (states > 8).astype(np.uint8)
        grain = grain * cv2.resize(closed, board.shape[1::-1], interpolation=cv2.INTER_NEAREST)[..., None]
    return np.asarray(np.clip(board + grain, 0, 255), dtype=np.uint8)


def _highlight(rng: Generator, board: Pixels, states: States) -> None:
    """Draw an outline or a tint over a few cells, as hints and keyboard cursors do."""
    tall, wide = board.shape[0] / states.shape[0], board.shape[1] / states.shape[1]
    ink = tuple(int(c) for c in random_colour(rng, (0.5, 1), (0.5, 1)))
    outlined, strong = rng.random() < 0.6, float(rng.uniform(0.15, 0.5))
    for _ in range(int(rng.integers(1, 4))):
        row, col = int(rng.integers(states.shape[0])), int(rng.integers(states.shape[1]))
        top, left, low, right = (
            round(edge) for edge in (row * tall, col * wide, (row + 1) * tall, (col + 1) * wide)
        )
        if outlined:
            thick = max(1, int(rng.uniform(0.04, 0.12) * tall))
            cv2.rectangle(board, (left, top), (right - 1, low - 1), ink, thick)
        elif states[row, col] not in (State.MINE, State.EXPLODED, State.WRONG_FLAG):
            cell = board[top:low, left:right]
            cell[:] = (cell * (1 - strong) + np.array(ink) * strong).astype(np.uint8)


def _composed(
    rng: Generator, style: Style, pictures: list[Pixels], labels: list[Labels], pitch: tuple[float, float]
) -> Scene:
    """Return boards side by side among what stands around them."""
    wide, tall = pitch
    gap = round(float(rng.uniform(0.1, 3)) * wide)
    inner_width = sum(picture.shape[1] for picture in pictures) + gap * (len(pictures) - 1)
    inner_height = max(picture.shape[0] for picture in pictures)
    left, top, right, bottom = (
        0 if rng.random() < 0.12 else round(float(rng.uniform(0, 6)) * size)
        for size in (wide, tall, wide, tall)
    )
    canvas = fill(rng, inner_height + top + bottom, inner_width + left + right, style)
    if rng.random() < 0.5:
        scatter(rng, canvas, (left, top, left + inner_width, top + inner_height))
    if rng.random() < 0.5:
        high = min(top, round(float(rng.uniform(1, 3)) * tall))
        panel(rng, canvas, left, top - high, left + inner_width, top)
    boards, x = [], left
    for picture, shown in zip(pictures, labels, strict=True):
        height, width = picture.shape[:2]
        if rng.random() < 0.5:
            frame(rng, canvas, x, top, x + width, top + height)
        rows, cols = shown.shape
        if rng.random() < 0.13:
            axis_labels(rng, canvas, style, x, top, (width / cols, height / rows), (rows, cols))
        canvas[top : top + height, x : x + width] = picture
        boards.append(PlacedBoard(Grid(x, top, width / cols, height / rows, rows, cols), shown))
        x += width + gap
    return Scene(canvas, tuple(boards), pitch)


def _boardless(rng: Generator, pitch: tuple[float, float]) -> Scene:
    height, width = (round(float(rng.uniform(8, 18)) * size) for size in (pitch[1], pitch[0]))
    return _shown(rng, Scene(rows_of_things(rng, height, width, pitch, tuple(THINGS.values())), (), pitch))


def _shown(rng: Generator, scene: Scene) -> Scene:
    """Return the scene as screens and files show it: cut, scaled, inverted, damaged."""
    if rng.random() < 0.15:
        scene = _cropped(rng, scene)
    if rng.random() < 0.4:
        factor = float(rng.choice([1.1, 1.25, 1.33, 1.5, 1.75, 2.0, 2.5, float(rng.uniform(0.8, 2.2))]))
        if min(scene.pitch) * factor >= _SMALLEST and max(scene.pitch) * factor <= _LARGEST:
            scene = _scaled(scene, factor, _filter(rng, factor < 1))
    pixels = scene.pixels
    if rng.random() < 0.05:
        pixels = 255 - pixels
    return replace(scene, pixels=np.ascontiguousarray(damaged(rng, pixels)))


def _cropped(rng: Generator, scene: Scene) -> Scene:
    height, width = scene.pixels.shape[:2]
    top, left = (int(rng.uniform(0, 0.25) * side) * int(rng.random() < 0.4) for side in (height, width))
    low, right = (
        side - int(rng.uniform(0, 0.25) * side) * int(rng.random() < 0.4) for side in (height, width)
    )
    return _part(scene, left, top, right, low)


def _scaled(scene: Scene, factor: float, method: int) -> Scene:
    height, width = scene.pixels.shape[:2]
    size = max(1, round(width * factor)), max(1, round(height * factor))
    across, down = size[0] / width, size[1] / height
    boards = tuple(
        PlacedBoard(
            Grid(
                b.grid.x * across,
                b.grid.y * down,
                b.grid.pitch_x * across,
                b.grid.pitch_y * down,
                b.grid.rows,
                b.grid.cols,
            ),
            b.labels,
        )
        for b in scene.boards
    )
    pixels = cv2.resize(scene.pixels, size, interpolation=method).astype(np.uint8)
    return Scene(pixels, boards, (scene.pitch[0] * across, scene.pitch[1] * down))


def _covered(rng: Generator, board: Pixels, labels: Labels, style: Style) -> Labels:
    """Draw pointers, windows, letters and lit cells over a board; return what of it is hidden.

    ``board`` is changed in place; ``labels`` (rows, cols) are the states that it shows. 1 is a hidden cell, 0
    one in full view, -1 one of which nobody could say.
    """
    under = np.zeros(board.shape[:2], np.uint8)
    hidden = np.zeros(labels.shape, np.int8)
    if rng.random() < 0.5:
        _hover(rng, board, labels)
    for _ in range(int(rng.integers(0, 3))):
        _pointer(rng, board, under, labels.shape)
    if rng.random() < 0.25:
        _window(rng, board, under)
    if rng.random() < 0.35:
        _letters(rng, board, hidden, style)
    return _part_hidden(under, hidden)


def _slices(board: Pixels, shape: tuple[int, ...], row: int, col: int) -> tuple[slice, slice]:
    tall, wide = board.shape[0] / shape[0], board.shape[1] / shape[1]
    return (
        slice(round(row * tall), round((row + 1) * tall)),
        slice(round(col * wide), round((col + 1) * wide)),
    )


def _hover(rng: Generator, board: Pixels, labels: Labels) -> None:
    """Make a covered cell lighter or darker, as under a pointer."""
    covered = np.argwhere(labels == State.COVERED)
    if len(covered):
        row, col = covered[rng.integers(len(covered))]
        place = _slices(board, labels.shape, int(row), int(col))
        board[place] = np.clip(board[place] + rng.uniform(-30, 40), 0, 255).astype(np.uint8)


def _pointer(rng: Generator, board: Pixels, under: Pixels, shape: tuple[int, ...]) -> None:
    outline = (_ARROW, _ARROW, _ARROW, _HAND, _CROSSHAIR)[int(rng.integers(5))]
    cell = board.shape[0] / shape[0]
    size = float(rng.uniform(0.5, 1.6) * cell) if rng.random() < 0.5 else float(rng.uniform(16, 24))
    x, y = rng.uniform(0, board.shape[1]), rng.uniform(0, board.shape[0])
    corners = np.round((np.array(outline) * size + (x, y)) * 16).astype(np.int32)
    inner, rim = ((255, 255, 255), (0, 0, 0)) if rng.random() < 0.8 else ((0, 0, 0), (255, 255, 255))
    kind = cv2.LINE_AA if rng.random() < 0.6 else cv2.LINE_8
    cv2.fillPoly(board, [corners], inner, kind, 4)
    cv2.polylines(board, [corners], True, rim, max(1, round(size / 20)), kind, 4)
    cv2.fillPoly(under, [corners], 1, cv2.LINE_8, 4)


def _window(rng: Generator, board: Pixels, under: Pixels) -> None:
    """Lay another window over a corner or an edge of the board."""
    height, width = board.shape[:2]
    top, left = int(rng.integers(-height // 2, height)), int(rng.integers(-width // 2, width))
    low, right = top + int(height * rng.uniform(0.2, 0.7)), left + int(width * rng.uniform(0.2, 0.7))
    area = (slice(max(0, top), max(0, low)), slice(max(0, left), max(0, right)))
    if not board[area].size:
        return
    board[area] = inside_of_window(rng, board[area].shape)
    under[area] = 1


def inside_of_window(rng: Generator, shape: tuple[int, ...]) -> Pixels:
    """Return what a window shows: a plain colour, text, or a photo."""
    picture = np.full(shape, rng.integers(0, 256, 3), np.uint8)
    kind = rng.integers(3)
    if kind == 1:
        ink = tuple(int(value) for value in rng.integers(0, 256, 3))
        for y in range(8, shape[0] + 10, int(rng.integers(12, 24))):
            words = "".join(chr(code) for code in rng.integers(65, 123, 30))
            cv2.putText(
                picture, words, (0, y), cv2.FONT_HERSHEY_SIMPLEX, rng.uniform(0.3, 0.7), ink, 1, cv2.LINE_AA
            )
    elif kind == 2:
        noise = rng.integers(0, 256, (max(2, shape[0] // 12), max(2, shape[1] // 12), 3)).astype(np.uint8)
        picture = np.asarray(cv2.resize(noise, shape[1::-1], interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
    return picture


def _letters(rng: Generator, board: Pixels, hidden: Labels, style: Style) -> None:
    """Write a letter or a 9 into a few cells: none of them is a state."""
    ink = np.array(style.numbers.inks[int(rng.integers(8))], np.float32)
    font = random_font(rng, held_out=False, kinds=("file", "hershey"))
    for _ in range(int(rng.integers(1, 4))):
        row, col = (int(rng.integers(side)) for side in hidden.shape)
        place = _slices(board, hidden.shape, row, col)
        cell = board[place].astype(np.float32)
        text = str(rng.choice(list("ACDEFGHJKLMNPQRUVWXY9")))
        ground = np.median(cell.reshape(-1, 3), axis=0)
        cell[2:-2, 2:-2] = ground
        side = max(cell.shape[:2])
        mask = letter(Lettering(font, float(rng.uniform(0.5, 0.75))), text, side)
        cell += mask[: cell.shape[0], : cell.shape[1], None] * (ink - cell)
        board[place], hidden[row, col] = cell.astype(np.uint8), 1


def _part_hidden(under: Pixels, hidden: Labels) -> Labels:
    for row, col in np.ndindex(hidden.shape):
        part = float(under[_slices(under, hidden.shape, row, col)].mean())
        if part > _HIDDEN:
            hidden[row, col] = 1
        elif part > _TOUCHED and not hidden[row, col]:
            hidden[row, col] = -1
    return hidden


def _without_hidden(labels: Labels, hidden: Labels) -> Labels:
    return np.where(hidden > 0, NO_CELL, np.where(hidden < 0, UNSURE, labels)).astype(np.int8)


def samples(rng: Generator, scene: Scene, count: int) -> Iterator[tuple[Pixels, Labels, Offsets]]:
    """Yield windows of lattices over a scene, uint8 (WINDOW * SIDE, WINDOW * SIDE, 4), with their truth.

    That is the label of each lattice cell, and how far from it the nearest cell of the board is.
    """
    for _ in range(count):
        grid = _lattice(rng, scene)
        yield cut_cells(scene.pixels, grid), *truth_of(scene, grid)


def _lattice(rng: Generator, scene: Scene) -> Grid:
    """Return a window of a lattice that lies on a board, or beside its cells, or anywhere."""
    board = scene.boards[int(rng.integers(len(scene.boards)))] if scene.boards else None
    kind = rng.random()
    if board is None or kind < 0.04:
        factor = float(rng.choice([1, 1, 1, 0.5, 2, float(rng.uniform(0.6, 1.6))]))
        wide, tall = (max(8.0, size * factor) for size in scene.pitch)
        height, width = scene.pixels.shape[:2]
        x = float(rng.uniform(-2 * wide, max(wide, width - 6 * wide)))
        y = float(rng.uniform(-2 * tall, max(tall, height - 6 * tall)))
        if board is None and rng.random() < 0.7:
            x, y = round(x / wide) * wide, round(y / tall) * tall
        return Grid(x, y, wide, tall, WINDOW, WINDOW)
    grid = board.grid
    row, col = (_first(rng, count) for count in (grid.rows, grid.cols))
    wide, tall = grid.pitch_x, grid.pitch_y
    x, y = grid.x + col * wide, grid.y + row * tall
    if kind < 0.72:  # about right
        off = 0.02 if rng.random() < 0.5 else 0.07
        x, y = x + float(rng.uniform(-off, off)) * wide, y + float(rng.uniform(-off, off)) * tall
        drift = 1 + rng.uniform(-off, off, 2) / WINDOW
        return Grid(x, y, wide * float(drift[0]), tall * float(drift[1]), WINDOW, WINDOW)
    if kind < 0.93:  # between the cells, a little too wide or narrow
        across, down = rng.uniform(0, 1, 2) if rng.random() < 0.7 else rng.choice([0, 0, 0.5, 0.33, 0.67], 2)
        drift = 1 + rng.uniform(-0.06, 0.06, 2) * (rng.random() < 0.6)
        x, y = x + float(across) * wide, y + float(down) * tall
        return Grid(x, y, wide * float(drift[0]), tall * float(drift[1]), WINDOW, WINDOW)
    factors = rng.choice([0.5, 2.0, 0.75, 1.5, 0.667, 1.0, 1.03, 0.97, float(rng.uniform(0.6, 1.7))], 2)
    if rng.random() < 0.6:
        factors[1] = factors[0]
    x, y = grid.x + col * wide * factors[0], grid.y + row * tall * factors[1]
    return Grid(x, y, wide * float(factors[0]), tall * float(factors[1]), WINDOW, WINDOW)


def _first(rng: Generator, count: int) -> int:
    """Return the first row or column of a window on a board with ``count`` of them: mostly well on it."""
    if rng.random() < 0.1:
        return int(rng.integers(4 - WINDOW, count - 3))
    low, high = sorted((-2, count - WINDOW + 2))
    return int(rng.integers(low, high + 1))


def truth_of(scene: Scene, grid: Grid) -> tuple[Labels, Offsets]:
    """Return what each cell of ``grid`` shows, and how far right and down of it the board's cell is.

    Labels are int8 (rows, cols): a state, `NO_CELL` or `UNSURE`; offsets float32 (rows, cols, 2), from -0.5
    to 0.5 cells, NaN where there is no board or its cells are of another size.
    """
    labels = np.full((grid.rows, grid.cols), NO_CELL, np.int8)
    offsets = np.full((grid.rows, grid.cols, 2), np.nan, np.float32)
    xs = (np.arange(grid.cols) + 0.5) * grid.pitch_x + grid.x
    ys = (np.arange(grid.rows) + 0.5) * grid.pitch_y + grid.y
    seen = _seen(grid, scene.pixels.shape[:2])
    for board in scene.boards:
        own = board.grid
        pitch_off = max(abs(grid.pitch_x / own.pitch_x - 1), abs(grid.pitch_y / own.pitch_y - 1))
        if pitch_off > _OTHER_PITCH:
            continue
        cols, rows = (xs - own.x) / own.pitch_x - 0.5, (ys - own.y) / own.pitch_y - 0.5
        col, row = np.round(cols).astype(int), np.round(rows).astype(int)
        off_x, off_y = np.broadcast_arrays((col - cols)[None, :], (row - rows)[:, None])
        off = np.maximum(np.abs(off_x), np.abs(off_y))
        here = ((row >= 0) & (row < own.rows))[:, None] & ((col >= 0) & (col < own.cols))[None, :]
        shown = board.labels[np.clip(row, 0, own.rows - 1)[:, None], np.clip(col, 0, own.cols - 1)[None, :]]
        unsure = (off > _NEAR) | (pitch_off > _SAME_PITCH)
        labels = np.where(here & (off <= _FAR), np.where(unsure, UNSURE, shown), labels).astype(np.int8)
        offsets[here & (seen > _PART)] = np.stack([off_x, off_y], 2)[here & (seen > _PART)]
    labels[seen < _PART] = NO_CELL
    labels[(seen >= _PART) & (seen < _WHOLE) & (labels != NO_CELL)] = UNSURE
    return labels, offsets


def _seen(grid: Grid, size: tuple[int, int]) -> npt.NDArray[np.float64]:
    """Return which part of each cell lies in a picture of ``size`` (height, width), (rows, cols)."""
    left, top = np.arange(grid.cols) * grid.pitch_x + grid.x, np.arange(grid.rows) * grid.pitch_y + grid.y
    across = (np.clip(left + grid.pitch_x, 0, size[1]) - np.clip(left, 0, size[1])) / grid.pitch_x
    down = (np.clip(top + grid.pitch_y, 0, size[0]) - np.clip(top, 0, size[0])) / grid.pitch_y
    return np.asarray(down[:, None] * across[None, :])
