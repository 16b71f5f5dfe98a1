"""Looking at a board over time: where it is, what its cells hide, which changes are believed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from bot.board import Board, Cell, FirstClick, State
from bot.desktop.protocols import FRAME_TIME, Button
from bot.errors import ContradictionError
from bot.game.simulation import Game
from bot.geometry import Frame, Pixels, Point, Rect
from bot.play.dryrun import LEFT_OUT, watch
from bot.play.look import zero_beside_closed
from bot.play.patience import GRAB_GAP, AnswerTimes, Wait, nap
from bot.play.results import Settings
from bot.play.watcher import BoardWatcher
from bot.verdict import GameState, Ledger
from bot.vision import read_picture
from bot.vision.learning.skin_learner import SkinLearner
from bot.vision.reading import Doubt, Reading
from fakes import FakeClock
from simulated import Faults, SimulatedScreen
from watched_player import SKINS, WatchedPlayer, screen, watcher_of


def new_screen(seed: int = 3) -> SimulatedScreen:
    return screen("winmine", seed=seed)


def player_of(there: SimulatedScreen, mines: int | None = None) -> WatchedPlayer:
    return WatchedPlayer(there, target="winmine", watcher=watcher_of(there, mines=mines))


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
    there = new_screen()
    light_up(there)
    there.at = there.point(Cell(4, 5))
    look = watcher_of(there).look()
    assert look.reading.doubts == {Cell(4, 5): Doubt.POINTER}
    assert "row 5, column 6: it is under the mouse pointer" in (look.doubt or "")


def test_number_under_the_pointer_is_remembered() -> None:
    there = new_screen()
    there.click(there.point(Cell(4, 4)))
    watcher = watcher_of(there)
    there.at = Point(0, 0)
    before = watcher.look()
    assert before.doubt is None
    light_up(there)
    cell = before.reading.board.cells(*range(1, 9))[0]
    there.at = there.point(cell)
    look = watcher.look(Ledger(before.reading.board))
    assert look.doubt is None
    assert look.reading.board == before.reading.board
    assert look.reading.remembered == {cell}


def test_player_moves_the_pointer_aside_where_it_changes_cells() -> None:
    there = new_screen()
    light_up(there)
    (result,) = player_of(there).play()
    assert result.misreads == 0
    assert there.grid.cell_at(there.at.x, there.at.y) is None


def test_dry_run_leaves_the_cell_under_the_pointer_out() -> None:
    there = new_screen()
    there.click(there.point(Cell(4, 4)))
    light_up(there)
    there.at = there.point(there.game.board.cells(State.COVERED)[0])
    at = there.at
    suggestion = next(watch(watcher_of(there), Settings()))
    assert suggestion.decision is not None
    assert suggestion.why == LEFT_OUT
    assert there.game.board.cells(State.COVERED)[0] not in [move.cell for move in suggestion.decision.moves]
    assert there.at == at


@pytest.mark.parametrize("beside", [Point(-20, -20), Point(164, 164)])
def test_a_dry_run_has_the_order_of_the_mouse_and_keeps_it_while_the_pointer_moves(beside: Point) -> None:
    there = new_screen(16)
    there.click(there.point(Cell(4, 4)))
    light_up(there)
    table, suggestions = player_of(there), watch(watcher_of(there), Settings())

    def suggested() -> list[Cell]:
        decision = next(suggestions).decision
        assert decision is not None
        return [move.cell for move in decision.moves]

    there.at = start = Point(round(there.grid.x) + beside.x, round(there.grid.y) + beside.y)
    safe = suggested()
    assert len(safe) > 5
    there.at = there.point(safe[-1])  # it now hides the last one
    assert suggested() == safe[:-1]
    there.at = start
    next(table.player.play())
    first = table.rounds[0]
    assert [click.move.cell for click in first.clicks] == safe
    assert [move.cell for move in first.decision.moves] == safe


def test_board_without_a_window_is_found_again_when_it_moves() -> None:
    there = new_screen()
    there.listed = False
    watcher = watcher_of(there, window=False)
    watcher.find()
    there.click(there.point(Cell(4, 4)))
    there.place = Point(there.place.x + 150, there.place.y + 70)
    look = watcher.look()
    assert look.doubt is None
    assert look.reading.board == there.game.board
    x, y = look.reading.grid.x + look.frame.origin.x, look.reading.grid.y + look.frame.origin.y
    assert (x, y) == (there.grid.x, there.grid.y)


def test_board_that_scrolls_inside_its_window_is_found_again() -> None:
    there = new_screen()
    watcher = watcher_of(there)
    watcher.find()
    draw = there._window_picture
    there._window_picture = lambda: np.roll(draw(), -7, axis=0)  # type: ignore[method-assign]
    look = watcher.look()
    assert look.doubt is None
    assert look.reading.grid.y + look.frame.origin.y == there.grid.y - 7


def test_cell_that_opens_without_a_click_stops_play() -> None:
    there = new_screen(seed=2)

    def lie(board: Board) -> Board:
        mines = there.game.mines or frozenset()
        far = [cell for cell in board.cells(State.COVERED) if mines.intersection(board.neighbours(cell))]
        closed = [cell for cell in far if all(board[near] > 8 for near in board.neighbours(cell))]
        safe = [cell for cell in closed if cell not in mines]
        if len(there.clicks) < 2 or not safe:
            return board
        return board.replace({safe[-1]: len(mines.intersection(board.neighbours(safe[-1])))})

    there.faults.misdraw = lie
    player_of(there).fails(ContradictionError, r"without a click.*kept\.png")


def test_flag_that_disappears_stops_nothing_while_the_counter_says_the_same() -> None:
    """The total of mines is remembered from the looks before: the counter may be hidden later."""
    there = new_screen()
    watcher = watcher_of(there)
    before = watcher.look()
    assert before.reading.board.mines == 10
    hide_counter(there)
    look = watcher.look(Ledger(before.reading.board, frozenset()))
    assert look.reading.mines_left is None
    assert look.reading.board.mines == 10
    assert look.doubt is None


def test_total_that_changes_is_a_doubt() -> None:
    there = new_screen()
    watcher = watcher_of(there)
    board = watcher.look().reading.board
    look = watcher.look(Ledger(Board(board.states, 12), frozenset()))
    assert "10 mines now, but gave 12 before" in (look.doubt or "")


@pytest.mark.parametrize("total", [60, 30])
def test_counter_that_contradicts_the_board_is_not_believed_for_the_rest_of_a_game(total: int) -> None:
    """The total of both looks at the first board is impossible once many cells are opened."""
    there = new_screen()
    there.faults.misdraw = lambda board: Board(board.states, total)
    player = player_of(there)
    player.play()
    totals = [turn.look.reading.board.mines for turn in player.rounds]
    assert (totals[0], totals[-1]) == (total, None)
    assert player.ends[-1].reading.board.states.tolist() == there.game.board.states.tolist()


def test_total_given_tells_a_win() -> None:
    there = new_screen()
    hide_counter(there)
    there.click(there.point(Cell(0, 0)))
    mines = there.game.mines or frozenset()
    for cell in there.game.board:
        if cell not in mines and there.game.board[cell] == State.COVERED:
            there.click(there.point(cell))
    assert there.game.won
    there.faults.misdraw = lambda board: board.replace(dict.fromkeys(mines, State.COVERED))
    assert watcher_of(there, mines=10).look().reading.state is GameState.WON


def test_a_window_that_is_being_painted_is_looked_at_again_however_long_the_search_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    there = new_screen()
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


# How long a game is looked at: its own rhythm, one grab where that is enough, time for late answers


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


class CompositedScreen(SimulatedScreen):
    """A compositor draws the screen: between two of its pictures nothing that a game paints is seen."""

    frame_time = FRAME_TIME
    drawn: tuple[int, Frame] | None = None

    def grab(self, rect: Rect | None = None) -> Frame:
        number = int(self.clock.time / FRAME_TIME)
        whole = super().grab(None)
        if self.drawn is None or self.drawn[0] != number:
            self.drawn = number, whole
        shown = self.drawn[1]
        return shown if rect is None else shown.crop(rect)


@pytest.mark.parametrize("after", [0.1, 0.4, 0.9])
def test_at_rest_means_that_the_compositor_has_drawn_twice(after: float) -> None:
    """A game paints a flag, and the next one a little later, in the middle of the compositor's time."""
    there = screen(kind=CompositedScreen)
    watcher = watcher_of(there)
    assert watcher.look().reading.board == there.game.board
    there.clock.time = 100 * FRAME_TIME - 0.001
    for cell in (Cell(0, 0), Cell(0, 1)):
        there.click(there.point(cell), Button.RIGHT)
        there.clock.time += 0.002
        there.grab()  # the compositor draws the first flag alone
    there.clock.time = (100 + after) * FRAME_TIME
    assert watcher.look().reading.board == there.game.board


