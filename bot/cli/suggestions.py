"""What ``minebot play --dry-run`` shows: each suggestion in words or as JSON, and in a picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bot.cli.explain import hint_as_json, hint_lines, move_lines
from bot.cli.notes import MinesNote
from bot.cli.output import complain, console, print_json, side_console
from bot.cli.record import Watched
from bot.cli.replay import Found, as_json
from bot.errors import PictureError
from bot.geometry import Pixels
from bot.play import Look
from bot.play.dryrun import Suggestion
from bot.solver.decision import Decision
from bot.solver.explain.hints import explain
from bot.vision import draw_marks, save_picture

NO_EVENT: Mapping[str, str] = MappingProxyType({})


def show(
    suggestions: Iterable[Suggestion],
    picture: Path,
    json_lines: bool,
    note: MinesNote,
    watched: Watched | None,
    stop_key: str,
    event: Mapping[str, str] = NO_EVENT,
) -> None:
    """Print each suggestion, draw it into ``picture``, and record it; ``event`` is a part of all JSON.

    Where the picture cannot be written, that is told, and the dry run goes on.
    """
    out, side, drawn = console(), side_console(), _Drawn(picture)
    if not event:
        where = f"suggestions are drawn into {picture}"
        side.print(f"dry run: the mouse is yours; {where}; {stop_key} or Ctrl+C ends it", markup=False)
    for suggestion in suggestions:
        look = suggestion.look
        if watched is not None:
            watched.take(suggestion)
        if look is None:
            side.print(suggestion.why, markup=False)
            continue
        if suggestion.decision:
            note.look_at(look.reading.board)
        if suggestion.decision and suggestion.decision.moves and suggestion.why:
            side.print(suggestion.why, markup=False)
        if json_lines:
            found = Found(look.reading, suggestion.decision, suggestion.why)
            print_json({**event, **as_json(found), "hint": _hint_as_json(look, suggestion.decision)})
        else:
            out.print(str(look.reading.board), markup=False)
            out.print("\n".join(_words(suggestion)), markup=False)
        drawn.save(draw_marks(look.frame.pixels, look.reading, suggestion.decision))


class _Drawn:
    """A picture in ``path`` that is drawn anew again and again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lost = False  # the last time

    def save(self, pixels: Pixels) -> None:
        """Write the picture if that can be done; complain if it can no longer."""
        try:
            save_picture(self._path, pixels)
        except PictureError as error:
            if not self._lost:
                complain(f"{error}; the dry run goes on without")
            self._lost = True
        else:
            self._lost = False


def _words(suggestion: Suggestion) -> list[str]:
    """Return a suggestion for people: the hint with its reason, then all moves."""
    moves = move_lines(suggestion.decision, suggestion.why)
    if suggestion.decision is None or suggestion.look is None:
        return moves
    return [*hint_lines(explain(suggestion.look.careful, suggestion.decision)), *moves]


def _hint_as_json(look: Look, decision: Decision | None) -> dict[str, Any] | None:
    return None if decision is None else hint_as_json(explain(look.careful, decision), look.careful)
