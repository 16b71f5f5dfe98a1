"""Marks over real games: clicks pass through them, they follow the window, and the board stays readable."""

from __future__ import annotations

import os
import shutil
import signal
from contextlib import closing, nullcontext
from pathlib import Path

import pytest

pytest.importorskip("PySide6.QtGui", reason="install PySide6-Essentials and the libraries of .ci/packages")

from bot.desktop.protocols import Desktop
from bot.geometry import Point, Rect
from bot.levels import BEGINNER
from bot.targets.launch import builtin
from conftest import PATIENCE, StartGame, wait_for
from programs import plain_window
from shown import compositor, move_to, play_through, session


@pytest.mark.parametrize("above", [(), ("xcompmgr", "-c")], ids=["alone", "composited"])
def test_a_game_is_played_through_the_marks(
    start_winemine: StartGame, desktop: Desktop, tmp_path: Path, above: tuple[str, ...]
) -> None:
    if above and shutil.which(above[0]) is None:
        pytest.skip(f"{above[0]} is missing: apt-get install {above[0]}")
    drawn_by = compositor(*above) if above else nullcontext()
    with drawn_by, session(start_winemine(BEGINNER), desktop, tmp_path) as user:
        play_through(user)
        assert (user.grid.x, user.grid.y) == (5, 52)
        if user.told["state"] == "running":
            assert wait_for(user.marks_stand)
            user.window = move_to(user.window, desktop, Point(300, 200))
            assert wait_for(user.marks_stand)
            with closing(plain_window(Rect(310, 260, 60, 40))):
                assert wait_for(user.no_marks)
            assert wait_for(user.marks_stand)
        user.run.process.terminate()
        assert wait_for(user.no_marks)
        assert wait_for(user.reads_the_same)


def test_our_own_window_is_played_through_the_marks(desktop: Desktop, tmp_path: Path) -> None:
    """With Qt's scale factor set, the marks are not scaled twice."""
    with (
        builtin(BEGINNER, "--dark", "--scale", "1.5") as window,
        session(window, desktop, tmp_path, QT_SCALE_FACTOR="2") as user,
    ):
        play_through(user)
        user.run.process.terminate()
        assert wait_for(user.no_marks)
        assert wait_for(user.reads_the_same)


def overlay_of(process: int) -> int:
    """Return the process id of the program that shows the marks of a dry run."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="utf-8").split()
    (overlay,) = (
        child for child in children if b"\0overlay\0" in Path(f"/proc/{child}/cmdline").read_bytes()
    )
    return int(overlay)


def test_marks_that_hang_go_and_the_dry_run_goes_on(
    start_winemine: StartGame, desktop: Desktop, tmp_path: Path
) -> None:
    with session(start_winemine(BEGINNER), desktop, tmp_path) as user:
        assert wait_for(user.marks_stand)
        os.kill(overlay_of(user.run.process.pid), signal.SIGSTOP)
        user.click_through()
        assert user.no_marks()
        assert user.reads_the_same()
        assert wait_for(lambda: any("the dry run goes on without marks" in line for line in user.run.errors))
        user.run.process.terminate()
        assert user.run.process.wait(PATIENCE) == 128 + signal.SIGTERM
