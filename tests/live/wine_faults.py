"""The fault table under Wine: the Windows build plays the Windows game, and the desktop does what it may.

::

    python tests/live/wine_faults.py --games 50 --fault moved --fault closed

For each fault the real command of the Windows build plays WineMine on a virtual screen of its own; the fault
strikes at a random moment of each game. A run that stops is begun again, until as many games have been
struck. Prints one row a fault, or with ``--json`` one object. Linux only.

The referee's look at each click delays it in Wine, which may then do its release before its press. Whether a
button stays pressed is to be seen with ``--unwatched``, without that look.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from bot.errors import LaunchError
from bot.targets.launch import terminated_by_signals, virtual_display, wine_prefix
from fault_table import Row, chosen, followed, options, print_table, progress
from win32_faults import FAULTS
from windows_python import UnavailableError, windows_python
from wine_match import Match


def played(
    names: Sequence[str], games: int, seed: int, speeds: Sequence[str], *, watched: bool
) -> Iterator[Row]:
    """Test those faults on a virtual screen, each at those speeds; yield their rows as they grow."""
    faults = chosen(names, {fault.name: fault for fault in FAULTS})
    try:
        python = windows_python()
    except UnavailableError as error:
        raise LaunchError(str(error)) from error
    with terminated_by_signals(), virtual_display(), wine_prefix() as wine, progress() as bar:
        for fault in faults:
            for speed in speeds:
                with Match(fault, random.Random(seed), wine, python, speed, watched=watched) as match:
                    rows = Row(fault.name, speed).filled(games, match.play)
                    yield from followed(rows, bar, games)


def main() -> None:
    parser = options(__doc__ or "", (fault.name for fault in FAULTS))
    parser.add_argument(
        "--unwatched", action="store_true", help="judge what is pressed after a run, not clicks"
    )
    given = parser.parse_args()
    rows = played(given.fault, given.games, given.seed, given.speed or ("max",), watched=not given.unwatched)
    print_table(rows, as_json=given.json)


if __name__ == "__main__":
    main()
