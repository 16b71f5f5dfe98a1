"""The stress matrix for the vision benchmark: what is read of boards under everything screens do to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import Console

from bench.stress import Result, read_case, stress_cases
from bot.vision import load_skins

STRESSED = ("winmine", "winemine")


def print_stress(console: Console, stretches: Sequence[str], damages: Sequence[str]) -> None:
    """Print a line for every damage: unreadable per cent, and wrong cells if any, at every stretching."""
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
