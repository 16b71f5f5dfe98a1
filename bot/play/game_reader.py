"""Read one board from picture to picture: with a skin, with what is learned meanwhile, or with both."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

import numpy as np

from bot.board import Board
from bot.clicker.clicks import Click, may_open
from bot.desktop.protocols import Button
from bot.geometry import Frame, Grid, Point
from bot.play.board_place import BoardPlace
from bot.play.end_signs import EndDetector
from bot.play.look import Look, doubt_about, doubtful_zeros, may_be_playable
from bot.stop import Stop
from bot.verdict import SEVERAL, Circumstances, GameState, Ledger, verdict_on
from bot.vision import Skin
from bot.vision.board_reader import UNKNOWN, measured_again
from bot.vision.learning.skin_learner import SkinLearner, nothing_read, partial
from bot.vision.panel.counter import CounterFinder
from bot.vision.reading import Reading, blamed_on_pointer, with_memory, with_total
from bot.vision.track import Tracker

MEASURE_AGAIN = 1.5  # times as many opened cells as before: then the grid can be measured better


class GameReader:
    """Reads the board at ``place``, by the one of ``skins`` that fits, or by what it learns of unknown art.

    ``mines`` is the total, used if the mine counter cannot be read. ``pointer`` returns where the mouse
    pointer is: the cell below it may look different.
    """

    def __init__(
        self,
        place: BoardPlace,
        skins: Sequence[Skin],
        mines: int | None = None,
        pointer: Callable[[], Point] | None = None,
    ) -> None:
        self.place, self.skins, self.mines, self.pointer = place, skins, mines, pointer
        self.skin: Skin | None = None  # None: only the learner reads the board
        self.learner: SkinLearner | None = None  # for art that no skin, or only a partial one, knows
        self.distrusted: set[str] = set()  # names of skins that contradicted a board
        self._counting = CounterFinder()
        self._ends = EndDetector(lambda: place.whole_in_view, pointer)
        self._tracker = Tracker(skins)
        self._measured = 0  # number of opened cells when the grid was last measured: few are inexact

    @property
    def unknown(self) -> bool:
        """Whether none of the given skins fits the board; a learned one may read it meanwhile."""
        return self.skin is None or (self.learner is not None and self.learner.skin is None)

    def choose(self, reading: Reading) -> None:
        """Read as suits the board of ``reading`` from now on: by its skin; what that lacks is learned."""
        self.skin = next((skin for skin in self.skins if skin.name == reading.skin), None)
        if self.skin is not None and not partial(self.skin):
            self.learner = None
        elif self.learner is None or self.learner.skin is not self.skin:
            self.learner = SkinLearner(self.skin, self.mines)
        if self.skin is not None:
            self._counting.right = self.skin.counter_right

    def end_game(self) -> None:
        """Record that the game is over, and use the learned skin from now on if enough was learned."""
        if self.learner is not None:
            self.learner.new_game()
            if self.learner.skin is None and self.learner.enough:
                self.skin = self.learner.learned(UNKNOWN)

    def learn_end(self, state: GameState) -> None:
        """Learn that the last look showed the end ``state``: what is new beside its board means that."""
        self._ends.learn_end(state)

    def forget_last(self) -> None:
        """Learn nothing from the last reading: its board is impossible."""
        if self.learner is not None:
            self.learner.discard_last_reading()

    def record_clicks(self, clicks: Collection[Click]) -> None:
        """Record clicks that were sent: the learner uses them to know which cells may change."""
        grid = self.place.grid
        if self.learner is not None and grid is not None:
            left = [cell for click in clicks for cell in may_open(click.move, grid.rows, grid.cols)]
            right = [click.move.cell for click in clicks if click.button is Button.RIGHT]
            self.learner.record_clicks(left, right)

    def unanswered(self, look: Look, clicks: Collection[Click]) -> None:
        """Record, for the learner, that ``clicks`` have changed nothing up to ``look``."""
        if self.learner is not None:
            cells = [click.move.cell for click in clicks if click.button is Button.LEFT]
            self.learner.unanswered(look.frame.pixels, look.reading.grid, cells)

    def read(self, frame: Frame, mines_left: int | None = None) -> Reading:
        """Return the reading of the board in ``frame``; another skin is chosen if the game changes its art.

        ``mines_left`` is the value of the mine counter if that was read before.
        """
        grid, pixels, learner = self.place.grid_in(frame), frame.pixels, self.learner
        if self.skin is None:
            assert learner is not None
            if self.place.hidden:  # a dialog over the board must not be learned
                return nothing_read(grid)
            return learner.read(pixels, grid, mines_left)
        reading = self._tracker.read(pixels, grid, self.skin)
        if (other := self._tracker.other(pixels, reading)) and not self.place.hidden:
            self.choose(other)
            self.place.put(frame, other.grid)
            return self.read(frame, mines_left)
        reading = blamed_on_pointer(reading, frame, self.pointer)
        return reading if learner is None else learner.filled(reading, pixels)

    def read_at_once(self, frame: Frame) -> Reading | None:
        """Return the same as `read` if all cells look as cells did before, else None."""
        if self.skin is None:
            return None
        return self._tracker.read_at_once(frame.pixels, self.place.grid_in(frame), self.skin)

    def better_grid(self, look: Look, stop: Stop) -> Grid | None:
        """Return a better grid if unknown art is partly unreadable and much more of it is open than before.

        Only what the first picture of the game shows is known then. Otherwise return None.
        """
        opened, unread = look.reading.board.count(*range(9)), look.reading.unreadable
        if self.skin is not None or not unread or opened < MEASURE_AGAIN * self._measured + 1:
            return None
        self._measured = opened
        grid = measured_again(look.frame.pixels, look.reading, stop)
        if grid is not None:
            assert self.learner is not None
            self.learner = self.learner.restarted(grid)
        return grid

    def distrust_skin(self, look: Look, ledger: Ledger | None) -> bool:
        """Stop relying on the skin if it may be the cause of the doubt about ``look``; return whether it was.

        A given skin is dropped if reading without it leaves no doubt: another game may look alike. If it
        only leaves a few opened cells unreadable, they are read without it from now on if possible. A learned
        skin, or one that was helped like this before, is dropped for this game if reading without it differs,
        unless cells are unreadable with it and more without it. One that lacks states is never dropped.
        """
        if self.skin is None or self.place.hidden:
            return False
        pixels, grid, unread = look.frame.pixels, look.reading.grid, look.reading.unreadable
        if self.learner is not None:
            reading = self.learner.read(pixels, grid) if self.unknown else look.reading
            same = np.array_equal(reading.board.states, look.reading.board.states)
            if same or len(reading.unreadable) > len(unread) > 0:
                return False
            self.skin = None  # for the rest of this game
            return True
        learner = SkinLearner(None, self.mines)
        reading = learner.read(pixels, grid)
        if reading.grid != grid:
            return False
        few, filled = len(unread) < SEVERAL, learner.filled(look.reading, pixels)
        if doubt_about(reading, ledger) is None and not (few and learner.unsure.intersection(unread)):
            self.distrusted.add(self.skin.name)
            self.skin = None
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

    def look(self, frame: Frame, reading: Reading, ledger: Ledger | None, *, learned: bool = True) -> Look:
        """Return the look that ``reading`` of ``frame`` gives: with total, verdict, and any doubt about it.

        ``ledger`` is that of the game so far. Without ``learned``, what was learned has no part in it.
        """
        learner, first = self.learner if learned else None, True
        if ledger is not None and ledger.board.shape == reading.board.shape:
            first = False
            if self.place.missed:
                ledger = replace(ledger, clicked=None)
        if reading.unreadable:
            reading = blamed_on_pointer(reading, frame, self.pointer)
            if ledger is not None and not first:
                reading = with_memory(reading, ledger.board, ledger.clicked)
        if self.mines is not None:
            reading = with_total(reading, self.mines)
        else:
            known = None if ledger is None or first else ledger.board.mines
            reading = self._counting.read(frame, reading, first=first, known=known)
            total = self._counting.total
            if ledger is not None and known in self._counting.dropped and known != total:
                ledger = replace(ledger, board=Board(ledger.board.states, total))
        if learner is not None:
            counting = self._counting
            learner.learn_counter(reading.board.mines if counting.agreed else None, counting.right)
        seen = Circumstances(reading.face)
        verdict = verdict_on(reading.board, seen, ledger)
        if verdict.possible - {GameState.RUNNING} or frame.time >= self._ends.due:
            signs = self._ends.read(frame, reading, ledger, verdict)
            seen = replace(signs, face=signs.face or reading.face)
            verdict = verdict_on(reading.board, seen, ledger)
        doubt = verdict.doubt or doubt_about(reading, ledger)
        whole = learner is not None or not reading.unreadable  # unknown art is played with unreadable cells
        playable = whole and not verdict.doubt and bool(doubt) and may_be_playable(reading, ledger)
        unsure = doubtful_zeros(reading, ledger)
        if learner is not None:
            unsure |= learner.unsure
        return Look(frame, reading, verdict, doubt, unsure, playable, seen)
