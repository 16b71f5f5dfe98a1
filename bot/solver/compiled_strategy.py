"""Proofs and guesses of the compiled strategies, which use the kernel.

The stages are those of `run_stages` in another order. The kernel applies the counting rules, then counts
all solutions, which finds every proof. The stage of contradictions then looks for simpler proofs, but only
for the proven cells. If the frontier is too wide to count, it makes assumptions about the safest cells.

A policy chooses the guess. The result also says how the cell was chosen and lists other good cells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from math import exp

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, State
from bot.counting_rules import neighbour_sum
from bot.solver.conflict import contradiction
from bot.solver.constraints import System, array_of, bits, mask_of
from bot.solver.counting import Known, contradict
from bot.solver.decision import ALTERNATIVES, Judgement, Reason
from bot.solver.engine import Engine, engine_for
from bot.solver.engine import Risks as Chances
from bot.solver.guess import Choice, Policy, Thinking
from bot.solver.kernel.endgame import wins_after
from bot.solver.kernel.guess import COST_LIMIT, NEVER, begin, gives_information, unavoidable, worth
from bot.solver.kernel.layout import MINE, SAFE
from bot.solver.stages import Risks, StageResult

_TRIED = 1500  # the most cells to make assumptions about if the kernel cannot count; tenths of a second
_TAUGHT = 12  # cells of least risk that are searched for one that teaches something
_NODES = 2000  # nodes of the endgame's tree that may be spent on cells that were not chosen
_SHARE = 0.1  # the same for the look-ahead, as a share of its `COST_LIMIT`
Values = dict[int, float | None]  # a value for each cell (row by row), greater is better; None if unknown


def run_compiled_stages(system: System) -> StageResult:
    """Return what the stages of the strategy "exact" prove, as `stages.run_stages` does, but use the kernel.

    After the call, the engine for boards of this size holds the position. Raises ContradictionError if no
    placement of mines fits.
    """
    engine = engine_for(*system.board.shape)
    found = {Reason.COUNTING: _count(engine, system)}
    counted = found[Reason.COUNTING]
    try:
        engine.analyse_counted()  # this comes first because a contradictory board proves nothing
    except ValueError:
        raise contradiction(system, engine.fits) from None
    if counted.safe & system.playable:
        return _finding(found, None)
    left, chances = system.unknown & ~counted.settled, engine.current_risks(system.board)
    exact, certain = engine.exact, _certain(left, chances)
    proves = bool(certain.safe & system.playable)
    if proves or not exact:
        rest = _rest(system, counted)
        among = certain.settled if proves else _safest(rest, chances)
        contradicted = found[Reason.CONTRADICTION] = contradict(rest, Known(), among)
        if contradicted.clash:  # the kernel's estimates can miss a contradiction
            raise contradiction(system, engine.fits)
        if contradicted.safe & system.playable:
            return _finding(found, None)
    found[Reason.PROBABILITY] = certain
    return _finding(found, _risks(left, chances), exact)


def _finding(stages: Mapping[Reason, Known], risks: Risks | None, exact: bool = True) -> StageResult:
    """Return what ``stages`` proved together; the reason for a cell is the first stage that proved it."""
    known, reasons = Known(), dict[int, Reason]()
    for reason, found in stages.items():
        reasons |= dict.fromkeys(bits(found.safe & ~known.safe), reason)
        known = Known(known.mines | found.mines, known.safe | found.safe)
    return StageResult(known, reasons, risks, exact)


def _count(engine: Engine, system: System) -> Known:
    """Return what the counting rules and the mine total prove; raise ContradictionError for a clash."""
    shown = engine.apply_counting_rules(system.board)
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
    """Return the mask of the `_TRIED` frontier cells of ``rest`` that are most likely safe."""
    frontier = np.array(sorted(rest.touching))
    order = np.argsort(chances.ravel()[frontier], kind="stable")
    chosen = np.zeros(chances.size, np.bool_)
    chosen[frontier[order[:_TRIED]]] = True
    return mask_of(chosen)


def _rest(system: System, known: Known) -> System:
    """Return the system in which all cells of ``known`` are opened or shown as mines."""
    shape = system.board.shape
    states = system.board.states.copy()
    states[array_of(known.mines, *shape)] = State.MINE
    states[array_of(known.safe, *shape)] = State.WRONG_FLAG
    return System.of(Board(states, system.board.mines))


def _risks(left: int, chances: Chances) -> Risks:
    indices = list(bits(left))
    return dict(zip(indices, chances.ravel()[indices].tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class _AnalysedPosition:
    """A position that ``engine`` has analysed; ``cells`` are the cells that may be guessed, safest first."""

    engine: Engine
    policy: Policy
    cells: Sequence[int]
    risks: npt.NDArray[np.float64]  # of all cells of the board


def choose_guess(
    board: Board,
    cells: Sequence[int],
    policy: Policy,
    *,
    first: Cell | None = None,
    thinking: Thinking | None = None,
) -> Choice:
    """Return which of ``cells``, none of which may be proven, to guess.

    The engine for boards of this size must have analysed ``board`` last. The policy chooses from all unknown
    cells. If its choice is not in ``cells``, for example a flagged cell, each of ``cells`` is rated in the
    policy's way. ``first`` is the first cell opened in a game with winmine's rule, else None.
    """
    engine = engine_for(*board.shape)
    chances = engine.risks_by_winmine(board, first)
    question = _AnalysedPosition(engine, policy, _ordered(engine, cells, chances.ravel()), chances.ravel())
    wish = _policy_choice(question, first)
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
    """Return ``cells`` in the kernel's order: by risk, then by the number of unsettled neighbours."""
    chosen = np.array(cells)
    order = np.lexsort((engine.position.left[chosen], risks[chosen]))
    ordered: list[int] = chosen[order].tolist()
    return ordered


