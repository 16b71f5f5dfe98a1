"""Where the overlay writes its words, and what is said where it cannot be shown."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import pytest

from bot.cli.reports import OverlayMarks
from bot.errors import LaunchError
from bot.geometry import Rect
from bot.marks import Layer
from bot.stop import NEVER
from bot.ui.overlay_windows import place_beside

SCREEN = Rect(0, 0, 1000, 800)


@pytest.mark.parametrize(
    ("game", "wanted"),
    [
        (Rect(100, 100, 300, 200), Rect(100, 306, 400, 50)),
        (Rect(800, 100, 200, 200), Rect(600, 306, 400, 50)),
        (Rect(100, 100, 300, 690), Rect(406, 100, 400, 50)),
        (Rect(500, 100, 300, 690), Rect(94, 100, 400, 50)),
        (Rect(0, 100, 1000, 700), Rect(0, 10, 400, 50)),
        (Rect(0, 0, 1000, 800), None),
    ],
)
def test_words_stand_beside_the_game(game: Rect, wanted: Rect | None) -> None:
    assert place_beside(game, (400, 50), SCREEN) == wanted


def test_an_overlay_that_cannot_be_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse() -> None:
        raise LaunchError("this display lacks the extension SHAPE 1.1")

    screen: Any = None  # no picture is taken
    monkeypatch.setattr("bot.ui.overlay.require_shapes", refuse)
    with ExitStack() as stack:
        assert OverlayMarks(False, frozenset(Layer)).over(screen, stack, NEVER) is screen
        assert capsys.readouterr().err == ""
        assert OverlayMarks(None, frozenset(Layer)).over(screen, stack, NEVER) is screen
        assert "SHAPE 1.1; the dry run goes on without marks over the game" in capsys.readouterr().err
        with pytest.raises(LaunchError, match="SHAPE"):
            OverlayMarks(True, frozenset(Layer)).over(screen, stack, NEVER)
