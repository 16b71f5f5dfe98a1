"""What both referees hold against the end of a run: its code, its last line, and the games it tells of."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import chain, combinations
from typing import Any, Protocol

REACTION = 0.1  # seconds; a person takes 0.2
BUTTONS = {"open": "left", "flag": "right", "chord": "middle"}
_CODES = (0, 1, 2, 3, 4)  # with which a run may end

Event = Mapping[str, Any]


class Ended(Protocol):
    """A run that is over: what it printed and complained of, and its code, None if it had to be killed."""

    @property
    def printed(self) -> str: ...

    @property
    def complaints(self) -> str: ...

    @property
    def code(self) -> int | None: ...


def ended_badly(run: Ended) -> list[str]:
    """Return what is wrong with the way in which a run has ended."""
    lines = run.complaints.splitlines()
    if run.code is None:
        return ["it hung, and had to be killed"]
    if run.code not in _CODES:
        return [f"it ended with the code {run.code}"]
    if run.code and (not lines or not lines[-1].startswith("minebot: ")):
        return [f"it ended with {run.code} without a line that says why"]
    return ["it ended with a traceback"] if "Traceback" in run.complaints else []


def printed_wrong(run: Ended, ended: Sequence[bool], fleeting: Sequence[int] = ()) -> list[str]:
    """Return what was not told of the games that ended; the last may be untold if the run was stopped.

    ``fleeting`` are the indices of those whose end was on the screen for so short a time that nobody saw it.
    """
    *lines, rest = run.printed.split("\n")
    if rest:
        return [f"what it prints ends in half a line: {rest[-80:]!r}"]
    told = [game["won"] for line in lines if "outcome" in (game := json.loads(line))]
    known = list(ended[: len(told)] if run.code != 0 and len(ended) == len(told) + 1 else ended)
    unseen = chain.from_iterable(combinations(fleeting, number) for number in range(len(fleeting) + 1))
    if any(told == [won for index, won in enumerate(known) if index not in gone] for gone in unseen):
        return []
    return [f"it tells of {told}, the games ended {known}"]
