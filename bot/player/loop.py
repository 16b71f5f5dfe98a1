"""The loop that plays game after game, and what it does when the screen is not as expected."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from bot.board import Board
from bot.clicker import Click, Clicker, Clock, Pace, plan
from bot.errors import (
    ContradictionError,
    GameNotFoundError,
    StoppedError,
    StuckError,
    UsageError,
    ViewChangedError,
    WindowError,
)
from bot.player.burst import burst
from bot.player.results import GameResult, Round, Tally, result_of
from bot.player.sight import Look, Sight
from bot.screen.protocols import Desktop, Mouse, Visibility, Window
from bot.screen.targets import Level, Target, dismiss_popups, new_game, set_level
from bot.solver import decide
from bot.solver.decision import Decision
from bot.vision.reading import GameState, Reading

PATIENCE = 0.6  # seconds until a click that changed nothing counts as lost
SECOND_LOOK = 2.0  # seconds to look again at a board that contradicts itself
LEVEL_PATIENCE = 6.0  # seconds for a board of another level: the dialog of custom ones takes its time
NEW_GAME_PATIENCE = 1.5  # seconds for a fresh board to appear
RETRIES = 3  # how often a lost click, or a key, is sent again
DIALOGS = 4  # so many in a row are closed while a board is in doubt: one may bring up the next
DIALOG_WAIT = 0.4  # seconds in which a best-time dialog comes up after a win
VIEW_INTERVAL = 0.02  # seconds between two looks at what covers the window, while clicks are sent
NAP = 0.02  # seconds between two looks for a dialog or another board
OVER = (GameState.WON, GameState.LOST)


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run is to do: ``games`` 0 means until stopped; ``level`` None means as the game stands."""

    games: int = 1
    level: Level | None = None
    strategy: str = "best"


