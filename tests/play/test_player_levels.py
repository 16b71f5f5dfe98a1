"""Levels that are set by a menu, in games that lose keys, are painted late, or take no level at all."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
import pytest

from bot.board import Board, State
from bot.capture import PatientCapture
from bot.desktop.protocols import Button, Visibility, Window
from bot.errors import StuckError, UsageError, WindowError
from bot.game.simulation import Game
from bot.geometry import Frame, Pixels, Point, Rect
from bot.levels import BEGINNER, EXPERT, INTERMEDIATE, Level
from bot.play.look import Look, at_rest
from bot.play.new_game import GameWindow
from bot.play.watcher import FIND_GAP, BoardWatcher
from bot.targets.catalogue import UNKNOWN, Target, find_target
from bot.verdict import GameState, Ledger, verdict_on
from bot.vision.reading import Reading
from fakes import FakeClock
from simulated import SimulatedScreen, reading_of
from watched_player import SKINS, WatchedPlayer

TARGET = find_target("winmine")
OWN = Level(12, 10, 23)
MENU, DIALOG = (
    Window(5, "", "#32768", "", Rect(110, 90, 60, 90), is_menu=True),
    Window(6, "Custom", "#32770", "", Rect(120, 99, 9, 9)),
)
LINES = {line: TARGET.levels.get(name) for name, line in TARGET.menu.items()}


class WithMenu(SimulatedScreen):
    """A game with a menu and a dialog for a size of one's own; of the keys pressed, some are ``lost``."""

    def __init__(self, lost: Collection[int] = ()) -> None:
        super().__init__(SKINS["winmine"], FakeClock(), BEGINNER)
        self.lost = lost
        self.open: list[Window] = []
        self.line, self.field, self.fields, self.fresh = -1, 0, ["", "", ""], True

    def press(self, *keys: str, **_: object) -> None:
        self.keys.append(keys)
        if len(self.keys) - 1 in self.lost:
            return
        (self._in_dialog if DIALOG in self.open else self._in_menu)("+".join(keys))

    def _in_menu(self, key: str) -> None:
        if key == "f10":
            self.open, self.line = [MENU], -1
        elif key == "alt" or (key == "enter" and self.open):
            self.open = []
            if key == "enter":
                self._chosen(self.line)
        elif key == "down":
            self.line += 1

    def _chosen(self, line: int) -> None:
        if level := LINES.get(line):
            self.begin(level)
        elif line in LINES:
            self.open = [DIALOG]
            self.fields = [str(number) for number in (self.level.rows, self.level.cols, self.level.mines)]
            self.field, self.fresh = 0, True

    def _in_dialog(self, key: str) -> None:
        if key == "tab":
            self.field, self.fresh = (self.field + 1) % 3, True
        elif key == "enter":
            level = Level(*map(int, self.fields))
            if min(level.rows, level.cols) >= 9 and max(level.rows, level.cols) <= 30:  # else it complains
                self.open = []
                self.begin(level)
        elif key.isdigit():
            self.fields[self.field] = key if self.fresh else self.fields[self.field] + key
            self.fresh = False

    def begin(self, level: Level | None = None) -> None:
        level = level or self.level
        self.level, self.shown = level, Game(level.rows, level.cols, level.mines, 1, self.rule).board

    def popups(self, window: Window) -> list[Window]:
        return list(self.open) if window.handle == 1 else []

    def rival(self, window: Window) -> Window | None:  # noqa: ARG002 - as the protocol
        return None

    def has_keyboard(self, window: Window) -> bool:  # noqa: ARG002 - as the protocol
        return True

    def visibility(self, window: Window, area: Rect) -> Visibility:  # noqa: ARG002 - as the protocol
        return Visibility.COVERED if self.open else Visibility.VISIBLE

    def ask_to_close(self, window: Window) -> None:
        self.open.remove(window)


class KnowingWatcher(BoardWatcher):
    """Needs not read the screen to know the board."""

    def find(
        self,
        patience: float = 0.0,
        ledger: Ledger | None = None,  # noqa: ARG002 - as its base
        done: Callable[[Reading], bool] = at_rest,
    ) -> Look:
        assert isinstance(self.desktop, WithMenu)
        deadline = self.clock.now() + patience
        while not done(reading := reading_of(self.desktop.shown)) and self.clock.now() < deadline:
            self.clock.sleep(FIND_GAP)
        return Look(self.capture.grab(None), reading, verdict_on(reading.board))


def opened(there: WithMenu, level: Level, kind: type[BoardWatcher] = KnowingWatcher) -> Look:
    capture = PatientCapture(there, there.clock, there)
    watcher = kind(capture, [SKINS["winmine"]], there.window, None, there.position)
    return armed(there, TARGET, watcher).open(level)


def armed(there: WithMenu, target: Target = UNKNOWN, watcher: BoardWatcher | None = None) -> GameWindow:
    """Return the game as a player that is about to begin has it."""
    player = WatchedPlayer(there, target=target, watcher=watcher).player
    player.clicker.arm()
    return player.game


