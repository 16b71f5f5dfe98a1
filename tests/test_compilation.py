"""Saying that the kernel is compiled: only where that is still to be done, and to the end."""

from __future__ import annotations

import pytest

from bot.cli.kernel import prepare_kernel
from bot.solver.compilation import compile_kernel, kernel_compiled


@pytest.mark.parametrize("games", [False, True])
def test_compiling_tells_how_far_it_is_and_is_done_once(games: bool) -> None:
    told: list[tuple[int, int]] = []
    compile_kernel(lambda done, total: told.append((done, total)), games=games)
    total = told[0][1]
    assert told == [(done, total) for done in range(total + 1)]
    assert kernel_compiled(games=games)


def test_a_bar_is_shown_only_where_something_is_compiled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[bool] = []
    monkeypatch.setattr("bot.cli.kernel.kernel_compiled", lambda *, games: games)
    monkeypatch.setattr("bot.cli.kernel.compile_kernel", lambda _progress, *, games: asked.append(games))
    prepare_kernel(["counting", "komarov", "exact"])
    prepare_kernel(["fast"], games=True)
    assert (asked, capsys.readouterr().err) == ([], "")
    prepare_kernel(["komarov", "best"])
    assert asked == [False]
    assert "compiling the solver, once" in capsys.readouterr().err
