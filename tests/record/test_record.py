"""Records: what is written comes back, also after a kill, with damage, or on a full disk."""

from __future__ import annotations

import errno
import itertools
import json
import shutil
import sys
import threading
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from io import FileIO
from operator import methodcaller
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.json import decode, encode

from bot.board import Board, Cell
from bot.errors import RecordError
from bot.game.board_files import read_board
from bot.record.check import CheckCounts, check_game
from bot.record.lines import (
    LINES,
    LONGEST_LINE,
    DecisionLine,
    Record,
    RecordedRound,
    decision_line,
    load_record,
    read_decision,
)
from bot.record.pictures import PictureLayer, Pictures
from bot.record.recorder import WAITING, Recorder
from bot.record.report import write_report
from bot.record.stats import statistics_of
from bot.solver import STRATEGIES, decide
from bot.vision import load_skins
from bot.vision.reading import Doubt
from conftest import PATIENCE, Run
from recorded import ABOUT, RecordedTable

DAMAGED = "some lines are damaged and were left out"


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
    return Path(shutil.copytree(folder, tmp_path / "copy"))


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
        assert told.seen.state is turn.look.reading.state
        assert told.decision.risks == turn.decision.risks
        assert told.decision.mines == turn.decision.mines
        assert told.decision.alternatives == turn.decision.alternatives
        assert [(move.cell, move.action, move.risk, move.reason) for move in told.decision.moves] == [
            (move.cell, move.action, move.risk, move.reason) for move in turn.decision.moves
        ]
        assert [click.point for click in told.clicks] == [click.point for click in turn.clicks]
        assert told.seen.time <= told.decided <= told.sent[0].time
    keys = [what.what for turn in rounds_of(record) for what in turn.sent if what.point is None]
    assert keys == [("f2",)]
    for result, look, game in zip(played.results, played.ends, record.games, strict=True):
        assert game.result == result.as_json()
        assert game.final is not None
        assert game.final.board == look.reading.board


def test_a_record_is_compact(folder: Path) -> None:
    rounds = len(rounds_of(load_record(folder)))
    assert sum(path.stat().st_size for path in folder.iterdir()) < 16_000 + 3_000 * rounds


def test_a_round_is_in_the_record_before_it_is_clicked(tmp_path: Path) -> None:
    table = RecordedTable(tmp_path / "run", games=1)
    seen = list[int]()
    table.looked = lambda _: seen.append(len(rounds_of(load_record(tmp_path / "run"))))
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


def kinds_in(folder: Path) -> list[str]:
    """Return of which kinds the lines of a record are."""
    lines = (folder / LINES).read_text(encoding="utf-8").splitlines()
    return [json.loads(line).get("kind", "") for line in lines]


def damage(folder: Path, number: int) -> None:
    """Change a byte in the middle of a line, counted from 0."""
    lines = (folder / LINES).read_bytes().splitlines(keepends=True)
    line = bytearray(lines[number])
    line[len(line) // 2] = 0xFF
    lines[number] = bytes(line)
    (folder / LINES).write_bytes(b"".join(lines))


def test_damage_spoils_one_line_alone(copied: Path) -> None:
    rounds = len(rounds_of(load_record(copied)))
    damage(copied, kinds_in(copied).index("round"))
    record = load_record(copied)
    assert len(rounds_of(record)) == rounds - 1
    assert record.missing == (DAMAGED,)


def test_a_damaged_picture_spoils_those_up_to_the_next_whole_one(copied: Path) -> None:
    damage(copied, kinds_in(copied).index("picture"))
    record = load_record(copied)
    first, second = (list(game.looks) for game in record.games)
    assert record.missing == (DAMAGED, f"{len(first)} of {len(first) + len(second)} pictures are missing")
    with pytest.raises(RecordError, match=r"the picture 1 of .*record\.jsonl is missing or damaged"):
        record.picture(first[1])
    record.picture(second[0])


def test_a_record_of_another_version(copied: Path) -> None:
    (copied / LINES).write_text('{"record": 3, "program": "9.1"}\n')
    with pytest.raises(RecordError, match=r"is of version 3, this program reads version 2: use minebot 9\.1"):
        load_record(copied)
    (copied / LINES).rename(copied / "record.jsonl.gz")
    with pytest.raises(RecordError, match="is of version 1, this program reads version 2"):
        load_record(copied)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "has no readable line"),
        (b"no lines at all", "has no readable line"),
        (b'{"a": 1}\n', "is not a minebot record"),
        (b"[1, 2]\n", "is not a minebot record"),
        (b"[" * 100_000 + b"\n", "is not a minebot record"),
        (b'{"record": 2, "program": "0.1"}\n', "damaged: Object missing required field `began`"),
        (b'{"record": "2"}\n', "is not a minebot record"),
    ],
)
def test_files_that_are_no_record(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / LINES).write_bytes(content)
    with pytest.raises(RecordError, match=words):
        load_record(tmp_path)


