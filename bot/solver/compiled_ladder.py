"""The ladder where the kernel counts: the same stages, but what is certain comes first, and then why.

The kernel applies the counting rules, and then counts all solutions. Only where that proves a cell safe is
there anything for the stages between, and only for the cells that it proves. On a frontier that is too wide
to be counted, hypotheses are made of the safest cells.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from bot.board import Board, State
from bot.solver.conflict import contradiction
from bot.solver.constraints import System, array_of, bits, mask_of
from bot.solver.counting import Known, contradict
from bot.solver.decision import Reason
from bot.solver.engine import Engine, engine_for
from bot.solver.engine import Risks as Chances
from bot.solver.kernel.layout import MINE, SAFE
from bot.solver.ladder import Risks, StageResult

_TRIED = 1500  # cells that are supposed to be mines where the kernel cannot count; tenths of a second at most


def climb_compiled(system: System) -> StageResult:
    """Find what `ladder.climb` does by all stages, with the kernel.

    The engine for boards of this size holds the position afterwards. Raises ContradictionError if no
    placement of mines fits.
    """
    engine = engine_for(*system.board.shape)
    found = {Reason.COUNTING: _count(engine, system)}
    counted = found[Reason.COUNTING]
    try:
        engine.analyse_counted()  # first of all: a board that is wrong proves nothing
    except ValueError:
        raise contradiction(system, engine.fits) from None
    if counted.safe & system.playable:
        return _finding(found, None)
    left, chances = system.unknown & ~counted.settled, engine.last_risks(system.board)
    exact, certain = engine.exact, _certain(left, chances)
    proves = bool(certain.safe & system.playable)
    if proves or not exact:
        rest = _rest(system, counted)
        among = certain.settled if proves else _safest(rest, chances)
        contradicted = found[Reason.CONTRADICTION] = contradict(rest, Known(), among)
        if contradicted.clash:  # what is not exact does not see everything
            raise contradiction(system, engine.fits)
        if contradicted.safe & system.playable:
            return _finding(found, None)
    found[Reason.PROBABILITY] = certain
    return _finding(found, _risks(left, chances), exact)


def _finding(stages: Mapping[Reason, Known], risks: Risks | None, exact: bool = True) -> StageResult:
    """Return what the stages found together, each cell by the first that did."""
    known, reasons = Known(), dict[int, Reason]()
    for reason, found in stages.items():
        reasons |= dict.fromkeys(bits(found.safe & ~known.safe), reason)
        known = Known(known.mines | found.mines, known.safe | found.safe)
    return StageResult(known, reasons, risks, exact)


def _count(engine: Engine, system: System) -> Known:
    """Return what the counting rules prove of the board, the rule for the mine total included."""
    shown = engine.counted(system.board)
    if shown is None:
        raise contradiction(system, engine.fits)
    mines, safe = (system.unknown & mask_of(shown == what) for what in (MINE, SAFE))
    left = system.unknown & ~(mines | safe)
    if not system.total_known:
        return Known(mines, safe)
    rest = (system.board.mines or 0) - (system.shown_mines | mines).bit_count()
    if 0 < rest < left.bit_count() or not (rest or left):
        return Known(mines, safe)
    if rest not in (0, left.bit_count()) or engine.unsettled:
        raise contradiction(system, engine.fits)
    return Known(mines, safe | left) if rest == 0 else Known(mines | left, safe)


def _certain(left: int, chances: Chances) -> Known:
    return Known(left & mask_of(chances == 1.0), left & mask_of(chances == 0.0))


def _safest(rest: System, chances: Chances) -> int:
    """Return the cells of the frontier that are most likely safe, as many as can be tried in good time."""
    frontier = np.array(sorted(rest.touching))
    order = np.argsort(chances.ravel()[frontier], kind="stable")
    chosen = np.zeros(chances.size, np.bool_)
    chosen[frontier[order[:_TRIED]]] = True
    return mask_of(chosen)


def _rest(system: System, known: Known) -> System:
    """Return what is said about the cells that are not known, as if those that are were open."""
    shape = system.board.shape
    states = system.board.states.copy()
    states[array_of(known.mines, *shape)] = State.MINE
    states[array_of(known.safe, *shape)] = State.WRONG_FLAG
    return System.of(Board(states, system.board.mines))


def _risks(left: int, chances: Chances) -> Risks:
    indices = list(bits(left))
    return dict(zip(indices, chances.ravel()[indices].tolist(), strict=True))
