"""``minebot play`` at a simulated screen: which window is played, what is kept, what a dry run shows."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from bot.board import Cell, State
from bot.cli import keep
from bot.cli.lock import only_bot
from bot.desktop.protocols import Window
from bot.errors import PictureError, UsageError
from bot.game.simulation import Game
from bot.geometry import Pixels, Point
from bot.levels import BEGINNER, INTERMEDIATE, Level
from bot.solver import STRATEGIES, decide
from bot.solver.explain.hints import explain
from conftest import Run
from played_screen import SKINS, Screen


def test_two_do_not_play_at_once(there: Screen, play: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.cli.play.this_display", lambda: ":7")
    with only_bot(":7"):
        code, _, err = play()
        assert (code, err.count("\n")) == (1, 1)
        assert "plays on the display :7 already: stop it first" in err
        assert there.clock.time == 0.0
        assert play("--dry-run")[0] == 0  # it needs no mouse
    assert not there.clicks
    there.clock.time = 0.0
    assert (play()[0], bool(there.clicks)) == (0, True)


def test_final_boards_are_kept(there: Screen, play: Run, tmp_path: Path) -> None:
    code, out, _ = play("--games", "2", "--pictures", tmp_path / "kept")
    assert code == 0
    assert there.clicks
    assert [path.name for path in sorted((tmp_path / "kept").iterdir())] == [
        "game-0001.png",
        "game-0002.png",
    ]
    assert f"final board of game 2: {tmp_path / 'kept' / 'game-0002.png'}" in out


def test_games_are_played_and_measured_in_the_style_that_is_asked_for(there: Screen, play: Run) -> None:
    code, out, _ = play("--games", "4", "--flags", "chord", "--efficient", "--json")
    assert code == 0
    *games, sums = map(json.loads, out.splitlines())
    assert sum(game["chords"] for game in games) == sums["chords"] > 0
    assert sums["clicks"] == len(there.clicks)
    won = [game for game in games if game["won"]]
    assert won
    for game in won:
        assert game["ioe"] == round(game["bbbv"] / game["clicks"], 4)
    assert sums["means"]["clicks"] == round(sum(game["clicks"] for game in won) / len(won), 4)


def test_a_stop_key_that_is_none_is_told_before_anything_is_done(there: Screen, play: Run) -> None:
    code, out, err = play("--stop-key", "s")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "minebot: --stop-key s: one presses that while one writes" in err
    assert not there.clicks


def test_flags_that_there_are_not(there: Screen, play: Run) -> None:
    assert play("--flags", "some") == (2, "", "minebot: --flags some: choose one of none, all, chord\n")
    assert not there.clicks


def test_a_full_disk_loses_pictures_but_no_game(
    there: Screen, play: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise PictureError("the picture cannot be written: No space left on device")

    monkeypatch.setattr("bot.cli.keep.save_picture", fail)
    code, out, err = play("--games", "3")
    assert there.clicks
    assert code == 0
    assert "of 3" in out
    assert "final board" not in out
    assert err.count("No space left on device; play goes on without") == 1


def test_a_board_in_doubt_that_cannot_be_kept_is_still_told(
    there: Screen, play: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise PictureError("the picture cannot be written: No space left on device")

    monkeypatch.setattr("bot.cli.keep.save_picture", fail)
    there.faults.misdraw = lambda board: board.replace(dict.fromkeys(board.cells(1), 8))
    code, _, err = play()
    assert code == 1
    assert "kept in nowhere (the picture cannot be written: No space left on device)" in err.splitlines()[-1]


def test_pictures_into_a_place_that_takes_none(there: Screen, play: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    code, _, err = play("--pictures", tmp_path / "file" / "below")
    assert code == 2
    assert "no pictures can be kept in" in err
    assert not there.clicks


def test_a_folder_that_takes_no_files_is_told_at_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(**_: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("bot.cli.keep.TemporaryFile", refuse)
    with pytest.raises(UsageError, match=r"Read-only file system.: give another --pictures"):
        keep.picture_folder(tmp_path)


def test_runs_of_one_second_have_folders_of_their_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Stopped(datetime):
        @classmethod
        def now(cls, *_: object) -> Stopped:
            return cls(2026, 1, 2, 3, 4, 5)

    monkeypatch.setattr("bot.cli.keep.datetime", Stopped)
    monkeypatch.setattr("bot.cli.folders.user_data_path", lambda *_, **__: tmp_path)
    names = [keep.picture_folder(None).name for _ in range(3)]
    assert names == ["2026-01-02-030405", "2026-01-02-030405-2", "2026-01-02-030405-3"]


@pytest.mark.parametrize("more", [[], ["--dry-run"]])
def test_another_game_than_the_wanted_one_is_not_played(there: Screen, play: Run, more: list[str]) -> None:
    code, _, err = play("--target", "winmine", *more)
    assert code == 3
    assert err == "minebot: there is no winmine on the screen, but winemine: use --target winemine or auto\n"
    assert not there.clicks


def test_the_launched_window_is_the_one_that_is_played(
    there: Screen, play: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[Window]()
    launched_window = replace(there.window, handle=42)

    @contextmanager
    def launched(_level: object, report: Callable[[str], None]) -> Iterator[Window]:
        report("starting [WineMine]")
        there.listed = False  # nothing else finds it
        yield launched_window

    whole = there.refresh

    def refresh(window: Window) -> Window | None:
        asked.append(window)
        return whole(window)

    monkeypatch.setattr(there, "refresh", refresh)
    monkeypatch.setattr("bot.cli.find.launched", launched)
    monkeypatch.delenv("DISPLAY", raising=False)
    code, _, err = play("--launch")
    assert code == 0
    assert "starting [WineMine]" in err
    assert asked[0] == launched_window


def test_our_own_game_is_launched(there: Screen, play: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    levels = started_builtin(there, monkeypatch)
    there.listed = False
    monkeypatch.delenv("DISPLAY", raising=False)
    code, _, err = play("--launch", "--target", "builtin", "--level", "intermediate")
    assert (code, levels) == (0, [INTERMEDIATE])
    assert "starting ours" in err
    assert there.clicks


def started_builtin(there: Screen, monkeypatch: pytest.MonkeyPatch) -> list[Level]:
    """Let what is drawn on the screen be our own game when it is started; return the levels that are."""
    levels = list[Level]()

    @contextmanager
    def launched_builtin(level: Level, report: Callable[[str], None]) -> Iterator[Window]:
        report("starting ours")
        levels.append(level)
        there.place, there.level = Point(100, 80), level
        there.game = Game(level.rows, level.cols, level.mines, 0)
        there.shown = there.game.board
        yield there.window

    ours = SKINS["builtin"]
    there.skin = replace(ours, templates=ours.templates[::2], states=ours.states[::2])  # one a state
    monkeypatch.setattr("bot.cli.find.launched_builtin", launched_builtin)
    return levels


def at_a_terminal(monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdin", Terminal(answer))
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)


@pytest.mark.parametrize("answer", ["\n", "y\n"])
@pytest.mark.parametrize("target", ["auto", "builtin"])
def test_our_own_game_is_offered_where_there_is_none(
    there: Screen, play: Run, monkeypatch: pytest.MonkeyPatch, answer: str, target: str
) -> None:
    levels = started_builtin(there, monkeypatch)
    there.listed, there.place = False, Point(-5000, -5000)
    at_a_terminal(monkeypatch, answer)
    code, _, err = play("--target", target)
    assert "Open the one of minebot, and let the bot play it? [Y/n]" in err
    assert (code, levels) == (0, [BEGINNER])
    assert there.clicks


@pytest.mark.parametrize("answer", ["n\n", ""])
def test_who_does_not_want_our_own_game_gets_none(
    there: Screen, play: Run, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    levels = started_builtin(there, monkeypatch)
    there.listed, there.place = False, Point(-5000, -5000)
    at_a_terminal(monkeypatch, answer)
    code, _, err = play()
    assert (code, levels) == (3, [])
    assert "no Minesweeper board is on the screen" in err.splitlines()[-1]


def test_nobody_is_asked_without_a_terminal(there: Screen, play: Run) -> None:
    there.listed, there.place = False, Point(-5000, -5000)
    code, _, err = play()
    assert code == 3
    assert err.count("\n") == 1
    assert "`minebot game` opens one of minebot's own" in err


def test_another_game_that_is_missing_is_not_replaced_by_ours(
    there: Screen, play: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    there.listed, there.place = False, Point(-5000, -5000)
    at_a_terminal(monkeypatch, "\n")
    code, _, err = play("--target", "kmines")
    assert code == 3
    assert "[Y/n]" not in err


def test_dry_run_shows_a_board_and_keeps_off_the_mouse(there: Screen, play: Run, tmp_path: Path) -> None:
    code, out, err = play("--dry-run", "--json", "--picture", tmp_path / "[red]marks.png")
    assert code == 0
    (board,) = (json.loads(line) for line in out.splitlines())
    assert (board["skin"], board["rows"], board["state"]) == ("winemine", 9, "new")
    assert board["moves"]
    assert board["hint"]["words"].startswith("The first click is safe wherever it is: ")
    assert str(tmp_path / "[red]marks.png") in err
    assert [path.name for path in tmp_path.iterdir()] == ["[red]marks.png"]
    assert not there.clicks


def open_one(screen: Screen) -> None:
    """Open a safe cell, as a user does beside a dry run."""
    game = screen.game
    covered = screen.shown.cells(State.COVERED)
    game.open(next(cell for cell in covered if game.mines is None or cell not in game.mines))
    screen.shown = game.board


def test_a_dry_run_goes_on_without_its_picture_and_draws_it_when_it_can(
    there: Screen, play: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    full, drawn = [False, True, True, False, True], list[bool]()

    def save(path: Path, _pixels: Pixels) -> None:
        drawn.append(not full[len(drawn)])
        if len(drawn) < len(full):
            open_one(there)
        if not drawn[-1]:
            raise PictureError(f"the picture {path} cannot be written: No space left on device")

    monkeypatch.setattr("bot.cli.suggestions.save_picture", save)
    code, out, err = play("--dry-run", "--json")
    assert code == 0
    assert len(out.splitlines()) == len(drawn) == len(full)
    assert err.count("No space left on device; the dry run goes on without") == 2  # once each time it is full
    assert not there.clicks


def test_dry_run_says_why(there: Screen, play: Run) -> None:
    there.game.open(Cell(0, 0))
    there.shown = there.game.board
    code, out, _ = play("--dry-run", "--strategy", "exact")
    assert code == 0
    hint = explain(there.shown, decide(there.shown, strategy=STRATEGIES["exact"]))
    assert out.splitlines()[10] == hint.sentence
    assert out.count(hint.sentence) == 1


@pytest.mark.parametrize("target", ["auto", "winemine"])
def test_dry_run_without_a_game_ends(there: Screen, play: Run, target: str) -> None:
    there.listed, there.patience = False, float("inf")
    there.place = Point(-5000, -5000)
    code, _, err = play("--dry-run", "--target", target)
    assert code == 3
    assert "no Minesweeper board is on the screen" in err


def test_dry_run_outlives_a_board_partly_off_the_screen(there: Screen, play: Run) -> None:
    there.place, there.patience = Point(-240, 80), 1.0  # it searches the whole screen all the time
    code, out, err = play("--dry-run")
    assert (code, out) == (0, "")
    assert "partly off the screen" in err


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("no/folder/marks.png", "give another --picture"),
        ("marks.txt", "must end in .png"),
        (".", "is a directory"),
    ],
)
def test_a_picture_that_dry_run_cannot_draw_is_told_at_once(
    there: Screen, play: Run, name: str, words: str
) -> None:
    code, out, err = play("--dry-run", "--picture", name)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
    assert there.clock.time == 0


def test_checking_a_picture_leaves_it_alone(tmp_path: Path) -> None:
    shutil.copy(Path(__file__).parents[1] / "fixtures" / "winemine-desktop.png", tmp_path / "marks.png")
    before = (tmp_path / "marks.png").read_bytes()
    keep.check_picture(tmp_path / "marks.png")
    assert (tmp_path / "marks.png").read_bytes() == before
