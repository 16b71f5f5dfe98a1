"""Faces and other signs beside a board: learned while games go on, heeded where the cells leave it open."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import cv2
import numpy as np
import pytest

from bot.board import Board, Cell, State
from bot.geometry import Frame, Grid, Pixels, Point
from bot.levels import Level
from bot.play.end_signs import EndDetector
from bot.play.results import Settings
from bot.verdict import NOTHING, GameState, Ledger, verdict_on
from displays import draw_text
from simulated import SIDE, TOP, SimulatedScreen, reading_of
from watched_player import WatchedPlayer, screen, watcher_of

GRID = Grid(20, 60, 16, 16, 4, 9)
FRESH = Board.covered(4, 9, None)
OPENED = Board.from_rows(["00001....", "00001....", "00001....", "00001...."])
BLUE, YELLOW = (255, 140, 60), (0, 255, 255)


def face(pixels: Pixels, mood: str, x: int = 92, y: int = 32, colour: tuple[int, int, int] = BLUE) -> None:
    """Draw a face of 24 pixels around (x, y), by default of another colour than any classic game has."""
    cv2.circle(pixels, (x, y), 11, colour, -1)
    for eye in (x - 4, x + 4):
        if mood == "lost":
            cv2.line(pixels, (eye - 2, y - 5), (eye + 2, y - 1), (0, 0, 0), 1)
            cv2.line(pixels, (eye - 2, y - 1), (eye + 2, y - 5), (0, 0, 0), 1)
        else:
            cv2.circle(pixels, (eye, y - 3), 4 if mood == "won" else 1, (0, 0, 0), -1)
    cv2.ellipse(pixels, (x, y + (8 if mood == "lost" else 3)), (5, 4), 0, *_mouth(mood), (0, 0, 0), 1)


def _mouth(mood: str) -> tuple[int, int]:
    return (180, 360) if mood == "lost" else (0, 180)


class Watched:
    """A detector that looks at one drawn window, a second between two looks."""

    def __init__(self) -> None:
        self.ends, self.now = EndDetector(lambda: self.in_view, lambda: self.pointer), 0.0
        self.seen = NOTHING
        self.in_view, self.pointer, self.colour, self.ground = True, Point(0, 139), BLUE, 192
        self.thin_digits = False

    def look(self, board: Board, mood: str, ledger: Ledger | None = None, seconds: int = 0) -> GameState:
        pixels = np.full((140, 190, 3), self.ground, np.uint8)
        face(pixels, mood, colour=self.colour)
        if self.thin_digits:
            cv2.putText(pixels, f"{seconds:03d}", (140, 48), cv2.FONT_HERSHEY_PLAIN, 0.6, (0, 0, 0))
        else:
            draw_text(pixels, f"{seconds:03d}", 140, 38, 14)
        self.now += 1
        reading = replace(reading_of(board), grid=GRID)
        frame, by_cells = Frame(pixels, Point(0, 0), self.now), verdict_on(board, ledger=ledger)
        self.seen = self.ends.read(frame, reading, ledger, by_cells)
        state = verdict_on(board, self.seen, ledger).state
        return state if state.over else GameState.RUNNING


@pytest.fixture
def watched() -> Watched:
    """Return a detector that has seen the first move of a game."""
    new = Watched()
    new.look(FRESH, "playing")
    new.look(OPENED, "playing", Ledger(FRESH, frozenset({Cell(0, 0)})), 1)
    return new


CLICKED = Ledger(OPENED, frozenset({Cell(0, 0), Cell(0, 5)}), frozenset({Cell(0, 5)}))


def test_a_new_face_decides_only_once_something_else_has_told_its_meaning(
    watched: Watched,
) -> None:
    assert not watched.seen.sign
    for _ in range(3):
        assert watched.look(OPENED, "lost", CLICKED, 2) is GameState.RUNNING  # a status line may change
    assert watched.seen.sign
    watched.ends.learn_end(GameState.LOST)
    assert watched.look(OPENED, "lost", CLICKED, 2) is GameState.LOST


def test_what_is_new_beside_a_game_whose_timer_runs_on_is_no_sign(watched: Watched) -> None:
    watched.look(OPENED, "lost", CLICKED, 2)
    assert watched.seen.sign
    for second in (3, 3, 4):
        watched.look(OPENED, "lost", CLICKED, second)
        assert not watched.seen.sign


def test_face_of_the_classic_games_is_understood_at_once() -> None:
    watched = Watched()
    watched.colour = YELLOW
    watched.look(FRESH, "playing")
    watched.look(OPENED, "playing", Ledger(FRESH, frozenset({Cell(0, 0)})), 1)
    assert watched.look(OPENED, "playing", CLICKED, 2) is GameState.RUNNING
    assert watched.look(OPENED, "lost", CLICKED, 3) is GameState.LOST


@pytest.mark.parametrize("ground", [40, 186])
def test_other_colours_all_around_are_no_sign(watched: Watched, ground: int) -> None:
    """The theme was changed, or the evening has come, and a click was lost."""
    watched.ground, watched.colour = ground, (200, 100, 40)
    for second in range(2, 9):
        assert watched.look(OPENED, "playing", CLICKED, second) is GameState.RUNNING
    more = OPENED.replace({Cell(0, 5): 2})
    watched.look(more, "playing", CLICKED, 9)
    lost = Ledger(more, frozenset({Cell(0, 0), Cell(0, 7)}))
    watched.look(more, "lost", lost, 10)
    assert watched.seen.sign  # by what changed after that


def test_face_of_a_game_that_goes_on_is_no_sign(watched: Watched) -> None:
    for second in range(2, 30, 5):
        assert watched.look(OPENED, "playing", CLICKED, second) is GameState.RUNNING


def test_cells_that_are_certain_are_not_overruled(watched: Watched) -> None:
    more = OPENED.replace({Cell(0, 5): 2})
    for second in (2, 3, 4):
        assert watched.look(more, "lost", CLICKED, second) is GameState.RUNNING


def test_sign_that_was_seen_at_an_end_is_believed_at_once(watched: Watched) -> None:
    shown = OPENED.replace({Cell(0, 5): State.EXPLODED})
    assert watched.look(shown, "lost", CLICKED, 2) is GameState.LOST
    watched.look(FRESH, "playing")
    watched.look(OPENED, "playing", Ledger(FRESH, frozenset({Cell(0, 0)})), 1)
    assert watched.look(OPENED, "lost", CLICKED, 2) is GameState.LOST


def test_win_is_told_by_a_face_where_the_mines_are_not_counted() -> None:
    """No number touches the mine in the corner, so that it may be a free cell too."""
    board = Board.from_rows(["..2000000", "..2000000", "221000000", "000000000"])
    assert verdict_on(board).state is GameState.UNKNOWN
    ledger = Ledger(FRESH, frozenset({Cell(3, 8)}))
    watched = Watched()
    watched.look(FRESH, "playing")
    assert [watched.look(board, "playing", ledger, second) for second in (1, 2)] == [GameState.RUNNING] * 2
    assert watched.look(board, "won", ledger, 3) is GameState.RUNNING
    watched.ends.learn_end(GameState.WON)
    assert watched.look(board, "won", ledger, 4) is GameState.WON


def test_click_whose_cell_is_hidden_leaves_open_how_the_game_ended(watched: Watched) -> None:
    board = Board.from_rows(["00001-...", "000012...", "00001....", "00001...."], 14)
    assert verdict_on(board).state is GameState.UNKNOWN
    for second in (2, 3, 4):
        assert watched.look(board, "lost", CLICKED, second) is GameState.RUNNING


def test_changed_face_below_the_pointer_or_a_window_is_no_sign(watched: Watched) -> None:
    watched.pointer = Point(95, 35)
    assert {watched.look(OPENED, "lost", CLICKED, second) for second in (2, 3)} == {GameState.RUNNING}
    watched.pointer, watched.in_view = Point(0, 139), False
    assert {watched.look(OPENED, "lost", CLICKED, second) for second in (2, 3)} == {GameState.RUNNING}


def test_timer_is_no_sign(watched: Watched) -> None:
    for second in (9, 10, 99, 100, 109):
        assert watched.look(OPENED, "playing", CLICKED, second) is GameState.RUNNING


def opened(count: int) -> Board:
    """Return the board after ``count`` moves."""
    return OPENED.replace({Cell(row, col): 1 for row, col in list(product(range(4), range(5, 9)))[:count]})


def in_danger(board: Board) -> Ledger:
    """Return the ledger of a game on ``board`` whose last click may have hit a mine."""
    return Ledger(board, frozenset({Cell(0, 0), Cell(3, 8)}))


def test_digits_that_cannot_be_read_are_no_sign_once_one_of_them_has_changed() -> None:
    watched = Watched()
    watched.thin_digits = True
    for second in range(6):
        watched.look(opened(second), "playing", seconds=100 + second)
    assert watched.look(opened(5), "playing", in_danger(opened(5)), 345) is GameState.RUNNING
    assert not watched.seen.sign
    watched.look(opened(5), "lost", in_danger(opened(5)), 345)
    assert watched.seen.sign


def test_sign_is_seen_although_all_colours_change_little_by_little(watched: Watched) -> None:
    for second in range(12):
        watched.ground -= 5
        watched.look(opened(second), "playing", in_danger(opened(second)), second)
        assert not watched.seen.sign
    watched.look(opened(12), "lost", in_danger(opened(12)), 12)
    assert watched.seen.sign


class ShyGame(SimulatedScreen):
    """A game that shows no mine when it is lost: the cell that was clicked stays as it is, a face changes."""

    colour = BLUE

    def _show(self) -> None:
        if self.game.won or not self.game.over:
            super()._show()

    def _window_picture(self) -> Pixels:
        picture = super()._window_picture()
        mood = "playing" if not self.game.over else "won" if self.game.won else "lost"
        face(picture, mood, x=SIDE + 8 * self.level.cols, y=TOP - 28, colour=self.colour)
        return picture


def test_games_that_show_no_mines_are_played_to_their_end() -> None:
    there = screen("winmine", Level(9, 9, 16), ShyGame, seed=3)
    table = WatchedPlayer(there, Settings(games=8), target="winmine")
    assert {result.won for result in table.play()} == {True, False}


class ClassicFace(ShyGame):
    colour = YELLOW


def test_a_dead_face_at_the_first_look_at_a_game_says_that_it_is_lost() -> None:
    there = screen("winmine", Level(9, 9, 16), ClassicFace, seed=3)
    there.game.open(Cell(4, 4))
    there._show()
    assert watcher_of(there).find().verdict.state is GameState.RUNNING
    assert there.game.mines is not None
    there.game.open(min(there.game.mines))
    assert there.game.lost
    assert watcher_of(there).find().verdict.won is False
