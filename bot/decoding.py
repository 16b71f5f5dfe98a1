"""Decode picture files with OpenCV: without its messages, and without more memory than a picture needs."""

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

PNG = b"\x89PNG\r\n\x1a\n"  # how such a file begins
_FRAME = 12  # bytes of the length, the kind and the checksum of a PNG's chunk
_REDIRECTING = Lock()  # all threads share stderr: a second redirection would take the first for the original


class TooManyPixelsError(ValueError):
    """A picture has more than `MOST_PIXELS` pixels."""


def decoded(data: bytes, flags: int) -> npt.NDArray[np.uint8 | np.uint16]:
    """Return the picture in the content of a file, with OpenCV's ``flags``.

    Raises TooManyPixelsError if it is too large, ValueError if it is damaged or of an unsupported kind.
    """
    if data.startswith(PNG) and not _chunks_fit(data):
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


def _chunks_fit(data: bytes) -> bool:
    """Return whether all chunks of a PNG end in the file: OpenCV allocates as much as one claims."""
    place = len(PNG)
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
