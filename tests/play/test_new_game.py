"""How the next game is started: by a key, by a button beside the board, or by the user."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from bot.board import Cell, FirstClick, State
from bot.desktop import stop_by_key
from bot.desktop.protocols import Button, Visibility, Window
from bot.errors import StuckError, ViewChangedError, WindowClosedError
from bot.geometry import Grid, Pixels, Point, Rect
from bot.levels import EXPERT
from bot.play.orders import Control
from bot.play.results import GameResult, Settings
from bot.targets.catalogue import UNKNOWN, Target, find_target, target_of_skin
from bot.verdict import Circumstances, GameState, Verdict
from bot.vision.panel.buttons import find_box_button, find_buttons
from simulated import SimulatedScreen, WithButton, raised
from watched_player import WatchedPlayer, screen, watcher_of


class HelpedPlayer(WatchedPlayer):
    """A player whose user begins a game by hand as soon as that is asked for."""

    def tell(self, words: str) -> None:
        super().tell(words)
        self.screen.at = Point(500, 300)  # the hand may move the mouse: that is no wish to stop
        SimulatedScreen.press(self.screen, "f2")


def played(there: SimulatedScreen, games: int) -> list[str]:
    """Play on a screen with a game that nothing is known of; return what the user was told."""
    table = HelpedPlayer(there, Settings(games), target=UNKNOWN)
    assert len(table.play()) == games
    return table.told


def test_a_button_above_the_board_is_found_by_sight_and_remembered() -> None:
    there = screen(kind=WithButton)
    assert played(there, 4) == []
    beside = [cell for cell, _ in there.clicks if cell is None]
    assert len(beside) == 3
    usual = [("f2",), ("n",)]
    assert there.keys[:5] == [*usual, ("enter",), *usual]  # the keys were tried, and once more without a box
    assert there.keys.count(("f2",)) == 2 + 3  # three come from the button


def test_the_user_is_asked_where_neither_key_nor_button_works() -> None:
    there = screen(kind=WithoutButton)
    told = played(there, 2)
    assert len(told) == 1
    assert "start a new game by hand" in told[0]


class WithoutButton(WithButton):
    button = None


class WithKey(WithButton):
    """A game without buttons; one key starts a game."""

    button = None

    def __init__(self, *args: Any, key: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self.key = key

    def press(self, *keys: str, **_: object) -> None:
        super().press(*keys)
        if keys == (self.key,):
            SimulatedScreen.press(self, "f2")


@pytest.mark.parametrize("key", ["space", "r", "f5"])
def test_other_keys_are_tried_last_if_that_is_allowed(key: str) -> None:
    there = screen(kind=WithKey, key=key)
    assert played(there, 4) == []
    assert there.keys.count((key,)) == 3
    asked = Asked(there := screen(kind=WithKey, key=key), answer=False)
    HelpedPlayer(there, Settings(games=2), target=UNKNOWN, control=asked.control).play()
    assert (key,) not in there.keys


class DealingOnce(WithButton):
    """A game that deals anew by itself after its first end, just as a key is pressed."""

    def press(self, *keys: str, **_: object) -> None:
        super().press(*keys)
        if self.keys == [("f2",)]:
            SimulatedScreen.press(self, "f2")


class WithButtonBeside(WithButton):
    """A game whose window has the button at the right of its board."""

    button = Rect(200, 80, 60, 24)

    @property
    def window(self) -> Window:
        window = super().window
        return replace(window, client=replace(window.client, width=280))

    def _window_picture(self) -> Pixels:
        picture = SimulatedScreen._window_picture(self)
        picture = np.pad(picture, ((0, 0), (0, 280 - picture.shape[1]), (0, 0)), mode="edge")
        raised(picture, self.button)
        return picture


class WithLineAtTheEnd(SimulatedScreen):
    """A program whose board is lower while a line above it tells how the game ended."""

    line = 25  # pixels

    @property
    def window(self) -> Window:
        client = super().window.client
        return replace(super().window, client=replace(client, height=client.height + self.line))

    @property
    def grid(self) -> Grid:
        return super().grid.moved(0, self.line * self.game.over)

    def _window_picture(self) -> Pixels:
        above = self.line * self.game.over
        return np.pad(super()._window_picture(), ((above, self.line - above), (0, 0), (0, 0)), mode="edge")


def test_a_board_that_moves_when_the_next_game_begins_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was learned of its art may not be enough to follow it there."""
    there = screen("winmine", kind=WithLineAtTheEnd)
    table = WatchedPlayer(there, Settings(3), target=UNKNOWN, watcher=watcher_of(there, ()))
    monkeypatch.setattr(table.watcher, "_was_moved", lambda *_: False)
    results = list(table.player.play())
    assert [result.won is not None for result in results] == [True] * 3
    assert table.told == []


