"""The switches of the test page do what the page says of them."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from bot.board import Board, Cell, State, neighbours
from bot.capture import ScreenCapture
from bot.desktop import ScreenMouse
from bot.desktop.protocols import Button
from bot.geometry import Pixels, Point, Rect
from conftest import wait_for
from page import Page, open_page
from programs import touch

pytestmark = [
    pytest.mark.usefixtures("display"),
    pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium is not installed"),
]
SIZE = 5  # rows and columns
MINES = 3
WHOLE = 22  # pixels of a cell without its edge
CORNER = Cell(0, 0)
FRAME = 0.1  # seconds; several frames of the page
REPORT = 30.0  # seconds; a report of the page may be so late on a busy machine


@dataclass
class Player:
    """Clicks cells of the page, and takes pictures of them."""

    page: Page
    mouse: ScreenMouse
    capture: ScreenCapture

    @property
    def board(self) -> Board:
        return self.page.latest.board

    @property
    def mines(self) -> list[Cell]:
        return sorted(self.page.latest.mines)

    def click(self, cell: Cell, button: Button = Button.LEFT) -> None:
        """Click a cell, and wait for the report of the page."""
        before = self.page.latest.serial
        self.mouse.click(self.page.centre(cell), button)
        assert wait_for(lambda: self.page.latest.serial > before, REPORT)

    def win(self) -> None:
        """Open all cells without a mine."""
        for cell in self.board:
            if cell not in self.mines and self.board[cell] == State.COVERED:  # the first click lays the mines
                self.click(cell)

    def lose(self) -> None:
        """Open a cell, then the last mine."""
        self.click(CORNER)
        self.click(self.mines[-1])

    def new_game(self) -> None:
        before = self.page.latest.game
        self.mouse.press("f2")
        assert wait_for(lambda: self.page.latest.game > before, REPORT)

    def picture(self, cell: Cell, side: int = 16) -> Pixels:
        """Return the middle of a cell on the screen, without the pointer and what is lit below it."""
        self.step_aside()
        centre = self.page.centre(cell)
        return self.capture.grab(Rect(centre.x - side // 2, centre.y - side // 2, side, side)).pixels

    def step_aside(self) -> None:
        """Put the pointer into a corner of the window."""
        client = self.page.window.client
        if self.mouse.position() != (aside := Point(client.right - 9, client.bottom - 9)):
            self.mouse.move(aside)
            time.sleep(FRAME)

    def pictures(self) -> list[Pixels]:
        return [self.picture(cell) for cell in self.board]


@contextmanager
def playing(
    opened: Callable[..., AbstractContextManager[Page]] = open_page, **options: Any
) -> Iterator[Player]:
    """Open the page with these switches, and a board of `SIZE` x `SIZE` cells unless others are given."""
    board: dict[str, Any] = {"rows": SIZE, "cols": SIZE, "mines": MINES, "seed": 5}
    with opened(**(board | options)) as page, closing(ScreenCapture()) as capture:
        touch(page.window, mouse := ScreenMouse())
        yield Player(page, mouse, capture)


def same(one: Pixels, other: Pixels) -> bool:
    return bool(np.array_equal(one, other))


def plain(picture: Pixels) -> bool:
    """Return whether a picture has one colour."""
    return bool((picture == picture[0, 0]).all())


def changes(player: Player, pixels: Pixels, cell: Cell) -> bool:
    return wait_for(lambda: not same(pixels, player.picture(cell)), 3.0)


@pytest.mark.parametrize("veil", ["fade", "grey"])
def test_the_end_dims_the_cells(veil: str) -> None:
    with playing(veil=veil) as player:
        player.click(CORNER)
        before = player.picture(CORNER)
        player.click(player.mines[0])
        assert changes(player, before, CORNER)
        player.new_game()
        player.click(CORNER)
        assert player.page.latest.won is None


def test_a_lost_game_is_not_dimmed_without_the_switch() -> None:
    with playing() as player:
        player.click(CORNER)
        before = player.picture(CORNER)
        player.click(player.mines[0])
        assert wait_for(lambda: same(before, player.picture(CORNER)), 3.0)
        assert player.page.latest.won is False
        states = [player.board[mine] for mine in player.mines]
        assert states == [State.EXPLODED, State.MINE, State.MINE]


def test_the_end_writes_words_over_the_cells_until_a_new_game() -> None:
    with playing(banner=1) as player:
        fresh = player.pictures()
        player.win()
        assert wait_for(lambda: sum(map(_green, player.pictures())) >= 3, 3.0)
        player.new_game()
        assert wait_for(lambda: all(map(same, fresh, player.pictures())), 3.0)


def _green(picture: Pixels) -> bool:
    """Return whether a picture shows a part of the words about a win."""
    return bool((picture == (0x20, 0x5E, 0x1B)).all(axis=2).any())


def test_mines_of_a_lost_game_look_like_flags() -> None:
    with playing(loss="flags") as player:
        player.click(CORNER)
        player.click(player.mines[0], Button.RIGHT)
        flag = player.picture(player.mines[0])
        player.click(player.mines[-1])
        assert player.page.latest.won is False
        assert {player.board[mine] for mine in player.mines} == {State.FLAG}
        assert wait_for(lambda: all(same(flag, player.picture(mine)) for mine in player.mines), 3.0)


@pytest.mark.parametrize(
    ("win", "state"), [("flags", State.FLAG), ("red", State.EXPLODED), ("mines", State.MINE)]
)
def test_mines_of_a_won_game(win: str, state: State) -> None:
    with playing(win=win) as player:
        player.win()
        assert player.page.latest.won is True
        assert {player.board[mine] for mine in player.mines} == {state}


@pytest.mark.parametrize(("end", "keys"), [("alert", ("enter",)), ("box", ("tab", "enter"))])
def test_a_new_game_begins_when_the_words_about_the_end_are_closed(end: str, keys: tuple[str, ...]) -> None:
    with playing(end=end, after="deal") as player:
        player.lose()
        time.sleep(0.8)  # until they have come up
        assert player.page.latest.game == 0
        for key in keys:
            player.mouse.press(key)
        assert wait_for(lambda: player.page.latest.game == 1, 5.0)


def test_a_game_is_won_only_when_its_mines_are_flagged() -> None:
    with playing(goal="flags") as player:
        player.win()
        assert player.page.latest.won is None
        for mine in player.mines:
            assert player.page.latest.won is None
            player.click(mine, Button.RIGHT)
        assert player.page.latest.won is True


@pytest.mark.parametrize(("panel", "words"), [("words", True), ("none", False)])
def test_no_counter_is_beside_a_board_without_a_panel(panel: str, words: bool) -> None:
    with playing(panel=panel, art="light") as player:
        assert plain(_above(player))
        player.lose()
        assert plain(_above(player)) is not words


def _above(player: Player) -> Pixels:
    """Return a picture of the panel."""
    player.step_aside()
    x, y, width, _ = player.page.latest.place
    return player.capture.grab(Rect(round(x), round(y) - 32, round(width), 26)).pixels


@pytest.mark.parametrize("art", ["light", "canvas", "dots"])
def test_zeros_are_drawn(art: str) -> None:
    with playing(zeros=1, first="opening", art=art) as player:
        player.click(CORNER)
        assert player.board[CORNER] == 0
        picture = player.picture(CORNER)
        assert (picture != picture[:, :1]).any()  # each row of the plain cell has one colour


def test_a_number_opens_the_blank_cells_beside_it() -> None:
    with playing(flood="beside", mines=1, first="any") as player:
        cell = Cell(1, 1)
        player.click(cell)
        while player.board[cell] != 1:
            player.new_game()
            player.click(cell)
        assert player.board.count(0)


def test_an_opening_leaves_out_what_is_diagonal_to_blank_cells() -> None:
    with playing(flood="4", rows=9, cols=9, mines=10, first="opening", seed=1) as player:
        player.click(Cell(4, 4))
        board = player.board
        zeros = set(board.cells(0))
        left = [cell for cell in board.cells(State.COVERED) if zeros.intersection(neighbours(9, 9, cell))]
        assert left
        assert not set(left) & player.page.latest.mines


def test_flags_of_before_an_opening_stay() -> None:
    with playing(flagged=8, first="opening", rows=9, cols=9, mines=10) as player:
        flags = set(player.board.cells(State.FLAG))
        assert len(flags) == 8
        assert not player.mines
        player.click(next(cell for cell in player.board if not flags.intersection([cell])))
        assert set(player.board.cells(State.FLAG)) == flags
        assert len(player.mines) == 10
        right = flags & set(player.mines)
        assert 0 < len(right) < len(flags)
        player.click(next(mine for mine in player.mines if mine not in flags))
        assert set(player.board.cells(State.WRONG_FLAG)) == flags - right


@contextmanager
def held(point: Point) -> Iterator[None]:
    """Hold the left button at ``point`` during the block."""
    from Xlib import X
    from Xlib.display import Display
    from Xlib.ext.xtest import fake_input

    with closing(Display()) as display:
        fake_input(display, X.MotionNotify, x=point.x, y=point.y)
        fake_input(display, X.ButtonPress, 1)
        display.sync()
        try:
            yield
        finally:
            fake_input(display, X.ButtonRelease, 1)
            display.sync()


@pytest.mark.parametrize(("press", "at_press"), [("click", False), ("frame", True), ("poll", False)])
def test_the_pointer_is_read(press: str, at_press: bool) -> None:
    with playing(press=press) as player:
        with held(player.page.centre(CORNER)):
            time.sleep(2 * FRAME)
            assert bool(player.mines) is at_press
            time.sleep(FRAME)
        assert wait_for(lambda: bool(player.mines), 2.0)


@pytest.mark.parametrize("press", ["frame", "poll"])
def test_short_presses_are_lost_where_the_pointer_is_read_now_and_then(press: str) -> None:
    with playing(press=press, rows=9, cols=9, mines=40) as player:
        for cell in player.board:
            player.mouse.click(player.page.centre(cell))
            time.sleep(0.02)
        time.sleep(FRAME)
        assert player.board.count(*range(9)) < 10


def test_mines_of_a_lost_game_appear_one_after_another() -> None:
    with playing(finale=1500) as player:
        player.click(CORNER)
        first, second, last = player.mines
        before = {mine: player.picture(mine) for mine in (first, second)}
        player.click(last)
        ended = time.monotonic()
        times = []
        for mine in (first, second):
            assert changes(player, before[mine], mine)
            times.append(time.monotonic() - ended)
        assert times[0] < times[1]
        assert times[1] > 0.5


def test_a_wave_runs_over_a_won_board() -> None:
    with playing(finale=2000) as player:
        player.click(CORNER)
        before = player.picture(CORNER, WHOLE)
        player.win()
        assert player.page.latest.won is True
        assert wait_for(lambda: not same(before, player.picture(CORNER, WHOLE)), 3.0)
        assert wait_for(lambda: same(before, player.picture(CORNER, WHOLE)), 3.0)


@pytest.mark.parametrize("art", ["light", "sprites", "canvas"])
def test_the_new_look_of_a_cell_fades_in(art: str) -> None:
    with playing(art=art, turn=20000, zeros=1) as player:
        covered = player.picture(CORNER)
        player.click(CORNER)
        half = player.picture(CORNER)
        assert not same(covered, half)
        assert changes(player, half, CORNER)


@pytest.mark.parametrize("strip", ["text", "plain"])
def test_a_strip_is_between_the_cells_and_their_frame(strip: str) -> None:
    with playing(strip=strip) as player:
        x, y, _, height = (round(value) for value in player.page.latest.place)
        rows = {"above": Rect(x - 1, y - 11, 60, 9), "below": Rect(x - 1, y + height + 2, 60, 9)}
        for area in rows.values():
            picture = player.capture.grab(area).pixels
            assert plain(picture) is (strip == "plain")
        assert (
            strip == "text" or (player.capture.grab(rows["above"]).pixels[0, 0] == (0xD6, 0xA7, 0xB9)).all()
        )


def test_all_switches_at_once_can_be_played() -> None:
    options: dict[str, Any] = {
        "veil": "grey", "banner": 1, "loss": "flags", "win": "red", "end": "alert", "after": "deal",
        "goal": "flags", "panel": "none", "zeros": 1, "flood": "beside", "flagged": 2, "finale": 200,
        "strip": "text", "art": "sprites",
    }  # fmt: skip
    with playing(**options) as player:
        start = next(cell for cell in player.board if player.board[cell] == State.COVERED)
        player.click(start)
        for cell in player.board:
            state, mine = player.board[cell], cell in player.page.latest.mines
            if (state == State.FLAG) != mine and state in (State.FLAG, State.COVERED):
                player.click(cell, Button.RIGHT)
        for cell in player.board:
            if player.board[cell] == State.COVERED:
                player.click(cell)
        assert player.page.latest.won is True
        assert {player.board[mine] for mine in player.mines} == {State.EXPLODED}
        time.sleep(0.6)
        player.mouse.press("enter")
        assert wait_for(lambda: player.page.latest.game == 1, 5.0)
