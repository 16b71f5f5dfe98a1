"""The look-ahead: how good a guess is, by how safe it and the moves after it are.

Each number that the cell could show is assumed, and the position after it is analysed. `Weights` in
`bot.solver.guess` says how the safety of its cells is rated.
"""

from __future__ import annotations

from math import exp, log, log1p

from bot.solver.kernel.analysis import NOTHING_FITS, analyse, log_weight
from bot.solver.kernel.build.functions import Floats, Small, compiled, helper
from bot.solver.kernel.layout import (
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
from bot.solver.kernel.winmine import weigh_roughly

NEVER = -1e300  # used as the logarithm of zero
ROUNDING = 1e-9
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
def suppose(
    workspace: Workspace,
    position: Position,
    inner: Position,
    buffers: CountingBuffers,
    cell: int,
    number: int,
) -> float:
    """Analyse the position in which ``cell`` is open and shows ``number``, in ``inner`` and ``buffers``.

    Return the natural logarithm of the weight of its solutions. Return NEVER if there is none, or if the cost
    limit of the guess is already exceeded.
    """
    if buffers.spent > COST_LIMIT:
        return NEVER
    copy(position, inner)
    if not settle(inner, buffers, show(inner, buffers, cell, number, 0)):
        return NEVER
    found = analyse(inner, buffers)
    buffers.spent += buffers.cost
    if found == NOTHING_FITS:
        return NEVER
    weigh_roughly(inner, buffers, workspace)
    return log_weight(buffers)


@compiled
def gives_information(workspace: Workspace, cell: int) -> bool:
    """Return whether a cell, if it is safe, can show more than one number."""
    position, inner, buffers = workspace.position, workspace.supposed, workspace.supposed_buffers
    least = int(position.mines[cell])
    found = 0
    for number in range(least, least + position.left[cell] + 1):
        found += suppose(workspace, position, inner, buffers, cell, number) != NEVER
        if found > 1:
            return True
    return False


@helper
def three_safest(position: Position, buffers: CountingBuffers) -> tuple[float, float, float, int]:
    """Return the safety of the three safest cells, and how many cells are certainly safe.

    If the game is won, three cells count as safe, and there are none to open.
    """
    if position.unknowns == position.mines_left and position.total_known == 1:
        return 1.0, 1.0, 1.0, 0
    safes, first, second, third = position.safes, 0.0, 0.0, 0.0
    for cell in range(position.cells):
        if position.shown[cell] == UNKNOWN:
            safe = 1.0 - buffers.risk[cell]
            safes += buffers.risk[cell] == 0.0
            if safe > first:
                first, second, third = safe, first, second
            elif safe > second:
                second, third = safe, second
            elif safe > third:
                third = safe
    for _ in range(min(3, position.safes)):
        first, second, third = 1.0, first, second
    return first, second, third, safes


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
def _next_safety(workspace: Workspace, cell: int, share: float, need: float) -> float:
    """Return the mean safety of the move after a safe ``cell`` of ``workspace.supposed``.

    Return 0 if the cell can show only one number, or as soon as the mean cannot exceed ``need``.
    """
    position, inner, buffers = workspace.supposed, workspace.next_supposed, workspace.next_buffers
    outer = workspace.supposed_buffers
    every = log_weight(outer) + log(1.0 - outer.risk[cell])
    least = int(position.mines[cell])
    total, value, found, top = 0.0, 0.0, 0, NEVER
    for number in range(least, least + position.left[cell] + 1):
        ways = suppose(workspace, position, inner, buffers, cell, number)
        if ways == NEVER:
            continue
        found += 1
        first, second, _, _ = three_safest(inner, buffers)
        total, value, top = _added(total, value, top, ways, share * first + (1.0 - share) * second)
        rest = max(0.0, 1.0 - total * exp(top - every))  # the share of the numbers not looked at
        if value / total * (1.0 - rest) + rest + ROUNDING < need:
            return 0.0
    return value / total if found > 1 else 0.0


@compiled
def begin(workspace: Workspace) -> None:
    """Set the cost of the positions analysed for a guess to 0."""
    workspace.supposed_buffers.spent = 0
    workspace.next_buffers.spent = 0


@helper
def looks_further(workspace: Workspace, policy: GuessPolicy) -> bool:
    """Return whether ``policy`` looks at the third move, and the position analysed is small enough for it."""
    return policy.third > 0.0 and workspace.buffers.cost * _THIRD_MOVE <= COST_LIMIT


@helper
def two_moves(workspace: Workspace, share: float) -> float:
    """Return the safety of the best next two moves in ``workspace.supposed``, which was analysed last."""
    supposed, risk = workspace.supposed, workspace.supposed_buffers.risk
    count = rank(supposed, risk, TRIED_NEXT, workspace.next_order)
    best = 0.0
    for place in range(count):
        cell = workspace.next_order[place]
        safe = 1.0 - risk[cell]
        if safe <= best:
            break
        best = max(best, safe * _next_safety(workspace, cell, share, best / safe))
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
def prospect(workspace: Workspace, policy: GuessPolicy) -> tuple[float, float]:
    """Return the worth of ``workspace.supposed``, which was analysed last, by the weights of ``policy``.

    As long as the best two moves are not looked for, they count as no less safe than the first of them. If
    looking may show that they are, the second result is the safety of that one, else 0.
    """
    weights = policy.weights
    first, second, third, safes = three_safest(workspace.supposed, workspace.supposed_buffers)
    value = first * (weights.safest + weights.safest_squared * first)
    value = value + weights.second * second + weights.third * third
    if first == 1.0:  # a cell is safe, or the game is won
        return _with_progress(weights, value + weights.two_moves, safes), 0.0
    if not looks_further(workspace, policy):
        return value + weights.two_moves * first * second, 0.0
    return value + weights.two_moves * first, first


@compiled
def worth(workspace: Workspace, cell: int, policy: GuessPolicy, need: float) -> float:
    """Return the worth of guessing a cell, on the scale of the logarithm of the chance to win.

    It is the weighted logarithm of the cell's safety, plus the mean worth of the positions after the numbers
    that it can show. Only differences between cells of one position are meaningful. Return NEVER if the cell
    gives no information. As soon as its worth cannot exceed ``need``, return what it is at most.
    """
    if workspace.buffers.risk[cell] == 1.0:
        return NEVER
    position, supposed, buffers = workspace.position, workspace.supposed, workspace.supposed_buffers
    weights, shares, bounds = policy.weights, workspace.shares, workspace.bounds
    least, count = int(position.mines[cell]), position.left[cell] + 1
    total, value, found, top = 0.0, weights.safety * log(1.0 - workspace.buffers.risk[cell]), 0, NEVER
    for index in range(count):
        shares[index] = suppose(workspace, position, supposed, buffers, cell, least + index)
        bounds[index] = 0.0
        if shares[index] > NEVER:
            found += 1
            top = max(top, shares[index])
            workspace.worths[index], bounds[index] = prospect(workspace, policy)
    if found < 2:
        return NEVER
    for index in range(count):
        shares[index] = exp(shares[index] - top) if shares[index] > NEVER else 0.0
        total += shares[index]
    for index in range(count):
        value += shares[index] / total * workspace.worths[index]
    while value > need:
        likeliest = 0
        for index in range(count):
            if bounds[index] > 0.0 and (bounds[likeliest] == 0.0 or shares[index] > shares[likeliest]):
                likeliest = index
        if bounds[likeliest] == 0.0:
            return value
        suppose(workspace, position, supposed, buffers, cell, least + likeliest)
        loss = bounds[likeliest] - two_moves(workspace, policy.best_share)
        value -= shares[likeliest] / total * weights.two_moves * loss
        bounds[likeliest] = 0.0
    return value


@helper
def rate(workspace: Workspace, policy: GuessPolicy, margin: float) -> int:
    """Write the cells that are worth nearly most to ``workspace.order``, the best first; return how many.

    Their `worth` is above the highest less ``margin``, and stands in ``workspace.rated``. If no cell gives
    information, this is the safest one.
    """
    buffers, order, rated = workspace.buffers, workspace.order, workspace.rated
    count, found = considered(workspace, policy), 0
    highest = _highest(policy.weights, workspace.position.cells)
    rated[0] = NEVER
    for place in range(count):
        cell = order[place]
        safe, need = 1.0 - buffers.risk[cell], rated[0] - margin
        if safe <= 0.0 or policy.weights.safety * log(safe) + highest <= need:
            break
        value = worth(workspace, cell, policy, need)
        if workspace.supposed_buffers.spent + workspace.next_buffers.spent > COST_LIMIT:
            break
        if value <= need or value == NEVER:
            continue
        above = found
        while above and rated[above - 1] < value:
            above -= 1
        for index in range(found, above, -1):
            order[index], rated[index] = order[index - 1], rated[index - 1]
        order[above], rated[above] = cell, value
        found += 1
        while rated[found - 1] <= rated[0] - margin and found > 1:
            found -= 1
    return max(1, found)
