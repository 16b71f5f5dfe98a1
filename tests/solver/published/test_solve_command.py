"""``minebot solve`` as a user types it: what it prints, and the code that it ends with."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import placements
from bot.game.board_files import Notation, read_board, written
from conftest import Run

ROOT = Path(__file__).parents[3]
UNIQUE = "3 x 3 / 1\n1.1\n...\n1.1\n"
TWO = "2 2 1\n 1  9\n 1  9\n"
HARD = placements.lattice_of_fours(30, 222)  # no placement, which the search over areas never sees


@pytest.fixture
def solve(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that solves a text from standard input and returns exit code, output and errors."""

    def command(text: str | bytes, *arguments: object) -> tuple[int, str, str]:
        data = text.encode() if isinstance(text, str) else text
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        return run("solve", *arguments)

    return command


def test_a_placement_in_the_notation_that_came_in(solve: Any) -> None:
    assert solve(UNIQUE) == (0, "3 x 3 / 1\n111\n1*1\n111\n", "")
    code, out, err = solve(TWO)
    assert (code, err) == (0, "")
    assert out in ("2 2 1\n 1 -1\n 1  1\n", "2 2 1\n 1  1\n 1 -1\n")


@pytest.mark.parametrize("method", ["auto", "urbas", "constraints"])
@pytest.mark.parametrize("notation", list(Notation))
def test_a_field_from_a_file(solve: Any, tmp_path: Path, method: str, notation: Notation) -> None:
    board = placements.scattered(20, 30, 120, 0.4, placements.OWN_SEED)
    file = tmp_path / "field.txt"
    file.write_text(written(board, notation), encoding="utf-8")
    code, out, err = solve("", file, "--method", method, "--second", "--count")
    first, rest = out.split("second:\n")
    second, count = rest.split("placements: ")
    assert (code, err) == (0, "")
    for printed in (first, second):
        full = read_board(printed)
        assert full.notation is notation
        assert placements.wrong(board, full.board) == ""
    assert first != second
    assert int(count.replace(",", "")) > 1


def test_unique_or_a_second_one(solve: Any) -> None:
    assert solve(UNIQUE, "--second")[1].endswith("111\nunique\n")
    first, second = solve(TWO, "-", "--second")[1].split("second:\n")
    assert first != second
    assert {first, second} == {"2 2 1\n 1 -1\n 1  1\n", "2 2 1\n 1  1\n 1 -1\n"}


def test_how_many(solve: Any) -> None:
    assert solve(TWO, "--count")[1].endswith("placements: 2\n")
    assert solve("1 x 60 / ?\n" + 60 * ".", "--count")[1].endswith(f"placements: {2**60:,}\n")
    large = "90 x 90 / ?\n" + 90 * (90 * "." + "\n")
    assert solve(large, "--count")[1].endswith("placements: about 2.20e2438\n")
    assert "placements: at least " in solve(str(placements.lattice_of_fours(30)), "--count")[1]


def test_json(solve: Any) -> None:
    code, out, _ = solve(UNIQUE, "--json", "--second", "--count")
    assert code == 0
    assert json.loads(out) == {
        "rows": 3,
        "cols": 3,
        "mines": 1,
        "method": "urbas",
        "placement": ["111", "1*1", "111"],
        "unique": True,
        "second": None,
        "count": 1,
        "count_at_least": 1,
    }
    found = json.loads(solve(TWO, "--json", "--second")[1])
    assert found["unique"] is False
    assert len(found["second"]) == 2
    assert "count" not in found


def test_no_placement_says_why_and_where(solve: Any) -> None:
    code, out, err = solve("2 3 0\n1 9 9\n9 9 4\n")
    assert (code, err) == (3, "")
    words = "the 4 at row 2, column 3 cannot be right: there are only 3 cells around it for 4 mines"
    assert out == f"no placement\n{words}\nin the input: line 3, column 5\n"
    code, out, _ = solve("2 x 2 / 3\n1.\n..\n", "--json")
    assert code == 3
    assert json.loads(out) == {
        "placement": None,
        "reason": "the total of 3 mines and the 1 at row 1, column 1 contradict each other: the numbers "
        "leave room for at most 1 mine",
        "numbers": [{"row": 0, "col": 0, "line": 2, "column": 1}],
    }
    out = solve("2 x 2 / 5\n..\n..\n")[1]
    assert "there are only 4 cells for 5 mines\nin the input: line 1, column 9" in out
    assert "1 mine is shown" in solve("1 x 2 / 0\n*.\n")[1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "standard input: it is empty: it needs a board"),
        ("2 x 2 / 1\n..\n.z", "standard input: line 3, column 2: 'z' is not a cell"),
        (b"\x7fELF\xff", "standard input: line 1, column 5: the byte 0xff is not text"),
        ("2 2 1\n9 9\n9", "standard input: line 3, column 2: the row ends"),
    ],
)
def test_a_malformed_board_is_one_line(solve: Any, text: str | bytes, words: str) -> None:
    code, out, err = solve(text)
    assert (code, out) == (1, "")
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--method", "luck"], 2, "--method luck: choose one of auto, urbas, constraints"),
        (["--format", "mbf"], 2, "--format mbf: choose one of auto, minebot, urbas"),
        (["--seconds", "0"], 2, "--seconds 0: give a number of seconds above 0"),
        (["--seconds", "nan"], 2, "--seconds nan"),
        (["--seed", "-1"], 2, "--seed"),
        (["nowhere.txt"], 2, "nowhere.txt"),
        ([str(ROOT)], 1, "cannot be read"),
    ],
)
def test_wrong_arguments(solve: Any, arguments: list[str], code: int, words: str) -> None:
    ended, out, err = solve(UNIQUE, *arguments)
    assert (ended, out) == (code, "")
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("method", ["urbas", "constraints"])
def test_time_can_be_limited(solve: Any, method: str) -> None:
    code, out, err = solve(str(HARD), "--method", method, "--seconds", "0.000001")
    assert (code, out) == (1, "")
    assert "stopped after 1e-06 s: no placement was found, but it is not proven that there is none;" in err
    assert err.count("\n") == 1
