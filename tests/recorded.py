"""Records of games on a simulated screen."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from bot.board import FirstClick
from bot.levels import BEGINNER, Level
from bot.play.look import Look
from bot.play.results import GameResult, Round, Settings
from bot.record.lines import LINES, RunInfo, load_record
from bot.record.recorder import Recorder, RecordingMouse
from bot.solver import STRATEGIES
from watched_player import WatchedPlayer, screen

ABOUT = RunInfo(
    "0.1.0", "2026-11-22T05:30:00+01:00", "winemine", FirstClick.SAFE, "fast", {"level": "beginner"}
)


class RecordedTable(WatchedPlayer):
    """A player at a simulated screen whose run is recorded in ``folder``."""

    def __init__(self, folder: Path, games: int = 2, level: Level = BEGINNER, seed: int = 0) -> None:
        there = screen(level=level, seed=seed)
        self.clock, now = there.clock, there.clock.now
        self.looked: Callable[[Round], None] = lambda _: None
        mouse = RecordingMouse(there, now, lambda sent: self.recorder.sent(sent))
        super().__init__(there, Settings(games, strategy=STRATEGIES["fast"]), mouse=mouse)
        self.recorder = Recorder(folder, ABOUT, now, self.tell)

    def play(self) -> list[GameResult]:
        """Play all games, and end the record."""
        super().play()
        self.recorder.close("done")
        return self.results

    def round(self, turn: Round) -> None:
        super().round(turn)
        self.recorder.round(turn)
        self.looked(turn)

    def end(self, result: GameResult, look: Look) -> None:
        super().end(result, look)
        self.recorder.end(result, look)


def without_pictures(record: Path, copy: Path, number: int) -> None:
    """Write a record to the folder ``copy`` without the pictures of one of its games."""
    game = next(game for game in load_record(record).games if game.number == number)
    lost = {seen.picture for seen in game.looks}
    lines = (record / LINES).read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if '"png"' not in line or json.loads(line)["picture"] not in lost]
    (copy / LINES).write_text("".join(kept), encoding="utf-8")
