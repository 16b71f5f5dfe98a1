"""Compiling the kernel: said only where it is still to be done, each once, whatever the disk does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numba.core import types

from bot.cli.kernel import prepare_kernel
from bot.solver.compilation import Purpose, compile_kernel, kernel_compiled
from bot.solver.kernel.kept import Kept
from bot.solver.kernel.layout import position
from bot.solver.kernel.rules import copy, enqueue
from bot.solver.kernel.separate import Declared


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
    monkeypatch.setattr(
        "bot.cli.kernel.kernel_compiled", lambda purpose: purpose is Purpose.PLAYING or purpose in asked
    )
    monkeypatch.setattr("bot.cli.kernel.compile_kernel", lambda _progress, purpose: asked.append(purpose))
    prepare_kernel(["counting", "komarov", "exact"])
    prepare_kernel(["fast"], games=True)
    assert (asked, capsys.readouterr().err) == ([], "")
    prepare_kernel(["komarov", "best"])
    prepare_kernel(["best", "deep"], games=True)
    prepare_kernel(["deep"])
    assert asked == [Purpose.DECIDING, Purpose.THINKING]
    assert capsys.readouterr().err.count("compiling the solver, once") == 2


def test_that_nothing_can_be_kept_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("bot.cli.kernel.kernel_compiled", lambda _purpose: False)
    monkeypatch.setattr("bot.cli.kernel.compile_kernel", lambda _progress, _purpose: None)
    monkeypatch.setattr("bot.cli.kernel.kernel_folder", lambda: Path("/full/[disk]"))
    prepare_kernel(["best"])
    assert (
        f"cannot write to {Path('/full/[disk]')}: the solver will be compiled again"
        in capsys.readouterr().err
    )


def third(number: int) -> float:
    return number / 3


def compiled_third(folder: Path) -> tuple[float, bool]:
    """Return what the function gives for 1, and whether it was compiled: it was on disk otherwise."""
    function = Declared(third, types.float64(types.int64), "test", Kept(folder, "third"))
    function.make()
    return function(1), sum(function.stats.cache_misses.values()) > 0


def halved(content: bytes) -> bytes:
    return content[: len(content) // 2]


def changed(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


def emptied(_content: bytes) -> bytes:
    return b""


@pytest.mark.parametrize("damage", [halved, changed, emptied])
def test_a_damaged_file_is_compiled_again(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    assert compiled_third(tmp_path) == (1 / 3, True)
    assert compiled_third(tmp_path) == (1 / 3, False)
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    assert compiled_third(tmp_path) == (1 / 3, True)
    assert compiled_third(tmp_path) == (1 / 3, False)


def test_what_cannot_be_kept_runs_all_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "file"
    folder.write_text("not a folder")
    assert compiled_third(folder) == (1 / 3, True)
    assert compiled_third(folder / "below") == (1 / 3, True)
    assert folder.read_text() == "not a folder"


def test_compiled_functions_take_nothing_else_than_they_declare() -> None:
    for wrong in (None, (1, 2), np.zeros(3), position(4).shown):
        with pytest.raises(TypeError):
            copy(position(4), wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        copy(position(4), position(4)._replace(shown=np.zeros(4)))


def test_parts_of_the_kernel_run_as_they_stand_in_python() -> None:
    shown, queue, queued = np.array([1, -1], np.int8), np.zeros(2, np.int32), np.zeros(2, np.int8)
    assert [enqueue(shown, queue, queued, cell, 0) for cell in (0, 0, 1)] == [1, 0, 0]
