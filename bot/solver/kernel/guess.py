"""Choosing the cell to open when nothing is proven.

**Unavoidable fifty-fifties.** If one of two neighbouring cells is a mine, only a safe cell that touches just
one of them can show which. If all such cells are mines, every number on the board stays the same when the
mine moves to the other of the two: sooner or later one of them must be guessed. The same is true for the two
diagonals of a square of four cells.

If a cell is in such a fifty-fifty in every solution in which it is a mine, opening it now costs nothing. Half
of the games with the fifty-fifty are lost anyway; in all others the cell is safe and its number comes early.

This assumes that all solutions are equally likely. Under winmine's first-click rule the two sides of a
fifty-fifty near the top left may have different chances, so that there it is only a rule of thumb.
"""

from __future__ import annotations

from math import exp, log, log1p

from bot.solver.kernel.analysis import EXACT, NOTHING_FITS, analyse, is_exact, log_solutions, suppose_mine
from bot.solver.kernel.build.functions import Floats, Small, compiled, helper
from bot.solver.kernel.endgame import best_of_few, best_of_some
from bot.solver.kernel.layout import (
    MINE,
    SAFE,
    SMALL_BOARD,
    TRIED_NEXT,
    UNKNOWN,
    CountingBuffers,
    GuessPolicy,
    GuessWeights,
    Position,
    Workspace,
    copy,
    settle,
    show,
)

NEVER = -1e300  # used as the logarithm of zero
_TRIED = 12  # how many of the least risky cells are searched for one that gives information
_ROUNDING = 1e-9
_FIFTY_FIFTY_COST_LIMIT = 3_000_000  # cost limit of the search for fifty-fifties, see `analyse`: 0.06 s
COST_LIMIT = 12_000_000  # cost limit of all positions analysed for one guess, see `analyse`: 0.25 seconds
_THIRD_MOVE = 500  # about how many positions are analysed to look at the move after that


@helper
def surely_gives_information(position: Position, buffers: CountingBuffers, cell: int) -> bool:
    """Return whether a quick check shows that a cell can show different numbers, if it is safe.

    It can if some unconstrained cells touch it and some do not, and if every solution has both mines and safe
    cells among the unconstrained ones. Where components are counted separately, their mines are not counted,
    and a result of True is only likely to be right.
    """
    least, most = buffers.fewest, buffers.fewest + buffers.span - 1
    near, outside = 0, position.unknowns - buffers.frontier_cells - (buffers.group_of[cell] < 0)
    for index in range(position.degree[cell]):
        other = position.near[8 * cell + index]
        near += position.shown[other] == UNKNOWN and buffers.group_of[other] < 0
    mines = position.mines_left
    mixed = most < mines < least + outside
    return mixed and 0 < near < outside and position.total_known == 1


@helper
def better(position: Position, risk: Floats, one: int, other: int) -> bool:
    """Return whether ``one`` is less risky than ``other``, or as risky and more likely to be a zero."""
    if risk[one] != risk[other]:
        return risk[one] < risk[other]
    return position.left[one] < position.left[other]


@helper
def rank(position: Position, risk: Floats, most: int, order: Small) -> int:
    """Write the least risky cells to ``order``, the best first; return how many, at most ``most``."""
    count = 0
    for cell in range(position.cells):
        if position.shown[cell] != UNKNOWN:
            continue
        if count == most and not better(position, risk, cell, order[count - 1]):
            continue
        place = count if count < most else most - 1
        while place and better(position, risk, cell, order[place - 1]):
            order[place] = order[place - 1]
            place -= 1
        order[place] = cell
        count = min(count + 1, most)
    return count


@helper
def considered(workspace: Workspace, policy: GuessPolicy) -> int:
    """Write the cells that ``policy`` considers to ``workspace.order``, the safest first.

    Return how many.
    """
    position, order, risk = workspace.position, workspace.order, workspace.buffers.risk
    count = rank(position, risk, workspace.order_length, order)
    least, found, outside = policy.near * (1.0 - risk[order[0]]), 0, 0
    for place in range(count):
        cell = order[place]
        if 1.0 - risk[cell] < least:
            break
        if workspace.buffers.group_of[cell] < 0:
            outside += 1
            if outside > policy.outside:
                continue
        order[found] = cell
        found += 1
    return found


@compiled
def suppose(position: Position, inner: Position, buffers: CountingBuffers, cell: int, number: int) -> float:
    """Analyse the position in which ``cell`` is open and shows ``number``, in ``inner`` and ``buffers``.

    Return the natural logarithm of the number of its solutions. Return NEVER if there is none, or if the cost
    limit of the guess is already exceeded.
    """
    if buffers.spent > COST_LIMIT:
        return NEVER
    copy(position, inner)
    if not settle(inner, buffers, show(inner, buffers, cell, number, 0)):
        return NEVER
    found = analyse(inner, buffers)
    buffers.spent += buffers.cost
    return NEVER if found == NOTHING_FITS else log_solutions(buffers)


