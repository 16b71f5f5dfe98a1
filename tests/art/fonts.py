"""Letters for the numbers and question marks: files of fixed fonts, cv2's, pixels and segments.

Files are drawn smooth ("file") or as small screens did it, without grey ("bitmap").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from art.ink import Generator, Mask, Outline, blank, box, grown, polygon, stroke
from displays import STROKES
from font_files import font_files

_FILES = {  # by package of Debian
    "fonts-dejavu-core": (
        "DejaVuSans DejaVuSans-Bold DejaVuSansMono DejaVuSansMono-Bold DejaVuSerif DejaVuSerif-Bold"
    ),
    "fonts-liberation2": (
        "LiberationSans-Regular LiberationSans-Bold LiberationSans-Italic LiberationSans-BoldItalic "
        "LiberationMono-Regular LiberationMono-Bold LiberationSerif-Regular LiberationSerif-Bold "
        "LiberationSerif-Italic"
    ),
    "fonts-freefont-ttf": (
        "FreeSans FreeSansBold FreeSansOblique FreeMono FreeMonoBold FreeSerif FreeSerifBold FreeSerifItalic"
    ),
    "fonts-roboto-unhinted": (
        "Roboto-Regular Roboto-Bold Roboto-Italic Roboto-Light Roboto-Medium Roboto-Black "
        "RobotoCondensed-Regular RobotoCondensed-Bold"
    ),
    "fonts-lato": "Lato-Regular Lato-Bold Lato-Italic Lato-Light Lato-Heavy Lato-Black",
    "fonts-open-sans": (
        "OpenSans-Regular OpenSans-Bold OpenSans-Italic OpenSans-Light OpenSans-ExtraBold "
        "OpenSans-CondBold OpenSans-CondLight"
    ),
    "fonts-inconsolata": "Inconsolata",
    "fonts-hack": "Hack-Regular Hack-Bold Hack-Italic",
    "fonts-cantarell": "Cantarell-Regular Cantarell-Bold Cantarell-ExtraBold Cantarell-Light",
    "fonts-comic-neue": "ComicNeue-Regular ComicNeue-Bold ComicNeue-Light",
    "fonts-quicksand": "Quicksand-Regular Quicksand-Medium Quicksand-Bold Quicksand-Light",
}
_HELD_OUT = ("LiberationSerif", "Cantarell", "Quicksand")  # families that training leaves out
_HERSHEY = (0, 1, 2, 3, 4, 6, 0 | 16, 4 | 16)  # FONT_HERSHEY_..., some in italics
_PIXELS = {  # digits of 5 x 7 dots, one hexadecimal pair a row
    "dots": {
        "0": "0e11131519110e", "1": "040c040404040e", "2": "0e11010204081f", "3": "1f02040201110e",
        "4": "02060a121f0202", "5": "1f101e0101110e", "6": "0608101e11110e", "7": "1f010204080808",
        "8": "0e11110e11110e", "9": "0e11110f01020c", "?": "0e110102040004", "-": "0000001f000000",
    },
    "square": {
        "0": "1f11111111111f", "1": "0c04040404041f", "2": "1f01011f10101f", "3": "1f01011f01011f",
        "4": "1111111f010101", "5": "1f10101f01011f", "6": "1f10101f11111f", "7": "1f010102040404",
        "8": "1f11111f11111f", "9": "1f11111f01011f", "?": "1e010106040004", "-": "0000001f000000",
    },
}  # fmt: skip
_KINDS = ("file", "file", "file", "file", "bitmap", "hershey", "pixels", "blocks")


@dataclass(frozen=True, slots=True)
class Font:
    """A font: its kind (file, bitmap, hershey, pixels, segments, blocks) and which one of that kind."""

    kind: str
    name: str

    @property
    def held_out(self) -> bool:
        """Whether training leaves it out, with all of its family."""
        return self.name.split("-")[0] in _HELD_OUT


@dataclass(frozen=True, slots=True)
class Lettering:
    """How a font is set: measures in parts of a cell, ``bold`` is ink added on all sides."""

    font: Font
    height: float
    x: float = 0.5
    y: float = 0.5
    squeeze: float = 1.0
    slant: float = 0.0
    bold: float = 0.0


@cache
def _files() -> Mapping[str, Path]:
    return font_files({package: names.split() for package, names in _FILES.items()})


def random_font(rng: Generator, held_out: bool, kinds: tuple[str, ...] = ()) -> Font:
    """Return a font of any kind (or of ``kinds``) that training uses, or one that it never sees."""
    while True:
        kind = str(rng.choice(kinds or _KINDS))
        font = Font(kind, _any_name(rng, kind))
        if kind in ("segments", "blocks", "pixels"):  # drawn with random measures, so always new
            return font
        if font.held_out == held_out:
            return font


def _any_name(rng: Generator, kind: str) -> str:
    if kind in ("file", "bitmap"):
        return str(rng.choice(list(_files())))
    if kind == "hershey":
        return str(rng.choice(_HERSHEY))
    if kind == "pixels":
        return str(rng.choice(list(_PIXELS)))
    return "".join(str(digit) for digit in rng.integers(0, 10, 4))  # its measures, as digits


def letter(lettering: Lettering, text: str, size: int) -> Mask:
    """Return the mask of a character on a square canvas of ``size`` pixels."""
    height = max(5, round(lettering.height * size))
    ink = _ink(lettering.font, text, height)
    ink = _shaped(ink, lettering, _cap(lettering.font, height), height)
    ink = grown(ink, lettering.bold * size / max(ink.shape[0], 1)) if lettering.bold else ink
    return _placed(ink, lettering, size)


@cache
def _cap(font: Font, height: int) -> int:
    return int(_ink(font, "8", height).shape[0]) or height


def _shaped(ink: Mask, lettering: Lettering, cap: int, height: int) -> Mask:
    """Return the ink stretched so that an 8 has the height asked for, squeezed and slanted, with a margin."""
    if lettering.font.kind == "bitmap":  # every dot is a pixel: nothing may be stretched
        return np.pad(ink, 2)
    scale, rows, cols = height / cap, ink.shape[0], ink.shape[1]
    tall, wide = max(1, round(rows * scale)), max(1, round(cols * scale * lettering.squeeze))
    flags = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    if (tall, wide) != (rows, cols):
        ink = np.asarray(cv2.resize(ink, (wide, tall), interpolation=flags), dtype=np.float32)
    pad = max(2, height // 4)
    ink = np.pad(ink, pad)
    if lettering.slant:
        matrix = np.array([[1, -lettering.slant, lettering.slant * ink.shape[0] / 2], [0, 1, 0.0]])
        ink = np.asarray(cv2.warpAffine(ink, matrix, ink.shape[::-1]), dtype=np.float32)
    return ink


def _placed(ink: Mask, lettering: Lettering, size: int) -> Mask:
    mask = blank(size)
    rows, cols = ink.shape
    top, left = round(lettering.y * size - rows / 2), round(lettering.x * size - cols / 2)
    inner_top, inner_left = max(0, -top), max(0, -left)
    tall, wide = min(rows - inner_top, size - max(0, top)), min(cols - inner_left, size - max(0, left))
    if tall > 0 and wide > 0:
        part = ink[inner_top : inner_top + tall, inner_left : inner_left + wide]
        mask[max(0, top) : max(0, top) + tall, max(0, left) : max(0, left) + wide] = part
    return mask


@cache
def _ink(font: Font, text: str, height: int) -> Mask:
    """Return the ink of a character about ``height`` pixels high, cut at its edges."""
    draw = {"file": _file_ink, "bitmap": _bitmap_ink, "hershey": _hershey_ink, "pixels": _pixel_ink}.get(
        font.kind, _segment_ink
    )
    ink = draw(font.name, text, height)
    rows, cols = (np.flatnonzero(ink.max(axis=axis) > 0.2) for axis in (1, 0))
    if not len(rows):
        raise ValueError(f"the font {font.name} draws nothing for {text!r}")
    return np.ascontiguousarray(ink[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1])


@cache
def _loaded(name: str, height: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(_files()[name]), height)


def _file_ink(name: str, text: str, height: int) -> Mask:
    picture = Image.new("L", (3 * height, 3 * height))
    ImageDraw.Draw(picture).text((height, height), text, fill=255, font=_loaded(name, round(height * 1.4)))
    return np.asarray(np.asarray(picture, dtype=np.float32) / 255, dtype=np.float32)


def _bitmap_ink(name: str, text: str, height: int) -> Mask:
    picture = Image.new("1", (3 * height, 3 * height))
    ImageDraw.Draw(picture).text((height, height), text, fill=1, font=_loaded(name, round(height * 1.4)))
    return np.asarray(picture, dtype=np.float32)


def _hershey_ink(name: str, text: str, height: int) -> Mask:
    mask = np.zeros((3 * height, 3 * height), np.uint8)
    thickness = max(1, height // 7)
    cv2.putText(mask, text, (height, 2 * height), int(name), height / 22, 255, thickness, cv2.LINE_AA)
    return np.asarray(mask.astype(np.float32) / 255, dtype=np.float32)


def _pixel_ink(name: str, text: str, height: int) -> Mask:
    code = bytes.fromhex(_PIXELS[name][text])
    dots = np.array([[row >> bit & 1 for bit in range(4, -1, -1)] for row in code], np.float32)
    return np.asarray(np.kron(dots, np.ones((max(1, height // 7),) * 2)), dtype=np.float32)


def _segment_ink(name: str, text: str, height: int) -> Mask:
    """Return a digit of bars; the four digits of the name say how thick, wide, cut and slanted they are."""
    thick, wide, cut, kind = (int(digit) / 9 for digit in name)
    mask = blank(height)
    width, bar = 0.45 + 0.3 * wide, 0.11 + 0.13 * thick
    if text == "?":
        return _bar_question(height, width, bar)
    if kind < 0.5 and text in "147":
        return _slanted(height, text, width, bar)
    for segment in STROKES[text]:
        mask = np.maximum(mask, _bar(height, segment, width, bar, 0.02 + 0.06 * cut if kind > 0.7 else 0))
    return mask


def _bar(size: int, segment: str, width: float, bar: float, gap: float) -> Mask:
    middle = 0.5 - bar / 2
    left, top, right, bottom = {
        "a": (0, 0, width, bar), "g": (0, middle, width, middle + bar), "d": (0, 1 - bar, width, 1),
        "f": (0, 0, bar, 0.5), "b": (width - bar, 0, width, 0.5),
        "e": (0, 0.5, bar, 1), "c": (width - bar, 0.5, width, 1),
    }[segment]  # fmt: skip
    if not gap:
        return box(size, left, top, right, bottom)
    return polygon(size, _pointed((left, top, right, bottom), gap, bar / 2, flat=segment in "adg"))


def _pointed(edges: tuple[float, float, float, float], gap: float, half: float, flat: bool) -> Outline:
    """Return a bar with pointed ends and a gap to the next bars, as on a real display."""
    left, top, right, bottom = edges if flat else (edges[1], edges[0], edges[3], edges[2])
    middle, start, end = (top + bottom) / 2, left + gap, right - gap
    corners = (
        (start, middle),
        (start + half, top),
        (end - half, top),
        (end, middle),
        (end - half, bottom),
        (start + half, bottom),
    )
    return corners if flat else tuple((y, x) for x, y in corners)


def _slanted(size: int, text: str, width: float, bar: float) -> Mask:
    half, middle = bar / 2, width / 2
    lines: dict[str, tuple[Outline, ...]] = {
        "1": (
            ((middle, 0), (middle, 1)),
            ((middle, half), (middle - bar * 1.4, bar * 1.6)),
            ((0.05, 1 - half), (width - 0.05, 1 - half)),
        ),
        "4": (
            ((width - bar, 0), (width - bar, 1)),
            ((half, 0.6), (width, 0.6)),
            ((middle, 0), (half, 0.6)),
        ),
        "7": (((0, half), (width, half)), ((width - half, half), (width * 0.4, 1))),
    }
    return np.asarray(np.maximum.reduce([stroke(size, line, bar) for line in lines[text]]), dtype=np.float32)


def _bar_question(size: int, width: float, bar: float) -> Mask:
    half, right = bar / 2, width - bar / 2
    hook = ((half, 0.3), (half, half), (right, half), (right, 0.42), (width / 2, 0.5), (width / 2, 0.72))
    dot = box(size, width / 2 - half, 1 - bar, width / 2 + half, 1)
    return np.asarray(np.maximum(stroke(size, hook, bar), dot), dtype=np.float32)
