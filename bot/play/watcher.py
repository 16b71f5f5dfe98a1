"""Watch the board on the screen: find it once, then look until the picture settles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from bot.capture import PatientCapture
from bot.desktop.protocols import Window
from bot.errors import BotError, GameNotFoundError, NotInTimeError, WindowError
from bot.geometry import Frame, Grid, Point, Rect
from bot.play.board_place import BoardPlace
from bot.play.game_reader import GameReader
from bot.play.look import Look, at_rest, zero_beside_closed
from bot.play.patience import GRAB_GAP, AnswerTimes, nap
from bot.verdict import Ledger, verdict_on
from bot.vision import Skin, read_picture
from bot.vision.board_reader import found_again, same_place
from bot.vision.reading import Reading, cut_words

FIND_GAP = 0.05  # seconds between two searches for a board
FIND_PATIENCE = 2.0  # seconds in which a window that was raised or resized must show a board
KNOWN_FIRST = 0.5  # seconds for which only known art is searched for: the window may be half painted
REST = 0.05  # seconds for which a board of unknown art must not change, as its animations are unknown too
OFF_SCREEN = "the board is partly off the screen: move its window completely onto one screen"
BY_HAND = "or open one of its cells by hand, which makes unknown art easier to read"
UNANSWERED = 0.02  # seconds without change before a known board on which clicks had no effect is read fully


class BoardWatcher:
    """Looks at one board on the screen, at its `place`, with its `reader`.

    With ``window``, it looks at the client area of that window. Without, it searches the whole desktop for a
    board. ``seen`` is where the board was seen: of several boards, the one there is taken. ``mines`` and
    ``pointer`` are those of `GameReader`.
    """

    def __init__(
        self,
        capture: PatientCapture,
        skins: Sequence[Skin],
        window: Window | None = None,
        mines: int | None = None,
        pointer: Callable[[], Point] | None = None,
        seen: Rect | None = None,
    ) -> None:
        self.capture, self.desktop, self.clock = capture, capture.desktop, capture.clock
        self.place = BoardPlace(capture.desktop, window, seen)
        self.reader = GameReader(self.place, skins, mines, pointer)
        self._gap = max(GRAB_GAP, self.desktop.frame_time)
        self._answers = AnswerTimes(self._gap)

    def find(
        self,
        patience: float = 0.0,
        ledger: Ledger | None = None,
        done: Callable[[Reading], bool] = at_rest,
    ) -> Look:
        """Search for the board for up to ``patience`` seconds, remember its place, and return a look at it.

        It is the first board that ``done`` accepts or, when the time is over, the one that is there.
        Raises GameNotFoundError if there is none, WindowError if its window is closed or it is cut off.
        """
        place, reader, start = self.place, self.reader, self.clock.now()
        deadline, unknown_from = start + patience, start + min(patience, KNOWN_FIRST)
        found, late, last = list[Reading](), None, None
        while True:
            place.follow()
            now, frame = self.clock.now(), self.capture.grab(None if place.window is None else place.area)
            # A skin that is still learned may lack what the board shows now.
            unknown = (reader.unknown or reader.learner is not None) and now >= unknown_from
            if late or last is None or last[1] != unknown or not np.array_equal(frame.pixels, last[0]):
                found, late, last = [], None, (frame.pixels, unknown)
                try:
                    found = self._boards_in(frame, unknown)
                except NotInTimeError as error:
                    late = error
            readings = [reading for reading in found if reading.whole]
            wanted = [reading for reading in readings if place.wanted(frame, reading)]
            if wanted or (readings and now >= unknown_from):
                reading = max(wanted or readings, key=lambda found: found.board.states.size)
                if done(reading) or now >= deadline:
                    break
            elif now >= deadline:  # an earlier picture may be half painted, and its search slow
                raise late or no_board_error(found, place.window, off_screen=self.off_screen)
            self.clock.sleep(FIND_GAP)
        self._put(frame, reading)
        if reader.learner is not None:
            reading = reader.read(frame, reading.mines_left)
            place.put(frame, reading.grid)  # it may have a row or a column more or less
        return reader.look(frame, reading, ledger)

    def _boards_in(self, frame: Frame, unknown: bool) -> list[Reading]:
        """Return the boards in a picture: one, or all if that is not the wanted one.

        Unknown art is searched for if ``unknown``. Raises NotInTimeError if the search takes too long.
        """
        search, stop = (frame.pixels, self.reader.skins, unknown), self.capture.search_stop
        found = read_picture(*search, stop)
        if found and not any(self.place.wanted(frame, reading) for reading in found):
            return read_picture(*search, stop, every=True)
        return found

    def _put(self, frame: Frame, reading: Reading) -> None:
        """Take the board of ``reading`` as the one to look at."""
        if self.place.put(frame, reading.grid):
            self.reader.end_game()
        self.reader.choose(reading)

    @property
    def off_screen(self) -> bool:
        """Whether a part of the window is off the screen."""
        window = self.place.window
        if window is None:
            return False
        seen = self.capture.glimpse(window.client)
        return seen is None or seen.rect != window.client

    def view(self) -> tuple[Frame, Grid]:
        """Return a new picture, and the grid of the board in it, as last known."""
        frame = self._grab()
        return frame, self.place.grid_in(frame)

    def look(self, ledger: Ledger | None = None, patience: float = 1.0) -> Look:
        """Return the board once it is settled and beyond doubt, or as it is after ``patience`` seconds."""
        return self.watch(at_rest, ledger, patience)

    def watch(
        self,
        done: Callable[[Reading], bool],
        ledger: Ledger | None,
        patience: float,
        asked: float | None = None,
    ) -> Look:
        """Look until the board is beyond doubt and ``done`` accepts its reading, and return that look.

        One grab may be enough; otherwise the picture must settle. If the board has not changed for
        ``patience`` seconds, or has changed for `RESTLESS` times as long, the last look is returned.
        ``ledger`` is that of the game before clicks were sent; ``asked`` is when they were first sent, if
        they were sent again since.
        """
        start = since = self.clock.now()
        wait = self._answers.wait(start, patience, ledger)
        last = look = changed = None
        while True:
            if self.place.grid is None:  # its window has another size: it may show another board
                return self.find(max(patience, FIND_PATIENCE), ledger)
            self.clock.sleep(nap(self.clock.now() - start))
            frame, now = self._grab(), self.clock.now()
            if last is None or not np.array_equal(frame.pixels, last.pixels):
                changed = now if last is not None and changed is None else changed
                last, since = frame, now
                look, rest = self._seen_at_once(frame, ledger, done)
            elif look is None and now >= since + max(rest, self._answers.rest):
                look = self._look_at(frame, ledger)
                if look.doubt is not None and self._was_moved(frame, look.reading):
                    last, look = self._grab(), None
                    continue
                wait.saw(look.reading.board, now)
            if look is not None and look.doubt is None and done(look.reading):
                if ledger is not None and done is not at_rest:
                    self._answers.answered(
                        since - (start if asked is None else asked), again=asked is not None
                    )
                    self._answers.painted(0.0 if changed is None else since - changed)
                return look
            if look is not None and (wait.over(now) or (look.doubt is not None and self.place.hidden)):
                return look
            if wait.hopeless(now):
                look = self.reader.look(frame, self.reader.read(frame), ledger)
                return replace(look, doubt="the picture keeps changing")

    def _seen_at_once(
        self, frame: Frame, ledger: Ledger | None, done: Callable[[Reading], bool]
    ) -> tuple[Look | None, float]:
        """Return the look at one grab and 0, or None and the seconds for which the picture must not change.

        One grab is enough if it leaves no doubt and is ``done``. A half-painted or pressed cell leaves doubt:
        it looks like no state of a cell, or like a zero that has a covered neighbour.
        """
        if self.reader.skin is None or (self.reader.unknown and self._answers.painting > REST):
            return None, REST
        if ledger is None or done is at_rest:
            return None, self._gap
        reading = self.reader.read_at_once(frame)
        if reading is None or reading.board.shape != ledger.board.shape:
            return None, self._gap
        if not (done(reading) or verdict_on(reading.board, ledger=ledger).over):
            return None, UNANSWERED
        look = self.reader.look(frame, reading, ledger, learned=False)
        sure = look.doubt is None and done(look.reading)
        if sure and not zero_beside_closed(look.reading.board, ledger.board):
            return look, 0.0
        return None, self._gap

    def _look_at(self, frame: Frame, ledger: Ledger | None) -> Look:
        """Return the look at a frame; if unknown art is partly unreadable, measure its grid again first."""
        reader = self.reader
        look = reader.look(frame, reader.read(frame), ledger)
        if look.doubt is not None and reader.learner is not None:
            reader.forget_last()
            look = reader.look(frame, reader.read(frame), ledger)
        grid = reader.better_grid(look, self.capture.search_stop)
        if grid is None:
            return look
        self.place.put(frame, grid)
        return reader.look(frame, reader.read(frame), ledger)

    def read_anew(self, ledger: Ledger | None) -> Look | None:
        """Return a look at the same board, read from scratch; None if it is not found so.

        What was learned or recognised before may no longer fit: a game may dim its board at the end.
        """
        frame, found = self._grab(), list[Reading]()
        grid, stop = self.place.grid_in(frame), self.capture.search_stop
        with suppress(NotInTimeError):
            found = read_picture(frame.pixels, self.reader.skins, first_sight=True, stop=stop)
        same = [reading for reading in found if same_place(reading.grid, grid)]
        return self.reader.look(frame, same[0], ledger, learned=False) if same else None

    def _was_moved(self, frame: Frame, reading: Reading) -> bool:
        """Return whether the board is somewhere else now, and remember where.

        The page in its window may have scrolled, or its window is unknown. A board counts as not moved if it
        is covered, or if nearly all of it can be read: a move would make at least a row or column unreadable.
        """
        place, reader = self.place, self.reader
        if place.follow():
            return True
        few = len(reading.unreadable) < min(reading.board.shape) / 2
        if reader.skin is None or few or place.hidden:
            return False
        frame = self.capture.grab(None) if place.window is None else frame
        grid = place.grid_in(frame)
        found = found_again(frame.pixels, grid, reader.skin, reader.skins, self.capture.search_stop)
        if found is None or same_place(found.grid, grid):
            return False
        self._put(frame, found)
        return True

    def _grab(self) -> Frame:
        return self.capture.grab(self.place.area, self.place.window)


def no_board_error(found: Sequence[Reading], window: Window | None, *, off_screen: bool) -> BotError:
    """Return the error for a search that ``found`` only parts of boards, or nothing, in ``window``."""
    if words := next((words for part in found if (words := cut_words(part))), None):
        return WindowError(f"{words}; move its window completely onto one screen, and close what covers it")
    if found:
        return WindowError(OFF_SCREEN)
    if window is None:
        return GameNotFoundError(
            "no Minesweeper board is on the screen (all of it was searched): open the game, uncover its "
            f"window, {BY_HAND}"
        )
    if off_screen:
        return WindowError(
            f"{window.label} is partly off the screen, and the rest of it shows no complete board: "
            "move it completely onto one screen"
        )
    return GameNotFoundError(
        f"{window.label} shows no board that can be read: close what covers it, move it "
        f"completely onto the screen, {BY_HAND}"
    )
