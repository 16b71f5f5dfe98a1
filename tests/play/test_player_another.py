"""Another game than the one that is played comes on the screen, or the same one looks otherwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count

import numpy as np
import pytest

from bot.board import Cell, State
from bot.clicker.pace import Pace, SteadyPace
from bot.desktop.protocols import Window
from bot.errors import BotError, ContradictionError, GameNotFoundError, ViewChangedError, WindowError
from bot.geometry import Frame, Pixels, Point, Rect
from bot.levels import BEGINNER, INTERMEDIATE, Level
from bot.play.board_place import BoardGuard
from bot.play.end_signs import EndDetector
from bot.play.look import is_another_game
from bot.play.results import Round
from bot.solver.decision import Decision
from bot.solver.strategies import decide_on
from bot.verdict import Circumstances, Ledger, Verdict
from bot.vision.reading import Reading
from simulated import Faults, SimulatedScreen
from watched_player import SKINS, WatchedPlayer, screen, watcher_of

SEED = 10_000_000
ANOTHER = "another game was started: the previous one did not end in sight"
Change = Callable[[SimulatedScreen], None]


def change_theme(there: SimulatedScreen) -> None:
    there.skin = SKINS["builtin-dark"]


def as_it_was(view: BoardGuard) -> bool:
    """Return whether a click may be sent to the board that the guard knows."""
    try:
        view.check(Point(0, 0))
    except ViewChangedError:
        return False
    return True


class ChangedPlayer(WatchedPlayer):
    """A game in which something changes after so many clicks; every look at it must be true."""

    def __init__(self, change: Change, after: int, pace: Pace | None = None, lost: int = 0) -> None:
        faults = Faults(lose=lambda number: number == lost)
        there = screen("builtin", seed=SEED, faults=faults)
        super().__init__(there, pace=pace, target="builtin")
        self.change, self.after = change, after
        self.again = 0  # so many rounds came before that
        self.screen.on_click = self._clicked
        self.play()
        assert self.again

    def _clicked(self, number: int) -> None:
        assert self.screen.clicks[-1][0] in [click.move.cell for click in self.rounds[-1].clicks]
        if number == self.after:
            self.change(self.screen)
            self.again = len(self.rounds)

    def round(self, turn: Round) -> None:
        super().round(turn)
        assert turn.look.reading.board == self.screen.game.board
        assert all(turn.look.reading.board[click.move.cell] > 8 for click in turn.clicks)


@pytest.mark.parametrize("level", [BEGINNER, INTERMEDIATE], ids=str)
def test_a_game_that_was_begun_by_somebody_else_is_played_in_place_of_the_other(level: Level) -> None:
    table = ChangedPlayer(lambda there: there.begin(level), after=4)
    assert table.told == [ANOTHER]
    rest = len(table.rounds) - table.again
    assert [turn.game for turn in table.rounds] == [1] * table.again + [2] * rest
    assert table.rounds[table.again].number == 1
    assert table.screen.game.over


def test_another_level_that_comes_while_a_board_makes_no_sense_is_another_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The cells that were clicked on the larger board are none of the smaller one."""
    there, decisions = screen("builtin", INTERMEDIATE, seed=SEED), count(1)

    def decide(*args: object) -> Decision:
        if next(decisions) == 2:
            there.begin(BEGINNER)
            raise ContradictionError("no mines can explain the board")
        return decide_on(*args)  # type: ignore[arg-type]

    monkeypatch.setattr("bot.play.player.decide_on", decide)
    table = WatchedPlayer(there, target="builtin")
    first, second = table.play()
    assert (table.told, first.level, second.level) == ([ANOTHER], "intermediate", "beginner")
    assert (first.outcome, second.outcome) == ("unknown", "won")


def test_a_lost_click_is_not_sent_again_to_where_its_cell_was() -> None:
    def move(there: SimulatedScreen) -> None:
        there.place = Point(there.place.x + 32, there.place.y + 16)

    clicks = ChangedPlayer(move, after=3, lost=3).screen.clicks
    assert len(clicks) > 3
    assert None not in {cell for cell, _ in clicks}


def test_a_game_in_other_colours_is_played_on() -> None:
    table = ChangedPlayer(change_theme, after=2)
    assert table.told == []
    assert table.rounds[-1].look.reading.skin == "builtin-dark"
    assert {turn.game for turn in table.rounds} == {1}
    assert len(table.rounds) > table.again


def test_no_click_of_a_round_goes_on_another_game() -> None:
    """A round whose clicks take a while is broken off when the board is no longer what it was."""
    table = ChangedPlayer(SimulatedScreen.begin, after=4, pace=SteadyPace(5))
    first = table.rounds[table.again].look.reading.board
    assert first.count(*range(9)) == 0  # nothing was opened on it before it was seen


