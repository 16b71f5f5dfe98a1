"""The font files that tests draw with: of some Debian packages, so that a seed draws the same everywhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

_FOLDERS = {
    "win32": [Path(os.environ.get("WINDIR", "C:/Windows")) / "Fonts"],
    "darwin": [Path("/System/Library/Fonts"), Path("/Library/Fonts")],
}


class MissingFontsError(Exception):
    """Files of fonts that are drawn with are not on this system; the message says what to install."""


def font_files(wanted: Mapping[str, Iterable[str]]) -> dict[str, Path]:
    """Return the path of each font by its stem, in the order in which they are ``wanted`` of each package.

    Raises MissingFontsError in one line that names the packages to install.
    """
    there = _installed()
    missing = [package for package, names in wanted.items() if not there.keys() >= set(names)]
    if missing:
        raise MissingFontsError(f"fonts are missing: install {', '.join(missing)} (names of Debian packages)")
    return {name: there[name] for names in wanted.values() for name in names}


@cache
def _installed() -> Mapping[str, Path]:
    folders = _FOLDERS.get(sys.platform, [Path("/usr/share/fonts"), Path.home() / ".fonts"])
    files = [path for folder in folders for ending in ("ttf", "otf") for path in folder.rglob(f"*.{ending}")]
    return {path.stem: path for path in sorted(files)}  # of liberation/ and liberation2/ the latter