def test_levels_are_set_by_one_pass_through_the_menu() -> None:
    for level, keys in (
        (EXPERT, "f10 down down down down enter"),
        (OWN, "f10" + " down" * 5 + " enter 1 2 tab 1 0 tab 2 3 enter"),
    ):
        there = WithMenu()
        board = opened(there, level).reading.board
        assert (board.rows, board.cols, board.mines) == (level.rows, level.cols, level.mines)
        assert ["+".join(pressed) for pressed in there.keys] == keys.split()


LOST: list[tuple[Level, set[int]]] = [
    *((INTERMEDIATE, {key}) for key in range(5)),
    *((OWN, {key}) for key in range(15)),
    *((OWN, keys) for keys in ({0, 1, 2}, {1, 9}, {3, 17})),
]


@pytest.mark.parametrize(("level", "lost"), LOST, ids=str)
def test_a_level_is_set_though_keys_are_lost(level: Level, lost: set[int]) -> None:
    there = WithMenu(lost)
    board = opened(there, level).reading.board
    assert there.level == level
    assert (board.rows, board.cols, board.mines) == (level.rows, level.cols, level.mines)
    assert not there.open
    assert ("esc",) not in there.keys  # it stops the bot


def test_a_game_that_heeds_no_key_is_given_up() -> None:
    with pytest.raises(StuckError, match="menu of the game does not open: set the level by hand"):
        opened(WithMenu(range(1000)), EXPERT)


class Fixed(WithMenu):
    """A game whose levels cannot be changed."""

    def begin(self, level: Level | None = None) -> None:
        """Stay as it is."""


def test_a_game_that_keeps_its_level_is_given_up_after_three_tries() -> None:
    there = Fixed()
    with pytest.raises(StuckError, match="did not change its level: choose 16x30/99 in the game's menu"):
        opened(there, EXPERT)
    assert there.keys.count(("f10",)) == 3


class LatePaint(WithMenu):
    """A window that has grown is painted after ``late`` seconds; each look before that takes ``slow``."""

    def __init__(self, late: float, slow: float = 0.0) -> None:
        super().__init__()
        self.late, self.slow, self.painted = late, slow, 0.0

    def begin(self, level: Level | None = None) -> None:
        super().begin(level)
        self.painted = self.clock.now() + self.late

    def grab(self, rect: Rect | None = None) -> Frame:
        frame = super().grab(rect)
        if self.clock.now() >= self.painted:
            return frame
        self.clock.sleep(self.slow)
        pixels = frame.pixels.copy()
        pixels[216:] = pixels[:, 168:] = 0  # beyond what the window was for a beginner
        return Frame(np.ascontiguousarray(pixels), frame.origin, frame.time)


@pytest.mark.parametrize(("late", "slow"), [(3.0, 0.0), (5.0, 60.0)])
def test_a_board_that_is_painted_late_is_waited_for(late: float, slow: float) -> None:
    there = LatePaint(late, slow)
    look = opened(there, INTERMEDIATE, BoardWatcher)
    assert there.clock.now() >= there.painted
    assert look.doubt is None
    assert look.reading.board.count(State.COVERED) == 256
    assert there.keys.count(("f10",)) == 1


class CutOff(WithMenu):
    """A game whose window, once it has grown, lies partly off the screen for ``late`` seconds."""

    def __init__(self, late: float) -> None:
        super().__init__()
        self.late, self.back = late, 0.0

    def begin(self, level: Level | None = None) -> None:
        super().begin(level)
        self.back = self.clock.now() + self.late

    def grab(self, rect: Rect | None = None) -> Frame:
        self.place = Point(100 if self.clock.now() >= self.back else 650, 80)
        return super().grab(rect)


def test_a_board_that_is_cut_off_is_waited_for_and_then_told() -> None:
    assert opened(CutOff(3.0), INTERMEDIATE, BoardWatcher).reading.board.shape == (16, 16)
    with pytest.raises(WindowError, match="off the screen"):
        opened(CutOff(1000.0), INTERMEDIATE, BoardWatcher)