@pytest.mark.parametrize(
    ("closed", "numbers", "another"), [(3, 0, True), (1, 2, True), (2, 0, False), (0, 3, False), (0, 9, True)]
)
def test_what_has_changed_tells_another_game(closed: int, numbers: int, another: bool) -> None:
    look = watcher_of(screen("builtin", seed=SEED)).find()
    cells = [Cell(index // 9, index % 9) for index in range(16)]
    last = look.reading.board.replace(dict.fromkeys(cells, 1))
    states = [State.COVERED] * closed + [2] * numbers + [1] * (16 - closed - numbers)
    board = look.reading.board.replace(dict(zip(cells, states, strict=True)))
    now = replace(look, reading=replace(look.reading, board=board))
    assert is_another_game(now, last) is another


def test_a_cell_is_taken_to_be_clicked_once_its_click_was_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a game whose colours shift just then is taken to be lost: all is strange, nothing answers."""
    screens, looks = list[SimulatedScreen](), count()

    def change(there: SimulatedScreen) -> None:
        screens.append(there)
        change_theme(there)

    def note(
        signs: EndDetector, frame: Frame, reading: Reading, ledger: Ledger | None, verdict: Verdict
    ) -> Circumstances:
        if screens and ledger:
            assert ledger.clicked is not None
            assert ledger.clicked <= {cell for cell, _ in screens[0].clicks}
            next(looks)
        return read(signs, frame, reading, ledger, verdict)

    read = EndDetector.read
    monkeypatch.setattr(EndDetector, "read", note)
    table = ChangedPlayer(change, after=7, pace=SteadyPace(5))
    assert len(table.rounds[table.again - 1].clicks) > 1
    assert next(looks) > 2


def test_a_glance_sees_a_board_that_has_changed_and_forgives_a_cell() -> None:
    there = screen("builtin", seed=SEED)
    there.game.open(Cell(0, 0))
    there.game.open(Cell(4, 4))
    there.shown = there.game.board
    watcher = watcher_of(there)
    look = watcher.find()
    opened = there.shown.cells(*range(9))
    assert len(opened) > 4
    view = BoardGuard(watcher.capture, watcher.place)
    view.go_by(look)
    there.clock.sleep(1)
    assert as_it_was(view)
    there.shown = there.shown.replace({opened[0]: 8})
    there.clock.sleep(1)
    assert as_it_was(view)
    there.begin()
    there.clock.sleep(0.01)
    assert as_it_was(view)  # it goes by what it saw a moment ago
    there.clock.sleep(1)
    assert not as_it_was(view)
    view.go_by(replace(look, frame=there.grab(there.window.client)))
    assert as_it_was(view)


@pytest.mark.parametrize(
    "edge", [Rect(1, 0, 0, 0), Rect(0, 1, 0, 0), Rect(0, 0, 1, 0), Rect(0, 0, 0, 1)], ids=str
)
def test_a_glance_bears_a_board_that_sticks_out_of_its_picture(edge: Rect) -> None:
    """A grid that was measured is a fraction of a pixel off: its edge may be beyond the screen's."""
    there = screen("builtin", seed=SEED)
    there.game.open(Cell(4, 4))
    there.shown = there.game.board
    watcher = watcher_of(there)
    look = watcher.find()
    board = look.frame.on_screen(look.reading.grid.rect)
    left, top = board.x + edge.x, board.y + edge.y
    inside = Rect(left, top, board.right - edge.width - left, board.bottom - edge.height - top)
    grid = look.reading.grid.moved(look.frame.origin.x - left, look.frame.origin.y - top)
    frame = look.frame.crop(inside)
    assert not frame.rect.covers(grid.rect.moved(left, top))
    view = BoardGuard(watcher.capture, watcher.place)
    view.go_by(replace(look, frame=frame, reading=replace(look.reading, grid=grid)))
    there.clock.sleep(1)
    assert as_it_was(view)
    there.begin()
    there.clock.sleep(1)
    assert not as_it_was(view)


class GoneAtItsEnd(SimulatedScreen):
    """A game that shows a larger window without a board as soon as it is over."""

    @property
    def window(self) -> Window:
        client = super().window.client
        return replace(super().window, client=client.grown(20)) if self.game.over else super().window

    def _window_picture(self) -> Pixels:
        if not self.game.over:
            return super()._window_picture()
        return np.full((self.window.client.height, self.window.client.width, 3), 90, np.uint8)


class CutAtItsEnd(GoneAtItsEnd):
    """A game that shows a part of its board in a larger window as soon as it is over."""

    def _window_picture(self) -> Pixels:
        picture = super()._window_picture()
        if self.game.over:
            board = SimulatedScreen._window_picture(self)[100:-24, :-30]
            picture[: board.shape[0], : board.shape[1]] = board
        return picture


@pytest.mark.parametrize(
    ("kind", "error", "words"),
    [
        (CutAtItsEnd, WindowError, "part of the board is hidden"),
        (GoneAtItsEnd, GameNotFoundError, "shows no board"),
    ],
)
def test_a_game_whose_window_hides_its_end_is_reported_before_play_stops(
    kind: type[SimulatedScreen], error: type[BotError], words: str
) -> None:
    table = WatchedPlayer(screen(kind=kind))
    table.fails(error, words)
    assert [result.outcome for result in table.results] == ["unknown"]
