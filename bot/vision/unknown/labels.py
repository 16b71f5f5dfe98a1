"""Which state each cluster shows: the labelling that shapes, colours and the rules of the game agree on best.

A labelling is searched for by changing one unit (a group of tied clusters) at a time, or by exchanging what
two of them show, from several starts: covered and blank look alike to a network, and the rules hold for
"all covered" as well as for "all blank", so each way of sharing them out is a start of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from bot.board import State
from bot.vision.unknown.clusters import Clusters
from bot.vision.unknown.colours import colour_costs, strange_pairs
from bot.vision.unknown.logic import HIDDEN, LABELS, Places, groups, logic_cost
from bot.vision.unknown.marks import MARKS, Unlike, unlike_marks

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]

_PLAIN = (0, int(State.COVERED))
_WORST = 9.0  # nats: no shape is more unlikely than this
_TORN = 3.0  # nats: tied clusters that disagree by more are no unit
_SEVERAL = 3  # cells of a cluster count for the certainty of its shape, more do not
_OPTIONS = 6.0  # nats: labels that are more unlikely by this are not tried
_VARIED = 3  # plain units whose labels are varied in every way
_MOSTLY = 0.5  # of the pairs of two units' cells are unlike: so are the units
_CLEARLY = 2.5  # nats by which what looks covered looks no blank
_ISLANDS = 5  # of them, whose labels are varied in every way
_MOST_PLAIN = 40  # plain units whose labels are varied at all
_DESCENTS = 5  # starts that are followed
_EXCHANGED = 16  # units, the largest, and marks, that may exchange what they show
_WORK = 1e8  # units of cells of labellings that the search looks at: about 0.2 s
_OPINIONS = 3  # plain units that may differ by what they look like
_OVERHEAD = 30  # units that looking at a cell costs besides
_TWICE = 2.0  # cost of a unit of a number that is drawn in another colour than its other units
_MORE_EXPLODED, _CHORDED = 2.0, 3  # cost of each mine that exploded besides the first, and of how many
_TWO_LOOKS = 5.0  # cost of a unit of a mark that looks different from its other units


@dataclass(frozen=True, slots=True, eq=False)
class Labelling:
    """The best labelling of a board's units, and how far it is from the next one.

    ``unit_of`` is the unit of each cluster, int32 (K,); ``labels`` and ``second`` are the label of each unit
    and its best other one, int32 (units,); ``gap`` is the cost of that other one, in nats, float32 (units,);
    ``rises`` is how much each label costs more than the best, at most 9, and ``shapes`` the log-probability
    that the shape gives to each, float32 (units, LABELS).
    """

    unit_of: Ints
    labels: Ints
    second: Ints
    gap: Floats
    rises: Floats
    shapes: Floats
    cost: float

    @property
    def own_shape(self) -> Floats:
        """The log-probability that each unit's shape gives to its label, float32 (units,)."""
        return np.asarray(self.shapes[np.arange(len(self.labels)), self.labels])

    @property
    def shape(self) -> Floats:
        """The same where covered and blank count as one, since they may look alike."""
        return np.asarray(_seen(self.shapes)[np.arange(len(self.labels)), self.labels])


@dataclass(frozen=True, slots=True, eq=False)
class _Problem:
    """What a labelling is judged by: costs of each unit's labels (units, LABELS), odd pairs, the board.

    ``strange`` pairs are no one number, ``unlike`` ones no one mark, some only where the game is lost.
    ``plain`` says which units may be covered or blank, ``light`` how light each is, ``sizes`` counts their
    cells, (units,).
    """

    unary: Floats
    strange: Floats
    unlike: Floats
    unlike_if_lost: Floats
    places: Places
    plain: npt.NDArray[np.bool_]
    light: Floats
    sizes: Floats

    def work(self, labellings: int) -> float:
        """Return how much there is to look at in so many labellings."""
        places, units = self.places.around.shape
        return float(labellings * places * (units + _OVERHEAD))

    def cost(self, labels: Ints) -> Floats:
        """Return the cost of each labelling, int32 (b, units)."""
        units = np.arange(labels.shape[1])
        total = self.unary[units, labels].sum(1) + logic_cost(self.places, labels)
        for number in range(1, 9):
            total = total + _TWICE * _odd(labels == number, self.strange)
        return np.asarray(total + self._cost_of_marks(labels), dtype=np.float32)

    def _cost_of_marks(self, labels: Ints) -> Floats:
        lost = np.isin(labels, (State.MINE, State.EXPLODED)).any(1, keepdims=True)
        odd = _odd(lost & (labels == State.FLAG), self.unlike_if_lost)
        for mark in MARKS:
            odd = odd + _odd(labels == mark, self.unlike)
        more = (((labels == State.EXPLODED) * self.sizes).sum(1) - 1).clip(0, _CHORDED)
        return np.asarray(_TWO_LOOKS * odd + _MORE_EXPLODED * more, dtype=np.float32)


