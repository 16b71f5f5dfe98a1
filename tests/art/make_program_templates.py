"""Cut the skins of WineMine, gnome-mines, kmines and xdemineur out of our own screenshots in ``fixtures``.

kmines scales freely and lets its background shine through, and the gaps and digits of gnome-mines do not grow
as its cells do, so that no state is one exact picture: pictures are taken until every cell that was seen is
much nearer to one of its own state than to any other. In WineMine the first cell of each state will do. Run
``PYTHONPATH=.:tests python -m art.make_program_templates`` to write the pictures anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Pixels
from bot.vision import Skin, load_picture, load_skin, save_skin
from fixture_boards import FIXTURES, fixture_boards

FOLDER = Path(__file__).parents[2] / "templates"


@dataclass(frozen=True, slots=True)
class Sources:
    """What a skin is made of: the names of its screenshots, and how many pictures are taken of them.

    They are few (``most``), since every pair of them is compared at every point when a skin is made ready. A
    cell needs no picture of its own if it is nearer to its state than to any other by ``doubt``.
    """

    names: tuple[str, ...]
    most: int = 24
    doubt: float = 0.25

    @classmethod
    def of(cls, program: str, names: str, most: int = 24, doubt: float = 0.25) -> Sources:
        """Return the screenshots of a program in ``fixtures/programs``."""
        return cls(tuple(f"programs/{program}-{name}" for name in names.split()), most, doubt)


SOURCES: Mapping[str, Sources] = {
    "winemine": Sources(("winemine-beginner-running", "winemine-custom-lost")),
    "gnome-mines": Sources.of(
        "gnome-mines",
        "small-running small-lost marks-running wrong-lost six-lost seven-lost eight-lost flags-700-lost "
        "flags-820-lost",
        most=36,
        doubt=0.3,
    ),
    "kmines": Sources.of(
        "kmines",
        "medium-running hard-lost custom-running easy-running easy-lost easy-opened open-420-running "
        "open-512-running dense-420-running dense-420-lost dense-640-lost dense-1000-lost",
        most=48,
        doubt=0.18,
    ),
    "xdemineur": Sources.of("xdemineur", "lost 120-lost 200-lost five-lost seven-lost eight-lost running"),
}


def cells(source: str, size: int) -> Iterator[tuple[int, Pixels]]:
    """Yield state and picture, ``size`` x ``size``, of every cell on the boards of a screenshot."""
    pixels = load_picture(FIXTURES / f"{source}.png")
    for truth in fixture_boards(source):
        for cell in truth.board:
            x, y = truth.grid.corner(cell)
            right, bottom = round(x + truth.pitch_x), round(y + truth.pitch_y)
            picture = pixels[round(y) : bottom, round(x) : right]
            shown = cv2.resize(picture, (size, size), interpolation=cv2.INTER_AREA)
            yield truth.board[cell], shown.astype(np.uint8)


def make_skin(name: str) -> Skin:
    """Return the skin of a program, its pictures taken from its screenshots."""
    skin, sources = load_skin(FOLDER / name), SOURCES[name]
    seen = [cell for source in sources.names for cell in cells(source, skin.cell)]
    states, pictures = np.array([state for state, _ in seen]), np.stack([picture for _, picture in seen])
    flat = pictures.reshape(len(pictures), -1).astype(np.float32)
    order = sorted(choose(states, flat, sources.most, sources.doubt), key=lambda index: int(states[index]))
    return replace(skin, templates=pictures[order], states=states[order].astype(np.int8))


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


if __name__ == "__main__":
    for program in SOURCES:
        description = (FOLDER / program / "skin.toml").read_text(encoding="utf-8")
        save_skin(make_skin(program), FOLDER / program, overwrite=True)
        (FOLDER / program / "skin.toml").write_text(description, encoding="utf-8")
