"""Play game after game: each step returns evidence, from which the next step is chosen."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from typing import NoReturn

import numpy as np

from bot.board import CLOSED, Board, Cell, State
from bot.clicker.clicks import Click, Clicker, counted, effective, first_opened, may_open, tour
from bot.clicker.pace import Pace
from bot.clicker.style import Flags, flags_for, styled
from bot.desktop.protocols import Button, Mouse, Visibility, Window
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
from bot.game.metrics import Clicks
from bot.geometry import Frame, Pixels, Point, Rect
from bot.levels import Level
from bot.play.control import Control
from bot.play.game_window import CLOSE, GameWindow, step_aside, stir
from bot.play.look import (
    MOST_CHANGED,
    Look,
    at_rest,
    is_another_game,
    is_lost,
    without_pressed,
)
from bot.play.next_step import AnotherGame, Endings, Evidence, Next, Phase, Remedy
from bot.play.results import GameResult, Round, Settings, Tally, result_of
from bot.play.watcher import BoardWatcher
from bot.solver.decision import Action, Move, Reason
from bot.solver.strategies import decide_on
from bot.stop import PAUSES
from bot.targets.catalogue import Target
from bot.verdict import GameState, Ledger, Verdict
from bot.vision.track import Places

HOLDS = 0.02, 0.04, 0.06  # seconds for which a button is held when clicks without effect are sent again
HELD = 3  # rounds in a row that are answered only so, until buttons are always held: a click may be lost
PATIENCE = 0.25  # seconds without change until a click counts as lost; doubled at each further try
MOST_PATIENCE = 2.0
SECOND_LOOK = 2.0  # seconds for another look at a board in doubt
WORDS = 4.0  # seconds for which a game may show words across its board, such as that it is won
MINES_PATIENCE = 0.5  # seconds to wait for the mines to be shown after the end
DIALOGS = 4  # so many in a row are closed while a board is in doubt: closing one may open another
_SETTLED = 0.25  # seconds to wait for the effects of the last clicks
COVER_INTERVAL = 0.02  # seconds between two checks whether the window is covered, while clicks are sent
GLANCE_INTERVAL = 0.05  # seconds for which clicks rely on a look, or on a later check of the board


class Player:
    """Plays on the board that ``watcher`` watches.

    ``on_round`` is called with every round before its clicks are sent, ``on_end`` with every finished game
    and the last look at it. ``keep`` saves a picture that could not be understood and returns where, for the
    message; ``tell`` shows a message to the user. ``control`` pauses or ends play as the user asks, and has
    the same stop as the capture of ``watcher``.
    """

    def __init__(
        self,
        watcher: BoardWatcher,
        mouse: Mouse,
        target: Target,
        pace: Pace,
        settings: Settings,
        on_round: Callable[[Round], None] = lambda _: None,
        on_end: Callable[[GameResult, Look], None] = lambda *_: None,
        keep: Callable[[Look], str] = lambda _: "nowhere",
        tell: Callable[[str], None] = lambda _: None,
        control: Control | None = None,
    ) -> None:
        self.watcher, self.mouse, self.target, self.settings = watcher, mouse, target, settings
        self.clock, self.stop = watcher.clock, watcher.capture.stop
        self.on_round, self.on_end, self.keep, self.tell = on_round, on_end, keep, tell
        self._view = BoardGuard(watcher, lambda: self.game.rival)
        self.control = control or Control(self.stop, self.clock)
        self.clicker = Clicker(mouse, pace, self.stop, self._view.check, self.clock, lambda: watcher.window)
        self.control.serve(self.clicker)
        self.game = GameWindow(watcher, target, self.clicker, tell, self.control.may_click_buttons)
        self._tally = Tally()
        self._clicked: set[Cell] = set()  # in this game: other cells are not expected to change
        self._endings = Endings(end_stays=target.end_stays)
        self._turn: tuple[Board, tuple[Click, ...]] | None = None  # the last round, if not counted yet
        self._sent: tuple[tuple[Click, ...], float] = (), 0.0  # the last round's clicks, and their risk
        self.phase = Phase.WAITING
        self._flags = flags_for(target, settings.flags, tell)
        self._held = 0  # rounds in a row that were answered only when buttons were held
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
            self._tally, self._clicked, self._sent = Tally(), set(), ((), 0.0)
            ended: Look | None
            try:
                ended = look = self._play_one(number, look)
            except AnotherGame as other:
                self.tell(str(other))
                look, ended = other.look, other.ended
            if ended is None:
                self.watcher.end_game()
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
        self.phase = Phase.WAITING
        taken_up = None if self._tally.stuck else partial(self.game.open, None)
        begun = self._tally.first_click
        return self.control.retry_after_pause(partial(self.game.next_game, begun, last), taken_up)

    def _play_one(self, number: int, look: Look) -> Look:
        """Play a game from the position that ``look`` shows, and return the last look at it."""
        self._turn, evidence = None, Evidence(look)
        while not self._tally.stuck:
            try:
                now = self._endings.conclude(evidence)
                self.phase = now.phase
                if now.phase in (Phase.PLAYING, Phase.OVER):
                    look = now.look
                    self._count_effects(look.reading.board)
                if now.phase is Phase.OVER:
                    evidence = replace(evidence, look=self._settled(look, evidence.ledger))
                    if evidence.look.verdict.over:
                        return evidence.look
                    continue  # it only looked like an end
                if now.phase is Phase.STOPPED and now.clicks:
                    raise StuckError(now.why)
                if now.phase is Phase.STOPPED:
                    self._give_up(now.look, now.why)
                evidence = self._step(number, now, evidence)
            except PAUSES as cause:
                look = self._paused(cause, look)
                evidence = Evidence(look)
            except WindowClosedError as closed:
                if not self._clicked:
                    raise
                self._end = closed  # raised after the game is reported
                return replace(look, verdict=Verdict(GameState.UNKNOWN, over=True, concluded=str(closed)))
        return look

    def _step(self, number: int, now: Next, evidence: Evidence) -> Evidence:
        """Carry out the phase that ``now`` names, and return the evidence after it."""
        match now.phase:
            case Phase.PLAYING:
                if not now.flags:
                    self._flags = Flags.NONE
                    self.tell("right clicks do not set flags here: play goes on without flags")
                return self._round(number, replace(evidence, look=now.look))
            case Phase.ANSWERING:
                return self._send_again(now, evidence)
            case Phase.DOUBT:
                return self._look_again(now, evidence)
            case _:
                return self._await_user(now, evidence)

    def _paused(self, cause: Exception, look: Look) -> Look:
        """Pause play, and return a look at the board when play goes on.

        Return at once if the last clicks ended the game. Raises AnotherGame if the user ends or replaces it.
        """
        self.phase = Phase.PAUSED
        self.control.suspend(cause)
        self._tally.paused, self._turn = True, None
        with self.stop.pauses_postponed():
            look = as_left(self.watcher, look, self._ledger(look.reading.board))
        if look.verdict.over:
            return look
        self.control.wait()
        found = self.control.retry_after_pause(self.game.show)
        if found.verdict.over or is_another_game(found, Ledger(look.reading.board)):
            raise AnotherGame(found)
        return found

    def _round(self, number: int, evidence: Evidence) -> Evidence:
        """Decide what to click on a board without doubt, and click it."""
        look = evidence.look
        self.control.begin_round()
        self._tally.rounds += 1
        board, rule, first = look.reading.board, self.target.first_click, self._tally.first_cell
        try:
            strategy, guess = self.settings.strategy, self.settings.guess
            decision = decide_on(board, look.careful, rule, strategy, first, guess, self.stop)
        except ContradictionError as contradiction:
            if self.watcher.learner is not None:
                self.watcher.learner.discard_last_reading()
            return evidence.against(str(contradiction))
        except NothingToOpenError as nothing:
            if evidence.ledger is None or not look.reading.unreadable:
                raise
            return evidence.against(str(nothing))
        self.stop.raise_if_stopped()  # the reason may have cut the thinking short
        if not decision.moves:
            self._tally.stuck, self._tally.ended = True, look.frame.time
            return Evidence(look)
        self._tally.guesses += decision.risk > 0
        learner = self.watcher.learner  # no chords while the looks of all cells are still learned
        flags = self._flags.without_chords if learner and learner.skin is None else self._flags
        legs, chord = styled(decision, look.sure, flags), self.target.chord or Button.MIDDLE
        clicks = tuple(tour(legs, look.frame, look.reading.grid, self.mouse.position(), chord))
        self._tally.first_cell = first_opened(clicks, board) or self._tally.first_cell
        self.on_round(Round(number, self._tally.rounds, look, decision, clicks))
        self._turn = board, clicks
        self._sent = clicks, decision.risk
        self._learn_hold()
        return self._send(clicks, Evidence(look, self._ledger(board), clicks))

    def _learn_hold(self) -> None:
        """Go on holding buttons if the last rounds were answered only so."""
        self._held = self._held + 1 if self.clicker.hold else 0
        if self._held == HELD:
            self.tell(
                f"this program misses short clicks: they are held for {self.clicker.hold * 1000:.0f} ms"
            )
        elif self._held < HELD:
            self.clicker.hold = 0.0

    def _count_effects(self, board: Board) -> None:
        """Count the clicks of the last round that had an effect; ``board`` is the one after them."""
        if self._turn is not None:
            before, clicks = self._turn
            self._tally.clicks += Clicks(effective=effective(clicks, before, board))
        self._turn = None

    def _ledger(self, board: Board) -> Ledger:
        """Return what was done in this game, whose last position beyond doubt is ``board``."""
        clicks, risk = self._sent
        moves = [click.move for click in clicks if click.move.cell in self._clicked]
        cells = {cell for move in moves for cell in may_open(move, board.rows, board.cols)}
        return Ledger(
            board, frozenset(self._clicked), frozenset(cells.intersection(board.cells(*CLOSED))), risk
        )

    def _send(self, clicks: tuple[Click, ...], evidence: Evidence) -> Evidence:
        """Send ``clicks``, and return the evidence once they had an effect, or their time for it is over."""
        before = evidence.ledger.board if evidence.ledger else evidence.look.reading.board
        if self._tally.first_click is None:
            self._tally.first_click = self.clock.now()
        self._tally.covered = None
        self.game.closed.clear()
        self._view.go_by(evidence.look)
        try:
            self._click(clicks, evidence.look.reading.grid.pitch_y)
        except (CaptureError, ViewChangedError):  # it is unknown which clicks hit the board
            self.game.clear_view(playing=True)
            ledger = self._ledger(before)
            return Evidence(self.watcher.look(ledger), ledger)
        if self.watcher.learner is not None:  # a cell highlighted below the pointer looks open
            step_aside(evidence.look, self.clicker)
        ledger = self._ledger(before)
        self.game.may_be_won = ledger.may_be_won
        # A flag that is only late must not be clicked again: the second click would undo the first.
        toggles = any(click.move.action is Action.FLAG for click in evidence.clicks)
        wait = MOST_PATIENCE if toggles else patience(evidence.sent)
        first = self.clock.now() if evidence.first_sent is None else evidence.first_sent
        after = replace(evidence, ledger=ledger, sent=evidence.sent + 1, first_sent=first, tried={})
        return self._seen(after, self.watcher.watch(after.done, ledger, wait, evidence.first_sent))

    def _click(self, clicks: tuple[Click, ...], cell_size: float) -> None:
        before = self.clicker.sent
        try:
            self.clicker.send(clicks, cell_size)
        finally:  # a click that was not sent must not count as one without effect
            sent = clicks[: self.clicker.sent - before]
            self._clicked.update(click.move.cell for click in sent)
            self.watcher.record_clicks(sent)
            self._tally.clicks += counted(sent)

    def _seen(self, evidence: Evidence, look: Look) -> Evidence:
        """Return the evidence with another look."""
        return replace(evidence, look=look, dialogs=tuple(self.game.closed), sign=self.watcher.ends.changed)

    def _send_again(self, now: Next, evidence: Evidence) -> Evidence:
        """Send the clicks without effect again; if the board has moved, return only the new look."""
        self._tally.retries += len(now.clicks)
        if patience(evidence.sent - 1) == MOST_PATIENCE:  # before that, the game may only be slow
            self.watcher.unanswered(now.look, now.clicks)
        if self.game.close_dialogs():  # even beside the board, one makes the game ignore clicks
            return self._seen(replace(evidence, sent=evidence.sent + 1), self.watcher.look(evidence.ledger))
        evidence = replace(evidence, look=now.look)
        seen, first = evidence.look, now.clicks[0]
        if seen.frame.to_screen(*seen.reading.grid.centre(first.move.cell)) != first.point:
            return Evidence(seen)
        self.clicker.hold = max(self.clicker.hold, HOLDS[min(evidence.sent, len(HOLDS)) - 1])
        return self._send(now.clicks, evidence)

    def _look_again(self, now: Next, evidence: Evidence) -> Evidence:
        """Try a remedy against a doubt, and look again."""
        look, ledger, done = now.look, evidence.ledger, evidence.done
        match now.remedy:
            case Remedy.ASIDE:
                if step_aside(look, self.clicker):
                    look = self.watcher.watch(done, ledger, PATIENCE)
            case Remedy.VIEW:
                look = without_pressed(self._in_view(evidence), ledger)
            case Remedy.TOTAL:
                if self.watcher.refuse_total(look):
                    look = self.watcher.watch(done, ledger, PATIENCE)
            case Remedy.SKIN:
                if self.watcher.distrust_skin(look, ledger):
                    ledger = None if ledger is None else ledger.without_numbers()
                    evidence = replace(evidence, ledger=ledger)
                    look = self.watcher.watch(done, ledger, SECOND_LOOK)
            case Remedy.WORDS:
                stir(look, self.clicker)
                look = self.watcher.watch(done, ledger, WORDS)
            case Remedy.BOX:
                self.game.take(CLOSE)
                look = self.watcher.watch(at_rest, ledger, PATIENCE)
            case Remedy.BUTTON:
                if self.game.click_box(look):
                    step_aside(look, self.clicker)
                    look = self.watcher.watch(at_rest, ledger, PATIENCE)
            case Remedy.SEARCH if ledger is not None:
                look = self._found_anew(evidence, ledger)
        tried = {now.remedy: len(now.look.reading.unreadable)} if now.remedy else {}
        return self._seen(replace(evidence, tried={**evidence.tried, **tried}), look)

    def _in_view(self, evidence: Evidence) -> Look:
        """Return another look at the board once dialogs are closed and nothing lies over its window.

        Return the same look if the board was visible, no dialog was there and play can go on as it is.
        """
        look, shown = evidence.look, self.watcher.visibility() is Visibility.VISIBLE
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
            if self.watcher.visibility() is Visibility.VISIBLE:
                break
        return look

    def _await_user(self, now: Next, evidence: Evidence) -> Evidence:
        """Ask the user to take away what lies over the board, and return the evidence when that is done."""
        self.tell(f"{now.why}: please uncover the board; the bot then continues")

        def again() -> Look:
            look = self.watcher.watch(evidence.done, evidence.ledger, SECOND_LOOK)
            return look if look.doubt is None or not ledger else self._found_anew(evidence, ledger)

        def uncovered(look: Look) -> bool:
            readable = look.doubt is None or look.playable_despite_doubt
            return readable and evidence.possible(look.reading)

        ledger = evidence.ledger
        look = self.game.await_user(again, uncovered) or self._give_up(now.look, now.why)
        return self._seen(evidence, look)

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
        if is_another_game(found, ledger):
            raise AnotherGame(found, self._endings.unseen_end(replace(evidence, look=found), ledger))
        return self.watcher.look(ledger)

    def _give_up(self, look: Look, why: str) -> NoReturn:
        raise ContradictionError(f"stopped without a click: {why}; the picture is saved in {self.keep(look)}")

    def _finish(self, look: Look) -> GameResult:
        self._tally.ended = self._tally.ended or self.clock.now()  # else its end was not seen
        level = self.target.level_name(Level.of(look.reading.board))
        self.watcher.end_game()
        result = result_of(self.target.name, level, look, self._tally)
        self.on_end(result, look)
        return result

    def _settled(self, look: Look, ledger: Ledger | None) -> Look:
        """Close the dialogs after a game, and return another look, which shows its mines.

        Return ``look`` itself if its cells do not show the end, or the other look is in doubt or interrupted.
        """
        self._tally.ended = self._tally.covered or look.frame.time  # a dialog after a win marks the end
        if look.circumstances.silent and look.verdict.state.over:
            self.watcher.ends.learn_end(look.verdict.state)
        try:
            if look.verdict.won:
                self.game.take_records()
            if look.verdict.concluded:
                return look
            mines = State.FLAG, State.MINE, State.EXPLODED
            shown = self.watcher.watch(
                lambda r: r.board.count(*mines) == r.board.mines, ledger, MINES_PATIENCE
            )
            return self._with_mines_flagged(look if shown.doubt else shown)  # they are painted late
        except PAUSES as cause:
            self.control.suspend(cause)
        except BotError as end:  # raised after the game is reported
            self._end = end
        return look

    def _with_mines_flagged(self, look: Look) -> Look:
        """Set flags on the mines after a win that nothing beside the board shows, and return a new look.

        Some games are won only then. Where the game is over, such clicks change nothing.
        """
        left = look.reading.board.cells(State.COVERED, State.QUESTION)
        if not (left and look.verdict.won and self.target.asks) or self.watcher.ends.shown:
            return look
        moves = [Move(cell, Action.FLAG, 1.0, Reason.COUNTING) for cell in left]
        clicks = tour([moves], look.frame, look.reading.grid, self.mouse.position())
        self._click(tuple(clicks), look.reading.grid.pitch_y)
        flagged = self.watcher.watch(at_rest, self._ledger(look.reading.board), PATIENCE)
        return flagged if flagged.verdict.won else look


def patience(sent: int) -> float:
    """Return the seconds to wait, without change, for clicks that were ``sent`` so many times before."""
    return min(PATIENCE * 2.0**sent, MOST_PATIENCE)


def as_left(watcher: BoardWatcher, look: Look, ledger: Ledger) -> Look:
    """Return a new look after the last clicks; ``look`` if the board cannot be seen or is in doubt."""
    try:
        seen = watcher.look(ledger, _SETTLED)
    except (CaptureError, GameNotFoundError, WindowError):
        return look
    return look if seen.doubt else seen


class BoardGuard:
    """Checks between clicks that the board is still as in the look on which they are based.

    ``rival`` returns the window of another program if that has the keyboard, else None.
    """

    def __init__(self, watcher: BoardWatcher, rival: Callable[[], Window | None]) -> None:
        self._watcher, self._clock, self._rival = watcher, watcher.clock, rival
        self._look: Look | None = None
        self._glanced, self._checked = 0.0, -math.inf

    def go_by(self, look: Look) -> None:
        """Set ``look`` as the one on which the next clicks are based."""
        self._look, self._glanced = look, look.frame.time
        self._watcher.aim()

    def check(self, point: Point | None) -> None:
        """Raise if the board is hidden, or changed or moved, so that a click at ``point`` may miss it."""
        now = self._clock.now()
        if point and not self.as_it_was:
            raise ViewChangedError("the board has changed by itself")
        if now - self._checked >= COVER_INTERVAL:
            self._checked = now
            if self._watcher.visibility() is not Visibility.VISIBLE:
                raise ViewChangedError("the board was covered")
            if self._rival():
                raise ViewChangedError("another window has the keyboard")
        if point is None and self._watcher.follow():  # a click checks this itself
            raise ViewChangedError("the window was moved")

    @property
    def as_it_was(self) -> bool:
        """Whether most opened cells look as they did, or did so less than `GLANCE_INTERVAL` seconds ago.

        Numbers do not change while a game goes on; cells below the pointer or words may look different.
        """
        now, look = self._clock.now(), self._look
        if look is None or now - self._glanced < GLANCE_INTERVAL:
            return True
        self._glanced = now
        before = look.frame.crop(look.frame.on_screen(look.reading.grid.rect))
        seen = self._watcher.capture.glimpse(before.rect)
        return seen is not None and seen.rect == before.rect and _changed(look, seen, before) <= MOST_CHANGED


def _changed(look: Look, seen: Frame, before: Frame) -> float:
    """Return the share of the opened cells of ``look`` that differ between two pictures of its board."""
    board = look.frame.on_screen(look.reading.grid.rect)
    changed = Places(look.reading.grid).changed(_padded(seen, board), _padded(before, board))
    opened = look.reading.board.states.ravel() <= 8
    return float(opened[changed].sum() / max(1, opened.sum()))


def _padded(frame: Frame, board: Rect) -> Pixels:
    """Return a picture of the whole ``board``, black where the board lies outside the frame."""
    rect = frame.rect
    if rect == board:
        return frame.pixels
    beside = (rect.y - board.y, board.bottom - rect.bottom), (rect.x - board.x, board.right - rect.right)
    return np.pad(frame.pixels, (*beside, (0, 0)))
