"""Files that are written as a whole, and damaged ones that are put aside."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.files import put_aside, replace_file


def test_a_file_takes_the_place_of_another(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "kept.json"
    for content in (b"one", b"two\r\n\x00"):
        replace_file(path, content)
        assert path.read_bytes() == content
    assert [*path.parent.iterdir()] == [path]


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_what_goes_wrong_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: type[BaseException]
) -> None:
    path = tmp_path / "kept.json"
    replace_file(path, b"old")

    def fail(*_: object) -> None:
        raise error("no")

    monkeypatch.setattr(os if step == "fsync" else Path, step, fail)
    with pytest.raises(error, match="no"):
        replace_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert [*tmp_path.iterdir()] == [path]


def test_each_damaged_file_gets_a_name_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    for content, name in (
        (b"a", "kept.damaged.json"),
        (b"b", "kept.damaged1.json"),
        (b"c", "kept.damaged2.json"),
    ):
        path.write_bytes(content)
        aside = put_aside(path)
        assert (aside.name, aside.read_bytes(), path.exists()) == (name, content, False)
