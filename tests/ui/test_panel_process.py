"""The process that plays for the panel, where it does not end as it is told to."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip(
    "PySide6.QtWidgets", reason="install PySide6-Essentials and its libraries", exc_type=ImportError
)
if sys.platform == "win32":
    pytest.skip("Windows has no such signals", allow_module_level=True)

from bot.ui.panel.process import Process
from conftest import PATIENCE
from drawn_game import application, wait_until

Start = Callable[[str], None]
SHORT, LONG = 20, int(1000 * PATIENCE)  # milliseconds
DEAF = "signal.SIG_IGN"  # what it does at SIGTERM; orders it never reads
HEEDFUL = "lambda *_: sys.exit(7)"


@pytest.fixture
def process() -> Iterator[Process]:
    application()
    process = Process()
    yield process
    process._process.kill()
    process._process.waitForFinished()


@pytest.fixture
def start(process: Process, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Start:
    """Return a function that starts another program in the place of minebot, and waits until it is there."""
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "__init__.py").touch()
    monkeypatch.chdir(tmp_path)
    said = list[str]()
    process.said.connect(said.append)

    def run(at_end: str) -> None:
        (tmp_path / "bot" / "__main__.py").write_text(
            f"import signal, sys, time\nsignal.signal(signal.SIGTERM, {at_end})\n"
            f"print('there', flush=True)\ntime.sleep({PATIENCE})\n"
        )
        said.clear()
        process.start([])
        wait_until(lambda: said == ["there"])

    return run


@pytest.mark.parametrize("end", [Process.stop, Process.close])
def test_a_run_that_heeds_no_orders_is_ended_by_force(
    process: Process, start: Start, end: Callable[[Process], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is asked by the system first, at every run anew."""
    monkeypatch.setattr("bot.ui.panel.process.PATIENCE", SHORT)
    ended = list[object]()
    process.ended.connect(ended.append)
    for at_end, word in ((DEAF, SHORT), (HEEDFUL, LONG)):
        monkeypatch.setattr("bot.ui.panel.process._WORD", word)
        start(at_end)
        end(process)
        wait_until(lambda: not process.running)
    assert ended == [None, 7]
