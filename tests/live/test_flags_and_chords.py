"""Flags and chords in real games: each cell that is read or flagged is held against the true board."""

from __future__ import annotations

import pytest

from bot.clicker.style import Flags, Style
from bot.desktop.protocols import Button
from bot.levels import INTERMEDIATE
from checked_play import play
from conftest import StartGame
from test_winemine import NONE, faults

CHORD = Style(Flags.CHORD)
MOST = 5  # times until there must be flags and chords


@pytest.mark.parametrize(
    ("style", "button"),
    [
        (Style(Flags.ALL), Button.MIDDLE),
        (CHORD, Button.MIDDLE),
        (CHORD, Button.BOTH),
    ],
    ids=["all", "chord", "chord with both buttons"],
)
def test_games_without_a_fault(start_winemine: StartGame, style: Style, button: Button) -> None:
    start_winemine(INTERMEDIATE)
    flags = chords = 0
    for _ in range(MOST):  # games may be lost before there is anything to mark
        summary = play(3, "intermediate", "max", style=style, chord=button)
        assert faults(summary) == NONE
        flags, chords = int(str(summary["flags"])), int(str(summary["chords"]))
        if flags and (chords or style.flags is not Flags.CHORD):
            break
    assert flags > 0
    assert (chords > 0) is (style.flags is Flags.CHORD)
