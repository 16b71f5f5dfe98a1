"""Windows with a board in random art, and desktops with some of them among other windows."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from bench.drawn import NUMBER_COLOURS, Generator, blob
from bench.drawn_desktops import Desktop, clutter, paste
from bot.geometry import Grid, Pixels, Rect

LINEAR = (cv2.INTER_LINEAR, cv2.INTER_AREA, cv2.INTER_CUBIC, cv2.INTER_NEAREST)


@dataclass(frozen=True, slots=True, eq=False)
class GameStyle:
    """How a game looks: colours as BGR floats, sizes as parts of a cell."""

    covered: npt.NDArray[np.float64]
    opened: npt.NDArray[np.float64]
    bevel: float
    gap: float
    round: float
    lined: bool  # whether opened cells have a line around them
    checks: float  # how much lighter every other cell is
    graded: float  # how much lighter the top left of a covered cell is
    weight: float  # contrast of lines and bevels, in grey levels
    tinted: bool


def random_art(rng: Generator) -> GameStyle:
    """Return the look of a game that does not exist."""
    dark = rng.random() < 0.3
    ground = rng.integers(20, 80, 3) if dark else rng.integers(120, 235, 3)
    covered = np.full(3, ground.mean()) if rng.random() < 0.5 else ground.astype(np.float64)
    step = rng.choice([0.0, 0.0, 20.0, 40.0]) * (1 if rng.random() < 0.6 else -1)
    opened = np.clip(covered + step + rng.normal(0, 6, 3) * (step != 0), 8, 247)
    checks = float(rng.choice([0, 0, 0, 0, 8, 14]))
    bevel = float(rng.choice([0, 0.06, 0.12, 0.17]))
    gap = float(rng.choice([0, 0, 0, 0.04, 0.08]))
    lined = bool(rng.random() < 0.75) or (step == 0 and bevel == 0)
    weight = float(rng.uniform(6, 25) if rng.random() < 0.25 else rng.uniform(25, 90))
    return GameStyle(
        covered,
        opened,
        bevel,
        gap,
        float(rng.choice([0, 0, 0.1, 0.2])) if gap else 0.0,
        lined,
        checks,
        float(rng.choice([0, 0, 30])),
        weight,
        bool(rng.random() < 0.15),
    )


def paint_board(
    art: GameStyle, rng: Generator, opened: npt.NDArray[np.bool_], wide: int, high: int
) -> Pixels:
    """Return a picture of a board with cells of ``wide`` x ``high`` pixels."""
    rows, cols = opened.shape
    picture = np.empty((rows * high, cols * wide, 3), np.uint8)
    picture[:] = _shade(art.opened, -art.weight if art.gap else 0)
    for row, col in np.ndindex(rows, cols):
        lighter = art.checks * ((row + col) % 2)
        part = np.ascontiguousarray(picture[row * high : (row + 1) * high, col * wide : (col + 1) * wide])
        if opened[row, col]:
            _opened(art, part, int(rng.choice([0, 0, 1, 1, 1, 2, 2, 3, 4, 5])), lighter)
        else:
            _covered(art, part, bool(rng.random() < 0.1), lighter)
        picture[row * high : (row + 1) * high, col * wide : (col + 1) * wide] = part
    return picture


def _shade(colour: npt.NDArray[np.float64], by: float) -> npt.NDArray[np.uint8]:
    return np.clip(colour + by, 0, 255).astype(np.uint8)


def _tuple(colour: npt.NDArray[np.uint8]) -> tuple[int, ...]:
    return tuple(int(value) for value in colour)


def _plate(art: GameStyle, part: Pixels, colour: npt.NDArray[np.uint8]) -> tuple[int, int, int, int]:
    """Fill a cell but for its gap; return the filled box."""
    high, wide = part.shape[:2]
    gap = round(art.gap * min(high, wide))
    left, top, right, bottom = gap // 2, gap // 2, wide - (gap + 1) // 2 - 1, high - (gap + 1) // 2 - 1
    radius = round(art.round * min(high, wide))
    if radius:
        for x, y in ((left, top), (right - 2 * radius, top), (left, bottom - 2 * radius)):
            cv2.circle(part, (x + radius, y + radius), radius, _tuple(colour), -1)
        cv2.circle(part, (right - radius, bottom - radius), radius, _tuple(colour), -1)
    cv2.rectangle(part, (left + radius, top), (right - radius, bottom), _tuple(colour), -1)
    cv2.rectangle(part, (left, top + radius), (right, bottom - radius), _tuple(colour), -1)
    return left, top, right, bottom


def _covered(art: GameStyle, part: Pixels, flag: bool, lighter: float) -> None:
    high, wide = part.shape[:2]
    left, top, right, bottom = _plate(art, part, _shade(art.covered, lighter))
    if art.graded:
        slope = art.graded * (1 - np.arange(high) / high)
        part[:] = np.clip(part + slope[:, None, None], 0, 255).astype(np.uint8)
    for step in range(round(art.bevel * high)):
        box = (left + step, top + step), (right - step, bottom - step)
        light, dark = _shade(art.covered, art.weight), _shade(art.covered, -art.weight)
        part[box[0][1], box[0][0] : box[1][0]], part[box[0][1] : box[1][1], box[0][0]] = light, light
        part[box[1][1], box[0][0] : box[1][0] + 1], part[box[0][1] : box[1][1] + 1, box[1][0]] = dark, dark
    if not art.bevel and not art.gap and not art.checks:
        part[-1], part[:, -1] = _shade(art.covered, -art.weight), _shade(art.covered, -art.weight)
    if flag:
        pole = wide // 2
        cv2.rectangle(part, (pole - wide // 4, high // 4), (pole, high // 2), (20, 20, 220), -1)
        cv2.line(part, (pole, high // 4), (pole, high * 3 // 4), (10, 10, 10), max(1, wide // 12))


def _opened(art: GameStyle, part: Pixels, number: int, lighter: float) -> None:
    high, wide = part.shape[:2]
    ground = art.opened.copy()
    if art.tinted and number:
        ground = 0.8 * ground + 0.2 * np.array(NUMBER_COLOURS[number - 1])
    _plate(art, part, _shade(ground, lighter))
    if art.lined:
        part[0], part[:, 0] = _shade(art.opened, -art.weight * 0.7), _shade(art.opened, -art.weight * 0.7)
    if number:
        ink = NUMBER_COLOURS[number - 1]
        thick = max(1, round(high / 12))
        place = (round(wide * 0.28), round(high * 0.8))
        cv2.putText(part, str(number), place, 0, min(high, wide) / 30, ink, thick, cv2.LINE_AA)


def window(rng: Generator, rows: int, cols: int, pitch: tuple[float, float]) -> tuple[Pixels, Grid]:
    """Return a picture of a window with a frame, a panel and a board, and the grid of that board in it."""
    art = random_art(rng)
    wide, high = (max(12, round(size)) for size in pitch)
    opened = blob(rows, cols, float(rng.choice([0, 0.2, 0.5, 0.8, 1.0])), rng)
    board = paint_board(art, rng, opened, wide, high)
    size = (round(cols * pitch[0]), round(rows * pitch[1]))
    if (wide * cols, high * rows) != size:
        board = cv2.resize(board, size, interpolation=int(rng.choice(LINEAR))).astype(np.uint8)
    left, right, bottom = (int(rng.choice([0, 4, 9, 12, 30])) for _ in range(3))
    top = int(rng.choice([4, 30, 46, 70]))
    height, width = size[1] + top + bottom, size[0] + left + right
    canvas = np.empty((height, width, 3), np.uint8)
    canvas[:] = _shade(art.covered if rng.random() < 0.6 else rng.integers(0, 256, 3).astype(np.float64), 0)
    if rng.random() < 0.5 and min(left, top, right, bottom) > 3:
        box = (left - 3, top - 3), (left + size[0] + 2, top + size[1] + 2)
        cv2.rectangle(canvas, *box, _tuple(_shade(art.covered, -60)), 3)
    if top > 30:
        cv2.circle(canvas, (width // 2, 22), 12, (0, 220, 240), -1)
        cv2.putText(canvas, "010", (left + 4, 30), 0, 0.7, (0, 0, 200), 2)
    canvas[top : top + size[1], left : left + size[0]] = board
    return canvas, Grid(left, top, size[0] / cols, size[1] / rows, rows, cols)


def random_window(rng: Generator, height: int, width: int) -> tuple[Pixels, Grid] | None:
    """Return a window with a board that fits into the given size; None if the dice make it too large."""
    rows, cols = [(8, 8), (9, 9), (16, 16), (16, 30), (int(rng.integers(8, 25)), int(rng.integers(8, 31)))][
        int(rng.integers(5))
    ]
    across = math.exp(rng.uniform(math.log(12), math.log(80)))
    if rng.random() < 0.3:
        across = 16.0
    elif rng.random() < 0.5:
        across = float(round(across))
    down = across * (float(rng.uniform(0.75, 1.33)) if rng.random() < 0.1 else 1.0)
    if rows * down + 120 > height or cols * across + 80 > width or down < 12:
        return None
    return window(rng, rows, cols, (across, down))


def random_desktop(seed: int, height: int = 1080, width: int = 1920, boards: int = 1) -> Desktop:
    """Return a desktop with windows and ``boards`` boards, none of which another window covers."""
    rng = np.random.default_rng(seed)
    pixels = clutter(rng, height, width, int(rng.integers(0, 6)))
    grids: list[Grid] = []
    taken: list[Rect] = []
    while len(grids) < boards:
        drawn = random_window(rng, height, width)
        if drawn is None:
            continue
        picture, grid = drawn
        x, y = int(rng.integers(0, width - picture.shape[1])), int(rng.integers(0, height - picture.shape[0]))
        place = Rect(x, y, picture.shape[1], picture.shape[0])
        if any(not place.intersection(other).empty for other in taken):
            if rng.random() < 0.05:
                break
            continue
        paste(pixels, picture, x, y)
        grids.append(grid.moved(x, y))
        taken.append(place)
    return Desktop(pixels, grids)