def test_a_slow_game_must_stand_still_for_longer() -> None:
    quick, slow = taught(0.004), taught(0.3)
    assert quick.rest == AnswerTimes().rest == GRAB_GAP
    assert 5 * GRAB_GAP < slow.rest <= 0.03


def test_a_late_game_is_waited_for_and_forgiven_in_time() -> None:
    board = Board.covered(2, 2, 1)
    quick, late = taught(0.004), taught(0.5)
    assert [rhythm.wait(0.0, 0.25, Ledger(board)).over(0.3) for rhythm in (quick, late)] == [True, False]
    assert late.wait(0.0, 0.25, None).over(0.3)  # no click, no answer
    for _ in range(200):
        late.answered(0.004)
    assert late.wait(0.0, 0.25, Ledger(board)).over(0.3)


def test_lost_clicks_make_no_game_late() -> None:
    """Else each would be waited for three times as long as the one before."""
    board, rhythm = Board.covered(2, 2, 1), taught(0.004)
    for waited in (0.3, 0.9, 2.7, 8.1):
        rhythm.answered(waited, again=True)
    assert rhythm.wait(0.0, 0.25, Ledger(board)).over(0.3)
    slow = AnswerTimes()
    slow.answered(0.8, again=True)  # its first answer: the first click was sent again too soon
    assert not slow.wait(0.0, 0.25, Ledger(board)).over(2.3)


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


