"""One bot at a time on a display."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from bot.cli.lock import only_bot, this_display
from bot.errors import BusyError

_OTHER = """
import sys, time
from pathlib import Path
from bot.cli import lock

lock.data_folder = lambda: Path(sys.argv[1])
with lock.only_bot(sys.argv[2]):
    print("playing", flush=True)
    time.sleep(600)
"""

Other = Callable[[str], "subprocess.Popen[str]"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("bot.cli.lock.data_folder", lambda: tmp_path)
    return tmp_path


@pytest.fixture
def other(folder: Path) -> Iterator[Other]:
    """Starts another process that plays on a display."""
    with ExitStack() as stack:

        def start(display: str) -> subprocess.Popen[str]:
            process = subprocess.Popen(
                [sys.executable, "-c", _OTHER, str(folder), display], stdout=subprocess.PIPE, text=True
            )
            stack.enter_context(process)
            stack.callback(process.kill)
            assert process.stdout is not None
            assert process.stdout.readline() == "playing\n"
            return process

        yield start


def test_a_second_bot_is_refused_and_told_of_the_first(other: Other) -> None:
    first = other(":7")
    line = rf"another minebot \(process {first.pid}\) plays on the display :7 already: stop it first"
    with pytest.raises(BusyError, match=f"^{line}$"), only_bot(":7"):
        pass


def test_another_display_is_free(other: Other) -> None:
    other(":7")
    with only_bot(":8"), only_bot("there:7"):
        pass


def test_a_killed_bot_leaves_the_display(other: Other, folder: Path) -> None:
    first = other(":7")
    first.kill()
    first.wait()
    assert list((folder / "playing").glob("*.pid"))  # it had no time to clear away
    with only_bot(":7"):
        pass


def test_one_after_the_other(folder: Path) -> None:
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), only_bot(":7"):
            raise ZeroDivisionError
    assert not list((folder / "playing").glob("*.pid"))


def test_one_that_does_not_tell_its_name_is_refused_too(other: Other, folder: Path) -> None:
    other(":7")
    for holder in (folder / "playing").glob("*.pid"):
        holder.write_text("", encoding="ascii")
    with pytest.raises(BusyError, match=r"^another minebot plays on"), only_bot(":7"):
        pass


def test_where_no_lock_can_be_kept_play_goes_on(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "playing").touch()  # no folder
    played = False
    with only_bot(":7"):
        played = True
    assert played
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert f"no lock can be kept in {folder / 'playing'} (" in told


def test_a_refusal_without_a_reason_is_that_of_another_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """So Wine answers: its C library leaves the number of the error at 0."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(0, "Error")

    monkeypatch.setattr("filelock.FileLock.acquire", refuse)
    with pytest.raises(BusyError, match=r"^another minebot plays on"), only_bot(":7"):
        pass


def test_without_a_display_nothing_is_locked(folder: Path) -> None:
    with only_bot(None), only_bot(None):
        pass
    assert not list(folder.iterdir())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="displays have names on X11")
@pytest.mark.parametrize(
    ("name", "known"),
    [
        (":0", ":0"),
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


def test_windows_has_one_desktop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "win32")
    assert this_display() == "desktop"
