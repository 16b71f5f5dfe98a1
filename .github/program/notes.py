"""Print what the CHANGELOG says about a version: ``python .github/program/notes.py 0.1.0`` (or v0.1.0)."""

from __future__ import annotations

import re
import sys
from pathlib import Path

CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"


def notes(version: str, changelog: str) -> str:
    """Return the section of ``version`` in the text of the changelog. Raises SystemExit if there is none."""
    wanted = version.removeprefix("v")
    for section in re.split(r"(?m)^## ", changelog)[1:]:
        heading, _, text = section.partition("\n")
        if heading.split()[0] == wanted:
            return text.strip()
    raise SystemExit(f"CHANGELOG.md has no section {wanted}: add one before the release")


if __name__ == "__main__":
    print(notes(sys.argv[1], CHANGELOG.read_text(encoding="utf-8")))