def _odd(shown: npt.NDArray[np.bool_], pairs: Floats) -> Floats:
    """Return how many of the units that are shown, bool (b, units), are odd beside the others, (b,)."""
    units = shown.astype(np.float32)
    return np.asarray(((units @ pairs) * units).sum(1) / 2 / (units.sum(1) - 1).clip(1), dtype=np.float32)


@np.errstate(invalid="ignore")  # some matrix libraries read beyond what they multiply
def label(clusters: Clusters, shapes: Floats) -> Labelling:
    """Return the best labelling, given the log-probabilities of every cluster's shape, float32 (K, 16)."""
    shapes = np.maximum(shapes, -_WORST)
    unlike = unlike_marks(clusters, shapes)
    unit_of, members = _units(clusters, shapes, unlike)
    trust = np.sqrt(np.minimum(clusters.sizes, _SEVERAL)).astype(np.float32)
    weights = members * clusters.sizes
    weights = (weights / weights.sum(1, keepdims=True)).astype(np.float32)
    unary = -(weights @ (shapes * trust[:, None])) + weights @ colour_costs(clusters)
    plain = unary[:, _PLAIN].min(1) - unary.min(1) <= _OPTIONS
    blank, covered = (weights @ shapes)[:, _PLAIN].T
    problem = _Problem(
        _levelled(unary, plain),
        (members @ strange_pairs(clusters) @ members.T > 0).astype(np.float32),
        (weights @ unlike.shapes @ weights.T > _MOSTLY).astype(np.float32),
        (weights @ (unlike.grounds & ~unlike.shapes) @ weights.T > _MOSTLY).astype(np.float32),
        Places.of(unit_of[clusters.of_cell], plain, plain & (covered - blank >= _CLEARLY)),
        plain,
        weights @ clusters.pictures.mean((1, 2, 3), dtype=np.float32),
        (members @ clusters.sizes).astype(np.float32),
    )
    best, rivals = _search(problem)
    rises = _rises(problem, best, rivals)
    second = rises.argsort(1, kind="stable")[:, 1].astype(np.int32)
    gap = rises[np.arange(len(best)), second]
    return Labelling(unit_of, best, second, gap, rises, weights @ shapes, float(problem.cost(best[None])[0]))


def _seen(shapes: Floats) -> Floats:
    """Return log-probabilities of shapes in which covered and blank are one, float32 (units, LABELS)."""
    seen = shapes.copy()
    seen[:, _PLAIN] = np.logaddexp(shapes[:, :1], shapes[:, [State.COVERED]])
    return seen


def _levelled(unary: Floats, plain: npt.NDArray[np.bool_]) -> Floats:
    """Return the costs with covered and blank nearer to each other where many units are plain.

    Whether plain cells look covered or blank is one opinion of the network on the whole board.
    """
    levelled = unary.copy()
    opinions = max(1.0, float(plain.sum()) / _OPINIONS)
    where = np.ix_(plain, np.array(_PLAIN))
    pair = unary[where]
    lower = pair.min(1, keepdims=True)
    levelled[where] = lower + (pair - lower) / opinions
    return levelled


def _units(clusters: Clusters, shapes: Floats, unlike: Unlike) -> tuple[Ints, Floats]:
    """Return the unit of each cluster and which clusters each has, float32 (units, K).

    Tied clusters stay apart where their shapes say clearly different things, or where they are unlike.
    """
    key = clusters.tied.astype(np.int64) * LABELS
    clear = shapes.argmax(1)
    top = shapes.max(1)
    plain = np.maximum(shapes[:, 0], shapes[:, State.COVERED]) >= top - _TORN
    key += np.where(plain, 0, clear)
    unit_of = groups((key[:, None] == key) & ~unlike.shapes)
    unit_of = np.unique(unit_of, return_inverse=True)[1].reshape(-1).astype(np.int32)
    members = (unit_of == np.arange(unit_of.max() + 1)[:, None]).astype(np.float32)
    return unit_of, members


def _search(problem: _Problem) -> tuple[Ints, Ints]:
    """Return the best labelling (units,), and what the other starts led to (starts, units)."""
    starts = np.unique(_starts(problem), axis=0)
    work = _WORK - problem.work(len(starts))
    ends = []
    for start in starts[np.argsort(problem.cost(starts), kind="stable")[:_DESCENTS]]:
        end, work = _descended(problem, start, work)
        ends.append(end)
    found = np.stack(ends)
    ranking = np.argsort(problem.cost(found), kind="stable")
    return found[ranking[0]], found[ranking[1:]]


