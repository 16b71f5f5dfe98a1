"""Print how small boards with few opened cells are read, in the simple looks of small programs.

Run from the repository root: ``python tests/bench small --resume small.jsonl``.
Boards have 4 to 8 rows and columns and 3 to 20 opened cells. Where the rules of the game allow covered and
blank cells to be exchanged, and nothing in the picture speaks against it, two readings fit equally well: such
boards are counted. It judges nothing: figures that miss their goal, in brackets, are red.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rich.console import Console

from bench.measured import Case, Goal, TruePicture, breakdown, confused, measure, parser, started, summary
from bench.small_boards import small_board

GOAL = Goal(perfect=98.0, wrong=0)
TAGS = ("opened", "edges", "mark", "numbers", "cell", "around")


def drawn(number: int) -> TruePicture:
    """Return the picture of a board, with tags that say whether two readings fit it."""
    small = small_board(number)
    tags = {
        **small.picture.tags,
        "exchange": "legal" if small.exchangeable else "not legal",
        "readings": "two" if small.ambiguous else "one",
    }
    return TruePicture(small.picture.pixels, small.picture.boards, tags)


def cases(numbers: Sequence[int]) -> list[Case]:
    return [Case(f"small {number}", {}, partial(drawn, number)) for number in numbers]


def main() -> None:
    asked = parser(__doc__, 500, "boards").parse_args()
    skins, journal = started(asked, "small")
    numbers = range(asked.first, asked.first + asked.count)
    records = measure("small boards", cases(numbers), skins, journal)
    console = Console(width=190)
    console.print(summary("small boards (goals in brackets)", records, (), lambda _: GOAL))
    console.print(breakdown("by properties of the boards", records, TAGS))
    legal = sum(record.tags["exchange"] == "legal" for record in records)
    two = [record for record in records if record.tags["readings"] == "two"]
    console.print(f"boards on which covered and blank cells may be exchanged by the rules: {legal}")
    console.print(
        f"boards that look no less plausible then: {len(two)}, perfect: {sum(b.perfect for b in two)}"
    )
    console.print(f"cells that are taken for others: {confused(records)}")
    missed = [record.picture.split()[1] for record in records if not record.perfect]
    console.print(f"not perfect: {', '.join(missed) or 'none'}")


if __name__ == "__main__":
    main()