@compiled
def gives_information(position: Position, inner: Position, buffers: CountingBuffers, cell: int) -> bool:
    """Return whether a cell, if it is safe, can show more than one number."""
    least = int(position.mines[cell])
    found = 0
    for number in range(least, least + position.left[cell] + 1):
        found += suppose(position, inner, buffers, cell, number) != NEVER
        if found > 1:
            return True
    return False


@helper
def least_risk(workspace: Workspace) -> int:
    """Return the least risky cell that gives information, or the least risky of all if none does."""
    position = workspace.position
    count = rank(position, workspace.buffers.risk, _TRIED, workspace.order)
    for place in range(count):
        cell = workspace.order[place]
        if surely_gives_information(position, workspace.buffers, cell):
            return cell
        if gives_information(position, workspace.supposed, workspace.supposed_buffers, cell):
            return cell
    return workspace.order[0]


@helper
def _safety(position: Position, buffers: CountingBuffers, share: float) -> float:
    """Return the safety of the next move: ``share`` of the safest cell's, and the rest of the second's."""
    if position.safes > 1 or position.unknowns == 0:
        return 1.0
    best, second = 0.0, 0.0
    if position.safes:
        best = 1.0
    for cell in range(position.cells):
        if position.shown[cell] == UNKNOWN:
            safe = 1.0 - buffers.risk[cell]
            if safe > best:
                best, second = safe, best
            elif safe > second:
                second = safe
    return share * best + (1.0 - share) * second


@helper
def _added(total: float, value: float, top: float, ways: float, worth: float) -> tuple[float, float, float]:
    """Return the sums ``total`` of weights and ``value`` of weighted worths, and ``top``, with one term more.

    ``ways`` is the logarithm of the weight that is added. Weights are relative to the largest, e^``top``.
    """
    if ways > top:
        shrink = exp(top - ways)
        total, value, top = total * shrink, value * shrink, ways
    weight = exp(ways - top)
    return total + weight, value + weight * worth, top


@helper
def _next_safety(
    position: Position, inner: Position, buffers: CountingBuffers, cell: int, share: float
) -> float:
    """Return the mean safety of the move after a safe ``cell``; 0 if that can show only one number."""
    least = int(position.mines[cell])
    total, value, found, top = 0.0, 0.0, 0, NEVER
    for number in range(least, least + position.left[cell] + 1):
        ways = suppose(position, inner, buffers, cell, number)
        if ways == NEVER:
            continue
        found += 1
        total, value, top = _added(total, value, top, ways, _safety(inner, buffers, share))
    return value / total if found > 1 else 0.0


@compiled
def begin(workspace: Workspace) -> None:
    """Set the cost of the positions analysed for a guess to 0."""
    workspace.supposed_buffers.spent = 0
    workspace.next_buffers.spent = 0


@helper
def _two_moves(workspace: Workspace, share: float, first: float, second: float) -> float:
    """Return the safety of the best next two moves in ``workspace.supposed``, which was analysed last.

    If the position is too large to look further, this is the product of ``first`` and ``second``, the safety
    of its two safest cells.
    """
    if workspace.buffers.cost * _THIRD_MOVE > COST_LIMIT:
        return first * second
    supposed, risk = workspace.supposed, workspace.supposed_buffers.risk
    count = rank(supposed, risk, TRIED_NEXT, workspace.next_order)
    best = 0.0
    for place in range(count):
        cell = workspace.next_order[place]
        safe = 1.0 - risk[cell]
        if safe <= best:
            break
        after = _next_safety(supposed, workspace.next_supposed, workspace.next_buffers, cell, share)
        best = max(best, safe * after)
    return best


@helper
def _with_progress(weights: GuessWeights, value: float, safes: int) -> float:
    """Return ``value``, the worth of a position, with the worth of its ``safes`` proven safe cells."""
    return value + weights.progress + weights.safe_cells * log1p(safes) + weights.each_safe_cell * safes


@helper
def _highest(weights: GuessWeights, cells: int) -> float:
    """Return the highest worth of a position with so many cells, if safer positions are worth more."""
    value = weights.safest + weights.safest_squared + weights.second + weights.third + weights.two_moves
    most = value
    for safes in range(cells):
        most = max(most, _with_progress(weights, value, safes))
    return most


