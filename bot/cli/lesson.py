"""One lesson of ``minebot learn``: a skin by name, what is looked at, what was learned."""

from __future__ import annotations

import re
from pathlib import Path

from bot.board import State
from bot.cli.skins import all_skins, skins_in, user_skins
from bot.errors import GameNotFoundError, SkinError, UsageError
from bot.geometry import Grid, Pixels
from bot.vision import Skin, load_skin, read_picture
from bot.vision.board_reader import UNKNOWN, find_unknown
from bot.vision.learning.history import Actions
from bot.vision.learning.looks import looks_of
from bot.vision.learning.skin_learner import SkinLearner
from bot.vision.reading import Reading
from bot.vision.save import save_skin
from bot.vision.skin import STATES, file_name

ANYWHERE = Actions(None, None)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_DEVICES = re.compile(r"(?i:con|prn|aux|nul|(com|lpt)[0-9])")  # no folder of Windows has these names
_TAKEN = "choose another name, or use --force to replace it"


class Lesson:
    """Learns the skin ``name``, from nothing or from what it knows already.

    The skin is kept in ``skins_folder``, None for where learned skins are; ``mines`` is the total, None if
    the user does not give it; ``force`` replaces a skin of that name, and learns boards that another skin
    knows. Raises UsageError for a name that no folder can have, SkinError for one that is taken.
    """

    def __init__(self, name: str, skins_folder: Path | None, mines: int | None, force: bool) -> None:
        if not _NAME.fullmatch(name) or _DEVICES.fullmatch(name):
            raise UsageError(f"{name!r} cannot name a skin: use letters, digits, - and _, as in my-game")
        self.name, self.force = name, force
        self.folder = (skins_folder or user_skins()) / name
        beside = [] if skins_folder is None else skins_in(skins_folder)
        known = (*beside, *all_skins(None))
        self.old = None if force else self._existing(known)
        self._others = tuple(skin for skin in known if skin.name != name)
        self.skin_learner = SkinLearner(looks_of(self.old) if self.old else None, mines)
        self.grid: Grid | None = None

    def _existing(self, known: tuple[Skin, ...]) -> Skin | None:
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
        readings = [r for r in read_picture(pixels, (*own, *self._others)) if r.skin != UNKNOWN]
        if mine := [reading for reading in readings if reading.skin == self.name]:
            return mine[0].grid
        known = [] if self.force else [reading.grid.rect for reading in readings]
        sights = find_unknown(pixels, known)
        if not sights and known:
            raise SkinError(
                f"{where}: this is {readings[0].skin} already, there is nothing to learn "
                "(--force learns it all the same)"
            )
        if not sights:
            raise GameNotFoundError(f"{where}: no Minesweeper board that can be read is there")
        grid = sights[0].reading.grid
        if self.old is not None and not self.skin_learner.knows(pixels, grid):
            raise SkinError(f"there is a skin {self.name} already, of another look than {where}: {_TAKEN}")
        return grid

    def save(self) -> bool:
        """Write what is trusted to the skin's folder if that is a skin and holds more; return whether it is.

        Raises SkinError if the folder cannot be written.
        """
        skin = self.skin_learner.skin(self.name)
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

    def lines(self) -> list[str]:
        """Return what was learned in words, state by state."""
        skin, knowledge = self.old, self.skin_learner.knowledge
        assert skin is not None
        assert knowledge is not None
        lines = [f"{self.name}: cells of {skin.cell} pixels"]
        for state in skin.shown:
            known = [variant for variant in knowledge.variants if variant.state == state and variant.trusted]
            pictures = int((skin.states == state).sum())
            seen = sum(variant.cells for variant in known)
            lines.append(f"  {state_name(state):14} {_count(pictures, 'picture')} of {_count(seen, 'cell')}")
        if unsure := sorted(knowledge.provisional):
            lines.append(f"not certain yet: {', '.join(map(state_name, unsure))}")
        if missing := self._missing():
            lines.append(f"never seen: {', '.join(map(state_name, missing))}")
        return [*lines, f"kept in {self.folder}"]

    def as_json(self) -> dict[str, object]:
        """Return the object that ``--json`` prints."""
        skin, knowledge = self.old, self.skin_learner.knowledge
        assert skin is not None
        assert knowledge is not None
        return {
            "skin": self.name,
            "folder": str(self.folder),
            "cell": skin.cell,
            "states": {_key(state): int((skin.states == state).sum()) for state in skin.shown},
            "uncertain": [_key(state) for state in sorted(knowledge.provisional)],
            "missing": [_key(state) for state in self._missing()],
        }

    def _missing(self) -> list[int]:
        assert self.old is not None
        assert self.skin_learner.knowledge is not None
        return sorted(set(STATES) - set(self.old.shown) - self.skin_learner.knowledge.provisional)


def state_name(state: int) -> str:
    """Return what people call a state."""
    if state == State.QUESTION:
        return "question mark"
    return str(state) if state < State.COVERED else State(state).name.lower().replace("_", " ")


def _key(state: int) -> str:
    return file_name(state).removesuffix(".png")


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
