"""``minebot play`` at a simulated screen: which game is played, how long, and what is kept of it."""

from __future__ import annotations

import io
import json
import shutil
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import cv2
import pytest

from bot.board import Cell, State
from bot.cli import files
from bot.cli.files import only_bot
from bot.cli.play import NOT_KEPT, RunOptions
from bot.cli.session import FoundGame, OpenedScreen, WantedGame
from bot.desktop.portable import PortableDesktop
from bot.desktop.protocols import Visibility, Window
from bot.errors import CaptureError, PictureError, UsageError
from bot.files import check_output
from bot.game.simulation import Game
from bot.geometry import Pixels, Point, Rect
from bot.levels import BEGINNER, Level
from bot.picture_files import decoded
from bot.play.results import Settings
from bot.solver import STRATEGIES, Strategy, decide
from bot.solver.decision import Move
from bot.solver.explain.hints import explain
from bot.targets.catalogue import UNKNOWN, Target, find_game, target_of_skin
from conftest import Run, one_line
from played_screen import SKINS, Screen


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The strategies for which the solver was compiled in the background."""
    names = list[str]()

    def compiled_meanwhile(strategy: Strategy) -> Strategy:
        names.append(str(strategy))
        return strategy

    monkeypatch.setattr("bot.cli.options.compiled_meanwhile", compiled_meanwhile)
    return names


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that gives an answer at a terminal."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    def answer(words: str) -> None:
        monkeypatch.setattr("sys.stdin", Terminal(words))
        monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)

    return answer


@pytest.fixture
def builtin(there: Screen, monkeypatch: pytest.MonkeyPatch) -> list[Level]:
    """Let our own game be drawn on the screen once it is started; the levels at which that was done."""
    levels = list[Level]()

    @contextmanager
    def launched(target: Target, level: Level, report: Callable[[str], None]) -> Iterator[Window]:
        assert target.name == "builtin"
        report("starting ours")
        levels.append(level)
        there.place, there.level = Point(100, 80), level
        there.game = Game(level.rows, level.cols, level.mines, 0)
        there.shown = there.game.board
        yield there.window

    ours = SKINS["builtin"]
    there.skin = replace(ours, templates=ours.templates[::2], states=ours.states[::2])  # one a state
    there.listed, there.place = False, Point(-5000, -5000)
    monkeypatch.setattr("bot.cli.session.launched", launched)
    return levels


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """No picture can be written."""

    def fail(*_: object) -> None:
        raise PictureError("the picture cannot be written: No space left on device")

    monkeypatch.setattr("bot.cli.files.save_picture", fail)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--target", "pacman"], "no target 'pacman'"),
        (["--speed", "warp"], "give max, human, or a number"),
        (["--flags", "some"], "--flags some: choose one of none, all, chord"),
        (["--stop-key", "s"], "--stop-key s: this key is used in typing"),
        (["--strategy", "luck"], "choose one of"),
        (["--minutes", "0"], "--minutes 0: give a number of minutes above 0"),
        (["--wins", "0"], "0 is not in the range x>=1"),
        (["--target", "winemine", "--level", "easy"], "'easy' is not a level"),
        (["--target", "clone", "--launch"], "--launch starts winemine"),
        (["--launch", "--level", "3x3/1"], "has no level 3x3/1"),
        (["--layers", "none"], "--layers none: there is no layer none"),
        (["--at", "left"], "--at left: give X,Y in pixels of the screen"),
        (["--at", "1,2", "--pick"], "--pick and --at: give one of them"),
        (["--record", "file"], "file"),
        (["--pictures", "file/below"], "cannot save pictures in"),
        (["--dry-run", "--overlay", "marks.txt"], "must end in one of .png, .jpg"),
        (["--dry-run", "--overlay", "no/folder/marks.png"], "there is no folder"),
    ],
)
def test_what_it_cannot_use_is_told_before_anything_is_done(
    there: Screen,
    play: Run,
    compiled: list[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    words: str,
) -> None:
    Path("file").touch()
    monkeypatch.delenv("DISPLAY", raising=False)
    code, out, err = play(*arguments)
    assert (code, out, there.clicks) == (2, "", [])
    assert not compiled or "--launch" in arguments
    assert words in one_line(err)


def test_no_game_on_the_screen(run: Run, display: str) -> None:  # noqa: ARG001
    code, _, err = run("play")
    assert code == 3
    assert "no Minesweeper" in one_line(err)


@pytest.mark.parametrize("more", [[], ["--launch"]])
def test_a_missing_screen_is_told_before_the_solver_is_compiled(
    there: Screen, play: Run, compiled: list[str], monkeypatch: pytest.MonkeyPatch, more: list[str]
) -> None:
    def missing(*_: object) -> None:
        raise CaptureError("there is no display")

    monkeypatch.setattr("bot.cli.play.this_display", lambda: ":7")
    monkeypatch.setattr("bot.cli.play.open_desktop", missing)
    assert play(*more) == (1, "", "minebot: there is no display\n")
    assert (compiled, there.clicks) == ([], [])


def test_two_do_not_play_at_once(
    there: Screen, play: Run, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.cli.play.this_display", lambda: ":7")
    with only_bot(":7"):
        code, _, err = play("--strategy", "exact")
        assert "plays on the display :7 already: stop it first" in one_line(err)
        assert (code, compiled, there.clicks, there.clock.time) == (1, [], [], 0.0)
        assert play("--dry-run", "--strategy", "exact")[0] == 0  # it needs no mouse
    assert not there.clicks
    there.clock.time = 0.0
    assert (play("--strategy", "exact")[0], bool(there.clicks)) == (0, True)


@pytest.mark.parametrize("more", [[], ["--dry-run"]])
def test_another_game_than_the_wanted_one_is_not_played(there: Screen, play: Run, more: list[str]) -> None:
    code, _, err = play("--target", "winmine", *more)
    assert code == 3
    assert err == "minebot: there is no winmine on the screen, but winemine: use --target winemine or auto\n"
    assert not there.clicks


def found_on(name: str = "auto") -> FoundGame | None:
    with ExitStack() as cleanup:
        screen = OpenedScreen(Settings(skins=tuple(SKINS.values())), cleanup)
        return WantedGame(name, None, launch=False).found(screen)


def test_the_boards_are_listed_and_none_is_played(there: Screen, play: Run) -> None:
    code, out, err = play("--boards")
    (board,) = (json.loads(line) for line in out.splitlines())
    assert (code, err, there.clicks) == (0, "", [])
    assert (board["target"], board["label"], board["words"][:6]) == ("winemine", "WineMine", "9 x 9 ")
    area = there.grid.rect
    assert Rect(*(board[name] for name in ("x", "y", "width", "height"))) == area
    picture = decoded(b64decode(board["picture"]), cv2.IMREAD_COLOR)
    assert (picture == there.grab(area).pixels).all()
    centre = f"{area.centre.x},{area.centre.y}"
    assert json.loads(play("--boards", "--at", centre)[1]) == board
    code, out, err = play("--boards", "--at", "-5,3")
    assert (code, out) == (3, "")
    assert "no board that can be seen as a whole is at this place" in one_line(err)


def test_without_a_board_the_list_says_why(run: Run, display: str) -> None:  # noqa: ARG001
    code, out, err = run("play", "--boards")
    assert (code, out) == (3, "")
    assert "no Minesweeper" in one_line(err)


@pytest.mark.parametrize("board", [True, False])
def test_a_window_with_the_title_of_a_game_needs_a_board(
    there: Screen, play: Run, monkeypatch: pytest.MonkeyPatch, board: bool
) -> None:
    game, asked = there.window, list[int]()
    client = game.client if board else Rect(0, 0, 70, 70)
    titled = Window(42, "Minesweeper", "TMain", "my-clone.exe", client)

    def refresh(window: Window) -> Window:
        asked.append(window.handle)
        return titled if window.handle == titled.handle else game

    monkeypatch.setattr(there, "windows", lambda: [titled])
    monkeypatch.setattr(there, "refresh", refresh)
    found = find_game(there)
    assert found == (UNKNOWN, titled)
    first = found_on()
    assert first is not None
    assert first.area == there.grid.rect
    assert (first.target, first.window) == (found if board else (target_of_skin("winemine"), None))
    code, _, _ = play("--strategy", "exact")
    assert (code, bool(there.clicks)) == (0, True)
    assert (titled.handle in asked) == board
    there.visibility_now, there.place = Visibility.COVERED, Point(-5000, -5000)
    assert found_on() == FoundGame(*found)  # nothing is known of what it shows


def test_the_launched_window_is_played_while_the_solver_is_compiled(
    there: Screen, play: Run, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, ready, launched_window = list[Window](), list[list[str]](), replace(there.window, handle=42)

    @contextmanager
    def launched(target: Target, _level: object, report: Callable[[str], None]) -> Iterator[Window]:
        report(f"starting [{target.label}]")
        ready.append(list(compiled))
        there.listed = False  # nothing else finds it
        yield launched_window

    whole = there.refresh

    def refresh(window: Window) -> Window | None:
        asked.append(window)
        return whole(window)

    monkeypatch.setattr(there, "refresh", refresh)
    monkeypatch.setattr("bot.cli.session.launched", launched)
    monkeypatch.delenv("DISPLAY", raising=False)
    code, _, err = play("--launch", "--strategy", "exact")
    assert (code, ready, asked[0]) == (0, [["exact"]], launched_window)
    assert "starting [WineMine]" in err


@pytest.mark.parametrize(("answer", "target"), [("\n", "auto"), ("y\n", "builtin")])
def test_our_own_game_is_offered_where_there_is_none(
    there: Screen, play: Run, builtin: list[Level], terminal: Callable[[str], None], answer: str, target: str
) -> None:
    terminal(answer)
    code, _, err = play("--target", target)
    assert "Open minebot's own game, and let the bot play it? [Y/n]" in err
    assert (code, builtin) == (0, [BEGINNER])
    assert there.clicks


@pytest.mark.parametrize(
    ("answer", "target", "words"),
    [
        ("n\n", "auto", "no Minesweeper board is on the screen"),
        ("", "auto", "no Minesweeper board is on the screen"),
        ("\n", "kmines", "no Minesweeper board is on the screen"),  # another game is not replaced by ours
        (None, "auto", "`minebot game` opens minebot's own game"),  # there is nobody to ask
    ],
)
def test_our_own_game_is_not_started_unless_the_user_agrees(
    play: Run,
    builtin: list[Level],
    terminal: Callable[[str], None],
    answer: str | None,
    target: str,
    words: str,
) -> None:
    if answer is not None:
        terminal(answer)
    code, _, err = play("--target", target)
    assert (code, builtin) == (3, [])
    assert words in " ".join(err.split())  # a terminal wraps it
    assert ("[Y/n]" in err) == (answer is not None and target == "auto")


def test_games_are_played_and_measured_in_the_style_that_is_asked_for(there: Screen, play: Run) -> None:
    code, out, _ = play("--games", "4", "--flags", "chord", "--json")
    assert code == 0
    *games, sums = map(json.loads, out.splitlines())
    assert sum(game["chords"] for game in games) == sums["chords"] > 0
    assert sums["clicks"] == len(there.clicks)
    won = [game for game in games if game["won"]]
    assert won
    for game in won:
        assert game["ioe"] == round(game["bbbv"] / game["clicks"], 4)
    assert sums["means"]["clicks"] == round(sum(game["clicks"] for game in won) / len(won), 4)


def test_final_boards_are_kept(there: Screen, play: Run, tmp_path: Path) -> None:
    code, out, _ = play("--games", "2", "--pictures", tmp_path / "kept")
    assert code == 0
    assert there.clicks
    names = [path.name for path in sorted((tmp_path / "kept").iterdir())]
    assert names == ["game-0001.png", "game-0002.png"]
    assert f"final board of game 2: {tmp_path / 'kept' / 'game-0002.png'}" in out


@pytest.mark.usefixtures("there", "full_disk")
def test_a_full_disk_loses_pictures_but_no_game(play: Run) -> None:
    code, out, err = play("--games", "3")
    assert code == 0
    assert "of 3" in out
    assert "final board" not in out
    assert err.count("No space left on device; play goes on without") == 1


@pytest.mark.usefixtures("there", "full_disk")
def test_pictures_that_were_asked_for_and_are_lost_show_in_the_exit_code(play: Run, tmp_path: Path) -> None:
    assert play("--pictures", tmp_path / "final")[0] == NOT_KEPT


@pytest.mark.usefixtures("there")
@pytest.mark.parametrize("more", [[], ["--dry-run"]])
def test_a_record_that_is_lost_shows_in_the_exit_code(
    play: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: list[str]
) -> None:
    class FullDisk(io.FileIO):
        def write(self, _: object) -> int:
            return 0

    monkeypatch.setattr("bot.record.recorder.FileIO", FullDisk)
    code, _, err = play("--record", tmp_path / "run", *more)
    assert (code, err.count("cannot be written: No space left on device; play goes on")) == (NOT_KEPT, 1)


@pytest.mark.usefixtures("full_disk")
def test_a_board_in_doubt_that_cannot_be_kept_is_still_told(there: Screen, play: Run) -> None:
    there.faults.misdraw = lambda board: board.replace(dict.fromkeys(board.cells(1), 8))
    code, _, err = play()
    assert code == 1
    assert "saved in nowhere (the picture cannot be written: No space left on device)" in err.splitlines()[-1]


def test_runs_of_one_second_have_folders_of_their_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Stopped(datetime):
        @classmethod
        def now(cls, *_: object) -> Stopped:
            return cls(2026, 1, 2, 3, 4, 5)

    monkeypatch.setattr("bot.cli.files.datetime", Stopped)
    monkeypatch.setattr("bot.cli.files.user_data_path", lambda *_, **__: tmp_path)
    names = {files.picture_folder(None).name for _ in range(3)}
    assert len(names) == 3
    assert all(name.startswith("2026-01-02-030405-") for name in names)


def test_without_a_place_for_pictures_a_temporary_one_is_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setattr("bot.cli.files.user_data_path", lambda *_, **__: tmp_path / "file")
    folder = files.picture_folder(None)
    assert folder.is_dir()
    assert f"they are saved in {folder}" in one_line(capsys.readouterr().err)
    folder.rmdir()
    with pytest.raises(UsageError, match="give another --pictures"):
        files.picture_folder(tmp_path / "file" / "below")


def test_one_game_is_played_unless_something_else_limits_the_run() -> None:
    assert RunOptions().most_games == 1
    assert RunOptions(wins=3).most_games == 0
    assert RunOptions(minutes=0.5).most_games == 0
    assert RunOptions(games=7, wins=3, minutes=2).most_games == 7


def games_and_sums(out: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the games and the sums of a run with ``--json``."""
    *games, last = [json.loads(line) for line in out.splitlines()]
    return games, last


