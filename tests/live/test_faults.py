"""Some of the fault table, in short: the command plays a game to which something happens, and breaks no rule.

Faults that race with the clicks are for `faults.py`: on a machine that is busy they are no test.
"""

from __future__ import annotations

import sys

import pytest

if sys.platform == "win32":
    pytest.skip("the referee watches X displays", allow_module_level=True)
pytest.importorskip("PySide6.QtGui", reason="install PySide6-Essentials and the libraries of .ci/packages")

from faults import FAULTS, SEED
from referee import Outcome
from x11_match import X11Match

pytestmark = pytest.mark.usefixtures("display")


def played(name: str, speed: str) -> Outcome:
    """Return what comes of a run of one game that this fault strikes."""
    with X11Match(FAULTS[name], SEED, speed) as match:
        run = match.play(1)
    assert run.verdict.broken == []
    return run


def test_clicks_that_are_lost_are_sent_again() -> None:
    """It may give up one time in twenty or so, where a cell has lost all its clicks."""
    run = played("lost", "max")
    assert run.run.presses
    if "does not answer to 6 clicks" not in run.words:
        assert (run.code, run.won + run.lost) == (0, 1)


@pytest.mark.parametrize(
    "name",
    [
        *("doubled", "late", "pieces", "dark", "night", "moves", "rescaled", "level", "new", "about", "menu"),
        *("typed-elsewhere", "blind", "covered"),
    ],
)
def test_a_game_to_which_something_happens_is_played_on(name: str) -> None:
    run = played(name, "10")
    assert run.code == 0
    assert run.won + run.lost >= 1


def test_a_run_whose_game_is_covered_stops_and_says_why() -> None:
    run = played("second-over", "2")
    if run.code == 4:  # without a window manager chance decides which window has the keyboard
        assert run.words.startswith("stopped: another window has the keyboard, ")
    else:
        assert (run.code, run.words) == (1, "stopped: the board is covered; bring its window to the front")


def test_a_run_that_is_interrupted_ends_at_once_and_says_why() -> None:
    run = played("interrupted", "10")
    assert (run.code, run.words) == (4, "stopped: Ctrl+C was pressed")
