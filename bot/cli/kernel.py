"""Saying that the solver's core is being compiled, which happens once."""

from __future__ import annotations

from collections.abc import Iterable

from bot.cli.output import side_console
from bot.solver.compilation import Purpose, compile_kernel, kernel_compiled
from bot.solver.policies import COMPILED, DEEP


def prepare_kernel(strategies: Iterable[str], *, games: bool = False) -> None:
    """Compile the kernel if one of ``strategies`` needs it, for the first time, with a bar on standard error.

    With ``games`` it is to play whole games.
    """
    needing = COMPILED.keys() & set(strategies)
    purpose = Purpose.PLAYING if games else Purpose.DECIDING
    purpose = Purpose.THINKING if DEEP in needing else purpose
    if not needing or kernel_compiled(purpose):
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    text = TextColumn("compiling the solver, once; up to a minute")
    with Progress(text, BarColumn(), TimeElapsedColumn(), console=side_console()) as bar:
        task = bar.add_task("")
        compile_kernel(lambda done, total: bar.update(task, completed=done, total=total), purpose)
