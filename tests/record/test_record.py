"""Records: what is written comes back, also after a kill, with damage, or on a full disk."""

from __future__ import annotations

import errno
import gzip
import io
import json
import threading
from dataclasses import replace
from io import FileIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from bot.board import Board, Cell
from bot.errors import RecordError, UsageError
from bot.geometry import Pixels
from bot.record import Record, RecordedRound, is_record, load_record
from bot.record.film import Film, FilmWriter
from bot.record.lines import LineWriter, read_lines
from bot.record.record import LINES
from bot.record.recorder import WAITING, Recorder
from bot.solver import STRATEGIES
from bot.solver.decision import Action
from bot.vision.reading import Doubt
from conftest import PATIENCE
from recorded import ABOUT, RecordedTable


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> RecordedTable:
    """Two beginner games."""
    table = RecordedTable(tmp_path_factory.mktemp("record") / "run", games=2)
    table.play()
    return table


@pytest.fixture(scope="module")
def folder(played: RecordedTable) -> Path:
    return played.recorder.folder


@pytest.fixture
def copied(folder: Path, tmp_path: Path) -> Path:
    """A copy of the record, for a test to damage."""
    copy = tmp_path / "copy"
    copy.mkdir()
    for path in folder.iterdir():
        (copy / path.name).write_bytes(path.read_bytes())
    return copy


def rounds_of(record: Record) -> list[RecordedRound]:
    return [turn for game in record.games for turn in game.rounds]


def test_all_of_a_run_comes_back(played: RecordedTable, folder: Path) -> None:
    record = load_record(folder)
    assert (record.about, record.ended, record.missing) == (ABOUT, "done", ())
    assert len(record.games) == len(played.ends) == 2
    assert len(rounds_of(record)) == len(played.rounds) > 4
    for turn, told in zip(played.rounds, rounds_of(record), strict=True):
        assert (told.game, told.number) == (turn.game, turn.number)
        assert told.seen.board == turn.look.reading.board
        assert told.seen.grid == turn.look.reading.grid
        assert told.seen.origin == turn.look.frame.origin
        assert told.seen.state == turn.look.reading.state.value
        assert told.decision.risks == turn.decision.risks
        assert told.decision.mines == turn.decision.mines
        assert told.decision.alternatives == turn.decision.alternatives
        assert [(move.cell, move.action, move.risk, move.reason) for move in told.decision.moves] == [
            (move.cell, move.action, move.risk, move.reason) for move in turn.decision.moves
        ]
        assert [click.point for click in told.clicks] == [click.point for click in turn.clicks]
        assert told.seen.time <= told.decided <= told.sent[0].time
    for (result, look), game in zip(played.ends, record.games, strict=True):
        assert game.result == result.as_json()
        assert game.final is not None
        assert game.final.board == look.reading.board


def test_pictures_come_back_pixel_by_pixel(played: RecordedTable, folder: Path) -> None:
    record = load_record(folder)
    looks = [turn.look for turn in played.rounds]
    for look, told in zip(looks, rounds_of(record), strict=True):
        assert np.array_equal(record.picture(told.seen.shot), look.frame.pixels)
    last, first = rounds_of(record)[-1], rounds_of(record)[0]  # in another order
    assert np.array_equal(record.picture(last.seen.shot), looks[-1].frame.pixels)
    assert np.array_equal(record.picture(first.seen.shot), looks[0].frame.pixels)


def test_everything_sent_is_told(played: RecordedTable, folder: Path) -> None:
    sent = [what for turn in rounds_of(load_record(folder)) for what in turn.sent]
    assert sum(what.point is not None for what in sent) == len(played.screen.clicks)
    assert [what.keys for what in sent if what.keys] == [("f2",)]
    assert [what.time for what in sent] == sorted(what.time for what in sent)


def test_a_record_is_compact(folder: Path) -> None:
    rounds = len(rounds_of(load_record(folder)))
    assert sum(path.stat().st_size for path in folder.iterdir()) < 8_000 + 1_000 * rounds


