"""Saying that the kernel is compiled: only where that is still to be done, and to the end."""

from __future__ import annotations

import pytest

from bot.cli.kernel import prepare_kernel
from bot.solver.compilation import Purpose, compile_kernel, kernel_compiled


@pytest.mark.parametrize("purpose", Purpose)
def test_compiling_tells_how_far_it_is_and_is_done_once(purpose: Purpose) -> None:
    told: list[tuple[int, int]] = []
    compile_kernel(lambda done, total: told.append((done, total)), purpose)
    total = told[0][1]
    assert told == [(done, total) for done in range(total + 1)]
    assert kernel_compiled(purpose)


def test_a_bar_is_shown_only_where_something_is_compiled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[Purpose] = []
    monkeypatch.setattr("bot.cli.kernel.kernel_compiled", lambda purpose: purpose is Purpose.PLAYING)
    monkeypatch.setattr("bot.cli.kernel.compile_kernel", lambda _progress, purpose: asked.append(purpose))
    prepare_kernel(["counting", "komarov", "exact"])
    prepare_kernel(["fast"], games=True)
    assert (asked, capsys.readouterr().err) == ([], "")
    prepare_kernel(["komarov", "best"])
    prepare_kernel(["best", "deep"], games=True)
    assert asked == [Purpose.DECIDING, Purpose.THINKING]
    assert "compiling the solver, once" in capsys.readouterr().err
