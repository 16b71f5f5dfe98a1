"""Another game than the one that is played comes on the screen, or the same one looks otherwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count

import pytest

from bot.board import Cell, State
from bot.clicker import MaxPace, Pace, SteadyPace
from bot.errors import ContradictionError
from bot.game.simulation import Game
from bot.geometry import Frame, Point, Rect
from bot.levels import BEGINNER, INTERMEDIATE, Level
from bot.play import BoardWatcher, Player, Round, Settings
from bot.play.end_detection import EndDetector
from bot.play.evidence import is_another_game
from bot.play.look import Past
from bot.play.player import View
from bot.solver.decision import Decision
from bot.solver.strategies import decide_on
from bot.targets import find_target
from bot.vision import load_skins
from bot.vision.reading import Reading
from fakes import FakeClock
from simulated import Faults, SimulatedScreen

SKINS = {skin.name: skin for skin in load_skins() if skin.counter is not None}
Change = Callable[[SimulatedScreen], None]


def begin_anew(there: SimulatedScreen, level: Level = BEGINNER) -> None:
    there.level, there.seed = level, there.seed + 1
    there.game = Game(level.rows, level.cols, level.mines, there.seed, there.rule)
    there.shown = there.game.board
    there._pending.clear()


def change_theme(there: SimulatedScreen) -> None:
    there.skin = SKINS["builtin-dark"]


def played(
    change: Change, after: int, skin: str = "builtin", pace: Pace | None = None, lost: int = 0
) -> tuple[SimulatedScreen, list[Round], list[str], int]:
    """Play a game in which something changes after so many clicks; every look at it must be true."""
    faults = Faults(lose=lambda number: number == lost)
    there = SimulatedScreen(SKINS[skin], FakeClock(), seed=10_000_000, faults=faults)
    rounds, told, again, aimed = list[Round](), list[str](), list[int](), list[Cell]()

    def clicked(number: int) -> None:
        assert there.clicks[-1][0] in aimed
        if number == after:
            change(there)
            again.append(len(rounds))

    def look_at(turn: Round) -> None:
        assert turn.look.reading.board == there.game.board
        rounds.append(turn)
        assert all(turn.look.reading.board[click.move.cell] > 8 for click in turn.clicks)
        aimed[:] = [click.move.cell for click in turn.clicks]

    there.on_click = clicked
    player = Player(
        BoardWatcher(there, there, list(SKINS.values()), there.clock, there.window),
        there,
        there,
        find_target("builtin"),
        pace or MaxPace(),
        there.clock,
        Settings(),
        on_round=look_at,
        tell=told.append,
    )
    (result,) = player.play()
    assert again
    assert result.won is there.game.won
    return there, rounds, told, again[0]


@pytest.mark.parametrize("level", [BEGINNER, INTERMEDIATE], ids=str)
def test_a_game_that_was_begun_by_somebody_else_is_played_in_place_of_the_other(level: Level) -> None:
    there, rounds, told, again = played(lambda there: begin_anew(there, level), after=4)
    assert told == ["another game was begun: it is played now, and the one before does not count"]
    assert [turn.game for turn in rounds] == [1] * again + [2] * (len(rounds) - again)
    assert rounds[again].number == 1
    assert there.game.over


def test_another_level_that_comes_while_a_board_makes_no_sense_is_another_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The cells that were clicked on the larger board are none of the smaller one."""
    there = SimulatedScreen(SKINS["builtin"], FakeClock(), seed=10_000_000, level=INTERMEDIATE)
    told, decisions = list[str](), count(1)

    def decide(*args: object) -> Decision:
        if next(decisions) == 2:
            begin_anew(there, BEGINNER)
            raise ContradictionError("no mines can explain the board")
        return decide_on(*args)  # type: ignore[arg-type]

    monkeypatch.setattr("bot.play.player.decide_on", decide)
    player = Player(
        BoardWatcher(there, there, list(SKINS.values()), there.clock, there.window),
        there,
        there,
        find_target("builtin"),
        MaxPace(),
        there.clock,
        Settings(),
        tell=told.append,
    )
    (result,) = player.play()
    assert told == ["another game was begun: it is played now, and the one before does not count"]
    assert (result.level, result.won) == ("beginner", there.game.won)


def test_a_lost_click_is_not_sent_again_to_where_its_cell_was() -> None:
    def move(there: SimulatedScreen) -> None:
        there.place = Point(there.place.x + 32, there.place.y + 16)

    there = played(move, after=3, lost=3)[0]
    assert len(there.clicks) > 3
    assert all(cell is not None for cell, _ in there.clicks)


def test_a_game_in_other_colours_is_played_on() -> None:
    _, rounds, told, again = played(change_theme, after=2)
    assert told == []
    assert rounds[-1].look.reading.skin == "builtin-dark"
    assert {turn.game for turn in rounds} == {1}
    assert len(rounds) > again


