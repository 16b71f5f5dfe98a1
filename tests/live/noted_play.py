"""``minebot play --json``, as a user runs it, with a note of every round for a referee.

::

    python tests/live/noted_play.py ROUNDS.jsonl BLIND --target builtin --games 5

Each line of the file is what was seen and decided before the clicks of a round were sent. While there is a
file ``BLIND``, no picture of the screen can be taken.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import IO, Any

from mss import MSS
from mss.exception import ScreenShotError
from mss.screenshot import ScreenShot

from bot.cli import main
from bot.cli.reports import JsonReport
from bot.play import Round


def noted(turn: Round) -> dict[str, object]:
    """Return what a referee has to know of a round; times are those of `time.perf_counter`."""
    reading, origin = turn.look.reading, turn.look.frame.origin
    grid = reading.grid
    return {
        "game": turn.game,
        "round": turn.number,
        "at": turn.look.frame.time,
        "board": str(reading.board),
        "grid": [origin.x + grid.x, origin.y + grid.y, grid.pitch_x, grid.pitch_y],
        "clicks": [
            [click.move.action.value, *click.move.cell, click.move.risk, click.point.x, click.point.y]
            for click in turn.clicks
        ],
    }


def note_rounds(file: IO[str]) -> None:
    """Let every round be noted in ``file``, at once."""
    before = JsonReport.round

    def note(report: JsonReport, turn: Round) -> None:
        before(report, turn)
        print(json.dumps(noted(turn)), file=file, flush=True)

    JsonReport.round = note  # type: ignore[method-assign, assignment]


def fail_while(blind: Path) -> None:
    """Let every grab fail while there is that file."""
    whole = MSS.grab

    def grab(self: MSS, *area: Any) -> ScreenShot:
        if blind.exists():
            raise ScreenShotError("blinded")
        return whole(self, *area)

    MSS.grab = grab  # type: ignore[method-assign]


if __name__ == "__main__":
    path, blind, *options = sys.argv[1:]
    fail_while(Path(blind))
    sys.argv = ["minebot", "play", "--json", *options]
    with Path(path).open("w", encoding="utf-8") as rounds:
        note_rounds(rounds)
        main()
