"""The learned judgement: what the look-ahead overlooks, learned from guesses that were played out.

Decision trees, fitted by ``python tests/bench judgement``, estimate by how much the chance to win with a
guess differs from what the look-ahead says. Only cells that it rates nearly as high as the best are judged.
"""

from __future__ import annotations

from math import exp, log, log1p

from bot.solver.kernel.analysis import log_solutions, log_weight
from bot.solver.kernel.build.functions import compiled, helper
from bot.solver.kernel.layout import UNKNOWN, CountingBuffers, GuessPolicy, Workspace
from bot.solver.kernel.look_ahead import (
    COST_LIMIT,
    NEVER,
    looks_further,
    rate,
    suppose,
    three_safest,
    two_moves,
)

_OF_CELL, _OF_POSITION, _LACK = 18, 32, 39  # where parts of the features begin, see `describe`
_CLOSE = 0.04  # cells are judged whose worth is less than this below the highest
_MANY = 20  # more safe cells than this count as so many
_EVEN = 1e-4  # a risk so close to one half is an even chance
_NEARLY_SAFE = 0.06  # the risk of a cell that is nearly safe, at most


@helper
def _unsure(buffers: CountingBuffers) -> tuple[float, float, float]:
    """Return, of the frontier, the sum of risk (1 - risk), and how many are even or nearly safe."""
    total, even, near = 0.0, 0.0, 0.0
    for index in range(buffers.frontier_cells):
        risk = buffers.risk[buffers.frontier[index]]
        total += risk * (1.0 - risk)
        even += abs(risk - 0.5) < _EVEN
        near += 0.0 < risk < _NEARLY_SAFE
    return total, even, near


@helper
def _describe_position(workspace: Workspace, unsure: float) -> None:
    """Fill the features of the position, the same for all cells; ``unsure`` is the first of `_unsure`."""
    position, buffers, features = workspace.position, workspace.buffers, workspace.features
    best, second = 1.0, 1.0
    for cell in range(position.cells):
        if position.shown[cell] == UNKNOWN:
            if buffers.risk[cell] < best:
                best, second = buffers.risk[cell], best
            elif buffers.risk[cell] < second:
                second = buffers.risk[cell]
    features[_OF_POSITION] = log_solutions(buffers)
    features[_OF_POSITION + 1] = buffers.frontier_cells
    features[_OF_POSITION + 2] = position.unknowns
    features[_OF_POSITION + 3] = buffers.outside_risk
    features[_OF_POSITION + 4] = best
    features[_OF_POSITION + 5] = second
    features[_OF_POSITION + 6] = unsure


@helper
def _describe_cell(workspace: Workspace, cell: int, numbers: int) -> None:
    """Fill the features of the place of a cell that can show so many ``numbers``."""
    position, buffers, features = workspace.position, workspace.buffers, workspace.features
    row, col = cell // position.cols, cell % position.cols
    group, opened, alike = buffers.group_of[cell], 0, 0
    expected, unsure, most, least = 0.0, 0.0, 0.0, 1.0
    for index in range(position.degree[cell]):
        other = position.near[8 * cell + index]
        opened += position.shown[other] >= 0
        if position.shown[other] == UNKNOWN:
            risk = buffers.risk[other]
            expected += risk
            unsure += risk * (1.0 - risk)
            most, least = max(most, risk), min(least, risk)
            alike += group >= 0 and buffers.group_of[other] == group
    opened_nearby = 0
    for down in range(max(0, row - 2), min(position.rows, row + 3)):
        for across in range(max(0, col - 2), min(position.cols, col + 3)):
            opened_nearby += position.shown[down * position.cols + across] >= 0
    features[_OF_CELL] = position.left[cell]
    features[_OF_CELL + 1] = opened
    features[_OF_CELL + 2] = position.mines[cell]
    features[_OF_CELL + 3] = min(min(row, position.rows - 1 - row), min(col, position.cols - 1 - col))
    features[_OF_CELL + 4] = opened_nearby
    features[_OF_CELL + 5] = numbers
    features[_OF_CELL + 6] = expected
    features[_OF_CELL + 7] = unsure
    features[_OF_CELL + 8] = most
    features[_OF_CELL + 9] = alike
    features[_OF_CELL + 10] = least
    features[_OF_CELL + 11], features[_OF_CELL + 12], features[_OF_CELL + 13] = 0.0, 0.0, 0.0
    if group < 0:
        return
    features[_OF_CELL + 11] = buffers.group_size[group]
    for component in range(buffers.components):
        here, cells, safest = False, 0, 1.0
        for place in range(buffers.component_start[component], buffers.component_start[component + 1]):
            member = buffers.order[place]
            here = here or member == group
            cells += buffers.group_size[member]
            safest = min(safest, buffers.risk[buffers.first_cell[member]])
        if here:
            features[_OF_CELL + 12], features[_OF_CELL + 13] = cells, safest


