"""How a game stands: new, running, won or lost. Nothing else in the program decides that.

Every witness is a row of one table: evidence in nats for or against a state, with its reason in words. The
witnesses are the cells, what is beside them, and the ledger of a game that was played: what was clicked, and
with what risk. The ledger is the strongest of them. The state with the most evidence is the verdict if it
leads by `CERTAIN` nats, otherwise the state is unknown.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from bot.board import CLOSED, OPENED, SHOWN_MINES, Board, Cell, State, bounds_of, cells_where, is_one_of
from bot.counting_rules import Bounds, near

CERTAIN = 3.0  # nats by which a state leads
EXCLUDED = 10.0  # nats: the rules of the game allow no exception; only a misread cell speaks against it
PROVEN = 3 * EXCLUDED  # nats: all other witnesses together do not outweigh a proof
LIKELY = 4.0  # nats: seldom otherwise
WEAK = 3.0  # nats: a hint that decides only where nothing else speaks
SEVERAL = 3  # cells: one or two may be misread, or hidden by the pointer or a stain
SILENT = "clicks have no effect any more"
HIDDEN = "something covers the board, and the last clicks may have ended the game"
DIALOG = "a dialog came up"
NEXT = "the next game has begun"
ALL_OPEN = "no cell is left that can be opened"


class GameState(Enum):
    """How a game stands."""

    NEW = "new"
    RUNNING = "running"
    WON = "won"
    LOST = "lost"
    UNKNOWN = "unknown"

    @property
    def over(self) -> bool:
        """Whether the game is won or lost."""
        return self in (GameState.WON, GameState.LOST)


RUNNING, WON, LOST = GameState.RUNNING, GameState.WON, GameState.LOST
_LARGE = 64  # cells; one click may win a smaller board
_MINES = is_one_of(*CLOSED, *SHOWN_MINES)
_CLOSED = is_one_of(*CLOSED)
_UNREADABLE = is_one_of(State.UNREADABLE)


@dataclass(frozen=True, slots=True)
class Ledger:
    """What was done in a game: the last ``board`` beyond doubt, and the clicks.

    ``clicked`` are all cells clicked so far (None: any cell may have been). ``opening`` are the cells that
    the clicks on ``board`` were to open, and ``risk`` is the chance that one of them is a mine: 0 if they
    were proven safe, 1 if that is unknown. ``strayed`` are cells that another click on ``board`` may have
    hit: it was meant for the button of a box over them, which may have been no button.
    """

    board: Board
    clicked: frozenset[Cell] | None = None
    opening: frozenset[Cell] = frozenset()
    risk: float = 1.0
    strayed: frozenset[Cell] = frozenset()

    def without_numbers(self) -> Ledger:
        """Return the same without the numbers: they were read with a skin that is no longer trusted."""
        return replace(self, board=self.board.without_numbers(self.board))

    def with_stray(self, cell: Cell) -> Ledger:
        """Return the same with a click that was not meant for ``cell``, but may have hit it."""
        clicked = None if self.clicked is None else self.clicked | {cell}
        return replace(self, clicked=clicked, strayed=self.strayed | {cell})

    @property
    def may_be_won(self) -> bool:
        """Whether the clicks may have won the game: all closed cells that were not clicked may be mines."""
        left = {*self.board.cells(*CLOSED)} - (self.clicked or frozenset())
        return self.board.mines is None or len(left) <= self.board.mines


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What is known of a game besides its cells and its ledger.

    ``face`` is the state that a face above the board shows. ``told`` is the state that a sign or the title of
    a dialog meant at earlier ends. ``silent``: clicks were sent again and again without effect. ``hidden``:
    something covers the board, and nothing that was tried removes it. ``dialog``: the game opened a dialog.
    ``boxed``: a box that was part of the picture was closed. ``replaced``: a fresh board is in the place of
    the one that was played. ``sign``: something beside the board has changed, whose meaning is unknown.
    ``all_open``: each cell that can be read and is not open must be a mine.
    """

    face: GameState | None = None
    told: GameState | None = None
    silent: bool = False
    hidden: bool = False
    dialog: bool = False
    boxed: bool = False
    replaced: bool = False
    sign: bool = False
    all_open: bool = False