@pytest.mark.usefixtures("there")
def test_it_stops_after_so_many_wins_and_says_so(play: Run) -> None:
    code, out, _ = play("--wins", "3", "--json")
    games, sums = games_and_sums(out)
    assert code == 0
    assert games[-1]["won"]
    assert (sums["games"], sums["wins"], sums["ended_by"]) == (len(games), 3, "wins")
    assert "ended as --wins asks for" in play("--wins", "1")[1].splitlines()


def test_the_game_that_is_running_when_the_minutes_end_is_played_to_its_end(there: Screen, play: Run) -> None:
    code, out, _ = play("--minutes", "0.1", "--speed", "10", "--json")
    games, sums = games_and_sums(out)
    assert (code, len(games), sums["ended_by"]) == (0, sums["games"], "minutes")
    assert there.game.over
    assert there.clock.time > 6


def test_the_sums_tell_of_the_user_and_of_errors(there: Screen, play: Run, tmp_path: Path) -> None:
    there.on_click = lambda number: setattr(there, "at", Point(5, 5)) if number == 4 else None
    code, out, _ = play("--games", "9", "--json")
    assert (code, games_and_sums(out)[1]["ended_by"]) == (4, "user")
    there.faults.lose = lambda _: True
    code, out, _ = play("--json", "--pictures", tmp_path)
    assert (code, games_and_sums(out)[1]["ended_by"]) == (1, "error")


