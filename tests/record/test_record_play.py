"""``minebot play --record`` at a simulated screen."""

from __future__ import annotations

import os
import stat
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bot.cli.files import DryRunRecorder, PictureKeeper, page_path, prune
from bot.files import PRIVATE
from bot.geometry import Point
from bot.play.board_place import PANEL_CELLS
from bot.play.dryrun import Suggestion
from bot.record.check import CheckCounts, check_game
from bot.record.lines import LINES, load_record
from bot.record.recorder import Recorder
from bot.record.report import write_report
from bot.vision import load_picture, load_skins
from conftest import Run
from played_screen import Screen
from recorded import ABOUT, RecordedTable


def test_a_run_is_recorded(there: Screen, play: Run, tmp_path: Path) -> None:
    code, _, err = play(
        "--games", "2", "--record", tmp_path / "run", "--strategy", "exact", "--level", "9x9/10"
    )
    assert (code, "record" in err) == (0, False)
    record = load_record(tmp_path / "run")
    assert (record.ended, record.missing, len(record.games)) == ("done", (), 2)
    assert record.about.target == "winemine"
    assert record.about.strategy == "exact"
    assert record.about.settings["level"] == "9x9/10"
    sent = [what for game in record.games for turn in game.rounds for what in turn.sent if what.point]
    assert len(sent) == len(there.clicks)
    for game in record.games:
        assert game.result is not None
        assert game.final is not None
        assert game.final.state.value == game.result["outcome"]


def test_a_run_that_is_stopped_says_so_in_its_record(there: Screen, play: Run, tmp_path: Path) -> None:
    def take_the_mouse(number: int) -> None:
        if number == 3:
            there.at = Point(700, 600)

    there.on_click = take_the_mouse
    assert play("--games", "2", "--record", tmp_path / "run")[0] == 4
    record = load_record(tmp_path / "run")
    assert record.ended == "stopped: the mouse was moved by hand"
    assert sum(len(turn.sent) for turn in record.games[0].rounds) == 3


def test_what_could_not_be_believed_is_in_the_record(there: Screen, play: Run, tmp_path: Path) -> None:
    there.faults.misdraw = lambda board: board.replace(dict.fromkeys(board.cells(1), 8))
    assert play("--record", tmp_path / "run")[0] == 1
    record = load_record(tmp_path / "run")
    assert record.ended is not None
    assert record.ended.startswith("stopped without a click")
    assert record.games[-1].unclear


def test_a_folder_with_a_record_is_not_written_to(there: Screen, play: Run, tmp_path: Path) -> None:
    assert play("--record", tmp_path / "run")[0] == 0
    before, clicks = (tmp_path / "run" / LINES).read_bytes(), len(there.clicks)
    code, _, err = play("--record", tmp_path / "run")
    assert code == 2
    assert err == f"minebot: there is a record in {tmp_path / 'run'} already: give another --record\n"
    assert (len(there.clicks), (tmp_path / "run" / LINES).read_bytes()) == (clicks, before)


def test_a_dry_run_is_recorded(there: Screen, play: Run, tmp_path: Path) -> None:
    picture = tmp_path / "marks.png"
    code, _, _ = play("--dry-run", "--record", tmp_path / "run", "--strategy", "exact", "--overlay", picture)
    assert code == 0
    assert not there.clicks
    record = load_record(tmp_path / "run")
    (turn,) = record.games[0].rounds
    assert turn.decision.moves
    assert (turn.clicks, turn.sent) == ((), ())
    assert turn.seen.board == there.game.board
    assert record.about.settings["dry_run"] is True
    assert record.picture(turn.seen).size


def test_a_dry_run_tells_one_game_from_the_next(tmp_path: Path) -> None:
    table = RecordedTable(tmp_path / "played", games=2)
    table.play()
    told = list[str]()
    recorder = Recorder(tmp_path / "watched", ABOUT, lambda: 0.0, told.append)
    watched = DryRunRecorder(recorder)
    for game, end in enumerate(table.ends, 1):
        for turn in table.rounds:
            if turn.game == game:
                watched.record(Suggestion(turn.look, turn.decision))
        watched.record(Suggestion(end, None, "the game is won"))
        watched.record(Suggestion(None, None, "the board is covered"))
    recorder.close("done")
    games = load_record(tmp_path / "watched").games
    assert [len(game.rounds) for game in games] == [
        sum(turn.game == game for turn in table.rounds) for game in (1, 2)
    ]
    assert all(game.final is not None and game.result is None for game in games)
    assert not told


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such permissions")
@pytest.mark.parametrize("umask", [0o002, 0o022], ids=oct)
def test_nobody_else_can_read_what_a_run_stores(there: Screen, play: Run, tmp_path: Path, umask: int) -> None:
    assert not there.clicks
    before = os.umask(umask)
    try:
        assert play("--record", tmp_path / "run")[0] == 0
        write_report(load_record(tmp_path / "run"), page_path(tmp_path / "run"), mode=PRIVATE)
    finally:
        os.umask(before)
    stored = [*(tmp_path / "data").rglob("*"), *(tmp_path / "run").rglob("*"), tmp_path / "run"]
    assert {path.suffix for path in stored} >= {".png", ".jsonl"}
    modes = {str(path): oct(stat.S_IMODE(path.stat().st_mode)) for path in stored}
    assert modes == {str(path): oct(0o700 if path.is_dir() else 0o600) for path in stored}


def test_nothing_of_the_desktop_is_stored(tmp_path: Path) -> None:
    """Of what is around a board, only its panel is."""
    table = RecordedTable(tmp_path / "played", games=1)
    table.play()
    look, side = table.rounds[0].look, 900
    pixels = np.pad(look.frame.pixels, ((side, side), (side, side), (0, 0)), constant_values=123)
    grid = replace(look.reading.grid, x=look.reading.grid.x + side, y=look.reading.grid.y + side)
    origin = Point(look.frame.origin.x - side, look.frame.origin.y - side)
    frame = replace(look.frame, pixels=pixels, origin=origin)
    desktop = replace(look, frame=frame, reading=replace(look.reading, grid=grid))
    keeper = PictureKeeper(tmp_path)
    keeper.keep_end(desktop)
    kept = [tmp_path / "game-0001.png", Path(keeper.keep_doubt(desktop))]
    recorder = Recorder(tmp_path / "run", ABOUT, lambda: 0.0, pytest.fail)
    recorder.round(replace(table.rounds[0], look=desktop))
    recorder.close("done")
    record = load_record(tmp_path / "run")
    seen = record.games[0].rounds[0].seen
    for picture in (*map(load_picture, kept), record.picture(seen)):
        rect, margin = grid.rect, 2 * round(PANEL_CELLS * grid.pitch_y)
        assert picture.shape[:2] == (rect.height + margin, rect.width + margin)
    assert seen.origin.x + seen.grid.x == look.frame.origin.x + look.reading.grid.x
    assert not [*check_game(record, record.games[0], load_skins(), CheckCounts())]


def test_old_pictures_are_deleted_and_records_never(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.cli.files._MOST_KEPT", 25)
    days = {"old/a.png": 31, "mixed/b.png": 20, "mixed/c.png": 10, "new/d.png": 0, "mine/e.png": 90}
    for name, age in days.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"0123456789")
        os.utime(path, (time.time() - 86_400 * age,) * 2)
    (tmp_path / "mine" / LINES).touch()
    (tmp_path / "new" / "link").symlink_to(tmp_path / "mine")
    prune(tmp_path)
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.png")}
    assert left == {"mixed/c.png", "new/d.png", "mine/e.png"}
    assert not (tmp_path / "old").exists()
