"""Print how boards are read at every scale: by three filters from 100 to 300 %, and as Chromium shows them.

Run from the repository root: ``python tests/bench scales --resume scales.jsonl``.
Five arts (the classic one, WineMine, our own window and two drawn ones), each in a window with a counter on a
page or desktop, are scaled as whole pictures; the browser lays cells out as images and as backgrounds, at
factors at which its pixels and the screen's differ. Boards that filters scale come first, in a fixed random
order, so that a part of a run, ``--count``, is a fair sample of them. It judges nothing: figures that miss
their goal, in brackets, are red.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
from rich.console import Console

from bench.measured import Case, Goal, confused, measure, parser, started, summary
from bench.scaled_boards import ARTS, FILTERS, page_of, scaled

SCALES = tuple(range(100, 301, 5))  # per cent
FACTORS = (1.1, 1.25, 1.33, 1.5, 1.75, 2.0, 2.5)
ROUGH = 150  # per cent: below it the nearest pixel doubles only some lines of a picture


def filter_cases(arts: Sequence[str], scales: Sequence[int], numbers: Sequence[int]) -> list[Case]:
    """Return all boards that filters scale, in a fixed random order."""
    cases = []
    for art in arts:
        for scale in scales:
            for how in FILTERS:
                row = how if how != "nearest" else f"nearest {'below' if scale < ROUGH else 'from'} {ROUGH} %"
                tags = {"art": art, "shown by": row, "scale": f"{scale} %"}
                cases += [
                    Case(f"{art}, {how} {scale} %, {n}", tags, partial(scaled, art, n, scale / 100, how))
                    for n in numbers
                ]
    order = np.random.default_rng(0).permutation(len(cases))
    return [cases[index] for index in order]


def page_cases(arts: Sequence[str], factors: Sequence[float], numbers: Sequence[int]) -> list[Case]:
    """Return all boards that Chromium shows; those of one page stand together."""
    return [
        Case(
            f"{art}, Chromium {factor:g}, {number}",
            {"art": art, "shown by": f"Chromium {factor:g}", "scale": f"{100 * factor:g} %"},
            partial(page_of, art, number, numbers, factor),
        )
        for factor in factors
        for art in arts
        for number in numbers
    ]


def goal(tags: Mapping[str, str]) -> Goal:
    """Return what boards in such a row of the table are to reach."""
    return Goal(read=99.0 if tags["shown by"] == f"nearest below {ROUGH} %" else 99.9, wrong=0, shapes=0)


def main() -> None:
    options = parser(__doc__, 0, "boards of this run, all if it is 0")
    options.add_argument("--boards", type=int, default=20, help="boards of each combination (default: 20)")
    options.add_argument("--arts", nargs="+", choices=ARTS, default=ARTS, help="only these arts")
    options.add_argument(
        "--scales", nargs="*", type=int, default=SCALES, help="only these, in per cent, or none"
    )
    options.add_argument(
        "--factors", nargs="*", type=float, default=FACTORS, help="only these, or no Chromium"
    )
    asked = options.parse_args()
    skins, journal = started(asked, "scales")
    numbers = range(asked.first, asked.first + asked.boards)
    cases = [
        *filter_cases(asked.arts, asked.scales, numbers),
        *page_cases(asked.arts, asked.factors, numbers),
    ]
    records = measure("scales", cases[: asked.count or None], skins, journal)
    records.sort(key=lambda record: (ARTS.index(record.tags["art"]), record.tags["shown by"]))
    title = f"{asked.boards} boards of each combination from number {asked.first} (goals in brackets)"
    console = Console(width=190)
    console.print(summary(title, records, ("art", "shown by"), goal))
    console.print(f"cells that are taken for others: {confused(records)}")


if __name__ == "__main__":
    main()
