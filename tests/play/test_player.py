"""Whole games on a simulated screen, with everything that can go wrong there."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bot.board import SHOWN_MINES, Board, Cell, State
from bot.desktop.protocols import Button, Visibility, Window
from bot.errors import (
    BotError,
    ContradictionError,
    GameNotFoundError,
    StoppedError,
    StuckError,
    UsageError,
    WindowError,
)
from bot.geometry import Pixels, Point, Rect
from bot.levels import EXPERT, Level
from bot.play.look import Look
from bot.play.next_step import RETRIES
from bot.play.results import Round, Settings
from bot.targets.catalogue import UNKNOWN, target_of_skin
from simulated import Faults, SimulatedScreen
from watched_player import WITH_COUNTER, WatchedPlayer, screen, watcher_of


def without_window(there: SimulatedScreen, settings: Settings | None = None) -> WatchedPlayer:
    return WatchedPlayer(there, settings, watcher=watcher_of(there, window=False))


@pytest.mark.parametrize("skin", WITH_COUNTER)
def test_ten_games(skin: str) -> None:
    """Every look is true, the final boards too; wins and losses are told apart."""
    table = WatchedPlayer(screen(skin), Settings(games=10))

    def check(turn: Round) -> None:
        assert turn.look.reading.board == table.screen.game.board

    vars(table)["round"] = check
    for result in table.player.play():
        assert result.won is table.screen.game.won
        assert table.ends[-1].reading.board == table.screen.game.board
        assert (result.misreads, result.retries) == (0, 0)
        assert result.spent.total >= (result.bbbv or 0) * (result.won is True)
    assert len(table.truth) == 10
    assert table.truth.count(True) >= 7


def test_lost_clicks_are_sent_again() -> None:
    table = WatchedPlayer(screen(faults=Faults(lose=lambda number: number % 5 == 0)), Settings(games=3))
    retries = sum(result.retries for result in table.play())
    assert retries >= 3
    assert sum(result.seconds for result in table.results) < 2 * retries  # of the screen's clock


def test_a_cell_that_never_opens_stops_the_bot() -> None:
    table = WatchedPlayer(screen(faults=Faults(lose=lambda _: True)))
    table.fails(StuckError, "clicks on the cell at row .* had no effect")
    assert len(table.screen.clicks) == 1 + RETRIES


def test_late_answers_are_waited_for() -> None:
    table = WatchedPlayer(screen(faults=Faults(delay=0.2)), Settings(games=2))
    assert sum(result.retries for result in table.play()) == 0


def test_words_across_a_finished_board_are_waited_for() -> None:
    table = WatchedPlayer(screen(faults=Faults(words=5.0)), Settings(games=2))
    assert len(table.play()) == 2
    assert table.screen.clock.now() > 10


@pytest.mark.parametrize("delay", [0.0, 0.005, 0.03, 0.1, 0.3])
def test_dialogs_after_a_win_are_taken(delay: float) -> None:
    table = WatchedPlayer(screen(faults=Faults(popup_after_win=True, popup_delay=delay)), Settings(games=4))
    wins = sum(result.won is True for result in table.play())
    assert wins >= 2
    assert table.screen.keys.count(("enter",)) == 2 * wins
    assert not table.screen.dialogs
    assert None not in {cell for cell, _ in table.screen.clicks}


def test_a_dialog_in_the_way_at_the_start_is_closed() -> None:
    there = screen(faults=Faults(popup_after_win=True))
    while not there.game.over:
        mines = there.game.mines or frozenset()
        covered = [cell for cell in there.game.board.cells(State.COVERED) if cell not in mines]
        there.click(there.point(covered[0]))
    assert there.dialogs
    assert len(WatchedPlayer(there).play()) == 1


def test_a_hand_on_the_mouse_stops_within_one_click() -> None:
    there = screen()

    def take_the_mouse(number: int) -> None:
        if number == 7:
            there.at = Point(there.at.x + 30, there.at.y)

    there.on_click = take_the_mouse
    WatchedPlayer(there, Settings(games=20)).fails(StoppedError, "moved by hand")
    assert len(there.clicks) == 7


def test_escape_stops_within_one_click() -> None:
    there = screen()
    there.on_click = lambda number: setattr(there, "escape", number >= 5)
    WatchedPlayer(there, Settings(games=20)).fails(StoppedError, "Esc")
    assert len(there.clicks) == 5


@pytest.mark.parametrize("how", [Visibility.CLOSED, Visibility.MINIMISED])
def test_no_click_goes_where_the_window_was_at_full_speed(how: Visibility) -> None:
    there = screen()
    there.on_click = lambda number: setattr(
        there, "visibility_now", how if number == 6 else Visibility.VISIBLE
    )
    WatchedPlayer(there, Settings(games=20)).fails(WindowError, how.value)
    assert len(there.clicks) == 6


def test_a_hand_before_the_first_click_stops_it() -> None:
    there = screen()
    table = WatchedPlayer(there)
    find = table.watcher.find

    def move_meanwhile(*options: Any, **more: Any) -> Look:
        there.at = Point(there.at.x + 40, there.at.y)
        return find(*options, **more)

    table.watcher.find = move_meanwhile  # type: ignore[method-assign]
    table.fails(StoppedError, "moved by hand")
    assert not there.clicks


def test_a_stop_after_the_last_click_does_not_lose_the_game() -> None:
    there = screen(seed=0)
    there.on_click = lambda _: setattr(there, "escape", there.game.won)
    table = WatchedPlayer(there, Settings(games=5))
    table.fails(StoppedError, "Esc")
    assert table.results[-1].won


def test_a_moved_window_is_followed() -> None:
    there = screen(level=EXPERT, seed=4)

    def move(number: int) -> None:
        if number in (5, 12):
            there.place = Point(there.place.x + 37, there.place.y + 11)

    there.on_click = move
    WatchedPlayer(there).play()
    assert len(there.clicks) > 12
    assert None not in {cell for cell, _ in there.clicks}


class Slipping(SimulatedScreen):
    """Its window is moved by a cell just as the fourth click goes off, which so hits another cell."""

    def click(self, point: Point, button: Button = Button.LEFT, hold: float = 0.0) -> None:
        if len(self.clicks) == 3:
            self.place = Point(self.place.x + 32, self.place.y)
        super().click(point, button, hold)


class Pressing(SimulatedScreen):
    """Its second click presses a cell whose release it does not hear, until the next click."""

    def _do(self, cell: Cell, button: Button) -> None:
        if len(self.clicks) == 2:
            board = self.game.board
            self._pending.append((self.clock.now(), board.replace({cell: 0})))
        else:
            super()._do(cell, button)


class Boxed(SimulatedScreen):
    """A box comes up over the board in a game, hears no key, and goes at a click on its button."""

    box, button, closed = Rect(44, 92, 96, 80), Rect(82, 146, 32, 18), False

    def _window_picture(self) -> Pixels:
        picture = super()._window_picture()
        if len(self.clicks) >= 3 and not self.closed:
            for rect, grey in ((self.box, 250), (self.button, 60)):
                picture[rect.y : rect.bottom, rect.x : rect.right] = grey
        return picture

    def click(self, point: Point, button: Button = Button.LEFT, hold: float = 0.0) -> None:
        self.closed |= self.button.moved(self.place.x, self.place.y).contains(point)
        super().click(point, button, hold)


@pytest.mark.parametrize(
    ("kind", "skin"), [(Slipping, "winmine"), (Pressing, "winemine"), (Boxed, "winemine")]
)
def test_a_game_that_takes_a_click_wrong_is_played_to_its_end(kind: type[SimulatedScreen], skin: str) -> None:
    there = screen(skin, kind=kind, seed=10_000_003)
    WatchedPlayer(there).play()
    assert there.game.over
    assert len(there.clicks) > 4
    if isinstance(there, Boxed):
        assert there.closed
    if isinstance(there, Pressing):
        assert there.clicks[1] == there.clicks[2]


class Painted(Boxed):
    """What looks like a button is painted over a cell; a lost game shows all its mines as flags."""

    def _window_picture(self) -> Pixels:
        self.faults.misdraw = self._as_won
        return super()._window_picture()

    def _as_won(self, board: Board) -> Board:
        return board.replace(dict.fromkeys(board.cells(*SHOWN_MINES), State.FLAG))


@pytest.mark.parametrize(("seed", "outcome"), [(0, "lost"), (2, "won"), (7, "unknown"), (17, "lost")])
def test_a_click_on_a_painted_button_counts_as_one_that_may_have_hit_the_cell(
    seed: int, outcome: str
) -> None:
    table = WatchedPlayer(screen(kind=Painted, seed=seed), Settings(games=1), target=UNKNOWN)
    (result,) = table.player.play()
    assert result.outcome == outcome
    assert table.screen.game.won is (outcome != "lost")


def test_a_number_that_changes_is_looked_at_again_and_then_stops_play() -> None:
    there = screen(seed=3)

    def lie(board: Board) -> Board:
        ones = board.cells(1)
        return board.replace({ones[0]: 2}) if len(there.clicks) > 4 and ones else board

    there.faults.misdraw = lie
    table = WatchedPlayer(there, Settings(games=5))
    table.fails(ContradictionError, "kept.png")
    assert len(table.kept) == 1


class Glitch:
    """Draws a screen's board wrongly, as ``wrong`` has it, for some seconds from the fourth click on."""

    def __init__(self, there: SimulatedScreen, seconds: float, wrong: Callable[[Board], Board]) -> None:
        self.there, self.seconds, self.wrong = there, seconds, wrong
        self.until = 0.0
        there.on_click, there.faults.misdraw = self._begin, self._drawn

    def _begin(self, number: int) -> None:
        if number == 4:
            self.until = self.there.clock.time + self.seconds

    def _drawn(self, board: Board) -> Board:
        return self.wrong(board) if self.there.clock.time < self.until else board


