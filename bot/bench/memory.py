"""The memory that a process has needed."""

from __future__ import annotations

import sys


def peak_memory() -> float:
    """Return the most megabytes that this process has held in memory; 0.0 where the system does not say."""
    if sys.platform == "win32":
        return 0.0
    from resource import RUSAGE_SELF, getrusage

    unit = 1 if sys.platform == "darwin" else 1024
    return getrusage(RUSAGE_SELF).ru_maxrss * unit / 1e6
