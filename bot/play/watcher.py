"""Watch the board on the screen: find it once, follow its window, and look until the picture settles."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from bot.board import Board
from bot.capture import PatientCapture, closed_error
from bot.clicker.clicks import Click, may_open
from bot.desktop.protocols import Button, Desktop, Visibility, Window
from bot.errors import BotError, GameNotFoundError, NotInTimeError, WindowError
from bot.geometry import Frame, Grid, Point, Rect
from bot.play.end_detection import EndDetector
from bot.play.look import Look, at_rest, doubt_about, doubtful_zeros, may_be_playable, zero_beside_mark
from bot.verdict import NOTHING, Circumstances, Ledger, verdict_on
from bot.vision import Skin, read_picture
from bot.vision.board_reader import UNKNOWN, found_again, measured_again, same_place, same_size
from bot.vision.learning.skin_learner import SkinLearner, nothing_read, partial
from bot.vision.panel.counter import CounterFinder
from bot.vision.reading import Doubt, Reading, blamed_on_pointer, cut_words, with_memory, with_total
from bot.vision.track import Tracker

FIND_GAP = 0.05  # seconds between two searches for a board
FIND_PATIENCE = 2.0  # seconds in which a window that was raised or resized must show a board
KNOWN_FIRST = 0.5  # seconds for which only known art is searched for: the window may be half painted
REST = 0.05  # seconds for which a board of unknown art must not change, as its animations are unknown too
OFF_SCREEN = "the board is partly off the screen: move its window completely onto one screen"
BY_HAND = "or open one of its cells by hand, which makes unknown art easier to read"
MEASURE_AGAIN = 1.5  # times as many opened cells as before: then the grid can be measured better
PANEL_CELLS = 5  # cells: how far around a board without a known window its panel is searched for
UNANSWERED = 0.02  # seconds without change before a known board on which clicks had no effect is read fully
_STAIN = 3  # cells: a pointer or a stain hides fewer, so that they do not mean other art
# Seconds between two grabs that must be equal: painting a window takes less. A compositor shows nothing in
# between its own pictures: there it is the time from one to the next, if that is longer.
GRAB_GAP = 0.002
RESTLESS = 10  # times its patience: a look waits no longer for a picture that goes on changing
_AWAKE = 0.01  # seconds without sleep: a sleeping processor wakes up slowly, which delays the game too
_SHARE = 0.08  # of the time waited so far lies between two later grabs: the game needs the screen
_LONGEST = 0.02  # seconds between two grabs at most
_PIECE = 0.1  # of the slowest answer time may pass between painting two pieces of the window
_LEAST = 0.1  # seconds that a picture has at least to settle
_SLOW, _FADE = 3.0, 0.97  # wait so many times the slowest answer time, which fades at each answer


class BoardWatcher:
    """Looks at one board on the screen.

    With ``window``, it looks at the client area of that window and follows it. Without, it searches the whole
    desktop for a board; then it follows the window that shows it, or looks at that place if none is known.
    ``mines`` is the total, used if the mine counter cannot be read. ``pointer`` returns where the mouse
    pointer is: the cell below it may look different. ``seen`` is where the board was seen on the screen: of
    several boards, the one there is taken.
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
        self.skins, self.window = skins, window
        self._first_seen = seen  # None also once its window has moved
        self.mines, self.pointer = mines, pointer
        self.learner: SkinLearner | None = None  # for art that no skin, or only a partial one, knows
        self.ends = EndDetector(self._window_in_view, pointer)
        self._counting = CounterFinder()
        self._gap = max(GRAB_GAP, self.desktop.frame_time)
        self._answers = AnswerTimes(self._gap)
        self._measured = 0  # number of opened cells when the grid was last measured: few are inexact
        self._skin: Skin | None = None  # None: only the learner reads the board
        self.distrusted: set[str] = set()  # names of skins that contradicted a board
        self._reader = Tracker(skins)
        self._area: Rect | None = None if window is None else window.client
        self._grid: Grid | None = None  # in pixels from the top left of `_area`, which may be off the screen
        self._aimed_at = self._area

    def find(self, patience: float = 0.0, ledger: Ledger | None = None) -> Look:
        """Search for the board for up to ``patience`` seconds, remember its place, and return a look at it.

        Raises GameNotFoundError if there is none, WindowError if its window is closed or it is cut off.
        """
        start = self.clock.now()
        deadline, unknown_from = start + patience, start + min(patience, KNOWN_FIRST)
        while True:
            self.follow()
            now, frame = self.clock.now(), self.capture.grab(None if self.window is None else self._area)
            search = frame.pixels, self.skins, self._unknown and now >= unknown_from, self.capture.search_stop
            found, late = list[Reading](), None
            try:
                found = read_picture(*search)
                if found and not any(self._is_wanted(frame, reading) for reading in found):
                    found = read_picture(*search, every=True)
            except NotInTimeError as error:
                late = error
            readings = [reading for reading in found if not reading.cut and not outside(reading)]
            wanted = [reading for reading in readings if self._is_wanted(frame, reading)]
            if wanted or (readings and now >= unknown_from):
                break
            if now >= deadline:  # an earlier picture may be half painted, and its search slow
                raise late or no_board_error(found, self.window, off_screen=self.off_screen)
            self.clock.sleep(FIND_GAP)
        reading = max(wanted or readings, key=lambda found: found.board.states.size)
        self._remember(frame, reading)
        if self.learner is not None:
            reading = self._read(frame, reading.mines_left)
            self._grid = self._grid_from(frame, reading.grid)  # it may have a row or a column more or less
        return self._trusted(frame, reading, ledger)

    def _is_wanted(self, frame: Frame, reading: Reading) -> bool:
        seen = self._first_seen
        return seen is None or frame.on_screen(reading.grid.rect).contains(seen.centre)

    def _remember(self, frame: Frame, reading: Reading) -> None:
        if self._grid is not None and not same_size(reading.grid, self._grid):
            self.end_game()
        self._skin = next((skin for skin in self.skins if skin.name == reading.skin), None)
        if self._skin is not None and not partial(self._skin):
            self.learner = None
        elif self.learner is None or self.learner.skin is not self._skin:
            self.learner = SkinLearner(self._skin, self.mines)
        if self._skin is not None:
            self._counting.right = self._skin.counter_right
        if self.window is None:
            board = frame.on_screen(reading.grid.rect)
            self.window = window_of(self.desktop, board)
            around = board.grown(int(PANEL_CELLS * reading.grid.pitch_y))
            self._area = self.window.client if self.window else frame.rect.intersection(around)
        self._grid = self._grid_from(frame, reading.grid)

    def follow(self) -> bool:
        """Update the place of the window; return whether it has moved or changed its size.

        Raises WindowError if it is closed. If its size has changed, the board is searched for again later.
        """
        if self.window is None:
            return False
        window = self.desktop.refresh(self.window)
        if window is None:
            raise closed_error(self.window)
        moved = window.client != self.window.client
        if moved:
            self._first_seen = None
        if window.client.size != self.window.client.size:
            self._grid = None
        self.window, self._area = window, window.client
        return moved

    def visibility(self) -> Visibility:
        """Return whether the whole board can be seen; if its window is unknown, assume that it can."""
        if self.window is None or self._area is None:
            return Visibility.VISIBLE
        area, grid = self._area, self._grid
        area = (self._first_seen or area) if grid is None else grid.rect.moved(area.x, area.y)
        return self.desktop.visibility(self.window, area)

    def _window_in_view(self) -> bool:
        """Return whether the window is known and nothing lies over any part of it."""
        window = self.window
        return window is not None and self.desktop.visibility(window, window.client) is Visibility.VISIBLE

    @property
    def off_screen(self) -> bool:
        """Whether a part of the window is off the screen."""
        if self.window is None:
            return False
        seen = self.capture.glimpse(self.window.client)
        return seen is None or seen.rect != self.window.client

    def view(self) -> tuple[Frame, Grid]:
        """Return a new picture, and the grid of the board in it, as last known."""
        frame = self._grab()
        return frame, self._grid_in(frame)

    def on_screen(self, across: float, down: float) -> Point:
        """Return the screen point ``across`` cells right of and ``down`` cells below the board's top left."""
        assert self._grid is not None
        assert self._area is not None
        x, y = self._grid.x + across * self._grid.pitch_x, self._grid.y + down * self._grid.pitch_y
        return Point(self._area.x + round(x), self._area.y + round(y))

    def aim(self) -> None:
        """Remember the present place of the board as the one to which the next clicks are sent."""
        self._aimed_at = self._area

    def record_clicks(self, clicks: Collection[Click]) -> None:
        """Record clicks that were sent: the learner uses them to know which cells may change."""
        if self.learner is not None and self._grid is not None:
            rows, cols = self._grid.rows, self._grid.cols
            left = [cell for click in clicks for cell in may_open(click.move, rows, cols)]
            right = [click.move.cell for click in clicks if click.button is Button.RIGHT]
            self.learner.record_clicks(left, right)

    def unanswered(self, look: Look, clicks: Collection[Click]) -> None:
        """Record, for the learner, that ``clicks`` have changed nothing up to ``look``."""
        if self.learner is not None:
            cells = [click.move.cell for click in clicks if click.button is Button.LEFT]
            self.learner.unanswered(look.frame.pixels, look.reading.grid, cells)

    def end_game(self) -> None:
        """Record that the game is over, and use the learned skin from now on if enough was learned."""
        if self.learner is not None:
            self.learner.new_game()
            if self.learner.skin is None and self.learner.enough:
                self._skin = self.learner.learned(UNKNOWN)

    @property
    def _unknown(self) -> bool:
        """Whether none of the given skins fits the board; a learned one may read it meanwhile."""
        return self._skin is None or (self.learner is not None and self.learner.skin is None)

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
        if self._grid is None:
            return self.find(max(patience, FIND_PATIENCE), ledger)
        start = since = self.clock.now()
        wait = self._answers.wait(start, patience, ledger)
        last = look = None
        while True:
            self.clock.sleep(nap(self.clock.now() - start))
            frame, now = self._grab(), self.clock.now()
            if last is None or not np.array_equal(frame.pixels, last.pixels):
                last, since = frame, now
                look, rest = self._seen_at_once(frame, ledger, done)
            elif look is None and now >= since + max(rest, self._answers.rest):
                look = self._seen(frame, ledger)
                if look.doubt is not None and self._was_moved(frame, look.reading):
                    if self._grid is None:  # its window has another size: it may show another board
                        return self.find(max(patience, FIND_PATIENCE), ledger)
                    last, look = self._grab(), None
                    continue
                wait.saw(look.reading.board, now)
            if look is not None and look.doubt is None and done(look.reading):
                if ledger is not None and done is not at_rest:
                    self._answers.answered(
                        since - (start if asked is None else asked), again=asked is not None
                    )
                return look
            if look is not None and (wait.over(now) or (look.doubt is not None and self._hidden)):
                return look
            if wait.hopeless(now):
                return replace(
                    self._trusted(frame, self._read(frame), ledger), doubt="the picture keeps changing"
                )

    @property
    def _hidden(self) -> bool:
        return self.visibility() is not Visibility.VISIBLE

    def _seen_at_once(
        self, frame: Frame, ledger: Ledger | None, done: Callable[[Reading], bool]
    ) -> tuple[Look | None, float]:
        """Return the look at one grab and 0, or None and the seconds for which the picture must not change.

        One grab is enough if it leaves no doubt and is ``done``. A half-painted or pressed cell leaves doubt:
        it looks like no state of a cell, or like a zero that has a covered neighbour.
        """
        if ledger is None or done is at_rest or self._skin is None:
            return None, REST if self._skin is None else self._gap
        reading = self._reader.read_at_once(frame.pixels, self._grid_in(frame), self._skin)
        if reading is None or reading.board.shape != ledger.board.shape:
            return None, self._gap
        if not (done(reading) or verdict_on(reading.board, ledger=ledger).over):
            return None, UNANSWERED
        look = self._judged(frame, reading, ledger, None)
        sure = look.doubt is None and done(look.reading)
        if sure and not zero_beside_mark(look.reading.board, ledger.board):
            return look, 0.0
        return None, self._gap

    def _seen(self, frame: Frame, ledger: Ledger | None) -> Look:
        """Return the look at a frame; if unknown art is partly unreadable, measure its grid again first."""
        look = self._trusted(frame, self._read(frame), ledger)
        if look.doubt is not None and self.learner is not None:
            self.learner.discard_last_reading()
            look = self._trusted(frame, self._read(frame), ledger)
        opened = look.reading.board.count(*range(9))
        settled = opened < MEASURE_AGAIN * self._measured + 1 or not look.reading.unreadable
        if self._skin is not None or settled:
            return look
        self._measured = opened
        grid = measured_again(frame.pixels, look.reading, self.capture.search_stop)
        if grid is None:
            return look
        assert self.learner is not None
        self.learner = self.learner.restarted()
        self._grid = self._grid_from(frame, grid)
        return self._trusted(frame, self._read(frame), ledger)

    def distrust_skin(self, look: Look, ledger: Ledger | None) -> bool:
        """Stop relying on the skin if it may be the cause of the doubt about ``look``; return whether it was.

        A given skin is dropped if reading without it leaves no doubt: another game may look alike. If it
        only leaves a few opened cells unreadable, they are read without it from now on if possible. A learned
        skin, or one that was helped like this before, is dropped for this game if reading without it differs,
        unless cells are unreadable with it and more without it. One that lacks states is never dropped.
        """
        if self._skin is None or self._hidden:
            return False
        pixels, grid, unread = look.frame.pixels, look.reading.grid, look.reading.unreadable
        if self.learner is not None:
            reading = self.learner.read(pixels, grid) if self._unknown else look.reading
            same = np.array_equal(reading.board.states, look.reading.board.states)
            if same or len(reading.unreadable) > len(unread) > 0:
                return False
            self._skin = None  # for the rest of this game
            return True
        learner = SkinLearner(None, self.mines)
        reading = learner.read(pixels, grid)
        if reading.grid != grid:
            return False
        few, filled = len(unread) < _STAIN, learner.filled(look.reading, pixels)
        if doubt_about(reading, ledger) is None and not (few and learner.unsure.intersection(unread)):
            self.distrusted.add(self._skin.name)
            self._skin = None
        elif (
            not unread or doubt_about(filled, ledger) or (few and any(filled.board[at] > 8 for at in unread))
        ):
            return False
        self.learner = learner
        return True

    def refuse_total(self, look: Look) -> bool:
        """Stop believing the total of mines in ``look`` in this game; return whether a counter gave it."""
        total = look.reading.board.mines
        if self.mines is not None or total is None:
            return False
        self._counting.refuse(total)
        if self.learner is not None:
            self.learner.mines = None
        return True

    def read_anew(self, ledger: Ledger | None) -> Look | None:
        """Return a look at the same board, read from scratch; None if it is not found so.

        What was learned or recognised before may no longer fit: a game may dim its board at the end.
        """
        frame, found = self._grab(), list[Reading]()
        grid = self._grid_in(frame)
        with suppress(NotInTimeError):
            found = read_picture(frame.pixels, self.skins, first_sight=True, stop=self.capture.search_stop)
        same = [reading for reading in found if same_place(reading.grid, grid)]
        return self._judged(frame, same[0], ledger, None) if same else None

    def _was_moved(self, frame: Frame, reading: Reading) -> bool:
        """Return whether the board is somewhere else now, and remember where.

        The page in its window may have scrolled, or its window is unknown. A board counts as not moved if it
        is covered, or if nearly all of it can be read: a move would make at least a row or column unreadable.
        """
        if self.follow():
            return True
        few = len(reading.unreadable) < min(reading.board.shape) / 2
        if self._skin is None or few or self._hidden:
            return False
        frame = self.capture.grab(None) if self.window is None else frame
        grid = self._grid_in(frame)
        boards = found_again(frame.pixels, grid, self._skin, self.skins, self.capture.search_stop)
        for found in boards:
            if same_place(found.grid, grid):
                return False
            self._remember(frame, found)
            return True
        return False

    def _grab(self) -> Frame:
        return self.capture.grab(self._area, self.window)

    def _grid_in(self, frame: Frame) -> Grid:
        """Return the board's grid in the pixels of ``frame``."""
        assert self._grid is not None
        assert self._area is not None
        return self._grid.moved(self._area.x - frame.origin.x, self._area.y - frame.origin.y)

    def _grid_from(self, frame: Frame, grid: Grid) -> Grid:
        """Return a grid in ``frame`` as one relative to `_area`, as `_grid` is kept."""
        assert self._area is not None
        return grid.moved(frame.origin.x - self._area.x, frame.origin.y - self._area.y)

    def _read(self, frame: Frame, mines_left: int | None = None) -> Reading:
        grid, skin, learner = self._grid_in(frame), self._skin, self.learner
        if skin is None:
            assert learner is not None
            if self._hidden:  # a dialog over the board must not be learned
                return nothing_read(grid)
            return learner.read(frame.pixels, grid, mines_left)
        reading = self._reader.read(frame.pixels, grid, skin)
        if (other := self._reader.other(frame.pixels, reading)) and not self._hidden:
            self._remember(frame, other)
            return self._read(frame, mines_left)
        reading = blamed_on_pointer(reading, frame, self.pointer)
        return reading if learner is None else learner.filled(reading, frame.pixels)

    def _trusted(self, frame: Frame, reading: Reading, ledger: Ledger | None) -> Look:
        if ledger is not None and self._area != self._aimed_at:  # it moved: clicks may have hit any cell
            ledger = replace(ledger, clicked=None)
        return self._judged(frame, reading, ledger, self.learner)

    def _judged(
        self, frame: Frame, reading: Reading, ledger: Ledger | None, learner: SkinLearner | None
    ) -> Look:
        """Return the look for ``reading``, with the total of mines, the end of the game and any doubt."""
        reading, counting = blamed_on_pointer(reading, frame, self.pointer), self._counting
        first = ledger is None or ledger.board.shape != reading.board.shape
        if ledger is not None and not first:
            reading = with_memory(reading, ledger.board, ledger.clicked)
        if self.mines is None:
            known = None if ledger is None or first else ledger.board.mines
            reading = counting.read(frame, reading, first=first, known=known)
            if ledger is not None and known in counting.dropped and known != counting.total:
                ledger = replace(ledger, board=Board(ledger.board.states, counting.total))
        reading = with_total(reading, self.mines)
        if learner is not None:
            learner.learn_counter(reading.board.mines if counting.agreed else None, counting.right)
        seen = Circumstances(reading.face)
        verdict = verdict_on(reading.board, seen, ledger)
        if (signs := self.ends.read(frame, reading, ledger, verdict)) != NOTHING:
            seen = replace(signs, face=signs.face or reading.face)
            verdict = verdict_on(reading.board, seen, ledger)
        doubt = verdict.doubt or doubt_about(reading, ledger)
        whole = learner is not None or not reading.unreadable  # unknown art is played with unreadable cells
        playable = whole and not verdict.doubt and bool(doubt) and may_be_playable(reading, ledger)
        unsure = doubtful_zeros(reading, ledger) | (frozenset() if learner is None else learner.unsure)
        return Look(frame, reading, doubt, unsure, playable, seen, verdict)


