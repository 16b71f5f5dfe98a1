"""``minebot play --json``, as a user runs it, with a note of every round for a referee.

::

    python tests/live/noted_play.py ROUNDS.jsonl BLIND --target builtin --games 5
    python tests/live/noted_play.py serve BLIND

Each line of the file is what was seen and decided before the clicks of a round were sent. While there is a
file ``BLIND``, no picture of the screen can be taken. With ``serve`` one run after the other is played in one
process, since to load everything takes Wine a quarter of a minute: each line that it reads is a JSON object
with ``options`` of the command, and the paths of the files that take its output (``out``), its complaints
(``errors``) and its ``rounds``; it answers with the code of the run.
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
from bot.play import Round


def noted(turn: Round) -> dict[str, object]:
    """Return what a referee has to know of a round; times are those of `time.perf_counter`."""
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
    """Let every round be noted, at once, in the last file of the list that is returned."""
    before, files = JsonReport.round, list[IO[str]]()

    def note(report: JsonReport, turn: Round) -> None:
        before(report, turn)
        print(json.dumps(noted(turn)), file=files[-1], flush=True)

    JsonReport.round = note  # type: ignore[method-assign, assignment]
    return files


def fail_while(blind: Path) -> None:
    """Let every grab fail while there is that file."""
    whole = MSS.grab

    def grab(self: MSS, *area: Any) -> ScreenShot:
        if blind.exists():
            raise ScreenShotError("blinded")
        return whole(self, *area)

    MSS.grab = grab  # type: ignore[method-assign]


def play(options: list[str]) -> int:
    """Run the command; return the code that it ends with."""
    sys.argv = ["minebot", "play", "--json", *options]
    try:
        main()
    except SystemExit as ended:
        return int(ended.code or 0)


def play_into(files: list[IO[str]], options: list[str], out: str, errors: str, rounds: str) -> int:
    """Run the command with these files for its output, complaints and rounds; return its code."""
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
    """Play each run that a line asks for."""
    files, answers = note_rounds(), sys.stdout
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # between two runs; in a run the command hears it
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
