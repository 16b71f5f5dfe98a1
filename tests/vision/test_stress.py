"""A part of the stress matrix: known skins under what screens and files do to pictures."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import State
from bot.geometry import Grid, Pixels
from bot.vision import Skin, load_skins
from bot.vision.board_reader import read_at
from bot.vision.track import read_cells
from drawn_boards import draw_board, played
from stressed_boards import DAMAGES, Case, read_case, stress_cases

SKINS = {skin.name: skin for skin in load_skins() if skin.name in ("winemine", "winmine")}
FAINT = (
    "jpeg 30",
    "gif 8",
    "gif 8 dithered",
    "gif 16 dithered",
    "brightness 140 %",
    "gamma 0.6",
    "gamma 1.6",
    "grey",
)
SAMPLE = {
    "jpeg 75": "1",
    "gif 16": "1.5",
    "gif 8": "1",
    "strong night light": "1.5",
    "inverted": "1",
    "dark theme": "2",
    "grey": "1",
}


def cases(stretch: str, damages: tuple[str, ...]) -> list[Case]:
    return list(stress_cases(tuple(SKINS.values()), [stretch], damages))


@pytest.mark.parametrize("damage", SAMPLE)
def test_no_cell_is_read_wrong(damage: str) -> None:
    for case in cases(SAMPLE[damage], (damage,)):
        result = read_case(case, (case.skin,))
        assert result.wrong == 0, case.art
        assert result.counter != "wrong", case.art
        if damage not in FAINT and case.art != "moved":
            assert result.unreadable <= 0.01 * result.cells, case.art


@pytest.mark.parametrize("damage", sorted(DAMAGES.keys() - SAMPLE.keys())[::3])
def test_tracking_reads_no_cell_wrong_either(damage: str) -> None:
    for case in cases("1.25", (damage,)):
        cells, _ = read_cells(case.pixels, case.grid, case.skin)
        assert ((cells.states == case.truth.states) | ~cells.readable).all(), case.art
        least = 0.75 if case.art in ("moved", "narrow") else 0.95
        assert damage in FAINT or cells.readable.mean() >= least, case.art


def other_art(skin: Skin, seed: int) -> tuple[Pixels, int, int]:
    """Return a board in the colours of ``skin`` whose marks are scattered anew over each cell's middle."""
    rng = np.random.default_rng(seed)
    templates = skin.templates.copy()
    for index, state in enumerate(skin.states):
        ground = skin.template(0 if state <= 8 else State.COVERED)
        inner = templates[index, 2:-2, 2:-2].reshape(-1, 3)
        if state not in (0, State.COVERED):
            templates[index] = ground
            templates[index, 2:-2, 2:-2] = inner[rng.permutation(len(inner))].reshape(12, 12, 3)
    art = Skin("other", skin.cell, skin.reach, templates, skin.exact, None, skin.ground)
    return draw_board(art, played(16, 16, seed))


@pytest.mark.parametrize("skin", SKINS.values(), ids=SKINS)
@pytest.mark.parametrize("seed", range(2))
def test_other_art_in_the_same_colours_is_not_read(skin: Skin, seed: int) -> None:
    picture, x, y = other_art(skin, seed)
    truth = played(16, 16, seed).states
    for reader in SKINS.values():
        reading = read_at(picture, Grid(x, y, 16, 16, 16, 16), (reader,))
        if reading is not None:
            states = reading.board.states
            assert ((states == truth) | (states == State.UNREADABLE)).all()
