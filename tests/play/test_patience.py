"""What hides the game for a while: the bot waits for it to come back, and heeds the user meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

import pytest

from bot.capture import HEED_INTERVAL, SCREEN_PATIENCE, PatientCapture
from bot.clicker import MaxPace, SteadyPace
from bot.desktop.protocols import Visibility, Window
from bot.errors import BotError, CaptureError, StoppedError, TakenOverError, WindowError
from bot.geometry import Frame, Point, Rect
from bot.play import BoardWatcher, Player, Settings
from bot.play.game_window import VIEW_PATIENCE
from bot.targets import find_target
from bot.vision import load_picture, load_skins, read_picture
from fakes import FakeClock
from fixture_boards import FIXTURES
from simulated import SimulatedScreen

EDITOR = Window(9, "Letter", "Editor", "editor", Rect(0, 0, 90, 90))
SKIN = next(skin for skin in load_skins() if skin.name == "winemine")


@dataclass
class Trouble:
    """Something that begins with a click, by its number, and lasts for some seconds."""

    clock: FakeClock
    at: int
    seconds: float
    since: float | None = None

    def begin(self, click: int) -> None:
        if click == self.at:
            self.since = self.clock.now()

    @property
    def here(self) -> bool:
        return self.since is not None and self.clock.time < self.since + self.seconds


class TroubledScreen(SimulatedScreen):
    """A simulated screen that ``hides`` its window while there is trouble.

    If it leaves it visible, another one has the keyboard; None lets the screen fail to be grabbed.
    """

    def __init__(self, seconds: float, hides: Visibility | None = None) -> None:
        super().__init__(SKIN, FakeClock(), seed=3)
        self.trouble, self.hides = Trouble(self.clock, 4, seconds), hides
        self.on_click = self.trouble.begin
        self.during: Callable[[], None] = lambda: None

    def grab(self, rect: Rect | None = None) -> Frame:
        if self.trouble.here and self.hides is None:
            self.during()
            raise CaptureError("the screen cannot be seen")
        return super().grab(rect)

    def visibility(self, window: Window, area: Rect) -> Visibility:
        if self.trouble.here and self.hides not in (None, Visibility.VISIBLE):
            self.during()
            return self.hides
        return super().visibility(window, area)

    def rival(self, window: Window) -> Window | None:  # noqa: ARG002 - as the protocol
        if not (self.trouble.here and self.hides is Visibility.VISIBLE):
            return None
        self.during()
        return EDITOR

    def press(self, *keys: str) -> None:
        assert not self.trouble.here
        super().press(*keys)

    def receives(self, window: Window, point: Point) -> bool:
        hidden = self.trouble.here and self.hides not in (None, Visibility.VISIBLE)
        return not hidden and super().receives(window, point)


@dataclass
class Game:
    there: TroubledScreen
    told: list[str] = field(default_factory=list)

    def play(self) -> BotError | None:
        """Play a game to its end, or return what has ended it."""
        there = self.there
        watcher = BoardWatcher(there, there, [SKIN], there.clock, there.window, pointer=there.position)
        options = (find_target("winemine"), SteadyPace(20), there.clock, Settings())
        player = Player(watcher, there, there, *options, tell=self.told.append)
        try:
            assert len(list(player.play())) == 1
        except BotError as error:
            return error
        return None


@pytest.mark.parametrize("how", [Visibility.COVERED, Visibility.MINIMISED, Visibility.VISIBLE, None])
@pytest.mark.parametrize("seconds", [0.2, 3.0])
def test_a_game_that_comes_back_is_played_on(how: Visibility | None, seconds: float) -> None:
    game = Game(TroubledScreen(seconds, how))
    assert game.play() is None
    assert game.there.game.over
    assert all(words.startswith("waiting") for words in game.told)
    assert len(game.told) == (seconds > 1)


@pytest.mark.parametrize(
    ("how", "error", "words", "patience"),
    [
        (Visibility.COVERED, WindowError, "stopped: the board is covered", VIEW_PATIENCE),
        (Visibility.MINIMISED, WindowError, "stopped: the board is minimised", VIEW_PATIENCE),
        (
            Visibility.VISIBLE,
            TakenOverError,
            "stopped: another window has the keyboard, 'Letter'",
            VIEW_PATIENCE,
        ),
        (None, CaptureError, "the screen cannot be seen", SCREEN_PATIENCE),
    ],
)
def test_one_that_does_not_come_back_ends_it(
    how: Visibility | None, error: type[BotError], words: str, patience: float
) -> None:
    game, clicks = Game(TroubledScreen(1000.0, how)), list[int]()
    game.there.during = lambda: clicks.append(len(game.there.clicks))
    ended = game.play()
    assert type(ended) is error
    assert str(ended).startswith(words)
    assert game.there.trouble.since is not None
    assert patience <= game.there.clock.time - game.there.trouble.since < patience + 3
    assert clicks[0] == clicks[-1] == len(game.there.clicks)


@pytest.mark.parametrize("how", [Visibility.COVERED, Visibility.VISIBLE, None])
def test_the_user_is_heeded_meanwhile(how: Visibility | None) -> None:
    game = Game(TroubledScreen(1000.0, how))
    wished: list[float] = []

    def wish() -> None:
        if not game.there.escape:
            game.there.escape = True
            wished.append(game.there.clock.time)

    game.there.during = wish
    assert isinstance(game.play(), StoppedError)
    assert game.there.clock.time - wished[0] < 0.3


@pytest.mark.parametrize("seconds", [2.0, 1000.0])
def test_a_window_that_is_minimised_may_be_far_off_the_screen(seconds: float) -> None:
    """Windows puts it there, and some desktops let it wander; it may come back elsewhere."""
    game = Game(there := TroubledScreen(seconds, Visibility.MINIMISED))

    def grab(rect: Rect | None = None) -> Frame:
        if there.trouble.here:
            raise CaptureError("nothing of it is on a screen")
        if there.trouble.since is not None:
            there.place = Point(160, 95)
        return SimulatedScreen.grab(there, rect)

    there.grab = grab  # type: ignore[method-assign]
    ended = game.play()
    assert there.game.over == (seconds == 2.0)
    assert (ended is None) if there.game.over else str(ended).startswith("stopped: the board is minimised")


def test_a_game_that_is_over_is_told_of_before_the_run_ends() -> None:
    there = SimulatedScreen(SKIN, FakeClock(), seed=3)
    watcher = BoardWatcher(there, there, [SKIN], there.clock, there.window, pointer=there.position)
    player = Player(watcher, there, there, find_target("winemine"), MaxPace(), there.clock, Settings(games=9))

    def close() -> None:
        there.visibility_now = Visibility.CLOSED

    player.game.take_records = close  # type: ignore[method-assign]
    results = list[bool]()
    with pytest.raises(BotError):
        results.extend(result.won is True for result in player.play())
    assert results.count(True) == 1
    assert results[-1]


def test_grabs_heed_the_user_but_not_too_often() -> None:
    there, heeded = SimulatedScreen(SKIN, FakeClock()), list[float]()
    capture = PatientCapture(there, there.clock, there)
    capture.serve(lambda: heeded.append(there.clock.time), lambda _: None)
    while there.clock.time < 10 * HEED_INTERVAL:
        capture.grab()
    assert 9 <= len(heeded) <= 11
    there.escape = True
    with pytest.raises(StoppedError, match="Esc"):
        PatientCapture(there, there.clock, there).grab()


def test_a_search_can_be_ended_by_the_user_at_any_time() -> None:
    """A dialog over the board makes every grid and every skin be tried: that takes long."""
    picture = load_picture(FIXTURES / "winemine-beginner-running.png").copy()
    height, width = picture.shape[:2]
    picture[height // 4 : 3 * height // 4, width // 4 : 3 * width // 4] = 240

    def wish_at(last: int) -> int:
        """Search until the user was asked so often; return how often that is without a wish."""

        def heed() -> None:
            if next(asked) == last:
                raise StoppedError("stopped")

        asked = count(1)
        read_picture(picture, [SKIN], first_sight=True, heed=heed)
        return next(asked) - 1

    every = wish_at(0)
    assert every > 2
    for last in (1, every // 2, every):
        with pytest.raises(StoppedError):
            wish_at(last)


def test_the_mouse_is_the_users_while_a_game_is_begun_by_hand() -> None:
    there = SimulatedScreen(SKIN, FakeClock(), seed=3)
    watcher = BoardWatcher(there, there, [SKIN], there.clock, there.window, pointer=there.position)
    player = Player(
        watcher, there, there, find_target("xdemineur"), MaxPace(), there.clock, Settings(games=2)
    )
    sleep = there.clock.sleep

    def begin(seconds: float) -> None:
        sleep(seconds)
        if seconds == 0.5 and there.game.over:  # the user moves the mouse, and the next game is there
            there.at = Point(there.at.x + 50, there.at.y)
            there.press("f2")

    there.clock.sleep = begin  # type: ignore[method-assign]
    assert len(list(player.play())) == 2
