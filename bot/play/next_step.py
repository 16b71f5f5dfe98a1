"""What to do next in play: the evidence after a step, and the phase of play that follows from it.

`Evidence` is a look, the ledger of the game, the clicks since then, and what was tried against doubts.
`Endings.conclude` returns the next `Phase` of play; `bot.play.player` carries it out and returns new
evidence. How a game stands is judged by `bot.verdict` alone: this module only adds what it asks for, such as
that clicks have had no effect, or that nothing removes what lies over the board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from bot.board import CLOSED, Board, State
from bot.clicker.clicks import Click, lost, only_flags
from bot.play.look import Look, at_rest, is_lost
from bot.verdict import NEXT, SEVERAL, Circumstances, GameState, Ledger, verdict_on
from bot.vision.reading import Doubt, Reading
from bot.words import cell_words

_SOMETHING_OVER = (Doubt.POINTER, Doubt.HIDDEN)  # it keeps a cell from being read
RETRIES = 5  # how often a lost click is sent again: if a fifth of them are lost, 1 click in 15,000 fails


class Phase(Enum):
    """The phases of a game, as far as looks at its board decide them."""

    PLAYING = "playing"  # the board is beyond doubt, and it is the bot's turn
    ANSWERING = "waiting for an answer"  # clicks had no effect yet: they are sent again
    DOUBT = "in doubt"  # there is a reason to doubt the look: a remedy is tried, then comes another look
    COVERED = "covered"  # by something that only the user can take away
    OVER = "over"
    STOPPED = "stopped"


class Remedy(Enum):
    """Ways to clear up a doubtful look, in the order in which they are tried."""

    ASIDE = "take the pointer off the board"
    VIEW = "close dialogs, and wait until nothing covers the window"
    TOTAL = "doubt the total of mines"
    SKIN = "read without the skin"
    WORDS = "wait until words across the board are gone"
    BOX = "close a box that is part of the picture"
    BUTTON = "click the button of such a box"
    SEARCH = "search for the board again"


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything known after a step of play.

    ``ledger`` is that of the game before the ``clicks`` of this round, None if there were none yet. ``sent``
    is how often they were sent, ``first_sent`` when first. ``dialogs`` are the titles of dialogs closed
    since. ``tried`` maps each remedy tried to the number of unreadable cells at that time. ``impossible`` is
    a board that was read although the rules of the game exclude it; ``all_open`` is why they do: a running
    game has a cell that can be opened.
    """

    look: Look
    ledger: Ledger | None = None
    clicks: tuple[Click, ...] = ()
    sent: int = 0
    first_sent: float | None = None
    dialogs: tuple[str, ...] = ()
    tried: Mapping[Remedy, int] = field(default_factory=dict)
    impossible: Board | None = None
    all_open: bool = False

    def against(self, doubt: str, *, all_open: bool = False) -> Evidence:
        """Return the evidence with a ``doubt``, after the solver found that the board is impossible."""
        look = replace(self.look, doubt=doubt, playable_despite_doubt=False)
        return replace(self, look=look, impossible=look.reading.board, all_open=all_open)

    def with_tried(self, remedy: Remedy) -> Evidence:
        """Return the evidence after ``remedy``. Once a box is closed, the board may have to be found."""
        tried = {**self.tried, remedy: len(self.look.reading.unreadable)}
        if remedy is Remedy.BOX:
            tried.pop(Remedy.SEARCH, None)
        return replace(self, tried=tried)

    def unanswered(self, reading: Reading) -> list[Click]:
        """Return the clicks that had no effect according to ``reading``; none if the game is over."""
        if self.ledger is None:
            return []
        waiting = lost(self.clicks, self.ledger.board, reading.board)
        over = waiting and verdict_on(reading.board, ledger=self.ledger).over
        return [] if over else waiting

    @property
    def may_be_over(self) -> bool:
        """Whether the clicks may have ended the game, judged by what can be seen."""
        board, ledger = self.look.reading.board, self.ledger
        if ledger is None or board.shape != ledger.board.shape:
            return False
        return bool(verdict_on(board, ledger=ledger).possible - {GameState.RUNNING})

    @property
    def done(self) -> Callable[[Reading], bool]:
        """The test whether a reading is enough: its board is possible, and all clicks had an effect."""
        if not ((self.ledger and self.clicks) or self.impossible):
            return at_rest
        return lambda reading: not self.unanswered(reading) and reading.board != self.impossible


@dataclass(frozen=True, slots=True)
class Next:
    """The next phase of play, the look it is based on, and the ``clicks`` that had no effect.

    ``remedy`` is the one to try, ``why`` a reason for the user; ``flags`` is whether flags can be set.
    """

    phase: Phase
    look: Look
    clicks: tuple[Click, ...] = ()
    remedy: Remedy | None = None
    why: str = ""
    flags: bool = True