def test_a_glitch_that_passes_is_only_noted() -> None:
    there = screen(seed=3)
    table = WatchedPlayer(there)
    Glitch(there, 0.8, lambda board: board.replace(dict.fromkeys(board.cells(1), 8)))
    (result,) = table.play()
    assert result.misreads >= 1
    assert not table.kept


def test_a_mine_that_was_misread_for_a_moment_ends_no_game() -> None:
    there = screen(seed=3)
    glitch = Glitch(there, 0.2, lambda board: board.replace({board.cells(State.COVERED)[0]: State.MINE}))
    WatchedPlayer(there).play()
    assert glitch.until > 0
    assert there.game.over


def test_an_unreadable_cell_is_not_clicked_on() -> None:
    there = screen(seed=3)
    draw = there._window_picture

    def smear() -> Pixels:
        picture = draw()
        if len(there.clicks) >= 3:
            picture[60 + 16 * 4 : 60 + 16 * 5, 12 + 16 * 4 : 12 + 16 * 5] = (200, 30, 200)
        return picture

    there._window_picture = smear  # type: ignore[method-assign]
    table = WatchedPlayer(there)
    table.fails(ContradictionError, "cannot be read")
    assert table.kept[0].reading.unreadable == [Cell(4, 4)]


class Redrawn(SimulatedScreen):
    """A game that draws each covered cell in a colour of its own from the first click on."""

    def _window_picture(self) -> Pixels:
        picture, colours = super()._window_picture(), np.random.default_rng(1).uniform(0.2, 1, (9, 9, 3))
        for cell in self.shown.cells(State.COVERED) if self.clicks else ():
            place = self.grid.cell_rect(cell).moved(-self.place.x, -self.place.y).cut(picture)
            place[:] = place * colours[cell]
        return picture