def test_no_click_of_a_round_goes_on_another_game() -> None:
    """A round whose clicks take a while is broken off when the board is no longer what it was."""
    _, rounds, _, again = played(begin_anew, after=4, pace=SteadyPace(5))
    first = rounds[again].look.reading.board
    assert first.count(*range(9)) == 0  # nothing was opened on it before it was seen


@pytest.mark.parametrize(
    ("closed", "numbers", "another"), [(3, 0, True), (1, 2, True), (2, 0, False), (0, 3, False), (0, 9, True)]
)
def test_what_has_changed_tells_another_game(closed: int, numbers: int, another: bool) -> None:
    there = SimulatedScreen(SKINS["builtin"], FakeClock(), seed=10_000_000)
    look = BoardWatcher(there, there, [SKINS["builtin"]], there.clock, there.window).find()
    cells = [Cell(index // 9, index % 9) for index in range(16)]
    past = Past(look.reading.board.replace(dict.fromkeys(cells, 1)), frozenset())
    states = [State.COVERED] * closed + [2] * numbers + [1] * (16 - closed - numbers)
    board = look.reading.board.replace(dict(zip(cells, states, strict=True)))
    now = replace(look, reading=replace(look.reading, board=board))
    assert is_another_game(now, past) is another


def test_a_cell_is_taken_to_be_clicked_once_its_click_was_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a game whose colours shift just then is taken to be lost: all is strange, nothing answers."""
    screens, looks = list[SimulatedScreen](), count()

    def change(there: SimulatedScreen) -> None:
        screens.append(there)
        change_theme(there)

    def note(signs: EndDetector, frame: Frame, reading: Reading, past: Past | None) -> Reading:
        if screens and past:
            assert past.clicked is not None
            assert past.clicked <= {cell for cell, _ in screens[0].clicks}
            next(looks)
        return read(signs, frame, reading, past)

    read = EndDetector.read
    monkeypatch.setattr(EndDetector, "read", note)
    _, rounds, _, again = played(change, after=7, pace=SteadyPace(5))
    assert len(rounds[again - 1].clicks) > 1
    assert next(looks) > 2


def test_a_glance_sees_a_board_that_has_changed_and_forgives_a_cell() -> None:
    there = SimulatedScreen(SKINS["builtin"], FakeClock(), seed=10_000_000)
    there.game.open(Cell(0, 0))
    there.game.open(Cell(4, 4))
    there.shown = there.game.board
    watcher = BoardWatcher(there, there, [SKINS["builtin"]], there.clock, there.window)
    look = watcher.find()
    opened = there.shown.cells(*range(9))
    assert len(opened) > 4
    view = View(watcher, there.clock, lambda: None)
    assert view.as_it_was  # no look, nothing that may have changed
    view.go_by(look)
    there.clock.sleep(1)
    assert view.as_it_was
    there.shown = there.shown.replace({opened[0]: 8})
    there.clock.sleep(1)
    assert view.as_it_was
    begin_anew(there)
    there.clock.sleep(0.01)
    assert view.as_it_was  # it goes by what it saw a moment ago
    there.clock.sleep(1)
    assert not view.as_it_was
    view.go_by(replace(look, frame=there.grab(there.window.client)))
    assert view.as_it_was


@pytest.mark.parametrize(
    "edge", [Rect(1, 0, 0, 0), Rect(0, 1, 0, 0), Rect(0, 0, 1, 0), Rect(0, 0, 0, 1)], ids=str
)
def test_a_glance_bears_a_board_that_sticks_out_of_its_picture(edge: Rect) -> None:
    """A grid that was measured is a fraction of a pixel off: its edge may be beyond the screen's."""
    there = SimulatedScreen(SKINS["builtin"], FakeClock(), seed=10_000_000)
    there.game.open(Cell(4, 4))
    there.shown = there.game.board
    watcher = BoardWatcher(there, there, [SKINS["builtin"]], there.clock, there.window)
    look = watcher.find()
    board = look.frame.on_screen(look.reading.grid.rect)
    left, top = board.x + edge.x, board.y + edge.y
    inside = Rect(left, top, board.right - edge.width - left, board.bottom - edge.height - top)
    grid = look.reading.grid.moved(look.frame.origin.x - left, look.frame.origin.y - top)
    frame = look.frame.crop(inside)
    assert not frame.rect.covers(grid.rect.moved(left, top))
    view = View(watcher, there.clock, lambda: None)
    view.go_by(replace(look, frame=frame, reading=replace(look.reading, grid=grid)))
    there.clock.sleep(1)
    assert view.as_it_was
    begin_anew(there)
    there.clock.sleep(1)
    assert not view.as_it_was
