"""The console game: what is typed and what comes out, alone, through a pipe and on a terminal."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

from bot.board import Board, Cell, State
from bot.cli.console import ConsoleGame, draw, fully_shown, parse
from bot.errors import UsageError
from bot.game.round import GameClick
from bot.levels import Level
from bot.solver.decision import Action
from conftest import PATIENCE, Run, wait_for

ROOT = Path(__file__).parents[2]
START = "6 6"


class Clock:
    """A clock that goes on by a second whenever it is looked at."""

    def __init__(self) -> None:
        self._times = count(0.0, 1.0)

    def __call__(self) -> float:
        return next(self._times)


def table(rows: int = 10, cols: int = 10, mines: int = 10) -> ConsoleGame:
    return ConsoleGame(Level(rows, cols, mines), 10_000_007, Clock())


def words(there: ConsoleGame, *entries: str) -> str:
    """Enter all and return what the last one is answered."""
    return [there.enter(entry) for entry in entries][-1]


def text(there: ConsoleGame) -> list[str]:
    return [line.plain for line in there.screen()]


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("3 4", GameClick(Action.OPEN, Cell(2, 3))),
        (" 3,4 ", GameClick(Action.OPEN, Cell(2, 3))),
        ("-1 99", GameClick(Action.OPEN, Cell(-2, 98))),
        ("F 3 4", GameClick(Action.FLAG, Cell(2, 3))),
        ("chord 3 4", GameClick(Action.CHORD, Cell(2, 3))),
    ],
)
def test_what_is_typed_is_understood(typed: str, move: GameClick) -> None:
    assert parse(typed) == move


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("", "type a row and a column"),
        ("hello there", "'hello there' is not a command"),
        ("x" * 500, r"\.\.\.' is not a command"),
        ("3 4 5", "not 3 4 5"),
        ("3 b", "not 3 b"),
        ("\N{ARABIC-INDIC DIGIT THREE} 4", "is not a command"),
        ("9999999999 4", "is not a command"),
        ("f", "such as f 3 4, not none"),
        ("quit now", "'quit now' is not a command"),
    ],
)
def test_what_means_nothing_is_explained(typed: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        parse(typed)
    there = table()
    before = text(there)
    assert re.search(told, words(there, typed))
    assert text(there) == before


@pytest.mark.parametrize("shape", [(1, 2), (99, 99), (2, 11)])
def test_every_cell_stands_below_the_number_of_its_column(shape: tuple[int, int]) -> None:
    board = Board.covered(*shape, 1)
    for cell in (Cell(0, 0), Cell(shape[0] - 1, shape[1] - 1)):
        head, *rows = (line.plain for line in draw(board.replace({cell: State.FLAG})))
        place = rows[cell.row].index("F")
        assert int(head[: place + 1].split()[-1]) == cell.col + 1
        assert int(rows[cell.row].split()[0]) == cell.row + 1


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        (["11 3"], "row 11 is off the board: rows are 1 to 10"),
        (["3 -1"], "column -1 is off the board: columns are 1 to 10"),
        ([START, START], "row 6, column 6 is open already"),
        (["f 1 1", "1 1"], "has a flag: remove it first, with f 1 1"),
        ([START, "f 6 6"], "is open: only covered cells are flagged"),
        (["c 3 3"], "shows no number"),
        ([START, "c 6 1"], "shows no number: a chord needs an opened number"),
        (["help"], "chord"),
    ],
)
def test_what_cannot_be_done_is_explained_and_changes_nothing(entries: list[str], told: str) -> None:
    there = table()
    for entry in entries[:-1]:
        assert there.enter(entry) == ""
    before = text(there)
    assert told in words(there, entries[-1])
    assert text(there) == before


def test_flags_come_and_go() -> None:
    there = table()
    for state in (State.FLAG, State.COVERED, State.FLAG):
        assert words(there, "f 4 5") == ""
        assert there.round.board[3, 4] == state
    assert text(there)[0] == "10 x 10, 10 mines, 9 left"
    assert text(there)[6] == "  4  .  .  .  .  F  .  .  .  .  ."


def test_the_first_cell_and_its_neighbours_hold_no_mine() -> None:
    for row, col in ((1, 1), (5, 10), (9, 2)):
        there = table(10, 10, 60)
        assert words(there, f"{row} {col}") == ""
        assert there.round.board[row - 1, col - 1] == 0


def test_a_chord_opens_all_around_a_number_with_its_flags() -> None:
    there = table(2, 6, 2)
    assert words(there, "1 1") == ""
    assert text(there)[3:5] == [" 1        1  .  .  .", " 2        1  .  .  ."]
    assert "touches 0 flags, not 1: nothing was opened" in words(there, "c 1 3")
    assert words(there, "f 1 4", "c 1 3") == ""
    assert text(there)[3:5] == [" 1        1  F  .  .", " 2        1  1  .  ."]
    assert "nothing is left to open around row 1, column 3" in words(there, "c 1 3")


def test_a_lost_game_shows_the_whole_board() -> None:
    there = table(5, 5, 12)
    words(there, "1 1")
    end = ""
    for cell in [cell for cell in there.round.board if there.round.board[cell] == State.COVERED]:
        end = end or words(there, f"{cell.row + 1} {cell.col + 1}")
    assert re.fullmatch(r"That was a mine: you have lost after \d+\.0 s\.", end)
    shown = "".join(text(there)[3:-1])
    assert shown.count("X") == 1
    assert shown.count("*") == 11
    assert "." not in shown


def test_a_game_is_won_when_only_mines_are_covered() -> None:
    there = table(1, 2, 1)
    assert words(there, "1 1").startswith("You have won after ")
    assert text(there)[-2:] == [" 1  1  F", ""]


def test_a_finished_board_is_shown_with_the_numbers_that_were_not_opened() -> None:
    assert fully_shown(Board.from_rows(["X..", "11."], 1)).lines() == ["X10", "110"]
    assert fully_shown(Board.from_rows(["F*.W"], 2)).lines() == ["F*1W"]


def test_a_game_through_a_pipe(console: Run) -> None:
    code, out, err = console("5 5\nnonsense\nhelp\nquit\n9 9\n", "--seed", 7)
    assert (code, err) == (0, "")
    assert out.count("row col, or help: ") == 4
    assert "'nonsense' is not a command" in out
    assert "set or remove a flag" in out
    assert "\x1b" not in out
    assert console("5 5\n", 10, 10, 10, "--seed", 7)[1] == console("5 5", "--seed", 7)[1]  # the defaults


def test_the_end_of_a_game_ends_the_command(console: Run) -> None:
    code, out, err = console("1 1\n1 2\n", 1, 2, 1)
    assert (code, err) == (0, "")
    assert out.count("row col, or help: ") == 1
    assert "You have won after " in out.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["0", "5", "1"], "0 x 5 cannot be shown"),
        (["100", "5", "1"], "give 1 to 99 rows"),
        (["3", "3", "9"], "give 1 to 8"),
        (["3", "x", "9"], "is not a valid int"),
        (["--seed", "-1"], "is not in the range"),
    ],
)
def test_what_cannot_be_played_is_one_line(console: Run, arguments: list[str], told: str) -> None:
    code, out, err = console("", *arguments)
    assert (code, out) == (2, "")
    assert told in err
    assert err.startswith("minebot: ")
    assert err.count("\n") == 1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it takes pseudo terminals and /proc")
@pytest.mark.parametrize(("end", "code"), [("\x04", 0), ("\x03", 4)], ids=["Ctrl+D", "Ctrl+C"])
def test_on_a_terminal_numbers_have_colours_and_it_ends_quietly(end: str, code: int) -> None:
    import pty

    here, side = pty.openpty()
    known = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "console", "--seed", "7"],
        stdin=side, stdout=side, stderr=side, cwd=ROOT, start_new_session=True,
        env={**known, "TERM": "xterm-256color"},
        preexec_fn=lambda: __import__("fcntl").ioctl(0, __import__("termios").TIOCSCTTY, 0),
    )  # fmt: skip
    os.close(side)
    stat, keys, shown = Path(f"/proc/{process.pid}/stat"), ["5 5\n", end], ""
    with suppress(OSError):  # it has ended
        while data := os.read(here, 65536):
            shown += data.decode(errors="replace")
            if keys and shown.count("help: ") == 3 - len(keys):
                # readline hears a signal at once only when it waits for keys
                assert wait_for(lambda: stat.read_text().rpartition(")")[2].split()[0] == "S")
                os.write(here, keys.pop(0).encode())
    os.close(here)
    assert process.wait(PATIENCE) == code
    assert shown.count("\x1b[2J") >= 2  # each step clears the screen
    assert "\x1b[94m1" in shown  # a bright blue 1
    assert "Traceback" not in shown
    assert "minebot:" not in shown


def test_a_pipe_that_is_closed_ends_it_quietly() -> None:
    command = [sys.executable, "-m", "bot", "console", "--seed", "7"]
    done = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    )
    assert done.stdout is not None
    assert done.stdin is not None
    assert done.stdout.readline()
    done.stdout.close()
    with suppress(BrokenPipeError), done.stdin as typed:
        typed.write(b"5 5\nhelp\n")
    assert done.stderr is not None
    with done.stderr as complaints:
        assert complaints.read() == b""
    assert done.wait(PATIENCE) == 1
