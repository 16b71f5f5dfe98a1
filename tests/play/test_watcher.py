"""Looking at a board over time: where it is, what its cells hide, which changes are believed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bot.board import Board, Cell, FirstClick, State
from bot.clicker import MaxPace
from bot.errors import ContradictionError
from bot.geometry import Pixels, Point
from bot.levels import BEGINNER
from bot.play import BoardWatcher, Player, Settings
from bot.play.dryrun import LEFT_OUT, watch
from bot.play.game_window import beside
from bot.play.look import Past
from bot.solver import STRATEGIES
from bot.targets import find_target
from bot.vision import load_skins, read_picture
from bot.vision.reading import Doubt, GameState, Reading
from fakes import FakeClock
from simulated import SimulatedScreen

SKINS = {skin.name: skin for skin in load_skins() if skin.counter is not None}
PURPLE = (200, 30, 200)


def screen(seed: int = 3) -> SimulatedScreen:
    return SimulatedScreen(SKINS["winmine"], FakeClock(), BEGINNER, seed=seed)


def watcher_of(there: SimulatedScreen, window: bool = True, mines: int | None = None) -> BoardWatcher:
    skins = list(SKINS.values())
    known = there.window if window else None
    return BoardWatcher(there, there, skins, there.clock, known, mines, there.position)


def player_of(there: SimulatedScreen, watcher: BoardWatcher) -> Player:
    target = find_target("winemine" if there.skin.name == "winemine" else "winmine")
    return Player(
        watcher, there, there, target, MaxPace(), there.clock, Settings(), keep=lambda _: "kept.png"
    )


def point(there: SimulatedScreen, cell: Cell) -> Point:
    x, y = there.grid.centre(cell)
    return Point(int(x), int(y))


def paint(there: SimulatedScreen, change: Callable[[Pixels], None]) -> None:
    """Let ``change`` draw over every picture of the window from now on."""
    draw = there._window_picture

    def changed() -> Pixels:
        picture = draw()
        change(picture)
        return picture

    there._window_picture = changed  # type: ignore[method-assign]


def smear(picture: Pixels, cell: Cell) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (16, 16, 3))
    picture[60 + 16 * cell.row : 76 + 16 * cell.row, 12 + 16 * cell.col : 28 + 16 * cell.col] = noise


def light_up(there: SimulatedScreen) -> None:
    """Draw the cell under the pointer as no state looks, as games do that show where it is."""

    def hover(picture: Pixels) -> None:
        cell = there.grid.cell_at(there.at.x + 0.5, there.at.y + 0.5)
        if cell is not None:
            smear(picture, cell)

    paint(there, hover)


def hide_counter(there: SimulatedScreen) -> None:
    def hide(picture: Pixels) -> None:
        picture[10:50] = 192

    paint(there, hide)


def test_cell_under_the_pointer_is_named() -> None:
    there = screen()
    light_up(there)
    there.at = point(there, Cell(4, 5))
    look = watcher_of(there).look()
    assert look.reading.doubts == {Cell(4, 5): Doubt.POINTER}
    assert "row 4, column 5: it is under the mouse pointer" in (look.doubt or "")


def test_number_under_the_pointer_is_remembered() -> None:
    there = screen()
    there.click(point(there, Cell(4, 4)))
    watcher = watcher_of(there)
    there.at = Point(0, 0)
    before = watcher.look()
    assert before.doubt is None
    light_up(there)
    cell = before.reading.board.cells(*range(1, 9))[0]
    there.at = point(there, cell)
    look = watcher.look(Past(before.reading.board))
    assert look.doubt is None
    assert look.reading.board == before.reading.board
    assert look.reading.remembered == {cell}


def test_player_moves_the_pointer_aside_where_it_changes_cells() -> None:
    there = screen()
    light_up(there)
    (result,) = player_of(there, watcher_of(there)).play()
    assert result.won is there.game.won
    assert result.misreads == 0
    assert there.grid.cell_at(there.at.x, there.at.y) is None


def test_place_beside_the_board() -> None:
    there = screen()
    look = watcher_of(there).look()
    place = beside(look)
    assert place is not None
    assert there.window.client.contains(place)
    assert there.grid.cell_at(place.x, place.y) is None
    board_only = replace(
        look,
        frame=look.frame.crop(there.grid.rect),
        reading=replace(look.reading, grid=look.reading.grid.moved(-12, -60)),
    )
    assert beside(board_only) is None


def test_dry_run_leaves_the_cell_under_the_pointer_out() -> None:
    there = screen()
    there.click(point(there, Cell(4, 4)))
    light_up(there)
    there.at = point(there, there.game.board.cells(State.COVERED)[0])
    at = there.at
    suggestion = next(watch(watcher_of(there), there, there.clock, FirstClick.SAFE, STRATEGIES["best"]))
    assert suggestion.decision is not None
    assert suggestion.why == LEFT_OUT
    assert there.game.board.cells(State.COVERED)[0] not in [move.cell for move in suggestion.decision.moves]
    assert there.at == at


def test_board_without_a_window_is_found_again_when_it_moves() -> None:
    there = screen()
    there.listed = False
    watcher = watcher_of(there, window=False)
    watcher.find()
    there.click(point(there, Cell(4, 4)))
    there.place = Point(there.place.x + 150, there.place.y + 70)
    look = watcher.look()
    assert look.doubt is None
    assert look.reading.board == there.game.board
    x, y = look.reading.grid.x + look.frame.origin.x, look.reading.grid.y + look.frame.origin.y
    assert (x, y) == (there.grid.x, there.grid.y)


def test_board_that_scrolls_inside_its_window_is_found_again() -> None:
    there = screen()
    watcher = watcher_of(there)
    watcher.find()
    draw = there._window_picture
    there._window_picture = lambda: np.roll(draw(), -7, axis=0)  # type: ignore[method-assign]
    look = watcher.look()
    assert look.doubt is None
    assert look.reading.grid.y + look.frame.origin.y == there.grid.y - 7


def test_cell_that_opens_without_a_click_stops_play() -> None:
    there = screen(seed=2)

    def lie(board: Board) -> Board:
        mines = there.game.mines or frozenset()
        far = [cell for cell in board.cells(State.COVERED) if mines.intersection(board.neighbours(cell))]
        safe = [cell for cell in far if cell not in mines]
        if len(there.clicks) < 2 or not safe:
            return board
        return board.replace({safe[-1]: len(mines.intersection(board.neighbours(safe[-1])))})

    there.faults.misdraw = lie
    with pytest.raises(ContradictionError, match=r"without a click.*kept\.png"):
        list(player_of(there, watcher_of(there)).play())


def test_flag_that_disappears_stops_nothing_while_the_counter_says_the_same() -> None:
    """The total of mines is remembered from the looks before: the counter may be hidden later."""
    there = screen()
    watcher = watcher_of(there)
    before = watcher.look()
    assert before.reading.board.mines == 10
    hide_counter(there)
    look = watcher.look(Past(before.reading.board, frozenset()))
    assert look.reading.panel.mines_left is None
    assert look.reading.board.mines == 10
    assert look.doubt is None


def test_total_that_changes_is_a_doubt() -> None:
    there = screen()
    watcher = watcher_of(there)
    board = watcher.look().reading.board
    look = watcher.look(Past(Board(board.states, 12), frozenset()))
    assert "10 mines where they gave 12" in (look.doubt or "")


@pytest.mark.parametrize("mines", [None, 10])
def test_game_without_a_counter_is_played(mines: int | None) -> None:
    """With the total given a win is seen though no flag is set."""
    there = screen(seed=0)
    hide_counter(there)
    watcher = watcher_of(there, mines=mines)
    assert watcher.look().reading.board.mines == mines
    (result,) = player_of(there, watcher).play()
    assert result.won is there.game.won


def test_total_given_tells_a_win() -> None:
    there = screen()
    hide_counter(there)
    there.click(point(there, Cell(0, 0)))
    mines = there.game.mines or frozenset()
    for cell in there.game.board:
        if cell not in mines and there.game.board[cell] == State.COVERED:
            there.click(point(there, cell))
    assert there.game.won
    there.faults.misdraw = lambda board: board.replace(dict.fromkeys(mines, State.COVERED))
    assert watcher_of(there, mines=10).look().reading.state is GameState.WON


def test_a_window_that_is_being_painted_is_looked_at_again_however_long_the_search_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    there = screen()
    watcher = watcher_of(there)
    board, begun = watcher.find().reading.board, there.clock.now()

    def blank(picture: Pixels) -> None:
        if there.clock.now() < begun + 1.0:
            picture[:] = 0

    def slowly(*args: Any) -> list[Reading]:
        there.clock.sleep(3.0)
        return read_picture(*args)

    paint(there, blank)
    monkeypatch.setattr("bot.play.watcher.read_picture", slowly)
    assert watcher.find(2.0).reading.board == board
