"""``minebot play --record`` at a simulated screen."""

from __future__ import annotations

from pathlib import Path

from bot.cli.files import DryRunRecorder
from bot.geometry import Point
from bot.play.dryrun import Suggestion
from bot.record import load_record
from bot.record.lines import LINES
from bot.record.recorder import Recorder
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
        assert game.final.state == game.result["outcome"]


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
    code, _, _ = play("--dry-run", "--record", tmp_path / "run", "--strategy", "exact", "--picture", picture)
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
