"""One run: the game that is wanted, the screen, the mouse and the user's control, as its settings say."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import typer

from bot.capture import PatientCapture, ScreenCapture
from bot.cli.terminal import Orders, TerminalQuestion, can_be_asked, note, tell_news
from bot.desktop import WAYLAND, ScreenMouse, is_wayland, open_desktop, picked_point, stop_by_key
from bot.desktop.protocols import Capture, Clock, Visibility, Window
from bot.errors import GameNotFoundError, NotInTimeError, UsageError
from bot.geometry import Point, Rect
from bot.play.board_place import window_of
from bot.play.orders import Control
from bot.play.results import Settings
from bot.play.watcher import BoardWatcher
from bot.signals import Postponed
from bot.targets.catalogue import UNKNOWN, Target, find_games, find_target, parse_level, target_of_skin
from bot.targets.launch import launched
from bot.vision import Reading, read_picture

if TYPE_CHECKING:
    from bot.cli.reports import OverlayMarks

AUTO, WINEMINE, BUILTIN = "auto", "winemine", "builtin"
_PLACE = re.compile(r"(-?\d{1,6}),(-?\d{1,6})")
Games = Sequence[tuple[Target, Window]]


@dataclass(frozen=True, slots=True)
class FoundGame:
    """A game, its window (None: unknown), and where its board was seen on the screen (None: not yet).

    ``words`` describe the board; ``known`` says whether its window is known to be a game's.
    """

    target: Target
    window: Window | None
    area: Rect | None = None
    words: str = ""
    known: bool = False

    def __str__(self) -> str:
        window = self.window
        program = f" of {window.process}" if window and window.title and window.process else ""
        return f"{self.words}, {window.label}{program}" if window else self.words


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
        self.settings = settings
        desktop = cleanup.enter_context(closing(open_desktop(settings.stop_key, settings.backend)))
        screen: Capture = cleanup.enter_context(closing(ScreenCapture()))
        self.mouse, stop = ScreenMouse(settings.backend), stop_by_key(desktop)
        if marks is not None:
            screen = marks.over(screen, cleanup, stop)
        self.capture = PatientCapture(screen, Clock(), desktop, stop, tell)

    def watcher(self, game: FoundGame | None) -> BoardWatcher:
        """Return what looks at the board of ``game``; None: at any board on the screen."""
        window, area = (game.window, game.area) if game else (None, None)
        settings, pointer = self.settings, self.mouse.position
        return BoardWatcher(self.capture, settings.skins, window, settings.mines, pointer, area)


@dataclass(frozen=True, slots=True)
class WantedGame:
    """The game to play: its ``name`` or "auto" for any, and its ``level``, or None to keep its current one.

    With ``launch``, the game is started if it is missing; with ``pick``, the user points at its board, and
    with ``ask`` chooses one of several; ``at`` is a place of the screen where it is. Raises UsageError if
    there is no such game, if it does not have that level, or if ``--launch`` cannot start it.
    """

    name: str
    level: str | None
    launch: bool
    pick: bool = False
    ask: bool = False
    at: Point | None = None

    def __post_init__(self) -> None:
        """Check name and level before anything is started; raise UsageError if they are wrong."""
        if self.target is not None and self.level is not None:
            parse_level(self.level, self.target)
        if self.pick and self.at:
            raise UsageError("--pick and --at: give one of them")
        if self.launch and self.name not in (AUTO, WINEMINE, BUILTIN):
            raise UsageError(f"--launch starts {WINEMINE} or {BUILTIN}: leave out --target {self.name}")

    @property
    def target(self) -> Target | None:
        """The target with that name, or None for "auto"."""
        return None if self.name == AUTO else find_target(self.name)

    def launched(self, cleanup: ExitStack) -> FoundGame | None:
        """Start the game, which ``cleanup`` will end; None without ``launch`` or if it is already there."""
        if not self.launch:
            return None
        if os.environ.get("DISPLAY") or not sys.platform.startswith("linux"):
            with closing(open_desktop()) as desktop:
                if any(target is not UNKNOWN for target, _ in find_games(desktop, self.name)):
                    return None
        return self._start(cleanup, BUILTIN if self.name == BUILTIN else WINEMINE)

    def found(self, screen: OpenedScreen) -> FoundGame | None:
        """Return the first of the `boards` or, with ``ask``, the one that the user chooses; None without any.

        Raises GameNotFoundError if only another known game is there, or if there is nothing where the user
        points.
        """
        boards = self.boards(screen)
        return _chosen_board(boards, self.ask) if boards else None

    def boards(self, screen: OpenedScreen) -> list[FoundGame]:
        """Return the boards to choose from: those of known games first; if none can be seen, a game's window.

        A window in full view that only has the title of a game must show a board. If a place is given, or the
        user points at one, it is the board there. Raises what `found` raises.
        """
        desktop, place = screen.capture.desktop, self.at
        if self.pick:
            end = f"; {desktop.stop_key} ends this"
            pointer, backend = screen.mouse.position, screen.settings.backend
            place = picked_point(screen.capture.stop, lambda how: note(how + end), pointer, backend)
        if place is not None:
            return [self._found_at(place, screen)]
        games = find_games(desktop, self.name)
        other = next((target.name for target, _ in find_games(desktop) if target is not UNKNOWN), None)
        if other is not None and not games:
            raise GameNotFoundError(
                f"there is no {self.name} on the screen, but {other}: use --target {other} or auto"
            )
        windows = [window for _, window in games]
        in_view = [one for one in windows if desktop.visibility(one, one.client) is Visibility.VISIBLE]
        boards = self._whole_boards(screen, games, in_view)
        if self.target is not None and games:
            boards = [board for board in boards if board.known]
        hidden = (game for game in games if game[0] is not UNKNOWN or game[1] not in in_view)
        return boards or [FoundGame(*game) for game in hidden][:1]

    def _found_at(self, place: Point, screen: OpenedScreen) -> FoundGame:
        """Return the board at ``place``, else one in the window there, else that window if it is a game's."""
        desktop = screen.capture.desktop
        hit = [window for window in desktop.windows() if desktop.takes(window, place)]
        hit = sorted(hit, key=lambda window: not window.client.contains(place))[:1]  # else its frame
        games = [(target, window) for target, window in find_games(desktop) if window in hit]
        boards = self._whole_boards(screen, games, hit)
        there = [board for board in boards if board.area and board.area.contains(place)]
        there += [board for board in boards if board.window in hit]
        there += [FoundGame(self.target or target, window) for target, window in games]
        if not there:
            raise GameNotFoundError("no board that can be seen as a whole is at this place")
        return there[0]

    def _whole_boards(self, opened: OpenedScreen, games: Games, windows: Sequence[Window]) -> list[FoundGame]:
        """Return the whole boards on the screen, those of known games first.

        Each of ``windows`` is searched again if no board was found there: the screen may show a lot.
        """
        targets = {window.handle: target for target, window in games}
        capture = opened.capture
        screen, boards = capture.grab(), list[FoundGame]()
        for frame in (screen, *(screen.crop(window.client) for window in windows)):
            found = list[Reading]()
            if not any(board.area and frame.rect.covers(board.area) for board in boards):
                with suppress(NotInTimeError):
                    found = read_picture(
                        frame.pixels, opened.settings.skins, True, capture.search_stop, every=True
                    )
            for reading in found:
                if reading.whole:
                    area = frame.on_screen(reading.grid.rect)
                    window = window_of(capture.desktop, area)
                    game = targets.get(window.handle) if window else None
                    target = self.target or game or target_of_skin(reading.skin)
                    size = f"{reading.grid.rows} x {reading.grid.cols} at ({area.x}, {area.y})"
                    boards.append(FoundGame(target, window, area, size, game not in (None, UNKNOWN)))
        return sorted(boards, key=lambda board: not board.known)

    def offered(self, cleanup: ExitStack, missing: GameNotFoundError) -> FoundGame:
        """Ask whether to open the built-in game; raise ``missing`` if not, or if another game is wanted."""
        if self.name not in (AUTO, BUILTIN) or is_wayland():
            raise missing
        if not can_be_asked():
            raise GameNotFoundError(f"{missing}; `minebot game` opens minebot's own game") from missing
        question = "No Minesweeper is on the screen. Open minebot's own game, and let the bot play it?"
        try:
            agreed = typer.confirm(question, default=True, err=True)
        except typer.Abort:  # end of the input
            agreed = False
        if not agreed:
            raise missing
        return self._start(cleanup, BUILTIN)

    def _start(self, cleanup: ExitStack, name: str) -> FoundGame:
        target = find_target(name)
        level = parse_level(self.level or "beginner", target)
        return FoundGame(target, cleanup.enter_context(launched(target, level, note)))


