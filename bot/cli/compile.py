"""``minebot compile``: compile the solver now, so that later commands need not wait for it."""

from __future__ import annotations

import os
from contextlib import ExitStack, suppress
from typing import Annotated

import typer
from filelock import FileLock

from bot.cli.options import compile_with_bar, one_of
from bot.cli.output import say
from bot.files import PRIVATE, private_folder
from bot.solver.kernel.build.compilation import Purpose, compiled_folder, kernel_compiled, kernel_folder

_PURPOSES = {purpose.name.lower(): purpose for purpose in Purpose}
_NICENESS = 10  # added to the Unix niceness: other programs have priority


def compile_solver(
    wanted: Annotated[
        str,
        typer.Option(
            "--for", help=f"What to compile for; each includes those before it: {', '.join(_PURPOSES)}."
        ),
    ] = "thinking",
) -> None:
    """Compile the solver now, once; otherwise it is compiled in the background when it is first needed.

    If several minebot processes run this at the same time, the others wait for the first.
    """
    purpose = _PURPOSES[one_of("--for", wanted, _PURPOSES)]
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    folder = kernel_folder()
    with ExitStack() as locked:
        if not kernel_compiled(purpose):
            with suppress(OSError):  # the folder cannot be written; compile_with_bar reports that
                private_folder(folder.parent)
                locked.enter_context(FileLock(folder.with_suffix(".lock"), mode=PRIVATE))
        compile_with_bar(purpose)
    if kernel_compiled(purpose):
        say(f"the solver is compiled, and stored in\n{compiled_folder()}")