class Player:
    """Plays on the board that ``sight`` looks at.

    ``on_round`` and ``on_look`` are told of every round and of the last picture of every game. ``keep`` saves
    a picture that could not be understood and returns where, for the message.
    """

    def __init__(
        self,
        sight: Sight,
        mouse: Mouse,
        desktop: Desktop,
        target: Target,
        pace: Pace,
        clock: Clock,
        settings: Settings,
        on_round: Callable[[Round], None] = lambda _: None,
        on_end: Callable[[GameResult, Look], None] = lambda *_: None,
        keep: Callable[[Look], str] = lambda _: "nowhere",
    ) -> None:
        self.sight, self.mouse, self.desktop, self.target = sight, mouse, desktop, target
        self.clock, self.settings = clock, settings
        self.on_round, self.on_end, self.keep = on_round, on_end, keep
        self.clicker = Clicker(mouse, pace, self._may_go, clock)
        self._tally = Tally()
        self._last_view = -math.inf

    def play(self) -> Iterator[GameResult]:
        """Play game after game and yield each result.

        Raises StoppedError at the user's wish, WindowError, StuckError or ContradictionError when play cannot
        go on; nothing is clicked after that.
        """
        look = self._start()
        number = 1
        while True:
            self._tally = Tally()
            look = self._play_one(number, look)
            yield self._finish(look)
            if number == self.settings.games:
                return
            number += 1
            self._await_other_board()
            look = self._new_game()

    def _start(self) -> Look:
        window = self.sight.window
        if window is not None:
            self.desktop.raise_window(window)
        self._clear_view()
        look = self.sight.find()
        level = self.settings.level
        if level is not None and level_of(look.reading) != level:
            look = self._set_level(level, window)
        return self._new_game() if look.reading.state in OVER else look

    def _set_level(self, level: Level, window: Window | None) -> Look:
        by_hand = f"choose {level} in the game's menu, then try again"
        if window is None:
            raise UsageError(f"the level cannot be set in a game whose window is not known: {by_hand}")
        set_level(level, self.target, window, self.desktop, self.mouse)
        deadline = self.clock.now() + LEVEL_PATIENCE
        while self.clock.now() < deadline:
            self.clock.sleep(NAP)
            try:
                look = self.sight.find()
            except GameNotFoundError:  # half painted, or its menu is still closing
                continue
            if level_of(look.reading) == level:
                return look
        raise StuckError(f"the game did not change its level: {by_hand}")

    def _play_one(self, number: int, look: Look) -> Look:
        look = self._beyond_doubt(look, None)
        while look.reading.state not in OVER:
            self._tally.rounds += 1
            look = self._round(number, look)
        return look

    def _round(self, number: int, look: Look) -> Look:
        decision = self._decide(look)
        self._tally.guesses += decision.risk > 0
        moves = burst(decision, look.reading.board)
        clicks = plan(moves, look.frame, look.reading.grid, self.mouse.position())
        self.on_round(Round(number, self._tally.rounds, look, decision, tuple(clicks)))
        try:
            return self._carry_out(clicks, look)
        except ViewChangedError:
            self._clear_view()
            return self._beyond_doubt(self.sight.look(look.reading.board), look.reading.board)

    def _decide(self, look: Look) -> Decision:
        board = look.reading.board
        try:
            return decide(board, rule=self.target.first_click, strategy=self.settings.strategy)
        except ContradictionError as contradiction:
            self._give_up(look, str(contradiction))
            raise

    def _carry_out(self, clicks: list[Click], look: Look) -> Look:
        """Send clicks, see that each had its effect, and send again those that were lost."""
        before, grid = look.reading.board, look.reading.grid
        waiting = clicks
        for attempt in range(RETRIES + 1):
            if self._tally.first_click is None:
                self._tally.first_click = self.clock.now()
            self._tally.retries += len(waiting) if attempt else 0
            self._tally.covered = None
            self._send(waiting, grid.pitch_y)
            answered = partial(all_answered, clicks, before)
            after = self.sight.watch(answered, before, PATIENCE)
            after = self._beyond_doubt(after, before, answered)
            waiting = lost(clicks, before, after.reading)
            if not waiting:
                return after
        cell = waiting[0].move.cell
        raise StuckError(
            f"the cell at row {cell.row}, column {cell.col} does not answer to {RETRIES + 1} clicks: "
            "see that no other program or dialog takes them, then start again"
        )

    def _send(self, clicks: list[Click], cell_size: float) -> None:
        sent = self.clicker.sent
        try:
            self.clicker.send(clicks, cell_size)
        finally:
            self._tally.clicks += self.clicker.sent - sent

    def _beyond_doubt(
        self, look: Look, before: Board | None, done: Callable[[Reading], bool] = lambda _: True
    ) -> Look:
        """Return ``look`` if it can be trusted, else clear the view, look again, and give up in the end."""
        if look.doubt is None:
            return look
        if self.sight.visibility() is Visibility.VISIBLE:
            self._tally.misreads += 1
        self._tally.covered = look.frame.time
        for _ in range(DIALOGS):
            self._clear_view()
            look = self.sight.watch(done, before, SECOND_LOOK)
            if self.sight.visibility() is Visibility.VISIBLE:
                break
        if look.doubt is not None:
            self._give_up(look, look.doubt)
        return look

    def _give_up(self, look: Look, why: str) -> None:
        saved = self.keep(look)
        raise ContradictionError(f"stopped without a click: {why}; the picture is kept in {saved}")

    def _may_go(self) -> None:
        if self.desktop.stop_pressed():
            raise StoppedError("stopped: Esc was pressed")
        if self.sight.follow():
            raise ViewChangedError("the window was moved")
        now = self.clock.now()
        if now - self._last_view >= VIEW_INTERVAL:
            self._last_view = now
            visibility = self.sight.visibility()
            if visibility is not Visibility.VISIBLE:
                raise ViewChangedError(gone(visibility))

    def _heed_user(self) -> None:
        """Raise StoppedError at the user's wish; dialogs may cover the board, as nothing is clicked."""
        with suppress(ViewChangedError):
            self.clicker.check()

    def _clear_view(self) -> None:
        """Close the game's own dialogs. Raises WindowError if the board cannot be seen even so."""
        deadline = self.clock.now() + DIALOG_WAIT
        while True:
            self.sight.follow()
            window, visibility = self.sight.window, self.sight.visibility()
            if window is None or visibility is Visibility.VISIBLE:
                return
            if visibility is Visibility.COVERED and dismiss_popups(window, self.desktop, self.mouse):
                deadline = self.clock.now() + DIALOG_WAIT  # one dialog may follow another
            if self.clock.now() > deadline:
                raise WindowError(gone(visibility))
            self.clock.sleep(NAP)

    def _finish(self, look: Look) -> GameResult:
        if look.reading.state is GameState.WON and self.target.records:
            self._take_dialogs()
        reading = look.reading
        level = self.target.level_name(level_of(reading))
        won = reading.state is GameState.WON
        ended = self._tally.covered or look.frame.time  # the dialog after a win is its end
        result = result_of(self.target.name, level, won, reading.board, ended, self._tally)
        self.on_end(result, look)
        return result

    def _take_dialogs(self) -> None:
        """Close the best-time dialogs that may follow a win: first the name, then the table."""
        window, deadline = self.sight.window, self.clock.now() + DIALOG_WAIT
        while window is not None and self.clock.now() < deadline:
            self._heed_user()
            if dismiss_popups(window, self.desktop, self.mouse):
                deadline = self.clock.now() + DIALOG_WAIT
            self.clock.sleep(NAP)

    def _await_other_board(self) -> None:
        """Wait until the game would not repeat the board of the last game."""
        began = self._tally.first_click
        while began is not None and self.clock.now() < began + self.target.same_board:
            self._heed_user()
            self.clock.sleep(NAP)

    def _new_game(self) -> Look:
        for _ in range(RETRIES):
            self._heed_user()
            self._clear_view()
            new_game(self.target, self.mouse)
            look = self.sight.watch(lambda reading: reading.state is GameState.NEW, None, NEW_GAME_PATIENCE)
            if look.reading.state is GameState.NEW and look.doubt is None:
                return look
            if self.sight.window is not None:
                self.desktop.raise_window(self.sight.window)
        raise StuckError("no new game came up: start one by hand, then run the command again")


def gone(visibility: Visibility) -> str:
    """Return the words for a board that cannot be seen."""
    return f"stopped: the board is {visibility.value}; bring its window to the front"


def level_of(reading: Reading) -> Level:
    """Return rows, columns and mines (0 if unknown) of the board that was read."""
    return Level(reading.board.rows, reading.board.cols, reading.board.mines or 0)


def all_answered(clicks: list[Click], before: Board, reading: Reading) -> bool:
    """Return whether every click had an effect, or the game is over."""
    return not lost(clicks, before, reading)


def lost(clicks: list[Click], before: Board, reading: Reading) -> list[Click]:
    """Return the clicks that had no effect: the game goes on and their cell shows what it did ``before``."""
    if reading.state in OVER:
        return []
    return [click for click in clicks if reading.board[click.move.cell] == before[click.move.cell]]