class WithNewWindow(WithButton):
    """A program that replaces its window to start a game."""

    handle = 1

    @property
    def window(self) -> Window:
        return replace(super().window, handle=self.handle)

    def refresh(self, window: Window) -> Window | None:
        return super().refresh(window) if window.handle == self.handle else None

    def has_keyboard(self, window: Window) -> bool:
        return super().has_keyboard(replace(window, handle=1))

    def click(self, point: Point, button: Button = Button.LEFT, hold: float = 0.0) -> None:
        seed = self.seed
        super().click(point, button, hold)
        self.handle += 10 * (self.seed - seed)


class WithWindowAfterMessage(WithNewWindow):
    """A program that says how the game ended in a dialog, and replaces its window once that is closed."""

    button = None

    def _do(self, cell: Cell, button: Button) -> None:
        over = self.game.over
        super()._do(cell, button)
        if self.game.over and not over:
            self._to_come = [Window(7, "The end", "#32770", "", Rect(150, 160, 90, 60))]

    def popups(self, window: Window) -> list[Window]:
        return list(self.dialogs) if window.handle == self.handle else []

    def press(self, *keys: str, **_: object) -> None:
        if self.dialogs and keys == ("enter",):
            self._to_come.clear()
            self.begin()
            self.handle += 10


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_window_that_replaces_another_once_a_message_is_closed_is_played_in(seed: int) -> None:
    there = screen(kind=WithWindowAfterMessage, seed=seed)
    assert isinstance(there, WithWindowAfterMessage)
    table = WatchedPlayer(there, Settings(3), target=UNKNOWN)
    results = [result for result in table.player.play() if result.won is not None]
    assert len(results) == 3
    assert there.handle == 31


class WithMessageAboutALoss(SimulatedScreen):
    """A program that tells a loss in a dialog, and does not show the mine that was clicked."""

    def _do(self, cell: Cell, button: Button) -> None:
        super()._do(cell, button)
        if self.game.over and not self.game.won:
            self._pending.pop()
            self._to_come = [Window(7, "Try again?", "#32770", "", Rect(150, 160, 90, 60))]


class WithLastMessage(WithMessageAboutALoss):
    """Such a program that ends once its message is closed."""

    def ask_to_close(self, window: Window) -> None:
        super().ask_to_close(window)
        self.visibility_now = Visibility.CLOSED

    def raise_window(self, window: Window) -> None:
        if self.visibility_now is Visibility.CLOSED:
            raise WindowClosedError("the window 'Simulated' is closed")
        super().raise_window(window)


@pytest.mark.parametrize("kind", [WithMessageAboutALoss, WithLastMessage])
@pytest.mark.parametrize("seed", [1, 8])
def test_a_loss_that_only_a_message_tells_is_reported(kind: type[SimulatedScreen], seed: int) -> None:
    there = screen("winmine", EXPERT, kind=kind, seed=seed, rule=FirstClick.ANY)
    player, results = WatchedPlayer(there, target=UNKNOWN).player, list[GameResult]()
    with suppress(WindowClosedError):
        results.extend(player.play())
    (result,) = results
    assert result.outcome == "lost"
    assert there.game.over
    assert not there.game.won


