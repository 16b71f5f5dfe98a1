"""Cut the skins of gnome-mines, kmines and xdemineur out of our own screenshots in ``fixtures/programs``.

kmines scales freely and lets its background shine through, and the gaps and digits of gnome-mines do not grow
as its cells do, so that no state is one exact picture: pictures are taken until every cell that was seen is
much nearer to one of its own state than to any other. Run
``PYTHONPATH=.:tests python -m art.make_program_templates`` to write the skins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Pixels
from bot.vision import Skin, load_picture
from bot.vision.save import save_skin
from fixture_boards import FIXTURES, fixture_boards

FOLDER = Path(__file__).parents[2] / "templates"


@dataclass(frozen=True, slots=True)
class GameStyle:
    """What a skin is made of: the size of its pictures, how far a cell may be from them, its sources.

    Pictures are smaller than most cells on the screen, and few (``most``), since every pair of them is
    compared at every point when a skin is made ready. A cell needs no picture of its own if it is nearer to
    its state than to any other by ``doubt``.
    """

    cell: int
    reach: float
    sources: tuple[str, ...]
    most: int = 24
    doubt: float = 0.25


ARTS: Mapping[str, GameStyle] = {
    "gnome-mines": GameStyle(
        cell=42,
        reach=24,
        sources=(
            "small-running",
            "small-lost",
            "marks-running",
            "wrong-lost",
            "six-lost",
            "seven-lost",
            "eight-lost",
            "flags-700-lost",
            "flags-820-lost",
        ),
        most=36,
        doubt=0.3,
    ),
    "kmines": GameStyle(
        cell=20,
        reach=24,
        sources=(
            "medium-running",
            "hard-lost",
            "custom-running",
            "easy-running",
            "easy-lost",
            "easy-opened",
            "open-420-running",
            "open-512-running",
            "dense-420-running",
            "dense-420-lost",
            "dense-640-lost",
            "dense-1000-lost",
        ),
        most=48,
        doubt=0.18,
    ),
    "xdemineur": GameStyle(
        cell=21,
        reach=24,
        sources=("lost", "120-lost", "200-lost", "five-lost", "seven-lost", "eight-lost", "running"),
    ),
}


def cells(source: str, size: int) -> Iterator[tuple[int, Pixels]]:
    """Yield state and picture, ``size`` x ``size``, of every cell on the boards of a screenshot."""
    pixels = load_picture(FIXTURES / f"{source}.png")
    for truth in fixture_boards(source):
        grid = truth.grid
        for cell in truth.board:
            yield truth.board[cell], _cut(pixels, *grid.corner(cell), grid, size)


def _cut(pixels: Pixels, x: float, y: float, grid: Grid, size: int) -> Pixels:
    left, top, right, bottom = (round(edge) for edge in (x, y, x + grid.pitch_x, y + grid.pitch_y))
    cell = pixels[top:bottom, left:right]
    return cv2.resize(cell, (size, size), interpolation=cv2.INTER_AREA).astype(np.uint8)


def make_skin(name: str) -> Skin:
    """Return the skin of a program, made from its screenshots."""
    art = ARTS[name]
    seen = [cell for source in art.sources for cell in cells(f"programs/{name}-{source}", art.cell)]
    states, pictures = np.array([state for state, _ in seen]), np.stack([picture for _, picture in seen])
    chosen = choose(states, pictures.reshape(len(pictures), -1).astype(np.float32), art.most, art.doubt)
    order = sorted(chosen, key=lambda index: int(states[index]))
    numbers = states[order].astype(np.int8)
    return Skin(name, art.cell, art.reach, pictures[order], exact=False, states=numbers)


def choose(
    states: npt.NDArray[np.int_], pictures: npt.NDArray[np.float32], most: int, enough: float
) -> list[int]:
    """Return which pictures tell all states apart: the first of each state, then what is in most doubt."""
    chosen = [int(np.flatnonzero(states == state)[0]) for state in np.unique(states)]
    while len(chosen) < most:
        doubts = doubt(states, pictures, chosen)
        if doubts.max() <= enough:
            break
        chosen.append(int(doubts.argmax()))
    return chosen


def doubt(
    states: npt.NDArray[np.int_], pictures: npt.NDArray[np.float32], chosen: list[int]
) -> npt.NDArray[np.float32]:
    """Return for every picture how far it is from its state, in parts of how far it is from the others."""
    apart = np.stack([np.sqrt(np.mean((pictures - pictures[index]) ** 2, 1)) for index in chosen])
    same = states[chosen][:, None] == states
    own = np.where(same, apart, np.inf).min(0)
    return np.asarray(own / np.where(same, np.inf, apart).min(0), np.float32)


def write_skin(name: str) -> None:
    """Write the skin of a program, and into its ``skin.toml`` how it was made."""
    save_skin(make_skin(name), FOLDER / name, overwrite=True)
    path = FOLDER / name / "skin.toml"
    made = f"# Cut out of our own screenshots of {name}, fixtures/programs/{name}-*.png,"
    made += "\n# by tests/art/make_program_templates.py.\n"
    path.write_text(made + path.read_text(encoding="utf-8"), encoding="utf-8")


if __name__ == "__main__":
    for name in ARTS:
        write_skin(name)
