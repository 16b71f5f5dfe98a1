"""Decisions of the solver: moves, the reasons for them, and risks."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from bot.board import Cell
from bot.words import cell_words, often_words, risk_words

ALTERNATIVES = 8  # the most cells that a decision lists for a guess, the chosen one included


class Action(Enum):
    """A way to click a cell."""

    OPEN = "open"
    FLAG = "flag"
    CHORD = "chord"


class Reason(Enum):
    """The stage of the solver that found a move."""

    FIRST_CLICK = "first click"
    COUNTING = "counting"
    ELEMENTS = "elements"
    CONTRADICTION = "contradiction"
    PATTERN = "pattern"
    PROBABILITY = "probability"  # a proof by counting all solutions: none has a mine there
    GUESS = "guess"


_PROOFS = {  # for people who do not know the stages of the solver
    Reason.COUNTING: "a number beside it has all its mines elsewhere",
    Reason.ELEMENTS: "the numbers around it, taken together, leave no mine for it",
    Reason.CONTRADICTION: "with a mine there, no mines would fit the numbers",
    Reason.PATTERN: "these numbers are a known pattern",
    Reason.PROBABILITY: "none of the ways to place the mines has one there",
}


class Judgement(Enum):
    """The method that chose the cell of a guess."""

    ENDGAME = "endgame"  # full search of all moves that can follow
    SEARCH = "search"  # only in older records: the same search over the safest cells only
    LOOK_AHEAD = "look-ahead"  # the safety of the cell and of the next moves, and what was learned
    FIFTY_FIFTY = "fifty-fifty"  # it cannot be avoided, so guessing it at once costs nothing
    LEAST_SUM = "least sum"  # the least sum of the shares of mines around a cell, as in the article
    LEAST_RISK = "least risk"  # the least risk; a cell that is known to teach nothing comes last
    SCORE = "score"  # the sum of the shares of missing mines around a cell (Korlyakova)
    EXPERIENCE = "experience"  # that score, and the results of earlier guesses in similar neighbourhoods
    THOUGHT = "thought"  # games that were played out from this position
    OWN = "own"  # the way of a strategy from outside of this package


@dataclass(frozen=True, slots=True)
class Constraint:
    """The fact that exactly ``mines`` of ``cells`` are mines."""

    cells: frozenset[Cell]
    mines: int
    source: Cell | None = None  # the cell of the opened number that says so, None for the mine total


@dataclass(frozen=True, slots=True)
class Move:
    """One click on a cell, and the reason for it."""

    cell: Cell
    action: Action
    risk: float  # the chance that the cell is a mine; 0.0 only if it is safe by proof or by the game's rule
    reason: Reason


@dataclass(frozen=True, slots=True)
class Alternative:
    """A cell that a guess could open, and its risk.

    ``score`` is the chance to win the game with this cell, divided by the chance with the chosen cell. It is
    exact in an endgame, else an estimate; None if it was not computed, or if the cell teaches nothing.
    """

    cell: Cell
    risk: float
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """The next moves: all cells that are proven safe, or one guess; none if only an unwanted guess is left.

    ``mines`` are the unknown cells proven to be mines. ``risks`` holds the risk of each unknown cell; it is
    empty if the deciding stage did not compute it. ``exact`` is false if the risks are rough estimates.

    The rest describes a guess. ``judgement`` is the method that chose its cell. ``alternatives`` are at most
    eight good cells: the chosen one, then the best others. ``win_chance`` is the exact chance to win the game
    with best play, None if no endgame was searched.
    """

    moves: tuple[Move, ...]
    reason: Reason
    mines: frozenset[Cell] = frozenset()
    risks: dict[Cell, float] = field(default_factory=dict)
    exact: bool = True
    judgement: Judgement | None = None
    alternatives: tuple[Alternative, ...] = ()
    win_chance: float | None = None

    def words_for(self, one: Move | Alternative) -> str:
        """Return why a move is made and how risky it is, or what another cell would risk, in a few words."""
        risk = f"risk {risk_words(one.risk, self.exact)}" if one.risk else "safe"
        if isinstance(one, Alternative):
            often = "" if one.score is None else f", wins {often_words(one.score)}"
            return f"{cell_words(one.cell)}: {risk}{often}"
        how = "" if self.judgement is None else f" by {self.judgement.value}"
        won = "" if self.win_chance is None else f", won in {risk_words(self.win_chance)}"
        return f"{one.reason.value}{how}, {risk}{won}"

    def sentence_for(self, move: Move) -> str:
        """Return what is clicked and why, as a sentence for people who do not know the solver."""
        where, risk = cell_words(move.cell), f"risk {risk_words(move.risk, self.exact)}"
        if move.action is not Action.OPEN:
            return f"{where.capitalize()} gets a {'flag' if move.action is Action.FLAG else 'chord'}."
        if move.reason is Reason.FIRST_CLICK:
            return f"The first click is at {where}{f', {risk}' if move.risk else ''}."
        if move.reason is Reason.GUESS:
            return f"Nothing is proven, so this is a guess: {where}, {risk}."
        return f"{where.capitalize()} is safe: {_PROOFS[move.reason]}."

    @property
    def risk(self) -> float:
        """The risk of the first move, 0.0 if there is none."""
        return self.moves[0].risk if self.moves else 0.0