@helper
def _prospect(workspace: Workspace, policy: GuessPolicy) -> float:
    """Return the worth of ``workspace.supposed``, which was analysed last, by the weights of ``policy``."""
    position, risk, weights = workspace.supposed, workspace.supposed_buffers.risk, policy.weights
    safes = position.safes
    first, second, third = 0.0, 0.0, 0.0
    for cell in range(position.cells):
        if position.shown[cell] == UNKNOWN:
            safe = 1.0 - risk[cell]
            safes += risk[cell] == 0.0
            if safe > first:
                first, second, third = safe, first, second
            elif safe > second:
                second, third = safe, second
            elif safe > third:
                third = safe
    for _ in range(min(3, position.safes)):
        first, second, third = 1.0, first, second
    won = position.unknowns == position.mines_left and position.total_known == 1
    if won:
        first, second, third, safes = 1.0, 1.0, 1.0, 0
    value = first * (weights.safest + weights.safest_squared * first)
    value = value + weights.second * second + weights.third * third
    if safes or won:
        return _with_progress(weights, value + weights.two_moves, safes)
    return value + weights.two_moves * _two_moves(workspace, policy.best_share, first, second)


@compiled
def worth(workspace: Workspace, cell: int, policy: GuessPolicy) -> float:
    """Return the worth of guessing a cell, on the scale of the logarithm of the chance to win.

    It is the weighted logarithm of the cell's safety, plus the mean worth of the positions after the numbers
    that it can show. Only differences between cells of one position are meaningful. Return NEVER if the cell
    gives no information.
    """
    if workspace.buffers.risk[cell] == 1.0:
        return NEVER
    position, least = workspace.position, int(workspace.position.mines[cell])
    total, value, found, top = 0.0, 0.0, 0, NEVER
    for number in range(least, least + position.left[cell] + 1):
        ways = suppose(position, workspace.supposed, workspace.supposed_buffers, cell, number)
        if ways == NEVER:
            continue
        found += 1
        total, value, top = _added(total, value, top, ways, _prospect(workspace, policy))
    if found < 2:
        return NEVER
    return policy.weights.safety * log(1.0 - workspace.buffers.risk[cell]) + value / total


@helper
def look_ahead(workspace: Workspace, policy: GuessPolicy) -> int:
    """Return the cell with the highest `worth`, by its safety and that of the moves after it."""
    buffers, order = workspace.buffers, workspace.order
    count = considered(workspace, policy)
    best, chosen, highest = NEVER, order[0], _highest(policy.weights, workspace.position.cells)
    for place in range(count):
        cell = order[place]
        safe = 1.0 - buffers.risk[cell]
        if safe <= 0.0 or policy.weights.safety * log(safe) + highest <= best:
            break
        value = worth(workspace, cell, policy)
        if workspace.supposed_buffers.spent + workspace.next_buffers.spent > COST_LIMIT:
            break
        if value > best:
            best, chosen = value, cell
    return chosen


@helper
def _mined(position: Position, risk: Floats, cell: int, least: float) -> bool:
    """Return whether a cell is marked as a mine, or is UNKNOWN with a risk of at least ``least``."""
    return position.shown[cell] == MINE or (position.shown[cell] == UNKNOWN and risk[cell] >= least)


@helper
def _free(position: Position, risk: Floats, cell: int, most: float) -> bool:
    """Return whether a cell is marked as safe, or is UNKNOWN with a risk of at most ``most``."""
    return position.shown[cell] == SAFE or (position.shown[cell] == UNKNOWN and risk[cell] <= most)


@helper
def _touching(position: Position, one: int, other: int) -> bool:
    down = one // position.cols - other // position.cols
    across = one % position.cols - other % position.cols
    return -1 <= down <= 1 and -1 <= across <= 1


@helper
def _closed_off(position: Position, risk: Floats, cell: int, other: int, least: float) -> bool:
    """Return whether all neighbours of a cell that do not touch ``other`` count as mines by `_mined`."""
    for index in range(position.degree[cell]):
        near = position.near[8 * cell + index]
        if not _touching(position, near, other) and not _mined(position, risk, near, least):
            return False
    return True


@helper
def _in_pair(position: Position, seen: Position, risk: Floats, cell: int, least: float, most: float) -> bool:
    for index in range(position.degree[cell]):
        other = position.near[8 * cell + index]
        if (
            position.shown[other] == UNKNOWN
            and _free(seen, risk, other, most)
            and _closed_off(seen, risk, cell, other, least)
            and _closed_off(seen, risk, other, cell, least)
        ):
            return True
    return False


@helper
def _mined_at(seen: Position, risk: Floats, row: int, col: int, least: float) -> bool:
    """Return whether the place is off the board or counts as a mine by `_mined`."""
    if not (0 <= row < seen.rows and 0 <= col < seen.cols):
        return True
    return _mined(seen, risk, row * seen.cols + col, least)


