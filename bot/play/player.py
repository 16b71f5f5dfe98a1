"""Play game after game: each step returns evidence, from which the next step is chosen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import count
from typing import NoReturn

import numpy as np

from bot.board import State
from bot.clicker.clicks import Click, Clicker, as_clicked, tour
from bot.clicker.style import Flags, flags_for, styled
from bot.desktop.protocols import Button, Mouse
from bot.errors import (
    BotError,
    CaptureError,
    ContradictionError,
    GameNotFoundError,
    NothingToOpenError,
    StuckError,
    ViewChangedError,
    WindowClosedError,
    WindowError,
)
from bot.levels import Level
from bot.play.board_place import BoardGuard
from bot.play.look import Look, at_rest, is_another_game, is_lost, without_pressed
from bot.play.new_game import CLOSE, GameWindow, step_aside, stir
from bot.play.next_step import RETRIES, AnotherGame, Endings, Evidence, Next, Phase, Remedy
from bot.play.orders import Control
from bot.play.patience import wait_until
from bot.play.results import GameResult, Observer, Round, Settings, Tally, result_of
from bot.play.watcher import BoardWatcher
from bot.solver.decision import Action, Decision, Move, Reason
from bot.solver.strategies import decide_on
from bot.stop import PAUSES
from bot.verdict import NOTHING, GameState, Ledger

PATIENCE = 0.25  # seconds without change until a click counts as lost; doubled at each further try
MOST_PATIENCE = 2.0
SECOND_LOOK = 2.0  # seconds for another look at a board in doubt
WORDS = 4.0  # seconds for which a game may show words across its board, such as that it is won
MINES_PATIENCE = 0.5  # seconds to wait for the mines to be shown after the end
DIALOGS = 4  # so many in a row are closed while a board is in doubt: closing one may open another
HALF_FLAGGED = "not all mines have a flag"
NO_FLAGS = "right clicks do not set flags here: play goes on without flags"
LATE = 0.06  # seconds after a click in which a program may ask where the pointer is: some frames of it
_LAST_EFFECTS = 0.25  # seconds to wait for the effects of the last clicks


class Player:
    """Plays on the board that ``watcher`` watches, as ``settings`` say, and tells ``observer`` about it.

    ``control`` pauses or ends play as the user asks, and has the same stop as the capture of ``watcher``.
    """

    def __init__(
        self,
        watcher: BoardWatcher,
        mouse: Mouse,
        settings: Settings,
        observer: Observer | None = None,
        control: Control | None = None,
    ) -> None:
        self.watcher, self.settings, self.target = watcher, settings, settings.target
        self.clock, self.stop = watcher.clock, watcher.capture.stop
        self.observer = observer or Observer()
        self.control = control or Control(self.stop, self.clock)
        self._guard = BoardGuard(watcher.capture, watcher.place)
        self.clicker = Clicker(
            mouse, settings.pace, self.stop, self._guard.check, self.clock, lambda: watcher.place.window
        )
        self.control.serve(self.clicker)
        tell = self.observer.tell
        self.game = GameWindow(watcher, self.target, self.clicker, tell, self.control.may_click_buttons)
        self._flags = flags_for(self.target, settings.flags, tell)
        self._endings = Endings(end_stays=self.target.end_stays)
        self._tally = Tally()
        self._wants_flags = False  # whether an earlier game went on until all its mines had flags
        self._end: BotError | None = None  # ends the run, after the game is reported

    def play(self) -> Iterator[GameResult]:
        """Play game after game and yield each result.

        Raises StoppedError if the user wants to stop, and WindowError, StuckError or ContradictionError if
        play cannot go on; nothing is clicked after that.
        """
        self.control.begin()
        look = self.control.retry_after_pause(partial(self.game.open, self.settings.level))
        finished = 0
        for number in count(1):
            self._tally = Tally()
            ended: Look | None
            try:
                ended = look = self._play_one(number, look)
            except AnotherGame as other:
                self.observer.tell(str(other))
                look, ended = other.look, other.ended
            if ended is None:
                self.watcher.reader.end_game()
            else:
                yield self._finish(ended)
                finished += ended is look or ended.verdict.state.over
            if self._end:
                raise self._end
            if finished == self.settings.games:
                return
            if look is ended or look.verdict.over:
                look = self._next_game(look)

    def _next_game(self, last: Look) -> Look:
        """Start the next game after ``last``; after a pause, continue the game that the user has started."""
        taken_up = None if self._tally.stuck else partial(self.game.open, None)
        start = partial(self.game.new_game, last, self._tally.first_click)
        return self.control.retry_after_pause(start, taken_up)

    def _play_one(self, number: int, look: Look) -> Look:
        """Play a game from the position that ``look`` shows, and return the last look at it."""
        evidence = Evidence(look)
        while not self._tally.stuck:
            try:
                now = self._endings.conclude(evidence)
                if now.phase in (Phase.PLAYING, Phase.OVER):
                    look = now.look
                    self._tally.end_turn(look.reading.board)
                match now.phase:
                    case Phase.OVER:
                        evidence = replace(evidence, look=self._look_after_end(look, evidence.ledger))
                        if evidence.look.verdict.over:
                            return evidence.look  # else it only looked like an end
                    case Phase.PLAYING:
                        if not now.flags:
                            self._flags = Flags.NONE
                            self.observer.tell(NO_FLAGS)
                        evidence = self._round(number, replace(evidence, look=look))
                    case Phase.ANSWERING:
                        evidence = self._send_again(now, evidence)
                    case Phase.DOUBT:
                        evidence = self._look_again(now, evidence)
                    case Phase.COVERED:
                        evidence = self._await_user(now, evidence)
                    case Phase.STOPPED:
                        self._give_up(now)
            except PAUSES as cause:
                look = self._paused(cause, look)
                evidence = Evidence(look)
            except (WindowError, GameNotFoundError) as gone:
                closed = isinstance(gone, WindowClosedError | GameNotFoundError)
                if not self._tally.sent or not (closed or self.watcher.place.grid is None):
                    raise
                ledger = self._tally.ledger(self._tally.before or look.reading.board)
                evidence = self._with_look(evidence, look)
                if isinstance(gone, WindowClosedError):
                    self._look_in_new_window(evidence, ledger)
                self._end = gone  # raised after the game is reported
                return self._endings.unseen_end(evidence, ledger, str(gone))
        return look

    def _look_in_new_window(self, evidence: Evidence, ledger: Ledger) -> None:
        """Raise AnotherGame if the next game is in a new window, in place of the closed one."""
        with suppress(WindowError, GameNotFoundError):
            found = self.game.in_new_window()
            raise AnotherGame(found, self._endings.unseen_end(replace(evidence, look=found), ledger))

    def _paused(self, cause: Exception, look: Look) -> Look:
        """Pause play, and return a look at the board when play goes on.

        Return at once if the last clicks ended the game. Raises AnotherGame if the user ends or replaces it.
        """
        self.control.suspend(cause)
        self._tally.paused, self._tally.before = True, None
        with self.stop.pauses_postponed(), suppress(CaptureError, GameNotFoundError, WindowError):
            seen = self.watcher.look(self._tally.ledger(look.reading.board), _LAST_EFFECTS)
            look = look if seen.doubt else seen
        if look.verdict.over:
            return look
        self.control.wait()
        found = self.control.retry_after_pause(self.game.show)
        if found.verdict.over or is_another_game(found, look.reading.board):
            raise AnotherGame(found)
        return found

    def _round(self, number: int, evidence: Evidence) -> Evidence:
        """Decide what to click on a board without doubt, and click it."""
        look, tally, settings = evidence.look, self._tally, self.settings
        self.control.begin_round()
        tally.rounds += 1
        board, rule = look.reading.board, self.target.first_click
        try:
            decision = decide_on(
                board, look.careful, rule, settings.strategy, tally.first_cell, settings.guess, self.stop
            )
        except ContradictionError as contradiction:
            self.watcher.reader.forget_last()
            return evidence.against(str(contradiction))
        except NothingToOpenError as nothing:
            if evidence.ledger is None or not look.reading.unreadable:
                raise
            return evidence.against(str(nothing), all_open=True)
        self.stop.raise_if_stopped()  # the reason may have cut the thinking short
        if not decision.moves:
            tally.stuck, tally.ended = True, look.frame.time
            return Evidence(look)
        clicks = self._clicks(decision, look)
        tally.begin_turn(board, clicks, decision.risk)
        self.observer.round(Round(number, tally.rounds, look, as_clicked(decision, clicks), clicks))
        if self.clicker.learn_hold():
            held = f"they are held for {self.clicker.hold * 1000:.0f} ms"
            self.observer.tell(f"this program misses short clicks: {held}")
        return self._send(clicks, Evidence(look, tally.ledger(board), clicks))

    def _clicks(self, decision: Decision, look: Look) -> tuple[Click, ...]:
        """Return the clicks that carry out a decision, in their order."""
        learner = self.watcher.reader.learner  # no chords while the looks of all cells are still learned
        flags = self._flags.without_chords if learner and learner.skin is None else self._flags
        legs, chord = styled(decision, look.sure, flags), self.target.chord or Button.MIDDLE
        return tuple(tour(legs, look.frame, look.reading.grid, self.clicker.mouse.position(), chord))

    def _send(self, clicks: tuple[Click, ...], evidence: Evidence) -> Evidence:
        """Send ``clicks``, and return the evidence once they had an effect, or their time for it is over."""
        tally, before = self._tally, evidence.ledger.board if evidence.ledger else evidence.look.reading.board
        if tally.first_click is None:
            tally.first_click = self.clock.now()
        tally.covered = None
        try:
            self._click(clicks, evidence.look)
        except (CaptureError, ViewChangedError):  # it is unknown which clicks hit the board
            self.game.clear_view(playing=True)
            ledger = tally.ledger(before)
            return Evidence(self.watcher.look(ledger), ledger)
        if self.watcher.reader.learner is not None:  # a cell highlighted below the pointer looks open
            self._await_change(clicks, evidence.look)
            step_aside(evidence.look, self.clicker)
        ledger = tally.ledger(before)
        # A flag that is only late must not be clicked again: the second click would undo the first.
        toggles = any(click.move.action is Action.FLAG for click in evidence.clicks)
        wait = MOST_PATIENCE if toggles else patience(evidence.sent)
        first = self.clock.now() if evidence.first_sent is None else evidence.first_sent
        after = replace(evidence, ledger=ledger, sent=evidence.sent + 1, first_sent=first, tried={})
        return self._with_look(after, self.watcher.watch(after.done, ledger, wait, evidence.first_sent))

    def _click(self, clicks: tuple[Click, ...], look: Look) -> None:
        """Click on the board that ``look`` shows."""
        before = self.clicker.sent
        self._guard.go_by(look)
        try:
            self.clicker.send(clicks, look.reading.grid.pitch_y)
        finally:  # a click that was not sent must not count as one without effect
            sent = clicks[: self.clicker.sent - before]
            self._tally.sent += sent
            self.watcher.reader.record_clicks(sent)
            self.game.clicked(self._tally.ledger(look.reading.board))

    def _await_change(self, clicks: tuple[Click, ...], look: Look) -> None:
        """Wait until the last cell clicked looks different: some programs ask late where the pointer is."""
        cell = look.reading.grid.cell_rect(clicks[-1].move.cell)
        before = look.frame.crop(look.frame.on_screen(cell))

        def changed() -> bool:
            seen = self.watcher.capture.glimpse(before.rect)
            return seen is None or not np.array_equal(seen.pixels, before.pixels)

        wait_until(changed, self.clock, self.stop, LATE)

    def _with_look(self, evidence: Evidence, look: Look) -> Evidence:
        """Return the evidence with another look."""
        return replace(evidence, look=look, dialogs=tuple(self.game.closed))

    def _send_again(self, now: Next, evidence: Evidence) -> Evidence:
        """Send the clicks without effect again; if the board has moved, return only the new look."""
        self._tally.retries += len(now.clicks)
        if patience(evidence.sent - 1) == MOST_PATIENCE:  # before that, the game may only be slow
            self.watcher.reader.unanswered(now.look, now.clicks)
        if self.game.close_dialogs():  # even beside the board, one makes the game ignore clicks
            again = replace(evidence, sent=evidence.sent + 1)
            return self._with_look(again, self.watcher.look(evidence.ledger))
        evidence = replace(evidence, look=now.look)
        seen, first = evidence.look, now.clicks[0]
        if seen.frame.to_screen(*seen.reading.grid.centre(first.move.cell)) != first.point:
            return Evidence(seen)
        self.clicker.hold_longer(evidence.sent)
        return self._send(now.clicks, evidence)

    def _look_again(self, now: Next, evidence: Evidence) -> Evidence:
        """Try a remedy against a doubt, and look again."""
        look, ledger, done, wait = now.look, evidence.ledger, evidence.done, 0.0
        match now.remedy:
            case Remedy.VIEW:
                look = without_pressed(self._in_view(evidence), ledger)
            case Remedy.SEARCH if ledger is not None:
                look = self._found_anew(evidence, ledger)
            case Remedy.ASIDE if step_aside(look, self.clicker):
                wait = PATIENCE
            case Remedy.TOTAL if self.watcher.reader.refuse_total(look):
                wait = PATIENCE
            case Remedy.SKIN if self.watcher.reader.distrust_skin(look, ledger):
                ledger = None if ledger is None else ledger.without_numbers()
                wait = SECOND_LOOK
            case Remedy.WORDS:
                stir(look, self.clicker)
                wait = WORDS
            case Remedy.BOX:
                self.game.take(CLOSE)
                silent = evidence.sent > RETRIES  # then an effect of the clicks may be painted only now
                done, wait = (done, SECOND_LOOK) if silent else (at_rest, PATIENCE)
            case Remedy.BUTTON if below := self.game.click_box(look):
                step_aside(look, self.clicker)
                ledger = None if ledger is None else ledger.with_stray(below)  # it may have been no button
                done, wait = at_rest, PATIENCE
        if wait:
            look = self.watcher.watch(done, ledger, wait)
        assert now.remedy is not None
        evidence = replace(evidence, look=now.look, ledger=ledger).with_tried(now.remedy)
        return self._with_look(evidence, look)

    def _in_view(self, evidence: Evidence) -> Look:
        """Return another look at the board once dialogs are closed and nothing lies over its window.

        Return the same look if the board was visible, no dialog was there and play can go on as it is.
        """
        look, shown = evidence.look, not self.watcher.place.hidden
        if shown:
            self._tally.misreads += 1
        else:
            self._tally.covered = look.frame.time
        for _ in range(DIALOGS):
            closed = len(self.game.closed)
            self.game.clear_view(playing=True)
            if (
                shown
                and look.playable_despite_doubt
                and not evidence.may_be_over
                and len(self.game.closed) == closed
            ):
                break
            look = self.watcher.watch(evidence.done, evidence.ledger, SECOND_LOOK)
            if not self.watcher.place.hidden:
                break
        return look

    def _await_user(self, now: Next, evidence: Evidence) -> Evidence:
        """Ask the user to take away what lies over the board, and return the evidence when that is done."""

        def again() -> Look:
            look = self.watcher.watch(evidence.done, evidence.ledger, SECOND_LOOK)
            return look if look.doubt is None or not ledger else self._found_anew(evidence, ledger)

        def uncovered(look: Look) -> bool:
            readable = look.doubt is None or look.playable_despite_doubt
            return readable and look.reading.board != evidence.impossible

        ledger = evidence.ledger
        found = self.game.await_uncovered(now, ledger, again, uncovered)
        return self._with_look(evidence, found or self._give_up(now))

    def _found_anew(self, evidence: Evidence, ledger: Ledger) -> Look:
        """Read the board from scratch, as from a saved picture, or search for it again; return a new look.

        It may be dimmed, have moved, or be a larger one. The look of ``evidence`` is returned if none is
        found. Raises AnotherGame if the board found is that of another game.
        """
        look, anew = evidence.look, self.watcher.read_anew(ledger)
        if anew is not None and (anew.verdict.over or (is_lost(look.reading) and not is_lost(anew.reading))):
            return anew
        try:
            found = self.watcher.find()
        except (GameNotFoundError, WindowError):
            return look
        if is_another_game(found, ledger.board):
            raise AnotherGame(found, self._endings.unseen_end(replace(evidence, look=found), ledger))
        return self.watcher.look(ledger)

    def _give_up(self, now: Next) -> NoReturn:
        if now.clicks:  # they have no effect: the board is beyond doubt
            raise StuckError(now.why)
        place = self.observer.keep(now.look)
        raise ContradictionError(f"stopped without a click: {now.why}; the picture is saved in {place}")

    def _finish(self, look: Look) -> GameResult:
        self._tally.ended = self._tally.ended or self.clock.now()  # else its end was not seen
        level = self.target.level_name(Level.of(look.reading.board))
        self.watcher.reader.end_game()
        result = result_of(self.target.name, level, look, self._tally)
        self.observer.end(result, look)
        return result

    def _look_after_end(self, look: Look, ledger: Ledger | None) -> Look:
        """Close the dialogs after a game, and return another look, which shows its mines.

        Return ``look`` itself if its cells do not show the end, or the other look is in doubt or interrupted.
        """
        self._tally.ended = self._tally.covered or look.frame.time  # a dialog after a win marks the end
        if look.circumstances.silent and look.verdict.state.over:
            self.watcher.reader.learn_end(look.verdict.state)
        try:
            if look.verdict.won:
                self.game.take_records()
            if not look.verdict.concluded:
                mines = State.FLAG, State.MINE, State.EXPLODED
                shown = self.watcher.watch(
                    lambda r: r.board.count(*mines) == r.board.mines, ledger, MINES_PATIENCE
                )
                look = look if shown.doubt else shown  # they are painted late
            elif replace(look.circumstances, all_open=False, face=None) != NOTHING:
                wanting = self._wants_flags and look.verdict.won and not look.circumstances.told
                return half_flagged(look) if wanting else look
            return self._with_mines_flagged(look) if look.verdict.won else look
        except PAUSES as cause:
            self.control.suspend(cause)
        except WindowClosedError:  # the next game may come in a new window
            pass
        except BotError as end:  # raised after the game is reported
            self._end = end
        return look

    def _with_mines_flagged(self, look: Look) -> Look:
        """Set flags on the mines after a win that nothing beside the board shows, and return a new look.

        Some games are won only then; where the game is over, such clicks change nothing. If only some of the
        mines take a flag, the end is unknown. What changes beside the board meanwhile may count the flags.
        """
        left = look.reading.board.cells(State.COVERED, State.QUESTION)
        if not left or not self.target.asks or look.circumstances.sign:
            return look
        first = look
        for sent in range(1, RETRIES + 1):
            moves = [Move(cell, Action.FLAG, 1.0, Reason.COUNTING) for cell in left]
            clicks = tour([moves], look.frame, look.reading.grid, self.clicker.mouse.position())
            with suppress(CaptureError, ViewChangedError):  # words about the end may come and go
                self._click(tuple(clicks), look)
            ledger = self._tally.ledger(look.reading.board)
            seen = self.watcher.watch(lambda r: not r.board.count(State.COVERED), ledger, PATIENCE)
            if look.circumstances.all_open:
                seen = seen.ended(replace(seen.circumstances, all_open=True), ledger) or seen
            if seen.verdict.state is GameState.NEW:  # the last flag has ended the game
                return look
            if not seen.verdict.won:
                break
            look, left = seen, seen.reading.board.cells(State.COVERED, State.QUESTION)
            if not left:
                self._wants_flags = True
                return look
            self.clicker.hold_longer(sent)
        return look if look.reading.board == first.reading.board else half_flagged(look)


def half_flagged(look: Look) -> Look:
    """Return the look at a board that seems won, with an unknown end: the game may want all mines flagged."""
    return replace(look, verdict=replace(look.verdict, state=GameState.UNKNOWN, concluded=HALF_FLAGGED))


def patience(sent: int) -> float:
    """Return the seconds to wait, without change, for clicks that were ``sent`` so many times before."""
    return min(PATIENCE * 2.0**sent, MOST_PATIENCE)
