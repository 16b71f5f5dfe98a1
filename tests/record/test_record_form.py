"""Records whose lines are in order as JSON and yet not as they are written: no command fails at them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.errors import RecordError
from bot.record import Record, load_record
from bot.record.check import Checked, check_game
from bot.record.record import LINES
from bot.record.report import write_report
from bot.record.stats import sums_of
from bot.vision import load_skins
from conftest import Run
from strategies import json_values

GOLDEN = Path(__file__).parent.parent.parent / "fixtures" / "records" / "builtin-flags"
SKINS = load_skins()
DAMAGED = "some lines are damaged and were left out"
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
def copied(tmp_path: Path) -> Path:
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
    "a result that was won by half": change("end", "result", "won", to=0.5),
    "a measure in words": change("end", "result", "ioe", to="much"),
    "rows of several lengths": change("round", "cells", 0, to="..", number=3),
    "a board in one line": change("round", "cells", to="...", number=3),
    "half a character": change("stop", "why", to="\ud800"),
    "a state that is none": change("round", "state", to="paused", number=3),
    "a picture without a size": change("picture", "box", 2, to=0, number=3),
    "a picture that is no text": change("picture", "png", to=3, number=3),
    "a point that is none": change("sent", "sent", 0, 1, to=0.5),
}
FIRST: dict[str, tuple[Edit, str]] = {
    "rule": (change("", "rule", to="none"), "'none' is none of any, safe, opening, winmine"),
    "strategy": (change("", "strategy", to="luck"), "'luck' is none of counting, "),
    "settings": (change("", "settings", to=None), "None are no settings"),
}


def ran(run: Run, command: str, folder: Path) -> tuple[int, str, str]:
    code, out, err = run(*(part.format(folder) for part in COMMANDS[command]))
    assert "internal error" not in err
    return code, out, err


@pytest.mark.parametrize("what", LATER)
def test_a_line_that_is_not_so_is_left_out_and_told(copied: Path, what: str) -> None:
    lines = golden()
    LATER[what](lines)
    assert DAMAGED in load_record(write_lines(copied, lines)).missing


@pytest.mark.parametrize("what", FIRST)
def test_a_first_line_that_is_not_so_is_the_fault_of_the_record(copied: Path, what: str) -> None:
    lines = golden()
    edit, words = FIRST[what]
    edit(lines)
    with pytest.raises(RecordError) as raised:
        load_record(write_lines(copied, lines))
    assert f"the first line of {copied / LINES} is damaged: {words}" in str(raised.value)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_passes_a_damaged_line_over(run: Run, copied: Path, command: str) -> None:
    lines = golden()
    LATER["a move beside the board"](lines)
    code, out, err = ran(run, command, write_lines(copied, lines))
    assert (out + err).count(DAMAGED) == 1
    assert code == 0 or (command == "check" and "finding" in out)
    FIRST["rule"][0](lines)
    code, out, err = ran(run, command, write_lines(copied, lines))
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
def test_what_makes_no_sense_is_found_by_a_check_and_stops_nothing(run: Run, copied: Path, what: str) -> None:
    lines = golden()
    lines[0]["strategy"] = "best"
    ODD[what](lines)
    write_lines(copied, lines)
    for command in COMMANDS:
        code, out, err = ran(run, command, copied)
        assert DAMAGED not in out + err
        assert code == 0 or (command == "check" and "finding" in out)


def test_newer_programs_may_tell_more(copied: Path) -> None:
    lines = golden()
    of(lines, "end")["result"].update(mood="good", ways=[1, 2])
    of(lines, "round")["wind"] = {"from": "north"}
    record = load_record(write_lines(copied, lines))
    assert not record.missing
    assert (record.games[0].result or {})["mood"] == "good"


def keys_of(value: Any) -> list[Any]:
    """Return under which keys something stands in a value."""
    if isinstance(value, dict):
        return list(value)
    return list(range(len(value))) if isinstance(value, list) else []


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
        sums_of(record).as_json()


@settings(max_examples=10)
@given(records())
def test_whatever_is_changed_can_be_checked_and_reported(changed: Path, lines: Lines) -> None:
    if record := loaded(changed, lines):
        for game in record.games:
            list(map(str, check_game(record, game, SKINS, Checked())))
        write_report(record, changed / "report.html")
