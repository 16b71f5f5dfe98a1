"""Print what is read of known boards under everything that screens and files do to pictures.

Run from the repository root: ``python tests/bench stress``. A line for every damage says how many per cent of
the cells are unreadable, and how many are wrong if any, at every stretching. It takes minutes as a whole:
``--stretches 1 1.5 2`` and ``--damages none "jpeg 50"`` choose some.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence

import cv2
from rich.console import Console

from bench.stress import DAMAGES, STRETCHES, Result, read_case, stress_cases
from bot.vision import load_skins

STRESSED = ("winmine", "winemine")


def print_stress(console: Console, stretches: Sequence[str], damages: Sequence[str]) -> None:
    """Print a line for every damage."""
    skins = [skin for skin in load_skins() if skin.name in STRESSED]
    console.print(
        f"stress: unreadable per cent (wrong cells) of all skins and art, stretched {', '.join(stretches)}; "
        "mine counters that were read"
    )
    everything: list[Result] = []
    for damage in damages:
        by_stretch = [
            [read_case(case, skins) for case in stress_cases(skins, [stretch], [damage])]
            for stretch in stretches
        ]
        line = [result for results in by_stretch for result in results]
        console.print(f"{damage:22} {'  '.join(map(shares, by_stretch))}  {counters(line)}")
        everything += line
    wrong, unreadable = (sum(getattr(one, kind) for one in everything) for kind in ("wrong", "unreadable"))
    cells = sum(one.cells for one in everything)
    console.print(
        f"stress: {cells} cells, wrong {wrong}, unreadable {100 * unreadable / max(1, cells):.2f} %; "
        f"counters: {counters(everything)}"
    )


def shares(results: Sequence[Result]) -> str:
    """Return how many per cent of the cells could not be read, and how many cells are wrong."""
    wrong, unreadable = sum(one.wrong for one in results), sum(one.unreadable for one in results)
    share = 100 * unreadable / sum(one.cells for one in results)
    return f"{share:4.1f}{f' ([red]{wrong}[/])' if wrong else ''}"


def counters(results: Sequence[Result]) -> str:
    """Return how many mine counters were read right, not at all, and wrong."""
    found = Counter(one.counter for one in results)
    wrong = f", [red]{found['wrong']} wrong[/]" if found["wrong"] else ""
    return f"{found['right']} of {len(results)}{wrong}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--stretches", nargs="+", choices=STRETCHES, default=list(STRETCHES), metavar="NAME")
    parser.add_argument("--damages", nargs="+", choices=DAMAGES, default=list(DAMAGES), metavar="NAME")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    print_stress(Console(width=150), asked.stretches, asked.damages)


if __name__ == "__main__":
    main()