def watched(delay: float = 0.0) -> tuple[Counted, BoardWatcher, Board]:
    there = screen(kind=Counted, seed=3, faults=Faults(delay=delay))
    assert isinstance(there, Counted)
    watcher = watcher_of(there)
    return there, watcher, watcher.look().reading.board


def answered(there: SimulatedScreen, cell: Cell, before: Board) -> Callable[[Reading], bool]:
    there.click(there.point(cell))
    return lambda reading: reading.board[cell] != before[cell]


def test_one_grab_is_enough_where_nothing_is_in_doubt() -> None:
    there, watcher, board = watched()
    for cell in (Cell(4, 4), Cell(0, 0)):
        done, there.grabs = answered(there, cell, board), 0
        look = watcher.watch(done, Ledger(board, frozenset({Cell(4, 4), cell})), 0.25)
        assert look.doubt is None
        assert look.reading.board == there.game.board
        if board.count(State.COVERED) < board.states.size:
            assert there.grabs == 1
        board = look.reading.board


def test_without_a_click_two_grabs_must_agree() -> None:
    there, watcher, _ = watched()
    there.grabs = 0
    assert watcher.look().doubt is None
    assert there.grabs >= 2


def test_an_answer_that_is_late_is_seen_soon_after_it_comes() -> None:
    there, watcher, board = watched(delay=0.1)
    start = there.clock.now()
    look = watcher.watch(answered(there, Cell(4, 4), board), Ledger(board, frozenset({Cell(4, 4)})), 0.25)
    assert look.reading.board == there.game.board
    assert there.clock.now() - start < 0.12


