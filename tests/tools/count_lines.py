"""Count the lines and files of the bot, of play alone, and of the tests.

Run from the repository root: ``python tests/tools/count_lines.py``. It counts every line of the Python files.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rich.console import Console
from rich.table import Table

PLAY = (
    "bot/play/*.py",
    "bot/cli/play.py",
    "bot/verdict.py",
    "bot/vision/panel/buttons.py",
    "bot/vision/panel/surroundings.py",
)
APART = {"art", "heldout", "tools"}  # folders of tests that draw pictures, or that look at the code


def files_in(*patterns: str) -> list[Path]:
    """Return the files below the current folder that fit one of the patterns."""
    return [path for pattern in patterns for path in Path().glob(pattern)]


def count_lines(paths: Iterable[Path]) -> int:
    """Return how many lines the files have together."""
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def main() -> None:
    """Print a table."""
    tests = files_in("tests/**/*.py")
    counted = {
        "the bot": files_in("bot/**/*.py"),
        "of which play, verdict, buttons, surroundings": files_in(*PLAY),
        "tests": tests,
        "of which neither art, heldout, tools nor bench_*": [
            path for path in tests if path.parts[1] not in APART and not path.name.startswith("bench_")
        ],
    }
    table = Table("", "lines", "files")
    for name, paths in counted.items():
        table.add_row(name, f"{count_lines(paths):,}", str(len(paths)))
    Console().print(table)


if __name__ == "__main__":
    main()