def parse_place(text: str) -> Point:
    """Return the place of the screen that ``text`` gives as X,Y. Raises UsageError for any other text."""
    found = _PLACE.fullmatch(text)
    if found is None:
        raise UsageError(f"--at {text}: give X,Y in pixels of the screen, such as 300,200")
    return Point(int(found[1]), int(found[2]))


def _chosen_board(boards: Sequence[FoundGame], ask: bool) -> FoundGame:
    """Return the board that the user chooses or, without ``ask``, the first; then name the others."""
    words = [f"{number}. {board}" for number, board in enumerate(boards, 1)]
    number, several = 1, "several boards are on the screen"
    if len(boards) > 1 and not ask:
        note(f"{several}, and the first is taken (--pick takes another): {'; '.join(words)}")
    elif len(boards) > 1:
        note("\n".join([f"{several} (--pick lets you point at one):", *words]))
        number = 0
    while not 1 <= number <= len(boards):
        number = typer.prompt("Which one", default=1, type=int, err=True)
    return boards[number - 1]


def with_reason(missing: GameNotFoundError) -> GameNotFoundError:
    """Return the error that no game is on the screen, with the reason if this session hides it."""
    return GameNotFoundError(f"{missing}; {WAYLAND}") if is_wayland() else missing


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
            game = started or wanted.found(screen)
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
