"""Some of the fault table, in short: the command plays a window that misbehaves, and breaks no rule.

Faults that race with the clicks are for `faults.py`: on a machine that is busy they are no test.
"""

from __future__ import annotations

import random
import sys

import pytest

if sys.platform == "win32":
    pytest.skip("the referee watches X displays", allow_module_level=True)
pytest.importorskip("PySide6.QtGui", reason="install PySide6-Essentials and the libraries of .ci/packages")

from buttons import ButtonWatch
from faults import FAULTS
from match import Match

SEED = 10_000_000


@pytest.mark.parametrize("name", ["lost", "dark"])
@pytest.mark.usefixtures("display")
def test_a_game_that_fails_is_played_on(name: str) -> None:
    """It may give up one time in twenty or so, where a cell has lost all its clicks."""
    with ButtonWatch() as watch, Match(FAULTS[name], random.Random(SEED), SEED, watch) as match:
        run = match.play(1, "max")
    assert run.verdict.broken == []
    assert run.clicks > 0
    if "does not answer to 6 clicks" not in run.words:
        assert (run.code, run.won + run.lost) == (0, 1)


@pytest.mark.parametrize(
    "name", ["doubled", "late", "pieces", "moves", "rescaled", "level", "new", "night", "about", "menu"]
)
@pytest.mark.usefixtures("display")
def test_a_game_to_which_something_happens_is_played_on(name: str) -> None:
    with ButtonWatch() as watch, Match(FAULTS[name], random.Random(SEED), SEED, watch) as match:
        run = match.play(1, "10")
    assert (run.verdict.broken, run.code) == ([], 0)
    assert run.won + run.lost >= 1


@pytest.mark.usefixtures("display")
def test_a_run_whose_game_is_covered_stops_and_says_why() -> None:
    with ButtonWatch() as watch, Match(FAULTS["second-over"], random.Random(SEED), SEED, watch) as match:
        run = match.play(1, "2")
    assert run.verdict.broken == []
    if run.code == 4:  # without a window manager chance decides which window has the keyboard
        assert run.words.startswith("stopped: another window has the keyboard, ")
    else:
        assert (run.code, run.words) == (1, "stopped: the board is covered; bring its window to the front")
