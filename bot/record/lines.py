"""Lines of JSON in a compressed file that grows, and is readable at any moment up to its last line.

The file is in gzip's format (RFC 1952): `zcat` prints it. Each line is flushed when it is written, and
`LineWriter.part` begins a new member of the file, so that damage spoils no more than one.
"""

from __future__ import annotations

import errno
import json
import os
import zlib
from collections.abc import Iterator, Mapping
from io import FileIO
from pathlib import Path
from typing import Any

_GZIP = 31  # to zlib: the largest window, and gzip's head and checksum
_MAGIC = b"\x1f\x8b\x08"
_PIECE = 256  # bytes at a time: of damaged ones nothing can be had


def append_whole(file: FileIO, data: bytes) -> None:
    """Write ``data`` where ``file`` stands, or nothing of it. Raises OSError if there is no room."""
    begin = file.tell()
    if file.write(data) != len(data):  # a system tells of a full disk by writing less
        file.truncate(begin)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class LineWriter:
    """Appends lines to a new file. Raises OSError if that cannot be done; the lines before stay readable."""

    def __init__(self, path: Path) -> None:
        self._file = FileIO(path, "xb")
        self._packer = zlib.compressobj(wbits=_GZIP)
        self._broken = False  # what follows would not fit to what is there

    def write(self, values: Mapping[str, Any]) -> None:
        """Append one object; it is with the system, whatever becomes of this process, when this returns."""
        line = json.dumps(values, ensure_ascii=False, separators=(",", ":"), default=_plain) + "\n"
        self._append(self._packer.compress(line.encode()) + self._packer.flush(zlib.Z_SYNC_FLUSH))

    def part(self) -> None:
        """End a part: damage before this place does not reach beyond it."""
        self._append(self._packer.flush())
        self._packer = zlib.compressobj(wbits=_GZIP)

    def sync(self) -> None:
        """Wait until all is on the disk, whatever becomes of the system."""
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """End the last part, unless a line could not be written, and close the file."""
        try:
            if not self._broken:
                self._append(self._packer.flush())
        finally:
            self._file.close()

    def _append(self, data: bytes) -> None:
        try:
            append_whole(self._file, data)
        except OSError:
            self._broken = True
            raise


def _plain(number: Any) -> Any:
    """Return a number of numpy's as one of Python's."""
    return number.item()


def read_lines(data: bytes) -> tuple[list[dict[str, Any]], bool]:
    """Return the objects in the content of such a file, and whether it can be read to a proper end."""
    lines, whole = list[dict[str, Any]](), True
    for part in _parts(data):
        if part is None:
            whole = False
            continue
        *texts, rest = part.split(b"\n")
        whole &= not rest
        for text in texts:
            try:
                lines.append(_object(text))
            except (ValueError, RecursionError):  # also nested deeper than any of ours
                whole = False
    return lines, whole


def _object(text: bytes) -> dict[str, Any]:
    values = json.loads(text)
    if not isinstance(values, dict):
        raise ValueError("a line must be an object")
    return values


def _parts(data: bytes) -> Iterator[bytes | None]:
    """Iterate over what the members of a gzip file hold; None after one that is cut off or damaged."""
    at = 0
    while at < len(data):
        content, end = _member(data, at)
        yield content
        if end is None:
            yield None
            found = data.find(_MAGIC, at + 1)
            end = len(data) if found < 0 else found
        at = end


def _member(data: bytes, begin: int) -> tuple[bytes, int | None]:
    """Return what the member that begins there holds, as far as it can be read, and where it ends.

    That is None if it has no end.
    """
    unpacker, content = zlib.decompressobj(wbits=_GZIP), bytearray()
    for at in range(begin, len(data), _PIECE):
        piece = data[at : at + _PIECE]
        try:
            content += unpacker.decompress(piece)
        except zlib.error:
            break
        if unpacker.eof:
            return bytes(content), at + len(piece) - len(unpacker.unused_data)
    return bytes(content), None