NOTHING = Circumstances()


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a game stands.

    ``over`` is whether it has ended, even if ``state`` is unknown. ``why`` are the reasons in words, the
    strongest first. ``concluded`` are those besides the cells, "" if these show the end.
    """

    state: GameState
    over: bool = False
    why: tuple[str, ...] = ()
    concluded: str = ""
    possible: frozenset[GameState] = frozenset()

    @property
    def doubt(self) -> str | None:
        """Why no state of the game fits what is seen; None if one does."""
        return None if self.possible else f"the game is in no possible state: {'; '.join(self.why)}"

    @property
    def won(self) -> bool | None:
        """Whether the game was won; None if it is not over or its end is unknown."""
        return self.state is WON if self.over and self.state.over else None


_Row = tuple[GameState, float, str]  # a state, nats for it, and why


def verdict_on(board: Board, circumstances: Circumstances = NOTHING, ledger: Ledger | None = None) -> Verdict:
    """Return how the game on ``board`` stands; without a ledger, as far as one look can tell."""
    if ledger is not None and ledger.board.shape != board.shape:
        ledger = None
    if ledger is not None:
        board = _with_numbers(board, ledger.board)
    cells, rest = [*_by_cells(board, ledger)], [*_by_circumstances(circumstances)]
    by_cells = _leading(cells)
    if ledger is not None:
        rest += _by_ledger(board, circumstances, ledger, by_cells[2][WON])
    state, over, sums = _leading(cells + rest)
    seen = not over or by_cells[:2] == (state, over)
    closed = board.count(*CLOSED)
    if state is RUNNING and closed and closed + board.count(State.UNREADABLE) == board.states.size:
        state = GameState.NEW
    # A row is a reason for a state if it is for it, or against another one.
    reasons = [row for row in (*cells, *rest) if (row[0] is state) == (row[1] > 0)]
    why = tuple(words for _, _, words in sorted(reasons, key=lambda row: -abs(row[1])))
    told = "" if seen else "; ".join(row[2] for row in rest if row in reasons)
    return Verdict(state, over, why, told, frozenset(one for one in sums if sums[one] > -EXCLUDED / 2))


def _with_numbers(board: Board, before: Board) -> Board:
    """Return the board with the numbers seen ``before``, which stay, unless it may be of another game."""
    opened = before.states <= 8
    gone = opened & (board.states > 8)
    misread = int((gone & ~_UNREADABLE[board.states]).sum())
    if not gone.any() or misread >= min(SEVERAL, opened.sum() / 2):
        return board
    return Board(np.where(gone, before.states, board.states), board.mines)


def _leading(rows: list[_Row]) -> tuple[GameState, bool, dict[GameState, float]]:
    """Return the state that leads, or `GameState.UNKNOWN`; whether the game is over; and all sums of nats."""
    sums = dict.fromkeys((RUNNING, WON, LOST), 0.0)
    for state, nats, _ in rows:
        sums[state] += nats
    best, second, _ = sorted(sums, key=lambda state: -sums[state])
    over = max(sums[WON], sums[LOST]) - sums[RUNNING] >= CERTAIN
    return best if sums[best] - sums[second] >= CERTAIN else GameState.UNKNOWN, over, sums


def _by_cells(board: Board, ledger: Ledger | None) -> Iterator[_Row]:
    """Yield what the cells say. ``ledger`` tells which cells can have exploded: those that were opened."""
    count = np.bincount(board.states.ravel(), minlength=len(_MINES)).tolist()
    covered, flags = count[State.COVERED] + count[State.QUESTION], count[State.FLAG]
    mines, unread = sum(count[state] for state in SHOWN_MINES), count[State.UNREADABLE]
    wrong = count[State.WRONG_FLAG]
    if mines or wrong:
        yield RUNNING, -EXCLUDED, "mines are shown"
    else:
        yield RUNNING, LIKELY, "no mine is shown"
    if wrong:
        yield WON, -EXCLUDED, "a wrong flag is shown"
    if not (sum(count[: State.COVERED]) or mines or unread) and (ledger is None or not ledger.opening):
        yield RUNNING, EXCLUDED, "no cell is open"
    strange = np.zeros(0, np.bool_)  # whether each cell that must be a mine cannot be read
    if unread and not mines:
        strange = _UNREADABLE[board.states][bounds_of(board.states).mines]
    no_known_mine = len(strange) >= SEVERAL and bool(strange.all())
    opening = () if ledger is None or not ledger.risk else ledger.opening
    hit = any(board[cell] == State.UNREADABLE for cell in opening)  # if each closed cell is a mine, it is one
    all_open = [*_all_open(may_show_mines=no_known_mine or mines > 0, hit=hit)]
    least = covered + flags + mines
    enough = board.mines is None or board.mines <= least + unread
    if board.mines is not None and least > board.mines:
        yield WON, -EXCLUDED, "cells without a mine are covered"
    elif least + unread == board.mines and _rest_fits(board):  # else the total is another number beside it
        yield from all_open
    elif mines and covered:
        yield WON, -EXCLUDED, "cells are covered although mines are shown"
    elif not (enough and any(count[1 : State.COVERED]) and _rest_fits(board)):
        yield WON, -EXCLUDED, "the numbers show that a closed cell is no mine"
    elif board.mines is None and _needs_all(board):
        yield from all_open
    elif unread and ledger is None:
        yield RUNNING, -WEAK, "all covered cells may be mines, and other cells cannot be read"
    elif not unread and covered:
        yield RUNNING, -WEAK, "all covered cells may be mines"
    elif not unread and flags and not mines:
        yield WON, LIKELY, "every closed cell has a flag"
    if no_known_mine:
        yield RUNNING, -LIKELY, "cells that must be mines look like none that are known"
    elif ledger is None and strange.any():
        yield RUNNING, -WEAK, "a cell that must be a mine cannot be read"
    exploded = {*board.cells(State.EXPLODED)} if mines else set[Cell]()
    if ledger is not None and ledger.clicked is not None:
        exploded &= ledger.opening | ledger.clicked
    others = least - len(exploded)
    if exploded and others and (len(exploded) == 1 or others > flags):
        yield LOST, EXCLUDED, "a mine has exploded: it looks unlike the others"


def _all_open(may_show_mines: bool, hit: bool) -> Iterator[_Row]:
    yield RUNNING, -EXCLUDED, "every cell without a mine is open"
    if hit:
        yield LOST, EXCLUDED, "a cell that was clicked must be a mine"
    elif not may_show_mines:  # some games open all cells when they are lost
        yield WON, EXCLUDED, "no cell without a mine is covered"


def _rest_fits(board: Board) -> bool:
    """Return whether no number contradicts that all closed cells are mines; unreadable ones may be either."""
    bounds = Bounds.of(board.states, _MINES[board.states], _UNREADABLE[board.states])
    return not bool(bounds.broken.any())


def _needs_all(board: Board) -> bool:
    """Return whether each cell not seen to be open is beside a number that needs all such cells around it."""
    closed = _MINES[board.states] | _UNREADABLE[board.states]
    return bool((Bounds.of(board.states, np.zeros(board.shape, np.bool_), closed).mines == closed).all())


def _by_circumstances(seen: Circumstances) -> Iterator[_Row]:
    match seen.face:
        case GameState.WON:
            yield WON, EXCLUDED, "the face wears sunglasses"
        case GameState.LOST:
            yield LOST, EXCLUDED, "the face is dead"
        case GameState.RUNNING:
            yield RUNNING, WEAK, "the face smiles"
    if seen.told is not None:
        yield seen.told, EXCLUDED, f"something beside the board is as after a game that was {seen.told.value}"
    if seen.silent:
        yield RUNNING, -EXCLUDED - LIKELY, SILENT
    if seen.hidden:
        yield RUNNING, -EXCLUDED - LIKELY, HIDDEN
    if seen.dialog:
        yield RUNNING, -EXCLUDED - LIKELY, DIALOG
    if seen.all_open:
        yield RUNNING, -EXCLUDED - LIKELY, ALL_OPEN
    if seen.boxed:
        yield RUNNING, -2 * LIKELY, "a box came up"


def _by_ledger(board: Board, seen: Circumstances, ledger: Ledger, won: float) -> Iterator[_Row]:
    """Yield what follows from the clicks on the last board beyond doubt: all earlier ones were answered.

    ``won`` is how much the cells alone speak for a win, in nats.
    """
    before, opening = ledger.board, [board[cell] for cell in ledger.opening]
    marks = (*SHOWN_MINES, State.FLAG)
    strayed = any(board[cell] in marks and before[cell] not in marks for cell in ledger.strayed)
    if strayed:  # then the other clicks prove nothing about the end
        yield RUNNING, -EXCLUDED - LIKELY, "a mine is shown below what looked like the button of a box"
        # Some games open all cells when they are lost, and show mines as flags; some show mines when won.
        against = EXCLUDED if board.count(State.COVERED, State.EXPLODED) else max(won, 0.0)
        yield WON, -against, "a click on what looked like the button of a box may have hit a mine"
        return
    if ledger.risk:
        yield LOST, math.log(ledger.risk), f"the last click had a risk of {ledger.risk:.0%}"
    else:
        yield LOST, -PROVEN, "each cell that was clicked was proven safe"
    struck = any(state in marks for state in opening)
    if struck:
        if ledger.risk:
            yield RUNNING, -LIKELY, "a click opens a cell, and does not mark it"
        yield LOST, EXCLUDED, "a cell that was clicked shows a mine"
        yield WON, -EXCLUDED, "a cell that was clicked is no number"
    elif opening and all(state <= 8 for state in opening):
        yield LOST, -EXCLUDED, "every cell that was clicked is open"
    elif ledger.risk and State.UNREADABLE in opening:
        yield RUNNING, -WEAK, "a cell that was clicked cannot be read"
    clicked = ledger.clicked or frozenset()
    flagged = cells_where((board.states == int(State.FLAG)) & (before.states == int(State.COVERED)))
    marked = [cell for cell in flagged if cell not in clicked]
    unread = sum(state == State.UNREADABLE for state in opening)
    if ledger.clicked is not None and len(marked) >= SEVERAL:
        if board.count(State.COVERED):
            yield WON, -EXCLUDED, "the game has set flags, but covered cells are left"
        elif not struck and (not unread or board.count(State.FLAG) == before.mines):
            yield RUNNING, -EXCLUDED, "the game has set flags on all closed cells"
            yield WON, EXCLUDED, "the game has flagged all mines"
        dealt_anew = bool(((before.states <= 8) & _CLOSED[board.states]).any())
        others_marked = before.mines in (None, board.count(State.FLAG) + 1) and not dealt_anew
        if ledger.risk and unread == 1 and others_marked:
            yield RUNNING, -EXCLUDED, "the game has set flags"
            yield LOST, LIKELY, "the game has marked all other mines, and the clicked cell shows no number"
    if seen.all_open and not clicked.issuperset(_unread_safe_cells(board, before)):
        yield RUNNING, EXCLUDED, "a cell without a mine cannot be read, and may be left to open"
    unseen = seen.replaced or seen.dialog or seen.hidden
    if seen.replaced and ledger.risk:  # after a proven click, the user may have begun another game
        yield RUNNING, -LIKELY, NEXT
    size = before.states.size
    if unseen and size >= _LARGE and 2 * before.count(*OPENED) < size:
        yield WON, -2 * LIKELY, "one click seldom opens half of a board"
    if before.mines is None or not (unseen or board.count(*CLOSED) == before.mines) or not _rest_fits(board):
        return
    answered = seen.replaced or not any(
        board[cell] == State.COVERED or before[cell] == board[cell] == State.UNREADABLE for cell in clicked
    )
    if not ledger.risk and ledger.may_be_won and answered:
        yield RUNNING, -EXCLUDED, "the last cells without a mine were clicked"
        yield WON, EXCLUDED, "the last cells without a mine were opened"
    elif unseen and not ledger.may_be_won and not (_may_open_all(before) if ledger.risk else seen.dialog):
        yield WON, -EXCLUDED, "cells without a mine were not clicked"


def _unread_safe_cells(board: Board, before: Board) -> list[Cell]:
    """Return the cells without a mine, by the numbers, that cannot be read and were not open before."""
    unread = _UNREADABLE[board.states] & (before.states > 8)
    return cells_where(unread & bounds_of(board.states).safe)


def _may_open_all(board: Board) -> bool:
    """Return whether a single click may open many cells: a covered cell that touches no number."""
    alone = (board.states == int(State.COVERED)) & ~near(board.states <= 8)
    return bool(alone.any())
