"""Start the next game, set the level, and keep the board in view: what is clicked beside the board."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from bot.board import CLOSED, Board, Cell, State
from bot.capture import closed_error, hidden_error
from bot.clicker.clicks import Clicker
from bot.desktop.protocols import Visibility, Window
from bot.errors import (
    BotError,
    GameNotFoundError,
    StuckError,
    TakenOverError,
    UsageError,
    WindowClosedError,
    WindowError,
)
from bot.geometry import Point, Rect
from bot.levels import Level
from bot.play.dialogs import MOST_DIALOGS, Keys, dismiss_popups, set_level
from bot.play.look import Look, is_another_game, is_lost
from bot.play.next_step import Next
from bot.play.patience import NAP, wait_until
from bot.play.watcher import FIND_PATIENCE, OFF_SCREEN, BoardWatcher
from bot.targets.catalogue import LAST_KEYS, UNKNOWN, USUAL_KEYS, Target
from bot.verdict import GameState, Ledger
from bot.vision.panel.buttons import find_box_button, find_buttons
from bot.vision.reading import Reading

LEVEL_PATIENCE = 6.0  # seconds to wait for a board of another level: the dialog for a custom level is slow
NEW_GAME_PATIENCE = 1.5  # seconds to wait for a fresh board
TRIES = 3  # how often setting a level, or starting a new game, is tried
VIEW_PATIENCE = 5.0  # seconds to wait for a hidden board to be visible again
DIALOG_WAIT = 0.4  # seconds in which a dialog may appear, after a win or after another dialog
USER_PATIENCE = 120.0  # seconds to wait for the user, for example to start a game if the bot cannot
REDRAWN_PATIENCE = 10.0  # seconds to wait until cells that the game has drawn anew look as before
CHOICES, ITEMS = 12, 4  # so many places beside the board, and items of a list, are tried to set a level
_ONE_ROW = 0.5  # cells: greatest difference in height between the centres of buttons in one row
_ONE_PLACE = 1.0  # cells: greatest distance between the centres of one button, seen twice
BUTTONS = 3  # at most so many possible buttons beside the board are tried to start the next game
USER_NAP = 0.5  # seconds between two checks for that; the mouse must not move in between
POINTER_REACH = 32  # pixels right of and below its tip that a pointer hides at most

T = TypeVar("T")


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
        self._before: Collection[Window] = ()  # the windows that were there when the present one was shown
        self._way: NewGameMethod | None = None  # the one that has started a game before
        self._resizing: list[NewGameMethod] = []  # clicks that have changed the size of the board
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
        self._before = self.desktop.windows()
        # Before raising it: an open dialog, over the window or below it, makes it ignore clicks.
        if self.close_dialogs():
            self._close_what_follows()
        self.place.bring_to_front()
        self.clear_view()
        return self.watcher.find(FIND_PATIENCE)

    def _set_level(self, level: Level) -> Look:
        window = self.place.window
        if window is None:
            raise UsageError(f"no level can be set if the window of the game is unknown: {_by_hand(level)}")
        if self.target is UNKNOWN:
            return self._choose_level(level, window)
        for _ in range(TRIES - 1):
            with suppress(StuckError):  # a slow game may lose keys, or open a dialog between two keys
                return self._set_by_menu(level, window)
        return self._set_by_menu(level, window)

    def _set_by_menu(self, level: Level, window: Window) -> Look:
        self.close_dialogs()
        self.desktop.raise_window(window)
        set_level(level, self.target, self._keys(window))
        return self._await_level(level, LEVEL_PATIENCE)

    def _choose_level(self, level: Level, window: Window, most: int = CHOICES) -> Look:
        """Click each possible button beside the board, and each item of its list, until the level is set.

        At most so many buttons are clicked. Raises UsageError if none of them sets it, or the user does not
        allow that.
        """
        if not self._may_click():
            raise UsageError(f"the level is not set, as no button may be clicked: {_by_hand(level)}")
        found = list[Rect]()  # kept, as beside a wider board some are too far away to be found again
        for number in range(most):
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
        """Return the board at ``level`` once it is there. Raises StuckError or WindowError if it never is."""
        try:
            look = self.watcher.find(patience, done=partial(is_level, level=level))
            if look.doubt is not None:
                look = self.watcher.look(None, patience)
            if is_level(look.reading, level):
                return look
        except GameNotFoundError:  # its dialog may still be closing
            pass
        raise StuckError(f"the game did not change its level: {_by_hand(level)}")

    def new_game(self, last: Look, first_click: float | None = None) -> Look:
        """Start the next game after the one that ``last`` shows, and return its board.

        With the time of the ``first_click`` of that game, wait first while its board would be repeated. Then
        keys are pressed, possible buttons are clicked and other keys are tried if that is allowed, and the
        user is asked to do it. What worked before is used again. Raises StuckError if no new game appears,
        for example because clicks on buttons are not allowed.
        """

        def begun(look: Look) -> bool:
            if look.doubt is not None:
                return look.playable_despite_doubt and _is_covered_again(look.reading, last.reading.board)
            running = not look.verdict.over and is_another_game(look, last.reading.board)
            return running or _is_new(look.reading)

        if first_click is not None:
            self._wait(lambda: False, first_click + self.target.same_board - self.clock.now())
        for way in self._ways():
            self.stop.raise_if_stopped()
            if not (self._is_harmless(way) or self._may_click()):
                break
            try:
                look = self._tried(way, last, begun)
            except WindowClosedError:
                seen, self._way = self.in_new_window(), way
                look = seen if begun(seen) else None
            if look is not None:
                return look
        self.tell(f"start a new game by hand; the bot then continues ({self.desktop.stop_key} stops it)")
        by_hand = self.await_user(partial(self.watcher.look, None, 0), begun)
        if by_hand is None:
            raise StuckError("no new game appeared: start one by hand, then run the command again")
        return by_hand

    def _tried(self, way: NewGameMethod, last: Look, begun: Callable[[Look], bool]) -> Look | None:
        """Take a way to start a game, and return the look at the board of the new game; None without one."""
        if self.watcher.reader.learner is not None:  # what is highlighted below the pointer looks played
            stir(last, self.clicker)
        self.close_dialogs()
        self.clear_view()
        unknown = self._way is None and not self._is_harmless(way)
        if unknown and begun(look := self.watcher.look(None, 0)):
            return look  # the user has started it while the question was open
        self.take(way)
        if not way.keys:
            step_aside(last, self.clicker)  # a pointer left at the button may hide cells
        look = self.watcher.watch(_is_new, None, DIALOG_WAIT if way == CLOSE else NEW_GAME_PATIENCE)
        self.place.follow()  # another window may show the board in the same place
        if is_lost(look.reading):  # it may have moved: a line of words about the end is gone
            with suppress(GameNotFoundError, WindowError):
                look = self.watcher.find()
        if not begun(look):
            if not way.keys and (window := self.place.window) and self.desktop.popups(window):
                self.take(way)  # the click opened a list; another one closes it
            return None
        if unknown:
            size = replace(Level.of(last.reading.board), mines=0)
            with suppress(GameNotFoundError, WindowError):
                look = self.watcher.find()  # its size may have changed
            if not is_level(look.reading, size):
                self._resizing.append(way)
                return self._resized(size)
        self._way = self._way if way == CLOSE else way
        return look

    def in_new_window(self) -> Look:
        """Return the board of the window in which the program has replaced the one that is closed.

        It has the same title and was not there before. Raises WindowClosedError if there is none.
        """
        assert self.place.window is not None
        known, title = {window.handle for window in self._before}, self.place.window.title

        def appeared() -> Window | None:
            windows = (window for window in self.desktop.windows() if window.handle not in known)
            return next((window for window in windows if window.title == title), None)

        window = self._wait(appeared, NEW_GAME_PATIENCE)
        if window is None:
            raise closed_error(self.place.window)
        self.place.move_to(window)
        return self.show()

    def _resized(self, size: Level) -> Look:
        """Return a board of this ``size`` if another button brings it, else the one that is there."""
        if self.place.window is not None:
            with suppress(UsageError):
                return self._choose_level(size, self.place.window, BUTTONS)
        return self.watcher.look()

    def _ways(self) -> Iterator[NewGameMethod]:
        """Yield ways to start the next game: the likeliest, then closing a box and the likeliest again.

        A web page may show a box that is not a window of its own, and ignore all else while it is open. The
        box may appear late, even over the first try. Unknown buttons come last, and only if none has worked
        before: otherwise the game may only be slow, and other buttons do other things. A key may have seemed
        to work because the program dealt anew by itself just then.
        """
        if self._boxed:
            yield CLOSE
        yield from self._likeliest_ways()
        if self.place.window is not None:
            self._boxed = True
            yield CLOSE
            yield from self._likeliest_ways()
        if self._way is None or self._way.keys:
            yield from self._buttons()
        if self._way is None:
            yield CLOSE  # while a message announces the next game, its board may not be painted
            yield from map(NewGameMethod, LAST_KEYS if self.place.window else ())

    def _is_harmless(self, way: NewGameMethod) -> bool:
        """Return whether a way needs no permission: it clicks nothing, and presses no button."""
        return bool(way.keys) and (way.keys not in LAST_KEYS or way == self._way)

    def _likeliest_ways(self) -> Iterator[NewGameMethod]:
        """Yield the way that has started a game before or, if there is none, the keys that should."""
        if self._way is not None and not self._way.keys:
            yield from self._buttons()[:1]
        elif self.place.window is not None:
            keys = self._way.keys if self._way else self.target.new_game
            yield from [NewGameMethod(keys)] * TRIES if keys else map(NewGameMethod, USUAL_KEYS)

    def _buttons(self) -> list[NewGameMethod]:
        """Return clicks on possible buttons; first the one nearest to where a click has worked before.

        Those that have changed the size of the board come last: they choose a level.
        """
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
            ways.sort(key=self._chooses_level)
        return ways[:BUTTONS]

    def _chooses_level(self, way: NewGameMethod) -> bool:
        """Return whether a click there has changed the size of the board."""
        return any(math.dist(way.place, other.place) < _ONE_PLACE for other in self._resizing)

    def take(self, way: NewGameMethod) -> None:
        """Press the keys of ``way``, or click its place if it has none."""
        window = self.place.window
        if not way.keys:
            self.clicker.click(self.place.on_screen(*way.place))
        elif window is not None:
            if not self.desktop.has_keyboard(window):
                self.desktop.raise_window(window)
            self._keys(window).press(*way.keys)

    def await_uncovered(
        self, now: Next, ledger: Ledger | None, look: Callable[[], Look], done: Callable[[Look], bool]
    ) -> Look | None:
        """Ask the user to uncover the board, then do the same as `await_user`.

        If the game itself has drawn its covered cells anew, there is nothing to take away: the wait is short.
        """
        patience, words = USER_PATIENCE, "please uncover the board; the bot then continues"
        if ledger and not self.place.hidden and is_redrawn(now.look.reading.board, ledger.board):
            patience = REDRAWN_PATIENCE
            words = (
                "nothing lies over the game, which has drawn its covered cells anew; the bot stops if they "
                f"cannot be read within {patience:.0f} seconds"
            )
        self.tell(f"{now.why}: {words}")
        return self.await_user(look, done, patience)

    def await_user(
        self, look: Callable[[], Look], done: Callable[[Look], bool], patience: float = USER_PATIENCE
    ) -> Look | None:
        """Return the first look that ``done`` accepts, once the user leaves the mouse alone.

        Return None after ``patience`` seconds. Meanwhile the user may move the mouse; the stop key works.
        """
        here: Point | None = None

        def seen() -> Look | None:
            nonlocal here
            before, here = here, self.mouse.position()
            if here == before:
                with suppress(GameNotFoundError):  # a dialog of the game may hide the board
                    found = look()
                    return found if done(found) else None
            return None

        self.clicker.disarm()
        back = self._wait(seen, patience, USER_NAP)
        if back is not None:
            self.clicker.arm()
        return back

    def clear_view(self, *, playing: bool = False) -> None:
        """Close the game's own dialogs, and wait until nothing else covers the board.

        Wait also for the keyboard if the user has switched to another window. Raises WindowError or
        TakenOverError if the board or the keyboard is not back after `VIEW_PATIENCE` seconds, except that a
        game being played may be covered for any time.
        """
        told = False
        while hidden := self._out_of_view():
            patience = VIEW_PATIENCE if told else DIALOG_WAIT
            if self._wait(lambda: self._out_of_view() is None or self.close_dialogs(), patience):
                continue
            if told and not (playing and self._only_covered):
                raise hidden
            if not told:
                self.tell(str(hidden).replace("stopped", "waiting", 1))
                told = True

    def _out_of_view(self) -> BotError | None:
        """Return the error for a board that is hidden or has lost the keyboard; None if it is in view."""
        self.place.follow()
        if rival := self.place.rival:
            return TakenOverError(f"stopped: another window has the keyboard, {rival.title!r}")
        visibility = self.place.visibility
        if visibility is Visibility.VISIBLE:
            return None
        if visibility is Visibility.COVERED and self.watcher.off_screen:
            return WindowError(f"stopped: {OFF_SCREEN}")
        return hidden_error(visibility)

    @property
    def _only_covered(self) -> bool:
        """Whether the board is covered; the system says that of one partly off the screen, too."""
        covered = self.place.visibility is Visibility.COVERED
        return covered and not (self.place.rival or self.watcher.off_screen)

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
        closed = dismiss_popups(self._keys(window))
        if self.place.hidden and any(popup.is_menu for popup in self.desktop.popups(window)):
            self._click_away_menu(window)
        return closed

    def _click_away_menu(self, window: Window) -> None:
        """Close a menu over the board that ignores keys, such as that of a browser, by a click beside it."""
        grid = self.place.grid
        if grid is None or not self._may_click():
            return
        places = ((grid.cols + 0.5, grid.rows - 0.5), (0.5, grid.rows + 0.5), (-0.5, grid.rows - 0.5))
        points = (self.place.on_screen(*place) for place in places)
        if point := next((point for point in points if self.desktop.takes(window, point)), None):
            self.clicker.click(point)

    def click_box(self, look: Look) -> Cell | None:
        """Click the button of a box that lies over cells, and return the cell below; None without a button.

        Without permission none is clicked. The end of the game below the box is then unknown, but it counts.
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
        for _ in range(MOST_DIALOGS + 1):
            if not self._wait(self.close_dialogs, DIALOG_WAIT):
                return
        raise StuckError("the game opens one dialog after the other: close them by hand")

    def _wait(self, done: Callable[[], T], patience: float, nap: float = NAP) -> T:
        return wait_until(done, self.clock, self.stop, patience, nap)


def _is_new(reading: Reading) -> bool:
    return reading.state is GameState.NEW


def _is_covered_again(reading: Reading, last: Board) -> bool:
    """Return whether a board is new, even with unread marks: most of the opened cells are covered again."""
    opened, now = last.states <= 8, reading.board.states
    same = now.shape == opened.shape and _is_new(reading)
    return same and 2 * int((now[opened] == State.COVERED).sum()) > int(opened.sum())


def _by_hand(level: Level) -> str:
    return f"choose {level} in the game's menu, then try again"


def is_level(reading: Reading, level: Level) -> bool:
    """Return whether the board is that of ``level``, as far as it can be seen; 0 mines: any number."""
    seen = Level.of(reading.board)
    return seen.size == level.size and (0 in (seen.mines, level.mines) or seen.mines == level.mines)


def is_redrawn(board: Board, before: Board) -> bool:
    """Return whether no covered cell can be read any more, but all those that were open before."""
    return (
        board.shape == before.shape
        and not board.count(*CLOSED)
        and all(before[cell] > 8 for cell in board.cells(State.UNREADABLE))
    )


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