def test_covered_cells_that_are_drawn_anew_are_not_waited_for_long() -> None:
    there = screen("winmine", kind=Redrawn, seed=3)
    table = WatchedPlayer(there, target=UNKNOWN)
    table.fails(ContradictionError, "kept.png")
    (words,) = table.told
    assert "drawn its covered cells anew" in words
    assert there.clock.time < 30
    assert len(there.clicks) == 1


def test_no_board_in_the_window() -> None:
    there = screen()
    there._window_picture = lambda: np.full((300, 300, 3), 90, np.uint8)  # type: ignore[method-assign]
    WatchedPlayer(there).fails(GameNotFoundError, "shows no board")
    assert not there.clicks


def test_no_board_on_the_screen() -> None:
    there = screen()
    there.visibility_now = Visibility.CLOSED
    without_window(there).fails(GameNotFoundError, "no Minesweeper")


def test_a_board_partly_off_the_screen_is_not_played() -> None:
    there = screen()
    there.place = Point(-240, 80)
    WatchedPlayer(there).fails(WindowError, "partly off the screen|hidden at the left")
    without_window(there).fails(BotError, "no Minesweeper|partly off the screen|hidden at the left")
    assert not there.clicks


def test_a_whole_board_at_the_edge_of_the_screen_is_played() -> None:
    there = screen()
    there.place, there.listed = Point(-200, 80), False  # a part of its window is off the screen
    without_window(there).play()


