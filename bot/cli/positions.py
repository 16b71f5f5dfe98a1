"""Positions: read from a picture, a text, or the screen; what to do there, in words and as JSON."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bot.board import OPENED, Board, Cell, FirstClick, State
from bot.cli.session import OpenedScreen, WantedGame, with_reason
from bot.cli.terminal import note
from bot.errors import BoardFormatError, GameNotFoundError, NotInTimeError, UsageError
from bot.files import opened
from bot.game.board_files import LARGEST_FILE, BoardFile, Notation, read_board, text_of
from bot.geometry import Pixels
from bot.levels import LEVELS
from bot.picture_files import is_picture
from bot.play.dryrun import seen_now
from bot.play.results import Settings
from bot.solver.decision import Decision
from bot.solver.explain.hints import Hint
from bot.targets.catalogue import first_click_of_skin
from bot.verdict import GameState, verdict_on
from bot.vision import Skin, load_picture, read_picture
from bot.vision.reading import Reading, with_total
from bot.words import cell_words, cells_words

INPUT = "-"  # standard input
SCREEN = "the screen"
_BEGINNING = 16  # the first bytes of a file, which show whether it is a picture
ASK_FOR_MINES = (
    "the mine counter beside the board cannot be read, so guesses do not use the total number of mines; "
    f"to give it, add --mines N ({', '.join(f'{name} {level.mines}' for name, level in LEVELS.items())})"
)
_ALTERNATIVES = 3  # how many other cells are printed below a guess


@dataclass(frozen=True, slots=True)
class SourcePosition:
    """A board that was read; ``careful`` is the same board with uncertain cells made unreadable.

    ``doubt`` says why the board cannot be trusted, or is "" if it can. ``reading`` is None if the board came
    from a text.
    """

    board: Board
    careful: Board
    state: GameState
    rule: FirstClick
    reading: Reading | None = None
    doubt: str = ""

    @property
    def without_total(self) -> SourcePosition:
        """The same position with an unknown total of mines."""
        board, careful = (Board(each.states) for each in (self.board, self.careful))
        return replace(self, board=board, careful=careful)


@dataclass(frozen=True, slots=True)
class Source:
    """The input of a command: its ``name``, the positions in it, and its picture (None for a text)."""

    name: str
    positions: tuple[SourcePosition, ...]
    pixels: Pixels | None = None


def source_of(what: str | None, skins: Sequence[Skin], wanted: WantedGame, mines: int | None) -> Source:
    """Return the positions in a picture, in a text file, on standard input (-), or on the screen (None).

    ``mines`` is the total to use if none can be read. Raises GameNotFoundError if there is no board,
    PictureError or BoardFormatError if the file is not a valid picture or text.
    """
    if what is None:
        return _from_screen(skins, wanted, mines)
    if what != INPUT and _is_picture(what):
        pixels = load_picture(what)
        return Source(what, tuple(map(position_of, readings_in(what, pixels, skins, mines))), pixels)
    return _from_text(what, mines)


def _is_picture(file: str) -> bool:
    try:
        return is_picture(_file_bytes(file, _BEGINNING))
    except BoardFormatError:  # it cannot be read; reading it as a text says why
        return False


def board_file(file: str, notation: Notation | None = None) -> BoardFile:
    """Return the board in the text ``file`` ("-": standard input). Raises BoardFormatError with its name."""
    if file == INPUT and sys.stdin.isatty():
        end = "Ctrl+Z and Enter" if sys.platform == "win32" else "Ctrl+D"
        note(f"type a board; {end} on a line of its own ends it")
    try:
        return read_board(text_of(_file_bytes(file)), notation)
    except BoardFormatError as error:
        raise BoardFormatError(f"{'standard input' if file == INPUT else file}: {error}") from error


def _file_bytes(file: str, most: int = LARGEST_FILE + 1) -> bytes:
    """Return the first bytes of ``file`` ("-": standard input), ``most`` at most.

    Raises UsageError if there is no such file, BoardFormatError if it cannot be read.
    """
    if file == INPUT:
        return sys.stdin.buffer.read(most)
    try:
        with opened(Path(file), sys.maxsize) as there:
            return there.read(most)
    except FileNotFoundError as error:
        raise UsageError(f"there is no file {file}") from error
    except OSError as error:
        raise BoardFormatError(f"it cannot be read: {error.strerror}") from error


def _from_text(what: str, mines: int | None) -> Source:
    try:
        board = board_file(what).board
    except BoardFormatError as error:
        raise BoardFormatError(f"{error}; a hint takes a picture, or a text with a board") from error
    board = Board(board.states, mines) if board.mines is None else board
    hidden = dict.fromkeys(board.cells(State.MINE), State.COVERED)  # * in a running game: a known mine
    shown = board.replace({**hidden, **dict.fromkeys(board.cells(State.WRONG_FLAG), 0)})
    position = SourcePosition(board, board, verdict_on(shown).state, FirstClick.SAFE, doubt=_problem(board))
    return Source("standard input" if what == INPUT else what, (position,))


def readings_in(
    picture: str | Path, pixels: Pixels, skins: Sequence[Skin], mines: int | None
) -> list[Reading]:
    """Return the boards in ``pixels``, from top to bottom; ``picture`` is used in the error message.

    ``mines`` is the total to use if none can be read. Raises GameNotFoundError if there is no board, or if
    none was found in time.
    """
    try:
        found = read_picture(pixels, skins, first_sight=True, every=True)
    except NotInTimeError as error:
        raise NotInTimeError(f"{picture}: {error}") from error
    # the mines in a part of a board are unknown
    readings = [reading if reading.cut else with_total(reading, mines) for reading in found]
    if not readings:
        raise GameNotFoundError(f"{picture}: no Minesweeper board that can be read is in this picture")
    return sorted(readings, key=lambda reading: (reading.grid.y, reading.grid.x))


def _from_screen(skins: Sequence[Skin], wanted: WantedGame, mines: int | None) -> Source:
    with ExitStack() as cleanup:
        screen = OpenedScreen(Settings(skins=skins, mines=mines), cleanup)
        try:
            look, doubt = seen_now(screen.watcher(wanted.found(screen)))
        except GameNotFoundError as missing:
            raise with_reason(missing) from missing
    position = position_of(look.reading, look.careful, doubt)
    return Source(SCREEN, (position,), look.frame.pixels)


def position_of(reading: Reading, careful: Board | None = None, doubt: str = "") -> SourcePosition:
    """Return the position that ``reading`` shows, with ``careful`` as its careful board if that is given."""
    rule = first_click_of_skin(reading.skin)
    careful = (careful or reading.careful).without_loose_zeros()
    doubt = doubt or _problem(careful)
    return SourcePosition(reading.board, careful, reading.state, rule, reading, doubt)


def _problem(board: Board) -> str:
    return next((problem.message for problem in board.problems()), "")


# What to do there


@dataclass(frozen=True, slots=True)
class Found:
    """A board found in a picture and the decision on it; ``why`` says why there is no decision or move."""

    reading: Reading
    decision: Decision | None
    why: str


class MinesNote:
    """A note that asks for ``--mines``, printed only for the first board whose total of mines is unknown."""

    def __init__(self) -> None:
        self._asked = False

    def look_at(self, board: Board) -> None:
        """Print the note if the total of mines of ``board`` is unknown and it was not printed before."""
        if board.mines is None and not self._asked:
            self._asked = True
            note(ASK_FOR_MINES)


def reading_words(reading: Reading) -> str:
    """Return in words which game a reading shows, its state, and where it is in the picture."""
    return f"{reading.skin}, {reading.state.value}, at ({reading.grid.x:g}, {reading.grid.y:g})"


def move_lines(decision: Decision | None, why: str) -> list[str]:
    """Return the suggested moves in words, alike ones in one line; the best alternatives follow a guess."""
    if decision is None or not decision.moves:
        return [f"no move: {why}"]
    alike = dict[tuple[str, str], list[Cell]]()
    for move in decision.moves:
        alike.setdefault((move.action.value, decision.words_for(move)), []).append(move.cell)
    return [
        *(f"{action} {cells_words(cells)}: {reason}" for (action, reason), cells in alike.items()),
        *(f"  or {decision.words_for(one)}" for one in decision.alternatives[1 : 1 + _ALTERNATIVES]),
    ]


def guess_as_json(decision: Decision | None) -> dict[str, Any] | None:
    """Return the facts about a guess as an object for JSON, or None if the decision is not a guess."""
    if decision is None or decision.judgement is None:
        return None
    return {
        "judgement": decision.judgement.value,
        "win_chance": decision.win_chance,
        "exact": decision.exact,
        "alternatives": [
            {**one.cell._asdict(), "risk": one.risk, "score": one.score} for one in decision.alternatives
        ],
    }


def board_as_json(found: Found) -> dict[str, object]:
    """Return a board and its moves as an object for JSON; the key "error" exists only if there is an error.

    A game that is over has no moves and no error.
    """
    reading, moves = found.reading, () if found.decision is None else found.decision.moves
    failed = found.decision is None and not reading.state.over
    return {
        "skin": reading.skin,
        "rows": reading.board.rows,
        "cols": reading.board.cols,
        "x": round(reading.grid.x, 3),
        "y": round(reading.grid.y, 3),
        "pitch_x": round(reading.grid.pitch_x, 4),
        "pitch_y": round(reading.grid.pitch_y, 4),
        "cut": sorted(side.value for side in reading.cut),
        "open": sorted(side.value for side in reading.open),
        "state": reading.state.value,
        "mines_left": reading.mines_left,
        "cells": reading.board.lines(),
        "moves": [
            {
                **move.cell._asdict(),
                "action": move.action.value,
                "risk": move.risk,
                "reason": move.reason.value,
            }
            for move in moves
        ],
        "guess": guess_as_json(found.decision),
        "stuck": found.decision is not None and not moves,
        **({"error": found.why} if failed else {}),
    }


def hint_lines(hint: Hint) -> list[str]:
    """Return a hint in words; a second line lists its numbers if the sentence does not name them all."""
    unnamed = [cell for cell in hint.numbers if cell_words(cell) not in hint.sentence]
    return [hint.sentence, *([f"The numbers are at {cells_words(hint.numbers)}."] if unnamed else [])]


def hint_as_json(hint: Hint, board: Board) -> dict[str, Any]:
    """Return a hint on ``board`` as an object for JSON: its cell, its proof or risk, and its words."""
    return {
        "row": None if hint.cell is None else hint.cell.row,
        "col": None if hint.cell is None else hint.cell.col,
        "action": None if hint.cell is None or board[hint.cell] in OPENED else hint.action.value,
        "proven": hint.proven,
        "mine": hint.mine,
        "risk": None if hint.cell is None else hint.risk,
        "reason": hint.reason.value,
        "pattern": hint.pattern or None,
        "numbers": [{**cell._asdict(), "number": board[cell]} for cell in hint.numbers],
        "total": hint.total,
        "words": hint.sentence,
    }
