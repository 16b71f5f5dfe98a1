"""Files that are written as a whole, and damaged ones that are put aside."""

from __future__ import annotations

import os
import re
import stat
from io import BytesIO
from pathlib import Path

import pytest

from bot.files import (
    PUBLIC,
    append_to,
    private_folder,
    put_aside,
    read_file,
    replace_file,
    replacing,
    whole_lines,
)


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


ROOT = Path(__file__).parent.parent
WRITES = re.compile(
    r"\.write_text\(|\.write_bytes\(|\.mkdir\(|NamedTemporaryFile\(|\.savefig\((?!file|drawn)|\.imwrite\("
    r"|FileLock\((?!.*mode=PRIVATE)|open\([^)\n]*[\"'](?:[wax]b?\+?|[rwax]\+b?)[\"']"
)


def test_every_file_is_written_by_one_module() -> None:
    """It follows no link, and its files are private."""
    elsewhere = {  # the cache of machine code has rules of its own; nothing is written to devices and streams
        "bot/files.py",
        "bot/picture_files.py",
        "bot/solver/kernel/build/object_code.py",
    }
    found = {
        f"{name}:{number}: {line.strip()}"
        for path in (ROOT / "bot").rglob("*.py")
        if (name := path.relative_to(ROOT).as_posix()) not in elsewhere
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if WRITES.search(line) and "opener=private" not in line and "av.open(" not in line
    }
    assert not found


@pytest.mark.parametrize("umask", [0o002, 0o022], ids=oct)
def test_what_is_written_is_private_and_goes_through_no_link(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        path = private_folder(tmp_path / "new" / "folder") / "kept.json"
        path.symlink_to(tmp_path / "mine")
        (tmp_path / "mine").write_text("mine")
        replace_file(path, b"one")
        with replacing(path.with_name("given.png"), PUBLIC) as file:
            file.write(b"two")
    finally:
        os.umask(before)
    assert ((tmp_path / "mine").read_text(), path.read_text()) == ("mine", "one")
    assert not path.is_symlink()
    if os.name == "posix":
        places = (path, path.parent, path.parent.parent, path.with_name("given.png"))
        modes = [stat.S_IMODE(place.stat().st_mode) for place in places]
        assert modes == [0o600, 0o700, 0o700, 0o666 & ~umask]
        (tmp_path / "link").symlink_to(tmp_path / "mine")
        with pytest.raises(OSError, match="symbolic links"):
            append_to(tmp_path / "link")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such pipes")
@pytest.mark.timeout(20)
def test_a_pipe_that_takes_the_place_of_a_file_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")
    ordinary = Path(__file__).stat()
    with monkeypatch.context() as before:
        before.setattr(Path, "stat", lambda *_, **__: ordinary)
        with pytest.raises(OSError, match="not an ordinary file"):
            read_file(tmp_path / "pipe", 1 << 20)


def test_lines_are_whole_and_not_too_long() -> None:
    text = b"ab\nabcdefgh\n\nabcd\nabc\nxy"
    assert [*whole_lines(BytesIO(text), 4)] == [b"ab\n", b"", b"\n", b"", b"abc\n"]
    assert [*whole_lines(BytesIO(b"abcdefgh"), 4)] == []
