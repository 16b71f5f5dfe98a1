"""The fault table: the bot plays a window that misbehaves, and a referee sees whether it breaks a rule.

::

    python tests/live/faults.py --games 50 --fault lost --fault moves

For each fault the real command plays games of our own Minesweeper on a virtual screen of its own; the fault
strikes at a random moment of each game. A run that stops is begun again, until as many games have been
struck. Prints one row a fault, or with ``--json`` one object. Linux only.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from bot.targets.launch import terminated_by_signals, virtual_display
from buttons import ButtonWatch
from desktop_faults import DESKTOP_FAULTS
from fault import Fault
from fault_table import Row, chosen, followed, options, print_table, progress
from game_faults import GAME_FAULTS
from match import Match

FAULTS = {fault.name: fault for fault in (*GAME_FAULTS, *DESKTOP_FAULTS)}
MOST = 10  # games of one run


def tested(fault: Fault, games: int, seed: int, speed: str) -> Iterator[Row]:
    """Play until a fault has struck so many games; yield what has come of it so far, run by run."""
    with ButtonWatch() as watch, Match(fault, random.Random(seed), seed, watch) as match:
        yield from Row(fault.name, speed).filled(games, lambda left: match.play(min(MOST, left), speed))


def played(names: Sequence[str], games: int, seed: int, speeds: Sequence[str]) -> Iterator[Row]:
    """Test those faults on a virtual screen, each at those speeds; yield their rows as they grow."""
    faults = chosen(names, FAULTS)
    with terminated_by_signals(), virtual_display(), progress() as bar:
        for fault in faults:
            for speed in speeds:
                yield from followed(tested(fault, games, seed, speed), bar, games)


def main() -> None:
    given = options(__doc__ or "", FAULTS).parse_args()
    rows = played(given.fault, given.games, given.seed, given.speed or ("max", "20"))
    print_table(rows, as_json=given.json)


if __name__ == "__main__":
    main()
