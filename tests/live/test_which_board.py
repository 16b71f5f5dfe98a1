"""Which board on a virtual screen is taken: decoys, hidden games, several boards, the choice of the user."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("PySide6.QtGui", reason="install PySide6-Essentials and the libraries of .ci/packages")

from bot.capture import ScreenCapture
from bot.cli.session import FoundGame, OpenedScreen, WantedGame
from bot.desktop import ScreenMouse
from bot.desktop.protocols import Desktop, Window
from bot.errors import GameNotFoundError
from bot.geometry import Point, Rect
from bot.levels import BEGINNER, INTERMEDIATE
from bot.play.results import Settings
from bot.targets.catalogue import UNKNOWN, Target
from bot.targets.launch import builtin
from bot.vision import load_picture, load_skins
from conftest import PATIENCE, Run, wait_for
from programs import configure, minimise, plain_window
from x11_match import ButtonWatch

FIXTURES = Path(__file__).parents[2] / "fixtures"
BOARD = FIXTURES / "winemine-beginner-running.png"
TWO_BOARDS = FIXTURES / "winemine-desktop.png"  # in one picture
HERE = Point(500, 300)
SKINS = load_skins()


@contextmanager
def shown(picture: Path, place: Point = HERE, title: str = "Pictures") -> Iterator[Rect]:
    """Show a picture in a window of a program that is no game, for the length of the block."""
    height, width = load_picture(picture).shape[:2]
    area = Rect(place.x, place.y, width, height)
    with closing(plain_window(area, title=title, picture=str(picture))):
        yield area


@contextmanager
def two_games(desktop: Desktop) -> Iterator[tuple[Window, Window]]:
    """Open two windows of our own game beside each other: at beginner, and at intermediate."""
    with builtin(BEGINNER) as small, builtin(INTERMEDIATE) as large:
        configure(large, x=400, y=60)
        assert wait_for(lambda: (now := desktop.refresh(large)) and now.client.x == 400)
        moved = desktop.refresh(large)
        assert moved is not None
        yield small, moved


def found(name: str = "auto", *, ask: bool = False) -> FoundGame | None:
    with ExitStack() as cleanup:
        screen = OpenedScreen(Settings(skins=SKINS), cleanup)
        return WantedGame(name, None, launch=False, ask=ask).found(screen)


@pytest.mark.parametrize("decoy", ["beside", "off the screen", "over another window", "minimised"])
def test_a_title_hides_no_board(desktop: Desktop, run: Run, decoy: str) -> None:
    place = Rect(-20, 50, 300, 200) if decoy == "off the screen" else Rect(20, 50, 300, 200)
    with ExitStack() as stack:
        stack.enter_context(shown(BOARD))
        stack.enter_context(closing(plain_window(place, title="Minesweeper")))
        if decoy == "over another window":
            stack.enter_context(closing(plain_window(Rect(100, 100, 50, 50))))
        if decoy == "minimised":
            minimise(next(window for window in desktop.windows() if window.title == "Minesweeper"))
        code, out, err = run("hint", "--json")
    assert (code, err) == (0, "")
    (board,) = json.loads(out)["boards"]
    assert (board["skin"], board["rows"]) == ("winemine", 9)


@pytest.mark.usefixtures("display")
def test_a_hidden_game_hides_no_board() -> None:
    """A game that is covered or minimised is taken only while no other board can be seen."""
    with builtin(BEGINNER) as game:
        for hide in (lambda: plain_window(game.client), lambda: minimise(game)):
            with ExitStack() as stack:
                if cover := hide():
                    stack.enter_context(closing(cover))
                hidden = found()
                assert hidden is not None
                assert (hidden.target.name, hidden.window, hidden.area) == ("builtin", game, None)
                with shown(BOARD) as area:
                    other = found()
                    assert other is not None
                    assert other.area is not None
                    assert area.covers(other.area)
                    named = found("builtin")  # the user says so
                    assert named == hidden


@pytest.mark.usefixtures("display")
def test_a_title_does_not_keep_a_game_from_being_started(monkeypatch: pytest.MonkeyPatch) -> None:
    started = list[str]()

    @contextmanager
    def launched(target: Target, *_: object) -> Iterator[None]:
        started.append(target.name)
        yield

    monkeypatch.setattr("bot.cli.session.launched", launched)
    with closing(plain_window(Rect(20, 50, 300, 200), title="Minesweeper")), ExitStack() as cleanup:
        assert WantedGame("auto", None, launch=True).launched(cleanup)
    assert started == ["winemine"]


@pytest.mark.usefixtures("display")
def test_a_window_that_only_has_the_title_may_be_covered() -> None:
    with shown(BOARD, title="Minesweeper") as area:
        seen = found()
        assert seen is not None
        assert (seen.target, seen.window and seen.window.title) == (UNKNOWN, "Minesweeper")
        with closing(plain_window(area)):
            covered = found()
            assert covered is not None
            assert (covered.target, covered.window, covered.area) == (UNKNOWN, seen.window, None)


@pytest.mark.usefixtures("display")
def test_a_known_game_comes_before_other_boards(capsys: pytest.CaptureFixture[str]) -> None:
    with builtin(BEGINNER) as game, shown(TWO_BOARDS, Point(300, 0)):
        first = found()
        assert first is not None
        assert first.window == game
    (line,) = capsys.readouterr().err.splitlines()
    assert "1. 9 x 9 at " in line
    assert "16 x 16 at " in line
    assert "'Pictures'" in line


def test_a_person_is_asked_which_of_several_boards(
    desktop: Desktop, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with two_games(desktop) as games:
        places = list[Window | None]()
        for answer in ("\n", "2\n", "7\nx\n1\n"):
            monkeypatch.setattr(sys, "stdin", io.StringIO(answer))
            chosen = found(ask=True)
            assert chosen is not None
            places.append(chosen.window)
    assert places == [places[0], places[1], places[0]]
    assert set(places) == set(games)
    assert "\n2. " in capsys.readouterr().err


@contextmanager
def picking(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run a command with --pick as a process of its own, which is ready for the click inside the block."""
    settings = {**os.environ, "PYTHONPATH": str(FIXTURES.parent)}
    command, pipe = [sys.executable, "-m", "bot", *arguments, "--pick", "--json"], subprocess.PIPE
    with subprocess.Popen(command, env=settings, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            assert process.stderr is not None
            assert "click on the board" in process.stderr.readline()
            yield process
        finally:
            process.kill()


def picked(place: Point, mouse: ScreenMouse) -> dict[str, Any]:
    """Return the board that a hint is for if the user clicks on ``place``."""
    with picking("hint") as process:
        mouse.click(place)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, "")
    (board,) = json.loads(out)["boards"]
    return dict(board)


