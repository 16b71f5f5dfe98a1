"""The contest of close cells: the good cells of a guess are played out until one is clearly better.

All cells are played out on the same random solutions, in rounds, each as long as all rounds before it. What a
cell is worth is the mean of its play-outs, shrunk towards what the look-ahead says, by the noise of the
play-outs and by the error of the look-ahead. Before each round, cells leave that are not expected to gain as
much by it as it costs; the work is counted and not timed, so the same position has the same result.

**The expected gain of a round.** Let cell c lie behind the leader by d, and let that be uncertain by s, of
which a round would settle the part t = s * s / sqrt(s * s + noise / round). After the round, the lead is a
normal variable with mean d and deviation t, and c gains what it is then ahead: t * (density(z) - z * tail(z))
on average, where z = d / t, with the density and the upper tail of the standard normal distribution.
"""

from __future__ import annotations

from math import erfc, exp, sqrt

from bot.solver.kernel.analysis import log_solutions
from bot.solver.kernel.build.functions import compiled, helper
from bot.solver.kernel.judgement import corrected
from bot.solver.kernel.layout import COMPARED, MOST_PLAYED, GuessPolicy, Playouts, Workspace
from bot.solver.kernel.look_ahead import NEVER, begin, rate
from bot.solver.kernel.playouts import play_out_all

_FIRST_ROUND = 8  # play-outs of each cell
_LEVEL = 0.5  # the chance to win, before any play-out
# The standard deviation of the look-ahead's error, as a share of the chance to win, is so much divided by the
# root of the logarithm of the solutions. It was measured between the best cells of 950 expert guesses, each
# played out 200 to 300 times, and the sampling noise was subtracted.
_ERROR = 0.2
_MARGIN = 3.0  # cells are compared that are worth so many times that error less than the best
# The prior variance of the difference between two cells, and its weight as a number of play-outs.
_NOISE, _BEFORE = 0.05, 4.0
_ANALYSES = 10  # a play-out costs about as much as so many analyses of its first position
_LOOKED = 32  # as long as fewer play-outs were made, so many more decide whether they are worth their cost


@helper
def _expected_gain(behind: float, unsure: float, noise: float, more: int) -> float:
    """Return the expected gain of ``more`` play-outs of a cell, see the top."""
    settled = unsure * unsure / sqrt(unsure * unsure + noise / more)
    z = behind / settled
    return settled * (exp(-0.5 * z * z) * 0.3989422804014327 - z * 0.5 * erfc(z * 0.7071067811865476))


@helper
def _differ(games: Playouts, one: int, other: int) -> tuple[float, float]:
    """Return the mean difference of the play-outs of two cells, and the variance of a single one."""
    total, square = 0.0, 0.0
    for sample in range(games.played):
        apart = games.chances[COMPARED * sample + one] - games.chances[COMPARED * sample + other]
        total += apart
        square += apart * apart
    mean = total / games.played
    return mean, (square - total * mean + _NOISE * _BEFORE) / (games.played + _BEFORE)


@helper
def _believe(games: Playouts) -> int:
    """Fill ``games.values`` with the chance to win with each cell; return the place of the best one."""
    level, first = 0.0, 0.0
    for sample in range(games.played):
        first += games.chances[COMPARED * sample]
        for place in range(games.compared):
            level += games.chances[COMPARED * sample + place]
    level /= games.played * games.compared
    leader, spread = 0, (games.error * level) ** 2 + 1e-12
    for place in range(games.compared):
        mean, noise = _differ(games, place, 0)
        expected = level * (games.worths[place] - games.worths[0])
        gain = expected + spread / (spread + noise / games.played) * (mean - expected)
        games.values[place] = first / games.played + gain
        if games.values[place] > games.values[leader]:
            leader = place
    return leader


@helper
def _keep_hopeful(games: Playouts, policy: GuessPolicy, leader: int, level: float, cost: float) -> None:
    """Drop the cells that are not expected to gain from as many play-outs again what these cost."""
    kept, more = 0, max(_LOOKED, games.played)
    spread = (0.5 * games.error * level) ** 2 + 1e-12
    for place in range(games.compared):
        hopeful, noise, weight = place == leader, _NOISE, 1.0 / spread
        if not hopeful and games.played:
            _, noise = _differ(games, place, leader)
            weight += games.played / noise
        if not hopeful:
            behind = games.values[leader] - games.values[place]
            hopeful = _expected_gain(behind, sqrt(1.0 / weight), noise, more) > policy.price * 2 * more * cost
        if hopeful:
            games.cells[kept], games.worths[kept] = games.cells[place], games.worths[place]
            games.values[kept] = games.values[place]
            for sample in range(games.played):
                at = COMPARED * sample
                games.chances[at + kept] = games.chances[at + place]
            kept += 1
    games.compared = kept


@compiled
def begin_contest(workspace: Workspace, games: Playouts, policy: GuessPolicy) -> int:
    """List the cells of ``workspace.position`` to compare in ``games``; return how many.

    Only cells with 1 in ``games.allowed`` are listed. The position must be analysed exactly.
    """
    begin(workspace)
    games.error = _ERROR / sqrt(max(1.0, log_solutions(workspace.buffers)))
    found, count = rate(workspace, policy, _MARGIN * games.error), 0
    highest = workspace.rated[0]
    for place in range(found):
        cell = workspace.order[place]
        if not games.allowed[cell] or workspace.rated[place] == NEVER:
            continue
        worth = corrected(workspace, policy, cell, workspace.rated[place], highest)
        at = count
        while at and games.worths[at - 1] < worth:
            if at < COMPARED:
                games.cells[at], games.worths[at] = games.cells[at - 1], games.worths[at - 1]
            at -= 1
        if at < COMPARED:
            games.cells[at], games.worths[at] = cell, worth
            count = min(COMPARED, count + 1)
    games.compared, games.played = count, 0
    games.workspace.buffers.spent = 0
    for place in range(count):
        games.values[place] = _LEVEL * (1.0 + games.worths[place] - games.worths[0])
    if count:
        _keep_hopeful(games, policy, 0, _LEVEL, float(_ANALYSES * workspace.buffers.cost))
    return games.compared


@compiled
def play_round(workspace: Workspace, games: Playouts, policy: GuessPolicy, player: GuessPolicy) -> bool:
    """Play a round of a contest with ``player``; return whether another one is worth its cost.

    ``games.values`` is then the chance to win with each of ``games.cells``, of which only those are left that
    may be the best. Return False without a result if a play-out cannot be finished: ``games.played`` is 0.
    """
    more = max(_FIRST_ROUND, games.played)
    for _ in range(more):
        if not play_out_all(workspace, games, player):
            games.played = 0
            return False
    leader, cost = _believe(games), games.workspace.buffers.spent / (games.played * games.compared)
    _keep_hopeful(games, policy, leader, games.values[leader], max(1.0, cost))
    return games.compared > 1 and 2 * games.played <= MOST_PLAYED
