"""Load, save and shrink pictures."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from bot import MOST_PIXELS
from bot.decoding import PNG, TooManyPixelsError, decoded
from bot.errors import PictureError, UsageError
from bot.files import PUBLIC, opened, replacing
from bot.geometry import Pixels

_MOST_BYTES = 2 * 4 * MOST_PIXELS  # size of the largest picture with 16 bits a channel, uncompressed
_STRIP = 1 << 20  # pixels that are laid over white in one step
_KINDS = "PNG, JPEG, BMP, GIF, WebP or TIFF"
_TIFF = (b"II*\0", b"MM\0*")
_BEGINNINGS = (PNG, b"\xff\xd8\xff", b"BM", b"GIF8", *_TIFF)


def load_picture(path: str | Path) -> Pixels:
    """Return a PNG, JPEG, BMP, GIF, WebP or TIFF file as BGR pixels, uint8 (height, width, 3).

    Of an animation or a file with several pages only the first picture is read, as simple viewers do.
    Transparent parts are laid over white, 16 bits a channel become 8, and a rotation recorded by a camera is
    applied. Loading needs about the memory of three such pictures.
    Raises UsageError if there is no such file; PictureError if it is not a picture of these formats, if it is
    incomplete, or if it has more than `MOST_PIXELS` pixels.
    """
    path = Path(path)
    data = _contents(path)
    picture = _decoded(path, data, cv2.IMREAD_UNCHANGED)
    if picture.ndim == 3 and picture.shape[2] == 4:
        # OpenCV gives the colours of TIFF pictures of 8 bits already multiplied by their opacity.
        weighted = picture.dtype == np.uint8 and data.startswith(_TIFF)
        eight_bits = picture if picture.dtype == np.uint8 else np.right_shift(picture, 8, out=picture)
        return _over_white(np.asarray(eight_bits, np.uint8), weighted)
    return np.asarray(_decoded(path, data, cv2.IMREAD_COLOR), np.uint8)


def is_picture(beginning: bytes) -> bool:
    """Return whether ``beginning``, the first bytes of a file, belongs to a readable picture format."""
    return beginning.startswith(_BEGINNINGS) or (beginning[:4] == b"RIFF" and beginning[8:12] == b"WEBP")


def save_picture(path: str | Path, pixels: Pixels, mode: int = PUBLIC) -> None:
    """Write BGR pixels to a file in the format of its suffix (.png, .jpg, .bmp), with permissions ``mode``.

    Raises PictureError if the suffix names no such format or if the file cannot be written.
    """
    path = Path(path)
    try:
        done, data = cv2.imencode(path.suffix, pixels)
    except cv2.error as error:
        raise PictureError(f"{path} must end in .png, .jpg or .bmp to be written as a picture") from error
    if not done:
        raise PictureError(f"the picture {path} cannot be written")
    try:
        with replacing(path, mode) as file:
            file.write(data.tobytes())
    except OSError as error:
        raise PictureError(f"the picture {path} cannot be written: {error.strerror}") from error


def shrunk(pixels: Pixels, longest: int) -> Pixels:
    """Return a BGR picture reduced so that no side is longer than ``longest`` pixels; small ones stay."""
    factor = longest / max(pixels.shape[:2])
    if factor >= 1:
        return pixels
    return np.asarray(cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)


def _contents(path: Path) -> bytes:
    """Return the bytes of a picture file; a file that does not begin like a picture is not read further."""
    try:
        with opened(path, _MOST_BYTES) as file:
            beginning = file.read(16)
            if not is_picture(beginning):
                raise PictureError(f"{path} is not a picture in a supported format: save it as {_KINDS}")
            return beginning + file.read(_MOST_BYTES)
    except FileNotFoundError as error:
        raise UsageError(f"there is no picture {path}") from error
    except OSError as error:
        raise PictureError(f"the picture {path} cannot be opened: {error.strerror}") from error


def _decoded(path: Path, data: bytes, flags: int) -> npt.NDArray[np.uint8 | np.uint16]:
    """Return the picture that OpenCV decodes. Raises PictureError if it is too large or damaged."""
    try:
        return decoded(data, flags)
    except TooManyPixelsError as error:
        raise PictureError(
            f"the picture {path} is too large (at most {MOST_PIXELS // 10**6} million pixels): "
            "cut out the part with the board"
        ) from error
    except ValueError as error:
        raise PictureError(
            f"the picture {path} is incomplete, damaged, or of an unsupported kind: "
            "take or copy it again, or save it as PNG"
        ) from error


def _over_white(picture: Pixels, weighted: bool) -> Pixels:
    """Return BGRA pixels as BGR over white; ``weighted`` says that colours are already times opacity."""
    whole = np.empty((*picture.shape[:2], 3), np.uint8)
    rows = max(1, _STRIP // picture.shape[1])
    for top in range(0, len(picture), rows):
        part = picture[top : top + rows].astype(np.uint16)
        colours, opacity = part[..., :3], part[..., 3:]
        seen = colours if weighted else (colours * opacity + 127) // 255
        whole[top : top + rows] = np.minimum(seen + (255 - opacity), 255)
    return whole
