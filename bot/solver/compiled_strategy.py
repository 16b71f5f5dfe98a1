"""Proofs and guesses of the compiled strategies, which use the kernel.

The stages are those of `run_stages` in another order. The kernel applies the counting rules, then counts
all solutions, which finds every proof. The stage of contradictions then looks for simpler proofs, but only
for the proven cells. If the frontier is too wide to count, it makes assumptions about the safest cells.

A policy chooses the guess. The result also says how the cell was chosen and lists other good cells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from math import exp

import numpy as np
import numpy.typing as npt

from bot.board import Cell
from bot.counting_rules import neighbour_sum
from bot.solver.analysis import Analysis, PolicyGuess, Risks, analyse, guess_policy, may_fit
from bot.solver.conflict import contradiction
from bot.solver.constraints import System, bits, mask_of, mask_with
from bot.solver.counting import Known, contradict
from bot.solver.decision import ALTERNATIVES, Judgement, Reason
from bot.solver.deep import think
from bot.solver.guess import Choice, Policy, safest_first
from bot.solver.kernel.endgame import wins_after
from bot.solver.kernel.guess import unavoidable
from bot.solver.kernel.judgement import corrected
from bot.solver.kernel.layout import MINE, MINED, SAFE, Workspace
from bot.solver.kernel.look_ahead import COST_LIMIT, NEVER, begin, gives_information, worth
from bot.solver.stages import StageResult
from bot.stop import Stop

_TRIED = 1500  # the most cells to make assumptions about if the kernel cannot count; tenths of a second
_TAUGHT = 12  # cells of least risk that are searched for one that teaches something
_NODES = 2000  # nodes of the endgame's tree that may be spent on cells that were not chosen
_SHARE = 0.1  # the same for the look-ahead, as a share of its `COST_LIMIT`
Values = dict[int, float | None]  # a value for each cell (row by row), greater is better; None if unknown


def prove(system: System, first: Cell | None) -> StageResult:
    """Return what the stages of the strategy "exact" prove, as `stages.run_stages` does, but use the kernel.

    The result has the kernel's analysis. ``first`` is as in `Analysis`. Raises ContradictionError if no
    placement of mines fits.
    """
    analysis = analyse(system.board, first)
    mines, safe = (system.unknown & mask_of(analysis.position.shown == what) for what in (MINE, SAFE))
    left, total = system.unknown & ~(mines | safe), system.board.mines
    if total is not None and total == (system.shown_mines | mines).bit_count():
        safe, left = safe | left, 0
    elif total is not None and total == (system.shown_mines | mines | left).bit_count():
        mines, left = mines | left, 0
    if safe & system.playable:
        return StageResult(Known(mines, safe), dict.fromkeys(bits(safe), Reason.COUNTING), analysis=analysis)
    return _prove_further(system, analysis, Known(mines, safe), left)


def _prove_further(system: System, analysis: Analysis, counted: Known, left: int) -> StageResult:
    """Return what contradictions and the analysis prove about the cells that are ``left`` after counting."""
    result = StageResult(Known(), analysis=analysis).extended(counted, Reason.COUNTING)
    certain = Known(left & mask_of(analysis.risks == 1.0), left & mask_of(analysis.risks == 0.0))
    proves = bool(certain.safe & system.playable)
    known = counted
    if proves or not analysis.exact:
        among = certain.settled if proves else _safest(mask_with(system.touching) & left, analysis.risks)
        known = contradict(system, counted, among)
        if known.clash:  # the kernel's estimates can miss a contradiction
            raise contradiction(system, may_fit)
        result = result.extended(known, Reason.CONTRADICTION)
        if known.safe & system.playable:
            return result
    known = known.extended(certain.mines, certain.safe)
    indices = list(bits(left))
    risks = dict(zip(indices, analysis.risks.ravel()[indices].tolist(), strict=True))
    return replace(result.extended(known, Reason.PROBABILITY), risks=risks, exact=analysis.exact)


def _safest(cells: int, chances: Risks) -> int:
    """Return the mask of the `_TRIED` of ``cells`` that are most likely safe."""
    risks = chances.ravel().tolist()
    return mask_with(sorted(bits(cells), key=risks.__getitem__)[:_TRIED])


def choose_guess(
    result: StageResult,
    cells: Sequence[int],
    policy: Policy,
    stop: Stop,
) -> Choice:
    """Return which of ``cells``, none of which may be proven, to guess.

    ``result`` is what `prove` returned. The policy chooses from all unknown cells. If its choice is not in
    ``cells``, for example a flagged cell, each of ``cells`` is rated in the policy's way. ``stop`` ends
    play-outs, with the best cell so far.
    """
    analysis = result.analysis
    assert analysis is not None, "`prove` of this module made the result"
    ranked = safest_first(cells, analysis.risks.ravel().tolist(), analysis.position.left.tolist())
    wish = analysis.guess(policy)
    if wish.wins is not None:
        values = _wins(analysis, ranked, wish)
        chosen = _pick(wish.cell, values)
        best = values[chosen]
        chance = None if best is None else best / wish.solutions
        return Choice(chosen, Judgement.ENDGAME, _scores(chosen, values), chance)
    looks_ahead, unscored = policy.near > 0 and analysis.exact, Values(dict.fromkeys(ranked))
    if looks_ahead and wish.cell in ranked and unavoidable(analysis.workspace, wish.cell):
        return Choice(wish.cell, Judgement.FIFTY_FIFTY, _scores(wish.cell, unscored))
    if policy.price > 0 and (thought := think(analysis, policy, frozenset(cells), stop)):
        return Choice(thought.cell, Judgement.THOUGHT, _scores(thought.cell, unscored | thought.chances))
    if looks_ahead:
        values = _worths(analysis, policy, ranked, wish.cell)
        chosen = _pick(wish.cell, values)
        return Choice(chosen, Judgement.LOOK_AHEAD, _scores(chosen, values))
    chosen = wish.cell if wish.cell in ranked else _safest_that_teaches(analysis.workspace, ranked)
    return Choice(chosen, Judgement.LEAST_RISK, _scores(chosen, unscored))


def _pick(wish: int, values: Values) -> int:
    """Return the cell to guess: ``wish`` if it is in ``values``, else the cell with the greatest value."""
    return wish if wish in values else max(values, key=lambda cell: values[cell] or 0.0)


def _wins(analysis: Analysis, ranked: Sequence[int], wish: PolicyGuess) -> Values:
    """Return in how many of the endgame's solutions the game can be won with each cell; None if unknown."""
    if wish.cell in ranked:
        cells, values = ranked[:ALTERNATIVES], Values({wish.cell: wish.wins})
    else:
        cells, values = ranked, Values()
    end = analysis.workspace.endgame
    end.nodes = max(0, end.budget - _NODES)
    for cell in (cell for cell in cells if cell != wish.cell):
        won = wins_after(end, int(end.number[cell]), MINED - 1)
        values[cell] = None if won < 0 else won
    return values


