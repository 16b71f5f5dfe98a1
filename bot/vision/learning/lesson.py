"""A lesson: a skin by name that is learned from pictures of boards, and kept in a folder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from bot.errors import GameNotFoundError, SkinError, UsageError
from bot.geometry import Grid, Pixels
from bot.vision import Skin, load_skin, read_picture
from bot.vision.board_reader import UNKNOWN
from bot.vision.learning.confirmation import ANYWHERE
from bot.vision.learning.looks import looks_of, skin_of
from bot.vision.learning.skin_learner import SkinLearner
from bot.vision.reading import Reading
from bot.vision.skin import STATES, save_skin

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_DEVICES = re.compile(r"(?i:con|prn|aux|nul|(com|lpt)[0-9])")  # no folder of Windows has these names
_TAKEN = "choose another name, or use --force to replace it"


class Lesson:
    """Learns the skin ``name``, from nothing or from what it knows already, and keeps it in ``folder``.

    ``known`` are the skins that there are; ``mines`` is the total, None if the user does not give it;
    ``force`` replaces a skin of that name, and learns boards that another skin knows.
    Raises UsageError for a name that no folder can have, SkinError for one that is taken.
    """

    def __init__(
        self, name: str, folder: Path, known: Sequence[Skin], mines: int | None, force: bool
    ) -> None:
        if not _NAME.fullmatch(name) or _DEVICES.fullmatch(name):
            raise UsageError(f"{name!r} cannot name a skin: use letters, digits, - and _, as in my-game")
        self.name, self.force = name, force
        self.folder = folder / name
        self.old = None if force else self._existing(known)
        self._others = tuple(skin for skin in known if skin.name != name)
        self.skin_learner = SkinLearner(looks_of(self.old) if self.old else None, mines)
        self.grid: Grid | None = None

    def _existing(self, known: Sequence[Skin]) -> Skin | None:
        if self.folder.exists():
            return load_skin(self.folder)
        if self.name in {skin.name for skin in known}:
            raise SkinError(f"there is a skin {self.name} already: {_TAKEN}")
        return None

    @property
    def learned(self) -> bool:
        """Whether a board was looked at."""
        return self.grid is not None

    def look_at(self, pixels: Pixels, where: str) -> Grid:
        """Find a board in a BGR picture and learn from it; return where it is.

        ``where`` names the picture in errors. Raises GameNotFoundError if there is no board to be learned,
        SkinError if another skin knows it, or if this one is of another look.
        """
        grid = self._find(pixels, where)
        self.skin_learner.new_game()
        reading = self.skin_learner.read(pixels, grid)
        if reading is None:
            raise GameNotFoundError(f"{where}: no board that can be understood is there")
        self.grid = reading.grid
        return reading.grid

    def look_again(self, pixels: Pixels, grid: Grid) -> Reading | None:
        """Learn from one more look at a game that somebody plays; None if the board cannot be understood."""
        return self.skin_learner.read(pixels, grid, ANYWHERE)

    def _find(self, pixels: Pixels, where: str) -> Grid:
        own = () if self.old is None else (self.old,)
        readings = read_picture(pixels, (*own, *self._others), first_sight=True)
        if mine := [reading for reading in readings if reading.skin == self.name]:
            return mine[0].grid
        new = [reading for reading in readings if self.force or reading.skin == UNKNOWN]
        if not new and readings:
            raise SkinError(
                f"{where}: this is {readings[0].skin} already, there is nothing to learn "
                "(--force learns it all the same)"
            )
        if not new:
            raise GameNotFoundError(f"{where}: no Minesweeper board that can be read is there")
        grid = new[0].grid
        if self.old is not None and not self.skin_learner.knows(pixels, grid):
            raise SkinError(f"there is a skin {self.name} already, of another look than {where}: {_TAKEN}")
        return grid

    def save(self) -> bool:
        """Write what is trusted to the skin's folder if that is a skin and holds more; return whether it is.

        Raises SkinError if the folder cannot be written.
        """
        skin = skin_of(self.skin_learner.knowledge, self.name)
        if skin is None or (self.old is not None and len(skin.states) <= len(self.old.states)):
            return False
        save_skin(skin, self.folder, overwrite=self.force or self.old is not None)
        self.old = skin
        return True

    def finish(self) -> None:
        """Save what is new. Raises SkinError if there is no skin yet, or it cannot be written."""
        self.save()
        if self.old is None:
            raise SkinError(
                "too little of this board is certain for a skin: open more of it and learn again, "
                "or play on with --watch"
            )

    @property
    def unsure(self) -> list[int]:
        """The states that were seen, but are not certain yet."""
        return sorted(self.skin_learner.knowledge.provisional)

    @property
    def missing(self) -> list[int]:
        """The states that were never seen."""
        return sorted(set(STATES) - set(() if self.old is None else self.old.shown) - set(self.unsure))

    def cells_seen(self, state: int) -> int:
        """Return how many cells showed a state as it is known now."""
        variants = self.skin_learner.knowledge.variants
        return sum(one.cells for one in variants if one.state == state and one.trusted)
