"""The best times of the built-in game, on disk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.errors import SettingsError
from bot.ui.game.saved import TIMES, BestTime, BestTimes


def test_best_times_are_kept(tmp_path: Path) -> None:
    times = BestTimes(tmp_path / "new folder")
    times.load()
    assert dict(times.times) == {}
    assert times.is_record("beginner", 999.0)
    times.enter("beginner", 12.345, "2026-11-20")
    again = BestTimes(tmp_path / "new folder")
    again.load()
    assert dict(again.times) == {"beginner": BestTime(12.345, "2026-11-20")}
    assert [again.is_record("beginner", seconds) for seconds in (12.344, 12.345)] == [True, False]
    assert again.is_record("expert", 500.0)
    assert [path.name for path in (tmp_path / "new folder").iterdir()] == [TIMES]


def test_best_times_with_names_of_an_earlier_version_are_read_and_reset(tmp_path: Path) -> None:
    text = '{"version": 1, "times": {"beginner": {"seconds": 12.0, "name": "Ada", "day": "2026-11-20"}}}'
    (tmp_path / TIMES).write_text(text, encoding="utf-8")
    times, again = BestTimes(tmp_path), BestTimes(tmp_path)
    times.load()
    assert times.times == {"beginner": BestTime(12.0, "2026-11-20")}
    times.reset()
    again.load()
    assert not again.times


def test_two_windows_keep_the_better_time(tmp_path: Path) -> None:
    one, other = BestTimes(tmp_path), BestTimes(tmp_path)
    one.enter("beginner", 10.0, "2026-11-20")
    one.enter("expert", 100.0, "2026-11-20")
    other.enter("beginner", 11.0, "2026-11-20")
    other.enter("intermediate", 50.0, "2026-11-20")
    seconds = {category: best.seconds for category, best in other.times.items()}
    assert seconds == {"beginner": 10.0, "expert": 100.0, "intermediate": 50.0}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"version": 2, "times": {}}',
        '{"version": 1}',
        '{"version": 1, "times": {"beginner": {"seconds": "fast", "name": "a", "day": "b"}}}',
        '{"version": 1, "times": {"beginner": {"seconds": NaN, "name": "a", "day": "b"}}}',
        '{"version": 1, "times": {"beginner": {"seconds": true, "name": "a", "day": "b"}}}',
        '{"version": 1, "times": {"beginner": {"seconds": 1%s, "name": "a", "day": "b"}}}' % ("0" * 400),
        "[" * 100_000,
    ],
)
def test_a_damaged_file_is_said_and_kept_aside(text: str, tmp_path: Path) -> None:
    for number, name in enumerate(("best-times.damaged.json", "best-times.damaged1.json")):
        (tmp_path / TIMES).write_text(text + " " * number, encoding="utf-8")
        times = BestTimes(tmp_path)
        with pytest.raises(SettingsError, match=f"is damaged .* renamed to {name}"):
            times.load()
        assert (tmp_path / name).read_text(encoding="utf-8") == text + " " * number
        assert not (tmp_path / TIMES).exists()
    times.enter("beginner", 10.0, "2026-11-20")
    assert json.loads((tmp_path / TIMES).read_text(encoding="utf-8"))["times"]["beginner"]["seconds"] == 10.0


def test_a_damaged_file_that_cannot_be_moved_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / TIMES).write_text("{", encoding="utf-8")

    def refuse(*_: object) -> None:
        raise PermissionError("no")

    monkeypatch.setattr(Path, "rename", refuse)
    times = BestTimes(tmp_path)
    with pytest.raises(SettingsError, match="renamed, so the best times are not saved from now on: no"):
        times.load()
    with pytest.raises(SettingsError, match="move it away"):
        times.enter("beginner", 10.0, "2026-11-20")
    assert (tmp_path / TIMES).read_text(encoding="utf-8") == "{"


def test_a_folder_that_cannot_be_is_said_and_the_time_remembered(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    times = BestTimes(tmp_path / "file")
    with pytest.raises(SettingsError, match="cannot be saved"):
        times.enter("beginner", 10.0, "2026-11-20")
    assert times.times["beginner"].seconds == 10.0
