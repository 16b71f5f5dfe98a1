"""Run ``minebot play --json`` as a user does, and write a note of every round for the referee.

::

    python tests/live/noted_play.py ROUNDS.jsonl BLIND --target builtin --games 5
    python tests/live/noted_play.py serve BLIND

Each line of ROUNDS.jsonl holds the board and the decision of a round, written before its clicks are sent.
While the file ``BLIND`` exists, no picture of the screen can be taken. With ``serve``, one process plays
several runs, because loading takes a quarter of a minute under Wine: each input line is a JSON object with
``options`` for the command and the paths of the files for its output (``out``), messages (``errors``) and
``rounds``; the answer is the exit code of the run.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import IO, Any

from mss import MSS
from mss.exception import ScreenShotError
from mss.screenshot import ScreenShot

from bot.cli import main
from bot.cli.reports import JsonReport
from bot.play.results import Round


def noted(turn: Round) -> dict[str, object]:
    """Return the facts of a round for the referee; times are those of `time.perf_counter`."""
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
    """Make every round write a note to the last file of the returned list, to which callers append."""
    before, files = JsonReport.round, list[IO[str]]()

    def note(report: JsonReport, turn: Round) -> None:
        before(report, turn)
        print(json.dumps(noted(turn)), file=files[-1], flush=True)

    JsonReport.round = note  # type: ignore[method-assign, assignment]
    return files


def fail_while(blind: Path) -> None:
    """Make every screen capture fail while the file ``blind`` exists."""
    whole = MSS.grab

    def grab(self: MSS, *area: Any) -> ScreenShot:
        if blind.exists():
            raise ScreenShotError("blinded")
        return whole(self, *area)

    MSS.grab = grab  # type: ignore[method-assign]


def play(options: list[str]) -> int:
    """Run the command; return its exit code."""
    sys.argv = ["minebot", "play", "--json", *options]
    try:
        main()
    except SystemExit as ended:
        return int(ended.code or 0)


def play_into(files: list[IO[str]], options: list[str], out: str, errors: str, rounds: str) -> int:
    """Run the command with these files for its output, messages and rounds; return its exit code."""
    with (
        Path(out).open("a", encoding="utf-8", newline="\n") as output,
        Path(errors).open("a", encoding="utf-8", newline="\n") as complaints,
        Path(rounds).open("a", encoding="utf-8", newline="\n") as notes,
        redirect_stdout(output),
        redirect_stderr(complaints),
    ):
        files.append(notes)
        return play(options)


def serve() -> None:
    """Play one run for each line of standard input."""
    files, answers = note_rounds(), sys.stdout
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ignored between runs; during a run the command handles it
    print(json.dumps({"ready": os.getpid()}), file=answers, flush=True)
    for line in sys.stdin:
        code = play_into(files, **json.loads(line))
        print(json.dumps({"code": code}), file=answers, flush=True)


if __name__ == "__main__":
    place, blind, *options = sys.argv[1:]
    fail_while(Path(blind))
    if place == "serve":
        serve()
    else:
        with Path(place).open("w", encoding="utf-8") as rounds:
            note_rounds().append(rounds)
            sys.exit(play(options))