def test_a_board_half_painted_is_looked_at_again() -> None:
    there, watcher, board = watched()
    whole = there.game.board

    def half(shown: Board) -> Board:
        """For a while only the left half of what has opened is shown."""
        if shown == whole or there.clock.now() > start + 0.03:
            return shown
        return shown.replace({cell: State.COVERED for cell in shown if cell.col > 4})

    start = there.clock.now()
    there.faults.misdraw = half
    look = watcher.watch(answered(there, Cell(4, 4), board), Ledger(board, frozenset({Cell(4, 4)})), 0.25)
    assert look.doubt is None
    assert look.reading.board == there.game.board


def test_art_that_was_learned_must_be_at_rest_where_cells_fade_in() -> None:
    """A number that fades in looks like another one, in a grab or two that are alike."""
    there, watcher, board = watched()
    watcher.reader.learner = SkinLearner(None)  # which learned the skin in the games before
    watcher._answers.painted(0.3)
    cell = Cell(6, 6)

    def fading(shown: Board) -> Board:
        late = shown[cell] == State.COVERED or there.clock.now() > start + 0.03
        return shown if late else shown.replace({cell: shown[cell] + 1})

    start = there.clock.now()
    there.faults.misdraw = fading
    look = watcher.watch(answered(there, cell, board), Ledger(board, frozenset({cell})), 0.25)
    assert there.game.board.count(State.COVERED) == board.states.size - 1
    assert look.reading.board == there.game.board


def test_how_long_an_answer_is_painted_is_measured() -> None:
    there, watcher, board = watched(delay=0.05)
    watcher.watch(answered(there, Cell(6, 6), board), Ledger(board, frozenset({Cell(6, 6)})), 0.25)
    assert watcher._answers.painting == 0.0  # all at once
    start, board = there.clock.now(), there.game.board
    there.faults.misdraw = lambda shown: (
        shown.replace({Cell(8, 8): int(shown[Cell(8, 8)]) % 2 + 7})
        if shown[Cell(8, 8)] <= 8 and there.clock.now() < start + 0.2
        else shown
    )
    watcher.watch(
        answered(there, Cell(8, 8), board), Ledger(board, frozenset({Cell(6, 6), Cell(8, 8)})), 0.25
    )
    assert 0.1 < watcher._answers.painting < 0.2


@pytest.mark.parametrize(
    ("rows", "wanted"), [(["0F", "1."], True), (["01", "1."], True), (["1F", "11"], False)]
)
def test_a_zero_beside_a_closed_cell_may_be_pressed_or_half_painted(rows: list[str], wanted: bool) -> None:
    board = Board.from_rows(rows, 1)
    assert zero_beside_closed(board, Board.covered(2, 2, 1)) is wanted
    assert not zero_beside_closed(board, board)


def test_a_few_cells_that_a_skin_nearly_fits_do_not_end_play() -> None:
    """Another font: the skin cannot read its threes, and nothing lies over them."""
    full = SKINS["winmine"]
    templates = full.templates.copy()
    three = full.states.tolist().index(3)
    templates[three] = full.template(0)
    cv2.putText(templates[three], "3", (4, 13), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (0, 0, 255), 1, cv2.LINE_AA)
    game = Game(9, 9, 10, 37, FirstClick.OPENING)
    game.open(Cell(4, 4))
    there = SimulatedScreen(replace(full, templates=templates), FakeClock())
    there.shown = game.board
    watcher = watcher_of(there, [full], mines=10)
    watcher.find()
    look = watcher.look()
    assert look.reading.unreadable == game.board.cells(3)
    assert not look.playable_despite_doubt
    assert watcher.reader.distrust_skin(look, None)
    look = watcher.look()
    assert (look.doubt, look.reading.board) == (None, game.board)