class Disk(FileIO):
    """A file on a disk that has room for so many bytes in all; like a real one it takes what fits."""

    room = 0

    def write(self, data: bytes) -> int:  # type: ignore[override]
        if not Disk.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = min(Disk.room, len(data))
        Disk.room -= written
        return super().write(data[:written])


@pytest.mark.parametrize("room", [0, 30, 500, 6_000, 12_000])
def test_on_a_full_disk_play_goes_on_and_the_record_stays_readable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    monkeypatch.setattr("bot.record.recorder.FileIO", Disk)
    Disk.room = room
    table = RecordedTable(tmp_path / "run", games=2)
    table.play()
    assert len(table.ends) == 2
    (told,) = table.told
    assert told.endswith("cannot be written: No space left on device; play goes on without it")
    if room >= 500:
        record = load_record(tmp_path / "run")
        boards = [turn.seen.board for turn in rounds_of(record)]
        assert boards == [turn.look.reading.board for turn in table.rounds][: len(boards)]
        assert record.ended is None


def test_whatever_goes_wrong_with_a_picture_play_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> PictureLayer:
        raise MemoryError("no room for it")

    monkeypatch.setattr(PictureLayer, "of", fail)
    table = RecordedTable(tmp_path / "run", games=4)
    playing = threading.Thread(target=table.play, daemon=True)  # it would wait for ever
    playing.start()
    playing.join(PATIENCE)
    assert not playing.is_alive()
    assert len(table.rounds) > WAITING
    assert len(table.ends) == 4
    (told,) = table.told
    assert told.endswith("run cannot be written: MemoryError: no room for it; play goes on without it")


def test_pictures_of_several_sizes_come_back(played: RecordedTable, tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "run", ABOUT, lambda: 0.0, pytest.fail)
    turns = [replace(turn, game=1) for turn in played.rounds[:4]]
    for number, turn in enumerate(turns):
        frame = turn.look.frame
        wider = np.pad(frame.pixels, ((0, 0), (0, 5 * (number > 1)), (0, 0)))
        turns[number] = replace(turn, look=replace(turn.look, frame=replace(frame, pixels=wider)))
        recorder.round(turns[number])
    recorder.close("done")
    record = load_record(tmp_path / "run")
    for turn, told in zip(turns, rounds_of(record), strict=True):
        assert np.array_equal(record.picture(told.seen), turn.look.frame.pixels)


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
    assert (seen.doubt, seen.unread) == ("2 cells cannot be read", [(0, 3, "pointer")])
    assert (seen.unsure, seen.remembered) == (frozenset({Cell(1, 2)}), frozenset({Cell(4, 4)}))
    assert np.array_equal(record.picture(seen), look.frame.pixels)
    assert record.ended == "stopped without a click"
    assert record.games[0].final is None


changes = st.lists(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 8), st.integers(0, 255)), max_size=6), max_size=8
)


