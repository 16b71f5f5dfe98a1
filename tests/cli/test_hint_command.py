"""``minebot hint`` as a user types it: pictures, texts, the screen, single cells, and what cannot be used."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import cv2
import pytest

import oracle
from bot.board import Cell
from bot.desktop.protocols import Visibility
from bot.errors import ContradictionError
from bot.solver.explain.hints import chances, hint_for, hints_for_proven
from bot.vision import load_picture, load_skins, read_picture
from conftest import Run
from displays import draw_counter
from played_screen import Screen
from strategies import random_board

ROOT = Path(__file__).parents[2]
RUNNING = ROOT / "fixtures" / "winemine-beginner-running.png"
DESKTOP = ROOT / "fixtures" / "winemine-desktop.png"  # with two games
WON = ROOT / "fixtures" / "winemine-beginner-won.png"


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, run: Run) -> Run:
    """Return a function that runs `minebot hint` with a board on standard input, plain strategies only."""

    def command(text: str, *arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text.encode()), isatty=bool))
        return run("hint", "-", "--strategy", "exact", *arguments)

    return command


def test_a_picture(run: Run) -> None:
    code, words, _ = run("hint", RUNNING)
    assert code == 0
    assert words == (
        "Row 3, column 5 is safe: the 1 at row 2, column 3 has only row 3, column 4 left for its mine; so "
        "the 1 at row 4, column 4 has its mine there.\n"
    )
    code, out, _ = run("hint", "--json", RUNNING)
    assert code == 0
    found = json.loads(out)
    assert found["source"] == str(RUNNING)
    (board,) = found["boards"]
    assert (board["rows"], board["cols"], board["x"], board["y"], board["state"]) == (9, 9, 5, 52, "running")
    (hint,) = board["hints"]
    assert {key: hint[key] for key in ("row", "col", "action", "proven", "mine", "risk", "reason")} == {
        "row": 2, "col": 4, "action": "open",
        "proven": True, "mine": False, "risk": 0.0, "reason": "counting",
    }  # fmt: skip
    assert hint["numbers"] == [{"row": 1, "col": 2, "number": 1}, {"row": 3, "col": 3, "number": 1}]
    assert hint["words"] == words.rstrip()
    assert board["guess"] is board["why"] is None


def test_the_overlay_marks_the_cell_and_its_numbers(run: Run, tmp_path: Path) -> None:
    drawn = tmp_path / "marks.png"
    assert run("hint", RUNNING, "--overlay", drawn)[0] == 0
    before, after = cv2.imread(str(RUNNING)), cv2.imread(str(drawn))
    assert before is not None
    assert after is not None
    # Cells of 16 pixels are too small for numbers, so the picture is twice as large.
    changed = (before.repeat(2, axis=0).repeat(2, axis=1) != after).any(2)[::2, ::2]
    cells = {
        (row, col)
        for row in range(9)
        for col in range(9)
        if changed[52 + row * 16 : 68 + row * 16, 5 + col * 16 : 21 + col * 16].any()
    }
    marked, steps = {(2, 4), (1, 2), (3, 3)}, (-1, 0, 1)
    beside = {(row + down, col + right) for row, col in marked for down in steps for right in steps}
    assert marked <= cells <= beside  # frames reach a little over
    assert not changed[:60].any()


def test_all_that_is_proven(run: Run) -> None:
    code, out, _ = run("hint", RUNNING, "--all", "--strategy", "exact")
    assert code == 0
    lines = out.splitlines()
    assert sum("is safe" in line for line in lines) == 5
    assert sum("is a mine" in line for line in lines) == 4
    assert "Row 9, column 3 is a mine, by the pattern 1-2C: the 2 at row 8, column 4 shares at most" in out


@pytest.mark.parametrize(
    ("board", "cell", "words"),
    [
        ("1F", "1,2", "Row 1, column 2 is a mine, its flag is right: the 1 at row 1, column 1 has"),
        ("1F", "1,1", "Row 1, column 1 shows 1. Around it row 1, column 2 is a mine."),
        ("*1.", "1,1", "Row 1, column 1 shows a mine."),
        ("1W\n..", "1,2", "Row 1, column 2 shows a wrong flag: there was no mine."),
        (
            "2 x 2 / 1\n1.\n..",
            "2,2",
            "Row 2, column 2 is not proven safe or a mine: its risk is 33.3%. No cell is safer.",
        ),
        (
            "1 x 5 / 1\n1....",
            "1,4",
            "Row 1, column 4 is safe: the 1 at row 1, column 1 has only row 1, column 2 left for its mine; "
            "so the 1 mine is found.",
        ),
        (
            "...\n11.",
            "1,2",
            "Row 1, column 2 is not proven safe or a mine: its risk is 50.0%. Row 1, column 3 is proven safe "
            "(one of 2 safe cells).",
        ),
        ("2 x 2 / 1\n..\n..", "2,2", "The first click is always safe, so row 2, column 2 is safe."),
    ],
)
def test_what_is_known_of_a_cell(typed: Run, board: str, cell: str, words: str) -> None:
    code, out, _ = typed(board, "--cell", cell)
    assert code == 0
    assert out.startswith(words)


@pytest.mark.parametrize("compiled", [False, True])
def test_chances_are_those_of_all_placements(compiled: bool) -> None:
    for seed in range(150):
        position = random_board(seed)
        try:
            known = chances(position, compiled=compiled)
        except ContradictionError:
            assert not len(oracle.solve(position).placements)
            continue
        total, mines = oracle.solve(position).counts()
        assert known.risks == pytest.approx({cell: count / total for cell, count in mines.items()})
        assert set(known.certain(0.0)) == oracle.solve(position).always(0)
        assert set(known.certain(1.0)) == oracle.solve(position).always(1)
        assert all(hint.proven for hint in hints_for_proven(position, known))
        for cell in position:
            assert hint_for(position, cell, known).sentence.endswith(".")


def test_a_guess_is_told_with_what_speaks_for_it(typed: Run) -> None:
    code, out, err = typed("2 x 3 / 2\n1..\n...", "--json")
    assert (code, err) == (0, "")
    (board,) = json.loads(out)["boards"]
    assert board["guess"]["alternatives"]
    assert not board["hints"][0]["proven"]
    code, out, err = typed("1..\n...", "--no-guess")
    assert out.startswith("I don't know: nothing is proven here. The least risk is")
    assert "to give it, add --mines N" in err
    assert typed("1..\n...", "--mines", "1")[2] == ""


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["nowhere.png"], 2, "there is no file nowhere.png"),
        ([ROOT], 1, "it is a folder"),
        ([ROOT / "README.md"], 1, "a hint takes a picture, or a text with a board"),
        ([RUNNING, "--cell", "10,1"], 2, "--cell 10,1: the rows of the board are 1 to 9, its columns 1 to 9"),
        ([RUNNING, "--cell", "x"], 2, "--cell x: give ROW,COL, both counted from 1, such as 3,4"),
        ([RUNNING, "--cell", "2,2", "--all"], 2, "--cell and --all: give one of them"),
        ([RUNNING, "--strategy", "luck"], 2, "there is no strategy luck: choose one of"),
        ([RUNNING, "--target", "pacman"], 2, "no target 'pacman'"),
    ],
)
def test_what_cannot_be_used(run: Run, arguments: list[object], code: int, words: str) -> None:
    ended, out, err = run("hint", *arguments)
    assert (ended, out) == (code, "")
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("", "it is empty: it needs a board; a hint takes a picture"),
        ("...\n171", "no hint: the 7 at row 2, column 2 has only 3 neighbours that could be mines"),
        ("2 x 3 / 3\n.1.\n1..", "no hint: this board is impossible"),
    ],
)
def test_boards_that_cannot_be(typed: Run, board: str, words: str) -> None:
    for more in ([], ["--all"], ["--cell", "1,1"]):
        code, out, err = typed(board, *more)
        assert code == 1
        assert words in out + err


def test_where_there_is_nothing_to_hint_at(typed: Run, run: Run) -> None:
    nothing = "no hint: there is nothing left to open on this board: 1 cell cannot be read\n"
    assert typed("2 x 3 / 1\n1F1\n11-") == (0, nothing, "")
    code, _, err = typed("1.", "--overlay", "marks.png")
    assert code == 2
    assert "--overlay draws into a picture, but standard input is a text: leave it out" in err
    assert run("hint", WON) == (0, "no hint: the game is won\n", "")


def test_counter_that_contradicts_the_board_is_doubted_before_the_board(run: Run, tmp_path: Path) -> None:
    skin = next(skin for skin in load_skins() if skin.name == "winemine")
    assert skin.counter is not None
    picture, path = load_picture(RUNNING), tmp_path / "few.png"
    draw_counter(picture, skin.counter, 5, 52, 5 + 9 * 16, 1)
    cv2.imwrite(str(path), picture)
    (reading,) = read_picture(picture, [skin])
    assert reading.board.mines == 1
    code, words, note = run("hint", path)
    assert (code, words) == run("hint", RUNNING)[:2]
    assert "the mine counter beside the board cannot be read" in note
    (every,) = json.loads(run("hint", "--json", "--all", path)[1])["boards"]
    assert (every["mines"], len(every["hints"]) > 0) == (None, True)


def test_two_boards_in_one_picture(run: Run) -> None:
    code, out, _ = run("hint", DESKTOP, "--strategy", "exact")
    assert code == 0
    first, hint, second, other = out.splitlines()
    assert (first, second) == ("winemine, running, at (65, 113):", "winemine, new, at (705, 433):")
    assert hint.startswith("Row 4, column 6 is safe: ")
    assert other.startswith("The first click is always safe: ")


def test_the_game_on_the_screen_is_looked_at_and_not_touched(run: Run, there: Screen) -> None:
    code, out, _ = run("hint", "--strategy", "exact")
    assert code == 0
    assert out.startswith("The first click is always safe")
    there.game.open(Cell(4, 4))
    there.shown = there.game.board
    code, out, _ = run("hint", "--strategy", "exact", "--json")
    assert code == 0
    found = json.loads(out)
    assert found["source"] == "the screen"
    (board,) = found["boards"]
    assert board["cells"] == there.game.board.lines()
    assert board["hints"][0]["words"]
    assert not there.clicks
    there.visibility_now = Visibility.MINIMISED
    code, _, err = run("hint", "--strategy", "exact")
    assert code == 1
    assert "the board is minimised" in err
