"""Start the next game, set the level, and keep the board in view: what is clicked beside the board."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import numpy as np

from bot.board import Cell
from bot.capture import hidden_error
from bot.clicker.clicks import Clicker
from bot.desktop.protocols import Visibility, Window
from bot.errors import (
    BotError,
    GameNotFoundError,
    StuckError,
    TakenOverError,
    UsageError,
    WindowError,
)
from bot.geometry import Pixels, Point, Rect
from bot.levels import Level
from bot.play.dialogs import MOST_DIALOGS, Keys, dismiss_popups, set_level
from bot.play.look import Look, is_another_game
from bot.play.watcher import FIND_PATIENCE, OFF_SCREEN, BoardWatcher
from bot.targets.catalogue import UNKNOWN, Target
from bot.verdict import GameState, Ledger
from bot.vision.panel.buttons import find_box_button, find_buttons
from bot.vision.reading import Reading

LEVEL_PATIENCE = 6.0  # seconds to wait for a board of another level: the dialog for a custom level is slow
USUAL_KEYS = (("f2",), ("n",))  # they start a new game in many programs; tried in unknown ones
NEW_GAME_PATIENCE = 1.5  # seconds to wait for a fresh board
TRIES = 3  # how often setting a level, or starting a new game, is tried
REST, REST_PATIENCE = 0.1, 1.0  # seconds without change until a picture is fully painted; longest wait
VIEW_PATIENCE = 5.0  # seconds to wait for a hidden board to be visible again
DIALOG_WAIT = 0.4  # seconds in which a dialog may appear, after a win or after another dialog
USER_PATIENCE = 120.0  # seconds to wait for the user, for example to start a game if the bot cannot
CHOICES, ITEMS = 12, 4  # so many places beside the board, and items of a list, are tried to set a level
_ONE_ROW = 0.5  # cells: greatest difference in height between the centres of buttons in one row
BUTTONS = 3  # at most so many possible buttons beside the board are tried to start the next game
USER_NAP = 0.5  # seconds between two checks for that; the mouse must not move in between
NAP = 0.02  # seconds between two checks for a dialog or another board
POINTER_REACH = 32  # pixels right of and below its tip that a pointer hides at most


@dataclass(frozen=True, slots=True)
class NewGameMethod:
    """A way to start a game: press ``keys``, or click ``place``, in cells from the board's top left."""

    keys: tuple[str, ...] = ()
    place: tuple[float, float] = (0.0, 0.0)


CLOSE = NewGameMethod(("enter",))  # closes a box that a web page draws over the board