@given(changes, st.lists(st.integers(0, 8), min_size=1))
def test_any_pictures_come_back_in_any_order(
    changes: list[list[tuple[int, int, int]]], order: list[int]
) -> None:
    shots = [np.arange(7 * 9 * 3, dtype=np.uint8).reshape(7, 9, 3)]
    for some in changes:
        shots.append(shots[-1].copy())
        for row, col, value in some:
            shots[-1][row, col] = value
    layers = [PictureLayer.of(new, old, 0) for new, old in zip(shots, [None, *shots], strict=False)]
    told = [decode(encode(layer), type=PictureLayer) for layer in layers]
    pictures = Pictures(dict(enumerate(told)))
    for number in order:
        assert np.array_equal(pictures.picture(number % len(shots)), shots[number % len(shots)])


def test_moves_of_every_kind_come_back() -> None:
    position, fresh = read_board("3 x 3 / 2\n1..\n...\n...").board, Board.covered(9, 9, 10)
    for board, strategy in ((position, "exact"), (position, "fast"), (position, "counting"), (fresh, "fast")):
        decision = decide(board, strategy=STRATEGIES[strategy])
        line = decode(encode(decision_line(decision), enc_hook=methodcaller("item")), type=DecisionLine)
        assert read_decision(line, board) == decision


# Records whose lines are in order as JSON and yet not as they are written

GOLDEN = Path(__file__).parent.parent.parent / "fixtures" / "records" / "builtin-flags"
COMMANDS = {
    "stats": ("stats", "{}"),
    "check": ("replay", "{}", "--check"),
    "report": ("replay", "{}", "--report", "{}/report.html"),
    "film": ("replay", "{}", "--film", "{}/film.mp4"),
}
Lines = list[dict[str, Any]]
Edit = Callable[[Lines], None]


def golden() -> Lines:
    return [json.loads(line) for line in (GOLDEN / LINES).read_text(encoding="utf-8").splitlines()]


def of(lines: Lines, kind: str, number: int = 0) -> dict[str, Any]:
    """Return a line of a kind, counted from 0."""
    return [line for line in lines if line.get("kind") == kind][number]


def write_lines(folder: Path, lines: Sequence[object]) -> Path:
    (folder / LINES).write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


@pytest.fixture
def golden_copy(tmp_path: Path) -> Path:
    shutil.copytree(GOLDEN, tmp_path / "run")
    return tmp_path / "run"


def change(kind: str, *path: str | int, to: Any, number: int = 0) -> Edit:
    """Return what changes a value, to which ``path`` leads, in a line of a kind ("" for the first line)."""

    def edit(lines: Lines) -> None:
        inside: Any = of(lines, kind, number) if kind else lines[0]
        for step in path[:-1]:
            inside = inside[step]
        inside[path[-1]] = to

    return edit


def without_seconds(lines: Lines) -> None:
    del of(lines, "end")["result"]["seconds"]


LATER: dict[str, Edit] = {
    "the game is a text": change("round", "game", to="1", number=3),
    "no place": change("round", "grid", 0, to=float("nan"), number=3),
    "no size": change("round", "grid", 2, to=0, number=3),
    "a move beside the board": change("round", "decision", "moves", 0, 0, to=99, number=3),
    "a first click without a move": change("round", "decision", "moves", to=[]),
    "a result without seconds": without_seconds,
    "a result of no seconds": change("end", "result", "seconds", to=None),
    "a result that was won by half": change("end", "result", "won", to=0.5),
    "a measure in words": change("end", "result", "ioe", to="much"),
    "rows of several lengths": change("round", "cells", 0, to="..", number=3),
    "a board in one line": change("round", "cells", to="...", number=3),
    "half a character": change("stop", "why", to="\ud800"),
    "a state that is none": change("round", "state", to="paused", number=3),
    "an action that is none": change("round", "decision", "moves", 0, 2, to="dig"),
    "a box without a height": change("picture", "box", to=[0, 0, 9]),
    "a picture of an infinite number": change("end", "picture", to=float("inf")),
    "a measure without an end": change("end", "result", "misreads", to=float("inf")),
    "a picture without a size": change("picture", "box", 2, to=0, number=3),
    "a picture that is no text": change("picture", "png", to=3, number=3),
    "a point that is none": change("sent", "sent", 0, 1, to=0.5),
}
FIRST: dict[str, tuple[Edit, str]] = {
    "rule": (change("", "rule", to="none"), "Invalid enum value 'none' - at `$.rule`"),
    "strategy": (change("", "strategy", to="luck"), "'luck' is not one of counting, "),
    "settings": (change("", "settings", to=None), "Expected `object`, got `null` - at `$.settings`"),
}


