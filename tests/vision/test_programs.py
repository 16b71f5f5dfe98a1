"""The skins of other programs, on our own screenshots of them at several sizes of window."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import State
from bot.vision import load_skins, read_picture
from fixture_boards import fixture_picture

SKINS = {skin.name: skin for skin in load_skins()}
SCREENSHOTS = {  # of each program, in ``fixtures/programs``
    "gnome-mines": "small-running small-lost marks-running wrong-lost six-lost seven-lost eight-lost "
    "flags-700-lost flags-820-lost",
    "kmines": "medium-running hard-lost custom-running easy-running easy-lost easy-opened open-420-running "
    "open-512-running dense-420-running dense-420-lost dense-640-lost dense-1000-lost",
    "xdemineur": "lost 120-lost 200-lost five-lost seven-lost eight-lost running",
}
MOST_UNREADABLE = 0.02  # blank cells of kmines let its background shine through


@pytest.mark.parametrize("name", SCREENSHOTS)
def test_no_cell_is_read_wrong_at_any_size(name: str) -> None:
    unreadable = cells = 0
    for source in (f"programs/{name}-{shot}" for shot in SCREENSHOTS[name].split()):
        pixels, truth = fixture_picture(source)
        (reading,) = read_picture(pixels, [SKINS[name]])
        assert reading.board.shape == truth.board.shape, source
        readable = reading.board.states != State.UNREADABLE
        assert np.array_equal(reading.board.states[readable], truth.board.states[readable]), source
        unreadable, cells = unreadable + len(reading.unreadable), cells + readable.size
    assert unreadable <= MOST_UNREADABLE * cells
