from __future__ import annotations

import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

import make_winemine_templates
import make_winmine_templates
from bot.board import State
from bot.errors import SkinError
from bot.vision.points import compile_points
from bot.vision.skin import STATES, Skin, file_name, load_skin, load_skins
from bot.vision.stretch import stretched

TEMPLATES = Path(__file__).parents[1] / "templates"
SKINS = {skin.name: skin for skin in load_skins()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(TEMPLATES / "winemine", tmp_path / "skins" / "mine"))


def test_shipped_skins() -> None:
    assert set(SKINS) == {"winemine", "winmine"}
    for skin in SKINS.values():
        assert skin.templates.shape == (len(STATES), 16, 16, 3)
        assert not skin.templates.flags.writeable


def test_every_state_has_a_picture_of_its_own() -> None:
    assert [file_name(state) for state in (0, 8, State.COVERED, State.WRONG_FLAG)] == [
        "0.png",
        "8.png",
        "covered.png",
        "wrong_flag.png",
    ]
    for skin in SKINS.values():
        assert len({template.tobytes() for template in skin.templates}) == len(STATES)


@pytest.mark.parametrize(
    ("name", "pictures"),
    [("winemine", make_winemine_templates.pictures()), ("winmine", make_winmine_templates.pictures())],
)
def test_pictures_are_what_their_script_makes(name: str, pictures: dict[str, np.ndarray]) -> None:
    assert {f"{state}.png" for state in pictures} == {file_name(state) for state in STATES}
    for state, picture in pictures.items():
        shipped = cv2.imread(str(TEMPLATES / name / f"{state}.png"))
        assert shipped is not None
        np.testing.assert_array_equal(shipped, picture)


@pytest.mark.parametrize("scale", [1.0, 1.25, 1.5, 1.75, 2.0, 1.375])
@pytest.mark.parametrize("skin", SKINS.values(), ids=SKINS)
def test_few_points_tell_all_states_apart(skin: Skin, scale: float) -> None:
    points = compile_points(skin, scale)
    assert len(points.x) <= 8
    assert points.margin >= 40


@pytest.mark.parametrize("skin", SKINS.values(), ids=SKINS)
def test_ranges_hold_under_small_shifts(skin: Skin) -> None:
    points = compile_points(skin, 1.5)
    shown = stretched(skin.templates, 1.5, 0.25, -0.25)
    if not skin.exact:
        shown = np.stack([cv2.blur(cell, (3, 3), borderType=cv2.BORDER_REPLICATE) for cell in shown])
    seen = shown[:, points.y, points.x].reshape(len(STATES), -1).T.astype(float)
    assert (seen >= points.low - 12).all()
    assert (seen <= points.high + 12).all()


def test_stretching_by_one_changes_nothing() -> None:
    skin = SKINS["winemine"]
    np.testing.assert_array_equal(stretched(skin.templates, 1.0), skin.templates)


def test_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(SkinError, match="no folder of skins at"):
        load_skins(tmp_path / "nowhere")


def test_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(SkinError, match="there is no skin in"):
        load_skins(tmp_path)


def test_missing_description(folder: Path) -> None:
    (folder / "skin.toml").unlink()
    with pytest.raises(SkinError, match=r"mine is damaged: skin.toml is missing"):
        load_skins(folder.parent)


def test_missing_picture(folder: Path) -> None:
    (folder / "flag.png").unlink()
    with pytest.raises(SkinError, match=r"flag.png is missing"):
        load_skin(folder)


@pytest.mark.parametrize("content", [b"", b"no picture at all"])
def test_broken_picture(folder: Path, content: bytes) -> None:
    (folder / "3.png").write_bytes(content)
    with pytest.raises(SkinError, match=r"3.png is no picture"):
        load_skin(folder)


def test_picture_of_another_size(folder: Path) -> None:
    cv2.imwrite(str(folder / "0.png"), np.zeros((16, 17, 3), np.uint8))
    with pytest.raises(SkinError, match=r"0.png is 17 x 16 pixels, it should be 16 x 16"):
        load_skin(folder)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("cell = 16", "cell = '16'", "cell must be a whole number"),
        ("cell = 16", "cell = 4000", "cell must be between 8 and 128"),
        ("cell = 16", "", "cell must be a whole number"),
        ("exact = true", "exact = 1", "exact must be true or false"),
        ("reach = 24", "reach = true", "reach must be a number"),
        ("#00ff00", "green", "lit must be a colour"),
        ("#000000", "black", "ground must be a colour"),
        ('side = "right"', 'side = "top"', 'side must be "left" or "right"'),
        ("digits = 3", "digits = 0", "must be positive"),
        ("[counter]", "[counter", r"skin.toml: "),
        ("[counter]", "counter = 3\n[other]", r"counter must be a table"),
    ],
)
def test_damaged_description(folder: Path, old: str, new: str, message: str) -> None:
    path = folder / "skin.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(SkinError, match=message):
        load_skin(folder)