class Endings:
    """Decides what to do next, and learns from games with a certain end what the titles of dialogs mean.

    Many games open dialogs with different titles, in the user's language, after a win and after a loss.
    If ``end_stays`` is true, the end of a game stays on the board until the next game is started.
    """

    def __init__(self, *, end_stays: bool = False) -> None:
        self._end_stays = end_stays
        self._meanings: dict[str, set[GameState]] = {}

    def conclude(self, evidence: Evidence) -> Next:
        """Return what to do next."""
        look, ledger = evidence.look, evidence.ledger
        if ledger is not None and not self._end_stays and _begun_anew(evidence, ledger):
            return Next(Phase.OVER, self.unseen_end(evidence, ledger))
        if look.doubt and (remedy := _remedy(evidence)):
            return Next(Phase.DOUBT, look, remedy=remedy)
        if look.doubt is None or look.playable_despite_doubt:
            follows = _after_clicks(replace(evidence, look=replace(look, doubt=None)))
            if follows.phase is not Phase.STOPPED or not _hides(look):
                return follows
            # What hides cells may also keep the game from hearing clicks: try to remove it before giving up.
            look = replace(look, doubt=follows.why, playable_despite_doubt=False)
            remedy = _remedy(replace(evidence, look=look))
            return Next(Phase.DOUBT, look, remedy=remedy) if remedy else follows
        if ledger is not None and (ended := _below_cover(evidence, ledger)):
            return Next(Phase.OVER, ended)
        return Next(Phase.COVERED if ledger and _hides(look) else Phase.STOPPED, look, why=look.doubt)

    def unseen_end(self, evidence: Evidence, ledger: Ledger, why: str = NEXT) -> Look:
        """Return a look that says how the last game ended, although it cannot be seen: ``why`` is the reason.

        Its board is the last one seen of that game, whose closed cells may have changed unseen. If that and
        the clicks leave both ends possible, the title of the dialog decides if its meaning is known.
        """
        before = ledger.board
        unseen = before.replace(dict.fromkeys(before.cells(*CLOSED), State.UNREADABLE))
        dialog = bool(evidence.dialogs) and not self._end_stays  # else the end would be seen
        boxed = evidence.tried.get(Remedy.BOX, 0) >= SEVERAL  # it hid so many cells
        silent = evidence.sent > RETRIES  # while a message is open, a page paints no answer
        seen = Circumstances(dialog=dialog, boxed=boxed, replaced=why == NEXT, silent=silent)
        verdict = verdict_on(unseen, seen, ledger)
        if verdict.state.over:
            for title in evidence.dialogs:
                self._meanings.setdefault(title, set()).add(verdict.state)
        else:
            verdict = verdict_on(unseen, replace(seen, told=self._meaning(evidence.dialogs)), ledger)
        known = verdict.state.over
        told = verdict.concluded if known or why in verdict.concluded else ""
        state = verdict.state if known else GameState.UNKNOWN
        ended = replace(verdict, state=state, over=True, concluded=told or why)
        reading = replace(evidence.look.reading, board=before)
        return replace(evidence.look, reading=reading, doubt=None, verdict=ended)

    def _meaning(self, titles: Iterable[str]) -> GameState | None:
        """Return how a game ended after which dialogs with these ``titles`` appeared; None if unknown.

        A title that was only seen after wins may also appear after losses, and the reverse. So titles count
        only if one was seen only after wins and another only after losses.
        """
        ends = (GameState.WON, GameState.LOST)
        apart = all({end} in self._meanings.values() for end in ends)
        meanings = [self._meanings.get(title) for title in titles]
        return next((end for end in ends if apart and {end} in meanings), None)


def _begun_anew(evidence: Evidence, ledger: Ledger) -> bool:
    """Return whether the fresh board of a next game has appeared after a dialog or a box was closed.

    If the last board was fresh, too, only a dialog after a click with a risk shows that its game ended.
    """
    reading = evidence.look.reading
    if reading.state is not GameState.NEW or reading.unreadable or reading.board.shape != ledger.board.shape:
        return False
    if not ledger.board.count(*range(9)):
        return bool(evidence.dialogs and ledger.risk)
    return bool(evidence.dialogs) or Remedy.BOX in evidence.tried  # it comes before BUTTON


def _after_clicks(evidence: Evidence) -> Next:
    """Return what to do after a look without doubt."""
    look, ledger, waiting = evidence.look, evidence.ledger, evidence.unanswered(evidence.look.reading)
    if look.verdict.over:
        return Next(Phase.OVER, look)
    if ledger is None or not waiting:
        return Next(Phase.PLAYING, look)
    if evidence.sent <= RETRIES:
        return Next(Phase.ANSWERING, look, clicks=tuple(waiting))
    if only_flags(waiting, ledger.board):
        return Next(Phase.PLAYING, look, flags=False)
    # While a message is open, a web page paints nothing, not even the cell whose click ended the game.
    may_be_over = ledger.risk > 0 or ledger.may_be_won
    if may_be_over and not _hides(look) and Remedy.BOX not in evidence.tried:
        return Next(Phase.DOUBT, look, remedy=Remedy.BOX)
    if ended := _after_silence(evidence, ledger):
        return Next(Phase.OVER, ended)
    why = (
        f"{evidence.sent} clicks on the cell at {cell_words(waiting[0].move.cell)} had no effect: "
        "make sure that no other program or dialog receives them, then start again"
    )
    return Next(Phase.STOPPED, look, tuple(waiting), why=why)


