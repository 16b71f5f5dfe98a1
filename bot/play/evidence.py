"""The evidence after a step of play, and the rules that decide from it what to do next.

A `Look` is a settled frame, its reading, and any reason to doubt it. `Evidence` adds the `Past`, the clicks
since then, and what was tried against doubts. `Endings.conclude` returns the next `Phase` of play;
`bot.play.player` carries it out and returns new evidence.

A highlight, a hint, a status line or a box over the board must not end a game: each of them also appears
while a game goes on. A game is over if the board shows it (`bot.vision`), if all cells without a mine are
open (`with_win`), if a sign appears that was there at an earlier end (`bot.play.end_detection`), or by the
rules below. If these leave open how the game ended, its end is unknown; it is never counted as a loss.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

import numpy as np

from bot.board import CLOSED, NOT_OPEN, Board, Cell, Problem, State
from bot.clicker.clicks import Click, lost, only_flags
from bot.counting_rules import near
from bot.geometry import Frame
from bot.vision.reading import Doubt, GameState, Reading, check_change, doubt_words
from bot.words import cell_words

RETRIES = 5  # how often a lost click is sent again: if a fifth of them are lost, 1 click in 15,000 fails
SEVERAL = 3  # cells: words and boxes over the board hide at least this many
DEAF = "a clicked cell shows something other than a number, and clicks on other cells have no effect"
SIGN = "clicks have had no effect since something beside the board changed"
ALL_OPENED = "the last cells without a mine were opened; something covers the board"
FLAGGED = "the game has flagged all mines in sight; the other cells cannot be read"
MARKED = "the game has marked all other mines, and the clicked cell shows no number"
UNSEEN = "something covers the board, and the last clicks may have ended the game"
DIALOG = "a dialog covered the board; after it was closed, the next game had started"
MOST_CHANGED = 0.5  # of the opened cells: if more look different, it is another board
_NO_WIN = (State.COVERED, State.QUESTION, State.UNREADABLE, State.EXPLODED, State.WRONG_FLAG)
_READ = 0.5  # of the cells must be readable, or play cannot go on without the others


@dataclass(frozen=True, slots=True)
class Look:
    """A settled frame, its reading, and the reason to doubt it (None: it is trusted).

    ``unsure`` are cells whose state is only guessed from how they look: they must not support a proof.
    ``playable_despite_doubt`` is true if play may go on without the unreadable cells, should waiting not
    help. If something other than the cells shows that the game is over, ``concluded`` says what; else it is
    "". The reading's state says how the game ended; if that state is not over, the end is unknown.
    """

    frame: Frame
    reading: Reading
    doubt: str | None = None
    unsure: frozenset[Cell] = frozenset()
    playable_despite_doubt: bool = False
    concluded: str = ""

    def ended(self, state: GameState, why: str) -> Look:
        """Return this look of a game that is now known to have ended in ``state``, concluded from ``why``."""
        return replace(self, reading=replace(self.reading, state=state), doubt=None, concluded=why)

    @property
    def over(self) -> bool:
        """Whether the game is over, even if it is unknown how it ended."""
        return self.reading.state.over or bool(self.concluded)

    @property
    def won(self) -> bool | None:
        """Whether the game was won; None if it is not over or its end is unknown."""
        return self.reading.state is GameState.WON if self.reading.state.over else None

    @property
    def careful(self) -> Board:
        """The board with all ``unsure`` numbers, and those at open sides, made unreadable."""
        return self.reading.careful.without_numbers(self.unsure)

    @property
    def sure(self) -> Board:
        """The board with all ``unsure`` cells made unreadable, flags and covered cells too."""
        unsure = dict.fromkeys(self.unsure, State.UNREADABLE)
        return self.reading.board.replace(unsure) if unsure else self.reading.board


@dataclass(frozen=True, slots=True)
class Past:
    """The last trusted board of a game, and the cells clicked in it (None: any cell may have been)."""

    board: Board
    clicked: frozenset[Cell] | None = None

    def without_numbers(self) -> Past:
        """Return the same without the numbers: they were read with a skin that is no longer trusted."""
        return replace(self, board=self.board.without_numbers(self.board))


def doubt_about(reading: Reading, past: Past | None) -> str | None:
    """Return in words why a reading cannot be trusted, None if there is no reason.

    A cell that cannot be read is no reason if it could not be read in ``past`` either.
    """
    news = reading
    if past is not None and past.board.shape == reading.board.shape:
        old = [cell for cell in reading.unreadable if past.board[cell] == State.UNREADABLE]
        if old:
            news = replace(reading, board=reading.board.replace(dict.fromkeys(old, State.COVERED)))
    return doubt_words(news) or _contradiction(reading, past)


def zero_beside_mark(board: Board, before: Board) -> bool:
    """Return whether a new zero touches a flag or anything else that is neither opened nor covered.

    It may be a cell that is still pressed, which looks like a zero. A covered neighbour causes doubt anyway.
    """
    marks, zeros = board.states > int(State.COVERED), (board.states == 0) & (before.states != 0)
    return bool(marks.any() and (marks & near(zeros)).any())


def without_pressed(look: Look, past: Past | None) -> Look:
    """Return the look with new zeros beside covered cells read as covered, if that removes the doubt.

    Such a cell is still pressed, which looks like a zero: a menu or a dialog that opened during the click
    kept the game from receiving the release of the button. Otherwise ``look`` is returned.
    """
    board = look.reading.board
    if look.doubt is None or past is None or past.board.shape != board.shape:
        return look
    pressed = [
        cell
        for cell in board.cells(0)
        if past.board[cell] == State.COVERED
        and any(board[other] == State.COVERED for other in board.neighbours(cell))
    ]
    reading = replace(look.reading, board=board.replace(dict.fromkeys(pressed, State.COVERED)))
    return look if doubt_about(reading, past) else replace(look, reading=reading, doubt=None)


def may_be_playable(reading: Reading, past: Past | None) -> bool:
    """Return whether a reading contradicts nothing, and fewer than half of its cells cannot be read."""
    few = len(reading.unreadable) < _READ * reading.board.states.size
    return few and _contradiction(reading, past) is None


def _contradiction(reading: Reading, past: Past | None) -> str | None:
    for problem in reading.careful.problems():
        if not _flag_taken_off(problem, reading.board, past):
            return problem.message
    if past is None:
        return None
    board = reading.board
    if reading.state is GameState.WON:  # then each unreadable cell is a mine, however it looks
        board = board.replace(dict.fromkeys(reading.unreadable, State.FLAG))
    return next(iter(check_change(past.board, board, past.clicked)), None)


def _flag_taken_off(problem: Problem, board: Board, past: Past | None) -> bool:
    """Return whether every covered cell beside a zero had a mark, which kept it closed, or was clicked."""
    if not problem.unopened_zero or problem.cell is None:
        return False
    if past is None or past.board.shape != board.shape:
        return False
    closed = [cell for cell in board.neighbours(problem.cell) if board[cell] == State.COVERED]
    touched = past.clicked or frozenset()
    return all(cell in touched or past.board[cell] in (State.FLAG, State.QUESTION) for cell in closed)


def with_win(reading: Reading, past: Past | None, *, known_art: bool) -> Reading:
    """Return the reading as that of a won game if its cells and the clicks together prove the win.

    Some games show their mines after a win, too: it is a win if all cells are shown and no mine was clicked.
    In unknown art, the mines may be shown in a way that cannot be read: it is a win if so many cells are open
    that all others must be mines, and none of the unreadable cells was clicked.
    """
    board = reading.board
    if past is None or past.clicked is None or reading.state is GameState.WON:
        return reading
    won = False
    if reading.state is GameState.LOST:
        won = not board.count(*_NO_WIN) and past.clicked.isdisjoint(board.cells(State.MINE))
    elif not known_art and (unread := reading.unreadable):
        won = board.count(*NOT_OPEN) == board.mines and past.clicked.isdisjoint(unread)
    return replace(reading, state=GameState.WON) if won else reading


def rest_may_be_mines(board: Board, opened: Collection[Cell] = (), unknown: Collection[Cell] = ()) -> bool:
    """Return whether the cells that are not open can be exactly the mines.

    ``opened`` are cells that count as open although they cannot be read; ``unknown`` may be open or mines.
    """
    closed = {*board.cells(*NOT_OPEN)} - {*opened}
    certain = closed - {*unknown}
    if board.mines is not None and not len(certain) <= board.mines <= len(closed):
        return False
    numbers = [(cell, number) for cell, number in board.numbers() if number]
    around = ((number, board.neighbours(cell)) for cell, number in numbers)
    return bool(numbers) and all(
        len(certain.intersection(near)) <= number <= len(closed.intersection(near)) for number, near in around
    )


class Phase(Enum):
    """The phases of play."""

    WAITING = "waiting for a game"
    PLAYING = "playing"  # the board is beyond doubt, and it is the bot's turn
    ANSWERING = "waiting for an answer"  # clicks had no effect yet: they are sent again
    DOUBT = "in doubt"  # there is a reason to doubt the look: a remedy is tried, then comes another look
    COVERED = "covered"  # by something that only the user can take away
    PAUSED = "paused"
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

    ``past`` is the state before the ``clicks`` of this round, None if there were none yet. ``sent`` is how
    often they were sent, ``first_sent`` when first, ``risk`` their risk. ``dialogs`` are the titles
    of dialogs closed since. ``tried`` maps each remedy tried to the number of unreadable cells at that time.
    ``sign`` is whether something beside the board has changed. ``impossible`` is a board that was read
    although the rules of the game exclude it.
    """

    look: Look
    past: Past | None = None
    clicks: tuple[Click, ...] = ()
    sent: int = 0
    first_sent: float | None = None
    risk: float = 0.0
    dialogs: tuple[str, ...] = ()
    sign: bool = False
    tried: Mapping[Remedy, int] = field(default_factory=dict)
    impossible: Board | None = None

    def against(self, doubt: str) -> Evidence:
        """Return the evidence with a ``doubt``, after the solver found that the board is impossible."""
        look = replace(self.look, doubt=doubt, playable_despite_doubt=False)
        return replace(self, look=look, impossible=look.reading.board)

    def unanswered(self, reading: Reading) -> list[Click]:
        """Return the clicks that had no effect according to ``reading``; none if the game is over."""
        if self.past is None or reading.state.over:
            return []
        return lost(self.clicks, self.past.board, reading.board)

    @property
    def remedies(self) -> list[Remedy]:
        """The remedies left to try: new ones, and those tried before a box or words hid more cells."""
        unread = len(self.look.reading.unreadable)
        return [one for one in Remedy if one not in self.tried or unread >= self.tried[one] + SEVERAL]

    @property
    def may_be_over(self) -> bool:
        """Whether the clicks may have ended the game, judged by what can be seen."""
        board = self.look.reading.board
        if self.past is None or board.shape != self.past.board.shape:
            return False
        clicked = [click.move.cell for click in self.clicks]
        mine = self.risk > 0 and not (clicked and all(board[cell] <= 8 for cell in clicked))
        return mine or rest_may_be_mines(board, unknown=board.cells(State.UNREADABLE))

    @property
    def done(self) -> Callable[[Reading], bool]:
        """The test whether a reading is enough: its board is possible, and all clicks had an effect."""
        if not ((self.past and self.clicks) or self.impossible):
            return at_rest
        return lambda reading: not self.unanswered(reading) and self.possible(reading)

    def possible(self, reading: Reading) -> bool:
        """Return whether ``reading`` shows another board than the ``impossible`` one."""
        return reading.board != self.impossible


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
        look, past = evidence.look, evidence.past
        if past is not None and not self._end_stays and _begun_anew(evidence, past):
            return Next(Phase.OVER, self._hidden_end(evidence, past))
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
        if past is not None and (ended := _below_cover(evidence, past)):
            return Next(Phase.OVER, ended)
        return Next(Phase.COVERED if past and _hides(look) else Phase.STOPPED, look, why=look.doubt)

    def _hidden_end(self, evidence: Evidence, past: Past) -> Look:
        """Return a look that says how the last game ended, although only the next game can be seen.

        Its board is the last one seen of that game. A click on a proven safe cell cannot have lost the game,
        and a guess that left too many cells covered cannot have won it. If both ends are possible, the title
        of the dialog decides if its meaning is known; otherwise the end is unknown.
        """
        state = _certain(past, evidence.risk, dialog=bool(evidence.dialogs))
        if state is None:
            state = self._meaning(evidence.dialogs)
        else:
            for title in evidence.dialogs:
                self._meanings.setdefault(title, set()).add(state)
        reading = replace(evidence.look.reading, board=past.board, state=state)
        return replace(evidence.look, reading=reading, doubt=None, concluded=DIALOG)

    def _meaning(self, titles: Iterable[str]) -> GameState:
        """Return how a game ended after which dialogs with these ``titles`` appeared; RUNNING if unknown.

        A title that was only seen after wins may also appear after losses, and the reverse. So titles count
        only if one was seen only after wins and another only after losses.
        """
        ends = (GameState.WON, GameState.LOST)
        apart = all({end} in self._meanings.values() for end in ends)
        meanings = [self._meanings.get(title) for title in titles]
        return next((end for end in ends if apart and {end} in meanings), GameState.RUNNING)


