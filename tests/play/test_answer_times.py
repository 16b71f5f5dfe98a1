"""How long a game is looked at: its own rhythm, one grab where that is enough, and time for late answers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.board import Board, Cell, State
from bot.geometry import Frame, Point, Rect
from bot.play import BoardWatcher
from bot.play.look import Past, zero_beside_mark
from bot.play.watcher import GRAB_GAP, AnswerTimes, Wait, nap
from bot.vision import load_skins
from bot.vision.reading import Reading
from fakes import FakeClock
from simulated import Faults, SimulatedScreen

SKIN = next(skin for skin in load_skins() if skin.name == "winemine")


def taught(*answers: float) -> AnswerTimes:
    rhythm = AnswerTimes()
    for waited in answers:
        rhythm.answered(waited)
    return rhythm


@pytest.mark.parametrize("took", [0.002, 0.02, 0.2, 2.0])
def test_an_answer_is_seen_soon_and_a_late_game_is_let_alone(took: float) -> None:
    waited, grabs = 0.0, 0
    while waited < took:
        pause, grabs = nap(waited), grabs + 1
        waited += pause + 0.0005
    assert waited < 1.1 * took + 0.001
    assert grabs < 200
    assert pause < 0.05  # a wish to stop is heeded meanwhile


def test_a_slow_game_must_stand_still_for_longer() -> None:
    quick, slow = taught(0.004), taught(0.3)
    assert quick.rest == AnswerTimes().rest == GRAB_GAP
    assert 5 * GRAB_GAP < slow.rest <= 0.03


def test_a_late_game_is_waited_for_and_forgiven_in_time() -> None:
    board = Board.covered(2, 2, 1)
    quick, late = taught(0.004), taught(0.5)
    assert [rhythm.wait(0.0, 0.25, Past(board)).over(0.3) for rhythm in (quick, late)] == [True, False]
    assert late.wait(0.0, 0.25, None).over(0.3)  # no click, no answer
    for _ in range(200):
        late.answered(0.004)
    assert late.wait(0.0, 0.25, Past(board)).over(0.3)


def test_lost_clicks_make_no_game_late() -> None:
    """Else each would be waited for three times as long as the one before."""
    board, rhythm = Board.covered(2, 2, 1), taught(0.004)
    for waited in (0.3, 0.9, 2.7, 8.1):
        rhythm.answered(waited, again=True)
    assert rhythm.wait(0.0, 0.25, Past(board)).over(0.3)
    slow = AnswerTimes()
    slow.answered(0.8, again=True)  # its first answer: the first click was sent again too soon
    assert not slow.wait(0.0, 0.25, Past(board)).over(2.3)


def test_a_game_at_work_gets_more_time_but_not_for_ever() -> None:
    before, after = Board.covered(1, 2, 1), Board.from_rows(["1."], 1)
    wait = Wait(0.0, 0.25, before)
    wait.saw(before, 0.2)
    assert wait.over(0.26)
    wait.saw(after, 0.2)
    assert not wait.over(0.44)
    assert wait.over(0.46)
    assert not wait.hopeless(2.7)
    assert wait.hopeless(2.8)


class Counted(SimulatedScreen):
    """A screen that counts the grabs of its window."""

    grabs = 0

    def grab(self, rect: Rect | None = None) -> Frame:
        self.grabs += 1
        return super().grab(rect)


def there(delay: float = 0.0) -> tuple[Counted, BoardWatcher, Board]:
    screen = Counted(SKIN, FakeClock(), seed=3, faults=Faults(delay=delay))
    watcher = BoardWatcher(screen, screen, [SKIN], screen.clock, screen.window, pointer=screen.position)
    return screen, watcher, watcher.look().reading.board


def answered(screen: SimulatedScreen, cell: Cell, before: Board) -> Callable[[Reading], bool]:
    x, y = screen.grid.centre(cell)
    screen.click(Point(int(x), int(y)))
    return lambda reading: reading.board[cell] != before[cell]


def test_one_grab_is_enough_where_nothing_is_in_doubt() -> None:
    screen, watcher, board = there()
    for cell in (Cell(4, 4), Cell(0, 0)):
        done, screen.grabs = answered(screen, cell, board), 0
        look = watcher.watch(done, Past(board, frozenset({Cell(4, 4), cell})), 0.25)
        assert look.doubt is None
        assert look.reading.board == screen.game.board
        if board.count(State.COVERED) < board.states.size:
            assert screen.grabs == 1
        board = look.reading.board


def test_without_a_click_two_grabs_must_agree() -> None:
    screen, watcher, _ = there()
    screen.grabs = 0
    assert watcher.look().doubt is None
    assert screen.grabs >= 2


def test_an_answer_that_is_late_is_seen_soon_after_it_comes() -> None:
    screen, watcher, board = there(delay=0.1)
    start = screen.clock.now()
    look = watcher.watch(answered(screen, Cell(4, 4), board), Past(board, frozenset({Cell(4, 4)})), 0.25)
    assert look.reading.board == screen.game.board
    assert screen.clock.now() - start < 0.12


def test_a_board_half_painted_is_looked_at_again() -> None:
    screen, watcher, board = there()
    whole = screen.game.board

    def half(shown: Board) -> Board:
        """For a while only the left half of what has opened is shown."""
        if shown == whole or screen.clock.now() > start + 0.03:
            return shown
        return shown.replace({cell: State.COVERED for cell in shown if cell.col > 4})

    start = screen.clock.now()
    screen.faults.misdraw = half
    look = watcher.watch(answered(screen, Cell(4, 4), board), Past(board, frozenset({Cell(4, 4)})), 0.25)
    assert look.doubt is None
    assert look.reading.board == screen.game.board


@pytest.mark.parametrize(
    ("rows", "wanted"), [(["0F", "1."], True), (["01", "1."], False), (["1F", "11"], False)]
)
def test_a_zero_beside_a_flag_may_be_a_cell_that_is_pressed(rows: list[str], wanted: bool) -> None:
    board = Board.from_rows(rows, 1)
    assert zero_beside_mark(board, Board.covered(2, 2, 1)) is wanted
    assert not zero_beside_mark(board, board)
