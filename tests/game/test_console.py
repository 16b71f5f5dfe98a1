"""The console game: what is typed and what comes out, alone, through a pipe and on a terminal."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bot.board import Board, Cell, FirstClick, State
from bot.errors import ContradictionError, NoGuessError, UsageError
from bot.game.console import ConsoleGames, Entry, Reply, Verb, draw, fully_shown, parse
from bot.game.round import RULES
from bot.levels import EXPERT, Level
from bot.solver import STRATEGIES, Decision, decide
from conftest import PATIENCE, Run, wait_for

ROOT = Path(__file__).parents[2]
START = "6 6"


class Clock:
    """A clock that goes on by a second whenever it is looked at."""

    def __init__(self) -> None:
        self._times = count(0.0, 1.0)

    def __call__(self) -> float:
        return next(self._times)


def exact(board: Board, rule: FirstClick, first: Cell | None) -> Decision:
    return decide(board, rule=rule, strategy=STRATEGIES["exact"], first=first)


def no_board(_level: Level, _seed: int, _first: Cell) -> frozenset[Cell]:
    raise NoGuessError("no board was found")


def table(
    rows: int = 10, cols: int = 10, mines: int = 10, rule: str = "opening", **hooks: Any
) -> ConsoleGames:
    seeds, decided, lay = count(10_000_007), hooks.get("decide", exact), hooks.get("lay", no_board)
    more = {"on_end": hooks["on_end"]} if "on_end" in hooks else {}
    return ConsoleGames(Level(rows, cols, mines), RULES[rule], seeds, Clock(), decided, lay, **more)


def words(there: ConsoleGames, *entries: str) -> str:
    """Enter all and return what the last one is answered."""
    return [there.enter(entry) for entry in entries][-1].words


def text(there: ConsoleGames) -> list[str]:
    return ["".join(piece.text for piece in line).rstrip() for line in there.screen()]


@pytest.mark.parametrize(
    ("typed", "entry"),
    [
        ("3 4", Entry(Verb.OPEN, Cell(2, 3))),
        (" 3,4 ", Entry(Verb.OPEN, Cell(2, 3))),
        ("-1 99", Entry(Verb.OPEN, Cell(-2, 98))),
        ("F 3 4", Entry(Verb.FLAG, Cell(2, 3))),
        ("c 3 4", Entry(Verb.CHORD, Cell(2, 3))),
        ("?", Entry(Verb.HELP)),
        ("auto", Entry(Verb.AUTO)),
        ("auto max", Entry(Verb.AUTO, speed=float("inf"))),
        ("new 16 30 99", Entry(Verb.NEW, size=EXPERT)),
        ("q", Entry(Verb.QUIT)),
    ],
)
def test_what_is_typed_is_understood(typed: str, entry: Entry) -> None:
    assert parse(typed) == entry


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
        ("auto 0", "moves a second"),
        ("auto nan", "moves a second"),
        ("auto 5 5", "moves a second"),
        ("new 3 3", "rows, columns and mines"),
        ("quit now", "quit takes no arguments"),
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
        head, *rows = ("".join(piece.text for piece in line) for line in draw(board, {cell}))
        place = rows[cell.row].index("[.]") + 1
        assert int(head[: place + 1].split()[-1]) == cell.col + 1
        assert int(rows[cell.row].split()[0]) == cell.row + 1


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        (["11 3"], "row 11 is off the board: rows are 1 to 10"),
        (["3 -1"], "column -1 is off the board: columns are 1 to 10"),
        ([START, START], "row 6, column 6 is open already"),
        (["f 1 1", "1 1"], "has a flag: remove it first, with f 1 1"),
        ([START, "f 6 6"], "is open: only covered cells are marked"),
        (["c 3 3"], "shows no number"),
        (["undo"], "nothing to undo: no cell is open yet"),
        ([START, "undo"], "there is no undo"),
        (["new 0 5 1"], "0 x 5 cannot be shown: give 1 to 99"),
        (["new 3 3 9"], "cannot hold 9 mines: give 1 to 8"),
        (["help"], "chord"),
    ],
)
def test_what_cannot_be_done_is_explained_and_changes_nothing(entries: list[str], told: str) -> None:
    there = table()
    for entry in entries[:-1]:
        assert there.enter(entry) == Reply()
    before = text(there)
    assert told in words(there, entries[-1])
    assert text(there) == before


def test_flags_and_question_marks_come_and_go() -> None:
    there = table()
    cell = Cell(3, 4)
    for entry, state in [
        ("f 4 5", State.FLAG),
        ("f 4 5", State.COVERED),
        ("? 4 5", State.QUESTION),
        ("f 4 5", State.FLAG),
        ("? 4 5", State.QUESTION),
        ("? 4 5", State.COVERED),
    ]:
        assert words(there, entry) == ""
        assert there.round.board[cell] == state
    words(there, "f 4 5")
    assert text(there)[0] == "10 x 10, 10 mines, 9 left"
    assert text(there)[6] == "  4  .  .  .  .  F  .  .  .  .  ."
    words(there, "? 4 5", "4 5")  # a question mark does not keep a cell from being opened
    assert there.round.board[cell] <= 8


def test_a_lost_game_shows_the_whole_board_and_can_be_followed_by_another() -> None:
    there = table(4, 4, 14, rule="safe")
    words(there, "1 1")
    end = ""
    for cell in [cell for cell in there.round.board if cell != (0, 0)][:3]:
        end = end or words(there, f"{cell.row + 1} {cell.col + 1}")
    assert end.startswith("That was a mine: you have lost after ")
    assert "3BV of 1, moves:" in end or "3BV of 2, moves:" in end
    shown = "".join(text(there)[3:-1])
    assert shown.count("X") == 1
    assert shown.count("*") == 13
    assert "." not in shown
    for entry in ("0 0", "f 0 0", "hint", "auto", "auto 5"):
        assert there.enter(entry) == Reply("the game is over: new starts another one, quit ends the program")
    assert words(there, "new 5 6 7") == ""
    assert text(there)[0] == "5 x 6, 7 mines, 7 left"
    assert not there.round.over


def test_a_finished_board_is_shown_with_the_numbers_that_were_not_opened() -> None:
    assert fully_shown(Board.from_rows(["X..", "11."], 1)).lines() == ["X10", "110"]
    assert fully_shown(Board.from_rows(["F*.W"], 2)).lines() == ["F*1W"]


def test_a_hint_is_marked_and_says_why() -> None:
    there = table()
    sentence = words(there, START, "hint")
    found = re.match(r"Row (\d), column (\d) is safe", sentence)
    assert found
    assert sum(line.count("[.]") for line in text(there)) == 1
    assert text(there)[2 + int(found[1])][2 + 3 * int(found[2]) - 1 :].startswith("[.]")
    words(there, f"{found[1]} {found[2]}")
    assert not there.round.over or there.round.progress.value == "won"
    assert "[" not in "".join(text(there))


def test_a_game_with_hints_says_so_at_its_end() -> None:
    for entries, told in ((["hint", "1 1"], True), (["1 1"], False)):
        there = table(1, 2, 1, rule="safe")
        assert ("with help" in words(there, *entries)) is told


def test_auto_makes_one_move_or_plays_on() -> None:
    there = table()
    reply = there.enter("auto")
    assert reply.speed is None
    assert "good place to begin" in reply.words
    reply = there.enter("auto 20")
    steps = 0
    while reply.speed is not None:
        assert reply.speed == 20
        assert not there.round.over
        reply, steps = there.step(20), steps + 1
    assert there.round.over
    assert steps > 3
    assert "you have lost" in reply.words or "You have won" in reply.words


def test_what_the_solver_cannot_answer_ends_playing_on() -> None:
    def puzzled(*_: object) -> Decision:
        raise ContradictionError("this board is impossible")

    there = table(decide=puzzled)
    assert there.enter("auto 5") == there.step(5) == Reply("this board is impossible")
    assert "this board is impossible" in words(there, "hint")


def test_a_board_that_needs_no_guess_is_laid_at_the_first_move() -> None:
    asked = []

    def lay(level: Level, seed: int, first: Cell) -> frozenset[Cell]:
        asked.append((level, seed, first))
        return frozenset({Cell(0, 2)})

    there = table(1, 3, 1, rule="no-guess", lay=lay)
    assert "You have won" in words(there, "1 1")
    assert asked == [(Level(1, 3, 1), 10_000_007, Cell(0, 0))]
    there = table(rule="no-guess")
    assert words(there, START) == "no board was found"
    assert there.round.board == Board.covered(10, 10, 10)
    assert words(there, START) == "no board was found"  # and it can be asked again


def test_a_game_through_a_pipe(console: Run) -> None:
    code, out, err = console("5 5\nnonsense\nauto max\nquit\n9 9\n", "--seed", 7, "--strategy", "exact")
    assert (code, err) == (0, "")
    assert out.count("row col, or help: ") == 4
    assert "'nonsense' is not a command" in out
    assert re.search("You have won|you have lost", out)
    assert "\x1b" not in out
    assert console("5 5\n", 10, 10, 10, "--seed", 7)[1] == console("5 5", "--seed", 7)[1]  # the defaults


def test_boards_without_guesses_are_won_by_proofs(console: Run) -> None:
    code, out, _ = console(
        "2 2\nauto max\n", 6, 6, 6, "--rule", "no-guess", "--seed", 7, "--strategy", "exact"
    )
    assert code == 0
    assert "You have won" in out
    assert "I don't know" not in out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["0", "5", "1"], "0 x 5 cannot be shown"),
        (["100", "5", "1"], "give 1 to 99 rows"),
        (["3", "3", "9"], "give 1 to 8"),
        (["3", "x", "9"], "is not a valid int"),
        (["--rule", "kind"], "choose one of safe, winmine, opening, any, no-guess"),
        (["--strategy", "luck"], "choose one of"),
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


def test_the_end_of_a_game_with_help_is_told_once() -> None:
    ended: list[Board] = []
    there = table(3, 3, 1, on_end=ended.append)
    words(there, "0 0", "new")  # nobody was asked
    words(there, "hint", "auto", "new 0 9 9")
    assert not ended  # there is no such size: the game goes on
    words(there, "new")
    assert len(ended) == 1  # it was left
    assert ended[0].count(State.COVERED) < 9
    while not there.round.over:
        words(there, "auto")
    there.leave()
    words(there, "new")
    assert [len(ended), ended[1]] == [2, fully_shown(ended[1])]
    there.enter("hint")
    there.leave()
    assert ended[2:] == [Board.covered(3, 3, 1)]
