"""Saying that the solver's core is being compiled, which happens once."""

from __future__ import annotations

from bot.cli.output import side_console
from bot.solver.compilation import compile_kernel, kernel_compiled
from bot.solver.policies import POLICIES


def prepare_kernel(strategy: str) -> None:
    """Compile the kernel if ``strategy`` needs it, for the first time, with a bar on standard error."""
    if strategy not in POLICIES or kernel_compiled():
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    text = TextColumn("compiling the solver, once; up to a minute")
    with Progress(text, BarColumn(), TimeElapsedColumn(), console=side_console()) as bar:
        task = bar.add_task("")
        compile_kernel(lambda done, total: bar.update(task, completed=done, total=total))