class GameWindow:
    """Sets levels, starts games and closes dialogs; the stop of ``clicker`` may end each of these.

    ``tell`` shows the user a message, such as a request for something that the bot cannot do. ``allows`` asks
    the user, if need be, whether what may be a button in an unknown program may be clicked.
    """

    def __init__(
        self,
        watcher: BoardWatcher,
        target: Target,
        clicker: Clicker,
        tell: Callable[[str], None],
        allows: Callable[[], bool],
    ) -> None:
        self._allows = allows
        self.watcher, self.place = watcher, watcher.place
        self.desktop, self.clock = watcher.desktop, watcher.clock
        self.target, self.tell = target, tell
        self.clicker, self.mouse, self.stop = clicker, clicker.mouse, clicker.stop
        self.closed: list[str] = []  # titles of the dialogs closed since the last click
        self._way: NewGameMethod | None = None  # the one that has started a game before
        self._boxed = False  # whether a box may have to be closed for that
        self._may_be_won = False  # by the last clicks: then dialogs that appear are about best times

    def clicked(self, ledger: Ledger) -> None:
        """Record that clicks were sent: dialogs that appear from now on follow them."""
        self.closed, self._may_be_won = [], ledger.may_be_won

    def open(self, level: Level | None) -> Look:
        """Bring the game to the front, set ``level`` (None: keep its level), and return its board.

        If the game is over, a new one is started. Raises UsageError, StuckError, WindowError or
        GameNotFoundError if this cannot be done.
        """
        look = self.show()
        if level is not None and not is_level(look.reading, level):
            look = self._set_level(level)
        return self.new_game(look) if look.verdict.over else look

    def show(self) -> Look:
        """Bring the game to the front, and return its board as it is.

        Raises WindowError or GameNotFoundError if this cannot be done.
        """
        # Before raising it: an open dialog, over the window or below it, makes it ignore clicks.
        if self.close_dialogs():
            self._close_what_follows()
        self.place.bring_to_front()
        self.clear_view()
        return self.watcher.find(FIND_PATIENCE)

    def _set_level(self, level: Level, tries: int = TRIES) -> Look:
        window = self.place.window
        if window is None:
            raise UsageError(f"no level can be set if the window of the game is unknown: {_by_hand(level)}")
        if self.target is UNKNOWN:
            return self._choose_level(level, window)
        try:
            self.close_dialogs()
            self.desktop.raise_window(window)
            set_level(level, self.target, self._keys(window))
            return self._await_level(level, LEVEL_PATIENCE)
        except StuckError:  # a slow game may lose keys, or open a dialog between two keys
            if tries == 1:
                raise
        return self._set_level(level, tries - 1)

    def _choose_level(self, level: Level, window: Window) -> Look:
        """Click each possible button beside the board, and each item of its list, until the level is set.

        Raises UsageError if none of them sets it, or the user does not allow that.
        """
        if not self._may_click():
            raise UsageError(f"the level is not set, as no button may be clicked: {_by_hand(level)}")
        found = list[Rect]()  # kept, as beside a wider board some are too far away to be found again
        for number in range(CHOICES):
            frame, grid = self.watcher.view()
            seen = [frame.on_screen(box) for box in find_buttons(frame.pixels, grid)]
            found += [box for box in seen if not any(box.contains(other.centre) for other in found)]
            if number >= len(found):
                break
            for item in range(ITEMS):
                self.clear_view()
                self.clicker.click(found[number].centre)
                keys = self._keys(window)
                listed = keys.menu_opens(DIALOG_WAIT)
                if listed:
                    for key in ("home", *["down"] * item, "enter"):
                        keys.press(key)
                with suppress(StuckError):
                    return self._await_level(level, NEW_GAME_PATIENCE)
                if not listed:
                    break
        raise UsageError(f"no button beside the board changes the level: {_by_hand(level)}")

    def _await_level(self, level: Level, patience: float) -> Look:
        """Wait for the board at ``level`` and return it. Raises StuckError or WindowError if it never comes.

        That is decided by a picture taken after ``patience`` seconds: searching an earlier picture may itself
        take longer than that.
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
        """Return the board at ``level`` or, if it is not there now, the error to raise if it never comes."""
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
        """Return the window's picture once it does not change, or after `REST_PATIENCE` seconds.

        A half-painted picture would take long to search. Raises WindowError if the window is closed.
        """
        deadline, last = self.clock.now() + REST_PATIENCE, None
        while True:
            self.stop.raise_if_stopped()
            self.place.follow()
            window = self.place.window
            picture = self.watcher.capture.grab(None if window is None else window.client).pixels
            if (last is not None and np.array_equal(picture, last)) or self.clock.now() > deadline:
                return picture
            last = picture
            self.clock.sleep(REST)

    def next_game(self, began: float | None, last: Look) -> Look:
        """Start the next game; wait first if it would repeat the board of the game begun at ``began``."""
        while began is not None and self.clock.now() < began + self.target.same_board:
            self.stop.raise_if_stopped()
            self.clock.sleep(NAP)
        return self.new_game(last)

    def new_game(self, last: Look) -> Look:
        """Start the next game after the one that ``last`` shows, and return its board.

        Its keys are pressed, then possible buttons are clicked if that is allowed, then the user is asked to
        do it. What worked before is used again. Raises StuckError if no new game appears, or if nobody can
        allow the clicks.
        """

        def begun(look: Look) -> bool:
            running = not look.verdict.over and is_another_game(look, Ledger(last.reading.board))
            return look.doubt is None and (running or _is_new(look.reading))

        for way in self._ways():
            self.stop.raise_if_stopped()
            if not (way.keys or self._may_click()):
                break
            if self.watcher.reader.learner is not None:  # what is highlighted below the pointer looks played
                stir(last, self.clicker)
            self.close_dialogs()
            self.clear_view()
            if not way.keys and self._way is None and begun(look := self.watcher.look(None, 0)):
                return look  # the user has started it while the question was open
            self.take(way)
            if not way.keys:
                step_aside(last, self.clicker)  # a pointer left at the button may hide cells
            look = self.watcher.watch(_is_new, None, DIALOG_WAIT if way == CLOSE else NEW_GAME_PATIENCE)
            if begun(look):
                self._way = self._way if way == CLOSE else way
                return look
            if not way.keys and (window := self.place.window) and self.desktop.popups(window):
                self.take(way)  # the click opened a list; another one closes it
        self.tell(f"start a new game by hand; the bot then continues ({self.desktop.stop_key} stops it)")
        by_hand = self.await_user(partial(self.watcher.look, None, 0), begun)
        if by_hand is None:
            raise StuckError("no new game appeared: start one by hand, then run the command again")
        return by_hand

    def _ways(self) -> Iterator[NewGameMethod]:
        """Yield ways to start the next game: the likeliest, then closing a box and the likeliest again.

        A web page may show a box that is not a window of its own, and ignore all else while it is open. The
        box may appear late, even over the first try. Unknown buttons come last, and only if no way has worked
        before: otherwise the game may only be slow, and other buttons do other things.
        """
        if self._boxed:
            yield CLOSE
        yield from self._likeliest()
        if self.place.window is not None:
            self._boxed = True
            yield CLOSE
            yield from self._likeliest()
        if self._way is None:
            yield from self._buttons()
            yield CLOSE  # while a message announces the next game, its board may not be painted

    def _likeliest(self) -> Iterator[NewGameMethod]:
        """Yield the way that has started a game before or, if there is none, the keys that should."""
        if self._way is not None and not self._way.keys:
            yield from self._buttons()[:1]
        elif self.place.window is not None:
            keys = self._way.keys if self._way else self.target.new_game
            yield from [NewGameMethod(keys)] * TRIES if keys else map(NewGameMethod, USUAL_KEYS)

    def _buttons(self) -> list[NewGameMethod]:
        """Return clicks on possible buttons; first the one nearest to where a click has worked before."""
        known, (frame, grid) = self._way, self.watcher.view()
        middles = (box.centre for box in find_buttons(frame.pixels, grid))
        ways = [
            NewGameMethod(place=((at.x - grid.x) / grid.pitch_x, (at.y - grid.y) / grid.pitch_y))
            for at in middles
        ]
        if known is not None and not known.keys:
            ways.sort(key=lambda way: math.dist(way.place, known.place))
        elif ways:
            row = (way for way in ways if abs(way.place[1] - ways[0].place[1]) < _ONE_ROW)
            first = min(row, key=lambda way: way.place[0])  # leftmost in its row: most often a new game
            ways = list(dict.fromkeys((ways[0], first, *ways)))
        return ways[:BUTTONS]

    def take(self, way: NewGameMethod) -> None:
        """Press the keys of ``way``, or click its place if it has none."""
        window = self.place.window
        if not way.keys:
            self.clicker.click(self.place.on_screen(*way.place))
        elif window is not None:
            if not self.desktop.has_keyboard(window):
                self.desktop.raise_window(window)
            self._keys(window).press(*way.keys)

    def await_user(self, look: Callable[[], Look], done: Callable[[Look], bool]) -> Look | None:
        """Return the first look that ``done`` accepts, once the user leaves the mouse alone.

        Return None after `USER_PATIENCE` seconds. Meanwhile the user may move the mouse; the stop key works.
        """
        self.clicker.disarm()
        deadline, here = self.clock.now() + USER_PATIENCE, self.mouse.position()
        while self.clock.now() < deadline:
            self.stop.raise_if_stopped()
            self.clock.sleep(USER_NAP)
            before, here = here, self.mouse.position()
            if here != before:
                continue
            with suppress(GameNotFoundError):  # a dialog of the game may hide the board
                seen = look()
                if done(seen):
                    self.clicker.arm()
                    return seen
        return None

    def clear_view(self, *, playing: bool = False) -> None:
        """Close the game's own dialogs, and wait until nothing else covers the board.

        Wait also for the keyboard if the user has switched to another window. Raises WindowError or
        TakenOverError if the board or the keyboard is not back after `VIEW_PATIENCE` seconds, except that a
        game being played may be covered for any time; StuckError if it opens one dialog after the other.
        """
        deadline, telling, closed = self.clock.now() + VIEW_PATIENCE, self.clock.now() + DIALOG_WAIT, 0
        while True:
            self.stop.raise_if_stopped()
            self.place.follow()
            visibility = self.place.visibility
            if not self.place.rival and visibility is Visibility.VISIBLE:
                return
            if visibility is Visibility.COVERED and (count := self.close_dialogs()):
                closed = _counted_dialogs(closed + count)
                deadline = self.clock.now() + VIEW_PATIENCE
                telling = max(telling, self.clock.now() + DIALOG_WAIT)  # nothing is asked of the user so far
            if self.clock.now() > deadline:
                covered = visibility is Visibility.COVERED and not (
                    self.place.rival or self.watcher.off_screen
                )
                if not (playing and covered):
                    raise self._out_of_view(visibility)
                deadline = self.clock.now() + VIEW_PATIENCE
            if self.clock.now() > telling:
                telling = math.inf
                self.tell(f"{self._out_of_view(visibility)}".replace("stopped", "waiting", 1))
            self.clock.sleep(NAP)

    def _out_of_view(self, visibility: Visibility) -> BotError:
        """Return the error for a hidden board; the system reports one off the screen as covered, too."""
        if rival := self.place.rival:
            return TakenOverError(f"stopped: another window has the keyboard, {rival.title!r}")
        if visibility is Visibility.COVERED and self.watcher.off_screen:
            return WindowError(f"stopped: {OFF_SCREEN}")
        return hidden_error(visibility)

    def close_dialogs(self) -> int:
        """Close the dialogs and menus that the game has open; return how many there were.

        Only dialogs about best times are answered with their default button: that of the dialog for a custom
        level, which the user may have opened, would start another game. Nothing is closed while the user
        types into another window, because that would take the keyboard away.
        """
        window = self.place.window
        if window is None or self.place.rival:
            return 0
        self.closed += [popup.title for popup in self.desktop.popups(window)]
        return dismiss_popups(self._keys(window))

    def click_box(self, look: Look) -> Cell | None:
        """Click the button of a box that lies over cells, and return the cell below; None without a button.

        If nobody can allow that, none is clicked: the game that ended below the box still counts, as unknown.
        """
        grid = look.reading.grid
        button = find_box_button(look.frame.pixels, grid, look.reading.unreadable)
        with suppress(StuckError):
            if button is not None and self._may_click():
                self.clicker.click(look.frame.on_screen(button).centre)
                return grid.cell_at(button.centre.x, button.centre.y)
        return None

    def _may_click(self) -> bool:
        """Return whether what may be a button may be clicked; the user may answer in another window."""
        if not self.target.asks:
            return True
        allowed, window = self._allows(), self.place.window
        if window is not None and not self.desktop.has_keyboard(window):
            self.desktop.raise_window(window)
        return allowed

    def _keys(self, window: Window) -> Keys:
        answers = self._may_be_won and self.target.answers
        return Keys(window, self.desktop, self.mouse, self.clock, self.stop, answers=answers)

    def take_records(self) -> None:
        """Close the best-time dialogs that may follow a win: first the name, then the table."""
        self._may_be_won = True
        if self.target.records:
            self._close_what_follows()

    def _close_what_follows(self) -> None:
        """Close dialogs until no more appear. Raises StuckError if there is no end of them."""
        deadline, closed = self.clock.now() + DIALOG_WAIT, 0
        while self.clock.now() < deadline:
            self.stop.raise_if_stopped()
            if count := self.close_dialogs():
                closed = _counted_dialogs(closed + count)
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
    """Return a place beside the board where the pointer hides no cell; None if there is no room.

    It is near a corner: words across the middle of the board may stay as long as the pointer is on them.
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
    """Move the pointer beside the board if it is on the board or near it; return whether it was moved.

    Many games highlight the cell under the pointer, and some pictures of the screen show the pointer.
    """
    place, here = beside(look), clicker.mouse.position()
    board = look.frame.on_screen(look.reading.grid.rect)
    if place in (None, here) or not board.grown(POINTER_REACH).contains(here):
        return False
    clicker.move_away(place)
    return True


def stir(look: Look, clicker: Clicker) -> None:
    """Move the pointer beside the board twice: a game below a dialog has not seen it leave the words."""
    if place := beside(look):
        clicker.move_away(Point(place.x, place.y - 1))
        clicker.move_away(place)


def _counted_dialogs(closed: int) -> int:
    """Return how many dialogs in a row were ``closed``. Raises StuckError if they are too many."""
    if closed > MOST_DIALOGS:
        raise StuckError("the game opens one dialog after the other: close them by hand")
    return closed
