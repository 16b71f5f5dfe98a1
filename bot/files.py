"""Files that are written as a whole, and damaged ones that make room without being lost."""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path
from tempfile import NamedTemporaryFile


def replace_file(path: Path, content: bytes) -> None:
    """Write a file, and its folder if need be: after a crash there is the old file or the new one, whole.

    Raises OSError if it cannot be written; the old file is as it was then.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False) as file:
        new = Path(file.name)
        try:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            file.close()  # Windows renames no open file
            new.replace(path)
        except BaseException:  # Ctrl+C too
            file.close()
            new.unlink(missing_ok=True)
            raise


def put_aside(path: Path) -> Path:
    """Give a damaged file a free name beside its own, as x.damaged.json for x.json, and return that.

    Raises OSError if it cannot be renamed.
    """
    names = (path.with_name(f"{path.stem}.damaged{number or ''}{path.suffix}") for number in count())
    return path.rename(next(name for name in names if not name.exists()))
