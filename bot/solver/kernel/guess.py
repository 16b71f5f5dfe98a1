"""Choosing what to open when nothing is proven."""

from __future__ import annotations

from math import exp, log, log1p

from bot.solver.kernel.analysis import analyse, is_exact, log_solutions
from bot.solver.kernel.combine import NOTHING_FITS
from bot.solver.kernel.compiled import compiled, inlined
from bot.solver.kernel.endgame import best_of_few, best_of_some
from bot.solver.kernel.fifty import unavoidable_guess
from bot.solver.kernel.layout import (
    BEST_SHARE,
    COST,
    ENDGAME,
    MINES_LEFT,
    NEAR,
    SAFES,
    SEARCH,
    SPENT,
    TOTAL_KNOWN,
    UNKNOWN,
    UNKNOWNS,
    Floats,
    Mind,
    Position,
    Topology,
    Work,
)
from bot.solver.kernel.outside import mixes
from bot.solver.kernel.ranking import considered, rank
from bot.solver.kernel.rules import copy, settle, show

NEVER = -1e300  # the logarithm of no solutions
_TRIED = 12  # cells of least risk that are looked at for one that teaches something
_ROUNDING = 1e-9

# What a guess is worth, relative to the others: fitted to the chance to win after 121,000 guesses, each from
# 12 games that were played out. It counts how safe the guess is (logarithm), and the mean, over the numbers
# it can show, of how safe the three safest cells are then, and two moves, and how many are proven safe.
_SAFETY = 0.855
_SAFEST, _SAFEST_SQUARED, _SECOND, _THIRD = -1.838, 1.139, 0.286, 0.137
_TWO_MOVES, _PROGRESS, _SAFE_CELLS, _EACH_SAFE_CELL = 0.495, -0.049, 0.042, -0.003
_WON = _SAFEST + _SAFEST_SQUARED + _SECOND + _THIRD + _TWO_MOVES + _PROGRESS
_MOST = _WON + 0.072  # no prospect is worth more: 13 safe cells are best
PATIENCE = 12_000_000  # what all that is supposed for one guess may take, see `analyse`: 0.25 seconds
_THIRD_MOVE = 500  # positions that are supposed for a look at it, about


@compiled
def suppose(
    topology: Topology, position: Position, inner: Position, work: Work, cell: int, number: int
) -> float:
    """Analyse the position in which ``cell`` is open and shows ``number``, in ``inner`` and ``work``.

    Return the natural logarithm of the number of its solutions, NEVER if there is none, and once
    the guess at hand has taken too long.
    """
    if work.size[SPENT] > PATIENCE:
        return NEVER
    copy(position, inner)
    if not settle(topology, inner, work, show(topology, inner, work, cell, number, 0)):
        return NEVER
    found = analyse(topology, inner, work)
    work.size[SPENT] += work.size[COST]
    return NEVER if found == NOTHING_FITS else log_solutions(work)


@inlined
def teaches(topology: Topology, position: Position, inner: Position, work: Work, cell: int) -> bool:
    """Return whether a cell, if it is safe, may show more than one number."""
    least = int(position.mines[cell])
    found = 0
    for number in range(least, least + position.left[cell] + 1):
        found += suppose(topology, position, inner, work, cell, number) != NEVER
        if found > 1:
            return True
    return False


@inlined
def least_risk(mind: Mind, position: Position) -> int:
    """Return the cell of least risk that teaches something; the one of least risk if none does."""
    count = rank(position, mind.work.risk, _TRIED, mind.order)
    for place in range(count):
        cell = mind.order[place]
        if mixes(mind.topology, position, mind.work, cell):
            return cell
        if teaches(mind.topology, position, mind.inner, mind.other, cell):
            return cell
    return mind.order[0]


@inlined
def _safety(position: Position, work: Work, share: float) -> float:
    """Return how safe the next move is: its best cell by ``share``, its second by the rest."""
    if position.tally[SAFES] > 1 or position.tally[UNKNOWNS] == 0:
        return 1.0
    best, second = 0.0, 0.0
    if position.tally[SAFES]:
        best = 1.0
    for cell in range(len(position.shown)):
        if position.shown[cell] == UNKNOWN:
            safe = 1.0 - work.risk[cell]
            if safe > best:
                best, second = safe, best
            elif safe > second:
                second = safe
    return share * best + (1.0 - share) * second


@inlined
def _added(total: float, value: float, top: float, ways: float, worth: float) -> tuple[float, float, float]:
    """Return the weight and the weighted worth of some numbers that a cell may show, with one more.

    ``ways`` is the logarithm of its solutions. Weights stand relative to the largest of them, e^``top``.
    """
    if ways > top:
        shrink = exp(top - ways)
        total, value, top = total * shrink, value * shrink, ways
    weight = exp(ways - top)
    return total + weight, value + weight * worth, top


@compiled
def _next_safety(
    topology: Topology, position: Position, inner: Position, work: Work, cell: int, share: float
) -> float:
    """Return the mean safety of the next move if ``cell`` is safe; 0 if it teaches nothing."""
    least = int(position.mines[cell])
    total, value, found, top = 0.0, 0.0, 0, NEVER
    for number in range(least, least + position.left[cell] + 1):
        ways = suppose(topology, position, inner, work, cell, number)
        if ways == NEVER:
            continue
        found += 1
        total, value, top = _added(total, value, top, ways, _safety(inner, work, share))
    return value / total if found > 1 else 0.0


@inlined
def begin(mind: Mind) -> None:
    """Start to count how much is supposed for a guess."""
    mind.other.size[SPENT] = 0
    mind.under.size[SPENT] = 0


