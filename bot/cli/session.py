"""One run: the screen, the mouse, the user's control and the game, joined as its settings say."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import TYPE_CHECKING

from bot.capture import PatientCapture, ScreenCapture
from bot.cli.target import FoundGame, WantedGame
from bot.cli.terminal import Orders, TerminalQuestion, can_be_asked, note, tell_news
from bot.clicker.mouse import ScreenMouse
from bot.desktop import WAYLAND, is_wayland, open_desktop
from bot.desktop.protocols import Capture, RealClock
from bot.errors import GameNotFoundError
from bot.play.orders import Control
from bot.play.results import Settings
from bot.play.watcher import BoardWatcher
from bot.signals import Postponed
from bot.stop import stop_by_key
from bot.targets.catalogue import parse_level, target_of_skin

if TYPE_CHECKING:
    from bot.cli.suggestions import OverlayMarks


def with_reason(missing: GameNotFoundError) -> GameNotFoundError:
    """Return the error that no game is on the screen, with the reason if this session hides it."""
    return GameNotFoundError(f"{missing}; {WAYLAND}") if is_wayland() else missing


class OpenedScreen:
    """The screen, the windows on it and the mouse, as `Settings` say; ``cleanup`` later closes them.

    With ``marks``, pictures are taken without those.
    """

    def __init__(
        self,
        settings: Settings,
        cleanup: ExitStack,
        tell: Callable[[str], None] = lambda _: None,
        marks: OverlayMarks | None = None,
    ) -> None:
        self._settings = settings
        desktop = cleanup.enter_context(closing(open_desktop(settings.stop_key, settings.backend)))
        screen: Capture = cleanup.enter_context(closing(ScreenCapture()))
        self.mouse, stop = ScreenMouse(settings.backend), stop_by_key(desktop)
        if marks is not None:
            screen = marks.over(screen, cleanup, stop)
        self.capture = PatientCapture(screen, RealClock(), desktop, stop, tell)

    def found(self, wanted: WantedGame) -> FoundGame | None:
        """Return the game that is ``wanted``; None if it is not on the screen."""
        settings = self._settings
        return wanted.found(self.capture, settings.skins, self.mouse.position, settings.backend)

    def watcher(self, game: FoundGame | None) -> BoardWatcher:
        """Return what looks at the board of ``game``; None: at any board on the screen."""
        window, area = (game.window, game.area) if game else (None, None)
        settings, pointer = self._settings, self.mouse.position
        return BoardWatcher(self.capture, settings.skins, window, settings.mines, pointer, area)


class Session:
    """Everything that one run sees and clicks with; ``cleanup`` later ends all that is opened here.

    The game is searched for on the screen, unless it was ``started`` for this run: ``watcher`` looks at its
    board, and its target and the level to set (None: keep it) are added to the ``settings``. ``orders`` come
    from the program that controls the run, if there is one. Raises GameNotFoundError if there is no game,
    UsageError if it does not have the level.
    """

    def __init__(
        self,
        settings: Settings,
        wanted: WantedGame,
        orders: Orders | None,
        marks: OverlayMarks,
        cleanup: ExitStack,
        started: FoundGame | None = None,
    ) -> None:
        screen = OpenedScreen(settings, cleanup, note, marks)
        stop, clock = screen.capture.stop, screen.capture.clock
        stop.add(cleanup.enter_context(Postponed().delayed()).handle_pending)
        self.mouse = screen.mouse
        ask = TerminalQuestion() if can_be_asked() else None
        self.control = Control(stop, clock, orders, tell_news, marks.orders, settings.buttons, ask)
        with stop.pauses_postponed():  # there is nothing to pause yet
            game = started or screen.found(wanted)
            self.watcher = screen.watcher(game)
            try:
                if game is None:  # this says why, or finds what has appeared meanwhile
                    skin = self.watcher.find().reading.skin
                    game = FoundGame(wanted.target or target_of_skin(skin), self.watcher.place.window)
            except GameNotFoundError as missing:
                game = wanted.offered(cleanup, with_reason(missing))
                self.watcher = screen.watcher(game)
        level = None if wanted.level is None else parse_level(wanted.level, game.target)
        self.settings = replace(settings, target=game.target, level=level)
