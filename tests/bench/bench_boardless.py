"""Measure how often boards are found on drawn pictures without one, with all shipped skins or none.

Run from the repository root: ``python tests/bench boardless --count 500``. With ``--keep FOLDER``, pictures
with a false board are saved there; ``minebot replay`` shows what was found in them.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from rich.console import Console

from bench.measured import Case, breakdown, measure, parser, started
from boardless import picture
from bot.vision import save_picture


def main() -> None:
    options = parser(__doc__, 500, "pictures")
    options.add_argument("--keep", type=Path, help="a folder for the pictures with false boards")
    asked = options.parse_args()
    skins, journal = started(asked, "boardless")
    numbers = range(asked.first, asked.first + asked.count)
    cases = [Case(str(number), {}, partial(picture, number)) for number in numbers]
    records = measure("pictures without a board", cases, skins, journal)
    console = Console(width=190)
    console.print(breakdown("pictures without a board", records, ("kind",)))
    false = [record.picture for record in records if record.false]
    console.print(f"false boards in: {', '.join(false) or 'none'}")
    if asked.keep is not None:
        asked.keep.mkdir(parents=True, exist_ok=True)
        for number in false:
            save_picture(asked.keep / f"{number}.png", picture(int(number)).pixels)


if __name__ == "__main__":
    main()