def _hides(look: Look) -> bool:
    """Return whether so many cells are unreadable that words or a box may lie over the board."""
    return len(look.reading.unreadable) >= SEVERAL


def _remedy(evidence: Evidence) -> Remedy | None:
    """Return the next remedy that may help: a new one, or one tried before a box or words hid more cells.

    When nothing hides cells any more, the board is searched for again: it may be that of another game.
    """
    tried, unread = evidence.tried, len(evidence.look.reading.unreadable)
    left = [one for one in Remedy if one not in tried or unread >= tried[one] + SEVERAL]
    if not unread and tried.get(Remedy.SEARCH, 0) >= SEVERAL:
        left.append(Remedy.SEARCH)
    return next((one for one in left if _may_help(one, evidence)), None)


def _may_help(remedy: Remedy, evidence: Evidence) -> bool:
    look = evidence.look
    match remedy:
        case Remedy.WORDS:
            return _hides(look)
        case Remedy.BOX:
            return (_hides(look), evidence.may_be_over, not look.playable_despite_doubt).count(True) > 1
        case Remedy.BUTTON:
            return _hides(look) and (evidence.may_be_over or not look.playable_despite_doubt)
        case Remedy.TOTAL:
            board = look.reading.board
            counted = any(problem.cell is None for problem in board.problems())
            return board.mines is not None and (counted or evidence.impossible == board)
        case Remedy.SEARCH:
            return evidence.ledger is not None and not look.playable_despite_doubt
        case _:
            return True


def _after_silence(evidence: Evidence, ledger: Ledger) -> Look | None:
    """Return the look as that of a finished game if nothing else explains why clicks have no effect.

    Otherwise return None. An opened cell shows a number unless it was a mine, and no running game ignores all
    clicks, or opens a dialog after each.
    """
    look, doubts = evidence.look, evidence.look.reading.doubts
    board = look.reading.board
    unread = [cell for cell in ledger.clicked or () if board[cell] == State.UNREADABLE]
    strange = [cell for cell in unread if doubts.get(cell) not in _SOMETHING_OVER]
    # Where several clicked cells cannot be read, these are numbers in unknown art: only one can be a mine.
    # A game that has answered no click yet may be waiting for a level to be chosen.
    sign = look.circumstances.sign and ledger.board.count(*range(9))
    if len(strange) != 1 and not ((sign or evidence.dialogs) and ledger.risk):
        return None
    seen = replace(look.circumstances, silent=True, dialog=bool(evidence.dialogs))
    return look.ended(seen, ledger)


def _below_cover(evidence: Evidence, ledger: Ledger) -> Look | None:
    """Return the look as that of a game that ended although its cells do not show it; None if it may go on.

    Something hides numbers, or no cell is left to open. Highlights on covered cells are no such case. If
    something else has replaced a whole board without numbers, the end is unknown.
    """
    look, reading = evidence.look, evidence.look.reading
    if not evidence.may_be_over:
        return None
    numbers = sum(ledger.board[cell] <= 8 for cell in reading.unreadable) >= SEVERAL
    gone = not numbers and is_lost(reading)
    seen = {*reading.doubts.values()}.isdisjoint(_SOMETHING_OVER)
    all_open = evidence.all_open and seen and reading.board == evidence.impossible
    ended = look.ended(replace(look.circumstances, hidden=numbers or gone, all_open=all_open), ledger)
    if ended and gone:
        return replace(ended, verdict=replace(ended.verdict, state=GameState.UNKNOWN))
    return ended


class AnotherGame(Exception):  # noqa: N818 - it is no error: play goes on
    """Raised when the game that was played was ended by hand, or replaced by another one.

    ``look`` shows the board now: if it is over, a new game must be started; otherwise play goes on with it.
    ``ended`` says how the previous game ended; None if that was the user's doing, and does not count.
    """

    def __init__(self, look: Look, ended: Look | None = None) -> None:
        if look.verdict.over:
            words = "the game was ended by hand: it does not count"
        elif ended is None:
            words = "another game was started: it is played now, and the previous game does not count"
        else:
            state = ended.verdict.state
            end = f"was {state.value}" if state.over else "did not end in sight"
            words = f"another game was started: the previous one {end}"
        super().__init__(words)
        self.look, self.ended = look, ended
