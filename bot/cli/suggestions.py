"""Suggested moves, guesses and hints: as lines of text, as JSON, and in a dry run over the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.board import OPENED, Board, Cell
from bot.capture import ScreenCapture
from bot.cli.files import DryRunRecorder
from bot.cli.terminal import complain, note, print_json, say
from bot.desktop import open_desktop
from bot.desktop.protocols import Capture
from bot.errors import BotError, PictureError, UsageError
from bot.files import PRIVATE
from bot.levels import LEVELS
from bot.marks.overlay_marks import Advice, Layer, marks_in_picture
from bot.marks.picture_marks import draw_boards
from bot.play.dryrun import Suggestion
from bot.play.look import Look
from bot.play.watcher import BoardWatcher
from bot.record.recorder import around_board
from bot.solver import Strategy
from bot.solver.decision import Decision, Reason
from bot.solver.explain.hints import Hint, chances, explain
from bot.solver.strategies import uses_kernel
from bot.stop import Stop
from bot.ui.overlay import Overlay
from bot.vision import save_picture
from bot.vision.reading import Reading
from bot.words import cell_words, cells_words

ASK_FOR_MINES = (
    "the mine counter beside the board cannot be read, so guesses do not use the total number of mines; "
    f"to give it, add --mines N ({', '.join(f'{name} {level.mines}' for name, level in LEVELS.items())})"
)
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


# A dry run


def layers_of(names: str) -> frozenset[Layer]:
    """Return the layers in ``names``, separated by commas. Raises UsageError for unknown or no layers."""
    known = {layer.value: layer for layer in Layer}
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    for name in wanted:
        if name not in known:
            raise UsageError(f"--layers {names}: there is no layer {name}: choose from {', '.join(known)}")
    if not wanted:
        raise UsageError("--layers: name at least one, or use --no-marks")
    return frozenset(known[name] for name in wanted)


class OverlayMarks:
    """The marks over the game in a dry run, of those ``layers``.

    They are ``wanted`` in any case (True), if they are possible (None), or not at all (False).
    """

    def __init__(self, wanted: bool | None, layers: frozenset[Layer]) -> None:
        self._wanted, self._layers = wanted, layers
        self._overlay: Overlay | None = None
        self.orders: Mapping[str, Callable[[str], None]] = {"layers": self._change}

    def _change(self, names: str) -> None:
        if self._overlay is None:
            raise UsageError("layers: there are no marks over the game")
        self._overlay.layers = layers_of(names) if names else frozenset()

    def over(self, screen: Capture, cleanup: ExitStack, stop: Stop) -> Capture:
        """Open the marks, which ``cleanup`` will close, and return what takes pictures without them.

        If they cannot be shown, print a note or, if they are wanted in any case, raise the error.
        """
        if self._wanted is False:
            return screen
        try:
            overlay = Overlay(screen, self._layers, lambda: (open_desktop(), ScreenCapture()), note, stop)
        except BotError as error:
            if self._wanted:
                raise
            note(f"{error}; the dry run goes on without marks over the game")
            return screen
        cleanup.callback(overlay.close)
        self._overlay = overlay
        return overlay

    @property
    def rest(self) -> Callable[[float], None] | None:
        """A function that waits, and moves the marks with their window meanwhile; None without marks."""
        return None if self._overlay is None else self._overlay.rest

    def shown_by(self, watcher: BoardWatcher, strategy: Strategy) -> Callable[[Suggestion], None]:
        """Return a function that shows a suggestion as marks over the game that ``watcher`` watches."""
        last: tuple[Decision, Advice] | None = None  # the same decision often comes again: reuse its advice

        def show(suggestion: Suggestion) -> None:
            nonlocal last
            look, decision, overlay = suggestion.look, suggestion.decision, self._overlay
            if overlay is None:
                return
            if look is None or decision is None:
                overlay.clear()
                return
            if last is None or last[0] is not decision:
                last = decision, _advice(look, decision, compiled=uses_kernel(strategy))
            reading = look.reading
            overlay.show(look.frame, reading.grid, reading.board, watcher.place.window, last[1])

        return show


def _advice(look: Look, decision: Decision, *, compiled: bool) -> Advice:
    hint, risks = explain(look.careful, decision, first=True), decision.risks
    if compiled and decision.reason is not Reason.FIRST_CLICK:
        risks = dict(chances(look.careful, compiled=True).risks)
    return Advice(decision, hint.cell, hint.numbers, risks, hint.sentence)


def show(
    suggestions: Iterable[Suggestion],
    picture: Path | None,
    watched: DryRunRecorder | None,
    *,
    json_lines: bool,
    event: Mapping[str, str],
) -> bool:
    """Print each suggestion, draw it into ``picture`` if there is one, and record it with ``watched``.

    Every JSON object contains ``event``. If the picture cannot be written, print an error and go on. Return
    false if it could not be written at last.
    """
    ask_for_mines, lost = MinesNote(), False
    for suggestion in suggestions:
        look, decision = suggestion.look, suggestion.decision
        if watched is not None:
            watched.record(suggestion)
        if look is None:
            note(suggestion.why)
            continue
        if decision:
            ask_for_mines.look_at(look.reading.board)
        if decision and decision.moves and suggestion.why:
            note(suggestion.why)
        hint = explain(look.careful, decision, first=True) if decision else None
        if json_lines:
            found = Found(look.reading, decision, suggestion.why)
            values = None if hint is None else hint_as_json(hint, look.careful)
            print_json({**event, **board_as_json(found), "hint": values})
        else:
            lines = move_lines(decision, suggestion.why)
            say(str(look.reading.board))
            say("\n".join(lines if hint is None else [*hint_lines(hint), *lines]))
        if picture is None:
            continue
        try:
            look = around_board(look)
            marks = marks_in_picture(look.reading.board, decision)
            save_picture(picture, draw_boards(look.frame.pixels, [(look.reading.grid, marks)]), PRIVATE)
            lost = False
        except PictureError as error:
            if not lost:  # print the error only after a success
                complain(f"{error}; the dry run goes on without this picture")
            lost = True
    return not lost
