"""Cells that look alike show the same: where single cells leave a doubt, all of one look decide together.

What compression, few colours and a place between pixels do to one cell is in part chance, which goes away in
the middle of many; what stays is common to all cells in that state on this board. So an unreadable cell is
compared with the board's own cells, and a look that is nearest to one state but not clearly so is believed
if the rules of the game hold with it and break with every other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from bot.board import State
from bot.geometry import Pixels
from bot.vision.cells import Cells, reaches
from bot.vision.colours import apart
from bot.vision.skin import Skin
from bot.vision.tone import Floats, Tone, contrast, softened
from bot.vision.unknown.evidence import cost_of_rules

Ints = npt.NDArray[np.intp]
Bools = npt.NDArray[np.bool_]

_CLEARER = 0.65  # a cell must be this much nearer to its own look than to another
_WIDE, _LOOSE = 1.6, 2.0  # times as far as usual from its look, and so much further, a cell may be
_FEW = 3  # cells make a look of their own
_SETTLED = 0.5  # of the cells of a look are read: then its state is known
_PLAIN = (0, State.COVERED)  # what looks like them may be anything: the ground of a window
_FAR = 1.3  # times as far as a single cell such a cell may be: the ground is 1.6 times as far
_RIVAL = 0.5  # a state is no rival of the nearest if that is so much nearer
_MOST_RIVALS = 6
_CERTAIN = 12.0  # nats: three numbers that contradict what is around them


def with_groups(cells: Cells, canvas: Pixels, skin: Skin, scale: float, tone: Tone, visible: Bools) -> Cells:
    """Return the cells with those read that look like others, as far as that leaves no doubt.

    ``canvas`` is the unstretched board, uint8 (rows * cell, cols * cell, 3); ``visible`` (rows x cols) says
    which cells lie in the picture.
    """
    if cells.readable.all():
        return cells
    seen = softened(canvas, skin.cell)
    far = apart(seen, skin, scale, tone)
    by_state = np.minimum.reduceat(far, np.searchsorted(skin.states, skin.shown), axis=0)
    near = visible.reshape(-1) & _near(far, skin, reaches(skin, scale, tone))
    members = _members(by_state, near)
    own, other = _own_and_other(seen, by_state, members, contrast(skin, scale, tone))
    alike = (own <= _CLEARER * other) & _usual(own, members)
    members = {state: each[alike[each]] for state, each in members.items()}
    states, confidence = cells.states.reshape(-1).copy(), cells.confidence.reshape(-1).copy()
    unread = states == State.UNREADABLE
    for state in _known(cells, by_state, members, skin):
        new = members[state][unread[members[state]]]
        states[new] = skin.shown[state]
        confidence[new] = 1 - own[new] / other[new]
    return Cells(states.reshape(cells.states.shape), confidence.reshape(cells.states.shape))


def _near(far: Floats, skin: Skin, limits: Floats) -> Bools:
    """Return which cells are near enough to their nearest template; plain ones are hardly given more."""
    nearest = far.argmin(0)
    plain = np.isin(skin.states, _PLAIN)
    return np.asarray(far.min(0) <= np.where(plain, _FAR * limits, skin.reach)[nearest])


def _members(by_state: Floats, near: Bools) -> dict[int, Ints]:
    """Return the cells of each look: those of which one state (a row of ``by_state``) is the nearest."""
    nearest = np.where(near, by_state.argmin(0), -1)
    looks = {state: np.flatnonzero(nearest == state) for state in range(len(by_state))}
    return {state: each for state, each in looks.items() if len(each) >= _FEW}


def _own_and_other(
    seen: Floats, by_state: Floats, members: dict[int, Ints], unit: float
) -> tuple[Floats, Floats]:
    """Return how far each cell is from the middle of its own look, and from the next: another or a state."""
    far = by_state.copy()
    for state, each in members.items():
        middle = np.median(seen[each], axis=0)
        far[state] = np.sqrt(((seen - middle) ** 2).mean(1)) / unit
    cells, nearest = np.arange(len(seen)), by_state.argmin(0)
    own = far[nearest, cells]
    far[nearest, cells] = np.inf
    return own, far.min(0)


def _usual(own: Floats, members: dict[int, Ints]) -> Bools:
    """Return which cells are not much further from their look than is usual for it."""
    usual = np.zeros(len(own), np.bool_)
    for each in members.values():
        usual[each] = own[each] <= _WIDE * np.median(own[each]) + _LOOSE
    return usual


def _known(cells: Cells, by_state: Floats, members: dict[int, Ints], skin: Skin) -> list[int]:
    """Return the looks (by their nearest state) whose state is known: most are read, or the rules tell."""
    read = cells.readable.reshape(-1)
    large = {state: each for state, each in members.items() if len(each) >= _FEW}
    settled = [state for state, each in large.items() if read[each].mean() >= _SETTLED]
    doubtful = {state: each for state, each in large.items() if state not in settled}
    return [*settled, *_by_rules(cells, by_state, doubtful, skin)]


def _by_rules(cells: Cells, by_state: Floats, looks: dict[int, Ints], skin: Skin) -> list[int]:
    """Return the looks (by their nearest state) that the rules of the game confirm."""
    if not looks:
        return []
    units, labels = _units(cells, list(looks.values()))
    rivals = [_rivals(np.median(by_state[:, each], axis=1), state) for state, each in looks.items()]
    changes = list(_changes(rivals))
    start = np.array([*labels, *(skin.shown[state] for state in looks)], np.int8)
    rows = np.repeat(start[None], len(changes) + 1, axis=0)
    for row, change in zip(rows[1:], changes, strict=True):
        for look, rival in change:
            row[len(labels) + look] = skin.shown[rival]
    costs = [cost_of_rules(row[units]) for row in rows] + _CERTAIN * _impossible(rows)
    gaps = np.full(len(looks), np.inf)
    for change, cost in zip(changes, costs[1:], strict=True):
        for look, _ in change:
            gaps[look] = min(gaps[look], cost - costs[0])
    return [state for state, gap in zip(looks, gaps, strict=True) if gap >= _CERTAIN]


def _impossible(boards: npt.NDArray[np.int8]) -> Bools:
    """Return for which labellings (rows) there are wrong flags, but no mine: games show both in the end."""
    mines = np.isin(boards, (State.MINE, State.EXPLODED)).any(1)
    return np.asarray((boards == State.WRONG_FLAG).any(1) & ~mines)


def _units(cells: Cells, looks: Sequence[Ints]) -> tuple[npt.NDArray[np.int32], list[int]]:
    """Return the unit of every cell (one a state, then one a look), and what each of the first shows."""
    labels, places = np.unique(cells.states.reshape(-1), return_inverse=True)
    units = np.array(places, np.int32).reshape(-1)
    for number, each in enumerate(looks):
        units[each] = len(labels) + number
    return units.reshape(cells.states.shape), [int(label) for label in labels]


def _rivals(far: Floats, state: int) -> list[int]:
    """Return the states, but for the nearest one, that a look so far from all states may show."""
    order = [int(other) for other in np.argsort(far) if other != state]
    return [other for other in order[:_MOST_RIVALS] if far[state] > _RIVAL * far[other]]


def _changes(rivals: Sequence[Sequence[int]]) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield which looks may show a rival instead: one of them, or two at once."""
    single = [(look, rival) for look, several in enumerate(rivals) for rival in several]
    yield from ((change,) for change in single)
    for one, other in combinations(single, 2):
        if one[0] != other[0]:
            yield one, other
