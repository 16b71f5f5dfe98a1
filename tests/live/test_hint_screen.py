"""``minebot hint`` before WineMine on a virtual screen: what it says, and that it touches nothing."""

from __future__ import annotations

import json

from bot.board import Board, State
from bot.capture import ScreenCapture
from bot.clicker.mouse import ScreenMouse
from bot.desktop.protocols import Button, Window
from bot.geometry import Point
from bot.levels import BEGINNER
from bot.solver import decide
from bot.solver.explain.hints import explain
from bot.vision import load_skins, read_picture
from conftest import Run, StartGame, wait_for

AWAY = Point(900, 700)  # where no game is


def seen(capture: ScreenCapture, window: Window) -> Board | None:
    """Return the board as it is shown, None while it cannot be read."""
    found = read_picture(capture.grab(window.client).pixels, load_skins())
    return found[0].board if found else None


def test_the_board_on_the_screen(
    start_winemine: StartGame, run: Run, mouse: ScreenMouse, capture: ScreenCapture
) -> None:
    window = start_winemine(BEGINNER)
    client = window.client
    mouse.click(Point(client.x + 5 + 4 * 16 + 8, client.y + 52 + 4 * 16 + 8), Button.LEFT)
    mouse.move(AWAY)

    def opened() -> bool:
        board = seen(capture, window)
        return board is not None and board.count(*range(9)) > 0

    assert wait_for(opened)
    code, out, _ = run("hint", "--json")  # which waits until all is painted
    assert code == 0
    board = seen(capture, window)
    assert board is not None
    (told,) = json.loads(out)["boards"]
    assert (told["skin"], told["rows"], told["cols"], told["mines"]) == ("winemine", 9, 9, 10)
    assert told["cells"] == board.lines()
    hint = explain(board, decide(board))
    assert [one["words"] for one in told["hints"]] == [hint.sentence]
    code, out, _ = run("hint", "--cell", f"{hint.cell.row},{hint.cell.col}" if hint.cell else "0,0")
    assert (code, out.count("\n")) == (0, 1)
    assert mouse.position() == AWAY
    assert seen(capture, window) == board
    assert board.count(State.UNREADABLE) == 0
