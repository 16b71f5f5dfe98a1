"""What holds for every command: the option ``--debug``, which may stand anywhere on the line."""

from __future__ import annotations

from typing import Annotated

import typer

from bot.cli.run import Run


def _note(context: typer.Context, wanted: bool) -> None:
    if wanted:
        context.ensure_object(Run).debug = True


DebugOption = Annotated[
    bool,
    typer.Option(
        "--debug",
        callback=_note,
        is_eager=True,  # before another option can be wrong
        expose_value=False,
        help="Show where in the program an error arose.",
    ),
]