def test_a_round_is_in_the_record_before_it_is_clicked(tmp_path: Path) -> None:
    table = RecordedTable(tmp_path / "run", games=1)
    seen = list[int]()
    table.on_round = lambda _: seen.append(len(rounds_of(load_record(tmp_path / "run"))))
    table.play()
    assert seen == list(range(1, len(table.rounds) + 1))


def test_a_record_cut_off_anywhere_is_read_up_to_its_last_whole_round(copied: Path) -> None:
    """Nothing is invented, and nothing that is there is lost."""
    data = (copied / LINES).read_bytes()
    whole = [turn.seen.board for turn in rounds_of(load_record(copied))]
    last = 0
    for size in range(0, len(data) + 1, 29):
        (copied / LINES).write_bytes(data[:size])
        try:
            record = load_record(copied)
        except RecordError:
            assert size < 300  # not even the first line is there
            continue
        boards = [turn.seen.board for turn in rounds_of(record)]
        assert whole[:last] == boards[:last]
        assert boards == whole[: len(boards)]
        assert record.ended == "done" or record.missing[0].startswith("the run was cut off")
        last = len(boards)
    assert last == len(whole)


def test_damage_spoils_one_game_alone(copied: Path) -> None:
    data = bytearray((copied / LINES).read_bytes())
    second = data.index(b"\x1f\x8b\x08", 1)  # where the second game begins
    data[second // 2] ^= 0xFF
    (copied / LINES).write_bytes(data)
    record = load_record(copied)
    assert [game.number for game in record.games][-1] == 2
    assert record.games[-1].result
    assert "some lines are damaged and were left out" in record.missing


@pytest.mark.parametrize("size", [0, 20, 200, 2000, 2600])
def test_a_film_cut_off_shows_what_it_has(copied: Path, size: int) -> None:
    film = copied / "film-0001.png"
    film.write_bytes(film.read_bytes()[:size])
    record = load_record(copied)
    (missing,) = record.missing
    assert str(film) in missing
    assert " of " in missing
    with pytest.raises(RecordError, match=r"the picture \d+ of .*film-0001.png is missing or damaged"):
        record.picture(record.games[0].rounds[-1].seen.shot)
    record.picture(record.games[1].rounds[0].seen.shot)


def test_a_missing_film_is_named(copied: Path) -> None:
    (copied / "film-0002.png").unlink()
    record = load_record(copied)
    assert record.missing == (
        f"the film {copied / 'film-0002.png'} cannot be read: No such file or directory",
    )
    assert rounds_of(record)
    with pytest.raises(RecordError, match=r"film-0002\.png cannot be read"):
        record.picture(record.games[1].rounds[0].seen.shot)


def test_a_record_of_another_version(copied: Path) -> None:
    line = {"record": 2, "program": "9.1"}
    (copied / LINES).write_bytes(gzip.compress(json.dumps(line).encode() + b"\n"))
    with pytest.raises(RecordError, match=r"is of version 2, this program reads version 1: use minebot 9\.1"):
        load_record(copied)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "holds nothing that can be read"),
        (b"no gzip at all", "holds nothing that can be read"),
        (gzip.compress(b'{"a": 1}\n'), "is no record of minebot"),
        (gzip.compress(b"[1, 2]\n"), "holds nothing that can be read"),
        (gzip.compress(b'{"record": 1, "program": "0.1"}\n'), "lacks 'began'"),
        (gzip.compress(b'{"record": "1"}\n'), "is no record of minebot"),
    ],
)
def test_files_that_are_no_record(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / LINES).write_bytes(content)
    with pytest.raises(RecordError, match=words):
        load_record(tmp_path)


def test_folders_that_have_no_record(tmp_path: Path) -> None:
    assert not is_record(tmp_path)
    for place in (tmp_path, tmp_path / "none"):
        with pytest.raises(RecordError, match="there is no record in"):
            load_record(place)


