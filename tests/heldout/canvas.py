"""Chance, colours, fonts (files of a few Debian packages), and the picture of one cell while it is drawn."""

from __future__ import annotations

import colorsys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from font_files import font_files

T = TypeVar("T")
Colour = tuple[int, int, int]  # red, green, blue
Rgb = npt.NDArray[np.uint8]
Rng = np.random.Generator
Mark = Callable[["Patch"], None]

BLACK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)
_FINE = 4  # times as fine as the screen smooth art is drawn
FILES = {  # name: package of Debian, stem of the file
    "b612": ("fonts-b612", "B612-Regular"),
    "b612 bold": ("fonts-b612", "B612-Bold"),
    "b612 mono": ("fonts-b612", "B612Mono-Bold"),
    "sans": ("fonts-urw-base35", "NimbusSans-Regular"),
    "sans bold": ("fonts-urw-base35", "NimbusSans-Bold"),
    "narrow bold": ("fonts-urw-base35", "NimbusSansNarrow-Bold"),
    "mono bold": ("fonts-urw-base35", "NimbusMonoPS-Bold"),
    "roman bold": ("fonts-urw-base35", "NimbusRoman-Bold"),
    "gothic": ("fonts-urw-base35", "URWGothic-Book"),
    "gothic bold": ("fonts-urw-base35", "URWGothic-Demi"),
    "bookman bold": ("fonts-urw-base35", "URWBookman-Demi"),
    "palatino": ("fonts-urw-base35", "P052-Roman"),
    "schoolbook bold": ("fonts-urw-base35", "C059-Bold"),
    "caladea bold": ("fonts-crosextra-caladea", "Caladea-Bold"),
    "carlito": ("fonts-crosextra-carlito", "Carlito-Regular"),
    "carlito bold": ("fonts-crosextra-carlito", "Carlito-Bold"),
    "old standard bold": ("fonts-oldstandard", "OldStandard-Bold"),
    "mononoki": ("fonts-mononoki", "mononoki-Regular"),
    "mononoki bold": ("fonts-mononoki", "mononoki-Bold"),
    "play": ("fonts-play", "Play-Regular"),
    "play bold": ("fonts-play", "Play-Bold"),
    "segments": ("fonts-dseg", "DSEG7Classic-Bold"),
    "symbols": ("fonts-symbola", "Symbola_hint"),
    "narrow": ("fonts-urw-base35", "NimbusSansNarrow-Regular"),
    "chancery": ("fonts-urw-base35", "Z003-MediumItalic"),
    "palatino bold": ("fonts-urw-base35", "P052-Bold"),
    "light bookman": ("fonts-urw-base35", "URWBookman-Light"),
    "sans slanted": ("fonts-urw-base35", "NimbusSans-BoldItalic"),
    "caladea": ("fonts-crosextra-caladea", "Caladea-Regular"),
    "old standard": ("fonts-oldstandard", "OldStandard-Regular"),
    "segments 14": ("fonts-dseg", "DSEG14Classic-Bold"),
}
PLAIN = ("b612", "sans", "gothic", "carlito", "play", "mononoki", "palatino")
BOLD = (
    "b612 bold",
    "sans bold",
    "narrow bold",
    "gothic bold",
    "bookman bold",
    "schoolbook bold",
    "caladea bold",
    "carlito bold",
    "mononoki bold",
    "play bold",
    "roman bold",
)


def pick(rng: Rng, things: Sequence[T]) -> T:
    """Return one of ``things``."""
    return things[int(rng.integers(len(things)))]


def between(rng: Rng, low: float, high: float) -> float:
    """Return a number in this range."""
    return float(rng.uniform(low, high))


def chance(rng: Rng, share: float) -> bool:
    """Return True in this share of the cases."""
    return bool(rng.random() < share)


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """Return a colour with this share of ``other``."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def lighter(colour: Colour, share: float) -> Colour:
    """Return the colour with this share of white."""
    return mixed(colour, WHITE, share)


def darker(colour: Colour, share: float) -> Colour:
    """Return the colour with this share of black."""
    return mixed(colour, BLACK, share)


def tones(text: str) -> tuple[Colour, ...]:
    """Return the colours written in ``text``, six hexadecimal digits each."""
    return tuple((int(c[:2], 16), int(c[2:4], 16), int(c[4:], 16)) for c in text.split())


def hsv(hue: float, saturation: float, value: float) -> Colour:
    """Return the colour of this hue (in turns), saturation and value (0 to 1)."""
    red, green, blue = (
        round(255 * part) for part in colorsys.hsv_to_rgb(hue % 1, min(1, saturation), min(1, value))
    )
    return red, green, blue


def luminance(colour: Colour) -> float:
    """Return how light the colour looks, 0 to 1."""
    parts = [float((part / 255) ** 2.2) for part in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast of two colours, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def against(colour: Colour, *grounds: Colour, ratio: float = 2.8) -> Colour:
    """Return the colour, made lighter or darker until it can be read on all ``grounds``."""
    goal = max((BLACK, WHITE), key=lambda end: min(contrast(end, ground) for ground in grounds))
    for step in range(21):
        candidate = mixed(colour, goal, step / 20)
        if min(contrast(candidate, ground) for ground in grounds) >= ratio:
            return candidate
    return goal


@cache
def _font_file(name: str) -> Path:
    packages: dict[str, list[str]] = {}
    for package, stem in FILES.values():
        packages.setdefault(package, []).append(stem)
    return font_files(packages)[FILES[name][1]]


@cache
def font(name: str, size: float) -> ImageFont.FreeTypeFont:
    """Return a font at ``size`` pixels. Raises MissingFontsError if one of `FILES` is not installed."""
    return ImageFont.truetype(_font_file(name), size, layout_engine=ImageFont.Layout.BASIC)


@cache
def ink(name: str, text: str) -> tuple[float, float, float, float]:
    """Return the box of a text's ink (left, top, right, bottom) at size 1, from where it is drawn."""
    left, top, right, bottom = font(name, 200.0).getbbox(text)
    return left / 200, top / 200, right / 200, bottom / 200


