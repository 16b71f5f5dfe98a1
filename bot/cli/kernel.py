"""Saying that the solver's core is being compiled, which happens once."""

from __future__ import annotations

from collections.abc import Iterable

from bot.cli.output import side_console
from bot.solver import Strategy
from bot.solver.compilation import Purpose, compile_kernel, kernel_compiled, kernel_folder


def prepare_kernel(strategies: Iterable[Strategy], *, games: bool = False) -> None:
    """Compile the kernel if one of ``strategies`` needs it, for the first time, with a bar on standard error.

    With ``games`` it is to play whole games. If the result cannot be kept, that is said.
    """
    needing = [strategy for strategy in strategies if strategy.policy]
    purpose = Purpose.PLAYING if games else Purpose.DECIDING
    purpose = Purpose.THINKING if any(strategy.can_think for strategy in needing) else purpose
    if not needing or kernel_compiled(purpose):
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    text = TextColumn("compiling the solver, once; up to half a minute")
    console = side_console()
    with Progress(text, BarColumn(), TimeElapsedColumn(), console=console) as bar:
        task = bar.add_task("")
        compile_kernel(lambda done, total: bar.update(task, completed=done, total=total), purpose)
    if not kernel_compiled(purpose):
        folder = kernel_folder()
        console.print(f"cannot write to {folder}: the solver will be compiled again next time", markup=False)