def test_lines_of_another_form_are_left_out_and_told(copied: Path) -> None:
    lines = gzip.decompress((copied / LINES).read_bytes()).splitlines()
    lines[1:2] = [b'{"kind": "round", "game": 1}', b'{"kind": "weather", "sun": true}', b"{}"]
    (copied / LINES).write_bytes(gzip.compress(b"\n".join(lines) + b"\n"))
    record = load_record(copied)
    assert "some lines are damaged and were left out" in record.missing
    assert record.games[0].rounds[0].number == 2


def test_a_folder_that_has_a_record_is_left_alone(copied: Path) -> None:
    before = (copied / LINES).read_bytes()
    with pytest.raises(UsageError, match=r"there is a record in .* already: give another --record"):
        RecordedTable(copied)
    assert (copied / LINES).read_bytes() == before
    (copied / LINES).unlink()  # its films are worth something too
    with pytest.raises(UsageError, match="already"):
        RecordedTable(copied)


class Disk(FileIO):
    """A file on a disk that has room for so many bytes in all; like a real one it takes what fits."""

    room = 0

    def write(self, data: bytes) -> int:  # type: ignore[override]
        if not Disk.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = min(Disk.room, len(data))
        Disk.room -= written
        return super().write(data[:written])


@pytest.mark.parametrize("room", [0, 30, 500, 3_000, 6_000])
def test_on_a_full_disk_play_goes_on_and_the_record_stays_readable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    for module in ("film", "lines"):
        monkeypatch.setattr(f"bot.record.{module}.FileIO", Disk)
    Disk.room = room
    table = RecordedTable(tmp_path / "run", games=2)
    table.play()
    assert len(table.ends) == 2
    (told,) = table.told
    assert told.endswith("cannot be written: No space left on device; play goes on without")
    if room >= 500:
        record = load_record(tmp_path / "run")
        boards = [turn.seen.board for turn in rounds_of(record)]
        assert boards == [turn.look.reading.board for turn in table.rounds][: len(boards)]
        assert record.ended is None


@pytest.mark.parametrize("step", ["add", "close"])
def test_whatever_goes_wrong_with_a_film_play_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def fail(writer: FilmWriter, *_: object) -> None:
        close(writer)
        raise MemoryError("no room for it")

    close = FilmWriter.close
    monkeypatch.setattr(FilmWriter, step, fail)
    table = RecordedTable(tmp_path / "run", games=4)
    playing = threading.Thread(target=table.play, daemon=True)  # it would wait for ever
    playing.start()
    playing.join(PATIENCE)
    assert not playing.is_alive()
    assert len(table.rounds) > WAITING
    assert len(table.ends) == 4
    (told,) = table.told
    assert told.endswith("run cannot be written: MemoryError: no room for it; play goes on without")


def test_a_picture_of_another_size_begins_another_film(played: RecordedTable, tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "run", ABOUT, lambda: 0.0, pytest.fail)
    turns = [replace(turn, game=1) for turn in played.rounds[:4]]
    for number, turn in enumerate(turns):
        frame = turn.look.frame
        wider = np.pad(frame.pixels, ((0, 0), (0, 5 * (number > 1)), (0, 0)))
        turns[number] = replace(turn, look=replace(turn.look, frame=replace(frame, pixels=wider)))
        recorder.round(turns[number])
    recorder.close("done")
    record = load_record(tmp_path / "run")
    shots = [turn.seen.shot for turn in rounds_of(record)]
    assert [(shot.film, shot.number) for shot in shots] == [
        ("film-0001.png", 0),
        ("film-0001.png", 1),
        ("film-0001-2.png", 0),
        ("film-0001-2.png", 1),
    ]
    for turn, shot in zip(turns, shots, strict=True):
        assert np.array_equal(record.picture(shot), turn.look.frame.pixels)


