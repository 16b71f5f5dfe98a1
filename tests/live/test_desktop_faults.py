"""Some of the desktop's part of the fault table, in short: what takes the game away, what ends the bot."""

from __future__ import annotations

import random
import sys

import pytest

if sys.platform == "win32":
    pytest.skip("the referee watches X displays", allow_module_level=True)
pytest.importorskip("PySide6.QtGui", reason="install PySide6-Essentials and the libraries of .ci/packages")

from buttons import ButtonWatch
from fault_table import Outcome
from faults import FAULTS
from match import Match

SEED = 10_000_000


def played(name: str) -> Outcome:
    """Return what comes of a game that this fault strikes, at a pace at which it has the time to."""
    with ButtonWatch() as watch, Match(FAULTS[name], random.Random(SEED), SEED, watch) as match:
        return match.play(1, "10")


@pytest.mark.parametrize("name", ["typed-elsewhere", "blind", "covered"])
@pytest.mark.usefixtures("display")
def test_a_game_that_is_taken_away_for_a_while_is_played_on(name: str) -> None:
    run = played(name)
    assert (run.verdict.broken, run.code) == ([], 0)
    assert run.won + run.lost == 1


@pytest.mark.usefixtures("display")
def test_a_run_that_is_interrupted_ends_at_once_and_says_why() -> None:
    run = played("interrupted")
    assert (run.verdict.broken, run.code) == ([], 4)
    assert run.words == "stopped: Ctrl+C was pressed"