def _begun_anew(evidence: Evidence, past: Past) -> bool:
    """Return whether the fresh board of a next game has appeared after a dialog or a box was closed.

    If the last board was fresh, too, only a dialog after a click with a risk shows that its game ended.
    """
    reading = evidence.look.reading
    if reading.state is not GameState.NEW or reading.unreadable or reading.board.shape != past.board.shape:
        return False
    if not past.board.count(*range(9)):
        return bool(evidence.dialogs and evidence.risk)
    return bool(evidence.dialogs) or Remedy.BOX in evidence.tried  # it comes before BUTTON


def may_be_won(past: Past) -> bool:
    """Return whether the clicks of a game may have won it: all closed cells not clicked may be mines."""
    board = past.board
    left = {*board.cells(*CLOSED)} - (past.clicked or frozenset())
    return board.mines is None or len(left) <= board.mines


def _after_clicks(evidence: Evidence) -> Next:
    """Return what to do after a look without doubt."""
    look, past, waiting = evidence.look, evidence.past, evidence.unanswered(evidence.look.reading)
    if look.over:
        return Next(Phase.OVER, look)
    if past is None or not waiting:
        return Next(Phase.PLAYING, look)
    if evidence.sent <= RETRIES:
        return Next(Phase.ANSWERING, look, clicks=tuple(waiting))
    if only_flags(waiting, past.board):
        return Next(Phase.PLAYING, look, flags=False)
    if ended := _after_silence(look, past, evidence.risk, sign=evidence.sign):
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
    """Return the next remedy to try; None if none is left that may help."""
    return next((one for one in evidence.remedies if _may_help(one, evidence)), None)


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
            return evidence.past is not None and not look.playable_despite_doubt
        case _:
            return True