# ``minebot play --dry-run`` at a simulated screen: what it suggests, draws and says, and never clicks


def test_a_board_is_shown_and_the_mouse_left_alone(there: Screen, play: Run, tmp_path: Path) -> None:
    code, out, err = play("--dry-run", "--json", "--overlay", tmp_path / "[red]marks.png")
    assert code == 0
    (board,) = (json.loads(line) for line in out.splitlines())
    assert (board["skin"], board["rows"], board["state"]) == ("winemine", 9, "new")
    assert board["moves"]
    assert board["hint"]["words"].startswith("The first click is always safe: ")
    assert str(tmp_path / "[red]marks.png") in err
    assert [path.name for path in tmp_path.iterdir()] == ["[red]marks.png"]
    assert not there.clicks


@pytest.mark.parametrize(("key", "ends"), [("Esc", "Esc or Ctrl+C"), (PortableDesktop.stop_key, "Ctrl+C")])
def test_it_says_what_ends_it(
    there: Screen, play: Run, monkeypatch: pytest.MonkeyPatch, key: str, ends: str
) -> None:
    """The mouse, which belongs to the user meanwhile, does not."""
    monkeypatch.setattr(there, "stop_key", key)
    assert f"; {ends} ends it" in play("--dry-run")[2]


def test_it_goes_on_without_its_picture_and_draws_it_when_it_can(
    there: Screen, play: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    full, drawn = [False, True, True, False, True], list[bool]()

    def save(path: Path, _pixels: Pixels, _mode: int) -> None:
        drawn.append(not full[len(drawn)])
        if len(drawn) < len(full):  # somebody opens a safe cell beside the dry run
            game, covered = there.game, there.shown.cells(State.COVERED)
            game.open(next(cell for cell in covered if game.mines is None or cell not in game.mines))
            there.shown = game.board
        if not drawn[-1]:
            raise PictureError(f"the picture {path} cannot be written: No space left on device")

    monkeypatch.setattr("bot.cli.reports.save_picture", save)
    code, out, err = play("--dry-run", "--json", "--overlay", "marks.png")
    assert code == NOT_KEPT  # the last one was lost
    assert len(out.splitlines()) == len(drawn) == len(full)
    assert err.count("No space left on device; the dry run goes on without") == 2  # once each time it is full
    assert not there.clicks


def test_it_says_why(there: Screen, play: Run) -> None:
    there.game.open(Cell(0, 0))
    there.shown = there.game.board
    code, out, _ = play("--dry-run", "--strategy", "exact")
    assert list(Path().iterdir()) == []  # a picture is drawn only if it is asked for
    assert code == 0
    hint = explain(there.shown, decide(there.shown, strategy=STRATEGIES["exact"]))
    assert out.splitlines()[10] == hint.sentence
    assert out.count(hint.sentence) == 1


def test_the_sentence_is_about_the_first_move_which_is_the_nearest(there: Screen, play: Run) -> None:
    proven = tuple[Move, ...]()
    while len(proven) < 3:
        for move in proven or decide(there.game.board, strategy=STRATEGIES["exact"]).moves:
            there.game.open(move.cell)
        proven = decide(there.game.board, strategy=STRATEGIES["exact"]).moves
    there.shown, there.at = there.game.board, there.point(Cell(9, 9))  # below the last cell
    board = json.loads(play("--dry-run", "--strategy", "exact", "--json")[1])
    first, hint = board["moves"][0], board["hint"]
    assert (first["row"], first["col"]) == (hint["row"], hint["col"])
    cells, at = [move.cell for move in proven], there.position()
    assert (first["row"], first["col"]) == min(cells, key=lambda cell: at.distance(there.point(cell)))


@pytest.mark.parametrize("target", ["auto", "winemine"])
def test_without_a_game_it_ends(
    there: Screen, play: Run, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    for name in ("WAYLAND_DISPLAY", "XDG_SESSION_TYPE"):
        monkeypatch.delenv(name, raising=False)
    there.listed, there.patience = False, float("inf")
    there.place = Point(-5000, -5000)
    code, _, err = play("--dry-run", "--target", target)
    assert code == 3
    assert "no Minesweeper board is on the screen" in err
    assert "Wayland" not in err
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    code, _, err = play("--target", target)
    assert code == 3
    assert "; this is a Wayland session, which hides windows from other programs: log out" in err


def test_it_outlives_a_board_partly_off_the_screen(there: Screen, play: Run) -> None:
    there.place, there.patience = Point(-240, 80), 6.0  # it searches the whole screen all the time
    code, out, err = play("--dry-run")
    assert (code, out) == (0, "")
    assert "partly off the screen" in err


def test_checking_a_picture_leaves_it_alone(tmp_path: Path) -> None:
    shutil.copy(Path(__file__).parents[2] / "fixtures" / "winemine-desktop.png", tmp_path / "marks.png")
    before = (tmp_path / "marks.png").read_bytes()
    check_output(tmp_path / "marks.png", "--overlay", ".png")
    assert (tmp_path / "marks.png").read_bytes() == before
