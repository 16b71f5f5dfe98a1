"""Records whose lines are in order as JSON and yet not as they are written."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.errors import RecordError
from bot.record import load_record
from bot.record.lines import LINES
from conftest import Run

GOLDEN = Path(__file__).parent.parent.parent / "fixtures" / "records" / "builtin-flags"
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
    "a move beside the board": change("round", "decision", "moves", 0, 0, to=99, number=3),
    "a first click without a move": change("round", "decision", "moves", to=[]),
    "an action that is none": change("round", "decision", "moves", 0, 2, to="dig"),
    "a result without seconds": without_seconds,
    "a box without a height": change("picture", "box", to=[0, 0, 9]),
    "rows of several lengths": change("round", "cells", 0, to="..", number=3),
}
FIRST: dict[str, tuple[Edit, str]] = {
    "rule": (change("", "rule", to="none"), "'none' is not a valid FirstClick"),
    "strategy": (change("", "strategy", to="luck"), "'luck' is none of counting, "),
    "settings": (change("", "settings", to=None), "'NoneType' object is not iterable"),
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
    lines.insert(1, {"kind": "weather", "sun": True})
    record = load_record(write_lines(copied, lines))
    assert not record.missing
    assert (record.games[0].result or {})["mood"] == "good"
