"""Real screenshots with their true grids, kept beside the repository and not in it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from bot.geometry import Grid, Pixels

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "screens"
MISSING = "the screenshots that are kept beside the repository are not there (../shared/screens)"


@dataclass(frozen=True, slots=True)
class Screen:
    """A screenshot and where its board is, as it was measured by hand."""

    name: str
    skin: str
    file: Path
    truth: Grid

    def pixels(self) -> Pixels:
        """Return the picture, BGR."""
        pixels = cv2.imread(str(self.file))
        assert pixels is not None, f"{self.file} cannot be read"
        return np.asarray(pixels, np.uint8)


def _screen(entry: dict[str, Any]) -> Screen:
    (x, y), (pitch_x, pitch_y) = entry["origin_exact"], entry["cell_px"]
    truth = Grid(x, y, pitch_x, pitch_y, entry["rows"], entry["columns"])
    return Screen(entry["id"], entry["skin"], FOLDER / entry["file"], truth)


def _screens() -> tuple[Screen, ...]:
    index = FOLDER / "index.json"
    if not index.exists():
        return ()
    return tuple(_screen(entry) for entry in json.loads(index.read_text(encoding="utf-8")))


SCREENS = _screens()
