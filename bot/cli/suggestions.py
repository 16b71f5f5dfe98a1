"""``minebot play --dry-run``: suggestions in words or JSON, in a picture, and over the running game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path

from bot.capture import ScreenCapture
from bot.cli.explain import Found, MinesNote, board_as_json, hint_as_json, hint_lines, move_lines
from bot.cli.files import DryRunRecorder
from bot.cli.terminal import complain, note, print_json, say
from bot.desktop import open_desktop
from bot.desktop.protocols import Capture
from bot.errors import BotError, PictureError, UsageError
from bot.files import PRIVATE
from bot.marks.overlay_marks import Advice, Layer
from bot.marks.picture_marks import draw_boards
from bot.play.dryrun import Suggestion
from bot.play.look import Look
from bot.play.watcher import BoardWatcher
from bot.record.recorder import around_board
from bot.solver import Strategy
from bot.solver.decision import Decision, Reason
from bot.solver.explain.hints import chances, explain
from bot.solver.strategies import uses_kernel
from bot.stop import Stop
from bot.ui.overlay import Overlay
from bot.vision import save_picture


def layers_of(names: str) -> frozenset[Layer]:
    """Return the layers in ``names``, separated by commas. Raises UsageError for unknown or no layers."""
    known = {layer.value: layer for layer in Layer}
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    for name in wanted:
        if name not in known:
            raise UsageError(f"--layers {names}: there is no layer {name}: choose from {', '.join(known)}")
    if not wanted:
        raise UsageError("--layers: name at least one, or use --no-overlay")
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
    picture: Path,
    watched: DryRunRecorder | None,
    *,
    json_lines: bool,
    event: Mapping[str, str],
) -> bool:
    """Print each suggestion, draw it into ``picture``, and record it; every JSON object contains ``event``.

    If the picture cannot be written, print an error and go on. Return whether it was written at last.
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
        try:
            look = around_board(look)
            save_picture(picture, draw_boards(look.frame.pixels, [(look.reading, decision)]), PRIVATE)
            lost = False
        except PictureError as error:
            if not lost:  # print the error only after a success
                complain(f"{error}; the dry run goes on without this picture")
            lost = True
    return not lost
