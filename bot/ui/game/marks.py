"""What is marked on the board, as data: a hint shows by it what it speaks of. Nothing of Qt."""

from __future__ import annotations

from dataclasses import dataclass

from bot.board import Cell


@dataclass(frozen=True, slots=True)
class Marks:
    """The cells that are marked.

    ``safe`` are proven safe and turn yellow, ``mines`` are proven mines and turn red, ``proof`` are the
    numbers that prove it and get a frame, ``offer`` are what is offered where nothing is proven.
    """

    safe: frozenset[Cell] = frozenset()
    mines: frozenset[Cell] = frozenset()
    proof: frozenset[Cell] = frozenset()
    offer: frozenset[Cell] = frozenset()


NO_MARKS = Marks()