def _starts(problem: _Problem) -> Ints:
    """Return labellings to begin with: each way to share out covered and blank among plain units that may be.

    That is every way for the largest ones; and for all in the order of how much they look covered, and of how
    light they are, which is right more often than how much they do.
    """
    likely = problem.unary.argmin(1).astype(np.int32)
    plain = np.flatnonzero(problem.plain)
    plain = plain[np.argsort(-problem.sizes[plain], kind="stable")][:_MOST_PLAIN]
    largest = plain[:_VARIED]
    shares = [(largest, np.array(shared)) for shared in product(_PLAIN, repeat=len(largest))]
    orders = (problem.unary[plain, State.COVERED] - problem.unary[plain, 0], problem.light[plain])
    for order in (plain[np.argsort(key, kind="stable")] for key in orders):
        for first in range(len(order) + 1):
            before = np.arange(len(order)) < first
            shares.append((order, np.where(before, State.COVERED, 0)))
            shares.append((order, np.where(before, 0, State.COVERED)))
    starts = np.tile(likely, (len(shares) + 1, 1))
    for start, (units, shared) in zip(starts, shares, strict=False):
        start[units] = shared
    return np.concatenate([starts, _island_starts(problem, likely)])


def _island_starts(problem: _Problem, likely: Ints) -> Ints:
    """Return labellings in which islands of plain units are all covered or all blank, in every way."""
    islands = problem.places.islands > 0
    largest = np.argsort(-(problem.sizes @ islands), kind="stable")[:_ISLANDS]
    starts = np.tile(likely, (1 << len(largest), 1))
    starts[:, islands.any(1)] = 0
    for start, shared in zip(starts, product(_PLAIN, repeat=len(largest)), strict=True):
        for island, state in zip(largest, shared, strict=True):
            start[islands[:, island]] = state
    return starts


def _island_changes(problem: _Problem, labels: Ints) -> Ints:
    """Return the labellings in which all of an island is blank or covered, (2 * islands, units)."""
    islands = np.repeat(problem.places.islands.T > 0, 2, axis=0)
    states = np.tile(np.array(_PLAIN, np.int32), len(islands) // 2)[:, None]
    return np.where(islands, states, labels).astype(np.int32)


def _descended(problem: _Problem, labels: Ints, work: float) -> tuple[Ints, float]:
    """Return ``labels`` changed as long as that makes them better, and what is left of ``work``."""
    cost = float(problem.cost(labels[None])[0])
    while work > 0:
        changed = np.concatenate([change(problem, labels) for change in _CHANGES])
        work -= problem.work(len(changed))
        costs = problem.cost(changed)
        if not len(costs) or costs.min() >= cost - 1e-3:
            break
        labels, cost = changed[costs.argmin()], float(costs.min())
    return labels, work


def _single_changes(problem: _Problem, labels: Ints) -> Ints:
    """Return the labellings in which one unit shows something else that it may show, (b, units)."""
    likely = problem.unary <= problem.unary.min(1, keepdims=True) + _OPTIONS
    likely[:, HIDDEN] = True
    likely[np.arange(len(labels)), labels] = False
    units, others = np.nonzero(likely)
    changed = np.tile(labels, (len(units), 1))
    changed[np.arange(len(units)), units] = others
    return changed


def _exchanges(problem: _Problem, labels: Ints) -> Ints:
    """Return the labellings in which two units exchange what they show, (b, units)."""
    largest = np.argsort(-problem.sizes, kind="stable")
    marks = largest[np.isin(labels[largest], MARKS)]
    some = (largest[:_EXCHANGED], marks[:_EXCHANGED])
    pairs = np.concatenate([units[np.stack(np.triu_indices(len(units), 1))] for units in some], axis=1)
    one, other = np.unique(pairs, axis=1)
    rise = problem.unary[one, labels[other]] + problem.unary[other, labels[one]]
    rise = rise - problem.unary[one, labels[one]] - problem.unary[other, labels[other]]
    useful = (labels[one] != labels[other]) & (rise <= 2 * _OPTIONS)
    one, other = one[useful], other[useful]
    changed = np.tile(labels, (len(one), 1))
    rows = np.arange(len(one))
    changed[rows, one], changed[rows, other] = labels[other], labels[one]
    return changed


def _rises(problem: _Problem, best: Ints, rivals: Ints) -> Floats:
    """Return how much more each label of each unit costs than the best one, (units, LABELS)."""
    changed = np.concatenate([*(change(problem, best) for change in _CHANGES), rivals])
    rise = (problem.cost(changed) - problem.cost(best[None])).clip(0)
    rises = np.full(problem.unary.shape, _WORST, np.float32)
    which, units = np.nonzero(changed != best)
    np.minimum.at(rises, (units, changed[which, units]), rise[which])
    rises[np.arange(len(best)), best] = 0
    return rises


_CHANGES = (_single_changes, _exchanges, _island_changes)
