"""Libraries that few commands need, and what messages say to install."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from bot.installation import DISTRIBUTION, install_command
from bot.record import load_record
from bot.record.report import write_report
from conftest import Run, one_line
from placements import lattice_of_fours

ROOT = Path(__file__).parent.parent
RECORD = ROOT / "fixtures" / "records" / "winemine-chords"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
SPEAKING = [ROOT / "README.md", *(ROOT / ".github" / "docs").glob("*.md"), *(ROOT / "bot").rglob("*.py")]


@pytest.mark.parametrize(
    ("library", "extra", "command"),
    [
        ("matplotlib", "plots", ["bench", "--games", "1", "--plot", "plot.png"]),
        ("matplotlib", "plots", ["stats", RECORD, "--plot", "plot.png"]),
        ("av", "film", ["replay", RECORD, "--film", "film.mp4"]),
        ("distributed", "cluster", ["bench", "--games", "1", "--cluster", "tcp://127.0.0.1:9"]),
        ("ortools", "solve", ["solve", "board.txt", "--method", "constraints"]),
    ],
)
def test_a_library_that_is_missing_is_named_with_the_command_that_installs_it(
    library: str,
    extra: str,
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
    assert one_line(errors).endswith(f" {install_command(extra)}\n")
    assert library in errors
    assert extra in EXTRAS
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert "this program does not contain" in run(*command)[2]


def test_the_page_of_a_record_says_what_its_charts_need(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    write_report(load_record(RECORD), tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "minesweeper-bot[plots]" in page
    assert 'class="game"' in page


def others() -> list[str]:
    """Return the extras for users, in their order."""
    return [name for name in EXTRAS if name not in ("all", "dev", "program")]


def test_all_extras_are_in_all_and_not_installed_by_default() -> None:
    libraries = {re.split("[<>=]", one)[0] for name in others() for one in EXTRAS[name]}
    assert libraries == {"ortools", "av", "matplotlib", "distributed"}
    assert not libraries & {re.split("[<>=;]", one)[0] for one in PROJECT["dependencies"]}
    assert PROJECT["name"] == DISTRIBUTION
    assert EXTRAS["all"] == [f"{DISTRIBUTION}[{','.join(others())}]"]


def test_no_text_tells_people_to_install_another_distribution() -> None:
    """``minebot`` on PyPI is another project."""
    install = re.compile(r"pip3? install\s+((?:-\S+\s+)*[^\s`]+)")
    own = re.compile(rf"""(-\S+\s+)*['"]?({DISTRIBUTION}|\.|{{DISTRIBUTION}})[\['"]?""")
    told = [(path.name, what) for path in SPEAKING for what in install.findall(path.read_text("utf-8"))]
    assert len(told) > 2
    assert [(name, what) for name, what in told if not own.match(what)] == []
