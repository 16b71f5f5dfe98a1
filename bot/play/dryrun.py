"""Dry run: watch the board on the screen and suggest clicks, without ever moving the mouse or clicking."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from bot.board import Board, FirstClick
from bot.clicker.clicks import in_order_from
from bot.desktop.protocols import Visibility
from bot.errors import ContradictionError, GameNotFoundError, NothingToOpenError, StoppedError, WindowError
from bot.geometry import Point
from bot.play.look import Look
from bot.play.orders import Control
from bot.play.results import Settings
from bot.play.watcher import BoardWatcher
from bot.solver import Strategy
from bot.solver.decision import Decision
from bot.solver.strategies import decide_on
from bot.stop import NEVER, Paused, Stop
from bot.verdict import GameState
from bot.vision.reading import Doubt

INTERVAL = 0.05  # seconds between two looks
UNSEEN = 0.25  # seconds between two looks while no board is seen: each may search the whole screen
PAUSED = "paused: press Go on, or send the order go, for more suggestions"
STUCK = "no cell is proven safe: a guess is needed"
LEFT_OUT = "the cell under the mouse pointer cannot be read and is left out"
PATIENCE = 0.5  # seconds to wait for a settled board that is beyond doubt

DecisionOrReason = tuple[Decision | None, str]  # of `suggest`


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A look at the board (None if it is not seen), and what to click.

    ``why`` says why there is no ``decision``, or why that has no moves, or which cell it leaves out.
    """

    look: Look | None
    decision: Decision | None
    why: str = ""


_PAUSE = Suggestion(None, None, PAUSED)


def suggest(
    board: Board,
    state: GameState,
    rule: FirstClick,
    strategy: Strategy,
    careful: Board | None = None,
    guess: bool = True,
    stop: Stop = NEVER,
) -> DecisionOrReason:
    """Return the decision on ``board`` and "", or None and why there is none; both if it has no moves.

    ``careful`` is ``board`` without its uncertain numbers (None: all are certain). No first click is known.
    """
    if state.over:
        return None, f"the game is {state.value}"
    try:
        decision = decide_on(board, careful or board, rule, strategy, guess=guess, stop=stop)
    except (ContradictionError, NothingToOpenError) as reason:
        return None, str(reason)
    return decision, "" if decision.moves else STUCK


def watch(
    watcher: BoardWatcher,
    settings: Settings,
    control: Control | None = None,
    seen: Callable[[Suggestion], None] = lambda _: None,
    rest: Callable[[float], None] | None = None,
) -> Iterator[Suggestion]:
    """Yield a suggestion for each new position until the user stops, which also ends thinking.

    ``settings`` say by which strategy, and whether to guess. If the board is not found, not completely
    visible or in doubt, one suggestion without a decision is yielded, and another one at a pause. The moves
    begin where the pointer is when a position is first seen, and keep that order. For ``control``, each new
    position is a round. ``seen`` is called with the suggestion of every look, new or not. ``rest`` is called
    with the seconds to wait between looks, but may wait for any time (None: sleep). Raises WindowError if the
    window is closed.
    """
    stop, rule = watcher.capture.stop, settings.target.first_click
    control = control or Control(stop, watcher.clock)
    known = dict[object, DecisionOrReason]()  # the last position alone

    @lru_cache(maxsize=1)  # another cell hidden by the pointer changes a position, but not the order
    def start(_opened: int) -> Point:
        return watcher.reader.pointer() if watcher.reader.pointer else Point(0, 0)

    def ask(look: Look) -> DecisionOrReason:
        board, state = look.reading.board, look.verdict.state
        if (position := (board, look.careful, state)) not in known:
            decision, why = suggest(board, state, rule, settings.strategy, look.careful, settings.guess, stop)
            stop.raise_if_stopped()  # the reason may have cut the thinking short: then nothing is kept
            if decision is not None:
                begin = start(board.count(*range(9)))
                decision = in_order_from(begin, decision, look.sure, look.frame, look.reading.grid)
            known.clear()
            known[position] = decision, why
        return known[position]

    rest = rest or watcher.clock.sleep
    shown: tuple[Board | None, str] | None = None
    with suppress(StoppedError):
        while True:
            try:
                stop.raise_if_stopped()
                suggestion = _suggestion(watcher, ask)
                board = None if suggestion.look is None else suggestion.look.reading.board
                if (news := (board, suggestion.why)) != shown:
                    control.begin_round()
            except Paused as cause:
                control.suspend(cause)
                seen(_PAUSE)
                yield _PAUSE
                control.wait()
                shown = None
                continue
            seen(suggestion)
            if news != shown:
                shown = news
                yield suggestion
            rest(INTERVAL if suggestion.look else UNSEEN)


def _suggestion(watcher: BoardWatcher, ask: Callable[[Look], DecisionOrReason]) -> Suggestion:
    watcher.place.follow()
    try:
        look, doubt = seen_now(watcher)
    except (GameNotFoundError, WindowError) as unseen:
        return Suggestion(None, None, str(unseen))
    if doubt:
        return Suggestion(look, None, doubt)
    decision, why = ask(look)
    return Suggestion(look, decision, why or (LEFT_OUT if look.doubt else ""))


def seen_now(watcher: BoardWatcher) -> tuple[Look, str]:
    """Return a look at the board now, and the doubt about it, "" if only the pointer hides cells.

    Raises GameNotFoundError if there is no board, WindowError if it is not completely visible.
    """
    visibility = watcher.place.visibility
    if visibility is not Visibility.VISIBLE:
        raise WindowError(f"the board is {visibility.value}")
    look = watcher.look(None, PATIENCE)
    reading, doubt = look.reading, look.doubt or ""
    pointer = all(reading.doubts.get(cell) is Doubt.POINTER for cell in reading.unreadable)
    return look, "" if reading.unreadable and pointer and not reading.careful.problems() else doubt
