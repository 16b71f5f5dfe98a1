"""Deciding does not need the published systems: they are imported when somebody names one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.solver import STRATEGIES
from test_architecture import ALL, within

ANNEXE = "bot.solver.published"
TESTS = Path(__file__).parents[2]
END = """
import sys
print("published:", *(name for name in sys.modules if name.startswith("bot.solver.published.")))
"""
COMMAND = """
import sys
from bot.__main__ import main

try:
    main()
except SystemExit as end:
    print("ended with", end.code)
"""
GAME = """
from bot.levels import EXPERT
from bot.play.results import Settings
from bot.solver import BEST
from watched_player import WatchedPlayer, screen

player = WatchedPlayer(screen(level=EXPERT, seed=10), Settings(strategy=BEST))
player.play()
assert any(turn.decision.risk for turn in player.rounds), "nothing was guessed"
"""


def imported(program: str, *arguments: str, **environment: str) -> tuple[str, str]:
    """Return what a program prints, and which published systems it has imported at its end."""
    done = subprocess.run(
        [sys.executable, "-c", program + END, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS.parent), str(TESTS)]), **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    printed, _, names = done.stdout.rpartition("published:")
    return printed + done.stderr, names.strip()


@pytest.mark.parametrize("cells", ["3 x 5 / 3\n.....\n12321\n00000", "2 x 2 / 1\n1.\n.."])
def test_a_hint_imports_none_of_them(cells: str, tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text(cells)
    printed, names = imported(COMMAND, "hint", str(board), "--strategy", "best")
    assert "row" in printed
    assert names == ""


def test_play_imports_none_of_them() -> None:
    printed, names = imported(COMMAND, "play", "--strategy", "best", DISPLAY="")
    assert "ended with" in printed
    assert names == ""
    assert imported(GAME) == ("", "")


def test_a_name_is_enough_to_import_one(tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text("3 x 5 / 3\n.....\n12321\n00000")
    for name in ("article", "korlyakova", "pestov", "novitsky"):
        assert STRATEGIES[name].name == name
        printed, names = imported(COMMAND, "hint", str(board), "--strategy", name, "--learned", "none")
        assert "row" in printed
        assert any(name in found for found in names.split())


def test_only_its_commands_and_the_options_of_what_learns_import_it() -> None:
    users = [one for one in ALL if within(one.imported, ANNEXE) and not within(one.importer, ANNEXE)]
    assert {one.importer for one in users if not one.lazy} == {
        "bot.cli.solve",
        "bot.cli.solver_data",
    }
    assert {one.importer for one in users if one.lazy and not one.typing} == {"bot.cli.options"}
