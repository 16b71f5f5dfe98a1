"""Options that say how ``minebot play`` is stopped while it has the mouse."""

from __future__ import annotations

from typing import Annotated

import typer

StopKeyOption = Annotated[
    str,
    typer.Option(
        metavar="KEYS",
        help="What stops it, whichever window has the keyboard: esc, pause, f12 or the like, or keys "
        "together, as ctrl+alt+s.",
    ),
]
