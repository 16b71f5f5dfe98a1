"""Which skins a command uses: those of ``--skins``, the user's own, and the shipped ones."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from platformdirs import user_data_path

from bot.cli.output import complain
from bot.errors import SkinError
from bot.screen.targets import Target
from bot.vision import Skin, load_skin, load_skins

SkinsOption = Annotated[
    Path | None,
    typer.Option("--skins", help="A folder with skins of your own, beside those that are shipped."),
]


def user_skins() -> Path:
    """Return the folder of the skins that ``minebot learn`` has learned; it may not exist yet."""
    return user_data_path("minebot", appauthor=False) / "skins"


def all_skins(folder: Path | None, target: Target | None = None) -> tuple[Skin, ...]:
    """Return the skins in ``folder``, those that were learned, and the shipped ones, of ``target`` if given.

    Of several skins of one name the first is taken. A learned skin that is damaged is told of and left out.
    """
    own = () if folder is None else load_skins(folder)
    shipped = (skin for skin in load_skins() if target is None or skin.name in target.skins)
    by_name: dict[str, Skin] = {}
    for skin in (*own, *skins_in(user_skins()), *shipped):
        by_name.setdefault(skin.name, skin)
    return tuple(by_name.values())


def skins_in(folder: Path) -> list[Skin]:
    """Return the skins in a folder, which may not exist; complain of those that are damaged."""
    try:
        inside = sorted(inner for inner in folder.iterdir() if inner.is_dir() and inner.name[0] != ".")
    except OSError:
        return []
    skins = []
    for inner in inside:
        try:
            skins.append(load_skin(inner))
        except SkinError as error:
            complain(f"{error}; it is left out")
    return skins
