"""One run: the screen, the mouse, the user's control and the game, joined as its settings say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from typing import Protocol

from bot.capture import PatientCapture, ScreenCapture
from bot.clicker.mouse import ScreenMouse
from bot.desktop import open_desktop
from bot.desktop.protocols import Backend, Capture, RealClock, Window
from bot.errors import GameNotFoundError
from bot.geometry import Point, Rect
from bot.play.orders import Control
from bot.play.results import Settings
from bot.play.watcher import BoardWatcher
from bot.signals import Postponed
from bot.stop import Stop, stop_by_key
from bot.targets.catalogue import Target, parse_level, target_of_skin
from bot.vision import Skin


@dataclass(frozen=True, slots=True)
class FoundGame:
    """A game, its window (None: unknown), and where its board was seen on the screen (None: not yet)."""

    target: Target
    window: Window | None
    area: Rect | None = None


class GameSearch(Protocol):
    """Finds the game that the user wants."""

    @property
    def level(self) -> str | None:
        """The level to set, None to keep that of the game."""

    @property
    def target(self) -> Target | None:
        """The target, if the user names one."""

    def found(
        self, capture: PatientCapture, skins: Sequence[Skin], pointer: Callable[[], Point], backend: Backend
    ) -> FoundGame | None:
        """Return the game on the screen; None if there is none."""

    def offered(self, cleanup: ExitStack, missing: GameNotFoundError) -> FoundGame:
        """Return another game that the user agrees to, and that ``cleanup`` ends, or raise ``missing``."""


class GameMarks(Protocol):
    """Marks over the game, which are no part of pictures of the screen."""

    @property
    def orders(self) -> Mapping[str, Callable[[str], None]]:
        """The orders that change them, as in `Control`."""

    def over(self, screen: Capture, cleanup: ExitStack, stop: Stop) -> Capture:
        """Return what takes pictures of ``screen`` without the marks; ``cleanup`` removes them."""


@dataclass(frozen=True, slots=True)
class User:
    """The person or program that a run works for: how to tell them something, and how they answer.

    ``news``, ``orders`` and ``ask`` are those of `Control`.
    """

    tell: Callable[[str], None]
    news: Callable[[str, str], None] = lambda *_: None
    orders: Callable[[], Iterable[str]] | None = None
    ask: Callable[[str], bool | None] | None = None


class OpenedScreen:
    """The screen, the windows on it and the mouse, as `Settings` say; ``cleanup`` later closes them.

    With ``marks``, pictures are taken without those.
    """

    def __init__(
        self,
        settings: Settings,
        cleanup: ExitStack,
        tell: Callable[[str], None] = lambda _: None,
        marks: GameMarks | None = None,
    ) -> None:
        self._settings = settings
        desktop = cleanup.enter_context(closing(open_desktop(settings.stop_key, settings.backend)))
        screen: Capture = cleanup.enter_context(closing(ScreenCapture()))
        self.mouse, stop = ScreenMouse(settings.backend), stop_by_key(desktop)
        if marks is not None:
            screen = marks.over(screen, cleanup, stop)
        self.capture = PatientCapture(screen, RealClock(), desktop, stop, tell)

    def found(self, wanted: GameSearch) -> FoundGame | None:
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
    board, and its target and the level to set (None: keep it) are added to the ``settings``. Raises
    GameNotFoundError if there is none, UsageError if it does not have the level.
    """

    def __init__(
        self,
        settings: Settings,
        wanted: GameSearch,
        user: User,
        marks: GameMarks,
        cleanup: ExitStack,
        started: FoundGame | None = None,
    ) -> None:
        screen = OpenedScreen(settings, cleanup, user.tell, marks)
        stop, clock = screen.capture.stop, screen.capture.clock
        stop.add(cleanup.enter_context(Postponed().delayed()).handle_pending)
        self.mouse = screen.mouse
        self.control = Control(stop, clock, user.orders, user.news, marks.orders, settings.buttons, user.ask)
        with stop.pauses_postponed():  # there is nothing to pause yet
            game = started or screen.found(wanted)
            self.watcher = screen.watcher(game)
            try:
                if game is None:  # this says why, or finds what has appeared meanwhile
                    skin = self.watcher.find().reading.skin
                    game = FoundGame(wanted.target or target_of_skin(skin), self.watcher.place.window)
            except GameNotFoundError as missing:
                game = wanted.offered(cleanup, missing)
                self.watcher = screen.watcher(game)
        level = None if wanted.level is None else parse_level(wanted.level, game.target)
        self.settings = replace(settings, target=game.target, level=level)
