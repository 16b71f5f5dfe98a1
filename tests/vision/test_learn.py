"""``minebot learn``: skins from pictures and from a screen, and everything that can be in the way."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from art import random_style
from bot.board import State
from bot.cli.files import all_skins, user_skins
from bot.cli.learn import lesson_in, look_on
from bot.geometry import Frame, Pixels, Point, Rect
from bot.vision import Skin, load_skin
from bot.vision.skin import save_skin
from conftest import one_line
from fakes import stop_key
from learned_games import Scene, played

ROOT = Path(__file__).parents[2]
RUNNING = ROOT / "fixtures" / "winemine-beginner-running.png"
FRESH = ROOT / "fixtures" / "winemine-beginner-fresh.png"
NO_NAMES = ("../up", "a/b", "", ".hidden", "con", "LPT1", "a b", "x" * 65)
SEED = 2  # of an art whose boards are read at first sight


@pytest.fixture(autouse=True)
def own_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Keep learned skins in a folder of the test's own."""
    folder = tmp_path / "data" / "skins"
    monkeypatch.setattr("bot.cli.files.user_data_path", lambda *_, **__: tmp_path / "data")
    return folder


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    return list(played(random_style(np.random.default_rng(SEED)), 5, lose=True))


@pytest.fixture
def pictures(scenes: list[Scene], tmp_path: Path) -> list[Path]:
    """Three pictures of a game: early, late, lost."""
    paths = [tmp_path / f"{name}.png" for name in ("early", "late", "lost")]
    for path, scene in zip(paths, (scenes[3], scenes[-3], scenes[-1]), strict=True):
        cv2.imwrite(str(path), framed(scene.pixels))
    return paths


def framed(pixels: Pixels) -> Pixels:
    height, width = pixels.shape[:2]
    picture = np.full((height + 100, width + 100, 3), 200, np.uint8)
    picture[50:-50, 50:-50] = pixels
    return picture


def test_a_skin_is_learned_from_a_picture_and_then_used(
    run: Any, pictures: list[Path], scenes: list[Scene], own_data: Path
) -> None:
    code, out, err = run("learn", "drawn", pictures[0])
    assert (code, err) == (0, "")
    assert "drawn: cells of 24 pixels" in out
    assert "covered" in out
    assert "never seen: 4, 5" in out
    assert f"kept in {own_data / 'drawn'}" in out
    code, out, _ = run("replay", "--json", pictures[0])
    (board,) = json.loads(out)["boards"]
    assert board["skin"] == "drawn"
    assert board["cells"] == scenes[3].board.lines()


def test_it_grows_with_what_is_new(run: Any, pictures: list[Path], own_data: Path) -> None:
    assert run("learn", "drawn", pictures[0])[0] == 0
    before = load_skin(own_data / "drawn")
    code, out, _ = run("learn", "drawn", "--json", *pictures[1:])
    assert code == 0
    told = json.loads(out)
    assert told["skin"] == "drawn"
    assert set(told["states"]) >= {"0", "1", "2", "3", "4", "covered"}
    after = load_skin(own_data / "drawn")
    assert set(after.shown) > set(before.shown)
    assert {path.name for path in own_data.iterdir()} == {"drawn"}


def test_what_is_known_need_not_be_learned(run: Any, pictures: list[Path]) -> None:
    code, out, err = run("learn", "mine", RUNNING)
    assert (code, out) == (1, "")
    assert "the skin winemine already knows this board" in one_line(err)
    assert run("learn", "drawn", pictures[0])[0] == 0
    assert "the skin drawn already knows this board" in one_line(run("learn", "other", pictures[0])[2])


def test_force_learns_what_is_known(run: Any, own_data: Path) -> None:
    code, out, _ = run("learn", "mine", "--force", "--json", "--mines", 10, RUNNING)
    assert code == 0
    assert {"0", "1", "covered"} <= set(json.loads(out)["states"])
    assert load_skin(own_data / "mine").cell == 16


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        *[(["--", name, RUNNING], 2, "is not a valid skin name") for name in NO_NAMES],
        (["drawn", "--watch", RUNNING], 2, "--watch looks at the screen"),
        (["drawn", "--force", FRESH], 1, "too few cell states are certain"),
        (["drawn", "--force", RUNNING, "--skins", RUNNING], 1, "cannot be written"),
    ],
)
def test_what_cannot_be_learned(run: Any, arguments: list[object], code: int, words: str) -> None:
    found, out, err = run("learn", *arguments)
    assert (found, out) == (code, "")
    assert words in one_line(err)


