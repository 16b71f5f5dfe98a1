"""Some faults of the fault table, in short runs: the command plays on or stops, and breaks no rule.

Faults that compete with the clicks are tested only by `faults.py`: on a busy machine chance decides.
"""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

if sys.platform == "win32":
    pytest.skip("the referee watches X displays", allow_module_level=True)
pytest.importorskip("PySide6.QtGui", reason="install PySide6-Essentials and the libraries of .ci/packages")

from faults import FAULTS, SEED
from referee import Outcome
from x11_match import X11Match

pytestmark = pytest.mark.usefixtures("display")
TRIES = 3
NO_DISK = 77  # exit code of the fault's command if it may not mount a file system


def played(name: str, speed: str) -> Outcome:
    """Return the results of a run of one game in which this fault strikes."""
    with X11Match(FAULTS[name], SEED, speed) as match:
        run = match.play(1)
    assert run.verdict.broken == []
    return run


def test_clicks_that_are_lost_are_sent_again() -> None:
    """It may give up in about one of twenty runs, when all clicks on one cell were lost."""
    run = played("lost", "max")
    assert run.run.presses
    if "6 clicks on the cell at row" not in run.words:
        assert (run.code, run.won + run.lost) == (0, 1)


@pytest.mark.parametrize(
    "name",
    [
        *("doubled", "late", "pieces", "dark", "night", "moves", "rescaled", "level", "new", "about", "menu"),
        *("typed-elsewhere", "blind", "covered", "covered-long"),
    ],
)
def test_a_game_to_which_something_happens_is_played_on(name: str) -> None:
    run = played(name, "10")
    assert run.code == 0
    assert run.won + run.lost >= 1


def test_a_run_whose_game_lies_below_another_one_is_played_on_or_says_why_not() -> None:
    run = played("second-over", "2")
    if run.code == 4:  # without a window manager it is chance which window has the keyboard
        assert run.words.startswith("stopped: another window has the keyboard, ")
    else:
        assert (run.code, run.won + run.lost) == (0, 1)


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        ("interrupted", 4, "stopped: Ctrl+C was pressed"),
        ("escape", 4, "stopped: Esc was pressed"),
        ("hand", 4, "stopped: the mouse was moved by hand"),
        ("closed", 1, "closed"),
        ("terminated", 143, ""),
    ],
)
def test_a_run_that_is_ended_says_why(name: str, code: int, words: str) -> None:
    """The run may miss a hand on the mouse, which the bot moves at the same time, or end before the fault.

    It is slow, so that the bot can stop in time even on a busy machine.
    """
    for _ in range(TRIES):
        run = played(name, "2")
        if run.code:
            break
    assert run.code == code
    assert words in run.words


def test_a_killed_run_leaves_its_record_whole_and_the_display_free() -> None:
    with X11Match(FAULTS["killed"], SEED, "10") as match:
        killed, following = match.play(1), X11Match(FAULTS["none"], SEED, "max")
        assert (killed.code, killed.verdict.broken) == (-signal.SIGKILL, [])
    with following:
        run = following.play(1)
    assert (run.code, run.verdict.broken) == (0, [])


def test_another_bot_is_refused() -> None:
    assert played("two-bots", "10").code == 0


def test_a_full_disk_is_told_of_once_and_play_goes_on() -> None:
    """The disk is real: a file system of one block, which is full."""
    if (refused := subprocess.run(["unshare", "-rm", "true"], stderr=subprocess.PIPE, text=True)).returncode:
        pytest.skip(f"no file systems of one's own here: {refused.stderr.strip()}")
    with X11Match(FAULTS["disk"], SEED, "max") as match:
        run = match.play(1)
    if run.code == NO_DISK:
        pytest.skip(f"no file system may be mounted here: {run.words}")
    assert (run.code, run.verdict.broken) == (0, [])
    assert run.words.endswith("cannot be written: No space left on device; play goes on without this picture")
    assert run.run.complaints.count("No space left") == 1
