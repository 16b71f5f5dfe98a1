"""A player at a simulated screen, with notes of all that happened."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from bot.capture import PatientCapture
from bot.clicker.pace import Pace
from bot.desktop.protocols import Mouse
from bot.errors import BotError
from bot.levels import BEGINNER, Level
from bot.play.look import Look
from bot.play.orders import Control
from bot.play.player import Player
from bot.play.results import GameResult, Observer, Round, Settings
from bot.play.watcher import BoardWatcher
from bot.stop import Stop
from bot.targets.catalogue import Target, find_target
from bot.verdict import NEXT
from bot.vision import Skin, load_skins
from fakes import FakeClock
from simulated import SimulatedScreen

SKINS = {skin.name: skin for skin in load_skins()}
WITH_COUNTER = sorted(name for name, skin in SKINS.items() if skin.counter is not None)


def screen(
    skin: str = "winemine",
    level: Level = BEGINNER,
    kind: type[SimulatedScreen] = SimulatedScreen,
    step: float = 0.0,
    **options: object,
) -> SimulatedScreen:
    """Return a screen with a new game; every look at its clock takes ``step`` seconds."""
    return kind(SKINS[skin], FakeClock(step=step), level, **options)  # type: ignore[arg-type]


def watcher_of(
    there: SimulatedScreen,
    skins: Iterable[Skin] = tuple(SKINS.values()),
    *,
    window: bool = True,
    mines: int | None = None,
    stop: Stop | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> BoardWatcher:
    """Return a watcher of the screen; without ``window`` it has to find the board by its picture."""
    known = there.window if window else None
    capture = PatientCapture(there, there.clock, there, stop, tell)
    return BoardWatcher(capture, list(skins), known, mines, there.position)


class WatchedPlayer(Observer):
    """A player at a simulated screen, and what it did, told and asked to keep."""

    def __init__(
        self,
        there: SimulatedScreen,
        settings: Settings | None = None,
        pace: Pace | None = None,
        target: Target | str = "winemine",
        watcher: BoardWatcher | None = None,
        control: Control | None = None,
        mouse: Mouse | None = None,
    ) -> None:
        self.screen = there
        stop = None if control is None else control.stop
        self.watcher = watcher or watcher_of(there, stop=stop, tell=self.tell)
        self.rounds: list[Round] = []
        self.ends: list[Look] = []
        self.truth: list[bool] = []  # how each game has ended
        self.kept: list[Look] = []
        self.told: list[str] = []
        self.results: list[GameResult] = []
        self.player = Player(
            self.watcher,
            mouse or there,
            replace(
                settings or Settings(),
                target=find_target(target) if isinstance(target, str) else target,
                pace=pace,
            ),
            self,
            control or Control(self.watcher.capture.stop, there.clock, buttons=True),
        )

    def round(self, turn: Round) -> None:
        self.rounds.append(turn)

    def end(self, _: GameResult, look: Look) -> None:
        self.ends.append(look)
        self.truth.append(self.screen.game.won)

    def tell(self, words: str) -> None:
        self.told.append(words)

    def keep(self, look: Look) -> str:
        self.kept.append(look)
        return "kept.png"

    def play(self) -> list[GameResult]:
        """Play all games; their results have to be true. The end of a game that was replaced is unknown."""
        for result in self.player.play():
            self.results.append(result)
        for result, truth in zip(self.results, self.truth, strict=True):
            assert result.won is (None if NEXT in result.concluded else truth)
            assert result.seconds >= 0
        return self.results

    def fails(self, kind: type[BotError], words: str) -> None:
        """Play and see that it stops with that error."""
        with pytest.raises(kind, match=words):
            self.play()
