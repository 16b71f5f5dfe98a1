"""Colours: a classic look and a dark one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a look, as ``#rrggbb``; ``numbers`` are those of 1 to 8."""

    name: str
    ground: str  # covered cells and the frame
    opened: str
    light: str  # the lit edge of what is raised
    shade: str  # its other edge
    line: str  # between opened cells
    ink: str
    numbers: tuple[str, str, str, str, str, str, str, str]
    flag: str
    mine: str
    exploded: str
    counter: str  # behind the digits
    lit: str
    unlit: str
    face: str
    safe: str  # a cell that is proven safe
    proof: str  # the frame of a number that proves it
    offer: str  # a cell that is offered as the least risk
    danger: str  # a cell that is proven to be a mine


CLASSIC = Theme(
    name="classic",
    ground="#c0c0c0",
    opened="#c0c0c0",
    light="#ffffff",
    shade="#808080",
    line="#808080",
    ink="#000000",
    numbers=("#0000ff", "#008000", "#ff0000", "#000080", "#800000", "#008080", "#000000", "#808080"),
    flag="#ff0000",
    mine="#000000",
    exploded="#ff0000",
    counter="#000000",
    lit="#ff0000",
    unlit="#380000",
    face="#ffff00",
    safe="#ffe94a",
    proof="#d000d0",
    offer="#ff9d3c",
    danger="#e58a8a",
)

DARK = Theme(
    name="dark",
    ground="#4b5058",
    opened="#26292e",
    light="#767d89",
    shade="#2d3036",
    line="#3a3e45",
    ink="#e8e8e8",
    numbers=("#6ca8ff", "#63c963", "#ff6b6b", "#b58cff", "#ff9f57", "#45d0d0", "#f2f2f2", "#a3a8b0"),
    flag="#ff5555",
    mine="#e8e8e8",
    exploded="#b3261e",
    counter="#0d0e10",
    lit="#ff4d4d",
    unlit="#351516",
    face="#ffd84a",
    safe="#b59a12",
    proof="#ff6bff",
    offer="#c26a1a",
    danger="#8a3d3d",
)

THEMES = {theme.name: theme for theme in (CLASSIC, DARK)}
