"""How many threads the libraries that count may use."""

from __future__ import annotations

import os
from collections.abc import MutableMapping

_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OPENCV_FOR_THREADS_NUM")


def use_one_thread(environment: MutableMapping[str, str] = os.environ) -> None:
    """Let numpy and OpenCV work on one thread, unless ``environment`` says how many.

    They look there when they are imported, which must come later. The products of a small network are shared
    out in less time than they take, but where all processors have work one waits for the slowest of its
    threads: boards are then read up to a hundred times slower.
    """
    for name in _VARIABLES:
        environment.setdefault(name, "1")
