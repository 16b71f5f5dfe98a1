"""Writing skins: a folder appears whole, or not at all."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import mkdtemp

import cv2

from bot.errors import SkinError
from bot.vision.skin import Colour, CounterLayout, Skin, file_name


def save_skin(skin: Skin, folder: Path, *, overwrite: bool = False) -> None:
    """Write ``skin`` to ``folder``, from which `bot.vision.load_skin` gets it back under the folder's name.

    It is written beside ``folder`` and then renamed, so that nobody ever finds half of it. Raises SkinError
    if the folder exists and is not to be overwritten, or cannot be written.
    """
    if folder.exists() and not overwrite:
        raise SkinError(f"there is a skin in {folder} already: choose another name, or overwrite it")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        raise _refused(folder, error) from error
    try:
        new = temporary / "new"
        new.mkdir()
        _write(skin, new)
        if folder.exists():
            folder.rename(temporary / "old")
        new.rename(folder)
    except OSError as error:
        if (temporary / "old").exists() and not folder.exists():
            (temporary / "old").rename(folder)
        raise _refused(folder, error) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _refused(folder: Path, error: OSError) -> SkinError:
    return SkinError(
        f"the skin {folder} cannot be written ({error.strerror}): make room, or choose a folder of your own"
    )


def _write(skin: Skin, folder: Path) -> None:
    (folder / "skin.toml").write_text(description(skin), encoding="utf-8")
    numbers: dict[int, int] = {}
    for state, template in zip(skin.states.tolist(), skin.templates, strict=True):
        numbers[state] = numbers.get(state, 0) + 1
        _, data = cv2.imencode(".png", template)
        (folder / file_name(state, numbers[state])).write_bytes(data.tobytes())


def description(skin: Skin) -> str:
    """Return the text of a skin's ``skin.toml``."""
    lines = [f"cell = {skin.cell}", f"exact = {str(skin.exact).lower()}", f"reach = {skin.reach:g}"]
    if skin.ground is not None:
        lines.append(f'ground = "{_colour(skin.ground)}"')
    if skin.background is not None:
        lines.append(f'background = "{_colour(skin.background)}"')
    if skin.counter_right is not None:
        lines.append(f'counter_side = "{_side(skin.counter_right)}"')
    if skin.counter is not None:
        lines += ["", "[counter]", *_counter(skin.counter)]
    return "\n".join(lines) + "\n"


def _counter(layout: CounterLayout) -> list[str]:
    measures = ("x", "y", "width", "height", "step", "digits")
    return [
        f'side = "{_side(layout.right)}"',
        *(f"{name} = {getattr(layout, name):g}" for name in measures),
        f'lit = "{_colour(layout.lit)}"',
    ]


def _side(right: bool) -> str:
    return "right" if right else "left"


def _colour(colour: Colour) -> str:
    blue, green, red = colour
    return f"#{red:02x}{green:02x}{blue:02x}"