class WithChoice(WithMenu):
    """A game of which nothing is known, with a row of buttons that touch, or a list, that choose a level."""

    def __init__(self, *, listed: bool) -> None:
        super().__init__()
        self.buttons = [Rect(14, 8, 70, 20)] if listed else [Rect(14 + 35 * at, 8, 36, 20) for at in range(3)]
        self.listed = listed

    def _window_picture(self) -> Pixels:
        picture = super()._window_picture()
        picture[2:50, 10:158] = 192  # no counters
        for box in self.buttons:
            picture[box.y : box.bottom, box.x : box.right] = 60
            picture[box.y + 1 : box.bottom - 1, box.x + 1 : box.right - 1] = (240, 240, 240)
            picture[box.y + 8 : box.y + 12, box.x + 8 : box.x + 28 : 4] = 20  # its word
        return picture

    def press(self, *keys: str, **_: object) -> None:
        self.keys.append(keys)
        if keys == ("home",):
            self.line = 0
        elif keys == ("down",):
            self.line += 1
        elif self.open:
            self.open = []
            self.begin(CHOICES[min(self.line, 2)])

    def click(self, point: Point, button: Button = Button.LEFT, hold: float = 0.0) -> None:
        super().click(point, button, hold)
        for level, box in zip(CHOICES, self.buttons, strict=False):
            if box.moved(self.place.x, self.place.y).contains(point):
                if self.listed:
                    self.open = [MENU]
                else:
                    self.begin(level)

    def visibility(self, window: Window, area: Rect) -> Visibility:  # noqa: ARG002 - as the protocol
        return Visibility.VISIBLE


CHOICES = (BEGINNER, INTERMEDIATE, EXPERT)


@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize("level", CHOICES[1:])
def test_a_level_is_chosen_by_sight_where_nothing_is_known(level: Level, listed: bool) -> None:
    assert armed(WithChoice(listed=listed)).open(level).reading.board.shape == level.size


def test_a_game_without_any_choice_of_levels_says_so() -> None:
    there = WithChoice(listed=False)
    there.buttons = []
    with pytest.raises(UsageError, match="no button beside the board changes the level: choose 16x30/99"):
        armed(there).open(EXPERT)


class WithRows(WithChoice):
    """A game whose next one begins at a click on the left one of the buttons nearest to its board."""

    def __init__(self) -> None:
        super().__init__(listed=False)
        self.buttons = [Rect(14 + 50 * at, 2 + 26 * row, 40, 20) for row in range(2) for at in range(2)]
        self.works, self.tried = True, list[int]()

    def click(self, point: Point, button: Button = Button.LEFT, hold: float = 0.0) -> None:
        SimulatedScreen.click(self, point, button, hold)
        boxes = enumerate(box.moved(self.place.x, self.place.y) for box in self.buttons)
        self.tried += [number for number, box in boxes if box.contains(point)]
        if self.tried[-1:] == [2] and self.works:
            self.begin(BEGINNER)


def test_nothing_but_what_has_begun_a_game_before_is_clicked_for_the_next_one() -> None:
    there = WithRows()
    game = armed(there)
    there.shown = Board.from_rows(["X........", *["." * 9] * 8], 10)
    lost = game.show()
    assert game.new_game(lost).reading.state is GameState.NEW
    assert there.tried[-1] == 2
    assert set(there.tried) <= {2, 3}  # of the nearer row

    there.shown, there.works, there.tried = lost.reading.board, False, []
    with pytest.raises(StuckError, match="no new game appeared"):
        game.new_game(game.show())
    assert set(there.tried) == {2}


class WithLevels(WithChoice):
    """A game whose finished board stays until a button is clicked; each button has its own function."""

    def __init__(self, *functions: Level | None) -> None:
        super().__init__(listed=False)
        self.buttons = [Rect(14 + 50 * at, 8, 40, 20) for at in range(len(functions))]
        self.functions, self.tried = functions, list[int]()
        self.lose()

    def lose(self) -> None:
        """Let the game be over, at its present level."""
        rows, cols, mines = self.level.rows, self.level.cols, self.level.mines
        self.shown = Board.from_rows(["X" + "." * (cols - 1), *["." * cols] * (rows - 1)], mines)

    def press(self, *keys: str, **_: object) -> None:
        self.keys.append(keys)

    def click(self, point: Point, button: Button = Button.LEFT, hold: float = 0.0) -> None:
        SimulatedScreen.click(self, point, button, hold)
        for number, box in enumerate(self.buttons):
            if box.moved(self.place.x, self.place.y).contains(point):
                self.tried.append(number)
                self.begin(self.functions[number])


def next_games(there: WithLevels, count: int) -> list[Level]:
    """Return the levels of so many games, each of which is lost; the first is under way."""
    game, levels = armed(there), list[Level]()
    for _ in range(count):
        there.tried = []
        assert game.new_game(game.show()).reading.board.shape == there.level.size
        levels.append(there.level)
        there.lose()
    return levels


def test_the_size_is_kept_if_a_button_that_was_tried_chooses_another_level() -> None:
    there = WithLevels(*CHOICES)
    assert next_games(there, 3) == [BEGINNER] * 3
    assert there.tried == [0]


def test_a_button_that_chooses_a_level_is_no_way_to_start_games() -> None:
    there = WithLevels(None, INTERMEDIATE, None)  # the one in the middle is tried first
    assert next_games(there, 3) == [INTERMEDIATE] * 3
    assert there.tried in ([0], [2])


def test_the_only_button_starts_games_though_it_changes_the_size() -> None:
    there = WithLevels(INTERMEDIATE)
    assert next_games(there, 3) == [INTERMEDIATE] * 3
    assert there.tried == [0]