class WithDeafMenu(SimulatedScreen):
    """At its end a menu is over the board, as after a right click in a browser; only a click closes it."""

    menu = False

    def click(self, point: Point, button: Button = Button.LEFT, hold: float = 0.0) -> None:
        if self.menu:
            self.menu = False
            return
        super().click(point, button, hold)
        self.menu = self.game.over

    def popups(self, window: Window) -> list[Window]:
        area = Rect(self.at.x + 1, self.at.y + 1, 60, 20)
        return [Window(9, "", "", "", area, is_menu=True)] if self.menu and window.handle == 1 else []

    def visibility(self, window: Window, area: Rect) -> Visibility:
        return Visibility.COVERED if self.menu else super().visibility(window, area)

    def press(self, *keys: str, **_: object) -> None:
        if not self.menu:
            super().press(*keys)


class WithLateBox(WithButton):
    """A finished game that hears no button below a box; but for the first, it comes after an Enter."""

    boxed = True

    def press(self, *keys: str, **_: object) -> None:
        super().press(*keys)
        if keys == ("enter",):
            self.boxed = not self.boxed

    def click(self, point: Point, button: Button = Button.LEFT, hold: float = 0.0) -> None:
        if not (self.boxed and self.game.over):
            super().click(point, button, hold)


class WithMessage(WithButton):
    """A game that shows a message with each game begun by its button, and paints nothing until an Enter."""

    open, at_ends = False, False
    painted: Pixels

    def _window_picture(self) -> Pixels:
        if not self.open:
            self.painted = super()._window_picture()
        return self.painted

    def press(self, *keys: str, **_: object) -> None:
        super().press(*keys)
        self.open = self.open and keys != ("enter",)

    def click(self, point: Point, button: Button = Button.LEFT, hold: float = 0.0) -> None:
        self.at, seed = point, self.seed
        if not self.open:
            super().click(point, button, hold)
        self.open = self.open or (self.game.over if self.at_ends else self.seed != seed)


class WithMessageAtEnd(WithMessage):
    """A game that shows such a message as soon as it is over."""

    at_ends = True


def test_the_end_of_a_game_that_is_painted_after_a_message_is_seen() -> None:
    table = WatchedPlayer(screen(kind=WithMessageAtEnd), Settings(games=6), target=UNKNOWN)
    assert [result.won for result in table.play()] == table.truth
    assert {*table.truth} == {True, False}


class WithRow(WithButton):
    """A game with a row of buttons above its board, of which the one at the left starts a game."""

    button = Rect(14, 18, 24, 24)

    def _window_picture(self) -> Pixels:
        picture = super()._window_picture()
        for x in (46, 78, 110):
            raised(picture, Rect(x, 18, 24, 24))
        return picture


@pytest.mark.parametrize(
    ("kind", "games", "beside"),
    [
        (DealingOnce, 4, 2),  # the key that only seemed to work does not keep the button from being found
        (WithButtonBeside, 3, 2),
        (WithNewWindow, 3, 2),
        (WithDeafMenu, 2, 0),  # a click beside the board closes it, and is no click of the game
        (WithLateBox, 3, 2),  # the box is closed before the button is tried again
        (WithMessage, 3, 2),
        (WithRow, 2, 2),  # the button at the left is tried second
    ],
)
def test_the_next_game_begins_without_help(kind: type[SimulatedScreen], games: int, beside: int) -> None:
    there = screen(kind=kind)
    assert played(there, games) == []
    assert [cell for cell, _ in there.clicks].count(None) == beside
    if kind is WithNewWindow:
        assert there.keys.count(("n",)) == 2  # before the first click on the button only
    if kind is WithLateBox:
        assert there.keys.count(("enter",)) == 1 + 2


