"""Libraries that few commands need, and what messages say to install."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import sys
import tomllib
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from packaging.requirements import Requirement

from bot.cli import _message as message
from bot.installation import (
    minebot_command,
    missing_library_words,
    start_minebot,
)
from bot.targets.launch import running
from bot.ui.overlay import Link
from conftest import PATIENCE, Run, one_line
from placements import lattice_of_fours

ROOT = Path(__file__).parent.parent
RECORD = ROOT / "fixtures" / "records" / "winemine-chords"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
SPEAKING = [ROOT / "README.md", *(ROOT / ".github" / "docs").glob("*.md"), *(ROOT / "bot").rglob("*.py")]


@pytest.mark.parametrize(
    ("library", "command"),
    [
        ("av", ["replay", RECORD, "--film", "film.mp4"]),
        ("distributed", ["bench", "--games", "1", "--cluster", "tcp://127.0.0.1:9"]),
        ("ortools", ["solve", "board.txt", "--method", "constraints"]),
    ],
)
def test_a_library_that_is_missing_is_named_with_the_command_that_installs_it(
    library: str,
    command: list[object],
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("board.txt").write_text(str(lattice_of_fours(20)), encoding="utf-8")
    for name in [name for name in sys.modules if name.split(".")[0] == library]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    code, _, errors = run(*command)
    assert code == 1
    assert one_line(errors).endswith(f" needs {library}, which is not installed: pip install {library}\n")
    assert library in LIBRARIES
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert "this program does not contain" in run(*command)[2]


def others() -> list[str]:
    """Return the extras for users, in their order."""
    return [name for name in EXTRAS if name not in ("all", "dev", "program")]


LIBRARIES = {re.split("[<>=]", one)[0] for name in others() for one in EXTRAS[name]}


def test_all_extras_are_in_all_and_not_installed_by_default() -> None:
    assert {"ortools", "av", "distributed"} == LIBRARIES
    assert not LIBRARIES & {re.split("[<>=;]", one)[0] for one in PROJECT["dependencies"]}
    assert EXTRAS["all"] == [f"{PROJECT['name']}[{','.join(others())}]"]


@pytest.mark.parametrize("system", ["linux", "win32", "darwin"])
def test_no_system_gets_two_packages_that_call_themselves_xlib(system: str) -> None:
    """pyautogui and its parts bring python3-xlib on Linux, whose files are those of python-xlib."""
    wanted = map(Requirement, [*PROJECT["dependencies"], *chain.from_iterable(EXTRAS.values())])
    names = {
        one.name.lower() for one in wanted if not one.marker or one.marker.evaluate({"sys_platform": system})
    }
    ours, theirs = "python-xlib" in names, names & {"python3-xlib", "pyautogui", "mouseinfo"}
    assert (ours, bool(theirs)) == (system == "linux", system != "linux")


def test_no_text_tells_people_to_install_another_distribution() -> None:
    """``minebot`` on PyPI is another project, and ``minesweeper-bot`` may become one: libraries are named."""
    install = re.compile(r"""pip3? install\s+((?:-\S+\s+)*[^\s`"]+)""")
    named = "|".join([*LIBRARIES, "pyautogui", r"\.", "{library}"])
    own = re.compile(rf"(-\S+\s+)*({named})$")
    told = [(path.name, what) for path in SPEAKING for what in install.findall(path.read_text("utf-8"))]
    assert len(told) > 2
    assert [(name, what) for name, what in told if not own.match(what)] == []


@pytest.fixture
def traps(tmp_path: Path) -> Path:
    """A folder of files with the names of libraries and of minebot, each of which says that it was run."""
    folder = tmp_path / "Downloads"
    (folder / "bot").mkdir(parents=True)
    for name in ("typer", "pickle", "multiprocessing", "pathlib", "numpy", "subprocess", "bot/__init__"):
        (folder / f"{name}.py").write_text(f"import os; os.mkdir({str(tmp_path / 'sprung')!r})\n")
    return folder


def started(command: list[str], folder: Path, **environment: str) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("arguments", [["--version"], ["bench", "--games", "2", "--jobs", "2", "--json"]])
@pytest.mark.usefixtures("kernel")
def test_other_processes_run_no_code_of_the_current_folder(traps: Path, arguments: list[str]) -> None:
    assert started(minebot_command(*arguments), traps)
    entry = [
        sys.executable,
        "-c",
        "import sys; del sys.path[0]; from bot.cli import main; main()",
        *arguments,
    ]
    assert started(entry, traps)  # as the script that pip installs
    shutil.rmtree(traps / "bot")  # with it, Python itself would choose the wrong package
    assert started([sys.executable, "-m", "bot", *arguments], traps, PYTHONPATH=str(ROOT))
    assert not (traps.parent / "sprung").exists()


def test_marks_are_shown_by_code_of_minebot(
    traps: Path, display: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert display
    monkeypatch.chdir(traps)
    with closing(Link()):
        assert not (traps.parent / "sprung").exists()


def test_a_copy_that_is_not_installed_starts_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copied = shutil.copytree(ROOT / "bot", tmp_path / "Jürgen Иван" / "bot")
    inside = copied / "__init__.py"
    inside.write_text(
        re.sub('__version__ = ".*"', '__version__ = "7.7.7"', inside.read_text("utf-8")), encoding="utf-8"
    )
    monkeypatch.setattr("bot.installation.__file__", str(copied / "installation.py"))
    assert started(minebot_command("--version"), tmp_path) == "minebot 7.7.7\n"


def test_on_windows_ctrl_c_does_not_reach_what_was_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0x200, raising=False)
    monkeypatch.setattr(subprocess, "CREATE_NO_WINDOW", 0x8000000, raising=False)
    begin = Mock(side_effect=OSError("not here"))
    monkeypatch.setattr(subprocess, "Popen", begin)
    for start in (lambda: start_minebot("game"), Link, running(["game"]).__enter__):
        with pytest.raises(OSError, match="not here"):
            start()
        assert begin.call_args.kwargs["creationflags"] == 0x8000200


def test_what_another_program_reads_is_utf_8() -> None:
    program = "from bot.cli import open_closed_streams; open_closed_streams(); print('D\\xe9mineur')"
    environment = {**os.environ, "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    environment.pop("PYTHONIOENCODING", None)
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, timeout=PATIENCE, check=True)
    assert done.stdout.decode().strip() == "Démineur"


@pytest.mark.parametrize(
    ("library", "number", "advice"),
    [
        ("cv2", 126, "on Windows N, install the Media Feature Pack first"),
        ("cv2", 4551, "Smart App Control of Windows blocks it, and knows no exceptions"),
        ("numba", 4551, "Smart App Control of Windows blocks it, and knows no exceptions"),
        ("numba", 126, "install minebot again"),
    ],
)
def test_windows_says_by_a_number_why_a_library_cannot_be_loaded(
    library: str, number: int, advice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = OSError("Das angegebene Modul wurde nicht gefunden")
    again.winerror = number  # type: ignore[attr-defined]
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(ctypes, "WinDLL", Mock(side_effect=again), raising=False)
    error = ImportError("DLL load failed", name=library, path=f"{library}.pyd")
    assert missing_library_words(error).startswith(advice)
    assert ("Smart App Control" in message(again)) == (number == 4551)


@pytest.mark.parametrize("name", ["minebot", "minebot-panel"])
def test_the_program_for_double_clicks_starts_the_one_with_a_console(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / f"{name}.exe"))
    assert minebot_command("play", "--control") == [str(tmp_path / "minebot.exe"), "play", "--control"]
