"""The face of the classic games, drawn in many sizes, and as real games show it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from bot.board import Board
from bot.geometry import Grid, Pixels
from bot.verdict import GameState
from bot.vision import load_skins, read_picture
from bot.vision.panel.buttons import read_face
from bot.vision.reading import Reading
from fixture_boards import fixture_picture

GRID = Grid(30, 100, 24, 24, 9, 9)
YELLOW = (0, 255, 255)
MOODS = {"smile": GameState.RUNNING, "glasses": GameState.WON, "dead": GameState.LOST, "ooh": None}
REAL = ("winemine-beginner-won", "winemine-expert-lost", "winemine-expert-running", "programs/xdemineur-lost")


def window(mood: str, size: int = 36, x: int = 138, ground: int = 192) -> Pixels:
    """Draw a window with a face of ``size`` pixels above the middle of the board."""
    pixels = np.full((340, 280, 3), ground, np.uint8)
    pixels[60 - size // 2 - 4 : 60 + size // 2 + 5, x - size // 2 - 4 : x + size // 2 + 5] = 192
    fine = np.full((480, 480, 3), 192, np.uint8)
    cv2.circle(fine, (240, 240), 230, (0, 0, 0), -1)
    cv2.circle(fine, (240, 240), 210, YELLOW, -1)
    _eyes(fine, mood)
    _mouth(fine, mood)
    face = cv2.resize(fine, (size, size), interpolation=cv2.INTER_AREA)
    pixels[60 - size // 2 : 60 - size // 2 + size, x - size // 2 : x - size // 2 + size] = face
    return pixels


def _eyes(fine: Pixels, mood: str) -> None:
    if mood == "glasses":
        cv2.rectangle(fine, (70, 150), (410, 180), (0, 0, 0), -1)
    for eye in (170, 310):
        if mood == "dead":
            for way in (-1, 1):
                cv2.line(fine, (eye - 35, 180 - 35 * way), (eye + 35, 180 + 35 * way), (0, 0, 0), 24)
        else:
            cv2.circle(fine, (eye, 185), 55 if mood == "glasses" else 28, (0, 0, 0), -1)


def _mouth(fine: Pixels, mood: str) -> None:
    if mood == "ooh":
        cv2.circle(fine, (240, 340), 30, (0, 0, 0), -1)
    elif mood == "dead":
        cv2.ellipse(fine, (240, 390), (90, 70), 0, 200, 340, (0, 0, 0), 24)
    else:
        cv2.ellipse(fine, (240, 290), (100, 70), 0, 10, 170, (0, 0, 0), 24)


@pytest.mark.parametrize("mood", MOODS)
@pytest.mark.parametrize(("size", "ground"), [(24, 60), (26, 192), (36, 60), (60, 192)])
def test_faces_are_read_in_every_size(mood: str, size: int, ground: int) -> None:
    assert read_face(window(mood, size, ground=ground), GRID) is MOODS[mood]


def test_face_elsewhere_is_none_of_the_game() -> None:
    assert read_face(window("dead", x=60), GRID) is None
    assert read_face(window("dead"), GRID.moved(0, 90)) is None
    assert read_face(np.full((340, 280, 3), 192, np.uint8), GRID) is None
    assert read_face(window("dead"), GRID.moved(0, -95)) is None


@pytest.mark.parametrize("name", REAL)
def test_faces_of_real_games(name: str) -> None:
    pixels, truth = fixture_picture(name)
    mood = read_face(pixels, truth.grid)
    assert mood is not None
    assert mood.value == truth.state


def reading_of(*rows: str, mines: int | None = None) -> Reading:
    board = Board.from_rows(rows, mines)
    return Reading(replace(GRID, rows=board.rows), board, "drawn")


@pytest.mark.parametrize(
    ("rows", "mines", "mood", "state"),
    [
        (["00002-...", "00002...."], 7, "glasses", GameState.WON),
        (["00002....", "00002...."], None, "glasses", GameState.WON),
        (["00001....", "00001...."], 6, "glasses", GameState.RUNNING),  # the cells say that it goes on
        (["00001-...", "00001...."], 6, "dead", GameState.LOST),
        (["00001....", "00001...."], 6, "dead", GameState.LOST),  # a game that shows no mines
        (["00001....", "00001...."], None, "smile", GameState.RUNNING),
        (["00001-...", "00001...."], 6, "ooh", GameState.RUNNING),
        (["0002****", "0002****"], None, "glasses", GameState.WON),
        ([".........", "........."], 6, "dead", GameState.NEW),
        (["0000X....", "00001...."], 6, "glasses", GameState.LOST),
    ],
)
def test_face_decides_what_the_cells_leave_open(
    rows: list[str], mines: int | None, mood: str, state: GameState
) -> None:
    reading = reading_of(*rows, mines=mines)
    assert replace(reading, face=read_face(window(mood), reading.grid)).state is state


def test_won_game_below_something_that_hides_cells_is_won() -> None:
    pixels, truth = fixture_picture("winemine-beginner-won")
    x, y = int(truth.x), int(truth.y)
    pixels[y + 40 : y + 90, x + 30 : x + 100] = 200
    (reading,) = read_picture(pixels, [skin for skin in load_skins() if skin.name == "winemine"])
    assert reading.unreadable
    assert reading.state is GameState.WON
