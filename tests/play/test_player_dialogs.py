"""Games that hide their end: a dialog comes up over the board, and closing it begins the next one."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bot.board import Board, Cell
from bot.clicker import MaxPace
from bot.desktop.protocols import Button, Visibility, Window
from bot.geometry import Frame, Rect
from bot.levels import Level
from bot.play import BoardWatcher, Look, Player, Settings
from bot.play.evidence import Endings, Evidence, Phase, may_be_won
from bot.play.look import Past
from bot.targets import find_target, target_of_skin
from bot.vision import load_skins
from bot.vision.reading import GameState
from fakes import FakeClock
from simulated import SimulatedScreen, reading_of

SKINS = {skin.name: skin for skin in load_skins()}
OPENED = Board.from_rows(["0001.", "0001.", "0001."], 2)
PAST = Past(OPENED, frozenset({Cell(0, 0)}))


def test_fresh_board_in_the_place_of_an_opened_one_is_the_next_game() -> None:
    fresh, frame = Board.covered(3, 5, 2), Frame(np.zeros((1, 1, 3), np.uint8))

    def phase(board: Board, past: Board, risk: float = 0.5, dialogs: tuple[str, ...] = ("over",)) -> Phase:
        evidence = Evidence(
            Look(frame, reading_of(board)), replace(PAST, board=past), risk=risk, dialogs=dialogs
        )
        return Endings().conclude(evidence).phase

    assert phase(fresh, OPENED) is Phase.OVER
    assert phase(OPENED, OPENED) is Phase.PLAYING
    assert phase(Board.covered(5, 3, 2), OPENED) is Phase.PLAYING
    assert phase(fresh, fresh) is Phase.OVER  # the first click hit a mine
    assert phase(fresh, fresh, risk=0.0) is Phase.PLAYING
    assert phase(fresh, fresh, dialogs=()) is Phase.PLAYING


def told(endings: Endings, past: Past, risk: float, title: str) -> GameState:
    fresh = reading_of(Board.covered(3, 5, 2))
    look = Look(Frame(np.zeros((1, 1, 3), np.uint8)), fresh, "a number changed")
    ended = endings.conclude(Evidence(look, past, risk=risk, dialogs=(title,)))
    assert ended.phase is Phase.OVER
    assert ended.look.reading.board == past.board
    assert ended.look.doubt is None
    return ended.look.reading.state


def test_proved_click_wins_and_a_guess_that_leaves_too_much_loses() -> None:
    assert told(Endings(), PAST, 0.0, "over") is GameState.WON
    more = replace(PAST, board=Board.from_rows(["0012.", "0012.", "0012."], 1))
    assert told(Endings(), more, 0.2, "over") is GameState.LOST


def test_guess_at_the_last_cell_is_a_win_if_the_dialog_is_that_of_one_and_losses_have_another() -> None:
    endings = Endings()
    more = replace(PAST, board=Board.from_rows(["0012.", "0012.", "0012."], 1))
    assert told(endings, PAST, 0.5, "hurray") is GameState.RUNNING  # nobody knows
    assert told(endings, PAST, 0.0, "hurray") is GameState.WON
    assert told(endings, PAST, 0.5, "hurray") is GameState.RUNNING  # a loss may be told by the same title
    assert told(endings, more, 0.2, "alas") is GameState.LOST
    assert told(endings, PAST, 0.5, "hurray") is GameState.WON
    assert told(endings, PAST, 0.5, "alas") is GameState.LOST
    assert told(endings, PAST, 0.5, "well") is GameState.RUNNING


def test_title_that_comes_after_both_tells_nothing() -> None:
    endings = Endings()
    more = replace(PAST, board=Board.from_rows(["0012.", "0012.", "0012."], 1))
    assert told(endings, PAST, 0.0, "over") is GameState.WON
    assert told(endings, more, 0.2, "over") is GameState.LOST
    assert told(endings, PAST, 0.5, "over") is GameState.RUNNING


def test_a_game_may_be_won_once_all_but_the_mines_was_clicked() -> None:
    rest = frozenset({Cell(row, col) for row in range(3) for col in range(4)} | {Cell(0, 4)})
    assert may_be_won(replace(PAST, clicked=rest))
    assert not may_be_won(replace(PAST, clicked=rest - {Cell(0, 4)}))
    assert may_be_won(replace(PAST, board=Board(OPENED.states, None), clicked=None))


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
    there = game(SKINS["winmine"], FakeClock(), Level(9, 9, 15), seed=5)
    watcher = BoardWatcher(
        there, there, list(SKINS.values()), there.clock, there.window, None, there.position
    )
    player = Player(
        watcher, there, there, target_of_skin("winmine"), MaxPace(), there.clock, Settings(games=5)
    )
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
    there, told = game(SKINS["winmine"], FakeClock(), Level(9, 9, 15), seed=5), list[str]()
    watcher = BoardWatcher(
        there, there, list(SKINS.values()), there.clock, there.window, None, there.position
    )
    target, pace = find_target("winmine"), MaxPace()
    player = Player(watcher, there, there, target, pace, there.clock, Settings(games=1), tell=told.append)
    (result,) = player.play()
    assert ("enter",) not in there.keys
    assert result.won == there.game.won
    assert there.game.over
    assert any("another game was begun" in words for words in told) is not there.harmless


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
    there = LeftOpen(SKINS["winemine"], FakeClock(), Level(9, 9, 10), seed=5)
    watcher = BoardWatcher(
        there, there, list(SKINS.values()), there.clock, there.window, None, there.position
    )
    player = Player(watcher, there, there, find_target("winemine"), MaxPace(), there.clock, Settings(games=1))
    (result,) = player.play()
    assert result.retries == 0
    assert not there.dialogs