@inlined
def _exhausted(mind: Mind) -> bool:
    """Return whether what was supposed for this guess took so long that it has to come to an end."""
    return mind.other.size[SPENT] + mind.under.size[SPENT] > PATIENCE


@inlined
def _two_moves(mind: Mind, share: float, first: float, second: float) -> float:
    """Return how safe the best next two moves are in ``mind.inner``, analysed in ``mind.other``.

    Its safest two cells decide on positions so large that there is no time for more.
    """
    if mind.work.size[COST] * _THIRD_MOVE > PATIENCE:
        return first * second
    count = rank(mind.inner, mind.other.risk, len(mind.next_order), mind.next_order)
    best = 0.0
    for place in range(count):
        cell = mind.next_order[place]
        safe = 1.0 - mind.other.risk[cell]
        if safe <= best:
            break
        best = max(best, safe * _next_safety(mind.topology, mind.inner, mind.below, mind.under, cell, share))
    return best


@inlined
def _prospect(mind: Mind, share: float) -> float:
    """Return what ``mind.inner``, analysed in ``mind.other``, is worth; the weights are explained above."""
    position, risk = mind.inner, mind.other.risk
    safes = position.tally[SAFES]
    first, second, third = 0.0, 0.0, 0.0
    for cell in range(len(position.shown)):
        if position.shown[cell] == UNKNOWN:
            safe = 1.0 - risk[cell]
            safes += risk[cell] == 0.0
            if safe > first:
                first, second, third = safe, first, second
            elif safe > second:
                second, third = safe, second
            elif safe > third:
                third = safe
    for _ in range(min(3, position.tally[SAFES])):
        first, second, third = 1.0, first, second
    if position.tally[UNKNOWNS] == position.tally[MINES_LEFT] and position.tally[TOTAL_KNOWN]:
        return _WON
    value = first * (_SAFEST + _SAFEST_SQUARED * first) + _SECOND * second + _THIRD * third
    if safes:
        return value + _TWO_MOVES + _PROGRESS + _SAFE_CELLS * log1p(safes) + _EACH_SAFE_CELL * safes
    return value + _TWO_MOVES * _two_moves(mind, share, first, second)


@compiled
def worth(mind: Mind, position: Position, cell: int, share: float) -> float:
    """Return how good it is to guess a cell, on the scale of the logarithm of the chance to win.

    Only differences between cells of one position mean anything. NEVER if the cell teaches nothing.
    """
    if mind.work.risk[cell] == 1.0:
        return NEVER
    least = int(position.mines[cell])
    total, value, found, top = 0.0, 0.0, 0, NEVER
    for number in range(least, least + position.left[cell] + 1):
        ways = suppose(mind.topology, position, mind.inner, mind.other, cell, number)
        if ways == NEVER:
            continue
        found += 1
        total, value, top = _added(total, value, top, ways, _prospect(mind, share))
    return _SAFETY * log(1.0 - mind.work.risk[cell]) + value / total if found > 1 else NEVER


@inlined
def look_ahead(mind: Mind, position: Position, policy: Floats) -> int:
    """Return the cell that is likely to win the game, by its safety and that of the moves after it."""
    work, order = mind.work, mind.order
    count = considered(mind, position, policy)
    best, chosen = NEVER, order[0]
    for place in range(count):
        cell = order[place]
        safe = 1.0 - work.risk[cell]
        if safe <= 0.0 or _SAFETY * log(safe) + _MOST <= best:
            break
        value = worth(mind, position, cell, policy[BEST_SHARE])
        if _exhausted(mind):
            break
        if value > best:
            best, chosen = value, cell
    return chosen


@inlined
def _at_most(mind: Mind, most: float) -> bool:
    return most >= 1.0 and log_solutions(mind.work) <= log(most) + _ROUNDING


@inlined
def are_few(mind: Mind, policy: Floats) -> bool:
    """Return whether the position that was analysed last is to be played out exactly."""
    return _at_most(mind, policy[ENDGAME])


@inlined
def _looks_ahead(mind: Mind, policy: Floats) -> bool:
    return policy[NEAR] > 0.0 and is_exact(mind.work)


@inlined
def _at_once(mind: Mind, position: Position, policy: Floats) -> int:
    """Return the fifty-fifty to open at once, -1 if there is none; begins the guess at hand."""
    begin(mind)
    return unavoidable_guess(mind, position) if _looks_ahead(mind, policy) else -1


@compiled
def _judged(mind: Mind, position: Position, policy: Floats) -> int:
    """Return what `judge` does where nothing is to be opened at once."""
    if _looks_ahead(mind, policy):
        return look_ahead(mind, position, policy)
    return least_risk(mind, position)


@compiled
def judge(mind: Mind, position: Position, policy: Floats) -> int:
    """Return the cell to guess by its risk in ``mind.work``, and by the next moves if the policy says so."""
    cell = _at_once(mind, position, policy)
    return cell if cell >= 0 else _judged(mind, position, policy)


@compiled
def choose(mind: Mind, position: Position, policy: Floats) -> int:
    """Return the cell to guess on the position that was analysed last in ``mind.work``."""
    if are_few(mind, policy):
        cell = best_of_few(mind.topology, position, mind.work, mind.end)
        if cell >= 0:
            return cell
        return judge(mind, position, policy)
    cell = _at_once(mind, position, policy)
    if cell < 0 and _at_most(mind, policy[SEARCH]):
        cell = best_of_some(mind.topology, position, mind.work, mind.end)
    return cell if cell >= 0 else _judged(mind, position, policy)
