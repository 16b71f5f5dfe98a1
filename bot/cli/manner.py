"""Options that say in which manner ``minebot play`` plays."""

from __future__ import annotations

from typing import Annotated

import typer

from bot.clicker.style import Style, parse_flags

FlagsOption = Annotated[
    str,
    typer.Option(
        help="none: left clicks only (NF); all: mark every proven mine; chord: flags and chords where they "
        "save clicks."
    ),
]
EfficientOption = Annotated[
    bool,
    typer.Option(
        "--efficient", help="Take few clicks: leave to an opening what it may open, and look more often."
    ),
]


def style_of(flags: str, efficient: bool) -> Style:
    """Return the style that the options ask for. Raises UsageError if there is none of that name."""
    return Style(parse_flags(flags), efficient)
