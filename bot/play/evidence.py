"""What is known after a step of play, and the one place that concludes from it what to do next.

A `Look` is what was seen, with what speaks against it beside the `Past`. `Evidence` adds what was clicked
before, and what was tried against doubts. `Endings.conclude` says in which `Phase` play is then;
`bot.play.player` carries that out and comes back with new evidence.

A highlight, a hint, a status line or a box over the board must not end a game: each of these comes up while
a game goes on, too. What ends one is that the board shows it (`bot.vision`), that all cells without a mine
are open (`with_win`), a sign that was there at an earlier end (`bot.play.end_detection`), or
what follows here. Where that leaves it open how a game ended, its end is unknown, never counted as a loss.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

import numpy as np

from bot.board import CLOSED, NOT_OPEN, Board, Cell, Problem, State
from bot.clicker import Click
from bot.clicker.clicks import lost, only_flags
from bot.geometry import Frame
from bot.rules import near
from bot.vision.reading import Doubt, GameState, Reading, check_change, doubt_words

RETRIES = 5  # how often a lost click is sent again: where a fifth is lost, one of 15,000 stays without answer
SEVERAL = 3  # cells: words and boxes hide as many at least
DEAF = "a cell that was clicked shows something that is no number, and no other cell answers to clicks"
SIGN = "no cell answers to clicks since something beside the board has changed"
ALL_OPENED = "the last cells without a mine were opened; something lies over the board"
FLAGGED = "the game has flagged all mines in sight; the other cells cannot be read"
UNSEEN = "something lies over the board, and the last clicks may have ended the game"
DIALOG = "a dialog lay over the board, and the next game was there when it was closed"
MOST_CHANGED = 0.5  # of the opened cells
_NO_WIN = (State.COVERED, State.QUESTION, State.UNREADABLE, State.EXPLODED, State.WRONG_FLAG)
_READ = 0.5  # of the cells must be readable for play to go on beside the others


@dataclass(frozen=True, slots=True)
class Look:
    """A picture that was at rest, what was read on it, and why it is not to be trusted (None: it is).

    ``unsure`` are cells whose state nothing but their look tells yet: nothing is to be proved from them.
    ``bearable`` says that play may go on beside the cells that cannot be read, if waiting does not help.
    ``concluded`` says by what else than its cells the game is known to be over, "" if it is not. How it ended
    is the reading's state; a state that is not over means that its end is unknown.
    """

    frame: Frame
    reading: Reading
    doubt: str | None = None
    unsure: frozenset[Cell] = frozenset()
    bearable: bool = False
    concluded: str = ""

    @property
    def over(self) -> bool:
        """Whether the game is over, be it known how it ended or not."""
        return self.reading.state.over or bool(self.concluded)

    @property
    def won(self) -> bool | None:
        """Whether a game that is over was won; None if that is unknown."""
        return self.reading.state is GameState.WON if self.reading.state.over else None

    @property
    def careful(self) -> Board:
        """The board without the numbers that are not sure."""
        return self.reading.board.without_numbers(self.unsure)

    @property
    def sure(self) -> Board:
        """The board without all that is not sure, flags and covered cells too."""
        unsure = dict.fromkeys(self.unsure, State.UNREADABLE)
        return self.reading.board.replace(unsure) if unsure else self.reading.board


@dataclass(frozen=True, slots=True)
class Past:
    """The last trusted board of a game, and the cells clicked in this game; None if anybody may have."""

    board: Board
    clicked: frozenset[Cell] | None = None


def doubt_about(reading: Reading, past: Past | None) -> str | None:
    """Return in words why a reading cannot be right, None if nothing speaks against it.

    Cells that the past could not read either are no news.
    """
    news = reading
    if past is not None and past.board.shape == reading.board.shape:
        old = [cell for cell in reading.unreadable if past.board[cell] == State.UNREADABLE]
        if old:
            news = replace(reading, board=reading.board.replace(dict.fromkeys(old, State.COVERED)))
    return doubt_words(news) or _contradiction(reading, past)


def zero_beside_mark(board: Board, before: Board) -> bool:
    """Return whether a zero that is new has a closed neighbour, though no covered one.

    It may be a cell that is still pressed, which looks like a zero; a covered neighbour would say so.
    """
    marks, zeros = board.states > int(State.COVERED), (board.states == 0) & (before.states != 0)
    return bool(marks.any() and (marks & near(zeros)).any())


def without_pressed(look: Look, past: Past | None) -> Look:
    """Return the look with zeros that are new and beside covered cells as covered, if that leaves no doubt.

    Such a cell is still pressed, which looks like a zero: a menu or a dialog that came up with the click kept
    the game from hearing of its release.
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


