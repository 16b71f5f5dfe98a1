"""What the first bytes of a picture file promise: its kind and size, before anything is decoded.

A file of a few kilobytes can promise a picture of terabytes, and a decoder fills what is missing in half a
file with grey; both are to be known before.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

_PNG, _JPEG, _BMP, _GIF, _RIFF = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"BM", b"GIF8", b"RIFF"
_TIFF = {b"II*\0": "little", b"MM\0*": "big"}
_PNG_WITH_ALPHA = (4, 6)  # colour types
_JPEG_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}  # markers of segments that tell the size
_JPEG_BARE = {0x01, *range(0xD0, 0xD9)}  # markers without a length
_TIFF_WIDTH, _TIFF_HEIGHT, _TIFF_SHORT = 256, 257, 3

Order = Literal["little", "big"]


@dataclass(frozen=True, slots=True)
class Header:
    """What a picture file says of itself: size in pixels, whether it has transparent parts and is whole."""

    kind: str
    width: int
    height: int
    alpha: bool = False
    whole: bool = True


def kind_of(data: bytes) -> str | None:
    """Return the kind of picture that a file with these first bytes is; None if it is none that we read."""
    if data[:4] in _TIFF:
        return "TIFF"
    if data.startswith(_RIFF) and data[8:12] == b"WEBP":
        return "WebP"
    starts = {"PNG": _PNG, "JPEG": _JPEG, "BMP": _BMP, "GIF": _GIF}
    return next((kind for kind, start in starts.items() if data.startswith(start)), None)


def read_header(data: bytes) -> Header | None:
    """Return what a picture file says of itself; None if it is no picture, or its header is damaged."""
    kind = kind_of(data)
    try:
        return None if kind is None else _READERS[kind](data)
    except (IndexError, ValueError):
        return None


def _number(data: bytes, start: int, size: int, order: Order) -> int:
    part = data[start : start + size]
    if len(part) < size:
        raise ValueError("the file ends inside its header")
    return int.from_bytes(part, order)


def _png(data: bytes) -> Header:
    width, height = _number(data, 16, 4, "big"), _number(data, 20, 4, "big")
    names = list(_png_chunks(data))
    alpha = data[25] in _PNG_WITH_ALPHA or b"tRNS" in names
    return Header("PNG", width, height, alpha, names[-1:] == [b"IEND"])


def _png_chunks(data: bytes) -> Iterator[bytes]:
    """Yield the names of the chunks, up to the first that is damaged or cut off."""
    view, start = memoryview(data), len(_PNG)
    while start + 12 <= len(data):
        end = start + 8 + _number(data, start, 4, "big")
        if end + 4 > len(data) or zlib.crc32(view[start + 4 : end]) != _number(data, end, 4, "big"):
            return
        yield data[start + 4 : start + 8]
        if data[start + 4 : start + 8] == b"IEND":
            return  # some programs add bytes after the end
        start = end + 4


def _jpeg(data: bytes) -> Header:
    start = 2
    while data[start] == 0xFF:
        marker = data[start + 1]
        if marker in _JPEG_FRAMES:
            height, width = _number(data, start + 5, 2, "big"), _number(data, start + 7, 2, "big")
            return Header("JPEG", width, height, whole=_jpeg_whole(data, start))
        start += (
            2 if marker in _JPEG_BARE else 1 if marker == 0xFF else 2 + _number(data, start + 2, 2, "big")
        )
    raise ValueError("a JPEG file without a frame")


def _jpeg_whole(data: bytes, frame: int) -> bool:
    """Return whether the end is there; not the end of a small picture of itself, which comes before."""
    scan = data.find(b"\xff\xda", frame)
    return scan >= 0 and data.find(b"\xff\xd9", scan) >= 0


def _bmp(data: bytes) -> Header:
    whole = len(data) >= _number(data, 2, 4, "little")
    if _number(data, 14, 4, "little") == 12:  # the header of OS/2
        return Header("BMP", _number(data, 18, 2, "little"), _number(data, 20, 2, "little"), whole=whole)
    width = _number(data, 18, 4, "little")
    height = int.from_bytes(data[22:26], "little", signed=True)  # negative: from the top down
    return Header("BMP", width, abs(height), whole=whole)


def _gif(data: bytes) -> Header:
    return Header("GIF", _number(data, 6, 2, "little"), _number(data, 8, 2, "little"), alpha=True)


def _webp(data: bytes) -> Header:
    whole = len(data) >= 8 + _number(data, 4, 4, "little")
    if data[12:16] == b"VP8X":
        width, height = (_number(data, start, 3, "little") + 1 for start in (24, 27))
        return Header("WebP", width, height, bool(data[20] & 0x10), whole)
    if data[12:16] == b"VP8L":
        bits = _number(data, 21, 4, "little")
        return Header("WebP", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1, bool(bits >> 28 & 1), whole)
    width, height = (_number(data, start, 2, "little") & 0x3FFF for start in (26, 28))
    return Header("WebP", width, height, whole=whole)


def _tiff(data: bytes) -> Header:
    order: Order = "little" if data.startswith(b"II") else "big"
    start = _number(data, 4, 4, order)
    entries = range(start + 2, start + 2 + 12 * _number(data, start, 2, order), 12)
    sizes = {_number(data, entry, 2, order): _tiff_value(data, entry, order) for entry in entries}
    if not {_TIFF_WIDTH, _TIFF_HEIGHT} <= sizes.keys():
        raise ValueError("a TIFF file that tells no size")
    return Header("TIFF", sizes[_TIFF_WIDTH], sizes[_TIFF_HEIGHT], alpha=True)


def _tiff_value(data: bytes, entry: int, order: Order) -> int:
    short = _number(data, entry + 2, 2, order) == _TIFF_SHORT
    return _number(data, entry + 8, 2 if short else 4, order)


_READERS: dict[str, Callable[[bytes], Header]] = {
    "PNG": _png,
    "JPEG": _jpeg,
    "BMP": _bmp,
    "GIF": _gif,
    "WebP": _webp,
    "TIFF": _tiff,
}
