"""Reading boards with ``obr_board`` of ms_toollib, to compare: in a process of its own, since it may abort.

Its wheel lacks the network that it reads with: ``params.onnx`` must be in the folder that it is run in. It
gets the board's own pixels, cut out at the true place, which is more than a bot is given.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bot.geometry import Grid, Pixels

_LONGEST = 60  # seconds for one board
_SHOWN = {10: ".", 11: "F"} | {number: str(number) for number in range(9)}
_WORKER = """
import json, sys, time
import ms_toollib
height, width = map(int, sys.argv[1:])
data = list(sys.stdin.buffer.read())
start = time.process_time()
board = ms_toollib.obr_board(data, height, width)
json.dump([board, 1000 * (time.process_time() - start)], sys.stdout)
"""


@dataclass(frozen=True, slots=True)
class ObrAnswer:
    """What it read (in the notation of boards, `-` for what has no counterpart) and in how many ms."""

    rows: list[str]
    milliseconds: float


def obr_board(pixels: Pixels, grid: Grid, model: Path) -> ObrAnswer | str:
    """Return what ms_toollib reads on the place of ``grid`` (BGR); or in words why it does not.

    ``model`` is the folder with its ``params.onnx``.
    """
    rect = grid.rect
    part = pixels[max(0, rect.y) : rect.bottom, max(0, rect.x) : rect.right]
    opaque = np.dstack([part, np.full(part.shape[:2], 255, np.uint8)])
    command = [sys.executable, "-c", _WORKER, str(part.shape[0]), str(part.shape[1])]
    try:
        done = subprocess.run(
            command, input=opaque.tobytes(), capture_output=True, cwd=model, timeout=_LONGEST, check=False
        )
    except subprocess.TimeoutExpired:
        return f"no answer in {_LONGEST} s"
    if done.returncode:
        return _reason(done.stderr.decode(errors="replace"), done.returncode, model)
    board, milliseconds = json.loads(done.stdout)
    return ObrAnswer(["".join(_SHOWN.get(state, "-") for state in row) for row in board], milliseconds)


def _reason(errors: str, code: int, model: Path) -> str:
    if "ModuleNotFoundError" in errors:
        return "ms_toollib is not installed"
    if not (model / "params.onnx").is_file():
        return f"ms_toollib finds no params.onnx in {model}, and its wheel has none"
    return f"ms_toollib ended with code {code}"