def bearable(reading: Reading, past: Past | None) -> bool:
    """Return whether nothing speaks against a reading but that a part of its cells cannot be read."""
    few = len(reading.unreadable) < _READ * reading.board.states.size
    return few and _contradiction(reading, past) is None


def _contradiction(reading: Reading, past: Past | None) -> str | None:
    for problem in reading.board.problems():
        if not _flag_taken_off(problem, reading.board, past):
            return problem.message
    if past is None:
        return None
    board = reading.board
    if reading.state is GameState.WON:  # then what cannot be read is a mine, however it is shown
        board = board.replace(dict.fromkeys(reading.unreadable, State.FLAG))
    return next(iter(check_change(past.board, board, past.clicked)), None)


def _flag_taken_off(problem: Problem, board: Board, past: Past | None) -> bool:
    """Return whether a covered cell beside a zero had a flag, which kept the zero from opening it."""
    if not problem.closed or problem.cell is None:
        return False
    if past is None or past.board.shape != board.shape:
        return False
    closed = [cell for cell in board.neighbours(problem.cell) if board[cell] == State.COVERED]
    touched = past.clicked or frozenset()
    return all(cell in touched or past.board[cell] in (State.FLAG, State.QUESTION) for cell in closed)


def with_win(reading: Reading, past: Past | None, *, known_art: bool) -> Reading:
    """Return the reading as that of a won game if the clicks, beside what the cells show, tell that it is.

    Some games show their mines at a win, too: it is one if all cells are shown, and no mine was clicked. In
    art that is not known, mines may be shown in a way that cannot be read: it is a win if so many cells are
    open that all others must be mines.
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
    """Return whether all cells that are not open can be mines, and nothing else is one.

    ``opened`` are cells that are taken to be open, though they cannot be read; ``unknown`` may be either.
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
    """Where play stands."""

    WAITING = "waiting for a game"
    PLAYING = "playing"  # the board is beyond doubt, and it is the bot's turn
    ANSWERING = "waiting for an answer"  # clicks had no effect yet: they are sent again
    DOUBT = "in doubt"  # something speaks against what is seen: a remedy is tried, then it is looked again
    COVERED = "covered"  # by what only the user can take away
    PAUSED = "paused"
    OVER = "over"
    STOPPED = "stopped"


