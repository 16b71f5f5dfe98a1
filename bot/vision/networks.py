"""The small networks of the readers, run by OpenCV: their weights are ONNX files in ``weights``."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

WEIGHTS = Path(__file__).parent / "weights"

Floats = npt.NDArray[np.float32]


def run(name: str, values: npt.NDArray[np.floating]) -> Floats:
    """Return what the network ``name`` makes of ``values``, an array with its number of dimensions."""
    network = _network(name)
    network.setInput(np.ascontiguousarray(values, dtype=np.float32))
    return np.asarray(network.forward(), dtype=np.float32)


def log_softmax(scores: Floats) -> Floats:
    """Return the logarithms of the probabilities that scores (..., labels) stand for."""
    least = scores - scores.max(-1, keepdims=True)
    return np.asarray(least - np.log(np.exp(least).sum(-1, keepdims=True)), dtype=np.float32)


@cache
def _network(name: str) -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(str(WEIGHTS / f"{name}.onnx"))
