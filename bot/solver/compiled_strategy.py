"""What the compiled strategies prove and guess, by the kernel.

The stages are the same, but what is certain comes first, and then why. The kernel applies the counting rules,
and then counts all solutions. Only where that proves a cell safe is there anything for the stages between,
and only for the cells that it proves. On a frontier that is too wide to be counted, hypotheses are made of
the safest cells.

A guess is chosen by a policy; what speaks for it, and which other cells were near, is told with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from math import exp

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, State
from bot.rules import neighbour_sum
from bot.solver.conflict import contradiction
from bot.solver.constraints import System, array_of, bits, mask_of
from bot.solver.counting import Known, contradict
from bot.solver.decision import ALTERNATIVES, Judgement, Reason
from bot.solver.engine import Engine, engine_for
from bot.solver.engine import Risks as Chances
from bot.solver.guess import Choice, Policy, Thinking
from bot.solver.kernel.endgame import wins_after
from bot.solver.kernel.guess import NEVER, PATIENCE, begin, teaches, unavoidable, worth
from bot.solver.kernel.layout import MINE, SAFE
from bot.solver.ladder import Risks, StageResult

_TRIED = 1500  # cells that are supposed to be mines where the kernel cannot count; tenths of a second at most
_TAUGHT = 12  # cells of least risk that are looked at for one that teaches something
_NODES = 2000  # of the endgame's tree, for the cells that were not chosen
_SHARE = 0.1  # of the look-ahead's patience, for the same
Values = dict[int, float | None]  # how good cells are, row by row; None where that is not known


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


@dataclass(frozen=True, slots=True)
class _Question:
    """A position that ``engine`` has analysed; ``cells`` are those that may be opened, the safest first."""

    engine: Engine
    policy: Policy
    cells: Sequence[int]
    risks: npt.NDArray[np.float64]  # of all cells of the board


def guessed(
    board: Board,
    cells: Sequence[int],
    policy: Policy,
    *,
    first: Cell | None = None,
    thinking: Thinking | None = None,
) -> Choice:
    """Return which of ``cells`` to guess, none of which is proven.

    To be called where the engine for boards of this size analysed ``board`` last. The policy chooses among
    all unknown cells. If its choice is none of ``cells``, as under a flag, they are judged as it judges.
    ``first`` is the first cell of a game under winmine's rule.
    """
    engine = engine_for(*board.shape)
    chances = engine.weighed(board, first)
    question = _Question(engine, policy, _ordered(engine, cells, chances.ravel()), chances.ravel())
    wish = _wish(question, first)
    if engine.endgame is not None:
        won, solutions = engine.endgame
        values = _wins(question, wish, won)
        chosen = _pick(wish, values)
        best = values[chosen]
        chance = None if best is None else best / solutions
        return Choice(chosen, Judgement.ENDGAME, _scores(chosen, values), chances, chance)
    if _costs_nothing(question, wish):
        return Choice(wish, Judgement.FIFTY_FIFTY, _unscored(question, wish), chances)
    others = Values(dict.fromkeys(question.cells[:ALTERNATIVES]))
    if engine.searched and wish in question.cells:
        return Choice(wish, Judgement.SEARCH, _scores(wish, others | {wish: None}), chances)
    if thinking is not None:
        from bot.solver.deep import think  # compiles more than other strategies need

        if thought := think(board, thinking, policy, first, frozenset(question.cells)):
            judgement = Judgement.THOUGHT if thought.games else Judgement.SEARCH
            return Choice(thought.cell, judgement, _scores(thought.cell, others | thought.chances), chances)
    if policy.near > 0 and engine.exact:
        values = _worths(question, wish)
        chosen = _pick(wish, values)
        return Choice(chosen, Judgement.LOOK_AHEAD, _scores(chosen, values), chances)
    chosen = wish if wish in question.cells else _safest_that_teaches(question)
    return Choice(chosen, Judgement.LEAST_RISK, _unscored(question, chosen), chances)


def _ordered(engine: Engine, cells: Sequence[int], risks: npt.NDArray[np.float64]) -> list[int]:
    """Return the cells in the order in which the kernel ranks them."""
    chosen = np.array(cells)
    order = np.lexsort((engine.position.left[chosen], risks[chosen]))
    ordered: list[int] = chosen[order].tolist()
    return ordered


def _wish(question: _Question, first: Cell | None) -> int:
    """Return what the policy chooses among all unknown cells, row by row."""
    cell = question.engine.guess(question.policy, first)
    return cell.row * question.engine.workspace.topology.cols + cell.col


def _pick(wish: int, values: Values) -> int:
    """Return the cell to open: the wish if it may be opened, else the one of the greatest value."""
    return wish if wish in values else max(values, key=lambda cell: values[cell] or 0.0)


def _costs_nothing(question: _Question, wish: int) -> bool:
    """Return whether the policy chose a fifty-fifty that cannot be avoided."""
    engine = question.engine
    looks = question.policy.near > 0 and engine.exact and wish in question.cells
    return looks and bool(unavoidable(engine.workspace, engine.position, wish))


def _wins(question: _Question, wish: int, won: int) -> Values:
    """Return in how many of the listed solutions the game can be won after each cell; None if unknown."""
    if wish in question.cells:
        cells, values = question.cells[:ALTERNATIVES], Values({wish: won})
    else:
        cells, values = question.cells, Values()
    endgame = question.engine.workspace.endgame
    endgame.nodes = max(0, endgame.budget - _NODES)
    return values | {cell: _wins_after(question.engine, cell) for cell in cells if cell != wish}


def _wins_after(engine: Engine, cell: int) -> float | None:
    end = engine.workspace.endgame
    won = wins_after(end, int(end.number[cell]), engine.position.unknowns)
    return None if won < 0 else won


def _worths(question: _Question, wish: int) -> Values:
    """Return what the look-ahead thinks of the cells that are good enough, as far as its patience goes."""
    workspace = question.engine.workspace
    begin(workspace)
    wished = [wish] if wish in question.cells else []
    near = (cell for cell in _near(question) if cell != wish)
    values, spent = Values(), 0
    for cell in islice(chain(wished, near), ALTERNATIVES):
        values[cell] = None
        if spent <= _SHARE * PATIENCE:
            value = worth(workspace, question.engine.position, cell, question.policy.best_share)
            spent = workspace.supposed_buffers.spent + workspace.next_buffers.spent
            values[cell] = exp(value) if value > NEVER and spent <= PATIENCE else None
    return values


def _near(question: _Question) -> list[int]:
    """Return the cells that the look-ahead considers.

    They are nearly as safe as the safest, few of them without an opened neighbour.
    """
    policy, engine, cells = question.policy, question.engine, np.array(question.cells)
    opened = engine.position.shown.reshape(engine.workspace.topology.rows, -1) >= 0
    outside, safe = neighbour_sum(opened).ravel()[cells] == 0, 1.0 - question.risks[cells]
    good = (safe >= policy.near * safe[0]) & ~(outside & (outside.cumsum() > policy.outside))
    near: list[int] = cells[good].tolist()
    return near


def _safest_that_teaches(question: _Question) -> int:
    workspace, position = question.engine.workspace, question.engine.position
    begin(workspace)
    for cell in question.cells[:_TAUGHT]:
        if teaches(workspace.topology, position, workspace.supposed, workspace.supposed_buffers, cell):
            return cell
    return question.cells[0]


def _unscored(question: _Question, chosen: int) -> dict[int, float | None]:
    """Return the chosen cell, then the safest of the others, without a score."""
    return dict.fromkeys(list(dict.fromkeys([chosen, *question.cells]))[:ALTERNATIVES])


def _scores(chosen: int, values: Mapping[int, float | None]) -> dict[int, float | None]:
    """Return the values relative to that of the chosen cell: that one first, then the best, then unknown."""
    best = values[chosen]
    scores = {cell: value / best if value and best else None for cell, value in values.items()}
    ranked = sorted(scores, key=lambda cell: (cell != chosen, -(scores[cell] or 0.0)))
    return {cell: scores[cell] for cell in ranked[:ALTERNATIVES]}
