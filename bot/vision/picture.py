"""Picture files: in, and out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from bot.errors import PictureError
from bot.geometry import Pixels
from bot.vision.header import Header, kind_of, read_header

MOST_PIXELS = 16_384**2
_MOST_BYTES = 2 * 4 * MOST_PIXELS  # the largest picture with 16 bits a channel, not compressed
_STRIP = 1 << 20  # pixels that are laid over white at a time
_KINDS = "PNG, JPEG, BMP, GIF, WebP or TIFF"


def load_picture(path: str | Path) -> Pixels:
    """Return a PNG, JPEG, BMP, GIF, WebP or TIFF file as BGR pixels, uint8 (height, width, 3).

    Of an animation and of several pages the first is taken, which is also what a viewer shows that knows
    nothing of them. Transparent parts are laid over white, 16 bits a channel become 8, and what a camera
    says about its rotation is heeded. The memory it takes is that of three such pictures.
    Raises PictureError if there is no such file, if it is no picture, only part of one, or if it has more
    than `MOST_PIXELS`.
    """
    path = Path(path)
    data = _contents(path)
    header = read_header(data)
    if header is None:
        raise _no_picture(path)
    if not header.whole or not header.width or not header.height:
        raise PictureError(f"the picture {path} is incomplete or damaged: take or copy it again")
    if header.width * header.height > MOST_PIXELS:
        raise PictureError(
            f"the picture {path} is too large: {header.width} x {header.height} pixels; "
            f"at most {MOST_PIXELS // 10**6} million can be read: cut out the part with the board"
        )
    pixels = _decoded(data, header)
    if pixels is None:
        raise PictureError(
            f"the picture {path} is damaged, or of a {header.kind} kind that cannot be read: "
            "take it again, or save it as PNG"
        )
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
        _write_whole(path, data.tobytes())
    except OSError as error:
        raise PictureError(f"the picture {path} cannot be written: {error.strerror}") from error


def _write_whole(path: Path, data: bytes) -> None:
    """Write a file so that who looks at it meanwhile, or after Ctrl+C, sees the old one or the new one.

    It does not wait for the disk, and opens the file to whom all files are open: a picture is no record.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except BaseException:  # Ctrl+C too
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def _no_picture(path: Path) -> PictureError:
    return PictureError(f"{path} is no picture that can be read: save it as {_KINDS}")


def _contents(path: Path) -> bytes:
    """Return the bytes of a file that begins as a picture; others are not read any further."""
    try:
        with path.open("rb") as file:
            if kind_of(file.peek(16)) is None:
                raise _no_picture(path)
            if os.fstat(file.fileno()).st_size > _MOST_BYTES:
                raise PictureError(f"the picture {path} is too large: cut out the part with the board")
            return file.read()
    except FileNotFoundError as error:
        raise PictureError(f"there is no picture {path}") from error
    except OSError as error:  # Windows calls opening a folder a lack of permission
        reason = "it is a folder" if path.is_dir() else error.strerror
        raise PictureError(f"the picture {path} cannot be opened: {reason}") from error


def _decoded(data: bytes, header: Header) -> Pixels | None:
    flags = cv2.IMREAD_UNCHANGED if header.alpha else cv2.IMREAD_COLOR
    with _quiet():
        try:
            picture = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
        except cv2.error:
            return None
    if picture is None or picture.dtype not in (np.uint8, np.uint16):
        return None
    # OpenCV gives the colours of TIFF pictures of 8 bits already multiplied by their opacity.
    weighted = header.kind == "TIFF" and picture.dtype == np.uint8
    return _plain(_eight_bits(np.asarray(picture)), weighted)


def _eight_bits(picture: npt.NDArray[np.uint8 | np.uint16]) -> npt.NDArray[np.uint8]:
    return np.asarray(picture if picture.dtype == np.uint8 else picture >> 8, np.uint8)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep OpenCV from printing what it finds wrong with a file: we say that in one line."""
    level = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        yield
    finally:
        cv2.utils.logging.setLogLevel(level)


def _plain(picture: npt.NDArray[np.uint8], weighted: bool) -> Pixels:
    """Return grey or colour pixels, with or without opacity, as BGR over white."""
    if picture.ndim == 2:
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)
    if picture.shape[2] == 3:
        return np.asarray(picture, np.uint8)
    over_white = np.empty((*picture.shape[:2], 3), np.uint8)
    rows = max(1, _STRIP // picture.shape[1])
    for top in range(0, len(picture), rows):
        part = picture[top : top + rows]
        over_white[top : top + rows] = _over_white(part[..., :3], part[..., 3:], weighted)
    return over_white


def _over_white(colours: npt.NDArray[np.uint8], opacity: npt.NDArray[np.uint8], weighted: bool) -> Pixels:
    seen = colours.astype(np.uint16)
    if not weighted:
        seen = (seen * opacity + 127) // 255
    return np.asarray(np.minimum(seen + (255 - opacity), 255), np.uint8)
