"""Films: the pictures of one game in one file, each as what has changed since the one before.

A film is an animated PNG (the W3C's Portable Network Graphics, third edition), so any browser shows it. Its
first frame is the whole picture; in every later one the pixels that are as before are transparent, and only
the smallest rectangle around the others is there. A round of an expert game takes about 200 bytes so, where a
PNG of its own takes 36,000.

The file is whole after each picture: its end is overwritten by the next one in a single write.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import FileIO
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bot.geometry import Pixels, Rect
from bot.record.lines import append_whole

SIGNATURE = b"\x89PNG\r\n\x1a\n"
DELAY = (1, 2)  # seconds for which a viewer shows a picture, as numerator and denominator
LEVEL = 6  # of compression: half the size of 1 for the same time
_COUNT_AT = len(SIGNATURE) + 25  # where the chunk begins that says how many frames there are
_COLOURS = 4  # red, green, blue, opacity

Layer = npt.NDArray[np.uint8]


def chunk(kind: bytes, content: bytes) -> bytes:
    """Return a chunk of a PNG: its length, kind, content and checksum."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


END = chunk(b"IEND", b"")


def changed(new: Pixels, old: Pixels) -> tuple[Rect, Layer]:
    """Return where two BGR pictures of one size differ, and the new one there, RGBA.

    It is clear where nothing has changed. Of pictures that do not differ it is one clear pixel.
    """
    differs = new != old
    mask = differs[..., 0] | differs[..., 1] | differs[..., 2]  # ten times as fast as any()
    rows, cols = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return Rect(0, 0, 1, 1), np.zeros((1, 1, _COLOURS), np.uint8)
    box = Rect(int(cols[0]), int(rows[0]), int(cols[-1] - cols[0]) + 1, int(rows[-1] - rows[0]) + 1)
    mask = mask[box.y : box.bottom, box.x : box.right]
    layer = _opaque(new[box.y : box.bottom, box.x : box.right])
    layer[~mask] = 0
    return box, layer


def header(width: int, height: int) -> bytes:
    """Return the first chunk of a PNG of RGBA pixels."""
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))


def _opaque(pixels: Pixels) -> Layer:
    layer = np.full((*pixels.shape[:2], _COLOURS), 255, np.uint8)
    layer[..., :3] = pixels[..., ::-1]
    return layer


class FilmWriter:
    """Writes a film picture by picture; all are of the size of the first.

    Raises OSError if it cannot be written; what was written before stays readable.
    """

    def __init__(self, path: Path, first: Pixels) -> None:
        self._last: Pixels | None = None
        self._count = self._sequence = 0
        height, width = first.shape[:2]
        self._file = FileIO(path, "xb")
        self._whole = 0  # up to here it is written
        try:
            self._write(SIGNATURE + header(width, height) + self._counted())
        except OSError:
            self._file.close()
            raise

    def add(self, pixels: Pixels) -> None:
        """Append a picture, uint8 BGR of shape (height, width, 3)."""
        if self._last is None:
            box, layer = Rect(0, 0, pixels.shape[1], pixels.shape[0]), _opaque(pixels)
        else:
            box, layer = changed(pixels, self._last)
        packed = zlib.compress(_filtered(layer), LEVEL)
        place = struct.pack(">5I", self._next(), box.width, box.height, box.x, box.y)
        control = chunk(b"fcTL", place + struct.pack(">HHBB", *DELAY, 0, int(self._last is not None)))
        if self._last is None:
            data = chunk(b"IDAT", packed)
        else:
            data = chunk(b"fdAT", struct.pack(">I", self._next()) + packed)
        self._write(control + data, END)
        self._last, self._count = pixels, self._count + 1
        self._file.seek(_COUNT_AT)
        self._file.write(self._counted())

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _next(self) -> int:
        self._sequence += 1
        return self._sequence - 1

    def _counted(self) -> bytes:
        return chunk(b"acTL", struct.pack(">II", self._count, 1))  # shown once

    def _write(self, content: bytes, end: bytes = b"") -> None:
        """Append ``content``; ``end`` comes after it, and is overwritten by what follows."""
        self._file.seek(self._whole)
        append_whole(self._file, content + end)
        self._whole += len(content)


def _filtered(layer: Layer) -> bytes:
    """Return the rows of a layer as a PNG has them: each begins with the number of its filter, here none."""
    height, width = layer.shape[:2]
    rows = np.zeros((height, 1 + width * _COLOURS), np.uint8)
    rows[:, 1:] = layer.reshape(height, -1)
    return rows.tobytes()


@dataclass(frozen=True, slots=True)
class FilmFrame:
    """One frame of a film: where it lies in the picture, and its pixels as compressed rows."""

    box: Rect
    packed: bytes

    @property
    def layer(self) -> Layer:
        """Its pixels, RGBA of the box's size. Raises ValueError if they are damaged."""
        try:
            rows = np.frombuffer(zlib.decompress(self.packed), np.uint8)
        except zlib.error as error:
            raise ValueError(str(error)) from error
        table = rows.reshape(self.box.height, 1 + self.box.width * _COLOURS)
        return table[:, 1:].reshape(self.box.height, self.box.width, _COLOURS)


def read_frames(data: bytes) -> Iterator[FilmFrame]:
    """Iterate over the frames of a film that ``FilmWriter`` wrote, up to the last that is whole."""
    box = None
    for kind, content in _chunks(data):
        if kind == b"fcTL":
            width, height, x, y = struct.unpack_from(">4I", content, 4)
            box = Rect(x, y, width, height)
        elif kind in (b"IDAT", b"fdAT") and box is not None:
            yield FilmFrame(box, content if kind == b"IDAT" else content[4:])


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(SIGNATURE) if data.startswith(SIGNATURE) else len(data)
    while at + 12 <= len(data):
        (size,) = struct.unpack_from(">I", data, at)
        kind, content = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        if len(data) < at + 12 + size or data[at + 8 + size : at + 12 + size] != struct.pack(
            ">I", zlib.crc32(kind + content)
        ):
            return
        yield kind, content
        at += 12 + size


class Film:
    """The pictures of a film that was read; they are put together when they are asked for.

    One after the other they come at once; going back begins anew.
    """

    def __init__(self, data: bytes) -> None:
        self.frames = tuple(read_frames(data))
        self._at, self._shown = -1, np.zeros((0, 0, 3), np.uint8)

    def __len__(self) -> int:
        return len(self.frames)

    def picture(self, number: int) -> Pixels:
        """Return a picture (from 0), uint8 BGR of shape (height, width, 3).

        Raises IndexError if there is none of that number, ValueError if it is damaged.
        """
        if not 0 <= number < len(self.frames):
            raise IndexError(f"there is no picture {number} of {len(self.frames)}")
        if number < self._at or self._at < 0:
            first = self.frames[0].layer
            self._at, self._shown = 0, np.ascontiguousarray(first[..., 2::-1])
        for at in range(self._at + 1, number + 1):
            self._shown = laid_over(self._shown, self.frames[at])
            self._at = at
        return self._shown


def laid_over(picture: Pixels, frame: FilmFrame) -> Pixels:
    """Return a BGR picture with a frame over it."""
    box, layer, new = frame.box, frame.layer, picture.copy()
    part = new[box.y : box.bottom, box.x : box.right]
    mask = layer[..., 3] > 0
    part[mask] = layer[..., 2::-1][mask]
    return new
