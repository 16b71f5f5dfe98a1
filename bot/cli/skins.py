"""Which skins a command uses: those of ``--skins``, the user's own, and the shipped ones."""

from __future__ import annotations

import shutil
from itertools import chain, count
from pathlib import Path

from bot.cli.files import data_folder
from bot.cli.output import complain, note
from bot.errors import SkinError
from bot.play import BoardWatcher
from bot.targets import UNKNOWN, Target
from bot.vision import Skin, load_skin, load_skins
from bot.vision.skin import save_skin


def user_skins() -> Path:
    """Return the folder of the skins that ``minebot learn`` has learned; it may not exist yet."""
    return data_folder() / "skins"


def all_skins(folder: Path | None, target: Target | None = None) -> tuple[Skin, ...]:
    """Return the skins in ``folder``, those that were learned, and the shipped ones, of ``target`` if given.

    Of several skins of one name that in ``folder`` is taken, else the one that knows more states: a newer
    version may ship more than was learned beside an older one. A learned skin that is damaged is told of and
    left out.
    """
    own = () if folder is None else load_skins(folder)
    shipped = (skin for skin in load_skins() if target is None or skin.name in target.skins)
    by_name = {skin.name: skin for skin in own}
    given = frozenset(by_name)
    for skin in (*skins_in(user_skins()), *shipped):
        if skin.name not in given:
            before = by_name.get(skin.name, skin)
            by_name[skin.name] = skin if len(before.shown) < len(skin.shown) else before
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


class SkinKeeper:
    """Keeps what was learned while playing as a skin in ``folder``, after each game in which that has grown.

    A skin that lacks states grows under its own name. Art that no skin knows gets the name of the target, or
    "learned-1" and so on; never that of another skin. What was learned earlier is dropped as soon as it
    contradicts a board.
    """

    def __init__(self, watcher: BoardWatcher, target: Target, folder: Path) -> None:
        self._watcher, self._target, self._folder = watcher, target, folder
        self._kept: Skin | None = None
        self._failed = False

    def keep(self) -> None:
        """Write the skin if there is more to it than before, and say so; complain once if that fails."""
        self._drop()
        learner = self._watcher.learner
        if learner is None or self._failed:
            return
        old = self._kept or learner.skin
        skin = learner.learned(old.name if old else self._free_name())
        if skin is None or (old is not None and len(skin.states) <= len(old.states)):
            return
        try:
            save_skin(skin, self._folder / skin.name, overwrite=old is not None)
        except SkinError as error:
            self._failed = True
            complain(f"{error}; play goes on without")
            return
        self._kept = skin
        done = "learned the skin" if old is None else "added to the skin"
        note(f"{done} {skin.name}: {len(skin.shown)} of 15 states, kept in {self._folder / skin.name}")

    def _drop(self) -> None:
        """Put skins aside that contradicted a board: under a hidden name, since a user may have made them."""
        for skin in (self._folder / name for name in self._watcher.distrusted):
            aside = skin.with_name(f".{skin.name}-dropped")
            try:
                shutil.rmtree(aside, ignore_errors=True)
                skin.rename(aside)
            except OSError:  # it is a shipped one, or the folder cannot be written
                continue
            note(f"dropped the learned skin {skin.name}: it contradicted a board; it is kept in {aside}")
        self._watcher.distrusted.clear()

    def _free_name(self) -> str:
        stem = "learned" if self._target is UNKNOWN else self._target.name
        names = [] if self._target is UNKNOWN else [stem]
        taken = {skin.name for skin in load_skins()}
        return next(
            name
            for name in chain(names, (f"{stem}-{number}" for number in count(1)))
            if name not in taken and not (self._folder / name).exists()
        )