def ran(run: Run, command: str, folder: Path) -> tuple[int, str, str]:
    code, out, err = run(*(part.format(folder) for part in COMMANDS[command]))
    assert "internal error" not in err
    return code, out, err


@pytest.mark.parametrize("what", LATER)
def test_a_line_that_is_not_so_is_left_out_and_told(golden_copy: Path, what: str) -> None:
    lines = golden()
    LATER[what](lines)
    assert DAMAGED in load_record(write_lines(golden_copy, lines)).missing


@pytest.mark.parametrize("what", FIRST)
def test_a_first_line_that_is_not_so_is_the_fault_of_the_record(golden_copy: Path, what: str) -> None:
    lines = golden()
    edit, words = FIRST[what]
    edit(lines)
    with pytest.raises(RecordError) as raised:
        load_record(write_lines(golden_copy, lines))
    assert f"the first line of {golden_copy / LINES} is damaged: {words}" in str(raised.value)


SIZES = {
    "a picture": b'{"kind":"picture","x":"%s"}' % (b"x" * LONGEST_LINE),
    "one line": b'{"kind":"sent","sent":[%s]}' % (b'[0,1,1,"left"],' * 6_000_000),
    "nesting": b"[" * 1_000_000,
    "unknown nesting": b'{"kind":"stop","why":"","x":' + b"[" * 1_000_000,
}


@pytest.mark.parametrize("what", SIZES)
def test_a_line_that_is_too_long_takes_little_memory(golden_copy: Path, what: str) -> None:
    with (golden_copy / LINES).open("ab") as file:
        file.write(SIZES[what] + b"\n")
    tracemalloc.start()
    try:
        assert DAMAGED in load_record(golden_copy).missing
        assert tracemalloc.get_traced_memory()[1] < 4 * LONGEST_LINE
    finally:
        tracemalloc.stop()


def sent_inputs(number: int) -> Lines:
    return [golden()[0], *[{"kind": "sent", "round": 1, "sent": [[0, 1, 1, "left"]]}] * number]


def changed_pictures(number: int) -> Lines:
    """Return so many looks, each with a picture that needs all before it."""
    lines = golden()
    looks = [of(lines, "round") | {"picture": at} for at in range(number)]
    layers = [of(lines, "picture") | {"picture": at, "whole": not at} for at in range(number)]
    return [lines[0], *looks, *layers]


@pytest.mark.parametrize(("lines", "number"), [(sent_inputs, 1_000), (changed_pictures, 200)])
def test_four_times_as_many_lines_take_four_times_as_many_steps(
    tmp_path: Path, lines: Callable[[int], Lines], number: int
) -> None:
    steps = []
    for size in (number, 4 * number):
        write_lines(tmp_path, lines(size))
        counted = itertools.count()

        def step(*_: object, counted: Iterator[int] = counted) -> Any:
            next(counted)
            return step

        sys.settrace(step)
        try:
            load_record(tmp_path)
        finally:
            sys.settrace(None)
        steps.append(next(counted))
    assert steps[1] < 6 * steps[0]  # 16 times as many if each line went over those before it


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_passes_a_damaged_line_over(run: Run, golden_copy: Path, command: str) -> None:
    lines = golden()
    LATER["a move beside the board"](lines)
    code, out, err = ran(run, command, write_lines(golden_copy, lines))
    assert (out + err).count(DAMAGED) == 1
    assert code == (1 if command == "check" else 0)
    FIRST["rule"][0](lines)
    code, out, err = ran(run, command, write_lines(golden_copy, lines))
    assert (code, out, err.count("\n")) == (1, "", 1)