def outside(reading: Reading) -> bool:
    """Return whether some cells of a board lie outside the picture."""
    return Doubt.OUTSIDE in reading.doubts.values()


def window_of(desktop: Desktop, board: Rect) -> Window | None:
    """Return the window that shows a board found on the screen, to follow it; None if there is none."""
    holding = (window for window in desktop.windows() if window.client.covers(board))
    return next((window for window in holding if desktop.takes(window, board.centre)), None)


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


class Wait:
    """The time limit of one look, from ``start`` on, at a game that showed ``board`` (None: unknown).

    It ends when the board has not changed for ``patience`` seconds; a ticking timer does not extend it.
    """

    def __init__(self, start: float, patience: float, board: Board | None) -> None:
        self.start, self._patience, self._board = start, patience, board
        self._deadline = start + patience

    def saw(self, board: Board, now: float) -> None:
        """Extend this wait from ``now``, within limits, if ``board`` has changed: the game is still busy."""
        if board != self._board:
            latest = self.start + RESTLESS * self._patience
            self._board, self._deadline = board, min(now, latest) + self._patience

    def over(self, now: float) -> bool:
        """Return whether the time limit is over."""
        return now > self._deadline

    def hopeless(self, now: float) -> bool:
        """Return whether to stop waiting even if the picture has never settled."""
        return now > self.start + max((RESTLESS + 1) * self._patience, _LEAST)


