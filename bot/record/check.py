"""Check a record: find cells that were misread, and decisions that were wrong.

Each picture is read again, without knowledge from earlier pictures, and each board is decided again. If a
game's final board shows all mines, its rounds are also compared with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from bot.board import CHARACTERS, Cell, State, cells_where
from bot.counting_rules import neighbour_sum
from bot.errors import ContradictionError, NotInTimeError, RecordError
from bot.game.simulation import mine_map
from bot.record.lines import Record, RecordedGame, RecordedLook, RecordedRound, RunInfo
from bot.solver import EXACT, STRATEGIES, Strategy, decide
from bot.solver.decision import Action, Decision, Reason
from bot.solver.strategies import CompiledStrategy, PlainStrategy
from bot.vision import Skin, read_grid, read_picture
from bot.vision.reading import Reading, check_change
from bot.words import cell_words

_MOST_NAMED = 5  # the most cells of one round that a message names
_NEAR = 0.6  # of a cell's size: two grids that are closer than this count as the same grid


class ProblemKind(StrEnum):
    """A kind of problem in a round."""

    PICTURE = "missing picture"
    MISREAD = "misread"  # the picture shows another state than the recorded one
    IMPOSSIBLE = "impossible"  # a recorded board that contradicts itself, the one before, or the final mines
    LOST = "lost proof"  # a cell that can be proven safe, but was not proven in the record
    FALSE = "false proof"  # a recorded proof that cannot be repeated, or that the mines at the end disprove
    RISK = "risk"  # a recorded risk that differs from the risk computed now
    STRAY = "stray click"  # a click that was sent to a place where none was planned


_Finding = tuple[ProblemKind, str]


@dataclass(frozen=True, slots=True)
class RecordProblem:
    """A problem in words, with the numbers of its game and round (round 0: the final board)."""

    game: int
    round: int
    kind: ProblemKind
    words: str

    def __str__(self) -> str:
        where = f"round {self.round}" if self.round else "the end"
        return f"game {self.game}, {where}: {self.kind}: {self.words}"


@dataclass(slots=True)
class CheckCounts:
    """Counts of what was checked."""

    games: int = 0
    rounds: int = 0
    pictures: int = 0
    cells: int = 0
    proofs: int = 0
    unread: int = 0  # cells that could not be read again, because no skin knows their look


def check_game(
    record: Record, game: RecordedGame, skins: Sequence[Skin], checked: CheckCounts
) -> Iterator[RecordProblem]:
    """Yield every problem in one game of ``record``, and add to the counts in ``checked``.

    ``skins`` must contain those with which the game was read. A board with another skin is read without one.
    """
    checked.games += 1
    known = {skin.name: skin for skin in skins}
    for number, seen in _numbered(game):
        for kind, words in _check_look(record, seen, known, checked):
            yield RecordProblem(game.number, number, kind, words)
    yield from _check_changes(game, by_hand=bool(record.about.settings.get("dry_run")))
    mines = None if game.final is None else mine_map(game.final.board)
    for turn in game.rounds:
        checked.rounds += 1
        checked.proofs += sum(move.risk == 0 for move in turn.decision.moves)
        problems = [*_check_clicks(turn)]
        if mines is not None and mines.shape == turn.seen.board.shape:
            problems += _check_truth(turn, mines)
        problems += _check_decision(record, game, turn)
        for kind, words in problems:
            yield RecordProblem(game.number, turn.number, kind, words)


def _numbered(game: RecordedGame) -> Iterator[tuple[int, RecordedLook]]:
    """Yield the looks of a game with their round numbers; the final look has number 0."""
    yield from ((turn.number, turn.seen) for turn in game.rounds)
    if game.final is not None:
        yield 0, game.final


def _check_look(
    record: Record, seen: RecordedLook, skins: Mapping[str, Skin], checked: CheckCounts
) -> Iterator[_Finding]:
    try:
        pixels = record.picture(seen)
    except RecordError as error:
        yield ProblemKind.PICTURE, str(error)
        return
    checked.pictures += 1
    skin = skins.get(seen.skin)
    if skin is not None:
        again: Reading | None = read_grid(pixels, seen.grid, skin)
    else:
        again = None
        with suppress(NotInTimeError):
            again = _like(seen, read_picture(pixels, tuple(skins.values()), first_sight=True, every=True))
    if again is None:
        yield ProblemKind.MISREAD, "the board cannot be found again"
        return
    now, then = again.board, seen.board
    hidden = {*(Cell(row, col) for row, col, _ in seen.unread), *seen.remembered}
    checked.cells += then.states.size - len(hidden)
    changed = [cell for cell in cells_where(now.states != then.states) if cell not in hidden]
    if skin is None:
        unread = [cell for cell in changed if State.UNREADABLE in (now[cell], then[cell])]
        checked.unread += len(unread)
        changed = [cell for cell in changed if cell not in unread]
    if changed:
        states = ((cell_words(cell), CHARACTERS[then[cell]], CHARACTERS[now[cell]]) for cell in changed)
        yield (
            ProblemKind.MISREAD,
            _few_of(f"{where} was read as '{old}' but shows '{new}'" for where, old, new in states),
        )


def _like(seen: RecordedLook, readings: Iterable[Reading]) -> Reading | None:
    """Return the reading whose grid has the place and size of the grid of ``seen``, or None."""
    for reading in readings:
        grid = reading.grid
        far = max(abs(grid.x - seen.grid.x), abs(grid.y - seen.grid.y))
        if reading.board.shape == seen.board.shape and far < _NEAR * grid.pitch_x:
            return reading
    return None


def _check_changes(game: RecordedGame, *, by_hand: bool) -> Iterator[RecordProblem]:
    """Yield each board that contradicts itself or the board before it.

    With ``by_hand`` a person made the clicks, so any cell may have been opened between two boards.
    """
    clicked = set[Cell]()
    moves = {turn.number: [click.move.cell for click in turn.clicks] for turn in game.rounds}
    for number, seen in _numbered(game):
        for problem in seen.careful.problems()[:1]:
            yield RecordProblem(game.number, number, ProblemKind.IMPOSSIBLE, problem.message)
    for (before_number, before), (number, seen) in pairwise(_numbered(game)):
        clicked.update(moves[before_number])
        for words in check_change(before.board, seen.board, None if by_hand else clicked)[:1]:
            yield RecordProblem(game.number, number, ProblemKind.IMPOSSIBLE, words)


def _check_clicks(turn: RecordedRound) -> Iterator[_Finding]:
    """Yield the sent clicks for which no click on that cell with that button was planned."""
    grid, origin = turn.seen.grid, turn.seen.origin
    planned = {(click.move.cell, click.button.value) for click in turn.clicks}
    for sent in turn.sent:
        if sent.point is None:
            continue
        cell = grid.cell_at(sent.point.x - origin.x + 0.5, sent.point.y - origin.y + 0.5)
        if cell is None or (cell, sent.button) not in planned:
            where = "beside the board" if cell is None else f"at {cell_words(cell)}"
            yield ProblemKind.STRAY, f"a {sent.button} click {where} that was not planned"


def _check_truth(turn: RecordedRound, mines: npt.NDArray[np.bool_]) -> Iterator[_Finding]:
    """Yield the numbers and proofs of a round that the mines shown at the end disprove."""
    board, counts = turn.seen.board, neighbour_sum(mines)
    wrong = [cell for cell, number in board.numbers() if number != counts[cell]]
    if wrong:
        words = (f"the {board[cell]} at {cell_words(cell)} touches {counts[cell]} mines" for cell in wrong)
        yield ProblemKind.IMPOSSIBLE, _few_of(words)
    if turn.decision.reason is Reason.FIRST_CLICK:
        return  # the game may have moved a mine away from the first click
    opened = [move.cell for move in turn.decision.moves if move.risk == 0 and move.action is Action.OPEN]
    fatal = [cell for cell in opened if mines[cell]]
    if fatal:
        yield (
            ProblemKind.FALSE,
            _few_of(f"{cell_words(cell)} was proven safe but is a mine" for cell in fatal),
        )
    free = sorted(cell for cell in turn.decision.mines if not mines[cell])
    if free:
        yield ProblemKind.FALSE, _few_of(f"{cell_words(cell)} was proven a mine but is safe" for cell in free)


def _check_decision(record: Record, game: RecordedGame, turn: RecordedRound) -> Iterator[_Finding]:
    decision, about, first = turn.decision, record.about, _first_click(game)
    strategy = STRATEGIES[about.strategy]
    guessed = decision.reason in (Reason.GUESS, Reason.FIRST_CLICK)
    try:
        same = every = decide_again(about, turn.seen, strategy, first)
        if guessed and isinstance(strategy, CompiledStrategy):
            every = decide_again(about, turn.seen, EXACT, first)  # counts without the kernel
    except ContradictionError as contradiction:
        yield ProblemKind.IMPOSSIBLE, str(contradiction)
        return
    if isinstance(strategy, PlainStrategy) and strategy.learns:
        return  # the record does not contain what it had learned by then
    then, now = _proven_cells(decision), _proven_cells(same)
    if guessed:
        now |= _proven_cells(every)
    if lost := sorted(now - then):
        yield ProblemKind.LOST, _few_of(f"{cell_words(cell)} can be proven safe" for cell in lost)
    if false := sorted(then - now):
        yield ProblemKind.FALSE, _few_of(f"{cell_words(cell)} cannot be proven safe" for cell in false)
    yield from _check_risks(decision, same)


def decide_again(
    about: RunInfo, seen: RecordedLook, strategy: Strategy, first: Cell | None = None
) -> Decision:
    """Decide a recorded board again with ``strategy``, by proofs alone: without a proof there are no moves.

    ``first`` is the first cell opened in the game. Raises ContradictionError if no placement of mines fits
    the certain cells.
    """
    if first is not None and (first.row >= seen.board.rows or first.col >= seen.board.cols):
        first = None  # the first cell belongs to a board of another size
    return decide(seen.careful, rule=about.rule, strategy=strategy, first=first, guess=False)


def _first_click(game: RecordedGame) -> Cell | None:
    """Return the first cell opened in a game, or None if the record does not begin with the first click."""
    if not game.rounds or game.rounds[0].decision.reason is not Reason.FIRST_CLICK:
        return None
    return game.rounds[0].decision.moves[0].cell


def _proven_cells(decision: Decision) -> set[Cell]:
    if decision.reason in (Reason.GUESS, Reason.FIRST_CLICK):
        return set()
    return {move.cell for move in decision.moves if move.risk == 0}


def _check_risks(then: Decision, now: Decision) -> Iterator[_Finding]:
    """Yield the cells whose exact risk differs from the risk computed now."""
    if then.reason is not Reason.GUESS or not (then.exact and now.exact and then.risks and now.risks):
        return
    other = [
        cell for cell, risk in then.risks.items() if cell in now.risks and abs(now.risks[cell] - risk) > 1e-6
    ]
    if other:
        risks = (
            f"{cell_words(cell)} has a risk of {now.risks[cell]:.6g}, not {then.risks[cell]:.6g}"
            for cell in other
        )
        yield ProblemKind.RISK, _few_of(risks)


def _few_of(things: Iterable[str]) -> str:
    """Join up to `_MOST_NAMED` texts with semicolons, and say how many more there are."""
    every = list(things)
    more = len(every) - _MOST_NAMED
    return "; ".join(every[:_MOST_NAMED]) + (f"; and {more} more" if more > 0 else "")
