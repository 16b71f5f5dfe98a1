"""One bot at a time on a display."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.cli.files import bot_plays, only_bot, this_display
from bot.errors import BusyError
from conftest import one_line

_OTHER = """
import sys, time
from pathlib import Path
from bot.cli import files

files.data_folder = lambda: Path(sys.argv[1])
with files.only_bot(sys.argv[2]):
    print("playing", flush=True)
    time.sleep(600)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("bot.cli.files.data_folder", lambda: tmp_path)
    return tmp_path


@pytest.fixture
def other(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that plays on the display :7."""
    command = [sys.executable, "-c", _OTHER, str(folder), ":7"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "playing\n"
        yield process
        process.kill()


def test_a_second_bot_is_refused_and_told_of_the_first(other: subprocess.Popen[str], folder: Path) -> None:
    line = rf"another minebot \(process {other.pid}\) plays on the display :7 already: stop it first"
    with pytest.raises(BusyError, match=f"^{line}$"), only_bot(":7"):
        pass
    with only_bot(":8"), only_bot("there:7"):  # other displays are free
        pass
    (holder,) = (folder / "playing").glob("*_7.pid")
    holder.write_text("", encoding="ascii")  # it has just begun
    with pytest.raises(BusyError, match=r"^another minebot plays on"), only_bot(":7"):
        pass
    other.kill()
    other.wait()
    assert holder.exists()  # it had no time to clear away, and leaves the display nevertheless
    with only_bot(":7"):
        pass


def test_a_bot_is_seen_by_others_while_it_plays(other: subprocess.Popen[str], folder: Path) -> None:
    assert bot_plays(":7")
    assert not bot_plays(":8")
    assert not bot_plays(None)
    other.kill()
    other.wait()
    assert not bot_plays(":7")  # though it had no time to clear away
    assert not list((folder / "playing").glob("*.pid"))
    with only_bot(":7"):
        assert bot_plays(":7")
    assert not bot_plays(":7")


def test_one_after_the_other(folder: Path) -> None:
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), only_bot(":7"):
            raise ZeroDivisionError
    assert not list((folder / "playing").glob("*.pid"))


def test_where_no_lock_can_be_kept_play_goes_on(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "playing").touch()  # no folder
    with only_bot(":7"):
        told = one_line(capsys.readouterr().err)
    assert f"cannot create a lock in {folder / 'playing'} (" in told


def test_a_refusal_without_a_reason_is_that_of_another_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """So Wine answers: its C library leaves the number of the error at 0."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(0, "Error")

    monkeypatch.setattr("filelock.FileLock.acquire", refuse)
    with pytest.raises(BusyError, match=r"^another minebot plays on"), only_bot(":7"):
        pass


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="displays have names on X11")
@pytest.mark.parametrize(
    ("name", "known"),
    [
        (":0.1", ":0"),
        ("unix:0.0", ":0"),
        ("there:10.0", "there:10"),
        ("odd", "odd"),
        ("", None),
    ],
)
def test_a_display_has_one_name_for_all_its_screens(
    name: str, known: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", name)
    assert this_display() == known
