"""``minebot doctor``: what works here, and what to do about what does not."""

from __future__ import annotations

import sys

import pytest

from conftest import Run


@pytest.mark.skipif(sys.platform != "linux", reason="Windows always has a display")
def test_without_a_display_it_says_once_what_to_do(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    code, out, _ = run("doctor")
    assert code == 1
    assert "winemine, winmine" in out
    assert out.count("make play") == 1
    assert out.count("needs a display") == 4


def test_on_a_display(run: Run, display: str) -> None:  # noqa: ARG001
    code, out, _ = run("doctor")
    assert code == 0
    words = " ".join(out.split())
    assert "1280 x 900 pixels at (0, 0)" in words
    assert "the pointer is at" in words
    assert "a dry run can lay them over the game" in words