def _after_silence(look: Look, past: Past, risk: float, *, sign: bool) -> Look | None:
    """Return the look as that of a finished game if nothing else explains why clicks have no effect.

    Otherwise return None. ``risk`` is that of the last clicks; ``sign`` is whether something beside the board
    has changed. An opened cell shows a number unless it was a mine, and no running game ignores all clicks.
    The game is lost, or its end is unknown if it may have been won before: if all closed cells may be mines.
    """
    board, doubts = look.reading.board, look.reading.doubts
    if board.shape != past.board.shape:
        return None
    unread = [cell for cell in past.clicked or () if board[cell] == State.UNREADABLE]
    strange = [cell for cell in unread if doubts.get(cell) not in (Doubt.POINTER, Doubt.HIDDEN)]
    if not strange and not (sign and risk):
        return None
    won = rest_may_be_mines(board, unknown=board.cells(State.UNREADABLE))
    return look.ended(GameState.RUNNING if won else GameState.LOST, DEAF if strange else SIGN)


def _below_cover(evidence: Evidence, past: Past) -> Look | None:
    """Return the look as that of a game that ended although something hides it; None if it may go on.

    The game is won if the last clicks, on proven safe cells, opened the last cells without a mine, or if the
    game itself has flagged all mines in sight. It is lost if the game itself has marked all mines but one,
    and a clicked cell shows no number. Otherwise its end is unknown if numbers are hidden. Highlights on
    covered cells are no such case: they hide no numbers, and not all mines are in sight.
    """
    look, board = evidence.look, evidence.look.reading.board
    if not evidence.may_be_over:
        return None
    by_game = {*board.cells(State.FLAG)} & {*past.board.cells(State.COVERED)} - (past.clicked or frozenset())
    marked = len(by_game) >= SEVERAL
    flagged = marked and not board.count(State.COVERED)
    hidden = sum(past.board[cell] <= 8 for cell in look.reading.unreadable) >= SEVERAL
    struck = [click for click in evidence.clicks if board[click.move.cell] == State.UNREADABLE]
    if marked and evidence.risk and len(struck) == 1 and board.count(State.FLAG) + 1 == past.board.mines:
        return look.ended(GameState.LOST, MARKED)
    if not (hidden or flagged or board.count(*CLOSED) == board.mines):
        return None
    answered = past.clicked is not None and not any(board[cell] == State.COVERED for cell in past.clicked)
    opened = not evidence.risk and past.board.mines is not None and answered and may_be_won(past)
    if opened or flagged:
        return look.ended(GameState.WON, ALL_OPENED if opened else FLAGGED)
    return replace(look, doubt=None, concluded=UNSEEN) if hidden else None