def _worths(analysis: Analysis, policy: Policy, ranked: Sequence[int], wish: int) -> Values:
    """Return the look-ahead's values of the cells it considers; None for cells that it has no time for."""
    workspace, how, spent, worths = analysis.workspace, guess_policy(policy), 0, Values()
    begin(workspace)
    near = (cell for cell in _nearly_safest(analysis, policy, np.array(ranked)) if cell != wish)
    listed = ALTERNATIVES + (wish not in ranked)
    for cell in islice(chain([wish], near), listed):
        worths[cell] = None
        if spent <= _SHARE * COST_LIMIT:
            value = worth(workspace, cell, how, NEVER)
            spent = workspace.supposed_buffers.spent + workspace.next_buffers.spent
            worths[cell] = value if value > NEVER and spent <= COST_LIMIT else None
    highest = max((value for value in worths.values() if value is not None), default=0.0)
    return {
        cell: None if value is None else exp(corrected(workspace, how, cell, value, highest))
        for cell, value in worths.items()
        if cell != wish or wish in ranked
    }


def _nearly_safest(analysis: Analysis, policy: Policy, cells: npt.NDArray[np.int_]) -> list[int]:
    """Return the cells that the look-ahead considers, by the limits ``near`` and ``outside`` of the policy.

    They are nearly as safe as the safest cell, and only a few of them have no opened neighbour.
    """
    opened = analysis.position.shown.reshape(analysis.board.shape) >= 0
    outside, safe = neighbour_sum(opened).ravel()[cells] == 0, 1.0 - analysis.risks.ravel()[cells]
    good = (safe >= policy.near * safe[0]) & ~(outside & (outside.cumsum() > policy.outside))
    near: list[int] = cells[good].tolist()
    return near


def _safest_that_teaches(workspace: Workspace, ranked: Sequence[int]) -> int:
    begin(workspace)
    for cell in ranked[:_TAUGHT]:
        if gives_information(workspace, cell):
            return cell
    return ranked[0]


def _scores(chosen: int, values: Mapping[int, float | None]) -> dict[int, float | None]:
    """Return the values divided by that of ``chosen``: the chosen cell first, then the best, then unknown."""
    best = values[chosen]
    scores = {cell: value / best if value and best else None for cell, value in values.items()}
    ranked = sorted(scores, key=lambda cell: (cell != chosen, -(scores[cell] or 0.0)))
    return {cell: scores[cell] for cell in ranked[:ALTERNATIVES]}
