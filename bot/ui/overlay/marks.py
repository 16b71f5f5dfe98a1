"""What is to be marked on a board, cell by cell; nothing of pixels."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bot.board import Cell


class Kind(Enum):
    """What a mark says of its cell."""

    SAFE = "safe"
    MINE = "mine"
    NEXT = "next"  # the suggested click, which is safe
    GUESS = "guess"  # the suggested click, which may be a mine
    FLAG = "flag"  # a flag that should be taken away
    PROOF = "proof"  # an open number that proves the suggested click
    PLAIN = "plain"  # nothing but its text


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark on a cell; ``text`` is a number of up to three digits in its corner, "" for none."""

    cell: Cell
    kind: Kind
    text: str = ""
