"""Pictures without a board: one of each kind of thing that looks like one, and none may be taken for one."""

from __future__ import annotations

import numpy as np
import pytest

from boardless import PAINTERS, Painter
from bot.vision import load_skins, read_picture

WIDE, HIGH = 640, 480  # what is looked at, to be quick; the benchmark looks at all


@pytest.mark.parametrize("painter", PAINTERS, ids=lambda painter: painter.__name__)
def test_no_board_is_seen_where_there_is_none(painter: Painter) -> None:
    pixels = painter(np.random.default_rng(1))[:HIGH, :WIDE]
    assert read_picture(pixels, load_skins()) == []


def test_ruled_paper_is_no_fresh_board_of_an_unusual_size() -> None:
    """No number and no button is beside it: a game of 13 x 22 cells would have one or the other."""
    paper = np.full((340, 520, 3), 90, np.uint8)
    paper[28:315, 18:503] = 255
    paper[28:315:22, 18:503] = 170
    paper[28:315, 18:503:22] = 170
    assert read_picture(paper, (), first_sight=True) == []
