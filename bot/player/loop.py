"""The loop that plays game after game, and what it does when the screen is not as expected."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from typing import NoReturn

from bot.board import Board, Cell
from bot.clicker import Click, Clicker, Clock, Pace, tour
from bot.errors import BotError, ContradictionError, TakenOverError, ViewChangedError
from bot.game.metrics import Clicks
from bot.player.another import AnotherGame, after_pause, as_left, found_anew
from bot.player.answers import (
    all_answered,
    at_rest,
    counted,
    effective,
    first_opened,
    lost,
    only_flags,
    unanswered,
)
from bot.player.control import Control, Paused
from bot.player.endings import (
    Endings,
    after_silence,
    below_a_cover,
    may_be_won,
    replaced_by_fresh,
    with_mines,
)
from bot.player.look import Look, Past, without_pressed
from bot.player.place import is_elsewhere, step_aside, stir
from bot.player.prudence import decide_on
from bot.player.results import GameResult, Round, Tally, result_of
from bot.player.settings import Settings
from bot.player.sight import Sight
from bot.player.style import Flags, style_for, styled
from bot.player.table import Table, level_of
from bot.player.view import View
from bot.screen.protocols import Button, Desktop, Mouse, Visibility
from bot.screen.targets import Target
from bot.solver.decision import Action
from bot.solver.policies import Thinking
from bot.vision.reading import GameState, Reading

PATIENCE = 0.25  # seconds of stillness until a click counts as lost; twice as long at each further try
MOST_PATIENCE = 2.0
RETRIES = 5  # how often a lost click is sent again: where a fifth is lost, one of 15,000 stays without answer
SECOND_LOOK = 2.0  # seconds to look again at a board that contradicts itself
WORDS = 4.0  # seconds for which a game may write across its board that it is won or lost
WORDS_CELLS = 3  # words hide as many cells at least
DIALOGS = 4  # so many in a row are closed while a board is in doubt: one may bring up the next


class Player:
    """Plays on the board that ``sight`` looks at.

    ``on_round`` is told of every round before its clicks are sent, ``on_end`` of every finished game and its
    last picture. ``keep`` saves a picture that could not be understood and returns where, for the message;
    ``tell`` says to the user what only a hand can do. ``control`` heeds who may pause play.
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
        tell: Callable[[str], None] = lambda _: None,
        control: Control | None = None,
    ) -> None:
        self.sight, self.mouse, self.desktop, self.target = sight, mouse, desktop, target
        self.clock, self.settings = clock, settings
        self.on_round, self.on_end, self.keep, self.tell = on_round, on_end, keep, tell
        self._view = View(sight, clock, lambda: self.table.rival)
        self.control = control or Control(desktop, clock)
        self.clicker = Clicker(mouse, pace, self.control.heed, self._view.check, clock, lambda: sight.window)
        self.control.serve(self.clicker)
        sight.capture.serve(self.clicker.heed_user, tell)
        self.table = Table(sight, mouse, desktop, target, self.clicker, tell)
        self._tally = Tally()
        self._clicked: set[Cell] = set()  # in this game: what was not is not expected to change
        self._endings = Endings()
        self._thinking = (
            Thinking(settings.think, clock.now, settings.threads, self._heed_user) if settings.think else None
        )
        self._style = style_for(target, settings.style, tell)
        self._end: BotError | None = None  # of the run: came when a game was over that is still to be told of

    def play(self) -> Iterator[GameResult]:
        """Play game after game and yield each result.

        Raises StoppedError at the user's wish, WindowError, StuckError or ContradictionError when play cannot
        go on; nothing is clicked after that.
        """
        self.control.begin()
        look = self.control.undisturbed(partial(self.table.open, self.settings.level))
        finished = 0
        for number in count(1):
            self._tally, self._clicked = Tally(), set()
            try:
                look = self._play_one(number, look)
            except AnotherGame as other:
                self.tell(str(other))
                self.sight.end_game()
                look = self._next_game(other.look) if other.look.over else other.look
                continue
            yield self._finish(look)
            finished += 1
            if self._end:
                raise self._end
            if finished == self.settings.games:
                return
            look = self._next_game(look)

    def _next_game(self, last: Look) -> Look:
        """Start the next game after ``last``; after a pause, take up what the user has begun."""
        taken_up = None if self._tally.stuck else partial(self.table.open, None)
        begun = self._tally.first_click
        return self.control.undisturbed(partial(self.table.next_game, begun, last), taken_up)

    def _play_one(self, number: int, look: Look) -> Look:
        while True:
            try:
                look = self._beyond_doubt(look, None)
                while not (look.over or self._tally.stuck):
                    look = self._round(number, look)
                return look
            except (Paused, TakenOverError) as cause:
                look = self._paused(cause, look)

    def _paused(self, cause: Exception, look: Look) -> Look:
        """Pause, and return the board as it is when play goes on; at once if the last clicks have ended it.

        Raises AnotherGame if the user has ended the game, or begun another.
        """
        self.control.suspend(cause)
        self._tally.paused = True
        with self.control.quiet():
            look = as_left(self.sight, look, self._past(look.reading.board))
        if look.over:
            return look
        self.control.wait()
        return after_pause(self.control.undisturbed(self.table.show), look.reading.board)

    def _round(self, number: int, look: Look) -> Look:
        self.control.begin_round()
        self._tally.rounds += 1
        board, rule, how = look.reading.board, self.target.first_click, self.settings
        asked = (how.strategy, self._tally.first_cell, self._thinking, how.learned, how.guess)
        try:
            decision = decide_on(board, look.careful, rule, *asked)
        except ContradictionError as contradiction:
            return self._another_board(look, str(contradiction))
        if not decision.moves:
            self._tally.stuck = True
            return look
        self._tally.guesses += decision.risk > 0
        self._tally.risk = decision.risk
        learner = self.sight.learner  # where the looks of all cells are still to be learned, none is chorded
        manner = self._style.without_chords if learner and learner.skin is None else self._style
        legs, chord = styled(decision, look.sure, manner), self.target.chord or Button.MIDDLE
        clicks = tour(legs, look.frame, look.reading.grid, self.mouse.position(), chord)
        self._tally.first_cell = first_opened(clicks, board) or self._tally.first_cell
        self.on_round(Round(number, self._tally.rounds, look, decision, tuple(clicks)))
        try:
            after = self._carry_out(clicks, look)
        except ViewChangedError:
            self.table.clear_view()
            past = self._past(board)
            after = self._beyond_doubt(self.sight.look(past), past)
        self._tally.clicks += Clicks(effective=effective(clicks, board, after.reading.board))
        return after

    def _past(self, board: Board) -> Past:
        return Past(board, frozenset(self._clicked))

    def _another_board(self, look: Look, why: str) -> Look:
        """Look again at a board that no mines can explain; give up if it stays as it is."""
        self._tally.misreads += 1
        board = look.reading.board
        again = self.sight.watch(lambda reading: reading.board != board, None, SECOND_LOOK)
        if again.doubt is not None or again.reading.board == board:
            self._give_up(again, again.doubt or why)
        if again.reading.board.shape != board.shape:
            raise AnotherGame(again)
        return again

    def _carry_out(self, clicks: list[Click], look: Look) -> Look:
        """Send clicks, see that each had its effect, and send again those that were lost."""
        before, grid = look.reading.board, look.reading.grid
        waiting, after, past = clicks, look, self._past(before)
        answered = partial(all_answered, clicks, before)
        # A flag that is only late must not be clicked again: the second click would undo the first.
        toggles = any(click.move.action is Action.FLAG for click in clicks)
        for attempt in range(RETRIES + 1):
            if self._tally.first_click is None:
                self._tally.first_click = self.clock.now()
            if attempt:
                self._tally.retries += len(waiting)
                self.sight.unanswered(after, waiting)
                if self.table.close_dialogs():  # one beside the board makes the game deaf
                    after = self._beyond_doubt(self.sight.look(past), past)
                    if after.over:
                        return after
            if is_elsewhere(after, waiting[0]):  # what is still to be clicked is decided anew
                return after
            self._tally.covered = None
            self.table.closed.clear()
            self._view.go_by(after)
            self._send(waiting, grid.pitch_y)
            past = self._past(before)
            self.table.may_be_won = may_be_won(past)
            patience = MOST_PATIENCE if toggles else min(PATIENCE * 2**attempt, MOST_PATIENCE)
            after = self.sight.watch(answered, past, patience)
            after = self._beyond_doubt(after, past, answered)
            waiting = [] if after.over else lost(clicks, before, after.reading)
            if not waiting:
                return after
        if self._style.flags is not Flags.NONE and only_flags(waiting, before):
            self._style = replace(self._style, flags=Flags.NONE)
            self.tell("right clicks set no flags here: play goes on without flags")
            return after
        ended = after_silence(after, past, self._tally.risk, sign=self.sight.signs.changed)
        if ended is None:
            raise unanswered(waiting[0].move.cell, RETRIES + 1)
        if ended.reading.state.over:
            self.sight.signs.learn_end(ended.reading.state)
        return ended

    def _send(self, clicks: list[Click], cell_size: float) -> None:
        before = self.clicker.sent
        try:
            self.clicker.send(clicks, cell_size)
        finally:  # a cell that was to be clicked and was not is no cell that does not answer
            sent = clicks[: self.clicker.sent - before]
            self._clicked.update(click.move.cell for click in sent)
            self.sight.did(sent)
            self._tally.clicks += counted(sent)

    def _beyond_doubt(self, look: Look, past: Past | None, done: Callable[[Reading], bool] = at_rest) -> Look:
        """Return ``look`` if it can be trusted, else clear the view, look again, and give up in the end."""
        if look.doubt is None:
            return look
        if step_aside(look, self.clicker):
            look = self.sight.watch(done, past, PATIENCE)
            if look.doubt is None:
                return look
        if self.sight.visibility() is Visibility.VISIBLE:
            self._tally.misreads += 1
        else:
            self._tally.covered = look.frame.time
        for _ in range(DIALOGS):
            self.table.clear_view()
            look = self.sight.watch(done, past, SECOND_LOOK)
            if self.sight.visibility() is Visibility.VISIBLE:
                break
        if look.doubt and past and self.table.closed and replaced_by_fresh(look.reading, past):
            if not self.target.end_stays:
                return self._endings.told(look, past, self._tally.risk, self.table.closed)
            look = found_anew(self.sight, look, past)
        look = without_pressed(look, past)
        if look.doubt is not None and self.sight.distrust_skin(look, past):
            look = self.sight.watch(done, past, SECOND_LOOK)
        if look.doubt is not None and len(look.reading.unreadable) >= WORDS_CELLS:
            stir(look, self.clicker)
            look = self.sight.watch(done, past, WORDS)
        if look.doubt is not None and not look.bearable and past:
            look = found_anew(self.sight, look, past)
        if look.doubt is not None and not look.bearable:
            return self._covered(look, past, done)
        return replace(look, doubt=None)

    def _covered(self, look: Look, past: Past | None, done: Callable[[Reading], bool]) -> Look:
        """Return a doubtful look as that of a game that is over, or the board that the user has uncovered."""
        if past is None or len(look.reading.unreadable) < WORDS_CELLS:
            self._give_up(look, look.doubt or "")
        if ended := below_a_cover(look, past, self._tally.risk):
            return ended
        self.tell(f"{look.doubt}: take away what lies over the board, play goes on by itself then")
        again = partial(self.sight.watch, done, past, SECOND_LOOK)
        return self.table.await_user(again, at_rest) or self._give_up(look, look.doubt or "")

    def _give_up(self, look: Look, why: str) -> NoReturn:
        raise ContradictionError(f"stopped without a click: {why}; the picture is kept in {self.keep(look)}")

    def _heed_user(self) -> bool:
        """Return that thinking may go on. Raises StoppedError at the user's wish."""
        self.clicker.heed_user()
        return False

    def _finish(self, look: Look) -> GameResult:
        ended = self._tally.covered or look.frame.time  # the dialog after a win is its end
        try:
            look = self._settled(look)
        except BotError as end:  # the game is told of first
            self._end = end
        level = self.target.level_name(level_of(look.reading))
        self.sight.end_game()
        result = result_of(self.target.name, level, look, ended, self._tally)
        self.on_end(result, look)
        return result

    def _settled(self, look: Look) -> Look:
        """Close the dialogs after a game, and return its board with its mines; without after a pause."""
        try:
            if look.reading.state is GameState.WON:
                self.table.take_records()
            past = self._past(look.reading.board)
            return look if self._tally.stuck or look.concluded else with_mines(self.sight, look, past)
        except (Paused, TakenOverError) as cause:
            self.control.suspend(cause)
            return look
