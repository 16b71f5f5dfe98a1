"""The manner of playing: which of the proven cells are clicked in a round, and how."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum

from bot.board import Board, Cell, State
from bot.errors import UsageError
from bot.player.burst import Legs, Opening, burst
from bot.player.chords import Plan, planned
from bot.player.proven import Proven
from bot.screen.targets import Target
from bot.solver.decision import Action, Decision, Move, Reason

_MARKABLE = (State.COVERED, State.QUESTION)


class Flags(Enum):
    """Which mines are flagged."""

    NONE = "none"  # NF: left clicks only
    ALL = "all"  # every one that is proven
    CHORD = "chord"  # those with which chords save clicks


@dataclass(frozen=True, slots=True)
class Style:
    """The manner of playing. An ``efficient`` one takes fewer clicks, and more looks for that."""

    flags: Flags = Flags.NONE
    efficient: bool = False

    @property
    def without_chords(self) -> Style:
        """The same manner, but that all mines are flagged where they save clicks."""
        return replace(self, flags=Flags.ALL) if self.flags is Flags.CHORD else self


NF = Style()


def parse_flags(text: str) -> Flags:
    """Return what ``text`` stands for. Raises UsageError if it is not none, all or chord."""
    try:
        return Flags(text)
    except ValueError:
        names = ", ".join(flags.value for flags in Flags)
        raise UsageError(f"--flags {text}: choose one of {names}") from None


def style_for(target: Target, wanted: Style, tell: Callable[[str], None]) -> Style:
    """Return the ``wanted`` style, or the nearest one where it is not known how the target plays chords."""
    if wanted.flags is not Flags.CHORD or target.chord is not None:
        return wanted
    how = f"it is not known how {target.label} plays chords"
    tell(f"{how}: all mines are flagged, as with --flags all")
    return wanted.without_chords


def styled(decision: Decision, board: Board, style: Style) -> Legs:
    """Return the moves of this round.

    ``board`` is the one decided on, with all that is not sure, flags too, as unreadable. What is opened, by
    chords too, is proven safe by the decision, or is its guess; flags are set on proven mines alone. A flag
    on a proven mine stays where it is; one on a safe cell is taken off first, by moves of the decision.
    """
    proven = Proven.by(decision, board)
    every = (mine for mine in proven.mines if board[mine] in _MARKABLE)
    flags = _flags(every if style.flags is Flags.ALL else (), decision.reason)
    if decision.reason in (Reason.GUESS, Reason.FIRST_CLICK):
        return tuple(leg for leg in (flags, decision.moves) if leg)  # a guess may end the game
    marks = (*flags, *(move for move in decision.moves if move.action is Action.FLAG))
    if style.flags is not Flags.CHORD and not style.efficient:
        moves = (move for move in decision.moves if move.action is Action.OPEN)
        return burst(marks, [Opening(move, frozenset({move.cell})) for move in moves], proven)
    plan = planned(proven, chords=style.flags is Flags.CHORD)
    openings = list(_needed(_openings(plan, decision)))
    marks += _flags(plan.flags, decision.reason)
    if not openings and not plan.flags:
        singles = _thrifty(proven, plan.singles) if style.efficient else plan.singles
        openings = [_left(cell, decision) for cell in singles]
    return burst(marks, openings, proven)


def _flags(mines: Iterable[Cell], reason: Reason) -> tuple[Move, ...]:
    return tuple(Move(mine, Action.FLAG, 1.0, reason) for mine in sorted(mines))


def _openings(plan: Plan, decision: Decision) -> Iterator[Opening]:
    """Iterate over what a plan opens first: by zeros that are proven, and by the chords that are ready."""
    yield from (_left(cell, decision) for cell in plan.openings)
    for chord in plan.ready:
        yield Opening(Move(chord.cell, Action.CHORD, 0.0, decision.reason), chord.opens)


def _left(cell: Cell, decision: Decision) -> Opening:
    return Opening(Move(cell, Action.OPEN, 0.0, decision.reason), frozenset({cell}))


def _needed(openings: Iterable[Opening]) -> Iterator[Opening]:
    """Iterate over the openings without those whose cells the others open as well."""
    waiting = list(openings)
    kept = set[Cell]()
    for number, opening in enumerate(waiting):
        others = kept.union(*(other.cells for other in waiting[number + 1 :]))
        if not opening.cells <= others:
            kept |= opening.cells
            yield opening


def _thrifty(proven: Proven, singles: Iterable[Cell]) -> list[Cell]:
    """Return those of the ``singles`` to be clicked now so that few clicks are made on what opens anyway.

    First what may be zeros, one in each place where they may be, the likeliest first: they may open others.
    With them goes what no zero can open; all others wait until there is nothing else.
    """
    left = list(singles)
    maybe = [cell for cell in left if cell in proven.maybe_zeros]
    maybe.sort(key=lambda cell: sum(other not in proven.safe for other in proven.closed_around(cell)))
    alone = [cell for cell in left if proven.maybe_zeros.isdisjoint((cell, *proven.board.neighbours(cell)))]
    return [*proven.apart(maybe), *alone] or left
