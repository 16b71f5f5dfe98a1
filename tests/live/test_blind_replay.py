"""The clicks of a game sent again to WineMine on the same board, as the bench of play does."""

from __future__ import annotations

import pytest

from bench.blind_replay import Burst, GameMemory, mines_of, process_of, replay
from bot.board import Cell, State
from bot.capture import ScreenCapture
from bot.clicker.mouse import ScreenMouse
from bot.desktop.protocols import Button, Desktop, Window
from bot.errors import BotError
from bot.geometry import Frame, Point
from bot.levels import BEGINNER
from bot.vision import load_skins, read_picture
from bot.vision.reading import GameState, Reading
from conftest import StartGame, wait_for

LAST = Cell(0, 0)  # nothing else opens it
MINES = frozenset({Cell(0, 1), Cell(1, 0), Cell(1, 1), *(Cell(row, 4) for row in range(2, 9))})
BURSTS = ([Cell(8, 0)], [Cell(8, 8)], [Cell(0, 3), Cell(0, 2), Cell(1, 2), Cell(2, 0), LAST])


def test_a_board_is_laid_and_its_clicks_are_replayed(
    start_winemine: StartGame, desktop: Desktop, mouse: ScreenMouse, capture: ScreenCapture
) -> None:
    window = start_winemine(BEGINNER)
    desktop.raise_window(window)
    try:
        memory = GameMemory(process_of(window.handle), 9, 9, 10)
    except PermissionError:
        pytest.skip("no process may look into another here")
    reading = seen(capture, window, GameState.NEW)[1]
    bursts = [burst(cells, window, reading) for cells in BURSTS]
    memory.lay(MINES)
    with pytest.raises(BotError, match="has begun"):
        memory.lay(MINES)
    for point, button in sum(bursts, ()):
        mouse.click(point, button)
    frame, reading = seen(capture, window, GameState.WON)
    assert mines_of(reading.board) == MINES
    assert reading.board.count(State.COVERED) == 0
    mouse.press("f2")
    seen(capture, window, GameState.NEW)
    memory.lay(MINES)
    board = frame.on_screen(reading.grid.rect)
    found = replay(bursts, capture, mouse, window.client, board, frame.crop(board).pixels)
    assert found.grabs >= len(bursts)
    assert 0 < found.waited <= found.seconds
    assert mines_of(seen(capture, window, GameState.WON)[1].board) == MINES


def burst(cells: list[Cell], window: Window, reading: Reading) -> Burst:
    centres = (reading.grid.centre(cell) for cell in cells)
    return tuple((Point(window.client.x + int(x), window.client.y + int(y)), Button.LEFT) for x, y in centres)


def seen(capture: ScreenCapture, window: Window, state: GameState) -> tuple[Frame, Reading]:
    """Return the window's picture and board once the game is in that state, and all of it is painted."""
    looks = list[tuple[Frame, Reading]]()

    def there() -> bool:
        frame = capture.grab(window.client)
        found = read_picture(frame.pixels, load_skins())
        looks.extend((frame, reading) for reading in found)
        flags = state is not GameState.WON or any(one.board.count(State.FLAG) == 10 for one in found)
        return flags and any(one.state is state for one in found)

    assert wait_for(there)
    return looks[-1]
