"""Skins: the appearance of one game's cells as data, and the folders that store it.

A skin is a folder with ``skin.toml`` and small pictures of states: ``0.png`` to ``8.png`` and the names of
`bot.board.State` in lower case. A state with several looks has several pictures: ``covered.png``,
``covered-2.png``. Pictures of a covered cell and of at least one other state are required.
``skin.toml``::

    cell = 16                # size of a cell in pixels at 100 % scaling; every picture is cell x cell
    reach = 26               # largest difference of a cell from its picture (root mean square, 0 to 255)
    ground = "#c0c0c0"       # colour around the board and its frame; left out if it varies
    counter_side = "left"    # which of two numbers beside the board is the mine counter; without [counter]

    [counter]                # where to look first for the mine counter; in pixels at 100 % scaling
    side = "left"            # x is measured from the left edge of the grid, or from its "right" edge
    x = 5                    # left edge of the first digit
    y = -39                  # top edge of the digits, measured from the top of the grid
    width = 13               # box of one digit
    height = 23
    step = 13                # from one digit to the next
    digits = 3               # usually; a number may have more
    lit = "#ff0000"          # colour of the digits; only drawing needs it
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from importlib.resources import as_file, files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Literal

import cv2
import numpy as np
from msgspec import Meta, Struct, convert
from msgspec.structs import asdict

from bot.board import OPENED, State, States
from bot.errors import SkinError, UsageError
from bot.files import private_folder, read_file, replace_file
from bot.geometry import Pixels
from bot.picture_files import decoded

STATES = (*OPENED, *(state.value for state in State if state is not State.UNREADABLE))
_PICTURE = re.compile(r"([0-8]|[a-z_]+?)(?:-([1-9][0-9]?))?\.png")
_MOST_PICTURES = 64
_LARGEST_DESCRIPTION, _LARGEST_PICTURE = 1 << 16, 1 << 20  # bytes of a skin.toml and of a picture of a cell

_Number = Annotated[float, Meta(ge=-10_000, le=10_000)]
_Length = Annotated[float, Meta(gt=0, le=10_000)]
_Side = Literal["left", "right"]
_HexColour = Annotated[str, Meta(pattern="^#[0-9a-fA-F]{6}$")]

Colour = tuple[int, int, int]  # blue, green, red


class CounterLayout(Struct, frozen=True):
    """The table ``counter`` of a skin.toml: place and colour of the mine counter."""

    side: _Side
    x: _Number
    y: _Number
    width: _Length
    height: _Length
    step: _Number
    digits: Annotated[int, Meta(ge=1, le=9)]
    lit: _HexColour

    @property
    def right(self) -> bool:
        """Whether ``x`` is measured from the right edge of the grid."""
        return self.side == "right"

    @property
    def colour(self) -> Colour:
        """The colour of the digits."""
        return _colour(self.lit)


class _Description(Struct):
    """A skin.toml."""

    cell: Annotated[int, Meta(ge=8, le=128)]
    reach: _Number
    ground: _HexColour | None = None
    counter_side: _Side | None = None
    counter: CounterLayout | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Skin:
    """The appearance of one game's cells.

    ``templates`` are the pictures, uint8 BGR of shape (n, cell, cell, 3), read-only; ``states`` (int8, n) are
    the states that they show, in rising order. A state may have several templates or none. ``reach`` is the
    largest distance (root mean square, 0 to 255) between a cell and its template. ``counter`` is where to
    look first for the mine counter, and ``counter_right`` whether it is the right one of two numbers; None if
    that is unknown.
    """

    name: str
    cell: int
    reach: float
    templates: Pixels
    counter: CounterLayout | None = None
    ground: Colour | None = None
    states: States = field(default_factory=lambda: np.array(STATES, np.int8))
    counter_right: bool | None = None

    def template(self, state: int) -> Pixels:
        """Return the first template of ``state``, which must be one of `shown`."""
        return np.asarray(self.templates[int(np.searchsorted(self.states, state))])

    @property
    def shown(self) -> tuple[int, ...]:
        """The states that have a template, in rising order."""
        return tuple(int(state) for state in np.unique(self.states))


def load_skins(folder: Path | None = None) -> tuple[Skin, ...]:
    """Return the skins in the subfolders of ``folder``, sorted by name; None means the shipped skins.

    Raises SkinError if there is no skin or if one is damaged; the message names the folder and the fault.
    """
    if folder is not None:
        return _load_all(folder)
    shipped = files("bot") / "templates"  # present in built programs; in a checkout it is two folders up
    with as_file(shipped if shipped.is_dir() else Path(__file__).parents[2] / "templates") as inside:
        return _load_all(inside)


def load_skin(folder: Path) -> Skin:
    """Return the skin in ``folder``. Raises SkinError, which names the fault, if the skin is damaged."""
    described = _description(folder / "skin.toml")
    templates, states = _templates(folder, described.cell)
    counter, ground = described.counter, described.ground
    side = described.counter_side or (None if counter is None else counter.side)
    return Skin(
        folder.name,
        described.cell,
        described.reach,
        templates,
        counter,
        None if ground is None else _colour(ground),
        states,
        None if side is None else side == "right",
    )


def file_name(state: int, number: int = 1) -> str:
    """Return the file name of a picture of ``state``; ``number`` counts the pictures of a state from 1."""
    name = str(state) if state < State.COVERED else State(state).name.lower()
    return f"{name}.png" if number == 1 else f"{name}-{number}.png"


def _load_all(folder: Path) -> tuple[Skin, ...]:
    if not folder.is_dir():
        raise UsageError(f"the folder of skins {folder} does not exist")
    folders = [inner for inner in sorted(folder.iterdir()) if inner.is_dir() and inner.name[0] != "."]
    skins = tuple(load_skin(inner) for inner in folders)
    if not skins:
        raise SkinError(f"there is no skin in {folder}: a skin is a folder with skin.toml and its pictures")
    return skins


def _description(path: Path) -> _Description:
    try:
        return convert(tomllib.loads(read_file(path, _LARGEST_DESCRIPTION).decode()), _Description)
    except FileNotFoundError as error:
        raise SkinError(f"the skin {path.parent} is damaged: skin.toml is missing") from error
    except OSError as error:
        raise SkinError(f"the skin {path.parent} is damaged: skin.toml: {error.strerror}") from error
    except (ValueError, RecursionError) as error:  # the latter for tables in tables in tables
        raise SkinError(f"the skin {path.parent} is damaged: skin.toml: {error}") from error


def _templates(folder: Path, cell: int) -> tuple[Pixels, States]:
    """Return all templates, sorted by state, and the state of each."""
    named = sorted(_pictures(folder))
    states = np.array([state for state, _, _ in named], np.int8)
    if State.COVERED not in states:
        raise SkinError(f"the skin {folder} is damaged: {file_name(State.COVERED)} is missing")
    if len(np.unique(states)) < 2:
        raise SkinError(f"the skin {folder} shows only covered cells: add a picture of an opened cell")
    if len(named) > _MOST_PICTURES:
        raise SkinError(f"the skin {folder} has {len(named)} pictures: keep at most {_MOST_PICTURES}")
    templates = np.stack([_template(path, cell) for _, _, path in named])
    templates.flags.writeable = False
    return templates, states


def _pictures(folder: Path) -> list[tuple[int, int, Path]]:
    """Return state, number and path of every picture of a state; files with other names are ignored."""
    by_name = {file_name(state).removesuffix(".png"): state for state in STATES}
    parts = [(path, _PICTURE.fullmatch(path.name)) for path in folder.iterdir()]
    return [
        (by_name[match[1]], int(match[2] or 1), path)
        for path, match in parts
        if match is not None and match[1] in by_name
    ]


def _template(path: Path, cell: int) -> Pixels:
    damaged = f"the skin {path.parent} is damaged: {path.name}"
    try:
        picture = decoded(read_file(path, _LARGEST_PICTURE), cv2.IMREAD_COLOR)
    except OSError as error:
        raise SkinError(f"{damaged}: {error.strerror}") from error
    except ValueError as error:
        raise SkinError(f"{damaged} is not a picture that can be read") from error
    if picture.shape != (cell, cell, 3):
        height, width = picture.shape[:2]
        raise SkinError(f"{damaged} is {width} x {height} pixels, it should be {cell} x {cell}")
    return picture.astype(np.uint8)


def _colour(text: str) -> Colour:
    red, green, blue = bytes.fromhex(text[1:])
    return blue, green, red


def save_skin(skin: Skin, folder: Path, *, overwrite: bool = False) -> None:
    """Write ``skin`` to ``folder``; `load_skin` reads it back, with the folder's name as its name.

    The skin is written beside ``folder`` and then renamed, so that ``folder`` never holds half a skin. Raises
    SkinError if the folder exists and ``overwrite`` is false, or if it cannot be written.
    """
    if folder.exists() and not overwrite:
        raise SkinError(f"the skin {folder} already exists: choose another name, or overwrite it")
    try:
        private_folder(folder.parent)
        with TemporaryDirectory(
            prefix=f".{folder.name}-", dir=folder.parent, ignore_cleanup_errors=True
        ) as beside:
            new, old = Path(beside, "new"), Path(beside, "old")
            private_folder(new)
            _write(skin, new)
            if folder.exists():
                folder.rename(old)
            try:
                new.rename(folder)
            except OSError:
                if old.exists():
                    old.rename(folder)
                raise
    except OSError as error:
        why, remedy = error.strerror, "free some disk space, or choose a folder that you may write to"
        raise SkinError(f"the skin {folder} cannot be written ({why}): {remedy}") from error


def _write(skin: Skin, folder: Path) -> None:
    replace_file(folder / "skin.toml", _description_of(skin).encode())
    numbers: dict[int, int] = {}
    for state, template in zip(skin.states.tolist(), skin.templates, strict=True):
        numbers[state] = numbers.get(state, 0) + 1
        _, data = cv2.imencode(".png", template)
        replace_file(folder / file_name(state, numbers[state]), data.tobytes())


def _description_of(skin: Skin) -> str:
    """Return the text of a skin's ``skin.toml``."""
    lines = [f"cell = {skin.cell}", f"reach = {skin.reach:g}"]
    if skin.ground is not None:
        lines.append('ground = "#{2:02x}{1:02x}{0:02x}"'.format(*skin.ground))
    if skin.counter_right is not None:
        lines.append(f'counter_side = "{"right" if skin.counter_right else "left"}"')
    if skin.counter is not None:
        lines += ["", "[counter]"]
        for name, value in asdict(skin.counter).items():
            lines.append(f'{name} = "{value}"' if isinstance(value, str) else f"{name} = {value:g}")
    return "\n".join(lines) + "\n"