class Asked:
    """A user who is asked in the terminal, and answers after two seconds; no ``answer``: nobody is there."""

    def __init__(self, there: SimulatedScreen, answer: bool | None) -> None:
        self.there, self.answer, self.questions = there, answer, list[str]()
        ask = None if answer is None else self._ask
        self.control = Control(stop_by_key(there), there.clock, ask=ask)
        self.until = 0.0
        self.meanwhile: Callable[[], None] = lambda: None

    def _ask(self, question: str) -> bool | None:
        if question not in self.questions:
            self.questions.append(question)
            self.until = self.there.clock.time + 2
            self.meanwhile()
        self.there.at = Point(500, round(300 + self.there.clock.time))  # the hand is no wish to stop now
        return self.answer if self.there.clock.time > self.until else None


@pytest.mark.parametrize("target", [UNKNOWN, find_target("store"), target_of_skin("winemine")])
def test_the_user_is_asked_once_before_an_unknown_button_is_clicked(target: Target) -> None:
    there = screen(kind=WithButton)
    asked = Asked(there, answer=True)
    table = WatchedPlayer(there, Settings(games=4), target=target, control=asked.control)
    assert len(table.play()) == 4
    assert len(asked.questions) == 1
    assert len([cell for cell, _ in there.clicks if cell is None]) == 3


@pytest.mark.parametrize("answer", [True, False])
def test_a_game_that_the_user_begins_while_the_question_is_open_is_played(answer: bool) -> None:
    there = screen(kind=WithButton)
    asked = Asked(there, answer)
    table = WatchedPlayer(there, Settings(games=2), target=UNKNOWN, control=asked.control)

    def begin() -> None:
        SimulatedScreen.press(there, "f2")
        there.game.open(Cell(4, 4))
        there._show()

    asked.meanwhile = begin
    assert len(table.play()) == 2
    assert None not in [cell for cell, _ in there.clicks]


def test_no_unknown_button_is_clicked_if_the_user_says_no() -> None:
    there = screen(kind=WithButton)
    asked = Asked(there, answer=False)
    table = HelpedPlayer(there, Settings(games=3), target=UNKNOWN, control=asked.control)
    assert len(table.play()) == 3
    assert len(asked.questions) == 1
    assert ["start a new game by hand" in words for words in table.told] == [True] * 2
    assert None not in [cell for cell, _ in there.clicks]


class WithBox(WithButton):
    """A game that shows a box with a button over its cells as soon as it is over, and hears no key then."""

    button = None

    def _window_picture(self) -> Pixels:
        picture = super()._window_picture()
        if self.game.over:
            picture[70:150, 20:140] = 245
            raised(picture, Rect(56, 120, 48, 20))
        return picture

    def press(self, *keys: str, **_: object) -> None:
        if not self.game.over:
            super().press(*keys)


def test_a_game_that_ends_below_a_box_counts_though_nobody_can_answer() -> None:
    there = screen(kind=WithBox)
    table = WatchedPlayer(there, Settings(games=1), target=UNKNOWN, control=Asked(there, None).control)
    assert len(table.play()) == 1
    assert None not in [cell for cell, _ in there.clicks]


def test_it_stops_where_nobody_can_answer() -> None:
    there = screen(kind=WithButton)
    table = WatchedPlayer(there, Settings(games=3), target=UNKNOWN, control=Asked(there, None).control)
    table.fails(StuckError, "--yes")
    assert len(table.results) == 1
    assert None not in [cell for cell, _ in there.clicks]


class WithDeafButtons(SimulatedScreen):
    """Four buttons above the board, none of which starts a game."""

    def _window_picture(self) -> Pixels:
        picture = super()._window_picture()
        for x in (14, 46, 78, 110):
            raised(picture, Rect(x, 18, 24, 24))
        return picture

    def press(self, *keys: str, **_: object) -> None:
        self.keys.append(keys)


def test_no_more_than_three_unknown_buttons_are_clicked() -> None:
    there = screen(kind=WithDeafButtons)
    table = HelpedPlayer(there, Settings(2), target=UNKNOWN)
    assert len(table.play()) == 2
    assert len({there.clicks.index(each) for each in there.clicks if each[0] is None}) <= 3
    assert [cell for cell, _ in there.clicks].count(None) == 3