def test_a_look_that_is_not_believed_is_kept_too(played: RecordedTable, tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "run", ABOUT, lambda: 0.0, pytest.fail)
    recorder.round(played.rounds[0])
    look = replace(played.rounds[1].look, doubt="2 cells cannot be read", unsure=frozenset({Cell(1, 2)}))
    doubtful = {Cell(0, 3): Doubt.POINTER}
    reading = replace(look.reading, doubts=doubtful, remembered=frozenset({Cell(4, 4)}))
    recorder.unclear(replace(look, reading=reading))
    recorder.close("stopped without a click")
    record = load_record(tmp_path / "run")
    (seen,) = record.games[0].unclear
    assert (seen.doubt, seen.doubts) == ("2 cells cannot be read", {Cell(0, 3): "pointer"})
    assert (seen.unsure, seen.remembered) == (frozenset({Cell(1, 2)}), frozenset({Cell(4, 4)}))
    assert np.array_equal(record.picture(seen.shot), look.frame.pixels)
    assert record.ended == "stopped without a click"
    assert record.games[0].final is None


pictures = st.lists(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 8), st.integers(0, 255)), max_size=6), max_size=8
)


def film_of(shots: list[Pixels], path: Path) -> bytes:
    writer = FilmWriter(path, shots[0])
    for shot in shots:
        writer.add(shot)
    writer.close()
    return path.read_bytes()


@given(pictures)
def test_any_pictures_become_a_film_that_others_can_show(
    tmp_path_factory: pytest.TempPathFactory, changes: list[list[tuple[int, int, int]]]
) -> None:
    """Pillow, which knows nothing of us, shows the same pictures."""
    shots = [np.arange(7 * 9 * 3, dtype=np.uint8).reshape(7, 9, 3)]
    for some in changes:
        shots.append(shots[-1].copy())
        for row, col, value in some:
            shots[-1][row, col] = value
    data = film_of(shots, tmp_path_factory.mktemp("film") / "film.png")
    film = Film(data)
    assert len(film) == len(shots)
    with Image.open(io.BytesIO(data)) as image:
        assert image.format == "PNG"
        assert getattr(image, "n_frames", 1) == len(shots)
        for number, shot in enumerate(shots):
            image.seek(number)
            assert np.array_equal(film.picture(number), shot)
            assert np.array_equal(np.asarray(image.convert("RGB"))[..., ::-1], shot)


def test_a_film_is_whole_after_each_picture(tmp_path: Path) -> None:
    shots = [np.full((20, 30, 3), value, np.uint8) for value in (0, 80, 160)]
    writer = FilmWriter(tmp_path / "film.png", shots[0])
    for number, shot in enumerate(shots, 1):
        writer.add(shot)
        with Image.open(tmp_path / "film.png") as image:
            assert getattr(image, "n_frames", 1) == number
            image.seek(number - 1)
            assert np.array_equal(np.asarray(image.convert("RGB")), shot)
    writer.close()


def test_lines_are_gzip_as_others_know_it(tmp_path: Path) -> None:
    writer = LineWriter(tmp_path / "lines.gz")
    told = [{"a": number, "b": ["ä", None]} for number in range(5)]
    for number, values in enumerate(told):
        writer.write(values)
        assert read_lines((tmp_path / "lines.gz").read_bytes())[0] == told[: number + 1]
        if number == 2:
            writer.part()
    writer.write({"n": np.int64(5)})
    writer.close()
    data = (tmp_path / "lines.gz").read_bytes()
    assert read_lines(data) == ([*told, {"n": 5}], True)
    assert [json.loads(line) for line in gzip.decompress(data).splitlines()] == [*told, {"n": 5}]


def test_moves_of_every_kind_come_back() -> None:
    from bot.record.forms import decision_as_json, decision_of
    from bot.solver import decide

    board = Board.parse("3 x 3 / 2\n1..\n...\n...")
    for strategy in ("exact", "fast", "counting"):
        decision = decide(board, strategy=STRATEGIES[strategy])
        again = decision_of(json.loads(json.dumps(decision_as_json(decision))), board)
        assert again == decision
    fresh = decide(Board.covered(9, 9, 10), strategy=STRATEGIES["fast"])
    assert decision_of(json.loads(json.dumps(decision_as_json(fresh))), Board.covered(9, 9, 10)) == fresh
    assert fresh.moves[0].action is Action.OPEN
    assert isinstance(fresh.moves[0].cell, Cell)