def _policy_choice(question: _AnalysedPosition, first: Cell | None) -> int:
    """Return the policy's choice from all unknown cells, numbered row by row."""
    cell = question.engine.guess(question.policy, first)
    return cell.row * question.engine.workspace.topology.cols + cell.col


def _pick(wish: int, values: Values) -> int:
    """Return the cell to guess: ``wish`` if it is in ``values``, else the cell with the greatest value."""
    return wish if wish in values else max(values, key=lambda cell: values[cell] or 0.0)


def _costs_nothing(question: _AnalysedPosition, wish: int) -> bool:
    """Return whether ``wish``, the policy's choice, is in a fifty-fifty that cannot be avoided."""
    engine = question.engine
    looks = question.policy.near > 0 and engine.exact and wish in question.cells
    return looks and bool(unavoidable(engine.workspace, engine.position, wish))


def _wins(question: _AnalysedPosition, wish: int, won: int) -> Values:
    """Return in how many of the endgame's solutions the game can be won with each cell; None if unknown."""
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


def _worths(question: _AnalysedPosition, wish: int) -> Values:
    """Return the look-ahead's values of the cells it considers; None for cells that it has no time for."""
    workspace = question.engine.workspace
    begin(workspace)
    wished = [wish] if wish in question.cells else []
    near = (cell for cell in _near(question) if cell != wish)
    values, spent = Values(), 0
    for cell in islice(chain(wished, near), ALTERNATIVES):
        values[cell] = None
        if spent <= _SHARE * COST_LIMIT:
            value = worth(workspace, question.engine.position, cell, question.policy.best_share)
            spent = workspace.supposed_buffers.spent + workspace.next_buffers.spent
            values[cell] = exp(value) if value > NEVER and spent <= COST_LIMIT else None
    return values


def _near(question: _AnalysedPosition) -> list[int]:
    """Return the cells that the look-ahead considers, by the limits ``near`` and ``outside`` of the policy.

    They are nearly as safe as the safest cell, and only a few of them have no opened neighbour.
    """
    policy, engine, cells = question.policy, question.engine, np.array(question.cells)
    opened = engine.position.shown.reshape(engine.workspace.topology.rows, -1) >= 0
    outside, safe = neighbour_sum(opened).ravel()[cells] == 0, 1.0 - question.risks[cells]
    good = (safe >= policy.near * safe[0]) & ~(outside & (outside.cumsum() > policy.outside))
    near: list[int] = cells[good].tolist()
    return near


def _safest_that_teaches(question: _AnalysedPosition) -> int:
    workspace, position = question.engine.workspace, question.engine.position
    begin(workspace)
    for cell in question.cells[:_TAUGHT]:
        if gives_information(
            workspace.topology, position, workspace.supposed, workspace.supposed_buffers, cell
        ):
            return cell
    return question.cells[0]


def _unscored(question: _AnalysedPosition, chosen: int) -> dict[int, float | None]:
    """Return ``chosen``, then the safest other cells, all with None as their score."""
    return dict.fromkeys(list(dict.fromkeys([chosen, *question.cells]))[:ALTERNATIVES])


def _scores(chosen: int, values: Mapping[int, float | None]) -> dict[int, float | None]:
    """Return the values divided by that of ``chosen``: the chosen cell first, then the best, then unknown."""
    best = values[chosen]
    scores = {cell: value / best if value and best else None for cell, value in values.items()}
    ranked = sorted(scores, key=lambda cell: (cell != chosen, -(scores[cell] or 0.0)))
    return {cell: scores[cell] for cell in ranked[:ALTERNATIVES]}
