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

MOST_PIXELS = 16_384**2
_MOST_BYTES = 2 * 4 * MOST_PIXELS  # the largest picture with 16 bits a channel, not compressed
_STRIP = 1 << 20  # pixels that are laid over white at a time
_KINDS = "PNG, JPEG, BMP, GIF, WebP or TIFF"
_TIFF = (b"II*\0", b"MM\0*")
_BEGINNINGS = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"BM", b"GIF8", *_TIFF)


def load_picture(path: str | Path) -> Pixels:
    """Return a PNG, JPEG, BMP, GIF, WebP or TIFF file as BGR pixels, uint8 (height, width, 3).

    Of an animation and of several pages the first is taken, which is also what a viewer shows that knows
    nothing of them. Transparent parts are laid over white, 16 bits a channel become 8, and what a camera
    says about its rotation is heeded. The memory it takes is that of three such pictures.
    Raises PictureError if there is no such file, if it is no picture, only part of one, or if it has more
    than `MOST_PIXELS`.
    """
    path = Path(path)
    data = np.frombuffer(_contents(path), np.uint8)
    picture = _decoded(path, data, cv2.IMREAD_UNCHANGED)
    if picture.ndim == 3 and picture.shape[2] == 4:
        # OpenCV gives the colours of TIFF pictures of 8 bits already multiplied by their opacity.
        weighted = picture.dtype == np.uint8 and data[:4].tobytes() in _TIFF
        eight_bits = picture if picture.dtype == np.uint8 else picture >> 8
        return _over_white(np.asarray(eight_bits, np.uint8), weighted)
    return np.asarray(_decoded(path, data, cv2.IMREAD_COLOR), np.uint8)


def is_picture(beginning: bytes) -> bool:
    """Return whether a file that begins so is a picture of a kind that can be read."""
    return beginning.startswith(_BEGINNINGS) or (beginning[:4] == b"RIFF" and beginning[8:12] == b"WEBP")


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


def _contents(path: Path) -> bytes:
    """Return the bytes of a file that begins as a picture; others are not read any further."""
    try:
        with path.open("rb") as file:
            if not is_picture(file.peek(16)):
                raise PictureError(f"{path} is no picture that can be read: save it as {_KINDS}")
            if os.fstat(file.fileno()).st_size > _MOST_BYTES:
                raise PictureError(f"the picture {path} is too large: cut out the part with the board")
            return file.read()
    except FileNotFoundError as error:
        raise PictureError(f"there is no picture {path}") from error
    except OSError as error:  # Windows calls opening a folder a lack of permission
        reason = "it is a folder" if path.is_dir() else error.strerror
        raise PictureError(f"the picture {path} cannot be opened: {reason}") from error


def _decoded(path: Path, data: npt.NDArray[np.uint8], flags: int) -> npt.NDArray[np.uint8 | np.uint16]:
    """Return a picture as OpenCV decodes it, which refuses half a file and more pixels than fit in memory."""
    picture, too_large = None, False
    with _quiet():
        try:
            picture = cv2.imdecode(data, flags)
        except cv2.error as error:
            too_large = error.code == cv2.Error.StsNoMem or error.func == "validateInputImageSize"
    if too_large or (picture is not None and picture.shape[0] * picture.shape[1] > MOST_PIXELS):
        raise PictureError(
            f"the picture {path} is too large: at most {MOST_PIXELS // 10**6} million pixels can be read: "
            "cut out the part with the board"
        )
    if picture is None or picture.dtype not in (np.uint8, np.uint16):
        raise PictureError(
            f"the picture {path} is incomplete, damaged, or of a kind that cannot be read: "
            "take or copy it again, or save it as PNG"
        )
    return np.asarray(picture)


@contextmanager
def _quiet() -> Iterator[None]:
    """Let the libraries that decode pictures print nothing: what is wrong is told in one line of ours."""
    try:
        kept = os.dup(2)
    except OSError:  # a program without a console has no such output
        yield
        return
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _over_white(picture: Pixels, weighted: bool) -> Pixels:
    """Return BGRA pixels as BGR over white; ``weighted`` colours were multiplied by their opacity."""
    whole = np.empty((*picture.shape[:2], 3), np.uint8)
    rows = max(1, _STRIP // picture.shape[1])
    for top in range(0, len(picture), rows):
        part = picture[top : top + rows].astype(np.uint16)
        colours, opacity = part[..., :3], part[..., 3:]
        seen = colours if weighted else (colours * opacity + 127) // 255
        whole[top : top + rows] = np.minimum(seen + (255 - opacity), 255)
    return whole
