"""Load, save, shrink and decode picture files, without OpenCV's messages, and in little memory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

import cv2
import numpy as np
import numpy.typing as npt

from bot import MOST_PIXELS
from bot.errors import PictureError, UsageError
from bot.files import PUBLIC, opened, replacing
from bot.geometry import Pixels

SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp")  # of the formats that are written
_MOST_BYTES = 2 * 4 * MOST_PIXELS  # size of the largest picture with 16 bits a channel, uncompressed
_STRIP = 1 << 20  # pixels that are laid over white in one step
_KINDS = "PNG, JPEG, BMP, GIF, WebP or TIFF"
_PNG = b"\x89PNG\r\n\x1a\n"  # how such a file begins
_TIFF = (b"II*\0", b"MM\0*")
_BEGINNINGS = (_PNG, b"\xff\xd8\xff", b"BM", b"GIF8", *_TIFF)
_FRAME = 12  # bytes of the length, the kind and the checksum of a PNG's chunk
_REDIRECTING = Lock()  # all threads share stderr: a second redirection would take the first for the original


class TooManyPixelsError(ValueError):
    """A picture has more than `MOST_PIXELS` pixels."""


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


def png_of(pixels: Pixels) -> bytes:
    """Return BGR pixels as the content of a PNG file."""
    _, data = cv2.imencode(".png", pixels)
    return data.tobytes()


def shrunk(pixels: Pixels, longest: int) -> Pixels:
    """Return a BGR picture reduced so that no side is longer than ``longest`` pixels; small ones stay."""
    factor = longest / max(pixels.shape[:2])
    if factor >= 1:
        return pixels
    return np.asarray(cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)


def decoded(data: bytes, flags: int) -> npt.NDArray[np.uint8 | np.uint16]:
    """Return the picture in the content of a file, with OpenCV's ``flags``.

    Raises TooManyPixelsError if it is too large, ValueError if it is damaged or of an unsupported kind.
    """
    if data.startswith(_PNG) and not _chunks_fit(data):
        raise ValueError("it is incomplete")
    with _quiet():
        try:
            picture = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
        except cv2.error as error:
            if error.code == cv2.Error.StsNoMem or error.func == "validateInputImageSize":
                raise TooManyPixelsError("it has too many pixels") from error
            raise ValueError(error.err) from error
    if picture is not None and picture.shape[0] * picture.shape[1] > MOST_PIXELS:
        raise TooManyPixelsError("it has too many pixels")
    if picture is None or picture.dtype not in (np.uint8, np.uint16):
        raise ValueError("it is damaged, or of an unsupported kind")
    return np.asarray(picture)


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


def _chunks_fit(data: bytes) -> bool:
    """Return whether all chunks of a PNG end in the file: OpenCV allocates as much as one claims."""
    place = len(_PNG)
    while place + _FRAME <= len(data):
        kind = data[place + 4 : place + 8]
        place += _FRAME + int.from_bytes(data[place : place + 4], "big")
        if kind == b"IEND":
            break
    return place <= len(data)


@contextmanager
def _quiet() -> Iterator[None]:
    """Suppress the messages of the decoding libraries: our own error says in one line what is wrong."""
    with _REDIRECTING:
        try:
            kept = os.dup(2)
        except OSError:  # a program without a console has no stderr
            yield
            return
        try:
            with Path(os.devnull).open("wb") as nowhere:
                os.dup2(nowhere.fileno(), 2)
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)
