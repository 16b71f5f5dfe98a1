"""A record of a real run that is killed in the middle of a game."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from bot.clicker.mouse import ScreenMouse
from bot.errors import RecordError
from bot.geometry import Point
from bot.levels import BEGINNER
from bot.record import Record, load_record
from conftest import StartGame, wait_for


def loaded(folder: Path) -> Record | None:
    """Return the record as it is by now, None if it has not begun."""
    try:
        return load_record(folder)
    except RecordError:
        return None


def games_in(folder: Path) -> int:
    """Return how many games the record has by now of which two rounds were played."""
    record = loaded(folder)
    return 0 if record is None else sum(len(game.rounds) > 1 for game in record.games)


@pytest.mark.skipif(sys.platform == "win32", reason="displays as on Linux")
def test_the_record_of_a_killed_run_is_whole_up_to_its_last_round(
    start_winemine: StartGame, mouse: ScreenMouse, tmp_path: Path
) -> None:
    start_winemine(BEGINNER)
    mouse.move(Point(5, 5))
    folder = tmp_path / "run"
    options = ["--speed", "max", "--strategy", "exact", "--games", "0", "--json"]
    line = [sys.executable, "-m", "bot", "play", *options, "--record", str(folder)]
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data")}
    with subprocess.Popen(line, stdout=subprocess.DEVNULL, env=environment) as process:
        try:
            assert wait_for(lambda: games_in(folder) > 0)
            assert wait_for(lambda: games_in(folder) > 1)
        finally:
            process.kill()
    record = load_record(folder)
    assert record.ended is None
    last = record.games[-1]  # on a busy machine the run goes on until it is killed
    place = f"in game {last.number}, after round" if last.final is None else f"after game {last.number}"
    assert record.missing[0].startswith(f"the run was cut off {place}")
    looks = [seen for game in record.games for seen in game.looks]
    for before, seen in pairwise(looks):
        assert seen.time > before.time
    for seen in looks[:-1]:  # the picture of the last may have been on its way
        assert record.picture(seen).shape == record.picture(looks[0]).shape
    first = record.games[0]
    assert first.result is not None
    assert not np.array_equal(record.picture(looks[0]), record.picture(looks[1]))