@pytest.mark.usefixtures("kernel")
def test_the_board_that_is_clicked_on_is_taken_and_no_cell_opens(
    desktop: Desktop, mouse: ScreenMouse, capture: ScreenCapture
) -> None:
    with two_games(desktop) as games:
        mouse.move(Point(1200, 850))
        before = [capture.grab(game.client).pixels.copy() for game in games]
        rows = [picked(game.client.centre, mouse)["rows"] for game in games]
        mouse.move(Point(1200, 850))
        assert rows == [9, 16]
        for game, pixels in zip(games, before, strict=True):
            assert (capture.grab(game.client).pixels == pixels).all()


@pytest.mark.usefixtures("kernel", "desktop")
def test_one_of_two_boards_in_a_window_is_clicked_on(mouse: ScreenMouse) -> None:
    with shown(TWO_BOARDS, Point(0, 0)):
        places = [(board["rows"], Point(int(board["x"]), int(board["y"]))) for board in both_boards()]
        assert sorted(rows for rows, _ in places) == [9, 16]
        for rows, place in places:
            assert picked(Point(place.x + 30, place.y + 30), mouse)["rows"] == rows


def both_boards() -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "bot", "hint", "--json", str(TWO_BOARDS)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=FIXTURES.parent)
    return list(json.loads(done.stdout)["boards"])


@pytest.mark.usefixtures("kernel")
def test_play_takes_the_board_that_is_clicked_on(
    desktop: Desktop, mouse: ScreenMouse, tmp_path: Path
) -> None:
    options = ("play", "--speed", "max", "--no-learn", "--pictures", str(tmp_path))
    with two_games(desktop) as (small, large), ButtonWatch() as watch, picking(*options) as process:
        mouse.click(large.client.centre)
        out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, err
        assert json.loads(out.splitlines()[0])["level"] == "intermediate"
        assert not any(small.client.contains(Point(press.x, press.y)) for press in watch.presses)


@pytest.mark.usefixtures("kernel")
def test_play_takes_the_board_at_a_place_from_the_list(desktop: Desktop, tmp_path: Path) -> None:
    def minebot(*options: str) -> list[dict[str, Any]]:
        command = [sys.executable, "-m", "bot", "play", "--json", *options]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=FIXTURES.parent)
        return [json.loads(line) for line in done.stdout.splitlines()]

    with two_games(desktop):
        boards = minebot("--boards")
        assert sorted(board["words"].split(" at ")[0] for board in boards) == ["16 x 16", "9 x 9"]
        large = max(boards, key=lambda board: int(board["width"]))
        centre = f"{large['x'] + large['width'] // 2},{large['y'] + large['height'] // 2}"
        game, _ = minebot("--at", centre, "--speed", "max", "--no-learn", "--pictures", str(tmp_path))
    assert game["level"] == "intermediate"


@pytest.mark.usefixtures("desktop")
def test_esc_ends_the_choice(mouse: ScreenMouse) -> None:
    with builtin(BEGINNER), picking("play", "--dry-run") as process:
        mouse.press("esc")
        _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (4, "minebot: stopped: Esc was pressed\n")


@pytest.mark.usefixtures("desktop")
def test_a_place_without_a_board_is_one_clear_error(mouse: ScreenMouse) -> None:
    with shown(BOARD), picking("hint") as process:
        mouse.click(Point(1200, 850))
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == GameNotFoundError.exit_code
    assert "no board that can be seen as a whole is at this place" in err