@compiled
def describe(workspace: Workspace, policy: GuessPolicy, cell: int, lack: float) -> None:
    """Fill ``workspace.features`` for a guess that is worth ``lack`` less than the best one.

    The position must be counted exactly. The features, from index 0 on, are the logarithm of the safety; then
    means over the numbers that the cell can show: the safety of the safest cell, its square, that of the
    second and the third, and of the best two moves; whether cells are proven safe, log(1 + n) of their
    number, and that number; whether the number is the lowest; its information; the change of log(solutions),
    of the components, of the cells on the frontier, and of the three figures of `_unsure`; and how many other
    cells are proven. Then follow those of `_describe_cell` and `_describe_position`, and ``lack``.
    """
    position, supposed, buffers = workspace.position, workspace.supposed, workspace.supposed_buffers
    outer, features = workspace.buffers, workspace.features
    whole, least, numbers = log_weight(outer), int(position.mines[cell]), 0
    safe = whole + log(1.0 - outer.risk[cell])
    unsure, even, near = _unsure(outer)
    for index in range(_OF_CELL):
        features[index] = 0.0
    for index in range(position.left[cell] + 1):
        ways = suppose(workspace, position, supposed, buffers, cell, least + index)
        if ways == NEVER:
            continue
        numbers += 1
        share = exp(ways - safe)
        first, second, third, safes = three_safest(supposed, buffers)
        unsure_then, even_then, near_then = _unsure(buffers)
        features[1] += share * first
        features[2] += share * first * first
        features[3] += share * second
        features[4] += share * third
        features[6] += share * (safes > 0)
        features[7] += share * log1p(safes)
        features[8] += share * min(_MANY, safes)
        features[9] += share * (index == 0)
        features[10] -= share * (ways - safe)
        features[11] += share * (ways - whole)
        features[12] += share * (buffers.components - outer.components)
        features[13] += share * (buffers.frontier_cells - outer.frontier_cells)
        features[14] += share * (unsure_then - unsure)
        features[15] += share * (even_then - even)
        features[16] += share * (near_then - near)
        features[17] += share * (position.unknowns - supposed.unknowns - 1)
        features[5] += share * (1.0 if first == 1.0 else two_moves(workspace, policy.best_share))
    features[0] = log(1.0 - outer.risk[cell])
    _describe_cell(workspace, cell, numbers)
    _describe_position(workspace, unsure)
    features[_LACK] = lack


@compiled
def corrected(workspace: Workspace, policy: GuessPolicy, cell: int, value: float, highest: float) -> float:
    """Return the worth of a guess, ``value``, corrected by what was learned if ``policy`` is ``judged``.

    ``highest`` is the worth of the best guess. The trees add up to a difference, as a share of the chance to
    win.
    """
    if policy.judged == 0.0 or value == NEVER or not looks_further(workspace, policy):
        return value
    describe(workspace, policy, cell, highest - value)
    trees, features = workspace.trees, workspace.features
    for tree in range(trees.count):
        node = trees.roots[tree]
        while trees.feature[node] >= 0:
            low = features[trees.feature[node]] <= trees.limit[node]
            node = trees.below[node] if low else trees.above[node]
        value += trees.value[node]
    return value


@helper
def best_judged(workspace: Workspace, policy: GuessPolicy) -> int:
    """Return the cell with the highest worth, `corrected` by what was learned if ``policy`` is ``judged``."""
    order, rated, chosen, best = workspace.order, workspace.rated, 0, NEVER
    count, highest = rate(workspace, policy, _CLOSE * policy.judged), rated[0]
    for place in range(count):
        if workspace.supposed_buffers.spent + workspace.next_buffers.spent > COST_LIMIT:
            break
        value = corrected(workspace, policy, order[place], rated[place], highest)
        if value > best:
            best, chosen = value, place
    return order[chosen]
