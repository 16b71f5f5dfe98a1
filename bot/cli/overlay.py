"""``--overlay``: what a dry run suggests, laid over the running game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Annotated

import typer

from bot.capture import ScreenCapture
from bot.cli.output import side_console
from bot.desktop import open_desktop
from bot.errors import BotError, UsageError
from bot.play import BoardWatcher, Look
from bot.play.dryrun import Suggestion
from bot.solver import Strategy
from bot.solver.decision import Decision, Reason
from bot.solver.explain.hints import chances, explain
from bot.ui.overlay.marks import Advice, Layer
from bot.ui.overlay.overlay import Overlay, ScreenAccess

OverlayOption = Annotated[
    bool | None,
    typer.Option(
        "--overlay/--no-overlay",
        help="Whether a dry run lays marks over the game itself, through which you click. Default: where "
        "that can be done.",
    ),
]
LayersOption = Annotated[str, typer.Option(metavar="NAME,...", help="What these marks show.")]
ALL_LAYERS = ",".join(layer.value for layer in Layer)


def layers_of(names: str) -> frozenset[Layer]:
    """Return the layers with these names, which commas part. Raises UsageError if there is no such layer."""
    known = {layer.value: layer for layer in Layer}
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    for name in wanted:
        if name not in known:
            raise UsageError(f"--layers {names}: there is no {name}: choose of {', '.join(known)}")
    if not wanted:
        raise UsageError("--layers: name at least one, or use --no-overlay")
    return frozenset(known[name] for name in wanted)


def layer_orders(overlay: Overlay | None) -> Mapping[str, Callable[[str], None]]:
    """Return the orders that change what an overlay shows."""

    def change(names: str) -> None:
        if overlay is None:
            raise UsageError("layers: there are no marks over the game")
        overlay.layers = layers_of(names) if names else frozenset()

    return {"layers": change}


def open_screen() -> ScreenAccess:
    """Open the screen for a thread of its own."""
    return ScreenAccess(open_desktop(), ScreenCapture())


def opened_overlay(cleanup: ExitStack, wanted: bool | None, layers: frozenset[Layer]) -> Overlay | None:
    """Return an overlay, to be ended by ``cleanup``; None if it is not wanted.

    Where nothing was said and it cannot be shown, that is told and it is left out. Else that is raised.
    """
    tell = _teller()
    if wanted is False:
        return None
    try:
        overlay = Overlay(layers, open_screen, tell)
    except BotError as error:
        if wanted:
            raise
        tell(f"{error}; the dry run goes on without marks over the game")
        return None
    cleanup.callback(overlay.close)
    return overlay


def shown_by(overlay: Overlay, watcher: BoardWatcher, strategy: Strategy) -> Callable[[Suggestion], None]:
    """Return a function that lays suggestions over the game that ``watcher`` watches."""
    adviser = _Adviser(strategy.policy is not None)

    def show(suggestion: Suggestion) -> None:
        look, decision = suggestion.look, suggestion.decision
        if look is None or decision is None:
            overlay.clear()
            return
        reading = look.reading
        advice = adviser.advise(look, decision)
        overlay.show(look.frame, reading.grid, reading.board, watcher.window, advice)

    return show


class _Adviser:
    """Turns decisions into advice, once each: looks repeat them."""

    def __init__(self, compiled: bool) -> None:
        self._compiled = compiled
        self._decision: Decision | None = None
        self._advice: Advice | None = None

    def advise(self, look: Look, decision: Decision) -> Advice:
        if self._advice is None or decision is not self._decision:
            self._decision, self._advice = decision, self._advise(look, decision)
        return self._advice

    def _advise(self, look: Look, decision: Decision) -> Advice:
        hint, risks = explain(look.careful, decision), decision.risks
        if self._compiled and decision.reason is not Reason.FIRST_CLICK:
            risks = dict(chances(look.careful, compiled=True).risks)
        return Advice(decision, hint.cell, hint.numbers, risks, hint.sentence)


def _teller() -> Callable[[str], None]:
    side = side_console()
    return lambda words: side.print(words, markup=False)