def test_a_name_that_is_taken(run: Any, pictures: list[Path], own_data: Path) -> None:
    code, _, err = run("learn", "winmine", pictures[0])
    assert code == 1
    assert "the skin winmine already exists" in one_line(err)
    assert run("learn", "mine", "--force", RUNNING)[0] == 0
    kept = load_skin(own_data / "mine").templates
    code, _, err = run("learn", "mine", pictures[0])
    assert code == 1
    assert "the skin mine already exists and looks different" in one_line(err)
    assert (load_skin(own_data / "mine").templates == kept).all()
    assert run("learn", "mine", "--force", pictures[0])[0] == 0
    assert load_skin(own_data / "mine").cell == 24


def test_a_picture_without_a_board(run: Any, pictures: list[Path], tmp_path: Path, own_data: Path) -> None:
    empty = tmp_path / "empty.png"
    cv2.imwrite(str(empty), np.full((200, 300, 3), 128, np.uint8))
    code, _, err = run("learn", "drawn", empty)
    assert code == 3
    assert "empty.png: no Minesweeper board" in one_line(err)
    assert not own_data.exists()
    code, out, err = run("learn", "drawn", empty, tmp_path / "missing.png", pictures[0])
    assert code == 3  # and yet it learned from the one that shows a board
    assert err.count("\n") == 2
    assert "kept in" in out


def test_a_damaged_learned_skin_is_left_out(
    run: Any, pictures: list[Path], own_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("learn", "drawn", pictures[0])[0] == 0
    assert run("learn", "broken", "--force", pictures[0])[0] == 0
    (own_data / "broken" / "covered.png").unlink()
    names = [skin.name for skin in all_skins(None)]
    assert names[0] == "drawn"
    assert "broken" not in names
    assert "winmine" in names
    assert str(own_data / "broken") in one_line(capsys.readouterr().err)


def test_learned_skins_stand_before_shipped_ones_unless_they_know_less(
    own_data: Path, tmp_path: Path
) -> None:
    def taken(folder: Path | None) -> Skin:
        return next(skin for skin in all_skins(folder) if skin.name == "winemine")

    assert not user_skins().exists()
    full = taken(None)
    known = np.isin(full.states, [0, 1, State.COVERED])
    poorer = replace(full, templates=full.templates[known], states=full.states[known])
    save_skin(poorer, own_data / "winemine")
    assert len(taken(None).shown) == 15
    save_skin(replace(full, reach=25), own_data / "winemine", overwrite=True)
    assert taken(None).reach == 25
    save_skin(poorer, tmp_path / "given" / "winemine")
    # The folder was given: however little it knows
    assert taken(tmp_path / "given").shown == (0, 1, State.COVERED)


class Film:
    """A screen that shows a game move by move, each position for several grabs."""

    def __init__(self, scenes: list[Scene], times: int) -> None:
        self._pictures = [framed(scene.pixels) for scene in scenes for _ in range(times)]
        self._place = 0
        self.boards = [scene.board for scene in scenes]

    def grab(self, rect: Rect | None = None) -> Frame:
        frame = Frame(self._pictures[min(self._place, len(self._pictures) - 1)], Point(0, 0))
        self._place += 1
        return frame if rect is None else frame.crop(rect)

    def close(self) -> None:
        """Nothing to close."""

    def stop_pressed(self) -> bool:
        return self._place >= len(self._pictures)


def test_it_looks_on_while_somebody_plays(scenes: list[Scene], own_data: Path) -> None:
    film, lesson = Film(scenes, 3), lesson_in(None, "drawn", None, force=True)
    grown: list[tuple[int, ...]] = []
    look_on(
        lesson,
        film,
        stop_key(film.stop_pressed),
        0.0,
        lambda _: grown.append(load_skin(own_data / "drawn").shown),
    )
    assert len(grown) >= 3  # it was saved each time that something new was certain
    assert all(set(before) < set(after) for before, after in pairwise(grown))
    assert set(grown[-1]) >= {0, 1, 2, 3, 4, 9}
