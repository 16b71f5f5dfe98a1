"""``minebot play --dry-run`` at a simulated screen: what it suggests, draws and says, and never clicks."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from bot.board import Cell, State
from bot.cli.files import check_picture
from bot.errors import PictureError
from bot.geometry import Pixels, Point
from bot.solver import STRATEGIES, decide
from bot.solver.explain.hints import explain
from conftest import Run
from played_screen import Screen


def test_a_board_is_shown_and_the_mouse_left_alone(there: Screen, play: Run, tmp_path: Path) -> None:
    code, out, err = play("--dry-run", "--json", "--picture", tmp_path / "[red]marks.png")
    assert code == 0
    (board,) = (json.loads(line) for line in out.splitlines())
    assert (board["skin"], board["rows"], board["state"]) == ("winemine", 9, "new")
    assert board["moves"]
    assert board["hint"]["words"].startswith("The first click is safe wherever it is: ")
    assert str(tmp_path / "[red]marks.png") in err
    assert [path.name for path in tmp_path.iterdir()] == ["[red]marks.png"]
    assert not there.clicks


def test_it_goes_on_without_its_picture_and_draws_it_when_it_can(
    there: Screen, play: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    full, drawn = [False, True, True, False, True], list[bool]()

    def save(path: Path, _pixels: Pixels) -> None:
        drawn.append(not full[len(drawn)])
        if len(drawn) < len(full):  # somebody opens a safe cell beside the dry run
            game, covered = there.game, there.shown.cells(State.COVERED)
            game.open(next(cell for cell in covered if game.mines is None or cell not in game.mines))
            there.shown = game.board
        if not drawn[-1]:
            raise PictureError(f"the picture {path} cannot be written: No space left on device")

    monkeypatch.setattr("bot.cli.suggestions.save_picture", save)
    code, out, err = play("--dry-run", "--json")
    assert code == 0
    assert len(out.splitlines()) == len(drawn) == len(full)
    assert err.count("No space left on device; the dry run goes on without") == 2  # once each time it is full
    assert not there.clicks


def test_it_says_why(there: Screen, play: Run) -> None:
    there.game.open(Cell(0, 0))
    there.shown = there.game.board
    code, out, _ = play("--dry-run", "--strategy", "exact")
    assert code == 0
    hint = explain(there.shown, decide(there.shown, strategy=STRATEGIES["exact"]))
    assert out.splitlines()[10] == hint.sentence
    assert out.count(hint.sentence) == 1


@pytest.mark.parametrize("target", ["auto", "winemine"])
def test_without_a_game_it_ends(there: Screen, play: Run, target: str) -> None:
    there.listed, there.patience = False, float("inf")
    there.place = Point(-5000, -5000)
    code, _, err = play("--dry-run", "--target", target)
    assert code == 3
    assert "no Minesweeper board is on the screen" in err


def test_it_outlives_a_board_partly_off_the_screen(there: Screen, play: Run) -> None:
    there.place, there.patience = Point(-240, 80), 1.0  # it searches the whole screen all the time
    code, out, err = play("--dry-run")
    assert (code, out) == (0, "")
    assert "partly off the screen" in err


def test_checking_a_picture_leaves_it_alone(tmp_path: Path) -> None:
    shutil.copy(Path(__file__).parents[2] / "fixtures" / "winemine-desktop.png", tmp_path / "marks.png")
    before = (tmp_path / "marks.png").read_bytes()
    check_picture(tmp_path / "marks.png")
    assert (tmp_path / "marks.png").read_bytes() == before