@helper
def _in_square(
    position: Position, seen: Position, risk: Floats, cell: int, least: float, most: float
) -> bool:
    row, col = cell // position.cols, cell % position.cols
    for corner in range(4):
        down, across = 2 * (corner >> 1) - 1, 2 * (corner & 1) - 1
        if not (0 <= row + down < position.rows and 0 <= col + across < position.cols):
            continue
        one, other = cell + across, cell + down * position.cols
        opposite = other + across
        if (
            position.shown[one] == position.shown[other] == position.shown[opposite] == UNKNOWN
            and _free(seen, risk, one, most)
            and _free(seen, risk, other, most)
            and _mined(seen, risk, opposite, least)
            and _mined_at(seen, risk, row - down, col - across, least)
            and _mined_at(seen, risk, row - down, col + 2 * across, least)
            and _mined_at(seen, risk, row + 2 * down, col - across, least)
            and _mined_at(seen, risk, row + 2 * down, col + 2 * across, least)
        ):
            return True
    return False


@compiled
def in_fifty_fifty(
    position: Position, seen: Position, risk: Floats, cell: int, least: float, most: float
) -> bool:
    """Return whether a cell, if it is a mine, is in a fifty-fifty of cells UNKNOWN in ``position``.

    UNKNOWN cells of ``seen`` count as mines from a risk of ``least`` on, and as safe up to ``most``.
    """
    return _in_pair(position, seen, risk, cell, least, most) or _in_square(
        position, seen, risk, cell, least, most
    )


@compiled
def unavoidable(workspace: Workspace, cell: int) -> bool:
    """Return whether an UNKNOWN cell is in a fifty-fifty in every solution in which it is a mine.

    ``workspace.position`` must be analysed in ``workspace.buffers``. ``workspace.supposed`` is overwritten.
    """
    position, inner, other = workspace.position, workspace.supposed, workspace.supposed_buffers
    # a cell that is always a mine (or always safe) if this cell is a mine is so at least as often
    least = workspace.buffers.risk[cell] - _ROUNDING
    if not in_fifty_fifty(position, position, workspace.buffers.risk, cell, least, 1.0 - least):
        return False
    copy(position, inner)
    if suppose_mine(inner, other, cell) != EXACT:
        return False
    return in_fifty_fifty(position, inner, other.risk, cell, 1.0, 0.0)


@helper
def unavoidable_guess(workspace: Workspace) -> int:
    """Return the safest frontier cell for which `unavoidable` is true, -1 if there is none.

    The cost is added to ``workspace.supposed_buffers.spent``. On large boards the search ends early, at the
    cost limit.
    """
    chosen = -1
    for index in range(workspace.buffers.frontier_cells):
        cell = workspace.buffers.frontier[index]
        if workspace.supposed_buffers.spent > _FIFTY_FIFTY_COST_LIMIT:
            break
        safer = chosen < 0 or workspace.buffers.risk[cell] < workspace.buffers.risk[chosen]
        if safer and unavoidable(workspace, cell):
            chosen = cell
    return chosen


@helper
def _at_most(workspace: Workspace, most: float) -> bool:
    return most >= 1.0 and log_solutions(workspace.buffers) <= log(most) + _ROUNDING


@helper
def are_few(workspace: Workspace, policy: GuessPolicy) -> bool:
    """Return whether the position analysed last has few enough solutions for the exact endgame search.

    On small boards, policies that search late positions search all that there is room for.
    """
    most = policy.endgame
    if policy.search > 0.0 and workspace.position.cells <= SMALL_BOARD:
        most = workspace.endgame.rows / 2
    return _at_most(workspace, most)


@compiled
def guess(workspace: Workspace, policy: GuessPolicy, search: float) -> int:
    """Return the cell to guess where the endgame is not searched to its end.

    If ``policy`` looks ahead, an unavoidable fifty-fifty comes first. Up to ``search`` solutions, the tree of
    moves is searched over the safest cells; with more, the risks decide, and the next moves in a look-ahead.
    """
    begin(workspace)
    ahead = policy.near > 0.0 and is_exact(workspace.buffers)
    cell = unavoidable_guess(workspace) if ahead else -1
    if cell < 0 and _at_most(workspace, search):
        cell = best_of_some(workspace.position, workspace.buffers, workspace.endgame)
    if cell >= 0:
        return cell
    return look_ahead(workspace, policy) if ahead else least_risk(workspace)


@compiled
def choose(workspace: Workspace, policy: GuessPolicy) -> int:
    """Return the cell to guess in the position that was analysed last in ``workspace.buffers``."""
    if not are_few(workspace, policy):
        return guess(workspace, policy, policy.search)
    cell = best_of_few(workspace.position, workspace.buffers, workspace.endgame)
    return cell if cell >= 0 else guess(workspace, policy, 0.0)
