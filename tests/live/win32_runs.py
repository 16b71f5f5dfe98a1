"""Runs inside Windows Python: one run of ``minebot play --json`` after the other, in one process.

To load everything takes Wine a quarter of a minute. Each line that it reads is a JSON object: ``options`` of
the command, and the paths of the files that take its output, its complaints and a note of every round. It
answers with the code of the run. While the file ``blind`` exists, the screen cannot be grabbed.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import IO

from bot.capture import ScreenCapture
from bot.cli import main
from bot.cli.reports import JsonReport
from bot.geometry import Frame, Rect
from bot.play import Round


def noted(turn: Round) -> dict[str, object]:
    """Return what a referee has to know of a round."""
    clicks = [[click.move.action.value, *click.move.cell, click.move.risk] for click in turn.clicks]
    return {
        "game": turn.game,
        "round": turn.number,
        "looked": turn.look.frame.time,
        "at": time.perf_counter(),
        "board": str(turn.look.reading.board),
        "clicks": clicks,
    }


def note_rounds() -> list[IO[str]]:
    """Let every round be noted in the file that is in the list that is returned."""
    before, files = JsonReport.round, list[IO[str]]()

    def note(self: JsonReport, turn: Round) -> None:
        before(self, turn)
        print(json.dumps(noted(turn)), file=files[-1], flush=True)

    JsonReport.round = note  # type: ignore[method-assign, assignment]
    return files


def blind_while(path: Path) -> None:
    """Let grabs fail for as long as there is a file ``path``."""
    from mss.exception import ScreenShotError

    grab = ScreenCapture._grab

    def seen(self: ScreenCapture, rect: Rect | None) -> Frame:
        if path.exists():
            raise ScreenShotError("BitBlt failed")
        return grab(self, rect)

    ScreenCapture._grab = seen  # type: ignore[method-assign]


def run(files: list[IO[str]], options: list[str], out: str, errors: str, rounds: str) -> int:
    """Run the command; return the code that it ends with."""
    sys.argv = ["minebot", "play", "--json", *options]
    with (
        Path(out).open("a", encoding="utf-8", newline="\n") as output,
        Path(errors).open("a", encoding="utf-8", newline="\n") as complaints,
        Path(rounds).open("a", encoding="utf-8", newline="\n") as notes,
        redirect_stdout(output),
        redirect_stderr(complaints),
    ):
        files.append(notes)
        try:
            main()
        except SystemExit as ended:
            return int(ended.code or 0)


def serve(blind: str | None = None) -> None:
    files, answers = note_rounds(), sys.stdout
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # between two runs; in a run the command hears it
    if blind is not None:
        blind_while(Path(blind))
    print(json.dumps({"ready": os.getpid()}), file=answers, flush=True)
    for line in sys.stdin:
        code = run(files, **json.loads(line))
        print(json.dumps({"code": code}), file=answers, flush=True)


if __name__ == "__main__":
    serve(*sys.argv[1:])
