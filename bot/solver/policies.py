"""How guesses are chosen, by name: the strategies that the compiled kernel plays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple


class Policy(NamedTuple):
    """How a guess is chosen, in the order of the kernel's indices.

    ``endgame`` is the number of solutions up to which a position is played out exactly, 0 for never. Else the
    next three moves are looked at, for cells at least ``near`` times as safe as the safest, at most
    ``outside`` of them without an opened neighbour; the third move counts by ``best_share`` for its safest
    cell and by the rest for its second. Up to ``search`` solutions the tree of moves is searched to its end
    instead, over the safest cells. With ``near`` 0 the least risk decides, of the cells that teach something.
    """

    endgame: float
    near: float = 0.0
    outside: float = 0.0
    best_share: float = 1.0
    search: float = 0.0


POLICIES: Mapping[str, Policy] = {
    "fast": Policy(endgame=256),
    "best": Policy(endgame=256, near=0.85, outside=2, best_share=0.8, search=4096),
}
DEEP = "deep"  # thinks about guesses; where there is nothing to think about, it is the best of the others


def never() -> bool:
    """Return False: go on."""
    return False


@dataclass(frozen=True, slots=True)
class Thinking:
    """How to think about a guess: for so many seconds of ``clock``, in so many threads.

    ``stop`` is called again and again; when it returns true, the thinking ends early.
    """

    seconds: float
    clock: Callable[[], float]
    threads: int = 1
    stop: Callable[[], bool] = never