def test_no_key_is_pressed_for_a_game_without_window() -> None:
    there = screen("winmine")
    there.listed = False
    without_window(there, Settings(level=EXPERT)).fails(UsageError, "level")
    assert not there.clicks
    without_window(there, Settings(games=2)).fails(StuckError, "start one by hand")
    assert not there.keys
    assert there.game.over


def test_no_key_goes_to_another_program() -> None:
    there = screen()
    there.on_click = lambda _: setattr(there, "keyboard", False)
    WatchedPlayer(there, Settings(games=2)).fails(WindowError, "another window has the keyboard")
    assert not there.keys
    assert there.game.over


def test_a_board_found_by_picture_is_followed_in_its_window() -> None:
    there = screen(level=EXPERT, seed=4)
    there.on_click = lambda number: setattr(there, "place", Point(100 + 5 * number % 40, 80))
    table = without_window(there)
    table.play()
    assert table.watcher.place.window is not None
    assert None not in {cell for cell, _ in there.clicks}


def test_a_finished_board_is_started_anew() -> None:
    there = screen(seed=8)
    there.click(there.point(Cell(0, 0)))
    there.click(there.point(next(iter(there.game.mines or ()))))
    clicks = len(there.clicks)
    (result,) = WatchedPlayer(there).play()
    assert there.keys == [("f2",)]
    assert len(there.clicks) - clicks == result.spent.total


# Games that hide their end: a dialog comes up over the board, and closing it begins the next one


class HiddenEnds(SimulatedScreen):
    """A dialog covers the board when a game ends, and its button begins the next one."""

    def _do(self, cell: Cell, button: Button) -> None:
        super()._do(cell, button)
        if self.game.over:
            box = Rect(self.place.x, self.place.y, 180, 240)
            self._to_come = [Window(7, "won" if self.game.won else "lost", "#32770", "", box)]

    def press(self, *keys: str, **_: object) -> None:
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

    def press(self, *keys: str, **_: object) -> None:
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
    """Where closing it begins another one all the same, as in WineMine, nobody knows how the first ended."""
    there = screen("winmine", Level(9, 9, 15), game, seed=5)
    table = WatchedPlayer(there, target="winmine")
    table.play()
    assert ("enter",) not in there.keys
    assert there.game.over
    assert any("another game was started" in words for words in table.told) is not game.harmless


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


@pytest.mark.parametrize("shortest", [0.015, 0.05])
def test_buttons_are_held_in_a_program_that_misses_short_clicks(shortest: float) -> None:
    there = screen(seed=3, faults=Faults(shortest=shortest))
    table = WatchedPlayer(there)
    (result,) = table.play()
    assert [words for words in table.told if "short clicks" in words]
    assert result.rounds > 3
    assert table.player.clicker.hold >= shortest


def test_a_lost_click_does_not_make_all_later_ones_longer() -> None:
    there = screen(seed=3, faults=Faults(lose=lambda number: number in (2, 3, 4)))
    table = WatchedPlayer(there)
    table.play()
    assert table.told == []
    assert table.player.clicker.hold == 0