def showing(*cells: str) -> Edit:
    """Return what puts another board into a round, with nothing clicked, in a game begun at its corner."""

    def edit(lines: Lines) -> None:
        lines[0]["rule"] = "winmine"
        of(lines, "round")["decision"]["moves"][0][:2] = [8, 8]
        of(lines, "round", 2).update(cells=list(cells), clicks=[])
        of(lines, "round", 2)["decision"].update(moves=[], risks=[], mines=[], alternatives=[])

    return edit


ODD: dict[str, Edit] = {
    "another board": showing("..1", "..1"),
    "a board without a solution": showing("1"),
    "a board far from its picture": change("round", "grid", to=[1e9, -1e9, 1000, 1], number=2),
    "a guess without a move": change("round", "decision", "moves", to=[], number=2),
    "all at once": change("end", "time", to=-1e9),
}


@pytest.mark.parametrize("what", ODD)
def test_what_makes_no_sense_is_found_and_stops_nothing(run: Run, golden_copy: Path, what: str) -> None:
    lines = golden()
    lines[0]["strategy"] = "best"
    ODD[what](lines)
    write_lines(golden_copy, lines)
    for command in COMMANDS:
        code, out, err = ran(run, command, golden_copy)
        assert DAMAGED not in out + err
        assert code == 0 or (command == "check" and "finding" in out)


def test_newer_programs_may_tell_more(golden_copy: Path) -> None:
    lines = golden()
    of(lines, "end")["result"].update(mood="good", ways=[1, 2])
    of(lines, "round")["wind"] = {"from": "north"}
    lines.insert(1, {"kind": "weather", "sun": True})
    record = load_record(write_lines(golden_copy, lines))
    assert not record.missing
    assert (record.games[0].result or {})["mood"] == "good"


def keys_of(value: Any) -> list[Any]:
    """Return under which keys something stands in a value."""
    if isinstance(value, dict):
        return list(value)
    return list(range(len(value))) if isinstance(value, list) else []


def nested(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(values, max_size=3) | st.dictionaries(st.text(max_size=3), values, max_size=2)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=4), nested
)


@st.composite
def records(draw: st.DrawFn) -> Lines:
    """Return the golden record with some values replaced by any others, or left out."""
    lines = golden()
    for _ in range(draw(st.integers(1, 3))):
        inside: Any = lines
        key = draw(st.integers(0, len(lines) - 1))
        while keys_of(inside[key]) and (inside is lines or draw(st.integers(0, 3))):
            inside = inside[key]
            key = draw(st.sampled_from(keys_of(inside)))
        if draw(st.integers(0, 3)) or inside is lines:
            inside[key] = draw(json_values)
        else:
            del inside[key]
    return lines


def loaded(folder: Path, lines: Lines) -> Record | None:
    """Return a record, None if nothing can be made of it."""
    try:
        return load_record(write_lines(folder, lines))
    except RecordError:
        return None


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("changed") / "run"
    shutil.copytree(GOLDEN, folder)
    return folder


@settings(max_examples=100)
@given(records())
def test_whatever_is_changed_can_be_summed_up(changed: Path, lines: Lines) -> None:
    if record := loaded(changed, lines):
        statistics_of(record).as_json()


@settings(max_examples=10)
@given(records())
def test_whatever_is_changed_can_be_checked_and_reported(changed: Path, lines: Lines) -> None:
    if record := loaded(changed, lines):
        for game in record.games:
            list(map(str, check_game(record, game, load_skins(), CheckCounts())))
        write_report(record, changed / "report.html")
