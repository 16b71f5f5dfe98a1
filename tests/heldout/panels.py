"""Pictures that know where their boards are, and what a program or a page puts beside a board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PIL import Image, ImageDraw

from heldout.canvas import (
    BLACK,
    PLAIN,
    WHITE,
    Colour,
    Rng,
    against,
    between,
    chance,
    darker,
    font,
    ink,
    lighter,
    mixed,
    pick,
)
from heldout.looks import Theme

Box = tuple[int, int, int, int]  # left, top, right, bottom


@dataclass(frozen=True, slots=True)
class Piece:
    """A picture (RGB), the boxes of the boards on it, and the boxes that hide what is below them."""

    image: Image.Image
    boards: tuple[Box, ...]
    hiding: tuple[Box, ...] = ()
    tags: tuple[str, ...] = ()

    def padded(self, left: int, top: int, right: int, bottom: int, colour: Colour) -> Piece:
        """Return the piece with margins of a colour."""
        width, height = self.image.size
        image = Image.new("RGB", (width + left + right, height + top + bottom), colour)
        image.paste(self.image, (left, top))
        return replace(
            self, image=image, boards=moved(self.boards, left, top), hiding=moved(self.hiding, left, top)
        )

    def cropped(self, box: Box) -> Piece:
        """Return what lies inside ``box``."""
        boards, hiding = (moved(boxes, -box[0], -box[1]) for boxes in (self.boards, self.hiding))
        return replace(self, image=self.image.crop(box), boards=boards, hiding=hiding)

    def tagged(self, *tags: str) -> Piece:
        """Return the piece with more tags."""
        return replace(self, tags=(*self.tags, *tags))

    def fitted(self, rng: Rng, width: int, height: int) -> Piece:
        """Return a part that is no larger than this and holds the boards and 24 pixels around them."""
        if self.image.width <= width and self.image.height <= height:
            return self
        sides = []
        for side, most, low, high in (
            (self.image.width, width, min(b[0] for b in self.boards), max(b[2] for b in self.boards)),
            (self.image.height, height, min(b[1] for b in self.boards), max(b[3] for b in self.boards)),
        ):
            start = max(0, min(high + 24, side) - most)
            end = max(start, min(low - 24, side - most))
            sides.append((at := int(rng.integers(start, end + 1)), min(side, at + most)))
        (x0, x1), (y0, y1) = sides
        return self.cropped((x0, y0, x1, y1))


def moved(boxes: Sequence[Box], dx: int, dy: int) -> tuple[Box, ...]:
    return tuple((x0 + dx, y0 + dy, x1 + dx, y1 + dy) for x0, y0, x1, y1 in boxes)


@dataclass(frozen=True, slots=True)
class Status:
    """What the surroundings tell of a game."""

    counter: int
    seconds: int
    state: str  # new, running, won or lost


def write(
    draw: ImageDraw.ImageDraw,
    x: float,
    y: float,
    text: str,
    face: str,
    size: float,
    colour: Colour,
    anchor: str = "lm",
) -> float:
    """Write a line around the height ``y``; return its width in pixels."""
    draw.text((x, y), text, colour, font(face, round(max(8.0, size), 1)), anchor=anchor)
    return float(font(face, round(max(8.0, size), 1)).getlength(text))


# Frames, labels and panels


def framed(rng: Rng, piece: Piece, theme: Theme) -> Piece:
    """Put the frame of the program around a board."""
    width = int(rng.integers(2, 7))
    if theme.frame == "bevel":
        dark, light = darker(theme.panel, 0.35), lighter(theme.panel, 0.8)
        inner = piece.padded(width, width, 0, 0, dark).padded(0, 0, width, width, light)
        margin = int(rng.integers(3, 9))
        return inner.padded(margin, margin, margin, margin, theme.panel)
    if theme.frame == "line":
        width = max(1, width // 3)
        return piece.padded(width, width, width, width, theme.ink)
    if theme.frame == "thick":
        width *= 2
        return piece.padded(width, width, width, width, darker(theme.accent, 0.4))
    return piece


def labelled(rng: Rng, piece: Piece, theme: Theme, rows: int, cols: int) -> Piece:
    """Write the names of rows and columns beside a board: numbers, or letters and numbers."""
    (x0, y0, x1, y1) = piece.boards[0]
    pitch_x, pitch_y = (x1 - x0) / cols, (y1 - y0) / rows
    side, start, letters = round(max(14, 0.9 * min(pitch_x, pitch_y))), int(rng.integers(2)), chance(rng, 0.5)
    height = min(0.5 * min(pitch_x, pitch_y), 18)
    wide = piece.padded(side + 4, side + 2, 4, 4, theme.page)
    draw, colour = ImageDraw.Draw(wide.image), mixed(theme.ink, theme.page, 0.25)
    (x0, y0, _, _) = wide.boards[0]
    for col in range(cols):
        text = chr(65 + col) if letters and cols <= 26 else str(col + start)
        write(draw, x0 + (col + 0.5) * pitch_x, side / 2, text, theme.face, height, colour, "mm")
    for row in range(rows):
        y = y0 + (row + 0.5) * pitch_y
        write(draw, side / 2, y, str(row + start), theme.face, height, colour, "mm")
    return wide.tagged("axis labels")


def _face(draw: ImageDraw.ImageDraw, x: float, y: float, r: float, state: str) -> None:
    yellow, edge = (255, 222, 40), max(1, round(r / 9))
    draw.ellipse((x - r, y - r, x + r, y + r), yellow, BLACK, edge)
    for side in (-1, 1):
        ex, ey, er = x + side * 0.36 * r, y - 0.22 * r, 0.13 * r
        if state == "won":
            draw.rectangle((ex - 2.2 * er, ey - 1.3 * er, ex + 2.2 * er, ey + 1.3 * er), BLACK)
        elif state == "lost":
            draw.line((ex - er, ey - er, ex + er, ey + er), BLACK, edge)
            draw.line((ex - er, ey + er, ex + er, ey - er), BLACK, edge)
        else:
            draw.ellipse((ex - er, ey - er, ex + er, ey + er), BLACK)
    if state == "lost":
        draw.arc((x - 0.45 * r, y + 0.25 * r, x + 0.45 * r, y + 0.9 * r), 190, 350, BLACK, edge)
    else:
        draw.arc((x - 0.5 * r, y - 0.4 * r, x + 0.5 * r, y + 0.6 * r), 20, 160, BLACK, edge)


def _counter(draw: ImageDraw.ImageDraw, box: Box, value: int, theme: Theme, icon: str, right: bool) -> None:
    """Draw a mine counter or a timer inside ``box``, at its right end if asked for."""
    x0, y0, x1, y1 = box
    middle, height = (y0 + y1) / 2, y1 - y0
    if theme.counter == "led":
        size = height * 0.72
        text = f"{value:03d}"
        left, top, far, low = ink("segments", "888")
        width = (far - left) * size + 8
        start = x1 - width if right else x0
        draw.rectangle((start, y0 + height * 0.08, start + width, y1 - height * 0.08), (10, 0, 0))
        for shown, colour in (("888", (70, 0, 0)), (text, (255, 30, 20))):
            draw.text(
                (start + 4, middle - (top + low) / 2 * size), shown, colour, font("segments", round(size, 1))
            )
        return
    words = {"mines": ("Mines", "Left", "Bombs", "Minen"), "time": ("Time", "Seconds", "Zeit", "Temps")}[icon]
    shown = str(value) if icon == "mines" else f"{value // 60}:{value % 60:02d}"
    if theme.counter == "icons":
        sign = "\U0001f4a3" if icon == "mines" else "⏱"
        at = x1 - height * 2.4 if right else x0
        write(draw, at, middle, sign, "symbols", height * 0.7, theme.ink)
        write(draw, at + height * 0.95, middle, shown, theme.face, height * 0.6, theme.ink)
        return
    text = f"{words[(x1 - x0) % 4]}: {shown}"
    start, anchor = (x1, "rm") if right else (x0, "lm")
    write(draw, start, middle, text, theme.face, min(height * 0.45, 26), theme.ink, anchor)


def panelled(rng: Rng, piece: Piece, theme: Theme, status: Status) -> Piece:
    """Add a mine counter, a face or a button, and a timer: above, below or at the side."""
    side = pick(rng, ("above", "above", "above", "below", "right", "left"))
    high = int(rng.integers(28, 64))
    faced = chance(rng, 0.6)
    if side in ("right", "left"):
        wide = high * 3 + 20
        grown = piece.padded(wide if side == "left" else 0, 0, wide if side == "right" else 0, 0, theme.panel)
        x0 = 10 if side == "left" else grown.image.width - wide + 10
        draw = ImageDraw.Draw(grown.image)
        _counter(draw, (x0, 8, x0 + wide - 20, 8 + high), status.counter, theme, "mines", False)
        if grown.image.height > 3.4 * high:
            _counter(
                draw, (x0, 16 + high, x0 + wide - 20, 16 + 2 * high), status.seconds, theme, "time", False
            )
            if faced:
                _face(draw, x0 + high, 24 + 2.5 * high, high * 0.42, status.state)
        return grown.tagged(f"panel {side}")
    least = round(high * (7.2 if theme.counter == "led" else 9))
    short = max(0, least - piece.image.width)
    grown = piece.padded(short // 2, 0, short - short // 2, 0, theme.panel)
    grown = grown.padded(
        0, high + 8 if side == "above" else 0, 0, high + 8 if side == "below" else 0, theme.panel
    )
    y0 = 4 if side == "above" else grown.image.height - high - 4
    width, draw = grown.image.width, ImageDraw.Draw(grown.image)
    first, last = ("mines", status.counter), ("time", status.seconds)
    if chance(rng, 0.25):
        first, last = last, first
    _counter(draw, (8, y0, width // 2 - high, y0 + high), first[1], theme, first[0], False)
    _counter(draw, (width // 2 + high, y0, width - 8, y0 + high), last[1], theme, last[0], True)
    if faced:
        if chance(rng, 0.6):
            draw.rectangle(
                (width / 2 - high * 0.48, y0 + 1, width / 2 + high * 0.48, y0 + high - 1),
                lighter(theme.panel, 0.3),
                darker(theme.panel, 0.4),
            )
        _face(draw, width / 2, y0 + high / 2, high * 0.36, status.state)
    return grown.tagged(f"panel {side}", *(["face"] if faced else []))


# Words and controls

_TEXT = (
    "open every square that hides no mine and do not touch the others a number says how many of its "
    "neighbours are mined right click to place a flag the first click is always safe press space for a "
    "new game best times are kept for each level share your score with friends daily challenge settings "
    "sound off Spielfeld neu starten nouveau jeu meilleur temps nuevo juego ayuda campo minato "
    "classifica opzioni "
)
WORDS = tuple(_TEXT.split())


def paragraph(draw: ImageDraw.ImageDraw, rng: Rng, box: Box, face: str, size: float, colour: Colour) -> None:
    """Fill a box with lines of words."""
    x0, y0, x1, y1 = box
    y = y0 + size
    while y < y1 - size / 2:
        x, end = float(x0), x0 + (x1 - x0) * between(rng, 0.7, 1)
        while True:
            word = pick(rng, WORDS) + " "
            if x + font(face, round(size, 1)).getlength(word) > end:
                break
            x += write(draw, x, y, word, face, size, colour)
        y += size * 1.5


def button(draw: ImageDraw.ImageDraw, x: float, y: float, text: str, theme: Theme, size: float) -> float:
    width = font(theme.face, round(size, 1)).getlength(text) + size * 1.4
    draw.rounded_rectangle((x, y - size, x + width, y + size), size * 0.3, theme.accent)
    write(draw, x + width / 2, y, text, theme.face, size, against(WHITE, theme.accent, ratio=4), "mm")
    return float(width) + 8


def table(draw: ImageDraw.ImageDraw, rng: Rng, box: Box, theme: Theme) -> None:
    """Draw a list of best times, a calendar, a keypad or a list of links."""
    x0, y0, x1, y1 = box
    kind, face = pick(rng, ("times", "times", "calendar", "keypad", "links")), pick(rng, PLAIN)
    line = mixed(theme.page, theme.ink, 0.25)
    if kind in ("calendar", "keypad"):
        cols, rows = (7, 5) if kind == "calendar" else (3, 4)
        step = min((x1 - x0) // cols, (y1 - y0) // rows, 46)
        for at in range(cols * rows if step >= 16 else 0):
            x, y = x0 + at % cols * step, y0 + at // cols * step
            if kind == "keypad":
                draw.rounded_rectangle(
                    (x + 2, y + 2, x + step - 2, y + step - 2), 4, lighter(theme.panel, 0.2), line
                )
            text = "789456123C0="[at] if kind == "keypad" else str(at + 1) if at < 31 else ""
            write(draw, x + step / 2, y + step / 2, text, face, step * 0.42, theme.ink, "mm")
        return
    step, size = int(rng.integers(20, 34)), between(rng, 11, 15)
    for at in range((y1 - y0) // step):
        middle = y0 + (at + 0.5) * step
        if at % 2 and kind == "times":
            draw.rectangle((x0, middle - step / 2, x1, middle + step / 2), mixed(theme.page, theme.ink, 0.06))
        if kind == "times":
            write(draw, x0 + 6, middle, f"{at + 1}.  {pick(rng, WORDS)}", face, size, theme.ink)
            write(draw, x1 - 6, middle, f"{between(rng, 8, 99):.2f}", face, size, theme.ink, "rm")
        else:
            write(draw, x0 + 6, middle, pick(rng, WORDS).title(), face, size, theme.accent)
        draw.line((x0, middle + step / 2, x1, middle + step / 2), line)
