"""What lies around boards: grounds, frames, panels, text, axis labels; and things in rows that are none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

import cv2
import numpy as np

from art.fonts import Font, Lettering, letter, random_font
from art.ink import Colour, Generator, Ground, draw_ground, mixed, random_colour, readable_on
from art.styles import Style
from bot.geometry import Pixels
from displays import STROKES

_WORDS = [
    "New", "Game", "Restart", "Level", "Easy", "Hard", "Mines", "Time", "Score", "Flags", "Options",
    "Help", "Best", "Custom", "10", "40", "99", "9x9", "16",
]  # fmt: skip
_SEGMENTS = {  # of a digit one wide and two high: (x, y, width, height)
    "a": (0.1, 0.0, 0.8, 0.2), "g": (0.1, 0.9, 0.8, 0.2), "d": (0.1, 1.8, 0.8, 0.2),
    "f": (0.0, 0.1, 0.2, 0.85), "b": (0.8, 0.1, 0.2, 0.85),
    "e": (0.0, 1.05, 0.2, 0.85), "c": (0.8, 1.05, 0.2, 0.85),
}  # fmt: skip


def fill(rng: Generator, height: int, width: int, style: Style | None = None) -> Pixels:
    """Return a ground without a board, (height, width, 3): plain, shaded, a photograph or a pattern."""
    canvas = np.empty((height, width, 3), np.uint8)
    colour = random_colour(rng, (0, 0.7), (0, 1))
    kind = rng.random()
    if style is not None and kind < 0.45:
        faces = (style.opened.face, style.covered.face, style.page, style.covered.behind)
        colour = faces[int(rng.integers(4))]
    elif kind < 0.6:
        grey = float(rng.choice([255, 240, 192, 212, 32, 0, 18]))
        colour = (grey, grey, grey)
    canvas[:] = np.clip(colour, 0, 255).astype(np.uint8)
    kind = rng.random()
    if kind < 0.15:
        other = np.array(random_colour(rng), np.float32)
        part = np.linspace(0, 1, height, dtype=np.float32)[:, None, None]
        canvas = (canvas * (1 - part) + other * part).astype(np.uint8)
    elif kind < 0.25:
        fine = int(rng.integers(6, 60))
        noise = rng.integers(0, 256, (max(2, height // fine), max(2, width // fine), 3)).astype(np.uint8)
        photo = cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC)
        canvas = cv2.addWeighted(photo, float(rng.uniform(0.2, 1)), canvas, 0.5, 0).astype(np.uint8)
    elif kind < 0.32:
        tile = rng.integers(0, 256, (*rng.integers(2, 9, 2), 3)).astype(np.uint8)
        strong = float(rng.uniform(0.05, 0.6))
        down, across = -(-height // tile.shape[0]), -(-width // tile.shape[1])
        tiled = np.tile(tile, (down, across, 1))[:height, :width]
        canvas = cv2.addWeighted(tiled, strong, canvas, 1 - strong, 0).astype(np.uint8)
    return np.ascontiguousarray(canvas)


def write(rng: Generator, canvas: Pixels, x: int, y: int, text: str, size: float, ink: Colour) -> None:
    """Write a line of text with its left end at (x, y) in one of cv2's fonts."""
    font = int(rng.choice([0, 0, 1, 2, 3, 4]))
    thick = 1 if size < 0.9 else 2
    cv2.putText(canvas, text, (x, y), font, size, ink, thick, cv2.LINE_AA if rng.random() < 0.7 else 8)


def words(rng: Generator) -> str:
    """Return a few words or numbers, as pages have them beside a board."""
    if rng.random() < 0.3:
        return " ".join(str(number) for number in rng.integers(0, 1000, int(rng.integers(1, 6))))
    return " ".join(str(word) for word in rng.choice(_WORDS, int(rng.integers(1, 5))))


