"""How long decisions took, for any number of them in little room: how many there were of each length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

Durations = Mapping[int, int]  # steps on a logarithmic scale, and how many decisions took so long

_STEPS = 48  # in a doubling: a step is 1.5 %
_LEAST_MS = 1e-4


def durations(ms: Sequence[float]) -> Durations:
    """Return how many of ``ms`` fall on each step."""
    places = np.log2(np.maximum(np.array(ms, np.float64), _LEAST_MS) / _LEAST_MS) * _STEPS
    steps, counts = np.unique(np.ceil(places).astype(np.int64), return_counts=True)
    return dict(zip(steps.tolist(), counts.tolist(), strict=True))


def percentile(counted: Durations, share: float) -> float | None:
    """Return the milliseconds that ``share`` of all did not exceed, up to a step too long; None of none."""
    if not counted:
        return None
    steps = sorted(counted)
    reached = np.cumsum([counted[step] for step in steps])
    step = steps[int(np.searchsorted(reached, share * reached[-1]))]
    return float(_LEAST_MS * 2 ** (step / _STEPS))
