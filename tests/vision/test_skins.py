from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.board import State
from bot.errors import SkinError, UsageError
from bot.vision.skin import STATES, Skin, load_skin, load_skins, save_skin

TEMPLATES = Path(__file__).parents[2] / "templates"
SHIPPED = load_skins()
SKINS = {skin.name: skin for skin in SHIPPED if len(skin.states) == len(STATES)}  # one look a state


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(TEMPLATES / "winemine", tmp_path / "skins" / "mine"))


def test_shipped_skins() -> None:
    own = {"builtin", "builtin-dark"}
    others = {"gnome-mines", "kmines", "winemine", "winmine", "xdemineur"}
    assert {skin.name for skin in SHIPPED} == own | others
    assert set(SKINS) == {"winemine", "winmine", "xdemineur"}
    for skin in SHIPPED:
        assert skin.shown == STATES
        assert skin.templates.shape == (len(skin.states), skin.cell, skin.cell, 3)
        assert not skin.templates.flags.writeable


def test_a_folder_without_skins(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"the folder of skins .* does not exist"):
        load_skins(tmp_path / "nowhere")
    with pytest.raises(SkinError, match="there is no skin in"):
        load_skins(tmp_path)


def only_covered(folder: Path) -> None:
    for path in folder.glob("*.png"):
        if path.name != "covered.png":
            path.unlink()


def too_many(folder: Path) -> None:
    for number in range(2, 52):
        shutil.copy(folder / "1.png", folder / f"1-{number}.png")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder: (folder / "skin.toml").unlink(), r"mine is damaged: skin.toml is missing"),
        (lambda folder: (folder / "covered.png").unlink(), r"covered.png is missing"),
        (lambda folder: (folder / "3.png").write_bytes(b""), r"3.png is not a picture"),
        (lambda folder: (folder / "3.png").write_bytes(b"no picture at all"), r"3.png is not a picture"),
        (
            lambda folder: cv2.imwrite(str(folder / "0.png"), np.zeros((16, 17, 3), np.uint8)),
            r"0.png is 17 x 16 pixels, it should be 16 x 16",
        ),
        (only_covered, "shows only covered cells"),
        (too_many, "has 65 pictures: keep at most 64"),
    ],
)
def test_a_damaged_skin(folder: Path, damage: Callable[[Path], object], message: str) -> None:
    damage(folder)
    with pytest.raises(SkinError, match=message):
        load_skins(folder.parent)


def test_a_skin_may_lack_states_and_have_several_pictures_of_one(folder: Path) -> None:
    for name in ("flag.png", "7.png", "8.png"):
        (folder / name).unlink()
    lighter = cv2.imread(str(folder / "covered.png"))
    assert lighter is not None
    cv2.imwrite(str(folder / "covered-2.png"), lighter // 2 + 100)
    (folder / "notes.png").write_bytes(b"not ours")
    skin = load_skin(folder)
    assert skin.shown == (*range(7), 9, 11, 12, 13, 14)
    assert skin.states.tolist() == [*range(7), 9, 9, 11, 12, 13, 14]
    np.testing.assert_array_equal(skin.templates[8], lighter // 2 + 100)
    np.testing.assert_array_equal(skin.template(State.COVERED), lighter)


@pytest.mark.parametrize("skin", SKINS.values(), ids=SKINS)
def test_skins_go_to_folders_and_back(skin: Skin, tmp_path: Path) -> None:
    several = replace(
        skin,
        templates=np.concatenate([skin.templates[:10], skin.templates[9:10] // 2]),
        states=np.array([*range(10), 9], np.int8),
    )
    save_skin(several, tmp_path / "skins" / "copy")
    assert [path.name for path in (tmp_path / "skins").iterdir()] == ["copy"]
    loaded = load_skin(tmp_path / "skins" / "copy")
    np.testing.assert_array_equal(loaded.templates, several.templates)
    np.testing.assert_array_equal(loaded.states, several.states)
    facts = ("cell", "reach", "ground", "counter")
    assert [getattr(loaded, fact) for fact in facts] == [getattr(several, fact) for fact in facts]
    assert loaded.name == "copy"


def test_a_skin_is_overwritten_only_when_told(folder: Path) -> None:
    with pytest.raises(SkinError, match=r"the skin .*mine already exists"):
        save_skin(SKINS["winmine"], folder)
    assert load_skin(folder).reach == SKINS["winemine"].reach
    save_skin(SKINS["winmine"], folder, overwrite=True)
    assert load_skin(folder).reach == SKINS["winmine"].reach
    assert [path.name for path in folder.parent.iterdir()] == ["mine"]


def test_a_skin_that_cannot_be_written_leaves_the_old_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(SkinError, match=r"\(No space left on device\): free some disk space"):
        save_skin(SKINS["winmine"], folder, overwrite=True)
    monkeypatch.undo()
    assert load_skin(folder).reach == SKINS["winemine"].reach
    assert [path.name for path in folder.parent.iterdir()] == ["mine"]
    with pytest.raises(SkinError, match="cannot be written"):
        save_skin(SKINS["winmine"], folder / "0.png" / "skin")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("cell = 16", "cell = '16'", r"Expected `int`, got `str` - at `\$\.cell`"),
        ("cell = 16", "cell = 4000", r"Expected `int` <= 128 - at `\$\.cell`"),
        ("cell = 16", "", "missing required field `cell`"),
        ("reach = 24", "reach = true", r"got `bool` - at `\$\.reach`"),
        ("#00ff00", "green", r"at `\$\.counter\.lit`"),
        ("#000000", "black", r"at `\$\.ground`"),
        ('side = "right"', 'side = "top"', r"'top' - at `\$\.counter\.side`"),
        ("digits = 3", "digits = 0", r"`int` >= 1 - at `\$\.counter\.digits`"),
        ("[counter]", "[counter", r"skin.toml: "),
        ("[counter]", "counter = 3\n[other]", r"Expected `object \| null`, got `int` - at `\$\.counter`"),
    ],
)
def test_damaged_description(folder: Path, old: str, new: str, message: str) -> None:
    path = folder / "skin.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(SkinError, match=message):
        load_skin(folder)