def frame(rng: Generator, canvas: Pixels, left: int, top: int, right: int, bottom: int) -> None:
    """Draw up to three frames around a rectangle of ``canvas``: lines, or bevels of two colours."""
    for _ in range(int(rng.integers(1, 4))):
        thick = int(rng.integers(1, 9))
        light, shadow = random_colour(rng, (0, 0.3)), random_colour(rng, (0, 0.3))
        if rng.random() < 0.5:
            shadow = light
        outer = left - thick, top - thick, right + thick, bottom + thick
        for (x0, y0, x1, y1), ink in (
            ((outer[0], outer[1], outer[2], top), light),
            ((outer[0], outer[1], left, outer[3]), light),
            ((outer[0], bottom, outer[2], outer[3]), shadow),
            ((right, outer[1], outer[2], outer[3]), shadow),
        ):
            canvas[max(0, y0) : max(0, y1), max(0, x0) : max(0, x1)] = np.clip(ink, 0, 255)
        gap = int(rng.integers(0, 4))
        left, top, right, bottom = outer[0] - gap, outer[1] - gap, outer[2] + gap, outer[3] + gap


def counter(rng: Generator, canvas: Pixels, x: int, y: int, height: int) -> None:
    """Draw a lit display of two to four digits with its top left at (x, y)."""
    lit = (rng.uniform(0, 60), rng.uniform(0, 60), 255.0) if rng.random() < 0.6 else random_colour(rng)
    side, gap = max(4, height // 2), max(1, height // 8)
    count = int(rng.integers(2, 5))
    cv2.rectangle(canvas, (x, y), (x + count * (side + gap) + gap, y + height + 2 * gap), (0, 0, 0), -1)
    for place, digit in enumerate(rng.integers(0, 10, count)):
        for segment in STROKES[str(digit)]:
            dx, dy, wide, tall = _SEGMENTS[segment]
            at = x + gap + place * (side + gap) + round(dx * side), y + gap + round(dy * side)
            end = at[0] + max(1, round(wide * side)), at[1] + max(1, round(tall * side))
            cv2.rectangle(canvas, at, (end[0] - 1, end[1] - 1), lit, -1)


def panel(rng: Generator, canvas: Pixels, left: int, top: int, right: int, bottom: int) -> None:
    """Draw a panel into a rectangle of ``canvas``: displays, a face, buttons, words, each or none."""
    height, width = bottom - top, right - left
    if height < 10 or width < 30:
        return
    if rng.random() < 0.6:
        face = np.clip(random_colour(rng, (0, 0.4)), 0, 255)
        canvas[top:bottom, left:right] = face
    high = int(rng.uniform(0.35, 0.8) * height)
    y = top + (height - high) // 2
    if rng.random() < 0.6:
        counter(rng, canvas, left + int(rng.integers(0, 12)), y, high)
        counter(rng, canvas, max(left, right - 3 * high), y, high)
    elif rng.random() < 0.7:
        ink = readable_on(rng, tuple(float(c) for c in canvas[y, left]))  # type: ignore[arg-type]
        write(rng, canvas, left + 4, y + high, words(rng), max(0.3, high / 30), ink)
    if rng.random() < 0.6:
        middle = (left + right) // 2, top + height // 2
        cv2.circle(canvas, middle, max(3, high // 2), (0, 220, 255), -1, cv2.LINE_AA)
        cv2.circle(canvas, middle, max(3, high // 2), (0, 0, 0), 1, cv2.LINE_AA)
        for side in (-1, 1):
            cv2.circle(canvas, (middle[0] + side * high // 6, middle[1] - high // 8), 1, (0, 0, 0), -1)


def axis_labels(
    rng: Generator,
    canvas: Pixels,
    style: Style,
    x: float,
    y: float,
    pitch: tuple[float, float],
    shape: tuple[int, int],
) -> None:
    """Write numbers or letters beside the rows and above or below the columns of a board at (x, y).

    ``pitch`` is (across, down) in pixels, ``shape`` (rows, cols).
    """
    rows, cols = shape
    side = round(min(pitch))
    height = float(rng.uniform(0.3, 0.7))
    setting = style.digits if style.digits.font.kind == "file" else Lettering(_plain_font(rng), height)
    ink = readable_on(rng, tuple(float(c) for c in canvas[max(0, int(y) - 2), max(0, int(x) - 2)]))  # type: ignore[arg-type]
    first, letters = int(rng.integers(0, 2)), rng.random() < 0.3
    below, right = rng.random() < 0.3, rng.random() < 0.3
    top = y + rows * pitch[1] if below else y - pitch[1]
    left = x + cols * pitch[0] if right else x - pitch[0]
    for col in range(cols):
        text = chr(65 + col % 26) if letters else str(col + first)
        label(canvas, setting, text, ink, x + (col + 0.5) * pitch[0], top + pitch[1] / 2, side)
    for row in range(rows):
        label(canvas, setting, str(row + first), ink, left + pitch[0] / 2, y + (row + 0.5) * pitch[1], side)


def _plain_font(rng: Generator) -> Font:
    return random_font(rng, False, ("file", "hershey"))


def label(canvas: Pixels, setting: Lettering, text: str, ink: Colour, x: float, y: float, side: int) -> None:
    """Write a sign around (x, y) in a cell of ``side`` pixels, if there is room and the font has it."""
    left, top = round(x - side / 2), round(y - side / 2)
    if left < 0 or top < 0 or top + side > canvas.shape[0] or left + side > canvas.shape[1] or side < 8:
        return
    small = Lettering(setting.font, setting.height * (0.8 if len(text) > 1 else 1), squeeze=setting.squeeze)
    with suppress(ValueError):
        mask = letter(small, text, side)[..., None]
        place = canvas[top : top + side, left : left + side]
        place[:] = np.clip(place + mask * (np.array(ink) - place), 0, 255).astype(np.uint8)


def scatter(rng: Generator, canvas: Pixels, blocked: tuple[int, int, int, int]) -> None:
    """Write lines of text, buttons and rows of numbers onto ``canvas`` outside of ``blocked``.

    ``blocked`` is (left, top, right, bottom) in pixels.
    """
    height, width = canvas.shape[:2]
    left, top, right, bottom = blocked
    areas = (
        (0, 0, width, top),
        (0, bottom, width, height),
        (0, top, left, bottom),
        (right, top, width, bottom),
    )
    for x0, y0, x1, y1 in areas:
        if x1 - x0 < 20 or y1 - y0 < 12 or rng.random() < 0.45:
            continue
        part = canvas[y0:y1, x0:x1]
        ink = readable_on(rng, tuple(float(c) for c in part[0, 0]))  # type: ignore[arg-type]
        step, kind, size = int(rng.integers(12, 40)), rng.random(), float(rng.uniform(0.3, 0.8))
        for y in range(step, part.shape[0], step):
            if kind < 0.5:
                write(rng, part, int(rng.integers(0, 12)), y, words(rng), size, ink)
            elif kind < 0.75:
                face = tuple(int(c) for c in rng.integers(0, 256, 3))
                for x in range(4, part.shape[1] - step, int(step * rng.uniform(1.0, 3))):
                    cv2.rectangle(part, (x, y - step + 2), (x + step - 4, y - 2), face, -1)
            elif rng.random() < 0.5:
                cv2.line(part, (0, y), (part.shape[1], y), ink, 1)


Painter = Callable[[Generator, Pixels, float, float], None]


def rows_of_things(
    rng: Generator, height: int, width: int, pitch: tuple[float, float], more: Sequence[Painter]
) -> Pixels:
    """Return a picture of things in rows and columns that is no Minesweeper board, maybe one of ``more``."""
    canvas = fill(rng, height, width)
    painters = (*more, _table, _keys, _pictures, _ruled, _figures, _figures, _pegs, _buttons)
    painters[int(rng.integers(len(painters)))](rng, canvas, *pitch)
    return canvas


def places(canvas: Pixels, wide: float, tall: float) -> list[tuple[int, int, int, int, int, int]]:
    """Return row, column, left, top, right and bottom of all cells of that size on a canvas."""
    rows, cols = int(canvas.shape[0] // tall), int(canvas.shape[1] // wide)
    return [
        (r, c, round(c * wide), round(r * tall), round((c + 1) * wide), round((r + 1) * tall))
        for r in range(rows)
        for c in range(cols)
    ]


def _table(rng: Generator, canvas: Pixels, wide: float, tall: float) -> None:
    """Draw a table: lines, and numbers of one to four digits or words in its cells."""
    ground = tuple(float(c) for c in canvas[0, 0])
    ink, line = readable_on(rng, ground), mixed(ground, readable_on(rng, ground), 0.4)  # type: ignore[arg-type]
    digits, part = int(rng.choice([1, 2, 2, 3, 4])), float(rng.uniform(0.3, 1))
    counting = rng.random() < 0.3
    for row, col, left, top, right, bottom in places(canvas, wide, tall):
        cv2.rectangle(canvas, (left, top), (right, bottom), line, 1)
        if rng.random() < part:
            number = row * 7 + col if counting else int(rng.integers(0, 10**digits))
            text = str(number) if rng.random() < 0.9 else str(rng.choice(_WORDS))
            write(rng, canvas, left + 2, bottom - 3, text, float(tall) / 45, ink)


def _keys(rng: Generator, canvas: Pixels, wide: float, tall: float) -> None:
    """Draw keys or buttons with letters, numbers and signs."""
    face, gap = random_colour(rng), int(rng.integers(1, 6))
    ink = readable_on(rng, face)
    signs = list("ABCDEFGHIJKLMNOPQRSTUVWXYZ+-=*/%") + [str(n) for n in range(13)]
    for _, _, left, top, right, bottom in places(canvas, wide, tall):
        cv2.rectangle(canvas, (left + gap, top + gap), (right - gap, bottom - gap), face, -1)
        if rng.random() < 0.9:
            text = str(rng.choice(signs))
            write(rng, canvas, left + int(wide / 3), bottom - int(tall / 3), text, float(tall) / 50, ink)


def _pictures(rng: Generator, canvas: Pixels, wide: float, tall: float) -> None:
    """Draw icons: discs, bars and rings of many colours."""
    for _, _, left, top, right, bottom in places(canvas, wide, tall):
        ink = tuple(int(c) for c in rng.integers(0, 256, 3))
        middle = (left + right) // 2, (top + bottom) // 2
        kind, size = int(rng.integers(4)), int(tall * rng.uniform(0.15, 0.42))
        if kind == 0:
            cv2.circle(canvas, middle, size, ink, -1, cv2.LINE_AA)
        elif kind == 1:
            cv2.circle(canvas, middle, size, ink, 2, cv2.LINE_AA)
        elif kind == 2:
            cv2.rectangle(
                canvas, (middle[0] - size, middle[1] - size // 2), (middle[0] + size, middle[1]), ink, -1
            )
        else:
            cv2.line(canvas, (left + 3, top + 3), (right - 3, bottom - 3), ink, 2, cv2.LINE_AA)


def _ruled(rng: Generator, canvas: Pixels, wide: float, tall: float) -> None:
    """Draw nothing but lines, as on graph paper, some heavier; or the lines of an empty table."""
    ground = tuple(float(c) for c in canvas[0, 0])
    ink = mixed(ground, readable_on(rng, ground), float(rng.uniform(0.1, 0.8)))  # type: ignore[arg-type]
    every, thick = int(rng.integers(2, 9)), int(rng.integers(1, 3))
    for row, col, left, top, right, bottom in places(canvas, wide, tall):
        cv2.rectangle(canvas, (left, top), (right, bottom), ink, 1)
        if thick > 1 and (row % every == 0 or col % every == 0):
            cv2.line(canvas, (left, top), (right, top) if row % every == 0 else (left, bottom), ink, thick)


def _figures(rng: Generator, canvas: Pixels, wide: float, tall: float) -> None:
    """Draw a table of single figures or letters, some kinds only, in cells of one colour or a few."""
    faces = [random_colour(rng, (0, 0.4), (0.1, 1)) for _ in range(int(rng.choice([1, 1, 1, 2, 4])))]
    ink, line = readable_on(rng, faces[0]), mixed(faces[0], readable_on(rng, faces[0]), 0.5)
    signs = "0123456789" if rng.random() < 0.75 else "XOABCDEFGHIJKLMNOPQRSTUVWXYZ?*"
    signs = "".join(rng.choice(list(signs), int(rng.choice([1, 1, 2, 3, 5, 10]))))
    setting = Lettering(_plain_font(rng), float(rng.uniform(0.35, 0.7)))
    part, lined = float(rng.uniform(0.15, 1)), rng.random() < 0.8
    for _, _, left, top, right, bottom in places(canvas, wide, tall):
        which = int(rng.integers(len(faces)))
        cv2.rectangle(canvas, (left, top), (right, bottom), faces[which], -1)
        if lined:
            cv2.rectangle(canvas, (left, top), (right, bottom), line, 1)
        if rng.random() < part:
            sign, side = str(rng.choice(list(signs))), min(bottom - top, right - left)
            label(canvas, setting, sign, ink, (left + right) / 2, (top + bottom) / 2, side)


def _pegs(rng: Generator, canvas: Pixels, wide: float, tall: float) -> None:
    """Draw a board game of pegs and blocks: cells of one colour, some filled, with discs here and there."""
    sea, block = random_colour(rng), random_colour(rng)
    line = mixed(sea, readable_on(rng, sea), 0.4)
    discs = [random_colour(rng, (0, 1), (0.3, 1)) for _ in range(int(rng.integers(1, 4)))]
    size, filled, part = (
        float(rng.uniform(0.12, 0.42)),
        float(rng.uniform(0, 0.3)),
        float(rng.uniform(0.05, 0.7)),
    )
    for _, _, left, top, right, bottom in places(canvas, wide, tall):
        cv2.rectangle(canvas, (left, top), (right, bottom), block if rng.random() < filled else sea, -1)
        cv2.rectangle(canvas, (left, top), (right, bottom), line, 1)
        if rng.random() < part:
            ink, middle = discs[int(rng.integers(len(discs)))], ((left + right) // 2, (top + bottom) // 2)
            cv2.circle(canvas, middle, max(2, int(tall * size)), ink, -1, cv2.LINE_AA)


def _buttons(rng: Generator, canvas: Pixels, wide: float, tall: float) -> None:
    """Draw raised keys with signs in an ordinary font, or bricks of several colours without any."""
    signs = list("1234567890+-*/=.CMABCDEFGHIJKLMNOPQRSTUVWXYZ") if rng.random() < 0.7 else []
    faces = [random_colour(rng) for _ in range(1 if signs else int(rng.integers(3, 8)))]
    setting, gap = Lettering(_plain_font(rng), float(rng.uniform(0.3, 0.6))), float(rng.uniform(0, 0.12))
    bevel, radius = float(rng.choice([0, 0.06, 0.12])), float(rng.choice([0, 0.1, 0.3]))
    behind = tuple(float(c) for c in canvas[0, 0])
    drawn = [
        draw_ground(
            Ground(
                face,
                face,
                light=mixed(face, (255, 255, 255), 0.7),
                shadow=mixed(face, (0, 0, 0), 0.5),
                bevel=bevel,
                behind=behind,  # type: ignore[arg-type]
                gap=gap,
                radius=radius,
            ),
            64,
        )
        for face in faces
    ]
    for _, _, left, top, right, bottom in places(canvas, wide, tall):
        which, side = int(rng.integers(len(faces))), min(bottom - top, right - left)
        if not signs and rng.random() < 0.3:
            continue
        key = cv2.resize(drawn[which], (right - left, bottom - top), interpolation=cv2.INTER_AREA)
        canvas[top:bottom, left:right] = np.clip(key, 0, 255).astype(np.uint8)
        if signs:
            ink = readable_on(rng, faces[which])
            label(canvas, setting, str(rng.choice(signs)), ink, (left + right) / 2, (top + bottom) / 2, side)
