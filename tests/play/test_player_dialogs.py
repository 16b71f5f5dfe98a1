"""Games that hide their end: a dialog comes up over the board, and closing it begins the next one."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from bot.board import Cell
from bot.desktop.protocols import Button, Visibility, Window
from bot.geometry import Rect
from bot.levels import Level
from bot.play import Settings
from bot.targets import target_of_skin
from simulated import SimulatedScreen
from watched_player import WatchedPlayer, screen


class HiddenEnds(SimulatedScreen):
    """A dialog covers the board when a game ends, and its button begins the next one."""

    def _do(self, cell: Cell, button: Button) -> None:
        super()._do(cell, button)
        if self.game.over:
            box = Rect(self.place.x, self.place.y, 180, 240)
            self._to_come = [Window(7, "won" if self.game.won else "lost", "#32770", "", box)]

    def press(self, *keys: str) -> None:
        ended = bool(self.dialogs)
        super().press(*keys)
        self._begin(ended)

    def ask_to_close(self, window: Window) -> None:
        ended = bool(self.dialogs)
        super().ask_to_close(window)
        self._begin(ended)

    def _begin(self, ended: bool) -> None:
        if ended and not self.dialogs:
            super().press("f2")


class DeafEnds(HiddenEnds):
    """The dialog comes up beside the board, which stays as it was before the last click."""

    def _do(self, cell: Cell, button: Button) -> None:
        super()._do(cell, button)
        box = Rect(self.place.x, self.place.y + 300, 180, 60)
        self._to_come = [replace(dialog, client=box) for dialog in self._to_come]

    def _show(self) -> None:
        if not self.game.over:
            super()._show()

    def visibility(self, window: Window, area: Rect) -> Visibility:  # noqa: ARG002
        return self.visibility_now


@pytest.mark.parametrize("game", [HiddenEnds, DeafEnds])
def test_games_that_hide_their_end_are_played_on(game: type[HiddenEnds]) -> None:
    there = screen("winmine", Level(9, 9, 15), game, seed=5)
    player = WatchedPlayer(there, Settings(games=5), target=target_of_skin("winmine")).player
    truth: dict[int, bool] = {}
    show = there._show

    def note() -> None:
        if there.game.over:
            truth[there.seed] = there.game.won
        show()

    there._show = note  # type: ignore[method-assign]
    results = [result.won for result in player.play()]
    ends = [truth[seed] for seed in sorted(truth)][: len(results)]
    assert results == ends
    assert set(results) == {True, False}


class CustomLevel(SimulatedScreen):
    """After the third click of the first game a hand opens the dialog for a custom level over the board.

    Its default button begins another game, and so does closing it where that is not ``harmless``.
    """

    harmless = True

    def _do(self, cell: Cell, button: Button) -> None:
        super()._do(cell, button)
        if len(self.clicks) == 3:
            self._to_come = [Window(7, "Custom", "#32770", "", Rect(self.place.x, self.place.y, 180, 240))]

    def press(self, *keys: str) -> None:
        ended = bool(self.dialogs)
        super().press(*keys)
        if ended and not self.dialogs:
            super().press("f2")

    def ask_to_close(self, window: Window) -> None:
        super().ask_to_close(window)
        if not self.harmless:
            super().press("f2")


class Restarting(CustomLevel):
    harmless = False


@pytest.mark.parametrize("game", [CustomLevel, Restarting])
def test_the_dialog_for_a_custom_level_ends_no_game(game: type[CustomLevel]) -> None:
    """Where closing it begins another one all the same, as in WineMine, the first does not count."""
    there = screen("winmine", Level(9, 9, 15), game, seed=5)
    table = WatchedPlayer(there, target="winmine")
    table.play()
    assert ("enter",) not in there.keys
    assert there.game.over
    assert any("another game was begun" in words for words in table.told) is not game.harmless


class LeftOpen(SimulatedScreen):
    """A name is still asked for from a game before; the times follow it a moment later, below the game."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        box = Rect(self.place.x, self.place.y + 300, 180, 60)
        self._to_come = [Window(7, "Name", "#32770", "", box), Window(8, "Times", "#32770", "", box)]

    def ask_to_close(self, window: Window) -> None:
        super().ask_to_close(window)
        self._next_dialog = math.inf

    def raise_window(self, window: Window) -> None:
        super().raise_window(window)
        self._next_dialog = self.clock.now()

    def visibility(self, window: Window, area: Rect) -> Visibility:  # noqa: ARG002
        return self.visibility_now


def test_a_dialog_that_follows_the_one_of_a_game_before_takes_no_click() -> None:
    there = screen(kind=LeftOpen, seed=5)
    (result,) = WatchedPlayer(there).play()
    assert result.retries == 0
    assert not there.dialogs
