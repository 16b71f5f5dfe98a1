"""The Python interface, and the examples of its page."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bot
from bot.errors import ContradictionError, UsageError
from bot.vision import load_picture

ROOT = Path(__file__).parents[1]
RUNNING = ROOT / "fixtures" / "winemine-beginner-running.png"
PAGE = ROOT / ".github" / "docs" / "python.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize(
    ("number", "printed"),
    [
        (0, "running 9 x 9 cells, mines left: 10"),
        (1, "open 0 0 safe\nopen 0 4 safe\nmines: [Cell(row=0, col=1)"),
        (2, "guess 0 0 0.158\nI don't know: nothing is proven here. The strategy opens row 1, column 1"),
        (3, "Row 3, column 5 is safe"),
    ],
)
def test_the_examples_of_the_page_run(number: int, printed: str, tmp_path: Path) -> None:
    shutil.copy(RUNNING, tmp_path / "shot.png")
    command = [sys.executable, "-c", EXAMPLES[number]]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert printed in done.stdout
    assert done.stderr == ""
    assert len(EXAMPLES) == 4


def test_pixels_are_read_like_a_file() -> None:
    (from_file,), (from_pixels,) = bot.read(RUNNING), bot.read(load_picture(RUNNING))
    assert from_file.board == from_pixels.board
    assert from_file.grid == from_pixels.grid
    assert bot.read(np.zeros((100, 100, 3), np.uint8)) == []


def test_a_board_and_its_text_are_decided_alike() -> None:
    (reading,) = bot.read(RUNNING)
    assert bot.decide(reading.board, "exact") == bot.decide(str(reading.board), "exact")
    assert not bot.decide("2 x 2 / 1\n1.\n..", "exact", guess=False).moves


def test_a_decision_and_a_cell_are_explained() -> None:
    text = "3 x 5 / 3\n.....\n12321\n00000"
    decision = bot.decide(text, "counting")
    hint = bot.explain(text, decision)
    assert hint.cell in {move.cell for move in decision.moves}
    assert "is safe" in hint.sentence
    assert bot.explain("1F", cell=(0, 1), strategy="counting").sentence.startswith(
        "Row 1, column 2 is a mine"
    )


def test_wrong_arguments_say_what_is_wrong() -> None:
    with pytest.raises(UsageError, match="there is no picture"):
        bot.read("nowhere.png")
    with pytest.raises(UsageError, match="there is no strategy worst"):
        bot.decide("1 x 2 / 1\n1.", "worst")
    with pytest.raises(UsageError, match="off a board"):
        bot.explain("1 x 2 / 1\n1.", cell=(2, 0))
    with pytest.raises(ContradictionError):
        bot.decide("1 x 2 / 1\n2.", "exact")
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        bot.nothing  # noqa: B018
