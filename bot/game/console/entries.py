"""What a player types: moves, and words for all else."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from bot.board import Cell
from bot.errors import UsageError

HELP = """\
3 4            open row 3, column 4 (counted from 0)
f 3 4          put a flag there, or take it away
? 3 4          put a question mark there, or take it away
c 3 4          chord: open all around a number that touches as many flags
hint           a cell that is proven safe and why, or the one with the least risk
auto           let the solver make one move
auto 5         let it play on, five moves a second; auto max without a pause
new            another game; new 16 30 99 one of that size
help           this list
quit           the end (or Ctrl+D)"""

_FASTEST = 1000.0  # moves a second that can be asked for; more is no pause at all
_NUMBER = re.compile(r"[+-]?\d{1,9}", re.ASCII)


class Verb(Enum):
    """What is to be done."""

    OPEN = "open"
    FLAG = "f"
    QUESTION = "?"
    CHORD = "c"
    HINT = "hint"
    AUTO = "auto"
    NEW = "new"
    UNDO = "undo"
    HELP = "help"
    QUIT = "quit"


_VERBS = {
    **{verb.value: verb for verb in Verb},
    "o": Verb.OPEN,
    "flag": Verb.FLAG,
    "question": Verb.QUESTION,
    "chord": Verb.CHORD,
    "h": Verb.HELP,
    "n": Verb.NEW,
    "q": Verb.QUIT,
    "exit": Verb.QUIT,
}


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that was typed.

    ``cell`` is for moves, and need not be on the board. ``speed`` is for AUTO: moves a second until the end,
    infinite without a pause; None is for a single move. ``size`` is for NEW: rows, columns and mines, None
    for those of the game before.
    """

    verb: Verb
    cell: Cell | None = None
    speed: float | None = None
    size: tuple[int, int, int] | None = None


def parse(text: str) -> Entry:
    """Return what was typed. Raises UsageError, in words for the player, if it means nothing."""
    words = text.replace(",", " ").lower().split()
    if not words:
        raise UsageError("type a row and a column, such as 3 4; help lists all there is")
    if _NUMBER.fullmatch(words[0]):
        return _move(Verb.OPEN, words)
    verb = _VERBS.get(words[0])
    if verb is None:
        raise UsageError(f"{_short(text)} is no move: type a row and a column, such as 3 4, or help")
    if verb is Verb.QUESTION and len(words) == 1:
        return Entry(Verb.HELP)
    return _READERS.get(verb, _bare)(verb, words[1:])


def _short(text: str) -> str:
    text = text.strip()
    return repr(text if len(text) <= 20 else f"{text[:20]}...")


def _move(verb: Verb, words: list[str]) -> Entry:
    if len(words) != 2 or not all(map(_NUMBER.fullmatch, words)):
        example = "3 4" if verb is Verb.OPEN else f"{verb.value} 3 4"
        raise UsageError(f"a move has a row and a column, such as {example}, not {' '.join(words) or 'none'}")
    return Entry(verb, Cell(int(words[0]), int(words[1])))


def _auto(verb: Verb, words: list[str]) -> Entry:
    if not words:
        return Entry(verb)
    if words == ["max"]:
        return Entry(verb, speed=math.inf)
    try:
        speed = float(words[0]) if len(words) == 1 else math.nan
    except ValueError:
        speed = math.nan
    if not 0 < speed <= _FASTEST:
        raise UsageError(f"auto {' '.join(words)}: give moves a second, such as auto 5, or auto max")
    return Entry(verb, speed=speed)


def _new(verb: Verb, words: list[str]) -> Entry:
    if not words:
        return Entry(verb)
    if len(words) != 3 or not all(map(_NUMBER.fullmatch, words)):
        raise UsageError("give rows, columns and mines, such as new 16 30 99, or new alone")
    rows, cols, mines = map(int, words)
    return Entry(verb, size=(rows, cols, mines))


def _bare(verb: Verb, words: list[str]) -> Entry:
    if words:
        raise UsageError(f"{verb.value} stands alone: leave out {' '.join(words)}")
    return Entry(verb)


_READERS: Mapping[Verb, Callable[[Verb, list[str]], Entry]] = {
    **dict.fromkeys((Verb.OPEN, Verb.FLAG, Verb.QUESTION, Verb.CHORD), _move),
    Verb.AUTO: _auto,
    Verb.NEW: _new,
}
