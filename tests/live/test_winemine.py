"""Whole games against WineMine on a virtual screen; every cell is compared with the true board."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.board import Cell
from bot.clicker.style import Flags
from bot.desktop.protocols import Button
from bot.levels import BEGINNER, EXPERT, INTERMEDIATE
from bot.vision import load_picture, load_skins, read_picture
from checked_play import play
from conftest import StartGame
from truth import true_mines

MOST = 5  # runs in which flags and chords must occur
FAULTS = ("not_finished", "misread_cells", "false_proofs", "wrong_ends", "error")
NONE = {"not_finished": 0, "misread_cells": 0, "false_proofs": 0, "wrong_ends": 0, "error": ""}


def faults(summary: dict[str, object]) -> dict[str, object]:
    return {name: summary[name] for name in FAULTS}


def test_the_known_board_of_a_second() -> None:
    """WineMine uses the generator of msvcrt: its first numbers from seed 1 are 41, 18467, 6334, 26500."""
    mines = true_mines(1, 1000, 32768, 2, Cell(999, 0))
    assert mines == {Cell(18467 % 1000, 41), Cell(26500 % 1000, 6334)}


@pytest.mark.parametrize(("level", "games"), [("beginner", 15), ("expert", 3)])
def test_games_without_a_fault(start_winemine: StartGame, level: str, games: int, tmp_path: Path) -> None:
    start_winemine({"beginner": BEGINNER, "expert": EXPERT}[level])
    summary = play(games, level, "max", tmp_path)
    assert faults(summary) == NONE
    assert summary["games"] == summary["different_boards"] == games
    pictures = sorted(tmp_path.glob("game-*.png"))
    assert len(pictures) == games
    states = [read_picture(load_picture(picture), load_skins())[0].state.value for picture in pictures]
    assert states.count("won") == summary["wins"]
    assert states.count("lost") == games - int(str(summary["wins"]))


def test_the_level_is_set_by_the_bot(start_winemine: StartGame) -> None:
    start_winemine(INTERMEDIATE)
    for level in ("beginner", "10x12/15"):
        summary = play(1, level, "max")
        assert faults(summary) == NONE


def test_records_are_taken_and_play_goes_on(start_winemine: StartGame) -> None:
    start_winemine(BEGINNER, best_time=999)
    summary = play(8, "beginner", "max")
    assert faults(summary) == NONE
    assert int(str(summary["wins"])) >= 1


@pytest.mark.parametrize(
    ("style", "button"),
    [
        (Flags.ALL, Button.MIDDLE),
        (Flags.CHORD, Button.MIDDLE),
        (Flags.CHORD, Button.BOTH),
    ],
    ids=["all", "chord", "chord with both buttons"],
)
def test_flags_and_chords_without_a_fault(start_winemine: StartGame, style: Flags, button: Button) -> None:
    start_winemine(INTERMEDIATE)
    flags = chords = 0
    for _ in range(MOST):  # games may be lost before a mine is proven
        summary = play(3, "intermediate", "max", flags=style, chord=button)
        assert faults(summary) == NONE
        flags, chords = int(str(summary["flags"])), int(str(summary["chords"]))
        if flags and (chords or style is not Flags.CHORD):
            break
    assert flags > 0
    assert (chords > 0) is (style is Flags.CHORD)
