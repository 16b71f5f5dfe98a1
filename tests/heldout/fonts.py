"""The fonts of the drawn screens: files of a few Debian packages, the same on every machine."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from PIL import ImageFont

_FOLDER = Path("/usr/share/fonts")
FILES = {  # name: package, file
    "b612": ("fonts-b612", "opentype/b612/B612-Regular.otf"),
    "b612 bold": ("fonts-b612", "opentype/b612/B612-Bold.otf"),
    "b612 mono": ("fonts-b612", "opentype/b612/B612Mono-Bold.otf"),
    "sans": ("fonts-urw-base35", "opentype/urw-base35/NimbusSans-Regular.otf"),
    "sans bold": ("fonts-urw-base35", "opentype/urw-base35/NimbusSans-Bold.otf"),
    "narrow bold": ("fonts-urw-base35", "opentype/urw-base35/NimbusSansNarrow-Bold.otf"),
    "mono bold": ("fonts-urw-base35", "opentype/urw-base35/NimbusMonoPS-Bold.otf"),
    "roman bold": ("fonts-urw-base35", "opentype/urw-base35/NimbusRoman-Bold.otf"),
    "gothic": ("fonts-urw-base35", "opentype/urw-base35/URWGothic-Book.otf"),
    "gothic bold": ("fonts-urw-base35", "opentype/urw-base35/URWGothic-Demi.otf"),
    "bookman bold": ("fonts-urw-base35", "opentype/urw-base35/URWBookman-Demi.otf"),
    "palatino": ("fonts-urw-base35", "opentype/urw-base35/P052-Roman.otf"),
    "schoolbook bold": ("fonts-urw-base35", "opentype/urw-base35/C059-Bold.otf"),
    "caladea bold": ("fonts-crosextra-caladea", "truetype/crosextra/Caladea-Bold.ttf"),
    "carlito": ("fonts-crosextra-carlito", "truetype/crosextra/Carlito-Regular.ttf"),
    "carlito bold": ("fonts-crosextra-carlito", "truetype/crosextra/Carlito-Bold.ttf"),
    "old standard bold": ("fonts-oldstandard", "truetype/fonts-oldstandard/OldStandard-Bold.ttf"),
    "mononoki": ("fonts-mononoki", "truetype/mononoki/mononoki-Regular.ttf"),
    "mononoki bold": ("fonts-mononoki", "truetype/mononoki/mononoki-Bold.ttf"),
    "play": ("fonts-play", "truetype/play/Play-Regular.ttf"),
    "play bold": ("fonts-play", "truetype/play/Play-Bold.ttf"),
    "segments": ("fonts-dseg", "truetype/dseg/DSEG7Classic-Bold.ttf"),
    "symbols": ("fonts-symbola", "truetype/ancient-scripts/Symbola_hint.ttf"),
}
PLAIN = ("b612", "sans", "gothic", "carlito", "play", "mononoki", "palatino")
BOLD = (
    "b612 bold",
    "sans bold",
    "narrow bold",
    "gothic bold",
    "bookman bold",
    "schoolbook bold",
    "caladea bold",
    "carlito bold",
    "mononoki bold",
    "play bold",
    "roman bold",
)


class MissingFontError(RuntimeError):
    """A font of the drawn screens is not installed."""


def require_fonts() -> None:
    """Raise MissingFontError, which names the packages to install, if a font is missing."""
    missing = sorted({package for package, file in FILES.values() if not (_FOLDER / file).exists()})
    if missing:
        raise MissingFontError(f"fonts of the drawn screens are missing: apt-get install {' '.join(missing)}")


@cache
def font(name: str, size: float) -> ImageFont.FreeTypeFont:
    """Return a font at ``size`` pixels. Raises MissingFontError if it is not installed."""
    require_fonts()
    return ImageFont.truetype(_FOLDER / FILES[name][1], size, layout_engine=ImageFont.Layout.BASIC)


@cache
def ink(name: str, text: str) -> tuple[float, float, float, float]:
    """Return the box of a text's ink (left, top, right, bottom) at size 1, from where it is drawn."""
    left, top, right, bottom = font(name, 200.0).getbbox(text)
    return left / 200, top / 200, right / 200, bottom / 200
