"""Decisions: moves, the reasons for them, and risks."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from bot.board import Cell

ALTERNATIVES = 8  # cells that a decision names for a guess, at most


class Action(Enum):
    """What to do with a cell."""

    OPEN = "open"
    FLAG = "flag"
    CHORD = "chord"


class Reason(Enum):
    """The stage that found a move."""

    FIRST_CLICK = "first click"
    COUNTING = "counting"
    ELEMENTS = "elements"
    CONTRADICTION = "contradiction"
    PATTERN = "pattern"
    PROBABILITY = "probability"  # proven: no solution has a mine there
    GUESS = "guess"


class Judgement(Enum):
    """How the cell of a guess was chosen."""

    ENDGAME = "endgame"  # all that can follow was searched to the end
    SEARCH = "search"  # the same over the safest cells only: there may be a better one
    LOOK_AHEAD = "look-ahead"  # by its safety and that of the next moves
    FIFTY_FIFTY = "fifty-fifty"  # one that cannot be avoided, so that nothing is lost by guessing it at once
    LEAST_SUM = "least sum"  # of the shares of mines around it, as in the article
    LEAST_RISK = "least risk"  # of the cells that can teach something, where that is known
    SCORE = "score"  # by the sum of the shares of missing mines around it (Korlyakova)
    EXPERIENCE = "experience"  # by that score and by how it went where it looked alike
    THOUGHT = "thought"  # games were played out from here


@dataclass(frozen=True, slots=True)
class Constraint:
    """Exactly ``mines`` of ``cells`` are mines. ``source`` is the opened number, None for the mine total."""

    cells: frozenset[Cell]
    mines: int
    source: Cell | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """One thing to do. ``risk`` is the chance that the cell is a mine; exactly 0.0 only if that is proven."""

    cell: Cell
    action: Action
    risk: float
    reason: Reason


@dataclass(frozen=True, slots=True)
class Alternative:
    """A cell that a guess could open, and how likely it is a mine.

    ``score`` is the chance to win the game with it, relative to that of the cell that was chosen; None if
    that was not judged, or if the cell teaches nothing. In an endgame it is exact, otherwise an estimate.
    """

    cell: Cell
    risk: float
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """All moves of a round: every proven safe cell, or one guess; none if a guess is needed and unwanted.

    ``mines`` are the unknown cells proven to be mines; ``risks`` the chance of a mine for each unknown cell,
    where the deciding stage computed it (empty otherwise). ``exact`` tells whether these are true chances
    or rough estimates, which prove nothing.

    Of a guess, ``judgement`` says how its cell was chosen; ``alternatives`` are the cells that were near, at
    most eight, the chosen one first and then the best; ``win_chance`` is the chance to win the game with best
    play, where the endgame knows it, which is exact.
    """

    moves: tuple[Move, ...]
    reason: Reason
    mines: frozenset[Cell] = frozenset()
    risks: dict[Cell, float] = field(default_factory=dict)
    exact: bool = True
    judgement: Judgement | None = None
    alternatives: tuple[Alternative, ...] = ()
    win_chance: float | None = None

    @property
    def risk(self) -> float:
        """The risk of the first move, 0.0 if there is none."""
        return self.moves[0].risk if self.moves else 0.0