def _certain(past: Past, risk: float, *, dialog: bool) -> GameState | None:
    """Return how a game must have ended before a ``dialog``, or a box, appeared; None if that is uncertain.

    ``risk`` is that of the last clicks. One click may open many cells, but it seldom wins a game with many
    closed ones. Boxes also appear in running games: after one, a game is won only if all safe cells are open.
    """
    if not risk:
        return GameState.WON if dialog or may_be_won(past) else None
    closed = past.board.count(*CLOSED)
    one_left = past.board.mines is None or closed - 1 <= past.board.mines
    board = past.board  # a covered cell that touches no number may be part of an opening
    isolated = any(
        all(board[other] > 8 for other in board.neighbours(cell)) for cell in board.cells(State.COVERED)
    )
    return None if one_left or isolated else GameState.LOST


def at_rest(_reading: Reading) -> bool:
    """Return True: any reading of a settled picture is enough."""
    return True


class AnotherGame(Exception):  # noqa: N818 - it is no error: play goes on
    """Raised when the game that was played was ended by hand, or replaced by another one.

    ``look`` shows the board now: if it is over, a new game must be started; otherwise play goes on with it.
    """

    def __init__(self, look: Look) -> None:
        over = "the game was ended by hand: it does not count"
        begun = "another game was started: it is played now, and the previous game does not count"
        super().__init__(over if look.reading.state.over else begun)
        self.look = look


def is_another_game(look: Look, past: Past) -> bool:
    """Return whether ``look``, taken without a past, cannot show a later position of the past game.

    Nothing on it is in doubt. The board has another size; or most cells that were open are different; or
    several are, and one of them is closed now. Shifted colours may make several numbers be misread in the
    same way, but close no cell; and a single cell that is different may have been misread.
    """
    board = look.reading.board
    if look.doubt is not None or look.reading.unreadable:
        return False
    if board.shape != past.board.shape:
        return True
    opened = past.board.states <= 8
    before, now = past.board.states[opened], board.states[opened]
    closed, changed = bool(np.isin(now, CLOSED).any()), int((now != before).sum())
    return changed > MOST_CHANGED * len(now) or (closed and changed >= SEVERAL)