def nap(waited: float) -> float:
    """Return the seconds to sleep before the next grab, after having ``waited`` so many seconds."""
    return 0.0 if waited < _AWAKE else min(_SHARE * waited, _LONGEST)


class AnswerTimes:
    """How long one game takes to answer clicks, learned from its answers; all times in seconds.

    Between two grabs that must be equal lies at least ``gap``.
    """

    def __init__(self, gap: float = GRAB_GAP) -> None:
        self._gap, self._slowest = gap, 0.0

    def answered(self, waited: float, *, again: bool = False) -> None:
        """Record an answer that came after ``waited`` seconds.

        If clicks were sent ``again`` meanwhile, the first may have been lost and the game may be quick: such
        a time counts only while no other is known.
        """
        if not (again and self._slowest):
            self._slowest = max(waited, _FADE * self._slowest)

    @property
    def rest(self) -> float:
        """Seconds for which a picture must not change: a game that answers slowly may paint in pieces."""
        return max(self._gap, min(_PIECE * self._slowest, _LONGEST))

    def wait(self, start: float, patience: float, ledger: Ledger | None) -> Wait:
        """Return the time limit of a look after clicks on ``ledger``, longer for a game known to be slow.

        Without clicks (``ledger`` is None), it is ``patience``.
        """
        if ledger is None:
            return Wait(start, patience, None)
        return Wait(start, max(patience, _SLOW * self._slowest), ledger.board)
