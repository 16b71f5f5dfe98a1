"""Picture files: in, and out."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from bot.errors import PictureError
from bot.geometry import Pixels

_PNG, _JPEG, _BMP, _GIF = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"BM", b"GIF8"
_PNG_END = b"IEND\xaeB`\x82"
_JPEG_END = b"\xff\xd9"


def load_picture(path: str | Path) -> Pixels:
    """Return a PNG, JPEG, BMP or GIF file (its first frame) as BGR pixels, uint8 (height, width, 3).

    Raises PictureError if there is no such file, if it is no picture, or only part of one.
    """
    path = Path(path)
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise PictureError(f"there is no picture {path}") from error
    except OSError as error:
        raise PictureError(f"the picture {path} cannot be opened: {error.strerror}") from error
    if _truncated(data):
        raise PictureError(f"the picture {path} is incomplete: take or copy it again")
    pixels = _decoded(data)
    if pixels is None:
        raise PictureError(f"{path} is no picture that can be read: save it as PNG, JPEG, BMP or GIF")
    return pixels


def save_picture(path: str | Path, pixels: Pixels) -> None:
    """Write BGR pixels to a file; its ending (.png, .jpg, .bmp) says in which format.

    Raises PictureError if that cannot be done.
    """
    path = Path(path)
    try:
        done, data = cv2.imencode(path.suffix, pixels)
    except cv2.error as error:
        raise PictureError(f"{path} must end in .png, .jpg or .bmp to be written as a picture") from error
    if not done:
        raise PictureError(f"the picture {path} cannot be written")
    try:
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise PictureError(f"the picture {path} cannot be written: {error.strerror}") from error


def _truncated(data: bytes) -> bool:
    """Return whether a file of a known format lacks its end; OpenCV would fill that with grey or black."""
    if data.startswith(_PNG):
        return _PNG_END not in data
    if data.startswith(_JPEG):
        return _JPEG_END not in data[-4096:]  # some cameras and programs add bytes after the end
    if data.startswith(_BMP):
        return len(data) < int.from_bytes(data[2:6], "little")
    return data.startswith(_GIF) and not data.rstrip(b"\0").endswith(b";")


def _decoded(data: bytes) -> Pixels | None:
    if not data:
        return None
    try:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if pixels is None else pixels.astype(np.uint8)