def test_the_button_of_a_known_program_needs_no_question() -> None:
    there = screen(kind=WithButton)
    known = replace(find_target("xdemineur"), skins=("winemine",))
    table = WatchedPlayer(there, Settings(games=2), target=known, control=Asked(there, None).control)
    assert len(table.play()) == 2


def test_a_key_that_works_is_kept_to() -> None:
    there = screen()
    table = WatchedPlayer(there, Settings(games=3), target=replace(UNKNOWN, new_game=()))
    assert len(table.play()) == 3
    assert there.keys == [("f2",)] * 2


@pytest.mark.parametrize("cell", [16, 24, 40])
def test_buttons_are_told_from_numbers_and_frames(cell: int) -> None:
    picture = np.full((cell * 14, cell * 12, 3), 200, np.uint8)
    grid = Grid(cell, 4 * cell, cell, cell, 9, 9)
    picture[2 * cell // 2 : 3 * cell, cell : cell + 3] = 90  # the side of a frame
    face = Rect(round(4.9 * cell), round(1.4 * cell), round(1.2 * cell), round(1.2 * cell))
    lower = Rect(2 * cell, round(13.2 * cell), 3 * cell, round(0.7 * cell))
    raised(picture, face)
    raised(picture, lower)
    found = find_buttons(picture, grid)
    assert len(found) == 2
    for box, true in zip(found, (face, lower), strict=True):
        assert abs(box.x - true.x) + abs(box.y - true.y) + abs(box.right - true.right) <= 2


@pytest.mark.parametrize(("wide", "high"), [(50, 28), (50, 50)])
def test_a_button_may_be_low_beside_large_or_wide_cells(wide: int, high: int) -> None:
    picture = np.full((high * 14, wide * 12, 3), 200, np.uint8)
    button = Rect(5 * wide, 3 * high, 50, 22)
    raised(picture, button)
    (found,) = find_buttons(picture, Grid(wide, 4 * high, wide, high, 9, 9))
    assert found.intersection(button).height >= 20


@pytest.mark.parametrize("cell", [16, 24, 40])
def test_a_button_may_be_as_wide_as_the_board_but_a_panel_is_none(cell: int) -> None:
    picture = np.full((cell * 14, cell * 11, 3), 200, np.uint8)
    wide = Rect(cell, 2 * cell, 9 * cell, round(1.5 * cell))
    raised(picture, wide)
    picture[round(2.6 * cell) : round(2.9 * cell), 4 * cell : 6 * cell : 3] = 20  # words
    grid = Grid(cell, 4 * cell, cell, cell, 9, 9)
    (found,) = find_buttons(picture, grid)
    assert found.contains(wide.centre)
    assert found.width > 8.5 * cell
    face = Rect(5 * cell, round(2.3 * cell), cell, cell)
    raised(picture, face)
    assert find_buttons(picture, grid)[0].width <= 1.2 * cell


@pytest.mark.parametrize("cell", [16, 24, 40])
def test_the_button_of_a_box_is_told_from_its_words_and_from_cells(cell: int) -> None:
    picture = np.full((cell * 14, cell * 12, 3), 200, np.uint8)
    grid = Grid(cell, 4 * cell, cell, cell, 9, 9)
    for place in (grid.cell_rect(Cell(row, col)) for row in range(9) for col in range(9)):
        raised(picture, place)
    box = Rect(2 * cell, 6 * cell, 7 * cell, 5 * cell)
    hidden = [Cell(row, col) for row in range(2, 7) for col in range(1, 8)]
    assert find_box_button(picture, grid, hidden) is None
    picture[box.y : box.bottom, box.x : box.right] = 250
    picture[7 * cell : 8 * cell, 3 * cell : 8 * cell : 3] = 20  # words
    assert find_box_button(picture, grid, hidden) is None
    for button in (
        Rect(round(2.3 * cell), round(9.4 * cell), round(6.4 * cell), cell),
        Rect(round(4.3 * cell), round(9.4 * cell), 2 * cell, cell),
    ):
        picture[9 * cell : 11 * cell, 2 * cell : 9 * cell] = 250
        raised(picture, button)
        assert find_box_button(picture, grid, hidden) == button
        misread = {Cell(6, 6), *(cell for cell in hidden if cell.col == 7)}  # beside the box, or below words
        assert find_box_button(picture, grid, {*hidden} - misread) == button


def test_a_button_with_a_soft_outer_line_is_told_from_the_words_beside_it() -> None:
    picture, grid = np.full((400, 260, 3), 24, np.uint8), Grid(20, 140, 24, 24, 9, 9)
    for place in (grid.cell_rect(Cell(row, col)) for row in range(9) for col in range(9)):
        raised(picture, place)
    button = Rect(100, 104, 78, 20)
    picture[button.y : button.bottom, button.x : button.right] = 245
    picture[button.y - 1, 104:108] = picture[button.bottom, 104:108] = 90  # a soft line around it
    picture[110:114, button.x - 1] = picture[110:114, button.right] = 90
    picture[110:118, 186:238:3] = 200  # words close to it
    assert find_buttons(picture, grid)[0].intersection(button) == button


@pytest.mark.parametrize("weight", [1, 2, 3])
def test_letters_of_words_beside_the_board_are_no_buttons(weight: int) -> None:
    picture, grid = np.full((560, 460, 3), 255, np.uint8), Grid(40, 120, 42, 42, 9, 9)
    raised(picture, button := Rect(160, 24, 140, 36))
    for words, base in (("Minesweeper, the daily board", 108), ("Left click: open. Right: flag.", 530)):
        cv2.putText(picture, words, (44, base), cv2.FONT_HERSHEY_SIMPLEX, 0.75, (20, 20, 20), weight)
    buttons = find_buttons(picture, grid)
    assert buttons[0] == button
    assert all(box.width > 42 for box in buttons)


@pytest.mark.parametrize("between", [2, 4, 8])
def test_two_buttons_side_by_side_are_not_one(between: int) -> None:
    """A click between them would hit none."""
    picture, grid = np.full((300, 300, 3), 224, np.uint8), Grid(30, 52, 25, 25, 9, 9)
    left, right = Rect(142 - between // 2 - 40, 22, 40, 20), Rect(142 + (between + 1) // 2, 22, 40, 20)
    for place, words in ((left, "Again"), (right, "Menu")):
        place.cut(picture)[:] = 192
        cv2.putText(picture, words, (place.x + 4, 36), cv2.FONT_HERSHEY_SIMPLEX, 0.35, (20, 20, 20), 1)
    assert find_buttons(picture, grid)[:2] == [left, right]


@pytest.mark.parametrize("gap", [0, 2])
def test_covered_cells_among_opened_ones_are_no_buttons_of_a_box(gap: int) -> None:
    """Opened cells without lines between them have one background, as a box has."""
    picture, grid = np.full((288, 288, 3), 210, np.uint8), Grid(0, 0, 32, 32, 9, 9)
    for place in (grid.cell_rect(cell) for cell in (Cell(2, 3), Cell(5, 4), Cell(5, 5))):
        place.grown(-gap).cut(picture)[:] = 90
    everywhere = [Cell(row, col) for row in range(9) for col in range(9)]
    assert find_box_button(picture, grid, everywhere) is None
    raised(picture, button := Rect(100, 200, 80, 30))
    assert find_box_button(picture, grid, everywhere) == button


class FlaggedToWin(SimulatedScreen):
    """A game that is won only when all its mines have flags, and hears only some right clicks."""

    def __init__(self, *args: Any, deaf_to: Callable[[int], bool], **options: Any) -> None:
        self.marked, self.right, self.deaf_to = set[Cell](), 0, deaf_to
        super().__init__(*args, **options)

    def click(self, point: Point, button: Button = Button.LEFT, hold: float = 0.0) -> None:
        self.right += button is Button.RIGHT
        if self.right == 2 and button is Button.RIGHT:
            raise ViewChangedError("words came over the board")
        super().click(point, button, hold)

    def _do(self, cell: Cell, button: Button) -> None:
        if button is Button.RIGHT:
            if not self.deaf_to(self.right):
                self.marked ^= {cell}
        elif not self.game.won:
            super()._do(cell, button)
        self._show()

    def _show(self) -> None:
        board = self.game.board
        if self.game.won:
            board = board.replace(
                {mine: State.FLAG if mine in self.marked else State.COVERED for mine in self.game.mines or ()}
            )
        self._pending.append((self.clock.now() + self.faults.delay, board))


@pytest.mark.parametrize(
    ("deaf_to", "outcome"),
    [
        (lambda _: False, "won"),
        (lambda number: number % 3 == 0, "won"),
        (lambda number: number > 4, "unknown"),
    ],
)
def test_a_game_that_wants_all_mines_flagged_is_won_only_then(
    deaf_to: Callable[[int], bool], outcome: str
) -> None:
    there = screen("winmine", kind=FlaggedToWin, seed=2, deaf_to=deaf_to)
    assert isinstance(there, FlaggedToWin)
    table = WatchedPlayer(there, target=UNKNOWN)
    (result,) = table.player.play()
    assert result.outcome == outcome
    assert (there.marked == set(there.game.mines or ())) is (outcome == "won")


class FlagsCounted(FlaggedToWin):
    """Such a game that shows beside the board when some flags are set."""

    def _window_picture(self) -> Pixels:
        picture = super()._window_picture()
        if len(self.marked) > 4:
            picture[15:45, 70:110] = 40
        return picture


def test_a_sign_that_the_flags_themselves_change_does_not_end_the_game() -> None:
    there = screen("winmine", kind=FlagsCounted, seed=2, step=0.03, deaf_to=lambda number: number % 3 == 0)
    assert isinstance(there, FlagsCounted)
    table = WatchedPlayer(there, target=UNKNOWN)
    (result,) = table.player.play()
    assert result.outcome == "won"
    assert there.marked == set(there.game.mines or ())


def test_a_doubtful_win_is_unknown_where_games_want_all_mines_flagged() -> None:
    there = screen("winmine", kind=FlaggedToWin, seed=2, deaf_to=lambda _: False)
    table = WatchedPlayer(there, target=UNKNOWN)
    assert [result.outcome for result in table.player.play()] == ["won"]
    covered = table.ends[0].reading.board.replace(dict.fromkeys(there.game.mines or (), State.COVERED))
    look = replace(
        table.ends[0],
        reading=replace(table.ends[0].reading, board=covered),
        circumstances=Circumstances(hidden=True),
        verdict=Verdict(GameState.WON, over=True, concluded="something covers the board"),
    )
    assert table.player._look_after_end(look, None).verdict.won is None
    known = replace(look, circumstances=Circumstances(hidden=True, told=GameState.WON))
    assert table.player._look_after_end(known, None).verdict.won


class SmearedNumber(FlaggedToWin):
    """Such a game, with a number that cannot be read once it is open."""

    def __init__(self, *args: Any, smeared: Cell, **options: Any) -> None:
        self.smeared = smeared
        super().__init__(*args, **options)

    def _window_picture(self) -> Pixels:
        picture = super()._window_picture()
        if 0 < self.shown[self.smeared] <= 8:
            place = self.grid.cell_rect(self.smeared).moved(-self.place.x, -self.place.y)
            place.cut(picture)[:] = np.random.default_rng(1).integers(0, 255, (16, 16, 3))
        return picture


@pytest.mark.parametrize("smeared", [Cell(2, 4), Cell(1, 0)])  # one that is clicked, and one that is not
def test_all_mines_are_flagged_although_a_number_cannot_be_read(smeared: Cell) -> None:
    there = screen("winmine", kind=SmearedNumber, seed=2, deaf_to=lambda _: False, smeared=smeared)
    assert isinstance(there, FlaggedToWin)
    table = WatchedPlayer(there, target=UNKNOWN, watcher=watcher_of(there, ()))
    (result,) = table.player.play()
    assert result.outcome == "won"
    assert there.marked == set(there.game.mines or ())
