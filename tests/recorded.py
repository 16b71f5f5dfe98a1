"""Records of games on a simulated screen."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from bot.board import FirstClick
from bot.clicker import MaxPace
from bot.levels import BEGINNER, Level
from bot.play import BoardWatcher, GameResult, Look, Player, Round, Settings
from bot.record import About, load_record
from bot.record.record import LINES
from bot.record.recorder import Recorder, RecordingMouse
from bot.solver import STRATEGIES
from bot.targets import find_target
from bot.vision import load_skins
from fakes import FakeClock
from simulated import SimulatedScreen

SKINS = {skin.name: skin for skin in load_skins()}
ABOUT = About("0.1.0", "2026-11-22T05:30:00+01:00", "winemine", "safe", "fast", {"level": "beginner"})


class RecordedTable:
    """A player at a simulated screen whose run is recorded in ``folder``; ``told`` is said to the user."""

    def __init__(self, folder: Path, games: int = 2, level: Level = BEGINNER, seed: int = 0) -> None:
        self.clock, self.told = FakeClock(), list[str]()
        self.screen = SimulatedScreen(SKINS["winemine"], self.clock, level, seed, FirstClick.SAFE)
        self.recorder = Recorder(folder, ABOUT, self.clock.now, self.told.append)
        self.rounds: list[Round] = []
        self.ends: list[tuple[GameResult, Look]] = []
        self.on_round: Callable[[Round], None] = lambda _: None
        self.player = Player(
            BoardWatcher(self.screen, self.screen, list(SKINS.values()), self.clock, self.screen.window),
            RecordingMouse(self.screen, self.clock.now, self.recorder.sent),
            self.screen,
            find_target("winemine"),
            MaxPace(),
            self.clock,
            Settings(games=games, strategy=STRATEGIES["fast"]),
            on_round=self._on_round,
            on_end=self._on_end,
        )

    def play(self) -> None:
        """Play all games, and end the record."""
        for _ in self.player.play():
            pass
        self.recorder.close("done")

    def _on_round(self, turn: Round) -> None:
        self.rounds.append(turn)
        self.recorder.round(turn)
        self.on_round(turn)

    def _on_end(self, result: GameResult, look: Look) -> None:
        self.ends.append((result, look))
        self.recorder.end(result, look)


def without_pictures(record: Path, copy: Path, number: int) -> None:
    """Write a record to the folder ``copy`` without the pictures of one of its games."""
    game = next(game for game in load_record(record).games if game.number == number)
    lost = {seen.picture for seen in game.looks}
    lines = (record / LINES).read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if '"png"' not in line or json.loads(line)["picture"] not in lost]
    (copy / LINES).write_text("".join(kept), encoding="utf-8")