class Remedy(Enum):
    """What may clear up a doubtful look, in the order in which it is tried."""

    ASIDE = "take the pointer off the board"
    VIEW = "close dialogs, and wait until nothing lies over the window"
    SKIN = "read without the skin"
    WORDS = "wait until words across the board are gone"
    BOX = "close a box that is part of the picture"
    BUTTON = "click the button of such a box"
    SEARCH = "search for the board anew"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known after a step.

    ``past`` is what was there before the ``clicks`` of this round, None if there were none yet; ``sent`` says
    how often those were sent, ``asked`` when first, ``risk`` is theirs. ``dialogs`` are the titles of those
    that were closed since, ``tried`` the remedies, with the number of cells that could not be read then;
    ``sign`` says whether something beside the board has changed. ``impossible`` is a board that was read,
    though the rules of the game exclude it.
    """

    look: Look
    past: Past | None = None
    clicks: tuple[Click, ...] = ()
    sent: int = 0
    asked: float | None = None
    risk: float = 0.0
    dialogs: tuple[str, ...] = ()
    sign: bool = False
    tried: Mapping[Remedy, int] = field(default_factory=dict)
    impossible: Board | None = None

    def against(self, doubt: str) -> Evidence:
        """Return the evidence after the solver found that the board cannot be what it looks like."""
        look = replace(self.look, doubt=doubt, bearable=False)
        return replace(self, look=look, impossible=look.reading.board)

    def unanswered(self, reading: Reading) -> list[Click]:
        """Return the clicks that had no effect, as far as a reading shows."""
        if self.past is None or reading.state.over:
            return []
        return lost(self.clicks, self.past.board, reading.board)

    @property
    def remedies(self) -> list[Remedy]:
        """Return the remedies that are left: not tried yet, or only before a box or words came up."""
        unread = len(self.look.reading.unreadable)
        return [one for one in Remedy if one not in self.tried or unread >= self.tried[one] + SEVERAL]

    @property
    def may_be_over(self) -> bool:
        """Whether the clicks may have ended the game, as far as is seen."""
        board = self.look.reading.board
        if self.past is None or board.shape != self.past.board.shape:
            return False
        clicked = [click.move.cell for click in self.clicks]
        mine = self.risk > 0 and not (clicked and all(board[cell] <= 8 for cell in clicked))
        return mine or rest_may_be_mines(board, unknown=board.cells(State.UNREADABLE))

    @property
    def done(self) -> Callable[[Reading], bool]:
        """What tells whether a reading is enough: a possible one, and all clicks had their effect."""
        if not ((self.past and self.clicks) or self.impossible):
            return at_rest
        return lambda reading: not self.unanswered(reading) and self.possible(reading)

    def possible(self, reading: Reading) -> bool:
        """Return whether a reading shows another board than the one that was found to be impossible."""
        return reading.board != self.impossible


@dataclass(frozen=True, slots=True)
class Next:
    """What to do next: ``look`` is the one to go by, ``clicks`` are those without an answer.

    ``why`` is for the user; ``flags`` says whether the game takes any.
    """

    phase: Phase
    look: Look
    clicks: tuple[Click, ...] = ()
    remedy: Remedy | None = None
    why: str = ""
    flags: bool = True


class Endings:
    """Concludes what to do next, and learns from ends that are certain what the game's dialogs mean.

    Many games give the dialog after a win another title than that after a loss, in the user's language.
    Where ``end_stays``, the end of a game stays on the board until somebody begins the next one.
    """

    def __init__(self, *, end_stays: bool = False) -> None:
        self._end_stays = end_stays
        self._meanings: dict[str, set[GameState]] = {}

    def conclude(self, evidence: Evidence) -> Next:
        """Return what to do next."""
        look, past = evidence.look, evidence.past
        if past is not None and not self._end_stays and _begun_anew(evidence, past):
            return Next(Phase.OVER, self._hidden_end(evidence, past))
        if look.doubt is None:
            return _after_clicks(evidence)
        if remedy := next((one for one in evidence.remedies if _may_help(one, evidence)), None):
            return Next(Phase.DOUBT, look, remedy=remedy)
        if look.bearable:
            return _after_clicks(replace(evidence, look=replace(look, doubt=None)))
        if past is not None and (ended := _below_cover(evidence, past)):
            return Next(Phase.OVER, ended)
        return Next(Phase.COVERED if past and _hides(look) else Phase.STOPPED, look, why=look.doubt)

    def _hidden_end(self, evidence: Evidence, past: Past) -> Look:
        """Return a look that tells how the last game ended, although only the next game is in view.

        It shows the last board that was seen. A click on a proven cell has not lost the game, and a guess
        that left too many cells covered has not won it. Where both are possible, the title of the dialog
        decides if it has stood for one sort of end before; else the end is unknown.
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
        """Return how a game has ended after which dialogs with these titles came up; running if unknown.

        A title that was seen at one sort of ends only may come at the other sort as well, until that was
        seen with a title of its own.
        """
        ends = (GameState.WON, GameState.LOST)
        apart = all({end} in self._meanings.values() for end in ends)
        meanings = [self._meanings.get(title) for title in titles]
        return next((end for end in ends if apart and {end} in meanings), GameState.RUNNING)


def _begun_anew(evidence: Evidence, past: Past) -> bool:
    """Return whether the next game is there, below a dialog or a box that was closed: its board is fresh.

    Where the last one was fresh, too, only a dialog after a click that may have hit a mine tells of an end.
    """
    reading = evidence.look.reading
    if reading.state is not GameState.NEW or reading.unreadable or reading.board.shape != past.board.shape:
        return False
    if not past.board.count(*range(9)):
        return bool(evidence.dialogs and evidence.risk)
    return bool(evidence.dialogs) or Remedy.BOX in evidence.tried  # always before the button


def may_be_won(past: Past) -> bool:
    """Return whether the clicks of a game may have won it: all that was not clicked may be mines."""
    board = past.board
    left = {*board.cells(*CLOSED)} - (past.clicked or frozenset())
    return board.mines is None or len(left) <= board.mines


def _after_clicks(evidence: Evidence) -> Next:
    """Return what to do after a look that is beyond doubt."""
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
    row, col = waiting[0].move.cell
    why = (
        f"the cell at row {row}, column {col} does not answer to {evidence.sent} clicks: "
        "see that no other program or dialog takes them, then start again"
    )
    return Next(Phase.STOPPED, look, tuple(waiting), why=why)


def _hides(look: Look) -> bool:
    """Return whether so much cannot be read that words or a box may lie over the board."""
    return len(look.reading.unreadable) >= SEVERAL


