"""What hides the game for a while: the bot waits for it to come back, and heeds the user meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from bot.capture import SCREEN_PATIENCE, PatientCapture
from bot.clicker.pace import SteadyPace
from bot.desktop.protocols import PointerCheck, Stroke, Visibility, Window
from bot.errors import BotError, CaptureError, StoppedError, TakenOverError, WindowError
from bot.geometry import Frame, Point, Rect
from bot.play.new_game import DIALOG_WAIT, VIEW_PATIENCE
from bot.play.patience import wait_until
from bot.play.results import Settings
from bot.stop import STOP_INTERVAL, Stop
from fakes import FakeClock, stop_key
from simulated import SimulatedScreen
from watched_player import SKINS, WatchedPlayer, screen

EDITOR = Window(9, "Letter", "Editor", "editor", Rect(0, 0, 90, 90))


class TroubledScreen(SimulatedScreen):
    """A simulated screen on which something ``hides`` the window for ``seconds`` from the fourth click on.

    If it leaves it visible, another one has the keyboard. None locks the screen, as the secure desktop of
    Windows does: no picture can be taken, and the mouse cannot be used.
    """

    def __init__(self, seconds: float, hides: Visibility | None = None) -> None:
        super().__init__(SKINS["winemine"], FakeClock(), seed=3)
        self.seconds, self.hides = seconds, hides
        self.since: float | None = None
        self.on_click = self._begin
        self.during: Callable[[], None] = lambda: None

    def _begin(self, click: int) -> None:
        if click == 4:
            self.since = self.clock.now()

    @property
    def troubled(self) -> bool:
        return self.since is not None and self.clock.time < self.since + self.seconds

    def _refuse_if_locked(self) -> None:
        if self.troubled and self.hides is None:
            self.during()
            raise CaptureError("the screen cannot be seen")

    def grab(self, rect: Rect | None = None) -> Frame:
        self._refuse_if_locked()
        return super().grab(rect)

    def position(self) -> Point:
        self._refuse_if_locked()
        return super().position()

    def burst(
        self, strokes: Sequence[Stroke], window: Window | None, check: PointerCheck, hold: float = 0.0
    ) -> tuple[int, Point]:
        self._refuse_if_locked()
        return super().burst(strokes, window, check, hold)

    def visibility(self, window: Window, area: Rect) -> Visibility:
        if self.troubled and self.hides not in (None, Visibility.VISIBLE):
            self.during()
            return self.hides
        return super().visibility(window, area)

    def rival(self, window: Window) -> Window | None:  # noqa: ARG002 - as the protocol
        if not (self.troubled and self.hides is Visibility.VISIBLE):
            return None
        self.during()
        return EDITOR

    def press(self, *keys: str, **_: object) -> None:
        assert not self.troubled
        super().press(*keys)

    def takes(self, window: Window, point: Point) -> bool:
        hidden = self.troubled and self.hides not in (None, Visibility.VISIBLE)
        return not hidden and super().takes(window, point)


def playing(there: SimulatedScreen) -> WatchedPlayer:
    return WatchedPlayer(there, pace=SteadyPace(20))


@pytest.mark.parametrize("how", [Visibility.COVERED, Visibility.MINIMISED, Visibility.VISIBLE, None])
@pytest.mark.parametrize("seconds", [0.2, 3.0])
def test_a_game_that_comes_back_is_played_on(how: Visibility | None, seconds: float) -> None:
    table = playing(TroubledScreen(seconds, how))
    assert len(table.play()) == 1
    assert all(words.startswith("waiting") for words in table.told)
    assert len(table.told) == (seconds > 1)


class SlowToClose(SimulatedScreen):
    """A game whose dialogs close slower than it takes to ask the user for something, and then fade."""

    faded = 0.0

    def ask_to_close(self, window: Window) -> None:
        self.clock.sleep(2 * DIALOG_WAIT)
        super().ask_to_close(window)
        self.faded = self.clock.now() + DIALOG_WAIT / 2

    def visibility(self, window: Window, area: Rect) -> Visibility:
        fading = self.clock.now() < self.faded
        return Visibility.COVERED if fading else super().visibility(window, area)


@pytest.mark.parametrize("dialogs", [1, 3])
def test_nothing_is_asked_while_dialogs_of_the_game_are_closed(dialogs: int) -> None:
    there = screen(kind=SlowToClose)
    table = playing(there)
    box = Rect(120, 160, 90, 60)
    there._to_come = [Window(7 + number, "Congratulations", "#32770", "", box) for number in range(dialogs)]
    table.player.game.clear_view()
    assert not there.dialogs
    assert table.told == []


def test_a_covered_game_waits_for_as_long_as_it_is_covered() -> None:
    table = playing(TroubledScreen(30 * VIEW_PATIENCE, Visibility.COVERED))
    assert len(table.play()) == 1
    (words,) = table.told
    assert words.startswith("waiting: the board is covered")


@pytest.mark.parametrize(
    ("how", "error", "words", "patience"),
    [
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
    there, clicks = TroubledScreen(1000.0, how), list[int]()
    there.during = lambda: clicks.append(len(there.clicks))
    playing(there).fails(error, f"^{words}")
    assert there.since is not None
    assert patience <= there.clock.time - there.since < patience + 3
    assert clicks[0] == clicks[-1] == len(there.clicks)


@pytest.mark.parametrize("how", [Visibility.COVERED, Visibility.VISIBLE, None])
def test_the_user_is_heeded_meanwhile(how: Visibility | None) -> None:
    there, wished = TroubledScreen(1000.0, how), list[float]()

    def wish() -> None:
        if not there.escape:
            there.escape = True
            wished.append(there.clock.time)

    there.during = wish
    playing(there).fails(StoppedError, "Esc")
    assert there.clock.time - wished[0] < 0.3


@pytest.mark.parametrize("seconds", [2.0, 1000.0])
def test_a_window_that_is_minimised_may_be_far_off_the_screen(seconds: float) -> None:
    """Windows puts it there, and some desktops let it wander; it may come back elsewhere."""
    there = TroubledScreen(seconds, Visibility.MINIMISED)

    def grab(rect: Rect | None = None) -> Frame:
        if there.troubled:
            raise CaptureError("the game is not on any screen")
        if there.since is not None:
            there.place = Point(160, 95)
        return SimulatedScreen.grab(there, rect)

    there.grab = grab  # type: ignore[method-assign]
    if seconds == 2.0:
        assert len(playing(there).play()) == 1
    else:
        playing(there).fails(WindowError, "^stopped: the board is minimised")


def test_a_game_that_is_over_is_told_of_before_the_run_ends() -> None:
    table = WatchedPlayer(screen(seed=3), Settings(games=9))

    def close() -> None:
        table.screen.visibility_now = Visibility.CLOSED

    table.player.game.take_records = close  # type: ignore[method-assign]
    table.fails(WindowError, "closed")
    assert [result.won for result in table.results].count(True) == 1
    assert table.results[-1].won


@pytest.mark.parametrize("slow", [0.0, 7.0])
def test_a_wait_ends_with_a_look_after_its_time(slow: float) -> None:
    clock, begun = FakeClock(), list[float]()

    def look() -> bool:
        begun.append(clock.time)
        clock.sleep(slow)
        return False

    assert not wait_until(look, clock, Stop(), 1.0)
    assert begun[-2] < 1.0 <= begun[-1]
    assert wait_until(lambda: clock.time > 20, clock, Stop(), 30.0)
    assert 20 < clock.time < 21
    with pytest.raises(StoppedError):
        wait_until(look, clock, stop_key(lambda: True), 1.0)


def test_grabs_heed_the_user_but_not_too_often() -> None:
    there, heeded = screen(), list[float]()
    stop = Stop(lambda: heeded.append(there.clock.time))
    capture = PatientCapture(there, there.clock, there, stop)
    while there.clock.time < 10 * STOP_INTERVAL:
        capture.grab()
    assert 9 <= len(heeded) <= 11
    there.escape = True
    with pytest.raises(StoppedError, match="Esc"):
        PatientCapture(there, there.clock, there).grab()
