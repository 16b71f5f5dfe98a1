"""What is wrong with ``minebot play`` at its start is told before a minute of compiling the solver."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.cli.lock import only_bot
from bot.desktop.protocols import Window
from bot.errors import CaptureError
from bot.levels import Level
from conftest import Run
from played_screen import Screen


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The strategies for which the solver was compiled."""
    names = list[str]()
    monkeypatch.setattr("bot.cli.play.prepare_kernel", names.extend)
    return names


@pytest.mark.parametrize(
    "wrong",
    [
        ["--layers", "none"],
        ["--record", "file"],
        ["--dry-run", "--picture", "marks.txt"],
        ["--pictures", "file/below"],
        ["--launch", "--target", "winmine"],
        ["--target", "winemine", "--level", "3x3/1"],
    ],
)
def test_what_is_wrong_is_told_before_the_solver_is_compiled(
    there: Screen, play: Run, compiled: list[str], tmp_path: Path, wrong: list[str]
) -> None:
    (tmp_path / "file").touch()
    code, out, err = play(*wrong)
    assert (code, out, compiled, there.clicks) == (2, "", [], [])
    assert err.startswith("minebot: ")


@pytest.mark.parametrize("more", [[], ["--dry-run"], ["--launch"]])
def test_a_missing_screen_is_told_before_the_solver_is_compiled(
    there: Screen, play: Run, compiled: list[str], monkeypatch: pytest.MonkeyPatch, more: list[str]
) -> None:
    def missing(*_: object) -> None:
        raise CaptureError("there is no display")

    monkeypatch.setattr("bot.cli.play.this_display", lambda: ":7")
    monkeypatch.setattr("bot.cli.play.open_desktop", missing)
    assert play(*more) == (1, "", "minebot: there is no display\n")
    assert (compiled, there.clicks) == ([], [])


def test_a_second_bot_is_refused_before_the_solver_is_compiled(
    there: Screen, play: Run, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.cli.play.this_display", lambda: ":7")
    with only_bot(":7"):
        assert (play()[0], compiled, there.clicks) == (1, [], [])


def test_the_solver_is_compiled_before_a_game_is_launched(
    there: Screen, play: Run, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = list[list[str]]()

    @contextmanager
    def launched(_level: Level, _report: Callable[[str], None]) -> Iterator[Window]:
        ready.append(list(compiled))
        yield there.window

    monkeypatch.setattr("bot.cli.find.launched", launched)
    monkeypatch.delenv("DISPLAY", raising=False)
    assert (play("--launch", "--strategy", "exact")[0], ready) == (0, [["exact"]])