def _may_help(remedy: Remedy, evidence: Evidence) -> bool:
    look = evidence.look
    match remedy:
        case Remedy.WORDS:
            return _hides(look)
        case Remedy.BOX:
            return (_hides(look), evidence.may_be_over, not look.bearable).count(True) > 1
        case Remedy.BUTTON:
            return _hides(look) and (evidence.may_be_over or not look.bearable)
        case Remedy.SEARCH:
            return evidence.past is not None and not look.bearable
        case _:
            return True


def _after_silence(look: Look, past: Past, risk: float, *, sign: bool) -> Look | None:
    """Return the look as that of a game that is over if nothing else explains its silence; else None.

    ``risk`` is that of the last clicks, ``sign`` says whether something beside the board has changed. A cell
    that was opened shows a number, unless it was a mine; and no game that goes on ignores all clicks. It is
    lost, unless all cells that are closed may be mines: then it may have been won before the last clicks.
    """
    board, doubts = look.reading.board, look.reading.doubts
    if board.shape != past.board.shape:
        return None
    unread = [cell for cell in past.clicked or () if board[cell] == State.UNREADABLE]
    strange = [cell for cell in unread if doubts.get(cell) not in (Doubt.POINTER, Doubt.COVERED)]
    if not strange and not (sign and risk):
        return None
    won = rest_may_be_mines(board, unknown=board.cells(State.UNREADABLE))
    reading = replace(look.reading, state=GameState.RUNNING if won else GameState.LOST)
    return replace(look, reading=reading, doubt=None, concluded=DEAF if strange else SIGN)


def _below_cover(evidence: Evidence, past: Past) -> Look | None:
    """Return the look as that of a game that is over below what hides it; None if it may go on.

    It is won if the last clicks, proved to be safe, opened the last cells without a mine, or if the game has
    flagged all mines in sight by itself. Else its end is unknown if numbers are hidden. A light on covered
    cells hides none, nor does it leave all mines in sight.
    """
    look, board = evidence.look, evidence.look.reading.board
    if not evidence.may_be_over:
        return None
    flagged = _flagged_by_game(board, past)
    hidden = sum(past.board[cell] <= 8 for cell in look.reading.unreadable) >= SEVERAL
    if not (hidden or flagged or board.count(*CLOSED) == board.mines):
        return None
    answered = past.clicked is not None and not any(board[cell] == State.COVERED for cell in past.clicked)
    opened = not evidence.risk and past.board.mines is not None and answered and may_be_won(past)
    if opened or flagged:
        won = replace(look.reading, state=GameState.WON)
        return replace(look, reading=won, doubt=None, concluded=ALL_OPENED if opened else FLAGGED)
    return replace(look, doubt=None, concluded=UNSEEN) if hidden else None


def _flagged_by_game(board: Board, past: Past) -> bool:
    """Return whether all closed cells in sight have flags now, and nobody has set several of those."""
    if board.shape != past.board.shape:
        return False
    clicked = past.clicked or frozenset()
    new = [
        cell for cell in board.cells(State.FLAG) if past.board[cell] == State.COVERED and cell not in clicked
    ]
    return len(new) >= SEVERAL and not board.count(State.COVERED)


def _certain(past: Past, risk: float, *, dialog: bool) -> GameState | None:
    """Return how a game must have ended after which a ``dialog``, or a box, came up; None if nobody knows.

    A click may open more cells than its own: a game with many closed ones is seldom won by that. Boxes come
    up in games that go on, too: after one, only a game of which all was opened is won.
    """
    if not risk:
        return GameState.WON if dialog or may_be_won(past) else None
    closed = past.board.count(*CLOSED)
    one_left = past.board.mines is None or closed - 1 <= past.board.mines
    board = past.board  # an opening may be where closed cells touch no number
    isolated = any(
        all(board[other] > 8 for other in board.neighbours(cell)) for cell in board.cells(State.COVERED)
    )
    return None if one_left or isolated else GameState.LOST


def at_rest(_reading: Reading) -> bool:
    """Return True: any board will do, as long as it stands still."""
    return True


class AnotherGame(Exception):  # noqa: N818 - it is no error: play goes on
    """Another game than the one that was played is on the screen, as ``look`` shows it.

    One that is over there is what the user has made of the game.
    """

    def __init__(self, look: Look) -> None:
        over = "the game was ended by hand: it does not count"
        begun = "another game was begun: it is played now, and the one before does not count"
        super().__init__(over if look.reading.state.over else begun)
        self.look = look


def is_another_game(look: Look, past: Past) -> bool:
    """Return whether a look, taken without a past, can be of no later position of the past game.

    It shows a board of another size, or one on which several cells that were open are not what they were, and
    one of them is closed, or they are most; and nothing on it is in doubt. Colours that shift may let several
    numbers be misread alike, but close no cell; and one cell that is different may have been misread.
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