class Patch:
    """The picture of one cell while it is drawn, in pixels of the screen from its top left.

    Art is drawn inside ``left`` to ``right`` and ``top`` to ``bottom``, which leave the gap out. ``parity``
    tells the two colours of a checkerboard apart; ``rng`` makes what is drawn by hand uneven.
    """

    def __init__(
        self, size: tuple[int, int], ground: Colour, gap: int, smooth: bool, parity: int, rng: Rng
    ) -> None:
        self.zoom, self.parity, self.rng = _FINE if smooth else 1, parity, rng
        self.width, self.height = size
        self.left = self.top = float(gap // 2)
        self.right, self.bottom = (side - (gap - gap // 2) for side in (float(size[0]), float(size[1])))
        self.cx, self.cy = (self.left + self.right) / 2, (self.top + self.bottom) / 2
        self.size = min(self.right - self.left, self.bottom - self.top)
        self._image = Image.new("RGB", (size[0] * self.zoom, size[1] * self.zoom), ground)
        self._late: list[tuple[str, str, float, Colour, float, float, bool]] = []

    def _points(self, points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        if self.zoom == 1:
            return [(float(round(x)), float(round(y))) for x, y in points]
        return [(x * self.zoom, y * self.zoom) for x, y in points]

    def _paint(
        self, colour: Colour, alpha: float, blur: float, shape: Callable[[ImageDraw.ImageDraw, int], None]
    ) -> None:
        mask = Image.new("L", self._image.size, 0)
        shape(ImageDraw.Draw(mask), round(255 * alpha))
        if blur:
            mask = mask.filter(ImageFilter.GaussianBlur(blur * self.zoom))
        self._image.paste(colour, (0, 0), mask)

    def box(
        self,
        colour: Colour,
        *,
        inset: float = 0,
        at: tuple[float, float, float, float] | None = None,
        radius: float = 0,
        alpha: float = 1,
        blur: float = 0,
        shift: tuple[float, float] = (0, 0),
    ) -> None:
        """Fill a rectangle: the whole inside less ``inset``, or ``at`` (left, top, right, bottom)."""
        left, top, right, bottom = at or (self.left, self.top, self.right, self.bottom)
        corners = [(left + inset + shift[0], top + inset + shift[1])]
        corners.append((right - inset + shift[0], bottom - inset + shift[1]))
        (x0, y0), (x1, y1) = self._points(corners)
        if x1 - x0 < 1 or y1 - y0 < 1:
            return
        place, round_by = (x0, y0, x1 - 1, y1 - 1), radius * self.zoom

        def rectangle(draw: ImageDraw.ImageDraw, level: int) -> None:
            if round_by >= 1:
                draw.rounded_rectangle(place, round_by, level)
            else:
                draw.rectangle(place, level)

        self._paint(colour, alpha, blur, rectangle)

    def oval(
        self,
        colour: Colour,
        x: float,
        y: float,
        rx: float,
        ry: float | None = None,
        *,
        alpha: float = 1,
    ) -> None:
        """Fill an ellipse around (x, y)."""
        ry = rx if ry is None else ry
        (x0, y0), (x1, y1) = self._points([(x - rx, y - ry), (x + rx, y + ry)])
        place = (x0, y0, max(x0, x1 - 1), max(y0, y1 - 1))
        self._paint(colour, alpha, 0, lambda draw, level: draw.ellipse(place, level))

    def shape(self, colour: Colour, points: Sequence[tuple[float, float]]) -> None:
        """Fill a polygon."""
        corners = self._points(points)
        self._paint(colour, 1, 0, lambda draw, level: draw.polygon(corners, level))

    def stroke(self, colour: Colour, points: Sequence[tuple[float, float]], width: float) -> None:
        """Draw a line with round ends through ``points``."""
        places, thick = self._points(points), max(1, round(width * self.zoom))

        def line(draw: ImageDraw.ImageDraw, level: int) -> None:
            draw.line(places, level, thick, joint="curve")
            if thick > 2:
                for x, y in places:
                    draw.ellipse((x - thick / 2, y - thick / 2, x + thick / 2 - 1, y + thick / 2 - 1), level)

        self._paint(colour, 1, 0, line)

    def text(
        self,
        text: str,
        name: str,
        height: float,
        colour: Colour,
        *,
        shift: tuple[float, float] = (0, 0),
        late: bool = False,
        fringed: bool = False,
        blur: float = 0,
        alpha: float = 1,
    ) -> None:
        """Write a text whose ink is ``height`` pixels high in the middle.

        ``late``: as screens write text; ``fringed``: so, with the coloured edges of flat screens.
        """
        if late or fringed:
            self._late.append((text, name, height, colour, *shift, fringed))
            return
        left, top, right, bottom = ink(name, text)
        size = height / (bottom - top) * self.zoom
        x = (self.cx + shift[0]) * self.zoom - (left + right) / 2 * size
        y = (self.cy + shift[1]) * self.zoom - (top + bottom) / 2 * size

        def write(draw: ImageDraw.ImageDraw, level: int) -> None:
            draw.fontmode = "1" if self.zoom == 1 else "L"
            draw.text((x, y), text, level, font(name, size))

        self._paint(colour, alpha, blur, write)

    def gradient(
        self, start: Colour, end: Colour, *, radius: float = 0, inset: float = 0, angle: str = "down"
    ) -> None:
        """Fill the inside with colours from ``start`` to ``end``: down, diagonal or radial."""
        height, width = self._image.height, self._image.width
        y, x = np.mgrid[0:height, 0:width] / self.zoom
        across = (x - self.left) / (self.right - self.left)
        down = (y - self.top) / (self.bottom - self.top)
        share = {
            "down": down,
            "diagonal": (across + down) / 2,
            "radial": 1.3 * np.hypot(across - 0.45, down - 0.4),
        }[angle]
        share = np.clip(share, 0, 1)[..., None]
        colours = np.array(start) * (1 - share) + np.array(end) * share
        filled = Image.fromarray(np.asarray(colours + 0.5, np.uint8))
        mask = Image.new("L", self._image.size, 0)
        corners = [(self.left + inset, self.top + inset), (self.right - inset, self.bottom - inset)]
        (x0, y0), (x1, y1) = self._points(corners)
        ImageDraw.Draw(mask).rounded_rectangle((x0, y0, x1 - 1, y1 - 1), radius * self.zoom, 255)
        self._image.paste(filled, (0, 0), mask)

    def picture(self, pixels: Rgb) -> None:
        """Fill the inside with a picture, uint8 (height, width, 3) RGB, in hard squares."""
        places = [(self.left, self.top), (self.right, self.bottom)]
        (x0, y0), (x1, y1) = ((round(x), round(y)) for x, y in self._points(places))
        shown = Image.fromarray(pixels).resize((x1 - x0, y1 - y0), Image.Resampling.NEAREST)
        self._image.paste(shown, (x0, y0))

    def noise(self, amount: float, grain: int = 1) -> None:
        """Make what is drawn so far uneven by up to ``amount`` of 255, in grains of so many pixels."""
        size = (-(-self.height // grain), -(-self.width // grain))
        rough = self.rng.normal(0, amount / 2, size).repeat(grain * self.zoom, 0).repeat(grain * self.zoom, 1)
        pixels = np.asarray(self._image, np.float64)
        pixels = pixels + rough[: pixels.shape[0], : pixels.shape[1], None]
        self._image = Image.fromarray(np.asarray(np.clip(pixels, 0, 255), np.uint8))

    def finished(self) -> Rgb:
        """Return the drawn cell, uint8 (height, width, 3) RGB."""
        image = self._image
        if self.zoom > 1:
            image = image.resize((self.width, self.height), Image.Resampling.BOX)
        for text, name, height, colour, dx, dy, fringed in self._late:
            left, top, right, bottom = ink(name, text)
            size = height / (bottom - top)
            x, y = self.cx + dx - (left + right) / 2 * size, self.cy + dy - (top + bottom) / 2 * size
            if not fringed:
                ImageDraw.Draw(image).text((x, y), text, colour, font(name, round(size, 2)))
                continue
            fine = Image.new("L", (3 * self.width, 3 * self.height), 0)
            ImageDraw.Draw(fine).text((3 * x, 3 * y), text, 255, font(name, round(3 * size, 2)))
            wide = (
                np.asarray(fine.resize((3 * self.width, self.height), Image.Resampling.BOX), np.float64) / 255
            )
            spread = np.apply_along_axis(np.convolve, 1, wide, np.array((1, 2, 3, 2, 1)) / 9, "same")
            share = spread.reshape(self.height, self.width, 3)  # a third of a pixel for each colour
            mixture = np.asarray(image, np.float64) * (1 - share) + np.array(colour) * share
            image = Image.fromarray(np.asarray(mixture + 0.5, np.uint8))
        return np.asarray(image)
