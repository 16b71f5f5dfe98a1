"""Boards, suggested moves, guesses and hints as lines of text and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bot.board import Board, Cell
from bot.cli.terminal import note
from bot.levels import LEVELS
from bot.solver.decision import Decision
from bot.solver.explain.hints import Hint
from bot.vision.reading import Reading
from bot.words import cell_words, cells_words

ASK_FOR_MINES = (
    "the mine counter beside the board cannot be read, so guesses do not use the total number of mines; "
    f"to give it, add --mines N ({', '.join(f'{name} {level.mines}' for name, level in LEVELS.items())})"
)
_EIGHT = 8  # the largest number that an opened cell shows
_ALTERNATIVES = 3  # how many other cells are printed below a guess


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
        "action": None if hint.cell is None or board[hint.cell] <= _EIGHT else hint.action.value,
        "proven": hint.proven,
        "mine": hint.mine,
        "risk": None if hint.cell is None else hint.risk,
        "reason": hint.reason.value,
        "pattern": hint.pattern or None,
        "numbers": [{**cell._asdict(), "number": board[cell]} for cell in hint.numbers],
        "total": hint.total,
        "words": hint.sentence,
    }
