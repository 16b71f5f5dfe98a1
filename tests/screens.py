"""The laboratory: screenshots of real games made by others, with true boards; not part of the project."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.geometry import Grid, Pixels
from bot.vision import load_picture

FOLDER = Path(__file__).parents[2] / "shared" / "screens"
needs_screens = pytest.mark.skipif(
    not (FOLDER / "index.json").is_file(),
    reason=f"needs the laboratory pictures and their index.json in {FOLDER.name} beside the project",
)
CLASSIC = ("winmine", "Minesweeper X", "Vienna MineSweeper", "minesweeperonline.com")


@dataclass(frozen=True, slots=True)
class Screen:
    """One screenshot: name, the true grid and board, the counter (None: there is none), what was noted."""

    name: str
    file: str
    skin: str
    grid: Grid
    rows: list[str]
    mines_left: int | None
    state: str
    notes: str

    @property
    def classic(self) -> bool:
        """Whether it shows the classic look at 100 % scaling."""
        return any(name in self.skin for name in CLASSIC) and self.grid.pitch_x == 16 == self.grid.pitch_y

    @property
    def pixels(self) -> Pixels:
        """The picture."""
        return load_picture(FOLDER / self.file)


def screens() -> list[Screen]:
    """Return all screenshots, none if the laboratory is missing."""
    index = FOLDER / "index.json"
    return [_screen(entry) for entry in json.loads(index.read_text("utf-8"))] if index.is_file() else []


def _screen(entry: dict[str, Any]) -> Screen:
    (x, y), (pitch_x, pitch_y) = entry["origin_exact"], entry["cell_px"]
    grid = Grid(x, y, pitch_x, pitch_y, entry["rows"], entry["columns"])
    mines_left = _mines_left(str(entry["mine_counter"]))
    facts = (entry["id"], entry["file"], entry["skin"], grid, entry["board"], mines_left)
    return Screen(*facts, entry["state"], entry["notes"])


def _mines_left(counter: str) -> int | None:
    if share := re.fullmatch(r"(\d+)/(\d+) \(flags/total\)", counter):
        return int(share[2]) - int(share[1])
    return int(counter) if counter.lstrip("-").isdigit() else None
