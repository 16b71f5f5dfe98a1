"""The game as a program with a window: its dialogs, its levels, its next game."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import numpy as np

from bot.capture import hidden
from bot.clicker import Clicker
from bot.desktop.protocols import Desktop, Mouse, Visibility, Window
from bot.errors import BotError, GameNotFoundError, StuckError, TakenOverError, UsageError, WindowError
from bot.geometry import Pixels, Point, Rect
from bot.levels import Level
from bot.play.evidence import Look, Past, is_another_game
from bot.play.watcher import FIND_PATIENCE, OFF_SCREEN, BoardWatcher
from bot.targets import UNKNOWN, Keys, Target, dismiss_popups, set_level
from bot.vision.panel.buttons import find_box_button, find_buttons
from bot.vision.reading import GameState, Reading

LEVEL_PATIENCE = 6.0  # seconds for a board of another level: the dialog of custom ones takes its time
USUAL_KEYS = (("f2",), ("n",))  # that start a game in programs of which nothing is known
NEW_GAME_PATIENCE = 1.5  # seconds for a fresh board to appear
TRIES = 3  # how often a level, or a new game, is asked for
REST, REST_PATIENCE = 0.1, 1.0  # seconds for which a picture stands still that is no longer painted, at most
VIEW_PATIENCE = 5.0  # seconds in which a board that is hidden may come into view again
DIALOG_WAIT = 0.4  # seconds in which a dialog may come up, after a win or after another one
USER_PATIENCE = 120.0  # seconds in which the user is to start a new game where the bot cannot
CHOICES, ITEMS = 12, 4  # so many places beside the board, and items of a list, may choose a level
_ONE_ROW = 0.5  # cells: so far above each other may the middles of buttons in a row be
BUTTONS = 3  # so many things beside the board are clicked at most, to see whether one starts the next game
USER_NAP = 0.5  # seconds between two looks for it; the hand must rest on the mouse for as long
NAP = 0.02  # seconds between two looks for a dialog or another board
POINTER_REACH = 32  # pixels to its right and below that a pointer hides at most


@dataclass(frozen=True, slots=True)
class Way:
    """What starts the next game: keys, or a click beside the board, in cells from its top left."""

    keys: tuple[str, ...] = ()
    place: tuple[float, float] = (0.0, 0.0)


CLOSE = Way(("enter",))  # a box that a page shows as a part of its picture


class GameWindow:
    """Sets levels, begins games and closes dialogs; ``clicker`` raises at the user's wish to stop.

    ``tell`` asks the user for what only a hand can do.
    """

    def __init__(
        self,
        watcher: BoardWatcher,
        mouse: Mouse,
        desktop: Desktop,
        target: Target,
        clicker: Clicker,
        tell: Callable[[str], None],
    ) -> None:
        self.watcher, self.mouse, self.desktop, self.target = watcher, mouse, desktop, target
        self.clicker, self.tell = clicker, tell
        self.clock, self.raise_if_stopped = clicker.clock, clicker.raise_if_stopped
        self._raised = False  # from then on, the keyboard is the game's
        self.closed: list[str] = []  # titles of the dialogs that were closed since the last click
        self._way: Way | None = None  # that has started a game before
        self._boxed = False  # a box had to be closed for that
        self.may_be_won = False  # the game, by the last clicks: dialogs that come up are its best times

    def open(self, level: Level | None) -> Look:
        """Bring the game to the front, at ``level`` (None: as it stands), and return its board.

        A game that is over is started anew. Raises UsageError, StuckError, WindowError or GameNotFoundError
        if that cannot be done.
        """
        look = self.show()
        if level is not None and not is_level(look.reading, level):
            look = self._set_level(level)
        return self.new_game(look) if look.reading.state.over else look

    def show(self) -> Look:
        """Bring the game to the front, and return its board as it stands.

        Raises WindowError or GameNotFoundError if that cannot be done.
        """
        if self.watcher.window is not None:
            # before it is raised: one that it has lies over it, or below it later, and makes it deaf
            if self.close_dialogs():
                self._close_what_follows()
            self.desktop.raise_window(self.watcher.window)
            self._raised = True
        self.clear_view()
        return self.watcher.find(FIND_PATIENCE)

    def _set_level(self, level: Level, tries: int = TRIES) -> Look:
        window = self.watcher.window
        if window is None:
            raise UsageError(f"no level can be set in a game without a known window: {_by_hand(level)}")
        if self.target is UNKNOWN:
            return self._choose_level(level, window)
        try:
            self.close_dialogs()
            self.desktop.raise_window(window)
            set_level(level, self.target, self._keys(window))
            return self._await_level(level, LEVEL_PATIENCE)
        except StuckError:  # a game that is behind loses keys, or has a dialog come up between two
            if tries == 1:
                raise
        return self._set_level(level, tries - 1)

    def _choose_level(self, level: Level, window: Window) -> Look:
        """Click what may choose a level beside the board, of a list its items in turn, until it is there.

        Raises UsageError if nothing does.
        """
        found = list[Rect]()  # what a wider board leaves too far away is tried as well
        for number in range(CHOICES):
            frame, grid = self.watcher.view()
            seen = [frame.on_screen(box) for box in find_buttons(frame.pixels, grid)]
            found += [box for box in seen if not any(box.contains(other.centre) for other in found)]
            if number >= len(found):
                break
            for item in range(ITEMS):
                self.clear_view()
                self.clicker.click(found[number].centre)
                listed = self._opens_list(window)
                if listed:
                    for key in ("home", *["down"] * item, "enter"):
                        self._keys(window).press(key)
                with suppress(StuckError):
                    return self._await_level(level, NEW_GAME_PATIENCE)
                if not listed:
                    break
        raise UsageError(f"nothing beside the board sets its level: {_by_hand(level)}")

    def _opens_list(self, window: Window) -> bool:
        """Return whether a list or a menu comes up in a moment; those have no title."""
        deadline = self.clock.now() + DIALOG_WAIT
        while self.clock.now() < deadline:
            self.raise_if_stopped()
            if any(not popup.title for popup in self.desktop.popups(window)):
                return True
            self.clock.sleep(NAP)
        return False

    def _await_level(self, level: Level, patience: float) -> Look:
        """Wait for the board at ``level`` and return it. Raises StuckError or WindowError if none comes.

        Only a picture taken after the deadline decides that it does not: searching an earlier picture may
        itself take longer than ``patience``.
        """
        deadline, seen = self.clock.now() + patience, None
        while True:
            late, picture = self.clock.now() > deadline, self._picture_at_rest()
            if seen is None or not np.array_equal(picture, seen):
                seen, found = picture, self._look_for(level)
            if isinstance(found, Look):
                if late or found.doubt is None:
                    return found
            elif late:
                raise found
            self.clock.sleep(NAP)

    def _look_for(self, level: Level) -> Look | BotError:
        """Return the board at ``level``, or what is to be said if it does not come any more."""
        try:
            look = self.watcher.find()
            if is_level(look.reading, level):
                return look
        except GameNotFoundError:  # its dialog is still closing
            pass
        except WindowError as hidden:  # half painted, or larger than the screen
            return hidden
        return StuckError(f"the game did not change its level: {_by_hand(level)}")

    def _picture_at_rest(self) -> Pixels:
        """Wait, but not for long, until the window's picture stands still: half painted, it is searched long.

        Raises WindowError if the window is closed.
        """
        deadline, last = self.clock.now() + REST_PATIENCE, None
        while True:
            self.raise_if_stopped()
            self.watcher.follow()
            window = self.watcher.window
            picture = self.watcher.capture.grab(None if window is None else window.client).pixels
            if (last is not None and np.array_equal(picture, last)) or self.clock.now() > deadline:
                return picture
            last = picture
            self.clock.sleep(REST)

    def next_game(self, began: float | None, last: Look) -> Look:
        """Start the next game once it would not repeat the board of the one that ``began`` at that time."""
        while began is not None and self.clock.now() < began + self.target.same_board:
            self.raise_if_stopped()
            self.clock.sleep(NAP)
        return self.new_game(last)

    def new_game(self, last: Look) -> Look:
        """Start the next game after the one that ``last`` shows, and return its board.

        Its keys are pressed, then what may be a button is clicked, then the user is asked. What has worked is
        done again. Raises StuckError if no new game comes up.
        """
        for way in self._ways():
            self.raise_if_stopped()
            if self.watcher.learner is not None:  # a cell lit below the pointer looks like no fresh one
                stir(last, self.clicker)
            self.close_dialogs()
            self.clear_view()
            self.take(way)
            if not way.keys:
                step_aside(last, self.clicker)  # near the button it may hide cells
            look = self.watcher.watch(_is_new, None, DIALOG_WAIT if way == CLOSE else NEW_GAME_PATIENCE)
            begun = not look.over and is_another_game(look, Past(last.reading.board))
            if look.doubt is None and (begun or _is_new(look.reading)):
                self._way = self._way if way == CLOSE else way
                return look
            if not way.keys and (window := self.watcher.window) and self.desktop.popups(window):
                self.take(way)  # it has opened a list, and closes it again
        self.tell(f"start a new game by hand: play goes on by itself then; {self.desktop.stop_key} stops it")
        by_hand = self.await_user(partial(self.watcher.look, None, 0), _is_new)
        if by_hand is None:
            raise StuckError("no new game came up: start one by hand, then run the command again")
        return by_hand

    def _ways(self) -> Iterator[Way]:
        """Yield what may start the next game: what has done so, then what closes a box and the same again.

        A page may show a box that is no window of its own, and hears nothing else as long as that is open. It
        may come up late, even over the first try. Where something has helped before, nothing else is tried:
        the game may only be slow, and other things beside a board do other things.
        """
        if self._boxed:
            yield CLOSE
        yield from self._likeliest()
        if self.watcher.window is not None:
            self._boxed = True
            yield CLOSE
            yield from self._likeliest()
        if self._way is None:
            yield from self._buttons()

    def _likeliest(self) -> Iterator[Way]:
        """Yield what has started a game before, and if nothing has, the keys that should."""
        if self._way is not None and not self._way.keys:
            yield from self._buttons()[:1]
        elif self.watcher.window is not None:
            keys = self._way.keys if self._way else self.target.new_game
            yield from [Way(keys)] * TRIES if keys else map(Way, USUAL_KEYS)

    def _buttons(self) -> list[Way]:
        """Return clicks on what may be a button now; what stands where one has helped before comes first."""
        known, (frame, grid) = self._way, self.watcher.view()
        middles = (box.centre for box in find_buttons(frame.pixels, grid))
        ways = [Way(place=((at.x - grid.x) / grid.pitch_x, (at.y - grid.y) / grid.pitch_y)) for at in middles]
        if known is not None and not known.keys:
            ways.sort(key=lambda way: math.dist(way.place, known.place))
        elif ways:
            row = (way for way in ways if abs(way.place[1] - ways[0].place[1]) < _ONE_ROW)
            first = min(row, key=lambda way: way.place[0])  # of a row of buttons: most often a new game
            ways = list(dict.fromkeys((ways[0], first, *ways)))
        return ways[:BUTTONS]

    def take(self, way: Way) -> None:
        """Press the keys of a way, or click its place."""
        window = self.watcher.window
        if not way.keys:
            self.clicker.click(self.watcher.on_screen(*way.place))
        elif window is not None:
            if not self.desktop.has_keyboard(window):
                self.desktop.raise_window(window)
            self._keys(window).press(*way.keys)

    def await_user(self, look: Callable[[], Look], done: Callable[[Reading], bool]) -> Look | None:
        """Return the first look beyond doubt that is ``done``, once the user has left the mouse alone.

        None if that takes too long. Meanwhile the mouse is the user's, and the stop key works.
        """
        self.clicker.disarm()
        deadline, here = self.clock.now() + USER_PATIENCE, self.mouse.position()
        while self.clock.now() < deadline:
            self.raise_if_stopped()
            self.clock.sleep(USER_NAP)
            before, here = here, self.mouse.position()
            if here != before:
                continue
            with suppress(GameNotFoundError):  # a dialog of the game lies over it
                seen = look()
                if seen.doubt is None and done(seen.reading):
                    self.clicker.arm()
                    return seen
        return None

    def clear_view(self) -> None:
        """Close the game's own dialogs, and wait for the board to be seen: what covers it may go again.

        Waits for the keyboard, too, if the user went to another window with it. Raises WindowError, or
        TakenOverError, if they do not come back for `VIEW_PATIENCE` seconds.
        """
        deadline, telling = self.clock.now() + VIEW_PATIENCE, self.clock.now() + DIALOG_WAIT
        while True:
            self.raise_if_stopped()
            self.watcher.follow()
            window, visibility = self.watcher.window, self.watcher.visibility()
            if not self.rival and (window is None or visibility is Visibility.VISIBLE):
                return
            if visibility is Visibility.COVERED and self.close_dialogs():
                deadline = self.clock.now() + VIEW_PATIENCE
            if self.clock.now() > deadline:
                raise self._out_of_view(visibility)
            if self.clock.now() > telling:
                telling = math.inf
                self.tell(f"{self._out_of_view(visibility)}".replace("stopped", "waiting", 1))
            self.clock.sleep(NAP)

    @property
    def rival(self) -> Window | None:
        """The window of another program to which the user went, after the game had the keyboard."""
        window = self.watcher.window
        return self.desktop.rival(window) if window and self._raised else None

    def _out_of_view(self, visibility: Visibility) -> BotError:
        """Return what to say of a board that is hidden: to the system, off the screen is covered as well."""
        if rival := self.rival:
            return TakenOverError(f"stopped: another window has the keyboard, {rival.title!r}")
        if visibility is Visibility.COVERED and self.watcher.off_screen:
            return WindowError(f"stopped: {OFF_SCREEN}")
        return hidden(visibility)

    def close_dialogs(self) -> int:
        """Close what dialogs and menus the game has open; return how many.

        Best times are answered with their default button, others not: that of the dialog for a custom level,
        which a hand may have opened, would begin another game. None are closed while the user types into
        another window: they would have to be given the keyboard.
        """
        window = self.watcher.window
        if window is None or self.rival:
            return 0
        self.closed += [popup.title for popup in self.desktop.popups(window)]
        return dismiss_popups(self._keys(window))

    def click_box(self, look: Look) -> bool:
        """Click the button of a box that lies over cells; return whether there is one."""
        grid = look.reading.grid
        button = find_box_button(look.frame.pixels, grid, look.reading.unreadable)
        if button is not None:
            self.clicker.click(look.frame.on_screen(button).centre)
        return button is not None

    def _keys(self, window: Window) -> Keys:
        answers = self.may_be_won and self.target.answers
        return Keys(window, self.desktop, self.mouse, self.raise_if_stopped, answers=answers)

    def take_records(self) -> None:
        """Close the best-time dialogs that may follow a win: first the name, then the table."""
        self.may_be_won = True
        if self.target.records:
            self._close_what_follows()

    def _close_what_follows(self) -> None:
        """Close dialogs until none comes up any more."""
        deadline = self.clock.now() + DIALOG_WAIT
        while self.clock.now() < deadline:
            self.raise_if_stopped()
            if self.close_dialogs():
                deadline = self.clock.now() + DIALOG_WAIT
            self.clock.sleep(NAP)


def _is_new(reading: Reading) -> bool:
    return reading.state is GameState.NEW


def _by_hand(level: Level) -> str:
    return f"choose {level} in the game's menu, then try again"


def is_level(reading: Reading, level: Level) -> bool:
    """Return whether the board is that of ``level``, as far as it can be seen."""
    seen = Level.of(reading.board)
    return seen.size == level.size and seen.mines in (0, level.mines)


def beside(look: Look) -> Point | None:
    """Return a place beside the board where the pointer hides nothing of it; None if there is no room.

    It is near a corner: words across the middle of a board may stay for as long as the pointer is on them.
    """
    grid, frame = look.reading.grid, look.frame
    width, height = frame.rect.size
    across, down = grid.x + grid.pitch_x / 2, grid.y + grid.height - grid.pitch_y / 2
    right, left = grid.x + grid.width + grid.pitch_x / 2, grid.x - POINTER_REACH
    below, above = grid.y + grid.height + grid.pitch_y / 2, grid.y - POINTER_REACH
    places = ((right, down), (across, below), (left, down), (across, above))
    room = (place for place in places if 0 <= place[0] < width and 0 <= place[1] < height)
    return next((frame.to_screen(*place) for place in room), None)


def step_aside(look: Look, clicker: Clicker) -> bool:
    """Put the pointer beside the board if it is on it; return whether it was.

    Many games light up the cell under the pointer, and some pictures of the screen show the pointer.
    """
    place, here = beside(look), clicker.mouse.position()
    board = look.frame.on_screen(look.reading.grid.rect)
    if place in (None, here) or not board.grown(POINTER_REACH).contains(here):
        return False
    clicker.move_away(place)
    return True


def stir(look: Look, clicker: Clicker) -> None:
    """Move the pointer beside the board: a game below a dialog has not seen it leave its words."""
    if place := beside(look):
        clicker.move_away(Point(place.x, place.y - 1))
        clicker.move_away(place)
