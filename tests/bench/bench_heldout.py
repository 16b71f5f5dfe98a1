"""How well a reader reads drawn screenshots that it was not made for.

Run from the repository root: ``python tests/bench heldout``. Picture i is ``heldout.scene(i)``. It judges
nothing; of all boards 97 % were once to be located exactly, 95 % to be perfect, and no cell wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rich.console import Console

from bench.measured import Case, breakdown, confused, measure, parser, started
from heldout import TAGS, scene


def cases(seeds: Sequence[int]) -> list[Case]:
    return [Case(f"heldout {seed}", {}, partial(scene, seed)) for seed in seeds]


def main() -> None:
    asked = parser(__doc__, 1000, "pictures").parse_args()
    skins, journal = started(asked, "heldout")
    wanted = cases(range(asked.first, asked.first + asked.count))
    records = measure("held-out screens", wanted, skins, journal)
    console = Console(width=190)
    others = sorted({tag for record in records for tag in record.tags} - set(TAGS))
    console.print(breakdown("by what else is in the picture", records, others))
    console.print(breakdown("held-out screens", records, TAGS))
    console.print(f"cells that are taken for others: {confused(records)}")
    missed = [record.picture.split()[1] for record in records if not record.perfect]
    console.print(f"not perfect: {', '.join(missed) or 'none'}")


if __name__ == "__main__":
    main()
